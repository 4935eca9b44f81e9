"""What are databases of endings worth inside the search, next to DDS?

The tables of random deals solved with every database there is and with none, and by DDS, in turn on
each deal; or those of the hard corpus without DDS, which takes an hour for them. Every answer is
compared. A fresh solver each time, one thread, CPU time.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from bench.corpora.hard import hardest_deals
from bench.corpora.random_deals import random_deals
from bench.peers import peer_deal, peer_table
from bench.report import cpu_ms, main, markdown_table, signature
from setrograde.bridge import Deal
from setrograde.db.database import DiagramLevel
from setrograde.db.methods.diagram_build import build_diagrams
from setrograde.db.methods.thresholds import build_thresholds
from setrograde.locations import level_path
from setrograde.solve import Solver
from setrograde.solve.endings import EndingTable

__all__ = ["COUNT", "run", "table"]

COUNT = 100


def run(
    *, count: int = COUNT, seed: int = 1, data: Path | None = None, hard: bool = False
) -> dict[str, Any]:
    """Solve tables with and without databases; 16 cards are built for it, 20 come from `data`."""
    deals = list(hardest_deals()[:count] if hard else random_deals(count, seed=seed))
    for stranger in random_deals(1, seed=seed + 1):  # DDS takes its memory with the first table
        peer_table(peer_deal(stranger))
    with tempfile.TemporaryDirectory() as folder:
        choices: dict[str, EndingTable | None] = {"none": None, "16 cards": _build(Path(folder))}
        if data is not None and (path := level_path(5, data, method="thresholds")).exists():
            choices["20 cards"] = EndingTable(path)
        return _measure(deals, choices, with_peer=not hard) | {
            "seed": seed,
            "corpus": "hard" if hard else "random",
        }


def _build(folder: Path) -> EndingTable:
    build_diagrams(4, folder / "level")
    return build_thresholds(DiagramLevel(folder / "level"), folder / "search")


def _measure(
    deals: list[Deal], choices: dict[str, EndingTable | None], *, with_peer: bool
) -> dict[str, Any]:
    times: dict[str, list[float]] = {name: [] for name in choices}
    if with_peer:
        times["DDS"] = []
    counters: dict[str, Counter[str]] = {name: Counter() for name in choices}
    answers, mismatches = [], 0
    for number, deal in enumerate(deals):
        tables = []
        for name in _turned(list(choices), number):
            solver = Solver(endings=choices[name])
            found, ms = cpu_ms(partial(solver.table, deal))
            times[name].append(ms)
            counters[name].update(solver.statistics())
            tables.append(found)
        if with_peer:
            theirs, ms = cpu_ms(partial(peer_table, peer_deal(deal)))
            times["DDS"].append(ms)
            tables.append(theirs)
        mismatches += any(found != tables[0] for found in tables)
        answers.append(tables[0].rows)
    means = {name: statistics.mean(values) for name, values in times.items()}
    largest = list(choices)[-1]
    nodes = sum(counter["nodes"] for counter in counters.values())
    return {
        "unit": "CPU ms a table, mean, with the largest database",
        "ours": round(means[largest], 3),
        "peer": round(means["DDS"], 3) if with_peer else None,
        "ratio": round(means["DDS"] / means[largest], 3) if with_peer else None,
        "signature": signature(answers, nodes),
        "deals": len(deals),
        "mismatches": mismatches,
        "mean_ms": {name: round(mean, 3) for name, mean in means.items()},
        "longest_ms": {name: round(max(values), 1) for name, values in times.items()},
        "nodes": {name: counter["nodes"] // len(deals) for name, counter in counters.items()},
        "probes": {name: counter["probes"] // len(deals) for name, counter in counters.items()},
    }


def _turned(names: list[str], by: int) -> list[str]:
    """Who is first changes every time."""
    return names[by % len(names) :] + names[: by % len(names)]


def table(result: dict[str, Any]) -> str:
    """A row for each database."""
    means = result["mean_ms"]
    rows = []
    for name, mean in means.items():
        ours = name != "DDS"
        rows.append(
            [
                name,
                f"{mean:.1f}",
                f"{result['longest_ms'][name]:.0f}",
                f"{means['none'] / mean:.2f}",
                f"{means['DDS'] / mean:.2f}" if "DDS" in means else "",
                f"{result['nodes'][name]:,}" if ours else "",
                f"{result['probes'][name]:,}" if ours else "",
            ]
        )
    heads = [
        f"{result['deals']} {result['corpus']} deals, endings",
        "CPU ms a table, mean",
        "longest",
        "times as fast as none",
        "times as fast as DDS",
        "nodes a table",
        "looked up",
    ]
    tail = f"Tables that differ: {result['mismatches']}. Signature: `{result['signature']}`."
    return f"{markdown_table(heads, rows)}\n\n{tail}"


def add_options(parser: argparse.ArgumentParser) -> None:
    """`--data`, `--hard`."""
    parser.add_argument("--data", type=Path, metavar="DIR", help="a data directory with 20 cards")
    parser.add_argument(
        "--hard", action="store_true", help="the hard corpus instead of random deals"
    )


if __name__ == "__main__":
    sys.exit(main("endings_in_search", run, table, count=COUNT, add_options=add_options))
