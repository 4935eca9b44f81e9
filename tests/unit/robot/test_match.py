"""Matches between robots, and robots of others."""

from __future__ import annotations

import pytest

from setrograde.bridge import Card, InvalidPlay
from setrograde.errors import InvalidInput
from setrograde.robot import Knowledge
from setrograde.robot.match import iter_contracts, play_board, play_match
from setrograde.robot.robots import make_robot


class Lowest:
    """Leads and plays its lowest card; knows the rules of following suit."""

    name = "lowest"

    def lead(self, hand: object, **_: object) -> str:
        return str(min(hand))  # type: ignore[call-overload]

    def play(self, hand: object, **view: object) -> Card:
        known = Knowledge(hand=hand, **_without_vul(view))  # type: ignore[arg-type]
        return known.legal_cards()[-1]


def _without_vul(view: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in view.items() if name not in ("vul", "auction")}


class Revoker(Lowest):
    """Always plays the lowest card of its hand, even if it must follow suit."""

    def play(self, hand: object, **_: object) -> Card:
        return min(hand)  # type: ignore[call-overload, no-any-return]


def test_a_robot_of_others_takes_part() -> None:
    result = play_match("double-dummy", Lowest(), boards=2, seed=3)
    assert result.boards == 2
    assert result.b == "lowest"
    assert result.imps_per_board > 0


def test_a_revoke_is_refused() -> None:
    with pytest.raises(InvalidPlay):
        play_match(Revoker(), Revoker(), boards=2, seed=3)


def test_the_same_robots_tie() -> None:
    result = play_match("random", "random", boards=3, seed=5)
    assert set(result.imps) == {0}


def test_swapping_sides_changes_the_sign() -> None:
    one = play_match("double-dummy", "random", boards=2, seed=2)
    two = play_match("random", "double-dummy", boards=2, seed=2)
    assert one.imps == tuple([-value for value in two.imps])


def test_contracts_can_just_be_made() -> None:
    for board in iter_contracts(3, seed=9):
        robots = [make_robot("double-dummy") for _ in range(2)]
        table = play_board(board, *robots, losses=True)
        assert board.contract is not None
        assert table.tricks_declarer >= board.contract.tricks_needed
        assert table.lost == {"declarer": 0, "defence": 0, "lead": 0}


def test_objects_without_methods_are_refused() -> None:
    with pytest.raises(InvalidInput, match="lead and play methods"):
        make_robot(3)
