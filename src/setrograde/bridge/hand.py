"""Hands: sets of cards held by one player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from ._text import from_value
from .cards import Card, CardLike, CardsLike, Rank, Suit, SuitLike, as_card, as_cards, as_suit
from .errors import InvalidHand

__all__ = ["Hand", "HandLike", "as_hand"]

_RANKS_HIGH_FIRST = "AKQJT98765432"
_RANK_BITS = {letter: 1 << (12 - i) for i, letter in enumerate(_RANKS_HIGH_FIRST)}
_RANK_BITS |= {letter.lower(): bit for letter, bit in _RANK_BITS.items()}
_SUIT_MASK = (1 << 13) - 1
_ALL_CARDS = sum(_SUIT_MASK << (16 * s) for s in range(4))


def _parse_holding(text: str) -> int:
    """The 13 bits of one suit's holding; memoised because holdings repeat."""
    bits = 0
    for letter in text.replace("10", "T"):
        bit = _RANK_BITS.get(letter)
        if bit is None:
            raise InvalidHand(f"not a rank: {letter!r} in {text!r} (expected AKQJT98765432)")
        if bits & bit:
            raise InvalidHand(f"card twice: {letter!r} in {text!r}")
        bits |= bit
    return bits


_HOLDING_CACHE: dict[str, int] = {}


def _holding_bits(text: str) -> int:
    bits = _HOLDING_CACHE.get(text)
    if bits is None:
        bits = _parse_holding("" if text == "-" else text)
        if len(_HOLDING_CACHE) < 1 << 16:
            _HOLDING_CACHE[text] = bits
    return bits


@dataclass(frozen=True, slots=True)
class Hand:
    """Any number of cards, as a set.

    >>> hand = Hand("AK32.QJ.T98.5432")
    >>> len(hand), hand.hcp, hand.lengths, hand.shape
    (13, 10, (4, 3, 2, 4), (4, 4, 3, 2))
    >>> "SA" in hand, hand.spades, hand["D"]
    (True, 'AK32', 'T98')
    >>> hand
    Hand.from_text('AK32.QJ.T98.5432')
    """

    bits: int = 0
    """The cards as the core sees them: bit `16 * suit + rank`."""

    FULL: ClassVar[Hand]
    """All 52 cards: `Hand.FULL - hand` are the cards that `hand` lacks."""

    if TYPE_CHECKING:

        def __init__(self, bits: int | str = 0) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.bits, int):
            object.__setattr__(self, "bits", as_hand(self.bits).bits)
        if self.bits & ~_ALL_CARDS:
            raise InvalidHand(
                f"not a card set: {self.bits:#x} (expected bits 16 * suit + rank, rank 0 to 12)"
            )

    @classmethod
    def from_text(cls, text: str) -> Hand:
        """Read `spades.hearts.diamonds.clubs`, high to low or not; `10` is the ten."""
        parts = text.strip().split(".")
        if len(parts) != 4:
            raise InvalidHand(
                f"not a hand: {text!r} (expected four suits with dots between, like 'AK.Q.T9.32')"
            )
        s, h, d, c = parts
        return cls(
            _holding_bits(c)
            | _holding_bits(d) << 16
            | _holding_bits(h) << 32
            | _holding_bits(s) << 48
        )

    @classmethod
    def from_cards(cls, cards: CardsLike) -> Hand:
        """Make a hand of single cards; a card given twice is an error.

        >>> Hand.from_cards("SA C2") == Hand.from_cards(["C2", Card("S", "A")])
        True
        """
        bits = 0
        for card in as_cards(cards):
            if bits & card.bit:
                raise InvalidHand(f"card twice: {str(card)!r}")
            bits |= card.bit
        return cls(bits)

    def holding(self, suit: SuitLike) -> str:
        """The ranks held in one suit, high to low.

        >>> Hand.from_text("32A...").holding("S")
        'A32'
        """
        bits = self.bits >> (16 * as_suit(suit))
        return "".join([r for i, r in enumerate(_RANKS_HIGH_FIRST) if bits >> (12 - i) & 1])

    @property
    def spades(self) -> str:
        """The spades, high to low."""
        return self.holding(Suit.SPADES)

    @property
    def hearts(self) -> str:
        """The hearts, high to low."""
        return self.holding(Suit.HEARTS)

    @property
    def diamonds(self) -> str:
        """The diamonds, high to low."""
        return self.holding(Suit.DIAMONDS)

    @property
    def clubs(self) -> str:
        """The clubs, high to low."""
        return self.holding(Suit.CLUBS)

    def __getitem__(self, suit: SuitLike) -> str:
        """The ranks held in one suit, as `holding` gives them."""
        return self.holding(suit)

    def length(self, suit: SuitLike) -> int:
        """The number of cards of `suit`."""
        return (self.bits >> (16 * as_suit(suit)) & _SUIT_MASK).bit_count()

    @property
    def lengths(self) -> tuple[int, int, int, int]:
        """The number of clubs, diamonds, hearts and spades."""
        c, d, h, s = (self.length(suit) for suit in Suit)
        return (c, d, h, s)

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """The four lengths, longest first, whatever the suits."""
        a, b, c, d = sorted(self.lengths, reverse=True)
        return (a, b, c, d)

    @property
    def hcp(self) -> int:
        """High card points: 4-3-2-1."""
        return sum((self.bits & _rank_mask(rank)).bit_count() * rank.hcp for rank in _HONOURS)

    @property
    def controls(self) -> int:
        """Controls: two for each ace and one for each king.

        >>> Hand.from_text("AK.K..").controls
        4
        """
        aces = (self.bits & _rank_mask(Rank.ACE)).bit_count()
        return 2 * aces + (self.bits & _rank_mask(Rank.KING)).bit_count()

    @property
    def losers(self) -> int:
        """Losing trick count: ace, king and queen missing among the top three of each suit.

        >>> Hand.from_text("AKQ2.A2.Q32.5432").losers
        6
        """
        total = 0
        for suit in Suit:
            length = self.length(suit)
            for place, rank in enumerate((Rank.ACE, Rank.KING, Rank.QUEEN)):
                if length > place and Card(suit, rank) not in self:
                    total += 1
        return total

    @property
    def is_balanced(self) -> bool:
        """True for 4-3-3-3, 4-4-3-2 and 5-3-3-2.

        >>> Hand.from_text("AK32.QJ.T98.5432").is_balanced
        True
        """
        return self.shape in ((4, 3, 3, 3), (4, 4, 3, 2), (5, 3, 3, 2))

    def __contains__(self, card: CardLike) -> bool:
        return bool(self.bits & as_card(card).bit)

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __iter__(self) -> Iterator[Card]:
        """Spades first, high to low."""
        bits = self.bits
        while bits:
            place = bits.bit_length() - 1
            bits ^= 1 << place
            yield Card.ALL[13 * (place >> 4) + (place & 15)]

    def __or__(self, other: Hand) -> Hand:
        return Hand(self.bits | other.bits)

    def __and__(self, other: Hand) -> Hand:
        return Hand(self.bits & other.bits)

    def __sub__(self, other: Hand) -> Hand:
        return Hand(self.bits & ~other.bits)

    def __str__(self) -> str:
        return ".".join([self.holding(suit) for suit in reversed(Suit)])

    def __repr__(self) -> str:
        return f"Hand.from_text({str(self)!r})"

    def _repr_html_(self) -> str:
        from .display import hand_html

        return hand_html(self)


Hand.FULL = Hand(_ALL_CARDS)
_HONOURS = (Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE)


def _rank_mask(rank: Rank) -> int:
    return 0x0001_0001_0001_0001 << rank


HandLike: TypeAlias = "Hand | str"


def as_hand(hand: HandLike) -> Hand:
    """Return a hand as it is, or the hand of a text such as `"AK32.Q54.KQ2.J76"`, spades first.

    >>> as_hand("AQ...")
    Hand.from_text('AQ...')
    """
    if isinstance(hand, Hand):
        return hand
    return from_value(hand, Hand, Hand.from_text, "'AK32.Q54.KQ2.J76'")
