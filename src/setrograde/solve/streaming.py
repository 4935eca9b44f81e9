"""Tables of many deals, each as soon as it is solved."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue

from setrograde.bridge import Deal, Strain, TrickTable
from setrograde.bridge.coerce import DealLike
from setrograde.common.memory import check_limit_mb, share_mb
from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag, check_stop
from setrograde.common.threads import thread_count

from .double_dummy import Endings, Solver, checked_deals, table_of_strains

__all__ = ["iter_tables"]

_POLL_S = 0.05


def iter_tables(
    deals: Iterable[DealLike],
    *,
    threads: int | None = None,
    limit_mb: int = 256,
    progress: CountProgress | None = None,
    endings: Endings = "installed",
    stop: StopFlag | None = None,
) -> Generator[TrickTable]:
    """The tables of any number of deals in their order, each as soon as it is known.

    As `solve_tables`, which answers only when all deals are solved. `progress` hears the number of
    finished strains while the next table is awaited. The work ends when the iterator is closed.

    >>> for table in iter_tables(["N:AK... QJ... T9... 87...", "N:A... K... Q... J..."]):
    ...     print(table.tricks("N", "S"))
    2
    1
    """
    checked = checked_deals(deals, stop)
    wanted = min(thread_count(threads), max(1, len(checked) * len(Strain)))
    each_mb, workers = share_mb(check_limit_mb(limit_mb, least=2), wanted, least=2)
    return _tables(checked, each_mb, workers, progress, endings, stop)


def _tables(
    deals: list[Deal],
    each_mb: int,
    workers: int,
    progress: CountProgress | None,
    endings: Endings,
    stop: StopFlag | None,
) -> Generator[TrickTable]:
    ended = StopFlag()
    free: SimpleQueue[Solver] = SimpleQueue()  # the solvers that no thread works with just now
    for _ in range(workers):
        free.put(Solver(limit_mb=each_mb, endings=endings))
    finished: SimpleQueue[Strain] = SimpleQueue()

    def solve(deal: Deal, strain: Strain) -> list[int]:
        check_stop(ended)
        solver = free.get()
        try:
            return solver.tricks_by_leader(deal, strain, stop=ended)
        finally:
            free.put(solver)
            finished.put(strain)

    def awaited(task: Future[list[int]]) -> list[int]:
        while True:
            check_stop(stop)
            if progress is not None:
                progress(finished.qsize())
            with suppress(TimeoutError):
                return task.result(timeout=_POLL_S)

    pool = ThreadPoolExecutor(workers)
    ahead: deque[tuple[Deal, list[Future[list[int]]]]] = deque()
    try:
        # Tasks are taken in order, so the first table is there first. A few deals are always
        # under way, so that no thread waits for the slowest strain of a deal.
        for deal in deals:
            ahead.append((deal, [pool.submit(solve, deal, strain) for strain in Strain]))
            if len(ahead) > 2 * workers:
                solved, tasks = ahead.popleft()
                yield table_of_strains([awaited(task) for task in tasks], solved)
        while ahead:
            solved, tasks = ahead.popleft()
            yield table_of_strains([awaited(task) for task in tasks], solved)
        if progress is not None:
            progress(finished.qsize())
    finally:
        ended.set()
        pool.shutdown(cancel_futures=True)
