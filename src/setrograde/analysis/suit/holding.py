"""One suit as declarer sees it: his two holdings, and the cards that are outstanding.

A holding is text like `AQT2`, high to low or not: `10` is the ten as well, `x` a low card, and `-`
or nothing an empty hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from setrograde.bridge import InvalidInput, Rank

from .ranks import ALL_RANKS, format_ranks, rank_bits

__all__ = ["HoldingLike", "InvalidHolding", "SuitHolding", "as_holding", "parse_cards"]

_NOTHING = ("", "-", "—", "void")
_OPPOSITE = re.compile(r"\s*/\s*|\s+opposite\s+", re.IGNORECASE)


class InvalidHolding(InvalidInput):
    """Holdings of one suit that cannot be.

    >>> SuitHolding.from_text("AK", "KQ")
    Traceback (most recent call last):
      ...
    setrograde.analysis.suit.holding.InvalidHolding: card twice: 'K' in 'AK' and 'KQ'
    """


@dataclass(frozen=True, slots=True)
class SuitHolding:
    """What North and South hold in one suit.

    The low cards written as `x` are the lowest that are not named.

    >>> suit = SuitHolding.from_text("AQ10x", "xxx")
    >>> suit, suit.outstanding, suit.tricks_most
    (SuitHolding.from_text('AQT5', '432'), 'KJ9876', 4)
    """

    north_bits: int
    """North's ranks as bits, as the core sees them."""

    south_bits: int
    """South's ranks as bits."""

    def __post_init__(self) -> None:
        north, south = self.north_bits, self.south_bits
        if north < 0 or south < 0 or (north | south) & ~ALL_RANKS:
            raise InvalidHolding(f"not two sets of ranks: {north:#x} and {south:#x}")
        if north & south:
            raise InvalidHolding(
                f"card twice: {format_ranks(north & south)!r} in {self.north!r} and {self.south!r}"
            )
        if not north | south:
            raise InvalidHolding(
                "no cards: '-' and '-' (expected a holding like 'AQ32' in one hand)"
            )

    @classmethod
    def from_text(cls, north: str, south: str) -> SuitHolding:
        """Read the two holdings; `-` is an empty hand."""
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
    def north(self) -> str:
        """North's cards, highest first; `-` if he has none."""
        return format_ranks(self.north_bits)

    @property
    def south(self) -> str:
        """South's cards."""
        return format_ranks(self.south_bits)

    @property
    def outstanding(self) -> str:
        """The cards that the defenders hold between them."""
        return format_ranks(self.outstanding_bits)

    @property
    def own_bits(self) -> int:
        """Both hands together, as bits."""
        return self.north_bits | self.south_bits

    @property
    def outstanding_bits(self) -> int:
        """The defenders' cards as bits."""
        return ALL_RANKS & ~self.own_bits

    @property
    def tricks_most(self) -> int:
        """The most tricks there can be: the number of cards in the longer hand."""
        return max(self.north_bits.bit_count(), self.south_bits.bit_count())

    @property
    def mirrored(self) -> SuitHolding:
        """North and South exchanged.

        >>> SuitHolding.from_text("A", "K").mirrored
        SuitHolding.from_text('K', 'A')
        """
        return SuitHolding(self.south_bits, self.north_bits)

    def __str__(self) -> str:
        return f"{self.north} / {self.south}"

    def __repr__(self) -> str:
        return f"SuitHolding.from_text({self.north!r}, {self.south!r})"


HoldingLike: TypeAlias = SuitHolding | str


def as_holding(north: HoldingLike, south: str | None = None) -> SuitHolding:
    """Two texts, one text for both hands, or a `SuitHolding`.

    >>> as_holding("KT9", "A2") == as_holding("KT9 opposite A2") == as_holding("KT9 / A2")
    True
    >>> as_holding("KT9")
    Traceback (most recent call last):
      ...
    setrograde.analysis.suit.holding.InvalidHolding: one holding: 'KT9' (expected two, like 'KT9' and 'A2', or 'KT9 opposite A2')
    """  # noqa: E501
    if isinstance(north, SuitHolding) and south is None:
        return north
    if isinstance(north, str) and isinstance(south, str):
        return SuitHolding.from_text(north, south)
    if isinstance(north, str) and south is None:
        parts = _OPPOSITE.split(north)
        if len(parts) == 2:
            return SuitHolding.from_text(parts[0], parts[1])
        raise InvalidHolding(
            f"one holding: {north[:40]!r} (expected two, like 'KT9' and 'A2', or 'KT9 opposite A2')"
        )
    raise InvalidHolding(
        f"not two holdings: {north!r} and {south!r} (expected text like 'KT9' and 'A2')"
    )


def parse_cards(text: str) -> int:
    """The bits of cards written like `KT9`; 0 for `-` or nothing.

    >>> parse_cards("42")
    5
    """
    bits, spots = _named(text)
    if spots:
        raise InvalidHolding(f"not a rank: 'x' in {text!r} (these cards must be named)")
    return bits


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
