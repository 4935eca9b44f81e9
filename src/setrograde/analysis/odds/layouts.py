"""Layouts: the ways the unseen cards can lie between two hands.

What is known of the hands limits them: lengths, points, single cards. All layouts that remain are
equally likely, so a chance is one count divided by another. Layouts are counted suit by suit, and
listed only on demand.

>>> layouts = Layouts(Hand.from_text("KQ32..."), first_size=2)
>>> layouts.count()
6
>>> [str(hand) for hand in Layouts(Hand.from_text("KQ32..."), 2, points=(5, 5))]
['KQ...']
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, islice, product
from random import Random

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Hand, InvalidConstraint, InvalidHand, Rank, Suit
from setrograde.bridge.patterns import Lengths
from setrograde.common.stop import StopFlag, check_stop

from .cases import LayoutCase

__all__ = ["Layouts", "SuitParts"]

Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]

ALL_POINTS = (0, 40)


@dataclass(frozen=True, slots=True, eq=False)
class SuitParts:
    """Every part of one suit's unseen cards that the first hand may hold, as columns.

    >>> parts = Layouts(Hand.from_text("K32..."), 1).suit_parts(Suit.SPADES)
    >>> [Hand(int(bits) << 48).holding(Suit.SPADES) for bits in parts.bits]
    ['', '2', '3', '32', 'K', 'K2', 'K3', 'K32']
    >>> parts.lengths.tolist(), parts.points.tolist()
    ([0, 1, 1, 2, 1, 2, 2, 3], [0, 0, 0, 0, 3, 3, 3, 3])
    """

    size: int
    """Unseen cards in the suit."""

    bits: Counts
    """The cards, bit 0 for the two."""

    lengths: Counts
    """The number of cards in each part."""

    points: Counts
    """The high card points of each part."""

    def holding_between(self, cards: int, low: int, high: int) -> Flags:
        """Which parts have from `low` to `high` of `cards` (bits of this suit alone).

        >>> parts = Layouts(Hand.from_text("K32..."), 1).suit_parts(Suit.SPADES)
        >>> parts.holding_between(0b11, 1, 1).tolist()
        [False, True, True, False, False, True, True, False]
        """
        held = _BITS_IN[self.bits & cards]
        flags: Flags = (held >= low) & (held <= high)
        return flags


_BITS_IN: Counts = np.array([number.bit_count() for number in range(1 << 13)], dtype=np.int64)
_POINTS_IN: Counts = np.array(
    [sum(rank.hcp for rank in Rank if number >> rank & 1) for number in range(1 << 13)],
    dtype=np.int64,
)


@lru_cache(maxsize=256)
def _suit_parts(cards: int, must: int, must_not: int) -> SuitParts:
    ranks = [rank for rank in range(13) if cards >> rank & 1]
    bits = np.zeros(1, dtype=np.int64)
    for rank in ranks:
        if must_not >> rank & 1:
            continue
        with_it = bits | (1 << rank)
        bits = with_it if must >> rank & 1 else np.concatenate([bits, with_it])
    bits = np.sort(bits)
    return SuitParts(len(ranks), bits, _BITS_IN[bits], _POINTS_IN[bits])


@dataclass(frozen=True, slots=True)
class Layouts:
    """All possible layouts of some cards between a first and a second hand.

    >>> layouts = Layouts(Hand.from_text("KQ32.K2.."), 3, first=Hand.from_text("K..."))
    >>> layouts.count(), next(iter(layouts))
    (10, Hand.from_text('K32...'))
    """

    cards: Hand
    """The unseen cards."""

    first_size: int
    """The number of cards in the first hand; the second hand has the others."""

    shapes: frozenset[Lengths] | None = None
    """Lengths that the first hand may have in each suit, clubs first; `None` for any."""

    points: tuple[int, int] = ALL_POINTS
    """The least and the greatest number of high card points in the first hand."""

    first: Hand = field(default_factory=Hand)
    """Cards that the first hand has."""

    second: Hand = field(default_factory=Hand)
    """Cards that the second hand has."""

    cases: tuple[LayoutCase, ...] | None = None
    """If given, a layout must also be in one of these; no layout is in two."""

    def __post_init__(self) -> None:
        if not 0 <= self.first_size <= len(self.cards):
            raise InvalidHand(
                f"no hand of {self.first_size} from {len(self.cards)} cards: '{self.cards}'"
                f" (expected 0 to {len(self.cards)})"
            )
        strange = (self.first | self.second) - self.cards
        if strange.bits:
            raise InvalidConstraint(f"not among the unseen cards: '{strange}'")
        both = self.first & self.second
        if both.bits:
            raise InvalidConstraint(f"cards demanded of both hands: '{both}'")

    def suit_parts(self, suit: Suit) -> SuitParts:
        """What the first hand may hold in a suit, as far as single cards are known."""
        shift = 16 * suit
        held = (hand.bits >> shift & 0x1FFF for hand in (self.cards, self.first, self.second))
        return _suit_parts(*held)

    def case_parts(self, suit: Suit, case: LayoutCase) -> SuitParts:
        """The same within a case."""
        shift = 16 * suit
        first, second = self.first | case.first, self.second | case.second
        held = (hand.bits >> shift & 0x1FFF for hand in (self.cards, first, second))
        return _suit_parts(*held)

    def all_cases(self) -> tuple[LayoutCase, ...]:
        """The cases, with the limits on all layouts; one if none are given.

        >>> [case.points.bit_count() for case in Layouts(Hand.from_text("KQ..."), 1).all_cases()]
        [6]
        """
        low, high = self.points
        within = ((1 << (min(high, self.cards.hcp) + 1)) - 1) >> low << low if high >= 0 else 0
        shapes = frozenset(self.allowed_lengths())
        if self.cases is None:
            return (LayoutCase(shapes, within, Hand(), Hand()),)
        return tuple(
            [
                LayoutCase(case.shapes & shapes, case.points & within, case.first, case.second)
                for case in self.cases
            ]
        )

    @property
    def limits_points(self) -> bool:
        """True if the limit on points may rule out layouts that the other limits allow.

        >>> Layouts(Hand.from_text("KQ..."), 1, points=(2, 3)).limits_points
        True
        >>> Layouts(Hand.from_text("KQ..."), 1, points=(0, 10)).limits_points
        False
        """
        low, high = self.points
        every = (1 << (self.cards.hcp + 1)) - 1
        in_cases = any(case.points & every != every for case in self.cases or ())
        return low > 0 or high < self.cards.hcp or in_cases

    def allowed_lengths(self) -> list[Lengths]:
        """The lengths the first hand may have, in order.

        >>> Layouts(Hand.from_text("KQ.2.."), 1).allowed_lengths()
        [(0, 0, 0, 1), (0, 0, 1, 0)]
        """
        clubs, diamonds, hearts, spades = (
            range(self.first.length(suit), self.cards.length(suit) - self.second.length(suit) + 1)
            for suit in Suit
        )
        return [
            (c, d, h, s)
            for c, d, h, s in product(clubs, diamonds, hearts, spades)
            if c + d + h + s == self.first_size
            and (self.shapes is None or (c, d, h, s) in self.shapes)
        ]

    def count(self) -> int:
        """The number of layouts.

        >>> Layouts(Hand(0x0FFF_0FFF_0003_0000), 13).count()
        10400600
        """
        return sum(_weights(self)[1])

    def _point_columns(self, case: LayoutCase, lengths: Lengths) -> list[list[int]]:
        """For every suit, the number of parts of that length, by points."""
        tables = [_ways_by_points(self.case_parts(suit, case)) for suit in Suit]
        return [table[length] for table, length in zip(tables, lengths, strict=True)]

    def __iter__(self) -> Iterator[Hand]:
        """The first hand of every layout, in a fixed order."""
        for case in self.all_cases():
            for lengths in sorted(case.shapes):
                for parts in product(*[self._parts(case, suit, lengths[suit]) for suit in Suit]):
                    if case.points >> sum(points for _, points in parts) & 1:
                        yield Hand(sum(bits for bits, _ in parts))

    def _parts(self, case: LayoutCase, suit: Suit, length: int) -> list[tuple[int, int]]:
        """Parts of a suit of that length as bits of a hand, with their points."""
        parts = self.case_parts(suit, case)
        chosen = parts.lengths == length
        bits, points = parts.bits[chosen].tolist(), parts.points[chosen].tolist()
        return [(part << (16 * suit), hcp) for part, hcp in zip(bits, points, strict=True)]

    def sample(self, count: int, *, seed: int, stop: StopFlag | None = None) -> list[Hand]:
        """The first hand of `count` random layouts, each as likely as any other.

        `stop` raises `Stopped`.

        >>> layouts = Layouts(Hand.from_text("KQ32..."), 2)
        >>> layouts.sample(2, seed=1) == layouts.sample(2, seed=1)
        True
        """
        return list(islice(self.iter_sample(seed=seed, stop=stop), count))

    def iter_sample(self, *, seed: int, stop: StopFlag | None = None) -> Iterator[Hand]:
        """Random layouts without end, the same as `sample` draws."""
        rng = Random(seed)
        places, weights = _weights(self)
        sums = list(accumulate(weights))
        if not sums or not sums[-1]:
            raise InvalidConstraint("no layout fits (expected constraints that allow one)")
        while True:
            check_stop(stop)
            yield self._one(rng, *places[_pick(rng, sums)])

    def _one(self, rng: Random, case: LayoutCase, lengths: Lengths) -> Hand:
        """A random layout of a shape: first the points of each suit, then cards with them."""
        columns = self._point_columns(case, lengths)
        allowed = case.points
        bits = 0
        for suit in Suit:
            later = _convolved(columns[suit + 1 :])
            weights = [
                ways * _sum_at(later, allowed >> points)
                for points, ways in enumerate(columns[suit])
            ]
            points = _pick(rng, list(accumulate(weights)))
            allowed >>= points
            parts = self._parts(case, suit, lengths[suit])
            fitting = [part for part, hcp in parts if hcp == points]
            bits |= fitting[int(rng.random() * len(fitting))]
        return Hand(bits)


@lru_cache(maxsize=16)
def _weights(layouts: Layouts) -> tuple[list[tuple[LayoutCase, Lengths]], list[int]]:
    """The possible shapes of the first hand in each case, and the number of layouts of each.

    Kept, because the questions about several contracts have the same layouts.
    """
    places = [(case, lengths) for case in layouts.all_cases() for lengths in sorted(case.shapes)]
    return places, [
        _sum_at(_convolved(layouts._point_columns(case, lengths)), case.points)
        for case, lengths in places
    ]


@lru_cache(maxsize=256)
def _ways_by_points(parts: SuitParts) -> list[list[int]]:
    """The number of parts by length and points."""
    table = np.zeros((parts.size + 1, 11), dtype=np.int64)
    np.add.at(table, (parts.lengths, parts.points), 1)
    rows: list[list[int]] = table.tolist()
    return rows


def _sum_at(counts: list[int], allowed: int) -> int:
    """The sum of the counts whose place is a bit of `allowed`."""
    return sum(count for place, count in enumerate(counts) if allowed >> place & 1)


def _convolved(columns: list[list[int]]) -> list[int]:
    total = [1]
    for column in columns:
        longer = [0] * (len(total) + len(column) - 1)
        for i, a in enumerate(total):
            if a:
                for j, b in enumerate(column):
                    longer[i + j] += a * b
        total = longer
    return total


def _pick(rng: Random, sums: list[int]) -> int:
    """A random index; its chance is its step in the running sums."""
    return bisect_right(sums, int(rng.random() * sums[-1]))
