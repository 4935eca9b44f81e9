"""Solves stopped from another thread: under way, in the queue, and what comes after."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from setrograde.common.stop import StopFlag, Stopped
from setrograde.games import Amazons, BoardGame, Breakthrough, make_game
from setrograde.solve.boards import (
    GameStore,
    find_reachable,
    find_winner,
    reachable_boards,
    solve_by_grades,
    solve_game,
    solve_reachable,
    verify_solution,
)
from stopped_work import MOST_SECONDS, Work, assert_stops


def assert_usable(game: BoardGame) -> None:
    reached = game.moves(0).forward(game.space.of([game.start]))
    assert set(reached) == {step.board for step in game.iter_steps(game.start, 0)}


def test_a_solve_with_distances_stops() -> None:
    game = Breakthrough(6, 5)
    assert_stops(lambda flag: solve_game(game, stop=flag), after_seconds=0.4)
    assert_usable(game)


def test_a_solve_by_grades_stops() -> None:
    game = Breakthrough(5, 6)
    assert_stops(lambda flag: solve_by_grades(game, stop=flag), after_seconds=0.4)
    assert_usable(game)


def test_a_solve_within_reach_stops() -> None:
    game = Breakthrough(5, 5)
    for work in (solve_reachable, find_reachable, reachable_boards):
        assert_stops(lambda flag, work=work: work(game, stop=flag), after_seconds=0.3)
    assert_usable(game)


def test_a_game_of_many_moves_stops_while_they_are_compiled() -> None:
    game = make_game("chess", "KQK")
    work = Work(lambda flag: solve_game(game, stop=flag))
    time.sleep(0.05)
    assert work.stop() < MOST_SECONDS
    assert isinstance(work.outcome, Stopped)
    assert_usable(game)


def test_a_check_stops() -> None:
    solution = solve_game("breakthrough", "3x4")
    assert_stops(lambda flag: verify_solution(solution, most_boards=10**9, stop=flag))
    assert verify_solution(solution, samples=20).is_right
    long = solve_game("nim", "26,26,26,26")  # its proofs take many seconds
    assert_stops(lambda flag: verify_solution(long, stop=flag), after_seconds=0.3)
    graded = solve_game("breakthrough", "3x4", distances=False)
    assert_stops(lambda flag: verify_solution(graded, most_boards=10**9, stop=flag))


def test_a_search_of_amazons_stops() -> None:
    game = Amazons(6, 4)
    assert_stops(lambda flag: find_winner(game, stop=flag), after_seconds=0.3)
    assert find_winner(Amazons(4, 4)).winner == 1


def test_a_solve_in_the_queue_stops_and_the_other_goes_on() -> None:
    game = Breakthrough(6, 5)
    first = Work(lambda flag: solve_game(game, stop=flag))
    time.sleep(0.4)
    queued = Work(lambda flag: solve_game(game, stop=flag))
    time.sleep(0.2)
    assert queued.stop() < MOST_SECONDS
    assert isinstance(queued.outcome, Stopped)
    assert first.is_running
    assert first.stop() < MOST_SECONDS
    assert isinstance(first.outcome, Stopped)
    assert_usable(game)


def test_a_stopped_solve_is_not_stored_and_continues(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    flag = StopFlag()

    def tell(report: object) -> None:
        flag.set()

    with pytest.raises(Stopped):
        solve_game("breakthrough", "3x4", store=store, progress=tell, stop=flag)
    assert not store.path(Breakthrough(3, 4)).exists()
    solution = solve_game("breakthrough", "3x4", store=store)
    assert solution.result == "player 2 wins in 12 plies"
    with pytest.raises(Stopped):
        store.open(Breakthrough(3, 4), stop=flag)
    assert store.open(Breakthrough(3, 4)).winner == 1


def test_a_solve_by_grades_that_was_stopped_continues_after_its_last_grade(tmp_path: Path) -> None:
    flag = StopFlag()
    grades = []

    def tell(report: object) -> None:
        grades.append(report)
        if len(grades) == 10:
            flag.set()

    with pytest.raises(Stopped):
        solve_by_grades(Breakthrough(3, 4), folder=tmp_path, progress=tell, stop=flag)
    assert len(list(tmp_path.glob("grade_*.sets"))) == 10
    assert solve_by_grades(Breakthrough(3, 4), folder=tmp_path).winner == 1
