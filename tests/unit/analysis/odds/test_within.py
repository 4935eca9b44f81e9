"""A precision is reached by what closes soonest: a proof or a sample."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from setrograde.analysis.odds import OddsQuestion, exact, odds, odds_stream
from setrograde.analysis.odds.result import Odds
from setrograde.common.stop import StopFlag
from setrograde.errors import InvalidInput, Stopped

FULL = "AKQ2.T98.A76.K54", "876.765.KQJ.QJT9"
LAYOUTS = 10_400_600


@dataclass
class Progress:
    yes: int = 0
    no: int = 0
    open: int = LAYOUTS
    solves: int = 0
    told_apart: int = 0
    nodes: int = 0
    sets: tuple[Any, ...] = ()


@dataclass
class TimedCore:
    """A core whose proof and sample take a given time; every other layout makes."""

    proof_s: float
    sample_s: float
    sample_threads: int = 1
    can_sample_beside: bool = True

    def settle(
        self,
        need: int,
        *,
        progress: Callable[[Any], bool] | None = None,
        stop: StopFlag | None = None,
    ) -> Progress:
        begun = time.monotonic()
        now = Progress()
        while now.open:
            time.sleep(0.02)
            share = min(1.0, (time.monotonic() - begun) / self.proof_s)
            now.yes = now.no = int(share * LAYOUTS / 2)
            now.open = LAYOUTS - now.yes - now.no
            if progress is not None and progress(now):
                break
        return now

    def sample(
        self,
        count: int,
        seed: int,
        need: int | None = None,
        *,
        progress: Callable[[int], bool] | None = None,
        stop: StopFlag | None = None,
    ) -> list[int]:
        time.sleep(count * self.sample_s)
        if progress is not None and progress(count):
            raise Stopped("stopped before the end")
        return [(need or 7) - place % 2 for place in range(count)]


def last_of(core: TimedCore, monkeypatch: pytest.MonkeyPatch, within: float) -> Odds:
    monkeypatch.setattr(exact, "OddsCore", lambda *args, **options: core)
    monkeypatch.setattr(exact, "_SAMPLE_S", 0.2)
    question = OddsQuestion.of(*FULL, contract="1NTS")
    *_, last = odds_stream(question, need=7, within=within, threads=1)
    return last


def test_a_slow_proof_is_given_up_for_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = time.monotonic()
    last = last_of(TimedCore(proof_s=100, sample_s=1e-5), monkeypatch, 0.01)
    assert time.monotonic() - begun < 20
    assert last.stopped == "within"
    assert last.estimate is not None
    assert last.estimate.half_width <= 0.01
    assert not last.exact


def test_a_slow_sample_does_not_end_a_quick_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    last = last_of(TimedCore(proof_s=1.5, sample_s=0.005), monkeypatch, 0.01)
    assert last.bounds is not None
    assert float(last.bounds[1] - last.bounds[0]) <= 0.02
    assert last.sample is not None
    assert len(last.sample.tricks) < 1000


def test_odds_take_a_time_a_precision_and_tell_their_progress() -> None:
    heard = list[Odds]()
    found = odds(*FULL, contract="1NTS", within=0.05, progress=heard.append)
    assert found.exact or found.stopped == "within"
    assert heard[-1] is found
    assert found.sample is not None
    slam = "AQ32.K54.A32.K32", "K54.AQ3.KQ4.QJ54"
    begun = time.monotonic()
    found = odds(*slam, contract="6NTS", time_s=0.3, seed=5)
    assert time.monotonic() - begun < 5
    assert found.stopped == "time"
    assert found.sample is not None
    assert found.sample.seed == 5


def test_an_error_in_progress_stops_the_work() -> None:
    def refuse(found: Odds) -> None:
        raise InvalidInput("enough")

    with pytest.raises(InvalidInput, match="enough"):
        odds(*FULL, contract="1NTS", progress=refuse)
