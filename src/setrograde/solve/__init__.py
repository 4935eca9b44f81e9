"""Exact answers: what a position is worth when both sides play perfectly."""

from .double_dummy import (
    CardValue,
    CardValues,
    PlayTrace,
    Solution,
    Solver,
    Technique,
    best_line,
    solve_cards,
    solve_deal,
    solve_many,
    solve_table,
    solve_tables,
    trace_play,
)
from .streaming import iter_tables

__all__ = [
    "CardValue",
    "CardValues",
    "PlayTrace",
    "Solution",
    "Solver",
    "Technique",
    "best_line",
    "iter_tables",
    "solve_cards",
    "solve_deal",
    "solve_many",
    "solve_table",
    "solve_tables",
    "trace_play",
]
