"""Goals searched for one by one, against the fronts of all lines, and bounds when work runs out."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from oracle.suit_chances import chance
from setrograde.analysis.suit import (
    LineOutcome,
    SuitHolding,
    SuitSolution,
    best_lines,
    find_line,
    imp_margin,
    line_outcome,
    matchpoint_margin,
    named_lines,
    solve_suit,
)
from setrograde.analysis.suit.game import SuitGame
from setrograde.analysis.suit.goal_search import best_by_goal, extend
from setrograde.analysis.suit.ranks import rank_bits
from setrograde.bridge import Seat

HARD = [
    ("K5", "QT83"),
    ("7", "KJ954"),
    pytest.param("A93", "KJ75", marks=pytest.mark.slow),
    pytest.param("8", "KJT63", marks=pytest.mark.slow),
]
"""Suits with so many lines that they cannot be listed."""


def random_holding(rng: random.Random) -> SuitHolding:
    cards = rng.sample(range(13), rng.randint(5, 9))
    cut = rng.randint(0, len(cards) - 1)
    return SuitHolding(rank_bits(cards[:cut]), rank_bits(cards[cut:]))


def small_solutions(seed: int, count: int, most_lines: int = 300) -> list[SuitSolution]:
    """Complete ones, some with few entries."""
    rng, found = random.Random(seed), list[SuitSolution]()
    while len(found) < count:
        entries = (None, None) if rng.random() < 0.7 else (rng.randint(0, 2), rng.randint(0, 2))
        seat = rng.choice([None, Seat.NORTH, Seat.SOUTH])
        solution = solve_suit(random_holding(rng), entries=entries, on_lead=seat)
        if solution.is_complete and len(solution.outcomes) <= most_lines:
            found.append(solution)
    return found


def by_goals(solution: SuitSolution) -> SuitSolution:
    """The same suit, as if it had too many lines."""
    outcomes, at_most = best_by_goal(solution.game)
    found = tuple(
        LineOutcome(solution.table, solution.game.tricks(outcome)) for outcome in outcomes
    )
    return replace(solution, outcomes=found, is_complete=False, at_most=at_most)


def test_each_goal_alone_has_the_value_that_all_lines_give() -> None:
    for solution in small_solutions(1, 60):
        alone = by_goals(solution)
        assert not alone.at_most
        assert set(alone.outcomes) <= set(solution.outcomes)
        assert alone.best().average == solution.best().average
        for need in range(1, solution.holding.tricks_most + 1):
            one, other = alone.best(need=need), solution.best(need=need)
            assert one.probability(need) == other.probability(need), (solution.holding, need)
            assert one.average == other.average, (solution.holding, need)


def test_unbeaten_lines_are_found_by_their_rivals_as_among_all_lines() -> None:
    goals = ["mp", "imp"]
    seen = set[bool]()
    for solution in [*small_solutions(2, 25), solve_suit("AJ98", "K32")]:
        likely = best_lines(solution, goals)[1].need
        assert likely is not None
        margins = matchpoint_margin, imp_margin("3NTS", likely)
        for one, other, margin in zip(
            best_lines(by_goals(solution), goals), best_lines(solution, goals), margins, strict=True
        ):
            assert one.is_proven
            assert (one.outcome is None) is (other.outcome is None), solution.holding
            seen.add(one.outcome is None)
            if one.outcome is None:
                continue
            rivals = [rival for rival in solution.outcomes if rival != one.outcome]
            values = [margin(one.outcome, rival) for rival in rivals]
            assert one.value == min(values, default=0) >= 0, solution.holding
    assert seen == {True, False}


def test_work_that_runs_out_leaves_lines_and_bounds() -> None:
    is_open = False
    for solution in small_solutions(3, 25):
        for work in (1, 1000, 30_000):
            outcomes, at_most = best_by_goal(solution.game, work=work)
            found = [LineOutcome(solution.table, solution.game.tricks(o)) for o in outcomes]
            assert set(found) <= set(solution.outcomes)
            is_open |= bool(at_most)
            for need in range(1, solution.holding.tricks_most + 1):
                best = max(outcome.probability(need) for outcome in found)
                truth = solution.probability(need)
                assert best <= truth <= at_most.get(need, best)
            average = max(outcome.average for outcome in found)
            assert average <= solution.best().average <= at_most.get(None, average)
    assert is_open


def test_what_a_front_has_can_be_won_and_no_more() -> None:
    for solution in small_solutions(4, 20, most_lines=60):
        game = solution.game
        front = [game.outcome(outcome.tricks) for outcome in solution.outcomes]
        assert all(game.can_win(game.start, outcome) for outcome in front)
        for outcome in front:
            for layout, tricks in enumerate(game.tricks(outcome)):
                if tricks < game.levels:
                    more = outcome | 1 << (game.stride * tricks + layout)
                    assert not game.can_win(game.start, more)
        for need in range(1, game.levels + 1):
            assert extend(game, 0, need) in front


def test_demands_choose_from_all_lines() -> None:
    for solution in small_solutions(5, 20, most_lines=100):
        game = solution.game
        weights = [layout.weight for layout in game.table.layouts]
        least = int(solution.outcomes[len(solution.outcomes) // 2].average * game.table.total)
        found = game.outcomes_for([([weights] * game.levels, least)], work=10_000_000)
        assert found is not None
        assert {game.tricks(outcome) for outcome in found} == {
            outcome.tricks
            for outcome in solution.outcomes
            if outcome.average * game.table.total >= least
        }


@pytest.mark.parametrize(("north", "south"), HARD)
def test_suits_with_too_many_lines_have_proven_best_lines(north: str, south: str) -> None:
    solution = solve_suit(north, south)
    assert not solution.is_complete
    lines = best_lines(solution, ["tricks", "average", "mp", "imp"])
    assert all(best.is_proven and best.at_most is None for best in lines)
    outcomes = {best.outcome for best in lines}
    for outcome in outcomes:
        assert outcome is not None
        assert line_outcome(solution, find_line(solution, outcome)) == outcome
    assert "drop" in named_lines(solution)


@pytest.mark.parametrize(("north", "south"), HARD)
def test_north_and_south_can_be_exchanged_in_suits_with_too_many_lines(
    north: str, south: str
) -> None:
    one = solve_suit(north, south)
    other = solve_suit(south, north)
    for need in range(1, one.holding.tricks_most + 1):
        assert one.probability(need) == other.probability(need)
    assert one.best().average == other.best().average


def test_a_suit_with_too_many_lines_has_the_value_of_exhaustive_search() -> None:
    king_five, queen_ten = frozenset([11, 3]), frozenset([10, 8, 6, 1])
    others = frozenset(range(13)) - king_five - queen_ten
    solution = solve_suit("K5", "QT83")
    assert solution.probability(3) == chance(king_five, queen_ten, others, 3, is_merged=True)


def test_a_front_larger_than_the_work_allowed_is_none() -> None:
    game: SuitGame = solve_suit("K5", "QT83").game
    assert game.front_within(game.start, 100_000) is None
