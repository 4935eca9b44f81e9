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
        ("hcp >= 15", True), ("hcp>15", False), ("hcp<=15", True), ("hcp < 15", False),
        ("15 <= hcp <= 17", True), ("12 <= hcp < 15", False), ("hcp = 15", True),
        ("hcp ≥ 16", False),
        ("at least 15 hcp", True), ("at most 14 hcp", False), ("3 or more spades", True),
        ("3 or fewer spades", True), ("4-card diamonds", True), ("5+ cards in diamonds", False),
        ("3+spades", True), ("hcp15-17", True), ("s4+", False), ("no spades", False),
        ("void spades", False), ("void", False), ("no void", True), ("singleton", False),
        ("no singleton", True), ("doubleton club", False), ("a doubleton", False),
        ("singleton in hearts", False), ("spade void", False), ("no void in a major", True),
        ("4+ in a minor", True), ("major 4+", False), ("both majors 3+", True),
        ("both minors 4+", False), ("either minor 4", True), ("a major 3-", True),
        ("void in a major", False), ("not balanced", False), ("not unbalanced", True),
        ("not semibalanced", False),
        ("2 of top 3 spades", True), ("3 of top 3 spades", False),
        ("exactly 1 of top 2 spades", True),
        ("1-2 of the top 5 hearts", True),
        ("2+ of top 3 honours in diamonds", False), ("no of top 2 clubs", True),
        ("0 of top 2 clubs", True), ("2 of SA DA CA", True), ("3 of SA HA DA CA", False),
        ("exactly 2 of SA HA DA CA", True), ("2 of top 3 in a major", True),
        ("aces 2", True), ("3+ aces", False), ("kings 1+", True), ("no queens", False),
        ("spades 5+ or hearts 5+", False), ("spades 3 or hearts 5+", True),
        ("5+ spades or diamonds", False), ("4+ spades or diamonds", True),
        ("spades or diamonds 4+", True), ("hcp 8-9 or 15", True), ("hcp 8-9 or 12", False),
        ("has SK or SA", True), ("has SK or HQ", False), ("void spades or hearts", False),
        ("hcp 12+, spades 5+ or diamonds 4+", True), ("hcp 16+, spades 5+ or diamonds 4+", False),
        ("(hcp 16+, spades 3) or diamonds 4", True), ("hcp 16+ and spades 3 or clubs 3", True),
        ("(hcp 16+ or spades 3) and clubs 4", False), ("balanced | spades 6+", True),
        ("shape 5-4-3-1 or 4-3-3-3", True), ("shape 5431 or hearts 3", True),
        ("shape (54)22 or hearts 5", False), ("((any))", True),
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
        ("majors 5+", "not clear: 'majors 5\\+' \\(expected one suit of the two"),
        ("major 3-", "not clear: 'major 3-'"),
        ("spades < 0", "no number fits 'spades < 0'"),
        ("14 <= hcp <= 12", "no number fits '14 <= hcp <= 12'"),
        ("4 of top 3 spades", "out of range: '4\\+ of top 3 spades' \\(expected 0 to 3\\)"),
        ("1 of top 14 spades", "not a number of top cards: 14"),
        ("1 of S1", "not a card: 'S1' in '1 of S1'"),
        ("2 of top 3", "not a card: 'TOP' in '2 of top 3'"),
        ("spades 5+ or", "not a term: ''"),
        ("or spades 5+", "not a term: ''"),
        ("spades 5+ or tall", "not a term: 'tall'"),
        ("(spades 5+", "'\\(' without '\\)'"),
        ("spades 5+)", "'\\)' without '\\('"),
        ("(spades 5+) hearts", "'hearts' after a bracket"),
        ("hcp (spades 5+)", "a bracket after 'hcp'"),
        ("(" * 30 + "any" + ")" * 30, "too many brackets"),
        ("any or " * 3000 + "any", "too many terms"),
        ("void in", "not a term: 'void in'"),
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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("5+ in a major", "hearts 5+ or spades 5+"),
        ("hcp >= 12, spades > 4", "hcp 12+, spades 5+"),
        ("2 of top 3 spades", "2+ of top 3 spades"),
        ("exactly 2 of top 3 spades", "exactly 2 of top 3 spades"),
        ("aces 2+", "2+ of SA HA DA CA"),
        ("void", "spades 0 or hearts 0 or diamonds 0 or clubs 0"),
        ("(a major 5+) or clubs 6+", "hearts 5+ or spades 5+ or clubs 6+"),
        ("(spades 5+, hcp 8+) or (hearts 5+)", "(hcp 8+, spades 5+) or hearts 5+"),
        ("balanced or shape 5-4-2-2", "shape balanced or 5-4-2-2"),
        ("spades 5+ or any", "any"),
        ("not semibalanced, not balanced", None),
    ],
)
def test_alternatives_are_written_plainly(text: str, shown: str | None) -> None:
    found = HandConstraint.from_text(text)
    assert shown is None or str(found) == shown
    assert HandConstraint.from_text(str(found)) == found
    assert eval(repr(found)) == found


def test_alternatives_that_all_contradict_are_impossible() -> None:
    assert HandConstraint.from_text("spades 3-, has SA SK SQ SJ or spades 5+").is_impossible
    assert HandConstraint.from_text("2 of top 3 spades, not SA SK").is_impossible
    assert not HandConstraint.from_text("spades 3-, has SA SK or spades 5+").is_impossible
    assert HandConstraint.from_text("void spades or hearts, balanced").is_impossible


def test_shapes_of_equal_meaning_are_kept_once() -> None:
    constraint = HandConstraint.from_text("shape 5431, shape 5=4=3=1")
    assert constraint.shapes == (ShapePattern.from_text("5431"),)
