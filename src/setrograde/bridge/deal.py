"""Deals: the four hands, with any number of cards in each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .cards import Card, Seat
from .errors import InvalidDeal, InvalidHand
from .hand import Hand

__all__ = ["Deal"]


@dataclass(frozen=True, slots=True)
class Deal:
    """Four disjoint hands; full deals, endings, positions in mid-trick, partly known deals.

    >>> deal = Deal.from_pbn("N:AK... QJ... T9... 87...")
    >>> deal[Seat.EAST]
    Hand.from_text('QJ...')
    >>> deal.holder(Card.from_text("S7"))
    Seat.WEST
    >>> deal.to_pbn(Seat.SOUTH)
    'S:T9... 87... AK... QJ...'
    """

    hands: tuple[Hand, Hand, Hand, Hand]
    """By seat: North, East, South, West."""

    def __post_init__(self) -> None:
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
    def from_pbn(cls, text: str) -> Deal:
        """Read `N:` and four hands clockwise from that seat; `-` is an unknown hand."""
        first, colon, rest = text.strip().partition(":")
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
        turned = parsed[shift:] + parsed[:shift]
        return cls((turned[0], turned[1], turned[2], turned[3]))

    def to_pbn(self, first: Seat = Seat.NORTH) -> str:
        """Write as PBN, starting with the hand of `first`.

        An empty hand beside one of two or more cards cannot come from play: it is unknown
        and written as `-`.
        """
        longest = max(len(hand) for hand in self.hands)
        parts = []
        for step in range(4):
            hand = self.hands[first.next_by(step)]
            parts.append("-" if longest > 1 and not hand.bits else str(hand))
        return f"{first.letter}:{' '.join(parts)}"

    def holder(self, card: Card) -> Seat | None:
        """Who holds `card`, or `None`."""
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
        rest = Hand.from_cards(Card.ALL) - Hand(self.bits)
        return self.with_hand(empty[0], rest)

    def with_hand(self, seat: Seat, hand: Hand) -> Deal:
        """The same deal with another hand at `seat`."""
        hands = list(self.hands)
        hands[seat] = hand
        return Deal((hands[0], hands[1], hands[2], hands[3]))

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
        return all(len(hand) == 13 for hand in self.hands)

    def __getitem__(self, seat: Seat) -> Hand:
        return self.hands[seat]

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


_FIRST_SEATS = {letter: seat for seat in Seat for letter in (seat.letter, seat.letter.lower())}
