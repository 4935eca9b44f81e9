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

    @property
    def limits_points(self) -> bool:
        """True if the limit on points may rule out layouts that the other limits allow.

        >>> Layouts(Hand.from_text("KQ..."), 1, points=(2, 3)).limits_points
        True
        >>> Layouts(Hand.from_text("KQ..."), 1, points=(0, 10)).limits_points
        False
        """
        low, high = self.points
        return low > 0 or high < self.cards.hcp

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
        return sum(self._weights()[1])

    def _weights(self) -> tuple[list[Lengths], list[int]]:
        """The possible shapes of the first hand, and the number of layouts of each."""
        shapes = self.allowed_lengths()
        return shapes, [self._within(self._point_columns(lengths)) for lengths in shapes]

    def _point_columns(self, lengths: Lengths) -> list[list[int]]:
        """For every suit, the number of parts of that length, by points."""
        tables = [_ways_by_points(self.suit_parts(suit)) for suit in Suit]
        return [table[length] for table, length in zip(tables, lengths, strict=True)]

    def _within(self, columns: list[list[int]]) -> int:
        total = _convolved(columns)
        low, high = self.points
        return sum(total[low : high + 1])

    def __iter__(self) -> Iterator[Hand]:
        """The first hand of every layout, in a fixed order."""
        low, high = self.points
        for lengths in self.allowed_lengths():
            for parts in product(*[self._parts(suit, lengths[suit]) for suit in Suit]):
                if low <= sum(points for _, points in parts) <= high:
                    yield Hand(sum(bits for bits, _ in parts))

    def _parts(self, suit: Suit, length: int) -> list[tuple[int, int]]:
        """Parts of a suit of that length as bits of a hand, with their points."""
        parts = self.suit_parts(suit)
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
        shapes, weights = self._weights()
        sums = list(accumulate(weights))
        if not sums or not sums[-1]:
            raise InvalidConstraint("no layout fits (expected constraints that allow one)")
        while True:
            check_stop(stop)
            yield self._one(rng, shapes[_pick(rng, sums)])

    def _one(self, rng: Random, lengths: Lengths) -> Hand:
        """A random layout of a shape: first the points of each suit, then cards with them."""
        columns = self._point_columns(lengths)
        low, high = self.points
        bits = 0
        for suit in Suit:
            later = _convolved(columns[suit + 1 :])
            weights = [
                ways * sum(later[max(0, low - points) : max(0, high - points + 1)])
                for points, ways in enumerate(columns[suit])
            ]
            points = _pick(rng, list(accumulate(weights)))
            low, high = low - points, high - points
            fitting = [part for part, hcp in self._parts(suit, lengths[suit]) if hcp == points]
            bits |= fitting[int(rng.random() * len(fitting))]
        return Hand(bits)


@lru_cache(maxsize=256)
def _ways_by_points(parts: SuitParts) -> list[list[int]]:
    """The number of parts by length and points."""
    table = np.zeros((parts.size + 1, 11), dtype=np.int64)
    np.add.at(table, (parts.lengths, parts.points), 1)
    rows: list[list[int]] = table.tolist()
    return rows


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
