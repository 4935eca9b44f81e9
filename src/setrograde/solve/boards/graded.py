"""Games in which every move lowers the grade of the board: each board is solved once.

Letters count something at each place (`BoardGame.letter_weights`), the grade of a board is their
sum, and every move lowers it: pawns that only go forward, boards that fill up, heaps that shrink.
Then sets of one grade follow from sets of lower grades,

    W(g) = reverse(L(lower)),    L(g) = boards without a move into all but W(lower),

and no ply is gone over again. Sets of one grade are far smaller than those of all boards, too: on
Breakthrough 5x6 the largest have a few million states. Distances are not found this way.

Where every move lowers the grade by the same amount, as in games that fill the board, the grade
tells who is to move, and boards with the other player to move are left out.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any

from setrograde.common.stop import StopFlag
from setrograde.errors import InvalidInput
from setrograde.games.board_game import BoardGame
from setrograde.sets import BoardSet, MoveGraph, Moves, save_sets

from .origin import check_origin, digest_of, load_game_sets, origin_of
from .values import BoardOutcome, BoardValue, SolvedGame, WrongSolution

__all__ = ["GradeReport", "GradedSolution", "Slice", "Tally", "open_graded", "solve_by_grades"]

_LARGE = 500_000  # nodes of all sets whose moves are undone: see `Moves.reverse_all`
_LEVEL = 3  # of compression: files are written between two grades


@dataclass(frozen=True, slots=True)
class Slice:
    """The boards of one grade, with their wins and losses.

    >>> from setrograde.games.nim import Nim
    >>> here = solve_by_grades(Nim([2, 2])).slice(2)
    >>> here.boards[0].count, list(here.losses[1])
    (3, ['11'])
    """

    grade: int
    boards: tuple[BoardSet, BoardSet]
    """All boards of the grade, by player to move."""

    wins: dict[int, BoardSet]
    """The boards that a player, to move, wins; by player."""

    losses: dict[int, BoardSet]
    """The boards that a player, to move, loses; by player."""

    def not_won(self, player: int) -> BoardSet:
        """The boards that a player, to move, does not win."""
        return self.boards[player] - self.wins[player]

    @property
    def states(self) -> int:
        """The number of automaton states of its wins and losses."""
        return sum(boards.states for boards in (*self.wins.values(), *self.losses.values()))


@dataclass(frozen=True, slots=True)
class GradeReport:
    """How far a solve has come.

    >>> print(GradeReport(3, 45, 0, 12, 5, 1, 30, 6, 0.1))
    grade   3 of 45  player 1 wins 12 (5 states), player 2 loses 30 (6 states)  0.1 s
    """

    grade: int
    last_grade: int
    winner: int
    """The player whose wins are counted, on boards where he is to move."""

    wins: int
    wins_states: int
    loser: int
    """The player whose losses are counted, on boards where he is to move."""

    losses: int
    losses_states: int
    seconds: float
    """CPU time since the start."""

    def __str__(self) -> str:
        return (
            f"grade {self.grade:3} of {self.last_grade}  player {self.winner + 1} wins"
            f" {self.wins:,} ({self.wins_states:,} states), player {self.loser + 1} loses"
            f" {self.losses:,} ({self.losses_states:,} states)  {self.seconds:.1f} s"
        )


Progress = Callable[[GradeReport], None]


class GradedSolution(SolvedGame):
    """A game solved grade by grade: who wins each board up to the grade of the start.

    >>> from setrograde.games.breakthrough import Breakthrough
    >>> solution = solve_by_grades(Breakthrough(3, 4))
    >>> solution.winner, str(solution.start_value), len(solution.grades)
    (1, 'loss', 31)
    >>> print(solution)
    breakthrough 3x4: player 2 wins
    player 1 to move: 126,781 boards won, 334,034 lost, 0 drawn
    """

    has_distances = False

    def __init__(self, game: BoardGame, grades: Mapping[int, Slice] | Mapping[int, Path]) -> None:
        self.game = game
        self._grading = _Grading(game)
        self.legal = self._grading.legal
        self._grades = grades
        self._known: OrderedDict[int, Slice] = OrderedDict()
        self._most_known = 3 + max(self._grading.drops)

    @property
    def grades(self) -> list[int]:
        """All grades, lowest first."""
        return sorted(self._grades)

    def grade_of(self, board: str) -> int:
        """The grade of a board: the sum of what its letters count.

        >>> from setrograde.games.nim import Nim
        >>> solve_by_grades(Nim([3, 4, 5])).grade_of("205")
        7
        """
        return self._grading.grade_of(board)

    def boards(self, grade: int) -> tuple[BoardSet, BoardSet]:
        """All boards of a grade, by player to move; this reads no file."""
        return self._grading.boards(grade)

    def slice(self, grade: int) -> Slice:
        """The sets of one grade, read from its file; those of the last few stay in memory."""
        if grade not in self._known:
            found = self._grades[grade]
            if isinstance(found, Slice):
                return found
            self._known[grade] = _load_slice(self._grading, found, is_finished=True)
            if len(self._known) > self._most_known:
                self._known.popitem(last=False)
        self._known.move_to_end(grade)
        return self._known[grade]

    # --- boards ---

    def values(self, boards: Sequence[str], player: int) -> list[BoardValue]:
        """The values of many boards with the same player to move."""
        found = [BoardValue(BoardOutcome.DRAW, None)] * len(boards)
        for outcome in (BoardOutcome.WIN, BoardOutcome.LOSS):
            asked_of, asked = player, list(boards)
            if self._grading.is_for_both and (player == 0) != (outcome is BoardOutcome.WIN):
                asked_of, asked = 1 - player, [self.game.mirrored(board) or "" for board in boards]
            by_grade: dict[int, list[int]] = {}
            for number, board in enumerate(asked):
                by_grade.setdefault(self.grade_of(board), []).append(number)
            for grade, numbers in sorted(by_grade.items()):
                if grade not in self._grades:
                    raise InvalidInput(
                        f"not a board that was solved: {asked[numbers[0]]!r} of grade {grade}"
                        f" (expected {self.grades[0]} to {self.grades[-1]})"
                    )
                here = self.slice(grade)
                members = (here.wins if outcome is BoardOutcome.WIN else here.losses)[asked_of]
                inside = members.contains_all_of([asked[number] for number in numbers])
                for number, is_in in zip(numbers, inside, strict=True):
                    if is_in:
                        found[number] = BoardValue(outcome, None)
        return found

    # --- counts ---

    def tally(self, player: int = 0) -> Tally:
        """The number of boards, wins, losses and states of all grades, for a player to move.

        >>> from setrograde.games.nim import Nim
        >>> tally = solve_by_grades(Nim([3, 4, 5])).tally()
        >>> tally.boards, tally.losses
        (120, 18)
        """
        boards = wins = losses = states = 0
        for grade in self.grades:
            here = self.slice(grade)
            boards += here.boards[player].count
            wins += here.wins[player if player in here.wins else 1 - player].count
            losses += here.losses[player if player in here.losses else 1 - player].count
            states += here.states
        return Tally(boards, wins, losses, states)

    def __str__(self) -> str:
        tally = self.tally()
        return (
            f"{self.game.name} {self.game.size}: {self.result}\n"
            f"player 1 to move: {tally.wins:,} boards won, {tally.losses:,} lost,"
            f" {tally.draws:,} drawn"
        )

    def _repr_html_(self) -> str:
        from .display import graded_html

        return graded_html(self)


@dataclass(frozen=True, slots=True)
class Tally:
    """The numbers of boards of a solution by grades, for one player to move.

    >>> Tally(10, 3, 5, 40).draws
    2
    """

    boards: int
    wins: int
    losses: int
    states: int
    """The number of automaton states of the sets of all grades."""

    @property
    def draws(self) -> int:
        """The number of boards that are neither won nor lost."""
        return self.boards - self.wins - self.losses


def solve_by_grades(
    game: BoardGame,
    *,
    folder: Path | None = None,
    progress: Progress | None = None,
    stop: StopFlag | None = None,
) -> GradedSolution:
    """Solve a game whose moves lower the grade of the board, up to the grade of its start.

    With `folder` the sets of each grade go to a file there and only those still needed stay in
    memory; an interrupted solve continues after the last file. Without it all sets stay in memory.
    `stop` ends the solve with `Stopped`.
    """
    with game.space.stopping(stop):
        return _solve(game, folder, progress)


def _solve(game: BoardGame, folder: Path | None, progress: Progress | None) -> GradedSolution:
    grading = _Grading(game)
    deepest = max(grading.drops)
    files = {} if folder is None else _finished(grading.grades, _grade_files(folder))
    is_finished = len(files) == len(grading.grades)
    known: dict[int, Slice] = {}
    started = time.process_time()
    for grade in grading.grades:
        if folder is not None:
            known.pop(grade - deepest - 1, None)  # needed no more
        if grade in files:
            if grade + deepest > max(files):
                known[grade] = _load_slice(grading, files[grade], is_finished=is_finished)
            continue
        known[grade] = _solve_grade(grading, known, grade)
        if folder is not None:
            files[grade] = _save_slice(grading, known[grade], folder)
        if progress:
            seconds = time.process_time() - started
            progress(_report(known[grade], grading.grades[-1], seconds))
    return GradedSolution(game, known if folder is None else files)


def open_graded(
    game: BoardGame, folder: Path, *, stop: StopFlag | None = None
) -> GradedSolution | None:
    """The solution in a folder of `solve_by_grades`; `None` if it is missing or not finished.

    `stop` ends the work with `Stopped`.

    >>> from tempfile import TemporaryDirectory
    >>> from setrograde.games.nim import Nim
    >>> with TemporaryDirectory() as name:
    ...     first = open_graded(Nim([2, 3]), Path(name))
    ...     made = solve_by_grades(Nim([2, 3]), folder=Path(name))
    ...     first, open_graded(Nim([2, 3]), Path(name)).winner
    (None, 0)
    """
    files = _grade_files(folder) if folder.is_dir() else {}
    if game.letter_weights is None or not files:
        return None
    with game.space.stopping(stop):
        solution = GradedSolution(game, files)
        grades = solution._grading.grades
        solution._grades = _finished(grades, files)
        if len(solution._grades) < len(grades):
            return None
        solution.slice(grades[-1])  # made by the rules of today, or refused
        return solution


# --- what grades there are ---


class _Grading:
    """How the boards of a game fall into grades, and what its moves do to them."""

    def __init__(self, game: BoardGame) -> None:
        if game.letter_weights is None:
            raise InvalidInput(
                f"{game.name} cannot be solved by grades: the game has no letter_weights (expected"
                " weights of which every move lowers the sum)"
            )
        self.game = game
        self._weights = game.letter_weights
        self.moves = {player: game.moves(player).by_drop(self._weights) for player in (0, 1)}
        self.drops = {drop for parts in self.moves.values() for drop in parts} or {1}
        if min(self.drops) < 1:
            raise InvalidInput(f"moves of {game.name} that do not lower the grade of the board")
        self.grades = range(self._lowest(), self.grade_of(game.start) + 1)
        self.legal = self._legal()
        self.is_warned = False
        """Whether a file that does not say by which rules it was made has been told of."""

    @cached_property
    def origin(self) -> dict[str, Any]:
        """What the file of each grade says about itself."""
        weights = [
            [counts.get(letter, 0) for letter in letters]
            for counts, letters in zip(self._weights, self.game.space.alphabets, strict=True)
        ]
        return {**origin_of(self.game), "grading": digest_of(self.legal, weights)}

    @property
    def has_turns(self) -> bool:
        """Whether the grade of a board tells who is to move."""
        return len(self.drops) == 1

    @property
    def is_for_both(self) -> bool:
        """Whether one player's sets do for both."""
        return self.game.is_mirrored and not self.has_turns

    def grade_of(self, board: str) -> int:
        pairs = zip(self._weights, board, strict=True)
        return sum(counts.get(letter, 0) for counts, letter in pairs)

    def boards(self, grade: int) -> tuple[BoardSet, BoardSet]:
        """All that a solution has of a grade, by player to move."""
        here = self._all_of(grade)
        return self.legal[0] & here, self.legal[1] & here

    def moves_on(self, grade: int, player: int) -> Mapping[int, Moves | MoveGraph]:
        """Moves by how much they lower the grade, kept to what no play from the start leaves."""
        if not self.has_turns:
            return self.moves[player]
        bound = self.game.reach_bound(self._plies(grade))
        if bound == self.game.space.everything:
            return self.moves[player]
        return {drop: moves.among(bound) for drop, moves in self.moves[player].items()}

    def _all_of(self, grade: int) -> BoardSet:
        return self.game.space.with_sum(self._weights, least=grade, most=grade)

    def _plies(self, grade: int) -> int:
        return (self.grades[-1] - grade) // max(self.drops)

    def _lowest(self) -> int:
        places = zip(self._weights, self.game.space.alphabets, strict=True)
        return sum(min(counts.get(a, 0) for a in letters) for counts, letters in places)

    def _legal(self) -> tuple[BoardSet, BoardSet]:
        game = self.game
        bound = game.reach_bound()
        legal = game.legal(0) & bound, game.legal(1) & bound
        if not self.has_turns:
            return legal
        grades = self.grades[:: -max(self.drops)]  # from that of the start down
        by_ply = [self._all_of(grade) & game.reach_bound(self._plies(grade)) for grade in grades]
        union = game.space.union
        return legal[0] & union(by_ply[::2]), legal[1] & union(by_ply[1::2])


# --- one grade ---


def _solve_grade(grading: _Grading, known: Mapping[int, Slice], grade: int) -> Slice:
    """Wins and losses among the boards of a grade, from those of lower grades."""
    game, within = grading.game, grading.boards(grade)
    lower = {}
    for player in (0, 1):
        parts = grading.moves_on(grade, player) if within[player] else {}
        lower[player] = [
            (part, known[grade - d]) for d, part in parts.items() if grade - d in known
        ]
    wins, losses = {}, {}
    for player in (0,) if grading.is_for_both else (0, 1):
        to_losses = [(part, here.losses[1 - player]) for part, here in lower[player]]
        wins[player] = _with_a_move_to(within[player], game, to_losses)
        if game.stuck_wins:
            wins[player] |= within[player] - _not_stuck(game, within, lower, player)
    for player in (1,) if grading.is_for_both else (0, 1):
        has_draws = not game.stuck_loses and not game.stuck_wins
        if not has_draws and player in wins:
            losses[player] = within[player] - wins[player]
            continue
        may_lose = within[player]
        if has_draws or game.stuck_wins:
            may_lose &= _not_stuck(game, within, lower, player)
        to_escapes = [(part, here.not_won(1 - player)) for part, here in lower[player]]
        losses[player] = may_lose - _with_a_move_to(may_lose, game, to_escapes)
    return Slice(grade, within, wins, losses)


def _not_stuck(
    game: BoardGame,
    within: tuple[BoardSet, BoardSet],
    lower: Mapping[int, Sequence[tuple[Moves | MoveGraph, Slice]]],
    player: int,
) -> BoardSet:
    """The boards of the grade that are lost at once, or on which the player can move."""
    anywhere = [(part, here.boards[1 - player]) for part, here in lower[player]]
    return game.lost(player) | _with_a_move_to(within[player], game, anywhere)


def _with_a_move_to(
    boards: BoardSet, game: BoardGame, parts: Sequence[tuple[Moves | MoveGraph, BoardSet]]
) -> BoardSet:
    """The boards with at least one move into the set of its part."""
    return boards & _reverse(game, parts) if boards else boards


def _reverse(game: BoardGame, parts: Sequence[tuple[Moves | MoveGraph, BoardSet]]) -> BoardSet:
    """One after another, or all at once where sets are large."""
    if sum(boards.nodes for _, boards in parts) > _LARGE:
        single = [(moves, boards) for moves, boards in parts if isinstance(moves, Moves)]
        if len(single) == len(parts):
            return Moves.reverse_all(single)
    return game.space.union([moves.reverse(boards) for moves, boards in parts])


def _report(here: Slice, last_grade: int, seconds: float) -> GradeReport:
    movers = [player for player in (0, 1) if here.boards[player]] or [0, 1]
    winner, loser = movers[0], movers[-1]
    won, lost = here.wins[winner], here.losses[loser]
    return GradeReport(
        here.grade,
        last_grade,
        winner,
        won.count,
        won.states,
        loser,
        lost.count,
        lost.states,
        seconds,
    )


# --- files: one for each grade, in the format of board sets ---


def _grade_files(folder: Path) -> dict[int, Path]:
    folder.mkdir(parents=True, exist_ok=True)
    named = [(re.fullmatch(r"grade_(-?[0-9]+)\.sets", p.name), p) for p in folder.iterdir()]
    return dict(sorted((int(match[1]), path) for match, path in named if match))


def _finished(grades: range, files: Mapping[int, Path]) -> dict[int, Path]:
    """Files from the lowest grade up to the first that is missing."""
    return {grade: files[grade] for grade in takewhile(files.__contains__, grades)}


def _save_slice(grading: _Grading, here: Slice, folder: Path) -> Path:
    path = folder / f"grade_{here.grade:04}.sets"
    sets = {f"win.{player}": boards for player, boards in here.wins.items()}
    sets |= {f"loss.{player}": boards for player, boards in here.losses.items()}
    sets |= {f"board.{player}": boards for player, boards in enumerate(here.boards)}
    save_sets(path, sets, about={**grading.origin, "grade": here.grade}, level=_LEVEL)
    return path


def _load_slice(grading: _Grading, path: Path, *, is_finished: bool) -> Slice:
    found = load_game_sets(path, grading.game)
    about = found.about
    if is_finished and "rules" not in about and grading.is_warned:
        about = {**about, **grading.origin}
    grading.is_warned |= "rules" not in about
    check_origin(path, about, grading.origin, is_finished=is_finished)
    boards, wins, losses = [_by_player(found.sets, kind) for kind in ("board", "win", "loss")]
    kept = {0} if grading.is_for_both else {0, 1}
    grade = about.get("grade")
    fits = set(wins) == kept and set(losses) == {1 - player for player in kept}
    if not (fits and set(boards) == {0, 1} and isinstance(grade, int)):
        raise WrongSolution(f"{path} holds other sets than those of a grade")
    return Slice(grade, (boards[0], boards[1]), wins, losses)


def _by_player(sets: Mapping[str, BoardSet], kind: str) -> dict[int, BoardSet]:
    return {player: sets[name] for player in (0, 1) if (name := f"{kind}.{player}") in sets}
