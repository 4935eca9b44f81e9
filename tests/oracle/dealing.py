"""Every deal of few unseen cards, one by one; and a test of whether draws are even."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

from setrograde.bridge import Card, Hand, HandConstraint, Seat

Hands = tuple[int, int, int, int]


def all_deals(
    known: Mapping[Seat, Hand],
    constraints: Mapping[Seat, HandConstraint] | None = None,
    denied: Mapping[Seat, Hand] | None = None,
) -> list[Hands]:
    """The deals that fit, as `Hand.bits` by seat."""
    unseen = list(Hand.FULL - Hand(sum(hand.bits for hand in known.values())))
    start = [known.get(seat, Hand()).bits for seat in Seat]
    refused = [(denied or {}).get(seat, Hand()).bits for seat in Seat]
    found = []
    for hands in _dealt(unseen, start):
        fits = all(not hand & no for hand, no in zip(hands, refused, strict=True))
        if fits and all(
            limit.allows(Hand(hands[seat])) for seat, limit in (constraints or {}).items()
        ):
            found.append(hands)
    return found


def _dealt(cards: Sequence[Card], hands: list[int]) -> Iterator[Hands]:
    if not cards:
        n, e, s, w = hands
        yield (n, e, s, w)
        return
    for seat in Seat:
        if hands[seat].bit_count() < 13:
            yield from _dealt(
                cards[1:], [hand | cards[0].bit * (i == seat) for i, hand in enumerate(hands)]
            )


def unevenness(drawn: Sequence[Hands], possible: Sequence[Hands]) -> float:
    """Chi-square of draws from equally likely deals, as a standard normal deviate.

    The cube root of chi-square over its degrees of freedom is nearly normal (Wilson and Hilferty).
    """
    counts = Counter(drawn)
    assert set(counts) <= set(possible)
    if len(possible) == 1:
        return 0.0
    expected = len(drawn) / len(possible)
    chi_square = sum((counts[deal] - expected) ** 2 / expected for deal in possible)
    freedom = len(possible) - 1
    spread = 2 / (9 * freedom)
    return ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread)
