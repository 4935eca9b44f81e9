"""Exact single dummy: the search to the last card against all strategies."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from oracle.strategy import Enumeration
from setrograde.solve.strategy import Goal, StrategySearch, all_layouts
from strategy_endings import random_goal, random_state


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


def test_exact_value_never_rises_with_depth(search: StrategySearch) -> None:
    rng = Random(3)
    for _ in range(20):
        state = random_state(rng, 4)
        worlds = all_layouts(state)
        goal = Goal.make(rng.randint(1, 4))
        values = [search.solve_line(state, worlds, goal, depth=d).value for d in (1, 2, 3, 4, 5)]
        assert values == sorted(values, reverse=True)
