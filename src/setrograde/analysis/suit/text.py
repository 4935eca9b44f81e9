"""Answers about a suit as text for a terminal: chances, goals, lines, comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from setrograde.common.words import count_of

from .lines import find_line
from .words import RARE, describe_line

if TYPE_CHECKING:
    from .goals import BestLine, Comparison
    from .layouts import SuitLayout
    from .play import LineOutcome, SuitSolution

__all__ = [
    "WIDTH",
    "format_best",
    "format_comparison",
    "format_goal",
    "format_layout_table",
    "format_layouts",
    "format_outcome",
    "format_percent",
    "format_solution",
    "format_value",
    "group_goals",
]

WIDTH = 100
"""Lines of text are wrapped to this width unless another is given."""

_INDENT = "  "


def format_percent(value: Fraction) -> str:
    """A probability with two places.

    >>> format_percent(Fraction(1, 3))
    '33.33 %'
    """
    return f"{float(100 * value):.2f} %"


def format_outcome(outcome: LineOutcome) -> str:
    """The chance of each number of tricks, and their average.

    >>> from setrograde.analysis.suit import solve_suit
    >>> format_outcome(solve_suit("AQ", "32").best())
    '2 tricks 50.00 %, 1 trick 50.00 %; 1.500 tricks on average'
    """
    shares = outcome.distribution.items()
    parts = [f"{count_of(n, 'trick')} {format_percent(share)}" for n, share in shares]
    return f"{', '.join(parts)}; {float(outcome.average):.3f} tricks on average"


def format_goal(best: BestLine) -> str:
    """The name of a goal: `4 tricks`, `most tricks on average`, `matchpoints`, `IMPs`."""
    if best.goal == "tricks":
        assert best.need is not None
        return count_of(best.need, "trick")
    return {"average": "most tricks on average", "mp": "matchpoints", "imp": "IMPs"}[best.goal]


def format_value(best: BestLine) -> str:
    """What the best line for a goal is worth, or why there is none."""
    if best.goal in ("mp", "imp"):
        if not best.is_proven:
            return "not settled, because the suit has too many lines"
        return "no best line: each is beaten by another" if best.value is None else "unbeaten"
    assert best.value is not None
    show = format_percent if best.goal == "tricks" else _mean
    if best.at_most is None:
        return show(best.value)
    return f"{show(best.value)} (not proven to be best; no line exceeds {show(best.at_most)})"


def format_best(best: BestLine) -> str:
    """A goal, and what its best line is worth.

    >>> from setrograde.analysis.suit import best_lines, solve_suit
    >>> for best in best_lines(solve_suit("AQ", "32"), ["tricks", "average", "mp", "imp"]):
    ...     print(format_best(best))
    2 tricks: 50.00 %
    1 trick: 100.00 %
    most tricks on average: 1.5000
    matchpoints: unbeaten
    IMPs (2 tricks make the contract): unbeaten
    """
    goal = format_goal(best)
    if best.goal == "imp":
        assert best.need is not None
        verb = "makes" if best.need == 1 else "make"
        goal += f" ({count_of(best.need, 'trick')} {verb} the contract)"
    return f"{goal}: {format_value(best)}"


def format_solution(
    solution: SuitSolution,
    best: Sequence[BestLine] | None = None,
    *,
    rare: Fraction = RARE,
    width: int | None = WIDTH,
) -> str:
    """The holdings, and the best lines in words, each under the goals that it is best for.

    The goals are every number of tricks and the average unless best lines are given. A number of
    tricks is left out if the line is sure to win more. Cases that come up in less than `rare` of
    all deals are left out of the words. Lines of text are wrapped to `width`; `None` wraps nothing.

    >>> from setrograde.analysis.suit import best_lines, solve_suit
    >>> solution = solve_suit("AQ", "32")
    >>> print(format_solution(solution, best_lines(solution, ["tricks"])))
    North AQ, South 32; the defenders hold KJT987654
    18 layouts, 2 lines that no other line matches
    <BLANKLINE>
    2 tricks: 50.00 %
    1 trick: 100.00 %
      Lead low from South to the queen (if West plays the king, play the ace), then play from the top.
      2 tricks 50.00 %, 1 trick 50.00 %; 1.500 tricks on average
    """  # noqa: E501
    if best is None:
        from .goals import best_lines

        best = best_lines(solution, ("tricks", "average"))
    holding, table = solution.holding, solution.table
    found = [
        f"North {holding.north}, South {holding.south}; the defenders hold {table.outstanding}",
        f"{count_of(len(table.layouts), 'layout')}, {_lines(solution)}",
    ]
    for goals in group_goals(best):
        outcome = _outcome(goals[0])
        found += ["", *[format_best(goal) for goal in goals]]
        if outcome is not None:
            inner = None if width is None else width - len(_INDENT)
            line = find_line(solution, outcome)
            words = describe_line(solution, line, rare=rare, width=inner).splitlines()
            found += [_INDENT + row for row in (*words, format_outcome(outcome))]
    return "\n".join(found)


def group_goals(best: Sequence[BestLine]) -> list[list[BestLine]]:
    """Goals that have the same best line, together; goals without a line for themselves.

    A number of tricks is left out if the line is sure to win more.

    >>> from setrograde.analysis.suit import best_lines, solve_suit
    >>> goals = best_lines(solve_suit("AKJ2", "T543"))
    >>> [[format_goal(goal) for goal in group] for group in group_goals(goals)]
    [['4 tricks', '3 tricks', 'most tricks on average', 'matchpoints']]
    """
    groups: dict[object, list[BestLine]] = {}
    for goal in best:
        outcome = _outcome(goal)
        key = goal if outcome is None else outcome.tricks
        groups.setdefault(id(key) if outcome is None else key, []).append(goal)
    return [_without_certain(goals) for goals in groups.values()]


def _outcome(goal: BestLine) -> LineOutcome | None:
    """What the line for a goal wins; `None` if there is none, or nothing to be won."""
    return None if goal.goal == "tricks" and not goal.value else goal.outcome


def _without_certain(goals: Sequence[BestLine]) -> list[BestLine]:
    """Goals without the numbers of tricks below one that is certain."""
    certain = max((g.need or 0 for g in goals if g.goal == "tricks" and g.value == 1), default=0)
    return [g for g in goals if g.goal != "tricks" or (g.need or 0) >= certain]


def format_layout_table(solution: SuitSolution, lines: Mapping[str, LineOutcome]) -> str:
    """The tricks that lines win in every layout, the likeliest layout first.

    Lines with the same tricks everywhere share a column.

    >>> from setrograde.analysis.suit import named_lines, solve_suit
    >>> solution = solve_suit("AKJ32", "7654")
    >>> print(format_layout_table(solution, named_lines(solution)))
    A: finesse
    B: drop
    <BLANKLINE>
    West — East   chance  A  B
    xx — Qx      20.35 %  4  5
    Qx — xx      20.35 %  5  5
    x — Qxx      18.65 %  4  4
    Qxx — x      18.65 %  5  4
    Q — Txx       6.22 %  5  5
    Txx — Q       6.22 %  5  5
    - — QTxx      4.78 %  3  3
    QTxx — -      4.78 %  4  4
    """
    columns: dict[tuple[int, ...], list[str]] = {}
    for name, outcome in lines.items():
        columns.setdefault(outcome.tricks, []).append(name)
    letters = [chr(ord("A") + i) for i in range(len(columns))]
    found = [
        f"{letter}: {', '.join(names)}"
        for letter, names in zip(letters, columns.values(), strict=True)
    ]
    table = solution.table
    order = sorted(range(len(table.layouts)), key=lambda i: -table.layouts[i].weight)
    texts = {i: str(table.layouts[i]) for i in order}
    head = "West — East"
    first = max(len(head), *(len(text) for text in texts.values()))
    found += ["", f"{head:{first}}  {'chance':>7}" + "".join([f"{x:>3}" for x in letters])]
    for i in order:
        chance = format_percent(table.probability(table.layouts[i]))
        tricks = "".join([f"{column[i]:>3}" for column in columns])
        found.append(f"{texts[i]:{first}}  {chance:>7}{tricks}")
    return "\n".join(found)


def _lines(solution: SuitSolution) -> str:
    if solution.lines is None:
        return "too many lines to list"
    return f"{count_of(solution.lines, 'line')} that no other line matches"


def format_comparison(
    comparison: Comparison, one: str = "first line", other: str = "second line"
) -> str:
    """Where each of two lines wins more tricks, and how likely that is.

    >>> from setrograde.analysis.suit import compare, named_lines, solve_suit
    >>> lines = named_lines(solve_suit("AKJ2", "T543"), need=4)
    >>> print(format_comparison(compare(lines["finesse"], lines["drop"]), "finesse", "drop"))
    The finesse wins more tricks in 20.35 % of deals (West — East): Qxx — xx
    The drop wins more tricks in 13.57 % of deals (West — East): xxx — Qx
    """
    return "\n".join(
        [
            _where(one, comparison.gains, comparison.more),
            _where(other, comparison.losses, comparison.fewer),
        ]
    )


def _where(name: str, share: Fraction, layouts: Sequence[SuitLayout]) -> str:
    if not layouts:
        return f"The {name} never wins more tricks."
    deals = f"{format_percent(share)} of deals (West — East)"
    return f"The {name} wins more tricks in {deals}: {format_layouts(layouts)}"


def format_layouts(layouts: Sequence[SuitLayout]) -> str:
    """Layouts with semicolons between; `never` if there are none."""
    return "; ".join([str(layout) for layout in layouts]) or "never"


def _mean(value: Fraction) -> str:
    return f"{float(value):.4f}"
