"""Winners of Amazons by forward search: known ones, and agreement with solutions by sets."""

from __future__ import annotations

from random import Random

import pytest

from oracle.board_games import solve
from setrograde.bridge import InvalidInput
from setrograde.games.amazons import Amazons
from setrograde.solve.boards import (
    BoardOutcome,
    find_winner,
    solve_by_grades,
)


@pytest.mark.parametrize(
    ("width", "height", "winner"),
    [
        (4, 4, 1),
        (5, 4, 0),
        (4, 5, 1),
        (4, 6, 0),
        (5, 5, 0),
    ],
)
def test_winners_of_boards(width: int, height: int, winner: int) -> None:
    """As Song and Müller have them (2014), but for 4x5: see the test of other starts.

    Larger boards are in `test_large_boards`.
    """
    found = find_winner(Amazons(width, height), limit_mb=4000)
    assert found.winner == winner
    assert (found.move is None) == (winner == 1)


@pytest.mark.parametrize(
    ("rows", "winner"),
    [
        ("oooo .... .... .... xxxx", 0),
        ("o..o o..o .... x..x x..x", 0),
        ("o..o .oo. .... .xx. x..x", 1),
        (".oo. .oo. .... .xx. .xx.", 1),
        (".... oooo .... xxxx ....", 1),
    ],
)
def test_winners_of_4x5_from_other_starts(rows: str, winner: int) -> None:
    """The first player's win that was published may be from one of these."""
    game = Amazons(4, 5)
    assert find_winner(game, game.parse_board(rows)).winner == winner


def test_boards_have_the_winners_of_a_solution_by_sets() -> None:
    game = Amazons(4, 4)
    solution = solve_by_grades(game)
    seen = set()
    for grade in solution.grades:
        for player in (0, 1):
            here = solution.slice(grade).boards[player]
            if not here:
                continue
            boards = here.sample(150, seed=grade)
            for board, value in zip(boards, solution.values(boards, player), strict=True):
                found = find_winner(game, board, player, limit_mb=2)
                assert (found.winner == player) == (value.outcome is BoardOutcome.WIN), (
                    board,
                    player,
                )
                seen.add((grade, value.outcome))
    assert len(seen) > 10


def test_moves_that_win_are_told() -> None:
    """5x5 by the move of the published proof; others by the winner after them."""
    assert find_winner(Amazons(5, 5)).move == "b1-b3/d3"
    game, draw = Amazons(4, 5), Random(3)
    told = 0
    for _ in range(40):
        letters = list("xxxooo......########")
        draw.shuffle(letters)
        board, player = "".join(letters), draw.randrange(2)
        found = find_winner(game, board, player, limit_mb=2)
        if found.move is None:
            assert found.winner != player
            continue
        (after,) = [s.board for s in game.iter_steps(board, player) if s.text == found.move]
        assert find_winner(game, after, 1 - player, limit_mb=2).winner == found.winner == player
        told += 1
    assert told > 10


def reachable(game: Amazons, board: str, player: int) -> set[tuple[str, int]]:
    found, left = {(board, player)}, [(board, player)]
    while left:
        at, turn = left.pop()
        for step in game.iter_steps(at, turn):
            if (step.board, 1 - turn) not in found:
                found.add((step.board, 1 - turn))
                left.append((step.board, 1 - turn))
    return found


@pytest.mark.parametrize("size", [(4, 4), (5, 4), (4, 5), (6, 4), (5, 5)])
def test_endings_have_the_winners_of_a_plain_solver(size: tuple[int, int]) -> None:
    game, draw = Amazons(*size), Random(1)
    for _ in range(20):
        letters = list("xxxoooo....") + ["#"] * (size[0] * size[1] - 11)
        draw.shuffle(letters)
        board, player = "".join(letters), draw.randrange(2)
        outcome, _distance = solve(game, reachable(game, board, player))[board, player]
        found = find_winner(game, board, player, limit_mb=2)
        assert (found.winner == player) == (outcome == "win"), (board, player)


def test_the_same_search_has_the_same_nodes_and_reports_them() -> None:
    game, reported = Amazons(4, 5), []
    board = game.parse_board("oooo .... .... .... xxxx")
    nodes = find_winner(game, board, limit_mb=16).nodes
    assert find_winner(game, board, limit_mb=16, progress=reported.append).nodes == nodes
    assert reported and reported == sorted(reported) and 0 < reported[-1] <= nodes


def test_errors_of_progress_stop_the_search() -> None:
    def complain(nodes: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_winner(Amazons(5, 6), limit_mb=16, progress=complain)


def test_nonsense_is_refused() -> None:
    game = Amazons(4, 4)
    with pytest.raises(InvalidInput):
        find_winner(game, "x")
    with pytest.raises(InvalidInput):
        find_winner(game, "*" + game.start[1:])
    with pytest.raises(ValueError, match="player"):
        find_winner(game, player=2)
    with pytest.raises(ValueError, match="memory"):
        find_winner(game, limit_mb=0)
