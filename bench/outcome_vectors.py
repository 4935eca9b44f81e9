"""What does a double-dummy vector over 40 worlds cost in real positions of 3NT, next to DDS?

The question is whether declarer takes the tricks that the deal itself yields double dummy, asked
in 40 layouts of the cards he does not see. Our context is empty at the start of each vector. DDS
solves the same positions with the number of tricks as its target and gives one card. One thread,
CPU time. With `--data` the databases of that folder are used, else those installed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from endplay.types import Deal as PeerDeal

from bench.corpora.notrump_play import draw_layouts, positions
from bench.peers import peer_deal, peer_reaches
from bench.report import cpu_ms, main, markdown_table, signature
from setrograde.bridge import Deal, Hand, Play, Seat, Strain
from setrograde.locations import level_path
from setrograde.solve import Solver
from setrograde.solve.endings import EndingTable, installed_endings
from setrograde.solve.strategy import PlayState, StrategySearch

__all__ = ["COUNT", "add_options", "endings_in", "run", "table"]

COUNT = 20
WORLDS = 40
TRICKS = (13, 11, 9, 7)


def run(
    *, count: int = COUNT, seed: int = 1, data: Path | None = None, peer_worlds: int = WORLDS
) -> dict[str, Any]:
    """Measure vectors of outcomes; DDS solves the first `peer_worlds` worlds of each position."""
    endings = endings_in(data)
    solver = Solver(limit_mb=512, endings=endings)
    search = StrategySearch(limit_mb=256, endings=endings)
    rows = {str(tricks): _Row() for tricks in TRICKS}
    answers, mismatches = [], 0
    for tricks in TRICKS:
        row = rows[str(tricks)]
        for number, play in enumerate(positions(count, tricks=tricks, seed=seed, solver=solver)):
            state = PlayState.from_play(play, Seat.SOUTH)
            need = max(
                1, solver.solve(play.deal, play.strain, play.leader, played=play.cards).tricks_ns
            )
            worlds = draw_layouts(play, WORLDS, seed=number)
            search.reset()
            ask = partial(search.outcomes, state, np.array(worlds, np.uint64), state.won + need)
            found, ms = cpu_ms(ask)
            row.ours.append(ms)
            row.yes += int(found.sum())
            row.worlds += len(worlds)
            answers.append("".join("01"[bool(yes)] for yes in found))
            peers = [_peer(play, world) for world in worlds[:peer_worlds]]
            theirs, ms = cpu_ms(partial(_ask_peer, peers, need))
            row.peer.append(ms * len(worlds) / len(peers))
            mismatches += sum(a != bool(b) for a, b in zip(theirs, found, strict=False))
    summary = {name: row.summary() for name, row in rows.items()}
    first = summary[str(TRICKS[0])]
    return {
        "unit": "CPU ms a vector of 40 worlds with 13 tricks left, mean",
        "ours": first["ours"],
        "peer": first["peer"],
        "ratio": first["ratio"],
        "signature": signature(answers),
        "positions": count,
        "seed": seed,
        "endings": None if endings is None else 4 * endings.tricks,
        "mismatches": mismatches,
        "by_tricks": summary,
    }


class _Row:
    """Times of one number of tricks."""

    def __init__(self) -> None:
        self.ours: list[float] = []
        self.peer: list[float] = []
        self.yes = self.worlds = 0

    def summary(self) -> dict[str, float]:
        ours, peer = statistics.mean(self.ours), statistics.mean(self.peer)
        return {
            "ours": round(ours, 3),
            "median": round(statistics.median(self.ours), 3),
            "longest": round(max(self.ours), 3),
            "peer": round(peer, 2),
            "ratio": round(peer / ours, 1),
            "made": round(self.yes / self.worlds, 3),
        }


def endings_in(data: Path | None) -> EndingTable | None:
    """The largest database for the search in a folder, or the one installed."""
    if data is None:
        return installed_endings()
    for tricks in (5, 4, 3):
        if (path := level_path(tricks, data, method="thresholds")).exists():
            return EndingTable(path)
    return None


def _peer(play: Play, world: int) -> PeerDeal:
    """The position of one world as endplay has it, its trick begun."""
    trick, remaining = play.current_trick, play.remaining
    hidden = remaining[Seat.EAST] | remaining[Seat.WEST]
    east = Hand(world)
    hands = [remaining[Seat.NORTH], east, remaining[Seat.SOUTH], hidden - east]
    for step, card in enumerate(trick.cards):
        hands[trick.leader.next_by(step)] |= Hand.from_cards([card])
    deal = Deal((hands[0], hands[1], hands[2], hands[3]))
    peer = peer_deal(deal, Strain.NOTRUMP, trick.leader)
    for card in trick.cards:
        peer.play(str(card))
    return peer


def _ask_peer(deals: list[PeerDeal], need: int) -> list[bool]:
    return [peer_reaches(deal, need) for deal in deals]


def table(result: dict[str, Any]) -> str:
    """A row for each number of tricks."""
    rows = [
        [
            tricks,
            f"{row['ours']:.2f}",
            f"{row['median']:.2f}",
            f"{row['longest']:.1f}",
            f"{row['peer']:.0f}",
            f"{row['ratio']:.0f}",
        ]
        for tricks, row in result["by_tricks"].items()
    ]
    heads = [
        f"{result['positions']} positions, tricks left",
        "ms a vector, mean",
        "median",
        "longest",
        "DDS",
        "times as fast",
    ]
    cards = result["endings"]
    tail = (
        f"Endings of {cards} cards." if cards else "No endings."
    ) + f" Answers that differ: {result['mismatches']}. Signature: `{result['signature']}`."
    return f"{markdown_table(heads, rows)}\n\n{tail}"


def add_options(parser: argparse.ArgumentParser) -> None:
    """`--data`, `--seed`, `--peer-worlds`."""
    parser.add_argument("--data", type=Path, metavar="DIR", help="a data directory with endings")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="positions (default 1)")
    parser.add_argument(
        "--peer-worlds",
        type=int,
        default=WORLDS,
        metavar="N",
        help=f"worlds that DDS solves, of {WORLDS} (default {WORLDS}); its time is scaled",
    )


if __name__ == "__main__":
    sys.exit(main("outcome_vectors", run, table, count=COUNT, add_options=add_options))
