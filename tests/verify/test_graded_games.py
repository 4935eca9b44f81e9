"""Games solved grade by grade: the same outcomes as by other means, and files that are safe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from oracle.board_games import all_positions, reachable_by_ply, solve
from setrograde.bridge import InvalidInput
from setrograde.games.board_game import BoardGame
from setrograde.games.breakthrough import Breakthrough
from setrograde.games.catalogue import make_game
from setrograde.games.nim import Nim
from setrograde.sets import Change, DamagedFile, Move, Moves
from setrograde.solve.boards import (
    BoardOutcome,
    GradedSolution,
    GradeReport,
    WrongSolution,
    open_graded,
    reachable_boards,
    solve_by_grades,
    solve_game,
    verify_solution,
)


def assert_agrees(solution: GradedSolution, positions: set[tuple[str, int]]) -> None:
    expected = solve(solution.game, positions)
    for player in (0, 1):
        boards = [board for board, turn in positions if turn == player]
        for board, value in zip(boards, solution.values(boards, player), strict=True):
            outcome, _ = expected.get((board, player), ("draw", None))
            assert (str(value.outcome), value.distance) == (outcome, None), (board, player)


@pytest.mark.parametrize(("name", "size"), [("nim", "4,3,5"), ("breakthrough", "2x4")])
def test_every_board_that_can_come_up_has_the_outcome_of_a_plain_solver(
    name: str, size: str
) -> None:
    game = make_game(name, size)
    solution = solve_by_grades(game)
    positions = {
        (board, player)
        for board, player in all_positions(game)
        if board in solution.legal[player] and solution.grade_of(board) <= solution.grades[-1]
    }
    assert_agrees(solution, positions)
    assert solution.tally().boards == sum(player == 0 for _, player in positions)


def test_draws_are_told_from_losses() -> None:
    game = make_game("tic-tac-toe", "3x3")
    positions = {
        (board, ply % 2) for ply, boards in enumerate(reachable_by_ply(game)) for board in boards
    }
    assert_agrees(solve_by_grades(game), positions)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("breakthrough", "3x4"),
        ("breakthrough", "4x4"),
        ("connect4", "4x4"),
        pytest.param("breakthrough", "4x5", marks=pytest.mark.slow),
        pytest.param("breakthrough", "5x4", marks=pytest.mark.slow),
        pytest.param("amazons", "4x4", marks=pytest.mark.slow),
    ],
)
def test_sets_are_those_of_a_retrograde_solve(name: str, size: str) -> None:
    """All sets of all grades, not some boards of them."""
    game = make_game(name, size)
    graded = solve_by_grades(game)
    reach = reachable_boards(game) if game.is_solved_within_reach else None
    whole = solve_game(game, legal=reach)
    for grade in graded.grades:
        here = graded.slice(grade)
        for player, wins in here.wins.items():
            within = here.boards[player] if reach is None else here.boards[player] & reach[player]
            assert wins & within == whole.boards(BoardOutcome.WIN, player) & within
        for player, losses in here.losses.items():
            within = here.boards[player] if reach is None else here.boards[player] & reach[player]
            assert losses & within == whole.boards(BoardOutcome.LOSS, player) & within
    assert graded.winner == whole.winner


def test_where_a_grade_tells_who_is_to_move_there_are_no_boards_of_the_other_player() -> None:
    solution = solve_by_grades(make_game("connect4", "4x4"))
    for grade in solution.grades:
        mover = (solution.grades[-1] - grade) % 2
        boards = solution.boards(grade)
        assert boards[mover] and not boards[1 - mover]
    with pytest.raises(InvalidInput, match="not a board that was solved"):
        solution.value(solution.game.start, 1)


def test_a_game_without_weights_is_refused() -> None:
    with pytest.raises(InvalidInput, match="chess cannot be solved by grades"):
        solve_by_grades(make_game("chess", "KQK"))


class Sideways(Nim):
    """Heaps that may also grow, so that nothing is lowered for sure."""

    def make_moves(self, player: int) -> Moves:
        return Moves(self.space, [Move((Change(0, (("1", "2"), ("2", "1"))),))])


def test_moves_that_raise_the_grade_are_refused() -> None:
    with pytest.raises(InvalidInput, match="do not lower the grade"):
        solve_by_grades(Sideways([3, 3]))


def test_a_board_that_was_not_solved_is_refused() -> None:
    solution = solve_by_grades(Breakthrough(2, 5))
    with pytest.raises(InvalidInput, match="not a board that was solved"):
        solution.value("xxxxxxxxxx", 0)  # ten pawns, and the start has four
    with pytest.raises(InvalidInput, match="of grade 32"):
        solution.values(["ooooxxxxxx"], 0)


# --- checking ---


def test_a_right_solution_is_found_right() -> None:
    found = verify_solution(solve_by_grades(Breakthrough(4, 4)), samples=500)
    assert found.is_right and not found.is_exhaustive
    assert found.drawn_evenly == found.proved == 500 and 0 < found.fault_bound < 0.01
    assert verify_solution(solve_by_grades(Breakthrough(2, 4))).is_exhaustive


@pytest.mark.parametrize("kind", ["wins", "losses"])
def test_one_wrong_board_is_found(kind: str) -> None:
    solution = solve_by_grades(Breakthrough(2, 4))
    slices = {grade: solution.slice(grade) for grade in solution.grades}
    here = next(s for s in reversed(slices.values()) if getattr(s, kind)[kind == "losses"])
    player = int(kind == "losses")
    boards = getattr(here, kind)[player]
    missing = boards - boards.space.of([next(iter(boards))])
    slices[here.grade] = replace(here, **{kind: {player: missing}})
    found = verify_solution(GradedSolution(solution.game, slices))
    assert not found.is_right and "is given as draw" in found.faults[0]


def test_boards_of_another_grade_are_found() -> None:
    solution = solve_by_grades(Breakthrough(2, 4))
    slices = {grade: solution.slice(grade) for grade in solution.grades}
    slices[5] = replace(slices[5], wins={0: slices[5].wins[0] | slices[6].wins[0]})
    found = verify_solution(GradedSolution(solution.game, slices))
    assert "not of grade 5" in found.faults[0]


# --- files ---


class Killed(Exception):
    pass


def solve_some(game: BoardGame, folder: Path, last: int) -> None:
    def stop(report: GradeReport) -> None:
        if report.grade == last:
            raise Killed

    with pytest.raises(Killed):
        solve_by_grades(game, folder=folder, progress=stop)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_solve_that_was_stopped_goes_on_and_writes_the_same(tmp_path: Path) -> None:
    solve_by_grades(Breakthrough(3, 4), folder=tmp_path / "whole")
    for last in (3, 4, 11, 20):
        solve_some(Breakthrough(3, 4), tmp_path / "parts", last)
    assert open_graded(Breakthrough(3, 4), tmp_path / "parts") is None
    seen: list[int] = []
    solve_by_grades(
        Breakthrough(3, 4), folder=tmp_path / "parts", progress=lambda r: seen.append(r.grade)
    )
    assert seen == list(range(21, 31))
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


def test_a_missing_grade_is_made_again(tmp_path: Path) -> None:
    solve_by_grades(Breakthrough(3, 4), folder=tmp_path)
    before = contents(tmp_path)
    (tmp_path / "grade_0012.sets").unlink()
    assert open_graded(Breakthrough(3, 4), tmp_path) is None
    solve_by_grades(Breakthrough(3, 4), folder=tmp_path)
    assert contents(tmp_path) == before


def test_a_solution_on_disk_answers_as_one_in_memory(tmp_path: Path) -> None:
    game = Breakthrough(3, 4)
    made, kept = solve_by_grades(game, folder=tmp_path), solve_by_grades(Breakthrough(3, 4))
    opened = open_graded(Breakthrough(3, 4), tmp_path)
    assert opened is not None
    assert made.tally() == kept.tally() == opened.tally()
    assert opened.probe(game.start, 0) == kept.probe(game.start, 0)


def test_a_damaged_grade_is_refused(tmp_path: Path) -> None:
    solve_by_grades(Breakthrough(2, 4), folder=tmp_path)
    path = tmp_path / "grade_0010.sets"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    opened = open_graded(Breakthrough(2, 4), tmp_path)
    assert opened is not None
    with pytest.raises(DamagedFile, match=r"grade_0010\.sets"):
        opened.tally()


def test_grades_of_another_game_are_refused(tmp_path: Path) -> None:
    solve_by_grades(Breakthrough(2, 5), folder=tmp_path)
    with pytest.raises(WrongSolution, match="expected"):
        open_graded(Breakthrough(2, 4), tmp_path)
