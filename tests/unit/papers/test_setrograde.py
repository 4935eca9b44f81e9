"""Setrograde Analysis on sets: the algorithm, its two games, and the language of sets."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.minimax import minimax
from setrograde.bridge import InvalidInput, Play, Seat, Strain
from setrograde.db.endings.ending_sets import EndingSet, EndingSets, Trick
from setrograde.db.endings.states import Ending, InvalidEnding
from setrograde.papers.arrangements import Arrangements, unite_masks
from setrograde.papers.setrograde import (
    Bounds,
    Entry,
    LevelDatabase,
    MissingState,
    Oracle,
    build_level,
    build_levels,
    verify_level,
)
from setrograde.papers.tic_tac_toe import InvalidPosition, TicTacToeBoard, iter_boards
from setrograde.papers.tic_tac_toe_partitions import TicTacToePartitions
from setrograde.papers.tic_tac_toe_sets import BoardLine, TicTacToeBoardSet, TicTacToeSets
from setrograde.solve import solve_many
from support import random_position

ENDINGS = EndingSets()
BOARDS = TicTacToeSets()
Endings = LevelDatabase[Ending, EndingSet, Trick]
Boards = LevelDatabase[TicTacToeBoard, TicTacToeBoardSet, BoardLine]


@cache
def endings(tricks: int) -> Endings:
    """The whole level; two tricks take a quarter of a minute."""
    below = endings(tricks - 1) if tricks else None
    return build_level(ENDINGS, tricks, below)


@cache
def some_endings() -> Endings:
    """Two-trick endings of 120 shapes."""
    return build_level(ENDINGS, 2, endings(1), universe=some_shapes())


@cache
def some_shapes() -> tuple[EndingSet, ...]:
    return tuple(Random(8).sample(list(ENDINGS.universe(2)), 120))


@cache
def boards() -> tuple[Boards, ...]:
    """All levels; they take a quarter of a minute."""
    return build_levels(BOARDS, 9)


def begun_boards(empty: int) -> TicTacToeBoardSet:
    """Boards with X O X in the first row."""
    return TicTacToeBoardSet.from_text("XOX ??? ???", empty=empty)


@cache
def some_boards() -> tuple[Boards, ...]:
    """The levels of boards with X O X in the first row."""
    levels: list[Boards] = []
    for empty in range(7):
        below = levels[-1] if levels else None
        levels.append(build_level(BOARDS, empty, below, universe=[begun_boards(empty)]))
    return tuple(levels)


def iter_endings(states: EndingSet) -> list[Ending]:
    """Every ending of a set, by looking at all strings of owners."""
    rows = []
    for suit in states.suits:
        owners = product(range(4), repeat=len(suit.masks))
        rows.append(["".join(map(str, row)) for row in owners if row in suit])
    return [Ending((a, b, c, d), states.has_trumps) for a, b, c, d in product(*rows)]


def solver_values(endings: list[Ending]) -> tuple[int, ...]:
    plays = [Play(ending.to_deal(), ending.strain, Seat.NORTH) for ending in endings]
    return solve_many(plays, threads=1, limit_mb=32)


# Arrangements, compared with plain sets


def members(some: Arrangements) -> set[tuple[int, ...]]:
    """By definition."""
    return {
        owners
        for owners in product(range(len(some.counts)), repeat=len(some.masks))
        if all(mask >> o & 1 for mask, o in zip(some.masks, owners, strict=True))
        and all(owners.count(o) == count for o, count in enumerate(some.counts))
    }


@st.composite
def arrangements(draw: st.DrawFn, how_many: int = 1) -> tuple[Arrangements, ...]:
    owners = draw(st.integers(2, 4))
    counts = tuple(draw(st.lists(st.integers(0, 2), min_size=owners, max_size=owners)))
    places = sum(counts)
    masks = st.lists(st.integers(0, (1 << owners) - 1), min_size=places, max_size=places)
    return tuple(Arrangements(tuple(draw(masks)), counts) for _ in range(how_many))


@given(arrangements())
def test_arrangements_count_and_hold_exactly_their_members(
    drawn: tuple[Arrangements, ...],
) -> None:
    (some,) = drawn
    expected = members(some)
    assert len(some) == len(expected)
    assert some.is_empty == (not expected)
    assert all(owners in some for owners in expected)
    assert members(some.tightened()) == expected
    if expected:
        assert some.first() == min(expected)


@given(arrangements())
def test_tightened_masks_name_only_owners_that_occur(drawn: tuple[Arrangements, ...]) -> None:
    (some,) = drawn
    expected = members(some)
    for place, mask in enumerate(some.tightened().masks):
        assert mask == sum({1 << owners[place] for owners in expected})


@given(arrangements())
def test_split_parts_are_smaller_disjoint_and_complete(drawn: tuple[Arrangements, ...]) -> None:
    (some,) = drawn
    parts = [members(part) for part in some.split()]
    if not parts:
        assert len(some) <= 1
        return
    assert all(part and len(part) < len(some) for part in parts)
    assert sum(len(part) for part in parts) == len(some)
    assert set().union(*parts) == members(some)


@given(arrangements(how_many=2))
def test_set_algebra_of_arrangements_agrees_with_python_sets(
    drawn: tuple[Arrangements, ...],
) -> None:
    a, b = drawn
    assert members(a & b) == members(a) & members(b)
    assert a.overlaps(b) == bool(members(a) & members(b))
    parts = [members(part) for part in a.minus(b)]
    assert set().union(*parts) == members(a) - members(b)
    assert sum(len(part) for part in parts) == len(members(a) - members(b))


@given(arrangements(how_many=6))
def test_united_masks_have_the_same_union(drawn: tuple[Arrangements, ...]) -> None:
    united = unite_masks([some.masks for some in drawn])
    assert len(united) <= len(drawn)
    before = set().union(*[members(some) for some in drawn])
    after = [members(Arrangements(masks, drawn[0].counts)) for masks in united]
    assert set().union(*after) == before


def test_nothing_united_is_nothing() -> None:
    assert unite_masks([]) == []


@pytest.mark.parametrize("counts", [(1, 1), (4, -1)])
def test_counts_that_do_not_fit_the_places_are_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(InvalidInput, match=r"counts \(.*\) for 3 places"):
        Arrangements((1, 1, 1), counts)


# Bridge endings


def test_one_trick_needs_the_known_number_of_sets() -> None:
    statistics = endings(1).statistics
    assert (statistics.partitions, statistics.sets_found, statistics.sets) == (52, 84, 73)


def test_every_one_trick_ending_has_the_solvers_value() -> None:
    states = [state for shape in ENDINGS.universe(1) for state in iter_endings(shape)]
    assert [endings(1).probe(state) for state in states] == list(solver_values(states))


def test_sampled_two_trick_endings_have_the_solvers_value() -> None:
    rng = Random(3)
    states = []
    for shape in some_shapes():
        every = iter_endings(shape)
        states += rng.sample(every, min(25, len(every)))
    assert len(states) > 1500
    assert [some_endings().probe(state) for state in states] == list(solver_values(states))


def test_sampled_two_trick_shapes_verify() -> None:
    assert verify_level(some_endings(), endings(1), ENDINGS, universe=some_shapes()) == ()


@pytest.mark.slow
def test_two_tricks_need_the_known_number_of_sets_and_agree_with_the_solver() -> None:
    statistics = endings(2).statistics
    assert (statistics.partitions, statistics.sets_found, statistics.sets) == (2054, 7784, 5933)
    assert verify_level(endings(2), endings(1), ENDINGS) == ()
    rng = Random(4)
    states = [ENDINGS.pick(shape) for shape in ENDINGS.universe(2)]
    for shape in ENDINGS.universe(2):
        every = iter_endings(shape)
        states += rng.sample(every, min(10, len(every)))
    assert [endings(2).probe(state) for state in states] == list(solver_values(states))


def test_the_oracle_is_right_about_sets_of_any_form() -> None:
    rng = Random(5)
    oracle = Oracle(ENDINGS, endings(1))
    answers = []
    for shape in rng.sample(some_shapes(), 60):
        every = iter_endings(shape)
        states = ENDINGS.single(rng.choice(every))
        loose = []
        for suit in states.suits:
            masks = [mask | rng.choice((0, 0, 5, 10, 15)) for mask in suit.masks]
            loose.append(Arrangements(tuple(masks), suit.counts))
        a, b, c, d = loose
        loosened = EndingSet((a, b, c, d), states.has_trumps)
        values = set(solver_values(iter_endings(loosened)))
        bounds = oracle.bounds(loosened)
        assert bounds.low <= min(values) <= max(values) <= bounds.high
        for value in range(3):
            answers.append(oracle.is_consistent(loosened, value))
            assert answers[-1] == (values == {value})
    assert 10 < sum(answers) < 60


def test_bounds_of_a_set_are_the_least_and_greatest_value_in_it() -> None:
    for shape in ENDINGS.universe(1):
        values = [endings(1).probe(state) for state in iter_endings(shape)]
        assert endings(1).bounds(shape) == Bounds(min(values), max(values))


def test_sets_of_a_level_cover_it_without_listing_covered_states() -> None:
    shape = EndingSet.from_text("NT xxxxxxxx:2222")
    database = build_level(ENDINGS, 2, endings(1), universe=[shape])
    assert len(shape) == 2520
    assert database.statistics.sets_found == 37
    assert all(sum(state in entry.states for entry in database) for state in iter_endings(shape))


def test_a_wrong_value_and_a_missing_set_are_found_out() -> None:
    right = endings(1)
    shape = EndingSet.from_text("NT xxxx:1111")
    first, *others = right.entries(shape)
    wrong = [Entry(first.states, 1 - first.value), *others]
    database = LevelDatabase(ENDINGS, 1, {shape.shape: wrong}, right.statistics)
    (fault,) = verify_level(database, endings(0), ENDINGS, universe=[shape])
    assert (fault.states, fault.claimed) == (first.states, 1 - first.value)
    database = LevelDatabase(ENDINGS, 1, {shape.shape: others}, right.statistics)
    faults = verify_level(database, endings(0), ENDINGS, universe=[shape])
    assert sum(len(fault.states) for fault in faults) == len(first.states)
    assert {fault.claimed for fault in faults} == {None}


def test_an_ending_of_another_level_is_missing() -> None:
    with pytest.raises(MissingState, match="no set of level 1 holds"):
        endings(1).probe(Ending(("", "", "", "00112233")))


@pytest.mark.parametrize("leader", Seat)
@pytest.mark.parametrize("strain", Strain)
def test_the_last_trick_of_any_position_is_found(strain: Strain, leader: Seat) -> None:
    rng = Random(f"{strain}{leader}")
    for _ in range(5):
        deal = random_position(rng, 1, on_table=0).remaining
        (tricks_ns,) = solve_many([Play(deal, strain, leader)], threads=1, limit_mb=32)
        ending = Ending.from_deal(deal, strain, leader)
        assert endings(1).probe(ending) == (tricks_ns if leader % 2 == 0 else 1 - tricks_ns)


@pytest.mark.parametrize("index", range(120))
def test_the_text_of_sets_of_endings_reads_back(index: int) -> None:
    states = some_shapes()[index]
    assert EndingSet.from_text(str(states)) == states
    for part in states.split():
        assert EndingSet.from_text(str(part)) == part


@pytest.mark.parametrize(
    "text",
    ["", "S 0123:1111", "NT 0123", "NT 0123:111", "NT 0123:1111 x:1000", "NT 0[12:1100",
     "NT []123:1111", "NT 0023:1111", "NT 4123:1111", "NT 0123:²111", "NT a:1 b:1 c:1 d:1 e:1",
     "NT xxxxxxxxxxxxxxxx:4444", "NT ²123:1111"],
)  # fmt: skip
def test_text_that_is_no_set_of_endings_is_refused(text: str) -> None:
    with pytest.raises(InvalidEnding, match="not a set of endings"):
        EndingSet.from_text(text)


@given(st.text("0123xNT[]: ", max_size=30))
def test_only_named_errors_escape_the_reader(text: str) -> None:
    with suppress(InvalidEnding):
        EndingSet.from_text(text)


def test_sets_of_endings_have_four_suits() -> None:
    with pytest.raises(InvalidEnding, match="expected four suits"):
        EndingSet((), False)  # type: ignore[arg-type]


def test_a_set_at_trumps_without_a_trump_is_a_notrump_set() -> None:
    assert EndingSet.from_text("T 0xxx:1111 :0000") == EndingSet.from_text("NT 0xxx:1111")
    assert Ending(("0123", "", "", ""), True).canonical() in EndingSet.from_text("NT 0xxx:1111")


def test_side_suits_are_put_in_order_and_trumps_stay_last() -> None:
    states = EndingSet.from_text("T xx:0110 x:0001 0:1000")
    assert [suit.counts for suit in states.suits[1:]] == [(0, 0, 0, 1), (0, 1, 1, 0), (1, 0, 0, 0)]
    assert states.shape.is_canonical


def test_levels_below_zero_are_refused() -> None:
    with pytest.raises(InvalidInput, match="not a level: -1"):
        build_levels(ENDINGS, -1)


# Tic-tac-toe


def test_every_board_after_a_given_row_has_its_minimax_value() -> None:
    value = minimax(TicTacToePartitions())
    after = [board for board in iter_boards() if board.cells.startswith("XOX")]
    assert len(after) > 150
    for board in after:
        assert some_boards()[board.cells.count(".")].probe(board) == 2 * value(board) - 1


def test_boards_after_a_given_row_need_the_known_number_of_sets() -> None:
    assert [level.statistics.sets for level in some_boards()] == [12, 25, 55, 37, 24, 5, 1]


def test_the_last_move_of_tic_tac_toe_verifies() -> None:
    full, last_move = build_levels(BOARDS, 1)
    assert verify_level(last_move, full, BOARDS) == ()


@pytest.mark.slow
def test_every_board_that_can_come_up_has_its_minimax_value() -> None:
    value = minimax(TicTacToePartitions())
    for board in iter_boards():
        assert boards()[board.cells.count(".")].probe(board) == 2 * value(board) - 1


@pytest.mark.slow
def test_tic_tac_toe_needs_the_known_number_of_sets() -> None:
    found = [level.statistics.sets_found for level in boards()]
    stored = [level.statistics.sets for level in boards()]
    assert found == [32, 175, 425, 469, 488, 210, 101, 23, 1, 1]
    assert stored == [32, 170, 391, 447, 486, 203, 100, 23, 1, 1]


@pytest.mark.slow
def test_every_level_of_tic_tac_toe_verifies() -> None:
    for below, level in pairwise(boards()):
        assert verify_level(level, below, BOARDS) == ()


def test_a_set_of_boards_says_nothing_of_boards_that_cannot_come_up() -> None:
    both_lines = TicTacToeBoardSet.from_text("XXX OOO ...", empty=3)
    assert len(both_lines) == 1
    assert BOARDS.pick(both_lines) is None


@pytest.mark.parametrize("level", range(7))
def test_the_text_of_sets_of_boards_reads_back(level: int) -> None:
    for entry in some_boards()[level]:
        assert TicTacToeBoardSet.from_text(str(entry.states), empty=level) == entry.states


@pytest.mark.parametrize("text", ["", "XX", "[XO ......", "[]........", "Z........", "XXXXXXXXX"])
def test_text_that_is_no_set_of_boards_is_refused(text: str) -> None:
    with pytest.raises(InvalidPosition, match="not a set of boards"):
        TicTacToeBoardSet.from_text(text, empty=9)
