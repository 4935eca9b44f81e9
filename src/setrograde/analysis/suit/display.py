"""Suits in notebooks: classes, best lines, outcomes and comparisons as HTML fragments.

Styles are inline, so a fragment can stand anywhere and takes the colours of its surroundings.
"""

from __future__ import annotations

from html import escape

from setrograde.bridge.display.html import box_html, rows_html

from .classes import CLASS_NAMES, CardClasses
from .goals import BestLine, Comparison, best_lines
from .lines import find_line
from .play import LineOutcome, SuitSolution
from .ranks import format_ranks
from .text import (
    format_goal,
    format_layouts,
    format_outcome,
    format_percent,
    format_value,
)
from .words import describe_line

__all__ = ["classes_html", "comparison_html", "outcome_html", "solution_html"]

_CELL = "padding:.1em 1.2em .1em 0;text-align:left;vertical-align:top;background:none;border:none"


def classes_html(classes: CardClasses) -> str:
    """The four classes with their parts by hand.

    >>> from setrograde.analysis.suit import card_classes
    >>> html = classes_html(card_classes("32", "AQ", outstanding="K654"))
    >>> "<td" in html, "critical" in html
    (True, True)
    """
    holding = classes.holding
    owners = (holding.north_bits, holding.south_bits, classes.outstanding_bits)
    rows = [
        [name, word, *(_cards(format_ranks(classes.bits(name) & owner)) for owner in owners)]
        for name, word in CLASS_NAMES.items()
    ]
    heads = ["class", "", "North", "South", "defenders"]
    return box_html(rows_html(heads, rows, style=_CELL))


def outcome_html(outcome: LineOutcome) -> str:
    """The tricks that a line wins in every layout, the likeliest layout first.

    >>> from setrograde.analysis.suit import solve_suit
    >>> "50.00 %" in outcome_html(solve_suit("AQ", "32").best())
    True
    """
    table = outcome.table
    layouts = sorted(
        zip(table.layouts, outcome.tricks, strict=True), key=lambda row: row[0].weight, reverse=True
    )
    rows = [
        [escape(str(layout)), format_percent(table.probability(layout)), str(tricks)]
        for layout, tricks in layouts
    ]
    return box_html(
        f"<div>{format_outcome(outcome)}</div>"
        + rows_html(["West — East", "probability", "tricks"], rows, style=_CELL)
    )


def comparison_html(comparison: Comparison) -> str:
    """Where each of two lines wins more.

    >>> from setrograde.analysis.suit import compare, solve_suit
    >>> one, other = solve_suit("AQ", "32").outcomes
    >>> "the first line wins more" in comparison_html(compare(one, other))
    True
    """
    rows = [
        [f"the {name} line wins more", format_percent(share), escape(format_layouts(layouts))]
        for name, share, layouts in (
            ("first", comparison.gains, comparison.more),
            ("second", comparison.losses, comparison.fewer),
        )
    ]
    difference = f"{float(comparison.tricks):+.3f} tricks on average for the first line"
    heads = ["", "probability", "West — East"]
    return box_html(rows_html(heads, rows, style=_CELL) + f"<div>{difference}</div>")


def solution_html(solution: SuitSolution) -> str:
    """The holdings, and the best line for every goal in words.

    >>> from setrograde.analysis.suit import solve_suit
    >>> html = solution_html(solve_suit("AQ", "32"))
    >>> "2 tricks" in html, "Lead low from South to the queen" in html
    (True, True)
    """
    holding = solution.holding
    heading = (
        f"<div>North <b>{_cards(holding.north)}</b>, South <b>{_cards(holding.south)}</b>;"
        f" the defenders hold {_cards(solution.table.outstanding)}</div>"
    )
    told = dict[tuple[int, ...], str]()
    rows = [
        [format_goal(best), _value(best), _line(solution, best, told)]
        for best in best_lines(solution)
    ]
    return box_html(heading + rows_html(["goal", "", "line"], rows, style=_CELL))


def _value(best: BestLine) -> str:
    return "" if best.goal == "mp" else escape(format_value(best))


def _line(solution: SuitSolution, best: BestLine, told: dict[tuple[int, ...], str]) -> str:
    """In words the first time, then as "the line for ..."."""
    if best.outcome is None:
        return format_value(best)
    if best.goal == "tricks" and not best.value:
        return "cannot be won"
    tricks = best.outcome.tricks
    if tricks in told:
        return f"the line for {told[tricks]}"
    told[tricks] = format_goal(best)
    words = escape(describe_line(solution, find_line(solution, best.outcome)))
    return f'<div style="white-space:pre-wrap">{words}</div>'


def _cards(ranks: str) -> str:
    return escape(ranks.replace("T", "10").replace("-", "—"))
