"""How much smaller is a finesse's strategy tree over classes than over cards?

The question of figures 2 and 3 in Sutherland's paper, for its example and for random holdings:
branches where the first defender plays, and ends of the tree once both have played.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bench.report import markdown_table
from setrograde.analysis.finesse import Branching, branching, random_branching
from setrograde.analysis.suit import card_classes

__all__ = ["Row", "branching_table", "plot", "study"]

COUNT = 4000
"""Random holdings: enough for the second figure to stand."""

_WIDTH, _HEIGHT = 560, 330
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 150, 18, 44
_MOST = 100.0


class Row(NamedTuple):
    """Means over holdings with as many cards outstanding."""

    name: str
    outstanding: int
    holdings: int
    card_branches: float
    class_branches: float
    card_leaves: float
    class_leaves: float


def study(count: int = COUNT, *, seed: int = 1) -> list[Row]:
    """The paper's example first, then random holdings by the number of cards outstanding."""
    example = branching(card_classes("32", "AQ", outstanding="K654"))
    found = random_branching(count, seed=seed)
    rows = [_row("the paper's example", [example])]
    for cards in sorted({each.outstanding for each in found}):
        rows.append(_row(f"{cards} out", [each for each in found if each.outstanding == cards]))
    return rows


def _row(name: str, found: Sequence[Branching]) -> Row:
    def mean(of: Callable[[Branching], int]) -> float:
        return round(statistics.mean(map(of, found)), 2)

    return Row(
        name,
        found[0].outstanding,
        len(found),
        mean(lambda each: each.card_branches),
        mean(lambda each: each.class_branches),
        mean(lambda each: each.card_leaves),
        mean(lambda each: each.class_leaves),
    )


def branching_table(rows: Sequence[Row]) -> str:
    """Means, and how many times smaller the tree over classes is."""
    return markdown_table(
        ["", "holdings", "branches: cards", "classes", "ends: cards", "classes", "smaller"],
        [
            [
                row.name,
                row.holdings,
                f"{row.card_branches:g}",
                f"{row.class_branches:.2f}",
                f"{row.card_leaves:g}",
                f"{row.class_leaves:.2f}",
                f"{row.card_leaves / row.class_leaves:.1f}×",
            ]
            for row in rows
        ],
    )


def plot(rows: Sequence[Row]) -> str:
    """The four columns by cards outstanding, as an SVG picture; the example as rings."""
    example, *others = rows
    curves = [
        ("ends over cards", "#c2410c", "", [(r.outstanding, r.card_leaves) for r in others]),
        (
            "branches over cards",
            "#c2410c",
            "4 3",
            [(r.outstanding, r.card_branches) for r in others],
        ),
        ("ends over classes", "#1d4ed8", "", [(r.outstanding, r.class_leaves) for r in others]),
        (
            "branches over classes",
            "#1d4ed8",
            "4 3",
            [(r.outstanding, r.class_branches) for r in others],
        ),
    ]
    cards = [row.outstanding for row in others]

    def x(value: float) -> float:
        width = _WIDTH - _LEFT - _RIGHT
        return _LEFT + width * (value - min(cards)) / max(1, max(cards) - min(cards))

    def y(value: float) -> float:
        height = _HEIGHT - _TOP - _BOTTOM
        return _TOP + height * (1 - math.log(value) / math.log(_MOST))

    parts = _axes(cards, x, y)
    for name, colour, dashes, points in curves:
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>'
        )
        last = points[-1]
        parts.append(
            f'<text x="{x(last[0]) + 8:.1f}" y="{y(last[1]) + 4:.1f}" fill="{colour}">{name}</text>'
        )
    for value, colour in (
        (example.card_leaves, "#c2410c"),
        (example.card_branches, "#c2410c"),
        (example.class_leaves, "#1d4ed8"),
        (example.class_branches, "#1d4ed8"),
    ):
        parts.append(
            f'<circle cx="{x(example.outstanding):.1f}" cy="{y(value):.1f}" r="5" fill="none"'
            f' stroke="{colour}" stroke-width="1.5"/>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        f' width="{_WIDTH}" height="{_HEIGHT}" role="img" font-family="sans-serif" font-size="11">'
        "<title>Size of a finesse's strategy tree, over cards and over classes</title>"
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _axes(
    cards: Sequence[int], x: Callable[[float], float], y: Callable[[float], float]
) -> list[str]:
    parts = []
    for value in (1, 2, 5, 10, 20, 50, 100):
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"'
            f' stroke="#ddd"/><text x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end"'
            f' fill="#444">{value}</text>'
        )
    for value in cards:
        parts.append(
            f'<text x="{x(value):.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle"'
            f' fill="#444">{value}</text>'
        )
    middle = (_LEFT + _WIDTH - _RIGHT) // 2
    parts.append(
        f'<text x="{middle}" y="{_HEIGHT - 10}" text-anchor="middle" fill="#444">'
        "cards outstanding (rings: the paper's example)</text>"
    )
    return parts
