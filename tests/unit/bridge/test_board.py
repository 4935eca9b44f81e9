"""Boards and their numbers."""

from __future__ import annotations

import pytest

from setrograde.bridge import (
    Board,
    Deal,
    InvalidBoard,
    Seat,
    board_dealer,
    board_vulnerability,
)

# Law 2 and the boards themselves: dealer and vulnerability, written out.
BOARDS = """
 1 N None    2 E NS      3 S EW      4 W All
 5 N NS      6 E EW      7 S All     8 W None
 9 N EW     10 E All    11 S None   12 W NS
13 N All    14 E None   15 S NS     16 W EW
17 N None   18 E NS     19 S EW     20 W All
21 N NS     22 E EW     23 S All    24 W None
25 N EW     26 E All    27 S None   28 W NS
29 N All    30 E None   31 S NS     32 W EW
"""


def test_dealer_and_vulnerability_of_the_first_32_boards() -> None:
    words = BOARDS.split()
    table = list(zip(words[::3], words[1::3], words[2::3], strict=True))
    assert len(table) == 32
    for number, dealer, vulnerability in table:
        board = Board.numbered(int(number))
        assert board.number == int(number)
        assert str(board.dealer) == dealer, number
        assert str(board.vulnerability) == vulnerability, number


@pytest.mark.parametrize("number", [0, -3])
def test_bad_board_numbers_are_quoted(number: int) -> None:
    for call in (board_dealer, board_vulnerability, Board.numbered):
        with pytest.raises(InvalidBoard, match=str(number)):
            call(number)


def test_an_empty_board_knows_nothing() -> None:
    board = Board()
    assert board.deal is board.auction is board.contract is board.play is board.number is None
    assert [board.player(seat) for seat in Seat] == [None] * 4


def test_players_are_found_by_seat() -> None:
    board = Board(players=("Ann", None, "Sue", "Will"))
    assert [board.player(seat) for seat in Seat] == ["Ann", None, "Sue", "Will"]


def test_a_numbered_board_keeps_its_deal() -> None:
    deal = Deal.from_pbn("N:A... K... Q... J...")
    assert Board.numbered(3, deal).deal == deal
