"""Operations on sets stopped from another thread: under way, in the queue, and what comes after."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from setrograde.common.stop import StopFlag, Stopped
from setrograde.sets import (
    BoardSet,
    BoardSpace,
    Change,
    Move,
    Moves,
    format_sets,
    load_sets,
    save_sets,
)
from stopped_work import MOST_SECONDS, Work, assert_stops

PLACES = 60


def sum_set(space: BoardSpace, seed: int, most_weight: int) -> BoardSet:
    """Boards in the lower half of a sum with random weights: hundreds of thousands of states."""
    rng = Random(seed)
    weights = [
        {letter: rng.randrange(most_weight) for letter in letters} for letters in space.alphabets
    ]
    return space.with_sum(weights, least=0, most=most_weight * space.places // 2)


@pytest.fixture(scope="module")
def space() -> BoardSpace:
    return BoardSpace(["abcd"] * PLACES, limit_mb=4096)


@pytest.fixture(scope="module")
def sets(space: BoardSpace) -> tuple[BoardSet, BoardSet]:
    return sum_set(space, 1, 100), sum_set(space, 2, 100)


def assert_usable(space: BoardSpace) -> None:
    assert (space.at(0, "a") & space.at(1, "bc")).count == 2 * 4 ** (PLACES - 2)


@pytest.mark.parametrize("operation", ["&", "|", "-", "^"])
def test_an_operation_stops(
    space: BoardSpace, sets: tuple[BoardSet, BoardSet], operation: str
) -> None:
    one, other = sets
    operations = {
        "&": one.__and__,
        "|": one.__or__,
        "-": one.__sub__,
        "^": one.__xor__,
    }

    def work(flag: StopFlag) -> BoardSet:
        with space.stopping(flag):
            return operations[operation](other)

    assert_stops(work)
    assert_usable(space)


def test_making_a_set_stops() -> None:
    space = BoardSpace(["abcdefgh"] * 200, limit_mb=4096)

    def work(flag: StopFlag) -> BoardSet:
        with space.stopping(flag):
            return sum_set(space, 3, 1000)

    assert_stops(work)
    assert space.at(0, "a").count == 8**199


def test_compiling_and_making_moves_stops(
    space: BoardSpace, sets: tuple[BoardSet, BoardSet]
) -> None:
    one, other = sets
    step = [
        Move((Change(place, (("a", "b"),)), Change(place + 1, (("b", "a"),))))
        for place in range(PLACES - 1)
    ]
    both_ways = Moves(space, step)

    def compile_moves(flag: StopFlag) -> int:
        with space.stopping(flag):
            return Moves(space, [Move(move.changes, one, other) for move in step]).states

    def repeat(flag: StopFlag) -> BoardSet:
        boards = one
        with space.stopping(flag):
            while True:
                boards |= both_ways.reverse(boards) ^ both_ways.forward(boards)

    assert_stops(compile_moves)
    assert_stops(repeat)
    assert_usable(space)
    start = "ab" + "c" * (PLACES - 2)
    assert list(both_ways.forward(space.of([start]))) == ["ba" + start[2:]]


def test_writing_a_file_stops_and_leaves_none(
    sets: tuple[BoardSet, BoardSet], tmp_path: Path
) -> None:
    def work(flag: StopFlag) -> None:
        while True:
            save_sets(tmp_path / "some.sets", {"a": sets[0]}, level=22, stop=flag)
            (tmp_path / "some.sets").unlink()

    assert_stops(work)
    assert not list(tmp_path.glob("*.sets"))


def test_reading_and_counting_stop(sets: tuple[BoardSet, BoardSet], tmp_path: Path) -> None:
    path = tmp_path / "some.sets"
    save_sets(path, {"a": sets[0]}, level=1)

    def read(flag: StopFlag) -> None:
        while True:
            load_sets(path, stop=flag)

    space = sets[0].space

    def count(flag: StopFlag) -> None:
        with space.stopping(flag):
            while True:
                _ = space.wrap(sets[0].core).count

    assert_stops(read)
    assert_stops(count)
    assert load_sets(path, space=space).sets["a"] == sets[0]


def test_boards_listed_drawn_and_asked_for_stop(space: BoardSpace) -> None:
    def listed(flag: StopFlag) -> int:
        with space.stopping(flag):
            return sum(1 for _ in space.everything)

    def drawn(flag: StopFlag) -> list[str]:
        with space.stopping(flag):
            return space.everything.sample(10**9, seed=1)

    boards = ["abcd" * (PLACES // 4)] * 1_000_000

    def asked(flag: StopFlag) -> list[bool]:
        with space.stopping(flag):
            return space.everything.contains_all_of(boards)

    for work in (listed, drawn, asked):
        assert_stops(work)
    assert_usable(space)


def test_an_operation_in_the_queue_stops_and_the_other_goes_on(
    space: BoardSpace, sets: tuple[BoardSet, BoardSet]
) -> None:
    one, other = sets

    def long(flag: StopFlag) -> BoardSet:
        with space.stopping(flag):
            return one ^ other

    def small(flag: StopFlag) -> BoardSet:
        with space.stopping(flag):
            return space.at(0, "a")

    first = Work(long)
    time.sleep(0.1)
    queued = Work(small)
    time.sleep(0.1)
    assert queued.is_running
    assert queued.stop() < MOST_SECONDS
    assert isinstance(queued.outcome, Stopped)
    assert first.is_running
    assert first.stop() < MOST_SECONDS
    assert isinstance(first.outcome, Stopped)
    assert_usable(space)


def test_a_space_may_have_a_flag_of_its_own() -> None:
    flag = StopFlag()
    space = BoardSpace([".x"] * 4, stop=flag)
    assert space.at(0, "x").count == 8
    flag.set()
    with pytest.raises(Stopped):
        space.at(0, "x")
    with space.stopping(StopFlag()):
        assert space.at(0, "x").count == 8
    with space.stopping(None), pytest.raises(Stopped):
        space.at(0, "x")
    flag.clear()
    assert space.at(0, "x").count == 8


def test_a_flag_that_is_not_set_changes_no_byte(sets: tuple[BoardSet, BoardSet]) -> None:
    few = sets[0].space.with_count("a", most=9)
    assert format_sets({"few": few}) == format_sets({"few": few}, stop=StopFlag())
