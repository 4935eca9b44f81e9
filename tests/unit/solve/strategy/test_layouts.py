"""Layouts of the hidden cards: counted, merged and found again."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from setrograde.bridge import Hand, Seat, Suit
from setrograde.errors import InvalidInput
from setrograde.solve.strategy import Known, PlayState, TooManyLayouts, all_layouts, layout_classes
from strategy_endings import random_state


def _by_hand(state: PlayState, known: Known) -> set[int]:
    """All cards of the first hidden seat that fit, by trying every set of cards."""
    first, second = state.hidden_seats
    found = set()
    for cards in combinations(list(state.hidden), state.lengths[first]):
        hands = {first: Hand.from_cards(cards)}
        hands[second] = state.hidden - hands[first]
        if all(_fits(state, known, seat, hand) for seat, hand in hands.items()):
            found.add(hands[first].bits)
    return found


def _fits(state: PlayState, known: Known, seat: Seat, hand: Hand) -> bool:
    step = (seat - state.leader) % 4
    has_shown_out = step < len(state.trick) and state.trick[step].suit != state.trick[0].suit
    if has_shown_out and hand.length(state.trick[0].suit):
        return False
    held, denied = known.held.get(seat, Hand()), known.denied.get(seat, Hand())
    return (
        held & hand == held
        and not (denied & hand).bits
        and not any(hand.length(suit) for suit in known.voids.get(seat, ()))
        and all(
            low <= hand.length(suit) <= high
            for suit, (low, high) in known.lengths.get(seat, {}).items()
        )
    )


@pytest.mark.parametrize("seed", range(40))
def test_layouts_and_weights_are_those_counted_by_hand(seed: int) -> None:
    rng = Random(seed)
    state = random_state(rng, rng.randint(2, 5), declarer=seed % 2 == 0)
    first, second = state.hidden_seats
    suit = rng.choice(list(Suit))
    known = rng.choice(
        [
            Known(),
            Known(lengths={first: {suit: (1, 2)}}),
            Known(lengths={second: {suit: (0, 1)}}),
            Known(held={second: Hand(rng.choice(list(state.hidden)).bit)}),
            Known(denied={first: Hand(rng.choice(list(state.hidden)).bit)}),
            Known(voids={second: [suit]}),
        ]
    )
    expected = _by_hand(state, known)
    try:
        layouts = all_layouts(state, known)
    except InvalidInput:
        assert not expected
        return
    assert set(layouts.worlds.tolist()) == expected and len(layouts) == len(expected)
    assert layouts.is_exact
    for small in (None, 3, 1):
        classes = layout_classes(state, known, small=small, seed=seed)
        assert classes.layouts == len(expected)
        assert set(classes.worlds.tolist()) <= expected
        members = [0] * len(classes)
        for layout in expected:
            members[classes.class_of(layout)] += 1
        assert members == classes.weights.tolist()


def test_more_layouts_than_the_limit_are_refused() -> None:
    state = PlayState("NT", "S", hands={"N": "AQ...", "S": "32..."}, hidden="KJT9...")
    with pytest.raises(TooManyLayouts, match="more than 5 layouts"):
        all_layouts(state, limit=5)
    assert len(layout_classes(state, limit=5)) == 2


def test_what_contradicts_itself_is_refused() -> None:
    state = PlayState("NT", "S", hands={"N": "AQ...", "S": "32..."}, hidden="KJT9...")
    king = Hand("K...")
    with pytest.raises(InvalidInput, match="can have K"):
        all_layouts(state, Known(held={Seat.EAST: king, Seat.WEST: king}))
    with pytest.raises(InvalidInput, match="North is seen"):
        all_layouts(state, Known(held={Seat.NORTH: king}))
    with pytest.raises(InvalidInput, match="no layout fits"):
        all_layouts(state, Known(lengths={Seat.EAST: {Suit.SPADES: (3, 4)}}))
