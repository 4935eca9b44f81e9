"""Sets of ranks as 13 bits, the two lowest, as the native core has them.

Bits stay inside this package: its public functions take and give cards as text, like `"KT9"`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from setrograde.bridge import Rank

__all__ = ["ALL_RANKS", "format_ranks", "highest", "highest_cards", "iter_ranks", "rank_bits"]

ALL_RANKS = (1 << 13) - 1
"""The whole suit."""


def rank_bits(ranks: Iterable[int]) -> int:
    """A set of ranks as bits.

    >>> rank_bits([Rank.TWO, Rank.FOUR])
    5
    """
    bits = 0
    for rank in ranks:
        bits |= 1 << rank
    return bits


def iter_ranks(bits: int) -> Iterator[Rank]:
    """The ranks of a set, highest first.

    >>> list(iter_ranks(5))
    [Rank.FOUR, Rank.TWO]
    """
    for rank in reversed(Rank):
        if bits >> rank & 1:
            yield rank


def format_ranks(bits: int) -> str:
    """A set of ranks as text, highest first; `-` if it is empty.

    >>> format_ranks(0b1_1000_0000_0001), format_ranks(0)
    ('AK2', '-')
    """
    return "".join([rank.letter for rank in iter_ranks(bits)]) or "-"


def highest(bits: int) -> Rank | None:
    """The highest rank of a set; `None` if it is empty.

    >>> highest(5), highest(0)
    (Rank.FOUR, None)
    """
    return next(iter_ranks(bits), None)


def highest_cards(bits: int, count: int) -> int:
    """The highest `count` ranks of a set, as bits.

    >>> format_ranks(highest_cards(0b1101, 2))
    '54'
    """
    for _ in range(bits.bit_count() - count):
        bits &= bits - 1
    return bits
