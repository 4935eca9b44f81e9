"""Opening leads by the usual agreements: which card a player leads from a hand, and how often.

Suits are chosen by length and strength, cards within a suit by rule: the top of touching honours,
fourth best from length, the top of a doubleton, low from three with an honour. The chances are
rough on purpose. They weigh layouts after a lead (`setrograde.robot.inference`); what to lead
ourselves is decided by simulation.

>>> from setrograde.bridge import Hand, Strain
>>> chances = lead_probabilities(Hand("KQJ52.63.A84.972"), Strain.NOTRUMP)
>>> max(chances, key=chances.get), round(sum(chances.values()), 6)
(Card.from_text('SK'), 1.0)
"""

from __future__ import annotations

from functools import lru_cache

from setrograde.bridge import Card, Hand, Rank, Strain, Suit

__all__ = ["card_of_suit", "lead_probabilities"]

_NOISE = 0.12
"""The share of leads that follow no rule: any card, equally likely."""


@lru_cache(maxsize=4096)
def lead_probabilities(hand: Hand, strain: Strain) -> dict[Card, float]:
    """The chance of each card of a hand as the opening lead."""
    weights = {suit: _suit_weight(hand, suit, strain) for suit in Suit if hand.length(suit)}
    total = sum(weights.values())
    noise = _NOISE / len(hand)
    chances = dict.fromkeys(hand, noise)
    for suit, weight in weights.items():
        for card, share in card_of_suit(hand, suit, strain).items():
            chances[card] += (1 - _NOISE) * weight / total * share
    return chances


def _suit_weight(hand: Hand, suit: Suit, strain: Strain) -> float:
    """How attractive a lead of this suit is, compared with others."""
    length = hand.length(suit)
    ranks = _ranks(hand, suit)
    points = sum(rank.hcp for rank in ranks)
    sequence = len(ranks) > 1 and ranks[0] >= Rank.TEN and ranks[0] - ranks[1] == 1
    if strain is Strain.NOTRUMP:
        weight = 2.0 ** (length - 3) * (1 + 0.1 * points)
        return weight * (2.0 if sequence and length >= 3 else 1.0)
    if int(suit) == int(strain):
        return 0.4
    weight = 1.0
    if sequence:
        weight = 2.0
    if length == 1:
        weight = 2.2 if _ranks(hand, suit)[0] < Rank.KING else 0.8
    elif length == 2 and points <= 1:
        weight = 1.2
    if ranks[0] is Rank.ACE and not (len(ranks) > 1 and ranks[1] is Rank.KING):
        weight *= 0.35  # an ace is seldom led away from, or laid down without the king
    if len(ranks) > 1 and ranks[0] is Rank.ACE and ranks[1] is Rank.KING:
        weight *= 2.0
    return weight


@lru_cache(maxsize=16384)
def _suit_cards(holding: str, notrump: bool) -> tuple[tuple[str, float], ...]:
    """The cards led from a holding, with their shares."""
    size = len(holding)
    order = "AKQJT98765432"
    touching = size > 1 and order.index(holding[1]) - order.index(holding[0]) == 1
    if size == 1:
        return ((holding[0], 1.0),)
    if size == 2:
        return ((holding[0], 0.9), (holding[1], 0.1))
    if holding.startswith("AK"):
        return ((holding[0], 0.6), (holding[1], 0.3), (holding[-1], 0.1))
    if touching and holding[0] in "KQJT":
        low = holding[3] if size > 3 else holding[2]
        if notrump and size > 3 and order.index(holding[2]) - order.index(holding[1]) > 2:
            return ((low, 0.7), (holding[0], 0.3))
        return ((holding[0], 0.85), (low, 0.15))
    if size >= 3 and order.index(holding[2]) - order.index(holding[1]) == 1 and holding[1] in "JT":
        inner = holding[1]
        low = holding[3] if size > 3 else holding[2]
        return ((inner, 0.6), (low, 0.4))
    if not notrump and holding[0] == "A":
        return ((holding[0], 0.8), (holding[-1], 0.2))
    if holding[0] in "AKQJ":
        low = holding[3] if size > 3 else holding[2]
        return ((low, 0.9), (holding[0], 0.1))
    if size == 3:
        return ((holding[0], 0.5), (holding[1], 0.2), (holding[2], 0.3))
    return ((holding[1], 0.4), (holding[3], 0.4), (holding[0], 0.2))


def card_of_suit(hand: Hand, suit: Suit, strain: Strain) -> dict[Card, float]:
    """The share of each card of a suit, once this suit is led.

    >>> from setrograde.bridge import Hand, Strain, Suit
    >>> card_of_suit(Hand("K9742..."), Suit.SPADES, Strain.NOTRUMP)
    {Card.from_text('S4'): 0.9, Card.from_text('SK'): 0.1}
    """
    found = _suit_cards(hand.holding(suit), strain is Strain.NOTRUMP)
    return {Card(suit, Rank.from_text(letter)): share for letter, share in found}


def _ranks(hand: Hand, suit: Suit) -> list[Rank]:
    return [Rank.from_text(letter) for letter in hand.holding(suit)]
