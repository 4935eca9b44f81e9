"""Settled sets: layouts that share one answer, and exact counts over them.

A set is defined by bounds on the number of certain cards in the first hidden hand. To count how
often a contract makes if West has the king of hearts, no layout is listed: each set is a product of
what its bounds leave in each suit, and those parts are counted.

>>> layouts = Layouts(Hand.from_text("KQ32..."), 2)
>>> king = Hand.from_text("K...")
>>> sets = [SettledSet(True, 3, (Bound(king, 1, 1),)), SettledSet(False, 3, (Bound(king, 0, 0),))]
>>> SetCounter(layouts, sets).counts()
LayoutCount(layouts=6, makes=3)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import Protocol, overload

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Hand, InvalidInput, Suit
from setrograde.common.stop import StopFlag, check_stop

from .layouts import Layouts, SuitParts

__all__ = ["Bound", "LayoutCount", "SetCounter", "SettledSet", "SettledSets"]

Flags = NDArray[np.bool_]
Weights = NDArray[np.float64]
"""Counts of layouts; whole numbers, exact below 2**53."""

Masks = tuple[Flags | None, Flags | None, Flags | None, Flags | None]
"""Which parts of each suit are allowed, in the order of `Layouts.suit_parts`; `None`: all."""

RawBound = tuple[int, int, int]
"""Cards as bits, the least and the greatest number of them."""

NO_MASKS: Masks = (None, None, None, None)


class RawSet(Protocol):
    """A set as the core gives it."""

    @property
    def makes(self) -> bool:
        """True if the known hands take the tricks they need."""

    @property
    def layouts(self) -> int:
        """The number of layouts in it."""

    @property
    def bounds(self) -> list[RawBound]:
        """For each card set, the least and the greatest number of its cards in the first hand."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The first hidden hand holds from `low` to `high` of `cards`.

    >>> Bound(Hand.from_text("KQ..."), 1, 1).allows(Hand.from_text("K2..."))
    True
    """

    cards: Hand
    """Cards of one suit."""

    low: int
    """The least number of them."""

    high: int
    """The greatest number of them."""

    def allows(self, layout: Hand) -> bool:
        """True if the bound allows `layout` as the first hand."""
        return self.low <= len(self.cards & layout) <= self.high


@dataclass(frozen=True, slots=True)
class SettledSet:
    """Layouts with one answer; all bounds hold."""

    makes: bool
    """True if declarer takes the tricks asked for."""

    layouts: int
    """The number of layouts in it."""

    bounds: tuple[Bound, ...]
    """The bounds that define it."""

    def covers(self, layout: Hand) -> bool:
        """True if the layout with `layout` as first hand is in the set.

        >>> SettledSet(True, 3, (Bound(Hand.from_text("K..."), 1, 1),)).covers(Hand())
        False
        """
        return all(bound.allows(layout) for bound in self.bounds)


@dataclass(frozen=True, slots=True)
class LayoutCount:
    """A number of layouts, and in how many of them declarer takes the tricks asked for.

    >>> LayoutCount(6, 3).share
    0.5
    """

    layouts: int
    """The number of layouts."""

    makes: int
    """The number of them in which declarer succeeds."""

    @property
    def share(self) -> float:
        """The chance; 0 where there are no layouts."""
        return self.makes / self.layouts if self.layouts else 0.0

    def __sub__(self, other: LayoutCount) -> LayoutCount:
        return LayoutCount(self.layouts - other.layouts, self.makes - other.makes)


class SettledSets(Sequence[SettledSet]):
    """The sets that settle a question. They are disjoint, and together they are all layouts.

    >>> len(SettledSets([], flips=False))
    0
    """

    def __init__(self, raw: Sequence[RawSet], *, flips: bool) -> None:
        self._raw = raw
        self._flips = flips

    def __len__(self) -> int:
        return len(self._raw)

    @overload
    def __getitem__(self, index: int) -> SettledSet: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[SettledSet, ...]: ...
    def __getitem__(self, index: int | slice) -> SettledSet | tuple[SettledSet, ...]:
        if isinstance(index, slice):
            return tuple([self._read(raw) for raw in self._raw[index]])
        return self._read(self._raw[index])

    def iter_bounds(self) -> Iterator[tuple[bool, list[RawBound]]]:
        """For each set, whether it makes and its bounds as plain numbers; this is the fast way."""
        for raw in self._raw:
            yield raw.makes != self._flips, raw.bounds

    def answers(self, cards: Hand, layouts: Iterable[Hand]) -> Iterator[bool]:
        """Whether declarer succeeds in each of these layouts of `cards`, by the set that covers it.

        Raises `LookupError` for a layout that no set covers.

        >>> list(SettledSets([], flips=False).answers(Hand(), []))
        []
        """
        by_lengths: dict[tuple[int, ...], list[tuple[bool, list[RawBound]]]] = {}
        everywhere: list[tuple[bool, list[RawBound]]] = []
        for makes, bounds in self.iter_bounds():
            lengths = _fixed_lengths(cards, bounds)
            bucket = everywhere if lengths is None else by_lengths.setdefault(lengths, [])
            bucket.append((makes, bounds))
        for layout in layouts:
            for makes, bounds in (*by_lengths.get(layout.lengths, ()), *everywhere):
                if all(
                    low <= (layout.bits & part).bit_count() <= high for part, low, high in bounds
                ):
                    yield makes
                    break
            else:
                raise LookupError(f"no set covers the layout '{layout}'")

    def _read(self, raw: RawSet) -> SettledSet:
        bounds = [Bound(Hand(cards), low, high) for cards, low, high in raw.bounds]
        return SettledSet(raw.makes != self._flips, raw.layouts, tuple(bounds))


class SetCounter:
    """Counts the layouts of settled sets that meet conditions, exactly.

    A condition speaks of one suit: it allows some parts of its unseen cards in the first hand.
    `masks` are such conditions, at most one for each suit. Setting `stop` makes all counts raise
    `Stopped`.

    >>> layouts = Layouts(Hand.from_text("KQ32..."), 2)
    >>> king = Hand.from_text("K...")
    >>> counter = SetCounter(layouts, [SettledSet(True, 3, (Bound(king, 1, 1),)),
    ...                             SettledSet(False, 3, (Bound(king, 0, 0),))])
    >>> parts = layouts.suit_parts(Suit.SPADES)
    >>> queen = parts.holding_between(1 << 10, 1, 1)
    >>> counter.counts((None, None, None, queen))
    LayoutCount(layouts=3, makes=1)
    """

    def __init__(
        self, layouts: Layouts, sets: Iterable[SettledSet], *, stop: StopFlag | None = None
    ) -> None:
        self._stop = stop
        self._limits_points = layouts.limits_points
        self._suits = [_SuitRows(layouts.suit_parts(suit), self._limits_points) for suit in Suit]
        self._read_sets(layouts, sets)
        for suit in self._suits:
            suit.close()

    def _read_sets(self, layouts: Layouts, sets: Iterable[SettledSet]) -> None:
        """Split every set into cells: one length in each suit, by rows of the suits' tables."""
        cases = [
            (case.shapes, case.points, _owner_bounds(case.first, case.second))
            for case in layouts.all_cases()
        ]
        cells: list[tuple[int, ...]] = []
        makes: list[bool] = []
        points: list[int] = []
        for number, (is_made, bounds) in enumerate(_bounds_of(sets)):
            if number % _SETS_A_CHECK == 0:
                check_stop(self._stop)
            by_suit: list[list[RawBound]] = [[], [], [], []]
            for bits, low, high in bounds:
                suit = (bits.bit_length() - 1) >> 4
                if bits & ((1 << (16 * suit)) - 1):
                    raise InvalidInput(f"not cards of one suit: '{Hand(bits)}'")
                by_suit[suit].append((bits >> (16 * suit), low, high))
            for shapes, allowed, owners in cases:
                rows = [
                    suit_rows.rows(tuple(sorted([*parts, *also])))
                    for suit_rows, parts, also in zip(self._suits, by_suit, owners, strict=True)
                ]
                for choice in product(*rows):
                    if tuple([length for length, _ in choice]) in shapes:
                        cells.append(tuple([row for _, row in choice]))
                        makes.append(is_made)
                        points.append(allowed)
        # Cells with the same points side by side: they are counted together.
        order = sorted(range(len(cells)), key=points.__getitem__)
        self._cells = np.array([cells[i] for i in order], dtype=np.int64).reshape(-1, 4)
        self._makes = np.array([makes[i] for i in order], dtype=np.bool_)
        self._groups = [
            (allowed, len(list(group))) for allowed, group in groupby(points[i] for i in order)
        ]

    def counts(self, masks: Masks = NO_MASKS) -> LayoutCount:
        """The number of layouts that meet all conditions, and of those that make."""
        total, making = self.part_counts(Suit.CLUBS, masks)
        return LayoutCount(round(float(total.sum())), round(float(making.sum())))

    def part_counts(self, suit: Suit, masks: Masks = NO_MASKS) -> tuple[Weights, Weights]:
        """For every part of a suit, the number of layouts with it, and of those that make.

        The count under any condition on that suit is then a sum of these.
        """
        others = [other for other in Suit if other is not suit]
        tables = [self._suits[other].table(masks[other]) for other in others]
        rows = self._suits[suit]
        total = np.zeros((rows.count, rows.points))
        making = np.zeros((rows.count, rows.points))
        for start, end, allowed in self._chunks():
            check_stop(self._stop)
            cells = self._cells[start:end]
            makes = self._makes[start:end]
            columns = [table[cells[:, other]] for table, other in zip(tables, others, strict=True)]
            weights = self._others(columns, rows.points, allowed)
            for points in range(rows.points):
                column = weights[:, points]
                place = cells[:, suit]
                total[:, points] += np.bincount(place, column, rows.count)
                making[:, points] += np.bincount(place, column * makes, rows.count)
        return rows.by_part(total, masks[suit]), rows.by_part(making, masks[suit])

    def _chunks(self) -> Iterator[tuple[int, int, int]]:
        """Runs of cells that have the same points, not too long, with these points."""
        first = 0
        for allowed, size in self._groups:
            for start in range(first, first + size, _CHUNK):
                yield start, min(start + _CHUNK, first + size), allowed
            first += size

    def _others(self, columns: list[Weights], points: int, allowed: int) -> Weights:
        """Ways to complete each cell in the other suits, by the points of the suit left out."""
        ways = columns[0]
        for column in columns[1:]:
            ways = _convolved(ways, column)
        if not self._limits_points:
            return ways
        fits = [
            [allowed >> (own + rest) & 1 for own in range(points)] for rest in range(ways.shape[1])
        ]
        found: Weights = ways @ np.array(fits, dtype=np.float64)
        return found


_CHUNK = 1 << 17
_SETS_A_CHECK = 1 << 10


def _convolved(a: Weights, b: Weights) -> Weights:
    """Row by row, the ways that points can add up."""
    result = np.zeros((len(a), a.shape[1] + b.shape[1] - 1))
    for points in range(b.shape[1]):
        result[:, points : points + a.shape[1]] += a * b[:, points : points + 1]
    return result


def _fixed_lengths(cards: Hand, bounds: Iterable[RawBound]) -> tuple[int, ...] | None:
    """The first hand's length in every suit, if the bounds say it."""
    exact = {part: low for part, low, high in bounds if low == high}
    lengths = []
    for suit in Suit:
        unseen = cards.bits & (0x1FFF << (16 * suit))
        length = exact.get(unseen) if unseen else 0
        if length is None:
            return None
        lengths.append(length)
    return tuple(lengths)


def _owner_bounds(first: Hand, second: Hand) -> list[list[RawBound]]:
    """For every suit, bounds that say which cards the first hand has and has not."""
    found: list[list[RawBound]] = [[], [], [], []]
    for cards, is_first in ((first, True), (second, False)):
        for suit in Suit:
            part = cards.bits >> (16 * suit) & 0x1FFF
            if part:
                held = part.bit_count() if is_first else 0
                found[suit].append((part, held, held))
    return found


def _bounds_of(
    sets: Iterable[SettledSet],
) -> Iterator[tuple[bool, list[RawBound]]]:
    if isinstance(sets, SettledSets):
        yield from sets.iter_bounds()
        return
    for each in sets:
        yield each.makes, [(bound.cards.bits, bound.low, bound.high) for bound in each.bounds]


class _SuitRows:
    """One suit's table: a row for each choice of bounds and length, a column for each point."""

    def __init__(self, parts: SuitParts, has_points: bool) -> None:
        self._parts = parts
        self._found: dict[tuple[RawBound, ...], list[tuple[int, int]]] = {}
        self._members: list[NDArray[np.int64]] = []
        self._part_points = parts.points if has_points else np.zeros_like(parts.points)
        self.points = int(self._part_points.max()) + 1
        self.count = 0

    def rows(self, bounds: tuple[RawBound, ...]) -> list[tuple[int, int]]:
        """Lengths that the bounds leave, each with the number of its row."""
        found = self._found.get(bounds)
        if found is None:
            flags = np.ones(len(self._parts.bits), dtype=np.bool_)
            for cards, low, high in bounds:
                flags &= self._parts.holding_between(cards, low, high)
            found = []
            for length in np.unique(self._parts.lengths[flags]).tolist():
                members = np.flatnonzero(flags & (self._parts.lengths == length))
                found.append((length, len(self._members)))
                self._members.append(members)
            self._found[bounds] = found
        return found

    def close(self) -> None:
        """Lay the rows out flat, once all are known."""
        self.count = len(self._members)
        sizes = [len(members) for members in self._members]
        self._part = np.concatenate([np.zeros(0, dtype=np.int64), *self._members])
        rows = np.repeat(np.arange(self.count), sizes)
        self._place = rows * self.points + self._part_points[self._part]

    def table(self, mask: Flags | None) -> Weights:
        """How many allowed parts each row has, by points."""
        weights = None if mask is None else mask[self._part].astype(np.float64)
        counts = np.bincount(self._place, weights, self.count * self.points)
        return counts.astype(np.float64).reshape(self.count, self.points)

    def by_part(self, weights: Weights, mask: Flags | None) -> Weights:
        """Weights of rows and points, as weights of the parts in them."""
        spread = weights.reshape(-1)[self._place]
        found = np.bincount(self._part, spread, len(self._parts.bits)).astype(np.float64)
        return found if mask is None else found * mask
