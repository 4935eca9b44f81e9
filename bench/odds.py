"""How long do exact odds take, and what do they save over solving all layouts one by one?

There are 40 pairs of hands (`bench/corpora/hand_pairs.py`), each with the number of tricks whose
chance is nearest to 50 %. All 10,400,600 layouts are settled, with two threads and 3 GB. No other
program answers this question. What solving every layout would take, by our solver and by DDS, is
extrapolated from a sample of layouts of the same pair, solved one by one in the same run.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from bench.corpora.hand_pairs import COUNT, PairQuestion, read_hand_pairs
from bench.peers import peer_deal, solve_board_one
from bench.report import cpu_ms, main, markdown_table, signature
from setrograde.analysis.odds.exact import Method, odds_stream, solve_odds
from setrograde.analysis.odds.result import Odds
from setrograde.bridge import Hand, Strain
from setrograde.solve import Solver

THREADS = 2
LIMIT_MB = 3072
LAYOUTS_ALONE = 20
"""Layouts solved one by one for the extrapolation."""


def run(
    count: int = COUNT,
    *,
    pairs: Sequence[int] | None = None,
    distribution: bool = False,
    method: Method = "patterns",
    limit_s: float | None = None,
) -> dict[str, Any]:
    """Exact odds of seeded pairs of hands: seconds, searches, and layouts settled by each."""
    rows = []
    chosen = read_hand_pairs(count)
    for pair in chosen if pairs is None else [chosen[index] for index in pairs]:
        row = _measure(pair, distribution=distribution, method=method, limit_s=limit_s)
        rows.append(row)
        print(row, file=sys.stderr, flush=True)
    done = [row for row in rows if row["exact"]]
    return {
        "pairs": len(rows),
        "not_settled": len(rows) - len(done),
        "threads": THREADS,
        "limit_mb": LIMIT_MB,
        "ours": _median(done, "cpu_s"),
        "peer": _median(done, "dds_alone_s"),
        "ratio": _median(done, "speed_up_dds"),
        "signature": signature(row["answer"] for row in rows),
        "summary": {
            name: {key: _quantiles([row[key] for row in part]) for key in _SUMMED}
            for name, part in _parts(done).items()
        },
        "early_estimates": sum(row["early_half_width"] <= 0.06 for row in rows) / len(rows),
        "rows": rows,
    }


_SUMMED = (
    "wall_s",
    "cpu_s",
    "solves",
    "sets",
    "lies_per_set",
    "told_apart",
    "speed_up",
    "speed_up_dds",
)


def _measure(
    pair: PairQuestion, *, distribution: bool, method: Method, limit_s: float | None
) -> dict[str, Any]:
    need = None if distribution else pair.need
    start = time.monotonic()
    found, ms = cpu_ms(lambda: _settle(pair, need, method, limit_s))
    wall_s = time.monotonic() - start
    settled = found.settled[pair.need]
    sets = sum(len(each.sets or ()) for each in found.settled.values())
    layouts = found.layouts * len(found.settled)
    alone = _alone_s(pair) * found.layouts
    dds = _dds_alone_s(pair) * found.layouts
    return {
        "pair": str(pair),
        "is_notrump": pair.question.strain is Strain.NOTRUMP,
        "exact": found.exact,
        "answer": found.distribution if distribution else settled.makes,
        "probability": round(settled.makes / found.layouts, 6),
        "wall_s": round(wall_s, 2),
        "cpu_s": round(ms / 1000, 2),
        "solves": found.solves,
        "sets": sets,
        "lies_per_set": round(layouts / sets) if sets else None,
        "told_apart": round(settled.told_apart / found.layouts, 5),
        "alone_s": round(alone),
        "dds_alone_s": round(dds),
        "speed_up": round(alone / (ms / 1000)),
        "speed_up_dds": round(dds / (ms / 1000)),
        "early_half_width": round(_early(pair), 4),
    }


def _settle(pair: PairQuestion, need: int | None, method: Method, limit_s: float | None) -> Odds:
    options: dict[str, Any] = {"threads": THREADS, "limit_mb": LIMIT_MB, "method": method}
    if limit_s is None:
        return solve_odds(pair.question, need=need, **options)
    *_, last = odds_stream(pair.question, need=need, samples=0, time_s=limit_s, **options)
    return last


def _early(pair: PairQuestion) -> float:
    """Half the 95 % interval, or half of what is proved, two seconds after the start."""
    best = 1.0
    for update in odds_stream(pair.question, need=pair.need, time_s=2.0, threads=THREADS):
        if update.seconds > 2.0:
            break
        low, high = update.bounds_at_least(pair.need)
        halves = [float(high - low) / 2]
        if update.estimate is not None:
            halves.append(update.estimate.half_width)
        best = min(best, *halves)
    return best


def _alone_s(pair: PairQuestion) -> float:
    """CPU seconds for a layout by our solver, which forgets everything in between."""
    solver = Solver(limit_mb=64, endings=None)

    def solve(layout: Hand) -> None:
        solver.reset()
        play = pair.question.play_of(layout)
        solver.solve(play.deal, play.strain, play.leader)

    return _mean_s(pair, solve)


def _dds_alone_s(pair: PairQuestion) -> float:
    """CPU seconds for a layout by DDS."""

    def solve(layout: Hand) -> None:
        play = pair.question.play_of(layout)
        solve_board_one(peer_deal(play.deal, play.strain, play.leader))

    return _mean_s(pair, solve)


def _mean_s(pair: PairQuestion, solve: Callable[[Hand], None]) -> float:
    layouts = pair.question.layouts.sample(LAYOUTS_ALONE, seed=1)
    _, ms = cpu_ms(lambda: [solve(layout) for layout in layouts])
    return ms / 1000 / len(layouts)


def _parts(rows: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    return {
        "all": list(rows),
        "notrump": [row for row in rows if row["is_notrump"]],
        "suits": [row for row in rows if not row["is_notrump"]],
    }


def _quantiles(values: Sequence[float | None]) -> dict[str, float] | None:
    known = sorted(value for value in values if value is not None)
    if not known:
        return None
    nine = known[min(len(known) - 1, int(0.9 * len(known)))]
    return {"median": statistics.median(known), "p90": nine, "most": known[-1]}


def _median(rows: Sequence[dict[str, Any]], key: str) -> float | None:
    return statistics.median([row[key] for row in rows]) if rows else None


_NAMES = {
    "wall_s": "seconds",
    "cpu_s": "CPU seconds",
    "solves": "searches",
    "lies_per_set": "layouts a set",
    "told_apart": "share of layouts the games with ties left open",
    "speed_up": "times faster than our solver, every layout alone",
    "speed_up_dds": "times faster than DDS, every layout alone",
}


def table(result: dict[str, Any]) -> str:
    """For the page on odds."""
    rows = []
    for key, name in _NAMES.items():
        cells: list[object] = [name]
        for part in ("all", "notrump", "suits"):
            found = result["summary"][part][key]
            cells.append(
                "–" if found is None else f"{_shown(found['median'])} / {_shown(found['p90'])}"
            )
        rows.append(cells)
    head = [f"{result['pairs']} pairs, median / 90 %", "all", "notrump", "suits"]
    return markdown_table(head, rows)


def _shown(value: float) -> str:
    """Three figures or whole numbers."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What to measure."""
    parser.add_argument(
        "--distribution", action="store_true", help="the whole distribution instead"
    )
    parser.add_argument(
        "--pairs", type=int, nargs="+", metavar="I", help="only these, counted from 0"
    )
    parser.add_argument("--method", choices=("classes", "patterns"), default="patterns")
    parser.add_argument("--limit-s", type=float, metavar="S", help="give up a pair after S seconds")


if __name__ == "__main__":
    sys.exit(main("odds", run, table, count=COUNT, add_options=add_options))
