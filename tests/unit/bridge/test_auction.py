"""Auctions, legal by construction."""

from __future__ import annotations

import pytest

from setrograde.bridge import Annotation, Auction, Call, Contract, InvalidAuction, Seat


@pytest.mark.parametrize(
    ("text", "dealer", "contract"),
    [
        ("Pass Pass Pass Pass", "N", "Pass"),
        ("AP", "E", "Pass"),
        ("1H AP", "N", "1HN"),
        ("1H Pass 2H AP", "N", "2HN"),
        ("1H Pass 1S Pass 4S AP", "N", "4SS"),
        ("1H 1S Pass 2S 3H AP", "N", "3HN"),
        ("1S 2S X XX AP", "W", "2SXXN"),
        ("1C X AP", "S", "1CXS"),
        ("1C X XX Pass Pass 1D AP", "S", "1DW"),
        ("Pass Pass 1NT X Pass Pass XX AP", "N", "1NTXXS"),
        ("Pass 1D 1S 2D 2S 3D AP", "N", "3DE"),
    ],
)
def test_the_contract_follows_from_the_calls(text: str, dealer: str, contract: str) -> None:
    auction = Auction.from_text(text, dealer=Seat.from_text(dealer))
    assert auction.is_over
    assert auction.contract == Contract.from_text(contract)
    assert auction.legal_calls() == ()


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("1H 1H", "'1H' by East as call 2: not higher than 1H"),
        ("1H 1C", "'1C' by East"),
        ("X", "'X' by North as call 1"),
        ("Pass XX", "'XX' by East"),
        ("1H Pass X", "'X' by South"),
        ("1H X X", "'X' by South"),
        ("1H X Pass XX", "'XX' by West"),
        ("1H XX", "'XX' by East"),
        ("1H X XX X", "'X' by West"),
        ("1H X 1S XX", "'XX' by West"),
        ("1H Pass Pass Pass 2H", "'2H' by North as call 5: the auction is over"),
        ("Pass Pass Pass Pass Pass", "as call 5: the auction is over"),
        ("1H what", "'what'"),
    ],
)
def test_illegal_calls_say_who_and_where(text: str, quoted: str) -> None:
    with pytest.raises(InvalidAuction) as caught:
        Auction.from_text(text, dealer=Seat.NORTH)
    assert quoted in str(caught.value)


def test_all_pass_adds_just_the_passes_missing() -> None:
    for text, passes in [("AP", 4), ("P AP", 4), ("P P P AP", 4), ("1C AP", 3), ("1C P P AP", 3)]:
        auction = Auction.from_text(text, dealer=Seat.NORTH)
        assert auction.is_over
        assert auction.calls.count(Call.PASS) == passes


def test_commas_and_blanks_separate_calls() -> None:
    assert Auction.from_text("1H, p,4h", Seat.EAST) == Auction.from_text("1H Pass 4H", Seat.EAST)


def test_an_auction_going_on_has_no_contract_yet() -> None:
    auction = Auction.from_text("1H X", dealer=Seat.WEST)
    assert auction.contract is None
    assert auction.contract_so_far == Contract.from_text("1HXW")
    assert auction.turn is Seat.EAST
    assert Auction(Seat.SOUTH).contract_so_far == Contract.PASSED_OUT


def test_annotations_belong_to_calls() -> None:
    note = Annotation(alerted=True, text="transfer")
    auction = Auction.from_text("1NT Pass", Seat.NORTH).with_call(Call.from_text("2D"), note)
    assert auction.annotation(2) == note
    assert auction.annotation(0) is None
    assert Auction(Seat.NORTH).with_call(Call.PASS).annotation(0) is None
    with pytest.raises(InvalidAuction, match="1 annotations for 2 calls"):
        Auction(Seat.NORTH, (Call.PASS, Call.PASS), (note,))


def test_calls_are_paired_with_seats() -> None:
    auction = Auction.from_text("1H Pass 4H", dealer=Seat.WEST)
    assert [(seat.letter, str(call)) for seat, call in auction] == [
        ("W", "1H"),
        ("N", "Pass"),
        ("E", "4H"),
    ]
    assert len(auction) == 3
    assert str(auction) == "1H Pass 4H"
