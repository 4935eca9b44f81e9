"""Sets of endings as diagrams and in words."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setrograde.bridge import InvalidInput, Seat
from setrograde.db.endings.ending_sets import EndingSet
from setrograde.db.endings.set_diagrams import describe_set, format_set
from setrograde.db.methods.set_levels import SetLevel
from setrograde.papers.setrograde import Entry

FIGURE_1 = EndingSet.from_text("NT 00xxxxxx:2222")


@cache
def entries() -> list[Entry[EndingSet]]:
    return list(SetLevel(2))


def test_low_cards_are_drawn_as_xs() -> None:
    assert format_set(FIGURE_1).splitlines() == [
        "          North",
        "          ♠ AK",
        "West               East",
        "♠ xx               ♠ xx",
        "          South",
        "          ♠ xx",
    ]


def test_the_table_can_be_turned() -> None:
    lines = format_set(FIGURE_1, leader=Seat.EAST).splitlines()
    assert lines[:4] == [
        "          North",
        "          ♠ xx",
        "West               East",
        "♠ xx               ♠ AK",
    ]
    assert "East leads" in describe_set(FIGURE_1, leader=Seat.EAST)


def test_a_choice_of_owners_is_named_below() -> None:
    states = EndingSet.from_text("NT [02][02]xxxxxx:2222")
    assert format_set(states).splitlines()[1:] == [
        "          ♠ ??",
        "West               East",
        "♠ xx               ♠ xx",
        "          South",
        "          ♠ ??",
        "♠AK: North or South",
    ]
    three = EndingSet.from_text("NT [012]xxx:1111")
    assert format_set(three).endswith("♠A: North, East or South")


def test_cards_that_can_lie_one_way_only_are_placed() -> None:
    forced = EndingSet.from_text("NT [01]0:1100 xx:0011")
    assert format_set(forced).splitlines()[:4] == [
        "          North",
        "          ♠ K",
        "West               East",
        "♥ x                ♠ A",
    ]
    assert "♠A: East; ♠K: North." in describe_set(forced)


def test_words_say_what_matters_and_what_does_not() -> None:
    assert describe_set(FIGURE_1, 2).splitlines() == [
        "Notrump, North leads; 2 tricks are left.",
        "♠AK: North; lower cards anywhere.",
        "North-South take 2 tricks in each of 90 layouts.",
    ]
    assert describe_set(FIGURE_1).endswith("\n90 layouts.")
    one = EndingSet.from_text("T 0:1000 1:0100 2:0010 3:0001")
    assert describe_set(one, 0, leader=Seat.WEST).splitlines() == [
        "Spades are trumps and West leads; 1 trick is left.",
        "♠A: South.",
        "♥A: West.",
        "♦A: North.",
        "♣A: East.",
        "East-West take 0 tricks in the only layout.",
    ]


@pytest.mark.parametrize("tricks", [-1, 3])
def test_more_tricks_than_there_are_cannot_be_described(tricks: int) -> None:
    with pytest.raises(InvalidInput, match=f"not a number of tricks: {tricks}"):
        describe_set(FIGURE_1, tricks)


@given(st.integers(0, 5351), st.sampled_from(Seat))
def test_every_hand_is_drawn_with_all_its_cards(index: int, leader: Seat) -> None:
    entry = entries()[index]
    drawing = format_set(entry.states, leader=leader)
    hands = "\n".join(line for line in drawing.splitlines() if ":" not in line)
    assert sum(hands.count(letter) for letter in "AKQJT987x?") == 8
    assert ("?" in hands) == (":" in drawing)
    words = describe_set(entry.states, entry.value, leader=leader)
    assert f"{len(entry.states):,} layouts" in words or "the only layout" in words
