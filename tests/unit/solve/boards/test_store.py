"""The store of solved games, and games by name and size."""

from __future__ import annotations

from pathlib import Path

import pytest

from setrograde.errors import InvalidInput, MissingTable
from setrograde.games import Breakthrough, Nim, make_game
from setrograde.solve.boards import GameStore, GradedSolution, open_game, solve_game


def test_a_stored_solution_is_not_solved_again(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    plies: list[object] = []
    solve_game("breakthrough", "2x4", store=store, progress=plies.append)
    assert plies and not store.parts(Breakthrough(2, 4)).exists()
    plies.clear()
    assert solve_game("breakthrough", "2x4", store=store, progress=plies.append).winner == 1
    assert not plies


def test_the_store_lists_what_it_has(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    assert store.list() == []
    solve_game("nim", "2,2", store=store)
    solve_game("breakthrough", "2x4", store=store, distances=False)
    assert [(each.name, each.size, each.kind) for each in store.list()] == [
        ("breakthrough", "2x4", "grades"),
        ("nim", "2,2", "distances"),
    ]
    assert all(each.bytes > 0 for each in store.list())


def test_a_solution_that_is_not_there_is_missing(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    assert store.get(Breakthrough(4, 4)) is None
    with pytest.raises(MissingTable, match="setrograde game solve breakthrough 4x4"):
        store.open(Breakthrough(4, 4))
    with pytest.raises(MissingTable):
        open_game("breakthrough", "4x4", store=store)


def test_a_small_game_is_solved_when_opened(tmp_path: Path) -> None:
    assert open_game("tic-tac-toe", "3x3", store=GameStore(tmp_path)).winner is None


def test_a_solution_with_distances_is_preferred(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    solve_game("breakthrough", "2x4", store=store, distances=False)
    assert isinstance(store.open(Breakthrough(2, 4)), GradedSolution)
    solve_game("breakthrough", "2x4", store=store)
    assert store.open(Breakthrough(2, 4)).has_distances


def test_a_game_and_its_name_give_the_same_solution() -> None:
    by_name = solve_game("tic-tac-toe", "3x3")
    by_game = solve_game(make_game("tic-tac-toe", "3x3"))
    assert str(by_name) == str(by_game)


def test_games_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InvalidInput, match="no size for 'nim'"):
        solve_game("nim")
    with pytest.raises(InvalidInput, match="beside a game that has one"):
        solve_game(Nim([2, 2]), "2,2")
    with pytest.raises(InvalidInput, match="no such game"):
        solve_game("go", "3x3")
