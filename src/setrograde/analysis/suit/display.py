"""Suits in notebooks: classes, finesses, best lines, pay-offs and comparisons as HTML fragments.

Styles are inline, so a fragment can stand anywhere and takes the colours of its surroundings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape

from setrograde.analysis.finesse.finesses import Finesse

from .classes import CardClasses
from .goals import BestLine, Comparison, best_lines
from .holding import format_ranks
from .layouts import Lie
from .lines import find_line
from .play import Outcome, SuitSolution
from .words import describe_line

__all__ = ["classes_html", "comparison_html", "finesse_html", "outcome_html", "solution_html"]

_FONT = "font-family:Georgia,'DejaVu Serif',serif;line-height:1.35;text-align:left"
_CELL = "padding:.1em 1.2em .1em 0;text-align:left;vertical-align:top;background:none;border:none"
_NAMES = {"T": "top", "F": "finesse", "C": "critical", "L": "low"}
_GOALS = ("tricks", "average", "mp")


def classes_html(classes: CardClasses) -> str:
    """The four classes with their parts by hand.

    >>> from setrograde.analysis.suit.classes import card_classes
    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> html = classes_html(card_classes(SuitHolding.from_text("32", "AQ"), outstanding="K654"))
    >>> "<td" in html, "critical" in html
    (True, True)
    """
    holding = classes.holding
    owners = (holding.north, holding.south, classes.outstanding)
    rows = [
        [name, word, *(_cards(format_ranks(classes.bits(name) & owner)) for owner in owners)]
        for name, word in _NAMES.items()
    ]
    return _box(_table(["class", "", "North", "South", "defenders"], rows))


def finesse_html(finesse: Finesse) -> str:
    """Preconditions, the strategy tree as a picture, and what comes of it.

    >>> from setrograde.analysis.finesse.finesses import applicable_finesses
    >>> from setrograde.analysis.suit.classes import card_classes
    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> classes = card_classes(SuitHolding.from_text("32", "AQ"), outstanding="K654")
    >>> "<svg " in finesse_html(applicable_finesses(classes)[0])
    True
    """
    conditions = ", ".join(
        [f"{c.text}{'' if c.holds else ' (not so)'}" for c in finesse.preconditions]
    )
    return _box(
        f"<div><b>{escape(finesse.kind)} finesse</b>, {finesse.leader} leads</div>"
        f"<div>{escape(conditions)}</div><div>{finesse.tree.to_svg()}</div>"
        f"<div>C with {finesse.onside}: {escape(finesse.if_onside)}</div>"
        f"<div>otherwise: {escape(finesse.if_offside)}</div>"
    )


def outcome_html(outcome: Outcome) -> str:
    """What a line wins, lie by lie, the likeliest first.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.play import solve_suit
    >>> "50.00 %" in outcome_html(solve_suit(SuitHolding.from_text("AQ", "32")).best())
    True
    """
    table = outcome.table
    lies = sorted(
        zip(table.lies, outcome.tricks, strict=True), key=lambda row: row[0].weight, reverse=True
    )
    rows = [[escape(str(lie)), _percent(table.probability(lie)), str(n)] for lie, n in lies]
    return _box(
        f"<div>{_distribution(outcome)}</div>"
        + _table(["West — East", "probability", "tricks"], rows)
    )


def comparison_html(comparison: Comparison) -> str:
    """Where each of two lines wins more.

    >>> from setrograde.analysis.suit.goals import compare
    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.play import solve_suit
    >>> one, other = solve_suit(SuitHolding.from_text("AQ", "32")).outcomes
    >>> "the first wins more" in comparison_html(compare(one, other))
    True
    """
    rows = [
        ["the first wins more", _percent(comparison.gains), _lies(comparison.more)],
        ["the second wins more", _percent(comparison.losses), _lies(comparison.fewer)],
    ]
    difference = f"{float(comparison.tricks):+.3f} tricks on average for the first"
    return _box(_table(["", "", "West — East"], rows) + f"<div>{difference}</div>")


def solution_html(solution: SuitSolution) -> str:
    """The holdings, and the best line for every goal in words.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.play import solve_suit
    >>> html = solution_html(solve_suit(SuitHolding.from_text("AQ", "32")))
    >>> "2 tricks" in html, "Lead low from South to the queen" in html
    (True, True)
    """
    holding = solution.holding
    out = format_ranks(sum(solution.table.runs))
    heading = (
        f"<div>North <b>{_cards(format_ranks(holding.north))}</b>,"
        f" South <b>{_cards(format_ranks(holding.south))}</b>; {_cards(out)} out</div>"
    )
    told = dict[tuple[int, ...], str]()
    rows = [
        [_goal(best), _value(best), _line(solution, best, told)]
        for best in best_lines(solution, _GOALS)
    ]
    return _box(heading + _table(["goal", "", "line"], rows))


def _goal(best: BestLine) -> str:
    if best.goal == "tricks":
        return f"{best.need} trick{'' if best.need == 1 else 's'}"
    return {"average": "average", "mp": "matchpoints"}[best.goal]


def _value(best: BestLine) -> str:
    if best.value is None or best.goal == "mp":
        return ""
    show = _percent if best.goal == "tricks" else _mean
    return show(best.value) + ("" if best.at_most is None else f" (at most {show(best.at_most)})")


def _line(solution: SuitSolution, best: BestLine, told: dict[tuple[int, ...], str]) -> str:
    """In words the first time, then as "the line for ..."."""
    if best.outcome is None:
        return "no line that no other beats" if best.is_proven else "not settled, too many lines"
    if best.goal == "tricks" and not best.value:
        return "cannot be had"
    tricks = best.outcome.tricks
    if tricks in told:
        return f"the line for {told[tricks]}"
    told[tricks] = _goal(best)
    words = escape(describe_line(solution, find_line(solution, best.outcome)))
    return f'<div style="white-space:pre-wrap">{words}</div>'


def _distribution(outcome: Outcome) -> str:
    parts = [f"{n} tricks {_percent(share)}" for n, share in outcome.distribution.items()]
    return f"{', '.join(parts)}; {float(outcome.average):.3f} on average"


def _lies(lies: Sequence[Lie]) -> str:
    return escape("; ".join([str(lie) for lie in lies]) or "never")


def _percent(value: Fraction) -> str:
    return f"{float(100 * value):.2f} %"


def _mean(value: Fraction) -> str:
    return f"{float(value):.4f}"


def _cards(ranks: str) -> str:
    return escape(ranks.replace("T", "10").replace("-", "—"))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of ready HTML; the styles undo the stripes and borders of notebooks."""
    head = "".join([f'<th style="{_CELL};font-weight:normal;opacity:.8">{h}</th>' for h in heads])
    body = "".join(
        [
            '<tr style="background:none">'
            + "".join([f'<td style="{_CELL}">{cell}</td>' for cell in row])
            + "</tr>"
            for row in rows
        ]
    )
    return (
        '<table style="border-collapse:collapse;border:none;margin:0;color:inherit">'
        f'<thead><tr style="background:none">{head}</tr></thead><tbody>{body}</tbody></table>'
    )


def _box(inner: str) -> str:
    return f'<div style="{_FONT}">{inner}</div>'
