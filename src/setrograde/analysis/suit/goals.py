"""What a line is for: a number of tricks, most tricks on average, matchpoints, IMPs.

The best chance of a number of tricks and the best average are maxima over outcomes. At matchpoints
and IMPs a line is measured against the lines others may take. One line beats another by the share
of deals in which it wins more tricks, less the share in which it wins fewer, or by the IMPs it
gains on average. The best line is one that no other beats. There may be none: A beats B, B beats C
and C beats A.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from setrograde.bridge import Contract, InvalidInput, Seat, imps, score_contract
from setrograde.bridge.coerce import ContractLike, as_contract
from setrograde.common.stop import StopFlag

from .layouts import SuitLayout
from .play import LineOutcome, SuitSolution
from .rivals import Gain, find_unbeaten

__all__ = ["BestLine", "Comparison", "best_lines", "compare", "imp_margin", "matchpoint_margin"]

Margin = Callable[[LineOutcome, LineOutcome], Fraction]


@dataclass(frozen=True)
class BestLine:
    """The best outcome for one goal.

    >>> from setrograde.analysis.suit import solve_suit
    >>> print(best_lines(solve_suit("AQ", "32"), ["average"])[0])
    most tricks on average: 1.5000
    """

    goal: str
    """`tricks`, `average`, `mp` or `imp`."""

    need: int | None
    """The number of tricks wanted, for `tricks` and `imp`."""

    value: Fraction | None
    """For `tricks` a probability, for `average` a mean, otherwise the margin over the line that
    comes closest; `None` if there is no best line."""

    outcome: LineOutcome | None
    """What the line wins; `None` where every line is beaten by another, or that is not known."""

    is_proven: bool = True
    """False if a better line, or one that no other beats, may have been missed: in a few suits with
    too many lines."""

    at_most: Fraction | None = None
    """What no line exceeds, for `tricks` and `average` where the line is not proven to be best."""

    def __str__(self) -> str:
        from .text import format_best

        return format_best(self)


@dataclass(frozen=True)
class Comparison:
    """Where one line wins more tricks than another, and where fewer.

    >>> from setrograde.analysis.suit import line_outcome, solve_suit, top_line
    >>> solution = solve_suit("AKJ2", "T543")
    >>> found = compare(solution.best(need=4), line_outcome(solution, top_line(solution)))
    >>> [str(layout) for layout in found.fewer], found.gains > found.losses
    (['xxx — Qx'], True)
    """

    more: tuple[SuitLayout, ...]
    """Layouts in which the first line wins more."""

    fewer: tuple[SuitLayout, ...]
    """Layouts in which the second line wins more."""

    gains: Fraction
    """The probability that the first line wins more."""

    losses: Fraction
    """The probability that the second line wins more."""

    tricks: Fraction
    """The first line's average number of tricks less the second's."""

    def __str__(self) -> str:
        from .text import format_comparison

        return format_comparison(self)

    def _repr_html_(self) -> str:
        from .display import comparison_html

        return comparison_html(self)


def compare(one: LineOutcome, other: LineOutcome) -> Comparison:
    """Compare two outcomes of the same suit, layout by layout."""
    rows = list(zip(one.table.layouts, one.tricks, other.tricks, strict=True))
    more = tuple(layout for layout, a, b in rows if a > b)
    fewer = tuple(layout for layout, a, b in rows if a < b)
    total = one.table.total
    return Comparison(
        more,
        fewer,
        Fraction(sum(layout.weight for layout in more), total),
        Fraction(sum(layout.weight for layout in fewer), total),
        one.average - other.average,
    )


def matchpoint_margin(one: LineOutcome, other: LineOutcome) -> Fraction:
    """The probability that `one` wins more tricks than `other`, less that it wins fewer."""
    return _margin(_more_or_fewer)(one, other)


def imp_margin(contract: ContractLike, need: int, *, is_vulnerable: bool = False) -> Margin:
    """IMPs that a line gains on another, when `need` tricks in this suit make the contract.

    >>> from setrograde.analysis.suit import solve_suit
    >>> one, other = solve_suit("AQ", "32").outcomes
    >>> round(float(imp_margin("3NTS", 2)(one, other)), 2)
    4.99
    """
    return _margin(_imps_gained(_as_contract(contract), need, is_vulnerable=is_vulnerable))


def _as_contract(contract: ContractLike) -> Contract:
    """A contract, by South unless its text says who."""
    return as_contract(contract, Seat.SOUTH)


def _more_or_fewer(a: int, b: int) -> int:
    return (a > b) - (a < b)


def _imps_gained(contract: Contract, need: int, *, is_vulnerable: bool) -> Gain:
    def score(tricks: int) -> int:
        taken = min(13, max(0, contract.level + 6 + tricks - need))
        return score_contract(contract, taken, is_vulnerable=is_vulnerable)

    return lambda a, b: imps(score(a) - score(b))


def _margin(gain: Gain) -> Margin:
    def margin(one: LineOutcome, other: LineOutcome) -> Fraction:
        layouts = zip(one.table.layouts, one.tricks, other.tricks, strict=True)
        total = sum(layout.weight * gain(a, b) for layout, a, b in layouts if a != b)
        return Fraction(total, one.table.total)

    return margin


def best_lines(
    solution: SuitSolution,
    goals: Sequence[str] = ("tricks", "average", "mp"),
    *,
    need: int | None = None,
    contract: ContractLike = "3NT",
    is_vulnerable: bool = False,
    stop: StopFlag | None = None,
) -> tuple[BestLine, ...]:
    """Find the best line for each goal: `tricks`, `average`, `mp` or `imp`.

    For `tricks` there is a line for each number of tricks unless `need` says which. For `imp`,
    `need` tricks in this suit make the contract; if `need` is not given, the most tricks that are
    likelier than not. A `StopFlag` given as `stop` ends the work with `Stopped`.

    >>> from setrograde.analysis.suit import solve_suit
    >>> for best in best_lines(solve_suit("AQ", "32")):
    ...     print(best)
    2 tricks: 50.00 %
    1 trick: 100.00 %
    most tricks on average: 1.5000
    matchpoints: unbeaten
    """
    most = solution.holding.tricks_most
    if need is not None and not 0 <= need <= most:
        raise InvalidInput(f"not a number of tricks: {need} (expected 0 to {most})")
    found = list[BestLine]()
    for goal in goals:
        if goal == "tricks":
            needs = range(most, 0, -1) if need is None else [need]
            found += [_best(solution, goal, wanted) for wanted in needs]
        elif goal == "average":
            found.append(_best(solution, goal, None))
        elif goal == "mp":
            found.append(_unbeaten(solution, goal, None, _more_or_fewer, stop))
        elif goal == "imp":
            wanted = _likely(solution) if need is None else need
            gain = _imps_gained(_as_contract(contract), wanted, is_vulnerable=is_vulnerable)
            found.append(_unbeaten(solution, goal, wanted, gain, stop))
        else:
            raise InvalidInput(f"no such goal: {goal!r} (expected tricks, average, mp or imp)")
    return tuple(found)


def _best(solution: SuitSolution, goal: str, need: int | None) -> BestLine:
    """The best line for a number of tricks, or on average."""
    outcome = solution.best(need=need)
    value = outcome.average if need is None else outcome.probability(need)
    at_most = solution.at_most.get(need)
    return BestLine(goal, need, value, outcome, at_most is None, at_most)


def _likely(solution: SuitSolution) -> int:
    """The most tricks that are more likely than not."""
    most = solution.holding.tricks_most
    return next((n for n in range(most, 0, -1) if 2 * solution.probability(n) >= 1), 1)


def _unbeaten(
    solution: SuitSolution, goal: str, need: int | None, gain: Gain, stop: StopFlag | None
) -> BestLine:
    found = find_unbeaten(solution, gain, stop=stop)
    return BestLine(goal, need, found.margin, found.outcome, found.is_settled)
