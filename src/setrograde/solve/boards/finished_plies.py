"""Finished plies of an unfinished solve, in numbered files of a folder."""

from __future__ import annotations

import re
import time
from pathlib import Path

from setrograde.common.stop import StopFlag
from setrograde.games.board_game import BoardGame
from setrograde.sets import BoardSet, DamagedFile, InvalidSet, SetFile, load_sets, save_sets

from .values import WrongSolution

__all__ = ["FinishedPlies", "load_game_sets"]

_SAVE_EVERY_S = 20.0


class FinishedPlies:
    """The plies in a folder: those that an earlier solve left there, and those added by this one.

    >>> from tempfile import TemporaryDirectory
    >>> from setrograde.games.nim import Nim
    >>> game = Nim([2, 2])
    >>> with TemporaryDirectory() as name:
    ...     plies = FinishedPlies(game, Path(name))
    ...     plies.add(0, 1, game.space.of(["01"]))
    ...     plies.flush()
    ...     {ply: list(boards) for ply, boards in FinishedPlies(game, Path(name)).read(0).items()}
    {1: ['01']}
    """

    def __init__(self, game: BoardGame, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._about = {"game": game.name, "size": game.size}
        self._fresh: dict[str, BoardSet] = {}
        self._saved_at = time.monotonic()
        self._known: dict[str, BoardSet] = {}
        self._files = 0
        for path in sorted(folder.glob("part_*.sets")):
            found = load_game_sets(path, game)
            if found.about != self._about:
                raise WrongSolution(
                    f"{path} belongs to {found.about} (expected {self._about}; remove it to begin"
                    " again)"
                )
            self._known |= found.sets
            self._files += 1

    def read(self, player: int) -> dict[int, BoardSet]:
        """The plies of a player's chain that were there at the start."""
        names = [re.fullmatch(rf"{player}\.([0-9]+)", name, re.ASCII) for name in self._known]
        return {int(name[1]): self._known[name[0]] for name in names if name}

    def add(self, player: int, ply: int, boards: BoardSet) -> None:
        """Take note of a finished ply; they are written every 20 seconds."""
        self._fresh[f"{player}.{ply}"] = boards
        if time.monotonic() - self._saved_at > _SAVE_EVERY_S:
            self.flush()

    def flush(self) -> None:
        """Write what is not written yet."""
        if self._fresh:
            path = self._folder / f"part_{self._files:05}.sets"
            save_sets(path, self._fresh, about=self._about, level=3)
            self._files += 1
        self._fresh = {}
        self._saved_at = time.monotonic()


def load_game_sets(path: Path, game: BoardGame, *, stop: StopFlag | None = None) -> SetFile:
    """Read a file of sets into the space of a game; raises `WrongSolution` if they do not fit."""
    try:
        return load_sets(path, space=game.space, stop=stop)
    except DamagedFile:
        raise
    except InvalidSet as error:
        raise WrongSolution(f"{path}: {error}") from None
