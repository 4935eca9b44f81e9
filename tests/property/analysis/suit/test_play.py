"""Suit play against exhaustive search over strategies, and lines against every defence."""

from __future__ import annotations

import random
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import suit_play as oracle
from oracle.suit_chances import chance
from setrograde.analysis.suit import (
    SuitHolding,
    SuitSolution,
    best_lines,
    find_line,
    first_plays,
    line_outcome,
    solve_suit,
)
from setrograde.analysis.suit.ranks import ALL_RANKS, format_ranks, rank_bits
from setrograde.bridge import Seat

Suit = tuple[oracle.Cards, oracle.Cards, oracle.Cards]


def random_suit(rng: random.Random, *, most_own: int, most_out: int) -> Suit:
    own, out = rng.randint(2, most_own), rng.randint(1, most_out)
    cards = rng.sample(range(13), own + out)
    cut = rng.randint(0, own)
    return frozenset(cards[:cut]), frozenset(cards[cut:own]), frozenset(cards[own:])


def text(cards: oracle.Cards) -> str:
    return format_ranks(rank_bits(cards))


def gone(suit: Suit) -> str:
    north, south, out = suit
    return format_ranks(ALL_RANKS & ~rank_bits(north | south | out))


def solve(suit: Suit) -> SuitSolution:
    return solve_suit(text(suit[0]), text(suit[1]), gone=gone(suit))


def best_of(vectors: set[oracle.Vector], suit: Suit, need: int | None) -> Fraction:
    """The best probability of `need` tricks, or the best average."""
    out = len(suit[2])
    weights = [comb(26 - out, 13 - len(west)) for west in oracle.layouts(suit[2])]
    return max(
        Fraction(
            sum(
                weight * (tricks if need is None else tricks >= need)
                for weight, tricks in zip(weights, vector, strict=True)
            ),
            sum(weights),
        )
        for vector in vectors
    )


def agrees(solution: SuitSolution, vectors: set[oracle.Vector], suit: Suit) -> bool:
    needs = range(1, solution.holding.tricks_most + 1)
    return solution.best().average == best_of(vectors, suit, None) and all(
        solution.probability(need) == best_of(vectors, suit, need) for need in needs
    )


def replayed(solution: SuitSolution, suit: Suit, need: int | None) -> bool:
    """True if the line wins in every single layout exactly what is claimed."""
    outcome = solution.best(need=need)
    line = find_line(solution, outcome)
    claimed = dict(zip(solution.table.layouts, outcome.tricks, strict=True))
    by_counts = {layout.counts: tricks for layout, tricks in claimed.items()}
    for west in oracle.layouts(suit[2]):
        counts = tuple((rank_bits(west) & run).bit_count() for run in solution.table.runs)
        if oracle.replay(line, solution.table.runs, west, suit[2] - west) != by_counts[counts]:
            return False
    return True


def test_three_hundred_small_suits_have_the_value_of_exhaustive_search() -> None:
    rng = random.Random(8)
    for _ in range(300):
        suit = random_suit(rng, most_own=5, most_out=5)
        assert agrees(solve(suit), oracle.outcomes(*suit), suit), suit


@pytest.mark.slow
def test_long_suits_have_the_value_of_exhaustive_search() -> None:
    rng = random.Random(9)
    for _ in range(40):
        cards = rng.sample(range(13), 13)
        out = rng.randint(2, 5)
        cut = rng.randint(2, 6)
        suit = (
            frozenset(cards[:cut]),
            frozenset(cards[cut : 13 - out]),
            frozenset(cards[13 - out :]),
        )
        vectors = oracle.outcomes(*suit, top_of_touching=True)
        assert agrees(solve(suit), vectors, suit), suit


def test_leaving_out_matched_strategies_loses_nothing() -> None:
    """The oracle itself, against each and every strategy of the tiniest suits."""
    rng = random.Random(10)
    for _ in range(60):
        suit = random_suit(rng, most_own=3, most_out=2)
        every = oracle.every_outcome(*suit)
        assert oracle.undominated(every) == oracle.outcomes(*suit)


def test_touching_cards_of_the_defenders_may_be_merged() -> None:
    """The chances of one number of tricks: every card itself, touching cards alike, and ours."""
    rng = random.Random(12)
    for _ in range(80):
        suit = random_suit(rng, most_own=6, most_out=5)
        solution = solve(suit)
        for need in range(1, solution.holding.tricks_most + 1):
            plain, merged = (chance(*suit, need, is_merged=way) for way in (False, True))
            assert plain == merged == solution.probability(need), (suit, need)


def test_suits_with_few_entries_have_the_value_of_exhaustive_search() -> None:
    rng = random.Random(13)
    for _ in range(60):
        suit = random_suit(rng, most_own=6, most_out=5)
        entries = rng.choice([None, 0, 1, 2]), rng.choice([None, 0, 1, 2])
        seat, on_lead = rng.choice([(None, (0, 1)), (Seat.NORTH, (0,)), (Seat.SOUTH, (1,))])
        solution = solve_suit(
            text(suit[0]),
            text(suit[1]),
            gone=gone(suit),
            entries=entries,
            on_lead=seat,
        )
        for need in range(1, solution.holding.tricks_most + 1):
            plain, merged = (
                chance(*suit, need, is_merged=way, entries=entries, on_lead=on_lead)
                for way in (False, True)
            )
            assert plain == merged == solution.probability(need), (suit, entries, seat, need)


def test_lines_replayed_against_every_lie_earn_what_they_claim() -> None:
    rng = random.Random(11)
    for _ in range(120):
        suit = random_suit(rng, most_own=6, most_out=5)
        solution = solve(suit)
        for need in (None, *range(1, solution.holding.tricks_most + 1)):
            assert replayed(solution, suit, need), (suit, need)


holdings = st.lists(st.integers(0, 12), min_size=8, max_size=10, unique=True).flatmap(
    lambda cards: st.integers(0, len(cards)).map(
        lambda cut: SuitHolding(rank_bits(cards[:cut]), rank_bits(cards[cut:]))
    )
)


@settings(max_examples=20)
@given(holdings)
def test_north_and_south_can_be_exchanged(holding: SuitHolding) -> None:
    one, other = solve_suit(holding), solve_suit(holding.mirrored)
    needs = range(1, holding.tricks_most + 1)
    assert [one.probability(n) for n in needs] == [other.probability(n) for n in needs]
    assert one.best().average == other.best().average


@settings(max_examples=12)
@given(holdings, st.integers(0, 2), st.integers(0, 2), st.sampled_from([Seat.NORTH, Seat.SOUTH]))
def test_more_entries_never_hurt(holding: SuitHolding, north: int, south: int, seat: Seat) -> None:
    few = solve_suit(holding, entries=(north, south), on_lead=seat)
    more = solve_suit(holding, entries=(north + 1, south), on_lead=seat)
    free = solve_suit(holding)
    for need in range(1, holding.tricks_most + 1):
        chances = [s.probability(need) for s in (few, more, free)]
        assert chances == sorted(chances)


@settings(max_examples=12)
@given(holdings, st.integers(0, 2), st.integers(0, 2))
def test_lines_with_few_entries_earn_what_they_claim(
    holding: SuitHolding, north: int, south: int
) -> None:
    solution = solve_suit(holding, entries=(north, south))
    for best in best_lines(solution, ["tricks", "average"]):
        assert best.outcome
        line = find_line(solution, best.outcome)
        assert line_outcome(solution, line).tricks == best.outcome.tricks


@settings(max_examples=10)
@given(holdings)
def test_the_best_first_play_is_as_good_as_the_best_line(holding: SuitHolding) -> None:
    solution = solve_suit(holding)
    for need in range(1, holding.tricks_most + 1):
        best = first_plays(solution, need=need)[0].best(need=need)
        assert best.probability(need) == solution.probability(need)


@settings(max_examples=20)
@given(holdings, st.integers(5, 13), st.integers(5, 13))
def test_weights_count_deals_of_the_unseen_cards(
    holding: SuitHolding, west: int, east: int
) -> None:
    out = len(holding.outstanding)
    if west + east < out:
        return
    solution = solve_suit(holding, vacant=(west, east))
    assert solution.table.total == comb(west + east, west)
