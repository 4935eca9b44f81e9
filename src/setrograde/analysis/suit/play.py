"""Exact suit play: declarer's best lines in one suit, for every goal.

`solve_suit` finds all outcomes worth having: a line's outcome is its tricks in every lie against
the best defence, and those are kept that no other line matches everywhere. Whatever the goal, its
best line has one of these outcomes. Where they are too many, the best for each number of tricks and
for the average are found one by one (`setrograde.analysis.suit.search`). Rules:
`setrograde.analysis.suit.game`; goals: `setrograde.analysis.suit.goals`; the lines themselves:
`setrograde.analysis.suit.lines`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from setrograde.bridge import Seat

from .game import EITHER_HAND, FREE, SuitGame
from .holding import InvalidHolding, SuitHolding
from .layouts import Lie, LieTable, lies_of
from .search import best_by_goal

__all__ = ["Outcome", "SuitSolution", "solve_suit"]

_WORK = 10_000_000  # for all outcomes


@dataclass(frozen=True)
class Outcome:
    """What a line wins, lie by lie, against the best defence.

    >>> outcome = solve_suit(SuitHolding.from_text("AQ", "32")).outcomes[0]
    >>> outcome.probability(2), outcome.average
    (Fraction(1, 2), Fraction(3, 2))
    """

    table: LieTable
    """The lies."""

    tricks: tuple[int, ...]
    """For each lie, in the order of the table."""

    def probability(self, need: int) -> Fraction:
        """How likely it wins `need` tricks or more."""
        lies = zip(self.table.lies, self.tricks, strict=True)
        return Fraction(sum(lie.weight for lie, tricks in lies if tricks >= need), self.table.total)

    @cached_property
    def average(self) -> Fraction:
        """The mean number of tricks."""
        lies = zip(self.table.lies, self.tricks, strict=True)
        return Fraction(sum(lie.weight * tricks for lie, tricks in lies), self.table.total)

    @property
    def distribution(self) -> dict[int, Fraction]:
        """How likely each number of tricks is, most first."""
        found = dict.fromkeys(sorted(set(self.tricks), reverse=True), Fraction(0))
        for lie, tricks in zip(self.table.lies, self.tricks, strict=True):
            found[tricks] += self.table.probability(lie)
        return found

    def lies_with(self, need: int) -> tuple[Lie, ...]:
        """The lies in which it wins `need` tricks or more."""
        lies = zip(self.table.lies, self.tricks, strict=True)
        return tuple(lie for lie, tricks in lies if tricks >= need)

    def _repr_html_(self) -> str:
        from .display import outcome_html

        return outcome_html(self)


@dataclass(frozen=True)
class SuitSolution:
    """Outcomes worth having in one suit: every one, or the best for each goal.

    >>> solution = solve_suit(SuitHolding.from_text("AQT98", "5432"))
    >>> round(float(solution.best(need=4).probability(4)), 4)
    0.8278
    """

    game: SuitGame
    """The rules and the lies."""

    outcomes: tuple[Outcome, ...]
    """Best average first."""

    is_complete: bool = True
    """True if these are all outcomes that no other matches; otherwise there are too many, and these
    are the best for each number of tricks and for the average."""

    at_most: Mapping[int | None, Fraction] = field(default_factory=dict, hash=False)
    """What no line exceeds, where the best line found is not proven to be the best: by number of
    tricks, `None` for the average. Empty for nearly all suits."""

    @property
    def table(self) -> LieTable:
        """The lies."""
        return self.game.table

    @property
    def holding(self) -> SuitHolding:
        """Declarer's hands."""
        return self.table.holding

    @property
    def lines(self) -> int | None:
        """How many lines there are that no other matches; `None` if they are too many to count.

        >>> solve_suit(SuitHolding.from_text("AQ", "32")).lines
        2
        >>> solve_suit(SuitHolding.from_text("K5", "QT83")).lines is None
        True
        """
        return len(self.outcomes) if self.is_complete else None

    def best(self, *, need: int | None = None) -> Outcome:
        """The likeliest to win `need` tricks, or the one with the best average.

        Among equals, the better average; then the likelier to win more.
        """

        def worth(outcome: Outcome) -> list[Fraction]:
            first = outcome.average if need is None else outcome.probability(need)
            rest = [outcome.probability(n) for n in range(self.holding.tricks_most, 0, -1)]
            return [first, outcome.average, *rest]

        return max(self.outcomes, key=worth)

    def probability(self, need: int) -> Fraction:
        """How likely `need` tricks are with the best line for them, or found for them (`at_most`).

        >>> solve_suit(SuitHolding.from_text("AKQ", "-")).probability(3)
        Fraction(1, 1)
        """
        return max(outcome.probability(need) for outcome in self.outcomes)

    def _repr_html_(self) -> str:
        from .display import solution_html

        return solution_html(self)


def solve_suit(
    holding: SuitHolding,
    *,
    vacant: tuple[int, int] = (13, 13),
    west_length: tuple[int, int] = (0, 13),
    west_has: int = 0,
    east_has: int = 0,
    gone: int = 0,
    entries: tuple[int | None, int | None] = (None, None),
    on_lead: Seat | None = None,
) -> SuitSolution:
    """Find the best lines.

    `vacant`, `west_length`, `west_has`, `east_has` and `gone` say what is known of the defenders'
    hands (see `lies_of`); `entries` how often declarer can reach North and South in other suits,
    `None` for as often as he likes; `on_lead` the hand he begins in, `None` for either.

    >>> suit = SuitHolding.from_text("AQ", "32")
    >>> round(float(solve_suit(suit, entries=(0, 0), on_lead=Seat.NORTH).probability(2)), 5)
    0.00119
    """
    if on_lead not in (None, Seat.NORTH, Seat.SOUTH):
        raise InvalidHolding(f"not declarer's hand: {on_lead} on lead (expected N or S)")
    for count in entries:
        if count is not None and not 0 <= count < FREE:
            raise InvalidHolding(f"not a number of entries: {count} (expected 0 to 14)")
    table = lies_of(
        holding,
        vacant=vacant,
        west_length=west_length,
        west_has=west_has,
        east_has=east_has,
        gone=gone,
    )
    north, south = (FREE if count is None else count for count in entries)
    hand = EITHER_HAND if on_lead is None else int(on_lead is Seat.SOUTH)
    game = SuitGame(table, (north, south), hand)
    front = game.front_within(game.start, _WORK)
    is_complete, at_most = front is not None, dict[int | None, Fraction]()
    if front is None:
        front, at_most = best_by_goal(game)
    found = [Outcome(table, game.tricks(outcome)) for outcome in front]
    found.sort(key=lambda outcome: (outcome.average, outcome.tricks), reverse=True)
    return SuitSolution(game, tuple(found), is_complete, at_most)
