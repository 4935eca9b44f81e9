"""Laws of the values of endings, and of the places of layouts in tables."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from oracle.retrograde import value_from
from setrograde.db.endings.shapes import iter_shapes, rank_shape
from setrograde.db.endings.states import Ending
from setrograde.db.methods.state_tables import StateLevel, layout_at, layout_index
from support import random_position


@cache
def level(tricks: int) -> StateLevel:
    return StateLevel(tricks)


def endings(max_tricks: int) -> st.SearchStrategy[Ending]:
    def ending(seed: int, tricks: int) -> Ending:
        play = random_position(Random(seed), tricks, on_table=0)
        return Ending.from_deal(play.remaining, play.strain, play.turn)

    return st.builds(ending, st.integers(0, 2**32), st.integers(1, max_tricks))


@given(endings(3))
def test_a_value_follows_from_the_values_one_trick_later(ending: Ending) -> None:
    canonical = ending.canonical()
    below = {
        successor.below: level(ending.tricks - 1).value(successor.below)
        for successor in canonical.iter_successors()
    }
    assert level(ending.tricks).value(ending) == value_from(canonical, below)


@given(endings(3))
def test_the_order_of_side_suits_does_not_matter(ending: Ending) -> None:
    last = 3 if ending.has_trumps else 4
    values = {
        level(ending.tricks).value(Ending((*order, *ending.suits[last:]), ending.has_trumps))
        for order in permutations(ending.suits[:last])
    }
    assert len(values) == 1


@given(endings(3))
def test_the_value_of_an_ending_stands_at_its_place_in_the_table_of_its_shape(
    ending: Ending,
) -> None:
    canonical = ending.canonical()
    table = level(ending.tricks).values_of_shape(rank_shape(canonical.shape))
    assert table[layout_index(canonical)] == level(ending.tricks).value(ending)


@given(endings(5))
def test_a_layout_is_found_again_at_its_place(ending: Ending) -> None:
    shape = ending.shape
    index = layout_index(ending)
    assert 0 <= index < shape.layouts
    assert layout_at(shape, index).suits == ending.suits


@given(endings(3))
def test_a_leader_with_the_highest_cards_of_every_suit_takes_everything_at_notrump(
    ending: Ending,
) -> None:
    a, b, c, d = (
        "".join(sorted(owners, key=lambda owner: owner != "0")) for owners in ending.suits
    )
    assert level(ending.tricks).value(Ending((a, b, c, d))) == ending.tricks


def test_tables_are_symmetric_in_equal_suits() -> None:
    for rank, shape in enumerate(iter_shapes(2)):
        _, _, third, fourth = shape.suits
        if shape.has_trumps or third != fourth:
            continue
        table = level(2).values_of_shape(rank)
        for index, value in enumerate(table):
            a, b, c, d = layout_at(shape, index).suits
            assert table[layout_index(Ending((a, b, d, c)))] == value
