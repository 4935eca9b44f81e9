"""The robot in endings: tricks won before and meanings of short hands."""

from __future__ import annotations

import pytest

from setrograde.bridge import Hand, Seat
from setrograde.errors import InvalidInput
from setrograde.robot.knowledge import InvalidHistory, Knowledge
from setrograde.robot.play import Player
from setrograde.robot.worlds import draw_layouts


def ending(**options: object) -> Knowledge:
    """West led the king of hearts; South has the ace."""
    asked: dict[str, object] = {
        "seat": "S",
        "contract": "1NTS",
        "hand": ".A7.QJT.",
        "dummy": ".32.A54.",
        "played": "HK H2 H9",
        "deck": Hand(".AKQJT9732.AKQJT987654."),
        "won_before": 4,
        **options,
    }
    return Knowledge(**asked)  # type: ignore[arg-type]


def test_tricks_won_before_count_for_the_contract() -> None:
    goal = Player(goal="make")._goal(ending())
    assert goal.worth(3) - goal.worth(2) > 1 > goal.worth(2) - goal.worth(1)


def test_more_tricks_before_than_a_deal_has_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^9 tricks won before .* \(expected 0 to 8\)$"):
        ending(won_before=9)


def test_meanings_of_an_ending_are_those_of_its_hands() -> None:
    worlds = draw_layouts(ending(meanings={"W": "hearts 4"}), 20, seed=1)
    assert len(worlds) == 20
    for row in worlds.tolist():  # the king of hearts is gone
        assert sum(card.suit.name == "HEARTS" for card in Hand(row[Seat.WEST])) == 3


def test_meanings_that_no_ending_fits_are_refused() -> None:
    with pytest.raises(InvalidHistory, match="no layout fits the meanings"):
        draw_layouts(ending(meanings={"W": "spades 4+"}), 4, seed=1)
