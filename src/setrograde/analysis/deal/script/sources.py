"""Where the deals of a script come from: counted conditions, or shuffling alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np

from setrograde.analysis.deal.measures import HandCondition, as_condition
from setrograde.analysis.deal.sampler import DealSampler, DealStream
from setrograde.bridge import Card, Hand, HandConstraint, InvalidConstraint, Range, Seat
from setrograde.common.stop import StopFlag, check_stop
from setrograde.formats.dealer.syntax import Holding

from .batch import Bits
from .counted import CountedPart

__all__ = [
    "CountedDeals",
    "DealSource",
    "ShuffledDeals",
    "conflict",
    "known_cards",
    "predealt_parts",
    "sampler_of",
]


# What takes more steps to count is tested instead. Three hands and four are tried in many ways.
_STEPS_TWO_HANDS = 1 << 27
_STEPS_MORE_HANDS = 1 << 25


class DealSource(Protocol):
    """Random deals, as many as are asked for."""

    probability: Fraction
    """The share of the deals with the known cards that can come."""

    is_exact: bool
    """False if some conditions were too much to count, and are tested while drawing."""

    def next(self, count: int, stop: StopFlag | None) -> Bits:
        """Deals as card sets by seat; fewer if some were drawn in vain."""
        ...


def known_cards(predeal: Sequence[Holding]) -> dict[Seat, Hand]:
    """The cards that a script gives to each player."""
    known = dict.fromkeys(Seat, Hand())
    for holding in predeal:
        known[holding.seat] |= holding.cards
    return known


def predealt_parts(predeal: Sequence[Holding]) -> list[CountedPart]:
    """The lengths that a script fixes, as conditions."""
    parts = []
    for holding in predeal:
        c, d, h, s = (
            Range() if length is None else Range(length, length) for length in holding.lengths
        )
        constraint = HandConstraint(lengths=(c, d, h, s))
        if constraint != HandConstraint():
            text = f"predeal {holding.seat.name.lower()}: {constraint}"
            parts.append(CountedPart((holding.seat,), as_condition(constraint), text))
    return parts


class CountedDeals:
    """Deals that meet all counted parts, each equally likely and none rejected.

    Raises `InvalidConstraint` if there are none, naming parts that exclude each other.
    """

    def __init__(
        self,
        known: Mapping[Seat, Hand],
        parts: Sequence[CountedPart],
        seed: int,
        *,
        stop: StopFlag | None = None,
    ) -> None:
        sampler = sampler_of(known, parts, stop)
        if not sampler.is_possible:
            raise InvalidConstraint(_why_impossible(known, parts, stop))
        self.probability = sampler.counted_probability
        self.is_exact = sampler.exact_counts
        self._stream = DealStream(sampler, seed)

    def next(self, count: int, stop: StopFlag | None) -> Bits:
        """Up to `count` deals."""
        return self._stream.next(count, most_tries=count, stop=stop)


def sampler_of(
    known: Mapping[Seat, Hand], parts: Sequence[CountedPart], stop: StopFlag | None
) -> DealSampler:
    """A sampler of the deals that meet all parts."""
    asked: dict[tuple[Seat, ...], HandCondition] = {}
    for part in parts:
        asked[part.seats] = asked.get(part.seats, HandCondition()) & part.condition
    constraints = {seats[0]: condition for seats, condition in asked.items() if len(seats) == 1}
    together = {
        "".join([seat.letter for seat in seats]): condition
        for seats, condition in asked.items()
        if len(seats) > 1
    }
    hands = {seat for seats in asked for seat in seats}
    most_steps = _STEPS_TWO_HANDS if len(hands) <= 2 else _STEPS_MORE_HANDS
    return DealSampler(known, constraints, together=together, most_steps=most_steps, stop=stop)


def conflict(
    known: Mapping[Seat, Hand], parts: Sequence[CountedPart], stop: StopFlag | None
) -> list[CountedPart]:
    """Parts that no deal meets together, none of which can be spared for that."""
    left = list(parts)
    for part in parts:
        fewer = [each for each in left if each is not part]
        if not sampler_of(known, fewer, stop).is_possible:
            left = fewer
    return left


def _why_impossible(
    known: Mapping[Seat, Hand], parts: Sequence[CountedPart], stop: StopFlag | None
) -> str:
    names = " and ".join([f"'{part}'" for part in conflict(known, parts, stop)])
    cards = " with the cards dealt before" if any(len(hand) for hand in known.values()) else ""
    return f"no deal fits {names}{cards} (expected conditions that one deal can meet)"


class ShuffledDeals:
    """All deals with the known cards, by shuffling the others; the plain way, to compare with.

    >>> deals = ShuffledDeals({Seat.NORTH: Hand("AKQJT98765432...")}, 1).next(2, None)
    >>> Hand(int(deals[0, 0])).spades
    'AKQJT98765432'
    """

    def __init__(self, known: Mapping[Seat, Hand], seed: int) -> None:
        self.probability = Fraction(1)
        self.is_exact = True
        self._dice = np.random.default_rng([seed, 2])
        self._known = [known.get(seat, Hand()) for seat in Seat]
        gone = 0
        for hand in self._known:
            gone |= hand.bits
        self._cards = np.array([c.bit for c in Card.ALL if not c.bit & gone], np.uint64)
        self._ends = np.cumsum([13 - len(hand) for hand in self._known])

    def next(self, count: int, stop: StopFlag | None) -> Bits:
        """As many deals as asked for."""
        check_stop(stop)
        cards = np.tile(self._cards, (count, 1))
        self._dice.permuted(cards, axis=1, out=cards)
        deals = np.empty((count, 4), np.uint64)
        start = 0
        for seat, end in enumerate(self._ends):
            own = np.bitwise_or.reduce(cards[:, start:end], axis=1)
            deals[:, seat] = own | np.uint64(self._known[seat].bits)
            start = end
        return deals
