"""Check a solved game by its plain rules, board by board.

The checks use `BoardGame.iter_steps`, `is_legal` and `has_lost`, which know nothing of sets: every
win has a move to a loss that takes one ply less and none to an earlier loss; every loss has only
moves to wins, the longest one ply less; every draw has a move to a draw and none to a loss. Small
games are checked whole, large ones on boards drawn evenly from each outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from random import Random

from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag
from setrograde.sets import BoardSet

from .graded import GradedSolution
from .retrograde import GameSolution
from .values import BoardOutcome, BoardValue, SolvedGame

__all__ = ["BoardCheck", "verify_solution"]

_BATCH = 2_000
_CONFIDENCE = 0.99
_OF_EACH = 50  # wins, and losses, that are checked of every grade
_MOST_FAULTS = 10


@dataclass(frozen=True, slots=True)
class BoardCheck:
    """What a check of a solved game found.

    >>> print(BoardCheck(1000, 0, True, ()))
    right: all 1,000 boards
    """

    boards: int
    """The number of boards that were checked."""

    drawn_evenly: int
    """The number of them that were drawn from all boards; the others were drawn from the wins, the
    losses or the draws alone."""

    is_exhaustive: bool
    """Whether all boards were checked."""

    faults: tuple[str, ...]
    """What is wrong, in words; at most a few faults are listed."""

    @property
    def is_right(self) -> bool:
        """Whether nothing was wrong."""
        return not self.faults

    @property
    def fault_bound(self) -> float:
        """Upper bound, with 99 % confidence, on the share of all boards that are wrong.

        >>> round(BoardCheck(9000, 3000, False, ()).fault_bound, 5)
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
    solution: GameSolution | GradedSolution,
    *,
    most_boards: int = 200_000,
    samples: int = 2_000,
    seed: int = 1,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> BoardCheck:
    """Check a solution by the plain rules of its game.

    All boards are checked if there are at most `most_boards` of them. Otherwise `samples` boards
    are drawn for each player to move, and more of the wins, losses and draws alone; of a solution
    by grades, a few wins and losses of every grade. `progress` hears the number of boards checked.
    `stop` ends the check with `Stopped`.

    >>> from setrograde.solve.boards import solve_game
    >>> print(verify_solution(solve_game("nim", "3,4,5")))
    right: all 240 boards
    >>> print(verify_solution(solve_game("nim", "3,4,5", distances=False)))
    right: all 240 boards
    """
    with solution.game.space.stopping(stop):
        if isinstance(solution, GradedSolution):
            draw = _draw_grades(solution, most_boards, samples, seed)
        else:
            draw = _draw_plies(solution, most_boards, samples, seed)
        return _check(solution, draw, progress)


@dataclass(slots=True)
class _Draw:
    """The boards that are to be checked, in batches, and faults of the sets they are drawn from."""

    is_exhaustive: bool
    batches: Iterator[_Batch]


@dataclass(slots=True)
class _Batch:
    player: int = 0
    boards: Sequence[str] = ()
    drawn_evenly: int = 0
    faults: Sequence[str] = field(default_factory=tuple)
    """Of the sets, found on the way."""


def _check(solution: SolvedGame, draw: _Draw, progress: CountProgress | None) -> BoardCheck:
    faults: list[str] = []
    checked = evenly = 0
    for batch in draw.batches:
        faults += batch.faults
        faults += _faults(solution, batch.boards, batch.player)
        checked += len(batch.boards)
        evenly += batch.drawn_evenly
        if progress and batch.boards:
            progress(checked)
        if len(faults) > _MOST_FAULTS:
            return BoardCheck(checked, 0, False, tuple(faults))
    return BoardCheck(
        checked, 0 if draw.is_exhaustive else evenly, draw.is_exhaustive, tuple(faults)
    )


def _all_of(boards: BoardSet, player: int) -> Iterator[_Batch]:
    every = iter(boards)
    while batch := list(islice(every, _BATCH)):
        yield _Batch(player, batch)


# --- solutions with distances: sets that grow with the plies ---


def _draw_plies(solution: GameSolution, most_boards: int, samples: int, seed: int) -> _Draw:
    is_exhaustive = sum(boards.count for boards in solution.legal) <= most_boards

    def iter_batches() -> Iterator[_Batch]:
        yield _Batch(faults=list(_partition_faults(solution)))
        for player in (0, 1):
            if is_exhaustive:
                yield from _all_of(solution.legal[player], player)
                continue
            for number, pool in enumerate(_pools(solution, player)):
                drawn = pool.sample(samples, seed=seed + number) if pool else []
                for start in range(0, len(drawn), _BATCH):
                    batch = drawn[start : start + _BATCH]
                    yield _Batch(player, batch, 0 if number else len(batch))

    return _Draw(is_exhaustive, iter_batches())


def _pools(solution: GameSolution, player: int) -> list[BoardSet]:
    """All boards, then the wins, the losses and the draws, as far as they are kept."""
    pools = [solution.legal[player]]
    if player in solution.wins:
        pools.append(solution.boards(BoardOutcome.WIN, player))
    if player in solution.losses:
        pools.append(solution.boards(BoardOutcome.LOSS, player))
    if player in solution.wins and player in solution.losses:
        pools.append(solution.boards(BoardOutcome.DRAW, player))
    return pools


def _partition_faults(solution: GameSolution) -> Iterator[str]:
    """Wins, losses and draws share no board, lie among the legal ones and grow with the plies."""
    for player, plies in (*solution.wins.items(), *solution.losses.items()):
        for (_, smaller), (ply, larger) in pairwise(plies):
            if not smaller < larger:
                yield f"boards of player {player} that are gone at ply {ply}"
        if plies and not plies[-1][1] <= solution.legal[player]:
            yield f"boards decided for player {player} that are not legal"
    for player in set(solution.wins) & set(solution.losses):
        won = solution.boards(BoardOutcome.WIN, player)
        if not won.isdisjoint(solution.boards(BoardOutcome.LOSS, player)):
            yield f"boards that player {player} both wins and loses"
    for player in (0, 1):
        counts = {outcome: solution.count(outcome, player) for outcome in BoardOutcome}
        if min(counts.values()) < 0 or sum(counts.values()) != solution.legal[player].count:
            yield f"not a partition of the legal boards for player {player}: {counts}"


# --- solutions by grades ---


def _draw_grades(solution: GradedSolution, most_boards: int, samples: int, seed: int) -> _Draw:
    rng = Random(seed)
    boards = [solution.boards(grade) for grade in solution.grades]
    totals = [[each[player].count for each in boards] for player in (0, 1)]
    is_exhaustive = sum(map(sum, totals)) <= most_boards
    shares = [
        Counter(rng.choices(solution.grades, weights=counts, k=samples) if any(counts) else ())
        for counts in totals
    ]

    def iter_batches() -> Iterator[_Batch]:
        for grade in solution.grades:
            yield _Batch(faults=list(_grade_faults(solution, grade)))
            here = solution.slice(grade)
            for player in (0, 1):
                if is_exhaustive:
                    yield from _all_of(here.boards[player], player)
                    continue
                share = shares[player][grade]
                pools = [(here.boards[player], share)]
                pools += [
                    (sets[player], _OF_EACH) for sets in (here.wins, here.losses) if player in sets
                ]
                for number, (pool, count) in enumerate(pools):
                    if pool and count:
                        drawn = pool.sample(min(count, pool.count), seed=seed + 3 * grade + number)
                        yield _Batch(player, drawn, 0 if number else share)

    return _Draw(is_exhaustive, iter_batches())


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


# --- boards ---


def _faults(solution: SolvedGame, boards: Sequence[str], player: int) -> Iterator[str]:
    game = solution.game
    after = []
    for board in boards:
        game.space.check_stop()
        after.append([step.board for step in game.iter_steps(board, player)])
    flat = [board for each in after for board in each]
    outside = [not inside for inside in solution.legal[1 - player].contains_all_of(flat)]
    values = iter(solution.values(flat, 1 - player))
    is_outside = iter(outside)
    for board, given, following in zip(boards, solution.values(boards, player), after, strict=True):
        game.space.check_stop()
        reached = [next(values) for _ in following]
        expected = _expected(solution, board, player, reached)
        name = f"{board!r} with player {player} to move"
        if not game.is_legal(board, player):
            yield f"{name} is not legal"
        if sum(next(is_outside) for _ in following):
            yield f"{name} has a move to a board that was not solved"
        if given != expected:
            yield f"{name} is given as {given}, but its moves make it {expected}"


def _expected(
    solution: SolvedGame, board: str, player: int, reached: Sequence[BoardValue]
) -> BoardValue:
    """What a board is worth by the values of the boards its moves lead to."""
    game = solution.game
    if game.has_lost(board, player) or (game.stuck_loses and not reached):
        return BoardValue(BoardOutcome.LOSS, 0 if solution.has_distances else None)
    to_losses = [v for v in reached if v.outcome is BoardOutcome.LOSS]
    if to_losses:
        return BoardValue(BoardOutcome.WIN, _one_more(min, to_losses))
    if reached and all(v.outcome is BoardOutcome.WIN for v in reached):
        return BoardValue(BoardOutcome.LOSS, _one_more(max, reached))
    return BoardValue(BoardOutcome.DRAW, None)


def _one_more(pick: Callable[[list[int]], int], values: Sequence[BoardValue]) -> int | None:
    distances = [v.distance for v in values if v.distance is not None]
    return 1 + pick(distances) if len(distances) == len(values) else None
