"""Layouts solved one by one, in batches: after each batch the answer so far can be told.

The first batch is small and is always finished, so that there is an answer however short the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from setrograde.bridge import Strain
from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag, Stopped
from setrograde.common.threads import thread_count
from setrograde.errors import InvalidInput
from setrograde.solve import Solver

from .core import solver_shares
from .result import StopReason

__all__ = ["Batches", "KeptSolvers", "check_time"]

T = TypeVar("T")

_GOOD_MB = 16
_PARTS = 8
"""A batch is at most this part of the whole work."""


class _TimeUp(Exception):
    """Raised in the middle of a batch when the time is up."""


def check_time(time_s: float | None) -> None:
    """Refuse a time that is not positive.

    >>> check_time(0)
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: not a time: 0 s (expected more than 0)
    """
    if time_s is None:
        return
    if isinstance(time_s, bool) or not isinstance(time_s, (int, float)):
        raise InvalidInput(f"not a time: {time_s!r} (expected a number of seconds, like 10)")
    if not time_s > 0:
        raise InvalidInput(f"not a time: {time_s} s (expected more than 0)")


class Batches:
    """Cuts work into batches and ends it when the time is up or `stop` is set.

    `each` is the number of solves for one item of the work; `progress` hears their number.

    >>> batches = Batches(10, each=1, threads=1)
    >>> [size for size in batches.sizes()], batches.reason is None
    ([2, 1, 1, 1, 1, 1, 1, 1, 1], True)
    """

    def __init__(
        self,
        items: int,
        *,
        each: int,
        threads: int | None,
        time_s: float | None = None,
        progress: CountProgress | None = None,
        stop: StopFlag | None = None,
    ) -> None:
        check_time(time_s)
        self._items = items
        self._each = each
        self._first = max(2, thread_count(threads))
        self._deadline = None if time_s is None else time.monotonic() + time_s
        self._progress = progress
        self._stop = stop
        self._done = 0
        self.reason: StopReason | None = None
        """Why the work ended early, if it did."""

    def sizes(self) -> Iterator[int]:
        """The number of items in each batch, as long as the work goes on."""
        size = self._first
        while self._done < self._items:
            if self._done and self._is_late():
                self.reason = "time"
            if self.reason is not None:
                return
            most = max(1, self._items // _PARTS) if self._done else size
            taken = min(size, most, self._items - self._done)
            yield taken
            if self.reason is None:
                self._done += taken
                size *= 2

    def run(self, work: Callable[[CountProgress], list[T]]) -> list[T] | None:
        """The answers of one batch; `None` if it was not finished in time.

        `work` is given the function that hears how many solves of the batch are done.
        """
        try:
            return work(self._tell)
        except _TimeUp:
            self.reason = "time"
        except Stopped:
            self.reason = "request"
        return None

    def _tell(self, solved: int) -> None:
        if self._progress is not None:
            self._progress(self._done * self._each + solved)
        if self._done and self._is_late():
            raise _TimeUp

    def _is_late(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline


class KeptSolvers:
    """Solvers kept from batch to batch, one for each thread and strain if memory allows.

    >>> solvers = KeptSolvers(64, threads=2, tasks=10, strains=1)
    >>> solvers.workers
    2
    """

    def __init__(self, limit_mb: int, *, threads: int | None, tasks: int, strains: int) -> None:
        size_mb, self.workers = solver_shares(limit_mb, threads, tasks)
        self._has_each = strains > 1 and size_mb // strains >= _GOOD_MB
        self._mb = size_mb // strains if self._has_each else size_mb
        self._all: list[dict[Strain | None, Solver]] = []
        self._free: list[dict[Strain | None, Solver]] = []

    def start(self) -> None:
        """Make all solvers free for the threads of the next batch."""
        self._free = list(self._all)

    def take(self) -> Callable[[Strain], Solver]:
        """Solvers for one thread, by strain."""
        try:
            kept = self._free.pop()
        except IndexError:
            kept = {}
            self._all.append(kept)

        def solver(strain: Strain) -> Solver:
            key = strain if self._has_each else None
            if key not in kept:
                kept[key] = Solver(limit_mb=self._mb)
            return kept[key]

        return solver
