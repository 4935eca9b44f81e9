"""Tricks and play, legal by construction."""

from __future__ import annotations

from itertools import permutations

import pytest

from oracle.play import winner
from setrograde.bridge import (
    Card,
    Deal,
    InvalidPlay,
    Play,
    Seat,
    Side,
    Strain,
    Trick,
    trick_winner,
)

DEAL = Deal.from_pbn("N:AK.2.. QJ..A. T9.3.. 87..K.")


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.from_text(word) for word in text.split())


def play_of(text: str, strain: Strain = Strain.NOTRUMP, leader: Seat = Seat.NORTH) -> Play:
    return Play(DEAL, strain, leader, cards(text))


@pytest.mark.parametrize("strain", list(Strain))
def test_the_highest_trump_or_card_of_the_suit_led_wins(strain: Strain) -> None:
    for trick in permutations(cards("SA S2 H3 HK D4 CQ"), 4):
        for leader in Seat:
            expected = winner(trick, leader, strain)
            assert trick_winner(trick, leader, strain) is expected
            assert Trick(leader, trick).winner(strain) is expected


def test_an_unfinished_trick_has_a_winner_so_far() -> None:
    assert trick_winner(cards("H2 HA"), Seat.SOUTH, Strain.SPADES) is Seat.WEST
    assert trick_winner(cards("H2 HA S2"), Seat.SOUTH, Strain.SPADES) is Seat.NORTH


def test_a_trick_knows_who_played_what() -> None:
    trick = Trick(Seat.WEST, cards("SA S2"))
    assert [trick.card_of(seat) for seat in Seat] == [cards("S2")[0], None, None, cards("SA")[0]]
    assert not trick.is_complete


def test_a_player_must_follow_suit() -> None:
    play = play_of("SA")
    assert play.legal_cards() == cards("SQ SJ")
    assert not play.is_legal(cards("DA")[0])
    with pytest.raises(InvalidPlay, match="'DA' by East as card 2: must follow SPADES"):
        play.with_card(cards("DA")[0])


def test_a_void_suit_may_ruff_or_discard() -> None:
    play = play_of("H2", Strain.DIAMONDS)
    assert play.turn is Seat.EAST
    assert set(play.legal_cards()) == set(cards("SQ SJ DA"))
    trick = play_of("H2 DA H3 DK", Strain.DIAMONDS)
    assert trick.turn is Seat.EAST
    assert (trick.tricks_won(Side.NS), trick.tricks_won(Side.EW)) == (0, 1)


def test_a_card_must_be_held_and_played_once() -> None:
    with pytest.raises(InvalidPlay, match="'SQ' by North as card 1: does not hold it"):
        play_of("SQ")
    with pytest.raises(InvalidPlay, match="'SA' by North as card 5: does not hold it"):
        play_of("SA SJ S9 S7 SA")


def test_the_winner_leads_to_the_next_trick() -> None:
    play = play_of("SA SJ S9 S7 H2 SQ H3 S8 ST DK SK DA")
    assert [trick.leader for trick in play.tricks()] == [Seat.NORTH, Seat.NORTH, Seat.SOUTH]
    assert play.is_over
    assert play.legal_cards() == ()
    assert play.tricks_won(Side.NS) == 3
    assert len(play) == 12


def test_remaining_cards_and_current_trick() -> None:
    play = play_of("SA SJ S9 S7 SK")
    assert str(play.remaining) == "N:.2.. Q..A. T.3.. 8..K."
    assert play.current_trick == Trick(Seat.NORTH, cards("SK"))
    assert play_of("SA SJ S9 S7").current_trick == Trick(Seat.NORTH, ())
    assert play_of("").current_trick == Trick(Seat.NORTH, ())


def test_a_claim_must_be_possible() -> None:
    play = play_of("SA SJ S9 S7", leader=Seat.NORTH)  # East declares and has lost a trick
    assert play.claim(0).claimed_by_declarer == 0
    assert play.claim(2).claimed_by_declarer == 2
    for tricks in (-1, 3):
        with pytest.raises(InvalidPlay, match=rf"impossible claim: {tricks} .*0 to 2"):
            play.claim(tricks)
