"""The database of endings inside the search.

A solver that reaches an ending of the right size asks the database instead of searching on. Solvers
find and use installed databases (`setrograde db build`) by themselves. The first search that gains
by it installs the endings with 12 cards, which takes about 0.3 s and 0.7 MB, unless the environment
has `SETROGRADE_NO_BUILD=1`.

>>> installed_endings("/no/such/place") is None
True
"""

from __future__ import annotations

import os
import tempfile
import threading
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from setrograde import __version__, _core
from setrograde.bridge import InvalidInput
from setrograde.common.files import remove_left_over
from setrograde.common.stop import StopFlag, check_stop
from setrograde.locations import data_directory, level_path, may_build

__all__ = [
    "LEAST_GAINING_TRICKS",
    "EndingTable",
    "UnusableEndings",
    "ask_with_endings",
    "endings_for",
    "installed_endings",
]

LEAST_GAINING_TRICKS = 9
"""Positions with fewer tricks left are solved so fast that no database is installed for them."""

_MOST_TRICKS = 7

_BUILT_TRICKS = 3
_BUILT_STATES = 33_719_616
"""The endings that the first search installs: 12 cards, and how many canonical endings that is."""

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

    def check_size(self) -> None:
        """Raise `UnusableEndings` if the file was shortened after it was opened.

        A mapped file must not be shortened in place: to read what was cut off ends the program. To
        replace it by another file, as a build does, is safe.
        """
        try:
            self._core.check_size()
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
        try:
            if _is_there(path):
                return EndingTable(path)
        except OSError as error:
            # Nothing else in the directory can be read either.
            warnings.warn(f"{path}: {error.strerror}; solving without endings", stacklevel=3)
            return None
        except UnusableEndings as error:
            warnings.warn(f"{error}; solving without it", stacklevel=3)
    return None


def _is_there(path: Path) -> bool:
    """True if there is anything with this name; raises `OSError` where one may not look."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def endings_for(tricks: int, *, stop: StopFlag | None = None) -> EndingTable | None:
    """The database for a search in positions with this number of tricks left, or `None`.

    This is the largest one installed. If there is none, a search that gains by it
    (`LEAST_GAINING_TRICKS`) installs the endings with 12 cards in the data directory, once and
    without a word. Where that is not possible, or the environment has `SETROGRADE_NO_BUILD=1`, the
    search does without. Raises `Stopped` once the flag `stop` is set.
    """
    found = installed_endings()
    if found is not None or tricks < LEAST_GAINING_TRICKS or not may_build():
        return found
    directory = os.fspath(data_directory())
    while not _building.acquire(timeout=0.05):  # another thread builds, for a flag of its own
        check_stop(stop)
    try:
        if directory not in _tried:
            if _install(level_path(_BUILT_TRICKS, directory, method="thresholds"), stop):
                _installed.cache_clear()
            _tried.add(directory)  # not if the build was stopped
    finally:
        _building.release()
    return _installed(directory)


_building = threading.Lock()
_tried: set[str] = set()
"""Data directories in which endings were built, or could not be; each is tried once."""


def _install(path: Path, stop: StopFlag | None) -> bool:
    """Build the first endings; false if they are there or cannot be written.

    Two processes may do this at once: each writes in a folder of its own and renames the whole
    file, which has the same bytes.
    """
    try:
        if _is_there(path):  # damaged, or another process was faster
            return True
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_left_over(path.parent, f".{path.name}.*")
        with tempfile.TemporaryDirectory(
            prefix=f".{path.name}.", dir=path.parent, ignore_cleanup_errors=True
        ) as folder:
            fresh = Path(folder, path.name)
            _build(fresh, stop)
            os.replace(fresh, path)
    except (OSError, _core.LevelFileError):
        return False
    return True


def _build(path: Path, stop: StopFlag | None) -> None:
    """Write the first endings to a file, as `setrograde.db.build_database` does."""
    plan = _core.BuildPlan(_BUILT_TRICKS, stop=stop)
    below = _core.OrderedLevel(0)
    for tricks in range(1, _BUILT_TRICKS):
        level = _core.OrderedLevel(tricks)
        _merge_shards(level, below, plan, tricks, stop)
        below = level
    stored = _core.StoredLevel(_BUILT_TRICKS)
    _merge_shards(stored, below, plan, _BUILT_TRICKS, stop)
    diagrams = os.fspath(path.with_suffix(".diagrams"))
    stored.write(diagrams, f"setrograde {__version__}", _BUILT_STATES, stop)
    _core.write_thresholds(_core.DiagramLevel(diagrams), os.fspath(path), stop)


def _merge_shards(
    into: _core.OrderedLevel | _core.StoredLevel,
    below: _core.OrderedLevel,
    plan: _core.BuildPlan,
    tricks: int,
    stop: StopFlag | None,
) -> None:
    for number in range(plan.shards(tricks)):
        into.merge(plan, _core.build_shard(below, plan, tricks, number, stop), number)


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
