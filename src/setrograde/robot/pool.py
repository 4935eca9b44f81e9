"""The pool of worlds of one player on one board: kept from move to move, weighed by every card.

Layouts that a new card rules out die. The others keep their weight times the likelihood of the
card. New layouts are drawn only if too few are left, or if a few have all the weight; they are
weighed by the whole history, so that old and new ones are worth the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Seat
from setrograde.common.stop import StopFlag, check_stop

from .inference import Inference
from .knowledge import Knowledge, Turn
from .values import Hands
from .worlds import draw_layouts, seed_of

__all__ = ["Pool", "World"]

_FEWEST = 0.6
"""Worlds left, as a share of those wanted, below which new ones are drawn."""

_LEAST_EFFECTIVE = 0.15
"""The same for the effective number of worlds."""

_CHUNK = 8
"""Layouts drawn at first between two looks at the clock."""

_HOPELESS = 7.0
"""A layout whose weight is e to this power below the best one's does not count."""


@dataclass(frozen=True, slots=True)
class World:
    """A layout with its weight in a sample."""

    hands: Hands
    """The cards still held, by seat."""

    weight: float
    """Its share of the sample; all worlds together weigh 1."""


@dataclass
class Pool:
    """Layouts that fit the knowledge of one player, with weights."""

    seed: int
    """Draws the layouts."""

    inference: Inference | None
    """Weighs layouts by the cards played; `None` gives all the same weight."""

    stop: StopFlag | None = None
    """Stops the work from any thread."""

    layouts: list[Hands] = field(default_factory=list)
    """Whole hands as they were before the play."""

    logs: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """The logarithm of the likelihood of each layout."""

    turns: int = 0
    """Cards played that the weights take into account."""

    draws: int = 0
    """How often layouts were drawn."""

    def update(self, known: Knowledge) -> None:
        """Take the new cards of the play into account."""
        for turn in known.turns[self.turns :]:
            if self.layouts:
                self._weigh(known, turn.number, turn.number + 1)
        self.turns = len(known.turns)

    def _weigh(self, known: Knowledge, start: int, end: int) -> None:
        self.logs = self.logs + _history(self.inference, known, start, end, self.layouts)
        alive = np.flatnonzero(np.isfinite(self.logs))
        if len(alive) < len(self.layouts):
            self.layouts = [self.layouts[row] for row in alive]
            self.logs = self.logs[alive]

    @property
    def effective(self) -> float:
        """The number of equally weighed worlds that would tell as much."""
        if not self.layouts:
            return 0.0
        weights = np.exp(self.logs - self.logs.max())
        return float(weights.sum() ** 2 / (weights**2).sum())

    def fill(
        self, known: Knowledge, wanted: int, *, is_up: Callable[[], bool] = lambda: False
    ) -> None:
        """Draw layouts if most of `wanted` are dead, or if a few have all the weight.

        Once `is_up` says that the time is spent, those drawn so far must do.
        """
        self.update(known)
        if len(self.layouts) >= _FEWEST * wanted and self.effective >= _LEAST_EFFECTIVE * wanted:
            return
        left = max(wanted - len(self.layouts), wanted // 2)
        chunk = min(left, _CHUNK)
        while left > 0:
            check_stop(self.stop)
            self._draw(known, min(chunk, left))
            left -= chunk
            chunk = min(2 * chunk, 64)
            if is_up():
                break

    def _draw(self, known: Knowledge, count: int) -> None:
        """Draw some layouts and weigh them by the whole history."""
        self.draws += 1
        seed = seed_of(self.seed, known.seat, known.contract, len(known.played), self.draws)
        drawn = draw_layouts(known, count, seed=seed)
        shown = [known.cards_of(seat).bits for seat in Seat]
        fresh: list[Hands] = []
        for row in drawn.tolist():
            n, e, s, w = (held | own for held, own in zip(row, shown, strict=True))
            fresh.append((n, e, s, w))
        least = float(self.logs.max()) - _HOPELESS if len(self.logs) else -math.inf
        logs = _history(self.inference, known, 0, len(known.turns), fresh, least=least)
        self.layouts += fresh
        self.logs = np.concatenate([self.logs, logs])

    def sample(self, known: Knowledge, count: int) -> list[World]:
        """At most `count` worlds, as the cards lie now, those with most weight surely among them.

        Layouts are thinned by even steps along their weights, so that a layout with twice the
        weight is taken twice as often, or with twice the weight.
        """
        weights = np.exp(self.logs - self.logs.max())
        weights /= weights.sum()
        gone = known.gone.bits
        if len(weights) <= count:
            chosen = np.arange(len(weights))
            shares = weights
        else:
            start = (seed_of(self.seed, "thin", len(known.played)) % 1000 + 0.5) / 1000
            steps = (np.arange(count) + start) / count
            picked = np.searchsorted(np.cumsum(weights), steps, side="right")
            chosen, times = np.unique(np.minimum(picked, len(weights) - 1), return_counts=True)
            shares = times / count
        worlds: dict[Hands, float] = {}
        for row, share in zip(chosen.tolist(), shares.tolist(), strict=True):
            n, e, s, w = (hand & ~gone for hand in self.layouts[row])
            worlds[(n, e, s, w)] = worlds.get((n, e, s, w), 0.0) + share
        return [World(hands, weight) for hands, weight in worlds.items()]


def _history(
    inference: Inference | None,
    known: Knowledge,
    start: int,
    end: int,
    layouts: list[Hands],
    *,
    least: float = -math.inf,
) -> NDArray[np.float64]:
    """The logarithm of the likelihood of some cards of the play in each layout.

    The last card comes first, as it is the cheapest to weigh. A layout that falls below `least` on
    the way will hardly count, and is not weighed further.
    """
    logs = np.zeros(len(layouts))
    for turn in reversed(known.turns[start:end]):
        rows = np.flatnonzero(logs >= least) if least > -math.inf else _finite(logs)
        part = [layouts[row] for row in rows]
        if inference is None:
            logs[rows] += _is_possible(known, turn, part)
        else:
            logs[rows] += inference.log_likelihood(known, turn, part)
    return logs


def _finite(logs: NDArray[np.float64]) -> NDArray[np.intp]:
    return np.flatnonzero(np.isfinite(logs))


def _is_possible(known: Knowledge, turn: Turn, layouts: list[Hands]) -> NDArray[np.float64]:
    """0 where a card can have been played, minus infinity where not."""
    if turn.seat not in known.hidden_seats:
        return np.zeros(len(layouts))
    gone = sum([card.bit for card in known.played[: turn.number]])
    led = 0x1FFF << (16 * turn.table[0].suit) if turn.table else 0
    if turn.card.bit & led:
        led = 0
    return np.array(
        [
            0.0
            if layout[turn.seat] & turn.card.bit and not layout[turn.seat] & led & ~gone
            else -math.inf
            for layout in layouts
        ]
    )
