"""Shapes: canonical form, order, ranking, states in a shape."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest

from setrograde.bridge import InvalidInput
from setrograde.db.endings.shapes import (
    InvalidShape,
    Shape,
    Split,
    check_tricks,
    count_strings,
    iter_shapes,
    rank_shape,
    split_key,
    unrank_shape,
)

NOTHING: Split = (0, 0, 0, 0)


def all_shapes(tricks: int) -> set[Shape]:
    """Every shape of every order of suits, from the lengths of single hands."""
    hands = [hand for hand in product(range(tricks + 1), repeat=4) if sum(hand) == tricks]
    found = set()
    for four in product(hands, repeat=4):
        a, b, c, d = zip(*four, strict=True)
        if max(sum(a), sum(b), sum(c), sum(d)) <= 13:
            found |= {Shape((a, b, c, d), False), Shape((a, b, c, d), True)}
    return found


@pytest.mark.parametrize("tricks", [0, 1, 2])
def test_the_list_of_shapes_is_every_shape_once(tricks: int) -> None:
    listed = list(iter_shapes(tricks))
    assert len(set(listed)) == len(listed)
    assert set(listed) == {shape.canonical() for shape in all_shapes(tricks)}


@pytest.mark.parametrize("tricks", [0, 1, 2])
def test_shapes_are_listed_notrump_first_and_then_by_their_suits(tricks: int) -> None:
    listed = list(iter_shapes(tricks))
    assert listed == sorted(
        listed, key=lambda shape: (shape.has_trumps, [split_key(split) for split in shape.suits])
    )


@pytest.mark.parametrize("tricks", [0, 1, 2])
def test_a_shape_has_the_number_of_its_place_in_the_list(tricks: int) -> None:
    for place, shape in enumerate(iter_shapes(tricks)):
        assert rank_shape(shape) == place
        assert unrank_shape(tricks, place) == shape


@pytest.mark.parametrize(("tricks", "total"), [(3, 32_641), (4, 309_014), (6, 9_827_441)])
def test_numbers_of_larger_shapes_can_be_turned_back(tricks: int, total: int) -> None:
    rng = Random(tricks)
    ranks = [0, total - 1, *(rng.randrange(total) for _ in range(300))]
    for rank in ranks:
        shape = unrank_shape(tricks, rank)
        assert shape.tricks == tricks
        assert shape.is_canonical
        assert rank_shape(shape) == rank
    with pytest.raises(InvalidShape, match=f"{total} .expected 0 to {total - 1}"):
        unrank_shape(tricks, total)


def test_neighbours_at_thirteen_tricks_are_in_order() -> None:
    shapes = [unrank_shape(13, rank) for rank in range(5000, 5300)]
    keys = [[split_key(split) for split in shape.suits] for shape in shapes]
    assert keys == sorted(keys)
    assert len(set(shapes)) == 300
    assert all(sum(split) == 13 for shape in shapes for split in shape.suits)


def test_every_order_of_side_suits_has_one_canonical_shape() -> None:
    side: list[Split] = [(1, 0, 1, 0), (0, 1, 0, 0), NOTHING]
    trumps: Split = (1, 1, 1, 2)
    forms = {Shape((a, b, c, trumps), True).canonical() for a, b, c in permutations(side)}
    assert forms == {Shape((NOTHING, (0, 1, 0, 0), (1, 0, 1, 0), trumps), True)}


def test_trumps_stay_last_however_short() -> None:
    shape = Shape(((2, 0, 0, 0), (0, 0, 2, 2), (0, 1, 0, 0), (0, 1, 0, 0)), True)
    assert shape.canonical().suits[3] == (0, 1, 0, 0)
    assert Shape(shape.suits, False).canonical().suits[3] == (0, 0, 2, 2)


def test_a_shape_without_trumps_left_is_a_notrump_shape() -> None:
    suits = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 1), NOTHING)
    assert Shape(suits, True).canonical() == Shape(suits, False).canonical()


def test_suits_of_thirteen_are_allowed_and_no_longer_ones() -> None:
    assert Shape(((4, 3, 3, 3), (0, 1, 1, 1), NOTHING, NOTHING), False).tricks == 4
    with pytest.raises(InvalidShape, match="more than 13"):
        Shape(((4, 4, 3, 3), (0, 0, 1, 1), NOTHING, NOTHING), False)


def test_trumps_are_never_exchanged_with_an_equal_side_suit() -> None:
    even = (1, 1, 1, 1)
    assert Shape((NOTHING, NOTHING, even, even), False).states == 24 * 25 // 2
    assert Shape((NOTHING, NOTHING, even, even), True).states == 24 * 24
    assert Shape((NOTHING, even, even, even), True).states == 24 * (24 * 25 // 2)
    assert Shape((even, even, even, even), False).states == 24 * 25 * 26 * 27 // 24


def test_states_do_not_depend_on_the_order_of_suits() -> None:
    even = (1, 1, 1, 1)
    assert Shape((even, NOTHING, even, NOTHING), False).states == 300


def test_owner_strings_are_counted_by_multinomials() -> None:
    assert count_strings((13, 0, 0, 0)) == 1
    assert count_strings((4, 3, 3, 3)) == 1_201_200


@pytest.mark.parametrize(
    ("suits", "why"),
    [
        ((NOTHING, NOTHING, NOTHING), "expected four suits"),
        ((NOTHING, NOTHING, NOTHING, (1, 1, 1)), "expected four suits"),
        ((NOTHING, NOTHING, (-1, 0, 0, 0), (1, 0, 0, 0)), "below zero"),
        ((NOTHING, NOTHING, NOTHING, (1, 1, 0, 1)), r"\(1, 1, 0, 1\)"),
    ],
)
def test_lengths_that_make_no_shape_are_refused(suits: object, why: str) -> None:
    with pytest.raises(InvalidShape, match=why):
        Shape(suits, False)  # type: ignore[arg-type]


def test_only_canonical_shapes_have_numbers() -> None:
    shape = Shape(((1, 1, 1, 1), NOTHING, NOTHING, NOTHING), False)
    with pytest.raises(InvalidShape, match="not canonical"):
        rank_shape(shape)


@pytest.mark.parametrize("tricks", [-1, 14])
def test_numbers_of_tricks_outside_a_deal_are_refused(tricks: int) -> None:
    for refuse in (check_tricks, lambda n: unrank_shape(n, 0), lambda n: list(iter_shapes(n))):
        with pytest.raises(InvalidInput, match=f"{tricks} .expected 0 to 13"):
            refuse(tricks)


def test_numbers_below_zero_are_refused() -> None:
    with pytest.raises(InvalidShape, match="-1"):
        unrank_shape(2, -1)
