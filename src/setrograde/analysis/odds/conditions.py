"""Conditions that a player would name: who holds an honour, how a suit splits, who has length.

Each condition speaks of one suit. It is kept as the parts of the suit's unseen cards that the first
hidden hand may hold, so that settled sets can be counted under it (`settled_sets`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Card, Rank, Seat, Suit

from .layouts import Layouts, SuitParts

__all__ = ["Condition", "natural_conditions"]

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """A condition that a layout meets or does not meet.

    >>> from setrograde.bridge import Hand
    >>> layouts = Layouts(Hand.from_text("K2..."), 1)
    >>> print(next(natural_conditions(layouts, (Seat.EAST, Seat.WEST))))
    ♠K with East
    """

    suit: Suit
    """The suit of which it speaks."""

    allowed: Flags
    """For each part of `Layouts.suit_parts`, whether it makes the condition true."""

    text: str
    """The condition in words."""

    otherwise: str
    """The opposite in words."""

    @property
    def opposite(self) -> Condition:
        """The condition that is true where this one is false."""
        return Condition(self.suit, ~self.allowed, self.otherwise, self.text)

    def __str__(self) -> str:
        return self.text


def natural_conditions(layouts: Layouts, seats: tuple[Seat, Seat]) -> Iterator[Condition]:
    """All conditions that some layouts may meet and others not.

    >>> from setrograde.bridge import Hand
    >>> layouts = Layouts(Hand.from_text("Q432..."), 2)
    >>> for condition in natural_conditions(layouts, (Seat.EAST, Seat.WEST)):
    ...     print(condition, "|", condition.opposite)
    ♠Q with East | ♠Q with West
    ♠ 2-2 | ♠ 3-1 or worse
    ♠ 2-2 or 3-1 | ♠ 4-0
    East has 1+ ♠ | East has no ♠
    East has 2+ ♠ | East has at most 1 ♠
    East has 3+ ♠ | East has at most 2 ♠
    East has 4 ♠ | East has at most 3 ♠
    ♠Q singleton | ♠Q second or longer
    ♠Q at most second | ♠Q third or longer
    ♠Q at most third | ♠Q fourth or longer
    """
    for suit in reversed(Suit):
        parts = layouts.suit_parts(suit)
        for condition in _of_suit(layouts, suit, parts, seats):
            if condition.allowed.any() and not condition.allowed.all():
                yield condition


def _of_suit(
    layouts: Layouts, suit: Suit, parts: SuitParts, seats: tuple[Seat, Seat]
) -> Iterator[Condition]:
    unseen = [card for card in layouts.cards if card.suit is suit]
    honours = [card for place, card in enumerate(unseen) if card.rank >= Rank.TEN or not place]
    for card in honours:
        yield _holder(card, parts, seats)
    yield from _splits(suit, parts)
    yield from _lengths(suit, parts, seats[0])
    for card in honours:
        if Rank.JACK <= card.rank <= Rank.KING:
            yield from _drops(card, parts)


def _holds(card: Card, parts: SuitParts) -> Flags:
    return (parts.bits >> int(card.rank) & 1).astype(np.bool_)


def _name(seat: Seat) -> str:
    return seat.name.title()


def _holder(card: Card, parts: SuitParts, seats: tuple[Seat, Seat]) -> Condition:
    first, second = (f"{card.pretty} with {_name(seat)}" for seat in seats)
    return Condition(card.suit, _holds(card, parts), first, second)


def _splits(suit: Suit, parts: SuitParts) -> Iterator[Condition]:
    """How evenly the suit splits: the shorter hand has at least a given number of cards."""
    shorter = np.minimum(parts.lengths, parts.size - parts.lengths)
    for least in range(parts.size // 2, 0, -1):
        better = [f"{parts.size - n}-{n}" for n in range(parts.size // 2, least - 1, -1)]
        even = " or ".join([better[0], better[-1]] if len(better) == 2 else better[-1:])
        even = f"{even} or better" if len(better) > 2 else even
        worse = f"{parts.size - least + 1}-{least - 1}"
        worse = f"{worse} or worse" if least > 1 else worse
        flags = shorter >= least
        yield Condition(suit, flags, f"{suit.symbol} {even}", f"{suit.symbol} {worse}")


def _lengths(suit: Suit, parts: SuitParts, seat: Seat) -> Iterator[Condition]:
    who, symbol = _name(seat), suit.symbol
    for least in range(1, parts.size + 1):
        many = f"{least}" if least == parts.size else f"{least}+"
        few = f"at most {least - 1}" if least > 1 else "no"
        yield Condition(
            suit, parts.lengths >= least, f"{who} has {many} {symbol}", f"{who} has {few} {symbol}"
        )


_COUNTED = ("", "singleton", "second", "third", "fourth")


def _drops(card: Card, parts: SuitParts) -> Iterator[Condition]:
    """The honour falls, because the hand that holds it is short."""
    length = np.where(_holds(card, parts), parts.lengths, parts.size - parts.lengths)
    for most in (1, 2, 3):
        few = _COUNTED[most] if most == 1 else f"at most {_COUNTED[most]}"
        text, otherwise = f"{card.pretty} {few}", f"{card.pretty} {_COUNTED[most + 1]} or longer"
        yield Condition(card.suit, length <= most, text, otherwise)
