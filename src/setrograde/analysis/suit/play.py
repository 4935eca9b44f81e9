"""Exact suit play: declarer's best lines in one suit, for every goal.

`solve_suit` finds all outcomes worth having. A line's outcome is the number of tricks it wins in
every layout against the best defence, and those outcomes are kept that no other line matches
everywhere. Whatever the goal, its best line has one of these outcomes. Where they are too many, the
best for each number of tricks and for the average are found one by one (`goal_search`). The rules
are in `game`, the goals in `goals`, the lines themselves in `lines`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any

import numpy as np

from setrograde.bridge import Seat
from setrograde.bridge.coerce import SeatLike, as_seat
from setrograde.common.stop import StopFlag, check_stop

from .game import EITHER_HAND, FREE_ENTRIES, SuitGame
from .goal_search import best_by_goal
from .holding import HoldingLike, InvalidHolding, SuitHolding
from .layouts import LayoutTable, LengthLike, SuitLayout, layouts_of

__all__ = ["LineOutcome", "SuitSolution", "solve_suit"]

_WORK = 10_000_000  # for all outcomes


@dataclass(frozen=True)
class LineOutcome:
    """The tricks that a line wins in every layout, against the best defence.

    >>> outcome = solve_suit("AQ", "32").best()
    >>> outcome.probability(2), outcome.average
    (Fraction(1, 2), Fraction(3, 2))
    >>> print(outcome)
    2 tricks 50.00 %, 1 trick 50.00 %; 1.500 tricks on average
    """

    table: LayoutTable
    """The layouts."""

    tricks: tuple[int, ...]
    """The number of tricks in each layout, in the order of the table."""

    def probability(self, need: int) -> Fraction:
        """The probability that the line wins `need` tricks or more."""
        won = sum(layout.weight for layout in self.layouts_with(need))
        return Fraction(won, self.table.total)

    @cached_property
    def average(self) -> Fraction:
        """The mean number of tricks."""
        rows = zip(self.table.layouts, self.tricks, strict=True)
        return Fraction(sum(layout.weight * tricks for layout, tricks in rows), self.table.total)

    @property
    def distribution(self) -> dict[int, Fraction]:
        """The probability of each number of tricks, the most tricks first."""
        found = dict.fromkeys(sorted(set(self.tricks), reverse=True), Fraction(0))
        for layout, tricks in zip(self.table.layouts, self.tricks, strict=True):
            found[tricks] += self.table.probability(layout)
        return found

    def layouts_with(self, need: int) -> tuple[SuitLayout, ...]:
        """The layouts in which the line wins `need` tricks or more."""
        rows = zip(self.table.layouts, self.tricks, strict=True)
        return tuple(layout for layout, tricks in rows if tricks >= need)

    def __str__(self) -> str:
        from .text import format_outcome

        return format_outcome(self)

    def _repr_html_(self) -> str:
        from .display import outcome_html

        return outcome_html(self)


@dataclass(frozen=True, repr=False)
class SuitSolution:
    """The outcomes worth having in one suit: all of them, or the best for each goal.

    Printed, it shows the chance of each number of tricks and the lines in words.

    >>> solution = solve_suit("AQT98", "5432")
    >>> round(float(solution.probability(4)), 4)
    0.8278
    >>> solution
    <SuitSolution AQT98 / 5432: 12 layouts, 6 lines>
    """

    game: SuitGame
    """The rules and the layouts."""

    outcomes: tuple[LineOutcome, ...]
    """The outcomes, best average first."""

    is_complete: bool = True
    """True if these are all outcomes that no other matches; otherwise there are too many, and these
    are the best for each number of tricks and for the average."""

    at_most: Mapping[int | None, Fraction] = field(default_factory=dict, hash=False)
    """What no line exceeds, where the best line found is not proven to be the best: by number of
    tricks, `None` for the average. Empty for nearly all suits."""

    @property
    def table(self) -> LayoutTable:
        """The layouts."""
        return self.game.table

    @property
    def holding(self) -> SuitHolding:
        """Declarer's hands."""
        return self.table.holding

    @property
    def lines(self) -> int | None:
        """The number of lines that no other line matches; `None` if they are too many to count.

        >>> solve_suit("AQ", "32").lines
        2
        >>> solve_suit("K5", "QT83").lines is None
        True
        """
        return len(self.outcomes) if self.is_complete else None

    def best(self, *, need: int | None = None) -> LineOutcome:
        """The outcome most likely to win `need` tricks, or the one with the best average.

        Among equals, the better average; then the likelier to win more.
        """
        places = np.arange(len(self.outcomes))
        for values in (self._worth(need), self._worth(None), *self._chances[::-1]):
            places = places[values[places] == values[places].max()]
        return self.outcomes[int(places[0])]

    def probability(self, need: int) -> Fraction:
        """The probability of `need` tricks with the best line for them.

        Where `at_most` has this number of tricks, it is the best line found.

        >>> solve_suit("AKQ", "-").probability(3)
        Fraction(1, 1)
        """
        return Fraction(int(self._worth(need).max()), self.table.total)

    @cached_property
    def _tricks(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """By outcome and layout."""
        return np.array([outcome.tricks for outcome in self.outcomes], np.uint8)

    @cached_property
    def _weights(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        return np.array([layout.weight for layout in self.table.layouts], np.int64)

    @cached_property
    def _chances(self) -> list[np.ndarray[Any, np.dtype[np.int64]]]:
        """For 1, 2, ... tricks the weight of the layouts in which each outcome wins as many."""
        needs = range(1, self.holding.tricks_most + 1)
        return [(self._tricks >= need) @ self._weights for need in needs]

    def _worth(self, need: int | None) -> np.ndarray[Any, np.dtype[np.int64]]:
        """By outcome, the weight of layouts with `need` tricks; of all tricks if it is `None`."""
        if need is None:
            return self._tricks @ self._weights
        return (self._tricks >= need) @ self._weights

    def __str__(self) -> str:
        from .text import format_solution

        return format_solution(self)

    def __repr__(self) -> str:
        from setrograde.common.words import count_of

        lines = "too many lines" if self.lines is None else count_of(self.lines, "line")
        layouts = count_of(len(self.table.layouts), "layout")
        return f"<SuitSolution {self.holding}: {layouts}, {lines}>"

    def _repr_html_(self) -> str:
        from .display import solution_html

        return solution_html(self)


def solve_suit(
    north: HoldingLike,
    south: str | None = None,
    *,
    vacant: tuple[int, int] = (13, 13),
    west_length: LengthLike = "any",
    west_has: str = "",
    east_has: str = "",
    gone: str = "",
    entries: tuple[int | None, int | None] = (None, None),
    on_lead: SeatLike | None = None,
    stop: StopFlag | None = None,
) -> SuitSolution:
    """Find declarer's best lines in one suit, against defenders who see all cards.

    >>> print(solve_suit("AQ", "32"))
    North AQ, South 32; the defenders hold KJT987654
    18 layouts, 2 lines that no other line matches
    <BLANKLINE>
    2 tricks: 50.00 %
    1 trick: 100.00 %
    most tricks on average: 1.5000
      Lead low from South to the queen (if West plays the king, play the ace), then play from the top.
      2 tricks 50.00 %, 1 trick 50.00 %; 1.500 tricks on average

    A holding is text like `"AQT2"`; `x` is a low card and `-` an empty hand. `vacant`,
    `west_length`, `west_has`, `east_has` and `gone` say what is known of the defenders' hands (see
    `layouts_of`). `entries` are the numbers of times that declarer can reach North and South in
    other suits, `None` for as often as he likes. `on_lead` is the hand he begins in, `None` for
    either. A `StopFlag` given as `stop` ends the work with `Stopped`.

    >>> solve_suit("AQ", "32", west_has="K").probability(2)
    Fraction(1, 1)
    >>> round(float(solve_suit("AQ", "32", entries=(0, 0), on_lead="N").probability(2)), 5)
    0.00119
    """  # noqa: E501
    table = layouts_of(
        north,
        south,
        vacant=vacant,
        west_length=west_length,
        west_has=west_has,
        east_has=east_has,
        gone=gone,
    )
    game = SuitGame(table, _entries(entries), _hand(on_lead))
    front = game.front_within(game.start, _WORK, stop=stop)
    is_complete, at_most = front is not None, dict[int | None, Fraction]()
    if front is None:
        front, at_most = best_by_goal(game, stop=stop)
    weights = [layout.weight for layout in table.layouts]
    rows = []
    for outcome in front:
        check_stop(stop)
        tricks = game.tricks(outcome)
        rows.append((sum(map(mul, weights, tricks)), tricks))
    rows.sort(reverse=True)
    outcomes = tuple(LineOutcome(table, tricks) for _, tricks in rows)
    return SuitSolution(game, outcomes, is_complete, at_most)


def _entries(entries: tuple[int | None, int | None]) -> tuple[int, int]:
    for count in entries:
        if count is not None and not 0 <= count < FREE_ENTRIES:
            raise InvalidHolding(f"not a number of entries: {count} (expected 0 to 14)")
    north, south = (FREE_ENTRIES if count is None else count for count in entries)
    return north, south


def _hand(on_lead: SeatLike | None) -> int:
    """The number of the hand on lead, as the game has it."""
    if on_lead is None:
        return EITHER_HAND
    seat = as_seat(on_lead)
    if seat not in (Seat.NORTH, Seat.SOUTH):
        raise InvalidHolding(f"not declarer's hand: {seat} on lead (expected N or S)")
    return int(seat is Seat.SOUTH)
