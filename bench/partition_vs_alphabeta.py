"""How much smaller is the tree of partition search than that of alpha-beta?

The question of Figure 3 in Ginsberg, "Partition Search" (AAAI 1996), asked of this solver. Random
deals of 12 to 48 cards are solved twice: with sets of positions in the table, and with a plain
transposition table. Everything else is the same in both: zero-window questions from the same
first guess, move order, history, one card of touching ones. There are two comparisons: sure tricks
(quick and slow) counted in both searches, and in neither.

The plain table stores a position as it is, with ranks taken relative to the cards left, and no
search skips a card because of what a set said: `PATTERNS` and `IRRELEVANT` are off.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.corpora.random_deals import random_endings
from bench.limited import Measured, solve_limited
from bench.report import DOCS, main, markdown_table, signature
from setrograde.bridge import Deal, Seat, Strain
from setrograde.solve import Technique

__all__ = ["COUNT", "fit_power", "plot", "run", "table"]

COUNT = 20
SIZES = range(3, 13)
LIMIT_S = 60.0
"""Far more than `MAX_NODES` need, so that the nodes alone decide what is left out."""

MAX_NODES = 20_000_000
PAPER = (1.57, 0.76)
PICTURE = DOCS.with_name("partition_vs_alphabeta.svg")

_SETS = Technique.PATTERNS | Technique.IRRELEVANT
_SURE = Technique.QUICK_TRICKS | Technique.SLOW_TRICKS
SEARCHES = {
    "with sure tricks": Technique.ALL,
    "without sure tricks": Technique.ALL & ~_SURE,
}

Point = tuple[int, int, int]
"""Cards, nodes of alpha-beta, nodes of partition search."""


def run(*, count: int = COUNT, limit_s: float = LIMIT_S, seed: int = 1) -> dict[str, Any]:
    """Solve random deals of 12 to 48 cards, `count` of each size, by both searches."""
    comparisons = {
        name: _compare(techniques, count, limit_s, seed) for name, techniques in SEARCHES.items()
    }
    main_one = comparisons["with sure tricks"]
    answers = [c.pop("answers") for c in comparisons.values()]
    nodes = sum(nodes for each in answers for _, nodes in each)
    return {
        "unit": "nodes, all positions solved by both, sure tricks counted",
        "ours": main_one["partition_nodes"],
        "peer": main_one["alphabeta_nodes"],
        "ratio": round(main_one["alphabeta_nodes"] / max(1, main_one["partition_nodes"]), 3),
        "signature": signature(answers, nodes),
        "mismatches": sum(c["mismatches"] for c in comparisons.values()),
        "paper": {"a": PAPER[0], "b": PAPER[1]},
        "positions_of_each_size": count,
        "seed": seed,
        "limit_s": limit_s,
        "comparisons": comparisons,
    }


def _compare(techniques: Technique, count: int, limit_s: float, seed: int) -> dict[str, Any]:
    points: list[Point] = []
    answers: list[tuple[int | None, int]] = []
    left_out = mismatches = 0
    for tricks in SIZES:
        for index, deal in enumerate(random_endings(count, tricks=tricks, seed=seed)):
            sets, plain = _solve_both(deal, _strain(index), techniques, limit_s)
            answers.append((sets.tricks_ns, sets.nodes))
            if sets.tricks_ns is None or plain.tricks_ns is None or plain.nodes > MAX_NODES:
                left_out += 1
                continue
            mismatches += sets.tricks_ns != plain.tricks_ns
            points.append((4 * tricks, plain.nodes, sets.nodes))
    searched = [(x, y) for _, x, y in points if x > 0 and y > 0]
    fitted = fit_power(searched)
    return {
        "positions": len(points),
        "searched": len(searched),
        "left_out": left_out,
        "mismatches": mismatches,
        "partition_nodes": sum(y for _, _, y in points),
        "alphabeta_nodes": sum(x for _, x, _ in points),
        "fit": None if fitted is None else {"a": round(fitted[0], 3), "b": round(fitted[1], 3)},
        "points": points,
        "answers": answers,
    }


def _strain(index: int) -> Strain:
    """Notrump and spades in turn."""
    return Strain.SPADES if index % 2 else Strain.NOTRUMP


def _solve_both(
    deal: Deal, strain: Strain, techniques: Technique, limit_s: float
) -> tuple[Measured, Measured]:
    """By partition search and by alpha-beta."""
    sets, plain = (
        solve_limited(deal, strain, Seat.NORTH, techniques=chosen, limit_s=limit_s)
        for chosen in (techniques, techniques & ~_SETS)
    )
    return sets, plain


def fit_power(pairs: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """a and b of y = a x^b, by least squares on the logarithms; `None` without two different x."""
    if len({x for x, _ in pairs}) < 2:
        return None
    line = statistics.linear_regression(
        [math.log(x) for x, _ in pairs], [math.log(y) for _, y in pairs]
    )
    return math.exp(line.intercept), line.slope


def plot(result: dict[str, Any], path: Path) -> bool:
    """Draw both comparisons as an SVG file; False if matplotlib is not there."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("svg")
    from matplotlib import pyplot

    # Fixed identifiers and no date: the same figures give the same file.
    settings: dict[Any, Any] = {
        "svg.hashsalt": "setrograde",
        "svg.fonttype": "none",
        "font.size": 9,
    }
    with matplotlib.rc_context(settings):
        figure, axes = pyplot.subplots(1, 2, figsize=(9, 4.4), sharex=True, sharey=True)
        for axis, (name, comparison) in zip(axes, result["comparisons"].items(), strict=True):
            _draw(axis, name, comparison)
        axes[0].set_ylabel("nodes, partition search")
        figure.tight_layout()
        figure.savefig(path, format="svg", metadata={"Date": None}, facecolor="white")
        pyplot.close(figure)
    return True


def _draw(axis: Any, name: str, comparison: dict[str, Any]) -> None:
    points = [(x, y) for _, x, y in comparison["points"] if x > 0 and y > 0]
    xs = [x for x, _ in points]
    axis.set(title=name, xscale="log", yscale="log", xlabel="nodes, alpha-beta with a plain table")
    axis.scatter(xs, [y for _, y in points], s=9, alpha=0.6, linewidths=0, color="tab:blue")
    ends = (1, max(xs, default=10))
    axis.plot(ends, ends, ":", color="gray", label="y = x")
    curves = [("paper", "--", "tab:orange", PAPER)]
    if comparison["fit"]:
        curves.insert(0, ("here", "-", "black", (comparison["fit"]["a"], comparison["fit"]["b"])))
    for label, style, colour, (a, b) in curves:
        text = f"{label}: y = {a:.2f} x^{b:.2f}"
        axis.plot(ends, [a * x**b for x in ends], style, color=colour, label=text)
    axis.legend(frameon=False)


def table(result: dict[str, Any]) -> str:
    """Fits and sums; draws the picture beside the page."""
    rows = [["paper, 1996", "", "", "", "", "{:.2f} x^{:.2f}".format(*PAPER)]]
    for name, c in result["comparisons"].items():
        fitted = "{a:.2f} x^{b:.2f}".format(**c["fit"]) if c["fit"] else ""
        ratio = c["alphabeta_nodes"] / max(1, c["partition_nodes"])
        nodes = [f"{c['alphabeta_nodes']:,}", f"{c['partition_nodes']:,}", f"{ratio:.1f}"]
        rows.append([name, str(c["positions"]), *nodes, fitted])
    figures = markdown_table(
        ["", "positions", "x: nodes, alpha-beta", "y: nodes, sets", "x / y, sums", "y fitted"], rows
    )
    left_out = ", ".join(f"{c['left_out']} {name}" for name, c in result["comparisons"].items())
    tail = (
        f"{result['positions_of_each_size']} positions of each size. Left out because alpha-beta"
        f" took more than {MAX_NODES:,} nodes or {result['limit_s']:g} s: {left_out}."
        f" Answers that differ: {result['mismatches']}. Signature: `{result['signature']}`."
    )
    picture = ""
    if plot(result, PICTURE):
        picture = f"\n\n![Nodes of both searches, a point a position]({PICTURE.name})"
    else:
        print("no picture: matplotlib is not installed (extra `plot`)", file=sys.stderr)
    return f"{figures}{picture}\n\n{tail}"


def add_options(parser: argparse.ArgumentParser) -> None:
    """`--limit-s`."""
    parser.add_argument(
        "--limit-s", type=float, default=LIMIT_S, metavar="S", help="seconds a search may take"
    )


if __name__ == "__main__":
    sys.exit(main("partition_vs_alphabeta", run, table, count=COUNT, add_options=add_options))
