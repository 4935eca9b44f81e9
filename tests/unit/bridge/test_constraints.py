"""What hands may be, in words."""

from __future__ import annotations

import pytest

from setrograde.bridge import Deal, Hand, Seat
from setrograde.bridge.constraints import (
    DealConstraint,
    HandConstraint,
    InvalidConstraint,
    Range,
)
from setrograde.bridge.patterns import ShapePattern

HAND = Hand.from_text("AQ2.KJ4.AT98.J32")  # 15 points, 5 controls, 3=3=4=3


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("5", 5, 5), ("4-6", 4, 6), ("5+", 5, None), ("3-", 0, 3), ("4 - 6", 4, 6), ("4–6", 4, 6),
     ("any", 0, None), ("0", 0, 0)],
)  # fmt: skip
def test_ranges_are_read(text: str, low: int, high: int | None) -> None:
    assert Range.from_text(text) == Range(low, high)


@pytest.mark.parametrize("text", ["", "many", "5++", "-5", "+5", "4-6-8", "100", "4..6", "²"])
def test_bad_ranges_are_quoted(text: str) -> None:
    with pytest.raises(InvalidConstraint, match="not a range") as caught:
        Range.from_text(text)
    assert repr(text) in str(caught.value)


def test_a_range_upside_down_is_turned_round_in_the_message() -> None:
    with pytest.raises(InvalidConstraint, match=r"'17-15'.*'15-17'"):
        Range.from_text("17-15")


def test_disjoint_ranges_have_nothing_in_common() -> None:
    nothing = Range(0, 4) & Range(6)
    assert nothing is Range.EMPTY
    assert nothing.is_empty
    assert not any(number in nothing for number in range(20))
    assert not nothing.overlaps(0, 40)
    assert nothing & Range() == Range.EMPTY
    assert Range.from_text(str(nothing)) == nothing


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True), ("any", True),
        ("hcp 15-17", True), ("HCP 15", True), ("15+ hcp", True), ("hcp 16+", False),
        ("hcp 14-", False), ("points 15", True),
        ("controls 5", True), ("controls 6+", False),
        ("spades 3", True), ("3+ spades", True), ("spades 4+", False), ("♦ 4", True), ("d 4", True),
        ("diamond 4-5", True), ("clubs 2-", False),
        ("shape 4-3-3-3", True), ("shape 3=3=4=3", True), ("shape 4=3=3=3", False),
        ("shape 4333 or 3343", True),
        ("balanced", True), ("unbalanced", False), ("semibalanced", True),
        ("has SA HK", True), ("has ♠A 10d", True), ("has SK", False),
        ("not SK", True), ("not SK SA", False),
        ("hcp 15-17, spades 3-5, shape 4-3-3-3, has SA, not DK, balanced", True),
        ("hcp 15-17, spades 5+", False),
    ],
)  # fmt: skip
def test_terms_mean_what_they_say(text: str, expected: bool) -> None:
    assert HandConstraint.from_text(text).allows(HAND) is expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hcp", "not a term: 'hcp'"),
        ("hcp 15-17, wild", "not a term: 'wild'"),
        ("hcp 15-17,", "not a term: ''"),
        ("hcp 15-17 balanced", "not a range: '15-17 balanced' in 'hcp 15-17 balanced'"),
        ("hcp 40+", r"out of range: 'hcp 40\+' \(expected 0 to 37\)"),
        ("controls 13", "out of range: 'controls 13'"),
        ("spades 14", "out of range: 'spades 14'"),
        ("spades 5=", "'5=' in 'spades 5='"),
        ("shape 5-3-3", "not a shape: '5-3-3' in 'shape 5-3-3'"),
        ("has S1", "not a card: 'S1' in 'has S1'"),
        ("has SA SA", "card twice: 'SA' in 'has SA SA'"),
        ("has", "not a term: 'has'"),
        ("majors 5+", "not a term"),
    ],
)
def test_the_bad_term_is_quoted(text: str, message: str) -> None:
    with pytest.raises(InvalidConstraint, match=message):
        HandConstraint.from_text(text)


def test_ranges_no_hand_can_have_are_refused_in_code_too() -> None:
    with pytest.raises(InvalidConstraint, match="hcp 38"):
        HandConstraint(hcp=Range(38))


def test_and_demands_both() -> None:
    both = HandConstraint.from_text("hcp 10-16, has SA") & HandConstraint.from_text(
        "hcp 15+, not SK, hearts 3, balanced"
    )
    assert str(both) == "hcp 15-16, hearts 3, balanced, has SA, not SK"
    assert both.allows(HAND)


def test_a_term_given_twice_is_narrowed() -> None:
    assert HandConstraint.from_text("hcp 10+, hcp 16-").hcp == Range(10, 16)


@pytest.mark.parametrize(
    "text",
    [
        "hcp none",
        "has SA, not SA",
        "spades 7+, hearts 7+",
        "spades 3-, hearts 3-, diamonds 3-, clubs 3-",
        "balanced, spades 6+",
        "shape 5-4-3-1, balanced",
        "has SA SK SQ, spades 2-",
        "spades 12+, not S2 S3",
        "has SA HA DA CA, hcp 15-",
        "has SA, controls 1-",
        "not SA HA DA CA, hcp 25+",
        "not SA HA DA CA SK HK DK CK, controls 1+",
        "spades 13, hcp 11+",
        "spades 13, hcp 9-",
        "shape 13-0-0-0, hcp 11",
        "has SA SK SQ SJ ST HA HK HQ HJ HT DA DK DQ DJ",
    ],
)
def test_contradictions_are_found(text: str) -> None:
    assert HandConstraint.from_text(text).is_impossible


@pytest.mark.parametrize(
    "text",
    ["any", "spades 13, hcp 10", "hcp 37", "hcp 0", "controls 12", "shape 4-3-3-3, spades 4"],
)
def test_rare_hands_are_not_called_impossible(text: str) -> None:
    assert not HandConstraint.from_text(text).is_impossible


def test_possible_lengths_combine_shapes_lengths_and_cards() -> None:
    constraint = HandConstraint.from_text("shape 5-4-4-0, spades 4+, not C2, has HA, diamonds 1+")
    assert constraint.possible_lengths() == ((0, 4, 4, 5), (0, 4, 5, 4), (0, 5, 4, 4))


# Deals.


def test_deal_constraints_are_read_seat_by_seat() -> None:
    constraint = DealConstraint.from_text("north: hcp 15+; e: spades 5+; N: balanced; S:")
    assert str(constraint) == "N: hcp 15+, balanced; E: spades 5+"
    assert constraint[Seat.NORTH] == HandConstraint.from_text("balanced, hcp 15+")
    assert constraint[Seat.WEST] == HandConstraint()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hcp 15+", "no seat in 'hcp 15\\+'"),
        ("Q: hcp 15+", "no seat in 'Q: hcp 15\\+'"),
        ("N: hcp 15+; hcp 3", "no seat in 'hcp 3'"),
        ("N: hcp what", "'what'"),
    ],
)
def test_bad_deal_constraints_are_quoted(text: str, message: str) -> None:
    with pytest.raises(InvalidConstraint, match=message):
        DealConstraint.from_text(text)


def test_a_deal_is_allowed_if_every_hand_is() -> None:
    deal = Deal.from_pbn("N:AK... QJ... T9... 87...")
    assert DealConstraint.from_text("N: hcp 7; E: hcp 3, not SA").allows(deal)
    assert not DealConstraint.from_text("N: hcp 7; E: hcp 4").allows(deal)
    assert DealConstraint().allows(deal)


@pytest.mark.parametrize(
    "text",
    [
        "N: hcp 21+; S: hcp 20+",
        "N: hcp 9-; E: hcp 9-; S: hcp 9-; W: hcp 9-",
        "N: has SA; E: has SA",
        "N: not SA; E: not SA; S: not SA; W: not SA",
        "N: spades 7+; S: spades 7+",
        "N: spades 3-; E: spades 3-; S: spades 3-; W: spades 3-",
        "N: balanced; E: shape 8=x=x=x; S: shape 4=3=3=3",
        "N: controls 7+; S: controls 6+",
        "N: balanced, spades 6",
    ],
)
def test_impossible_deals_are_found(text: str) -> None:
    assert DealConstraint.from_text(text).is_impossible


def test_possible_deals_are_not_called_impossible() -> None:
    assert not DealConstraint().is_impossible
    assert not DealConstraint.from_text("N: hcp 20+; S: hcp 20; W: spades 13").is_impossible


def test_deal_constraints_combine() -> None:
    left = DealConstraint.from_text("N: hcp 10+")
    right = DealConstraint.from_seats({Seat.NORTH: HandConstraint(hcp=Range(high=12))})
    assert str(left & right) == "N: hcp 10-12"


@pytest.mark.parametrize(
    "value",
    [
        Range(3, 4),
        Range.EMPTY,
        HandConstraint(),
        HandConstraint.from_text("hcp none, shape (54)xx or balanced, has SA HA, not C2"),
        DealConstraint(),
        DealConstraint.from_text("W: 5+ clubs, controls 3-"),
    ],
)
def test_constraints_can_be_pasted_back(value: object) -> None:
    assert eval(repr(value)) == value


def test_shapes_of_equal_meaning_are_kept_once() -> None:
    constraint = HandConstraint.from_text("shape 5431, shape 5=4=3=1")
    assert constraint.shapes == (ShapePattern.from_text("5431"),)
