"""Work on odds stops from another thread within a quarter of a second, and says what it knows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from fractions import Fraction

import pytest

from setrograde.analysis.odds import (
    LeadOdds,
    Odds,
    OddsQuestion,
    compare_contracts,
    explain_odds,
    lead_odds,
    odds,
    odds_stream,
    odds_table,
    solve_odds,
)
from setrograde.analysis.odds.core import OddsCore
from setrograde.analysis.odds.layouts import _weights
from setrograde.analysis.odds.settled_sets import Bound, SetCounter, SettledSet
from setrograde.bridge import Hand
from setrograde.common.stop import StopFlag, Stopped
from stopped_work import MOST_SECONDS, Work, assert_stops, stopped_outcome

PATIENCE_SECONDS = 60.0

SLAM = "AQ32.K54.A32.K32", "K54.AQ3.KQ4.QJ54"
"""Six notrump: a minute or two to settle."""

HARD = "AT984.J94.AQ2.62", "K5.KQ3.T963.A973"
"""Two notrump: searches of single layouts are long."""


def slam(**options: str) -> OddsQuestion:
    return OddsQuestion.of(*SLAM, contract="6NTS", **options)


def hard() -> OddsQuestion:
    return OddsQuestion.of(*HARD, contract="2NTS")


def check_still_right() -> None:
    """A small question gets the right answer."""
    found = odds("AQ...", "32...", "NT", "S", need=2, hidden="KJT9...")
    assert found.probability == Fraction(1, 2)


@pytest.mark.parametrize("method", ["patterns", "classes"])
@pytest.mark.parametrize("west", ["any", "hcp 3-7, 3+ spades"])
def test_settling_stops_and_tells_what_is_proved(method: str, west: str) -> None:
    question = slam(west=west)
    found = stopped_outcome(
        lambda stop: solve_odds(question, need=12, method=method, stop=stop),  # type: ignore[arg-type]
    )
    assert isinstance(found, Odds)
    assert found.stopped == "request"
    assert not found.exact
    assert found.probability is None
    assert found.bounds is not None
    low, high = found.bounds
    assert 0 <= low < high <= 1
    assert "Stopped on request. Not exact:" in str(found)
    check_still_right()


def test_the_whole_distribution_stops_too() -> None:
    found = stopped_outcome(lambda stop: odds(*SLAM, "NT", "S", stop=stop))
    assert isinstance(found, Odds)
    assert found.stopped == "request"
    assert found.distribution is None


def test_sampling_stops_in_the_middle_of_a_search() -> None:
    """A sample that would take many seconds, with little memory and no end in sight."""
    core = OddsCore(hard(), limit_mb=4)
    assert_stops(lambda stop: core.sample(100_000, 1, stop=stop))
    assert core.sample(3, 1) == OddsCore(hard(), limit_mb=64).sample(3, 1)


def test_sampling_of_rare_points_stops_while_it_looks_for_a_layout() -> None:
    """East has 37 of the 40 points, which one of some 200,000 tries of his shape gives him."""
    weak = "T987.T98.987.T98", "6543.765.654.765"
    question = OddsQuestion.of(*weak, contract="1NTS", east="hcp 37")
    core = OddsCore(question, limit_mb=16)
    assert_stops(lambda stop: core.sample(10_000_000, 1, need=1, stop=stop))


def test_the_first_estimate_stops_and_keeps_what_was_drawn() -> None:
    def last(stop: StopFlag) -> Odds:
        *_, found = odds_stream(hard(), samples=1_000_000, stop=stop)
        return found

    found = stopped_outcome(last, after_seconds=0.5)
    assert isinstance(found, Odds)
    assert found.stopped == "request"
    if found.sample is not None:
        assert len(found.sample.tricks) % 16 == 0
    check_still_right()


def test_estimates_beside_the_proof_stop_too() -> None:
    """After the first estimate sampling goes on now and then, inside the watch of the proof."""

    has_estimate = threading.Event()

    def last(stop: StopFlag) -> Odds:
        for found in odds_stream(hard(), need=8, stop=stop):
            if found.estimate is not None:
                has_estimate.set()
        return found

    work = Work(last)
    assert has_estimate.wait(PATIENCE_SECONDS)
    time.sleep(0.4)
    assert work.stop() < MOST_SECONDS
    found = work.outcome
    assert isinstance(found, Odds)
    assert found.stopped == "request"
    assert found.estimate is not None


def test_a_flag_set_before_the_start_gives_an_answer_that_knows_nothing() -> None:
    stop = StopFlag()
    stop.set()
    for samples in (0, 100):
        *_, found = odds_stream(slam(), need=12, samples=samples, stop=stop)
        assert found.stopped == "request"
        assert found.bounds == (0, 1)


def test_a_flag_that_is_cleared_again_still_stopped_the_work() -> None:
    stop = StopFlag()

    def last() -> Odds:
        *_, found = odds_stream(slam(), need=12, samples=0, stop=stop)
        return found

    outcome: list[Odds] = []
    thread = threading.Thread(target=lambda: outcome.append(last()), daemon=True)
    thread.start()
    time.sleep(0.1)
    stop.set()
    time.sleep(0.2)
    stop.clear()
    thread.join(PATIENCE_SECONDS)
    assert outcome[0].stopped == "request"


def test_closing_the_stream_stops_a_long_sample_at_once() -> None:
    stream = odds_stream(hard(), samples=1_000_000, limit_mb=4)
    next(stream)
    start = time.monotonic()
    stream.close()  # type: ignore[attr-defined]
    assert time.monotonic() - start < MOST_SECONDS


@pytest.mark.parametrize(
    "call",
    [
        lambda stop: lead_odds("KJ83.94.QT62.875", "3NTS", samples=100_000, stop=stop),
        lambda stop: lead_odds(
            "KJ83.94.QT62.875", "3NTS", about="S: hcp 24+; N: hcp 3-", samples=100_000, stop=stop
        ),
        lambda stop: compare_contracts(hard(), "2NTS 2SN 1NTW", samples=100_000, stop=stop),
        lambda stop: odds_table(hard(), samples=100_000, stop=stop),
        lambda stop: odds_table(slam(), exact=True, stop=stop),
    ],
    ids=["leads", "leads that fit", "contracts", "table", "exact table"],
)
def test_questions_about_several_contracts_or_leads_raise_stopped(
    call: Callable[[StopFlag], object],
) -> None:
    assert_stops(call)
    found = lead_odds("KJ.2..", "1NTS", dummy="AQ.A..", hidden="T98.543..")
    assert isinstance(found, LeadOdds)
    assert str(found.leads[0].card) == "H2"
    check_still_right()


def test_many_sets_are_explained_only_until_the_flag_is_set() -> None:
    question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    king = Hand.from_text("K...")
    sets = [SettledSet(True, 3, (Bound(king, 1, 1),)), SettledSet(False, 3, (Bound(king, 0, 0),))]
    assert_stops(lambda stop: SetCounter(question.layouts, sets * 5_000_000, stop=stop))
    stop = StopFlag()
    stop.set()
    with pytest.raises(Stopped):
        explain_odds(solve_odds(question, need=2), stop=stop)


def test_one_core_answers_one_thread_while_it_is_stopped_for_another() -> None:
    """Nothing is queued: each call has its own searches, and its own flag."""
    core = OddsCore(hard(), limit_mb=64)
    quick = core.sample(2, 1)

    settling = Work(lambda stop: core.settle(8, stop=stop))
    assert_stops(lambda stop: core.sample(100_000, 1, stop=stop))
    assert core.sample(2, 1) == quick
    assert settling.stop() < MOST_SECONDS


def test_contracts_over_the_same_layouts_count_them_once() -> None:
    """Otherwise a table counts them for every contract before it first looks at its flag."""
    _weights.cache_clear()
    assert len(odds_table(hard(), samples=2)) == 10
    assert _weights.cache_info().misses == 1


def test_layouts_are_listed_only_until_the_flag_is_set() -> None:
    stop = StopFlag()
    stop.set()
    few = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    with pytest.raises(Stopped):
        compare_contracts(few, "1NTS 1SS", stop=stop)
