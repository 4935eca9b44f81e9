"""Solve a game by its name and size, and keep the solution."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, overload

from setrograde.common.stop import StopFlag
from setrograde.errors import InvalidInput
from setrograde.games.board_game import BoardGame
from setrograde.games.catalogue import make_game
from setrograde.sets import BoardSet

from .graded import GradedSolution, GradeReport, open_graded, solve_by_grades
from .reachable import reachable_boards
from .retrograde import GameSolution, PlyReport, solve_retrograde
from .store import GameStore, load_solution
from .values import WrongSolution

__all__ = ["Progress", "open_game", "solve_game"]

Progress = Callable[[PlyReport | GradeReport], None]
"""Hears of every ply, or grade, that is done. An exception it raises stops the solve."""

_SMALL = 1_000_000
"""Games with at most this number of boards are solved in a moment, so they need not be stored."""


@overload
def solve_game(
    game: BoardGame | str,
    size: str | None = None,
    *,
    distances: Literal[True] = True,
    legal: tuple[BoardSet, BoardSet] | None = None,
    limit_mb: int = 2048,
    store: GameStore | bool = False,
    force: bool = False,
    parts: Path | None = None,
    progress: Callable[[PlyReport], None] | None = None,
    stop: StopFlag | None = None,
) -> GameSolution: ...


@overload
def solve_game(
    game: BoardGame | str,
    size: str | None = None,
    *,
    distances: Literal[False],
    legal: tuple[BoardSet, BoardSet] | None = None,
    limit_mb: int = 2048,
    store: GameStore | bool = False,
    force: bool = False,
    parts: Path | None = None,
    progress: Callable[[GradeReport], None] | None = None,
    stop: StopFlag | None = None,
) -> GradedSolution: ...


@overload
def solve_game(
    game: BoardGame | str,
    size: str | None = None,
    *,
    distances: bool,
    legal: tuple[BoardSet, BoardSet] | None = None,
    limit_mb: int = 2048,
    store: GameStore | bool = False,
    force: bool = False,
    parts: Path | None = None,
    progress: Progress | None = None,
    stop: StopFlag | None = None,
) -> GameSolution | GradedSolution: ...


def solve_game(
    game: BoardGame | str,
    size: str | None = None,
    *,
    distances: bool = True,
    legal: tuple[BoardSet, BoardSet] | None = None,
    limit_mb: int = 2048,
    store: GameStore | bool = False,
    force: bool = False,
    parts: Path | None = None,
    progress: Callable[[Any], None] | None = None,
    stop: StopFlag | None = None,
) -> GameSolution | GradedSolution:
    """Solve every board of a game, given as an object or by its name and size.

    >>> print(solve_game("breakthrough", "3x4"))
    breakthrough 3x4: player 2 wins in 12 plies
    player 1 to move: 145,495 boards won, 385,946 lost, 0 drawn; the longest game takes 12 plies

    - `distances=False` finds who wins, not in how many plies, for games in which no board comes
      back: large games take a fraction of the memory.
    - `legal` restricts the solve to some boards, as `solve_retrograde` says. By default those are
      all legal boards, or for games that fill the board, all boards that can come up.
    - `limit_mb` is the memory for sets of a game given by name; a game object has its own limit.
    - `store=True` keeps the solution in the user's data directory, a `GameStore` elsewhere. A
      stored solution is returned as it is, and a solve that was interrupted continues. What was
      made by other rules of the game is refused with `WrongSolution`. While a program solves a
      game, others that want to solve it in the same store get `InUse`.
    - `force=True` removes what is stored of the game and solves it anew.
    - `parts` is a folder for finished plies, or grades, where there is no store.
    - `progress` hears a report of every ply, or grade, that is done.
    - `stop` ends the solve with `Stopped`.

    Raises `OutOfRoom` if the sets do not fit in memory.
    """
    game = _as_game(game, size, limit_mb)
    if not distances and legal is not None:
        raise InvalidInput("legal boards for a solve by grades (expected distances=True)")
    kept = store if isinstance(store, GameStore) else GameStore() if store else None
    if kept is None:
        if not distances:
            return solve_by_grades(game, folder=parts, progress=progress, stop=stop)
        return _solve(game, legal, parts, progress, stop)
    if distances and not force and kept.path(game).exists():
        return _stored(kept, game, legal, stop)
    if not distances and not force:
        finished = open_graded(game, kept.grades(game), stop=stop)
        if finished is not None:
            return finished
    with kept.working(game, distances=distances) as folder:
        if force:
            kept.remove(game, distances=distances)
        if not distances:
            return solve_by_grades(game, folder=folder, progress=progress, stop=stop)
        if kept.path(game).exists():  # another program has just finished
            return _stored(kept, game, legal, stop)
        solution = _solve(game, legal, folder, progress, stop)
        kept.save(solution, stop=stop)
        return solution


def _solve(
    game: BoardGame,
    legal: tuple[BoardSet, BoardSet] | None,
    parts: Path | None,
    progress: Callable[[PlyReport], None] | None,
    stop: StopFlag | None,
) -> GameSolution:
    if legal is None and game.is_solved_within_reach:
        legal = reachable_boards(game, stop=stop)
    return solve_retrograde(game, legal=legal, progress=progress, parts=parts, stop=stop)


def _stored(
    store: GameStore,
    game: BoardGame,
    legal: tuple[BoardSet, BoardSet] | None,
    stop: StopFlag | None,
) -> GameSolution:
    """The stored solution, if it has the boards that are asked for."""
    path = store.path(game)
    found = load_solution(path, game, stop=stop)
    if legal is None and not game.is_solved_within_reach:
        legal = game.legal(0), game.legal(1)
    if legal is not None and legal != found.legal:
        raise WrongSolution(
            f"{path} was solved for other boards of {game.name} {game.size} (solve it anew with"
            " force=True)"
        )
    return found


def open_game(
    game: BoardGame | str,
    size: str | None = None,
    *,
    limit_mb: int = 2048,
    store: GameStore | None = None,
    stop: StopFlag | None = None,
) -> GameSolution | GradedSolution:
    """The stored solution of a game; games with at most a million boards are solved if need be.

    Raises `MissingTable` if a larger game was not solved before. `stop` ends the work with
    `Stopped`.

    >>> open_game("nim", "3,4,5").winner
    0
    """
    game = _as_game(game, size, limit_mb)
    store = store or GameStore()
    if game.space.everything.count <= _SMALL:
        return store.get(game, stop=stop) or solve_game(game, stop=stop)
    return store.open(game, stop=stop)


def _as_game(game: BoardGame | str, size: str | None, limit_mb: int) -> BoardGame:
    if isinstance(game, BoardGame):
        if size is not None:
            raise InvalidInput(f"a size, {size!r}, beside a game that has one: {game!r}")
        return game
    if size is None:
        raise InvalidInput(f"no size for {game!r} (expected text like '4x5')")
    return make_game(game, size, limit_mb=limit_mb)
