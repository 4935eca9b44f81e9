"""Where endings are mined: all of a size, or the deals of a set.

A ground lists shapes as rows of words, four splits and 1 for trumps, suits in the order in which
diagrams read them; and it knows which deal a layout of a shape is.

>>> LevelGround(8, trumps=False).rows.shape
(483, 5)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from setrograde import _core
from setrograde.bridge import Deal, Hand, InvalidDeal, Seat, Strain, Suit
from setrograde.common.stop import StopFlag, check_stop
from setrograde.db.deal_sets import DealSet
from setrograde.db.endings.shapes import Split, count_strings
from setrograde.db.endings.states import Ending
from setrograde.errors import InvalidInput

__all__ = [
    "MAX_MINED_CARDS",
    "FoundDeal",
    "LevelGround",
    "SetGround",
    "layouts_of",
    "shape_rows",
]

MAX_MINED_CARDS = 20
"""Of endings that are all looked through; sets of deals may have 24."""

_MOST_SET_CARDS = 24

_BLOCK = 1 << 18
"""Shapes whose layouts are counted between two looks at a stop flag."""


@dataclass(frozen=True, slots=True)
class FoundDeal:
    """One deal and how it is played.

    >>> FoundDeal(Deal.from_pbn("N:A... K... Q... J..."), Strain.NOTRUMP, Seat.NORTH).leader
    Seat.NORTH
    """

    deal: Deal
    strain: Strain
    leader: Seat


class LevelGround:
    """All endings of a number of cards.

    >>> len(LevelGround(8, lengths=(1, 1)).rows)
    1236
    """

    masks = None

    def __init__(
        self,
        cards: int,
        *,
        trumps: bool | None = None,
        lengths: Sequence[int] | None = None,
        stop: StopFlag | None = None,
    ) -> None:
        if cards % 4 or not 4 <= cards <= MAX_MINED_CARDS:
            raise InvalidInput(
                f"not a number of cards: {cards} (expected a multiple of 4 up to {MAX_MINED_CARDS})"
            )
        # Neighbours have the suits in common that are read last, so they share most work.
        rows = shape_rows(_core.list_shapes(cards // 4, for_sharing=True, stop=stop))
        if trumps is not None:
            rows = rows[rows[:, 4] == trumps]
        if lengths is not None:
            if len(lengths) > 4 or sum(lengths) != cards // 4 or min(lengths) < 0:
                raise InvalidInput(
                    f"not the lengths of a hand: {tuple(lengths)}"
                    f" (expected up to four that make {cards // 4})"
                )
            asked = sorted([*lengths, 0, 0, 0, 0][:4])
            rows = rows[(np.sort(rows[:, :4] >> 12, axis=1) == asked).all(axis=1)]
        self.rows = np.ascontiguousarray(rows)

    def deals_of(self, row: NDArray[np.uint16]) -> int:
        """How many deals from a pack one layout of a shape stands for."""
        splits = [int(split) for split in row[:4]]
        has_trumps = bool(row[4])
        sides = splits[:3] if has_trumps else splits
        orders = factorial(len(sides)) // prod(
            factorial(sides.count(split)) for split in set(sides)
        )
        ranks = prod(comb(13, sum(_split(split))) for split in splits)
        return orders * ranks * (4 if has_trumps else 1)

    def by_deals(self, rows: NDArray[np.uint16]) -> Iterator[tuple[int, NDArray[np.intp]]]:
        """Group shapes by the number of deals that one layout of them stands for."""
        # What `deals_of` depends on: lengths, trumps, and which suits have the same split.
        lengths = sum((rows[:, :4] >> shift & 15 for shift in (12, 8, 4)), rows[:, :4] & 15)
        same = [rows[:, a] == rows[:, b] for a in range(4) for b in range(a)]
        keys = np.column_stack([lengths, rows[:, 4], *same])
        _, first, kind = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        by_kind = np.argsort(kind.ravel(), kind="stable")
        ends = np.cumsum(np.bincount(kind.ravel()))
        for place, rows_of_kind in zip(first, np.split(by_kind, ends[:-1]), strict=True):
            yield self.deals_of(rows[place]), rows_of_kind

    def ending(self, row: NDArray[np.uint16], owners: Sequence[bytes]) -> FoundDeal | None:
        """The ending with these owners; `None` unless it stands for itself."""
        a, b, c, d = ("".join([str(owner) for owner in suit]) for suit in owners)
        ending = Ending((a, b, c, d), bool(row[4]))
        if not ending.is_canonical:
            return None
        return FoundDeal(ending.to_deal(Seat.SOUTH), ending.strain, Seat.SOUTH)


class SetGround:
    """A set of deals. Suits are read shortest first, trumps last.

    >>> deals = DealSet.from_text("SA=N SKQJ=x HAKQJ=x")
    >>> SetGround(deals, Strain.SPADES, Seat.NORTH).suits[-1]
    Suit.SPADES
    """

    def __init__(self, deals: DealSet, strain: Strain, leader: Seat) -> None:
        if len(deals.holders) > _MOST_SET_CARDS:
            raise InvalidInput(
                f"too many cards in {deals.to_text()!r}: {len(deals.holders)}"
                f" (expected {_MOST_SET_CARDS} at most)"
            )
        self.deals, self.strain, self.leader = deals, strain, leader
        self.suits = sorted(
            Suit, key=lambda suit: (suit is strain.suit, len(deals.cards_of(suit)), suit)
        )
        masks = deals.masks(leader)
        self.masks = tuple(masks[suit] for suit in self.suits)
        least, most = deals.length_limits(leader)
        has_trumps = strain.suit is not None and bool(deals.cards_of(strain.suit))
        self.rows = shape_rows(
            _core.shapes_of_masks(self.masks, has_trumps, self._ordered(least), self._ordered(most))
        )
        if not len(self.rows):
            raise InvalidDeal(
                f"no deal is in the set {deals.to_text()!r} (expected one that gives every player"
                f" {deals.tricks} cards)"
            )

    def _ordered(self, lengths: list[list[int]]) -> list[list[int]]:
        return [[row[suit] for suit in self.suits] for row in lengths]

    def deals_of(self, row: NDArray[np.uint16]) -> int:
        """A layout of a set is a deal."""
        return 1

    def by_deals(self, rows: NDArray[np.uint16]) -> Iterator[tuple[int, NDArray[np.intp]]]:
        """All shapes alike."""
        yield 1, np.arange(len(rows))

    def ending(self, row: NDArray[np.uint16], owners: Sequence[bytes]) -> FoundDeal:
        """The deal with these owners."""
        hands: list[list[int]] = [[], [], [], []]
        for suit, held in zip(self.suits, owners, strict=True):
            for card, owner in zip(self.deals.cards_of(suit), held, strict=True):
                hands[self.leader.next_by(owner)].append(card.bit)
        n, e, s, w = (Hand(sum(bits)) for bits in hands)
        return FoundDeal(Deal((n, e, s, w)), self.strain, self.leader)


def layouts_of(rows: NDArray[np.uint16], *, stop: StopFlag | None = None) -> NDArray[np.float64]:
    """The number of layouts of each shape, with suits told apart.

    >>> int(layouts_of(LevelGround(8).rows).sum())
    87921
    """
    ways = np.zeros(1 << 16)  # by split, as they come up
    layouts = np.ones(len(rows))
    for start in range(0, len(rows), _BLOCK):
        check_stop(stop)
        splits = rows[start : start + _BLOCK, :4]
        occurs = np.zeros(1 << 16, np.bool_)
        occurs[splits] = True
        for code in np.flatnonzero(occurs & (ways == 0)):
            ways[code] = count_strings(_split(int(code)))
        for suit in range(4):
            layouts[start : start + _BLOCK] *= ways[splits[:, suit]]
    return layouts


def shape_rows(words: bytes) -> NDArray[np.uint16]:
    """Shapes as the core lists them: four splits and 1 for trumps.

    >>> len(shape_rows(_core.list_shapes(1)))
    52
    """
    return np.frombuffer(words, np.uint16).reshape(-1, 5)


def _split(code: int) -> Split:
    return (code >> 12, code >> 8 & 15, code >> 4 & 15, code & 15)
