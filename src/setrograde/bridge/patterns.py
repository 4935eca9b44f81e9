"""Patterns: sets of hands and deals written as players write them, with `x` for a small card.

Three kinds. A `ShapePattern` says how long the suits are, a `HandPattern` names some cards of a
hand and counts the others, a `DealPattern` does so for four hands. In all of them suits come in
the order spades, hearts, diamonds, clubs when written, and clubs first as numbers, as everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations, product

from .cards import Card, Rank, RankLike, Seat, SeatLike, Suit, as_rank, as_seat
from .deal import DealLike, as_deal
from .errors import InvalidInput
from .hand import Hand, HandLike, as_hand

__all__ = ["DealPattern", "HandPattern", "InvalidPattern", "Lengths", "ShapePattern"]

Lengths = tuple[int, int, int, int]
"""Cards in clubs, diamonds, hearts, spades."""


class InvalidPattern(InvalidInput):
    """Text or values that make no pattern.

    >>> ShapePattern.from_text("5-4-3")
    Traceback (most recent call last):
    ...
    setrograde.bridge.patterns.InvalidPattern: not a shape: '5-4-3' (expected four lengths, \
like '5-4-3-1' in any order or '5=4=3=1' from spades to clubs)
    """


@dataclass(frozen=True, slots=True)
class ShapePattern:
    """A set of shapes of 13 cards; two are equal if they have the same shapes.

    | text | means |
    | --- | --- |
    | `5-4-3-1` | these lengths in any order |
    | `5=4=3=1`, `5431` | five spades, four hearts, three diamonds, one club |
    | `(54)=2=2`, `(54)22` | five and four in the majors, either way round |
    | `5+=x=x=2-` | five spades or more, two clubs or fewer; `x` is any length |
    | `balanced` | 4-3-3-3, 4-4-3-2 or 5-3-3-2; also `semibalanced` (or 5-4-2-2, 6-3-2-2) and \
`unbalanced` (not balanced) |
    | `5-3-3-2 or 6-x-x-x` | either; a bar instead of `or` is fine |

    >>> shape = ShapePattern.from_text("(54)=2=2")
    >>> sorted(shape.lengths)
    [(2, 2, 4, 5), (2, 2, 5, 4)]
    >>> shape.matches("AK32.QJ982.T9.54")
    True
    """

    text: str = field(compare=False)
    """The text as it was written, without needless blanks."""

    lengths: frozenset[Lengths]
    """Every shape in the set."""

    @classmethod
    def from_text(cls, text: str) -> ShapePattern:
        """Read one of the forms above, in either case."""
        parts = [part.strip() for part in re.split(r"\bor\b|\|", text.strip().lower())]
        found = frozenset[Lengths]().union(*[_shapes_of(part) for part in parts])
        return cls(" or ".join(parts), found)

    def matches(self, hand: HandLike) -> bool:
        """True if `hand` has 13 cards in one of these shapes."""
        return as_hand(hand).lengths in self.lengths

    def __or__(self, other: ShapePattern) -> ShapePattern:
        return ShapePattern(f"{self.text} or {other.text}", self.lengths | other.lengths)

    def __len__(self) -> int:
        """The number of shapes, with the suits told apart."""
        return len(self.lengths)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"ShapePattern.from_text({self.text!r})"


_ALL_LENGTHS: tuple[Lengths, ...] = tuple(
    (c, d, h, 13 - c - d - h) for c, d, h in product(range(14), repeat=3) if c + d + h <= 13
)
_Bounds = tuple[int, int]
_ITEM = re.compile(r"([0-9]{1,2})([+-]?)|x")
_ANY_ORDER = re.compile(r"(?:[0-9]{1,2}\+?|x)(?:-(?:[0-9]{1,2}\+?|x)){3}")
_COMPACT_PART = re.compile(r"\((?:[0-9]\+?|x)+\)|[0-9]\+?|x")
_COMPACT_ITEM = re.compile(r"[0-9]\+?|x")
_BALANCED = ("4-3-3-3", "4-4-3-2", "5-3-3-2")
_SEMIBALANCED = (*_BALANCED, "5-4-2-2", "6-3-2-2")


@lru_cache(maxsize=1024)
def _shapes_of(text: str) -> frozenset[Lengths]:
    if text == "balanced":
        return frozenset[Lengths]().union(*[_shapes_of(shape) for shape in _BALANCED])
    if text == "semibalanced":
        return frozenset[Lengths]().union(*[_shapes_of(shape) for shape in _SEMIBALANCED])
    if text == "unbalanced":
        return frozenset(_ALL_LENGTHS) - _shapes_of("balanced")
    orders = set(_orders(_groups(text)))
    found = frozenset(
        lengths for lengths in _ALL_LENGTHS if any(_fits(lengths, bounds) for bounds in orders)
    )
    if not found:
        raise InvalidPattern(f"no shape: {text!r} (expected lengths that can make 13 cards)")
    return found


def _groups(text: str) -> list[list[_Bounds]]:
    """Bounds of the lengths, from spades on; suits of one group may change places."""
    if _ANY_ORDER.fullmatch(text):
        return [[_bounds(item) for item in text.split("-")]]
    if "=" in text:
        parts = text.split("=")
    else:
        parts = _COMPACT_PART.findall(text)
        if "".join(parts) != text:
            parts = []
    groups = []
    for part in parts:
        grouped = part.startswith("(") and _COMPACT_PART.fullmatch(part)
        items = _COMPACT_ITEM.findall(part) if grouped else [part]
        if not all(_ITEM.fullmatch(item) for item in items):
            break
        groups.append([_bounds(item) for item in items])
    else:
        if sum(map(len, groups)) == 4:
            return groups
    raise InvalidPattern(
        f"not a shape: {text!r} (expected four lengths, like '5-4-3-1' in any order"
        " or '5=4=3=1' from spades to clubs)"
    )


def _bounds(item: str) -> _Bounds:
    match = _ITEM.fullmatch(item)
    if match is None or item == "x":
        return (0, 13)
    length, end = int(match[1]), match[2]
    return (0 if end == "-" else length, 13 if end == "+" else length)


def _orders(groups: list[list[_Bounds]]) -> Iterator[tuple[_Bounds, ...]]:
    """Every way to give the bounds to the four suits, spades first."""
    for chosen in product(*[set(permutations(group)) for group in groups]):
        yield tuple([bounds for group in chosen for bounds in group])


def _fits(lengths: Lengths, bounds: tuple[_Bounds, ...]) -> bool:
    return all(
        low <= length <= high for length, (low, high) in zip(reversed(lengths), bounds, strict=True)
    )


@dataclass(frozen=True, slots=True)
class HandPattern:
    """A hand of which some cards are named and the others only counted.

    `x` is any card of its suit that the pattern (in a `DealPattern`, the whole deal) does not
    name; `+` at the end of a suit allows any number of further ones.

    >>> pattern = HandPattern.from_text("AKxx.Qxx.xx.xxxx")
    >>> pattern.matches("AK32.QJ9.T9.5432")
    True
    >>> str(pattern.named), pattern.unknown
    ('AK.Q..', (4, 2, 2, 2))
    >>> HandPattern.from_text("AKx+.+.+.+").matches("AKQJT98765432...")
    True
    """

    named: Hand
    """The cards named."""

    unknown: Lengths = (0, 0, 0, 0)
    """The least number of further clubs, diamonds, hearts and spades."""

    is_open: tuple[bool, bool, bool, bool] = (False, False, False, False)
    """True for each suit that may be longer."""

    def __post_init__(self) -> None:
        for suit in Suit:
            if not 0 <= self.unknown[suit] <= 13 - self.named.length(suit):
                raise InvalidPattern(
                    f"not a number of further {suit.name.lower()}: {self.unknown[suit]}"
                    f" (expected 0 to {13 - self.named.length(suit)})"
                )
        if sum(self.min_lengths) > 13:
            raise InvalidPattern(
                f"too many cards: {sum(self.min_lengths)} in {str(self)!r} (expected 13 at most)"
            )

    @classmethod
    def from_text(cls, text: str) -> HandPattern:
        """Read `spades.hearts.diamonds.clubs`; `-` is a void, `10` the ten."""
        parts = text.strip().split(".")
        if len(parts) != 4:
            raise InvalidPattern(
                f"not a hand pattern: {text!r}"
                " (expected four suits with dots between, like 'AKxx.Qx.xxx+.+')"
            )
        named: list[Card] = []
        unknown, is_open = [0] * 4, [False] * 4
        for suit, part in zip(reversed(Suit), parts, strict=True):
            ranks, unknown[suit], is_open[suit] = _read_suit(part, text)
            named += [Card(suit, rank) for rank in ranks]
        c, d, h, s = unknown
        open_c, open_d, open_h, open_s = is_open
        return cls(Hand.from_cards(named), (c, d, h, s), (open_c, open_d, open_h, open_s))

    @classmethod
    def of(cls, hand: HandLike, *, lowest: RankLike = Rank.TEN) -> HandPattern:
        """The pattern of `hand` that names its cards from `lowest` up.

        >>> str(HandPattern.of("AK32.QJ9.T9.5432"))
        'AKxx.QJx.Tx.xxxx'
        """
        hand, lowest = as_hand(hand), as_rank(lowest)
        named = Hand.from_cards([card for card in hand if card.rank >= lowest])
        c, d, h, s = (hand - named).lengths
        return cls(named, (c, d, h, s))

    @property
    def min_lengths(self) -> Lengths:
        """The least number of clubs, diamonds, hearts and spades."""
        c, d, h, s = (self.named.length(suit) + self.unknown[suit] for suit in Suit)
        return (c, d, h, s)

    def matches(self, hand: HandLike) -> bool:
        """True if `hand` has the named cards and the right number of others."""
        hand = as_hand(hand)
        if self.named.bits & ~hand.bits:
            return False
        return all(
            has == needs or (may_exceed and has > needs)
            for has, needs, may_exceed in zip(
                hand.lengths, self.min_lengths, self.is_open, strict=True
            )
        )

    def __str__(self) -> str:
        return ".".join(
            self.named.holding(suit) + "x" * self.unknown[suit] + "+" * self.is_open[suit]
            for suit in reversed(Suit)
        )

    def __repr__(self) -> str:
        return f"HandPattern.from_text({str(self)!r})"


def _read_suit(part: str, text: str) -> tuple[list[Rank], int, bool]:
    """Ranks named, number of x, and whether more are allowed."""
    letters = "" if part == "-" else part.replace("10", "T").lower()
    closed = letters.removesuffix("+")
    ranks: list[Rank] = []
    for letter in closed.replace("x", ""):
        try:
            rank = Rank.from_text(letter)
        except InvalidInput:
            raise InvalidPattern(
                f"not a rank: {letter!r} in {text!r} (expected AKQJT98765432, x, and + at the end)"
            ) from None
        if rank in ranks:
            raise InvalidPattern(f"card twice: {letter.upper()!r} in {part!r} of {text!r}")
        ranks.append(rank)
    return ranks, closed.count("x"), closed != letters


@dataclass(frozen=True, slots=True)
class DealPattern:
    """Four hand patterns; `x` is any card that none of them names.

    >>> pattern = DealPattern.from_pbn("N:AK... Qx... xx... xx...")
    >>> pattern.unknown, pattern.unnamed.holding("S")
    ((0, 0, 0, 5), 'JT98765432')
    >>> pattern.matches("N:AK... Q2... JT... 98...")
    True
    """

    hands: tuple[HandPattern, HandPattern, HandPattern, HandPattern]
    """By seat: North, East, South, West."""

    def __post_init__(self) -> None:
        owner: dict[Card, Seat] = {}
        for seat in Seat:
            for card in self.hands[seat].named:
                if card in owner:
                    names = f"{owner[card].name.title()} and {seat.name.title()}"
                    raise InvalidPattern(f"card twice: {str(card)!r} is with {names}")
                owner[card] = seat
        for suit in Suit:
            total = sum(hand.min_lengths[suit] for hand in self.hands)
            if total > 13:
                raise InvalidPattern(
                    f"too many {suit.name.lower()}: {total} in {str(self)!r} (expected 13 at most)"
                )

    @classmethod
    def from_pbn(cls, text: str) -> DealPattern:
        """Read `N:` and four hand patterns clockwise from that seat; `-` is any hand."""
        first, colon, rest = text.strip().partition(":")
        parts = rest.split()
        if not colon or len(first) != 1 or first.upper() not in "NESW" or len(parts) != 4:
            raise InvalidPattern(
                f"not a deal pattern: {text!r} (expected a seat, a colon and four hands,"
                " like 'N:AKxx.+.+.+ - - -')"
            )
        read = [HandPattern.from_text("+.+.+.+" if part == "-" else part) for part in parts]
        shift = -Seat.from_text(first) % 4
        n, e, s, w = read[shift:] + read[:shift]
        return cls((n, e, s, w))

    @property
    def named(self) -> Hand:
        """All cards named."""
        return _union(hand.named for hand in self.hands)

    @property
    def unnamed(self) -> Hand:
        """All cards an `x` can stand for."""
        return Hand.FULL - self.named

    @property
    def unknown(self) -> Lengths:
        """The number of `x` in clubs, diamonds, hearts and spades."""
        c, d, h, s = (sum(hand.unknown[suit] for hand in self.hands) for suit in Suit)
        return (c, d, h, s)

    def matches(self, deal: DealLike) -> bool:
        """True if every hand of `deal` matches."""
        return all(map(HandPattern.matches, self.hands, as_deal(deal).hands))

    def __getitem__(self, seat: SeatLike) -> HandPattern:
        return self.hands[as_seat(seat)]

    def __iter__(self) -> Iterator[HandPattern]:
        return iter(self.hands)

    def __str__(self) -> str:
        return f"N:{' '.join([str(hand) for hand in self.hands])}"

    def __repr__(self) -> str:
        return f"DealPattern.from_pbn({str(self)!r})"


def _union(hands: Iterable[Hand]) -> Hand:
    bits = 0
    for hand in hands:
        bits |= hand.bits
    return Hand(bits)
