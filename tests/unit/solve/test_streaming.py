"""Tables that come one by one."""

from __future__ import annotations

import threading
import time

import pytest

from setrograde.bridge import Deal, InvalidDeal, InvalidInput
from setrograde.common.stop import StopFlag, Stopped
from setrograde.solve import iter_tables, solve_tables

SMALL = [
    "N:AK.2.. QJ.3.. T9.4.. 87.5..",
    "N:A2... K3... Q4... J5...",
    "N:...AQ ...KJ ...T9 ...87",
]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_tables_come_in_order_and_are_those_of_solve_tables(threads: int) -> None:
    deals = SMALL * 7
    assert tuple(iter_tables(deals, threads=threads)) == solve_tables(deals)


def test_full_deals_are_the_same_too() -> None:
    deals = [Deal.random(seed=seed) for seed in range(3)]
    assert tuple(iter_tables(deals, limit_mb=16)) == solve_tables(deals)


def test_nothing_to_solve_gives_nothing() -> None:
    assert list(iter_tables([])) == []


def test_bad_deals_are_refused_before_the_work() -> None:
    with pytest.raises(InvalidDeal, match="hands differ in length"):
        iter_tables([SMALL[0], "N:AK... Q... J... T..."])
    with pytest.raises(InvalidInput, match="not a list of deals"):
        iter_tables(SMALL[0])


def test_progress_counts_strains() -> None:
    heard: list[int] = []
    assert len(list(iter_tables(SMALL, progress=heard.append))) == 3
    assert heard == sorted(heard)
    assert heard[-1] == 15


def test_the_flag_stops_a_long_table() -> None:
    flag = StopFlag()
    tables = iter_tables([Deal.random(seed=seed) for seed in range(200)], stop=flag)
    next(tables)
    threading.Timer(0.1, flag.set).start()
    with pytest.raises(Stopped):
        list(tables)


def test_closing_the_iterator_ends_the_work() -> None:
    before = threading.active_count()
    tables = iter_tables([Deal.random(seed=seed) for seed in range(200)])
    next(tables)
    started = time.monotonic()
    tables.close()
    assert time.monotonic() - started < 2.0
    assert threading.active_count() == before


def test_an_error_of_the_listener_ends_the_work() -> None:
    def fail(_: int) -> None:
        raise ZeroDivisionError

    before = threading.active_count()
    with pytest.raises(ZeroDivisionError):
        list(iter_tables(SMALL, progress=fail))
    assert threading.active_count() == before
