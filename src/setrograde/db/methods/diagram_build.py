"""Building a level of endings as diagrams: the default method.

The values of all endings of a shape form one decision diagram. It is made from the diagrams of the
level below, without looking at a single ending (docs/explanation/diagrams.md). The work is cut into
shards: threads build shards, and one thread merges them in order. Every finished shard of a long
build is kept beside the file until the end, so a build that was stopped for any reason goes on
where it was. The file has the same bytes whatever the number of threads and of interruptions.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from setrograde import __version__, _core
from setrograde.common.files import is_regular
from setrograde.common.memory import limit_bytes
from setrograde.common.stop import StopFlag, check_stop
from setrograde.common.threads import thread_count
from setrograde.db.endings.counting import count_states
from setrograde.errors import InvalidInput

__all__ = [
    "MAX_FILE_TRICKS",
    "BuildProgress",
    "BuildReport",
    "DatabaseError",
    "LevelBuild",
    "build_diagrams",
    "working_folder",
]

MAX_FILE_TRICKS = 5
"""The most tricks of a level in one file: 20 cards. Six tricks have more nodes than the edges of
one file can number, so they are stored in shards (`sharded_build.MAX_SHARDED_TRICKS`)."""

LEAST_LIMIT_MB = 64
"""The smallest memory limit of a build."""

_KEPT_FROM = 4
"""Shards of this level and of those above are kept on disk; the levels below take seconds."""

_LEVEL_FACTOR = 1.7
"""How many times longer a unit of work takes one level higher; for the progress bar."""

_POLL_S = 0.02
"""How often a waiting build looks whether it is to stop."""

Result = TypeVar("Result")


class DatabaseError(InvalidInput):
    """A database that cannot be built, read or trusted; the message says which file and why."""


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How much of a build is done."""

    level: int
    """Tricks of the level under way; the levels below the one asked for come first."""

    fraction: float
    """Estimated share of the whole work that is done, 0 to 1."""

    nodes: int
    """Nodes of this level so far."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What the build of one level made.

    >>> print(BuildReport(tricks=2, shapes=2054, states=87162, nodes=308, bytes=17000, seconds=0.06,
    ...                   cpu_seconds=0.1, shards=1, shards_found=0))
    8 cards: 87,162 endings in 308 nodes, 17,000 bytes, built in 0.1 s
    """

    tricks: int
    """Cards in each hand."""
    shapes: int
    """Canonical shapes of the level."""
    states: int
    """Canonical endings of the level."""
    nodes: int
    """Nodes of all its diagrams."""
    bytes: int
    """Size of the file."""
    seconds: float
    """Time by the clock, of this run alone."""
    cpu_seconds: float
    """Processor time of all threads."""
    shards: int
    """Shards that the level was built in."""
    shards_found: int
    """Shards of all levels that an earlier run had left."""

    def __str__(self) -> str:
        return (
            f"{4 * self.tricks} cards: {self.states:,} endings in {self.nodes:,} nodes,"
            f" {self.bytes:,} bytes, built in {self.seconds:.1f} s"
        )


Progress = Callable[[BuildProgress], None]


def build_diagrams(
    tricks: int,
    path: str | os.PathLike[str],
    *,
    threads: int | None = None,
    limit_mb: int = 2048,
    progress: Progress | None = None,
    stop: StopFlag | None = None,
) -> BuildReport:
    """Build all endings with `tricks` cards in each hand and write them to a file.

    The build uses all cores unless `threads` is given. If it needs more than `limit_mb` of memory,
    it ends with a `DatabaseError`; the shards built so far stay for the next try. Once `stop` is
    set, it raises `Stopped`, and the same call goes on from there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = build_diagrams(2, Path(folder) / "two.diagrams")
    >>> report.shapes, report.states
    (2054, 87162)
    """
    if not 1 <= tricks <= MAX_FILE_TRICKS:
        raise InvalidInput(
            f"not a number of tricks for diagrams: {tricks} (expected 1 to {MAX_FILE_TRICKS})"
        )
    limit_bytes(limit_mb, least=LEAST_LIMIT_MB)
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    started, cpu_started = time.monotonic(), time.process_time()
    plan = _core.BuildPlan(tricks, stop=stop)
    with working_folder(target, plan) as folder:
        build = LevelBuild(plan, folder, thread_count(threads), limit_mb, progress, stop=stop)
        stored = build.run()
        states = count_states(tricks).total
        _write(stored, target, states, stop)
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


def _write(stored: _core.StoredLevel, target: Path, states: int, stop: StopFlag | None) -> None:
    try:
        stored.write(os.fspath(target), f"setrograde {__version__}", states, stop)
    except _core.LevelFileError as error:
        raise DatabaseError(str(error)) from None


@contextmanager
def working_folder(target: Path, plan: _core.BuildPlan) -> Iterator[Path]:
    """The folder for the shards of a build, locked against a second one.

    Shards that an earlier build by another plan left there are removed.

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
            try:
                about.write_text(ours, encoding="utf-8")
            except OSError as error:
                raise DatabaseError(f"{about}: cannot write: {error.strerror}") from None
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
        stop: StopFlag | None = None,
    ) -> None:
        """Keep shards in `folder`, under names that begin with `name`."""
        self.plan = plan
        self.found = 0
        self._name = name
        self._tricks = plan.tricks
        self._folder = folder
        self._threads = threads
        self._limit_mb = limit_mb
        self._progress = progress
        self._asked = stop
        self._stop = (
            StopFlag()
        )  # of the threads: set when the build ends early, for whatever reason
        self._weights = {level: self._weights_of(level) for level in range(1, plan.tricks + 1)}
        self._whole = sum(map(sum, self._weights.values()))
        self._done = 0.0

    def _weights_of(self, level: int) -> list[float]:
        """The work to expect for each shard of a level."""
        weights = []
        for shard in range(self.plan.shards(level)):
            check_stop(self._asked)
            weights.append(self.plan.weight(level, shard) * _LEVEL_FACTOR**level)
        return weights

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
        """Build a level that others are built on.

        `below` is a level to begin with and its number of tricks.
        """
        with self._pool() as pool:
            return self._ordered(pool, tricks, *(below or ()))

    def build_each(
        self,
        below: _core.OrderedLevel,
        numbers: Iterable[int],
        use: Callable[[_core.Shard, int], None],
    ) -> None:
        """Build some shards of the last level, each by itself, in any order.

        The thread that has built a shard calls `use` with it.
        """

        def work(number: int) -> None:
            use(_core.build_shard(below, self.plan, self._tricks, number, self._stop), number)

        with self._pool() as pool:
            for done in [pool.submit(work, number) for number in numbers]:
                self._result(done)

    def _result(self, future: Future[Result]) -> Result:
        """Wait for a thread, or until the build is told to stop."""
        while not wait([future], _POLL_S).done:
            check_stop(self._asked)
        return future.result()

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
            check_stop(self._asked)
            into.merge(self.plan, self._result(waiting.pop(0)), merged)
            self._done += self._weights[level][merged]
            self._check_memory(below.bytes + into.bytes, level)
            if self._progress is not None:
                self._progress(BuildProgress(level, self._done / self._whole, into.nodes))

    def _check_memory(self, used: int, level: int) -> None:
        # Shards on their way are small beside the levels.
        if used > limit_bytes(self._limit_mb):
            raise DatabaseError(
                f"{level} tricks need more memory than {self._limit_mb} MB"
                " (expected a higher limit)"
            )

    def _shard(self, below: _core.OrderedLevel, level: int, number: int) -> _core.Shard:
        """Read a shard that an earlier run has left, or build it."""
        if level < _KEPT_FROM:
            return _core.build_shard(below, self.plan, level, number, self._stop)
        path = self._folder / f"{self._name}{level}-{number:04}.shard"
        part = path.with_suffix(".shard.part")
        try:
            if is_regular(path):
                shard = _core.Shard.from_bytes(path.read_bytes())
                self.found += 1
                return shard
        except (FileNotFoundError, _core.ShardError):
            pass  # not built, or not to its end
        shard = _core.build_shard(below, self.plan, level, number, self._stop)
        try:
            part.unlink(missing_ok=True)  # a pipe of that name would wait for a reader
            part.write_bytes(shard.to_bytes())
            os.replace(part, path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise DatabaseError(f"{part}: cannot write: {error.strerror}") from None
        return shard
