"""What is a second thread worth?

The tables of the same deals are solved with one thread and with two, in turn, twice each. The
better wall time of each counts. The answers must be the same.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from bench.corpora.random_deals import random_deals
from bench.report import main, markdown_table, signature
from setrograde.bridge import TrickTable
from setrograde.solve import solve_tables

__all__ = ["COUNT", "run", "table"]

COUNT = 40
THREADS = (1, 2)
REPEATS = 2


def run(*, count: int = COUNT, seed: int = 1) -> dict[str, Any]:
    """Solve tables of seeded random deals with one thread and with two."""
    deals = tuple(random_deals(count, seed=seed))
    walls: dict[int, list[float]] = {threads: [] for threads in THREADS}
    answers: set[tuple[TrickTable, ...]] = set()
    for _ in range(REPEATS):
        for threads in THREADS:
            start = time.perf_counter()
            answers.add(solve_tables(deals, threads=threads))
            walls[threads].append(time.perf_counter() - start)
    one, two = (min(walls[threads]) for threads in THREADS)
    return {
        "unit": "wall s, all tables; ours: two threads, peer: one",
        "ours": round(two, 3),
        "peer": round(one, 3),
        "ratio": round(one / two, 3),
        "signature": signature(table.rows for table in next(iter(answers))),
        "mismatches": len(answers) - 1,
        "deals": count,
        "seed": seed,
    }


def table(result: dict[str, Any]) -> str:
    """One row for each number of threads."""
    figures = markdown_table(
        [f"{result['deals']} tables", "wall s", "tables a second", "gain"],
        [
            ["one thread", f"{result['peer']:.2f}", f"{result['deals'] / result['peer']:.1f}", "1"],
            [
                "two threads",
                f"{result['ours']:.2f}",
                f"{result['deals'] / result['ours']:.1f}",
                f"{result['ratio']:.2f}",
            ],
        ],
    )
    return f"{figures}\n\nSignature: `{result['signature']}`."


if __name__ == "__main__":
    sys.exit(main("threads", run, table, count=COUNT))
