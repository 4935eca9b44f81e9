"""Double dummy by definition: every legal card tried, to the end. For endings of a few tricks."""

from __future__ import annotations

from functools import cache

from oracle.play import winner
from setrograde.bridge import Card, Play, Seat, Side

Hands = tuple[frozenset[Card], frozenset[Card], frozenset[Card], frozenset[Card]]


def tricks_ns(play: Play) -> int:
    """What North-South take from here on, the trick in progress included."""

    @cache
    def value(hands: Hands, leader: Seat, trick: tuple[Card, ...]) -> int:
        if len(trick) == 4:
            won_by = winner(trick, leader, play.strain)
            return (won_by.side is Side.NS) + value(hands, won_by, ())
        turn = leader.next_by(len(trick))
        hand = hands[turn]
        if not hand:
            return 0
        following = {card for card in hand if trick and card.suit == trick[0].suit}
        values = []
        for card in following or hand:
            left = list(hands)
            left[turn] = hand - {card}
            n, e, s, w = left
            values.append(value((n, e, s, w), leader, (*trick, card)))
        return max(values) if turn.side is Side.NS else min(values)

    trick = play.current_trick
    n, e, s, w = (frozenset(hand) for hand in play.remaining.hands)
    return value((n, e, s, w), trick.leader, trick.cards)


def card_values(play: Play) -> dict[Card, int]:
    """What the side on turn takes from here on, for every card that may be played now."""
    side = play.turn.side
    tricks_left = max(len(hand) for hand in play.remaining.hands)
    values = {}
    for card in play.legal_cards():
        after = play.with_card(card)
        ns = after.tricks_won(Side.NS) - play.tricks_won(Side.NS) + tricks_ns(after)
        values[card] = ns if side is Side.NS else tricks_left - ns
    return values
