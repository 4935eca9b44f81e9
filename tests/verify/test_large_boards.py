"""Winners of boards that take ten minutes to an hour each, and up to 10 GB.

`make check-full` runs two of them at a time, so that 20 GB are enough;
in this order two workers have about the same to do.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from setrograde.games.amazons import Amazons
from setrograde.games.catalogue import make_game
from setrograde.solve.boards import (
    find_winner,
    solve_by_grades,
    solve_game,
    verify_solution,
)

WANTED_GB = 20
MEMORY_GB = (os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) >> 30

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        MEMORY_GB < WANTED_GB, reason=f"wants {WANTED_GB} GB of memory, there are {MEMORY_GB}"
    ),
]


@pytest.mark.parametrize("size", ["5x6", "4x7"])
def test_breakthrough_by_grades_is_won_by_the_first_player(size: str, tmp_path: Path) -> None:
    solution = solve_by_grades(make_game("breakthrough", size, limit_mb=10_000), folder=tmp_path)
    assert solution.winner == 0
    assert verify_solution(solution, samples=2000).is_right


def test_breakthrough_6x5_is_won_by_the_second_player(tmp_path: Path) -> None:
    solution = solve_game(make_game("breakthrough", "6x5", limit_mb=10_000), parts=tmp_path)
    assert solution.winner == 1
    assert verify_solution(solution, samples=2000).is_right


@pytest.mark.parametrize(("size", "winner"), [((4, 7), 1), ((6, 4), 2)])
def test_amazons_by_forward_search(size: tuple[int, int], winner: int) -> None:
    found = find_winner(Amazons(*size), limit_mb=4000)
    assert found.winner == winner - 1
    assert (found.move is None) == (winner == 2)


def test_amazons_5x6_is_won_by_the_first_player() -> None:
    """By the first move of the published proof."""
    game = Amazons(5, 6)
    (board,) = [step.board for step in game.iter_steps(game.start, 0) if step.text == "b1-b4/d4"]
    assert find_winner(game, board, 1, limit_mb=8000).winner == 0


@pytest.mark.parametrize(("size", "winner"), [("4x5", 2), ("5x4", 1)])
def test_amazons_of_twenty_squares(size: str, winner: int, tmp_path: Path) -> None:
    """For 4x5 see `test_winners_of_4x5_from_other_starts`."""
    solution = solve_by_grades(make_game("amazons", size, limit_mb=13_000), folder=tmp_path)
    assert solution.winner == winner - 1
    assert verify_solution(solution, samples=2000).is_right
