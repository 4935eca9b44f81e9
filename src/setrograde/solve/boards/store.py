"""Solutions of games on disk: where they lie, how to save, open and list them.

A solution with distances is one file of board sets, `breakthrough-4x5.sets`. Beside it, while it is
being solved, `breakthrough-4x5.parts` keeps the plies that are done. A solution without distances
is a folder with a file for each grade, `breakthrough-4x5.grades`. The format of all files is that
of `docs/formats/board_sets.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setrograde.common.files import AnyPath
from setrograde.common.locks import locked_folder
from setrograde.common.stop import StopFlag
from setrograde.errors import MissingTable
from setrograde.games.board_game import BoardGame
from setrograde.locations import data_directory
from setrograde.sets import BoardSet, save_sets

from .graded import GradedSolution, open_graded
from .origin import check_origin, load_game_sets, origin_of
from .retrograde import GameSolution
from .values import WrongSolution

__all__ = ["GameStore", "StoredGame", "load_solution", "save_solution"]


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A solution in a store, or the finished part of one.

    >>> print(StoredGame("nim", "3,4,5", "distances", 1214, Path("nim-3_4_5.sets")))
    nim 3,4,5: solved with distances, 1,214 bytes
    """

    name: str
    """The name of the game, as `make_game` takes it."""

    size: str
    kind: str
    """`distances`, `grades` (without distances; may be unfinished) or `parts` (unfinished)."""

    bytes: int
    path: Path
    """The file or the folder."""

    def __str__(self) -> str:
        words = {
            "distances": "solved with distances",
            "grades": "solved by grades, without distances",
            "parts": "not finished",
        }
        return f"{self.name} {self.size}: {words[self.kind]}, {self.bytes:,} bytes"


class GameStore:
    """Solved games in a data directory: the one given, else the user's.

    >>> from tempfile import TemporaryDirectory
    >>> from setrograde.solve.boards import solve_game
    >>> with TemporaryDirectory() as folder:
    ...     store = GameStore(folder)
    ...     solution = solve_game("nim", "3,4,5", store=store)
    ...     [stored.path.name for stored in store.list()]
    ['nim-3_4_5.sets']
    """

    def __init__(self, data: AnyPath | None = None) -> None:
        self.folder = data_directory(data) / "games"

    def __repr__(self) -> str:
        return f"GameStore({str(self.folder.parent)!r})"

    # --- places ---

    def path(self, game: BoardGame) -> Path:
        """The file of a solution with distances."""
        stem = re.sub(r"[^\w.-]", "_", f"{game.name}-{game.size}")
        return self.folder / f"{stem}.sets"

    def parts(self, game: BoardGame) -> Path:
        """The folder of the plies of a solve that is not finished."""
        return self._beside(game, ".parts")

    def grades(self, game: BoardGame) -> Path:
        """The folder of a solution without distances."""
        return self._beside(game, ".grades")

    def _beside(self, game: BoardGame, suffix: str) -> Path:
        path = self.path(game)
        return path.with_name(path.name.removesuffix(".sets") + suffix)

    # --- solutions ---

    def get(
        self, game: BoardGame, *, stop: StopFlag | None = None
    ) -> GameSolution | GradedSolution | None:
        """The stored solution of a game, with distances if possible; `None` if there is none."""
        if self.path(game).exists():
            return load_solution(self.path(game), game, stop=stop)
        return open_graded(game, self.grades(game), stop=stop)

    def open(
        self, game: BoardGame, *, stop: StopFlag | None = None
    ) -> GameSolution | GradedSolution:
        """The stored solution of a game; raises `MissingTable` if there is none.

        >>> from tempfile import TemporaryDirectory
        >>> from setrograde.games import Nim
        >>> with TemporaryDirectory() as folder:
        ...     GameStore(folder).open(Nim([3, 4]))  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        setrograde.errors.MissingTable: no solution of nim 3,4 in '...games' (make one with: \
setrograde game solve nim 3,4)
        """
        solution = self.get(game, stop=stop)
        if solution is None:
            raise MissingTable(
                f"no solution of {game.name} {game.size} in {str(self.folder)!r}"
                f" (make one with: setrograde game solve {game.name} {game.size})"
            )
        return solution

    def save(self, solution: GameSolution, *, stop: StopFlag | None = None) -> Path:
        """Write a solution with distances, and drop the finished plies it was made from.

        Solutions without distances are written grade by grade while they are solved:
        `solve_by_grades(game, folder=store.grades(game))`.
        """
        path = self.path(solution.game)
        path.parent.mkdir(parents=True, exist_ok=True)
        save_solution(path, solution, stop=stop)
        self._clear(self.parts(solution.game))
        with suppress(OSError):  # not there, or a solve still has it
            self.parts(solution.game).rmdir()
        return path

    def remove(self, game: BoardGame, *, distances: bool = True) -> None:
        """Remove what is stored of a game, finished or not, with distances or without.

        >>> from tempfile import TemporaryDirectory
        >>> from setrograde.solve.boards import solve_game
        >>> with TemporaryDirectory() as folder:
        ...     store = GameStore(folder)
        ...     store.remove(solve_game("nim", "3,4", store=store).game)
        ...     store.list()
        []
        """
        if distances:
            self.path(game).unlink(missing_ok=True)
            self._clear(self.parts(game))
        else:
            self._clear(self.grades(game))

    @staticmethod
    def _clear(folder: Path) -> None:
        for path in folder.glob("*.sets"):
            path.unlink()

    @contextmanager
    def working(self, game: BoardGame, *, distances: bool = True) -> Iterator[Path]:
        """The folder for the work on a game; raises `InUse` if another program solves it.

        Temporary files that a killed program has left there are removed.
        """
        folder = self.parts(game) if distances else self.grades(game)
        busy = (
            f"another program is solving {game.name} {game.size} in {str(folder)!r} (wait for it,"
            " or choose another data directory)"
        )
        is_new = not folder.exists()
        with locked_folder(folder, busy):
            for path in (
                *folder.glob(".*.sets.*"),
                *self.folder.glob(f".{self.path(game).name}.*"),
            ):
                path.unlink(missing_ok=True)
            yield folder
        if is_new or distances:
            with suppress(OSError):  # there is something in it
                folder.rmdir()

    def bytes(self, solution: GameSolution | GradedSolution) -> int:
        """The size on disk of a stored solution."""
        if isinstance(solution, GradedSolution):
            return _bytes(self.grades(solution.game))
        return _bytes(self.path(solution.game))

    def list(self) -> list[StoredGame]:
        """All solutions in the store, finished or not, by name."""
        kinds = {".sets": "distances", ".grades": "grades", ".parts": "parts"}
        found = []
        for path in sorted(self.folder.iterdir()) if self.folder.is_dir() else []:
            name, _, size = path.stem.rpartition("-")
            if name and path.suffix in kinds:
                size = size.replace("_", ",")
                found.append(StoredGame(name, size, kinds[path.suffix], _bytes(path), path))
        return found


def _bytes(path: Path) -> int:
    if path.is_dir():
        return sum(each.stat().st_size for each in path.glob("*.sets"))
    return path.stat().st_size


# --- one file ---


def save_solution(
    path: Path,
    solution: GameSolution,
    *,
    about: Mapping[str, Any] | None = None,
    stop: StopFlag | None = None,
) -> int:
    """Write a solution to a file; returns the number of bytes.

    `about` is added to what the file says about itself. `stop` ends the work with `Stopped`.

    >>> from tempfile import TemporaryDirectory
    >>> from setrograde.games import Nim
    >>> from setrograde.solve.boards import solve_game
    >>> with TemporaryDirectory() as folder:
    ...     size = save_solution(Path(folder, "nim.sets"), solve_game(Nim([3, 4, 5])))
    ...     load_solution(Path(folder, "nim.sets"), Nim([3, 4, 5])).winner
    0
    """
    game = solution.game
    sets = {f"legal.{player}": solution.legal[player] for player in (0, 1)}
    for kind, by_player in (("win", solution.wins), ("loss", solution.losses)):
        for player, plies in by_player.items():
            sets |= {f"{kind}.{player}.{ply}": boards for ply, boards in plies}
    told = {**origin_of(game), "players": sorted(solution.wins), **(about or {})}
    return save_sets(path, sets, about=told, stop=stop)


def load_solution(path: Path, game: BoardGame, *, stop: StopFlag | None = None) -> GameSolution:
    """Read a solution of `game` into its space.

    Raises `WrongSolution` if it is of another game or was made by other rules. A file of an earlier
    version, which does not say by which rules it was made, is read with a warning. `stop` ends the
    work with `Stopped`.
    """
    found = load_game_sets(path, game, stop=stop)
    with game.space.stopping(stop):
        check_origin(path, found.about, origin_of(game), is_finished=True)
    wins: dict[int, list[tuple[int, BoardSet]]] = {}
    losses: dict[int, list[tuple[int, BoardSet]]] = {}
    with suppress(KeyError, ValueError):
        legal = (found.sets.pop("legal.0"), found.sets.pop("legal.1"))
        for player in (0,) if found.about.get("players") == [0] and game.is_mirrored else (0, 1):
            wins[player], losses[1 - player] = [], []
        for name, boards in found.sets.items():
            kind, player_text, ply = name.split(".")
            plies = {"win": wins, "loss": losses}[kind][int(player_text)]
            plies.append((int(ply), boards))
        return GameSolution(game, legal, wins, losses)
    raise WrongSolution(f"{path} holds other sets than a solution: {', '.join(found.sets)[:80]}")
