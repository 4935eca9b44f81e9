"""Lines: what declarer leads and plays, whatever the defenders do, card by card.

A line is put together from the fronts, or without them where they are too large. At every lead and
card of declarer's, one is taken that still allows the tricks wanted in every layout that is
possible. Of several, the plainer one: playing from the top if that is enough, else the lead after
which fewer different cards may be needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from setrograde.common.stop import StopFlag, check_stop

from .game import SuitGame, SuitReply, SuitState
from .play import LineOutcome, SuitSolution

__all__ = ["Follow", "LineFinder", "SuitLine", "find_line", "line_outcome", "top_line"]

_WORK = 200_000  # for the front of a position of a suit that has too many lines


@dataclass(frozen=True)
class SuitLine:
    """A line: the lead it begins with, and what follows. `None` stands for a line that is over."""

    hand: int
    """The hand that leads: 0 North, 1 South."""

    card: int
    """The card led, as a rank; 0 is the two."""

    follow: Mapping[int | None, Follow]
    """By the run of the next defender's card, `None` if he shows out."""

    state: SuitState
    """What declarer knows before the lead."""

    wanted: int
    """Tricks wanted in each layout, as an outcome."""

    is_plain: bool
    """True if the line goes on from the top, whatever happens."""


@dataclass(frozen=True)
class Follow:
    """The card of the hand opposite, and how the line goes on."""

    card: int | None
    """A rank; `None` if that hand has no card left."""

    then: Mapping[int | None, SuitLine | None]
    """By the run of the last defender's card."""


def find_line(
    solution: SuitSolution, outcome: LineOutcome, *, stop: StopFlag | None = None
) -> SuitLine | None:
    """Find a line that wins the tricks of an outcome in every layout.

    >>> from setrograde.analysis.suit import solve_suit
    >>> solution = solve_suit("AQ", "32")
    >>> line = find_line(solution, solution.best())
    >>> line.hand, line.card, {run: follow.card for run, follow in line.follow.items()}
    (1, 0, {0: 12, 1: 10, None: 10})

    A `StopFlag` given as `stop` ends the work with `Stopped`.
    """
    game = solution.game
    lines = LineFinder(game, is_complete=solution.is_complete, stop=stop)
    return lines.lead(game.start, game.all_layouts, game.outcome(outcome.tricks))


def top_line(solution: SuitSolution) -> SuitLine | None:
    """The line that plays the highest card left, from whichever hand, and low from the other.

    >>> from setrograde.analysis.suit import solve_suit
    >>> solution = solve_suit("AKJ2", "T543")
    >>> round(float(line_outcome(solution, top_line(solution)).probability(4)), 4)
    0.3278
    """
    return LineFinder(solution.game).from_the_top(solution.game.start, 0)


def line_outcome(solution: SuitSolution, line: SuitLine | None) -> LineOutcome:
    """The tricks that a line wins in every layout against the best defence."""
    game = solution.game
    known: dict[int, int] = {}

    def value(lead: SuitLine | None, layouts: int) -> int:
        if lead is None:
            return 0
        if id(lead) in known:
            return known[id(lead)]
        found = game.spread(layouts)
        for first in game.replies(lead.state, 1 - lead.hand, layouts):
            follow = lead.follow[first.run]
            for last, _, won in game.trick_ends(first, lead.hand, lead.card, follow.card):
                later = value(follow.then[last.run], last.layouts)
                found &= game.with_trick(later, last.layouts, won=won)
        known[id(lead)] = found
        return found

    return LineOutcome(game.table, game.tricks(value(line, game.all_layouts)))


class LineFinder:
    """Puts lines of one game together."""

    def __init__(
        self, game: SuitGame, *, is_complete: bool = True, stop: StopFlag | None = None
    ) -> None:
        self.game = game
        self.work = None if is_complete else _WORK
        self.stop = stop
        self.known: dict[tuple[SuitState, int], SuitLine | None] = {}
        self.plain: dict[SuitState, int] = {}
        self.weights = [layout.weight for layout in game.table.layouts]

    def lead(self, state: SuitState, layouts: int, wanted: int) -> SuitLine | None:
        """A line from here that wins what is wanted."""
        place = (state, wanted)
        if place not in self.known:
            self.known[place] = self._lead(state, layouts, wanted)
        return self.known[place]

    def _lead(self, state: SuitState, layouts: int, wanted: int) -> SuitLine | None:
        game = self.game
        if not any(True for _ in game.leads(state)):
            return None
        if not wanted & ~self.value_from_the_top(state):
            return self.from_the_top(state, wanted)
        wanted = self.most(state, wanted)
        found = []
        for hand, card in game.leads(state):
            cards = self.answers(state, layouts, wanted, hand, card)
            if cards is not None:
                plain = len({answer for _, answer in cards})
                found.append((plain, card, hand, cards))
        assert found, "an outcome of the front has a line"
        _, card, hand, cards = min(found, key=lambda option: option[:3])
        follow = {
            first.run: Follow(
                answer,
                {
                    last.run: self.lead(after, last.layouts, want)
                    for last, after, want in self.tricks(first, wanted, hand, card, answer)
                },
            )
            for first, answer in cards
        }
        return SuitLine(hand, card, follow, state, wanted, False)

    def most(self, state: SuitState, wanted: int) -> int:
        """The best outcome from here that wins what is wanted; just that if they are too many."""
        front = self.game.front_within(state, self.work, stop=self.stop)
        if front is None:
            return wanted
        return max([outcome for outcome in front if not wanted & ~outcome], key=self.weight)

    def weight(self, outcome: int) -> int:
        check_stop(self.stop)
        return sum(
            tricks * weight
            for tricks, weight in zip(self.game.tricks(outcome), self.weights, strict=True)
        )

    def answers(
        self, state: SuitState, layouts: int, wanted: int, hand: int, card: int
    ) -> list[tuple[SuitReply, int | None]] | None:
        """What to play to each card of the next defender; `None` if a card has no answer."""
        game = self.game
        options = []
        for first in game.replies(state, 1 - hand, layouts):
            good = [
                follow
                for follow in game.followers(state, hand)
                if self.is_enough(first, wanted, hand, card, follow)
            ]
            if not good:
                return None
            options.append((first, good))
        return self.choose(options)

    def choose(
        self, options: list[tuple[SuitReply, list[int | None]]]
    ) -> list[tuple[SuitReply, int | None]]:
        """One of the good answers to each card: the same one wherever that is possible."""
        usual = self._usual([good for _, good in options])
        return [(first, usual if usual in good else good[0]) for first, good in options]

    @staticmethod
    def _usual(options: list[list[int | None]]) -> int | None:
        """The card that is an answer most often; the lowest of several."""
        cards = {card for good in options for card in good}
        return max(
            cards,
            key=lambda card: (
                sum(card in good for good in options),
                0 if card is None else -card,
            ),
        )

    def is_enough(
        self, first: SuitReply, wanted: int, hand: int, card: int, follow: int | None
    ) -> bool:
        return all(
            self.can_win(after, want)
            for _, after, want in self.tricks(first, wanted, hand, card, follow)
        )

    def can_win(self, state: SuitState, wanted: int) -> bool:
        if self.work is not None:
            return self.game.can_win(state, wanted, stop=self.stop)
        front = self.game.front(state, stop=self.stop)
        return any(not wanted & ~outcome for outcome in front)

    def tricks(
        self, first: SuitReply, wanted: int, hand: int, card: int, follow: int | None
    ) -> list[tuple[SuitReply, SuitState, int]]:
        """Each card of the last defender, the state after it, and what is wanted from there."""
        check_stop(self.stop)
        game = self.game
        return [
            (last, after, (wanted >> game.stride if won else wanted) & game.spread(last.layouts))
            for last, after, won in game.trick_ends(first, hand, card, follow)
        ]

    def top_card(self, state: SuitState) -> tuple[int, int] | None:
        """The hand and card to play from the top: of cards that are alike the shorter hand's."""
        return max(
            self.game.leads(state),
            key=lambda lead: (
                self._cards_below(state, lead[1]),
                -state.own[lead[0]].bit_count(),
                lead[1],
            ),
            default=None,
        )

    def _cards_below(self, state: SuitState, card: int) -> int:
        """The number of outstanding cards that are lower."""
        west, east = state.played
        return sum(
            run.bit_count() - west[i] - east[i]
            for i, run in enumerate(self.game.table.runs)
            if run < 1 << card
        )

    def lowest_follow(self, state: SuitState, hand: int) -> int | None:
        """The lowest card of the hand opposite; `None` if it has none."""
        return min(self.game.followers(state, hand), key=lambda card: -1 if card is None else card)

    def from_the_top(self, state: SuitState, wanted: int) -> SuitLine | None:
        place = (state, -1 - wanted)
        if place in self.known:
            return self.known[place]
        top = self.top_card(state)
        if top is None:
            return None
        hand, card = top
        game, low = self.game, self.lowest_follow(state, hand)
        follow = {
            first.run: Follow(
                low,
                {
                    last.run: self.from_the_top(after, want)
                    for last, after, want in self.tricks(first, wanted, hand, card, low)
                },
            )
            for first in game.replies(state, 1 - hand, game.consistent(state))
        }
        self.known[place] = SuitLine(hand, card, follow, state, wanted, True)
        return self.known[place]

    def value_from_the_top(self, state: SuitState) -> int:
        """The outcome of playing from the top."""
        if state in self.plain:
            return self.plain[state]
        check_stop(self.stop)
        game, top = self.game, self.top_card(state)
        if top is None:
            return 0
        hand, card = top
        low = self.lowest_follow(state, hand)
        layouts = game.consistent(state)
        found = game.spread(layouts)
        for first in game.replies(state, 1 - hand, layouts):
            for last, after, won in game.trick_ends(first, hand, card, low):
                found &= game.with_trick(self.value_from_the_top(after), last.layouts, won=won)
        self.plain[state] = found
        return found
