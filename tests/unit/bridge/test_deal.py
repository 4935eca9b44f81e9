"""Deals of four hands."""

from __future__ import annotations

import pytest

from setrograde.bridge import Card, Deal, Hand, InvalidDeal, Seat

TEXT = "N:AKQ.AKQ.AKQ.AKQJ JT9.JT9.JT9.T987 876.876.876.6543 5432.5432.5432.2"


def test_hands_go_clockwise_from_the_first_seat() -> None:
    deal = Deal.from_pbn("W:A... K... Q... J...")
    assert [str(hand) for hand in deal] == ["K...", "Q...", "J...", "A..."]
    assert deal[Seat.WEST] == Hand.from_text("A...")


def test_every_first_seat_writes_the_same_deal() -> None:
    deal = Deal.from_pbn(TEXT)
    assert deal.is_full
    assert len(deal) == 52
    for seat in Seat:
        text = deal.to_pbn(seat)
        assert text.startswith(f"{seat.letter}:")
        assert Deal.from_pbn(text) == deal
    assert str(deal) == TEXT
    assert eval(repr(deal)) == deal


def test_unknown_hands_are_dashes() -> None:
    deal = Deal.from_pbn("N:AKQ... - JT9... -")
    assert len(deal) == 6
    assert not deal.is_full
    assert deal.to_pbn() == "N:AKQ... - JT9... -"


def test_the_last_cards_of_a_trick_are_written_as_hands_not_as_unknown() -> None:
    assert Deal.from_pbn("N:A... ... Q... ...").to_pbn() == "N:A... ... Q... ..."


@pytest.mark.parametrize(
    "text",
    ["", "N", "N:", "N:A... K... Q...", "Q:A... K... Q... J...", "A... K... Q... J...",
     "N:A... K... Q... J... T...", "NE:A... K... Q... J..."],
)  # fmt: skip
def test_text_that_is_no_deal_is_quoted(text: str) -> None:
    with pytest.raises(InvalidDeal) as caught:
        Deal.from_pbn(text)
    assert repr(text) in str(caught.value)


def test_a_bad_hand_is_an_invalid_deal() -> None:
    with pytest.raises(InvalidDeal, match="'X'"):
        Deal.from_pbn("N:AX... K... Q... J...")


def test_a_card_held_twice_names_both_players() -> None:
    with pytest.raises(InvalidDeal, match="'SA' is with North and South"):
        Deal.from_pbn("N:A... K... A... J...")


def test_the_holder_of_every_card_is_found() -> None:
    deal = Deal.from_pbn(TEXT)
    for seat in Seat:
        assert all(deal.holder(card) is seat for card in deal[seat])
    assert Deal.from_pbn("N:A... - - -").holder(Card.from_text("SK")) is None


def test_the_fourth_hand_follows_from_three() -> None:
    full = Deal.from_pbn(TEXT)
    for seat in Seat:
        assert full.with_hand(seat, Hand()).complete() == full


def test_two_unknown_hands_stay_unknown() -> None:
    half = Deal.from_pbn(TEXT).with_hand(Seat.EAST, Hand()).with_hand(Seat.WEST, Hand())
    assert half.complete() == half


@pytest.mark.parametrize("steps", [-5, -1, 0, 1, 2, 3, 4, 7])
def test_rotation_moves_hands_clockwise(steps: int) -> None:
    deal = Deal.from_pbn(TEXT)
    turned = deal.rotate(steps)
    assert all(turned[seat.next_by(steps)] == deal[seat] for seat in Seat)


def test_a_hand_can_be_replaced_only_by_free_cards() -> None:
    deal = Deal.from_pbn("N:A... K... Q... J...")
    assert str(deal.with_hand(Seat.EAST, Hand.from_text("2..."))) == "N:A... 2... Q... J..."
    with pytest.raises(InvalidDeal, match="'SA'"):
        deal.with_hand(Seat.EAST, Hand.from_text("A..."))
