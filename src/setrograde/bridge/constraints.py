"""Constraints: what is known of a hand, or asked of it, in a small language.

Terms are separated by commas and all must hold; case does not matter.

| term | means |
| --- | --- |
| `hcp 15-17`, `15-17 hcp` | high card points; `15+` or more, `8-` or fewer, `15` exactly |
| `controls 4+` | controls: two for each ace and one for each king |
| `spades 5+`, `5+ spades`, `♠ 5+`, `s 5+` | cards in a suit |
| `shape 5-4-x-x`, `balanced` | every form of `setrograde.bridge.patterns.ShapePattern` |
| `has SA HK` | cards held |
| `not DK` | cards not held |
| `any` | everything is allowed |
| `hcp none` | nothing is allowed: two constraints contradict each other |

For a deal, name the seats and separate hands by semicolons: `N: hcp 15-17, balanced; S: spades 5+`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, or_
from typing import ClassVar

from .cards import Card, Rank, Seat, SeatLike, Suit, as_seat
from .deal import DealLike, as_deal
from .errors import InvalidInput
from .hand import Hand, HandLike, as_hand
from .patterns import Lengths, ShapePattern

__all__ = ["DealConstraint", "HandConstraint", "InvalidConstraint", "Range"]


class InvalidConstraint(InvalidInput):
    """Text that makes no constraint; the message quotes the term.

    >>> HandConstraint.from_text("hcp 15-17, spades many")
    Traceback (most recent call last):
    ...
    setrograde.bridge.constraints.InvalidConstraint: not a range: 'many' in 'spades many' \
(expected like '5', '4-6', '5+' or '3-')
    """


@dataclass(frozen=True, slots=True)
class Range:
    """Whole numbers from `low` to `high`, both included.

    >>> 16 in Range(15, 17), str(Range(5)), str(Range(high=3)), str(Range(4, 4))
    (True, '5+', '3-', '4')
    >>> Range(10, 20) & Range(15) & Range(high=17)
    Range(low=15, high=17)
    """

    low: int = 0
    """The smallest number allowed."""

    high: int | None = None
    """The largest, or `None` if there is no limit."""

    EMPTY: ClassVar[Range]

    def __post_init__(self) -> None:
        empty = (self.low, self.high) == (1, 0)
        if not empty and (self.low < 0 or (self.high is not None and self.high < self.low)):
            raise InvalidConstraint(
                f"not a range: {self.low} to {self.high} (expected low to high, 0 or more)"
            )

    @classmethod
    def from_text(cls, text: str) -> Range:
        """Read `5`, `4-6`, `5+`, `3-`, `any` or `none`.

        >>> Range.from_text("4-6")
        Range(low=4, high=6)
        """
        word = text.strip().lower().replace("–", "-")
        if word in ("any", "none"):
            return cls() if word == "any" else cls.EMPTY
        match = _RANGE.fullmatch(word)
        if match is None:
            raise InvalidConstraint(
                f"not a range: {text!r} (expected like '5', '4-6', '5+' or '3-')"
            )
        low, sign, high = match.groups()
        if high:
            if int(high) < int(low):
                raise InvalidConstraint(
                    f"not a range: {text!r} (expected the lower end first: '{high}-{low}')"
                )
            return cls(int(low), int(high))
        if sign == "+":
            return cls(int(low))
        return cls(0, int(low)) if sign else cls(int(low), int(low))

    @property
    def is_any(self) -> bool:
        """True if every number is allowed."""
        return self.low == 0 and self.high is None

    @property
    def is_empty(self) -> bool:
        """True if no number is allowed."""
        return self.high is not None and self.high < self.low

    def overlaps(self, low: int, high: int) -> bool:
        """True if some number from `low` to `high` is allowed.

        >>> Range(15, 17).overlaps(17, 20), Range(15, 17).overlaps(18, 20)
        (True, False)
        """
        return not self.is_empty and self.low <= high and (self.high is None or self.high >= low)

    def __contains__(self, number: int) -> bool:
        return self.low <= number and (self.high is None or number <= self.high)

    def __and__(self, other: Range) -> Range:
        low = max(self.low, other.low)
        highs = [end for end in (self.high, other.high) if end is not None]
        high = min(highs, default=None)
        return Range.EMPTY if high is not None and high < low else Range(low, high)

    def __str__(self) -> str:
        if self.is_empty:
            return "none"
        if self.high is None:
            return f"{self.low}+" if self.low else "any"
        if self.low == self.high:
            return str(self.low)
        return f"{self.low}-{self.high}" if self.low else f"{self.high}-"


Range.EMPTY = Range(1, 0)
_RANGE = re.compile(r"([0-9]{1,2})\s*(?:(\+|-)\s*([0-9]{1,2})?)?")
_ANY = Range()


@dataclass(frozen=True, slots=True)
class HandConstraint:
    """Conditions on a hand; `&` joins two constraints, and both must hold.

    >>> notrump = HandConstraint.from_text("hcp 15-17, balanced")
    >>> notrump.allows(Hand.from_text("AQ2.KJ4.AT98.J32"))
    True
    >>> both = notrump & HandConstraint.from_text("5+ hearts, has HA, not SK")
    >>> print(both)
    hcp 15-17, hearts 5+, balanced, has HA, not SK
    >>> (notrump & HandConstraint.from_text("spades 6+")).is_impossible
    True
    """

    hcp: Range = _ANY
    """High card points, 4-3-2-1."""

    controls: Range = _ANY
    """Aces count two, kings one."""

    lengths: tuple[Range, Range, Range, Range] = (_ANY, _ANY, _ANY, _ANY)
    """Cards in clubs, diamonds, hearts, spades."""

    shapes: tuple[ShapePattern, ...] = ()
    """The hand must match every one of them."""

    held: Hand = field(default_factory=Hand)
    """Cards the hand has."""

    denied: Hand = field(default_factory=Hand)
    """Cards the hand has not."""

    def __post_init__(self) -> None:
        for name, limit, top in self._limits():
            if max(limit.low, limit.high or 0) > top:
                raise InvalidConstraint(f"out of range: '{name} {limit}' (expected 0 to {top})")

    def _limits(self) -> list[tuple[str, Range, int]]:
        """Each range with its name and the largest number possible, as `str` shows them."""
        limits = [("hcp", self.hcp, 37), ("controls", self.controls, 12)]
        return limits + [(suit.name.lower(), self.lengths[suit], 13) for suit in reversed(Suit)]

    @classmethod
    def from_text(cls, text: str) -> HandConstraint:
        """Read terms separated by commas, as the top of this module lists them."""
        if not text.strip():
            return cls()
        terms = [term.strip() for term in text.split(",")]
        parts = [_read_term(term) for term in terms]
        _check_agreement(terms, parts)
        return _all_of(parts)

    def allows(self, hand: HandLike) -> bool:
        """True if `hand` meets every demand."""
        hand = as_hand(hand)
        return (
            not self.held.bits & ~hand.bits
            and not self.denied.bits & hand.bits
            and (self.hcp.is_any or hand.hcp in self.hcp)
            and all(map(Range.__contains__, self.lengths, hand.lengths))
            and all(shape.matches(hand) for shape in self.shapes)
            and (self.controls.is_any or hand.controls in self.controls)
        )

    def possible_lengths(self) -> tuple[Lengths, ...]:
        """Every shape of 13 cards that lengths, shapes and single cards leave possible.

        >>> HandConstraint.from_text("shape 5-4-4-0, spades 5, has DA HA").possible_lengths()
        ((0, 4, 4, 5),)
        """
        found = _ALL_SHAPES if not self.shapes else self.shapes[0].lengths
        for shape in self.shapes[1:]:
            found &= shape.lengths
        least = self.held.lengths
        most = [13 - length for length in self.denied.lengths]
        limits = [
            limit & Range(low, high) if low <= high else Range.EMPTY
            for limit, low, high in zip(self.lengths, least, most, strict=True)
        ]
        return tuple(sorted(s for s in found if all(map(Range.__contains__, limits, s))))

    @property
    def is_impossible(self) -> bool:
        """True if quick checks show that no hand of 13 cards is allowed.

        False is no promise: points and controls are checked apart from each other, and only
        against the fewest and the most of each shape.
        """
        if self.held.bits & self.denied.bits:
            return True
        hcp = [_extremes(self, suit, _HCP) for suit in Suit]
        controls = [_extremes(self, suit, _CONTROLS) for suit in Suit]
        return not any(
            self.hcp.overlaps(*_total(hcp, lengths))
            and self.controls.overlaps(*_total(controls, lengths))
            for lengths in self.possible_lengths()
        )

    def __and__(self, other: HandConstraint) -> HandConstraint:
        return _all_of([self, other])

    def __str__(self) -> str:
        terms = [f"{name} {limit}" for name, limit, _ in self._limits() if not limit.is_any]
        for shape in self.shapes:
            terms.append(str(shape) if str(shape) in _SHAPE_WORDS else f"shape {shape}")
        for word, cards in (("has", self.held), ("not", self.denied)):
            if cards.bits:
                terms.append(f"{word} {' '.join([str(card) for card in cards])}")
        return ", ".join(terms) or "any"

    def __repr__(self) -> str:
        return f"HandConstraint.from_text({str(self)!r})"


_ALL_SHAPES = ShapePattern.from_text("x-x-x-x").lengths
_SHAPE_WORDS = ("balanced", "semibalanced", "unbalanced")
_HCP = tuple(rank.hcp for rank in Rank)
_CONTROLS = tuple(max(0, rank - Rank.QUEEN) for rank in Rank)
_SUITS = {
    name: suit
    for suit in Suit
    for name in (suit.name.lower(), suit.name.lower()[:-1], suit.letter.lower(), suit.symbol)
}
_LIMITED = {"hcp", "points", "controls", *_SUITS}


def _all_of(parts: Sequence[HandConstraint]) -> HandConstraint:
    """All demands of all parts, in one pass however many there are."""
    c, d, h, s = (reduce(and_, [part.lengths[suit] for part in parts]) for suit in Suit)
    return HandConstraint(
        reduce(and_, [part.hcp for part in parts]),
        reduce(and_, [part.controls for part in parts]),
        (c, d, h, s),
        tuple(dict.fromkeys([shape for part in parts for shape in part.shapes])),
        reduce(or_, [part.held for part in parts]),
        reduce(or_, [part.denied for part in parts]),
    )


def _check_agreement(terms: Sequence[str], parts: Sequence[HandConstraint]) -> None:
    """Name two terms that contradict each other; a term alone may say that nothing is allowed."""
    # The ranges of each kind. If all together leave nothing, then so do two of them.
    for limits in zip(*[[limit for _, limit, _ in part._limits()] for part in parts], strict=True):
        if any(limit.is_empty for limit in limits) or not reduce(and_, limits).is_empty:
            continue
        first, second = next(
            (i, j) for j in range(len(limits)) for i in range(j) if (limits[i] & limits[j]).is_empty
        )
        raise InvalidConstraint(
            f"{terms[first]!r} and {terms[second]!r} contradict each other"
            " (expected terms that one hand can meet)"
        )


def _extremes(
    constraint: HandConstraint, suit: Suit, worth: tuple[int, ...]
) -> list[tuple[int, int]]:
    """The least and the most the suit can be worth, by its length."""
    held = [worth[card.rank] for card in constraint.held if card.suit is suit]
    closed = constraint.held | constraint.denied
    free = sorted(worth[rank] for rank in Rank if Card(suit, rank) not in closed)
    found = []
    for length in range(14):
        extra = max(0, length - len(held))
        least = sum(held) + sum(free[:extra])
        most = sum(held) + sum(free[max(0, len(free) - extra) :])
        found.append((least, most))
    return found


def _total(extremes: list[list[tuple[int, int]]], lengths: Lengths) -> tuple[int, int]:
    chosen = [by_length[length] for by_length, length in zip(extremes, lengths, strict=True)]
    return sum(least for least, _ in chosen), sum(most for _, most in chosen)


def _read_term(term: str) -> HandConstraint:
    words = term.lower().split()
    if words == ["any"]:
        return HandConstraint()
    if len(words) == 1 and words[0] in _SHAPE_WORDS:
        return HandConstraint(shapes=(ShapePattern.from_text(term),))
    if len(words) >= 2:
        first, last = words[0], words[-1]
        if first == "shape":
            return HandConstraint(shapes=(_read_shape(" ".join(words[1:]), term),))
        if first == "has":
            return HandConstraint(held=_read_cards(term))
        if first == "not":
            return HandConstraint(denied=_read_cards(term))
        if first in _LIMITED:
            return _read_limit(first, " ".join(words[1:]), term)
        if last in _LIMITED:
            return _read_limit(last, " ".join(words[:-1]), term)
    raise InvalidConstraint(
        f"not a term: {term!r} (expected like 'hcp 15-17', 'spades 5+', 'shape 5-3-3-2',"
        " 'balanced', 'has SA HK' or 'not DK', with commas between)"
    )


def _read_shape(text: str, term: str) -> ShapePattern:
    try:
        return ShapePattern.from_text(text)
    except InvalidInput as error:
        raise _within(term, error) from None


def _read_cards(term: str) -> Hand:
    try:
        return Hand.from_cards([Card.from_text(word) for word in term.split()[1:]])
    except InvalidInput as error:
        raise _within(term, error) from None


def _within(term: str, error: InvalidInput) -> InvalidConstraint:
    """The same complaint, quoting the whole term before what was expected."""
    found, bracket, expected = str(error).partition(" (expected")
    return InvalidConstraint(f"{found} in {term!r}{bracket}{expected}")


def _read_limit(name: str, text: str, term: str) -> HandConstraint:
    try:
        limit = Range.from_text(text)
    except InvalidConstraint as error:
        raise _within(term, error) from None
    if name in ("hcp", "points"):
        return HandConstraint(hcp=limit)
    if name == "controls":
        return HandConstraint(controls=limit)
    c, d, h, s = (limit if suit is _SUITS[name] else _ANY for suit in Suit)
    return HandConstraint(lengths=(c, d, h, s))


@dataclass(frozen=True, slots=True)
class DealConstraint:
    """One constraint for each hand; `&` joins two constraints, and both must hold.

    >>> constraint = DealConstraint.from_text("N: hcp 15-17, balanced; S: spades 5+")
    >>> constraint["S"]
    HandConstraint.from_text('spades 5+')
    >>> print(constraint)
    N: hcp 15-17, balanced; S: spades 5+
    """

    hands: tuple[HandConstraint, HandConstraint, HandConstraint, HandConstraint] = field(
        default_factory=lambda: (HandConstraint(),) * 4
    )
    """By seat: North, East, South, West."""

    @classmethod
    def from_seats(
        cls,
        constraints: Mapping[Seat, HandConstraint]
        | Mapping[Seat, HandConstraint | str]
        | Mapping[str, HandConstraint | str],
    ) -> DealConstraint:
        """Constrain the seats named, leave the others free.

        >>> print(DealConstraint.from_seats({"E": "balanced"}))
        E: balanced
        """
        hands = dict.fromkeys(Seat, HandConstraint())
        for seat, known in constraints.items():
            read = HandConstraint.from_text(known) if isinstance(known, str) else known
            hands[as_seat(seat)] = read
        n, e, s, w = hands.values()
        return cls((n, e, s, w))

    @classmethod
    def from_text(cls, text: str) -> DealConstraint:
        """Read a seat, a colon and terms for each hand, with semicolons between; or `any`."""
        terms: dict[Seat, list[str]] = {}
        for part in text.split(";"):
            if part.strip().lower() in ("", "any"):
                continue
            name, colon, rest = part.partition(":")
            try:
                seat = Seat.from_text(name.strip())
            except InvalidInput:
                colon = ""
            if not colon:
                raise InvalidConstraint(
                    f"no seat in {part.strip()!r} (expected like 'N: hcp 15-17, balanced')"
                )
            terms.setdefault(seat, []).append(rest.strip() or "any")
        return cls.from_seats(
            {seat: HandConstraint.from_text(",".join(parts)) for seat, parts in terms.items()}
        )

    def allows(self, deal: DealLike) -> bool:
        """True if every hand of `deal` is allowed.

        >>> aces = "N:A... .A.. ..A. ...A"
        >>> DealConstraint.from_text("N: has SA; W: not SA, hcp 4").allows(aces)
        True
        """
        return all(map(HandConstraint.allows, self.hands, as_deal(deal).hands))

    @property
    def is_impossible(self) -> bool:
        """True if quick checks show that no full deal is allowed; false is no promise.

        >>> DealConstraint.from_text("N: hcp 21+; S: hcp 20+").is_impossible
        True
        >>> DealConstraint.from_text("N: spades 7+; E: has SA; W: spades 6+").is_impossible
        True
        """
        if any(hand.is_impossible for hand in self.hands):
            return True
        return self._cards_clash() or not self._totals_fit()

    def _cards_clash(self) -> bool:
        """True if a card is demanded of two hands or denied to all."""
        held = [hand.held for hand in self.hands]
        together = held[0] | held[1] | held[2] | held[3]
        if sum(map(len, held)) > len(together):
            return True
        nobody = self.hands[0].denied
        for hand in self.hands[1:]:
            nobody &= hand.denied
        return bool(nobody.bits)

    def _totals_fit(self) -> bool:
        """True if points, controls and every suit can add up."""
        lengths = [hand.possible_lengths() for hand in self.hands]
        return (
            _can_sum([hand.hcp for hand in self.hands], 40)
            and _can_sum([hand.controls for hand in self.hands], 12)
            and all(
                _can_sum([_span(shape[suit] for shape in shapes) for shapes in lengths], 13)
                for suit in Suit
            )
        )

    def __and__(self, other: DealConstraint) -> DealConstraint:
        n, e, s, w = (a & b for a, b in zip(self.hands, other.hands, strict=True))
        return DealConstraint((n, e, s, w))

    def __getitem__(self, seat: SeatLike) -> HandConstraint:
        return self.hands[as_seat(seat)]

    def __iter__(self) -> Iterator[HandConstraint]:
        return iter(self.hands)

    def __str__(self) -> str:
        free = HandConstraint()
        parts = [f"{seat}: {self.hands[seat]}" for seat in Seat if self.hands[seat] != free]
        return "; ".join(parts) or "any"

    def __repr__(self) -> str:
        return f"DealConstraint.from_text({str(self)!r})"


def _span(numbers: Iterable[int]) -> Range:
    found = list(numbers)
    return Range(min(found), max(found))


def _can_sum(limits: list[Range], total: int) -> bool:
    """True if four numbers within `limits` can add up to `total`."""
    low = sum(limit.low for limit in limits)
    high = sum(total if limit.high is None else limit.high for limit in limits)
    return low <= total <= high
