"""Lines: what declarer leads and plays, whatever the defenders do, card by card.

A line is put together from the fronts, or without them where they are too large: at every lead and
card of declarer's, one is taken that still allows the tricks wanted in every lie that is possible.
Of several, the plainer one: playing from the top if that is enough, else the lead after which fewer
different cards may be needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .game import Reply, SuitGame, SuitState
from .play import Outcome, SuitSolution

__all__ = ["Follow", "Lead", "find_line", "line_outcome", "top_line"]

_WORK = 200_000  # for the front of a position of a suit that has too many lines


@dataclass(frozen=True)
class Lead:
    """A lead, and what follows; `None` stands for a line that is over."""

    hand: int
    """0 North, 1 South."""

    card: int
    """A rank, 0 for the two."""

    follow: Mapping[int | None, Follow]
    """By the run of the next defender's card, `None` if he shows out."""

    state: SuitState
    """What is known."""

    wanted: int
    """Tricks wanted in each lie, as an outcome."""

    is_plain: bool
    """True if the line goes on from the top, whatever happens."""


@dataclass(frozen=True)
class Follow:
    """The card of the hand opposite, and the next lead."""

    card: int | None
    """A rank; `None` if that hand has no card left."""

    then: Mapping[int | None, Lead | None]
    """By the run of the last defender's card."""


def find_line(solution: SuitSolution, outcome: Outcome) -> Lead | None:
    """A line that wins what `outcome` says in every lie.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.play import solve_suit
    >>> solution = solve_suit(SuitHolding.from_text("AQ", "32"))
    >>> line = find_line(solution, solution.best())
    >>> line.hand, line.card, {run: follow.card for run, follow in line.follow.items()}
    (1, 0, {0: 12, 1: 10, None: 10})
    """
    game = solution.game
    lines = _Lines(game, is_complete=solution.is_complete)
    return lines.lead(game.start, game.all_lies, game.outcome(outcome.tricks))


def top_line(solution: SuitSolution) -> Lead | None:
    """The line that plays the highest card left, from whichever hand, and low from the other.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.play import solve_suit
    >>> solution = solve_suit(SuitHolding.from_text("AKJ2", "T543"))
    >>> round(float(line_outcome(solution, top_line(solution)).probability(4)), 4)
    0.3278
    """
    return _Lines(solution.game).from_the_top(solution.game.start, 0)


def line_outcome(solution: SuitSolution, line: Lead | None) -> Outcome:
    """What a line wins in every lie against the best defence."""
    game = solution.game
    known: dict[int, int] = {}

    def value(lead: Lead | None, lies: int) -> int:
        if lead is None:
            return 0
        if id(lead) in known:
            return known[id(lead)]
        found = game.spread(lies)
        for first in game.replies(lead.state, 1 - lead.hand, lies):
            follow = lead.follow[first.run]
            for last in game.replies(first.state, lead.hand, first.lies):
                won = game.wins(lead.card, follow.card, first.run, last.run)
                later = value(follow.then[last.run], last.lies)
                if won:
                    later = later << game.stride | last.lies
                found &= later | ~game.spread(last.lies)
        known[id(lead)] = found
        return found

    return Outcome(game.table, game.tricks(value(line, game.all_lies)))


class _Lines:
    def __init__(self, game: SuitGame, *, is_complete: bool = True) -> None:
        self.game = game
        self.work = None if is_complete else _WORK
        self.known: dict[tuple[SuitState, int], Lead | None] = {}
        self.plain: dict[SuitState, int] = {}
        self.weights = [lie.weight for lie in game.table.lies]

    def lead(self, state: SuitState, lies: int, wanted: int) -> Lead | None:
        """A line from here that wins what is wanted."""
        place = (state, wanted)
        if place not in self.known:
            self.known[place] = self._lead(state, lies, wanted)
        return self.known[place]

    def _lead(self, state: SuitState, lies: int, wanted: int) -> Lead | None:
        game = self.game
        if not any(True for _ in game.leads(state)):
            return None
        if not wanted & ~self.value_from_the_top(state):
            return self.from_the_top(state, wanted)
        wanted = self.most(state, wanted)
        found = []
        for hand, card in game.leads(state):
            cards = self.answers(state, lies, wanted, hand, card)
            if cards is not None:
                rest = [answer for _, answer in cards]
                plain = len(set(rest))
                found.append((plain, card, hand, cards))
        assert found, "an outcome of the front has a line"
        _, card, hand, cards = min(found, key=lambda option: option[:3])
        follow = {
            first.run: Follow(
                answer,
                {
                    last.run: self.lead(after, last.lies, want)
                    for last, after, want in self.tricks(first, wanted, hand, card, answer)
                },
            )
            for first, answer in cards
        }
        return Lead(hand, card, follow, state, wanted, False)

    def most(self, state: SuitState, wanted: int) -> int:
        """The best outcome from here that wins what is wanted; just that if they are too many."""
        front = self.game.front_within(state, self.work)
        if front is None:
            return wanted
        return max([outcome for outcome in front if not wanted & ~outcome], key=self.weight)

    def weight(self, outcome: int) -> int:
        return sum(
            tricks * weight
            for tricks, weight in zip(self.game.tricks(outcome), self.weights, strict=True)
        )

    def answers(
        self, state: SuitState, lies: int, wanted: int, hand: int, card: int
    ) -> list[tuple[Reply, int | None]] | None:
        """What to play to each card of the next defender; `None` if a card has no answer."""
        game = self.game
        options = []
        for first in game.replies(state, 1 - hand, lies):
            good = [
                follow
                for follow in game.followers(state, hand)
                if self.is_enough(first, wanted, hand, card, follow)
            ]
            if not good:
                return None
            options.append((first, good))
        usual = self._usual([good for _, good in options])
        return [(first, usual if usual in good else good[0]) for first, good in options]

    @staticmethod
    def _usual(options: list[list[int | None]]) -> int | None:
        """The card that answers most; the lowest of several."""
        cards = {card for good in options for card in good}
        return max(
            cards,
            key=lambda card: (
                sum(card in good for good in options),
                0 if card is None else -card,
            ),
        )

    def is_enough(
        self, first: Reply, wanted: int, hand: int, card: int, follow: int | None
    ) -> bool:
        return all(
            self.can_win(after, want)
            for _, after, want in self.tricks(first, wanted, hand, card, follow)
        )

    def can_win(self, state: SuitState, wanted: int) -> bool:
        if self.work is not None:
            return self.game.can_win(state, wanted)
        return any(not wanted & ~outcome for outcome in self.game.front(state))

    def tricks(
        self, first: Reply, wanted: int, hand: int, card: int, follow: int | None
    ) -> list[tuple[Reply, SuitState, int]]:
        """Each card of the last defender, the state after it, and what is wanted from there."""
        game = self.game
        found = []
        for last in game.replies(first.state, hand, first.lies):
            won = game.wins(card, follow, first.run, last.run)
            after = game.after_trick(last, hand, card, follow, won=won)
            want = (wanted >> game.stride if won else wanted) & game.spread(last.lies)
            found.append((last, after, want))
        return found

    def _top_card(self, state: SuitState) -> tuple[int, int] | None:
        """The hand and card to play from the top: of cards that are alike the longer hand's."""
        return max(
            self.game.leads(state),
            key=lambda lead: (
                self._run_above(state, lead),
                state.own[lead[0]].bit_count(),
                lead[1],
            ),
            default=None,
        )

    def _run_above(self, state: SuitState, lead: tuple[int, int]) -> int:
        """How many outstanding cards are lower."""
        west, east = state.played
        return sum(
            run.bit_count() - west[i] - east[i]
            for i, run in enumerate(self.game.table.runs)
            if run < 1 << lead[1]
        )

    def from_the_top(self, state: SuitState, wanted: int) -> Lead | None:
        place = (state, -1 - wanted)
        if place in self.known:
            return self.known[place]
        top = self._top_card(state)
        if top is None:
            return None
        hand, card = top
        game, follow_card = self.game, min(self.game.followers(state, hand), key=_low)
        follow = {
            first.run: Follow(
                follow_card,
                {
                    last.run: self.from_the_top(after, want)
                    for last, after, want in self.tricks(first, wanted, hand, card, follow_card)
                },
            )
            for first in game.replies(state, 1 - hand, game.lies(state))
        }
        self.known[place] = Lead(hand, card, follow, state, wanted, True)
        return self.known[place]

    def value_from_the_top(self, state: SuitState) -> int:
        """The outcome of playing from the top."""
        if state in self.plain:
            return self.plain[state]
        game, top = self.game, self._top_card(state)
        if top is None:
            return 0
        hand, card = top
        follow = min(game.followers(state, hand), key=_low)
        lies = game.lies(state)
        found = game.spread(lies)
        for first in game.replies(state, 1 - hand, lies):
            for last in game.replies(first.state, hand, first.lies):
                won = game.wins(card, follow, first.run, last.run)
                after = game.after_trick(last, hand, card, follow, won=won)
                later = self.value_from_the_top(after)
                if won:
                    later = later << game.stride | last.lies
                found &= later | ~game.spread(last.lies)
        self.plain[state] = found
        return found


def _low(card: int | None) -> int:
    return -1 if card is None else card
