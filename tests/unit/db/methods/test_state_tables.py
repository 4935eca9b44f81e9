"""Tables of every state: against plain Python, against the solver, and at their limits."""

from __future__ import annotations

import os
import signal
import sys
import time
from functools import cache
from itertools import product
from random import Random
from subprocess import PIPE, Popen

import numpy as np
import pytest

from oracle.retrograde import iter_levels, value_of
from setrograde.bridge import InvalidInput, Play, Seat, Strain
from setrograde.db.endings.counting import count_shapes, count_states
from setrograde.db.endings.shapes import InvalidShape, Shape, iter_shapes, rank_shape, unrank_shape
from setrograde.db.endings.states import Ending, InvalidEnding, iter_endings
from setrograde.db.methods.state_tables import ShapeSolver, ShapeTooLarge, StateLevel, layout_at
from setrograde.solve import solve_many
from support import random_position

FOUR_OF_A_SUIT = (1, 1, 1, 1)
VOID = (0, 0, 0, 0)


TOLD: list[int] = []  # by the work on three tricks


@cache
def level(tricks: int) -> StateLevel:
    if tricks == 3:
        return StateLevel(3, level(2), progress=TOLD.append)
    return StateLevel(tricks)


def tables(of: StateLevel) -> list[bytes]:
    return [of.values_of_shape(rank) for rank in range(of.shapes)]


def leaders_tricks(plays: list[Play]) -> list[int]:
    """What the leader's side takes, by the solver."""
    return [
        ns if play.turn in (Seat.NORTH, Seat.SOUTH) else len(play.remaining) // 4 - ns
        for play, ns in zip(plays, solve_many(plays, limit_mb=64), strict=True)
    ]


# --- values ---


@pytest.mark.parametrize("tricks", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_every_layout_has_the_value_of_plain_retrograde_analysis(tricks: int) -> None:
    *_, values = iter_levels(tricks)
    for table, shape in zip(tables(level(tricks)), iter_shapes(tricks), strict=True):
        assert len(table) == shape.layouts
        for index, value in enumerate(table):
            assert value == values[layout_at(shape, index).canonical()], (shape, index)


def test_some_layouts_of_three_tricks_have_the_values_of_plain_retrograde_analysis() -> None:
    rng = Random(3)
    for _ in range(400):
        rank = rng.randrange(level(3).shapes)
        shape = unrank_shape(3, rank)
        index = rng.randrange(shape.layouts)
        ending = layout_at(shape, index)
        value = value_of(ending.canonical())
        assert level(3).values_of_shape(rank)[index] == level(3).value(ending) == value, ending


@pytest.mark.parametrize("tricks", [1, 2, 3])
def test_random_positions_have_the_values_the_solver_finds(tricks: int) -> None:
    rng = Random(tricks)
    plays = [random_position(rng, tricks, on_table=0) for _ in range(1500)]
    hands = np.array([[hand.bits for hand in play.remaining] for play in plays], np.uint64)
    strains = np.array([play.strain for play in plays], np.uint8)
    leaders = np.array([play.turn for play in plays], np.uint8)
    found = level(tricks).values(hands, strains, leaders)
    assert found.dtype == np.uint8
    assert found.tolist() == leaders_tricks(plays)
    for play, value in zip(plays, found, strict=True):
        ending = Ending.from_deal(play.remaining, play.strain, play.turn)
        assert level(tricks).value(ending) == value


def test_levels_have_as_many_states_and_shapes_as_are_counted() -> None:
    for tricks in range(4):
        assert level(tricks).states == count_states(tricks).total
        assert level(tricks).shapes == count_shapes(tricks).total
    assert level(3).layouts == 33_920_712
    assert level(2).layouts == sum(shape.layouts for shape in iter_shapes(2))


def test_the_number_of_threads_does_not_matter() -> None:
    expected = tables(level(2))
    for threads in (1, 2, 7):
        assert tables(StateLevel(2, threads=threads)) == expected


# --- single shapes ---


def test_single_shapes_have_the_tables_of_the_level_from_one_or_two_tricks_below() -> None:
    one_below, two_below = ShapeSolver(3, level(2)), ShapeSolver(3, level(1), threads=2)
    for rank in range(0, level(3).shapes, 997):
        expected = level(3).values_of_shape(rank)
        assert one_below.values_of_shape(rank) == expected
        assert two_below.values_of_shape(rank) == expected


@pytest.mark.parametrize(("tricks", "shapes", "most_layouts"), [(4, 40, 10**5), (5, 8, 3 * 10**5)])
def test_single_shapes_have_the_values_the_solver_finds(
    tricks: int, shapes: int, most_layouts: int
) -> None:
    rng = Random(tricks)
    solver = ShapeSolver(tricks, level(3))
    total = count_shapes(tricks).total
    plays, found = [], []
    while shapes:
        shape = unrank_shape(tricks, rng.randrange(total))
        if shape.layouts > most_layouts:
            continue
        shapes -= 1
        table = solver.solve(shape)
        assert len(table) == shape.layouts
        for index in rng.choices(range(len(table)), k=50):
            ending = layout_at(shape, index)
            leader = rng.choice(list(Seat))
            plays.append(Play(ending.to_deal(leader), ending.strain, leader))
            found.append(table[index])
    assert found == leaders_tricks(plays)


def test_little_memory_is_enough_for_small_shapes_and_gives_the_same_values() -> None:
    roomy, tight = ShapeSolver(3, level(1)), ShapeSolver(3, level(1), limit_mb=1)
    for rank in range(5, 32_641, 1499):
        assert tight.values_of_shape(rank) == roomy.values_of_shape(rank)


def test_a_shape_too_large_for_the_memory_allowed_is_refused() -> None:
    suit = (3, 3, 3, 3)
    shape = Shape((VOID, VOID, FOUR_OF_A_SUIT, suit), has_trumps=False)
    solver = ShapeSolver(4, level(3), limit_mb=8)
    assert solver.bytes_needed(shape) == shape.layouts == 8_870_400
    with pytest.raises(ShapeTooLarge, match=r"8 MB of tables for Shape.*the limit is 8 MB"):
        solver.solve(shape)


def test_tables_between_count_as_memory() -> None:
    shape = Shape((VOID, VOID, FOUR_OF_A_SUIT, FOUR_OF_A_SUIT), has_trumps=False)
    assert ShapeSolver(2, level(1)).bytes_needed(shape) == 576
    assert ShapeSolver(2, level(0)).bytes_needed(shape) == 576 + 24


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (Shape((VOID, VOID, VOID, FOUR_OF_A_SUIT), False), "a shape of 1 tricks"),
        (Shape((FOUR_OF_A_SUIT, FOUR_OF_A_SUIT, VOID, VOID), False), "not canonical"),
    ],
)
def test_single_shapes_must_fit(shape: Shape, message: str) -> None:
    with pytest.raises(InvalidShape, match=message):
        ShapeSolver(2, level(1)).solve(shape)


def test_shape_solvers_refuse_levels_and_limits_that_do_not_fit() -> None:
    with pytest.raises(InvalidInput, match=r"not a level for shapes of 4 tricks: 1 tricks"):
        ShapeSolver(4, level(1))
    with pytest.raises(InvalidInput, match=r"single shapes: 6 \(expected 1 to 5\)"):
        ShapeSolver(6, level(2))
    with pytest.raises(InvalidInput, match="not a memory limit: 0 MB"):
        ShapeSolver(2, level(1), limit_mb=0)


# --- bytes ---


@pytest.mark.parametrize("tricks", [0, 1, 2, 3])
def test_levels_survive_being_written_and_read(tricks: int) -> None:
    data = level(tricks).to_bytes()
    assert len(data) == 32 + -(-level(tricks).layouts // 4)
    read = StateLevel.from_bytes(data)
    assert read.tricks == tricks
    assert tables(read) == tables(level(tricks))


def test_damaged_bytes_are_refused() -> None:
    data = level(2).to_bytes()
    rng = Random(8)
    for place in [*range(40), *(rng.randrange(len(data)) for _ in range(60))]:
        damaged = bytearray(data)
        damaged[place] ^= 1 << rng.randrange(8)
        with pytest.raises(InvalidInput, match="state tables"):
            StateLevel.from_bytes(bytes(damaged))
    for wrong in (b"", data[:7], data[:31], data[:-1], data + b"\0", b"x" * 100):
        with pytest.raises(InvalidInput, match="state tables"):
            StateLevel.from_bytes(wrong)


def test_another_version_is_refused_by_its_number() -> None:
    data = bytearray(level(1).to_bytes())
    data[8] = 2
    with pytest.raises(InvalidInput, match=r"format version 2 \(expected 1\)"):
        StateLevel.from_bytes(bytes(data))


# --- bad input ---


def test_levels_above_three_tricks_are_refused_with_the_number_of_states() -> None:
    with pytest.raises(InvalidInput, match=r"4 tricks \(expected 0 to 3; there are 11,460,581,880"):
        StateLevel(4)
    with pytest.raises(InvalidInput, match=r"-1 tricks \(expected 0 to 3\)"):
        StateLevel(-1)


def test_the_level_below_must_have_one_trick_less() -> None:
    with pytest.raises(InvalidInput, match=r"not the level below 3 tricks: StateLevel\(1\)"):
        StateLevel(3, level(1))


@pytest.mark.parametrize("rank", [-1, 52, 10**30])
def test_numbers_of_no_shape_are_refused(rank: int) -> None:
    with pytest.raises(InvalidShape, match=rf"1 tricks: {rank} \(expected 0 to 51\)"):
        level(1).values_of_shape(rank)


def test_an_ending_of_another_level_is_refused() -> None:
    with pytest.raises(InvalidEnding, match=r"an ending of 1 tricks: .* \(expected 2\)"):
        level(2).value(next(iter_endings(1)))


ACE, KING = 1 << 12, 1 << 11


@pytest.mark.parametrize(
    ("row", "strain", "leader", "message"),
    [
        ([ACE, ACE << 16, ACE << 32, ACE], 4, 0, "row 1: card twice"),
        ([ACE, ACE << 16, ACE << 32, 0], 4, 0, "row 1: hands differ in length"),
        ([ACE, KING, ACE << 16, 1 << 15], 4, 0, "row 1: value out of range"),
        ([ACE, KING, ACE << 16, KING << 16], 5, 0, "row 1: value out of range"),
        ([ACE, KING, ACE << 16, KING << 16], 4, 4, "row 1: value out of range"),
        ([ACE | KING, 3 << 16, 3 << 32, 3 << 48], 4, 0, "row 1: hands of another number"),
    ],
)
def test_bad_positions_are_refused_by_their_row(
    row: list[int], strain: int, leader: int, message: str
) -> None:
    good = [ACE, ACE << 16, ACE << 32, ACE << 48]
    with pytest.raises(InvalidInput, match=message):
        level(1).values(
            np.array([good, row], np.uint64),
            np.array([4, strain], np.uint8),
            np.array([0, leader], np.uint8),
        )


def test_as_many_strains_and_leaders_as_hands_are_needed() -> None:
    hands = np.array([[ACE, ACE << 16, ACE << 32, ACE << 48]] * 2, np.uint64)
    with pytest.raises(InvalidInput, match="differ in number"):
        level(1).values(hands, np.zeros(1, np.uint8), np.zeros(2, np.uint8))


def test_no_positions_have_no_values() -> None:
    none = np.zeros(0, np.uint8)
    assert level(2).values(np.zeros((0, 4), np.uint64), none, none).tolist() == []


def test_all_leaders_and_strains_are_told_apart() -> None:
    hands = np.array([[ACE, ACE << 16, ACE << 32, KING]] * 20, np.uint64)
    asked = list(product(Strain, Seat))
    strains = np.array([strain for strain, _ in asked], np.uint8)
    leaders = np.array([leader for _, leader in asked], np.uint8)
    found = level(1).values(hands, strains, leaders).tolist()
    # North has the ace of clubs, East of diamonds, South of hearts, West the king of clubs.
    winners = {Strain.CLUBS: "NNNN", Strain.DIAMONDS: "EEEE", Strain.HEARTS: "SSSS"}
    for (strain, leader), value in zip(asked, found, strict=True):
        winner = Seat.from_text(winners.get(strain, "NESN")[leader])
        assert value == (winner.side is leader.side), (strain, leader)


# --- work under way ---


def test_progress_is_told_in_rising_numbers() -> None:
    assert level(3).layouts >= TOLD[-1] > 0
    assert sorted(TOLD) == TOLD


def test_an_error_in_progress_stops_the_work_and_is_raised() -> None:
    def refuse(done: int) -> None:
        raise LookupError(f"enough after {done}")

    with pytest.raises(LookupError, match="enough after"):
        StateLevel(3, level(2), progress=refuse)
    rank = rank_shape(Shape((VOID, VOID, FOUR_OF_A_SUIT, (3, 3, 3, 3)), has_trumps=False))
    with pytest.raises(LookupError, match="enough after"):
        ShapeSolver(4, level(3)).solve(unrank_shape(4, rank), progress=refuse)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_an_interrupt_stops_the_work_within_a_second() -> None:
    script = """if True:
        import signal
        signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
        from setrograde.db.methods.state_tables import StateLevel
        print("ready", flush=True)
        StateLevel(3)
        StateLevel(3)
    """
    with Popen([sys.executable, "-c", script], stdout=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        assert process.poll() is None, "not hard enough for this test"
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
        process.wait(10)
        assert time.monotonic() - start < 1.0
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
