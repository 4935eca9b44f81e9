"""Positions of 3NT as a declarer meets them, and layouts of the cards he does not see.

North-South have 23 to 27 points, no hand is short in a suit, and there is no fit in a major. West
leads. All four play double dummy, with one of the best cards drawn at random, until the wanted
number of tricks is left and declarer or dummy is on turn. Everything is a function of the seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import comb

from bench.corpora.random_deals import random_deal
from setrograde.bridge import Card, Deal, Hand, Play, Seat, Side, Strain, Suit
from setrograde.solve import Solver

__all__ = [
    "draw_layouts",
    "is_for_notrump",
    "layouts_of",
    "notrump_deals",
    "play_on",
    "positions",
]


def is_for_notrump(north: Hand, south: Hand) -> bool:
    """True if the two hands would be in 3NT."""
    if not 23 <= north.hcp + south.hcp <= 27:
        return False
    if min(hand.length(suit) for hand in (north, south) for suit in Suit) < 2:
        return False
    return all(north.length(suit) + south.length(suit) < 8 for suit in (Suit.HEARTS, Suit.SPADES))


def notrump_deals(*, seed: int = 1) -> Iterator[Deal]:
    """Deals for 3NT by South, without end."""
    rng = random.Random(f"3NT/{seed}")
    while True:
        deal = random_deal(rng)
        if is_for_notrump(deal[Seat.NORTH], deal[Seat.SOUTH]):
            yield deal


def positions(count: int, *, tricks: int, seed: int = 1, solver: Solver) -> Iterator[Play]:
    """Positions with `tricks` tricks left and North-South on turn; with 13, after the lead."""
    deals = notrump_deals(seed=seed * 100 + tricks)
    rng = random.Random(f"cards/{seed}/{tricks}")
    for _ in range(count):
        solver.reset()
        play = Play(next(deals), Strain.NOTRUMP, Seat.WEST, ())
        while not play.cards or _tricks_left(play) > tricks or play.turn.side is not Side.NS:
            play = play_on(play, rng, solver)
        yield play


def play_on(play: Play, rng: random.Random, solver: Solver) -> Play:
    """One more card, drawn from those that are best double dummy."""
    legal = play.legal_cards()
    if len(legal) > 1:
        values = solver.cards(play.deal, play.strain, play.leader, played=play.cards)
        legal = tuple(value.card for value in values if value.cost == 0)
    return play.with_card(legal[int(rng.random() * len(legal))])


def draw_layouts(play: Play, count: int, *, seed: int) -> list[int]:
    """East's cards in `count` different layouts that fit the cards played, or in all there are."""
    shown: dict[Seat, set[Suit]] = {Seat.EAST: set(), Seat.WEST: set()}
    for trick in play.tricks():
        for step, card in enumerate(trick.cards):
            seat = trick.leader.next_by(step)
            if seat in shown and card.suit is not trick.cards[0].suit:
                shown[seat].add(trick.cards[0].suit)
    east, west = play.remaining[Seat.EAST], play.remaining[Seat.WEST]
    hidden = list(east | west)
    sure = [card for card in hidden if card.suit in shown[Seat.WEST]]
    free = [card for card in hidden if not {card.suit} & (shown[Seat.WEST] | shown[Seat.EAST])]
    always = Hand.from_cards(sure).bits
    parts = layouts_of(Hand.from_cards(free), count, seed=seed, length=len(east) - len(sure))
    return [always | part for part in parts]


def layouts_of(hidden: Hand, count: int, *, seed: int, length: int = 13) -> list[int]:
    """The first hand, of `length` cards, in different divisions of the hidden cards."""
    rng = random.Random(f"layouts/{seed}")
    cards: list[Card] = list(hidden)
    found: dict[int, None] = {}
    while len(found) < min(count, comb(len(cards), length)):
        chosen = sorted(cards, key=lambda _: rng.random())[:length]
        found[Hand.from_cards(chosen).bits] = None
    return list(found)


def _tricks_left(play: Play) -> int:
    return (sum(len(hand) for hand in play.remaining) + len(play.current_trick.cards)) // 4
