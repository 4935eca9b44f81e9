"""Building a level that is too large for one file: 24 cards.

The level is cut into shards of shapes, each a file with nodes of its own; a list of the shards is
written first (docs/formats/endings.md). Groups of neighbouring shards are built one after the
other: first what the group needs of the level below, then its shards. More groups need less memory
and more time, since neighbouring groups need much the same of the level below; the files have the
same bytes. Finished shards are kept: a build that was stopped loses at most the shards under way.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from setrograde import __version__, _core
from setrograde.common.memory import limit_bytes
from setrograde.common.stop import StopFlag, check_stop
from setrograde.common.threads import thread_count
from setrograde.db.endings.counting import count_states
from setrograde.errors import InvalidInput

from .diagram_build import (
    LEAST_LIMIT_MB,
    BuildProgress,
    DatabaseError,
    LevelBuild,
    Progress,
    working_folder,
)

__all__ = ["DEFAULT_GROUPS", "MAX_SHARDED_TRICKS", "ShardedReport", "build_sharded"]

MAX_SHARDED_TRICKS: int = _core.MAX_PLANNED_TRICKS
"""The most tricks of a level in shards: 24 cards, as many as the core plans builds for. What 28
would take: docs/explanation/toward_24_cards.md."""

DEFAULT_GROUPS = 16
"""The number of groups that a level is built in: at 24 cards 2 to 3 GB of memory, and less than
half the work for the level below that single shards would need."""

_SHARDS = 1024
"""The greatest number of shards of a level: half a minute of work each at 24 cards."""

_CREATOR = f"setrograde {__version__}"


@dataclass(frozen=True, slots=True)
class ShardedReport:
    """What the build of a level in shards made."""

    tricks: int
    """Cards in each hand."""
    shapes: int
    """Canonical shapes of the level."""
    shards: int
    """Shards of the level."""
    shards_built: int
    """Shards that are there now."""
    shards_found: int
    """Shards that an earlier run had left."""
    nodes: int
    """Nodes of the shards that are there."""
    bytes: int
    """Size of all files together."""
    seconds: float
    """Time by the clock, of this run alone."""
    cpu_seconds: float
    """Processor time of all threads."""

    @property
    def is_complete(self) -> bool:
        """True if no shard is missing."""
        return self.shards_built == self.shards

    def __str__(self) -> str:
        return (
            f"{4 * self.tricks} cards: {self.shards_built:,} of {self.shards:,} shards are there,"
            f" {self.nodes:,} nodes, {self.bytes:,} bytes; this run took {self.seconds:.1f} s"
        )


def build_sharded(
    tricks: int,
    path: str | os.PathLike[str],
    *,
    shards: int = _SHARDS,
    groups: int = DEFAULT_GROUPS,
    most_groups: int | None = None,
    threads: int | None = None,
    limit_mb: int = 8192,
    progress: Progress | None = None,
    stop: StopFlag | None = None,
) -> ShardedReport:
    """Build all endings with `tricks` cards in each hand in shards; `path` is the list of them.

    The shards are built in `groups`, one group after the other. With `most_groups` this run builds
    at most that number of groups and leaves the rest for the next run. A build that needs more than
    `limit_mb` of memory ends with a `DatabaseError`. Once `stop` is set, it raises `Stopped`, and
    the same call goes on from there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = build_sharded(2, Path(folder) / "two.diagrams", shards=5, groups=2)
    >>> report.shapes, report.shards, report.is_complete
    (2054, 5, True)
    """
    if not 2 <= tricks <= MAX_SHARDED_TRICKS:
        raise InvalidInput(
            f"not a number of tricks for shards: {tricks} (expected 2 to {MAX_SHARDED_TRICKS})"
        )
    for what, number in (("shards", shards), ("groups", groups)):
        if number < 1:
            raise InvalidInput(f"not a number of {what}: {number} (expected 1 or more)")
    limit_bytes(limit_mb, least=LEAST_LIMIT_MB)
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    started, cpu_started = time.monotonic(), time.process_time()
    plan = _core.BuildPlan(tricks, shards, stop)
    with working_folder(target, plan) as folder, _errors_named():
        build = _ShardedBuild(plan, target, folder, thread_count(threads), limit_mb, stop)
        build.run(min(groups, plan.shards(tricks)), most_groups, progress)
        level = _core.ShardedLevel(os.fspath(target))
        there = [level.shard(n) for n in range(level.shards) if level.is_built(n)]
        if len(there) == level.shards:
            shutil.rmtree(folder, ignore_errors=True)  # while nobody else may use it
    return ShardedReport(
        tricks=tricks,
        shapes=level.shapes,
        shards=level.shards,
        shards_built=len(there),
        shards_found=build.found,
        nodes=sum(shard.nodes for shard in there),
        bytes=level.file_bytes + sum(shard.file_bytes for shard in there),
        seconds=time.monotonic() - started,
        cpu_seconds=time.process_time() - cpu_started,
    )


@contextmanager
def _errors_named() -> Iterator[None]:
    try:
        yield
    except _core.LevelFileError as error:
        raise DatabaseError(str(error)) from None


class _ShardedBuild:
    """One run of the build."""

    def __init__(
        self,
        plan: _core.BuildPlan,
        target: Path,
        folder: Path,
        threads: int,
        limit_mb: int,
        stop: StopFlag | None,
    ) -> None:
        self.found = 0
        self._stop = stop
        self._plan = plan
        self._tricks = plan.tricks
        self._target = target
        self._folder = folder
        self._threads = threads
        self._limit_mb = limit_mb
        self._index = _core.ShapeIndex(plan.tricks)
        self._write_list()
        self._found = _core.ShardedLevel(os.fspath(target))  # what was there before
        self._level = _core.ShardedLevel(os.fspath(target))

    def _write_list(self) -> None:
        """Write the list of shards; if another list is there, remove it and its shards."""
        fresh = self._folder / "list"
        states = count_states(self._tricks).total
        _core.write_shard_list(self._plan, os.fspath(fresh), _CREATOR, states)
        shards = Path(_core.shard_path(os.fspath(self._target), 0)).parent
        if not self._target.exists() or self._target.read_bytes() != fresh.read_bytes():
            shutil.rmtree(shards, ignore_errors=True)
        shards.mkdir(exist_ok=True)
        os.replace(fresh, self._target)

    def run(self, groups: int, most_groups: int | None, progress: Progress | None) -> None:
        count = self._plan.shards(self._tricks)
        weights = []
        for number in range(count):
            check_stop(self._stop)
            weights.append(self._plan.weight(self._tricks, number))
        whole, nodes = sum(weights), 0
        lowest: _core.OrderedLevel | None = None
        for group in range(groups):
            check_stop(self._stop)
            first, end = group * count // groups, (group + 1) * count // groups
            good = [self._is_good(number) for number in range(first, end)]
            self.found += sum(good)
            if not all(good):
                if most_groups is not None and most_groups < 1:
                    continue
                most_groups = None if most_groups is None else most_groups - 1
                lowest = lowest or self._lowest()
                self._build_group(lowest, first, end, good)
            for number in range(first, end):
                nodes += self._level.shard(number).nodes
            if progress is not None:
                progress(BuildProgress(self._tricks, sum(weights[:end]) / whole, nodes))

    def _is_good(self, number: int) -> bool:
        if not self._found.is_built(number):
            return False
        try:
            self._found.shard(number).check(self._stop)
        except _core.LevelFileError:
            return False
        return True

    def _lowest(self) -> _core.OrderedLevel:
        """Build the whole level two tricks below."""
        tricks = self._tricks - 2
        if not tricks:
            return _core.OrderedLevel(0)
        build = self._level_build(self._plan)
        return self._kept(f"{tricks}.ordered", lambda: build.ordered(tricks))

    def _level_build(self, plan: _core.BuildPlan, name: str = "") -> LevelBuild:
        return LevelBuild(
            plan, self._folder, self._threads, self._limit_mb, None, name=name, stop=self._stop
        )

    def _kept(self, name: str, make: Callable[[], _core.OrderedLevel]) -> _core.OrderedLevel:
        """Map a level that an earlier run has left, or make it, write it and map it."""
        path = os.fspath(self._folder / name)
        try:
            return _core.map_ordered(path, self._stop)
        except _core.LevelFileError:
            pass  # not there, or damaged
        _core.write_ordered(make(), path, _CREATOR, self._stop)
        return _core.map_ordered(path, self._stop)

    def _build_group(
        self, lowest: _core.OrderedLevel, first: int, end: int, good: list[bool]
    ) -> None:
        """Build what is missing of some neighbouring shards."""
        part = self._plan.part(first, end, self._stop)
        name = f"{first:04}-{end:04}-"  # other groups need other parts
        build = self._level_build(part, name)
        tricks = self._tricks - 1
        below = self._kept(
            f"{name}{tricks}.ordered", lambda: build.ordered(tricks, (tricks - 1, lowest))
        )
        missing = [number for number, is_good in enumerate(good) if not is_good]
        build.build_each(below, missing, lambda shard, n: self._write(shard, part, n, first + n))
        for done in self._folder.glob(f"{name}*"):
            done.unlink()

    def _write(self, shard: _core.Shard, part: _core.BuildPlan, number: int, whole: int) -> None:
        path = _core.shard_path(os.fspath(self._target), whole)
        _core.write_shard(shard, part, number, self._index, path, _CREATOR, self._stop)
