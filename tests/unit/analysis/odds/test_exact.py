"""Odds over all layouts: distributions, thresholds, bounds, stopping early."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oracle.odds import ListedLayouts, ListedResult
from setrograde import _core
from setrograde.analysis.odds.core import OddsCore
from setrograde.analysis.odds.exact import odds, odds_stream, solve_odds
from setrograde.analysis.odds.question import OddsQuestion
from setrograde.analysis.odds.result import Odds, Settled, TrickSample, wilson_interval
from setrograde.bridge import Card, Hand, InvalidInput, Seat, Strain
from setrograde.common.stop import StopFlag
from setrograde.db.database import DiagramLevel, level_path
from setrograde.db.methods.thresholds import build_thresholds
from setrograde.solve.endings import EndingTable

HANDS = Hand.from_text("AQT.AK..2"), Hand.from_text("432.32..3")
HIDDEN = Hand.from_text("KJ98.QJT9..AKQJ")
FULL = Hand.from_text("AKQ2.T98.A76.K54"), Hand.from_text("876.765.KQJ.QJT9")


def question(**options: Any) -> OddsQuestion:
    options.setdefault("hidden", HIDDEN)
    return OddsQuestion.of(*HANDS, Strain.NOTRUMP, Seat.SOUTH, **options)


def test_distribution_counts_every_layout_once() -> None:
    found = odds(*HANDS, Strain.NOTRUMP, Seat.SOUTH, hidden=HIDDEN)
    assert found.exact
    assert found.distribution == {2: 28, 3: 739, 4: 157}
    assert found.layouts == 924
    assert found.average == Fraction(28 * 2 + 739 * 3 + 157 * 4, 924)


def test_threshold_agrees_with_the_distribution() -> None:
    found = odds(*HANDS, Strain.NOTRUMP, Seat.SOUTH, hidden=HIDDEN, need=4)
    assert found.probability == Fraction(157, 924)
    assert found.bounds == (found.probability, found.probability)
    assert found.distribution is None
    assert found.sets is not None
    assert sum(each.layouts for each in found.sets) == 924
    assert sum(each.layouts for each in found.sets if each.makes) == 157


@pytest.mark.parametrize(("need", "probability"), [(0, 1), (1, 1), (6, 0)])
def test_sure_and_hopeless_thresholds(need: int, probability: int) -> None:
    found = odds(*HANDS, Strain.NOTRUMP, Seat.SOUTH, hidden=HIDDEN, need=need)
    assert found.probability == probability


@pytest.mark.parametrize("declarer", list(Seat))
def test_hidden_hands_may_declare(declarer: Seat) -> None:
    """The tricks of both sides in the same layouts add up, whoever is called declarer."""
    asked = question()
    theirs = solve_odds(replace(asked, declarer=declarer)).distribution
    partner = solve_odds(
        OddsQuestion.of_seats(
            {Seat.EAST: HANDS[0], Seat.WEST: HANDS[1]},
            Strain.NOTRUMP,
            declarer.next,
            hidden=HIDDEN,
        )
    ).distribution
    assert theirs == partner
    assert theirs is not None
    assert sum(theirs.values()) == 924
    if declarer in (Seat.EAST, Seat.WEST):
        assert max(theirs) <= 5


def test_declarer_east_takes_what_north_leading_leaves_him() -> None:
    """North leads in both; East declaring takes the tricks that South, if asked, would not."""
    east = solve_odds(replace(question(), declarer=Seat.WEST))
    spread = east.distribution
    assert spread is not None
    core = OddsCore(replace(question(), declarer=Seat.WEST), limit_mb=64)
    for need in range(1, 7):
        known = core.settle(need)
        assert known.yes == sum(count for tricks, count in spread.items() if 6 - tricks >= need)


def test_tricks_already_won_count() -> None:
    cards = [Card.from_text(word) for word in ["CA", "C2", "CJ", "C3"]]
    found = odds(*HANDS, Strain.NOTRUMP, Seat.SOUTH, hidden=HIDDEN, played=cards)
    assert found.distribution is not None
    assert max(found.distribution) <= 5
    cards += [Card.from_text(word) for word in ["S9", "ST", "SJ", "S2"]]
    later = odds(*HANDS, Strain.NOTRUMP, Seat.SOUTH, hidden=HIDDEN, played=cards)
    assert later.question.position.won_known == 0
    assert later.question.position.leader is Seat.EAST


def test_all_cards_played_leaves_one_layout_and_no_search() -> None:
    cards = [Card.from_text(word) for word in ["S9", "SA", "SK", "S3"]]
    found = odds(
        Hand.from_text("A..."),
        Hand.from_text("3..."),
        Strain.NOTRUMP,
        Seat.SOUTH,
        hidden=Hand.from_text("K9..."),
        played=cards,
    )
    assert found.distribution == {1: 1}
    assert found.solves == 0


def test_methods_agree() -> None:
    for need in (3, 4):
        classes, patterns = (
            solve_odds(question(), need=need, method=method) for method in ("classes", "patterns")
        )
        assert classes.probability == patterns.probability


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_do_not_change_the_answer(threads: int) -> None:
    assert solve_odds(question(), threads=threads).distribution == {2: 28, 3: 739, 4: 157}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"need": 7}, "not a number of tricks: 7 (expected 0 to 6)"),
        ({"need": -1}, "not a number of tricks: -1"),
        ({"within": 1.0}, "not a precision: 1.0"),
        ({"time_s": 0.0}, "not a time: 0.0 s"),
        ({"threads": 0}, "not a number of threads: 0"),
        ({"limit_mb": 1}, "not a memory limit: 1 MB"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        odds_stream(question(), **options)
    assert message in str(caught.value)


# --- anytime ---


class SlowCore(ListedLayouts):
    """Settles one layout every hundredth of a second, so that there is time to stop."""

    def settle(
        self,
        need: int,
        *,
        method: str = "classes",
        threads: int = 1,
        progress: Callable[[Any], bool] | None = None,
        stop: StopFlag | None = None,
    ) -> ListedResult:
        def slowly(now: Any) -> bool:
            time.sleep(0.01)
            return progress is not None and progress(now)

        return super().settle(need, method=method, threads=threads, progress=slowly, stop=stop)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "OddsSolver", SlowCore, raising=False)


def test_stream_gives_an_estimate_then_bounds_then_the_exact_chance() -> None:
    updates = list(odds_stream(question(), need=4, samples=200))
    assert updates[0].estimate is not None
    assert updates[0].bounds == (0, 1)
    assert not updates[0].exact
    assert updates[-1].exact
    assert updates[-1].stopped is None
    lows = [update.bounds[0] for update in updates if update.bounds]
    highs = [update.bounds[1] for update in updates if update.bounds]
    assert lows == sorted(lows)
    assert highs == sorted(highs, reverse=True)
    assert all(low <= Fraction(157, 924) <= high for low, high in zip(lows, highs, strict=True))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_sample_follows_from_its_seed_alone(threads: int) -> None:
    def drawn(count: int, seed: int, threads: int) -> tuple[int, ...]:
        options = {"samples": count, "seed": seed, "threads": threads}
        *_, last = odds_stream(question(), need=4, **options)  # type: ignore[arg-type]
        assert last.sample is not None
        return last.sample.tricks

    assert drawn(50, 3, threads) == drawn(50, 3, 1)
    assert drawn(20, 3, threads) == drawn(50, 3, 1)[:20]
    assert drawn(50, 4, threads) != drawn(50, 3, threads)


@pytest.mark.usefixtures("slow")
def test_time_stops_the_work_and_says_so() -> None:
    *_, last = odds_stream(question(), need=4, samples=20, time_s=0.2)
    assert last.stopped == "time"
    assert not last.exact
    assert last.probability is None
    assert last.bounds is not None
    assert 0 <= last.bounds[0] < Fraction(157, 924) < last.bounds[1] <= 1
    assert last.estimate is not None
    assert last.estimate.samples == 20


@pytest.mark.usefixtures("slow")
def test_precision_stops_the_work_and_says_so() -> None:
    *_, last = odds_stream(question(), need=4, samples=0, within=0.49)
    assert last.stopped == "within"
    assert last.bounds is not None
    assert last.bounds[1] - last.bounds[0] <= Fraction(98, 100)
    *_, last = odds_stream(question(), need=4, samples=500, within=0.05)
    assert last.stopped == "within"
    assert last.estimate is not None
    assert last.estimate.half_width <= 0.05


@pytest.mark.usefixtures("slow")
def test_closing_the_stream_ends_the_work() -> None:
    before = threading.active_count()
    stream = odds_stream(question(), need=4, samples=0)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


def test_an_error_in_the_work_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(ListedLayouts):
        def settle(self, *args: Any, **options: Any) -> ListedResult:
            raise MemoryError("no room")

    monkeypatch.setattr(_core, "OddsSolver", Broken, raising=False)
    with pytest.raises(MemoryError, match="no room"):
        solve_odds(question(), need=4)


def test_a_stopped_distribution_still_bounds_everything() -> None:
    """Nine tricks settled: ten can be no likelier, eight no less likely."""
    found = Odds(question(), None, 10, {3: Settled(3, makes=6, fails=3, open=1)})
    assert found.counts_at_least(4) == (0, 7)
    assert found.counts_at_least(3) == (6, 7)
    assert found.counts_at_least(2) == (6, 10)
    assert found.distribution is None
    low, high = found.average_bounds
    assert low == Fraction(6 * 3, 10)
    assert high == Fraction(10 + 10 + 7 * 4, 10)


def test_estimate_stays_within_what_is_proved() -> None:
    sample = TrickSample((4,) * 10, seed=1)
    found = Odds(question(), 4, 10, {4: Settled(4, makes=1, fails=5, open=4)}, sample)
    estimate = found.estimate
    assert estimate is not None
    assert (estimate.share, estimate.high) == (0.5, 0.5)


@pytest.mark.parametrize("chance", [0.05, 0.3, 0.5, 0.9])
def test_wilson_interval_covers_the_truth_about_as_often_as_it_says(chance: float) -> None:
    from random import Random

    rng = Random(3)
    hits = 0
    for _ in range(1000):
        low, high = wilson_interval(sum(rng.random() < chance for _ in range(80)), 80)
        hits += low <= chance <= high
    assert 920 <= hits <= 985


def test_interval_of_six_percent_takes_about_270_layouts() -> None:
    low, high = wilson_interval(135, 270)
    assert (high - low) / 2 == pytest.approx(0.06, abs=0.001)


def test_a_full_deal_gives_an_estimate_within_two_seconds() -> None:
    asked = OddsQuestion.of(*FULL, Strain.NOTRUMP, Seat.SOUTH)
    stream = odds_stream(asked, need=7, time_s=5)
    first = next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert first.layouts == 10_400_600
    assert first.estimate is not None
    assert first.seconds < 2


def test_a_damaged_database_is_left_out_with_a_warning(
    endings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "damaged"
    build_thresholds(DiagramLevel(level_path(3, endings)), path)
    data = bytearray(path.read_bytes())
    for place in range(4096, len(data) - 2000, 40_000):  # in every block
        data[place] ^= 64
    path.write_bytes(data)
    monkeypatch.setattr(
        "setrograde.analysis.odds.core.endings_for", lambda tricks: EndingTable(path)
    )
    with pytest.warns(UserWarning, match="damaged .*; solving without it"):
        assert solve_odds(question(), threads=1).distribution == {2: 28, 3: 739, 4: 157}
