"""The rules of tic-tac-toe."""

from __future__ import annotations

from itertools import product

import pytest

from setrograde.bridge import InvalidInput
from setrograde.papers.tic_tac_toe import (
    LINES,
    SYMMETRIES,
    InvalidPosition,
    Mark,
    TicTacToeBoard,
    iter_boards,
)

BOARDS = list(iter_boards())


def test_crosses_move_first_then_players_alternate() -> None:
    board = TicTacToeBoard()
    for square, mark in zip((4, 0, 8, 2), (Mark.CROSS, Mark.NOUGHT) * 2, strict=True):
        assert board.to_move is mark
        board = board.play(square)
        assert board.cells[square] == mark
    assert board == TicTacToeBoard.from_text("O.O .X. ..X")


@pytest.mark.parametrize("line", LINES)
def test_three_in_a_line_win_and_end_the_game(line: tuple[int, int, int]) -> None:
    others = [square for square in range(9) if square not in line]
    board = TicTacToeBoard()
    for square in (line[0], others[0], line[1], others[3]):
        board = board.play(square)
    assert not board.is_over
    won = board.play(line[2])
    assert won.winner is Mark.CROSS
    assert won.is_over and not won.is_full
    assert won.to_move is None and won.moves == ()


def test_noughts_can_win_too() -> None:
    board = TicTacToeBoard.from_text("OOO XX. X..")
    assert (board.winner, board.to_move) == (Mark.NOUGHT, None)


def test_a_full_board_without_a_line_is_over_without_a_winner() -> None:
    board = TicTacToeBoard.from_text("XOX XOO OXX")
    assert board.is_full and board.is_over
    assert board.winner is None and board.to_move is None


def test_a_win_with_the_last_square_is_a_win() -> None:
    board = TicTacToeBoard.from_text("XOX OXO OX.").play(8)
    assert board.is_full and board.winner is Mark.CROSS


def test_moves_are_the_empty_squares() -> None:
    assert TicTacToeBoard.from_text("X.O .X. O..").moves == (1, 3, 5, 7, 8)


@pytest.mark.parametrize("square", [-1, 9, 0])
def test_a_square_off_the_board_or_taken_is_no_move(square: int) -> None:
    with pytest.raises(InvalidPosition, match=rf"not a move: {square} on 'X\.\. "):
        TicTacToeBoard.from_text("X.. ... ...").play(square)


def test_nobody_moves_after_the_game() -> None:
    with pytest.raises(InvalidPosition, match=r"expected one of \[\]"):
        TicTacToeBoard.from_text("XXX OO. ...").play(8)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected nine squares"),
        ("XO", "expected nine squares"),
        ("X" * 1000, "expected nine squares"),
        ("XO. ?.. ...", r"not a square: '\?'"),
        ("XO. \x00.. ...", "not a square"),
        ("... ... ..O", "0 crosses and 1 noughts"),
        ("XXX ... ...", "3 crosses and 0 noughts"),
        ("XXX OOO ...", "play went on after X"),
        ("XXX OO. O..", "play went on after X"),
        ("OOO XX. XX.", "play went on after O"),
    ],
)
def test_impossible_boards_are_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(InvalidPosition, match=message) as caught:
        TicTacToeBoard.from_text(text)
    assert isinstance(caught.value, InvalidInput)


def test_boards_that_are_accepted_are_exactly_those_reached_in_play() -> None:
    accepted = set()
    for cells in product("XO.", repeat=9):
        try:
            accepted.add(TicTacToeBoard("".join(cells)))
        except InvalidPosition:
            continue
    assert accepted == set(BOARDS)
    assert len(BOARDS) == len(accepted) == 5478


def test_finished_boards_have_the_known_numbers() -> None:
    over = [board for board in BOARDS if board.is_over]
    wins = [sum(board.winner is mark for board in over) for mark in Mark]
    assert (wins, sum(board.winner is None for board in over)) == ([626, 316], 16)


def test_text_is_read_back_in_any_layout() -> None:
    for board in BOARDS:
        assert TicTacToeBoard.from_text(str(board)) == board == eval(repr(board))
        assert TicTacToeBoard.from_text(str(board).lower().replace(" ", "\n")) == board


def test_symmetries_form_a_group_that_keeps_lines() -> None:
    group = set(SYMMETRIES)
    assert len(group) == 8
    for first, second in product(SYMMETRIES, repeat=2):
        assert tuple([first[square] for square in second]) in group
    for symmetry in SYMMETRIES:
        assert {frozenset(symmetry[s] for s in line) for line in LINES} == set(
            map(frozenset, LINES)
        )


def test_images_share_winner_turn_and_canonical_board() -> None:
    for board in BOARDS[:: len(BOARDS) // 300]:
        assert board.images[0] == board
        for image in board.images:
            assert (image.winner, image.to_move) == (board.winner, board.to_move)
            assert image.canonical == board.canonical
        assert board.canonical in board.images
