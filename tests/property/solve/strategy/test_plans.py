"""A player who keeps his plan attains the value that was promised, whatever the opponents do."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from setrograde.bridge import Card, Hand
from setrograde.solve.strategy import Goal, PlayState, StrategySearch, all_layouts
from strategy_endings import random_goal, random_state

Worlds = NDArray[np.uint64]
Plan = NDArray[np.bool_] | None


@pytest.fixture(scope="module")
def search() -> StrategySearch:
    return StrategySearch(limit_mb=32, endings=None)


def hand_in(state: PlayState, world: int) -> Hand:
    """The hand of the player on turn in one world."""
    first, second = state.hidden_seats
    if state.turn is first:
        return Hand(world)
    return state.hidden - Hand(world) if state.turn is second else state.hands[state.turn]


def legal_in(state: PlayState, world: int) -> list[Card]:
    """The cards that the player on turn may play in one world."""
    hand = list(hand_in(state, world))
    following = [card for card in hand if state.trick and card.suit == state.trick[0].suit]
    return following or hand


def tricks_attained(
    search: StrategySearch, state: PlayState, worlds: Worlds, goal: Goal, plan: Plan
) -> list[int]:
    """Tricks of our side in each world: we keep our plan, the opponents try everything."""
    if not state.tricks_left:
        return [state.won] * len(worlds)
    if state.is_ours:
        choice = search.choose(
            state, worlds, goal, plan=plan, depth=52, labels=False, work_limit=None
        )
        kept = plan if choice.plan is None else choice.plan
        after = state.play(choice.card)
        return tricks_attained(search, after, _left(after, worlds), goal, kept)
    tricks = [99] * len(worlds)
    options = [legal_in(state, int(world)) for world in worlds]
    for card in sorted(set().union(*options), key=str):
        there = [i for i, cards in enumerate(options) if card in cards]
        after = state.play(card)
        part = None if plan is None else plan[:, there]
        found = tricks_attained(search, after, _left(after, worlds[there]), goal, part)
        for i, won in zip(there, found, strict=True):
            tricks[i] = min(tricks[i], won)
    return tricks


def _left(state: PlayState, worlds: Worlds) -> Worlds:
    """Worlds without the cards that are no longer hidden."""
    return worlds & np.uint64(state.hidden.bits)


def check_plan(search: StrategySearch, seed: int, tricks: int) -> None:
    rng = Random(seed)
    state = random_state(rng, tricks)
    layouts = all_layouts(state).worlds
    worlds = np.array(rng.sample(layouts.tolist(), min(len(layouts), 24)), np.uint64)
    goal = random_goal(rng, tricks)
    line = search.solve_line(state, worlds, goal, labels=False)
    assert line.exact
    attained = tricks_attained(search, state, worlds, goal, line.vector)
    for i, won in enumerate(attained):
        promised = int(line.vector[:, i].sum())
        assert sum(need <= won for need, _ in goal.steps) >= promised
    assert sum(goal.worth(won) for won in attained) / len(worlds) == pytest.approx(line.value)


@pytest.mark.parametrize("seed", range(12))
def test_a_plan_that_is_kept_attains_what_it_promised(search: StrategySearch, seed: int) -> None:
    check_plan(search, seed, 3)


@pytest.mark.slow
def test_plans_are_attained_in_endings_of_four_tricks(search: StrategySearch) -> None:
    for seed in range(60):
        check_plan(search, 1000 + seed, 4)


def test_a_claim_is_attained_in_every_layout(search: StrategySearch) -> None:
    rng = Random(11)
    claims = 0
    for _ in range(25):
        state = random_state(rng, rng.randint(2, 3))
        worlds = all_layouts(state)
        tricks = max(n for n in range(state.tricks_left + 1) if search.claim(state, worlds, n))
        assert not search.claim(state, worlds, tricks + 1)
        if tricks:
            claims += 1
            goal = Goal.make(tricks)
            line = search.solve_line(state, worlds, goal)
            assert line.value == 1
            if len(worlds) > 10:  # in all of them it takes long
                continue
            assert min(tricks_attained(search, state, worlds.worlds, goal, line.vector)) >= tricks
    assert claims > 2
