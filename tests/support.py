"""What several tests need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from oracle.play import winner
from setrograde.bridge import Card, Deal, Hand, Play, Seat, Strain, Suit

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared_data(*parts: str) -> Path:
    """A third-party test file beside the project; skips the test where it is not present."""
    path = SHARED_DATA.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"third-party data not present: {'/'.join(parts)}")
    return path


def random_deal(rng: Random, size: int = 13, *, suits: Sequence[Suit] = tuple(Suit)) -> Deal:
    """Four hands of `size` cards, dealt from the cards of `suits`."""
    pack = [card for card in Card.ALL if card.suit in suits]
    dealt = rng.sample(pack, 4 * size)
    n, e, s, w = (Hand.from_cards(dealt[i * size : (i + 1) * size]) for i in range(4))
    return Deal((n, e, s, w))


def random_position(
    rng: Random, tricks: int, *, on_table: int | None = None, strain: Strain | None = None
) -> Play:
    """A position with `tricks` to play, reached by random legal play from a random deal.

    The trick in progress counts as one of them; it has `on_table` cards, or from none to three.
    Deals of few suits come up now and then: they have the voids, ruffs and long suits that
    ordinary endings lack.
    """
    on_table = rng.randrange(4) if on_table is None else on_table
    strain = rng.choice(list(Strain)) if strain is None else strain
    fewest_suits = -(-4 * tricks // 13)
    suits = rng.sample(list(Suit), rng.choice([4, 4, rng.randint(fewest_suits, 4)]))
    size = rng.randint(tricks, 13 * len(suits) // 4)
    deal = random_deal(rng, size, suits=suits)
    leader = rng.choice(list(Seat))
    count = 4 * (size - tricks) + on_table
    return Play(deal, strain, leader, tuple(_random_cards(rng, deal, strain, leader, count)))


def _random_cards(
    rng: Random, deal: Deal, strain: Strain, leader: Seat, count: int
) -> Iterator[Card]:
    held = [list(hand) for hand in deal.hands]
    turn, trick = leader, list[Card]()
    for _ in range(count):
        following = [card for card in held[turn] if trick and card.suit == trick[0].suit]
        card = rng.choice(following or held[turn])
        held[turn].remove(card)
        yield card
        trick.append(card)
        turn = turn.next
        if len(trick) == 4:
            turn, trick = winner(trick, turn, strain), []


def from_this_trick(play: Play) -> Play:
    """The same position with the tricks already over forgotten."""
    trick = play.current_trick
    hands = list(play.remaining.hands)
    for step, card in enumerate(trick.cards):
        hands[trick.leader.next_by(step)] |= Hand.from_cards([card])
    n, e, s, w = hands
    return Play(Deal((n, e, s, w)), play.strain, trick.leader, trick.cards)


def redealt(rng: Random, play: Play, fixed: Hand) -> Play:
    """The position with the cards in hands dealt anew, suit by suit.

    Every hand keeps its length in every suit, the cards of `fixed` and the cards on the table
    keep their places. Some suits are shuffled; in others one hand gets the highest cards that may
    move, the next hand what comes below them, and so on, which a shuffle seldom does.
    """
    trick = play.current_trick
    on_table = Hand.from_cards(trick.cards)
    start = from_this_trick(play).deal
    bits = [hand.bits & (fixed.bits | on_table.bits) for hand in start.hands]
    for suit in Suit:
        loose = [card for card in Hand(start.bits) - on_table - fixed if card.suit == suit]
        if rng.random() < 0.5:
            rng.shuffle(loose)
        for seat in rng.sample(list(Seat), 4):
            count = start[seat].length(suit) - Hand(bits[seat]).length(suit)
            for card in loose[:count]:
                bits[seat] |= card.bit
            del loose[:count]
    n, e, s, w = (Hand(cards) for cards in bits)
    return Play(Deal((n, e, s, w)), play.strain, trick.leader, trick.cards)
