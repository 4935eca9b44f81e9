"""The laws of play, by definition."""

from __future__ import annotations

from collections.abc import Sequence

from setrograde.bridge import Card, Deal, Seat, Strain


def winner(cards: Sequence[Card], leader: Seat, strain: Strain) -> Seat:
    """The highest trump, or else the highest card of the suit led."""
    trumps = [card for card in cards if card.suit.name == strain.name]
    in_suit = [card for card in cards if card.suit == cards[0].suit]
    best = max(trumps or in_suit, key=lambda card: card.rank)
    return Seat((leader + list(cards).index(best)) % 4)


def replay(
    deal: Deal, strain: Strain, leader: Seat, cards: Sequence[Card]
) -> tuple[Seat, list[Card], list[Seat]]:
    """Who plays next, which cards he may play, and the winners of the tricks so far."""
    held = {seat: set(deal[seat]) for seat in Seat}
    turn, trick, winners = leader, list[Card](), list[Seat]()
    for card in cards:
        held[turn].remove(card)
        trick.append(card)
        if len(trick) == 4:
            turn = winner(trick, Seat((turn + 1) % 4), strain)
            winners.append(turn)
            trick = []
        else:
            turn = Seat((turn + 1) % 4)
    following = [card for card in held[turn] if trick and card.suit == trick[0].suit]
    return turn, following or list(held[turn]), winners
