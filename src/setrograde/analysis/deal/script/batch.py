"""Batches: many deals side by side, with what was already counted in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from setrograde.bridge import Deal, Hand, Play, Seat, Side, Strain, Suit
from setrograde.common.stop import StopFlag
from setrograde.solve import solve_many

__all__ = ["Batch", "Bits", "Flags", "Numbers", "deal_of"]

Bits: TypeAlias = npt.NDArray[np.uint64]
Numbers: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]


def deal_of(row: Sequence[int] | Bits) -> Deal:
    """The deal of four card sets.

    >>> deal_of([1, 2, 4, 8]).to_pbn()
    'N:...2 ...3 ...4 ...5'
    """
    n, e, s, w = (Hand(int(bits)) for bits in row)
    return Deal((n, e, s, w))


class Batch:
    """Deals as a table of card sets, a row for each deal and a column for each seat.

    >>> batch = Batch(np.array([[1, 2, 4, 8], [8, 4, 2, 1]], np.uint64))
    >>> batch.holding(Seat.NORTH, Suit.CLUBS).tolist()
    [1, 8]
    >>> len(batch.take(np.array([False, True])))
    1
    """

    def __init__(
        self, deals: Bits, *, rows: npt.NDArray[np.intp] | None = None, root: Batch | None = None
    ) -> None:
        self.deals = deals
        self.memo: dict[object, Numbers] = {}
        self._holdings: dict[tuple[Seat, Suit], npt.NDArray[np.intp]] = {}
        # Tricks are dear: they are kept for the batch from which this one was taken.
        self._root = self if root is None else root
        self._rows = np.arange(len(deals), dtype=np.intp) if rows is None else rows
        self._tricks: dict[tuple[Seat, Strain], npt.NDArray[np.int8]] = {}

    def __len__(self) -> int:
        return len(self.deals)

    def take(self, chosen: Flags) -> Batch:
        """Some of the deals, in the same order."""
        return Batch(self.deals[chosen], rows=self._rows[chosen], root=self._root)

    def holding(self, seat: Seat, suit: Suit) -> npt.NDArray[np.intp]:
        """The 13 bits of a suit in each hand of a seat."""
        found = self._holdings.get((seat, suit))
        if found is None:
            shifted = self.deals[:, int(seat)] >> np.uint64(16 * suit)
            found = (shifted & np.uint64(0x1FFF)).astype(np.intp)
            self._holdings[seat, suit] = found
        return found

    def tricks(self, declarer: Seat, strain: Strain, stop: StopFlag | None) -> Numbers:
        """Declarer's tricks in each deal with perfect play; each is solved once."""
        root = self._root
        store = root._tricks.get((declarer, strain))
        if store is None:
            store = np.full(len(root), -1, np.int8)
            root._tricks[declarer, strain] = store
        missing = self._rows[store[self._rows] < 0]
        plays = [Play(deal_of(root.deals[row]), strain, declarer.next) for row in missing]
        tricks_ns = np.array(solve_many(plays, stop=stop), np.int8)
        store[missing] = tricks_ns if declarer.side is Side.NS else 13 - tricks_ns
        return store[self._rows].astype(np.int64)
