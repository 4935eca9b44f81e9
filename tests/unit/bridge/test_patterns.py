"""Shapes, hands and deals with unknown cards."""

from __future__ import annotations

import pytest

from setrograde.bridge import Deal, Hand, Rank, Seat
from setrograde.bridge.patterns import DealPattern, HandPattern, InvalidPattern, ShapePattern


def hand_of(s: int, h: int, d: int, c: int) -> Hand:
    ranks = "AKQJT98765432"
    return Hand.from_text(".".join(ranks[:length] for length in (s, h, d, c)))


# Shapes.


@pytest.mark.parametrize(
    ("text", "shape", "expected"),
    [
        ("5=4=3=1", (5, 4, 3, 1), True),
        ("5=4=3=1", (4, 5, 3, 1), False),
        ("5431", (5, 4, 3, 1), True),
        ("5431", (1, 3, 4, 5), False),
        ("5-4-3-1", (1, 3, 4, 5), True),
        ("5-4-3-1", (5, 4, 2, 2), False),
        ("(54)=2=2", (4, 5, 2, 2), True),
        ("(54)=2=2", (2, 2, 5, 4), False),
        ("(54)22", (5, 4, 2, 2), True),
        ("(54)xx", (4, 5, 4, 0), True),
        ("5(431)", (5, 1, 4, 3), True),
        ("5(431)", (4, 5, 3, 1), False),
        ("xx(64)", (1, 2, 4, 6), True),
        ("(5+4+)xx", (4, 6, 2, 1), True),
        ("5+=x=x=2-", (6, 4, 3, 0), True),
        ("5+=x=x=2-", (5, 3, 2, 3), False),
        ("5+=x=x=2-", (4, 4, 3, 2), False),
        ("7+-x-x-x", (2, 2, 2, 7), True),
        ("7+-x-x-x", (6, 3, 2, 2), False),
        ("10=1=1=1", (10, 1, 1, 1), True),
        ("11-1-1-0", (1, 0, 1, 11), True),
        ("Balanced", (3, 3, 5, 2), True),
        ("balanced", (5, 4, 2, 2), False),
        ("semibalanced", (2, 5, 2, 4), True),
        ("semibalanced", (6, 2, 2, 3), True),
        ("semibalanced", (7, 2, 2, 2), False),
        ("unbalanced", (5, 4, 2, 2), True),
        ("unbalanced", (4, 3, 3, 3), False),
        ("5-3-3-2 or 6-3-2-2", (2, 3, 2, 6), True),
        ("5-3-3-2|6-3-2-2", (2, 3, 3, 5), True),
    ],
)
def test_shapes_mean_what_the_table_says(
    text: str, shape: tuple[int, int, int, int], expected: bool
) -> None:
    assert ShapePattern.from_text(text).matches(hand_of(*shape)) is expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("x-x-x-x", 560), ("4-3-3-3", 4), ("4-4-3-2", 12), ("5-3-3-2", 12), ("5-4-3-1", 24),
        ("balanced", 28), ("unbalanced", 532), ("semibalanced", 52), ("13-0-0-0", 4),
        ("(54)=2=2", 2), ("5=4=3=1", 1),
    ],
)  # fmt: skip
def test_shapes_have_the_known_number_of_suit_orders(text: str, count: int) -> None:
    assert len(ShapePattern.from_text(text)) == count


@pytest.mark.parametrize(
    "text",
    [
        "", "5", "5-4-3", "5-4-3-1-0", "5=4=3", "5-4=3=1", "54311", "(54)", "(54=2=2", "54)22",
        "()5431", "((54)2)2", "5-4-3-y", "a5431", "5 431", "5-4-3-1 or", "or", "5+5+5+", "-1=5=5=4",
        "²431", "5--4-3-1", "3-=3=3-3",
    ],
)  # fmt: skip
def test_bad_shapes_are_refused(text: str) -> None:
    with pytest.raises(InvalidPattern, match="not a shape"):
        ShapePattern.from_text(text)


@pytest.mark.parametrize("text", ["5-5-5-5", "4432 or 4433", "9=9=x=x", "99-1-1-1", "2-=2-=2-=2-"])
def test_shapes_without_13_cards_are_refused(text: str) -> None:
    with pytest.raises(InvalidPattern, match="no shape"):
        ShapePattern.from_text(text)


def test_the_part_of_a_shape_that_is_wrong_is_quoted() -> None:
    with pytest.raises(InvalidPattern, match="'5-3-3'"):
        ShapePattern.from_text("4-4-3-2 or 5-3-3")


def test_shapes_are_equal_however_written() -> None:
    assert ShapePattern.from_text("5431") == ShapePattern.from_text("5=4=3=1")
    assert hash(ShapePattern.from_text("5431")) == hash(ShapePattern.from_text("5=4=3=1"))
    assert ShapePattern.from_text("5431") != ShapePattern.from_text("5-4-3-1")


def test_either_of_two_shapes_is_a_shape() -> None:
    either = ShapePattern.from_text("4333") | ShapePattern.from_text("3433")
    assert either == ShapePattern.from_text("(43)33")
    assert ShapePattern.from_text(str(either)) == either


def test_a_shape_is_of_13_cards() -> None:
    assert not ShapePattern.from_text("x-x-x-x").matches(Hand.from_text("AK..."))


# Hands.


@pytest.mark.parametrize(
    ("pattern", "hand", "expected"),
    [
        ("AKxx.Qxx.xx.xxxx", "AK32.Q32.32.5432", True),
        ("AKxx.Qxx.xx.xxxx", "AKQJ.QJT.KQ.KQJT", True),
        ("AKxx.Qxx.xx.xxxx", "AQ32.Q32.32.5432", False),
        ("AKxx.Qxx.xx.xxxx", "AK2.Q32.32.65432", False),
        ("AKxx.Qxx.xx.xxxx", "AK432.Q32.32.432", False),
        ("Ax+...", "A2...", True),
        ("Ax+...", "AKQJ...", True),
        ("Ax+...", "A...", False),
        ("Ax+...", "A2.2..", False),
        ("+.+.+.+", "AK.Q.J.T", True),
        ("-.-.-.-", "...", True),
        ("...", "2...", False),
        ("10x...", "T2...", True),
    ],
)
def test_hand_patterns_match_named_cards_and_lengths(
    pattern: str, hand: str, expected: bool
) -> None:
    assert HandPattern.from_text(pattern).matches(Hand.from_text(hand)) is expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AKxx.Qxx.xx", "not a hand pattern: 'AKxx.Qxx.xx'"),
        ("AKyx...", "not a rank: 'y' in 'AKyx...'"),
        ("A+x...", r"not a rank: '\+'"),
        ("AA...", "card twice: 'A'"),
        ("AKxx.Qxx.xx.xxxxx", "too many cards: 14"),
        ("xxxxxxxxxxxxxx...", "further spades: 14"),
        ("", "not a hand pattern"),
    ],
)
def test_bad_hand_patterns_are_quoted(text: str, message: str) -> None:
    with pytest.raises(InvalidPattern, match=message):
        HandPattern.from_text(text)


def test_a_hand_pattern_says_what_is_named_and_what_is_not() -> None:
    pattern = HandPattern.from_text("AKx.Q+.xx.")
    assert pattern.named == Hand.from_text("AK.Q..")
    assert pattern.unknown == (0, 2, 0, 1)
    assert pattern.min_lengths == (0, 2, 1, 3)
    assert pattern.is_open == (False, False, True, False)


def test_the_pattern_of_a_hand_hides_its_small_cards() -> None:
    hand = Hand.from_text("AT92.K.876.QJ543")
    assert str(HandPattern.of(hand)) == "ATxx.K.xxx.QJxxx"
    assert str(HandPattern.of(hand, lowest=Rank.KING)) == "Axxx.K.xxx.xxxxx"
    assert HandPattern.of(hand).matches(hand)


# Deals.


def test_a_deal_pattern_counts_named_and_unknown_cards() -> None:
    pattern = DealPattern.from_pbn("E:AKx.xx.. Qx.Kx+.. - Jxx...")
    assert pattern[Seat.EAST] == HandPattern.from_text("AKx.xx..")
    assert pattern[Seat.WEST] == HandPattern.from_text("+.+.+.+")
    assert pattern.named == Hand.from_text("AKQJ.K..")
    assert len(pattern.unnamed) == 47
    assert pattern.unknown == (0, 0, 3, 4)


def test_a_deal_matches_if_every_hand_does() -> None:
    pattern = DealPattern.from_pbn("N:Ax... Kx... xx... xx...")
    assert pattern.matches(Deal.from_pbn("N:A2... K3... 45... 67..."))
    assert not pattern.matches(Deal.from_pbn("N:A2... 83... K5... 67..."))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AKx... - - -", "not a deal pattern"),
        ("X:- - - -", "not a deal pattern: 'X:- - - -'"),
        ("N:- - -", "not a deal pattern"),
        (":- - - -", "not a deal pattern"),
        ("N:A... A... - -", "card twice: 'SA' is with North and East"),
        ("N:xxxxx... xxxxx... xxxx... -", "too many spades: 14"),
        ("N:Az... - - -", "not a rank: 'z'"),
    ],
)
def test_bad_deal_patterns_are_quoted(text: str, message: str) -> None:
    with pytest.raises(InvalidPattern, match=message):
        DealPattern.from_pbn(text)


@pytest.mark.parametrize(
    "value",
    [
        ShapePattern.from_text("(54)xx or balanced"),
        HandPattern.from_text("AKx+.Qx.-.x"),
        DealPattern.from_pbn("S:AKx+.Qx.-.x - xx... +.x.x.x"),
    ],
)
def test_patterns_can_be_pasted_back(value: object) -> None:
    assert eval(repr(value)) == value
