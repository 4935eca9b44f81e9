"""Solved games: truths that others found too, and agreement with plain explicit solvers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from oracle.board_games import all_positions, reachable_by_ply, solve
from oracle.chess_endings import histograms
from setrograde.bridge import InvalidInput
from setrograde.games.breakthrough import Breakthrough
from setrograde.games.catalogue import make_game
from setrograde.games.in_a_row import TicTacToe
from setrograde.games.nim import Nim
from setrograde.papers.tic_tac_toe import iter_boards
from setrograde.sets import DamagedFile, OutOfRoom
from setrograde.solve.boards import (
    BoardOutcome,
    GameSolution,
    WrongSolution,
    find_reachable,
    load_solution,
    reachable_boards,
    save_solution,
    solve_by_grades,
    solve_game,
    solve_reachable,
    verify_solution,
)


def assert_agrees(solution: GameSolution, positions: set[tuple[str, int]]) -> None:
    expected = solve(solution.game, positions)
    for player in (0, 1):
        boards = [board for board, turn in positions if turn == player]
        for board, value in zip(boards, solution.values(boards, player), strict=True):
            outcome, distance = expected.get((board, player), ("draw", None))
            assert (str(value.outcome), value.distance) == (outcome, distance), (board, player)


# --- against plain explicit solvers ---


@pytest.mark.parametrize(("name", "size"), [("nim", "4,3,5"), ("breakthrough", "2x4")])
def test_every_board_has_the_value_of_a_plain_solver(name: str, size: str) -> None:
    game = make_game(name, size)
    assert_agrees(solve_game(game), all_positions(game))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size"), [("breakthrough", "2x5"), ("breakthrough", "3x4"), ("tic-tac-toe", "3x3")]
)
def test_every_board_of_larger_games_has_the_value_of_a_plain_solver(name: str, size: str) -> None:
    game = make_game(name, size)
    assert_agrees(solve_game(game), all_positions(game))


def test_boards_within_reach_have_the_value_of_a_plain_solver() -> None:
    levels = reachable_by_ply(TicTacToe())
    tic_tac_toe = TicTacToe()
    solution = solve_game(tic_tac_toe, legal=reachable_boards(tic_tac_toe))
    positions = {(b, ply % 2) for ply, boards in enumerate(levels) for b in boards}
    assert_agrees(solution, positions)


# --- truths ---


@pytest.mark.parametrize(
    ("size", "plies", "wins", "losses"),
    [
        ("3x4", 12, 145_495, 385_946),
        ("3x5", 18, 3_965_208, 10_383_699),
        ("4x4", 14, 8_211_522, 34_835_199),
        ("5x4", 16, 451_968_537, 3_034_815_864),
        ("4x5", 22, 666_942_619, 2_819_841_782),
        pytest.param("5x5", 26, 109_915_340_637, 737_373_268_806, marks=pytest.mark.slow),
    ],
)
def test_breakthrough_is_won_by_the_second_player(
    size: str, plies: int, wins: int, losses: int
) -> None:
    solution = solve_game(make_game("breakthrough", size))
    assert (solution.winner, solution.start_value.distance) == (1, plies)
    assert (solution.count(BoardOutcome.WIN, 0), solution.count(BoardOutcome.LOSS, 0)) == (
        wins,
        losses,
    )
    assert solution.count(BoardOutcome.DRAW, 0) == 0
    assert verify_solution(solution, samples=200).is_right


@pytest.mark.parametrize(
    ("size", "winner"),
    [
        ("2x4", 2),
        ("2x5", 2),
        ("2x6", 1),
        ("2x7", 2),
        ("2x8", 1),
        ("3x6", 1),
        ("6x4", 2),
        ("3x7", 2),
        pytest.param("3x8", 1, marks=pytest.mark.slow),
        pytest.param("4x6", 1, marks=pytest.mark.slow),
        pytest.param("7x4", 2, marks=pytest.mark.slow),
        pytest.param("8x4", 2, marks=pytest.mark.slow),
    ],
)
def test_breakthrough_has_the_winners_of_table_3(size: str, winner: int) -> None:
    solution = solve_game(make_game("breakthrough", size, limit_mb=6144))
    assert solution.winner == winner - 1
    assert solution.count(BoardOutcome.DRAW, 0) == 0


@pytest.mark.parametrize(
    ("size", "by_ply", "distinct"),
    [("3x4", 73_648, 55_152), ("4x4", 4_994_625, 3_212_224), ("3x5", 5_022_978, 2_418_400)],
)
def test_reachable_boards_of_breakthrough(size: str, by_ply: int, distinct: int) -> None:
    game = make_game("breakthrough", size)
    levels = find_reachable(game)
    assert sum(boards.count for boards in levels) == by_ply
    assert sum(boards.count for boards in reachable_boards(game)) == distinct
    if size == "4x4":
        assert [boards.count for boards in levels[:10]] == [
            1, 6, 40, 280, 1379, 6610, 22594, 73508, 157664, 354118,
        ]  # fmt: skip


@pytest.mark.parametrize("heaps", [[1], [3, 4, 5], [7, 9, 6, 8], [2] * 8])
def test_nim_is_lost_where_the_heaps_cancel(heaps: list[int]) -> None:
    game = Nim(heaps)
    lost = solve_game(game).boards(BoardOutcome.LOSS, 1)
    boards = list(game.space.everything) if game.space.everything.count < 10_000 else []
    assert set(lost) == {board for board in boards if Nim.is_lost_by_xor(board)}


def test_nim_takes_few_states_for_many_boards() -> None:
    solution = solve_game(Nim([15] * 6))
    lost = solution.boards(BoardOutcome.LOSS, 1)
    assert lost.count == 16**5 and lost.states <= 16 * 6


def test_tic_tac_toe_is_drawn_and_its_boards_are_those_of_the_rules() -> None:
    game = TicTacToe()
    first, second = reachable_boards(game)
    assert set(first) | set(second) == {board.cells.replace("X", "x").replace("O", "o")
                                        for board in iter_boards()}  # fmt: skip
    solution = solve_game(game, legal=(first, second))
    assert solution.winner is None
    assert str(verify_solution(solution)) == "right: all 5,478 boards"


@pytest.mark.parametrize(
    ("size", "reachable", "winner"),
    [
        ("4x4", 161_029, None),
        ("5x4", 3_945_711, None),
        pytest.param("5x5", 69_763_700, None, marks=pytest.mark.slow),
        pytest.param("6x4", 94_910_577, 1, marks=pytest.mark.slow),
    ],
)
def test_connect4(size: str, reachable: int, winner: int | None) -> None:
    solution = solve_reachable(make_game("connect4", size, limit_mb=4096))
    assert sum(boards.count for boards in solution.reached) == reachable
    assert solution.winner == winner


def test_amazons_4x4_begins_as_counted() -> None:
    levels = find_reachable(make_game("amazons", "4x4"), most_plies=4)
    assert [boards.count for boards in levels] == [1, 88, 3994, 65492, 633115]


@pytest.mark.slow
def test_amazons_4x4_is_lost_by_the_first_player() -> None:
    assert solve_reachable(make_game("amazons", "4x4", limit_mb=4096)).winner == 1


def test_amazons_4x4_by_grades_is_lost_by_the_first_player() -> None:
    solution = solve_by_grades(make_game("amazons", "4x4"))
    assert solution.winner == 1
    assert verify_solution(solution, samples=300).is_right


@pytest.mark.parametrize("size", ["4x4", "4x5", "5x4"])
def test_amazons_stay_within_the_bound_of_their_plies(size: str) -> None:
    game = make_game("amazons", size)
    for plies, boards in enumerate(find_reachable(game, most_plies=2)):
        assert boards <= game.reach_bound(plies) & game.legal(plies % 2)
        moves = game.moves(plies % 2)
        made = moves.among(game.reach_bound(plies))  # boards in mid-move are within it, too
        assert made.forward(boards) == moves.forward(boards)


CHESS = [
    ("KQK", "Q", (144_508, 144_508, 0, 19, 8), (223_944, 200_896, 364, 23_048, 20, 56)),
    pytest.param(
        *("KRK", "R", (175_168, 175_168, 0, 31, 916), (223_944, 201_700, 216, 22_244, 32, 3056)),
        marks=pytest.mark.slow,
    ),
    pytest.param(
        *("KPK", "P", (163_328, 124_960, 38_368, 55, 6), None),
        marks=pytest.mark.slow,  # tests/verify/test_planted_errors.py solves it, too
    ),
]


@pytest.mark.parametrize(("ending", "piece", "white", "black"), CHESS)
def test_chess_endings_have_the_known_values(
    ending: str, piece: str, white: tuple[int, ...], black: tuple[int, ...] | None
) -> None:
    game = make_game("chess", ending)
    solution = solve_game(game)
    with_piece = game.space.with_count(piece, least=1)

    def by_ply(plies: list) -> dict[int, int]:
        counts = [(ply, (boards & with_piece).count) for ply, boards in plies]
        steps = zip(counts, [(0, 0), *counts], strict=False)
        return {ply: count - before for (ply, count), (_, before) in steps}

    wins = by_ply(solution.wins[0])
    legal = (solution.legal[0] & with_piece).count
    draws = (solution.boards(BoardOutcome.DRAW, 0) & with_piece).count
    longest = max(wins)
    assert (legal, sum(wins.values()), draws, longest, wins[longest]) == white
    if black is not None:
        losses = by_ply(solution.losses[1])
        legal = (solution.legal[1] & with_piece).count
        draws = (solution.boards(BoardOutcome.DRAW, 1) & with_piece).count
        longest = max(losses)
        found = (legal, sum(losses.values()), losses[0], draws, longest, losses[longest])
        assert found == black
    assert verify_solution(solution, most_boards=0, samples=100).is_right


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "letters"), [("KQK", "Q"), ("KRK", "R"), ("KPK", "PQR")])
def test_distances_of_chess_endings_are_distributed_as_a_plain_solver_finds(
    ending: str, letters: str
) -> None:
    game = make_game("chess", ending)
    solution = solve_game(game)
    with_piece = game.space.with_count(letters[0], least=1)
    wins, losses = histograms(letters)
    for plies, expected in ((solution.wins[0], wins), (solution.losses[1], losses)):
        found, before = {}, 0
        for ply, boards in plies:
            count = (boards & with_piece).count
            if count > before:
                found[ply] = count - before
            before = count
        assert found == dict(expected)


# --- meeting in the middle ---


@pytest.mark.parametrize("plies", [1, 4, 9])
def test_meeting_in_the_middle_finds_the_same(plies: int) -> None:
    game = Breakthrough(3, 4)
    whole = solve_reachable(game)
    both = solve_game(game, legal=(game.space.everything, game.space.everything))
    met = solve_reachable(game, meet=both, plies=plies)
    assert met.winner == whole.winner == 1
    for ply in range(plies + 1):
        assert met.wins[ply] == whole.wins[ply] and met.losses[ply] == whole.losses[ply]


@pytest.mark.parametrize("plies", [1, 4, 5, 50])
@pytest.mark.parametrize("distances", [True, False])
def test_a_solution_for_both_players_can_be_met(plies: int, distances: bool) -> None:
    for game in (Breakthrough(3, 4), Nim([3, 4, 5])):
        whole = solve_reachable(game, distances=distances)
        met = solve_reachable(game, meet=solve_game(game), plies=plies, distances=distances)
        for ply, boards in enumerate(met.wins):
            assert boards == whole.wins[ply] and met.losses[ply] == whole.losses[ply]
        if distances:
            assert met.value(game.start, 0) == whole.value(game.start, 0)


@pytest.mark.parametrize(("name", "size"), [("breakthrough", "3x4"), ("tic-tac-toe", "3x3")])
def test_boards_within_reach_have_the_distance_of_a_plain_solver(name: str, size: str) -> None:
    game = make_game(name, size)
    levels = reachable_by_ply(game)
    expected = solve(game, {(b, ply % 2) for ply, boards in enumerate(levels) for b in boards})
    solution = solve_reachable(game, distances=True)
    for ply, boards in enumerate(levels):
        for board in sorted(boards)[:: 1 + len(boards) // 300]:
            value = solution.value(board, ply)
            outcome, distance = expected.get((board, ply % 2), ("draw", None))
            assert (str(value.outcome), value.distance) == (outcome, distance), (board, ply)


@pytest.mark.parametrize("plies", [1, 6])
def test_distances_add_up_where_forwards_and_backwards_meet(plies: int) -> None:
    game = Breakthrough(3, 4)
    both = solve_game(game, legal=(game.space.everything, game.space.everything))
    met = solve_reachable(game, meet=both, plies=plies, distances=True)
    for ply in range(plies + 1):
        boards = met.reached[ply].sample(40, seed=ply)
        assert [met.value(board, ply) for board in boards] == both.values(boards, ply % 2)


def test_distances_that_were_not_kept_are_not_made_up() -> None:
    solution = solve_reachable(Breakthrough(3, 4))
    with pytest.raises(InvalidInput, match="distances=True"):
        solution.value(solution.game.start, 0)


# --- verification notices what is wrong ---


def test_verification_notices_a_board_moved_to_the_wrong_set() -> None:
    solution = solve_game(Breakthrough(2, 4))
    ply, wins = solution.wins[0][-1]
    wrong = wins - wins.space.of([wins[wins.count // 2]])
    solution.wins[0][-1] = (ply, wrong)
    assert not verify_solution(solution).is_right


def test_verification_notices_a_wrong_distance() -> None:
    solution = solve_game(Nim([3, 3]))
    (ply, first), (later, second) = solution.wins[0][:2]
    solution.wins[0][0] = (ply, first | second)
    solution.wins[0][1] = (later, second)
    assert not verify_solution(solution).is_right


# --- files, stopping and going on ---


def test_a_solution_survives_its_file(tmp_path: Path) -> None:
    for name, size in [("breakthrough", "3x4"), ("tic-tac-toe", "3x3")]:
        game = make_game(name, size)
        solution = solve_game(game)
        path = tmp_path / f"{name}.sets"
        save_solution(path, solution)
        again = load_solution(path, make_game(name, size))
        assert again.start_value == solution.start_value
        for outcome in BoardOutcome:
            assert again.count(outcome, 0) == solution.count(outcome, 0)
        boards = game.space.everything.sample(300, seed=1)
        assert again.values(boards, 1) == solution.values(boards, 1)


def test_a_damaged_or_foreign_solution_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.sets"
    save_solution(path, solve_game(Breakthrough(2, 4)))
    with pytest.raises(WrongSolution):
        load_solution(path, Breakthrough(2, 5))
    with pytest.raises(WrongSolution):
        load_solution(path, Nim([3]))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(DamagedFile, match=r"a\.sets"):
        load_solution(path, Breakthrough(2, 4))


class Stopped(Exception):
    pass


def test_a_stopped_solve_goes_on_where_it_was(tmp_path: Path) -> None:
    def stop(report) -> None:
        if report.ply == 7:
            raise Stopped

    with pytest.raises(Stopped):
        solve_game(Breakthrough(3, 4), progress=stop, parts=tmp_path)
    plies: list[int] = []
    solution = solve_game(
        Breakthrough(3, 4), progress=lambda report: plies.append(report.ply), parts=tmp_path
    )
    assert plies[0] == 8
    whole = solve_game(Breakthrough(3, 4))
    assert solution.histogram(BoardOutcome.WIN, 0) == whole.histogram(BoardOutcome.WIN, 0)
    assert solution.histogram(BoardOutcome.LOSS, 1) == whole.histogram(BoardOutcome.LOSS, 1)


def test_parts_of_another_game_are_refused(tmp_path: Path) -> None:
    solve_game(Breakthrough(2, 4), parts=tmp_path)
    with pytest.raises(WrongSolution):
        solve_game(Breakthrough(4, 4), parts=tmp_path)


def test_a_damaged_part_is_refused(tmp_path: Path) -> None:
    solve_game(Breakthrough(2, 4), parts=tmp_path)
    part = next(tmp_path.glob("part_*.sets"))
    part.write_bytes(part.read_bytes()[:-3])
    with pytest.raises(DamagedFile):
        solve_game(Breakthrough(2, 4), parts=tmp_path)


_SLOW_SOLVE = """
import sys
from pathlib import Path
import setrograde.solve.boards.finished_plies as module
from setrograde.games import Breakthrough
from setrograde.solve.boards import solve_game
module._SAVE_EVERY_S = -1.0
def tell(report):
    print(report.ply, flush=True)
solve_game(Breakthrough(4, 5), progress=tell, parts=Path(sys.argv[1]))
"""


def test_a_killed_solve_goes_on_where_it_was(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _SLOW_SOLVE, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= 5:
                os.kill(process.pid, signal.SIGKILL)
                break
    assert process.returncode == -signal.SIGKILL
    plies: list[int] = []
    solution = solve_game(
        Breakthrough(4, 5), progress=lambda report: plies.append(report.ply), parts=tmp_path
    )
    assert plies[0] >= 6
    assert solution.count(BoardOutcome.WIN, 0) == 666_942_619
    assert solution.start_value.distance == 22


# --- limits ---


def test_a_solve_goes_on_with_more_memory(tmp_path: Path) -> None:
    with pytest.raises(OutOfRoom):
        solve_game(Breakthrough(4, 5, limit_mb=4), parts=tmp_path)
    plies: list[int] = []
    solution = solve_game(
        Breakthrough(4, 5), progress=lambda report: plies.append(report.ply), parts=tmp_path
    )
    assert plies[0] > 2 and solution.count(BoardOutcome.WIN, 0) == 666_942_619


def test_a_solve_beyond_its_memory_says_so() -> None:
    with pytest.raises(OutOfRoom, match="did not fit in 4 MB"):
        solve_game(Breakthrough(4, 5, limit_mb=4))


@pytest.mark.parametrize(("size", "seconds", "limit_mb"), [("4x4", 0.05, 100), ("4x5", 1.0, 100)])
def test_breakthrough_is_solved_within_its_time_and_memory(
    size: str, seconds: float, limit_mb: int
) -> None:
    best = min(_solve_seconds(size, limit_mb) for _ in range(3))
    assert best <= 1.5 * seconds  # a busy machine may be slower than the figures in the docs


def _solve_seconds(size: str, limit_mb: int) -> float:
    started = time.process_time()
    solve_game(make_game("breakthrough", size, limit_mb=limit_mb))
    return time.process_time() - started
