"""The rules of each game, as sets and board by board, say the same."""

from __future__ import annotations

from random import Random

import pytest

from oracle.board_games import all_boards, reachable_by_ply
from setrograde.bridge import InvalidInput
from setrograde.games.board_game import BoardGame
from setrograde.games.breakthrough import Breakthrough
from setrograde.games.catalogue import CATALOGUE, make_game
from setrograde.games.grid import Grid
from setrograde.games.in_a_row import TicTacToe

SMALL = [
    ("nim", "3,1,4"),
    ("tic-tac-toe", "3x3"),
    ("tic-tac-toe", "4x4"),
    ("breakthrough", "2x4"),
    ("breakthrough", "3x4"),
    ("breakthrough", "5x4"),
    ("breakthrough", "6x5"),
    ("connect4", "4x4"),
    ("connect4", "5x4"),
    ("amazons", "4x4"),
    ("amazons", "5x4"),
    ("chess", "KQK"),
    ("chess", "KRK"),
    ("chess", "KPK"),
]


@pytest.fixture(scope="module", params=SMALL, ids=lambda each: "-".join(each))
def game(request: pytest.FixtureRequest) -> BoardGame:
    return make_game(*request.param)


def random_boards(game: BoardGame, player: int, count: int) -> list[str]:
    """Legal boards, half of them from random play so that stones lie as they do in games."""
    rng = Random(5)
    boards = game.legal(player).sample(count // 2, seed=3)
    while len(boards) < count:
        board, turn = game.start, 0
        for _ in range(rng.randrange(12)):
            steps = list(game.iter_steps(board, turn))
            if not steps:
                break
            board, turn = rng.choice(steps).board, 1 - turn
        if turn == player:
            boards.append(board)
    return boards


@pytest.mark.parametrize("player", [0, 1])
def test_forward_leads_where_the_plain_rules_lead(game: BoardGame, player: int) -> None:
    boards = random_boards(game, player, 40)
    moves = game.moves(player)
    for board in boards:
        steps = {step.board for step in game.iter_steps(board, player)}
        assert set(moves.forward(game.space.of([board]))) == steps
    after = {step.board for board in boards for step in game.iter_steps(board, player)}
    assert moves.forward(game.space.of(boards)) == game.space.of(after)


@pytest.mark.parametrize("player", [0, 1])
def test_reverse_comes_from_where_forward_leads_there(game: BoardGame, player: int) -> None:
    boards = random_boards(game, player, 20)
    moves = game.moves(player)
    for board in boards:
        for step in list(game.iter_steps(board, player))[:3]:
            before = moves.reverse(game.space.of([step.board]))
            assert board in before
            some = before.sample(5, seed=1)
            legal = [each for each in some if each in game.legal(player)]
            for each in legal:
                assert step.board in {s.board for s in game.iter_steps(each, player)}


@pytest.mark.parametrize("player", [0, 1])
def test_lost_and_legal_boards_are_those_of_the_plain_rules(game: BoardGame, player: int) -> None:
    legal, lost = game.legal(player), game.lost(player)
    for board in random_boards(game, player, 60):
        assert game.is_legal(board, player)
        assert game.has_lost(board, player) == (board in lost)
    some_lost = lost & legal
    for board in some_lost.sample(20 if some_lost else 0, seed=1):
        assert game.has_lost(board, player) and not list(game.iter_steps(board, player))


def test_a_mirrored_game_is_the_same_game(game: BoardGame) -> None:
    for board in random_boards(game, 0, 20) if game.is_mirrored else []:
        mirrored = game.mirrored(board)
        assert mirrored is not None and game.mirrored(mirrored) == board
        here = {game.mirrored(step.board) for step in game.iter_steps(board, 0)}
        assert here == {step.board for step in game.iter_steps(mirrored, 1)}
        assert game.is_legal(board, 0) == game.is_legal(mirrored, 1)


def test_moves_have_names_of_their_own(game: BoardGame) -> None:
    for board in random_boards(game, 0, 10):
        names = [step.text for step in game.iter_steps(board, 0)]
        assert len(set(names)) == len(names)


def test_boards_survive_their_text(game: BoardGame) -> None:
    for board in random_boards(game, 0, 10):
        assert game.parse_board(game.to_text(board)) == board
        assert game.parse_board(game.to_text(board).replace("\n", "/")) == board


def test_every_board_is_judged_the_same_by_sets_and_by_rules() -> None:
    game = Breakthrough(2, 4)
    for player in (0, 1):
        stuck = ~game.moves(player).reverse(game.space.everything)
        for board in all_boards(game):
            assert (board in stuck) == (not list(game.iter_steps(board, player)))


def test_boards_after_each_ply_are_those_of_plain_search() -> None:
    game = TicTacToe()
    boards, player = game.space.of([game.start]), 0
    for expected in reachable_by_ply(game):
        assert set(boards) == expected
        boards, player = game.moves(player).forward(boards), 1 - player
    assert not boards


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize(
    "size", ["", "x", "0x0", "-3x4", "4x", "1e3x2", "99x99", "4x4x4", "٣x٤", "9" * 400, "KXK", ",,"]
)
def test_nonsense_sizes_are_refused_in_one_line(name: str, size: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make_game(name, size)
    assert "\n" not in str(caught.value) and "expected" in str(caught.value)


@pytest.mark.parametrize("text", ["", "....", "x" * 17, "zzzz/zzzz/zzzz/zzzz", "*" * 16])
def test_nonsense_boards_are_refused(text: str) -> None:
    for name in ("breakthrough", "amazons", "connect4"):
        with pytest.raises(InvalidInput, match="not a board"):
            make_game(name, "4x4").parse_board(text)


@pytest.mark.parametrize("size", [(3, 5), (5, 3), (4, 4)])
def test_places_run_along_the_short_side(size: tuple[int, int]) -> None:
    grid = Grid(*size)
    squares = [grid.square(place) for place in range(grid.squares)]
    assert sorted(squares) == [(c, r) for c in range(size[0]) for r in range(size[1])]
    assert [grid.place(*square) for square in squares] == list(range(grid.squares))
    first, second = squares[:2]
    assert (first[1] == second[1]) == (size[0] <= size[1])


@pytest.mark.parametrize(
    ("size", "by_rows"), [((4, 5), True), ((6, 5), True), ((8, 4), False), ((2, 4), True)]
)
def test_places_of_breakthrough_run_along_rows_unless_there_are_four(
    size: tuple[int, int], by_rows: bool
) -> None:
    game = Breakthrough(*size)
    assert (game.grid.place(1, size[1] - 1) == 1) == by_rows
    assert game.parse_board(game.to_text(game.start)) == game.start


def test_a_board_is_drawn_with_labels_and_as_a_picture() -> None:
    grid = Grid(3, 4)
    board = Breakthrough(3, 4).start
    assert grid.to_labelled_rows(board).split("\n")[0] == "4  o o o"
    picture = grid.to_svg(board, {"x": "<x>", "o": "o"})
    assert picture.count("&lt;x&gt;") == 6 and picture.startswith("<svg")
