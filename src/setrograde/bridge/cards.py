"""Suits, ranks, strains, seats, sides and cards.

Order is fixed once for the whole package: clubs < diamonds < hearts < spades < notrump,
two < ... < ace, and North, East, South, West clockwise. Peers differ; conversion happens in
`setrograde.formats` and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import ClassVar, Self

from .errors import InvalidCard, InvalidInput

__all__ = ["Card", "Rank", "Seat", "Side", "Strain", "Suit", "Vulnerability"]


class _Named(IntEnum):
    """An enumeration whose `repr` can be pasted back."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


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
    def from_text(cls, text: str) -> Suit:
        """Read a letter in either case, or a symbol."""
        index = "CDHS♣♦♥♠".find(text.upper()) if len(text) == 1 else -1
        if index < 0:
            raise InvalidInput(f"not a suit: {text!r} (expected C, D, H or S)")
        return cls(index % 4)


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
    def from_text(cls, text: str) -> Strain:
        """Read `C D H S N NT` in either case, or a symbol."""
        strain = _STRAINS.get(text.upper())
        if strain is None:
            raise InvalidInput(f"not a strain: {text!r} (expected C, D, H, S or NT)")
        return strain


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
    def from_text(cls, text: str) -> Rank:
        """Read one rank in either case; `10` is the ten."""
        index = "23456789TJQKA".find(text.upper()) if len(text) == 1 else -1
        if text == "10":
            index = 8
        if index < 0:
            raise InvalidInput(f"not a rank: {text!r} (expected one of 2 to 9, T, J, Q, K, A)")
        return cls(index)


class Side(_Named):
    """A partnership.

    >>> Side.NS.opponents, Side.EW.seats
    (Side.EW, (Seat.EAST, Seat.WEST))
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
    def from_text(cls, text: str) -> Seat:
        """Read a letter or a full name in either case."""
        seat = _SEAT_NAMES.get(text.upper())
        if seat is None:
            raise InvalidInput(f"not a seat: {text!r} (expected N, E, S or W)")
        return seat


class Vulnerability(IntFlag):
    """Which sides are vulnerable.

    >>> Vulnerability.from_text("All").covers(Side.EW), Vulnerability.from_text("-")
    (True, Vulnerability.NONE)
    """

    NONE = 0
    NS = 1
    EW = 2
    BOTH = 3

    def covers(self, side: Side) -> bool:
        """True if `side` is vulnerable."""
        return bool(self & (1 << side))

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


_SEATS = tuple(Seat)
_SIDES = tuple(Side)
_SEAT_NAMES = {name: s for s in Seat for name in (s.letter, s.name)}
_STRAINS = {str(s): s for s in Strain} | {s.symbol: s for s in Strain} | {"N": Strain.NOTRUMP}
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

    >>> Card.from_text("SA"), Card(Suit.DIAMONDS, Rank.TEN).pretty
    (Card.from_text('SA'), '♦T')
    >>> Card.from_text("10d") == Card.from_text("♦T")
    True
    """

    suit: Suit
    """Its suit."""

    rank: Rank
    """Its rank."""

    ALL: ClassVar[tuple[Card, ...]]
    """The 52 cards, from the club two to the spade ace."""

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
