"""Sets of boards have the algebra of Python's `set`, and of OxiDD's diagrams."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, reduce
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setrograde.sets import (
    BoardSet,
    BoardSpace,
    Change,
    Move,
    Moves,
    format_sets,
    parse_sets,
)

Alphabets = tuple[str, ...]

MIXED = ("ab", "xyz", "-", "0123", "xyz")
KINDS = (MIXED, ("xyz",) * 3, ("xy",) * 5)
"""Layers of one place; of two and of three, with places that nothing looks at in the last."""


@cache
def all_boards(alphabets: Alphabets) -> list[str]:
    return ["".join(letters) for letters in product(*alphabets)]


def boards_of(alphabets: Alphabets) -> st.SearchStrategy[set[str]]:
    return st.sets(st.sampled_from(all_boards(alphabets)), max_size=len(all_boards(alphabets)))


kinds = st.sampled_from(KINDS)
one_set = kinds.flatmap(lambda kind: st.tuples(st.just(kind), boards_of(kind)))
two_sets = kinds.flatmap(lambda kind: st.tuples(st.just(kind), boards_of(kind), boards_of(kind)))
some_sets = kinds.flatmap(
    lambda kind: st.tuples(st.just(kind), st.lists(boards_of(kind), max_size=5))
)


@dataclass(frozen=True)
class Relation:
    """A move as Python's sets have it."""

    changes: dict[int, set[tuple[str, str]]]
    before: set[str]
    after: set[str]

    def pairs(self) -> set[tuple[str, str]]:
        return {
            (board, result)
            for board in self.before
            for letters in product(
                *[
                    [new for old, new in self.changes[place] if old == letter]
                    if place in self.changes
                    else [letter]
                    for place, letter in enumerate(board)
                ]
            )
            if (result := "".join(letters)) in self.after
        }


@st.composite
def relations(draw: st.DrawFn, alphabets: Alphabets) -> Relation:
    changes = {}
    for place, letters in enumerate(alphabets):
        if draw(st.booleans()):
            letter = st.sampled_from(letters)
            changes[place] = draw(st.sets(st.tuples(letter, letter), min_size=1, max_size=3))
    return Relation(changes, draw(boards_of(alphabets)), draw(boards_of(alphabets)))


def explicit(found: BoardSet) -> set[str]:
    return {board for board in all_boards(found.space.alphabets) if board in found}


@given(two_sets)
def test_operators_are_those_of_python_sets(drawn: tuple[Alphabets, set[str], set[str]]) -> None:
    alphabets, a, b = drawn
    space = BoardSpace(alphabets)
    x, y = space.of(a), space.of(b)
    for found, expected in [
        (x, a),
        (x | y, a | b),
        (x & y, a & b),
        (x - y, a - b),
        (x ^ y, a ^ b),
        (~x, set(all_boards(alphabets)) - a),
    ]:
        assert explicit(found) == expected
        assert found == space.of(expected)
        assert found.count == len(found) == len(expected) and bool(found) == bool(expected)
    assert (x <= y, x < y, x >= y, x > y, x == y) == (a <= b, a < b, a >= b, a > b, a == b)
    assert x.isdisjoint(y) == a.isdisjoint(b)


@given(some_sets)
def test_many_sets_are_joined_and_met(drawn: tuple[Alphabets, list[set[str]]]) -> None:
    alphabets, many = drawn
    space = BoardSpace(alphabets)
    sets = [space.of(some) for some in many]
    everything = set(all_boards(alphabets))
    assert space.union(sets) == space.of(set().union(*many))
    assert space.intersection(sets) == space.of(reduce(set.intersection, many, everything))


@given(one_set)
def test_boards_are_numbered_in_dictionary_order(drawn: tuple[Alphabets, set[str]]) -> None:
    alphabets, a = drawn
    found = BoardSpace(alphabets).of(a)
    assert list(found) == sorted(a)
    assert [found[-1 - index] for index in range(len(a))] == sorted(a, reverse=True)
    if a:
        assert set(found.sample(20, seed=3)) <= a


@given(one_set)
def test_support_is_where_a_change_of_letter_can_matter(drawn: tuple[Alphabets, set[str]]) -> None:
    alphabets, a = drawn
    matters = {
        place
        for place, letters in enumerate(alphabets)
        for board in a
        for letter in letters
        if board[:place] + letter + board[place + 1 :] not in a
    }
    assert BoardSpace(alphabets).of(a).support == tuple(sorted(matters))


@given(one_set)
def test_files_and_states_do_not_tell_how_places_are_stored(
    drawn: tuple[Alphabets, set[str]],
) -> None:
    """A space with a place of another size has a layer for each place."""
    alphabets, a = drawn
    joined = BoardSpace(alphabets).of(a)
    apart = BoardSpace((*alphabets, "-")).of([board + "-" for board in a])
    assert joined.states == apart.states
    assert joined.nodes <= apart.nodes == apart.states
    found = parse_sets(format_sets({"some": joined}))
    assert found.sets["some"] == found.space.of(a)


@given(one_set, st.data())
def test_sums_are_added_up_board_by_board(
    drawn: tuple[Alphabets, set[str]], data: st.DataObject
) -> None:
    alphabets, _ = drawn
    weight = st.integers(-3, 3)
    weights = [{letter: data.draw(weight) for letter in letters} for letters in alphabets]
    least, most = data.draw(st.integers(-5, 5)), data.draw(st.integers(-5, 5))

    def total(board: str) -> int:
        return sum(w[letter] for w, letter in zip(weights, board, strict=True))

    found = BoardSpace(alphabets).with_sum(weights, least=least, most=most)
    assert explicit(found) == {b for b in all_boards(alphabets) if least <= total(b) <= most}


@given(two_sets, st.data())
def test_moves_lead_where_each_of_them_leads(
    drawn: tuple[Alphabets, set[str], set[str]], data: st.DataObject
) -> None:
    alphabets, start, bound = drawn
    many = data.draw(st.lists(relations(alphabets), max_size=3))
    space = BoardSpace(alphabets)
    compiled = Moves(
        space,
        [
            Move(
                tuple([Change(place, tuple(pairs)) for place, pairs in one.changes.items()]),
                before=space.of(one.before),
                after=space.of(one.after),
            )
            for one in many
        ],
    )
    related = set().union(*[one.pairs() for one in many])
    there, back = compiled.forward(space.of(start)), compiled.reverse(space.of(start))
    assert explicit(there) == {result for board, result in related if board in start}
    assert explicit(back) == {board for board, result in related if result in start}
    assert Moves.reverse_all([(compiled, space.of(start))]) == back
    bounded = compiled.among(space.of(bound)).reverse(space.of(start))
    assert explicit(bounded) == explicit(back) & bound


@given(one_set, st.data())
def test_change_rewrites_one_place(drawn: tuple[Alphabets, set[str]], data: st.DataObject) -> None:
    alphabets, a = drawn
    before, after = data.draw(st.tuples(*[st.sampled_from(alphabets[1])] * 2))
    changed = {board[:1] + after + board[2:] for board in a if board[1] == before}
    assert explicit(BoardSpace(alphabets).of(a).change(1, before, after)) == changed


@given(
    st.lists(st.tuples(st.sampled_from("&|-^"), st.integers(0, 63), boards_of(MIXED)), max_size=8)
)
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
        numbers = {(number + 7 * all_boards(MIXED).index(seed)) % 64 for seed in seeds}
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
