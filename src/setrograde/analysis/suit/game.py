"""The game of one suit: what may be led and played, and what each card tells.

Declarer sees North and South and chooses for both; he leads the suit as often as he has cards and
entries. The defenders see all cards and know declarer's line; they never lead the suit themselves.
A defender without a card of the suit shows out, a hand of declarer's without one plays nothing.
Where entries are limited, the hand that won the last trick leads; leading from the other hand, or
from either after the defenders won, takes an entry in another suit. Before the first trick declarer
is in the hand given, or in either as he likes.

Rules are written here once more than in the native core, which finds the fronts: lines are put
together and replayed in Python. Outcomes are whole numbers: bit `stride * (t - 1) + lie` says that
the line wins t tricks or more in that lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from setrograde._core import SuitSolver

from .holding import iter_ranks
from .layouts import LieTable

__all__ = ["EITHER_HAND", "FREE", "NO_HAND", "Demand", "Reply", "SuitGame", "SuitState", "Worth"]

Worth = Sequence[Sequence[int]]
"""By number of tricks, from 1, then lie: what that trick adds to the worth of a line."""

Demand = tuple[Worth, int]
"""A worth, and the least a line must have of it."""

FREE = 15
"""As many entries as one likes."""

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

    entries: tuple[int, int] = (FREE, FREE)
    """Entries left in other suits."""

    on_lead: int = EITHER_HAND
    """The hand that may lead without an entry."""


class Reply(NamedTuple):
    """A defender's card, as declarer sees it."""

    run: int | None
    """Number of its run; `None` for showing out."""

    lies: int
    """The lies in which he can play it, as bits."""

    state: SuitState
    """With the card played."""


@dataclass(frozen=True)
class SuitGame:
    """The game of one table of lies.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.layouts import lies_of
    >>> game = SuitGame(lies_of(SuitHolding.from_text("AQ", "32")))
    >>> [(hand, card) for hand, card in game.leads(game.start)]
    [(0, 10), (0, 12), (1, 0)]
    >>> sorted(map(sum, map(game.tricks, game.front(game.start))))
    [20, 27]
    """

    table: LieTable
    """All lies."""

    entries: tuple[int, int] = (FREE, FREE)
    """Entries to North and South in other suits."""

    on_lead: int = EITHER_HAND
    """The hand that leads first."""

    @cached_property
    def start(self) -> SuitState:
        """Before the first trick."""
        none = (0,) * len(self.table.runs)
        own = (self.table.holding.north, self.table.holding.south)
        return SuitState(own, (none, none), (False, False), self.entries, self.on_lead)

    @cached_property
    def stride(self) -> int:
        """Bits of a set of lies within an outcome."""
        return int(self._solver.stride)

    @cached_property
    def levels(self) -> int:
        """Most tricks there can be."""
        return self.table.holding.tricks_most

    @cached_property
    def all_lies(self) -> int:
        """Every lie, as bits."""
        return (1 << len(self.table.lies)) - 1

    @cached_property
    def _solver(self) -> SuitSolver:
        lies = [list(lie.counts) for lie in self.table.lies]
        holding = self.table.holding
        return SuitSolver((holding.north, holding.south), list(self.table.runs), lies)

    @cached_property
    def _holds(self) -> tuple[list[list[int]], list[list[int]]]:
        """By defender, run and number: the lies in which he began with that many or more."""
        found: tuple[list[list[int]], list[list[int]]] = ([], [])
        for i, run in enumerate(self.table.runs):
            size = run.bit_count()
            for defender in (0, 1):
                counts = [
                    lie.counts[i] if defender == 0 else size - lie.counts[i]
                    for lie in self.table.lies
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

    def front(self, state: SuitState) -> tuple[int, ...]:
        """The undominated outcomes from a state on; for a few suits that does not end."""
        found = self.front_within(state, None)
        assert found is not None
        return found

    def front_within(self, state: SuitState, work: int | None) -> tuple[int, ...] | None:
        """As `front`, or `None` if it takes more work; 50 million are about a second.

        >>> from setrograde.analysis.suit.holding import SuitHolding
        >>> from setrograde.analysis.suit.layouts import lies_of
        >>> game = SuitGame(lies_of(SuitHolding.from_text("K5", "QT83")))
        >>> game.front_within(game.start, 10_000) is None
        True
        """
        found = self._fronts.get(state)
        if found is None:
            data = self._solver.front(*self._place(state), work)
            if data is None:
                return None
            found = tuple(int.from_bytes(outcome, "little") for outcome in data)
            self._fronts[state] = found
        return found

    @staticmethod
    def _place(
        state: SuitState,
    ) -> tuple[
        tuple[int, int],
        tuple[tuple[int, ...], tuple[int, ...]],
        tuple[bool, bool],
        tuple[int, int],
        int,
    ]:
        return state.own, state.played, state.is_void, state.entries, state.on_lead

    def best(
        self,
        worth: Worth,
        *,
        demands: Sequence[Demand] = (),
        most_by_tricks: Sequence[int] = (),
        work: int,
    ) -> tuple[int | None, int]:
        """The outcome worth most from the start on, and what no outcome exceeds.

        Only lines that meet the demands count. `most_by_tricks` are bounds for each number of
        tricks alone, which make the search faster. Without an outcome the work was not enough, or
        no line meets the demands, and the bound is -1. With one, the bound is its worth.

        >>> from setrograde.analysis.suit.holding import SuitHolding
        >>> from setrograde.analysis.suit.layouts import lies_of
        >>> game = SuitGame(lies_of(SuitHolding.from_text("AQ", "32")))
        >>> ones, none = [1] * len(game.table.lies), [0] * len(game.table.lies)
        >>> game.best([none, ones], work=10_000)[1], len(game.table.lies)
        (9, 18)
        """
        outcome, _, at_most = self._solver.best(
            *self._place(self.start), worth, demands, most_by_tricks, work
        )
        return None if outcome is None else int.from_bytes(outcome, "little"), at_most

    def outcomes_for(self, demands: Sequence[Demand], *, work: int) -> tuple[int, ...] | None:
        """Outcomes from the start on that meet demands; `None` if that takes more work.

        Outcomes that differ only where no demand does are not told apart.

        >>> from setrograde.analysis.suit.holding import SuitHolding
        >>> from setrograde.analysis.suit.layouts import lies_of
        >>> game = SuitGame(lies_of(SuitHolding.from_text("AQ", "32")))
        >>> ones = [1] * len(game.table.lies)
        >>> [len(game.outcomes_for([([ones, ones], n)], work=10_000)) for n in (0, 27, 28)]
        [2, 1, 0]
        """
        data = self._solver.outcomes_for(*self._place(self.start), demands, work)
        return None if data is None else tuple(int.from_bytes(found, "little") for found in data)

    def can_win(self, state: SuitState, outcome: int) -> bool:
        """True if a line from this state on wins the outcome in every lie.

        >>> from setrograde.analysis.suit.holding import SuitHolding
        >>> from setrograde.analysis.suit.layouts import lies_of
        >>> game = SuitGame(lies_of(SuitHolding.from_text("AQ", "32")))
        >>> ace = game.all_lies
        >>> game.can_win(game.start, ace), game.can_win(game.start, ace << game.stride | ace)
        (True, False)
        """
        data = outcome.to_bytes(self.stride * self.levels // 8, "little")
        return self._solver.can_win(*self._place(state), data)

    def spread(self, lies: int) -> int:
        """The outcome of all tricks in these lies."""
        return sum(lies << (self.stride * level) for level in range(self.levels))

    def tricks(self, outcome: int) -> tuple[int, ...]:
        """An outcome as tricks for each lie."""
        return tuple(
            sum(outcome >> (self.stride * level + lie) & 1 for level in range(self.levels))
            for lie in range(len(self.table.lies))
        )

    def outcome(self, tricks: tuple[int, ...]) -> int:
        """The opposite of `tricks`."""
        return sum(
            1 << (self.stride * level + lie)
            for lie, count in enumerate(tricks)
            for level in range(count)
        )

    def lies(self, state: SuitState) -> int:
        """The lies that fit what was seen."""
        lies = self.all_lies
        for defender in (0, 1):
            for i, count in enumerate(state.played[defender]):
                lies &= self._holds[defender][i][count]
            if state.is_void[defender]:
                lies &= self._without_cards(state, defender)
        return lies

    def _without_cards(self, state: SuitState, defender: int) -> int:
        lies = self.all_lies
        for i, count in enumerate(state.played[defender]):
            lies &= ~self._holds[defender][i][count + 1]
        return lies

    def replies(self, state: SuitState, defender: int, lies: int) -> Iterator[Reply]:
        """What a defender may play, runs from the highest down, showing out last."""
        for i, count in enumerate(state.played[defender]):
            allowed = lies & self._holds[defender][i][count + 1]
            if allowed:
                cards = list(state.played[defender])
                cards[i] += 1
                played = list(state.played)
                played[defender] = tuple(cards)
                yield Reply(i, allowed, state._replace(played=(played[0], played[1])))
        allowed = lies & self._without_cards(state, defender)
        if allowed:
            void = (state.is_void[0] or defender == 0, state.is_void[1] or defender == 1)
            yield Reply(None, allowed, state._replace(is_void=void))

    def leads(self, state: SuitState) -> Iterator[tuple[int, int]]:
        """Hands and cards declarer may lead, one of cards that are alike."""
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
        return between if state.entries == (FREE, FREE) else between | state.own[1 - hand]

    def wins(self, led: int, followed: int | None, first: int | None, second: int | None) -> bool:
        """True if declarer's side wins a trick of these cards."""
        best = max(led, -1 if followed is None else followed)
        return all(run is None or self.table.runs[run] < 1 << best for run in (first, second))

    def after_trick(
        self, last: Reply, leader: int, led: int, followed: int | None, *, won: bool
    ) -> SuitState:
        """The state once the last defender has played."""
        state = last.state
        own = list(state.own)
        own[leader] &= ~(1 << led)
        if followed is not None:
            own[1 - leader] &= ~(1 << followed)
        void = [
            state.is_void[defender] or not last.lies & ~self._without_cards(state, defender)
            for defender in (0, 1)
        ]
        state = state._replace(own=(own[0], own[1]), is_void=(void[0], void[1]))
        if state.entries == (FREE, FREE):
            return state._replace(on_lead=EITHER_HAND)
        entries = list(state.entries)
        if state.on_lead not in (EITHER_HAND, leader) and entries[leader] != FREE:
            entries[leader] -= 1
        winner = leader if followed is None or led > followed else 1 - leader
        return state._replace(entries=(entries[0], entries[1]), on_lead=winner if won else NO_HAND)
