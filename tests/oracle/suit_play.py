"""One suit by exhaustive search over strategies, on the plain rules: every card is itself.

A layout is the set of West's cards. A strategy's value in a layout is what it wins when the
defenders, who see everything, answer it as well as they can. `outcomes` returns the vectors of all
strategies less those that another matches in every layout; `every_outcome` those of each and every
strategy, for the tiniest suits. Cards are never merged, except that `top_of_touching` spares time
in long suits: of cards of one hand that follow each other in the pack declarer plays the highest.
`replay` plays a line shown to the user against one layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

Cards = frozenset[int]
Vector = tuple[int, ...]
Thin = Callable[[set[Vector]], set[Vector]]


def layouts(outstanding: Cards) -> tuple[Cards, ...]:
    """West's cards in every layout."""
    cards = sorted(outstanding)
    return tuple(frozenset(w) for n in range(len(cards) + 1) for w in combinations(cards, n))


def undominated(vectors: set[Vector]) -> set[Vector]:
    """Those that no other matches in every place."""
    kept: list[Vector] = []
    for vector in sorted(vectors, key=sum, reverse=True):
        if not any(all(a >= b for a, b in zip(other, vector, strict=True)) for other in kept):
            kept.append(vector)
    return set(kept)


def outcomes(
    north: Cards, south: Cards, outstanding: Cards, *, top_of_touching: bool = False
) -> set[Vector]:
    """Undominated vectors: tricks in each of `layouts`."""
    return _Search(outstanding, undominated, top_of_touching).run(north, south)


def every_outcome(north: Cards, south: Cards, outstanding: Cards) -> set[Vector]:
    """The vectors of all strategies."""
    return _Search(outstanding, lambda vectors: vectors).run(north, south)


class _Search:
    def __init__(self, outstanding: Cards, thin: Thin, top_of_touching: bool = False) -> None:
        west = layouts(outstanding)
        self.held = (west, tuple(outstanding - cards for cards in west))  # West, East
        self.thin = thin
        self.top_of_touching = top_of_touching
        self.known: dict[object, set[Vector]] = {}

    def run(self, north: Cards, south: Cards) -> set[Vector]:
        return self.between((north, south), frozenset(), frozenset(range(len(self.held[0]))))

    def between(self, own: tuple[Cards, Cards], gone: Cards, fits: frozenset[int]) -> set[Vector]:
        """Declarer leads, from either hand; `fits` are the layouts he still thinks possible."""
        place = (own, gone, fits)
        if place not in self.known:
            found = set[Vector]()
            for leader in (0, 1):
                for led in self.choices(own[leader]):
                    found |= self.second(own, gone, fits, leader, led)
            self.known[place] = self.thin(found) or {(0,) * len(self.held[0])}
        return self.known[place]

    def second(
        self, own: tuple[Cards, Cards], gone: Cards, fits: frozenset[int], leader: int, led: int
    ) -> set[Vector]:
        """East plays after North, West after South; then declarer from the other hand."""
        options = []
        for card, allowed in self.cards(1 - leader, gone, fits):
            found = set[Vector]()
            for follow in self.choices(own[1 - leader]) or [-1]:
                found |= self.last(own, gone | {card}, allowed, leader, (led, follow, card))
            options.append((allowed, self.thin(found)))
        return self.worst(options, fits)

    def last(
        self,
        own: tuple[Cards, Cards],
        gone: Cards,
        fits: frozenset[int],
        leader: int,
        trick: tuple[int, int, int],
    ) -> set[Vector]:
        led, follow, first = trick
        left = (own[0] - {led, follow}, own[1] - {led, follow})
        options = []
        for card, allowed in self.cards(leader, gone, fits):
            won = max(led, follow) > max(first, card)
            later = self.between(left, gone | {card}, allowed)
            options.append((allowed, {tuple(n + won for n in vector) for vector in later}))
        return self.worst(options, fits)

    def choices(self, hand: Cards) -> list[int]:
        return [card for card in hand if not (self.top_of_touching and card + 1 in hand)]

    def cards(
        self, defender: int, gone: Cards, fits: frozenset[int]
    ) -> Iterator[tuple[int, frozenset[int]]]:
        """His cards with the layouts that allow each; -1 where he has none."""
        left = {i: self.held[defender][i] - gone for i in fits}
        for card in sorted(frozenset[int]().union(*left.values())):
            yield card, frozenset(i for i in fits if card in left[i])
        void = frozenset(i for i in fits if not left[i])
        if void:
            yield -1, void

    def worst(
        self, options: Sequence[tuple[frozenset[int], set[Vector]]], fits: frozenset[int]
    ) -> set[Vector]:
        """A defender picks the worst card for each layout; declarer has a plan for each card."""
        most = 99
        found = {tuple(most if i in fits else 0 for i in range(len(self.held[0])))}
        for allowed, vectors in options:
            found = self.thin(
                {
                    tuple(
                        min(a, b) if i in allowed else a
                        for i, (a, b) in enumerate(zip(one, two, strict=True))
                    )
                    for one in found
                    for two in vectors
                }
            )
        return found


def replay(line: Any, runs: Sequence[int], west: Cards, east: Cards) -> int:
    """Tricks of a line of `setrograde.analysis.suit.lines` in one layout, against best defence.

    `runs` are the sets of bits by which the line tells defenders' cards apart.
    """
    if line is None:
        return 0
    hands = (west, east)
    first_seat = 1 - line.hand
    results = []
    for first in hands[first_seat] or [-1]:
        follow = line.follow[_run(runs, first)]
        for second in hands[1 - first_seat] or [-1]:
            own = max(line.card, -1 if follow.card is None else follow.card)
            won = own > max(first, second)
            left = (west - {first, second}, east - {first, second})
            results.append(won + replay(follow.then[_run(runs, second)], runs, *left))
    return min(results)


def _run(runs: Sequence[int], card: int) -> int | None:
    return None if card < 0 else next(i for i, run in enumerate(runs) if run >> card & 1)
