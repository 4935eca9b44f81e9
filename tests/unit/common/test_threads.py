"""Numbers of threads, tasks on several threads, shares of memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from setrograde.common.memory import MOST_MB, check_limit_mb, limit_bytes, share_mb
from setrograde.common.stop import StopFlag, Stopped
from setrograde.common.threads import available_threads, map_with_contexts, thread_count
from setrograde.errors import InvalidInput


def test_all_available_cores_are_used_unless_told() -> None:
    assert thread_count() == thread_count(None) == available_threads() >= 1


@pytest.mark.parametrize("threads", [0, -1, 1025])
def test_a_number_of_threads_that_cannot_be_is_refused(threads: int) -> None:
    with pytest.raises(InvalidInput, match=f"not a number of threads: {threads} "):
        thread_count(threads)


@pytest.mark.parametrize("threads", [1, 2, 5, 40])
def test_answers_come_in_the_order_of_the_tasks(threads: int) -> None:
    opened = []

    def open_context() -> Callable[[int], int]:
        opened.append(threading.get_ident())
        return lambda number: number * number

    answers = map_with_contexts(range(20), open_context, threads=threads)
    assert answers == [number * number for number in range(20)]
    assert len(opened) == min(threads, 20)
    assert map_with_contexts([], open_context, threads=threads) == []


def test_an_error_of_one_task_is_raised() -> None:
    def answer(number: int) -> int:
        if number == 7:
            raise LookupError("seven")
        return number

    with pytest.raises(LookupError, match="seven"):
        map_with_contexts(range(20), lambda: answer, threads=3)


def test_a_flag_ends_the_work_after_the_tasks_under_way() -> None:
    flag, done = StopFlag(), []

    def answer(number: int) -> None:
        time.sleep(0.001)
        done.append(number)
        if len(done) == 10:
            flag.set()

    with pytest.raises(Stopped):
        map_with_contexts(range(10_000), lambda: answer, threads=2, stop=flag)
    assert len(done) < 20


def test_progress_hears_rising_numbers_up_to_the_end() -> None:
    told: list[int] = []
    map_with_contexts(range(50), lambda: lambda _: None, threads=2, progress=told.append)
    assert told == sorted(told) and told[-1] == 50


def test_a_megabyte_is_a_power_of_two() -> None:
    assert limit_bytes(3) == 3 * 2**20


@pytest.mark.parametrize("limit_mb", [0, -5, MOST_MB + 1])
def test_a_limit_that_cannot_be_is_refused(limit_mb: int) -> None:
    with pytest.raises(InvalidInput, match=f"not a memory limit: {limit_mb} MB"):
        check_limit_mb(limit_mb)


@pytest.mark.parametrize("limit_mb", [1, 16, 100, 1000])
@pytest.mark.parametrize("parts", [1, 2, 7, 64])
def test_shares_together_stay_within_the_limit(limit_mb: int, parts: int) -> None:
    each, room = share_mb(limit_mb, parts, least=16)
    assert 1 <= room <= parts and each >= 16
    assert each * room <= max(limit_mb, 16)
