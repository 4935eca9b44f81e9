"""How fast are deals drawn, next to endplay's dealer?

Ours are counted and drawn from the counts; endplay shuffles until a deal fits. Both are asked from
Python for the same conditions. Where one deal in many millions fits, endplay gets as many shuffles
as it makes in some seconds, and what it found is reported.
"""

from __future__ import annotations

import time
import warnings
from typing import Any

from endplay.dealer import generate_deals
from endplay.types import Deal as PeerDeal
from endplay.types import Hand as PeerHand
from endplay.types import Player

from bench.report import markdown_table, signature
from setrograde.analysis.deal import DealSampler, deals_of

COUNT = 200_000
REPEATS = 3
PEER_TRIES = 4_000

CASES: dict[str, tuple[dict[str, str], dict[str, str], str]] = {
    "any deal": ({}, {}, "hcp(north) >= 0"),
    "two hands": (
        {},
        {"N": "hcp 15-17, balanced", "S": "spades 5+, hcp 8+"},
        "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)"
        " && spades(south) >= 5 && hcp(south) >= 8",
    ),
    "defenders": (
        {"N": "AKQ2.T98.A76.K54", "S": "876.765.KQJ.QJT9"},
        {"W": "hcp 5-10, hearts 6+"},
        "hcp(west) >= 5 && hcp(west) <= 10 && hearts(west) >= 6",
    ),
    "one in 3e7": (
        {},
        {"N": "hcp 25+, balanced", "S": "spades 8+, hcp 8+"},
        "hcp(north) >= 25 && shape(north, any 4333 + any 4432 + any 5332)"
        " && spades(south) >= 8 && hcp(south) >= 8",
    ),
}
"""Known cards, conditions in our words, and the same for endplay."""


def run(count: int = COUNT) -> dict[str, Any]:
    """Deals a second of CPU time, the median of three runs each; in the core, and as objects."""
    cases: dict[str, Any] = {}
    answers = []
    for name, (known, constraints, script) in CASES.items():
        sampler = DealSampler(known, constraints)
        core, objects, peer, found = [], [], [], 0
        for seed in range(1, REPEATS + 1):
            start = time.process_time()
            rows = sampler.draw(count, seed)
            core.append(count / (time.process_time() - start))
            start = time.process_time()
            deals_of(rows[: count // 20 + 1])
            share = (count // 20 + 1) / count
            objects.append(count * share / (time.process_time() - start + count * share / core[-1]))
            answers.append(hash_of(rows))
            got, seconds = _peer(known, script, seed)
            found += got
            peer.append(got / seconds)
        cases[name] = {
            "one_in": round(float(1 / sampler.probability), 1),
            "core": round(_median(core)),
            "ours": round(_median(objects)),
            "peer": round(_median(peer), 2),
            "peer_found": found,
            "ratio": round(_median(objects) / _median(peer), 1) if _median(peer) else None,
        }
    two = cases["two hands"]
    return {
        "ours": two["ours"],
        "peer": two["peer"],
        "ratio": two["ratio"],
        "signature": signature(answers),
        "count": count,
        "cases": cases,
    }


def hash_of(rows: Any) -> int:
    """A number that follows from all deals, the same on every machine."""
    return int((rows * 0x9E3779B97F4A7C15 >> 7).sum() & 0xFFFFFFFF)


def _peer(known: dict[str, str], script: str, seed: int) -> tuple[int, float]:
    """Deals that endplay finds in some tries, and its CPU seconds."""
    predeal = PeerDeal()
    for seat, hand in known.items():
        predeal[Player.find(seat)] = PeerHand(hand)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(
            generate_deals(
                script, predeal=predeal, produce=PEER_TRIES, seed=seed, max_attempts=PEER_TRIES
            )
        )
    return len(found), time.process_time() - start


def _median(numbers: list[float]) -> float:
    return sorted(numbers)[len(numbers) // 2]


def table(result: dict[str, Any]) -> str:
    """One row for each set of conditions."""
    rows = [
        (
            name,
            f"{case['one_in']:,}",
            f"{case['core']:,}",
            f"{case['ours']:,}",
            f"{case['peer']:,}" if case["peer_found"] else f"none in {REPEATS * PEER_TRIES:,}",
            f"{case['ratio']:,}" if case["ratio"] else "-",
        )
        for name, case in result["cases"].items()
    ]
    header = ("deals a second", "one in", "as arrays", "as objects", "endplay", "ratio")
    return markdown_table(header, rows)
