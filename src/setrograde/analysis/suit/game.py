"""The game of one suit: what may be led and played, and what each card tells.

Declarer sees North and South and chooses for both; he leads the suit as often as he has cards and
entries. The defenders see all cards and know declarer's line; they never lead the suit themselves.
A defender without a card of the suit shows out, a hand of declarer's without one plays nothing.
Where entries are limited, the hand that won the last trick leads; leading from the other hand, or
from either after the defenders won, takes an entry in another suit. Before the first trick declarer
is in the hand given, or in either as he likes.

The native core has these rules too and finds the fronts; here they serve to put lines together and
to replay them. Outcomes are whole numbers: bit `stride * (t - 1) + layout` says that the line wins
t tricks or more in that layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from setrograde._core import SuitSolver
from setrograde.common.stop import StopFlag

from .layouts import LayoutTable
from .ranks import iter_ranks

__all__ = [
    "EITHER_HAND",
    "FREE_ENTRIES",
    "NO_HAND",
    "SuitDemand",
    "SuitGame",
    "SuitReply",
    "SuitState",
    "SuitWorth",
]

SuitWorth = Sequence[Sequence[int]]
"""By number of tricks, from 1, then layout: what that trick adds to the worth of a line."""

SuitDemand = tuple[SuitWorth, int]
"""A worth, and the least a line must have of it."""

FREE_ENTRIES = 15
"""Entries without limit."""

EITHER_HAND = -1
NO_HAND = 2
"""Who is on lead besides 0 (North) and 1 (South)."""

_EIGHT = 6


class SuitState(NamedTuple):
    """What declarer knows between two tricks. Hands: 0 North, 1 South; 0 West, 1 East."""

    own: tuple[int, int]
    """Cards left, as bits."""

    played: tuple[tuple[int, ...], tuple[int, ...]]
    """Cards of each run that West and East have played."""

    is_void: tuple[bool, bool] = (False, False)
    """Who has shown out, or is known to have no card left."""

    entries: tuple[int, int] = (FREE_ENTRIES, FREE_ENTRIES)
    """Entries left in other suits."""

    on_lead: int = EITHER_HAND
    """The hand that may lead without an entry."""


class SuitReply(NamedTuple):
    """A defender's card, as declarer sees it."""

    run: int | None
    """Number of its run; `None` for showing out."""

    layouts: int
    """The layouts in which he can play it, as bits."""

    state: SuitState
    """With the card played."""


@dataclass(frozen=True)
class SuitGame:
    """The game of one table of layouts.

    >>> from setrograde.analysis.suit.layouts import layouts_of
    >>> game = SuitGame(layouts_of("AQ", "32"))
    >>> [(hand, card) for hand, card in game.leads(game.start)]
    [(0, 10), (0, 12), (1, 0)]
    >>> sorted(map(sum, map(game.tricks, game.front(game.start))))
    [20, 27]
    """

    table: LayoutTable
    """All layouts."""

    entries: tuple[int, int] = (FREE_ENTRIES, FREE_ENTRIES)
    """Entries to North and South in other suits."""

    on_lead: int = EITHER_HAND
    """The hand that leads first."""

    @cached_property
    def start(self) -> SuitState:
        """Before the first trick."""
        none = (0,) * len(self.table.runs)
        own = (self.table.holding.north_bits, self.table.holding.south_bits)
        return SuitState(own, (none, none), (False, False), self.entries, self.on_lead)

    @cached_property
    def stride(self) -> int:
        """Bits of a set of layouts within an outcome."""
        return int(self._solver.stride)

    @cached_property
    def levels(self) -> int:
        """The most tricks there can be."""
        return self.table.holding.tricks_most

    @cached_property
    def all_layouts(self) -> int:
        """Every layout, as bits."""
        return (1 << len(self.table.layouts)) - 1

    @cached_property
    def _solver(self) -> SuitSolver:
        layouts = [list(layout.counts) for layout in self.table.layouts]
        return SuitSolver(self.start.own, list(self.table.runs), layouts)

    @cached_property
    def _holds(self) -> tuple[list[list[int]], list[list[int]]]:
        """By defender, run and number: the layouts in which he began with that many or more."""
        found: tuple[list[list[int]], list[list[int]]] = ([], [])
        for i, run in enumerate(self.table.runs):
            size = run.bit_count()
            for defender in (0, 1):
                counts = [
                    layout.counts[i] if defender == 0 else size - layout.counts[i]
                    for layout in self.table.layouts
                ]
                found[defender].append(
                    [
                        sum(1 << place for place, count in enumerate(counts) if count >= n)
                        for n in range(size + 2)
                    ]
                )
        return found

    @cached_property
    def _fronts(self) -> dict[SuitState, tuple[int, ...]]:
        return {}

    def front(self, state: SuitState, *, stop: StopFlag | None = None) -> tuple[int, ...]:
        """The undominated outcomes from a state on; for a few suits that does not end."""
        found = self.front_within(state, None, stop=stop)
        assert found is not None
        return found

    def front_within(
        self, state: SuitState, work: int | None, *, stop: StopFlag | None = None
    ) -> tuple[int, ...] | None:
        """As `front`, or `None` if it takes more work; 50 million take about a second.

        >>> from setrograde.analysis.suit.layouts import layouts_of
        >>> game = SuitGame(layouts_of("K5", "QT83"))
        >>> game.front_within(game.start, 10_000) is None
        True
        """
        found = self._fronts.get(state)
        if found is None:
            data = self._solver.front(state, work, stop)
            if data is None:
                return None
            found = tuple(int.from_bytes(outcome, "little") for outcome in data)
            self._fronts[state] = found
        return found

    def best(
        self,
        worth: SuitWorth,
        *,
        demands: Sequence[SuitDemand] = (),
        most_by_tricks: Sequence[int] = (),
        work: int,
        stop: StopFlag | None = None,
    ) -> tuple[int | None, int]:
        """The outcome worth most from the start on, and what no outcome exceeds.

        Only lines that meet the demands count. `most_by_tricks` are bounds for each number of
        tricks alone, which make the search faster. Without an outcome the work was not enough, or
        no line meets the demands, and the bound is -1. With one, the bound is its worth.

        >>> from setrograde.analysis.suit.layouts import layouts_of
        >>> game = SuitGame(layouts_of("AQ", "32"))
        >>> ones, none = [1] * len(game.table.layouts), [0] * len(game.table.layouts)
        >>> game.best([none, ones], work=10_000)[1], len(game.table.layouts)
        (9, 18)
        """
        outcome, at_most = self._solver.best(self.start, worth, demands, most_by_tricks, work, stop)
        return None if outcome is None else int.from_bytes(outcome, "little"), at_most

    def outcomes_for(
        self, demands: Sequence[SuitDemand], *, work: int, stop: StopFlag | None = None
    ) -> tuple[int, ...] | None:
        """Outcomes from the start on that meet demands; `None` if that takes more work.

        Outcomes that all demands value alike are not told apart.

        >>> from setrograde.analysis.suit.layouts import layouts_of
        >>> game = SuitGame(layouts_of("AQ", "32"))
        >>> ones = [1] * len(game.table.layouts)
        >>> [len(game.outcomes_for([([ones, ones], n)], work=10_000)) for n in (0, 27, 28)]
        [2, 1, 0]
        """
        data = self._solver.outcomes_for(self.start, demands, work, stop)
        return None if data is None else tuple(int.from_bytes(found, "little") for found in data)

    def can_win(self, state: SuitState, outcome: int, *, stop: StopFlag | None = None) -> bool:
        """True if a line from this state on wins the outcome in every layout.

        >>> from setrograde.analysis.suit.layouts import layouts_of
        >>> game = SuitGame(layouts_of("AQ", "32"))
        >>> ace = game.all_layouts
        >>> game.can_win(game.start, ace), game.can_win(game.start, ace << game.stride | ace)
        (True, False)
        """
        return self._solver.can_win(state, self._bytes(outcome), stop)

    def _bytes(self, outcome: int) -> bytes:
        return outcome.to_bytes(self.stride * self.levels // 8, "little")

    def spread(self, layouts: int) -> int:
        """The outcome of all tricks in these layouts."""
        return sum(layouts << (self.stride * level) for level in range(self.levels))

    def tricks(self, outcome: int) -> tuple[int, ...]:
        """An outcome as tricks for each layout."""
        bits = np.unpackbits(np.frombuffer(self._bytes(outcome), np.uint8), bitorder="little")
        levels = bits.reshape(self.levels, self.stride)[:, : len(self.table.layouts)]
        return tuple(levels.sum(axis=0).tolist())

    def outcome(self, tricks: tuple[int, ...]) -> int:
        """The opposite of `tricks`."""
        return sum(
            1 << (self.stride * level + layout)
            for layout, count in enumerate(tricks)
            for level in range(count)
        )

    def consistent(self, state: SuitState) -> int:
        """The layouts that fit what was seen."""
        layouts = self.all_layouts
        for defender in (0, 1):
            for i, count in enumerate(state.played[defender]):
                layouts &= self._holds[defender][i][count]
            if state.is_void[defender]:
                layouts &= self._without_cards(state, defender)
        return layouts

    def _without_cards(self, state: SuitState, defender: int) -> int:
        layouts = self.all_layouts
        for i, count in enumerate(state.played[defender]):
            layouts &= ~self._holds[defender][i][count + 1]
        return layouts

    def replies(self, state: SuitState, defender: int, layouts: int) -> Iterator[SuitReply]:
        """What a defender may play, runs from the highest down, showing out last."""
        for i, count in enumerate(state.played[defender]):
            allowed = layouts & self._holds[defender][i][count + 1]
            if allowed:
                cards = list(state.played[defender])
                cards[i] += 1
                played = list(state.played)
                played[defender] = tuple(cards)
                yield SuitReply(i, allowed, state._replace(played=(played[0], played[1])))
        allowed = layouts & self._without_cards(state, defender)
        if allowed:
            void = (state.is_void[0] or defender == 0, state.is_void[1] or defender == 1)
            yield SuitReply(None, allowed, state._replace(is_void=void))

    def leads(self, state: SuitState) -> Iterator[tuple[int, int]]:
        """Hands and cards that declarer may lead; of cards that are alike, one."""
        for hand in (0, 1):
            if self._may_lead(state, hand):
                for card in self._choices(state, hand):
                    yield hand, card

    def followers(self, state: SuitState, leader: int) -> Iterator[int | None]:
        """What the hand opposite may play; `None` if it has no card."""
        if state.own[1 - leader]:
            yield from self._choices(state, 1 - leader)
        else:
            yield None

    def _may_lead(self, state: SuitState, hand: int) -> bool:
        is_in_hand = state.on_lead in (EITHER_HAND, hand)
        return bool(state.own[hand]) and (is_in_hand or state.entries[hand] > 0)

    def _choices(self, state: SuitState, hand: int) -> Iterator[int]:
        """One card of each run that nothing separates, as players would: a spot, or the highest."""
        between = self._separators(state, hand)
        cards = [int(card) for card in iter_ranks(state.own[hand])][::-1]
        start = 0
        for i, card in enumerate(cards, 1):
            if i == len(cards) or ((1 << cards[i]) - (1 << card)) & between:
                yield cards[start] if card < _EIGHT else card
                start = i

    def _separators(self, state: SuitState, hand: int) -> int:
        west, east = state.played
        between = sum(
            run for i, run in enumerate(self.table.runs) if west[i] + east[i] < run.bit_count()
        )
        return (
            between
            if state.entries == (FREE_ENTRIES, FREE_ENTRIES)
            else between | state.own[1 - hand]
        )

    def wins(self, led: int, followed: int | None, first: int | None, second: int | None) -> bool:
        """True if declarer's side wins a trick of these cards."""
        best = max(led, -1 if followed is None else followed)
        return all(run is None or self.table.runs[run] < 1 << best for run in (first, second))

    def trick_ends(
        self, first: SuitReply, leader: int, led: int, followed: int | None
    ) -> Iterator[tuple[SuitReply, SuitState, bool]]:
        """Each card of the last defender, the state after it, and whether declarer won the trick.

        `first` is what the defender after the leader played, `followed` declarer's second card.
        """
        for last in self.replies(first.state, leader, first.layouts):
            won = self.wins(led, followed, first.run, last.run)
            yield last, self.after_trick(last, leader, led, followed, won=won), won

    def with_trick(self, outcome: int, layouts: int, *, won: bool) -> int:
        """The outcome with this trick counted in, and everything in other layouts.

        So the minimum over a defender's cards is the "and" of such outcomes.
        """
        later = outcome << self.stride | layouts if won else outcome
        return later | ~self.spread(layouts)

    def after_trick(
        self, last: SuitReply, leader: int, led: int, followed: int | None, *, won: bool
    ) -> SuitState:
        """The state once the last defender has played."""
        state = last.state
        own = list(state.own)
        own[leader] &= ~(1 << led)
        if followed is not None:
            own[1 - leader] &= ~(1 << followed)
        void = [
            state.is_void[defender] or not last.layouts & ~self._without_cards(state, defender)
            for defender in (0, 1)
        ]
        state = state._replace(own=(own[0], own[1]), is_void=(void[0], void[1]))
        if state.entries == (FREE_ENTRIES, FREE_ENTRIES):
            return state._replace(on_lead=EITHER_HAND)
        entries = list(state.entries)
        if state.on_lead not in (EITHER_HAND, leader) and entries[leader] != FREE_ENTRIES:
            entries[leader] -= 1
        winner = leader if followed is None or led > followed else 1 - leader
        return state._replace(entries=(entries[0], entries[1]), on_lead=winner if won else NO_HAND)
