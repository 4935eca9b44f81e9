"""Board games solved by sets of boards: who wins from every board, and in how many plies.

>>> solution = solve_game("breakthrough", "3x4")
>>> print(solution.result)
player 2 wins in 12 plies
>>> print(solution.probe().best)
a2xb3        loss in 12
>>> print(verify_solution(solution, samples=100))
no fault found: 100 of 100 boards drawn at random are proved right to the end of the game
with 99% confidence at least 95.49% of all boards are right
the value of the start is proved
845 boards were looked at: each agrees with the boards its moves lead to
"""

from .amazons import ProvenWinner, find_winner
from .display import BoardAnswer
from .graded import GradedSolution, GradeReport, Slice, Tally, open_graded, solve_by_grades
from .reachable import ReachableSolution, find_reachable, reachable_boards, solve_reachable
from .retrograde import GameSolution, PlyReport, solve_retrograde
from .solving import open_game, solve_game
from .store import GameStore, StoredGame, load_solution, save_solution
from .values import (
    BoardOutcome,
    BoardProbe,
    BoardValue,
    SolvedGame,
    StepValue,
    WrongSolution,
)
from .verify import BoardCheck, EndCheck, verify_solution

__all__ = [
    "BoardAnswer",
    "BoardCheck",
    "BoardOutcome",
    "BoardProbe",
    "BoardValue",
    "EndCheck",
    "GameSolution",
    "GameStore",
    "GradeReport",
    "GradedSolution",
    "PlyReport",
    "ProvenWinner",
    "ReachableSolution",
    "Slice",
    "SolvedGame",
    "StepValue",
    "StoredGame",
    "Tally",
    "WrongSolution",
    "find_reachable",
    "find_winner",
    "load_solution",
    "open_game",
    "open_graded",
    "reachable_boards",
    "save_solution",
    "solve_by_grades",
    "solve_game",
    "solve_reachable",
    "solve_retrograde",
    "verify_solution",
]
