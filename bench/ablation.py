"""What is each technique of the search worth?

The same deals are solved with all techniques on, and then with each technique switched off alone.
Nodes are exact; times are CPU times. A search that takes too long is stopped; its nodes and time
until then are counted, so these figures are lower bounds and marked as such.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from bench.corpora.random_deals import random_deals
from bench.limited import Measured, solve_limited
from bench.report import main, markdown_table, signature
from setrograde.bridge import Deal, Seat, Strain
from setrograde.solve import Technique

__all__ = ["COUNT", "run", "table"]

COUNT = 20
LIMIT_S = 20.0
STRAINS = {"notrump": Strain.NOTRUMP, "spades": Strain.SPADES}
TECHNIQUES = tuple(Technique)
"""The single ones; `ALL` is a name for their sum."""


def run(*, count: int = COUNT, limit_s: float = LIMIT_S, seed: int = 1) -> dict[str, Any]:
    """Solve seeded random deals with each technique switched off."""
    deals = tuple(random_deals(count, seed=seed))
    everything = _measure(deals, Technique.ALL, limit_s)
    without = {t: _measure(deals, Technique.ALL & ~t, limit_s) for t in TECHNIQUES}
    base = {name: _sums(everything[name]) for name in STRAINS}
    rows = {
        str(t.name): {name: _against(_sums(without[t][name]), base[name]) for name in STRAINS}
        for t in TECHNIQUES
    }
    answers = [m.tricks_ns for name in STRAINS for m in everything[name]]
    differing = [
        one.tricks_ns != other.tricks_ns
        for t in TECHNIQUES
        for name in STRAINS
        for one, other in zip(without[t][name], everything[name], strict=True)
        if one.tricks_ns is not None
    ]
    return {
        "unit": "CPU ms a deal with all techniques, notrump and spades",
        "ours": round(sum(sums["cpu_ms"] for sums in base.values()) / count, 3),
        "signature": signature(answers, sum(sums["nodes"] for sums in base.values())),
        "mismatches": sum(differing),
        "deals": count,
        "seed": seed,
        "limit_s": limit_s,
        "all": base,
        "without": rows,
    }


def _measure(
    deals: Sequence[Deal], techniques: Technique, limit_s: float
) -> dict[str, list[Measured]]:
    return {
        name: [
            solve_limited(deal, strain, Seat.WEST, techniques=techniques, limit_s=limit_s)
            for deal in deals
        ]
        for name, strain in STRAINS.items()
    }


def _sums(measured: Sequence[Measured]) -> dict[str, Any]:
    return {
        "nodes": sum(m.nodes for m in measured),
        "cpu_ms": round(sum(m.cpu_ms for m in measured), 3),
        "stopped": sum(m.tricks_ns is None for m in measured),
    }


def _against(sums: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    return sums | {
        "nodes_ratio": round(sums["nodes"] / base["nodes"], 3) if base["nodes"] else None,
        "time_ratio": round(sums["cpu_ms"] / base["cpu_ms"], 3),
    }


def table(result: dict[str, Any]) -> str:
    """A row for each technique: nodes and time without it, relative to all techniques on."""
    header = ["without"]
    header += [f"{name}, {what}" for name in STRAINS for what in ("nodes", "time", "stopped")]
    rows = []
    for technique, by_strain in result["without"].items():
        row = [f"`{technique}`"]
        for name in STRAINS:
            figures = by_strain[name]
            sign = "≥ " if figures["stopped"] else ""
            row += [sign + f"{figures[key]:.2f}" for key in ("nodes_ratio", "time_ratio")]
            row.append(str(figures["stopped"]))
        rows.append(row)
    tail = (
        f"{result['deals']} random deals, one leader; with all techniques 1.00. A search was"
        f" stopped after {result['limit_s']:g} s. Answers that differ: {result['mismatches']}."
        f" Signature: `{result['signature']}`."
    )
    return f"{markdown_table(header, rows)}\n\n{tail}"


def add_options(parser: argparse.ArgumentParser) -> None:
    """`--limit-s`."""
    parser.add_argument(
        "--limit-s", type=float, default=LIMIT_S, metavar="S", help="seconds a search may take"
    )


if __name__ == "__main__":
    sys.exit(main("ablation", run, table, count=COUNT, add_options=add_options))
