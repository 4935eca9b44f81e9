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
50
>>> unrank_shape(1, 50) == shape
True
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
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
    setrograde.db.shapes.InvalidShape: hands differ in length: (4, 0, 0, 0) in \
((1, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0))
    """


def check_tricks(tricks: int) -> None:
    """Refuse a number of tricks that no ending has.

    >>> check_tricks(14)
    Traceback (most recent call last):
    ...
    setrograde.bridge.errors.InvalidInput: not a number of tricks: 14 (expected 0 to 13)
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
        for first in _firsts(tricks, has_trumps):
            for second in _box_from(first, _minus(_all(tricks), first)):
                box = _minus(_minus(_all(tricks), first), second)
                for index in range(_index(second, box), _choices(box, has_trumps)):
                    third = _at(index, box)
                    yield Shape((first, second, third, _minus(box, third)), has_trumps)


def rank_shape(shape: Shape) -> int:
    """The number of a canonical shape among those with as many tricks, from 0.

    The first call for a number of tricks counts the shapes by their first suit: a second for 7
    tricks, a few for 9 to 11.

    >>> [rank_shape(shape) for shape in iter_shapes(1)] == list(range(52))
    True
    """
    if not shape.is_canonical:
        raise InvalidShape(f"not canonical: {shape} (expected {shape.canonical()})")
    tricks, has_trumps = shape.tricks, shape.has_trumps
    first, second, third, _ = shape.suits
    rank = _total(tricks, False) if has_trumps else 0
    table = _table(tricks, has_trumps)
    rank += table.before[table.splits.index(first)]
    for split, count in _seconds(tricks, first, has_trumps):
        if split == second:
            break
        rank += count
    box = _minus(_minus(_all(tricks), first), second)
    return rank + _index(third, box) - _index(second, box)


def unrank_shape(tricks: int, rank: int) -> Shape:
    """The canonical shape numbered `rank`.

    >>> unrank_shape(13, 0).suits
    ((0, 0, 0, 13), (0, 0, 13, 0), (0, 13, 0, 0), (13, 0, 0, 0))
    """
    check_tricks(tricks)
    notrump = _total(tricks, False)
    total = notrump + _total(tricks, True)
    if not 0 <= rank < total:
        raise InvalidShape(
            f"not the number of a shape with {tricks} tricks: {rank} (expected 0 to {total - 1})"
        )
    has_trumps = rank >= notrump
    rest = rank - notrump if has_trumps else rank
    table = _table(tricks, has_trumps)
    place = bisect_right(table.before, rest) - 1
    first, rest = table.splits[place], rest - table.before[place]
    second = first
    for second, count in _seconds(tricks, first, has_trumps):
        if rest < count:
            break
        rest -= count
    box = _minus(_minus(_all(tricks), first), second)
    third = _at(_index(second, box) + rest, box)
    return Shape((first, second, third, _minus(box, third)), has_trumps)


# How the counting works. Fix the first two suits; what is left for the last two is a box, so many
# cards of each player. The splits that fit in the box, sorted by `split_key`, have indices. Taking
# a split from the box reverses the order: if s comes before t, the rest of s comes after the rest
# of t. So at notrump, third <= fourth holds just for the first half of the indices, with trumps any
# third suit will do that leaves a trump, and third >= second is a lower limit to the index.


def _all(tricks: int) -> Split:
    return (tricks, tricks, tricks, tricks)


def _minus(box: Split, split: Split) -> Split:
    return (box[0] - split[0], box[1] - split[1], box[2] - split[2], box[3] - split[3])


@lru_cache(maxsize=1 << 16)
def _sums(lengths: tuple[int, ...]) -> tuple[int, ...]:
    """How many ways to take 0, 1, 2 ... cards in all from players with these many."""
    ways = (1,)
    for most in lengths:
        padded = (*ways, *(0,) * most)
        sums = (0, *accumulate(padded))
        ways = tuple([sums[i + 1] - sums[max(0, i - most)] for i in range(len(padded))])
    return ways


@lru_cache(maxsize=1 << 16)
def _sums_below(lengths: tuple[int, ...]) -> tuple[int, ...]:
    """How many ways to take fewer than 0, 1, 2 ... cards in all."""
    return (0, *accumulate(_sums(lengths)))


def _shortest(box: Split) -> int:
    """The fewest cards a suit from the box may have, so that the rest is not too long a suit."""
    return max(0, sum(box) - LONGEST_SUIT)


def _size(box: Split) -> int:
    """How many splits of two suits that use up the box, the order of the suits counted."""
    low = _shortest(box)
    high = sum(box) - low
    if low > high:
        return 0
    below = _sums_below(box)
    return below[high + 1] - below[low]


def _choices(box: Split, has_trumps: bool) -> int:
    """Index in the box after the last third suit that leaves a proper fourth."""
    size = _size(box)
    if not has_trumps:
        return (size + 1) // 2
    return size - 1 if size and _shortest(box) == 0 else size


def _index(split: Split, box: Split) -> int:
    """How many splits in the box come before `split`, which need not fit itself."""
    length, low = sum(split), _shortest(box)
    below = _sums_below(box)
    if length < low:
        return 0
    index = below[min(length, len(below) - 1)] - below[low]
    for player, taken in enumerate(split):
        rest = _sums_below(box[player + 1 :])
        smaller = min(taken, box[player] + 1)
        top = len(rest) - 1
        index += rest[min(length + 1, top)] - rest[min(max(0, length + 1 - smaller), top)]
        if taken > box[player]:
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


def _box_from(least: Split, box: Split) -> Iterator[Split]:
    """The splits in a box for any number of suits, `least` and those after it."""
    below = _sums_below(box)
    for length in range(sum(least), min(LONGEST_SUIT, sum(box)) + 1):
        count = below[length + 1] - below[length]
        for index in range(count):
            split = _at_length(index, length, box)
            if split_key(split) >= split_key(least):
                yield split
