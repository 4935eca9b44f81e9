"""Freak deals, which take solvers far longer than random ones.

A search is slow where cards must be played out to see who wins: hands of extreme shape, so that
ruffs and entries decide, and suits in which nobody holds touching cards, so that no two moves are
alike and no trick is sure. Each deal is a function of the seed and its number alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from setrograde.bridge import Card, Deal, Hand, Rank, Seat, Suit

__all__ = ["HARDEST", "hard_deal", "hard_deals", "hardest_deals", "read_deals", "write_deals"]

HARDEST = Path(__file__).with_name("hard21.txt")
"""The 21 hardest of the first 2,000, one PBN deal a line; `python -m bench.hard_deals --find`."""

Lengths = list[list[int]]
"""Cards of each suit by seat; rows and columns add up to 13."""


def hard_deals(count: int, *, seed: int = 1) -> Iterator[Deal]:
    """The first `count` freak deals of a seed, all families in turn."""
    for index in range(count):
        yield hard_deal(index, seed=seed)


def hard_deal(index: int, *, seed: int = 1) -> Deal:
    """Freak deal number `index`."""
    rng = random.Random(f"{seed}/hard/{index}")
    lengths = _turned(rng, _FAMILIES[index % len(_FAMILIES)](rng))
    # None, one, two or three exchanges a suit, then ranks as they fall: some touching cards too.
    disorder = index // len(_FAMILIES) % 5
    cards: list[list[Card]] = [[] for _ in Seat]
    for suit in Suit:
        owners = _suit_owners(rng, [lengths[seat][suit] for seat in Seat], disorder)
        for rank, owner in zip(Rank, owners, strict=True):
            cards[owner].append(Card(suit, rank))
    n, e, s, w = (Hand.from_cards(hand) for hand in cards)
    return Deal((n, e, s, w))


def hardest_deals() -> tuple[Deal, ...]:
    """The deals of `HARDEST`."""
    return read_deals(HARDEST)


def read_deals(path: Path) -> tuple[Deal, ...]:
    """PBN deals, one a line; lines with `#` are remarks."""
    lines = path.read_text("utf-8").splitlines()
    return tuple(Deal.from_pbn(line) for line in lines if line and not line.startswith("#"))


def write_deals(path: Path, deals: Sequence[Deal], *, remark: str) -> None:
    """The file `read_deals` reads."""
    lines = [f"# {remark}", *(deal.to_pbn() for deal in deals)]
    path.write_text("\n".join(lines) + "\n", "utf-8")


# --- who has how many cards of each suit ---


def _cyclic(*shape: int) -> Callable[[random.Random], Lengths]:
    """Every hand has `shape`, every suit is divided so, and each hand's long suit is another."""

    def lengths(rng: random.Random) -> Lengths:
        return [[shape[(suit - seat) % 4] for suit in Suit] for seat in Seat]

    return lengths


def _opposite_two_suiters(rng: random.Random) -> Lengths:
    """Two hands 7-6 in the same suits, the other two 6-7 in the rest; seats fall as they may."""
    return [[7, 6, 0, 0], [6, 7, 0, 0], [0, 0, 7, 6], [0, 0, 6, 7]]


def _voids(rng: random.Random) -> Lengths:
    """A void in every hand and every suit, the other lengths at random."""
    lengths = _cyclic(5, 4, 4, 0)(rng)
    return _shaken(rng, lengths, 12, keeps=lambda length: length == 0)


def _extreme(rng: random.Random) -> Lengths:
    """From two-suiters to anything near them."""
    return _shaken(rng, _cyclic(7, 6, 0, 0)(rng), 4 + _below(rng, 12), keeps=lambda length: False)


def _shaken(
    rng: random.Random, lengths: Lengths, times: int, *, keeps: Callable[[int], bool]
) -> Lengths:
    """Move cards around rectangles of two hands and two suits, which keeps all sums."""
    for _ in range(times):
        a, b = _two(rng)
        x, y = _two(rng)
        corners = (lengths[a][x], lengths[a][y], lengths[b][x], lengths[b][y])
        # A length of 1 that would fall to 0 is a new void: welcome, except where voids are fixed.
        is_fixed = any(keeps(length) for length in (*corners, corners[0] - 1, corners[3] - 1))
        if is_fixed or not (lengths[a][x] and lengths[b][y]):
            continue
        lengths[a][x] -= 1
        lengths[b][y] -= 1
        lengths[a][y] += 1
        lengths[b][x] += 1
    return lengths


_FAMILIES: tuple[Callable[[random.Random], Lengths], ...] = (
    _cyclic(5, 4, 4, 0),
    _cyclic(4, 4, 4, 1),
    _cyclic(6, 5, 2, 0),
    _cyclic(7, 6, 0, 0),
    _cyclic(5, 5, 3, 0),
    _cyclic(6, 4, 3, 0),
    _opposite_two_suiters,
    _voids,
    _extreme,
    _cyclic(6, 3, 3, 1),
)


def _turned(rng: random.Random, lengths: Lengths) -> Lengths:
    """The same with seats and suits changed about."""
    seats, suits = _order(rng), _order(rng)
    return [[lengths[seat][suit] for suit in suits] for seat in seats]


# --- who has which ranks of a suit ---


def _suit_owners(rng: random.Random, lengths: Sequence[int], disorder: int) -> list[int]:
    """Owners of a suit's 13 cards, two to ace."""
    if disorder == 4:
        return _random_suit(rng, lengths)
    owners = _interleaved_suit(rng, lengths)
    for _ in range(disorder):
        a, b = _below(rng, 13), _below(rng, 13)
        owners[a], owners[b] = owners[b], owners[a]
    return owners


def _random_suit(rng: random.Random, lengths: Sequence[int]) -> list[int]:
    """Owners of a suit's 13 cards, any way."""
    owners = [seat for seat in Seat for _ in range(lengths[seat])]
    return sorted(owners, key=lambda _: rng.random())


def _interleaved_suit(rng: random.Random, lengths: Sequence[int]) -> list[int]:
    """Owners of a suit's 13 cards, nobody with touching ones if that can be."""
    left = list(lengths)
    owners: list[int] = []
    before = -1
    for place in range(13, 0, -1):
        others = [seat for seat in range(4) if left[seat] and seat != before]
        # Who holds every second card of those to come must have the next one.
        pressed = [seat for seat in others if 2 * left[seat] > place]
        choice = pressed or others or [before]
        before = choice[_below(rng, len(choice))]
        left[before] -= 1
        owners.append(before)
    return owners


# --- random choices, by `random` alone (see random_deals) ---


def _below(rng: random.Random, limit: int) -> int:
    return int(rng.random() * limit)


def _order(rng: random.Random) -> list[int]:
    return sorted(range(4), key=lambda _: rng.random())


def _two(rng: random.Random) -> tuple[int, int]:
    a, b, *_ = _order(rng)
    return a, b
