"""Sets of boards have the algebra of Python's `set`, and of OxiDD's diagrams."""

from __future__ import annotations

from functools import reduce
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setrograde.sets import BoardSet, BoardSpace, Change, Move, Moves

ALPHABETS = ("ab", "xyz", "-", "0123", "xyz")
ALL = ["".join(letters) for letters in product(*ALPHABETS)]

boards = st.sets(st.sampled_from(ALL), max_size=len(ALL))
pairs = st.tuples(st.sampled_from("xyz"), st.sampled_from("xyz"))


@st.composite
def moves(draw: st.DrawFn) -> tuple[dict[int, set[tuple[str, str]]], set[str], set[str]]:
    changes = {}
    for place, letters in enumerate(ALPHABETS):
        if draw(st.booleans()):
            letter = st.sampled_from(letters)
            changes[place] = draw(st.sets(st.tuples(letter, letter), min_size=1, max_size=3))
    return changes, draw(boards), draw(boards)


def explicit(found: BoardSet) -> set[str]:
    return {board for board in ALL if board in found}


@given(boards, boards)
def test_operators_are_those_of_python_sets(a: set[str], b: set[str]) -> None:
    space = BoardSpace(ALPHABETS)
    x, y = space.of(a), space.of(b)
    for found, expected in [
        (x, a),
        (x | y, a | b),
        (x & y, a & b),
        (x - y, a - b),
        (x ^ y, a ^ b),
        (~x, set(ALL) - a),
    ]:
        assert explicit(found) == expected
        assert found == space.of(expected)
        assert found.count == len(found) == len(expected) and bool(found) == bool(expected)
    assert (x <= y, x < y, x >= y, x > y, x == y) == (a <= b, a < b, a >= b, a > b, a == b)
    assert x.isdisjoint(y) == a.isdisjoint(b)


@given(st.lists(boards, max_size=5))
def test_many_sets_are_joined_and_met(many: list[set[str]]) -> None:
    space = BoardSpace(ALPHABETS)
    sets = [space.of(some) for some in many]
    assert space.union(sets) == space.of(set().union(*many))
    assert space.intersection(sets) == space.of(reduce(set.intersection, many, set(ALL)))


@given(boards)
def test_boards_are_numbered_in_dictionary_order(a: set[str]) -> None:
    space = BoardSpace(ALPHABETS)
    found = space.of(a)
    assert list(found) == sorted(a)
    assert [found[-1 - index] for index in range(len(a))] == sorted(a, reverse=True)
    if a:
        assert set(found.sample(20, seed=3)) <= a


@given(boards)
def test_support_is_where_a_change_of_letter_can_matter(a: set[str]) -> None:
    matters = {
        place
        for place, letters in enumerate(ALPHABETS)
        for board in a
        for letter in letters
        if board[:place] + letter + board[place + 1 :] not in a
    }
    assert BoardSpace(ALPHABETS).of(a).support == tuple(sorted(matters))


@given(st.lists(moves(), max_size=3), boards, boards)
def test_moves_lead_where_each_of_them_leads(
    many: list[tuple[dict[int, set[tuple[str, str]]], set[str], set[str]]],
    start: set[str],
    bound: set[str],
) -> None:
    space = BoardSpace(ALPHABETS)
    compiled = Moves(
        space,
        [
            Move(
                tuple([Change(place, tuple(pairs)) for place, pairs in changes.items()]),
                before=space.of(before),
                after=space.of(after),
            )
            for changes, before, after in many
        ],
    )
    related = {
        (board, result)
        for changes, before, after in many
        for board in before
        for letters in product(
            *[
                [new for old, new in changes[place] if old == letter]
                if place in changes
                else [letter]
                for place, letter in enumerate(board)
            ]
        )
        if (result := "".join(letters)) in after
    }
    there, back = compiled.forward(space.of(start)), compiled.reverse(space.of(start))
    assert explicit(there) == {result for board, result in related if board in start}
    assert explicit(back) == {board for board, result in related if result in start}
    bounded = compiled.among(space.of(bound)).reverse(space.of(start))
    assert explicit(bounded) == explicit(back) & bound


@given(boards, st.sampled_from("xyz"), st.sampled_from("xyz"))
def test_change_rewrites_one_place(a: set[str], before: str, after: str) -> None:
    changed = {board[:1] + after + board[2:] for board in a if board[1] == before}
    assert explicit(BoardSpace(ALPHABETS).of(a).change(1, before, after)) == changed


@given(st.lists(st.tuples(st.sampled_from("&|-^"), st.integers(0, 63), boards), max_size=8))
def test_chains_of_operations_agree_with_oxidd(chain: list[tuple[str, int, set[str]]]) -> None:
    oxidd = pytest.importorskip("oxidd.bdd", reason="the peer OxiDD is not installed")
    space = BoardSpace(["01"] * 6)
    manager = oxidd.BDDManager(1 << 12, 1 << 10, 1)
    manager.add_vars(6)

    def peer_board(number: int):
        cube = manager.true()
        for bit in range(6):
            variable = manager.var(bit)
            cube &= variable if number >> (5 - bit) & 1 else ~variable
        return cube

    ours, peer = space.nothing, manager.false()
    for sign, number, seeds in chain:
        numbers = {(number + 7 * ALL.index(seed)) % 64 for seed in seeds}
        more = space.of([f"{each:06b}" for each in numbers])
        peer_more = reduce(lambda a, b: a | b, map(peer_board, numbers), manager.false())
        ours = {"&": ours & more, "|": ours | more, "-": ours - more, "^": ours ^ more}[sign]
        if sign == "-":
            peer &= ~peer_more
        else:
            peer = {"&": peer & peer_more, "|": peer | peer_more, "^": peer ^ peer_more}[sign]
        assert ours.count == round(peer.sat_count_float(6))
        for each in range(64):
            assert (f"{each:06b}" in ours) == ((peer & peer_board(each)) != manager.false())
