"""Why a card was chosen, in words: where it gains over the next best, and what decides it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Card, Hand
from setrograde.robot.knowledge import Knowledge

__all__ = ["explain"]

Floats = NDArray[np.float64]


def explain(
    known: Knowledge,
    worlds: NDArray[np.uint64],
    weights: Floats,
    cards: tuple[Card, Card],
    worth: tuple[Floats, Floats],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Reasons for the first of two cards against the second, and layouts behind them.

    `worlds` are the cards of the first hidden hand, `worth` what each card is worth in each world.
    """
    best, other = cards
    gap = worth[0] - worth[1]
    gains, losses = gap > 1e-9, gap < -1e-9
    count = len(worlds)
    if not gains.any() and not losses.any():
        return (f"{best} and {other} do equally well in all {count} layouts.",), ()
    reasons = [
        f"{best} does better than {other} in {int(gains.sum())} of {count} layouts and worse in"
        f" {int(losses.sum())}."
    ]
    told = _decider(known, worlds, weights, gap)
    if told is not None:
        reasons.append(f"What decides it: {best} gains most where {told}.")
    layouts = []
    for rows, verb in ((gains, "gains"), (losses, "loses")):
        if rows.any():
            place = int(np.argmax(np.where(rows, weights * np.abs(gap), -1.0)))
            layouts.append(f"{best} {verb}: {_layout(known, int(worlds[place]))}")
    return tuple(reasons), tuple(layouts)


def _decider(
    known: Knowledge, worlds: NDArray[np.uint64], weights: Floats, gap: Floats
) -> str | None:
    """The holder of one card that goes best with the gap; `None` if no card tells much."""
    first, second = known.hidden_seats[:2]
    best: tuple[float, str] | None = None
    total = float((weights * (gap - (weights * gap).sum()) ** 2).sum())
    for card in known.unseen:
        has = (worlds & np.uint64(card.bit)) != 0
        share = float(weights[has].sum())
        if not 0.02 < share < 0.98:
            continue
        with_it = float((weights[has] * gap[has]).sum()) / share
        without = float((weights[~has] * gap[~has]).sum()) / (1 - share)
        told = share * (1 - share) * (with_it - without) ** 2
        seat = first if with_it > without else second
        if best is None or told > best[0]:
            best = told, f"{seat.name.title()} has {card.pretty}"
    if best is None or best[0] < 0.05 * total:
        return None
    return best[1]


def _layout(known: Knowledge, world: int) -> str:
    first, second = known.hidden_seats[:2]
    rest = known.unseen.bits & ~world
    return f"{first.name.title()} {Hand(world)}, {second.name.title()} {Hand(rest)}"
