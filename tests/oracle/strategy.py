"""Single dummy by definition: every strategy of the chooser, against opponents who see everything.

A strategy says which card to play after each sequence of cards seen on the table. In each layout
the opponents, who know the layout and the strategy, do what hurts it most. So a strategy has an
outcome in each layout, and what matters of it is this row of outcomes. Here all rows are found by
plain recursion: where the chooser plays, he has the rows of each of his cards; where another player
does, the chooser has one strategy for each card he may see, and in each layout the worst of the
cards that can be played there counts. Rows that another row matches in every layout are left out,
for they are never better.

Cards are places, 16 * suit + rank, and hands are bit sets, only to make endings of four tricks
possible.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from setrograde.bridge import Seat
from setrograde.solve.strategy import Goal, PlayState

Row = tuple[int, ...]
Hands = tuple[int, int, int, int]
Trick = tuple[int, ...]


class Enumeration:
    """All strategies from a state on, by the number of steps of the goal that they reach."""

    def __init__(self, state: PlayState, worlds: list[int], goal: Goal) -> None:
        self.state, self.goal = state, goal
        self.needs = [need for need, _ in goal.steps]
        first, second = state.hidden_seats
        deals: list[Hands] = []
        for world in worlds:
            hands = {seat: hand.bits for seat, hand in state.hands.items()}
            hands[first], hands[second] = world, state.hidden.bits & ~world
            n, e, s, w = (hands[seat] for seat in Seat)
            deals.append((n, e, s, w))
        self.deals = tuple(deals)
        self.choosers = [s for s in state.hands if s.side is state.us]
        self._rows = cache(self._find_rows)
        self._double_dummy = cache(self._find_double_dummy)

    def rows(self) -> set[Row]:
        """The rows of all strategies that no other strategy matches: steps reached by layout."""
        trick = tuple(16 * card.suit + card.rank for card in self.state.trick)
        return self._rows(int(self.state.leader), trick, self.state.won, self.deals)

    def best(self, weights: list[float] | None = None) -> float:
        """What the best strategy is worth on average."""
        weights = weights or [1.0] * len(self.deals)
        worth = [self.goal.floor]
        for _, step in self.goal.steps:
            worth.append(worth[-1] + step)
        totals = (
            sum(w * worth[reached] for w, reached in zip(weights, row, strict=True))
            for row in self.rows()
        )
        return max(totals) / sum(weights)

    def _find_rows(self, leader: int, trick: Trick, won: int, deals: tuple[Hands, ...]) -> set[Row]:
        seat = (leader + len(trick)) % 4
        if not any(deals[0]):
            return {(self._steps(won),) * len(deals)}
        if seat in self.choosers:
            rows: set[Row] = set()
            for card in _legal(deals[0][seat], trick):
                after = tuple(_without(hands, seat, card) for hands in deals)
                rows |= self._rows(*self._next(leader, trick, won, card), after)
            return _undominated(rows)
        # What may be seen next, and in which layouts.
        may_play = [self._cards_of(leader, trick, won, hands) for hands in deals]
        rows = {(len(self.needs),) * len(deals)}
        for card in sorted(set().union(*may_play)):
            there = [i for i, cards in enumerate(may_play) if card in cards]
            after = tuple(_without(deals[i], seat, card) for i in there)
            found = self._rows(*self._next(leader, trick, won, card), after)
            # One strategy for each card seen; in each layout the worst card counts.
            met = set()
            for row, other in product(rows, found):
                worst = list(row)
                for i, reached in zip(there, other, strict=True):
                    worst[i] = min(worst[i], reached)
                met.add(tuple(worst))
            rows = _undominated(met)
        return rows

    def _cards_of(self, leader: int, trick: Trick, won: int, hands: Hands) -> list[int]:
        """What a player who is no chooser may play: all legal cards, or a friend's best one."""
        seat = (leader + len(trick)) % 4
        cards = _legal(hands[seat], trick)
        if Seat(seat).side is not self.state.us:
            return cards

        def reached(card: int) -> int:
            after = _without(hands, seat, card)
            return self._double_dummy(*self._next(leader, trick, won, card), after)

        most = max(reached(card) for card in cards)
        best = [card for card in cards if reached(card) == most]
        return [min(best, key=lambda card: (card % 16, card // 16))]

    def _find_double_dummy(self, leader: int, trick: Trick, won: int, hands: Hands) -> int:
        """Steps reached if both sides see everything."""
        seat = (leader + len(trick)) % 4
        if not any(hands):
            return self._steps(won)
        values = [
            self._double_dummy(*self._next(leader, trick, won, card), _without(hands, seat, card))
            for card in _legal(hands[seat], trick)
        ]
        return max(values) if Seat(seat).side is self.state.us else min(values)

    def _next(self, leader: int, trick: Trick, won: int, card: int) -> tuple[int, Trick, int]:
        """Leader, trick and tricks won after one more card."""
        trick = (*trick, card)
        if len(trick) < 4:
            return leader, trick, won
        trumps = [c for c in trick if c // 16 == self.state.strain]
        best = max(trumps or [c for c in trick if c // 16 == trick[0] // 16])
        taken_by = (leader + trick.index(best)) % 4
        return taken_by, (), won + (Seat(taken_by).side is self.state.us)

    def _steps(self, won: int) -> int:
        return sum(need <= won for need in self.needs)


def _legal(hand: int, trick: Trick) -> list[int]:
    cards = [place for place in range(64) if hand >> place & 1]
    return [card for card in cards if trick and card // 16 == trick[0] // 16] or cards


def _without(hands: Hands, seat: int, card: int) -> Hands:
    left = list(hands)
    left[seat] &= ~(1 << card)
    n, e, s, w = left
    return (n, e, s, w)


def _undominated(rows: set[Row]) -> set[Row]:
    kept: list[Row] = []
    for row in sorted(rows, key=sum, reverse=True):
        if not any(all(a <= b for a, b in zip(row, other, strict=True)) for other in kept):
            kept.append(row)
    return set(kept)
