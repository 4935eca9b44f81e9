"""Which boards a check looks at: all boards of small games, chosen ones of large games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise
from random import Random

from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag
from setrograde.sets import BoardSet

from ..graded import GradedSolution
from ..retrograde import GameSolution
from ..values import BoardOutcome
from .proofs import Proofs
from .report import BoardCheck, EndCheck
from .rules import Place, Rules

__all__ = ["verify_solution"]

_BATCH = 2_000
_OF_EACH_GRADE = 50  # wins, and losses, that are looked at of every grade
_OF_EACH_PLY = 10  # of every distance
_MOST_FAULTS = 10
_LARGE = 200_000  # nodes of a set; larger ones are not taken apart


def verify_solution(
    solution: GameSolution | GradedSolution,
    *,
    most_boards: int | None = 200_000,
    samples: int = 2_000,
    budget: int = 40_000,
    seed: int = 1,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> BoardCheck:
    """Check a solution by the plain rules of its game.

    If there are at most `most_boards` boards, or that is `None`, all are checked: each value
    follows from those its moves lead to, so by induction from the end of the game every value is
    right.

    Otherwise `samples` boards are drawn evenly from all boards, and the check tries to prove each
    of them down to the end of the game. The proofs look at no more than `budget` boards together.
    The report counts the boards that are proved; only they support what it says about all boards.
    A quarter of `budget` more is for the start, another for all boards near the end of the game.
    Besides, boards drawn from the wins, the losses, the draws and every distance or grade are
    compared with the boards their moves lead to.

    `progress` hears the number of boards looked at. `stop` ends the check with `Stopped`.

    >>> from setrograde.solve.boards import solve_game
    >>> print(verify_solution(solve_game("nim", "3,4,5")))
    right: all 240 boards
    >>> print(verify_solution(solve_game("nim", "3,4,5"), most_boards=0, samples=100))
    no fault found: 100 of 100 boards drawn at random are proved right to the end of the game
    with 99% confidence at least 95.49% of all boards are right
    the value of the start is proved
    all boards given as decided within 11 plies (240) are right
    240 boards were looked at: each agrees with the boards its moves lead to
    """
    with solution.game.space.stopping(stop):
        boards = (
            _GradedBoards(solution)
            if isinstance(solution, GradedSolution)
            else (_PlyBoards(solution))
        )
        if most_boards is None or boards.total <= most_boards:
            return _check_all(boards, samples, seed, progress)
        return _check_some(boards, samples, budget, seed, progress)


def _check_all(
    boards: _Boards, samples: int, seed: int, progress: CountProgress | None
) -> BoardCheck:
    most_left_out = max(samples, boards.total)
    faults = [*boards.iter_faults(), *boards.iter_left_out(most_left_out, Random(seed))]
    rules = Rules(boards.solution)
    looked = 0
    every = boards.iter_all()
    while len(faults) < _MOST_FAULTS and (batch := list(islice(every, _BATCH))):
        for look in rules.look(batch):
            faults += look.faults
        looked += len(batch)
        if progress:
            progress(looked)
    return BoardCheck(looked, 0, not faults, tuple(faults[:_MOST_FAULTS]))


def _check_some(
    boards: _Boards, samples: int, budget: int, seed: int, progress: CountProgress | None
) -> BoardCheck:
    rng = Random(seed)
    faults = [*boards.iter_faults(), *boards.iter_left_out(samples // 4, rng)]
    proofs = Proofs(Rules(boards.solution), progress)
    start = (boards.solution.game.start, 0)
    end = boards.end_within(budget // 4)
    drawn = boards.draw(samples, rng)
    stages: list[Callable[[], None]] = [
        lambda: proofs.look(boards.iter_end(end) if end else ()),
        lambda: proofs.look(drawn),
        lambda: proofs.look(boards.iter_by_value(samples // 4, rng)),
        lambda: proofs.prove(drawn, budget=budget),
        lambda: proofs.prove([start], budget=budget // 4),
    ]
    for advance in stages:
        if not faults:
            advance()
            faults += proofs.faults
    if faults:
        return BoardCheck(proofs.looked, len(drawn), False, tuple(faults[:_MOST_FAULTS]))
    proved = proofs.find_proved()
    return BoardCheck(
        proofs.looked,
        len(drawn),
        False,
        (),
        proved=sum(place in proved for place in drawn),
        is_start_proved=start in proved,
        end=end,
    )


class _Boards(ABC):
    """The boards of a solution, as a check draws them."""

    def __init__(self, solution: GameSolution | GradedSolution) -> None:
        self.solution = solution
        self.total = 0
        """The number of boards, with either player to move."""

    @abstractmethod
    def iter_faults(self) -> Iterator[str]:
        """Sets that do not fit together, in words."""

    @abstractmethod
    def iter_left_out(self, samples: int, rng: Random) -> Iterator[str]:
        """Boards that were not solved though the plain rules have them, in words."""

    @abstractmethod
    def iter_all(self) -> Iterator[Place]:
        """All boards."""

    @abstractmethod
    def draw(self, samples: int, rng: Random) -> list[Place]:
        """Boards drawn evenly from all boards."""

    @abstractmethod
    def iter_by_value(self, samples: int, rng: Random) -> Iterator[Place]:
        """Boards drawn from each outcome, and from each distance or grade."""

    @abstractmethod
    def end_within(self, most_boards: int) -> EndCheck | None:
        """How far up from the end of the game all boards together are at most `most_boards`."""

    @abstractmethod
    def iter_end(self, end: EndCheck) -> Iterator[Place]:
        """All boards that `end` has."""

    def _start_faults(self) -> Iterator[str]:
        if self.solution.game.start not in self.solution.legal[0]:
            yield "the start is not among the boards that were solved"


def _some(boards: BoardSet, player: int, count: int, rng: Random) -> list[Place]:
    """Boards drawn evenly from a set; all of a small set."""
    if boards.count <= count:
        return [(board, player) for board in boards]
    return [(board, player) for board in boards.sample(count, seed=rng.randrange(1 << 60))]


class _PlyBoards(_Boards):
    """Solutions with distances: sets that grow with the plies."""

    solution: GameSolution

    def __init__(self, solution: GameSolution) -> None:
        super().__init__(solution)
        self.total = sum(boards.count for boards in solution.legal)

    def iter_faults(self) -> Iterator[str]:
        """Wins, losses and draws share no board, are legal, and grow with the plies."""
        solution = self.solution
        yield from self._start_faults()
        for player, plies in (*solution.wins.items(), *solution.losses.items()):
            for (_, smaller), (ply, larger) in pairwise(plies):
                if not smaller < larger:
                    yield f"boards of player {player + 1} that are gone at ply {ply}"
            if plies and not plies[-1][1] <= solution.legal[player]:
                yield f"boards decided for player {player + 1} that are not legal"
        for player in set(solution.wins) & set(solution.losses):
            won = solution.boards(BoardOutcome.WIN, player)
            if not won.isdisjoint(solution.boards(BoardOutcome.LOSS, player)):
                yield f"boards that player {player + 1} both wins and loses"
        for player in (0, 1):
            counts = {str(outcome): solution.count(outcome, player) for outcome in BoardOutcome}
            if min(counts.values()) < 0 or sum(counts.values()) != solution.legal[player].count:
                yield f"not a partition of the legal boards for player {player + 1}: {counts}"

    def iter_left_out(self, samples: int, rng: Random) -> Iterator[str]:
        """Illegal boards are illegal by the plain rules, too, where all legal boards are solved."""
        game = self.solution.game
        for player in (0, 1):
            if self.solution.legal[player] != game.legal(player):
                continue
            for board, _ in _some(~self.solution.legal[player], player, samples, rng):
                game.space.check_stop()
                if game.is_legal(board, player):
                    yield f"{board!r} with player {player + 1} to move is legal but was not solved"
                    break

    def iter_all(self) -> Iterator[Place]:
        for player, boards in enumerate(self.solution.legal):
            for board in boards:
                yield board, player

    def draw(self, samples: int, rng: Random) -> list[Place]:
        drawn: list[Place] = []
        first = self.solution.legal[0].count
        players = Counter(int(rng.randrange(self.total) >= first) for _ in range(samples))
        for player, count in sorted(players.items()):
            boards = self.solution.legal[player].sample(count, seed=rng.randrange(1 << 60))
            drawn += [(board, player) for board in boards]
        return drawn

    def iter_by_value(self, samples: int, rng: Random) -> Iterator[Place]:
        for boards, player in self._pools():
            yield from _some(boards, player, samples, rng)
        for player, plies in self._chains():
            before = self.solution.game.space.nothing
            for _, boards in plies:
                fresh = boards if boards.nodes > _LARGE else boards - before
                yield from _some(fresh, player, _OF_EACH_PLY, rng)
                before = boards

    def _pools(self) -> Iterator[tuple[BoardSet, int]]:
        """The wins, the losses and the draws, as far as they are kept."""
        solution = self.solution
        for player in (0, 1):
            outcomes = [BoardOutcome.WIN] * (player in solution.wins)
            outcomes += [BoardOutcome.LOSS] * (player in solution.losses)
            if len(outcomes) == 2:
                outcomes.append(BoardOutcome.DRAW)
            for outcome in outcomes:
                yield solution.boards(outcome, player), player

    def _chains(self) -> list[tuple[int, list[tuple[int, BoardSet]]]]:
        """Players, and their wins or losses within each number of plies."""
        return [*self.solution.wins.items(), *self.solution.losses.items()]

    def _is_for_both(self) -> bool:
        return len(self.solution.wins) == 1

    def _within(self, bound: int) -> Iterator[tuple[BoardSet, int]]:
        """The boards given as decided within a number of plies, as far as they are kept."""
        for player, plies in self._chains():
            sets = [boards for ply, boards in plies if ply <= bound]
            if sets:
                yield sets[-1], player

    def end_within(self, most_boards: int) -> EndCheck | None:
        found = None
        for bound in sorted({ply for _, plies in self._chains() for ply, _ in plies}):
            count = sum(boards.count for boards, _ in self._within(bound))
            count *= 2 if self._is_for_both() else 1
            if count > most_boards:
                break
            found = EndCheck(count, bound, True)
        return found

    def iter_end(self, end: EndCheck) -> Iterator[Place]:
        game = self.solution.game
        for boards, player in self._within(end.bound):
            for board in boards:
                yield board, player
                if self._is_for_both():
                    mirrored = game.mirrored(board)
                    assert mirrored is not None
                    yield mirrored, 1 - player


class _GradedBoards(_Boards):
    """Solutions by grades."""

    solution: GradedSolution

    def __init__(self, solution: GradedSolution) -> None:
        super().__init__(solution)
        self._counts = {
            (grade, player): boards.count
            for grade in solution.grades
            for player, boards in enumerate(solution.boards(grade))
        }
        self.total = sum(self._counts.values())

    def iter_faults(self) -> Iterator[str]:
        """Wins and losses of a grade share no board and lie among the boards of the grade."""
        yield from self._start_faults()
        for grade in self.solution.grades:
            here = self.solution.slice(grade)
            for player in (0, 1):
                if here.boards[player] != self.solution.boards(grade)[player]:
                    yield f"other boards for player {player + 1} than those of grade {grade}"
                decided = [sets[player] for sets in (here.wins, here.losses) if player in sets]
                if not all(boards <= here.boards[player] for boards in decided):
                    yield f"boards decided for player {player + 1} that are not of grade {grade}"
                if len(decided) == 2 and not decided[0].isdisjoint(decided[1]):
                    yield f"boards of grade {grade} that player {player + 1} both wins and loses"

    def iter_left_out(self, samples: int, rng: Random) -> Iterator[str]:
        """None: a solution by grades may leave out boards that do not come up."""
        return iter(())

    def iter_all(self) -> Iterator[Place]:
        return self._iter_grades(self.solution.grades)

    def _iter_grades(self, grades: Iterable[int]) -> Iterator[Place]:
        for grade in grades:
            for player, boards in enumerate(self.solution.boards(grade)):
                for board in boards:
                    yield board, player

    def draw(self, samples: int, rng: Random) -> list[Place]:
        drawn: list[Place] = []
        cells = Counter(rng.choices(list(self._counts), list(self._counts.values()), k=samples))
        for (grade, player), count in sorted(cells.items()):
            boards = self.solution.boards(grade)[player]
            drawn += [
                (board, player) for board in boards.sample(count, seed=rng.randrange(1 << 60))
            ]
        return drawn

    def iter_by_value(self, samples: int, rng: Random) -> Iterator[Place]:
        for grade in self.solution.grades:
            here = self.solution.slice(grade)
            for sets in (here.wins, here.losses):
                for player, boards in sets.items():
                    yield from _some(boards, player, _OF_EACH_GRADE, rng)

    def end_within(self, most_boards: int) -> EndCheck | None:
        boards, bound = 0, None
        for grade in self.solution.grades:
            boards += self._counts[grade, 0] + self._counts[grade, 1]
            if boards > most_boards:
                break
            if boards:
                bound, within = grade, boards
        return None if bound is None else EndCheck(within, bound, False)

    def iter_end(self, end: EndCheck) -> Iterator[Place]:
        return self._iter_grades(g for g in self.solution.grades if g <= end.bound)
