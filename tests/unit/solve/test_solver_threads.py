"""Solvers in several threads, batches on several threads, and stopping a search."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from random import Random
from subprocess import PIPE, Popen
from typing import TypeVar

import pytest

from setrograde.bridge import Deal, Play, Seat, Strain, TrickTable
from setrograde.solve.double_dummy import Solver, Technique, solve_many, solve_tables
from support import random_deal, random_position

T = TypeVar("T")
THREADS = 8


def in_threads(work: Sequence[Callable[[], T]]) -> list[T]:
    """Run all at once, each in a thread of its own that waits for the others to be there."""
    barrier = threading.Barrier(len(work))

    def start(one: Callable[[], T]) -> T:
        barrier.wait()
        return one()

    with ThreadPoolExecutor(len(work)) as pool:
        return list(pool.map(start, work))


@cache
def deals() -> tuple[Deal, ...]:
    rng = Random(81)
    return tuple(random_deal(rng) for _ in range(THREADS))


@cache
def tables() -> tuple[TrickTable, ...]:
    """The tables of `deals`, one after the other in one thread."""
    solver = Solver()
    return tuple(solver.table(deal) for deal in deals())


@cache
def plays() -> tuple[Play, ...]:
    rng = Random(82)
    return tuple(random_position(rng, 1 + i % 11) for i in range(200))


@cache
def values() -> tuple[int, ...]:
    """What North-South take from `plays` on, by a fresh solver each."""
    return tuple(value_of(Solver(), play) for play in plays())


def value_of(solver: Solver, play: Play) -> int:
    return solver.solve(play.deal, play.strain, play.leader, played=play.cards).tricks_ns


# --- answers ---


def test_threads_with_solvers_of_their_own_answer_as_one_thread() -> None:
    work = [lambda deal=deal: Solver(limit_mb=32).table(deal) for deal in deals()]
    assert in_threads(work) == list(tables())


def test_threads_asking_their_own_solvers_the_same_agree() -> None:
    deal, table = deals()[0], tables()[0]
    work = [lambda: Solver(limit_mb=32).table(deal)] * THREADS
    assert in_threads(work) == [table] * THREADS


def test_threads_sharing_a_solver_answer_about_different_deals_as_one_thread() -> None:
    solver = Solver(limit_mb=32)
    work = [lambda deal=deal: solver.table(deal) for deal in deals()]
    assert in_threads(work) == list(tables())


def test_threads_sharing_a_solver_answer_about_the_same_deal_as_one_thread() -> None:
    solver = Solver(limit_mb=32)
    deal, table = deals()[1], tables()[1]
    assert in_threads([lambda: solver.table(deal)] * THREADS) == [table] * THREADS


def test_threads_sharing_a_solver_may_mix_questions() -> None:
    solver = Solver(limit_mb=2)

    def ask(seed: int) -> bool:
        rng = Random(seed)
        for _ in range(60):
            i = rng.randrange(len(plays()))
            play = plays()[i]
            if rng.random() < 0.1:
                solver.reset()
            if rng.random() < 0.3:
                cards = solver.cards(play.deal, play.strain, play.leader, played=play.cards)
                left = max(len(hand) for hand in play.remaining.hands)
                best = cards[0].tricks
                value = best if play.turn in (Seat.NORTH, Seat.SOUTH) else left - best
            else:
                value = value_of(solver, play)
            assert value == values()[i], play
            assert solver.statistics()["nodes"] >= 0
        return True

    assert values()
    assert all(in_threads([partial(ask, seed) for seed in range(THREADS)]))


@pytest.mark.parametrize("threads", [None, 1, 2, 8])
def test_many_positions_have_the_same_values_on_any_number_of_threads(threads: int | None) -> None:
    assert solve_many(plays(), threads=threads) == values()


@pytest.mark.parametrize("threads", [None, 1, 2, 8])
def test_tables_are_the_same_on_any_number_of_threads(threads: int | None) -> None:
    assert solve_tables(deals(), threads=threads) == tables()


def test_more_threads_than_work_are_fine() -> None:
    assert solve_many(plays()[:1], threads=64) == values()[:1]
    assert solve_tables(deals()[:1], threads=64) == tables()[:1]
    assert solve_many([], threads=8) == ()
    assert solve_tables([], threads=8) == ()


def test_batches_may_run_side_by_side() -> None:
    half = len(plays()) // 2
    parts = in_threads(
        [lambda: solve_many(plays()[:half], threads=2), lambda: solve_many(plays()[half:])]
    )
    assert parts[0] + parts[1] == values()


# --- progress ---


def test_progress_is_told_in_rising_numbers_up_to_the_work_at_most() -> None:
    told: list[int] = []
    assert solve_tables(deals(), threads=2, progress=told.append) == tables()
    assert told, "never told"
    assert told == sorted(told)
    assert told[-1] <= 5 * len(deals())


def test_an_error_in_progress_stops_the_batch_and_is_raised() -> None:
    def refuse(done: int) -> None:
        raise LookupError(f"enough after {done}")

    with pytest.raises(LookupError, match="enough after"):
        solve_tables(deals() * 40, progress=refuse)


# --- stopping ---

# A full deal without any technique takes far longer than a test may.
HARD_DEAL = random_deal(Random(4))
HARD_TECHNIQUES = Technique(0)
PATIENCE_SECONDS = 10.0


class Search:
    """A search too hard to end, under way in a thread of its own."""

    def __init__(self, solver: Solver) -> None:
        self.outcome: BaseException | int | None = None
        self._solver = solver
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            solution = self._solver.solve(HARD_DEAL, Strain.NOTRUMP, Seat.WEST)
            self.outcome = solution.tricks_ns
        except BaseException as error:
            self.outcome = error

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def seconds_to_end(self) -> float:
        start = time.monotonic()
        self._thread.join(PATIENCE_SECONDS)
        assert not self.is_running, "the search goes on"
        return time.monotonic() - start


@pytest.fixture
def hard_solver() -> Solver:
    return Solver(limit_mb=16, techniques=HARD_TECHNIQUES)


def test_cancel_stops_a_hard_search_quickly(hard_solver: Solver) -> None:
    search = Search(hard_solver)
    time.sleep(0.3)
    assert search.is_running, "not hard enough for this test"
    hard_solver.cancel()
    assert search.seconds_to_end() < 1.0
    assert isinstance(search.outcome, RuntimeError)
    assert "stopped" in str(search.outcome)


def test_a_cancelled_solver_stays_usable(hard_solver: Solver) -> None:
    for _ in range(3):
        search = Search(hard_solver)
        time.sleep(0.1)
        hard_solver.cancel()
        search.seconds_to_end()
        assert isinstance(search.outcome, RuntimeError)
        for play, tricks_ns in zip(plays(), values(), strict=True):
            if len(play.deal) - len(play.cards) <= 20:
                assert value_of(hard_solver, play) == tricks_ns, play


def test_cancelling_one_solver_leaves_others_alone(hard_solver: Solver) -> None:
    other = Solver(limit_mb=16, techniques=HARD_TECHNIQUES)
    first, second = Search(hard_solver), Search(other)
    time.sleep(0.1)
    hard_solver.cancel()
    first.seconds_to_end()
    time.sleep(0.1)
    assert second.is_running
    other.cancel()
    second.seconds_to_end()


def test_cancel_without_a_search_under_way_does_nothing() -> None:
    solver = Solver()
    for deal, table in zip(deals(), tables(), strict=True):
        solver.cancel()
        assert solver.table(deal) == table


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize(
    "question",
    [
        "Solver(techniques=Technique(0)).solve(deal, Strain.NOTRUMP, Seat.WEST)",
        "solve_tables([deal] * 10_000)",
        "solve_many([Play(deal, Strain.NOTRUMP, Seat.WEST)] * 50_000)",
    ],
)
def test_an_interrupt_stops_the_search(question: str) -> None:
    script = f"""if True:
        import signal
        signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
        from setrograde.bridge import Deal, Play, Seat, Strain
        from setrograde.solve.double_dummy import Solver, Technique, solve_many, solve_tables
        deal = Deal.from_pbn({HARD_DEAL.to_pbn()!r})
        print("ready", flush=True)
        {question}
    """
    command = [sys.executable, "-c", script]
    with Popen(command, stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        assert process.poll() is None, "not hard enough for this test"
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
        process.wait(PATIENCE_SECONDS)
        assert time.monotonic() - start < 2.0
    assert errors.splitlines()[-1] == "KeyboardInterrupt"


def test_python_runs_on_during_a_search(hard_solver: Solver) -> None:
    search = Search(hard_solver)
    start, steps = time.monotonic(), 0
    while time.monotonic() - start < 0.2:
        steps += 1
    hard_solver.cancel()
    search.seconds_to_end()
    assert steps > 1_000, "the interpreter was held up"
