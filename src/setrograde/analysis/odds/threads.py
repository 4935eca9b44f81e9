"""Many questions on several threads, each with a context of its own that is worth keeping."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import TypeVar

from setrograde.bridge import InvalidInput

__all__ = ["map_with_contexts", "thread_count"]

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def thread_count(threads: int | None) -> int:
    """How many threads to use: as many as cores unless given.

    >>> thread_count(2)
    2
    """
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if not 1 <= threads <= 1024:
        raise InvalidInput(f"not a number of threads: {threads} (expected 1 to 1024)")
    return threads


def map_with_contexts(
    tasks: Sequence[Task],
    open_context: Callable[[], Callable[[Task], Answer]],
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Answer]:
    """Answers in the order of the tasks; neighbours share a context made by `open_context`.

    `progress` hears how many tasks are done. An error, or Ctrl-C, ends the work after the tasks
    under way.

    >>> map_with_contexts([1, 2, 3], lambda: lambda number: 2 * number, threads=2)
    [2, 4, 6]
    """
    workers = max(1, min(thread_count(threads), len(tasks)))
    ends = [len(tasks) * step // workers for step in range(workers + 1)]
    stop = Event()
    done = [0] * workers

    def work(number: int) -> list[Answer]:
        answer = open_context()
        answers = []
        for task in tasks[ends[number] : ends[number + 1]]:
            if stop.is_set():
                break
            answers.append(answer(task))
            done[number] += 1
        return answers

    with ThreadPoolExecutor(workers) as pool:
        try:
            futures = [pool.submit(work, number) for number in range(workers)]
            _watch(futures, lambda: progress(sum(done)) if progress else None)
            return [answer for future in futures for answer in future.result()]
        finally:
            stop.set()


def _watch(futures: Sequence[Future[list[Answer]]], tell: Callable[[], None]) -> None:
    """Wait for all, or for the first error."""
    while True:
        finished, running = wait(futures, timeout=0.1, return_when=FIRST_EXCEPTION)
        tell()
        if not running or any(future.exception() for future in finished):
            return
