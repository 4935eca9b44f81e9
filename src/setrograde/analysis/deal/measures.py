"""Measures and conditions: what can be asked of a hand so that deals can be counted.

A measure gives every holding of every suit a whole number, and a hand is worth the sum over its
suits. Points, controls, losers and the number of certain cards are all measures. A condition bounds
measures, names the shapes allowed, and may have lists of alternatives. Every `HandConstraint` can
be written as a condition; conditions say more, and can also be asked of two hands together.

>>> condition = as_condition("hcp 15-17, balanced or spades 6+")
>>> condition.allows(Hand("AQ2.KJ4.AT98.J32")), condition.allows(Hand("AQ2.KJ4.AT9832.J"))
(True, False)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Card, Hand, HandConstraint, InvalidConstraint, Range, Rank, Suit
from setrograde.bridge.patterns import Lengths

__all__ = ["CONTROLS", "HCP", "HandCondition", "Measure", "MeasureBound", "as_condition"]

Worth = NDArray[np.int16]

_HOLDINGS = 1 << 13
_BITS = (np.arange(_HOLDINGS)[:, None] >> np.arange(13)[None, :] & 1).astype(np.int16)
_MOST = 1 << 12


class Measure:
    """A number for each holding of each suit; a hand is worth their sum.

    >>> tens = Measure.from_cards("tens", Hand.from_cards("ST HT DT CT"))
    >>> tens.of(Hand("AKT.T9..")), str(tens)
    (2, 'tens')
    """

    def __init__(self, name: str, worth: Worth) -> None:
        if worth.shape != (4, _HOLDINGS):
            raise InvalidConstraint(
                f"not a measure: {name!r} with numbers of shape {worth.shape} (expected (4, 8192))"
            )
        if np.abs(worth.astype(np.int64)).max() >= _MOST:
            raise InvalidConstraint(f"too much for one suit in {name!r} (expected below {_MOST})")
        self.name = name
        """What the measure is called."""

        self.worth: Worth = np.ascontiguousarray(worth, dtype=np.int16)
        """Numbers by suit, clubs first, and by holding, bit 0 for the two."""

        self.worth.setflags(write=False)

    @classmethod
    def from_ranks(
        cls, name: str, points: Mapping[Rank, int], suits: tuple[Suit, ...] = tuple(Suit)
    ) -> Measure:
        """Points for each card of a rank, in some suits only if these are named.

        >>> Measure.from_ranks("four aces", {Rank.ACE: 4}).of(Hand("A.A.."))
        8
        """
        return cls.from_points(
            name, {Card(suit, rank): worth for suit in suits for rank, worth in points.items()}
        )

    @classmethod
    def from_cards(cls, name: str, cards: Hand) -> Measure:
        """The number of certain cards."""
        return cls.from_points(name, dict.fromkeys(cards, 1))

    @classmethod
    def from_points(cls, name: str, points: Mapping[Card, int]) -> Measure:
        """Points for each card.

        >>> Measure.from_points("trump honours", {Card("S", "A"): 2, Card("S", "K"): 1}).of("AK...")
        3
        """
        table = np.zeros((4, 13), dtype=np.int16)
        for card, worth in points.items():
            if not -_MOST < worth < _MOST:
                raise InvalidConstraint(f"too many points: {worth} for '{card}' in {name!r}")
            table[card.suit, card.rank] = worth
        return cls(name, table @ _BITS.T)

    @classmethod
    def from_holdings(cls, name: str, worth: Callable[[Suit, str], int]) -> Measure:
        """The sum over suits of a function of the suit and its ranks, high to low.

        >>> Measure.from_holdings("voids", lambda suit, ranks: not ranks).of(Hand("AK.Q.."))
        2
        """
        texts = [Hand(bits << 48).spades for bits in range(_HOLDINGS)]
        return cls(name, np.array([[int(worth(suit, text)) for text in texts] for suit in Suit]))

    def of(self, hand: Hand | str) -> int:
        """What a hand is worth."""
        bits = (hand if isinstance(hand, Hand) else Hand(hand)).bits
        return sum(int(self.worth[suit, bits >> 16 * suit & 0x1FFF]) for suit in Suit)

    @cached_property
    def _content(self) -> bytes:
        return self.worth.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Measure {self.name!r}>"


HCP = Measure.from_ranks("hcp", {rank: rank.hcp for rank in Rank})
"""High card points, 4-3-2-1."""

CONTROLS = Measure.from_ranks("controls", {Rank.ACE: 2, Rank.KING: 1})
"""Controls: two for each ace and one for each king."""


@lru_cache(maxsize=256)
def _number_of(cards: Hand) -> Measure:
    return Measure.from_cards(" ".join(map(str, cards)), cards)


_LENGTHS = tuple(_number_of(Hand(0x1FFF << 16 * suit)) for suit in Suit)
_ALL_SHAPES: tuple[Lengths, ...] = HandConstraint().possible_lengths()


@dataclass(frozen=True, slots=True)
class MeasureBound:
    """Hands worth from `low` to `high`, both included.

    >>> MeasureBound(HCP, 15, 17).allows(Hand("AQ2.KJ4.AT98.J32"))
    True
    """

    measure: Measure
    """What is counted."""

    low: int
    """The least number allowed."""

    high: int
    """The greatest number allowed."""

    def allows(self, hand: Hand) -> bool:
        """True if `hand` is worth as much."""
        return self.low <= self.measure.of(hand) <= self.high

    def __str__(self) -> str:
        return f"{self.measure} {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class HandCondition:
    """Conditions on the cards of a hand, all of which must hold.

    >>> losers = Measure.from_holdings("short", lambda suit, ranks: len(ranks) < 2)
    >>> condition = HandCondition((MeasureBound(losers, 0, 0),), shapes=frozenset({(3, 3, 3, 4)}))
    >>> condition.allows(Hand("AQ32.KJ4.AT9.J32"))
    True
    """

    bounds: tuple[MeasureBound, ...] = ()
    """Bounds of measures."""

    shapes: frozenset[Lengths] | None = None
    """Lengths allowed, clubs first; `None` for any."""

    clauses: tuple[tuple[HandCondition, ...], ...] = ()
    """Lists of alternatives; of each list, at least one must hold."""

    def allows(self, hand: Hand) -> bool:
        """True if `hand` meets every condition."""
        return (
            (self.shapes is None or hand.lengths in self.shapes)
            and all(bound.allows(hand) for bound in self.bounds)
            and all(any(part.allows(hand) for part in clause) for clause in self.clauses)
        )

    def __and__(self, other: HandCondition) -> HandCondition:
        shapes = self.shapes
        if other.shapes is not None:
            shapes = other.shapes if shapes is None else shapes & other.shapes
        return HandCondition(self.bounds + other.bounds, shapes, self.clauses + other.clauses)

    def __or__(self, other: HandCondition) -> HandCondition:
        return HandCondition(clauses=((self, other),))

    def __str__(self) -> str:
        terms = [str(bound) for bound in self.bounds]
        if self.shapes is not None:
            terms.append(f"{len(self.shapes)} shapes")
        terms += [" or ".join([f"({part})" for part in clause]) for clause in self.clauses]
        return ", ".join(terms) or "any"


def as_condition(
    constraint: HandConstraint | HandCondition | str, *, hands: int = 1
) -> HandCondition:
    """The condition that says the same as a constraint, on one hand or on several together.

    >>> as_condition("hcp 25+", hands=2).bounds[0].low
    25

    Conditions on several hands know lengths, but no shapes.
    """
    if isinstance(constraint, HandCondition):
        if hands > 1 and _has_shapes(constraint):
            raise InvalidConstraint("a shape is asked of several hands together (expected lengths)")
        return constraint
    if isinstance(constraint, str):
        constraint = HandConstraint.from_text(constraint)
    return _of_constraint(constraint, hands)


def _has_shapes(condition: HandCondition) -> bool:
    return condition.shapes is not None or any(
        _has_shapes(part) for clause in condition.clauses for part in clause
    )


def _of_constraint(box: HandConstraint, hands: int) -> HandCondition:
    bounds = [
        _bound(measure, limit)
        for measure, limit in ((HCP, box.hcp), (CONTROLS, box.controls))
        if not limit.is_any
    ]
    bounds += [_bound(_number_of(count.cards), count.count) for count in box.counts]
    if box.held.bits:
        bounds.append(_bound(_number_of(box.held), Range(len(box.held))))
    if box.denied.bits:
        bounds.append(_bound(_number_of(box.denied), Range(0, 0)))
    shapes: frozenset[Lengths] | None = None
    if hands > 1:
        if box.shapes:
            raise InvalidConstraint(
                f"'{box}' asks a shape of several hands together (expected lengths)"
            )
        bounds += [
            _bound(_LENGTHS[suit], box.lengths[suit])
            for suit in Suit
            if not box.lengths[suit].is_any
        ]
    elif box.shapes or any(not limit.is_any for limit in box.lengths):
        shapes = frozenset(
            lengths
            for lengths in _ALL_SHAPES
            if all(map(Range.__contains__, box.lengths, lengths))
            and all(lengths in shape.lengths for shape in box.shapes)
        )
    clauses = tuple(
        [tuple([_of_constraint(part, hands) for part in clause]) for clause in box.clauses]
    )
    return HandCondition(tuple(bounds), shapes, clauses)


def _bound(measure: Measure, limit: Range) -> MeasureBound:
    high = _MOST * 4 if limit.high is None else limit.high
    return MeasureBound(measure, limit.low, high)
