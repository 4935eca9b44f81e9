"""Hands as sets of cards."""

from __future__ import annotations

import pytest

from setrograde.bridge import Card, Hand, InvalidHand, Suit


def cards(text: str) -> list[Card]:
    return [Card.from_text(word) for word in text.split()]


def test_a_hand_is_read_from_spades_to_clubs() -> None:
    hand = Hand.from_text("AK.Q.J.T9")
    assert list(hand) == cards("SA SK HQ DJ CT C9")


@pytest.mark.parametrize(
    ("text", "same"),
    [("ka.q.j.9t", "AK.Q.J.T9"), ("-.A.-.-", ".A.."), ("10...", "T..."), ("  A... ", "A...")],
)
def test_spellings_of_a_hand_are_equal(text: str, same: str) -> None:
    assert Hand.from_text(text) == Hand.from_text(same)
    assert str(Hand.from_text(text)) == same


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("AK.Q.J", "'AK.Q.J'"),
        ("A.K.Q.J.T", "'A.K.Q.J.T'"),
        ("", "''"),
        ("AX...", "'X'"),
        ("AA...", "'A' in 'AA'"),
        ("1...", "'1'"),
        ("A-...", "'-'"),
    ],
)
def test_bad_hands_are_quoted(text: str, quoted: str) -> None:
    with pytest.raises(InvalidHand) as caught:
        Hand.from_text(text)
    assert quoted in str(caught.value)


def test_bits_outside_the_pack_are_refused() -> None:
    with pytest.raises(InvalidHand, match="0x2000"):
        Hand(1 << 13)
    with pytest.raises(InvalidHand):
        Hand(-1)


def test_a_card_given_twice_is_refused() -> None:
    with pytest.raises(InvalidHand, match="'SA'"):
        Hand.from_cards(cards("SA SK SA"))


def test_lengths_shape_and_points_of_a_known_hand() -> None:
    hand = Hand.from_text("AQJ32.K4.T98.A54")
    assert hand.lengths == (3, 3, 2, 5)
    assert hand.shape == (5, 3, 3, 2)
    assert hand.hcp == 14
    assert hand.controls == 5
    assert [hand.length(suit) for suit in Suit] == [3, 3, 2, 5]
    assert hand.holding(Suit.HEARTS) == "K4"


@pytest.mark.parametrize(
    ("text", "losers"),
    [
        ("AKQ.AKQ.AKQ.AKQJ", 0),
        ("432.432.432.5432", 12),
        ("A.K.Q.", 2),  # a singleton king or queen is a loser
        ("AK.AQ.KQ.A", 2),
        ("KQ2.AQ2.AK2.Q432", 5),
    ],
)
def test_losing_tricks_count_missing_top_honours(text: str, losers: int) -> None:
    assert Hand.from_text(text).losers == losers


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [((4, 3, 3, 3), True), ((2, 3, 5, 3), True), ((2, 4, 3, 4), True), ((5, 4, 2, 2), False),
     ((6, 3, 2, 2), False), ((4, 4, 4, 1), False)],
)  # fmt: skip
def test_balanced_means_no_singleton_and_one_doubleton_at_most(
    lengths: tuple[int, ...], expected: bool
) -> None:
    text = ".".join("AKQJT98765432"[:length] for length in lengths)
    assert Hand.from_text(text).is_balanced is expected


def test_hands_are_sets() -> None:
    left, right = Hand.from_text("AK.Q.."), Hand.from_text("A.QJ..")
    assert left | right == Hand.from_text("AK.QJ..")
    assert left & right == Hand.from_text("A.Q..")
    assert left - right == Hand.from_text("K...")
    assert Card.from_text("SK") in left
    assert Card.from_text("SK") not in right
    assert len(left) == 3
    assert not Hand()
