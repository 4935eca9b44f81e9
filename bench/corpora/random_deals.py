"""Random deals and endings, each a function of the seed and its number alone.

Only `Random.random` is used: Python promises its sequence for a seed, but not what `shuffle` makes
of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from setrograde.bridge import Card, Deal, Hand

__all__ = ["random_deal", "random_deals", "random_endings"]


def random_deals(count: int, *, seed: int = 1) -> Iterator[Deal]:
    """The first `count` full deals of a seed."""
    return random_endings(count, tricks=13, seed=seed)


def random_endings(count: int, *, tricks: int, seed: int = 1) -> Iterator[Deal]:
    """Deals of `tricks` cards a hand, drawn from the whole pack."""
    for index in range(count):
        yield random_deal(random.Random(f"{seed}/{tricks}/{index}"), tricks=tricks)


def random_deal(rng: random.Random, *, tricks: int = 13) -> Deal:
    """One deal."""
    cards = sorted(Card.ALL, key=lambda _: rng.random())
    n, e, s, w = (Hand.from_cards(cards[tricks * seat : tricks * (seat + 1)]) for seat in range(4))
    return Deal((n, e, s, w))
