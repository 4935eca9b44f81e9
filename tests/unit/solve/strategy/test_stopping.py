"""A strategy search ends soon after its flag is set, also while it waits for another one."""

from __future__ import annotations

import time
from random import Random

import numpy as np

from setrograde.bridge import Play
from setrograde.common.stop import StopFlag, Stopped
from setrograde.solve.strategy import Goal, PlayState, StrategySearch
from stopped_work import MOST_SECONDS, Work, assert_stops
from support import random_deal


def _long_question() -> tuple[PlayState, np.ndarray]:
    deal = random_deal(Random(1))
    state = PlayState.from_play(Play(deal, "NT", "W", [next(iter(deal["W"]))]), "S")
    rng = Random(2)
    cards = [card.bit for card in state.hidden]
    worlds = [sum(rng.sample(cards, 13)) for _ in range(200)]
    return state, np.array(worlds, np.uint64)


def test_a_search_is_stopped_by_its_flag() -> None:
    search = StrategySearch(limit_mb=16, endings=None)
    state, worlds = _long_question()

    def call(flag: StopFlag) -> object:
        return search.choose(state, worlds, Goal.tricks(), work_limit=None, stop=flag)

    assert_stops(call)
    few = worlds[:1]
    assert search.choose(state, few, Goal.make(1)).card in state.hands[state.turn]


def test_a_search_that_waits_is_stopped_by_its_flag() -> None:
    search = StrategySearch(limit_mb=16, endings=None)
    state, worlds = _long_question()

    def call(flag: StopFlag) -> object:
        return search.choose(state, worlds, Goal.tricks(), work_limit=None, stop=flag)

    first = Work(call)
    time.sleep(0.05)
    second = Work(call)
    time.sleep(0.05)
    assert first.is_running and second.is_running
    assert second.stop() < MOST_SECONDS
    assert isinstance(second.outcome, Stopped)
    assert first.stop() < MOST_SECONDS
    assert isinstance(first.outcome, Stopped)
