"""A chance that counts a two-way guess as right says so."""

from __future__ import annotations

import pytest

from setrograde.analysis.odds import Guess, OddsQuestion, find_guesses, odds
from setrograde.analysis.odds.guesses import two_way_cards
from setrograde.common.stop import StopFlag, Stopped

GUESS = ("KJ2.A3..", "AT4.K2..")
HIDDEN = "Q98765.QJT9.."
SLAM = ("AK32.KJ43.AK2.A2", "Q54.AT2.Q43.KQJ3")
"""Seven notrump: all depends on the queen of hearts, or on a long spade."""


@pytest.mark.parametrize(
    ("north", "south", "hidden", "cards"),
    [
        ("KJ2...", "AT3...", "Q98765...", ["SQ"]),
        ("AJ2...", "KT3...", "Q98765...", ["SQ"]),
        ("A32...", "KJT...", "Q98765...", ["SQ"]),
        ("KJT...", "A32...", "Q98765...", ["SQ"]),
        ("AKJ...", "T32...", "Q98765...", []),
        ("KJ2...", "A43...", "QT9876...", []),
        ("AQ2...", "JT3...", "K98765...", []),
        ("AK2...", "543...", "QJT987...", []),
        ("AQ3...", "KT9...", "J87654...", ["SJ"]),
    ],
)
def test_two_way_finesses_are_known_by_their_cards(
    north: str, south: str, hidden: str, cards: list[str]
) -> None:
    question = OddsQuestion.of(north, south, "NT", "S", hidden=hidden)
    assert [str(card) for card in two_way_cards(question)] == cards


def test_a_chance_that_rests_on_a_guess_says_so() -> None:
    found = odds(*GUESS, "NT", "S", need=5, hidden=HIDDEN)
    assert found.probability == 1
    (guess,) = found.guesses
    assert str(guess.card) == "SQ"
    assert 0 < guess.decides <= guess.tried
    assert "A guess for ♠Q is counted as right" in str(found)


def test_a_slam_on_a_guess_says_so() -> None:
    found = odds(*SLAM, contract="7NTS", within=0.05)
    assert [str(guess.card) for guess in found.guesses] == ["HQ"]
    assert found.guesses[0].decides > 0


def test_a_guess_that_does_not_matter_is_not_named() -> None:
    assert odds(*GUESS, "NT", "S", need=4, hidden=HIDDEN).guesses == ()
    ten_on_top = "AK2.KJ43.AK2.A32", "Q54.AT2.Q43.KQJ4"
    assert find_guesses(OddsQuestion.of(*ten_on_top, contract="3NTS"), 9) == ()


def test_a_distribution_names_guesses_too() -> None:
    found = odds(*GUESS, "NT", "S", hidden=HIDDEN)
    assert [str(guess.card) for guess in found.guesses] == ["SQ"]


def test_a_card_whose_owner_is_known_is_no_guess() -> None:
    assert odds(*GUESS, "NT", "S", need=5, hidden=HIDDEN, west="has SQ").guesses == ()
    assert odds(*GUESS, "NT", "S", need=5, hidden=HIDDEN, west="not SQ").guesses == ()


def test_a_hidden_declarer_has_no_guess_of_ours() -> None:
    assert odds(*GUESS, "NT", "E", hidden=HIDDEN).guesses == ()


def test_known_hands_of_east_and_west_are_turned() -> None:
    turned = OddsQuestion.of_seats({"E": GUESS[0], "W": GUESS[1]}, "NT", "W", hidden=HIDDEN)
    straight = OddsQuestion.of(*GUESS, "NT", "S", hidden=HIDDEN)
    assert [guess.card for guess in find_guesses(turned, 5)] == [
        guess.card for guess in find_guesses(straight, 5)
    ]


def test_after_a_lead_the_trick_on_the_table_counts() -> None:
    found = odds(*GUESS, "NT", "S", need=5, hidden=HIDDEN, played="HQ HA")
    assert [str(guess.card) for guess in found.guesses] == ["SQ"]


def test_work_that_is_stopped_names_what_was_not_tried() -> None:
    stop = StopFlag()
    stop.set()
    found = odds(*SLAM, contract="7NTS", stop=stop)
    assert found.guesses == (Guess(found.guesses[0].card),)
    assert "♥Q can be finessed either way" in str(found)
    with pytest.raises(Stopped):
        find_guesses(OddsQuestion.of(*SLAM, contract="7NTS"), 13, stop=stop)
