"""Plain Monte Carlo: solve every card double dummy in each world, take the best average.

This is what the GIB paper describes. It defers guesses, because in each world the rest is played
with all cards in view; strategy search does not. The answer comes by iterative broadening: a few
worlds first, then more, so that there is an answer whenever the time is up.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Card

__all__ = ["Averages", "CardTable", "Clock", "average"]

Floats = NDArray[np.float64]

_FIRST = 8
"""Worlds before the first look at the clock and at who is ahead."""

_CLEAR = 4.0
"""Standard errors by which the best card must lead all others for an early stop."""


@dataclass
class Clock:
    """Says when the time is up.

    >>> Clock(60.0).is_up
    False
    """

    seconds: float
    """The time allowed, from now."""

    start: float = 0.0

    def __post_init__(self) -> None:
        self.start = time.perf_counter()

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.start

    @property
    def is_up(self) -> bool:
        """True once the time is spent."""
        return self.spent >= self.seconds


@dataclass
class CardTable:
    """Double-dummy tricks of the player's side: one row a world, one column a candidate."""

    cards: tuple[Card, ...]
    """The candidates."""

    tricks: NDArray[np.int64]
    """Tricks of the player's side in the whole deal."""

    weights: Floats
    """The weights of the worlds."""


@dataclass
class Averages:
    """What each card is worth on average to the player's side."""

    values: Floats
    """The mean worth of each card."""

    stderrs: Floats
    """Their standard errors."""

    tricks: Floats
    """Mean tricks of the player's side in the whole deal."""

    worlds: int
    """The number of worlds."""


def broaden(
    worlds: int,
    solve: Callable[[int, int], tuple[tuple[Card, ...], NDArray[np.int64]]],
    weights: Floats,
    *,
    clock: Clock,
    done: Callable[[CardTable], bool] = lambda table: False,
) -> CardTable:
    """Solve the worlds in growing portions, as far as the time goes; the first is always solved.

    `solve(start, end)` gives the candidates and the tricks of some worlds. `done` is asked after
    each portion whether what is known is enough.
    """
    start, portion, parts = 0, _FIRST, []
    while True:
        end = min(worlds, start + portion)
        before = clock.spent
        cards, tricks = solve(start, end)
        parts.append(tricks)
        start = end
        share = weights[:end] / weights[:end].sum()
        table = CardTable(cards, np.concatenate(parts), share)
        if end == worlds or clock.is_up or done(table):
            return table
        # The next portion must fit into the time that is left.
        pace = (clock.spent - before) / portion
        room = int((clock.seconds - clock.spent) / pace) if pace > 0 else worlds
        portion = max(1, min(2 * portion, room))


def average(table: CardTable, worth: Floats) -> Averages:
    """The average worth of each card, where `worth` says what each number of tricks is worth."""
    return averages(worth[table.tricks], table.weights, worth, table.tricks)


def averages(each: Floats, weights: Floats, worth: Floats, tricks: NDArray[np.int64]) -> Averages:
    """Means and standard errors of what cards are worth in worlds: rows are worlds."""
    column = weights[:, None]
    values = (column * each).sum(axis=0)
    squares = (column**2 * (each - values) ** 2).sum(axis=0)
    count = 1 / float((weights**2).sum())  # effective number of worlds
    # A card that is worth the same in all worlds seen may still differ in the next one: one more
    # world with a difference of one step is allowed for.
    step = float(np.abs(np.diff(worth)).max())
    spare = (step / (count + 2)) ** 2
    stderrs = np.sqrt(squares * count / max(count - 1, 1) + spare)
    return Averages(values, stderrs, (column * tricks).sum(axis=0), len(weights))


def is_clear(table: CardTable, worth: Floats) -> bool:
    """True if one card, or a group that never differs, is ahead of all others beyond doubt."""
    each = worth[table.tricks]
    values = (table.weights[:, None] * each).sum(axis=0)
    best = int(values.argmax())
    gaps = each[:, [best]] - each
    for column in range(each.shape[1]):
        gap = gaps[:, column]
        if not gap.any():
            if len(gap) < 32 and column != best:
                return False
            continue
        mean = float((table.weights * gap).sum())
        error = math.sqrt(float((table.weights**2 * (gap - mean) ** 2).sum())) + 1e-9
        if len(gap) < 16 or mean < _CLEAR * error + 0.05:
            return False
    return True
