"""What a player sees, and what is refused."""

from __future__ import annotations

import pytest

from setrograde.bridge import Hand, InvalidPlay, Play, Seat, Side
from setrograde.errors import InvalidInput
from setrograde.solve.strategy import PlayState

DEAL = "N:AQ2... K93... 765... JT8..."


def test_declarer_sees_both_hands_of_his_side() -> None:
    state = PlayState.from_play(Play(DEAL, "NT", "W", "SJ"), "S")
    assert state.hands == {Seat.NORTH: Hand("AQ2..."), Seat.SOUTH: Hand("765...")}
    assert state.choosers == (Seat.NORTH, Seat.SOUTH)
    assert state.lengths == {Seat.EAST: 3, Seat.WEST: 2}
    assert state == PlayState.from_play(Play(DEAL, "NT", "W", "SJ"), "N")


def test_a_defender_sees_his_hand_and_dummy_and_chooses_his_own_cards() -> None:
    state = PlayState.from_play(Play(DEAL, "NT", "W", "SJ SA"), "E")
    assert state.us is Side.EW and state.choosers == (Seat.EAST,)
    assert state.hidden_seats == (Seat.SOUTH, Seat.WEST)
    assert state.is_ours


def test_cards_played_change_the_state_as_they_change_the_play() -> None:
    play = Play(DEAL, "NT", "W", "SJ")
    for seat in "SE":
        state = PlayState.from_play(play, seat)
        now = play
        for card in ("SA", "S3", "S5", "SQ", "S9", "S6", "ST"):
            state, now = state.play(card), now.with_card(card)
            assert state == PlayState.from_play(now, seat)
        assert state.won == (2 if seat == "S" else 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": {"N": "AQ..."}}, "1 hands are seen"),
        ({"hands": {"N": "AQ...", "S": "AK..."}}, "card twice: 'SA'"),
        ({"hands": {"N": "AQ...", "S": "32.2.."}}, "differ in length"),
        ({"hidden": "KJT..."}, "3 hidden cards"),
        ({"lengths": {"E": 3, "W": 1}}, "differ in length"),
        ({"lengths": {"N": 2, "W": 2}}, "expected the two hidden hands"),
        ({"choosers": ["E"]}, "East chooses for NS"),
        ({"choosers": ["N"]}, "North chooses for NS"),
        ({"trick": "S9 S8 S7 S6"}, "4 cards on the table"),
    ],
)
def test_nonsense_is_refused_in_one_line(change: dict[str, object], message: str) -> None:
    parts = {"hands": {"N": "AQ...", "S": "32..."}, "hidden": "KJT9..."} | change
    with pytest.raises(InvalidInput, match=message) as error:
        PlayState("NT", "S", **parts)
    assert "\n" not in str(error.value)


def test_illegal_cards_are_refused() -> None:
    state = PlayState("NT", "S", hands={"N": "AQ...", "S": "32..."}, hidden="KJT9...")
    with pytest.raises(InvalidPlay, match="illegal card: 'SA' by South"):
        state.play("SA")
    with pytest.raises(InvalidPlay, match="no card was played"):
        PlayState.from_play(Play(DEAL, "NT", "W"), "S")
