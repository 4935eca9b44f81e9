"""Suits, ranks, strains, seats, sides and cards.

Order is fixed once for the whole package: clubs < diamonds < hearts < spades < notrump,
two < ... < ace, and North, East, South, West clockwise. Peers differ; conversion happens in
`setrograde.formats` and nowhere else.

Functions that take one of these values also take its text: `as_seat`, `as_strain` and the like turn
either into the value.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias, overload

from ._text import from_value
from .errors import InvalidCard, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "Card",
    "CardLike",
    "CardsLike",
    "Rank",
    "RankLike",
    "Seat",
    "SeatLike",
    "Side",
    "SideLike",
    "Strain",
    "StrainLike",
    "Suit",
    "SuitLike",
    "Vulnerability",
    "VulnerabilityLike",
    "as_card",
    "as_cards",
    "as_rank",
    "as_seat",
    "as_side",
    "as_strain",
    "as_suit",
    "as_vulnerability",
]


class _Named(IntEnum):
    """An enumeration whose `repr` can be pasted back, and whose members have a text.

    >>> Seat("west"), Strain("NT"), Suit(3)
    (Seat.WEST, Strain.NOTRUMP, Suit.SPADES)
    """

    if TYPE_CHECKING:  # `_missing_` reads text, which type checkers cannot know
        _value_: int

        def __new__(cls, value: int | str) -> Self: ...

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a member's name; kinds with other texts read those, too."""
        try:
            return cls[text.strip().upper()]
        except KeyError:
            names = ", ".join(member.name.title() for member in cls)
            raise InvalidInput(f"not a {cls.__name__}: {text!r} (expected {names})") from None

    @classmethod
    def _missing_(cls, value: object) -> Self:
        if isinstance(value, str):
            return cls.from_text(value)
        kind = cls.__name__.lower()
        raise InvalidInput(f"not a {kind}: {value!r} (expected 0 to {len(cls) - 1}, or text)")


class Suit(_Named):
    """One of the four suits.

    >>> Suit.from_text("h"), Suit.SPADES.letter, Suit.SPADES.symbol
    (Suit.HEARTS, 'S', '♠')
    """

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """`C`, `D`, `H` or `S`."""
        return "CDHS"[self]

    @property
    def symbol(self) -> str:
        """`♣`, `♦`, `♥` or `♠`."""
        return "♣♦♥♠"[self]

    @property
    def strain(self) -> Strain:
        """The strain in which this suit is trumps."""
        return Strain(int(self))

    def __str__(self) -> str:
        return "CDHS"[self]

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a letter or a name in either case, or a symbol: `S`, `spades`, `♠`."""
        suit = _STRAINS.get(text.strip().upper())
        if suit is None or suit is Strain.NOTRUMP:
            raise InvalidInput(f"not a suit: {text!r} (expected C, D, H or S)")
        return cls(int(suit))


class Strain(_Named):
    """A suit as trumps, or notrump.

    >>> Strain.from_text("NT"), Strain.from_text("s"), str(Strain.NOTRUMP)
    (Strain.NOTRUMP, Strain.SPADES, 'NT')
    """

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    NOTRUMP = 4

    @property
    def suit(self) -> Suit | None:
        """The trump suit, `None` at notrump."""
        return None if self is Strain.NOTRUMP else Suit(int(self))

    @property
    def symbol(self) -> str:
        """`♣`, `♦`, `♥`, `♠` or `NT`."""
        return ("♣", "♦", "♥", "♠", "NT")[self]

    def __str__(self) -> str:
        return ("C", "D", "H", "S", "NT")[self]

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read `C D H S N NT` or a name in either case, or a symbol: `♠`, `spades`, `notrump`."""
        strain = _STRAINS.get(text.strip().upper())
        if strain is None:
            raise InvalidInput(f"not a strain: {text!r} (expected C, D, H, S or NT)")
        return cls(strain)


class Rank(_Named):
    """A rank, two to ace.

    >>> Rank.from_text("10"), Rank.from_text("a"), str(Rank.QUEEN), Rank.KING.hcp
    (Rank.TEN, Rank.ACE, 'Q', 3)
    """

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12

    @property
    def letter(self) -> str:
        """`2` to `9`, `T`, `J`, `Q`, `K` or `A`."""
        return "23456789TJQKA"[self]

    @property
    def hcp(self) -> int:
        """High card points: ace 4, king 3, queen 2, jack 1."""
        return max(0, self - 8)

    def __str__(self) -> str:
        return "23456789TJQKA"[self]

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a letter, a digit or a name in either case; `10` is the ten."""
        rank = _RANKS.get(text.strip().upper())
        if rank is None:
            raise InvalidInput(f"not a rank: {text!r} (expected one of 2 to 9, T, J, Q, K, A)")
        return cls(rank)


class Side(_Named):
    """A partnership.

    >>> Side.NS.opponents, Side.EW.seats, Side.from_text("ns")
    (Side.EW, (Seat.EAST, Seat.WEST), Side.NS)
    """

    NS = 0
    EW = 1

    @property
    def opponents(self) -> Side:
        """The other side."""
        return Side(1 - self)

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """The two seats of this side."""
        return (Seat(int(self)), Seat(self + 2))

    def __str__(self) -> str:
        return self.name

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read `NS` or `EW` in either case, also with a dash or a slash: `N-S`, `e/w`."""
        letters = text.strip().upper().replace("-", "").replace("/", "")
        if letters not in ("NS", "EW"):
            raise InvalidInput(f"not a side: {text!r} (expected NS or EW)")
        return cls(("NS", "EW").index(letters))


class Seat(_Named):
    """A player's place at the table.

    >>> Seat.NORTH.next, Seat.NORTH.partner, Seat.WEST.side, Seat.from_text("e").next_by(3)
    (Seat.EAST, Seat.SOUTH, Side.EW, Seat.NORTH)
    """

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def letter(self) -> str:
        """`N`, `E`, `S` or `W`."""
        return "NESW"[self]

    @property
    def next(self) -> Seat:
        """The player to the left, whose turn comes next."""
        return _SEATS[(self + 1) & 3]

    @property
    def partner(self) -> Seat:
        """The player opposite."""
        return _SEATS[self ^ 2]

    @property
    def side(self) -> Side:
        """The partnership this seat belongs to."""
        return _SIDES[self & 1]

    def next_by(self, steps: int) -> Seat:
        """The seat `steps` places clockwise."""
        return _SEATS[(self + steps) & 3]

    def __str__(self) -> str:
        return "NESW"[self]

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a letter or a full name in either case."""
        seat = _SEAT_NAMES.get(text.strip().upper())
        if seat is None:
            raise InvalidInput(f"not a seat: {text!r} (expected N, E, S or W)")
        return cls(seat)


class Vulnerability(IntFlag):
    """Which sides are vulnerable.

    >>> Vulnerability("All").covers("EW"), Vulnerability("-"), Vulnerability("both")
    (True, Vulnerability.NONE, Vulnerability.BOTH)
    """

    if TYPE_CHECKING:  # as for the other values
        _value_: int

        def __new__(cls, value: int | str) -> Self: ...

    NONE = 0
    NS = 1
    EW = 2
    BOTH = 3

    def covers(self, side: SideLike) -> bool:
        """True if `side` is vulnerable."""
        return bool(self & (1 << as_side(side)))

    def __repr__(self) -> str:
        return f"Vulnerability.{('NONE', 'NS', 'EW', 'BOTH')[self]}"

    def __str__(self) -> str:
        return ("None", "NS", "EW", "All")[self]

    @classmethod
    def from_text(cls, text: str) -> Vulnerability:
        """Read the words of PBN, LIN and daily use: `None`, `NS`, `EW`, `All`, `Both`, `-` ..."""
        value = _VULNERABILITIES.get(text.upper().replace("/", "").replace("-", "").strip())
        if value is None:
            raise InvalidInput(f"not a vulnerability: {text!r} (expected None, NS, EW or All)")
        return value

    @classmethod
    def _missing_(cls, value: object) -> Vulnerability:
        if isinstance(value, str):
            return cls.from_text(value)
        if isinstance(value, int) and -4 <= value < 0:  # ~Vulnerability.NS is EW
            return cls(value & 3)
        raise InvalidInput(f"not a vulnerability: {value!r} (expected 0 to 3, or text)")


_SEATS = tuple(Seat)
_SIDES = tuple(Side)
_SEAT_NAMES = {name: s for s in Seat for name in (s.letter, s.name)}
_STRAINS = {
    **{text: s for s in Strain for text in (str(s), s.symbol, s.name, s.name.removesuffix("S"))},
    **dict.fromkeys(("N", "NO TRUMP", "NO TRUMPS", "NOTRUMPS"), Strain.NOTRUMP),
}
_RANKS = {text: rank for rank in Rank for text in (rank.letter, rank.name)} | {"10": Rank.TEN}
_VULNERABILITIES = {
    **dict.fromkeys(("NONE", "LOVE", "", "NIL", "O", "NEITHER"), Vulnerability.NONE),
    "NS": Vulnerability.NS,
    "N": Vulnerability.NS,
    "EW": Vulnerability.EW,
    "E": Vulnerability.EW,
    **dict.fromkeys(("ALL", "BOTH", "B"), Vulnerability.BOTH),
}


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card; cards compare by suit, then rank.

    >>> Card("SA"), Card("D", "10").pretty
    (Card.from_text('SA'), '♦T')
    >>> Card.from_text("10d") == Card.from_text("♦T")
    True
    """

    suit: Suit
    """Its suit."""

    rank: Rank = None  # type: ignore[assignment]
    """Its rank; left out where the text of both is given."""

    ALL: ClassVar[tuple[Card, ...]]
    """The 52 cards, from the club two to the spade ace."""

    if TYPE_CHECKING:

        @overload
        def __init__(self, suit: str) -> None: ...
        @overload
        def __init__(self, suit: SuitLike, rank: RankLike) -> None: ...
        def __init__(self, suit: SuitLike, rank: RankLike | None = None) -> None: ...

    def __post_init__(self) -> None:
        if self.rank is None:
            card = as_card(self.suit)
            object.__setattr__(self, "suit", card.suit)
            object.__setattr__(self, "rank", card.rank)
        if type(self.suit) is not Suit:
            object.__setattr__(self, "suit", as_suit(self.suit))
        if type(self.rank) is not Rank:
            object.__setattr__(self, "rank", as_rank(self.rank))

    @property
    def bit(self) -> int:
        """Its place in the 64-bit card sets of the core: 16 a suit."""
        return 1 << (16 * self.suit + self.rank)

    @property
    def index(self) -> int:
        """Its number from 0 (club two) to 51 (spade ace)."""
        return 13 * self.suit + self.rank

    @property
    def pretty(self) -> str:
        """With a suit symbol, like `♠A`."""
        return self.suit.symbol + self.rank.letter

    def __str__(self) -> str:
        return self.suit.letter + self.rank.letter

    def __repr__(self) -> str:
        return f"Card.from_text({str(self)!r})"

    @classmethod
    def from_text(cls, text: str) -> Card:
        """Read suit and rank in either order and case; symbols and `10` are fine."""
        card = _CARDS.get(text)
        if card is None:
            card = _CARDS.get(text.upper().replace("10", "T"))
        if card is None:
            raise InvalidCard(
                f"not a card: {text!r} (expected a suit and a rank, like 'SA' or 'D10')"
            )
        return card

    @classmethod
    def from_index(cls, index: int) -> Self:
        """The card numbered `index`, from 0 (club two) to 51 (spade ace).

        >>> Card.from_index(51)
        Card.from_text('SA')
        """
        if not 0 <= index < 52:
            raise InvalidCard(f"not a card number: {index} (expected 0 to 51)")
        return cls(Suit(index // 13), Rank(index % 13))


Card.ALL = tuple(Card(suit, rank) for suit in Suit for rank in Rank)
_CARDS = {
    text: card
    for card in Card.ALL
    for suit in (card.suit.letter, card.suit.symbol)
    for text in (suit + card.rank.letter, card.rank.letter + suit)
}

CardLike: TypeAlias = "Card | str"
CardsLike: TypeAlias = "Iterable[Card | str] | str"
SuitLike: TypeAlias = "Suit | str"
RankLike: TypeAlias = "Rank | str"
StrainLike: TypeAlias = "Strain | str"
SeatLike: TypeAlias = "Seat | str"
SideLike: TypeAlias = "Side | str"
VulnerabilityLike: TypeAlias = "Vulnerability | str"


def as_card(card: CardLike) -> Card:
    """Return a card as it is, or the card that a text such as `"SA"` names.

    >>> as_card("D10")
    Card.from_text('DT')
    """
    return card if isinstance(card, Card) else from_value(card, Card, Card.from_text, "'SA'")


def as_cards(cards: CardsLike) -> tuple[Card, ...]:
    """Return cards in order, from a list of cards or texts, or from one text.

    In one text the cards have spaces or commas between them.

    >>> [str(card) for card in as_cards("SK S2, SA")]
    ['SK', 'S2', 'SA']
    """
    words = cards.replace(",", " ").split() if isinstance(cards, str) else cards
    return tuple([as_card(card) for card in words])


def as_suit(suit: SuitLike) -> Suit:
    """Return a suit as it is, or the suit that a text such as `"S"` names."""
    return suit if isinstance(suit, Suit) else from_value(suit, Suit, Suit.from_text, "'S'")


def as_rank(rank: RankLike) -> Rank:
    """Return a rank as it is, or the rank that a text such as `"K"` names."""
    return rank if isinstance(rank, Rank) else from_value(rank, Rank, Rank.from_text, "'K'")


def as_strain(strain: StrainLike) -> Strain:
    """Return a strain as it is, or the strain that a text such as `"NT"` names.

    >>> as_strain(17)  # type: ignore[arg-type]
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: not a strain: 17 (expected a Strain, or text like 'NT')
    """
    if isinstance(strain, Strain):
        return strain
    return from_value(strain, Strain, Strain.from_text, "'NT'")


def as_seat(seat: SeatLike) -> Seat:
    """Return a seat as it is, or the seat that a text such as `"S"` names."""
    return seat if isinstance(seat, Seat) else from_value(seat, Seat, Seat.from_text, "'S'")


def as_side(side: SideLike) -> Side:
    """Return a side as it is, or the side that a text such as `"NS"` names."""
    return side if isinstance(side, Side) else from_value(side, Side, Side.from_text, "'NS'")


def as_vulnerability(vulnerability: VulnerabilityLike) -> Vulnerability:
    """Return a vulnerability as it is, or the one that a text such as `"NS"` names."""
    if isinstance(vulnerability, Vulnerability):
        return vulnerability
    return from_value(vulnerability, Vulnerability, Vulnerability.from_text, "'NS'")
