"""Finished plies of an unfinished solve, in numbered files of a folder."""

from __future__ import annotations

import re
import time
from pathlib import Path

from setrograde.games.board_game import BoardGame
from setrograde.sets import BoardSet, save_sets

from .origin import check_origin, digest_of, load_game_sets, origin_of

__all__ = ["FinishedPlies"]

_SAVE_EVERY_S = 20.0
_NAME = re.compile(r"part_([0-9]+)\.sets", re.ASCII)


class FinishedPlies:
    """The plies in a folder: those that an earlier solve left there, and those added by this one.

    Plies of other rules, or of a solve among other boards, are refused with `WrongSolution`.

    >>> from tempfile import TemporaryDirectory
    >>> from setrograde.games.nim import Nim
    >>> game = Nim([2, 2])
    >>> legal = game.legal(0), game.legal(1)
    >>> with TemporaryDirectory() as name:
    ...     plies = FinishedPlies(game, Path(name), legal)
    ...     plies.add(0, 1, {"win": game.space.of(["01"])})
    ...     plies.flush()
    ...     found = FinishedPlies(game, Path(name), legal).read(0)
    ...     {ply: list(kinds["win"]) for ply, kinds in found.items()}
    {1: ['01']}
    """

    def __init__(self, game: BoardGame, folder: Path, legal: tuple[BoardSet, BoardSet]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._about = {**origin_of(game), "legal": digest_of(legal)}
        self._fresh: dict[str, BoardSet] = {}
        self._saved_at = time.monotonic()
        self._known: dict[str, BoardSet] = {}
        self._next_file = 0
        for path in sorted(folder.glob("part_*.sets")):
            if not (number := _NAME.fullmatch(path.name)):
                continue
            found = load_game_sets(path, game)
            check_origin(path, found.about, self._about, is_finished=False)
            self._known |= found.sets
            self._next_file = int(number[1]) + 1

    def read(self, player: int) -> dict[int, dict[str, BoardSet]]:
        """The plies of a player's chain that were there at the start, by kind: `win`, `loss`."""
        found: dict[int, dict[str, BoardSet]] = {}
        for name, boards in self._known.items():
            if match := re.fullmatch(r"(win|loss)\.([01])\.([0-9]+)", name, re.ASCII):
                kind, owner, ply = match[1], int(match[2]), int(match[3])
                if owner == (player if kind == "win" else 1 - player):
                    found.setdefault(ply, {})[kind] = boards
        return found

    def add(self, player: int, ply: int, sets: dict[str, BoardSet]) -> None:
        """Take note of a finished ply of a player's wins and the other player's losses.

        Plies are written every 20 seconds.
        """
        for kind, boards in sets.items():
            self._fresh[f"{kind}.{player if kind == 'win' else 1 - player}.{ply}"] = boards
        if time.monotonic() - self._saved_at > _SAVE_EVERY_S:
            self.flush()

    def flush(self) -> None:
        """Write what is not written yet."""
        if self._fresh:
            path = self._folder / f"part_{self._next_file:05}.sets"
            save_sets(path, self._fresh, about=self._about, level=3)
            self._next_file += 1
        self._fresh = {}
        self._saved_at = time.monotonic()
