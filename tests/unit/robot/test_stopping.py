"""Decisions, claims and matches stop within a quarter of a second."""

from __future__ import annotations

from setrograde.bridge import Board, Deal
from setrograde.robot import Knowledge, Player
from setrograde.robot.match import play_match
from stopped_work import assert_stops

DEAL = Deal("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")


def view(played: str) -> Knowledge:
    return Knowledge.of_board(Board(deal=DEAL, contract="3NTS", play=played or ()))


def test_a_decision_stops() -> None:
    assert_stops(
        lambda stop: Player(seconds=60, worlds=5_000, method="monte_carlo", stop=stop).decide(
            view("S4")
        )
    )


def test_a_lead_stops() -> None:
    assert_stops(lambda stop: Player(seconds=60, worlds=5_000, stop=stop).decide(view("")))


def test_a_match_stops() -> None:
    assert_stops(
        lambda stop: play_match("strategy", "strategy", boards=50, seed=1, stop=stop),
        after_seconds=0.5,
    )
