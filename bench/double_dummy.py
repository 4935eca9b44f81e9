"""How fast are random deals solved double dummy, next to DDS?

Our solver and DDS answer the same three questions about each deal, in turn: the table of 20
results; the value of one strain with one leader, in notrump and in spades; the value of every card
of that leader. Every answer is compared. Each question gets a fresh solver and one thread; times
are CPU times.
"""

from __future__ import annotations

import statistics
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bench.corpora.random_deals import random_deals
from bench.peers import (
    peer_card_values,
    peer_deal,
    peer_table,
    peer_value,
    solve_board,
    solve_board_one,
)
from bench.report import cpu_ms, main, markdown_table, signature
from setrograde.bridge import Deal, Seat, Strain
from setrograde.solve import Solver

__all__ = ["COUNT", "Comparison", "run", "table"]

T = TypeVar("T")
U = TypeVar("U")

COUNT = 100
LEADER = Seat.WEST
STRAINS = {"spades": Strain.SPADES, "notrump": Strain.NOTRUMP}


@dataclass
class Comparison:
    """Times and counters of one question asked of both solvers."""

    ours_ms: list[float] = field(default_factory=list)
    peer_ms: list[float] = field(default_factory=list)
    mismatches: int = 0
    counters: Counter[str] = field(default_factory=Counter)

    def ask(self, ours: Callable[[Solver], T], peer: Callable[[], U]) -> tuple[T, U]:
        """Ask both solvers; each begins every other time. Our time includes making the solver."""

        def ask_ours() -> tuple[T, dict[str, int]]:
            solver = Solver(endings=None)
            return ours(solver), solver.statistics()

        if len(self.ours_ms) % 2:
            theirs, peer_ms = cpu_ms(peer)
            (answer, counters), ours_ms = cpu_ms(ask_ours)
        else:
            (answer, counters), ours_ms = cpu_ms(ask_ours)
            theirs, peer_ms = cpu_ms(peer)
        self.ours_ms.append(ours_ms)
        self.peer_ms.append(peer_ms)
        self.counters.update(counters)
        return answer, theirs

    def summary(self) -> dict[str, float | int]:
        """Means and medians of the times, and the counters of our search, for each deal."""
        c, deals = self.counters, len(self.ours_ms)
        ours, peer = statistics.mean(self.ours_ms), statistics.mean(self.peer_ms)
        ours_median, peer_median = map(statistics.median, (self.ours_ms, self.peer_ms))
        return {
            "ours_mean_ms": round(ours, 3),
            "peer_mean_ms": round(peer, 3),
            "ratio_mean": round(peer / ours, 3),
            "ours_median_ms": round(ours_median, 3),
            "peer_median_ms": round(peer_median, 3),
            "ratio_median": round(peer_median / ours_median, 3),
            "mismatches": self.mismatches,
            "nodes": round(c["nodes"] / deals),
            "lookups": round(c["lookups"] / deals),
            "hit_rate": _rate(c["hits"], c["lookups"]),
            "pattern_cards": _rate(c["named_cards"], c["stores"]),
            "first_lead_rate": _rate(c["leads_cut_first"], c["leads_cut"]),
        }


def _rate(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def run(*, count: int = COUNT, seed: int = 1) -> dict[str, Any]:
    """Solve seeded random deals, by our solver and by DDS in turn."""
    deals = tuple(random_deals(count, seed=seed))
    for stranger in random_deals(1, seed=seed + 1):  # DDS takes its memory with the first table
        peer_table(peer_deal(stranger))
    answers: list[object] = []
    # One question at a time, for all deals: DDS keeps its table while deal and strain stay the
    # same, and would answer from it. Tables end in notrump, so spades come next.
    questions = {"table": Comparison()}
    answers += [_compare_tables(deal, questions["table"]) for deal in deals]
    for kind, compare in (("value", _compare_values), ("cards", _compare_cards)):
        for name, strain in STRAINS.items():
            question = questions[f"{kind}, {name}"] = Comparison()
            answers += [compare(deal, strain, question) for deal in deals]
    summaries = {name: question.summary() for name, question in questions.items()}
    nodes = sum(question.counters["nodes"] for question in questions.values())
    return {
        "unit": "CPU ms a table, mean",
        "ours": summaries["table"]["ours_mean_ms"],
        "peer": summaries["table"]["peer_mean_ms"],
        "ratio": summaries["table"]["ratio_mean"],
        "signature": signature(answers, nodes),
        "deals": count,
        "seed": seed,
        "mismatches": sum(question.mismatches for question in questions.values()),
        "questions": summaries,
    }


def _compare_tables(deal: Deal, question: Comparison) -> object:
    other = peer_deal(deal)
    ours, theirs = question.ask(lambda solver: solver.table(deal), lambda: peer_table(other))
    question.mismatches += ours != theirs
    return ours.rows


def _compare_values(deal: Deal, strain: Strain, question: Comparison) -> object:
    other = peer_deal(deal, strain, LEADER)
    ours, theirs = question.ask(
        lambda solver: solver.solve(deal, strain, LEADER), lambda: solve_board_one(other)
    )
    tricks = ours.tricks(LEADER.side)
    question.mismatches += tricks != peer_value(theirs)
    return tricks


def _compare_cards(deal: Deal, strain: Strain, question: Comparison) -> object:
    other = peer_deal(deal, strain, LEADER)
    ours, theirs = question.ask(
        lambda solver: solver.cards(deal, strain, LEADER), lambda: solve_board(other)
    )
    values = {value.card: value.tricks for value in ours}
    question.mismatches += values != peer_card_values(theirs)
    return sorted((str(card), tricks) for card, tricks in values.items())


def table(result: dict[str, Any]) -> str:
    """Two tables: the times, and the counters of our search."""
    questions = result["questions"].items()
    times = markdown_table(
        [
            f"{result['deals']} deals, CPU ms a deal",
            "ours, mean",
            "DDS, mean",
            "DDS / ours",
            "ours, median",
            "DDS, median",
            "DDS / ours",
        ],
        (
            [
                name,
                f"{q['ours_mean_ms']:.1f}",
                f"{q['peer_mean_ms']:.1f}",
                f"{q['ratio_mean']:.2f}",
                f"{q['ours_median_ms']:.1f}",
                f"{q['peer_median_ms']:.1f}",
                f"{q['ratio_median']:.2f}",
            ]
            for name, q in questions
        ),
    )
    search = markdown_table(
        ["a deal", "nodes", "look-ups", "hits", "cards in a pattern", "first lead cuts off"],
        (
            [
                name,
                f"{q['nodes']:,}",
                f"{q['lookups']:,}",
                f"{q['hit_rate']:.1%}",
                f"{q['pattern_cards']:.2f}",
                f"{q['first_lead_rate']:.1%}",
            ]
            for name, q in questions
        ),
    )
    tail = f"Answers that differ: {result['mismatches']}. Signature: `{result['signature']}`."
    return f"{times}\n\n{search}\n\n{tail}"


if __name__ == "__main__":
    sys.exit(main("double_dummy", run, table, count=COUNT))
