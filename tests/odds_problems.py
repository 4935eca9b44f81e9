"""Random questions about odds, small enough to list all layouts."""

from __future__ import annotations

from random import Random

from setrograde.analysis.odds.question import OddsQuestion
from setrograde.bridge import (
    Card,
    CardCount,
    Hand,
    HandConstraint,
    Play,
    Range,
    Side,
)
from support import random_position

__all__ = ["random_constraint", "random_question"]


def random_question(rng: Random, tricks: int, *, with_constraints: bool) -> OddsQuestion:
    """A question after some random play, with `tricks` to come: about twice as many cards unseen.

    Constraints are true of the deal it was made from, so that at least one layout is left.
    """
    play = random_position(rng, tricks, on_table=rng.choice([0, 0, rng.randrange(4)]))
    if rng.random() < 0.5:
        play = _forgetting(play)
    side = rng.choice([Side.NS, Side.NS, Side.EW])
    hands = {seat: play.deal[seat] for seat in side.seats}
    first, second = side.opponents.seats
    about = {}
    if with_constraints:
        for seat in (first, second):
            if rng.random() < 0.7:
                about[seat] = random_constraint(rng, play.deal[seat])
    return OddsQuestion.of_seats(
        hands,
        play.strain,
        play.leader.next_by(3),
        about=about,
        hidden=play.deal[first] | play.deal[second],
        played=play.cards,
    )


def _forgetting(play: Play) -> Play:
    """The same cards in hands, as if nothing had been played; only between tricks."""
    if play.current_trick.cards:
        return play
    return Play(play.remaining, play.strain, play.current_trick.leader)


def random_constraint(rng: Random, hand: Hand) -> HandConstraint:
    """Something that is true of `hand`, half of the time with alternatives and card counts."""
    found = _plain_constraint(rng, hand)
    if rng.random() < 0.5:
        return found
    for _ in range(rng.choice([1, 1, 2])):
        other = Hand.from_cards(rng.sample(Card.ALL, len(hand)))
        parts = [_plain_constraint(rng, each) for each in (hand, other, other)]
        rng.shuffle(parts)
        found &= (
            HandConstraint.any_of(parts[: rng.choice([2, 3])]) if rng.random() < 0.7 else parts[0]
        )
    return found if found.allows(hand) else found | _plain_constraint(rng, hand)


def _plain_constraint(rng: Random, hand: Hand) -> HandConstraint:
    """Something that is true of `hand`, without alternatives."""
    c, d, h, s = (
        _around(rng, length) if rng.random() < 0.4 else Range() for length in hand.lengths
    )
    held = [card for card in hand if rng.random() < 0.15]
    others = [card for card in Card.ALL if card not in hand]
    return HandConstraint(
        hcp=_around(rng, hand.hcp, 4) if rng.random() < 0.4 else Range(),
        lengths=(c, d, h, s),
        held=Hand.from_cards(held),
        denied=Hand.from_cards(rng.sample(others, rng.choice([0, 0, 1, 5]))),
        counts=tuple([_count(rng, hand) for _ in range(rng.choice([0, 0, 0, 1, 2]))]),
        controls=_around(rng, hand.controls, 2) if rng.random() < 0.1 else Range(),
    )


def _count(rng: Random, hand: Hand) -> CardCount:
    cards = Hand.from_cards(rng.sample(Card.ALL, rng.randint(1, 12)))
    held = len(cards & hand)
    return CardCount(cards, rng.choice([Range(held), Range(0, held), Range(held, held)]))


def _around(rng: Random, number: int, spread: int = 1) -> Range:
    low = max(0, number - rng.randint(0, spread))
    high = number + rng.randint(0, spread)
    return Range(low, None if high > 12 else high)
