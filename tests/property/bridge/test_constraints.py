"""Laws of constraints and patterns."""

from __future__ import annotations

from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from property.strategies import deals, hands
from setrograde.bridge import Card, Deal, Hand, InvalidInput, Rank, Seat, Suit
from setrograde.bridge.constraints import CardCount, DealConstraint, HandConstraint, Range
from setrograde.bridge.patterns import DealPattern, HandPattern, ShapePattern

SHAPES = [
    "balanced", "semibalanced", "unbalanced", "5-4-3-1", "5=3=3=2", "(54)xx", "6+-x-x-x",
    "x=x=3-=2+", "4-4-4-1 or 5-4-4-0", "(5+4+)xx",
]  # fmt: skip


@st.composite
def ranges(draw: st.DrawFn, top: int) -> Range:
    low = draw(st.integers(0, top))
    return draw(
        st.sampled_from([Range(), Range(low), Range(0, low), Range(low, low)])
        | st.integers(low, top).map(lambda high: Range(low, high))
    )


@st.composite
def card_counts(draw: st.DrawFn, hand: Hand | None = None) -> CardCount:
    """A number of cards of a set, as `hand` has it if one is given."""
    suit, best = draw(st.sampled_from(Suit)), draw(st.integers(1, 5))
    top = Hand.from_cards([Card(suit, rank) for rank in sorted(Rank, reverse=True)[:best]])
    some = draw(st.lists(st.sampled_from(Card.ALL), min_size=1, max_size=4, unique=True))
    cards = draw(st.sampled_from([top, Hand.from_cards(some)]))
    if hand is not None:
        held = len(cards & hand)
        return CardCount(cards, Range(draw(st.integers(0, held)), draw(st.none() | st.just(held))))
    return CardCount(cards, draw(ranges(len(cards))))


def any_constraints() -> st.SearchStrategy[HandConstraint]:
    """Constraints with alternatives, nested."""
    return st.recursive(
        constraints(),
        lambda inner: (
            st.lists(inner, min_size=1, max_size=3).map(HandConstraint.any_of)
            | st.lists(inner, min_size=1, max_size=2).map(HandConstraint.all_of)
        ),
        max_leaves=6,
    )


@st.composite
def constraints(draw: st.DrawFn) -> HandConstraint:
    some = Hand.from_cards(draw(st.lists(st.sampled_from(Card.ALL), max_size=4, unique=True)))
    others = Hand.from_cards(draw(st.lists(st.sampled_from(Card.ALL), max_size=4, unique=True)))
    c, d, h, s = (draw(st.just(Range()) | ranges(13)) for _ in Suit)
    texts = draw(st.lists(st.sampled_from(SHAPES), max_size=2, unique=True))
    return HandConstraint(
        hcp=draw(st.just(Range()) | ranges(37)),
        controls=draw(st.just(Range()) | ranges(12)),
        lengths=(c, d, h, s),
        shapes=tuple(ShapePattern.from_text(text) for text in texts),
        held=some,
        denied=others,
        counts=tuple(draw(st.lists(card_counts(), max_size=2, unique=True))),
    )


@st.composite
def constraints_around(draw: st.DrawFn, hand: Hand) -> HandConstraint:
    """A constraint that `hand` meets, each demand drawn or left out."""

    def around(number: int, top: int) -> Range:
        low, high = draw(st.integers(0, number)), draw(st.integers(number, top) | st.none())
        return Range(low, high)

    c, d, h, s = (around(length, 13) for length in hand.lengths)
    fitting = [t for t in SHAPES if ShapePattern.from_text(t).matches(hand)]
    texts = draw(st.lists(st.sampled_from(fitting), unique=True)) if fitting else []
    rng = Random(draw(st.integers(0, 999)))
    rest = [card for card in Card.ALL if card not in hand]
    return HandConstraint(
        hcp=around(hand.hcp, 37),
        controls=around(hand.controls, 12),
        lengths=(c, d, h, s),
        shapes=tuple(ShapePattern.from_text(text) for text in texts),
        held=Hand.from_cards(rng.sample(list(hand), draw(st.integers(0, 13)))),
        denied=Hand.from_cards(rng.sample(rest, draw(st.integers(0, 39)))),
        counts=tuple(draw(st.lists(card_counts(hand), max_size=2, unique=True))),
        clauses=draw(st.just(()) | _clauses_around(hand)),
    )


@st.composite
def _clauses_around(draw: st.DrawFn, hand: Hand) -> tuple[tuple[HandConstraint, ...], ...]:
    """A list of two alternatives, of which `hand` meets one."""
    length = Range(hand.length(Suit.SPADES))
    c, d, h = Range(), Range(), Range()
    met = HandConstraint(hcp=Range(0, hand.hcp), lengths=(c, d, h, length), controls=Range(0, 12))
    other = draw(constraints().filter(lambda one: one != HandConstraint()))
    # Written as `any_of` writes it, a plain shape first: that is what text is read as.
    return HandConstraint.any_of([met, other]).clauses


@given(any_constraints())
def test_constraints_read_back_what_they_write(constraint: HandConstraint) -> None:
    assert HandConstraint.from_text(str(constraint)) == constraint
    assert eval(repr(constraint)) == constraint


@given(any_constraints(), any_constraints(), hands(13))
def test_and_allows_what_both_allow(
    left: HandConstraint, right: HandConstraint, hand: Hand
) -> None:
    both = left & right
    assert both.allows(hand) == (left.allows(hand) and right.allows(hand))
    assert (right & left).allows(hand) == both.allows(hand)
    assert HandConstraint.from_text(str(both)) == both


@given(st.data(), hands(13))
def test_a_constraint_some_hand_meets_is_not_impossible(data: st.DataObject, hand: Hand) -> None:
    constraint = data.draw(constraints_around(hand))
    assert constraint.allows(hand)
    assert not constraint.is_impossible
    assert hand.lengths in constraint.possible_lengths()


@given(constraints(), hands(13))
def test_allowing_a_hand_is_meeting_every_demand(constraint: HandConstraint, hand: Hand) -> None:
    demands = [hand.hcp in constraint.hcp, hand.controls in constraint.controls]
    demands += [hand.length(suit) in constraint.lengths[suit] for suit in Suit]
    demands += [shape.matches(hand) for shape in constraint.shapes]
    demands += [card in hand for card in constraint.held]
    demands += [card not in hand for card in constraint.denied]
    demands += [sum(c in hand for c in each.cards) in each.count for each in constraint.counts]
    assert constraint.allows(hand) == all(demands)


@given(st.lists(any_constraints(), min_size=1, max_size=4), hands(13))
def test_or_allows_what_any_part_allows(parts: list[HandConstraint], hand: Hand) -> None:
    either = HandConstraint.any_of(parts)
    assert either.allows(hand) == any(part.allows(hand) for part in parts)
    assert HandConstraint.from_text(str(either)) == either


@given(any_constraints(), hands(13))
def test_an_allowed_hand_has_a_possible_shape(constraint: HandConstraint, hand: Hand) -> None:
    if constraint.allows(hand):
        assert not constraint.is_impossible
        assert hand.lengths in constraint.possible_lengths()


@given(st.data(), deals())
def test_a_deal_constraint_some_deal_meets_is_not_impossible(
    data: st.DataObject, deal: Deal
) -> None:
    constraint = DealConstraint.from_seats(
        {seat: data.draw(constraints_around(deal[seat])) for seat in Seat}
    )
    assert constraint.allows(deal)
    assert not constraint.is_impossible
    assert DealConstraint.from_text(str(constraint)) == constraint


@given(deals(None), st.sampled_from(Rank))
def test_a_hidden_deal_matches_its_own_pattern(deal: Deal, lowest: Rank) -> None:
    n, e, s, w = (HandPattern.of(hand, lowest=lowest) for hand in deal)
    pattern = DealPattern((n, e, s, w))
    assert pattern.matches(deal)
    assert DealPattern.from_pbn(str(pattern)) == pattern
    hidden = [card for hand in deal for card in hand if card.rank < lowest]
    assert sum(pattern.unknown) == len(hidden)
    assert all(card in pattern.unnamed for card in hidden)


@given(hands(13), hands(13), st.sampled_from(Rank))
def test_a_hand_matches_the_pattern_of_another_only_if_lengths_and_honours_agree(
    hand: Hand, other: Hand, lowest: Rank
) -> None:
    honours = {card for card in hand if card.rank >= lowest}
    expected = hand.lengths == other.lengths and honours <= set(other)
    assert HandPattern.of(hand, lowest=lowest).matches(other) == expected


@given(hands(13))
def test_every_hand_matches_its_own_shape_in_every_notation(hand: Hand) -> None:
    c, d, h, s = hand.lengths
    exact = ShapePattern.from_text(f"{s}={h}={d}={c}")
    assert exact.lengths == {hand.lengths}
    loose = ShapePattern.from_text("-".join(str(length) for length in hand.shape))
    assert {tuple(sorted(lengths, reverse=True)) for lengths in loose.lengths} == {hand.shape}
    assert exact.lengths <= loose.lengths
    assert ShapePattern.from_text("balanced").matches(hand) == hand.is_balanced


@given(st.text("0123456789+-=()x| orbalnced", max_size=30) | st.text(max_size=30))
@example("(" * 5000)
@example("5-" * 5000)
@example("x|" * 5000)
def test_any_text_is_a_shape_or_invalid_input(text: str) -> None:
    try:
        shape = ShapePattern.from_text(text)
    except InvalidInput:
        return
    assert ShapePattern.from_text(str(shape)) == shape


_WORDS = [
    "hcp", "spades", "♥", "c", "major", "both minors", "a", "void", "singleton", "no", "not", "or",
    "and", ",", "(", ")", "shape", "balanced", "5-3-3-2", "(54)22", "has", "SA", "of", "top", "3",
    "2+", "8-9", "12", ">=", "<", "=", "or more", "at least", "exactly", "aces", "controls", "any",
    ";", "N:", "|", "in", "none", "cards",
]  # fmt: skip


@given(
    st.lists(st.sampled_from(_WORDS), max_size=14).map(" ".join)
    | st.lists(st.sampled_from(_WORDS), max_size=14).map("".join)
    | st.text("hcpsadeNESW :;,.0123456789+-=()xAKQ♠ not any or | > <", max_size=40)
    | st.text(max_size=30)
)
@settings(max_examples=400)
@example("(any" + " or (any" * 50 + ")" * 51)
@example("(" * 5000)
@example("5 or more" * 1000)
@example("N: hcp 3;" * 2000 + "N:shape 5431," * 2000)
@example("," * 10000)
def test_any_text_is_a_constraint_or_invalid_input(text: str) -> None:
    for read in (HandConstraint.from_text, DealConstraint.from_text):
        try:
            value = read(text)
        except InvalidInput:
            continue
        assert read(str(value)) == value
        assert value.is_impossible in (True, False)


@given(st.text("AKx+.-N: 10T", max_size=40) | st.text(max_size=30))
@example("N:" + "x" * 10000)
def test_any_text_is_a_hand_or_deal_pattern_or_invalid_input(text: str) -> None:
    for read in (HandPattern.from_text, DealPattern.from_pbn):
        try:
            value = read(text)
        except InvalidInput:
            continue
        assert read(str(value)) == value
