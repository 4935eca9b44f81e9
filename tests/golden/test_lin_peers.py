"""LIN beside its peers: endplay and bridgebots read the same file; differences are in the docs."""

from __future__ import annotations

import re

import pytest

from setrograde.bridge import Annotation, Card, Deal, Doubling, Seat, Strain
from setrograde.formats.lin import format_lin, parse_lin
from support import shared_data

NAME = ("realplay", "endplay_example1.lin")


def test_the_writer_gives_back_a_file_of_bbo() -> None:
    """Only the blanks at the end of explanations are not kept."""
    text = shared_data(*NAME).read_text()
    assert format_lin(parse_lin(text, strict=True)) == re.sub(r" +\|", "|", text)


def test_endplay_reads_the_same_boards() -> None:
    endplay_lin = pytest.importorskip("endplay.parsers.lin")
    text = shared_data(*NAME).read_text()
    theirs = endplay_lin.loads(text)
    ours = parse_lin(text, strict=True)
    assert len(ours) == len(theirs) == 8
    for board, other in zip(ours, theirs, strict=True):
        assert board.contract is not None
        assert board.auction is not None
        assert board.play is not None
        assert board.number == other.board_num
        assert board.deal == Deal.from_pbn(str(other.deal))
        assert str(board.dealer) == other.dealer.abbr
        assert board.contract.level == other.contract.level
        assert board.contract.declarer == Seat.from_text(other.contract.declarer.abbr)
        assert board.contract.strain == Strain.from_text(other.contract.denom.abbr)
        assert board.play.cards == tuple(Card.from_text(str(card)) for card in other.play)
        assert len(board.auction) == len(other.auction)
        for turn, bid in enumerate(other.auction):
            note = board.auction.annotation(turn) or Annotation()
            assert note.alerted == bid.alertable
            assert bool(note.text) == bool(bid.announcement)


def test_endplay_and_we_agree_on_results_by_claim() -> None:
    """Of boards played out, endplay 0.5.12 miscounts: it never passes the lead to the winner."""
    endplay_lin = pytest.importorskip("endplay.parsers.lin")
    text = shared_data(*NAME).read_text()
    claimed = [
        (board.tricks_declarer, other.contract.level + 6 + other.contract.result)
        for board, other in zip(parse_lin(text), endplay_lin.loads(text), strict=True)
        if other.claimed
    ]
    assert claimed == [(9, 9), (11, 11)]


def test_bridgebots_reads_the_same_boards() -> None:
    lin = pytest.importorskip("bridgebots.lin")
    text = shared_data(*NAME).read_text()
    theirs = lin.parse_lin_str(text)
    ours = parse_lin(text, strict=True)
    assert len(ours) == len(theirs)
    for board, record in zip(ours, theirs, strict=True):
        (other,) = record.board_records
        assert board.deal is not None
        assert board.contract is not None
        assert board.auction is not None
        assert board.play is not None
        assert board.contract.doubling == Doubling(other.contract.doubled)
        assert str(board.contract)[:2] == str(other.contract)[:2]
        assert board.contract.declarer.name == other.declarer.name
        assert board.tricks_declarer == other.tricks
        assert [str(call).upper() for call in board.auction.calls] == other.bidding_record
        assert [str(card) for card in board.play.cards] == [str(card) for card in other.play_record]
        for direction, hand in record.deal.hands.items():
            held = board.deal[Seat[direction.name]]
            assert {str(card) for card in held} == {str(card) for card in hand.cards}
