"""Wrong solutions on purpose: a check finds the error, or does not claim what is not so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from oracle.board_games import all_positions, solve
from setrograde.games import Nim, Step
from setrograde.sets import BoardSet, Moves
from setrograde.solve.boards import (
    BoardCheck,
    BoardOutcome,
    GameSolution,
    GradedSolution,
    solve_game,
    verify_solution,
)
from setrograde.solve.boards.verify.proofs import Proofs
from setrograde.solve.boards.verify.rules import Rules

Solution = GameSolution | GradedSolution


class ForgetfulNim(Nim):
    """Nim whose set rules forget the moves of one board."""

    forgotten = "0001"

    def make_moves(self, player: int) -> Moves:
        moves = super().make_moves(player)
        before = ~self.space.of([self.forgotten])
        return Moves(self.space, moves._moves, before=before)


@pytest.mark.parametrize("distances", [True, False])
def test_one_forgotten_board_near_the_end_is_found(distances: bool) -> None:
    game = ForgetfulNim([35, 35, 35, 35])
    solution = solve_game(game, distances=distances)
    found = verify_solution(solution, samples=200, budget=4_000)
    assert not found.is_right and str(found).startswith("wrong: '0001' with player ")
    assert found.right_at_least == 0


# --- five kinds of errors ---


def forget_a_move(rng: Random, distances: bool) -> Solution:
    game = ForgetfulNim([4, 3, 3])
    boards = sorted(set(game.space.everything) - {"000"})
    game.forgotten = rng.choice(boards)
    return solve_game(game, distances=distances)


class TrapNim(Nim):
    """Nim that ends on some boards, which are lost, except one that the set rules overlook."""

    stuck_loses = False
    traps = ("000", "003", "111", "230", "401", "433")
    overlooked = ""

    def make_moves(self, player: int) -> Moves:
        before = ~self.space.of(self.traps)
        return Moves(self.space, super().make_moves(player)._moves, before=before)

    def lost(self, player: int) -> BoardSet:
        return self.space.of(trap for trap in self.traps if trap != self.overlooked)

    def iter_steps(self, board: str, player: int) -> Iterator[Step]:
        return iter(()) if board in self.traps else super().iter_steps(board, player)

    def has_lost(self, board: str, player: int) -> bool:
        return board in self.traps


def overlook_a_lost_board(rng: Random, distances: bool) -> Solution:
    game = TrapNim([4, 3, 3])
    game.overlooked = rng.choice(game.traps)
    return solve_game(game, distances=distances)


class NarrowNim(Nim):
    """Nim with one board that is not legal by the sets, or by the plain rules."""

    left_out = ""
    not_legal = ""

    def legal(self, player: int) -> BoardSet:
        return self.space.everything - self.space.of([self.left_out] if self.left_out else [])

    def is_legal(self, board: str, player: int) -> bool:
        return board != self.not_legal


def mistake_what_is_legal(rng: Random, distances: bool) -> Solution:
    game = NarrowNim([4, 3, 3])
    board = rng.choice(sorted(set(game.space.everything) - {game.start}))
    if rng.randrange(2):
        game.left_out = board
    else:
        game.not_legal = board
    return solve_game(game, distances=distances)


def flip_a_value(rng: Random, distances: bool) -> Solution:
    solution = solve_game(Nim([4, 3, 3]), distances=distances)
    if isinstance(solution, GradedSolution):
        return flip_in_grades(solution, rng)
    sets = solution.wins[0] if rng.randrange(2) else solution.losses[1]
    boards = sets[-1][1]
    flipped = boards.space.of([rng.choice(list(boards))])
    solution.wins[0][:] = [(ply, each - flipped) for ply, each in solution.wins[0]]
    solution.losses[1][:] = [(ply, each - flipped) for ply, each in solution.losses[1]]
    moved_to = solution.losses[1] if sets is solution.wins[0] else solution.wins[0]
    first = rng.randrange(len(moved_to))
    moved_to[first:] = [(ply, each | flipped) for ply, each in moved_to[first:]]
    return solution


def flip_in_grades(solution: GradedSolution, rng: Random) -> GradedSolution:
    slices = {grade: solution.slice(grade) for grade in solution.grades}
    here = slices[rng.choice(solution.grades[1:-1])]
    flipped = here.boards[0].space.of([rng.choice(list(here.boards[0]))])
    if flipped <= here.wins[0]:
        here.wins[0] -= flipped
    else:
        here.wins[0] |= flipped
    here.losses[1] ^= flipped
    return GradedSolution(solution.game, slices)


def mistake_a_distance(rng: Random, distances: bool) -> Solution:
    solution = solve_game(Nim([4, 3, 3]))
    plies = solution.wins[0] if rng.randrange(2) else solution.losses[1]
    first = rng.randrange(1, len(plies))
    some = plies[first][1] - plies[first - 1][1]
    board = some.space.of([rng.choice(list(some))])
    if rng.randrange(2):  # too near
        plies[first - 1] = (plies[first - 1][0], plies[first - 1][1] | board)
    elif first + 1 < len(plies):  # too far
        plies[first] = (plies[first][0], plies[first][1] - board)
    else:
        plies[first:] = [(plies[first][0], plies[first][1] - board), (99, plies[first][1])]
    return solution


KINDS: list[Callable[[Random, bool], Solution]] = [
    forget_a_move,
    overlook_a_lost_board,
    mistake_what_is_legal,
    flip_a_value,
    mistake_a_distance,
]


def truth_of(solution: Solution) -> dict[tuple[str, int], tuple[str, int | None]]:
    """The outcome and the distance of every board that was solved, by a plain solver."""
    plain = TrapNim([4, 3, 3]) if isinstance(solution.game, TrapNim) else Nim([4, 3, 3])
    known = solve(plain, all_positions(plain))
    boards = [(board, player) for player in (0, 1) for board in solution.legal[player]]
    return {place: known.get(place, ("draw", None)) for place in boards}


def given_by(solution: Solution, player: int) -> dict[tuple[str, int], tuple[str, int | None]]:
    boards = list(solution.legal[player])
    values = solution.values(boards, player)
    return {
        (board, player): (str(value.outcome), value.distance)
        for board, value in zip(boards, values, strict=True)
    }


def is_wrong(solution: Solution) -> bool:
    """Whether a value is wrong: a board whose moves are forgotten may be lost anyway."""
    truth, given = truth_of(solution), given_by(solution, 0) | given_by(solution, 1)
    length = 2 if solution.has_distances else 1
    return any(given[place][:length] != truth[place][:length] for place in truth)


def assert_claims_hold(solution: Solution, found: BoardCheck) -> None:
    truth = truth_of(solution)
    given = given_by(solution, 0) | given_by(solution, 1)
    right = sum(given[place][0] == truth[place][0] for place in truth)
    assert found.right_at_least <= right / len(truth)
    if found.end and found.end.has_distances:
        for place, (outcome, distance) in given.items():
            if distance is not None and distance <= found.end.bound:
                assert truth[place][0] == outcome and truth[place][1] <= distance
    elif found.end:
        for (board, player), (outcome, _) in given.items():
            if solution.grade_of(board) <= found.end.bound:
                assert truth[board, player][0] == outcome


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", KINDS)
def test_a_planted_error_is_found_or_not_claimed(
    kind: Callable[[Random, bool], Solution], seed: int
) -> None:
    solution = kind(Random(seed), bool(seed % 4))
    found = verify_solution(solution, most_boards=0, samples=40, budget=100, seed=seed)
    if found.is_right:
        assert_claims_hold(solution, found)
    whole = verify_solution(solution)
    if is_wrong(solution):
        assert not whole.is_right and not whole.is_exhaustive and whole.right_at_least == 0


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_proved_is_right(kind: Callable[[Random, bool], Solution], seed: int) -> None:
    solution = kind(Random(seed), bool(seed % 4))
    truth = truth_of(solution)
    given = given_by(solution, 0) | given_by(solution, 1)
    proofs = Proofs(Rules(solution))
    proofs.prove(Random(seed).sample(sorted(truth), 30), budget=10 + 10 * seed)
    proved = proofs.find_proved()
    assert proved or proofs.faults
    for place in proved:
        outcome, distance = given[place]
        assert truth[place][0] == outcome
        assert distance is None or (truth[place][1] or 0) <= distance


def test_a_right_solution_is_proved_board_by_board() -> None:
    for solution in (solve_game(Nim([4, 3, 3])), solve_game("tic-tac-toe", "3x3")):
        found = verify_solution(solution, most_boards=0, samples=300, budget=10_000)
        assert found.is_right and found.proved == found.drawn_evenly == 300
        assert found.is_start_proved and found.right_at_least == pytest.approx(0.01 ** (1 / 300))


def test_too_small_a_budget_claims_little() -> None:
    found = verify_solution(solve_game(Nim([30, 30, 30])), most_boards=0, samples=100, budget=40)
    assert found.is_right and found.proved < 20 and found.right_at_least < 0.1
    assert "which does not prove it right" in str(found) and not found.is_start_proved


def test_nothing_drawn_claims_nothing() -> None:
    found = verify_solution(solve_game(Nim([3, 3])), most_boards=0, samples=0, budget=0)
    assert found.is_right and found.right_at_least == 0 and found.fault_bound == 1


def test_draws_are_proved_in_circles() -> None:
    solution = solve_game("chess", "KPK")
    drawn = solution.boards(BoardOutcome.DRAW, 1)
    proofs = Proofs(Rules(solution))
    board = next(b for b in drawn.sample(50, seed=2) if "P" not in b and "Q" not in b)
    proofs.prove([(board, 1)], budget=30_000)
    assert not proofs.faults and (board, 1) in proofs.find_proved()
