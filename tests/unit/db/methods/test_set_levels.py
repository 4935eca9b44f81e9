"""Levels of sets from the core, against Python's version, plain enumeration and the solver."""

from __future__ import annotations

import _thread
import signal
import struct
import threading
import time
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.retrograde import iter_levels
from setrograde.bridge import InvalidInput, Play, Seat
from setrograde.db.endings.counting import count_shapes
from setrograde.db.endings.ending_sets import EndingSet, EndingSets
from setrograde.db.endings.shapes import InvalidShape, Shape, iter_shapes, rank_shape, unrank_shape
from setrograde.db.endings.states import Ending, InvalidEnding, unrank_string
from setrograde.db.methods.set_levels import MAX_SET_TRICKS, SetLevel
from setrograde.db.methods.state_tables import ShapeSolver, StateLevel, layout_at
from setrograde.papers.setrograde import (
    Entry,
    LevelDatabase,
    build_level,
    build_levels,
    verify_level,
)
from setrograde.solve import solve_many

GAME = EndingSets()
SETS = {1: (84, 302, 73), 2: (7784, 47336, 5352), 3: (467651, 3614566, 239166)}


@cache
def level(tricks: int) -> SetLevel:
    return SetLevel(tricks, level(tricks - 1) if tricks else None)


@pytest.mark.parametrize("tricks", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_levels_need_the_known_number_of_sets(tricks: int) -> None:
    statistics = level(tricks).statistics
    found = (statistics.sets_found, statistics.questions, statistics.sets)
    assert found == SETS[tricks]
    assert len(list(level(tricks))) == len(level(tricks)) == statistics.sets


@pytest.mark.parametrize("tricks", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_all_endings_have_the_values_of_plain_retrograde_analysis(tricks: int) -> None:
    *_, expected = iter_levels(tricks)
    assert {ending: level(tricks).value(ending) for ending in expected} == expected


def test_python_finds_as_many_sets_with_as_many_questions() -> None:
    python = build_levels(GAME, 1)[1].statistics
    native = level(1).statistics
    assert (python.sets_found, python.questions) == (native.sets_found, native.questions)


def test_python_and_native_levels_agree_on_sampled_shapes_of_two_tricks() -> None:
    one_trick = build_levels(GAME, 1)[1]
    ranks = Random(11).sample(range(level(2).shapes), 60)
    for rank in ranks:
        everything = EndingSet.from_shape(unrank_shape(2, rank))
        python = build_level(GAME, 2, one_trick, universe=[everything])
        assert list(level(2).values_of_shape(rank)) == [
            python.probe(ending) for ending in layouts_of_shape(2, rank)
        ]
        assert len(level(2).entries_of_shape(rank)) <= len(python)


@pytest.mark.slow
def test_python_and_native_levels_of_two_tricks_are_alike() -> None:
    python = build_levels(GAME, 2)[2]
    statistics, native = python.statistics, level(2).statistics
    assert (statistics.sets_found, statistics.questions) == (native.sets_found, native.questions)
    for rank in range(native.partitions):
        endings = layouts_of_shape(2, rank)
        assert list(level(2).values_of_shape(rank)) == list(map(python.probe, endings))


def test_native_sets_of_sampled_shapes_verify_by_the_python_oracle() -> None:
    one_trick = build_levels(GAME, 1)[1]
    ranks = Random(12).sample(range(level(2).shapes), 60)
    universe = [EndingSet.from_shape(unrank_shape(2, rank)) for rank in ranks]
    entries = {
        states.shape: level(2).entries_of_shape(rank)
        for rank, states in zip(ranks, universe, strict=True)
    }
    database = LevelDatabase(GAME, 2, entries, level(2).statistics)
    assert verify_level(database, one_trick, GAME, universe=universe) == ()


def layouts_of_shape(tricks: int, rank: int) -> list[Ending]:
    """In the order of `values_of_shape`."""
    shape = unrank_shape(tricks, rank)
    suits = [[""]] * 4
    for place, split in enumerate(shape.suits):
        strings: list[str] = []
        while True:
            try:
                strings.append(unrank_string(split, len(strings)))
            except InvalidEnding:
                break
        suits[place] = strings
    return [
        Ending((a, b, c, d), shape.has_trumps)
        for a in suits[0]
        for b in suits[1]
        for c in suits[2]
        for d in suits[3]
    ]


@given(st.integers(0, 2053), st.randoms(use_true_random=False))
def test_no_ending_is_in_sets_of_two_values(rank: int, rng: Random) -> None:
    endings = layouts_of_shape(2, rank)
    values = level(2).values_of_shape(rank)
    assert len(endings) == len(values)
    entries = level(2).entries_of_shape(rank)
    for place in rng.sample(range(len(endings)), min(20, len(endings))):
        holders = [entry.value for entry in entries if endings[place] in entry.states]
        assert set(holders) == {values[place]}
        assert level(2).value(endings[place]) == values[place]


@given(st.integers(0, 2053), st.randoms(use_true_random=False))
def test_the_order_of_side_suits_does_not_matter(rank: int, rng: Random) -> None:
    ending = rng.choice(layouts_of_shape(2, rank))
    side = list(ending.suits[:3] if ending.has_trumps else ending.suits)
    rng.shuffle(side)
    a, b, c, d = (*side, *ending.suits[len(side) :])
    other = Ending((a, b, c, d), ending.has_trumps)
    assert level(2).value(other) == level(2).value(ending)
    found = level(2).find(other)
    assert other.canonical() in found.states
    assert found.value == level(2).value(ending)


def test_sampled_endings_of_two_tricks_have_the_solvers_value() -> None:
    rng = Random(13)
    endings = [rng.choice(layouts_of_shape(2, rng.randrange(level(2).shapes))) for _ in range(500)]
    plays = [Play(ending.to_deal(), ending.strain, Seat.NORTH) for ending in endings]
    assert list(map(level(2).value, endings)) == list(solve_many(plays, threads=1, limit_mb=32))


def test_sets_are_written_without_owners_who_have_no_card() -> None:
    for entry in level(2):
        for suit in entry.states.suits:
            holders = sum(1 << player for player, count in enumerate(suit.counts) if count)
            assert all(mask == 15 or not mask & ~holders for mask in suit.masks)


@pytest.mark.parametrize(
    ("tricks", "layouts"),
    [(1, 209), (2, 87_921), pytest.param(3, 33_920_712, marks=pytest.mark.slow)],
)
def test_all_layouts_have_the_values_of_plain_enumeration(tricks: int, layouts: int) -> None:
    states = StateLevel(tricks)
    compared = 0
    for rank in range(states.shapes):
        values = level(tricks).values_of_shape(rank)
        assert values == states.values_of_shape(rank)
        compared += len(values)
    assert compared == layouts


def test_a_single_shape_of_the_level_above_has_the_same_sets() -> None:
    for rank in range(0, level(2).shapes, 41):
        shape = unrank_shape(2, rank)
        assert level(1).solve_shape(shape) == level(2).entries_of_shape(rank)


def test_single_shapes_must_be_canonical_and_of_the_level_above() -> None:
    shape = unrank_shape(1, 3)
    for tricks in (1, 2):
        with pytest.raises(InvalidShape, match=rf"a shape of 1 tricks.*expected {tricks + 1}\)"):
            level(tricks).solve_shape(shape)
    a, b, c, d = shape.suits
    with pytest.raises(InvalidShape, match="not canonical"):
        level(0).solve_shape(Shape((d, c, b, a), False))


@pytest.mark.slow
def test_sampled_shapes_of_four_tricks_have_the_values_of_plain_enumeration() -> None:
    rng = Random(14)
    solver = ShapeSolver(4)
    compared = 0
    for rank in rng.sample(range(count_shapes(4).total), 200):
        shape = unrank_shape(4, rank)
        values = solver.values_of_shape(rank)
        entries = level(3).solve_shape(shape)
        for place in rng.sample(range(len(values)), min(100, len(values))):
            ending = layout_at(shape, place)
            held = {entry.value for entry in entries if ending in entry.states}
            assert held == {values[place]}
            compared += 1
    assert compared > 5000


@pytest.mark.slow
def test_three_tricks_read_back_from_bytes() -> None:
    data = level(3).to_bytes()
    assert SetLevel.from_bytes(data).to_bytes() == data


@pytest.mark.parametrize("tricks", [0, 1, 2])
def test_a_level_reads_back_from_its_bytes(tricks: int) -> None:
    data = level(tricks).to_bytes()
    read = SetLevel.from_bytes(data)
    assert read.to_bytes() == data
    assert read.statistics == level(tricks).statistics
    assert list(read) == list(level(tricks))


@given(st.binary(max_size=200))
def test_bytes_that_are_no_level_are_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="not a level of sets"):
        SetLevel.from_bytes(data)


@given(st.integers(0, 920), st.integers(1, 255))
def test_damaged_bytes_are_refused(place: int, change: int) -> None:
    data = bytearray(level(1).to_bytes())
    data[place] ^= change
    with pytest.raises(InvalidInput, match="not a level of sets: "):
        SetLevel.from_bytes(bytes(data))


@given(st.integers(0, 920))
def test_bytes_that_end_early_are_refused(size: int) -> None:
    with pytest.raises(InvalidInput, match="not a level of sets: "):
        SetLevel.from_bytes(level(1).to_bytes()[:size])


def test_the_bytes_of_a_level_are_as_documented() -> None:
    data = level(1).to_bytes()
    header = struct.unpack_from("<8sIIII3Q", data)
    assert header[:5] == (b"SGENDSET", 1, 1, 52, 73)
    assert header[5:7] == (84, 302)
    starts = [*struct.unpack_from("<52I", data, 48), 73]
    masks = struct.unpack_from("<73Q", data, 48 + 52 * 4)
    values = data[48 + 52 * 4 + 73 * 8 : -8]
    for rank, (start, end) in enumerate(pairwise(starts)):
        sets = [sum(m << 4 * c for c, m in enumerate(e.states.masks)) for e in entries(rank)]
        assert list(masks[start:end]) == sets
        assert list(values[start:end]) == [entry.value for entry in entries(rank)]


def entries(rank: int) -> tuple[Entry[EndingSet], ...]:
    return level(1).entries_of_shape(rank)


@pytest.mark.parametrize("tricks", [-1, MAX_SET_TRICKS + 1, 13])
def test_levels_that_do_not_fit_are_refused(tricks: int) -> None:
    with pytest.raises(InvalidInput, match=rf"no sets of {tricks} tricks \(expected 0 to 4\)"):
        SetLevel(tricks)


def test_the_level_below_must_be_the_one_below() -> None:
    with pytest.raises(InvalidInput, match=r"not the level below 2 tricks: SetLevel\(0\)"):
        SetLevel(2, level(0))
    with pytest.raises(InvalidInput, match="not the level below 0 tricks"):
        SetLevel(0, level(0))


def test_endings_and_shapes_of_other_levels_are_refused() -> None:
    with pytest.raises(InvalidEnding, match="an ending of 1 tricks"):
        level(2).value(Ending(("", "", "", "0123")))
    for rank in (-1, 2054):
        with pytest.raises(InvalidShape, match="not the number of a shape with 2 tricks"):
            level(2).values_of_shape(rank)
        with pytest.raises(InvalidShape, match="not the number of a shape with 2 tricks"):
            level(2).entries_of_shape(rank)


@pytest.mark.parametrize(
    ("rank", "owners", "complaint"),
    [(52, b"\0\1\2\3", "number"), (0, b"\0\1\2", "cards"), (0, b"\0\1\2\4", "owner is"),
     (0, b"\0\0\0\0", "another shape")],
)  # fmt: skip
def test_the_core_checks_what_it_is_asked(rank: int, owners: bytes, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        level(1)._core.value_of_layout(rank, owners)


def test_ranks_of_the_core_are_those_of_python() -> None:
    for rank, shape in enumerate(iter_shapes(1)):
        assert rank_shape(shape) == rank
        assert {entry.states.shape for entry in level(1).entries_of_shape(rank)} == {shape}


class Enough(Exception):
    """Raised by a progress callback."""


def test_progress_counts_shapes_and_its_error_stops_the_build() -> None:
    seen: list[int] = []

    def progress(shapes: int) -> None:
        seen.append(shapes)
        if len(seen) == 3:
            raise Enough

    with pytest.raises(Enough):
        SetLevel(3, level(2), progress=progress)
    assert seen == sorted(seen)
    assert len(seen) == 3
    assert 0 <= seen[0] < seen[-1] < 32641


def test_control_c_stops_a_build_within_a_second() -> None:
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.monotonic())
        _thread.interrupt_main()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
    timer = threading.Timer(0.2, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            SetLevel(3, level(2))
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - pressed[0] < 1
