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


def test_without_a_seat_the_first_hand_is_norths() -> None:
    assert Deal.from_pbn("A... K... Q... -") == Deal.from_pbn("N:A... K... Q... -")


@pytest.mark.parametrize(
    "text",
    ["", "N", "N:", "N:A... K... Q...", "Q:A... K... Q... J...", "A... K... Q...",
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


NORTH, EAST = "QJ6.K652.J85.T98", "873.J97.AT764.Q4"
SOUTH, WEST = "K5.T83.KQ9.A7652", "AT942.AQ4.32.KJ3"


def test_hands_by_seat_make_a_deal() -> None:
    deal = Deal.from_seats(north=NORTH, east=Hand.from_text(EAST), south=SOUTH, west=WEST)
    assert deal == Deal.from_pbn(f"N:{NORTH} {EAST} {SOUTH} {WEST}")


@pytest.mark.parametrize("missing", ["north", "east", "south", "west"])
def test_three_full_hands_leave_the_fourth(missing: str) -> None:
    hands = {"north": NORTH, "east": EAST, "south": SOUTH, "west": WEST}
    whole = Deal.from_seats(**hands)
    del hands[missing]
    assert Deal.from_seats(**hands) == whole


def test_hands_that_do_not_tell_the_fourth_are_an_error() -> None:
    message = r"no cards for East and West in 'N:.* - K5.* -' \(expected four hands"
    with pytest.raises(InvalidDeal, match=message):
        Deal.from_seats(north=NORTH, south=SOUTH)
    with pytest.raises(InvalidDeal, match="no cards for West in"):
        Deal.from_seats(north="A...", east="K...", south="Q...")
    with pytest.raises(InvalidDeal, match="no cards for North and East and South and West"):
        Deal.from_seats()


def test_a_dash_is_a_hand_that_is_not_known() -> None:
    assert Deal.from_seats(north=NORTH, east="-", south=SOUTH, west="-")["W"] == Hand()


@pytest.mark.parametrize(
    ("seed", "text"),
    [
        (0, "N:Q.AT985.T86.A542 KT632.K762.954.6 A754.43.Q73.J873 J98.QJ.AKJ2.KQT9"),
        (2026, "N:A642.QJ.Q42.AT94 Q873.A.J765.QJ75 JT95.K97432.K3.K K.T865.AT98.8632"),
        (-1, "N:2.KT86.QJ53.T765 J753.AQ54.AT4.A8 AK964.72.86.K943 QT8.J93.K972.QJ2"),
    ],
)
def test_a_seed_gives_the_same_deal_for_ever(seed: int, text: str) -> None:
    """These deals are a promise: never change them."""
    assert Deal.random(seed=seed).to_pbn() == text


def test_random_deals_are_full_and_even() -> None:
    deals = [Deal.random(seed=seed) for seed in range(2000)]
    assert all(deal.is_full for deal in deals)
    assert len(set(deals)) == len(deals)
    for card in Card.ALL:
        for seat in Seat:
            held = sum(card in deal[seat] for deal in deals)
            assert abs(held - 500) < 100  # five standard deviations


def test_a_deal_takes_text_for_seats_cards_and_hands() -> None:
    deal = Deal(("AK...", "QJ...", "T9...", "87..."))
    assert deal == Deal.from_pbn("N:AK... QJ... T9... 87...")
    assert deal["north"] == deal[Seat.NORTH] == Hand.from_text("AK...")
    assert deal.holder("s7") is Seat.WEST
    assert deal.with_hand("W", "65...")[Seat.WEST] == Hand.from_text("65...")
    assert deal.to_pbn("E").startswith("E:QJ")


def test_a_deal_has_four_hands() -> None:
    with pytest.raises(InvalidDeal, match=r"not four hands: 'A\.\.\. K\.\.\.'"):
        Deal(("A...", "K..."))
