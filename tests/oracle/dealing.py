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


def unevenness(
    drawn: Sequence[Hands], possible: Sequence[Hands], weights: Sequence[float] | None = None
) -> float:
    """Chi-square of draws from deals as likely as their weights, as a standard normal deviate.

    Without weights all deals are equally likely. The cube root of chi-square over its degrees of
    freedom is nearly normal (Wilson and Hilferty).
    """
    shares = dict(zip(possible, weights or [1.0] * len(possible), strict=True))
    shares = {deal: weight / sum(shares.values()) for deal, weight in shares.items() if weight}
    counts = Counter(drawn)
    assert set(counts) <= set(shares)
    if len(shares) == 1:
        return 0.0
    expected = {deal: len(drawn) * share for deal, share in shares.items()}
    chi_square = sum((counts[deal] - mean) ** 2 / mean for deal, mean in expected.items())
    freedom = len(shares) - 1
    spread = 2 / (9 * freedom)
    return ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread)
