"""How long does one suit take, exactly, with its lines in words?

Random holdings with up to 8 outstanding cards, and the published table where it is present beside
the project. There is no peer that a script could run. A few holdings have too many lines to list,
so that each goal is searched for itself. Should one take longer than a limit, it is stopped and
counted as slower than all others.
The sizes of strategy trees over cards and over classes are on the same page (`suit_branching`).
"""

from __future__ import annotations

import random
import signal
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.report import PAGES, cpu_ms, main, markdown_table, signature
from bench.suit_branching import Row, branching_table, plot, study
from setrograde.analysis.suit import (
    SuitHolding,
    best_lines,
    describe_line,
    find_line,
    solve_suit,
)
from setrograde.analysis.suit.ranks import rank_bits

__all__ = ["COUNT", "random_holding", "run", "table"]

COUNT = 500
GOALS = ("tricks", "average", "mp", "imp")
LIMIT_S = 20
"""CPU seconds for one holding."""

PICTURE = PAGES["suit_combinations"].with_name("strategy_trees.svg")
TABLE = Path(__file__).resolve().parents[2] / "shared/data/suitcomb/suit_combinations.tsv"


def run(count: int = COUNT) -> dict[str, Any]:
    """CPU milliseconds for the outcomes, and with lines for every goal in words."""
    rng = random.Random(1)
    rows = [_measure_limited(random_holding(rng)) for _ in range(count)]
    done = [row for row in rows if row is not None]
    stopped = [LIMIT_S * 1000.0] * (count - len(done))
    whole = [row["ms"] for row in done] + stopped
    solving = [row["solve_ms"] for row in done] + stopped
    result: dict[str, Any] = {
        "holdings": count,
        "stopped": len(stopped),
        "limit_s": LIMIT_S,
        "many_lines": sum(row["has_many_lines"] for row in done),
        "unproven": sum(row["is_unproven"] for row in done),
        "ours": round(statistics.median(whole), 2),
        "median_ms": round(statistics.median(whole), 2),
        "p95_ms": round(_percentile(whole, 95), 1),
        "max_ms": round(max(whole), 1),
        "median_solve_ms": round(statistics.median(solving), 2),
        "p95_solve_ms": round(_percentile(solving, 95), 1),
        "max_solve_ms": round(max(solving), 1),
        "signature": signature([row["answer"] for row in done]),
        "branching": study(),
    }
    if TABLE.exists():
        lines = TABLE.read_text("utf-8").splitlines()[1:]
        times = [_measure(SuitHolding.from_text(*line.split("\t")[:2]))["ms"] for line in lines]
        result["table_holdings"] = len(times)
        result["table_s"] = round(sum(times) / 1000, 2)
        result["table_median_ms"] = round(statistics.median(times), 2)
        result["table_max_ms"] = round(max(times), 1)
    return result


def _percentile(values: list[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def random_holding(rng: random.Random) -> SuitHolding:
    """Five to ten cards in two hands."""
    cards = rng.sample(range(13), rng.randint(5, 10))
    cut = rng.randint(1, len(cards) - 1)
    return SuitHolding(rank_bits(cards[:cut]), rank_bits(cards[cut:]))


def table(result: dict[str, Any]) -> str:
    """For the page on suits and finesses; draws the picture beside it."""
    rows = [
        [
            "outcomes of all lines, or the best",
            *(result[f"{name}_solve_ms"] for name in ("median", "p95", "max")),
        ],
        [
            "with lines for every goal in words",
            *(result[f"{n}_ms"] for n in ("median", "p95", "max")),
        ],
    ]
    if "table_s" in result:
        rows.append(
            ["the same, published table", result["table_median_ms"], "", result["table_max_ms"]]
        )
    times = markdown_table(["CPU ms", "median", "95 of 100", "longest"], rows)
    trees = [Row(*row) for row in result["branching"]]
    PICTURE.write_text(plot(trees), "utf-8")
    parts = [
        times,
        _words(result),
        f"![Branches and ends of trees by cards outstanding]({PICTURE.name})",
        branching_table(trees),
    ]
    return "\n\n".join(parts)


def _words(result: dict[str, Any]) -> str:
    text = (
        f"{result['holdings']} random holdings with 3 to 8 cards outstanding, of which"
        f" {result['stopped']} were stopped after {result['limit_s']} s."
        f" {result['many_lines']} have too many lines to list; in {result['unproven']} of them a"
        " goal is not proven."
    )
    if "table_s" in result:
        text += (
            f" The {result['table_holdings']} holdings of the published table together:"
            f" {result['table_s']} s."
        )
    return f"{text} Signature: `{result['signature']}`."


class _Stopped(Exception):
    """The limit is reached."""


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """Raises `_Stopped` after so much CPU time, also out of the native search."""

    def stop(*_: object) -> None:
        raise _Stopped

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _measure_limited(holding: SuitHolding) -> dict[str, Any] | None:
    try:
        with _limit(LIMIT_S):
            return _measure(holding)
    except _Stopped:
        return None


def _measure(holding: SuitHolding) -> dict[str, Any]:
    solution, solve_ms = cpu_ms(lambda: solve_suit(holding))

    def tell() -> list[str]:
        told = {best.outcome.tricks: best.outcome for best in lines if best.outcome}
        return [describe_line(solution, find_line(solution, line)) for line in told.values()]

    lines, goals_ms = cpu_ms(lambda: best_lines(solution, GOALS))
    _, tell_ms = cpu_ms(tell)
    answer = [str(solution.probability(n)) for n in range(1, holding.tricks_most + 1)]
    return {
        "solve_ms": solve_ms,
        "ms": solve_ms + goals_ms + tell_ms,
        "answer": (str(holding), answer),
        "has_many_lines": not solution.is_complete,
        "is_unproven": any(not best.is_proven for best in lines),
    }


if __name__ == "__main__":
    sys.exit(main("suit_combinations", run, table, count=COUNT))
