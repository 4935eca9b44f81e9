"""Stopping the solver from another thread: under way, in the queue, and what comes after."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from setrograde import _core
from setrograde.bridge import Deal, Play, Seat, Strain
from setrograde.common.stop import StopFlag, Stopped
from setrograde.db.database import DiagramLevel, level_path
from setrograde.db.methods.thresholds import build_thresholds
from setrograde.solve import (
    Solver,
    Technique,
    best_line,
    solve_cards,
    solve_deal,
    solve_many,
    solve_table,
    solve_tables,
    trace_play,
)
from stopped_work import MOST_SECONDS, Work
from support import random_deal

SMALL = "N:AQ.2.. K3.A.. 54.3.. 76.4.."  # North-South take two tricks if South leads
HARD = random_deal(Random(4))  # takes minutes without any technique


def assert_stopped(work: Work, action: Callable[[], None]) -> None:
    """The call ends soon after what should stop it, and says that it was stopped."""
    assert work.stop(action) < MOST_SECONDS
    assert work.is_stopped, work.outcome


def hard_solver() -> Solver:
    return Solver(limit_mb=16, techniques=Technique(0), endings=None)


def hard_search(
    solver: Solver, stop: StopFlag | None = None, *, after_seconds: float = 0.1
) -> Work:
    work = Work(lambda _: solver.solve(HARD, Strain.NOTRUMP, Seat.WEST, stop=stop))
    time.sleep(after_seconds)
    return work


def answers_rightly(solver: Solver) -> bool:
    return solver.solve(SMALL, "NT", "S").tricks_ns == 2


SOLVER_CALLS: dict[str, Callable[[Solver, StopFlag], object]] = {
    "solve": lambda solver, stop: solver.solve(HARD, "NT", "W", stop=stop),
    "cards": lambda solver, stop: solver.cards(HARD, "NT", "W", stop=stop),
    "table": lambda solver, stop: solver.table(HARD, stop=stop),
    "trace": lambda solver, stop: solver.trace(Play(HARD, Strain.NOTRUMP, Seat.WEST), stop=stop),
    "best_line": lambda solver, stop: solver.best_line(HARD, "NT", "W", stop=stop),
}
SHORT_CALLS: dict[str, Callable[[Solver, StopFlag], object]] = {
    "reset": lambda solver, stop: solver.reset(stop=stop),
    "statistics": lambda solver, stop: solver.statistics(stop=stop),
}
each_call = pytest.mark.parametrize("call", SOLVER_CALLS.values(), ids=SOLVER_CALLS)
each_call_or_short_one = pytest.mark.parametrize(
    "call",
    [*SOLVER_CALLS.values(), *SHORT_CALLS.values()],
    ids=[*SOLVER_CALLS, *SHORT_CALLS],
)


@each_call
def test_a_flag_stops_a_search_under_way(call: Callable[[Solver, StopFlag], object]) -> None:
    solver, flag = hard_solver(), StopFlag()
    work = Work(lambda _: call(solver, flag))
    time.sleep(0.1)
    assert_stopped(work, flag.set)
    assert answers_rightly(solver)


@each_call_or_short_one
def test_a_flag_stops_a_call_in_the_queue(call: Callable[[Solver, StopFlag], object]) -> None:
    solver, flag = hard_solver(), StopFlag()
    first = hard_search(solver)
    queued = Work(lambda _: call(solver, flag))
    time.sleep(0.1)
    assert_stopped(queued, flag.set)
    assert_stopped(first, solver.cancel)
    assert answers_rightly(solver)


@each_call
def test_cancel_stops_a_search_under_way(call: Callable[[Solver, StopFlag], object]) -> None:
    solver = hard_solver()
    work = Work(lambda _: call(solver, StopFlag()))
    time.sleep(0.1)
    assert_stopped(work, solver.cancel)
    assert answers_rightly(solver)


def test_cancel_stops_every_call_made_before_it() -> None:
    solver = hard_solver()
    works = [hard_search(solver)]
    works += [Work(lambda _: solver.solve(HARD, "NT", "W")) for _ in range(3)]
    works += [Work(lambda _: solver.table(HARD)), Work(lambda _: solver.statistics())]
    time.sleep(0.1)
    assert all(work.is_running for work in works)
    solver.cancel()
    assert all(work.seconds_to_end() < MOST_SECONDS for work in works)
    assert all(work.is_stopped for work in works)
    assert answers_rightly(solver)


def test_cancel_stops_no_call_made_after_it() -> None:
    solver = hard_solver()
    for _ in range(10):
        search = hard_search(solver, after_seconds=0.02)
        solver.cancel()
        assert answers_rightly(solver)  # asked while the search may still hold the lock
        search.seconds_to_end()
        assert search.is_stopped


def test_cancel_between_the_searches_of_one_call_is_not_lost() -> None:
    core = _core.Solver(4 << 20, int(Technique.ALL))
    position = ((3, 12, 48, 192), 4, 0, [])
    since = core.cancels
    core.cancel()
    with pytest.raises(Stopped):
        core.solve(*position, since=since)
    assert core.solve(*position)[0] == core.solve(*position, since=core.cancels)[0]


def test_cancel_leaves_calls_with_other_solvers_alone() -> None:
    solver, other = hard_solver(), hard_solver()
    first, second = hard_search(solver), hard_search(other)
    assert_stopped(first, solver.cancel)
    assert_stopped(second, other.cancel)


def test_one_flag_stops_several_solvers() -> None:
    flag = StopFlag()
    works = [hard_search(hard_solver(), flag) for _ in range(2)]
    assert_stopped(works[0], flag.set)
    assert works[1].seconds_to_end() < MOST_SECONDS


def test_a_flag_that_was_cleared_serves_again() -> None:
    solver, flag = hard_solver(), StopFlag()
    for _ in range(2):
        assert_stopped(hard_search(solver, flag), flag.set)
        flag.clear()
        assert solver.solve(SMALL, "NT", "S", stop=flag).tricks_ns == 2


SMALL_PLAY = Play(Deal.from_pbn(SMALL), Strain.NOTRUMP, Seat.WEST)
FUNCTIONS: dict[str, Callable[[StopFlag], object]] = {
    "solve_deal": lambda stop: solve_deal(SMALL, "NT", "W", stop=stop),
    "solve_cards": lambda stop: solve_cards(SMALL, "NT", "W", stop=stop),
    "solve_table": lambda stop: solve_table(SMALL, stop=stop),
    "solve_tables": lambda stop: solve_tables([SMALL], stop=stop),
    "solve_many": lambda stop: solve_many([SMALL_PLAY], stop=stop),
    "trace_play": lambda stop: trace_play(SMALL_PLAY, stop=stop),
    "best_line": lambda stop: best_line(SMALL, "NT", "W", stop=stop),
}


@pytest.mark.parametrize("call", FUNCTIONS.values(), ids=FUNCTIONS)
def test_every_function_takes_a_flag(call: Callable[[StopFlag], object]) -> None:
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        call(flag)
    flag.clear()
    assert call(flag)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_flag_stops_a_batch_of_tables(threads: int) -> None:
    flag, deals = StopFlag(), [HARD] * 5_000
    work = Work(lambda _: solve_tables(deals, threads=threads, stop=flag, endings=None))
    time.sleep(0.2)
    assert_stopped(work, flag.set)
    assert solve_table(SMALL).tricks(Seat.EAST, Strain.NOTRUMP) == 1


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_flag_stops_a_batch_of_positions(threads: int) -> None:
    flag, plays = StopFlag(), [Play(HARD, Strain.NOTRUMP, Seat.WEST)] * 20_000
    work = Work(lambda _: solve_many(plays, threads=threads, stop=flag, endings=None))
    time.sleep(0.2)
    assert_stopped(work, flag.set)
    assert solve_many([SMALL_PLAY]) == (1,)


@pytest.mark.parametrize("solve", [solve_tables, solve_many])
def test_a_flag_stops_a_batch_while_it_is_made_ready(solve: Callable[..., object]) -> None:
    flag = StopFlag()
    item = SMALL if solve is solve_tables else SMALL_PLAY

    def endless() -> object:
        while True:
            yield item

    work = Work(lambda _: solve(endless(), stop=flag))
    time.sleep(0.1)
    assert_stopped(work, flag.set)


def test_a_flag_stops_the_check_of_a_database(endings: Path, tmp_path: Path) -> None:
    values = DiagramLevel(level_path(3, endings))
    table = build_thresholds(values, tmp_path / "three")
    hands = tuple(hand.bits for hand in HARD.hands)
    flag = StopFlag()
    question = hands, 4, 3, table._core, values._core, 100_000, 1
    work = Work(lambda _: _core.check_endings(*question, stop=flag))
    time.sleep(0.1)
    assert_stopped(work, flag.set)


def test_a_flag_stops_the_writing_of_thresholds_and_leaves_no_file(
    endings: Path, tmp_path: Path
) -> None:
    values = DiagramLevel(level_path(3, endings))
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        _core.write_thresholds(values._core, str(tmp_path / "three"), stop=flag)
    assert list(tmp_path.iterdir()) == []


def test_a_flag_stops_the_comparison_of_checksums(endings: Path, tmp_path: Path) -> None:
    table = build_thresholds(DiagramLevel(level_path(3, endings)), tmp_path / "three")
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        table.check(stop=flag)
    flag.clear()
    table.check(stop=flag)
