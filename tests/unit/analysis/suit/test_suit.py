"""Holdings, layouts, goals and words of suit play."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from setrograde.analysis.finesse import applicable_finesses, random_branching
from setrograde.analysis.suit import (
    InvalidHolding,
    SuitHolding,
    TooManyLines,
    best_lines,
    card_classes,
    describe_line,
    find_line,
    first_plays,
    layouts_of,
    named_lines,
    solve_suit,
)
from setrograde.bridge import InvalidInput, Range, Seat


@pytest.mark.parametrize(
    ("north", "south", "message"),
    [
        ("AKA", "2", "card twice: 'A' in 'AKA'"),
        ("AK", "K2", "card twice: 'K' in 'AK' and 'K2'"),
        ("AKQJT987", "654321", "not a rank: '1' in '654321'"),
        ("AKQJT98", "xxxxxxx", "14 cards in 'AKQJT98' and 'xxxxxxx'"),
        ("-", "", "no cards"),
        ("A" * 1000, "2", "not a holding"),
        ("AK♠", "2", "not a rank: '♠'"),
    ],
)
def test_nonsense_holdings_give_one_clear_error(north: str, south: str, message: str) -> None:
    with pytest.raises(InvalidHolding) as caught:
        SuitHolding.from_text(north, south)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_low_cards_are_the_lowest_not_named() -> None:
    assert str(SuitHolding.from_text("AKTx", "Qxx")) == "AKT4 / Q32"
    assert str(SuitHolding.from_text("2x", "10x")) == "42 / T3"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vacant": (14, 3)}, "not vacant places"),
        ({"vacant": (2, 2)}, "too few vacant places"),
        ({"west_has": "A"}, "not outstanding"),
        ({"west_has": "K", "east_has": "K"}, "with both defenders"),
        ({"west_has": "Kx"}, "these cards must be named"),
        ({"west_length": (10, 13)}, "no layout fits"),
    ],
)
def test_impossible_knowledge_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidHolding, match=message):
        layouts_of("AQ", "32", **options)  # type: ignore[arg-type]


def test_entries_and_seats_are_checked() -> None:
    with pytest.raises(InvalidHolding, match="not declarer's hand"):
        solve_suit("AQ", "32", on_lead=Seat.EAST)
    with pytest.raises(InvalidInput, match="not a seat"):
        solve_suit("AQ", "32", on_lead="dummy")
    with pytest.raises(InvalidHolding, match="not a number of entries"):
        solve_suit("AQ", "32", entries=(99, 0))


@pytest.mark.parametrize("given", [("AQ", "32"), ("AQ opposite 32",), ("AQ / 32",)])
def test_holdings_are_given_as_text(given: tuple[str, ...]) -> None:
    solution = solve_suit(*given)
    assert solution.holding == SuitHolding.from_text("AQ", "32")
    assert solve_suit(solution.holding).outcomes == solution.outcomes
    assert solve_suit(str(solution.holding)).outcomes == solution.outcomes


@pytest.mark.parametrize("given", [("AQ",), ("AQ / 3 / 2",), (12, 3), ("AQ", 32), (None,)])
def test_anything_else_than_two_holdings_is_refused(given: tuple[Any, ...]) -> None:
    with pytest.raises(InvalidHolding, match="holding"):
        solve_suit(*given)


@pytest.mark.parametrize("length", [3, "3", (3, 3), Range(3, 3)])
def test_a_length_is_given_as_one_likes(length: Any) -> None:
    table = layouts_of("AKQ32", "54", west_length=length)
    assert {layout.split for layout in table.layouts} == {(3, 3)}


def test_layouts_tell_their_cards_as_text() -> None:
    layout = next(row for row in layouts_of("AQ32", "KT54").layouts if row.split == (1, 4))
    assert sorted(layout.west + layout.east) == sorted("J9876")


def test_a_solution_prints_the_chances_and_lines() -> None:
    text = str(solve_suit("AQ2", "543"))
    assert text.startswith("North AQ2, South 543; the defenders hold KJT9876\n")
    assert "\n\n3 tricks: 0.00 %\n\n2 tricks: 50.48 %\n" in text
    assert "lead low from South to the queen" in text
    assert "\n1 trick: 100.00 %\nmost tricks on average: 1.5048\n  Duck" in text


def test_one_of_a_thing_is_not_plural() -> None:
    solution = solve_suit("A", "-")
    text = str(solution)
    assert "1 line that no other line matches" in text
    assert "1 trick: 100.00 %" in text
    assert "1 trick 100.00 %; 1.000 tricks on average" in text
    assert "1 lines" not in text + repr(solution)
    imp = best_lines(solution, ["imp"])[0]
    assert str(imp) == "IMPs (1 trick makes the contract): unbeaten"


def test_too_many_lines_is_an_error_of_input() -> None:
    with pytest.raises(InvalidInput):
        first_plays(solve_suit("K5", "QT83"))
    assert issubclass(TooManyLines, InvalidInput)


def test_a_king_known_to_be_onside_makes_the_finesse_sure() -> None:
    assert solve_suit("AQ", "32", west_has="K").probability(2) == 1
    offside = solve_suit("AQ", "32", east_has="K").probability(2)
    assert 0 < offside < Fraction(1, 100)


def test_vacant_places_shift_the_odds_of_a_finesse() -> None:
    solution = solve_suit("AQ", "32", vacant=(13, 6))
    assert solution.probability(2) == Fraction(13, 19)


def test_a_known_length_leaves_only_its_lies() -> None:
    table = layouts_of("AKQ32", "54", west_length=(3, 3))
    assert {layout.split for layout in table.layouts} == {(3, 3)}


def test_eight_ever_nine_never() -> None:
    eight = solve_suit("AKJ32", "T54")
    nine = solve_suit("AKJ32", "T654")
    for solution, is_finesse in ((eight, True), (nine, False)):
        lines = named_lines(solution, need=5)
        assert (lines["finesse"].probability(5) > lines["drop"].probability(5)) is is_finesse


def test_matchpoints_and_imps_may_want_other_lines_than_safety() -> None:
    solution = solve_suit("AQT98", "5432")
    lines = best_lines(solution, ["tricks", "mp", "imp"], need=4)
    assert [line.goal for line in lines] == ["tricks", "mp", "imp"]
    assert lines[0].outcome != lines[1].outcome
    assert lines[2].outcome is not None


def test_an_unknown_goal_is_named() -> None:
    solution = solve_suit("AQ", "32")
    with pytest.raises(InvalidInput, match="no such goal: 'fame'"):
        best_lines(solution, ["fame"])
    with pytest.raises(InvalidInput, match="not a number of tricks: 3"):
        best_lines(solution, ["tricks"], need=3)


def test_a_line_in_words_names_hand_card_and_exception() -> None:
    solution = solve_suit("KJ2", "A543")
    text = describe_line(solution, find_line(solution, solution.best(need=3)))
    assert text.startswith("Cash the ace (South)")
    assert "lead low from South to the jack (if West plays the queen, play the king)" in text


def test_rare_cases_can_be_had_in_full() -> None:
    solution = solve_suit("AQT98", "5432")
    line = find_line(solution, solution.best())
    assert len(describe_line(solution, line, rare=Fraction(0))) > len(
        describe_line(solution, line, rare=Fraction(1, 10))
    )


def test_a_double_finesse_is_a_generalised_one() -> None:
    classes = card_classes("432", "AJT")
    kinds = [finesse.kind for finesse in applicable_finesses(classes)]
    assert kinds == ["generalised"]
    assert applicable_finesses(classes)[0].times == 2


def test_classes_of_exchanged_hands_are_exchanged() -> None:
    classes = card_classes("QJ2", "A43", west="K98")
    other = classes.mirrored
    assert other.text("F", Seat.SOUTH) == classes.text("F", Seat.NORTH) == "QJ"
    assert other.text("C", Seat.EAST) == classes.text("C", Seat.WEST) == "K"


def test_trees_over_classes_stay_small() -> None:
    rows = random_branching(50, seed=3)
    assert rows == random_branching(50, seed=3)
    assert all(row.class_branches <= 2 and row.class_leaves <= 4 for row in rows)
    assert max(row.card_branches for row in rows) >= 8
