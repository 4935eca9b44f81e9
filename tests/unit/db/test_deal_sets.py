"""Sets of deals as text."""

from __future__ import annotations

import pytest

from setrograde.bridge import Card, Deal, InvalidInput, Seat, Suit
from setrograde.db.deal_sets import DealSet, InvalidDealSet

EVERYBODY = frozenset(Seat)


def holders(text: str, card: str) -> frozenset[Seat]:
    return DealSet.from_text(text).holders[Card.from_text(card)]


@pytest.mark.parametrize(
    ("word", "seats"),
    [
        ("SA=N", {Seat.NORTH}),
        ("SA=EW", {Seat.EAST, Seat.WEST}),
        ("SA=WE", {Seat.EAST, Seat.WEST}),
        ("sa=-e", {Seat.NORTH, Seat.SOUTH, Seat.WEST}),
        ("SA=-NS", {Seat.EAST, Seat.WEST}),
        ("SA=x", EVERYBODY),
        ("SA=X", EVERYBODY),
        ("SA=NESW", EVERYBODY),
    ],
)
def test_a_word_says_who_may_have_a_card(word: str, seats: set[Seat]) -> None:
    assert holders(f"{word} SKQJ=x", "SA") == seats


def test_ten_is_written_either_way() -> None:
    assert DealSet.from_text("ST98=x S7=N") == DealSet.from_text("S1098=x S7=N")


def test_commas_and_blanks_part_words() -> None:
    assert DealSet.from_text("SA=N,SK=E  SQ=S,\tSJ=W").tricks == 1


def test_all_cards_of_one_deal_are_a_set_of_one() -> None:
    deal = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")
    deals = DealSet.of_deal(deal)
    assert deals.contains(deal)
    assert deals.tricks == 3
    assert not deals.contains(deal.rotate(1))


def test_lengths_of_several_words_meet() -> None:
    deals = DealSet.from_text("SAKQJ=x E.S>=0 E.S<=2 W.S>=1 N.S=1")
    assert deals.lengths == {
        (Seat.EAST, Suit.SPADES): (0, 2),
        (Seat.WEST, Suit.SPADES): (1, 13),
        (Seat.NORTH, Suit.SPADES): (1, 1),
    }


def test_a_deal_is_in_a_set_if_cards_holders_and_lengths_agree() -> None:
    deals = DealSet.from_text("SAK=NS SQJ=x HAK=-N HQJ=x E.H>=1")
    assert deals.contains(Deal.from_pbn("N:AK... .AQ.. QJ... .KJ.."))
    assert not deals.contains(Deal.from_pbn("N:A.A.. .KQ.. KQ... J.J.."))  # North has the ♥A
    assert not deals.contains(Deal.from_pbn("N:AK... QJ... .AK.. .QJ.."))  # East has no heart
    assert not deals.contains(Deal.from_pbn("N:AK... .AQ.. QT... .KJ.."))  # another card
    assert not deals.contains(Deal.from_pbn("N:AKQ... .AQ.. J... .KJ.."))  # unequal hands


@pytest.mark.parametrize(
    "text",
    [
        "SA=N SKQJ=x",
        "SA=N SK=EW SQ=-S SJ=x",
        "SA=x HA=NS DA=E CA=x",
        "SAKQJ=x N.S=1 E.S<=2 S.S>=1 W.S>=1 W.S<=3",
    ],
)
def test_text_is_written_as_it_is_read(text: str) -> None:
    assert DealSet.from_text(text).to_text() == text
    assert str(DealSet.from_text(text)) == text


def test_limits_of_lengths_come_by_player_from_the_leader_on() -> None:
    least, most = DealSet.from_text("SAKQJ=x E.S>=1 E.S<=2 N.H=0").length_limits(Seat.EAST)
    assert least[0][Suit.SPADES] == 1
    assert most[0][Suit.SPADES] == 2
    assert most[3][Suit.HEARTS] == 0
    assert sum(map(sum, least)) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a set without cards"),
        (" , ", "a set without cards"),
        ("N.S=1", "a set without cards"),
        ("SA=N", "1 cards in 'SA=N'"),
        ("SAKQJ=x HA=N", "5 cards"),
        ("SAKQJ", "'SAKQJ'"),
        ("SAKQJ=Q", "'SAKQJ=Q'"),
        ("SAKQJ=", "'SAKQJ='"),
        ("S=N", "'S=N'"),
        ("XA=N", "'XA=N'"),
        ("S1=N", "'S1=N'"),
        ("SA=N SA=E SKQ=x", "SA is there twice: 'SA=E'"),
        ("SAA=N SKQ=x", "SA is there twice: 'SAA=N'"),
        ("SAKQJ=-x", "nobody may have these cards: 'SAKQJ=-x'"),
        ("SAKQJ=-NESW", "nobody may have these cards"),
        ("SAKQJ=x E.S=14", "not a number of cards: 14"),
        ("SAKQJ=x E.S=٣", "'E.S=٣'"),
        ("SAKQJ=x E.S>=3 E.S<=2", "no length is left by 'E.S<=2'"),
        ("SAKQJ=x E.X=1", "'E.X=1'"),
        ("ＳＡ=N", "'ＳＡ=N'"),
        ("ſA=N SKQJ=x", "'ſA=N'"),
    ],
)
def test_text_that_makes_no_set_is_quoted(text: str, message: str) -> None:
    with pytest.raises(InvalidDealSet) as caught:
        DealSet.from_text(text)
    assert message in str(caught.value)
    assert isinstance(caught.value, InvalidInput)


def test_with_holder_needs_a_card_of_the_set_and_somebody_who_may_have_it() -> None:
    deals = DealSet.from_text("SA=NS SKQJ=x")
    with pytest.raises(InvalidDealSet, match="HA is not in"):
        deals.with_holder(Card.from_text("HA"), [Seat.NORTH])
    with pytest.raises(InvalidDealSet, match="nobody may have SA"):
        deals.with_holder(Card.from_text("SA"), [Seat.EAST])


def test_a_set_cannot_be_made_without_holders() -> None:
    four = [Card.from_text(text) for text in ("SA", "SK", "SQ", "SJ")]
    with pytest.raises(InvalidDealSet, match="nobody may have SA"):
        DealSet({card: frozenset() for card in four})
