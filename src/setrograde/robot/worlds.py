"""Worlds: layouts that fit what a player knows, drawn at random and kept from move to move.

>>> from setrograde.robot.knowledge import Knowledge
>>> known = Knowledge(seat="S", contract="3NTS", hand="K5.T83.KQ9.A7652",
...                   dummy="QJ6.K652.J85.T98", played="S4 SJ S3 S5")
>>> worlds = draw_layouts(known, 5, seed=1)
>>> worlds.shape, all(int(hand).bit_count() == 12 for hand in worlds.flatten())
((5, 4), True)
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from setrograde.analysis.deal import DealSampler
from setrograde.bridge import Hand, InvalidConstraint, Seat
from setrograde.bridge.constraints import HandConstraint

from .knowledge import InvalidHistory, Knowledge

__all__ = ["Layouts", "draw_layouts", "seed_of"]

Layouts = NDArray[np.uint64]
"""One layout a row: the cards still held by North, East, South and West."""


_AT_ONCE = 64
_MOST_DRAWS = 64
"""Layouts of an ending drawn at once, and how often, until enough fit the meanings."""


def seed_of(*parts: object) -> int:
    """A seed of 63 bits that depends on every part, the same on every machine.

    >>> seed_of("lead", 1) == seed_of("lead", 1) != seed_of("lead", 2)
    True
    """
    text = "|".join([str(part) for part in parts])
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> 1


def draw_layouts(known: Knowledge, count: int, *, seed: int) -> Layouts:
    """Draw `count` layouts of the unseen cards, each one that fits equally likely.

    Raises `InvalidHistory` if none fits the meanings of the calls.
    """
    told = {seat: what for seat, what in known.meanings.items() if seat in known.hidden_seats}
    if not told:
        return _deal(known, count, np.random.default_rng(seed))
    if known.deck != Hand.FULL:
        return _deal_told(known, told, count, np.random.default_rng(seed))
    shown = {seat: known.cards_of(seat) for seat in Seat}
    suits = {
        seat: [Hand(0x1FFF << (16 * suit)) for suit in voids] for seat, voids in known.voids.items()
    }
    denied = {
        seat: Hand(sum([suit.bits for suit in voids])) - shown[seat]
        for seat, voids in suits.items()
    }
    try:
        rows = DealSampler(shown, told, denied).draw(count, seed)
    except InvalidConstraint:
        raise _unfit(told) from None
    return rows & np.uint64(~known.gone.bits & 0xFFFF_FFFF_FFFF_FFFF)


def _unfit(told: Mapping[Seat, HandConstraint]) -> InvalidHistory:
    words = "; ".join([f"{seat.letter}: {what}" for seat, what in told.items()])
    return InvalidHistory(f"no layout fits the meanings '{words}' and the cards seen")


def _deal_told(
    known: Knowledge,
    told: Mapping[Seat, HandConstraint],
    count: int,
    rng: np.random.Generator,
) -> Layouts:
    """Layouts of an ending, in which meanings are those of its hands: drawn until enough fit."""
    shown = {seat: known.cards_of(seat).bits for seat in told}
    found: list[NDArray[np.uint64]] = []
    for _ in range(_MOST_DRAWS):
        for row in _deal(known, _AT_ONCE, rng):
            if all(what.allows(Hand(int(row[s]) | shown[s])) for s, what in told.items()):
                found.append(row)
                if len(found) == count:
                    return np.array(found, np.uint64)
    if not found:
        raise _unfit(told)
    return np.array(found, np.uint64)


def _deal(known: Knowledge, count: int, rng: np.random.Generator) -> Layouts:
    """Layouts that fit cards and voids, whatever the calls mean."""
    hidden, voids = known.hidden_seats, known.voids
    layouts = np.zeros((count, 4), np.uint64)
    for seat in known.seen:
        layouts[:, seat] = known.left(seat).bits
    room = {seat: known.cards_left(seat) for seat in hidden}
    free = []
    for card in known.unseen:
        may_hold = [seat for seat in hidden if card.suit not in voids[seat]]
        if len(may_hold) == 1:
            layouts[:, may_hold[0]] |= np.uint64(card.bit)
            room[may_hold[0]] -= 1
        else:
            free.append(card.bit)
    bits = np.array(free, np.uint64)
    # Voids come after the opening lead, when two hands are hidden: the rest goes anywhere.
    order = rng.random((count, len(free))).argsort(axis=1)
    shuffled = bits[order]
    start = 0
    for seat in hidden:
        layouts[:, seat] |= shuffled[:, start : start + room[seat]].sum(axis=1, dtype=np.uint64)
        start += room[seat]
    return layouts
