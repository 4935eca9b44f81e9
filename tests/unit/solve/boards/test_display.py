"""Boards and solved games as notebooks show them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from setrograde.games.board_picture import BoardPicture
from setrograde.games.catalogue import CATALOGUE, make_game
from setrograde.games.in_a_row import TicTacToe
from setrograde.games.nim import Nim
from setrograde.solve.boards import (
    BoardAnswer,
    solve_game,
    solve_retrograde,
)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_game_has_a_picture_with_all_its_pieces(name: str) -> None:
    game = make_game(name, CATALOGUE[name].example)
    picture = ElementTree.fromstring(BoardPicture(game, game.start)._repr_svg_())
    texts = [each.text for each in picture.iter() if each.tag.endswith("text")]
    pieces = sum(letter != "." for letter in game.start)
    assert len(texts) == (1 if name == "nim" else pieces)


def test_a_board_shows_its_value_and_its_moves() -> None:
    solution = solve_game(Nim([3, 4, 5]))
    html = BoardAnswer(solution, "345", 0)._repr_html_()
    page = ElementTree.fromstring(html)
    assert "player 1 to move: win in 11" in html and "1:3-1" in html
    assert len(list(page.iter("tr"))) == 12  # as many moves as there are


def test_many_moves_are_cut_short_and_that_is_told() -> None:
    html = BoardAnswer(solve_game(Nim([9, 9])), "99", 0)._repr_html_()
    assert "6 more" in html


def test_a_solution_shows_who_wins_and_its_counts() -> None:
    solution = solve_retrograde(TicTacToe())
    html = solution._repr_html_()
    ElementTree.fromstring(html)
    assert "a draw" in html and "19,683" in html and "tic-tac-toe 3x3" in html


def test_a_solution_by_grades_shows_the_same() -> None:
    html = solve_game("tic-tac-toe", "3x3", distances=False)._repr_html_()
    ElementTree.fromstring(html)
    assert "a draw" in html and "grades" in html and "tic-tac-toe 3x3" in html
