"""Inference: how likely each layout makes the cards that were played, by Bayes.

A player chooses a card with a probability that falls with what the card costs: exp(-cost / tau),
where the cost is counted in double-dummy tricks of his side in that layout. Equal honours share the
probability of one: whoever holds queen and jack plays either half the time (restricted choice).
Equal small cards are alike; which of them is played tells nothing unless signals are agreed.
Opening leads have their own model, the agreements of most players.

Players do not see all cards, and the cards of one deal hang together. The logarithm of each
likelihood is therefore multiplied by `trust`. The numbers were fitted to the play of a World
Championship (`bench/inference.py`): with full trust the true layout gets less weight than a uniform
one, with 0.4 clearly more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Hand
from setrograde.errors import InvalidInput

from .knowledge import Knowledge, Turn
from .leads import lead_probabilities
from .signals import Signals, signal_weight
from .values import CardTricks, DoubleDummy, Hands

__all__ = ["Inference", "equal_classes"]

Floats = NDArray[np.float64]

_HONOUR = 8
"""The rank of the ten, the lowest card whose equals share a probability."""


def equal_classes(cards: int, others: int) -> list[list[int]]:
    """The cards of a hand in groups of equals, high to low; a card is its bit number.

    Two cards are equal if nobody else holds a card between them; cards of earlier tricks do not
    count. `others` are the cards still in play outside this hand, those on the table included.

    >>> from setrograde.bridge import Card, Hand
    >>> hand, others = Hand("KQ95..."), Hand("AJT8...")
    >>> [[str(Card.ALL[13 * (c >> 4) + (c & 15)]) for c in group]
    ...  for group in equal_classes(hand.bits, others.bits)]
    [['SK', 'SQ'], ['S9'], ['S5']]
    """
    groups: list[list[int]] = []
    last = -1
    while cards:
        place = cards.bit_length() - 1
        cards ^= 1 << place
        between = ((1 << max(last, 0)) - 1) >> (place + 1) << (place + 1)
        if last >= 0 and last >> 4 == place >> 4 and not others & between:
            groups[-1].append(place)
        else:
            groups.append([place])
        last = place
    return groups


@dataclass
class Inference:
    """Likelihoods of cards played, for many layouts at once."""

    ask: DoubleDummy
    """Answers what each card costs."""

    tau: float = 0.6
    """How much cost, in tricks, makes a card e times less likely."""

    tau_lead: float = 2.0
    """The same where a defender leads, for which what he cannot see matters most."""

    trust: float = 0.4
    """The share of its logarithm that a likelihood counts with."""

    first_card: int = 8
    """Cards before this one (two tricks) have no cost: to find it takes longer than it tells."""

    signals: Signals = field(default_factory=Signals)
    """What the defenders have agreed to show by their small cards."""

    leads: bool = True
    """True if opening leads follow the usual agreements."""

    def __post_init__(self) -> None:
        for tau in (self.tau, self.tau_lead):
            if tau <= 0:
                raise InvalidInput(f"not a temperature: {tau} (expected more than 0)")

    def log_likelihood(self, known: Knowledge, turn: Turn, layouts: Sequence[Hands]) -> Floats:
        """The logarithm of the chance of one card in each layout.

        `layouts` are whole hands, as they were before the play. Cards of the player himself tell
        nothing. Layouts in which the card cannot be played get minus infinity.
        """
        if turn.seat == known.seat or (known.is_declarer and turn.seat == known.dummy_seat):
            return np.zeros(len(layouts))
        gone = 0
        for card in known.played[: turn.number]:
            gone |= card.bit
        return np.array([self._one(known, turn, layout, gone) for layout in layouts])

    def _one(self, known: Knowledge, turn: Turn, layout: Hands, gone: int) -> float:
        held = layout[turn.seat] & ~gone
        if not held & turn.card.bit:
            return -math.inf
        legal = held
        if turn.table:
            follow = held & (0x1FFF << (16 * turn.table[0].suit))
            if follow:
                legal = follow
                if not follow & turn.card.bit:
                    return -math.inf
        if turn.number == 0:
            if not self.leads:
                return 0.0
            chances = lead_probabilities(Hand(held), known.strain)
            return self.trust * math.log(chances[turn.card])
        on_table = sum([card.bit for card in turn.table])  # a card between two makes them differ
        others = (known.deck.bits & ~gone & ~held) | on_table
        if turn.number < self.first_card or legal & (legal - 1) == 0:
            value = 0.0
        else:
            value = self.trust * self._by_cost(known, turn, layout, gone, legal, others)
        if self.signals.is_on and turn.seat.side != known.declarer.side:
            value += math.log(signal_weight(self.signals, known, turn, held))
        return value

    def _by_cost(
        self, known: Knowledge, turn: Turn, layout: Hands, gone: int, legal: int, others: int
    ) -> float:
        groups = equal_classes(legal, others)
        place = 16 * turn.card.suit + turn.card.rank
        if len(groups) == 1:
            return -math.log(len(groups[0])) if groups[0][0] & 15 >= _HONOUR else 0.0
        n, e, s, w = (hand & ~gone for hand in layout)
        trick = [16 * card.suit + card.rank for card in turn.table]
        found: CardTricks = self.ask.cards((n, e, s, w), turn.leader, trick)
        is_declarer = turn.seat.side == known.declarer.side
        sign = 1 if is_declarer else -1
        tau = self.tau if is_declarer or turn.table else self.tau_lead
        best = max([sign * found[group[0]] for group in groups])
        total, own, cards = 0.0, 0.0, 0
        for group in groups:
            weight = math.exp((sign * found[group[0]] - best) / tau)
            total += weight * len(group)
            cards += len(group)
            if place in group:
                own = weight
                if group[0] & 15 >= _HONOUR:
                    cards -= len(group) - 1  # equal honours share what one would have
        return math.log(own / total * cards)
