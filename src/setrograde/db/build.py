"""Building a whole database: every level up to a number of cards, and what the search needs.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     first = build_database(8, folder)
...     again = build_database(8, folder)
>>> [level.is_built for level in first.levels], [level.is_built for level in again.levels]
([True, True], [False, False])
>>> print(again)
cards  method    shapes  states  nodes  sets   bytes  states/byte  seconds
    4  diagrams      52     209      1     -  69,664          0.0  was there
    8  diagrams   2,054  87,162    308     -  74,576          1.2  was there
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from setrograde.common.files import atomic_write, remove_left_over
from setrograde.common.progress import ShareProgress
from setrograde.common.stop import StopFlag, check_stop
from setrograde.errors import InvalidInput
from setrograde.locations import data_directory, level_path

from .database import DiagramLevel, ShardedLevel, build_command, open_level
from .display import html_text
from .endings.counting import count_shapes, count_states
from .levels import METHODS, AnyLevel, LevelFile, format_levels
from .methods.diagram_build import MAX_FILE_TRICKS, DatabaseError, build_diagrams
from .methods.set_levels import SetLevel
from .methods.sharded_build import DEFAULT_GROUPS, build_sharded
from .methods.state_tables import StateLevel
from .methods.thresholds import build_thresholds

__all__ = ["LEAST_SEARCH_TRICKS", "BuiltLevel", "DatabaseReport", "build_database"]

LEAST_SEARCH_TRICKS = 3
"""The smallest level that the search gets a file of: smaller endings are searched as fast."""

DEFAULT_LIMIT_MB = 2048
DEFAULT_SHARDED_LIMIT_MB = 8192
"""Memory limits of a build: of levels in one file, and of a level in shards."""

_GROWTH = {"diagrams": 30.0, "sets": 60.0, "states": 400.0}
"""How many times longer a level takes than the one below; for progress."""


@dataclass(frozen=True, slots=True)
class BuiltLevel:
    """One level of a database after a build."""

    file: LevelFile
    """Its file."""

    seconds: float | None
    """Time by the clock that this run took for it; `None` if it was there before."""

    facts: dict[str, Any] = field(repr=False)
    """Its sizes, as `LevelFile.facts` has them."""

    @property
    def is_built(self) -> bool:
        """True if this run built the level, or went on with it."""
        return self.seconds is not None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        seconds = None if self.seconds is None else round(self.seconds, 3)
        return self.facts | {"seconds": seconds, "built": self.is_built}


@dataclass(frozen=True, slots=True)
class DatabaseReport:
    """The levels that are there after a build, the smallest first."""

    directory: Path
    """The data directory."""

    levels: tuple[BuiltLevel, ...]
    """All levels up to the number of cards asked for."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        levels = [level.to_dict() for level in self.levels]
        return {"directory": os.fspath(self.directory), "levels": levels}

    def __str__(self) -> str:
        """A row for each level."""
        rows = [
            level.facts
            | {"seconds": "was there" if level.seconds is None else f"{level.seconds:.1f}"}
            for level in self.levels
        ]
        return format_levels(rows, "seconds")

    def _repr_html_(self) -> str:
        return html_text(str(self))


def build_database(
    cards: int = 16,
    directory: str | os.PathLike[str] | None = None,
    *,
    method: str = "diagrams",
    threads: int | None = None,
    limit_mb: int | None = None,
    groups: int = DEFAULT_GROUPS,
    most_groups: int | None = None,
    force: bool = False,
    progress: ShareProgress | None = None,
    stop: StopFlag | None = None,
) -> DatabaseReport:
    """Build all endings with 4, 8, 12 ... cards, up to `cards`, that are not there yet.

    The method `"diagrams"` makes what `EndingDatabase` reads, up to 24 cards; from 12 cards on it
    also makes the files that solvers find and use by themselves. The methods `"sets"` and
    `"states"` are for comparison, up to 12 cards.

    Levels that are there are checked and kept; with `force` they are built again. The build uses
    all cores unless `threads` is given, and at most `limit_mb` of memory (default 2048; 8192 for 24
    cards). 24 cards are built in `groups` of shards, in this run at most `most_groups` of them.
    `progress` hears the share of the work that is done, 0 to 1. Once `stop` is set, the build
    raises `Stopped`; the same call goes on from there, and so it does after any other interruption.
    Temporary files that a killed build left an hour ago or earlier are removed.
    """
    _check(cards, method)
    build = _Build(
        cards=cards,
        directory=directory,
        method=method,
        threads=threads,
        limit_mb=limit_mb,
        groups=groups,
        most_groups=most_groups,
        force=force,
        stop=stop,
    )
    files = [build.file(tricks) for tricks in range(1, cards // 4 + 1)]
    remove_left_over(files[0].path.parent, ".[0-9][0-9]-cards.*", "[0-9][0-9]-cards.*.part")
    missing = [file for file in files if force or not build.is_there(file)]
    levels = {file.tricks: build.kept(file) for file in files if file not in missing}
    levels |= build.make_all(missing, progress or (lambda share: None))
    return DatabaseReport(data_directory(directory), tuple(levels[file.tricks] for file in files))


def _check(cards: int, method: str) -> None:
    if method not in METHODS:
        raise InvalidInput(f"not a method: {method!r} (expected {', '.join(METHODS)})")
    most = 4 * METHODS[method]
    if cards > most and method != "diagrams":
        raise InvalidInput(
            f"too many cards for the method {method}: {cards} (expected {most} at most,"
            " or the method diagrams)"
        )
    if cards not in range(4, most + 1, 4):
        raise InvalidInput(
            f"not a number of cards: {cards} (expected a multiple of 4, from 4 to {most})"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Build:
    """The options of one build."""

    cards: int
    directory: str | os.PathLike[str] | None
    method: str
    threads: int | None
    limit_mb: int | None
    groups: int
    most_groups: int | None
    force: bool
    stop: StopFlag | None

    def file(self, tricks: int) -> LevelFile:
        path = level_path(tricks, self.directory, method=self.method)
        return LevelFile(tricks, self.method, path)

    def is_there(self, file: LevelFile) -> bool:
        """True if the level is there, with all its shards."""
        if not file.path.exists() or file.tricks <= MAX_FILE_TRICKS:
            return file.path.exists()
        with self._errors_with_a_way_out(file):
            level = open_level(file.path)
        return not isinstance(level, ShardedLevel) or level.is_complete

    def kept(self, file: LevelFile) -> BuiltLevel:
        """Check a level that is there, and make the file of the search if that is missing."""
        with self._errors_with_a_way_out(file):
            level = file.open()
            if isinstance(level, DiagramLevel):
                level.check(stop=self.stop)
        if not self._search_path(file).exists():
            self._prepare_search(file, level)
        return BuiltLevel(file, None, file.facts(level))

    def make_all(self, missing: list[LevelFile], progress: ShareProgress) -> dict[int, BuiltLevel]:
        """Build level by level; what was built, by tricks."""
        growth = _GROWTH[self.method]
        whole = sum(growth**file.tricks for file in missing)
        levels, done = {}, 0.0
        for file in missing:
            check_stop(self.stop)
            weight = growth**file.tricks / whole
            start = time.monotonic()
            self._make(file, _part(progress, done, weight))
            seconds = time.monotonic() - start
            level = file.open()
            self._prepare_search(file, level)
            levels[file.tricks] = BuiltLevel(file, seconds, file.facts(level))
            done += weight
            progress(done)
        return levels

    def _make(self, file: LevelFile, progress: ShareProgress) -> None:
        if self.method != "diagrams":
            self._make_for_comparison(file, progress)
        elif file.tricks <= MAX_FILE_TRICKS:
            build_diagrams(
                file.tricks,
                file.path,
                threads=self.threads,
                limit_mb=self.limit_mb or DEFAULT_LIMIT_MB,
                progress=lambda now: progress(now.fraction),
                stop=self.stop,
            )
        else:
            if self.force:
                file.path.unlink(missing_ok=True)
            build_sharded(
                file.tricks,
                file.path,
                groups=self.groups,
                most_groups=self.most_groups,
                threads=self.threads,
                limit_mb=self.limit_mb or DEFAULT_SHARDED_LIMIT_MB,
                progress=lambda now: progress(now.fraction),
                stop=self.stop,
            )

    def _make_for_comparison(self, file: LevelFile, progress: ShareProgress) -> None:
        """Build a level of sets or states and write it."""
        tricks = file.tricks
        level: SetLevel | StateLevel
        if self.method == "sets":
            tell = _share(progress, count_shapes(tricks).total)
            level = SetLevel(tricks, progress=tell, stop=self.stop)
        else:
            tell = _share(progress, count_states(tricks).total)  # nearly as many as layouts
            level = StateLevel(tricks, threads=self.threads, progress=tell, stop=self.stop)
        file.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            atomic_write(file.path, level.to_bytes())
        except OSError as error:
            raise DatabaseError(f"{file.path}: cannot write: {error.strerror}") from None

    @contextmanager
    def _errors_with_a_way_out(self, file: LevelFile) -> Iterator[None]:
        """Add to errors about files in the way how to build them again."""
        try:
            yield
        except DatabaseError as error:
            command = build_command(self.cards, self.directory, method=self.method)
            is_list = str(error).startswith(f"{file.path}:")
            if file.tricks > MAX_FILE_TRICKS and not is_list:  # one of many shards: keep the others
                raise DatabaseError(f"{error} (remove this file, then: {command})") from None
            raise DatabaseError(
                f"{error} (expected a good file, as from: {command} --force)"
            ) from None

    def _search_path(self, file: LevelFile) -> Path:
        return level_path(file.tricks, self.directory, method="thresholds")

    def _prepare_search(self, file: LevelFile, level: AnyLevel) -> None:
        """Make the file that solvers use, where they use one."""
        if not isinstance(level, DiagramLevel) or isinstance(level, ShardedLevel):
            return
        if level.tricks >= LEAST_SEARCH_TRICKS:
            build_thresholds(level, self._search_path(file), stop=self.stop)


def _part(progress: ShareProgress, start: float, width: float) -> ShareProgress:
    return lambda share: progress(start + width * min(share, 1.0))


def _share(progress: ShareProgress, whole: int) -> Callable[[int], None]:
    return lambda done: progress(done / whole)
