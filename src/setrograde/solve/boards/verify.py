"""Check a solved game by its plain rules, board by board.

The checks use `BoardGame.iter_steps`, `is_legal` and `has_lost`, which know nothing of sets: every
win has a move to a loss that takes one ply less and none to an earlier loss; every loss has only
moves to wins, the longest one ply less; every draw has a move to a draw and none to a loss. Small
games are checked whole, large ones on boards drawn evenly from each outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from random import Random

from setrograde.sets import BoardSet

from .graded import GradedSolution
from .retrograde import GameSolution, Outcome, Solved, Value

__all__ = ["Verification", "verify_graded", "verify_solution"]

_BATCH = 2_000
_CONFIDENCE = 0.99
_OF_EACH = 50  # wins, and losses, that are checked of every grade

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Verification:
    """What a check found.

    >>> Verification(1000, 0, True, ()).is_right
    True
    """

    boards: int
    """How many were looked at."""

    drawn_evenly: int
    """How many of them were drawn from all boards; the others from wins, losses or draws alone."""

    is_exhaustive: bool
    """Whether that is all of them."""

    faults: tuple[str, ...]
    """In words; at most a few."""

    @property
    def is_right(self) -> bool:
        """Whether nothing was wrong."""
        return not self.faults

    @property
    def fault_bound(self) -> float:
        """With 99 % confidence no larger share of all boards is wrong.

        >>> round(Verification(9000, 3000, False, ()).fault_bound, 5)
        0.00153
        """
        return (
            0.0 if self.is_exhaustive else 1 - (1 - _CONFIDENCE) ** (1 / max(self.drawn_evenly, 1))
        )

    def __str__(self) -> str:
        if self.faults:
            return f"wrong: {self.faults[0]}"
        if self.is_exhaustive:
            return f"right: all {self.boards:,} boards"
        return (
            f"right on {self.boards:,} boards drawn at random: with {_CONFIDENCE:.0%} confidence"
            f" fewer than {self.fault_bound:.2%} of all are wrong"
        )


def verify_solution(
    solution: GameSolution,
    *,
    most_boards: int = 200_000,
    samples: int = 2_000,
    seed: int = 1,
    progress: Progress | None = None,
) -> Verification:
    """Check a solution; whole if it has at most `most_boards`, else `samples` of each outcome.

    >>> from setrograde.games.nim import Nim
    >>> from setrograde.solve.boards.retrograde import solve_game
    >>> str(verify_solution(solve_game(Nim([3, 4, 5]))))
    'right: all 240 boards'
    """
    faults = list(_partition_faults(solution))
    total = sum(boards.count for boards in solution.legal)
    is_exhaustive = total <= most_boards
    checked = 0
    for player in (0, 1):
        for boards in _iter_boards(solution, player, is_exhaustive, samples, seed):
            faults += _faults(solution, boards, player)
            checked += len(boards)
            if progress:
                progress(checked)
            if len(faults) > 10:
                return Verification(checked, 0, False, tuple(faults))
    evenly = 0 if is_exhaustive else sum(samples for boards in solution.legal if boards)
    return Verification(checked, evenly, is_exhaustive, tuple(faults))


def verify_graded(
    solution: GradedSolution,
    *,
    most_boards: int = 200_000,
    samples: int = 2_000,
    seed: int = 1,
    progress: Progress | None = None,
) -> Verification:
    """Check a solution by grades as `verify_solution` does, one grade after another.

    >>> from setrograde.games.nim import Nim
    >>> from setrograde.solve.boards.graded import solve_by_grades
    >>> str(verify_graded(solve_by_grades(Nim([3, 4, 5]))))
    'right: all 240 boards'
    """
    faults: list[str] = []
    checked = evenly = 0
    rng = Random(seed)
    boards = [solution.boards(grade) for grade in solution.grades]
    totals = [[each[player].count for each in boards] for player in (0, 1)]
    is_exhaustive = sum(map(sum, totals)) <= most_boards
    shares = [
        Counter(rng.choices(solution.grades, weights=counts, k=samples) if any(counts) else ())
        for counts in totals
    ]
    for grade in solution.grades:
        faults += _grade_faults(solution, grade)
        for player in (0, 1):
            for drawn in _iter_graded(
                solution, grade, player, None if is_exhaustive else shares[player][grade], seed
            ):
                faults += _faults(solution, drawn, player)
                checked += len(drawn)
                if progress:
                    progress(checked)
            if len(faults) > 10:
                return Verification(checked, 0, False, tuple(faults))
            evenly += shares[player][grade]
    return Verification(checked, 0 if is_exhaustive else evenly, is_exhaustive, tuple(faults))


def _grade_faults(solution: GradedSolution, grade: int) -> Iterator[str]:
    """Wins and losses of a grade share no board and lie among the boards of the grade."""
    here = solution.slice(grade)
    for player in (0, 1):
        if here.boards[player] != solution.boards(grade)[player]:
            yield f"other boards for player {player} than those of grade {grade}"
        decided = [sets[player] for sets in (here.wins, here.losses) if player in sets]
        if not all(boards <= here.boards[player] for boards in decided):
            yield f"boards decided for player {player} that are not of grade {grade}"
        if len(decided) == 2 and not decided[0].isdisjoint(decided[1]):
            yield f"boards of grade {grade} that player {player} both wins and loses"


def _iter_graded(
    solution: GradedSolution, grade: int, player: int, share: int | None, seed: int
) -> Iterator[list[str]]:
    """All boards of a grade, or its share of the sample and a few wins and losses."""
    here = solution.slice(grade)
    if share is None:
        every = iter(here.boards[player])
        while batch := list(islice(every, _BATCH)):
            yield batch
        return
    pools = [(here.boards[player], share)]
    pools += [(sets[player], _OF_EACH) for sets in (here.wins, here.losses) if player in sets]
    for number, (pool, count) in enumerate(pools):
        if pool and count:
            yield pool.sample(min(count, pool.count), seed=seed + 3 * grade + number)


def _partition_faults(solution: GameSolution) -> Iterator[str]:
    """Wins, losses and draws share no board, lie among the legal ones and grow with the plies."""
    for player, plies in (*solution.wins.items(), *solution.losses.items()):
        for (_, smaller), (ply, larger) in pairwise(plies):
            if not smaller < larger:
                yield f"boards of player {player} that are gone at ply {ply}"
        if plies and not plies[-1][1] <= solution.legal[player]:
            yield f"boards decided for player {player} that are not legal"
    for player in set(solution.wins) & set(solution.losses):
        won = solution.boards(Outcome.WIN, player)
        if not won.isdisjoint(solution.boards(Outcome.LOSS, player)):
            yield f"boards that player {player} both wins and loses"
    for player in (0, 1):
        counts = {outcome: solution.count(outcome, player) for outcome in Outcome}
        if min(counts.values()) < 0 or sum(counts.values()) != solution.legal[player].count:
            yield f"not a partition of the legal boards for player {player}: {counts}"


def _iter_boards(
    solution: GameSolution, player: int, is_exhaustive: bool, samples: int, seed: int
) -> Iterator[list[str]]:
    if is_exhaustive:
        every = iter(solution.legal[player])
        while batch := list(islice(every, _BATCH)):
            yield batch
        return
    pools: list[BoardSet] = [solution.legal[player]]
    if player in solution.wins:
        pools.append(solution.boards(Outcome.WIN, player))
    if player in solution.losses:
        pools.append(solution.boards(Outcome.LOSS, player))
    if player in solution.wins and player in solution.losses:
        pools.append(solution.boards(Outcome.DRAW, player))
    for number, pool in enumerate(pools):
        if pool:
            drawn = pool.sample(samples, seed=seed + number)
            for start in range(0, len(drawn), _BATCH):
                yield drawn[start : start + _BATCH]


def _faults(solution: Solved, boards: Sequence[str], player: int) -> Iterator[str]:
    game = solution.game
    after = [[step.board for step in game.iter_steps(board, player)] for board in boards]
    flat = [board for each in after for board in each]
    outside = [not inside for inside in solution.legal[1 - player].contains_all_of(flat)]
    values = iter(solution.values(flat, 1 - player))
    is_outside = iter(outside)
    for board, given, following in zip(boards, solution.values(boards, player), after, strict=True):
        reached = [next(values) for _ in following]
        expected = _expected(solution, board, player, reached)
        name = f"{board!r} with player {player} to move"
        if not game.is_legal(board, player):
            yield f"{name} is not legal"
        if sum(next(is_outside) for _ in following):
            yield f"{name} has a move to a board that was not solved"
        if given != expected:
            yield f"{name} is given as {given}, but its moves make it {expected}"


def _expected(solution: Solved, board: str, player: int, reached: Sequence[Value]) -> Value:
    """What a board is worth by the values of the boards its moves lead to."""
    game = solution.game
    if game.has_lost(board, player) or (game.stuck_loses and not reached):
        return Value(Outcome.LOSS, 0 if solution.has_distances else None)
    to_losses = [v for v in reached if v.outcome is Outcome.LOSS]
    if to_losses:
        return Value(Outcome.WIN, _one_more(min, to_losses))
    if reached and all(v.outcome is Outcome.WIN for v in reached):
        return Value(Outcome.LOSS, _one_more(max, reached))
    return Value(Outcome.DRAW, None)


def _one_more(pick: Callable[[list[int]], int], values: Sequence[Value]) -> int | None:
    distances = [v.distance for v in values if v.distance is not None]
    return 1 + pick(distances) if len(distances) == len(values) else None
