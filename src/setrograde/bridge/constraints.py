"""Constraints: what is known of a hand, or asked of it, in a small language.

Terms are separated by commas and all must hold; case does not matter.

| term | means |
| --- | --- |
| `hcp 15-17`, `15-17 hcp` | high card points; `15+` or more, `8-` or fewer, `15` exactly |
| `hcp >= 12`, `12 <= hcp < 15`, `at least 12 hcp` | the same with signs or words |
| `controls 4+` | controls: two for each ace and one for each king |
| `aces 2+`, `kings 1` | cards of a rank; so for queens, jacks and tens |
| `spades 5+`, `5+ spades`, `♠ 5+`, `s 5+` | cards in a suit |
| `void spades`, `singleton heart`, `no doubleton` | none, one or two cards in a suit |
| `5+ in a major`, `both minors 4+` | cards in one of two suits, or in both |
| `shape 5-4-x-x`, `balanced` | every form of `setrograde.bridge.patterns.ShapePattern` |
| `2 of top 3 spades`, `exactly 1 of SA HA` | so many of certain cards, or more |
| `has SA HK` | cards held |
| `not DK` | cards not held |
| `any` | everything is allowed |
| `hcp none` | nothing is allowed: two constraints contradict each other |

Terms with `or` between them are alternatives, of which one must hold; `or` binds closer than a
comma, `and` closer than `or`, and brackets group: `hcp 8+, spades 5+ or hearts 5+` asks for eight
points and a long major, and `(hcp 12+, balanced) or spades 6+` names two kinds of hands.

For a deal, name the seats and separate hands by semicolons: `N: hcp 15-17, balanced; S: spades 5+`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_, or_
from typing import ClassVar

from .cards import Card, Rank, Seat, SeatLike, Suit, as_seat
from .deal import DealLike, as_deal
from .errors import InvalidInput
from .hand import Hand, HandLike, as_hand
from .patterns import Lengths, ShapePattern

__all__ = ["CardCount", "DealConstraint", "HandConstraint", "InvalidConstraint", "Range"]


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


@dataclass(frozen=True, slots=True)
class CardCount:
    """A number of certain cards that a hand has, like two of the top three spades.

    >>> count = CardCount(Hand.from_text("AKQ..."), Range(2))
    >>> str(count), count.allows("AQ32..."), count.allows("AJ32...")
    ('2+ of top 3 spades', True, False)
    """

    cards: Hand
    """The cards that are counted."""

    count: Range
    """How many of them the hand has."""

    def __post_init__(self) -> None:
        most = len(self.cards)
        if self.count.is_empty or max(self.count.low, self.count.high or 0) > most:
            raise InvalidConstraint(f"out of range: '{self}' (expected 0 to {most})")

    def allows(self, hand: HandLike) -> bool:
        """True if `hand` has as many of the cards."""
        return len(self.cards & as_hand(hand)) in self.count

    def __str__(self) -> str:
        is_exact = self.count.low == self.count.high
        return f"{'exactly ' if is_exact else ''}{self.count} of {_name_of_cards(self.cards)}"


def _name_of_cards(cards: Hand) -> str:
    """Cards of one suit from the ace down as `top 3 spades`, others one by one."""
    for suit in Suit:
        if cards.bits and cards.bits == _top_cards(suit, len(cards)).bits:
            return f"top {len(cards)} {suit.name.lower()}"
    return " ".join([str(card) for card in cards])


def _top_cards(suit: Suit, number: int) -> Hand:
    """The highest cards of a suit."""
    return Hand.from_cards([Card(suit, rank) for rank in sorted(Rank, reverse=True)[:number]])


Range.EMPTY = Range(1, 0)
_RANGE = re.compile(r"([0-9]{1,2})\s*(?:(\+|-)\s*([0-9]{1,2})?)?")
_ANY = Range()


@dataclass(frozen=True, slots=True)
class HandConstraint:
    """Conditions on a hand; with `&` both of two constraints must hold, with `|` one of them.

    >>> notrump = HandConstraint.from_text("hcp 15-17, balanced")
    >>> notrump.allows(Hand.from_text("AQ2.KJ4.AT98.J32"))
    True
    >>> both = notrump & HandConstraint.from_text("5+ hearts, has HA, not SK")
    >>> print(both)
    hcp 15-17, hearts 5+, balanced, has HA, not SK
    >>> print(notrump | HandConstraint.from_text("5+ in a major"))
    (hcp 15-17, balanced) or hearts 5+ or spades 5+
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

    counts: tuple[CardCount, ...] = ()
    """Numbers of certain cards; all must be right."""

    clauses: tuple[tuple[HandConstraint, ...], ...] = ()
    """Lists of alternatives; of each list, at least one must hold."""

    def __post_init__(self) -> None:
        told = tuple([each for each in self.counts if not each.count.is_any])
        object.__setattr__(self, "counts", told)
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
        from ._constraint_text import parse_constraint

        return parse_constraint(text)

    @classmethod
    def all_of(cls, parts: Sequence[HandConstraint]) -> HandConstraint:
        """All demands of all parts, in one pass however many there are.

        >>> HandConstraint.all_of([])
        HandConstraint.from_text('any')
        """
        return _all_of(parts) if parts else cls()

    @classmethod
    def any_of(cls, parts: Sequence[HandConstraint]) -> HandConstraint:
        """At least one of the parts must hold.

        >>> texts = "spades 5+", "hearts 5+", "spades 5+"
        >>> print(HandConstraint.any_of([HandConstraint.from_text(text) for text in texts]))
        spades 5+ or hearts 5+
        """
        return _any_of(parts)

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
            and all(count.allows(hand) for count in self.counts)
            and all(any(part.allows(hand) for part in clause) for clause in self.clauses)
        )

    @property
    def box(self) -> HandConstraint:
        """The same without its lists of alternatives."""
        return replace(self, clauses=())

    def possible_lengths(self) -> tuple[Lengths, ...]:
        """Every shape of 13 cards that lengths, shapes and single cards leave possible.

        >>> HandConstraint.from_text("shape 5-4-4-0, spades 5, has DA HA").possible_lengths()
        ((0, 4, 4, 5),)
        """
        found = _ALL_SHAPES if not self.shapes else self.shapes[0].lengths
        for shape in self.shapes[1:]:
            found &= shape.lengths
        least = list(self.held.lengths)
        for count in self.counts:
            for suit in Suit:
                if count.cards.length(suit) == len(count.cards):
                    least[suit] = max(least[suit], count.count.low)
        most = [13 - length for length in self.denied.lengths]
        limits = [
            limit & Range(low, high) if low <= high else Range.EMPTY
            for limit, low, high in zip(self.lengths, least, most, strict=True)
        ]
        left = {s for s in found if all(map(Range.__contains__, limits, s))}
        for clause in self.clauses:
            left &= {lengths for part in clause for lengths in part.possible_lengths()}
        return tuple(sorted(left))

    @property
    def is_impossible(self) -> bool:
        """True if quick checks show that no hand of 13 cards is allowed.

        False is no promise: points and controls are checked apart from each other, and only
        against the fewest and the most of each shape.
        """
        if self.held.bits & self.denied.bits:
            return True
        for count in self.counts:
            free = count.cards - self.held - self.denied
            least = len(count.cards & self.held)
            if not count.count.overlaps(least, least + len(free)):
                return True
        box = self.box
        if any(all((box & part).is_impossible for part in clause) for clause in self.clauses):
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

    def __or__(self, other: HandConstraint) -> HandConstraint:
        return _any_of([self, other])

    def __str__(self) -> str:
        return ", ".join(self._terms()) or "any"

    def _terms(self) -> list[str]:
        terms = [f"{name} {limit}" for name, limit, _ in self._limits() if not limit.is_any]
        for shape in self.shapes:
            terms.append(str(shape) if str(shape) in _SHAPE_WORDS else f"shape {shape}")
        for word, cards in (("has", self.held), ("not", self.denied)):
            if cards.bits:
                terms.append(f"{word} {' '.join([str(card) for card in cards])}")
        terms += map(str, self.counts)
        for clause in self.clauses:
            terms.append(" or ".join([part._in_brackets() for part in clause]))
        return terms

    def _in_brackets(self) -> str:
        """As one of several alternatives."""
        return f"({self})" if len(self._terms()) > 1 else str(self)

    def __repr__(self) -> str:
        return f"HandConstraint.from_text({str(self)!r})"


_ALL_SHAPES = ShapePattern.from_text("x-x-x-x").lengths
_SHAPE_WORDS = ("balanced", "semibalanced", "unbalanced")
_HCP = tuple(rank.hcp for rank in Rank)
_CONTROLS = tuple(max(0, rank - Rank.QUEEN) for rank in Rank)


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
        tuple(dict.fromkeys([count for part in parts for count in part.counts])),
        tuple(dict.fromkeys([clause for part in parts for clause in part.clauses])),
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


def _any_of(parts: Sequence[HandConstraint]) -> HandConstraint:
    """One list of alternatives, as short as it can easily be written."""
    found: dict[HandConstraint, None] = {}
    shape: ShapePattern | None = None
    for part in parts:
        # What is itself only a list of alternatives adds these.
        is_list = len(part.clauses) == 1 and part.box == HandConstraint()
        for each in part.clauses[0] if is_list else (part,):
            if each == HandConstraint(shapes=each.shapes) and len(each.shapes) == 1:
                shape = each.shapes[0] if shape is None else shape | each.shapes[0]
            else:
                found[each] = None
    if shape is not None:
        found = {HandConstraint(shapes=(shape,)): None, **found}
    if len(found) == 1:
        return next(iter(found))
    if not found or HandConstraint() in found:
        return HandConstraint()
    return HandConstraint(clauses=(tuple(found),))


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
        return cls.from_seats({seat: _read_together(parts) for seat, parts in terms.items()})

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


def _read_together(texts: Sequence[str]) -> HandConstraint:
    """What several texts say of one hand."""
    parts = [HandConstraint.from_text(text) for text in texts]
    _check_agreement(texts, parts)
    return HandConstraint.all_of(parts)


def _span(numbers: Iterable[int]) -> Range:
    found = list(numbers)
    return Range(min(found), max(found))


def _can_sum(limits: list[Range], total: int) -> bool:
    """True if four numbers within `limits` can add up to `total`."""
    low = sum(limit.low for limit in limits)
    high = sum(total if limit.high is None else limit.high for limit in limits)
    return low <= total <= high
