"""How long do freak deals take, next to DDS?

The 21 hardest of 2,000 freak deals of our own making (`corpora/hard.py`): the table of 20 results
of each, our solver and DDS in turn, one thread, CPU time. `--find` chooses the 21 again, by the
nodes of our search. That favours DDS: the deals are hard for us, whether or not for DDS.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

from bench.corpora.hard import HARDEST, hard_deals, hardest_deals, write_deals
from bench.corpora.random_deals import random_deals
from bench.peers import peer_deal, peer_table
from bench.report import cpu_ms, main, markdown_table, signature
from setrograde import _core
from setrograde.bridge import Deal, Seat, Side, Strain, TrickTable
from setrograde.solve import Solver, Technique

__all__ = ["COUNT", "find_hardest", "run", "table"]

COUNT = 21
CANDIDATES = 2000
LIMIT_MB = 256
SCREENS = (Strain.NOTRUMP, Strain.SPADES)


def run(*, count: int = COUNT, find: int = 0) -> dict[str, Any]:
    """Solve the hardest freak deals, by our solver and by DDS in turn."""
    if find:
        deals = find_hardest(find)
        remark = f"the {len(deals)} hardest of {find}: python -m bench.hard_deals --find {find}"
        write_deals(HARDEST, deals, remark=remark)
    for stranger in random_deals(1):  # DDS takes its memory with the first table
        peer_table(peer_deal(stranger))
    rows = []
    for index, deal in enumerate(hardest_deals()[:count]):
        rows.append(row := _compare(index, deal))
        print(f"{deal.to_pbn()}: {row['ours_s']} s, DDS {row['peer_s']} s", file=sys.stderr)
    ours = sum(row["ours_s"] for row in rows)
    peer = sum(row["peer_s"] for row in rows)
    return {
        "unit": "CPU s, all tables",
        "ours": round(ours, 3),
        "peer": round(peer, 3),
        "ratio": round(peer / ours, 3),
        "signature": signature((row["table"] for row in rows), sum(row["nodes"] for row in rows)),
        "mismatches": sum(not row["same"] for row in rows),
        "longest_ours_s": max(row["ours_s"] for row in rows),
        "longest_peer_s": max(row["peer_s"] for row in rows),
        "collections": sum(row["collections"] for row in rows),
        "peak_table_mb": max(row["peak_table_mb"] for row in rows),
        "limit_mb": LIMIT_MB,
        "deals": rows,
    }


def _compare(index: int, deal: Deal) -> dict[str, Any]:
    other = peer_deal(deal)

    def ask_ours() -> tuple[TrickTable, dict[str, int]]:
        return solve_watched(deal)

    def ask_peer() -> TrickTable:
        return peer_table(other)

    if index % 2:
        theirs, peer_ms = cpu_ms(ask_peer)
        (ours, counters), ours_ms = cpu_ms(ask_ours)
    else:
        (ours, counters), ours_ms = cpu_ms(ask_ours)
        theirs, peer_ms = cpu_ms(ask_peer)
    return {
        "deal": deal.to_pbn(),
        "ours_s": round(ours_ms / 1e3, 3),
        "peer_s": round(peer_ms / 1e3, 3),
        "same": ours == theirs,
        "table": ours.rows,
        "nodes": counters["nodes"],
        "collections": counters["collections"],
        "peak_table_mb": round(counters["table_bytes"] / (1 << 20), 1),
    }


def solve_watched(deal: Deal) -> tuple[TrickTable, dict[str, int]]:
    """As `Solver.table`, with the counters; `table_bytes` is that of the most costly strain."""
    n, e, s, w = (hand.bits for hand in deal.hands)
    core = _core.Solver(LIMIT_MB << 20, int(Technique.ALL))
    by_leader, table_bytes = [], 0
    for strain in Strain:
        core.reset()
        by_leader.append(core.solve_leaders((n, e, s, w), int(strain)))
        table_bytes = max(table_bytes, core.statistics()["table_bytes"])

    def tricks(declarer: Seat, strain: Strain) -> int:
        tricks_ns = by_leader[strain][declarer.next]
        return tricks_ns if declarer.side is Side.NS else 13 - tricks_ns

    return TrickTable.from_function(tricks), core.statistics() | {"table_bytes": table_bytes}


def find_hardest(candidates: int) -> tuple[Deal, ...]:
    """The 21 of the first `candidates` freak deals that take most nodes, hardest first.

    One question each in two strains leaves a hundred; the exact values in both leave 21.
    """
    asked = _most(tuple(hard_deals(candidates)), 100, _nodes_of_question)
    return _most(asked, COUNT, _nodes_of_values)


def _most(deals: tuple[Deal, ...], count: int, cost: Callable[[Deal], int]) -> tuple[Deal, ...]:
    costs = {}
    for done, deal in enumerate(deals, 1):
        costs[deal] = cost(deal)
        if done % 100 == 0:
            print(f"{cost.__name__.strip('_')}: {done} of {len(deals)}", file=sys.stderr)
    return tuple(sorted(costs, key=lambda deal: -costs[deal])[:count])


def _nodes_of_question(deal: Deal) -> int:
    """Nodes to tell whether the leader's side takes seven tricks."""
    n, e, s, w = (hand.bits for hand in deal.hands)
    nodes = 0
    for strain in SCREENS:
        core = _core.Solver(LIMIT_MB << 20, int(Technique.ALL))
        core.ask((n, e, s, w), int(strain), int(Seat.NORTH), (), 7)
        nodes += core.statistics()["nodes"]
    return nodes


def _nodes_of_values(deal: Deal) -> int:
    return sum(
        Solver(limit_mb=LIMIT_MB, endings=None).solve(deal, s, Seat.NORTH).nodes for s in SCREENS
    )


def table(result: dict[str, Any]) -> str:
    """Sums and extremes."""
    figures = markdown_table(
        [f"{len(result['deals'])} freak deals, full tables, CPU s", "ours", "DDS", "DDS / ours"],
        [
            ["all", f"{result['ours']:.1f}", f"{result['peer']:.1f}", f"{result['ratio']:.2f}"],
            [
                "longest",
                f"{result['longest_ours_s']:.1f}",
                f"{result['longest_peer_s']:.1f}",
                f"{result['longest_peer_s'] / result['longest_ours_s']:.2f}",
            ],
        ],
    )
    tail = (
        f"Our table was thinned {result['collections']} times; it took at most"
        f" {result['peak_table_mb']} MB of the {result['limit_mb']} MB it may take. Answers that"
        f" differ: {result['mismatches']}. Signature: `{result['signature']}`."
    )
    return f"{figures}\n\n{tail}"


def add_options(parser: argparse.ArgumentParser) -> None:
    """`--find`."""
    parser.add_argument(
        "--find",
        type=int,
        nargs="?",
        const=CANDIDATES,
        default=0,
        metavar="N",
        help=f"first choose the 21 again, of N freak deals (default {CANDIDATES}); takes long",
    )


if __name__ == "__main__":
    sys.exit(main("hard_deals", run, table, count=COUNT, add_options=add_options))
