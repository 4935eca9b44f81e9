"""Building a level of endings as diagrams: the default method.

The value of all endings of a shape is one decision diagram, made from the diagrams of the level
below without looking at a single ending (docs/explanation/diagrams.md). Work is cut into shards.
Threads build shards, one thread merges them in order, and every finished shard of a long build is
kept beside the file until the end: a build that was stopped, by whatever, goes on where it was. The
file is the same byte for byte, however many threads there were and however often it was stopped.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from setrograde import __version__, _core
from setrograde.bridge import InvalidInput
from setrograde.common.threads import thread_count
from setrograde.db.endings.counting import count_states

__all__ = [
    "MAX_DIAGRAM_TRICKS",
    "BuildProgress",
    "BuildReport",
    "DatabaseError",
    "LevelBuild",
    "build_diagrams",
    "working_folder",
]

MAX_DIAGRAM_TRICKS = 5
"""20 cards. Six tricks have more nodes than one file can number, see `sharded_build`."""

_KEPT_FROM = 4
"""Shards of this level and of those above are kept on disk; the rest is quickly done again."""

_LEVEL_FACTOR = 1.7
"""A unit of work takes that much longer a level higher."""


class DatabaseError(InvalidInput):
    """A database that cannot be built, read or trusted; the message says which file and why."""


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How far a build has come."""

    level: int
    """Tricks of the level being built; the levels below the one asked for come first."""

    fraction: float
    """Share of all work that is done, as far as can be told beforehand."""

    nodes: int
    """Nodes of this level so far."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build made."""

    tricks: int
    shapes: int
    states: int
    """Canonical endings."""
    nodes: int
    bytes: int
    """Size of the file."""
    seconds: float
    """By the clock, for this run alone."""
    cpu_seconds: float
    """Of all threads."""
    shards: int
    """Shards of the level."""
    shards_found: int
    """Shards, of all levels, that an earlier run had left."""


Progress = Callable[[BuildProgress], None]


def build_diagrams(
    tricks: int,
    path: str | os.PathLike[str],
    *,
    threads: int | None = None,
    limit_mb: int = 2048,
    progress: Progress | None = None,
) -> BuildReport:
    """Build all endings with `tricks` cards in each hand and write them to a file.

    `threads` is the number of processors if not given. A build that needs more than `limit_mb` of
    memory stops with an error; what it has built stays for the next try.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = build_diagrams(2, Path(folder) / "two.diagrams")
    >>> report.shapes, report.states
    (2054, 87162)
    """
    if not 1 <= tricks <= MAX_DIAGRAM_TRICKS:
        raise InvalidInput(
            f"not a number of tricks for diagrams: {tricks} (expected 1 to {MAX_DIAGRAM_TRICKS})"
        )
    if limit_mb < 64:
        raise InvalidInput(f"not enough memory: {limit_mb} MB (expected 64 or more)")
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    started, cpu_started = time.monotonic(), time.process_time()
    plan = _core.BuildPlan(tricks)
    with working_folder(target, plan) as folder:
        build = LevelBuild(plan, folder, thread_count(threads), limit_mb, progress)
        stored = build.run()
        states = count_states(tricks).total
        _write(stored, target, states)
        nodes = stored.nodes
        shutil.rmtree(folder, ignore_errors=True)  # while nobody else may use it
    return BuildReport(
        tricks=tricks,
        shapes=build.plan.shapes(tricks),
        states=states,
        nodes=nodes,
        bytes=target.stat().st_size,
        seconds=time.monotonic() - started,
        cpu_seconds=time.process_time() - cpu_started,
        shards=build.plan.shards(tricks),
        shards_found=build.found,
    )


def _write(stored: _core.StoredLevel, target: Path, states: int) -> None:
    try:
        stored.write(os.fspath(target), f"setrograde {__version__}", states)
    except _core.LevelFileError as error:
        raise DatabaseError(str(error)) from None


@contextmanager
def working_folder(target: Path, plan: _core.BuildPlan) -> Iterator[Path]:
    """The folder for shards, locked against a second build; shards of another plan go.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with working_folder(Path(home) / "two", _core.BuildPlan(2)) as folder:
    ...         print(folder.name)
    two.work
    """
    folder = target.with_name(target.name + ".work")
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DatabaseError(f"{target}: another program is building it") from None
        about = folder / "about"
        counts = [f"{plan.shapes(k)}/{plan.shards(k)}" for k in range(1, plan.tricks + 1)]
        ours = f"setrograde {__version__}, shapes/shards by tricks: {' '.join(counts)}\n"
        if not about.exists() or about.read_text(encoding="utf-8") != ours:
            for old in [*folder.glob("*.shard*"), *folder.glob("*.ordered*")]:
                old.unlink()
            about.write_text(ours, encoding="utf-8")
        yield folder


class LevelBuild:
    """One run of the build of one plan.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     LevelBuild(_core.BuildPlan(2), Path(folder), 1, 64, None).run().nodes
    308
    """

    def __init__(
        self,
        plan: _core.BuildPlan,
        folder: Path,
        threads: int,
        limit_mb: int,
        progress: Progress | None,
        *,
        name: str = "",
    ) -> None:
        """Shards are kept in `folder`, under names that begin with `name`."""
        self.plan = plan
        self.found = 0
        self._name = name
        self._tricks = plan.tricks
        self._folder = folder
        self._threads = threads
        self._limit = limit_mb * 1_000_000
        self._progress = progress
        self._stop = _core.StopFlag()
        self._weights = {
            level: [
                self.plan.weight(level, shard) * _LEVEL_FACTOR**level
                for shard in range(self.plan.shards(level))
            ]
            for level in range(1, plan.tricks + 1)
        }
        self._whole = sum(map(sum, self._weights.values()))
        self._done = 0.0

    def run(self) -> _core.StoredLevel:
        """Build all levels of the plan."""
        with self._pool() as pool:
            below = self._ordered(pool, self._tricks - 1)
            stored = _core.StoredLevel(self._tricks)
            self._merge_all(pool, below, self._tricks, stored)
            return stored

    def ordered(
        self, tricks: int, below: tuple[int, _core.OrderedLevel] | None = None
    ) -> _core.OrderedLevel:
        """A level that others are built on; `below` is one to begin with, and its tricks."""
        with self._pool() as pool:
            return self._ordered(pool, tricks, *(below or ()))

    def build_each(
        self,
        below: _core.OrderedLevel,
        numbers: Iterable[int],
        use: Callable[[_core.Shard, int], None],
    ) -> None:
        """Build some shards of the last level, each for itself, in any order.

        `use` is called in the thread that has built the shard.
        """

        def work(number: int) -> None:
            use(_core.build_shard(below, self.plan, self._tricks, number, self._stop), number)

        with self._pool() as pool:
            for done in [pool.submit(work, number) for number in numbers]:
                done.result()

    @contextmanager
    def _pool(self) -> Iterator[ThreadPoolExecutor]:
        with ThreadPoolExecutor(self._threads, thread_name_prefix="build") as pool:
            try:
                yield pool
            except BaseException:
                self._stop.set()
                pool.shutdown(cancel_futures=True)
                raise

    def _ordered(
        self,
        pool: ThreadPoolExecutor,
        tricks: int,
        start: int = 0,
        below: _core.OrderedLevel | None = None,
    ) -> _core.OrderedLevel:
        below = below or _core.OrderedLevel(0)
        for level in range(start + 1, tricks + 1):
            ordered = _core.OrderedLevel(level)
            self._merge_all(pool, below, level, ordered)
            below = ordered
        return below

    def _merge_all(
        self,
        pool: ThreadPoolExecutor,
        below: _core.OrderedLevel,
        level: int,
        into: _core.OrderedLevel | _core.StoredLevel,
    ) -> None:
        """Build the shards of a level, some ahead, and merge them in order."""
        count = self.plan.shards(level)
        waiting: list[Future[_core.Shard]] = []
        for number in range(count + 2 * self._threads):
            if number < count:
                waiting.append(pool.submit(self._shard, below, level, number))
            merged = number - 2 * self._threads
            if merged < 0 or merged >= count:
                continue
            into.merge(self.plan, waiting.pop(0).result(), merged)
            self._done += self._weights[level][merged]
            self._check_memory(below.bytes + into.bytes, level)
            if self._progress is not None:
                self._progress(BuildProgress(level, self._done / self._whole, into.nodes))

    def _check_memory(self, used: int, level: int) -> None:
        # Shards on their way are small beside the levels.
        if used > self._limit:
            raise DatabaseError(
                f"{level} tricks need more memory than {self._limit // 1_000_000} MB"
                " (expected a higher limit)"
            )

    def _shard(self, below: _core.OrderedLevel, level: int, number: int) -> _core.Shard:
        """A shard that an earlier run has left, or a new one."""
        if level < _KEPT_FROM:
            return _core.build_shard(below, self.plan, level, number, self._stop)
        path = self._folder / f"{self._name}{level}-{number:04}.shard"
        try:
            shard = _core.Shard.from_bytes(path.read_bytes())
            self.found += 1
            return shard
        except (FileNotFoundError, _core.ShardError):
            pass  # not built, or not to its end
        shard = _core.build_shard(below, self.plan, level, number, self._stop)
        part = path.with_suffix(".shard.part")
        try:
            part.write_bytes(shard.to_bytes())
            os.replace(part, path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise DatabaseError(f"{part}: cannot write: {error.strerror}") from None
        return shard
