"""The chance of a number of tricks in one suit, by exhaustive search on the plain rules.

The same game as in `oracle.suit_play`, asked for one number of tricks, so that an outcome is just
the set of layouts in which the tricks are won. That is far less to carry: long suits, and suits
with eight outstanding cards, come within reach. Nothing is shared with the package.

`is_merged` says how defenders' touching cards are told apart. Without it every card is itself.
With it a layout says only how many cards of each run of touching cards West holds. He is given the
highest and plays them from the top, East the lowest and plays them from the bottom: then the card
itself tells how many of the run he has played, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, prod
from typing import NamedTuple

Cards = frozenset[int]
Hands = tuple[Cards, Cards]
Entries = tuple[int | None, int | None]
NORTH, SOUTH = 0, 1
EITHER, NEITHER = (NORTH, SOUTH), ()


class Place(NamedTuple):
    """Where declarer is between two tricks."""

    own: Hands
    gone: Cards
    """Defenders' cards played."""

    on_lead: tuple[int, ...]
    """Hands that may lead without an entry."""

    entries: Entries
    """In other suits, to North and South; `None` for as many as he likes."""


def chance(
    north: Cards,
    south: Cards,
    outstanding: Cards,
    need: int,
    *,
    is_merged: bool,
    entries: Entries = (None, None),
    on_lead: tuple[int, ...] = EITHER,
) -> Fraction:
    """How likely `need` tricks are with the best line, against defenders who see all cards."""
    search = _Search(north, south, outstanding, is_merged)
    start = Place((north, south), frozenset(), on_lead, entries)
    total = sum(search.weights)
    return max(Fraction(search.weight(won), total) for won in search.best(start, need))


class _Search:
    def __init__(self, north: Cards, south: Cards, outstanding: Cards, is_merged: bool) -> None:
        self.own = (north, south)
        self.outstanding = outstanding
        self.is_merged = is_merged
        self.known: dict[object, tuple[int, ...]] = {}
        self.west = [west for west, _ in self.layouts()]
        self.weights = [
            ways * comb(26 - len(outstanding), 13 - len(west)) for west, ways in self.layouts()
        ]

    @cached_property
    def runs(self) -> list[Cards]:
        """Outstanding cards with none of declarer's between them; single cards if not merged."""
        found: list[list[int]] = []
        previous = -1
        for card in sorted(self.outstanding):
            between = any(previous < c < card for hand in self.own for c in hand)
            if found and self.is_merged and not between:
                found[-1].append(card)
            else:
                found.append([card])
            previous = card
        return [frozenset(run) for run in found]

    def layouts(self) -> Iterator[tuple[Cards, int]]:
        """West's cards, and in how many ways he can hold as many of each run."""
        for counts in product(*[range(len(run) + 1) for run in self.runs]):
            highest = [sorted(r)[len(r) - n :] for r, n in zip(self.runs, counts, strict=True)]
            ways = prod(comb(len(r), n) for r, n in zip(self.runs, counts, strict=True))
            yield frozenset(card for part in highest for card in part), ways

    def weight(self, won: int) -> int:
        return sum(weight for i, weight in enumerate(self.weights) if won >> i & 1)

    def best(self, start: Place, need: int) -> tuple[int, ...]:
        """Sets of layouts in which lines win `need` tricks, less those within another."""
        return self.between(start, (1 << len(self.west)) - 1, need)

    def between(self, place: Place, fits: int, need: int) -> tuple[int, ...]:
        """Declarer leads; `fits` are the layouts that what he saw allows."""
        if need <= 0:
            return (fits,)
        if need > max(len(place.own[0]), len(place.own[1])):
            return (0,)
        if (place, fits, need) not in self.known:
            found = {0}
            for leader in (NORTH, SOUTH):
                reached = _reach(place, leader)
                if reached is None:
                    continue
                for led in self.choices(place.own[leader]):
                    found |= set(self.second(reached, fits, need, leader, led))
            self.known[place, fits, need] = _largest(found)
        return self.known[place, fits, need]

    def second(self, place: Place, fits: int, need: int, leader: int, led: int) -> tuple[int, ...]:
        """East plays after North, West after South; then declarer from the other hand."""
        lines: tuple[int, ...] = (fits,)
        for card, allowed in self.cards(1 - leader, place.gone, fits):
            found = set[int]()
            seen = place._replace(gone=place.gone | {card})
            for follow in self.choices(place.own[1 - leader]) or [-1]:
                found |= set(self.last(seen, allowed, need, leader, (led, follow, card)))
            lines = _both(lines, _largest(found), allowed)
        return lines

    def last(
        self, place: Place, fits: int, need: int, leader: int, trick: tuple[int, int, int]
    ) -> tuple[int, ...]:
        led, follow, first = trick
        left = (place.own[0] - {led, follow}, place.own[1] - {led, follow})
        if_won: tuple[int, ...] = (leader if led > follow else 1 - leader,)
        if_lost: tuple[int, ...] = NEITHER
        if place.entries == (None, None):
            if_won = if_lost = EITHER
        lines: tuple[int, ...] = (fits,)
        for card, allowed in self.cards(leader, place.gone, fits):
            won = max(led, follow) > max(first, card)
            after = Place(left, place.gone | {card}, if_won if won else if_lost, place.entries)
            lines = _both(lines, self.between(after, allowed, need - won), allowed)
        return lines

    @staticmethod
    def choices(hand: Cards) -> list[int]:
        """Of cards of one hand that follow each other in the pack, the highest."""
        return [card for card in sorted(hand) if card + 1 not in hand]

    def cards(self, defender: int, gone: Cards, fits: int) -> Iterator[tuple[int, int]]:
        """What he may play, with the layouts that allow it; -1 for showing out."""
        void = fits
        for run in self.runs:
            left = sorted(run - gone)
            for card in left[-1:] if defender == 0 else left[:1]:
                allowed = fits & self.holders[defender][card]
                void &= ~allowed
                if allowed:
                    yield card, allowed
        if void:
            yield -1, void

    @cached_property
    def holders(self) -> tuple[dict[int, int], dict[int, int]]:
        """By defender and card: the layouts in which he has it."""
        west = {
            card: sum(1 << i for i, held in enumerate(self.west) if card in held)
            for card in self.outstanding
        }
        every = (1 << len(self.west)) - 1
        return west, {card: every & ~layouts for card, layouts in west.items()}


def _reach(place: Place, leader: int) -> Place | None:
    """Declarer in this hand, an entry spent if it took one; `None` if he has none."""
    left = place.entries[leader]
    if leader in place.on_lead or left is None:
        return place
    if left == 0:
        return None
    north, south = place.entries
    spent = (left - 1, south) if leader == NORTH else (north, left - 1)
    return place._replace(entries=spent)


def _both(lines: tuple[int, ...], others: tuple[int, ...], allowed: int) -> tuple[int, ...]:
    """A plan for each card: where a defender can play this one, the tricks must be won by both."""
    return _largest({one & (two | ~allowed) for one in lines for two in others})


def _largest(sets: set[int]) -> tuple[int, ...]:
    """Those that are not within another."""
    kept: list[int] = []
    for each in sorted(sets, key=int.bit_count, reverse=True):
        if all(each & ~other for other in kept):
            kept.append(each)
    return tuple(kept)
