"""Laws of strategy search on random endings."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from setrograde.bridge import Deal, Hand, Seat, Side
from setrograde.solve import Solver
from setrograde.solve.strategy import Cut, Goal, PlayState, StrategySearch, all_layouts
from strategy_endings import random_goal, random_state


@pytest.fixture(scope="module")
def search() -> StrategySearch:
    return StrategySearch(limit_mb=32, endings=None)


def _tricks_of_us(solver: Solver, state: PlayState, world: int) -> int:
    """What our side takes in one world, double dummy, by an ordinary solve."""
    first, second = state.hidden_seats
    hands = {seat: hand.bits for seat, hand in state.hands.items()}
    hands[first], hands[second] = world, state.hidden.bits & ~world
    for step, card in enumerate(state.trick):
        hands[state.leader.next_by(step)] |= card.bit
    n, e, s, w = (Hand(hands[seat]) for seat in Seat)
    deal = Deal((n, e, s, w))
    solution = solver.solve(deal, state.strain, state.leader, played=state.trick)
    return solution.tricks_ns if state.us is Side.NS else solution.tricks_ew


@pytest.mark.parametrize("seed", range(12))
def test_outcomes_are_those_of_single_solves(search: StrategySearch, seed: int) -> None:
    rng = Random(seed)
    solver = Solver(limit_mb=16, endings=None)
    state = random_state(rng, rng.randint(2, 5), declarer=seed % 2 == 0)
    worlds = all_layouts(state)
    tricks = [_tricks_of_us(solver, state, int(world)) for world in worlds.worlds]
    for need in range(state.tricks_left + 1):
        assert search.outcomes(state, worlds, need).tolist() == [t >= need for t in tricks]


@pytest.mark.parametrize("seed", range(20))
def test_depth_1_is_plain_monte_carlo(search: StrategySearch, seed: int) -> None:
    rng = Random(100 + seed)
    state = random_state(rng, rng.randint(3, 6), declarer=seed % 2 == 0)
    if not state.is_ours:
        return
    layouts = all_layouts(state).worlds
    worlds = np.array(rng.sample(layouts.tolist(), min(20, len(layouts))), dtype=np.uint64)
    goal = random_goal(rng, state.tricks_left)
    choice = search.choose(state, worlds, goal, depth=1, ties=False)
    for one in choice.candidates:
        after = state.play(one.card)
        plain = goal.floor + sum(
            worth * search.outcomes(after, worlds, need).mean() for need, worth in goal.steps
        )
        assert one.dd_value == pytest.approx(plain)
        assert one.value == one.dd_value
    assert choice.candidates[0].value == max(one.value for one in choice.candidates)


CASES = [Cut.ALL & ~cut for cut in Cut if cut is not Cut.ALL] + [Cut.ALL]


def check_cuts(search: StrategySearch, seed: int) -> None:
    """All cuts but one, and all of them, find the value that no cuts find."""
    rng = Random(200 + seed)
    declarer = rng.random() < 0.6
    state = random_state(rng, rng.randint(3, 4), declarer=declarer)
    layouts = all_layouts(state).worlds
    worlds = np.array(
        rng.sample(layouts.tolist(), min(rng.randint(6, 24), len(layouts))), np.uint64
    )
    goal = random_goal(rng, state.tricks_left)
    weights = None if rng.random() < 0.5 else [rng.randint(1, 9) for _ in worlds]
    plan = None
    if rng.random() < 0.3:
        plan = np.array([[rng.random() < 0.5 for _ in worlds] for _ in goal.steps])
    labels, depth = rng.random() < 0.5, rng.randint(2, 3)

    def value(cuts: Cut) -> tuple[float, float]:
        options = {"weights": weights, "depth": depth, "labels": labels, "cuts": cuts}
        if not state.is_ours:
            return 0.0, search.solve_line(state, worlds, goal, small=3, **options).value
        found = search.choose(state, worlds, goal, plan=plan, work_limit=None, **options)
        kept = 0.0
        if plan is not None and found.plan is not None:
            steps = np.array([worth for _, worth in goal.steps])
            by_world = np.ones(len(worlds)) if weights is None else np.array(weights)
            kept = float(steps @ (found.plan & plan) @ by_world)
        return kept, found.value

    plain = value(Cut(0))
    for cuts in CASES:
        assert value(cuts) == pytest.approx(plain), f"{cuts!r} in {state}, {goal}"


@pytest.mark.parametrize("seed", range(20))
def test_cuts_leave_the_value_as_it_is(search: StrategySearch, seed: int) -> None:
    check_cuts(search, seed)


@pytest.mark.slow
def test_cuts_leave_the_value_as_it_is_on_500_endings(search: StrategySearch) -> None:
    for seed in range(20, 500):
        check_cuts(search, seed)


def test_goal_of_one_number_is_the_same_alone_and_among_others(search: StrategySearch) -> None:
    rng = Random(5)
    for _ in range(10):
        state = random_state(rng, 3)
        worlds = all_layouts(state)
        need = rng.randint(1, 3)
        steps = tuple((n, 1.0 if n == need else 0.0) for n in range(1, 4))
        alone = search.solve_line(state, worlds, Goal.make(need))
        among = search.solve_line(state, worlds, Goal(steps))
        assert alone.value == pytest.approx(among.value)
