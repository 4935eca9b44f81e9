"""Are exact odds right at scale? Two methods against each other, and against layouts solved alone.

The totals over all 10,400,600 layouts by tie classes and by plain patterns must be equal. The
settled answers for many random layouts must be those of a search that knows nothing of the others.
A few hundred layouts would not do: the mistake to fear shows in one layout of eight thousand (see
the page on odds).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

from bench.corpora.hand_pairs import PairQuestion, read_hand_pairs
from setrograde.analysis.odds.exact import solve_odds
from setrograde.bridge import Side
from setrograde.solve import solve_many

THREADS = 2
LIMIT_MB = 3072
_BATCH = 2_000


def compare_methods(pair: PairQuestion) -> dict[str, Any]:
    """Layouts that make by either method, and what each took."""
    row: dict[str, Any] = {"check": "methods", "pair": str(pair)}
    for method in ("classes", "patterns"):
        start = time.monotonic()
        found = solve_odds(
            pair.question, need=pair.need, threads=THREADS, limit_mb=LIMIT_MB, method=method
        )
        row[method] = found.counts_at_least(pair.need)[0]
        row[f"{method}_s"] = round(time.monotonic() - start, 1)
    return row | {"equal": row["classes"] == row["patterns"]}


def compare_layouts(pair: PairQuestion, count: int, *, seed: int = 1) -> dict[str, Any]:
    """Random layouts whose settled answer is not that of a direct solve."""
    question = pair.question
    found = solve_odds(question, need=pair.need, threads=THREADS, limit_mb=LIMIT_MB)
    sets = found.settled[pair.need].sets
    assert sets is not None and question.declarer.side is Side.NS
    layouts = question.layouts.sample(count, seed=seed)
    settled = sets.answers(question.layouts.cards, layouts)
    wrong = []
    for start in range(0, count, _BATCH):
        batch = layouts[start : start + _BATCH]
        tricks = solve_many(
            [question.play_of(layout) for layout in batch], threads=THREADS, endings=None
        )
        for layout, taken, makes in zip(batch, tricks, settled, strict=False):
            if makes != (taken >= pair.need):
                wrong.append(str(layout))
    row = {"check": "layouts", "pair": str(pair), "layouts": count, "wrong": len(wrong)}
    return row | {"examples": wrong[:5], "equal": not wrong}


def main(argv: Sequence[str] | None = None) -> int:
    """Print one line of JSON for each pair of hands; exit status 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m bench.odds_check", description=__doc__)
    parser.add_argument("--methods", type=int, nargs="*", default=[], metavar="PAIR")
    parser.add_argument("--against-layouts", type=int, nargs="*", default=[], metavar="PAIR")
    parser.add_argument("--layouts", type=int, default=100_000, metavar="N")
    args = parser.parse_args(argv)
    pairs = read_hand_pairs()
    is_right = True
    for index in args.methods:
        row = compare_methods(pairs[index])
        print(json.dumps(row), flush=True)
        is_right &= row["equal"]
    for index in args.against_layouts:
        row = compare_layouts(pairs[index], args.layouts)
        print(json.dumps(row), flush=True)
        is_right &= row["equal"]
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
