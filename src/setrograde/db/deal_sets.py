"""Sets of deals: for each card, who may hold it.

A set is written as one word for each group of cards: their suit and ranks, `=`, and the players.

| word | means |
| --- | --- |
| `SA=N` | North has the ace of spades |
| `SKQ=NS` | each of king and queen is with North or with South |
| `HJT=-E` | neither jack nor ten is with East |
| `D432=x` | anyone may have them, each for itself |
| `E.H>=2` | East has two hearts or more; also `<=` and `=` |

All players have equally many cards, so the set has only deals in which that comes out.

>>> deals = DealSet.from_text("SA=N SKQJ=x HA=E HKQJ=-E")
>>> deals.tricks
2
>>> deals.contains("N:AK... Q.A.. J.K.. .QJ..")
True
>>> print(deals)
SA=N SKQJ=x HA=E HKQJ=-E
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from setrograde.bridge import Card, Rank, Seat, Suit
from setrograde.bridge.coerce import CardLike, DealLike, SeatLike, as_card, as_deal, as_seat
from setrograde.errors import InvalidInput

__all__ = ["DealSet", "DealSetLike", "InvalidDealSet", "as_deal_set"]

ANYONE = frozenset(Seat)

_CARDS = re.compile(r"([CDHS])((?:10|[2-9TJQKA])+)=(-?)([NESW]+|X)", re.ASCII)
_LENGTH = re.compile(r"([NESW])\.([CDHS])(<=|>=|=)([0-9]{1,2})", re.ASCII)

LengthLimits = Mapping[tuple[Seat, Suit], tuple[int, int]]
"""Least and greatest number of cards, by player and suit."""


class InvalidDealSet(InvalidInput):
    """Text or values that make no set of deals.

    >>> DealSet.from_text("SA=Q")
    Traceback (most recent call last):
    ...
    setrograde.db.deal_sets.InvalidDealSet: not cards and holders: 'SA=Q' (expected words like \
SAK=N, HQ=EW, D32=-W, CJ=x or E.H>=2)
    """


@dataclass(frozen=True)
class DealSet:
    """Deals in which every card is with one of the players it may be with.

    >>> deals = DealSet.from_text("SA=N SKQJ=x")
    >>> deals.holders[Card.from_text("SA")]
    frozenset({Seat.NORTH})
    """

    holders: Mapping[Card, frozenset[Seat]]
    """Who may have each card."""

    lengths: LengthLimits = field(default_factory=dict)
    """Limits to the cards a player has of a suit; for those that are not here, none."""

    def __post_init__(self) -> None:
        if not self.holders:
            raise InvalidDealSet("a set without cards (expected words like SAK=N or D32=x)")
        if len(self.holders) % 4:
            raise InvalidDealSet(
                f"{len(self.holders)} cards in {self.to_text()!r} (expected as many for each"
                " player: four, eight, twelve ...)"
            )
        for card, seats in self.holders.items():
            if not seats:
                raise InvalidDealSet(f"nobody may have {card} in {self.to_text()!r}")

    @classmethod
    def from_text(cls, text: str) -> DealSet:
        """Read the words of a set, in any order."""
        holders: dict[Card, frozenset[Seat]] = {}
        lengths: dict[tuple[Seat, Suit], tuple[int, int]] = {}
        for word in text.replace(",", " ").split():
            capital = word.upper() if word.isascii() else word  # there are foreign letters like ſ
            if found := _CARDS.fullmatch(capital):
                _add_cards(found, word, holders)
            elif found := _LENGTH.fullmatch(capital):
                _add_length(found, word, lengths)
            else:
                raise InvalidDealSet(
                    f"not cards and holders: {word!r} (expected words like SAK=N, HQ=EW, D32=-W,"
                    " CJ=x or E.H>=2)"
                )
        return cls(holders, lengths)

    @classmethod
    def of_deal(cls, deal: DealLike) -> DealSet:
        """The set with just one deal.

        >>> print(DealSet.of_deal("N:A... K... Q... J..."))
        SA=N SK=E SQ=S SJ=W
        """
        deal = as_deal(deal)
        return cls({card: frozenset((seat,)) for seat in Seat for card in deal[seat]})

    @property
    def tricks(self) -> int:
        """Cards in each hand."""
        return len(self.holders) // 4

    def cards_of(self, suit: Suit) -> list[Card]:
        """The set's cards of a suit, highest first."""
        return sorted(
            (card for card in self.holders if card.suit == suit),
            key=lambda card: card.rank,
            reverse=True,
        )

    def contains(self, deal: DealLike) -> bool:
        """True if the deal is in the set."""
        deal = as_deal(deal)
        if deal.bits != sum(card.bit for card in self.holders):
            return False
        if len({len(hand) for hand in deal}) != 1:
            return False
        if any(deal.holder(card) not in seats for card, seats in self.holders.items()):
            return False
        return all(
            least <= deal[seat].length(suit) <= most
            for (seat, suit), (least, most) in self.lengths.items()
        )

    def with_holder(self, card: CardLike, seats: Iterable[SeatLike]) -> DealSet:
        """The part of the set in which one of `seats` has `card`.

        >>> print(DealSet.from_text("SAKQJ=x").with_holder("SK", "E"))
        SA=x SK=E SQJ=x
        """
        card, seats = as_card(card), [as_seat(seat) for seat in seats]
        if card not in self.holders:
            raise InvalidDealSet(f"{card} is not in {self.to_text()!r}")
        return DealSet({**self.holders, card: self.holders[card] & frozenset(seats)}, self.lengths)

    def masks(self, leader: Seat) -> tuple[bytes, bytes, bytes, bytes]:
        """For each suit, the highest card first: who may have it, bit 0 for the leader.

        >>> DealSet.from_text("SA=N SKQ=EW SJ=x").masks(Seat.EAST)[3]
        b'\\x08\\x05\\x05\\x0f'
        """
        clubs, diamonds, hearts, spades = (
            bytes(
                sum(1 << (seat - leader) % 4 for seat in self.holders[card])
                for card in self.cards_of(suit)
            )
            for suit in Suit
        )
        return clubs, diamonds, hearts, spades

    def length_limits(self, leader: Seat) -> tuple[list[list[int]], list[list[int]]]:
        """Least and greatest lengths by player, the leader first, and by suit."""
        least = [[0] * 4 for _ in Seat]
        most = [[13] * 4 for _ in Seat]
        for (seat, suit), (low, high) in self.lengths.items():
            least[(seat - leader) % 4][suit] = low
            most[(seat - leader) % 4][suit] = high
        return least, most

    def to_text(self) -> str:
        """The words that `from_text` reads, spades first."""
        words = []
        for suit in reversed(Suit):
            group, seats = "", frozenset[Seat]()
            for card in self.cards_of(suit):
                if group and self.holders[card] == seats:
                    group += card.rank.letter
                    continue
                if group:
                    words.append(f"{suit.letter}{group}={_holder_text(seats)}")
                group, seats = card.rank.letter, self.holders[card]
            if group:
                words.append(f"{suit.letter}{group}={_holder_text(seats)}")
        for (seat, suit), (low, high) in sorted(self.lengths.items()):
            name = f"{seat.letter}.{suit.letter}"
            if low == high:
                words.append(f"{name}={low}")
                continue
            if low > 0:
                words.append(f"{name}>={low}")
            if high < 13:
                words.append(f"{name}<={high}")
        return " ".join(words)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"DealSet.from_text({self.to_text()!r})"


DealSetLike: TypeAlias = DealSet | str


def as_deal_set(deals: DealSetLike) -> DealSet:
    """`"SA=N SKQJ=x"`, or a `DealSet`.

    >>> as_deal_set("SA=N SKQJ=x")
    DealSet.from_text('SA=N SKQJ=x')
    """
    if isinstance(deals, DealSet):
        return deals
    if isinstance(deals, str):
        return DealSet.from_text(deals)
    raise InvalidDealSet(
        f"not a set of deals: {deals!r} (expected a DealSet, or text like 'SA=N SKQJ=x')"
    )


def _add_cards(found: re.Match[str], word: str, holders: dict[Card, frozenset[Seat]]) -> None:
    suit = Suit.from_text(found[1])
    seats = ANYONE if found[4] == "X" else frozenset(Seat.from_text(c) for c in found[4])
    if found[3]:
        seats = ANYONE - seats
        if found[4] == "X" or not seats:
            raise InvalidDealSet(f"nobody may have these cards: {word!r}")
    for rank in found[2].replace("10", "T"):
        card = Card(suit, Rank.from_text(rank))
        if card in holders:
            raise InvalidDealSet(f"{card} is there twice: {word!r}")
        holders[card] = seats


def _add_length(
    found: re.Match[str], word: str, lengths: dict[tuple[Seat, Suit], tuple[int, int]]
) -> None:
    key = (Seat.from_text(found[1]), Suit.from_text(found[2]))
    number = int(found[4])
    if number > 13:
        raise InvalidDealSet(f"not a number of cards: {number} in {word!r} (expected 0 to 13)")
    low, high = lengths.get(key, (0, 13))
    if found[3] in (">=", "="):
        low = max(low, number)
    if found[3] in ("<=", "="):
        high = min(high, number)
    if low > high:
        raise InvalidDealSet(f"no length is left by {word!r} (the words before ask for another)")
    lengths[key] = (low, high)


def _holder_text(seats: frozenset[Seat]) -> str:
    if seats == ANYONE:
        return "x"
    if len(seats) == 3:
        (missing,) = ANYONE - seats
        return f"-{missing.letter}"
    return "".join([seat.letter for seat in Seat if seat in seats])
