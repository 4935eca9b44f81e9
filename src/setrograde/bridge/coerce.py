"""Text where a value is meant: every public function takes either.

>>> as_strain("NT"), as_seat("south"), as_hand("AQ...")
(Strain.NOTRUMP, Seat.SOUTH, Hand.from_text('AQ...'))

Values pass unchanged. Text that makes no sense raises the error of the value's own `from_text`, and
what is neither raises `InvalidInput`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from setrograde.errors import InvalidInput

from .auction import Auction
from .calls import Contract
from .cards import Card, Rank, Seat, Strain, Suit, Vulnerability
from .deal import Deal
from .hand import Hand

__all__ = [
    "AuctionLike",
    "CardLike",
    "CardsLike",
    "ContractLike",
    "DealLike",
    "HandLike",
    "RankLike",
    "SeatLike",
    "StrainLike",
    "SuitLike",
    "VulnerabilityLike",
    "as_auction",
    "as_card",
    "as_cards",
    "as_contract",
    "as_deal",
    "as_hand",
    "as_rank",
    "as_seat",
    "as_strain",
    "as_suit",
    "as_vulnerability",
]

CardLike: TypeAlias = Card | str
CardsLike: TypeAlias = Iterable[Card | str] | str
SuitLike: TypeAlias = Suit | str
RankLike: TypeAlias = Rank | str
StrainLike: TypeAlias = Strain | str
SeatLike: TypeAlias = Seat | str
HandLike: TypeAlias = Hand | str
DealLike: TypeAlias = Deal | str
ContractLike: TypeAlias = Contract | str
AuctionLike: TypeAlias = Auction | str
VulnerabilityLike: TypeAlias = Vulnerability | str

Value = TypeVar("Value")


def as_card(card: CardLike) -> Card:
    """`"SA"` or a `Card`.

    >>> as_card("D10")
    Card.from_text('DT')
    """
    return _as(card, Card, Card.from_text, "a card", "'SA'")


def as_cards(cards: CardsLike) -> tuple[Card, ...]:
    """Cards in order: a list of cards or texts, or one text with spaces or commas between them.

    >>> [str(card) for card in as_cards("SK S2, SA")]
    ['SK', 'S2', 'SA']
    """
    words = cards.replace(",", " ").split() if isinstance(cards, str) else cards
    return tuple(as_card(card) for card in words)


def as_suit(suit: SuitLike) -> Suit:
    """`"S"` or a `Suit`."""
    return _as(suit, Suit, Suit.from_text, "a suit", "'S'")


def as_rank(rank: RankLike) -> Rank:
    """`"K"` or a `Rank`."""
    return _as(rank, Rank, Rank.from_text, "a rank", "'K'")


def as_strain(strain: StrainLike) -> Strain:
    """`"NT"` or a `Strain`.

    >>> as_strain(17)  # type: ignore[arg-type]
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: not a strain: 17 (expected a Strain, or text like 'NT')
    """
    return _as(strain, Strain, Strain.from_text, "a strain", "'NT'")


def as_seat(seat: SeatLike) -> Seat:
    """`"S"` or a `Seat`."""
    return _as(seat, Seat, Seat.from_text, "a seat", "'S'")


def as_hand(hand: HandLike) -> Hand:
    """`"AK32.Q54.KQ2.J76"`, spades first, or a `Hand`."""
    return _as(hand, Hand, Hand.from_text, "a hand", "'AK32.Q54.KQ2.J76'")


def as_deal(deal: DealLike) -> Deal:
    """`"N:AQ... K3... 54... 76..."` or a `Deal`."""
    return _as(deal, Deal, Deal.from_pbn, "a deal", "'N:AQ... K3... 54... 76...'")


def as_contract(contract: ContractLike, declarer: SeatLike | None = None) -> Contract:
    """`"3NTS"`, or `"3NT"` with a declarer, or a `Contract`.

    >>> as_contract("4HX", "W") == as_contract("4HXW")
    True
    """
    seat = None if declarer is None else as_seat(declarer)
    return _as(
        contract, Contract, lambda text: Contract.from_text(text, seat), "a contract", "'3NTS'"
    )


def as_auction(auction: AuctionLike, dealer: SeatLike) -> Auction:
    """`"1C P 1H P"` with its dealer, or an `Auction`."""
    seat = as_seat(dealer)
    return _as(
        auction, Auction, lambda text: Auction.from_text(text, seat), "an auction", "'1C P 1H'"
    )


def as_vulnerability(vulnerability: VulnerabilityLike) -> Vulnerability:
    """`"NS"` or a `Vulnerability`."""
    return _as(vulnerability, Vulnerability, Vulnerability.from_text, "a vulnerability", "'NS'")


def _as(
    value: object, kind: type[Value], parse: Callable[[str], Value], name: str, example: str
) -> Value:
    if isinstance(value, kind):
        return value
    if isinstance(value, str):
        return parse(value)
    raise InvalidInput(
        f"not {name}: {value!r} (expected a {kind.__name__}, or text like {example})"
    )
