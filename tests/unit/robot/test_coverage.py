"""Standard errors are honest: 95 % intervals cover the truth in at least 90 % of decisions."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from setrograde.bridge import Board, Contract
from setrograde.robot import Knowledge, Player
from setrograde.robot.play.goals import Goal
from setrograde.robot.play.strategy import Searcher, play_state
from setrograde.solve import strategy
from support import random_position


def decisions(rng: Random, count: int) -> list[Knowledge]:
    """Positions with six or seven tricks left in which cards differ, after little was shown."""
    found: list[Knowledge] = []
    while len(found) < count:
        play = random_position(rng, rng.choice((6, 7)))
        contract = Contract(rng.randint(1, 3), play.strain, play.leader.next_by(3))
        if not play.cards:
            continue
        known = Knowledge.of_board(Board(deal=play.deal, contract=contract, play=play))
        if len(known.legal_cards()) > 2:
            found.append(known)
    return found


@pytest.mark.parametrize("goal", ["tricks", "imps"])
def test_intervals_cover_the_truth(goal: str) -> None:
    rng = Random(11)
    covered, asked = 0, 0
    for known in decisions(rng, 10):
        worth = Goal(goal, known.contract, total=known.total_tricks)
        searcher = Searcher(worth, strategy.StrategySearch(limit_mb=32))
        layouts = strategy.all_layouts(play_state(known), strategy.Known(voids=known.voids))
        cards, tricks = searcher.tricks(known, layouts.worlds)
        own = worth.own_table(is_declarer=known.is_declarer)
        truth = dict(zip(cards, own[tricks].mean(axis=0).tolist(), strict=True))
        for seed in range(10):
            player = Player(
                seed=seed, goal=goal, method="monte_carlo", infer=False, worlds=40, limit_mb=32
            )
            made = player.decide(known)
            best = made.candidates[0]
            low, high = best.interval
            covered += low - 1e-9 <= truth[best.action] <= high + 1e-9
            asked += 1
    assert asked == 100
    assert covered >= 0.9 * asked


def test_more_worlds_make_smaller_errors() -> None:
    known = decisions(Random(3), 1)[0]
    errors = [
        Player(worlds=worlds, method="monte_carlo", infer=False, limit_mb=32)
        .decide(known)
        .candidates[0]
        .stderr
        for worlds in (10, 40, 160)
    ]
    assert errors[0] > errors[2]
    assert np.isfinite(errors).all()
