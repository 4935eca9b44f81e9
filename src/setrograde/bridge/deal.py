"""Deals: the four hands, with any number of cards in each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from math import factorial
from typing import TYPE_CHECKING, TypeAlias

from ._text import from_value, is_tuple_of
from .cards import Card, CardLike, Seat, SeatLike, as_card, as_seat
from .errors import InvalidDeal, InvalidHand
from .hand import Hand, HandLike, as_hand

__all__ = ["Deal", "DealLike", "as_deal"]


@dataclass(frozen=True, slots=True)
class Deal:
    """Four hands without a card in common.

    A deal may be full, an ending, a position in the middle of a trick, or known in part only.

    >>> deal = Deal("N:AK... QJ... T9... 87...")
    >>> deal["E"], deal["N"].spades
    (Hand.from_text('QJ...'), 'AK')
    >>> deal.holder("S7")
    Seat.WEST
    >>> deal.to_pbn("S")
    'S:T9... 87... AK... QJ...'
    """

    hands: tuple[Hand, Hand, Hand, Hand]
    """By seat: North, East, South, West."""

    if TYPE_CHECKING:

        def __init__(self, hands: Iterable[HandLike] | str) -> None: ...

    def __post_init__(self) -> None:
        if not is_tuple_of(Hand, self.hands):
            object.__setattr__(self, "hands", _four_hands(self.hands))
        if len(self.hands) != 4:
            found = " ".join([str(hand) for hand in self.hands])
            raise InvalidDeal(f"not four hands: {found!r} (expected North, East, South, West)")
        n, e, s, w = self.hands
        seen = n.bits | e.bits | s.bits | w.bits
        if seen.bit_count() != len(n) + len(e) + len(s) + len(w):
            raise InvalidDeal(self._clash())

    def _clash(self) -> str:
        held: dict[Card, Seat] = {}
        for seat in Seat:
            for card in self.hands[seat]:
                if card in held:
                    other = held[card].name.title()
                    return f"card twice: {str(card)!r} is with {other} and {seat.name.title()}"
                held[card] = seat
        raise AssertionError("no card is held twice")

    @classmethod
    def from_seats(
        cls,
        *,
        north: HandLike | None = None,
        east: HandLike | None = None,
        south: HandLike | None = None,
        west: HandLike | None = None,
    ) -> Deal:
        """Make a deal of hands by seat; a fourth hand may be left out.

        Three hands of 13 cards leave the other 13 to the fourth. The text `"-"` stands for a hand
        that is not known.

        >>> deal = Deal.from_seats(
        ...     north="QJ6.K652.J85.T98", east="873.J97.AT764.Q4", south="K5.T83.KQ9.A7652"
        ... )
        >>> deal["W"]
        Hand.from_text('AT942.AQ4.32.KJ3')
        """
        given = {Seat.NORTH: north, Seat.EAST: east, Seat.SOUTH: south, Seat.WEST: west}
        missing = [seat.name.title() for seat, hand in given.items() if hand is None]
        deal = cls([Hand() if hand is None else _known(hand) for hand in given.values()])
        if not missing:
            return deal
        complete = deal.complete()
        if len(missing) > 1 or not complete.is_full:
            raise InvalidDeal(
                f"no cards for {' and '.join(missing)} in {str(deal)!r}"
                " (expected four hands, three hands of 13 cards, or '-' for one not known)"
            )
        return complete

    @classmethod
    def random(cls, *, seed: int) -> Deal:
        """Deal 52 cards at random; a seed gives the same deal on every machine, for ever.

        All deals are numbered in this order: the club two goes to North, East, South or West, then
        the club three, and so on up to the spade ace. The SHA-256 digest of the text
        `setrograde deal SEED`, read as a number of 256 bits with the highest byte first, times the
        number of deals (52! / 13!^4), without its last 256 bits, is the number of the deal.

        >>> Deal.random(seed=1)
        Deal.from_pbn('N:QT74.K43.T87.T54 A9.QT85.A92.K963 8.AJ62.53.AQJ872 KJ6532.97.KQJ64.')
        """
        digest = sha256(f"setrograde deal {seed}".encode()).digest()
        number = int.from_bytes(digest, "big") * _DEALS >> 256
        deals, bits, room = _DEALS, [0, 0, 0, 0], [13, 13, 13, 13]
        for card in Card.ALL:
            for seat in Seat:
                # The share of deals that give the card to this seat is its share of empty places.
                here = deals * room[seat] // sum(room)
                if number < here:
                    break
                number -= here
            deals = here
            room[seat] -= 1
            bits[seat] |= card.bit
        return cls([Hand(held) for held in bits])

    @classmethod
    def from_pbn(cls, text: str) -> Deal:
        """Read `N:` and four hands clockwise from that seat; `-` is an unknown hand.

        Without a seat the first hand is North's.
        """
        first, colon, rest = text.strip().partition(":")
        if not colon:
            first, colon, rest = "N", ":", text
        hands = rest.split()
        seat = _FIRST_SEATS.get(first.strip())
        if not colon or seat is None or len(hands) != 4:
            raise InvalidDeal(
                f"not a deal: {text!r} (expected a seat, a colon and four hands,"
                " like 'N:AK... QJ... T9... 87...')"
            )
        try:
            parsed = [Hand() if hand == "-" else Hand.from_text(hand) for hand in hands]
        except InvalidHand as error:
            raise InvalidDeal(f"not a deal: {text!r}: {error}") from None
        shift = -seat % 4
        return cls(tuple(parsed[shift:] + parsed[:shift]))

    def to_pbn(self, first: SeatLike = Seat.NORTH) -> str:
        """Write as PBN, starting with the hand of `first`.

        An empty hand beside one of two or more cards cannot come from play: it is unknown
        and written as `-`.
        """
        first = as_seat(first)
        longest = max(len(hand) for hand in self.hands)
        parts = []
        for step in range(4):
            hand = self.hands[first.next_by(step)]
            parts.append("-" if longest > 1 and not hand.bits else str(hand))
        return f"{first.letter}:{' '.join(parts)}"

    def holder(self, card: CardLike) -> Seat | None:
        """The player who holds `card`, or `None` if nobody does."""
        card = as_card(card)
        for seat in Seat:
            if card in self.hands[seat]:
                return seat
        return None

    def complete(self) -> Deal:
        """Give an empty hand the 13 cards that three full hands leave over.

        >>> three = Deal.from_pbn("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. -")
        >>> three.complete()[Seat.WEST].lengths
        (13, 0, 0, 0)
        """
        empty = [seat for seat in Seat if not self.hands[seat].bits]
        if len(empty) != 1 or len(self) != 39:
            return self
        return self.with_hand(empty[0], Hand.FULL - Hand(self.bits))

    def with_hand(self, seat: SeatLike, hand: HandLike) -> Deal:
        """The same deal with another hand at `seat`."""
        hands: list[HandLike] = [*self.hands]
        hands[as_seat(seat)] = hand
        return Deal(hands)

    def rotate(self, steps: int) -> Deal:
        """Move every hand `steps` seats clockwise.

        >>> Deal.from_pbn("N:A... K... Q... J...").rotate(1).to_pbn()
        'N:J... A... K... Q...'
        """
        h = self.hands
        return Deal((h[-steps % 4], h[(1 - steps) % 4], h[(2 - steps) % 4], h[(3 - steps) % 4]))

    @property
    def bits(self) -> int:
        """All cards held, as one card set."""
        n, e, s, w = self.hands
        return n.bits | e.bits | s.bits | w.bits

    @property
    def is_full(self) -> bool:
        """True if every hand has 13 cards."""
        n, e, s, w = self.hands
        return len(n) == len(e) == len(s) == len(w) == 13

    def __getitem__(self, seat: SeatLike) -> Hand:
        return self.hands[seat if type(seat) is Seat else Seat(seat)]

    def __iter__(self) -> Iterator[Hand]:
        return iter(self.hands)

    def __len__(self) -> int:
        """The number of cards in all hands."""
        return self.bits.bit_count()

    def __str__(self) -> str:
        return self.to_pbn()

    def __repr__(self) -> str:
        return f"Deal.from_pbn({self.to_pbn()!r})"

    def _repr_html_(self) -> str:
        from .display import deal_html

        return deal_html(self)


_DEALS = factorial(52) // factorial(13) ** 4
_FIRST_SEATS = {letter: seat for seat in Seat for letter in (seat.letter, seat.letter.lower())}

DealLike: TypeAlias = "Deal | str"


def as_deal(deal: DealLike) -> Deal:
    """Return a deal as it is, or the deal of a text such as `"N:AQ... K3... 54... 76..."`.

    >>> as_deal("N:A... K... Q... J...")
    Deal.from_pbn('N:A... K... Q... J...')
    """
    if isinstance(deal, Deal):
        return deal
    return from_value(deal, Deal, Deal.from_pbn, "'N:AQ... K3... 54... 76...'")


def _four_hands(hands: Iterable[HandLike] | str) -> tuple[Hand, ...]:
    """The hands of a PBN deal, or of a list; their number is checked elsewhere."""
    if isinstance(hands, str) or not isinstance(hands, Iterable):
        return as_deal(hands).hands
    return tuple([_known(hand) for hand in hands])


def _known(hand: HandLike) -> Hand:
    """A hand, or no cards for `"-"`, which says that the hand is not known."""
    return Hand() if hand == "-" else as_hand(hand)
