"""Boards and their numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from setrograde.bridge import (
    Board,
    Deal,
    InvalidBoard,
    InvalidInput,
    Play,
    Seat,
    board_dealer,
    board_vulnerability,
    score_board,
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


PLAYED = Board(7, "S", "all", "N:AK... QJ... T9... 87...", contract="1NTS", tricks_declarer=8)


@pytest.mark.parametrize(
    ("board", "score"),
    [
        (PLAYED, 120),
        (replace(PLAYED, contract="1NTXE"), -380),
        (replace(PLAYED, contract="Pass", tricks_declarer=None), 0),
        (replace(PLAYED, contract=None, auction="1NT AP"), 120),
        (Board(1, "N", "none", auction="P P P P"), 0),
    ],
)
def test_boards_know_their_score(board: Board, score: int) -> None:
    assert board.score == score
    assert score_board(board) == score


def test_the_tricks_of_a_board_may_come_from_its_play() -> None:
    board = replace(PLAYED, tricks_declarer=None, play="S8 SA SJ S9 SK SQ ST S7")
    assert board.score == score_board("1NTS", 2, "all")
    claimed = replace(PLAYED.play or Play(PLAYED.deal, "NT", "W"), claimed_by_declarer=7)
    assert replace(board, play=claimed).score == 90


@pytest.mark.parametrize(
    ("missing", "what"),
    [
        ({"contract": None}, "the contract is not known"),
        ({"tricks_declarer": None}, "the result is not known"),
        ({"vulnerability": None}, "the vulnerability is not known"),
    ],
)
def test_a_board_without_a_score_says_why(missing: dict[str, None], what: str) -> None:
    board = replace(PLAYED, **missing)
    assert board.score is None
    with pytest.raises(InvalidBoard, match=rf"no score for board 7: {what} \(expected contract,"):
        score_board(board)


def test_impossible_results_have_no_score() -> None:
    assert replace(PLAYED, tricks_declarer=14).score is None
    with pytest.raises(InvalidInput, match="not a number of tricks: 14"):
        score_board(replace(PLAYED, tricks_declarer=14))


def test_scores_of_contracts_need_tricks_and_vulnerability() -> None:
    with pytest.raises(InvalidInput, match=r"no score for '4SS' \(expected tricks and vuln"):
        score_board("4SS")  # type: ignore[call-overload]
    with pytest.raises(InvalidInput, match="not a contract or a board: None"):
        score_board(None)  # type: ignore[call-overload]
