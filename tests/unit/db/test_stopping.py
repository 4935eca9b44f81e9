"""Long work with endings stops when another thread sets its flag; what was stopped stays usable."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from setrograde import _core
from setrograde.common.stop import StopFlag, Stopped
from setrograde.db import (
    DealSet,
    DiagramLevel,
    EndingDatabase,
    ShapeSolver,
    StateLevel,
    build_database,
    build_diagrams,
    build_sharded,
    build_thresholds,
    compare_cards,
    mine,
    pack_level,
    unpack_level,
    unrank_shape,
    verify_level,
    verify_random_deals,
    verify_share_of_shapes,
)
from setrograde.db.endings.ending_sets import EndingSet
from setrograde.db.methods.set_levels import SetLevel
from setrograde.locations import level_path
from stopped_work import MOST_SECONDS, Work, assert_stops

ANY_TWENTY = "SAKQJT=x HAKQJT=x DAKQJT=x CAKQJT=x"
SMALL = "SAQ=N SK=EW S76543=x H2=N HA=E H43=SW"


def test_a_build_of_diagrams_stops_and_goes_on(tmp_path: Path, endings: Path) -> None:
    # The plan of 20 cards alone takes seconds; then come its levels, from the smallest on.
    for after_s in (0.1, 1.0):
        assert_stops(
            lambda flag: build_diagrams(5, tmp_path / "five", stop=flag), after_seconds=after_s
        )
    assert not (tmp_path / "five").exists()
    assert_stops(lambda flag: build_diagrams(4, tmp_path / "four", stop=flag), after_seconds=0.6)
    assert not (tmp_path / "four").exists()
    build_diagrams(3, tmp_path / "three")
    assert (tmp_path / "three").read_bytes() == level_path(3, endings).read_bytes()


def test_a_whole_database_stops_and_what_is_built_stays(tmp_path: Path, endings: Path) -> None:
    assert_stops(lambda flag: build_database(20, tmp_path, stop=flag), after_seconds=1.0)
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        build_database(12, tmp_path / "new", stop=flag)
    build_database(8, tmp_path)
    assert level_path(2, tmp_path).read_bytes() == level_path(2, endings).read_bytes()


def test_a_build_in_shards_stops_and_goes_on(tmp_path: Path) -> None:
    assert_stops(lambda flag: build_sharded(6, tmp_path / "six", stop=flag))
    path = tmp_path / "four"
    assert_stops(
        lambda flag: build_sharded(4, path, shards=40, groups=8, stop=flag), after_seconds=0.8
    )
    two = tmp_path / "two"
    assert build_sharded(2, two, shards=5, groups=2).is_complete


def test_a_level_of_sets_stops() -> None:
    below = SetLevel(2)
    assert_stops(lambda flag: SetLevel(3, below, stop=flag))
    shape = EndingSet.from_text("NT xxxxxx:2211 xxxxxx:1122").shape

    def solve_again_and_again(flag: StopFlag) -> None:
        while True:  # one shape takes a hundredth of a second
            below.solve_shape(shape, stop=flag)

    assert_stops(solve_again_and_again)
    assert below.statistics.sets == 5352


def test_a_level_of_states_stops() -> None:
    below = StateLevel(2)
    assert_stops(lambda flag: StateLevel(3, below, threads=1, stop=flag))
    assert below.states == 87162


def test_a_table_of_one_shape_stops_also_while_it_waits_for_another() -> None:
    level = StateLevel(2)
    solver = ShapeSolver(4, level, threads=1)
    large = unrank_shape(4, int(_core.shape_layouts(4).argmax()))  # 9 million layouts
    first = Work(lambda flag: solver.solve(large, stop=flag))
    time.sleep(0.1)
    assert_stops(lambda flag: solver.solve(large, stop=flag))  # queued
    assert first.is_running
    assert first.stop() < MOST_SECONDS
    assert isinstance(first.outcome, Stopped)
    small = unrank_shape(4, 3)
    assert solver.solve(small) == ShapeSolver(4, level).solve(small)


@pytest.fixture(scope="module")
def sixteen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All endings up to 16 cards."""
    data = tmp_path_factory.mktemp("data")
    build_database(16, data)
    return data


@pytest.mark.slow
def test_thresholds_stop_and_leave_nothing_behind(sixteen: Path, tmp_path: Path) -> None:
    level = DiagramLevel(level_path(4, sixteen))
    target = tmp_path / "made"
    assert_stops(lambda flag: build_thresholds(level, target, stop=flag))
    assert not list(tmp_path.iterdir())
    build_thresholds(level, target)
    expected = level_path(4, sixteen, method="thresholds").read_bytes()
    assert target.read_bytes() == expected


@pytest.mark.slow
def test_questions_about_sets_stop(sixteen: Path) -> None:
    database = EndingDatabase.open(sixteen)
    deals = DealSet.from_text("SAKQJ=x HAKQ=x DAKQJT=x CAKQ=-N CJ=x")
    assert_stops(lambda flag: database.decisive_cards(deals, "NT", "S", stop=flag))
    assert database.query(SMALL, "NT", "S").histogram == {1: 20, 2: 180}


@pytest.mark.slow
def test_packing_stops_and_leaves_nothing_behind(sixteen: Path, tmp_path: Path) -> None:
    source, target = level_path(4, sixteen), tmp_path / "packed"
    assert_stops(lambda flag: pack_level(source, target, stop=flag))
    assert not list(tmp_path.iterdir())
    pack_level(source, target)
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        unpack_level(target, tmp_path / "back", stop=flag)
    assert [path.name for path in tmp_path.iterdir()] == ["packed"]
    assert unpack_level(target, tmp_path / "back").tricks == 4


def test_packing_looks_at_the_flag(endings: Path, tmp_path: Path) -> None:
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        pack_level(level_path(3, endings), tmp_path / "packed", stop=flag)
    assert not list(tmp_path.iterdir())


def test_questions_look_at_the_flag(endings: Path) -> None:
    database = EndingDatabase.open(endings)
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        database.query(SMALL, "NT", "S", stop=flag)
    with pytest.raises(Stopped):
        database.decisive_cards(SMALL, "NT", "S", stop=flag)
    with pytest.raises(Stopped):
        build_thresholds(database.level(3), endings / "none", stop=flag)
    assert not (endings / "none").exists()
    flag.clear()
    assert database.query(SMALL, "NT", "S", stop=flag).deals == 200


def test_mining_stops_and_the_same_mine_goes_on() -> None:
    stop = StopFlag()
    found = mine("only-card", 16, stop=stop)

    for after_s in (0.05, 0.5):  # the counting begins after a tenth of a second
        running = Work(lambda flag: found.count(), flag=stop)
        time.sleep(after_s)
        assert running.stop() < MOST_SECONDS
        assert isinstance(running.outcome, Stopped)
        stop.clear()
    assert mine("only-card", 8).count().total == 15943


def test_mining_stops_while_another_thread_counts() -> None:
    own = StopFlag()
    found = mine("only-card", 16, stop=own)
    counting = Work(lambda flag: found.count(), flag=own)
    time.sleep(0.1)
    waiting = Work(lambda flag: found.sample(1, seed=1), flag=own)
    time.sleep(0.1)
    assert counting.is_running and waiting.is_running
    assert waiting.stop() < MOST_SECONDS
    assert not counting.is_running or counting.stop() < MOST_SECONDS
    assert isinstance(waiting.outcome, Stopped) and isinstance(counting.outcome, Stopped)


@pytest.mark.parametrize("ask", ["sharpest", "sample", "list", "estimate"])
def test_whatever_is_asked_of_a_mine_stops(ask: str) -> None:
    questions: dict[str, Callable[[StopFlag], object]] = {
        "sharpest": lambda flag: mine("unblock", 16, stop=flag).sharpest(),
        "sample": lambda flag: mine("lead-costs", 16, stop=flag).sample(1000, seed=1),
        "list": lambda flag: list(mine("only-low", 16, stop=flag)),
        "estimate": lambda flag: mine("only-card", 20, stop=flag).estimate(3000, seed=1),
    }
    assert_stops(questions[ask], after_seconds=0.4)


def test_a_comparison_of_cards_stops() -> None:
    assert_stops(lambda flag: compare_cards(ANY_TWENTY, "NT", "S", stop=flag), after_seconds=0.2)
    assert compare_cards(SMALL, "NT", "S").deals == 200


def test_a_verification_that_is_stopped_reports_what_was_done() -> None:
    level = StateLevel(2)
    works: list[Callable[[StopFlag], object]] = [
        lambda flag: verify_random_deals(level, 10**8, stop=flag),
        lambda flag: list(verify_level(level, states=10**8, stop=flag))[-1],
    ]
    for work in works:
        running = Work(work)
        time.sleep(0.2)
        assert running.stop() < MOST_SECONDS
        assert not running.outcome.is_complete  # type: ignore[attr-defined]
    assert verify_random_deals(level, 100).is_ok


def test_a_verification_stops_while_its_reference_is_made() -> None:
    class Claims:
        def __init__(self, tricks: int) -> None:
            self.tricks = tricks

        def values_of_shape(self, rank: int) -> bytes:
            return bytes(unrank_shape(self.tricks, rank).layouts)

        def values(
            self,
            hands: np.typing.NDArray[np.uint64],
            strains: np.typing.NDArray[np.uint8],
            leaders: np.typing.NDArray[np.uint8],
        ) -> np.typing.NDArray[np.uint8]:
            return np.zeros(len(hands), np.uint8)

    # What lies below 16 cards takes seconds; what lies below 12 is soon there, then come shapes.
    for tricks, after_s in ((4, 0.1), (3, 0.6)):
        claims = Claims(tricks)
        running = Work(lambda flag, claims=claims: verify_share_of_shapes(claims, 1.0, stop=flag))
        time.sleep(after_s)
        assert running.stop() < MOST_SECONDS
        assert not running.outcome.is_complete  # type: ignore[attr-defined]
