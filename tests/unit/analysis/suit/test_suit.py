"""Holdings, lies, goals and words of suit play."""

from __future__ import annotations

from fractions import Fraction

import pytest

from setrograde.analysis.finesse.finesses import applicable_finesses
from setrograde.analysis.finesse.trees import random_branching
from setrograde.analysis.suit.classes import card_classes
from setrograde.analysis.suit.goals import best_lines
from setrograde.analysis.suit.holding import InvalidHolding, SuitHolding, rank_bits
from setrograde.analysis.suit.layouts import lies_of
from setrograde.analysis.suit.lines import find_line
from setrograde.analysis.suit.options import named_lines
from setrograde.analysis.suit.play import solve_suit
from setrograde.analysis.suit.words import describe_line
from setrograde.bridge import InvalidInput, Rank, Seat


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
        ({"west_has": 1 << Rank.ACE}, "not outstanding"),
        ({"west_has": 1 << Rank.KING, "east_has": 1 << Rank.KING}, "with both defenders"),
        ({"west_length": (10, 13)}, "no lie fits"),
    ],
)
def test_impossible_knowledge_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidHolding, match=message):
        lies_of(SuitHolding.from_text("AQ", "32"), **options)  # type: ignore[arg-type]


def test_entries_and_seats_are_checked() -> None:
    suit = SuitHolding.from_text("AQ", "32")
    with pytest.raises(InvalidHolding, match="not declarer's hand"):
        solve_suit(suit, on_lead=Seat.EAST)
    with pytest.raises(InvalidHolding, match="not a number of entries"):
        solve_suit(suit, entries=(99, 0))


def test_a_king_known_to_be_onside_makes_the_finesse_sure() -> None:
    suit = SuitHolding.from_text("AQ", "32")
    king = rank_bits([Rank.KING])
    assert solve_suit(suit, west_has=king).probability(2) == 1
    offside = solve_suit(suit, east_has=king).probability(2)
    assert 0 < offside < Fraction(1, 100)


def test_vacant_places_shift_the_odds_of_a_finesse() -> None:
    solution = solve_suit(SuitHolding.from_text("AQ", "32"), vacant=(13, 6))
    assert solution.probability(2) == Fraction(13, 19)


def test_a_known_length_leaves_only_its_lies() -> None:
    table = lies_of(SuitHolding.from_text("AKQ32", "54"), west_length=(3, 3))
    assert {lie.split for lie in table.lies} == {(3, 3)}


def test_eight_ever_nine_never() -> None:
    eight = solve_suit(SuitHolding.from_text("AKJ32", "T54"))
    nine = solve_suit(SuitHolding.from_text("AKJ32", "T654"))
    for solution, is_finesse in ((eight, True), (nine, False)):
        lines = named_lines(solution, need=5)
        assert (lines["finesse"].probability(5) > lines["drop"].probability(5)) is is_finesse


def test_matchpoints_and_imps_may_want_other_lines_than_safety() -> None:
    solution = solve_suit(SuitHolding.from_text("AQT98", "5432"))
    lines = best_lines(solution, ["tricks", "mp", "imp"], need=4)
    assert [line.goal for line in lines] == ["tricks", "mp", "imp"]
    assert lines[0].outcome != lines[1].outcome
    assert lines[2].outcome is not None


def test_an_unknown_goal_is_named() -> None:
    solution = solve_suit(SuitHolding.from_text("AQ", "32"))
    with pytest.raises(InvalidInput, match="no such goal: 'fame'"):
        best_lines(solution, ["fame"])
    with pytest.raises(InvalidInput, match="not a number of tricks: 3"):
        best_lines(solution, ["tricks"], need=3)


def test_a_line_in_words_names_hand_card_and_exception() -> None:
    solution = solve_suit(SuitHolding.from_text("KJ2", "A543"))
    text = describe_line(solution, find_line(solution, solution.best(need=3)))
    assert text.startswith("Cash the ace (South)")
    assert "lead low from South to the jack (if West plays the queen, the king)" in text


def test_rare_cases_can_be_had_in_full() -> None:
    solution = solve_suit(SuitHolding.from_text("AQT98", "5432"))
    line = find_line(solution, solution.best())
    assert len(describe_line(solution, line, rare=Fraction(0))) > len(
        describe_line(solution, line, rare=Fraction(1, 10))
    )


def test_a_double_finesse_is_a_generalised_one() -> None:
    classes = card_classes(SuitHolding.from_text("432", "AJT"))
    kinds = [finesse.kind for finesse in applicable_finesses(classes)]
    assert kinds == ["generalised"]
    assert applicable_finesses(classes)[0].times == 2


def test_classes_of_exchanged_hands_are_exchanged() -> None:
    classes = card_classes(SuitHolding.from_text("QJ2", "A43"), west="K98")
    other = classes.mirrored
    assert other.text("F", Seat.SOUTH) == classes.text("F", Seat.NORTH) == "QJ"
    assert other.text("C", Seat.EAST) == classes.text("C", Seat.WEST) == "K"


def test_trees_over_classes_stay_small() -> None:
    rows = random_branching(50, seed=3)
    assert rows == random_branching(50, seed=3)
    assert all(row.class_branches <= 2 and row.class_leaves <= 4 for row in rows)
    assert max(row.card_branches for row in rows) >= 8
