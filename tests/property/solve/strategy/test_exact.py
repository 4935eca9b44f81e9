"""Exact single dummy: the search to the last card against all strategies."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from oracle.strategy import Enumeration
from setrograde.solve.strategy import Cut, Goal, PlayState, StrategySearch, all_layouts
from strategy_endings import crowded_state, random_goal, random_state


@pytest.fixture(scope="module")
def search() -> StrategySearch:
    return StrategySearch(limit_mb=32, endings=None)


def check_exact(search: StrategySearch, seed: int) -> None:
    """An ending of three or four tricks; four with some of the layouts only, chosen at random."""
    rng = Random(seed)
    state = random_state(rng, 3 + seed % 2, declarer=rng.random() < 0.7)
    worlds = all_layouts(state).worlds.tolist()
    worlds = rng.sample(worlds, min(len(worlds), 20 if state.tricks_left == 3 else 8))
    goal = random_goal(rng, state.tricks_left)
    weights = None if rng.random() < 0.5 else [float(rng.randint(1, 9)) for _ in worlds]
    line = search.solve_line(
        state, np.array(worlds, np.uint64), goal, weights=weights, labels=False
    )
    assert line.complete and line.exact
    oracle = Enumeration(state, worlds, goal)
    assert line.value == pytest.approx(oracle.best(weights)), f"{state} {worlds} {goal}"
    reached = tuple(line.vector.sum(axis=0).tolist())
    assert any(all(a <= b for a, b in zip(reached, row, strict=True)) for row in oracle.rows())


@pytest.mark.parametrize("seed", range(12))
def test_the_search_to_the_last_card_is_the_best_of_all_strategies(
    search: StrategySearch, seed: int
) -> None:
    check_exact(search, seed)


@pytest.mark.slow
def test_the_search_to_the_last_card_is_the_best_on_500_endings(search: StrategySearch) -> None:
    for seed in range(12, 500):
        check_exact(search, seed)


def check_neighbours(search: StrategySearch, seed: int, tricks: int) -> None:
    """All layouts of an ending in which many hidden cards are neighbours."""
    rng = Random(seed)
    state = crowded_state(rng, tricks)
    worlds = all_layouts(state).worlds
    goal = random_goal(rng, tricks)
    plain = search.solve_line(state, worlds, goal, labels=False, cuts=Cut(0))
    line = search.solve_line(state, worlds, goal, labels=False)
    assert line.value == pytest.approx(plain.value), f"{state} {goal}"
    if tricks == 3 and seed % 20 == 3:
        assert plain.value == pytest.approx(Enumeration(state, worlds.tolist(), goal).best())


def test_hidden_neighbours_are_equal_only_where_nothing_tells_them_apart(
    search: StrategySearch,
) -> None:
    for seed in range(1000):
        check_neighbours(search, seed, 3)


@pytest.mark.slow
def test_hidden_neighbours_in_endings_of_four_tricks(search: StrategySearch) -> None:
    for seed in range(200):
        check_neighbours(search, seed, 4)


def test_a_card_that_the_other_defender_may_beat_is_not_equal_to_one_above_it(
    search: StrategySearch,
) -> None:
    # East's ten and ace of hearts are neighbours but for West's, who plays after him.
    state = PlayState(
        "S", "N", hands={"N": "T.3.J2.", "S": "9.4.KT."}, hidden=".AKQJT.Q98.", won=1
    ).play("H3")
    worlds = all_layouts(state).worlds
    line = search.solve_line(state, worlds, Goal.make(4), labels=False)
    assert line.exact and line.value == pytest.approx(43 / 70)
    assert line.value == pytest.approx(Enumeration(state, worlds.tolist(), Goal.make(4)).best())


def test_exact_value_never_rises_with_depth(search: StrategySearch) -> None:
    rng = Random(3)
    for _ in range(20):
        state = random_state(rng, 4)
        worlds = all_layouts(state)
        goal = Goal.make(rng.randint(1, 4))
        values = [search.solve_line(state, worlds, goal, depth=d).value for d in (1, 2, 3, 4, 5)]
        assert values == sorted(values, reverse=True)
