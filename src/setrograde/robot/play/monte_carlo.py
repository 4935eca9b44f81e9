"""Plain Monte Carlo: solve every card double dummy in each world, take the best average.

This is what the GIB paper describes. It defers guesses, because in each world the rest is played
with all cards in view; strategy search does not. The answer comes by iterative broadening: a few
worlds first, then more, so that there is an answer whenever the time is up.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Card
from setrograde.robot.knowledge import Knowledge
from setrograde.robot.pool import World
from setrograde.robot.values import DoubleDummy

from .goals import Goal

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
    """Declarer's double-dummy tricks in the whole deal: one row a world, one column a card."""

    cards: tuple[Card, ...]
    """The legal cards."""

    tricks: NDArray[np.int64]
    """Declarer's tricks, won ones included."""

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


def card_table(
    known: Knowledge,
    worlds: Sequence[World],
    ask: DoubleDummy,
    *,
    clock: Clock,
    done: Callable[[CardTable], bool] | None = None,
) -> CardTable:
    """Solve every legal card in each world, as far as the time goes; at least in one.

    `done` is asked now and then whether what is known is enough.
    """
    cards = known.legal_cards()
    places = [16 * card.suit + card.rank for card in cards]
    trick = [16 * card.suit + card.rank for card in known.trick]
    won = known.tricks_won(known.declarer.side)
    rows: list[list[int]] = []
    check = _FIRST
    for world in worlds:
        found = ask.cards(world.hands, known.leader, trick)
        rows.append([won + found[place] for place in places])
        if clock.is_up:
            break
        if len(rows) == check and done is not None and len(rows) < len(worlds):
            check *= 2
            if done(_table(cards, rows, worlds)):
                break
    return _table(cards, rows, worlds)


def _table(cards: tuple[Card, ...], rows: list[list[int]], worlds: Sequence[World]) -> CardTable:
    weights = np.array([world.weight for world in worlds[: len(rows)]])
    return CardTable(cards, np.array(rows), weights / weights.sum())


def average(table: CardTable, goal: Goal, sign: int) -> Averages:
    """The average worth of each card; `sign` is 1 for declarer's side and -1 for a defender."""
    worth = sign * goal.table[table.tricks]
    weights = table.weights[:, None]
    values = (weights * worth).sum(axis=0)
    squares = (weights**2 * (worth - values) ** 2).sum(axis=0)
    count = 1 / float((table.weights**2).sum())  # effective number of worlds
    # A card that is worth the same in all worlds seen may still differ in the next one: one more
    # world with a difference of one step is allowed for.
    step = float(np.abs(np.diff(goal.table)).max())
    spare = (step / (count + 2)) ** 2
    stderrs = np.sqrt(squares * count / max(count - 1, 1) + spare)
    total = goal.total
    own = table.tricks if sign > 0 else total - table.tricks
    return Averages(values, stderrs, (weights * own).sum(axis=0), len(table.weights))


def is_clear(table: CardTable, goal: Goal, sign: int) -> bool:
    """True if one card, or a group that never differs, is ahead of all others beyond doubt."""
    worth = sign * goal.table[table.tricks]
    values = (table.weights[:, None] * worth).sum(axis=0)
    best = int(values.argmax())
    differences = worth[:, [best]] - worth
    for column in range(worth.shape[1]):
        gap = differences[:, column]
        if not gap.any():
            if len(gap) < 32 and column != best:
                return False
            continue
        mean = float((table.weights * gap).sum())
        error = math.sqrt(float((table.weights**2 * (gap - mean) ** 2).sum())) + 1e-9
        if len(gap) < 16 or mean < _CLEAR * error + 0.05:
            return False
    return True
