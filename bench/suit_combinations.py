"""How long does one suit take, exactly, with its lines in words?

Random holdings with up to 8 outstanding cards, and the published table where it is present beside
the project. There is no peer that a script could run.
"""

from __future__ import annotations

import random
import statistics
import sys
from pathlib import Path
from typing import Any

from bench.report import cpu_ms, main, markdown_table, signature
from setrograde.analysis.finesse_trees import random_branching
from setrograde.analysis.suit_goals import best_lines
from setrograde.analysis.suit_holding import SuitHolding
from setrograde.analysis.suit_lines import find_line
from setrograde.analysis.suit_play import solve_suit
from setrograde.analysis.suit_words import describe_line

COUNT = 200
TABLE = Path(__file__).resolve().parents[2] / "shared/data/suitcomb/suit_combinations.tsv"


def run(count: int = COUNT) -> dict[str, Any]:
    """CPU milliseconds for all goals; the share that finding and telling the lines takes."""
    rng = random.Random(1)
    rows = [_measure(random_holding(rng)) for _ in range(count)]
    values = [row["ms"] for row in rows]
    result = {
        "holdings": count,
        "ours": round(statistics.median(values), 2),
        "median_ms": round(statistics.median(values), 2),
        "max_ms": round(max(values), 1),
        "median_solve_ms": round(statistics.median(row["solve_ms"] for row in rows), 2),
        "max_solve_ms": round(max(row["solve_ms"] for row in rows), 1),
        "signature": signature([row["answer"] for row in rows]),
        "branching": _branching(),
    }
    if TABLE.exists():
        lines = TABLE.read_text("utf-8").splitlines()[1:]
        table = [_measure(SuitHolding.from_text(*line.split("\t")[:2])) for line in lines]
        result["table_s"] = round(sum(row["ms"] for row in table) / 1000, 2)
        result["table_max_ms"] = round(max(row["ms"] for row in table), 1)
    return result


def random_holding(rng: random.Random) -> SuitHolding:
    """Five to ten cards in two hands."""
    cards = rng.sample(range(13), rng.randint(5, 10))
    cut = rng.randint(1, len(cards) - 1)
    north, south = (sum(1 << card for card in part) for part in (cards[:cut], cards[cut:]))
    return SuitHolding(north, south)


def table(result: dict[str, Any]) -> str:
    """For the page on suits and finesses."""
    return markdown_table(
        ["CPU", "median", "longest"],
        [
            ["outcomes of all lines, ms", result["median_solve_ms"], result["max_solve_ms"]],
            ["with lines for every goal in words, ms", result["median_ms"], result["max_ms"]],
        ],
    )


def _measure(holding: SuitHolding) -> dict[str, Any]:
    solution, solve_ms = cpu_ms(lambda: solve_suit(holding))

    def tell() -> list[str]:
        lines = best_lines(solution)
        told = {best.outcome.tricks: best.outcome for best in lines if best.outcome}
        return [describe_line(solution, find_line(solution, line)) for line in told.values()]

    _, tell_ms = cpu_ms(tell)
    answer = [str(solution.probability(n)) for n in range(1, holding.tricks_most + 1)]
    return {"solve_ms": solve_ms, "ms": solve_ms + tell_ms, "answer": (str(holding), answer)}


def _branching() -> dict[str, list[float]]:
    """Mean branches at a defender's turn by outstanding cards: over cards, over classes."""
    rows = random_branching(2000, seed=1)
    return {
        str(cards): [
            float(cards),
            round(statistics.mean(r.class_branches for r in rows if r.outstanding == cards), 2),
        ]
        for cards in sorted({row.outstanding for row in rows})
    }


if __name__ == "__main__":
    sys.exit(main("suit_combinations", run, table, count=COUNT))
