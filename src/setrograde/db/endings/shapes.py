"""Shapes: how many cards of each suit each player holds in an ending.

Everything about endings partitions by shape. The leader is player 0 and the others follow
clockwise; a trump suit is the last of the four. Suits other than trumps are alike, so a canonical
shape has them in ascending order: shorter suits first, and among equal lengths the split that
comes first as a tuple. A database reads suits in that order, trumps last.

Canonical shapes with the same number of tricks are numbered without gaps: all notrump shapes first,
then all with trumps, each kind in the order of their suits as just described. The number is found
by counting, not by a table of shapes.

>>> shape = Shape(((0, 0, 0, 0), (0, 0, 0, 1), (0, 1, 0, 0), (1, 0, 1, 0)), has_trumps=True)
>>> rank_shape(shape)
31
>>> unrank_shape(1, 31) == shape
True
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby
from math import comb, factorial, prod

from setrograde.bridge import InvalidInput

__all__ = [
    "LONGEST_SUIT",
    "InvalidShape",
    "Shape",
    "Split",
    "check_tricks",
    "count_strings",
    "iter_shapes",
    "rank_shape",
    "split_key",
    "unrank_shape",
]

LONGEST_SUIT = 13
"""Cards in a suit of a full pack."""

Split = tuple[int, int, int, int]
"""Cards of one suit by player, the leader first."""


class InvalidShape(InvalidInput):
    """Lengths that make no shape.

    >>> Shape(((1, 0, 0, 0),) * 4, has_trumps=False)
    Traceback (most recent call last):
    ...
    setrograde.db.endings.shapes.InvalidShape: hands differ in length: (4, 0, 0, 0) in \
((1, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0))
    """


def check_tricks(tricks: int) -> None:
    """Refuse a number of tricks that no ending has.

    >>> check_tricks(14)
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: not a number of tricks: 14 (expected 0 to 13)
    """
    if not 0 <= tricks <= 13:
        raise InvalidInput(f"not a number of tricks: {tricks} (expected 0 to 13)")


def split_key(split: Split) -> tuple[int, Split]:
    """What suits are sorted by: length, then cards by player.

    >>> sorted([(1, 0, 0, 0), (0, 2, 0, 0), (0, 0, 0, 1)], key=split_key)
    [(0, 0, 0, 1), (1, 0, 0, 0), (0, 2, 0, 0)]
    """
    return sum(split), split


@dataclass(frozen=True, slots=True)
class Shape:
    """Lengths by suit and player.

    >>> shape = Shape(((1, 0, 1, 0), (0, 1, 0, 0), (0, 0, 0, 1), (0, 0, 0, 0)), has_trumps=True)
    >>> shape.tricks, shape.is_canonical
    (1, False)

    No trumps are left, so it is a notrump ending:

    >>> shape.canonical()
    Shape(suits=((0, 0, 0, 0), (0, 0, 0, 1), (0, 1, 0, 0), (1, 0, 1, 0)), has_trumps=False)
    """

    suits: tuple[Split, Split, Split, Split]
    """The four suits, trumps last if there are any."""

    has_trumps: bool
    """True if the last suit is trumps."""

    def __post_init__(self) -> None:
        if len(self.suits) != 4 or any(len(split) != 4 for split in self.suits):
            raise InvalidShape(f"not a shape: {self.suits} (expected four suits of four lengths)")
        if any(length < 0 for split in self.suits for length in split):
            raise InvalidShape(f"length below zero in {self.suits}")
        if any(sum(split) > LONGEST_SUIT for split in self.suits):
            raise InvalidShape(f"more than {LONGEST_SUIT} cards of a suit in {self.suits}")
        hands = tuple(sum(lengths) for lengths in zip(*self.suits, strict=True))
        if len(set(hands)) != 1:
            raise InvalidShape(f"hands differ in length: {hands} in {self.suits}")

    @property
    def tricks(self) -> int:
        """Cards in each hand."""
        return sum(split[0] for split in self.suits)

    def canonical(self) -> Shape:
        """The shape that stands for this one and all that differ by the order of suits."""
        a, b, c, d = self.suits
        if self.has_trumps and any(d):
            a, b, c = sorted((a, b, c), key=split_key)
            return Shape((a, b, c, d), True)
        a, b, c, d = sorted(self.suits, key=split_key)
        return Shape((a, b, c, d), False)

    @property
    def is_canonical(self) -> bool:
        """True if this shape stands for itself."""
        return self == self.canonical()

    @property
    def groups(self) -> tuple[tuple[Split, int], ...]:
        """The splits in order and how many suits in a row have each; trumps stand alone.

        Suits of one group may be exchanged without changing the shape.

        >>> Shape(((0, 0, 0, 0), (0, 0, 0, 0), (1, 0, 0, 1), (0, 1, 1, 0)), True).groups
        (((0, 0, 0, 0), 2), ((1, 0, 0, 1), 1), ((0, 1, 1, 0), 1))
        """
        sides = self.suits[:3] if self.has_trumps else self.suits
        counted = [(split, len(list(same))) for split, same in groupby(sides)]
        if self.has_trumps:
            counted.append((self.suits[3], 1))
        return tuple(counted)

    @property
    def layouts(self) -> int:
        """How many ways the cards can lie, with suits told apart.

        >>> Shape(((0, 0, 0, 0), (0, 0, 0, 0), (1, 0, 0, 1), (0, 1, 1, 0)), True).layouts
        4
        """
        return prod(count_strings(split) for split in self.suits)

    @property
    def states(self) -> int:
        """How many canonical states have this canonical shape.

        Where several suits have the same split, states that differ by their order count once.

        >>> shape = Shape(((0, 0, 0, 0), (0, 0, 0, 0), (0, 1, 0, 1), (1, 0, 1, 0)), False)
        >>> shape.layouts, shape.states
        (4, 4)
        >>> twice = Shape(((0, 0, 0, 0), (0, 0, 0, 0), (1, 1, 1, 1), (1, 1, 1, 1)), False)
        >>> twice.layouts, twice.states
        (576, 300)
        """
        if not self.is_canonical:
            return self.canonical().states
        return prod(comb(count_strings(split) + many - 1, many) for split, many in self.groups)


@lru_cache(maxsize=4096)
def count_strings(split: Split) -> int:
    """How many orders the cards of one suit can have, high to low, by owner.

    >>> count_strings((2, 1, 0, 1))
    12
    """
    return factorial(sum(split)) // prod(factorial(length) for length in split)


def iter_shapes(tricks: int) -> Iterator[Shape]:
    """All canonical shapes with `tricks` left, in the order of `rank_shape`.

    >>> sum(1 for _ in iter_shapes(2))
    2054
    """
    check_tricks(tricks)
    for has_trumps in (False, True):
        for first in _iter_firsts(tricks, has_trumps):
            for second, _ in _iter_seconds(tricks, first, has_trumps):
                box = _rest(tricks, first, second)
                for index in range(_index(second, box), _choices(box, has_trumps)):
                    third = _at(index, box)
                    yield Shape((first, second, third, _minus(box, third)), has_trumps)


def rank_shape(shape: Shape) -> int:
    """The number of a canonical shape among those with as many tricks, from 0.

    The first call for a number of tricks counts the shapes by their first suit, which takes two
    seconds for 7 tricks and ten for 10 and 11.

    >>> [rank_shape(shape) for shape in iter_shapes(1)] == list(range(52))
    True
    """
    if not shape.is_canonical:
        raise InvalidShape(f"not canonical: {shape} (expected {shape.canonical()})")
    tricks, has_trumps = shape.tricks, shape.has_trumps
    first, second, third, _ = shape.suits
    box = _rest(tricks, first, second)
    return (
        (_firsts(tricks, False).total if has_trumps else 0)
        + _firsts(tricks, has_trumps).before(first)
        + _seconds(tricks, first, has_trumps).before(second)
        + _index(third, box)
        - _index(second, box)
    )


def unrank_shape(tricks: int, rank: int) -> Shape:
    """The canonical shape numbered `rank`.

    >>> unrank_shape(13, 0).suits
    ((0, 0, 0, 13), (0, 0, 13, 0), (0, 13, 0, 0), (13, 0, 0, 0))
    """
    check_tricks(tricks)
    notrump = _firsts(tricks, False).total
    has_trumps = rank >= notrump
    total = notrump + _firsts(tricks, True).total if has_trumps else notrump
    if not 0 <= rank < total:
        raise InvalidShape(
            f"not the number of a shape with {tricks} tricks: {rank}"
            f" (expected 0 to {notrump + _firsts(tricks, True).total - 1})"
        )
    first, rest = _firsts(tricks, has_trumps).find(rank - notrump if has_trumps else rank)
    second, rest = _seconds(tricks, first, has_trumps).find(rest)
    box = _rest(tricks, first, second)
    third = _at(_index(second, box) + rest, box)
    return Shape((first, second, third, _minus(box, third)), has_trumps)


# How the counting works. Fix the first two suits; what is left for the last two is a box, so many
# cards of each player. The splits that fit in the box, sorted by `split_key`, have indices. Taking
# a split from the box reverses the order: if s comes before t, the rest of s comes after the rest
# of t. So at notrump, third <= fourth holds just for the first half of the indices; with trumps any
# third suit will do that leaves a trump; and third >= second is a lower limit to the index.


class _Counted:
    """Splits in order, and how many shapes go on from each."""

    __slots__ = ("_place", "_splits", "_starts", "total")

    def __init__(self, pairs: Iterable[tuple[Split, int]]) -> None:
        self._splits: list[Split] = []
        self._starts: list[int] = []
        self._place: dict[Split, int] = {}
        self.total = 0
        for split, count in pairs:
            self._place[split] = len(self._splits)
            self._splits.append(split)
            self._starts.append(self.total)
            self.total += count

    def before(self, split: Split) -> int:
        """Shapes that come before the first with `split`."""
        return self._starts[self._place[split]]

    def find(self, rank: int) -> tuple[Split, int]:
        """The split of the shape numbered `rank`, and its number among those with that split."""
        place = bisect_right(self._starts, rank) - 1
        return self._splits[place], rank - self._starts[place]


@lru_cache(maxsize=32)
def _firsts(tricks: int, has_trumps: bool) -> _Counted:
    """First suits and the shapes that have each."""
    return _Counted(
        (first, sum(count for _, count in _iter_seconds(tricks, first, has_trumps)))
        for first in _iter_firsts(tricks, has_trumps)
    )


@lru_cache(maxsize=512)
def _seconds(tricks: int, first: Split, has_trumps: bool) -> _Counted:
    """Second suits behind a first one and the shapes that have both."""
    return _Counted(_iter_seconds(tricks, first, has_trumps))


def _iter_firsts(tricks: int, has_trumps: bool) -> Iterator[Split]:
    shortest = max(0, 4 * tricks - 3 * LONGEST_SUIT)
    suits = 3 if has_trumps else 4
    yield from _iter_splits((tricks,) * 4, shortest, 4 * tricks // suits)


def _iter_seconds(tricks: int, first: Split, has_trumps: bool) -> Iterator[tuple[Split, int]]:
    left = _minus((tricks,) * 4, first)
    shortest = max(sum(first), sum(left) - 2 * LONGEST_SUIT)
    suits = 2 if has_trumps else 3
    for second in _iter_splits(left, shortest, sum(left) // suits):
        if sum(second) == sum(first) and second < first:
            continue
        box = _minus(left, second)
        count = _choices(box, has_trumps) - _index(second, box)
        if count > 0:
            yield second, count


def _iter_splits(box: Split, shortest: int, longest: int) -> Iterator[Split]:
    """The splits that fit in a box, in order."""
    a_most, b_most, c_most, d_most = box
    for length in range(shortest, min(longest, LONGEST_SUIT) + 1):
        for a in range(min(a_most, length) + 1):
            for b in range(min(b_most, length - a) + 1):
                rest = length - a - b
                for c in range(max(0, rest - d_most), min(c_most, rest) + 1):
                    yield (a, b, c, rest - c)


def _minus(box: Split, split: Split) -> Split:
    return (box[0] - split[0], box[1] - split[1], box[2] - split[2], box[3] - split[3])


def _rest(tricks: int, first: Split, second: Split) -> Split:
    """The box left for the last two suits."""
    return _minus(_minus((tricks,) * 4, first), second)


@lru_cache(maxsize=1 << 16)
def _sums(lengths: tuple[int, ...]) -> tuple[int, ...]:
    """How many ways to take 0, 1, 2 ... cards in all from players with these many."""
    ways: tuple[int, ...] = (1,)
    for most in lengths:
        padded = (*ways, *(0,) * most)
        below = (0, *accumulate(padded))
        ways = tuple([below[i + 1] - below[max(0, i - most)] for i in range(len(padded))])
    return ways


@lru_cache(maxsize=1 << 16)
def _sums_below(lengths: tuple[int, ...]) -> tuple[int, ...]:
    """How many ways to take fewer than 0, 1, 2 ... cards in all."""
    return (0, *accumulate(_sums(lengths)))


def _shortest(box: Split) -> int:
    """The fewest cards a suit from the box may have, so that the other is not too long."""
    return max(0, sum(box) - LONGEST_SUIT)


def _choices(box: Split, has_trumps: bool) -> int:
    """The index in the box after the last third suit that leaves a proper fourth."""
    low = _shortest(box)
    high = sum(box) - low
    if low > high:
        return 0
    below = _sums_below(box)
    size = below[high + 1] - below[low]
    if has_trumps:
        return size - (low == 0)
    return (size + 1) // 2


def _index(split: Split, box: Split) -> int:
    """How many splits in the box come before `split`, which need not fit itself."""
    length, low = sum(split), _shortest(box)
    if length < low:
        return 0
    below = _sums_below(box)
    index = below[min(length, len(below) - 1)] - below[low]
    for player, taken in enumerate(split):
        rest = _sums_below(box[player + 1 :])
        most, top = box[player], len(rest) - 1
        smaller = min(taken, most + 1)
        index += rest[min(length + 1, top)] - rest[min(length + 1 - smaller, top)]
        if taken > most:
            break
        length -= taken
    return index


def _at(index: int, box: Split) -> Split:
    """The split with that index in the box."""
    below = _sums_below(box)
    index += below[_shortest(box)]
    length = bisect_right(below, index) - 1
    index -= below[length]
    split = []
    for player in range(4):
        ways = _sums(box[player + 1 :])
        taken = max(0, length - len(ways) + 1)
        while index >= ways[length - taken]:
            index -= ways[length - taken]
            taken += 1
        split.append(taken)
        length -= taken
    a, b, c, d = split
    return (a, b, c, d)
