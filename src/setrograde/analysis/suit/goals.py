"""What a line is for: so many tricks, most tricks on average, matchpoints, IMPs.

Tricks and averages are maxima over outcomes. At matchpoints and IMPs a line is measured against the
lines others may take: one line beats another by the share of deals in which it wins more, less the
share in which it wins fewer, or by the IMPs it gains on average. The best line is one that no other
beats. There may be none: A beats B, B beats C and C beats A.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from setrograde.bridge import Contract, InvalidInput, imps, score_contract

from .layouts import Lie
from .play import Outcome, SuitSolution
from .rivals import Gain, find_unbeaten

__all__ = ["BestLine", "Comparison", "best_lines", "compare", "imp_margin", "matchpoint_margin"]

Margin = Callable[[Outcome, Outcome], Fraction]


@dataclass(frozen=True)
class BestLine:
    """The best outcome for one goal."""

    goal: str
    """`tricks`, `average`, `mp` or `imp`; with `need` for the first."""

    need: int | None
    """Tricks wanted, for `tricks` and `imp`."""

    value: Fraction | None
    """A probability, a mean, or the margin over the line that comes closest; `None` if none is."""

    outcome: Outcome | None
    """What it wins; `None` where every line is beaten by another, or that is not known."""

    is_proven: bool = True
    """False if a better line, or one that no other beats, may have been missed: in a few suits with
    too many lines."""

    at_most: Fraction | None = None
    """What no line exceeds, for `tricks` and `average` where the line is not proven to be best."""


@dataclass(frozen=True)
class Comparison:
    """Where one line wins more than another, and where fewer.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.lines import line_outcome, top_line
    >>> from setrograde.analysis.suit.play import solve_suit
    >>> solution = solve_suit(SuitHolding.from_text("AKJ2", "T543"))
    >>> finesse, drop = solution.best(need=4), line_outcome(solution, top_line(solution))
    >>> found = compare(finesse, drop)
    >>> [str(lie) for lie in found.fewer], found.gains > found.losses
    (['xxx — Qx'], True)
    """

    more: tuple[Lie, ...]
    """Lies in which the first line wins more."""

    fewer: tuple[Lie, ...]
    """Lies in which the second does."""

    gains: Fraction
    """How likely the first wins more."""

    losses: Fraction
    """How likely the second does."""

    tricks: Fraction
    """How many more the first wins on average."""

    def _repr_html_(self) -> str:
        from .display import comparison_html

        return comparison_html(self)


def compare(one: Outcome, other: Outcome) -> Comparison:
    """Two outcomes of the same suit, lie by lie."""
    rows = list(zip(one.table.lies, one.tricks, other.tricks, strict=True))
    more = tuple(lie for lie, a, b in rows if a > b)
    fewer = tuple(lie for lie, a, b in rows if a < b)
    total = one.table.total
    return Comparison(
        more,
        fewer,
        Fraction(sum(lie.weight for lie in more), total),
        Fraction(sum(lie.weight for lie in fewer), total),
        one.average - other.average,
    )


def matchpoint_margin(one: Outcome, other: Outcome) -> Fraction:
    """By how much `one` beats `other`: how likely it wins more, less how likely it wins fewer."""
    return _margin(_more_or_fewer)(one, other)


def imp_margin(contract: Contract, need: int, *, is_vulnerable: bool = False) -> Margin:
    """By how many IMPs a line beats another when `need` tricks in this suit make the contract.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.play import solve_suit
    >>> one, other = solve_suit(SuitHolding.from_text("AQ", "32")).outcomes
    >>> round(float(imp_margin(Contract.from_text("3NTS"), 2)(one, other)), 2)
    4.99
    """

    return _margin(_imps_gained(contract, need, is_vulnerable=is_vulnerable))


def _more_or_fewer(a: int, b: int) -> int:
    return (a > b) - (a < b)


def _imps_gained(contract: Contract, need: int, *, is_vulnerable: bool) -> Gain:
    def score(tricks: int) -> int:
        taken = min(13, max(0, contract.level + 6 + tricks - need))
        return score_contract(contract, taken, is_vulnerable=is_vulnerable)

    return lambda a, b: imps(score(a) - score(b))


def _margin(gain: Gain) -> Margin:
    def margin(one: Outcome, other: Outcome) -> Fraction:
        lies = zip(one.table.lies, one.tricks, other.tricks, strict=True)
        total = sum(lie.weight * gain(a, b) for lie, a, b in lies if a != b)
        return Fraction(total, one.table.total)

    return margin


def best_lines(
    solution: SuitSolution,
    goals: Sequence[str] = ("tricks", "average", "mp"),
    *,
    need: int | None = None,
    contract: Contract | None = None,
    is_vulnerable: bool = False,
) -> tuple[BestLine, ...]:
    """The best line for each goal; for `tricks`, one for each number unless `need` says which.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.play import solve_suit
    >>> solution = solve_suit(SuitHolding.from_text("AQ", "32"))
    >>> [(best.need, best.value) for best in best_lines(solution, ["tricks", "average"])]
    [(2, Fraction(1, 2)), (1, Fraction(1, 1)), (None, Fraction(3, 2))]
    """
    most = solution.holding.tricks_most
    if need is not None and not 0 <= need <= most:
        raise InvalidInput(f"not a number of tricks: {need} (expected 0 to {most})")
    found = []
    for goal in goals:
        if goal == "tricks":
            for n in range(most, 0, -1) if need is None else [need]:
                outcome = solution.best(need=n)
                at_most = solution.at_most.get(n)
                value = outcome.probability(n)
                found.append(BestLine(goal, n, value, outcome, at_most is None, at_most))
        elif goal == "average":
            outcome = solution.best()
            at_most = solution.at_most.get(None)
            found.append(BestLine(goal, None, outcome.average, outcome, at_most is None, at_most))
        elif goal == "mp":
            found.append(_unbeaten(solution, goal, None, _more_or_fewer))
        elif goal == "imp":
            wanted = _likely(solution) if need is None else need
            gain = _imps_gained(
                contract or Contract.from_text("3NTS"), wanted, is_vulnerable=is_vulnerable
            )
            found.append(_unbeaten(solution, goal, wanted, gain))
        else:
            raise InvalidInput(f"no such goal: {goal!r} (expected tricks, average, mp or imp)")
    return tuple(found)


def _likely(solution: SuitSolution) -> int:
    """The most tricks that are more likely than not."""
    most = solution.holding.tricks_most
    return next((n for n in range(most, 0, -1) if 2 * solution.probability(n) >= 1), 1)


def _unbeaten(solution: SuitSolution, goal: str, need: int | None, gain: Gain) -> BestLine:
    found = find_unbeaten(solution, gain)
    return BestLine(goal, need, found.margin, found.outcome, found.is_settled)
