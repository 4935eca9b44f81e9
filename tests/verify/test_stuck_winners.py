"""Games in which a player who cannot move has won."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oracle.board_games import all_positions, reachable_by_ply, solve
from setrograde.games import Breakthrough, Nim, Step
from setrograde.games.board_game import BoardGame
from setrograde.sets import BoardSet, Moves
from setrograde.solve.boards import (
    BoardOutcome,
    solve_game,
    solve_reachable,
    solve_retrograde,
    verify_solution,
)


class MisereNim(Nim):
    """Nim in which the player who takes the last stone loses."""

    name = "misere-nim"
    stuck_wins = True


class TrapNim(MisereNim):
    """The same with some boards on which the player to move has lost, so games end in both ways."""

    name = "trap-nim"
    traps = ("012", "111", "301", "033")

    def make_moves(self, player: int) -> Moves:
        before = ~self.space.of(self.traps)
        return Moves(self.space, super().make_moves(player)._moves, before=before)

    def lost(self, player: int) -> BoardSet:
        return self.space.of(self.traps)

    def iter_steps(self, board: str, player: int) -> Iterator[Step]:
        return iter(()) if board in self.traps else super().iter_steps(board, player)

    def has_lost(self, board: str, player: int) -> bool:
        return board in self.traps


class OneSidedNim(TrapNim):
    """The same without a mirror, so that both players' sets are made."""

    def mirrored(self, board: str) -> None:  # type: ignore[override]
        return None


class GiveawayBreakthrough(Breakthrough):
    """Breakthrough in which a player who cannot move, also because play is over, has won."""

    name = "giveaway"
    stuck_wins = True


GAMES = [
    MisereNim([3, 3, 3]),
    TrapNim([3, 3, 3]),
    OneSidedNim([3, 3, 3]),
    GiveawayBreakthrough(2, 4),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
@pytest.mark.parametrize("distances", [True, False])
def test_every_board_has_the_value_of_a_plain_solver(game: BoardGame, distances: bool) -> None:
    expected = solve(game, all_positions(game))
    solution = solve_game(game, distances=distances)
    for player in (0, 1):
        boards = [board for board in solution.legal[player] if board in game.space.everything]
        if not distances:
            boards = [b for b in boards if solution.grade_of(b) in solution.grades]
        for board, value in zip(boards, solution.values(boards, player), strict=True):
            outcome, distance = expected.get((board, player), ("draw", None))
            assert (str(value.outcome), value.distance) == (
                outcome,
                distance if distances else None,
            ), (board, player)
    assert verify_solution(solution).is_exhaustive
    assert verify_solution(solution, most_boards=0, samples=50).proved == 50


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_boards_within_reach_have_the_value_of_a_plain_solver(game: BoardGame) -> None:
    expected = solve(game, all_positions(game))
    solution = solve_reachable(game, distances=True)
    for ply, boards in enumerate(reachable_by_ply(game)):
        for board in boards:
            value = solution.value(board, ply)
            assert (str(value.outcome), value.distance) == expected[board, ply % 2], (board, ply)


def test_misere_nim_is_nim_but_for_heaps_of_one() -> None:
    solution = solve_game(MisereNim([5, 5, 5]))
    lost = solution.boards(BoardOutcome.LOSS, 1)
    for board in lost.space.everything:
        if set(board) <= set("01"):
            assert (board in lost) == (board.count("1") % 2 == 1)
        else:
            assert (board in lost) == Nim.is_lost_by_xor(board)


class Killed(Exception):
    pass


def test_a_stopped_solve_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = solve_retrograde(OneSidedNim([3, 3, 3]))

    def stop_at(ply: int) -> None:
        if ply == 3:
            raise Killed

    with pytest.raises(Killed):
        solve_retrograde(
            OneSidedNim([3, 3, 3]), parts=tmp_path, progress=lambda report: stop_at(report.ply)
        )
    assert list(tmp_path.glob("part_*.sets"))
    plies: list[int] = []
    resumed = solve_retrograde(
        OneSidedNim([3, 3, 3]), parts=tmp_path, progress=lambda report: plies.append(report.ply)
    )
    assert plies[0] == 4
    for player in (0, 1):
        assert [n for n, _ in resumed.wins[player]] == [n for n, _ in whole.wins[player]]
        assert [b.digest for _, b in resumed.losses[player]] == [
            b.digest for _, b in whole.losses[player]
        ]
