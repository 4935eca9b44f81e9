"""Sixty problems of card play: the robot beside plain Monte Carlo, theme by theme.

Both are asked as at the table, with settings as they come, to make the contract. A problem is
solved if the card is one of the right ones.
"""

from __future__ import annotations

import sys
from typing import Any

from bench.problem_set import Problem, read_problems
from bench.report import cpu_ms, main, markdown_table, signature
from setrograde.robot.play import Player

__all__ = ["COUNT", "run", "table"]

COUNT = 60
METHODS = {"robot": "strategy", "plain": "monte_carlo"}


def run(count: int = COUNT) -> dict[str, Any]:
    """The number of problems solved by theme, and CPU milliseconds for a card."""
    themes: dict[str, dict[str, int]] = {}
    total = dict.fromkeys(["problems", *METHODS], 0)
    ms = dict.fromkeys(METHODS, 0.0)
    cards, missed = [], []
    for problem in list(read_problems())[:count]:
        row = themes.setdefault(problem.theme, dict.fromkeys(total, 0))
        for one in (row, total):
            one["problems"] += 1
        for name, method in METHODS.items():
            is_solved, card, spent = _solve(problem, method)
            ms[name] += spent
            cards.append(card)
            for one in (row, total):
                one[name] += is_solved
            if name == "robot" and not is_solved:
                missed.append(f"{problem.theme}: {problem.name}")
    return {
        "unit": "problems solved, per cent",
        "ours": round(100 * total["robot"] / total["problems"], 1),
        "peer": round(100 * total["plain"] / total["problems"], 1),
        "ratio": round(total["robot"] / max(1, total["plain"]), 3),
        "signature": signature(cards),
        **total,
        "themes": themes,
        "missed": missed,
        "ms_a_card": {name: round(value / total["problems"], 1) for name, value in ms.items()},
    }


def _solve(problem: Problem, method: str) -> tuple[bool, str, float]:
    player = Player(goal="make", method=method, seconds=20, limit_mb=64)
    decision, ms = cpu_ms(lambda: player.decide(problem.knowledge))
    return decision.choice in problem.right, str(decision.choice), ms


def table(result: dict[str, Any]) -> str:
    """A row for each theme."""
    names = ("problems", "robot", "plain")
    rows = [[theme, *(row[name] for name in names)] for theme, row in result["themes"].items()]
    rows.append(["all", *(result[name] for name in names)])
    heads = ["theme", "problems", "solved by the robot", "by plain Monte Carlo"]
    return f"{markdown_table(heads, rows)}\n\nSignature: `{result['signature']}`."


if __name__ == "__main__":
    sys.exit(main("problems", run, table, count=COUNT))
