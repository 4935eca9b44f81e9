"""The database of endings inside the search.

A solver that reaches an ending of the right size asks the database instead of searching on. Solvers
find and use installed databases (`setrograde db build`) by themselves.

>>> installed_endings("/no/such/place") is None
True
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from setrograde import _core
from setrograde.bridge import InvalidInput
from setrograde.common.stop import StopFlag
from setrograde.locations import data_directory, level_path

__all__ = ["EndingTable", "UnusableEndings", "ask_with_endings", "installed_endings"]

_MOST_TRICKS = 7

T = TypeVar("T")


class UnusableEndings(InvalidInput):
    """A file that is not a database of endings for the search, or is damaged.

    >>> EndingTable("/dev/null")
    Traceback (most recent call last):
    ...
    setrograde.solve.endings.UnusableEndings: /dev/null: not a file
    """


class EndingTable:
    """One level of endings, stored for the search. Opening it reads only the header.

    Any number of solvers, threads and processes may share it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        try:
            self._core = _core.ThresholdLevel(os.fspath(path))
        except _core.LevelFileError as error:
            raise UnusableEndings(str(error)) from None
        self.tricks = self._core.tricks
        self.nodes = self._core.nodes
        self.bytes = self._core.file_bytes

    @property
    def cards(self) -> int:
        """The number of cards of the endings it knows."""
        return 4 * self.tricks

    def check(self, *, stop: StopFlag | None = None) -> None:
        """Compare all checksums of the file; raise `UnusableEndings` if one is wrong.

        Raises `Stopped` once the flag `stop` is set.
        """
        try:
            self._core.check(stop)
        except _core.LevelFileError as error:
            raise UnusableEndings(str(error)) from None

    def __repr__(self) -> str:
        return f"EndingTable({os.fspath(self.path)!r})"


def installed_endings(directory: str | os.PathLike[str] | None = None) -> EndingTable | None:
    """The largest database installed for the search, or `None`.

    A database that cannot be used is passed over, with one warning.
    """
    return _installed(os.fspath(data_directory(directory)))


@lru_cache(maxsize=8)
def _installed(directory: str) -> EndingTable | None:
    for tricks in range(_MOST_TRICKS, 1, -1):
        path = level_path(tricks, directory, method="thresholds")
        if not path.exists():
            continue
        try:
            return EndingTable(path)
        except UnusableEndings as error:
            warnings.warn(f"{error}; solving without it", stacklevel=3)
    return None


def ask_with_endings(ask: Callable[[], T], drop: Callable[[], object], *, stacklevel: int = 1) -> T:
    """Ask something that may use a database of endings; if it is damaged, once more without it.

    `drop` leaves the database out. A warning says so, at the caller `stacklevel` calls above.

    >>> ask_with_endings(lambda: 7, lambda: None)
    7
    """
    try:
        return ask()
    except _core.LevelFileError as error:
        warnings.warn(f"{error}; solving without it", stacklevel=stacklevel + 1)
        drop()
        return ask()
