"""Odds agree with a list of all layouts, each solved for itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from odds_problems import random_constraint, random_question
from oracle.odds import ListedLayouts, all_layouts
from setrograde import _core
from setrograde.analysis import odds as odds_module
from setrograde.analysis.odds.conditions import natural_conditions
from setrograde.analysis.odds.core import core_cases
from setrograde.analysis.odds.exact import solve_odds
from setrograde.analysis.odds.layouts import Layouts
from setrograde.analysis.odds.question import OddsQuestion
from setrograde.analysis.odds.settled_sets import LayoutCount, SetCounter
from setrograde.bridge import Card, DealConstraint, Hand, InvalidConstraint, Play, Suit
from setrograde.solve import solve_many

seeds = st.integers(0, 2**32 - 1)


def plain_distribution(question: OddsQuestion) -> dict[int, int]:
    """Declarer's tricks over all layouts, each solved for itself."""
    plays = all_layouts(question)
    side = question.declarer.side
    counts = Counter[int]()
    for play, ns in zip(plays, solve_many(plays, threads=1), strict=True):
        left = max(len(hand) for hand in play.remaining)
        counts[play.tricks_won(side) + (ns if side == 0 else left - ns)] += 1
    return dict(sorted(counts.items()))


def layout_of(question: OddsQuestion, play: Play) -> Hand:
    """The cards still in the first hidden hand."""
    return play.remaining[question.hidden_seats[0]]


@given(seeds, st.integers(1, 4), st.booleans())
def test_layouts_are_those_that_constraints_and_play_allow(
    seed: int, tricks: int, with_constraints: bool
) -> None:
    question = random_question(Random(seed), tricks, with_constraints=with_constraints)
    listed = [layout_of(question, play) for play in all_layouts(question)]
    assert sorted(listed, key=str) == sorted(question.layouts, key=str)
    assert question.layouts.count() == len(listed)


@given(seeds, st.integers(1, 4), st.booleans())
@settings(max_examples=60)
def test_distribution_is_that_of_all_layouts_solved_one_by_one(
    seed: int, tricks: int, with_constraints: bool
) -> None:
    question = random_question(Random(seed), tricks, with_constraints=with_constraints)
    found = solve_odds(question, threads=1, limit_mb=64)
    assert found.exact
    assert found.distribution == plain_distribution(question)
    assert found.layouts == sum(found.distribution.values())


@given(seeds, st.integers(1, 4), st.booleans(), st.sampled_from(["classes", "patterns"]))
@settings(max_examples=60)
def test_settled_sets_are_a_partition_and_each_has_one_answer(
    seed: int, tricks: int, with_constraints: bool, method: odds_module.Method
) -> None:
    rng = Random(seed)
    question = random_question(rng, tricks, with_constraints=with_constraints)
    need = rng.randint(1, question.tricks)
    found = solve_odds(question, need=need, threads=1, limit_mb=64, method=method)
    sets = found.settled[need].sets if need in found.settled else None
    assume(sets is not None)
    assert sets is not None
    plays = all_layouts(question)
    side = question.declarer.side
    sizes = [0] * len(sets)
    read = list(sets)
    for play, ns in zip(plays, solve_many(plays, threads=1), strict=True):
        left = max(len(hand) for hand in play.remaining)
        tricks_declarer = play.tricks_won(side) + (ns if side == 0 else left - ns)
        (place,) = [i for i, each in enumerate(read) if each.covers(layout_of(question, play))]
        assert read[place].makes == (tricks_declarer >= need)
        sizes[place] += 1
    assert sizes == [each.layouts for each in read]


@given(seeds, st.integers(1, 4), st.booleans())
@settings(max_examples=40)
def test_counts_under_conditions_are_those_of_listed_layouts(
    seed: int, tricks: int, with_constraints: bool
) -> None:
    rng = Random(seed)
    question = random_question(rng, tricks, with_constraints=with_constraints)
    need = rng.randint(1, question.tricks)
    found = solve_odds(question, need=need, threads=1, limit_mb=64)
    sets = found.settled[need].sets if need in found.settled else None
    assume(sets is not None)
    assert sets is not None
    counter = SetCounter(question.layouts, sets)
    conditions = list(natural_conditions(question.layouts, question.hidden_seats))
    assume(conditions)
    chosen = {found.suit: found for found in rng.sample(conditions, min(2, len(conditions)))}
    c, d, h, s = (chosen[suit].allowed if suit in chosen else None for suit in Suit)
    layouts = makes = 0
    read = list(sets)
    for layout in question.layouts:
        if all(
            _holds(question.layouts, layout, each.suit, each.allowed) for each in chosen.values()
        ):
            layouts += 1
            makes += next(each.makes for each in read if each.covers(layout))
    assert counter.counts((c, d, h, s)) == LayoutCount(layouts, makes)


def _holds(layouts: Layouts, layout: Hand, suit: Suit, allowed: object) -> bool:
    bits = layouts.suit_parts(suit).bits.tolist()
    place = bits.index(layout.bits >> (16 * suit) & 0x1FFF)
    return bool(allowed[place])  # type: ignore[index]


@given(seeds, st.integers(0, 9), st.data())
def test_layouts_are_counted_as_they_are_listed(seed: int, size: int, data: st.DataObject) -> None:
    rng = Random(seed)
    cards = Hand.from_cards(rng.sample(Card.ALL, size))
    first_size = data.draw(st.integers(0, size))
    low = data.draw(st.integers(0, 12))
    points = (low, low + data.draw(st.integers(0, 8)))
    one = Hand.from_cards(list(cards)[:1]) if size > 1 and first_size else Hand()
    layouts = Layouts(cards, first_size, points=points, first=one)
    listed = list(layouts)
    assert layouts.count() == len(listed) == len(set(listed))
    assert all(len(layout) == first_size and not (layout - cards).bits for layout in listed)
    assert all(
        points[0] <= layout.hcp <= points[1] and not (one - layout).bits for layout in listed
    )
    if listed:
        assert set(layouts.sample(20, seed=seed)) <= set(listed)


@given(seeds, st.integers(1, 4))
def test_random_layouts_are_those_that_constraints_allow(seed: int, tricks: int) -> None:
    rng = Random(seed)
    question = random_question(rng, tricks, with_constraints=True)
    listed = set(question.layouts)
    assert len(listed) == question.layouts.count()
    assert set(question.layouts.sample(20, seed=seed)) <= listed


def test_the_sample_of_alternatives_is_fair() -> None:
    known = "spades 2 or hcp 5+, 1 of SK HK or hearts 3"
    question = OddsQuestion.of(
        "AQT.AK..2", "432.32..3", "NT", "S", hidden="KJ98.QJT9..AKQJ", west=known
    )
    drawn = Counter(question.layouts.sample(4000, seed=1))
    expected = 4000 / question.layouts.count()
    spread = sum((drawn[each] - expected) ** 2 / expected for each in question.layouts)
    freedom = question.layouts.count() - 1
    assert abs(spread - freedom) < 4 * (2 * freedom) ** 0.5


@given(seeds)
def test_constraints_are_refused_just_when_they_leave_no_layout(seed: int) -> None:
    rng = Random(seed)
    question = random_question(rng, 3, with_constraints=False)
    seat = question.hidden_seats[1]
    strange = random_constraint(rng, Hand.from_cards(rng.sample(Card.ALL, question.tricks)))
    left = sum(strange.allows(play.deal[seat]) for play in all_layouts(question))
    try:
        asked = replace(question, constraint=DealConstraint.from_seats({seat: strange}))
    except InvalidConstraint:
        assert left == 0
    else:
        assert asked.layouts.count() == left


@pytest.mark.parametrize("method", ["classes", "patterns"])
def test_the_core_keeps_its_promises_like_the_plain_list(method: str) -> None:
    for seed in range(20):
        question = random_question(Random(seed), 3, with_constraints=True)
        position, layouts = question.position, question.layouts
        hands = (position.north.bits, position.south.bits, layouts.cards.bits)
        where = (int(question.strain), int(position.leader))
        known = {
            "trick": [16 * card.suit + card.rank for card in position.trick],
            "shapes": None if layouts.shapes is None else sorted(layouts.shapes),
            "points": layouts.points,
            "east": layouts.first.bits,
            "west": layouts.second.bits,
            "cases": core_cases(layouts),
        }
        core = _core.OddsSolver(*hands, *where, **known)
        plain = ListedLayouts(*hands, *where, **known)  # type: ignore[arg-type]
        assert core.layouts == plain.layouts
        for need in range(1, position.tricks_left + 1):
            ours, theirs = core.settle(need, method=method), plain.settle(need)
            assert (ours.yes, ours.no, ours.open) == (theirs.yes, theirs.no, 0)
        assert set(core.sample(30, 1)) <= set(plain.tricks.values())
