"""Equal cards: which of them gives an opponent most chances to go wrong.

Cards that are equal against perfect opponents differ against real ones. The next opponent plays a
card with a probability that falls with its cost, exp(-cost / tau); the card is chosen after which
his likely mistakes are worth most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Card
from setrograde.robot.knowledge import Knowledge
from setrograde.robot.values import DoubleDummy, Hands

__all__ = ["chances_to_err"]

Floats = NDArray[np.float64]

_TAU = 0.7
"""Tricks of cost that make an opponent's card e times less likely."""


def chances_to_err(
    known: Knowledge,
    cards: Sequence[Card],
    worlds: Sequence[Hands],
    weights: Floats,
    ask: DoubleDummy,
    worth: Floats,
) -> Floats | None:
    """What each card is worth if the next player, an opponent, may err; else double dummy.

    `worlds` are the cards still held; `worth` is by tricks of the player's side in the whole deal.
    `None` if the card ends the trick, since nobody answers it then.
    """
    if len(known.trick) == 3:
        return None
    side = known.seat.side
    won = known.tricks_won(known.declarer.side)
    total = known.total_tricks
    trick = [16 * card.suit + card.rank for card in known.trick]
    values = np.zeros(len(cards))
    for column, card in enumerate(cards):
        place = 16 * card.suit + card.rank
        for hands, weight in zip(worlds, weights.tolist(), strict=True):
            left = list(hands)
            left[known.turn] &= ~card.bit
            n, e, s, w = left
            found = ask.cards((n, e, s, w), known.leader, [*trick, place])
            own = [
                won + tricks if side is ask.side else total - won - tricks
                for tricks in found.values()
            ]
            best = min(own)  # the opponent's best card leaves us fewest
            chances = [math.exp((best - tricks) / _TAU) for tricks in own]
            mean = sum([p * float(worth[t]) for p, t in zip(chances, own, strict=True)])
            values[column] += weight * mean / sum(chances)
    return values / float(weights.sum())
