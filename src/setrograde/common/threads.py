"""The number of threads to use, and lists of tasks shared between threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import TYPE_CHECKING, TypeVar

from setrograde.errors import InvalidInput

if TYPE_CHECKING:  # counting threads needs no native module
    from .stop import StopFlag

__all__ = ["MOST_THREADS", "available_threads", "map_with_contexts", "thread_count"]

Task = TypeVar("Task")
Answer = TypeVar("Answer")

MOST_THREADS = 1024
"""More are not started, whatever is asked for."""


def available_threads() -> int:
    """The number of cores this process may use.

    >>> available_threads() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count(threads: int | None = None) -> int:
    """The number of threads to use: `threads`, or all cores this process may use (default).

    >>> thread_count(2)
    2
    >>> thread_count(0)
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: not a number of threads: 0 (expected 1 to 1024)
    """
    if threads is None:
        return min(available_threads(), MOST_THREADS)
    if not 1 <= threads <= MOST_THREADS:
        raise InvalidInput(f"not a number of threads: {threads} (expected 1 to {MOST_THREADS})")
    return threads


def map_with_contexts(
    tasks: Sequence[Task],
    open_context: Callable[[], Callable[[Task], Answer]],
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    stop: StopFlag | None = None,
) -> list[Answer]:
    """Answer many tasks on several threads; the answers come in the order of the tasks.

    Each thread takes a run of neighbouring tasks and answers them with one context, which
    `open_context` makes. `progress` hears the number of finished tasks. An error or Ctrl-C ends the
    work after the tasks under way, and so does `stop`, which raises `Stopped`.

    >>> map_with_contexts([1, 2, 3], lambda: lambda number: 2 * number, threads=2)
    [2, 4, 6]
    """
    from .stop import check_stop

    workers = max(1, min(thread_count(threads), len(tasks)))
    ends = [len(tasks) * step // workers for step in range(workers + 1)]
    ended = Event()
    done = [0] * workers

    def work(number: int) -> list[Answer]:
        answer = open_context()
        answers = []
        for task in tasks[ends[number] : ends[number + 1]]:
            if ended.is_set():
                break
            check_stop(stop)
            answers.append(answer(task))
            done[number] += 1
        return answers

    with ThreadPoolExecutor(workers) as pool:
        try:
            futures = [pool.submit(work, number) for number in range(workers)]
            _watch(futures, lambda: progress(sum(done)) if progress else None)
            return [answer for future in futures for answer in future.result()]
        finally:
            ended.set()


def _watch(futures: Sequence[Future[list[Answer]]], tell: Callable[[], None]) -> None:
    """Wait until all are finished or one has failed; call `tell` meanwhile."""
    while True:
        finished, running = wait(futures, timeout=0.1, return_when=FIRST_EXCEPTION)
        tell()
        if not running or any(future.exception() for future in finished):
            return
