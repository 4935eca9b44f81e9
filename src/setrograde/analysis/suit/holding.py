"""One suit as declarer sees it: his two holdings, and the cards that are out.

Ranks are kept as sets of 13 bits, the two lowest, as the native core has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from setrograde.bridge import InvalidInput, Rank

__all__ = ["ALL_RANKS", "InvalidHolding", "SuitHolding", "format_ranks", "iter_ranks", "rank_bits"]

ALL_RANKS = (1 << 13) - 1
"""The whole suit."""

_NOTHING = ("", "-", "—", "void")


class InvalidHolding(InvalidInput):
    """Holdings of one suit that cannot be.

    >>> SuitHolding.from_text("AK", "KQ")
    Traceback (most recent call last):
      ...
    setrograde.analysis.suit.holding.InvalidHolding: card twice: 'K' in 'AK' and 'KQ'
    """


def rank_bits(ranks: Iterable[Rank]) -> int:
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
    """A set of ranks, highest first; `-` if it is empty.

    >>> format_ranks(0b1_1000_0000_0001), format_ranks(0)
    ('AK2', '-')
    """
    return "".join([rank.letter for rank in iter_ranks(bits)]) or "-"


@dataclass(frozen=True, slots=True)
class SuitHolding:
    """What North and South hold in one suit.

    Written high to low or not; `10` is the ten, `x` a low card: the lowest that are not named.

    >>> suit = SuitHolding.from_text("AQ10x", "xxx")
    >>> suit, format_ranks(suit.outstanding), suit.tricks_most
    (SuitHolding.from_text('AQT5', '432'), 'KJ9876', 4)
    """

    north: int
    """Ranks as bits."""

    south: int
    """Ranks as bits."""

    def __post_init__(self) -> None:
        if (self.north | self.south) & ~ALL_RANKS or self.north < 0 or self.south < 0:
            raise InvalidHolding(f"not two sets of ranks: {self.north:#x} and {self.south:#x}")
        twice = self.north & self.south
        if twice:
            raise InvalidHolding(
                f"card twice: {format_ranks(twice)!r} in {format_ranks(self.north)!r}"
                f" and {format_ranks(self.south)!r}"
            )
        if not self.north | self.south:
            raise InvalidHolding(
                "no cards: '-' and '-' (expected a holding like 'AQ32' in one hand)"
            )

    @classmethod
    def from_text(cls, north: str, south: str) -> SuitHolding:
        """Read the two holdings; `-` is none."""
        named = [_named(text) for text in (north, south)]
        count = sum(bits.bit_count() + spots for bits, spots in named)
        if count > 13:
            raise InvalidHolding(f"{count} cards in {north!r} and {south!r} (a suit has 13)")
        (north_bits, north_spots), (south_bits, south_spots) = named
        twice = north_bits & south_bits
        if twice:
            raise InvalidHolding(f"card twice: {format_ranks(twice)!r} in {north!r} and {south!r}")
        low = [rank for rank in Rank if not (north_bits | south_bits) >> rank & 1]
        return cls(
            north_bits | rank_bits(low[south_spots : south_spots + north_spots]),
            south_bits | rank_bits(low[:south_spots]),
        )

    @property
    def outstanding(self) -> int:
        """What the defenders hold between them."""
        return ALL_RANKS & ~(self.north | self.south)

    @property
    def tricks_most(self) -> int:
        """As many as the longer hand has cards."""
        return max(self.north.bit_count(), self.south.bit_count())

    @property
    def mirrored(self) -> SuitHolding:
        """North and South exchanged.

        >>> SuitHolding.from_text("A", "K").mirrored
        SuitHolding.from_text('K', 'A')
        """
        return SuitHolding(self.south, self.north)

    def __str__(self) -> str:
        return f"{format_ranks(self.north)} / {format_ranks(self.south)}"

    def __repr__(self) -> str:
        return f"SuitHolding.from_text({format_ranks(self.north)!r}, {format_ranks(self.south)!r})"


def _named(text: str) -> tuple[int, int]:
    """The ranks named, and how many `x`."""
    bits = spots = 0
    letters = text.strip()
    if letters.lower() in _NOTHING:
        return 0, 0
    if len(letters) > 40:
        raise InvalidHolding(f"not a holding: {text[:20]!r}... (a suit has 13 cards)")
    for letter in letters.upper().replace("10", "T"):
        if letter == "X":
            spots += 1
            continue
        rank = "23456789TJQKA".find(letter)
        if rank < 0:
            raise InvalidHolding(
                f"not a rank: {letter!r} in {text!r} (expected AKQJT98765432, x for a low card)"
            )
        if bits >> rank & 1:
            raise InvalidHolding(f"card twice: {letter!r} in {text!r}")
        bits |= 1 << rank
    return bits, spots
