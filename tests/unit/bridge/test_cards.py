"""Suits, ranks, strains, seats and cards."""

from __future__ import annotations

import pytest

from setrograde.bridge import (
    Card,
    InvalidCard,
    InvalidInput,
    Rank,
    Seat,
    Side,
    Strain,
    Suit,
    Vulnerability,
)


def test_the_order_of_everything_is_fixed() -> None:
    assert [suit.letter for suit in sorted(Suit)] == list("CDHS")
    assert [str(strain) for strain in sorted(Strain)] == ["C", "D", "H", "S", "NT"]
    assert "".join(rank.letter for rank in sorted(Rank)) == "23456789TJQKA"
    assert "".join(seat.letter for seat in Seat) == "NESW"


@pytest.mark.parametrize("enum", [Suit, Strain, Rank, Seat, Side])
def test_enumerators_can_be_pasted_back(enum: type[Suit]) -> None:
    for value in enum:
        assert eval(repr(value)) is value


def test_vulnerabilities_can_be_pasted_back() -> None:
    for number in range(4):
        value = Vulnerability(number)
        assert eval(repr(value)) is value
        assert Vulnerability.from_text(str(value)) is value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("None", 0), ("-", 0), ("Love", 0), ("", 0), ("NS", 1), ("N-S", 1), ("n/s", 1), ("EW", 2),
        ("e-w", 2), ("All", 3), ("both", 3), ("B", 3),
    ],
)  # fmt: skip
def test_vulnerability_words_of_all_formats_are_read(text: str, expected: int) -> None:
    assert Vulnerability.from_text(text) == expected


def test_vulnerability_covers_its_sides_only() -> None:
    covered = [[v.covers(side) for side in Side] for v in map(Vulnerability, range(4))]
    assert covered == [[False, False], [True, False], [False, True], [True, True]]


def test_suits_and_strains_correspond() -> None:
    for suit in Suit:
        assert suit.strain.suit is suit
        assert str(suit.strain) == str(suit)
        assert suit.strain.symbol == suit.symbol
        assert Suit.from_text(suit.symbol) is Suit.from_text(suit.letter.lower()) is suit
    assert Strain.NOTRUMP.suit is None


def test_seats_go_clockwise() -> None:
    assert [seat.next for seat in Seat] == [Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH]
    assert [seat.partner for seat in Seat] == [Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST]
    assert [seat.side for seat in Seat] == [Side.NS, Side.EW, Side.NS, Side.EW]
    assert Seat.SOUTH.next_by(3) is Seat.EAST
    assert Seat.NORTH.next_by(-1) is Seat.WEST
    assert Side.NS.opponents is Side.EW
    for side in Side:
        assert all(seat.side is side for seat in side.seats)


def test_high_cards_count_four_three_two_one() -> None:
    assert [rank.hcp for rank in Rank] == [0] * 9 + [1, 2, 3, 4]


def test_there_are_52_cards_in_order() -> None:
    assert len(set(Card.ALL)) == 52
    assert list(Card.ALL) == sorted(Card.ALL)
    for index, card in enumerate(Card.ALL):
        assert card.index == index
        assert Card.from_index(index) == card
        assert card.bit == 1 << (16 * card.suit + card.rank)
    assert sum(card.bit for card in Card.ALL) == 0x1FFF_1FFF_1FFF_1FFF


def test_every_card_is_read_in_every_spelling() -> None:
    for card in Card.ALL:
        suit, rank, symbol = card.suit.letter, card.rank.letter, card.suit.symbol
        spellings = {suit + rank, rank + suit, symbol + rank, rank + symbol}
        spellings |= {text.lower() for text in spellings}
        spellings |= {text.replace("T", "10") for text in spellings}
        for text in spellings:
            assert Card.from_text(text) == card, text
        assert eval(repr(card)) == card


@pytest.mark.parametrize("text", ["", "S", "A", "S1", "SAA", "S11", "AX", "S A", " SA", "1S", "10"])
def test_bad_cards_are_quoted(text: str) -> None:
    with pytest.raises(InvalidCard) as caught:
        Card.from_text(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("index", [-1, 52])
def test_bad_card_numbers_are_quoted(index: int) -> None:
    with pytest.raises(InvalidCard, match=str(index)):
        Card.from_index(index)


@pytest.mark.parametrize(
    ("enum", "text"),
    [
        (Suit, "N"), (Suit, ""), (Suit, "SP"), (Strain, "X"), (Strain, ""), (Rank, "1"),
        (Rank, ""), (Rank, "23"), (Seat, "Q"), (Seat, ""), (Vulnerability, "some"),
    ],
)  # fmt: skip
def test_bad_words_are_quoted(enum: type[Suit], text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        enum.from_text(text)
    assert repr(text) in str(caught.value)
