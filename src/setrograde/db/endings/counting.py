"""How many endings there are, exactly.

Two ways to count the same thing meet here. `setrograde.db.endings.shapes` lists endings one by one;
this module counts them by Burnside's lemma: the number of endings, with side suits alike, is the
mean over all permutations of the suits of the number of endings that the permutation leaves alone.

>>> count_states(2), count_states(2).total
(Count(notrump=24594, trump=62568), 87162)
>>> count_shapes(2).total
2054

Three columns of Table 1 in Stone, Sturtevant and Schaeffer, "Set-Based Retrograde Analysis" (IJCAI
2025), are `count_deals`, `count_states` and `count_lower_bound`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import comb, factorial, prod
from types import MappingProxyType

from .shapes import LONGEST_SUIT, Shape, Split, check_tricks, count_strings, split_key

__all__ = [
    "REACHABLE_SHAPES",
    "Count",
    "count_deals",
    "count_lower_bound",
    "count_shapes",
    "count_states",
    "is_reachable",
]

REACHABLE_SHAPES: Mapping[int, int] = MappingProxyType(
    {
        1: 15,
        2: 483,
        3: 6_996,
        9: 35_411_507,
        10: 41_984_131,
        11: 28_034_533,
        12: 9_166_942,
        13: 1_569_344,
    }
)
"""By tricks left, the notrump shapes that legal play from a full deal can reach.

With 1 to 3 tricks that is all of them, by `is_reachable`, and with 13 by definition. 9 to 12 come
from a native program that plays every trick from every full deal, in gigabytes of memory; here they
are checked by random samples only. No count is given for 4 to 8 tricks.
"""


@dataclass(frozen=True, slots=True)
class Count:
    """A number of endings by kind.

    >>> Count(notrump=73, trump=136).total
    209
    """

    notrump: int
    """Without trumps, all four suits alike."""

    trump: int
    """With one trump or more, the other three suits alike."""

    @property
    def total(self) -> int:
        """Both kinds."""
        return self.notrump + self.trump


def count_deals(tricks: int) -> int:
    """Ways to deal `tricks` cards to each player from a pack, in five strains.

    Table 1 calls them "States".

    >>> count_deals(1)
    32487000
    """
    check_tricks(tricks)
    return 5 * prod(comb(52 - player * tricks, tricks) for player in range(4))


def count_states(tricks: int) -> Count:
    """Canonical states: relative ranks, leader first, side suits alike.

    Table 1 calls their total "Upper Bound".

    >>> count_states(7).total
    169342139517966432
    """
    check_tricks(tricks)
    return _burnside(tricks, count_strings)


def count_shapes(tricks: int) -> Count:
    """Canonical shapes, which are the tables that a database of this level holds.

    >>> count_shapes(7)
    Count(notrump=7325169, trump=29098695)
    """
    check_tricks(tricks)
    return _burnside(tricks, _one)


def count_lower_bound(tricks: int) -> int:
    """The "Lower Bound" of Table 1: shapes whatever the strain.

    From 9 tricks up only those that legal play can reach are counted. At 9 tricks and below, the
    one digit printed in the paper does not tell whether it counts all shapes or those.

    >>> [count_lower_bound(tricks) for tricks in (7, 8, 9)]
    [7325169, 20544831, 35411507]
    """
    check_tricks(tricks)
    return REACHABLE_SHAPES[tricks] if tricks >= 9 else count_shapes(tricks).notrump


def _one(_: Split) -> int:
    return 1


# Generating functions in four variables, one for each player: the coefficient at a split counts
# what one or more suits can be if they have so many cards of each player. `suit(split, k)` is for k
# suits that a permutation moves in a cycle, which it leaves alone only if all k are equal. All of
# them are symmetric in the players, so coefficients are found for sorted splits only.

_Weight = Callable[[Split], int]


def _suit(split: Split, cycle: int, weight: _Weight) -> int:
    """Equal suits, `cycle` of them, that use up the split."""
    if sum(split) > cycle * LONGEST_SUIT or any(length % cycle for length in split):
        return 0
    a, b, c, d = (length // cycle for length in split)
    return weight((a, b, c, d))


@lru_cache(maxsize=1 << 14)
def _two_suits(split: Split, weight: _Weight) -> int:
    """Two suits that use up a sorted split."""
    total = sum(split)
    return sum(
        weight(one) * weight(other)
        for one, other in _iter_halves(split)
        if total - LONGEST_SUIT <= sum(one) <= LONGEST_SUIT
    )


def _iter_halves(split: Split) -> Iterator[tuple[Split, Split]]:
    """All ways to divide a split in two."""
    a, b, c, d = split
    for i, j, k, m in product(range(a + 1), range(b + 1), range(c + 1), range(d + 1)):
        yield (i, j, k, m), (a - i, b - j, c - k, d - m)


def _iter_sorted_halves(tricks: int) -> Iterator[tuple[int, Split, Split]]:
    """Ways to divide all cards in two, both halves sorted, and how often each comes."""
    for d in range(tricks + 1):
        for c in range(d, tricks + 1):
            for b in range(c, tricks + 1):
                for a in range(b, tricks + 1):
                    half = (a, b, c, d)
                    alike = prod(factorial(half.count(length)) for length in set(half))
                    rest = (tricks - d, tricks - c, tricks - b, tricks - a)
                    yield 24 // alike, half, rest


def _burnside(tricks: int, weight: _Weight) -> Count:
    """Endings up to permutations of four suits, and of three beside a trump suit."""
    notrump = trump = 0
    for times, half, rest in _iter_sorted_halves(tricks):
        one, two = _suit(half, 1, weight), _two_suits(half, weight)
        pair, rest_two = _suit(half, 2, weight), _two_suits(rest, weight)
        rest_pair, rest_triple = _suit(rest, 2, weight), _suit(rest, 3, weight)
        notrump += times * (
            two * rest_two + 6 * two * rest_pair + 3 * pair * rest_pair + 8 * one * rest_triple
        )
        has_one = one if any(half) else 0
        trump_and_side = two - one
        trump += times * (
            trump_and_side * rest_two + 3 * trump_and_side * rest_pair + 2 * has_one * rest_triple
        )
    whole = (tricks, tricks, tricks, tricks)
    notrump += 6 * _suit(whole, 4, weight)
    return Count(notrump // 24, trump // 6)


_Suits = tuple[Split, Split, Split, Split]


def is_reachable(shape: Shape) -> bool:
    """True if legal play at notrump can lead from a full deal to this shape.

    Found by taking tricks back until every suit can be filled by tricks to which all follow.

    >>> even = ((2, 2, 2, 2),) * 4
    >>> is_reachable(Shape(even, has_trumps=False))
    False

    Nobody is void, so nobody has discarded, and each trick took four cards of a suit; but five
    cards of every suit are gone.
    """
    a, b, c, d = sorted(shape.suits, key=split_key)
    todo: list[_Suits] = [(a, b, c, d)]
    seen = set(todo)
    while todo:
        suits = todo.pop()
        if all((LONGEST_SUIT - sum(split)) % 4 == 0 for split in suits):
            return True
        for before in _iter_before(suits):
            if before not in seen:
                seen.add(before)
                todo.append(before)
    return False


def _iter_before(suits: _Suits) -> Iterator[_Suits]:
    """The suits before a trick that player 0 won, seen from its leader.

    Who did not follow had no card of the suit. Tricks with discards come last and are tried first:
    a trick that all follow leaves fewer voids to explain discards by.
    """
    for led in range(4):
        cards = [
            (led,) if player == 0 or suits[led][player] else (led, *_others(led))
            for player in range(4)
        ]
        for played in product(*cards):
            lengths = [list(split) for split in suits]
            for player, suit in enumerate(played):
                lengths[suit][player] += 1
            if any(sum(split) > LONGEST_SUIT for split in lengths):
                continue
            for leader in range(4):
                if played[leader] == led:
                    yield _seen_from(leader, lengths)


def _others(suit: int) -> tuple[int, ...]:
    return tuple(other for other in range(4) if other != suit)


def _seen_from(leader: int, lengths: list[list[int]]) -> _Suits:
    """The suits in order, with `leader` as player 0."""
    turned = []
    for split in lengths:
        w, x, y, z = split[leader:] + split[:leader]
        turned.append((w, x, y, z))
    a, b, c, d = sorted(turned, key=split_key)
    return (a, b, c, d)
