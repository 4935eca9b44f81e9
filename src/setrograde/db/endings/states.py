"""Endings: the states that a database of endings is about.

The leader is player 0 and the others follow clockwise. Each suit is a string of owners, highest
card first; ranks are relative, so nothing else matters about a card. A trump suit is the last one.
Side suits are alike, and the canonical state has them in ascending order: by length, then by cards
of each player, then by owner string. The first two make the shape canonical
(`setrograde.db.endings.shapes`), the third breaks ties. Once trumps are gone it is a notrump
ending.

>>> from setrograde.bridge import Deal, Seat, Strain
>>> deal = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")
>>> ending = Ending.from_deal(deal, Strain.NOTRUMP, Seat.SOUTH)
>>> ending.canonical()
Ending(suits=('', '', '3102', '23211003'), has_trumps=False)

States of a canonical shape are numbered without gaps.

>>> ending.rank()
52248
>>> Ending.from_rank(ending.shape.canonical(), 52248) == ending.canonical()
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from math import comb
from typing import NamedTuple

from setrograde.bridge import Card, Deal, Hand, InvalidDeal, InvalidInput, Rank, Seat, Strain, Suit

from .shapes import Shape, Split, count_strings, iter_shapes, split_key

__all__ = [
    "Ending",
    "EndingCard",
    "InvalidEnding",
    "Successor",
    "iter_endings",
    "rank_string",
    "unrank_string",
]


class InvalidEnding(InvalidInput):
    """Owner strings that make no ending, or cards that may not be played in it.

    >>> Ending(("", "", "", "0124"))
    Traceback (most recent call last):
    ...
    setrograde.db.endings.states.InvalidEnding: not an owner: '4' in '0124' (expected 0, 1, 2 or 3)
    """


class EndingCard(NamedTuple):
    """One card of an ending.

    >>> Ending(("", "", "01", "32")).owner(EndingCard(suit=3, place=0))
    3
    """

    suit: int
    """Which of the four suits."""

    place: int
    """How many cards of the suit are higher."""


class Successor(NamedTuple):
    """One way to play a trick, and what it leads to."""

    cards: tuple[EndingCard, ...]
    """The cards of players 0, 1, 2 and 3."""

    winner: int
    """The player who wins the trick; he is player 0 of the ending below."""

    below: Ending
    """The canonical ending with a trick less."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A state between tricks, with player 0 on lead.

    >>> ending = Ending(("3", "2", "", "01"), has_trumps=True)
    >>> ending.tricks, ending.canonical().suits
    (1, ('', '3', '2', '01'))
    """

    suits: tuple[str, str, str, str]
    """Owners of the cards of each suit, highest first; trumps last if there are any."""

    has_trumps: bool = False
    """True if the last suit is trumps."""

    def __post_init__(self) -> None:
        if len(self.suits) != 4:
            raise InvalidEnding(f"not an ending: {self.suits} (expected four suits)")
        for owners in self.suits:
            for owner in owners:
                if owner not in "0123":
                    raise InvalidEnding(
                        f"not an owner: {owner!r} in {owners!r} (expected 0, 1, 2 or 3)"
                    )
            if len(owners) > 13:
                raise InvalidEnding(f"more than 13 cards of a suit: {owners!r}")
        every = "".join(self.suits)
        hands = tuple(map(every.count, "0123"))
        if len(set(hands)) != 1:
            raise InvalidEnding(f"hands differ in length: {hands} in {self.suits}")

    @classmethod
    def from_deal(cls, deal: Deal, strain: Strain, leader: Seat) -> Ending:
        """The ending of a deal between tricks, `leader` to lead.

        Suits keep their order, but trumps come last. Ranks become relative.

        >>> deal = Deal.from_pbn("N:A...2 .K..3 ..Q.4 ...J5")
        >>> Ending.from_deal(deal, Strain.SPADES, Seat.EAST)
        Ending(suits=('22103', '1', '0', '3'), has_trumps=True)
        """
        if len({len(hand) for hand in deal.hands}) != 1:
            held = ", ".join(f"{seat.name.title()} {len(deal[seat])}" for seat in Seat)
            raise InvalidDeal(f"hands differ in length: {held} in {deal.to_pbn()!r}")
        owners = ["", "", "", ""]
        for card in Hand(deal.bits):
            holder = deal.holder(card)
            assert holder is not None
            owners[card.suit] += "0123"[(holder - leader) % 4]
        if strain.suit is not None:
            owners.append(owners.pop(strain.suit))
        a, b, c, d = owners
        return cls((a, b, c, d), bool(strain.suit is not None and d))

    @classmethod
    def from_rank(cls, shape: Shape, rank: int) -> Ending:
        """The canonical state numbered `rank` of a canonical shape.

        >>> shape = Shape(((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (1, 1, 1, 1)), False)
        >>> Ending.from_rank(shape, 23).suits
        ('', '', '', '3210')
        """
        if not shape.is_canonical:
            raise InvalidEnding(f"not canonical: {shape} (expected {shape.canonical()})")
        if not 0 <= rank < shape.states:
            raise InvalidEnding(
                f"not the number of a state: {rank} (expected 0 to {shape.states - 1} in {shape})"
            )
        return _numbered(shape.groups, shape.has_trumps, rank)

    @property
    def tricks(self) -> int:
        """Cards in each hand."""
        return sum(map(len, self.suits)) // 4

    @property
    def shape(self) -> Shape:
        """How many cards of each suit each player holds."""
        a, b, c, d = map(_split, self.suits)
        return Shape((a, b, c, d), self.has_trumps)

    @property
    def strain(self) -> Strain:
        """Spades if there are trumps, else notrump: the strain that goes with `to_deal`."""
        return Strain.SPADES if self.has_trumps else Strain.NOTRUMP

    def canonical(self) -> Ending:
        """The state that stands for this one and all that differ by the order of side suits."""
        *side, last = self.suits
        if self.has_trumps and last:
            a, b, c = sorted(side, key=_suit_key)
            return _trusted((a, b, c, last), True)
        a, b, c, d = sorted(self.suits, key=_suit_key)
        return _trusted((a, b, c, d), False)

    @property
    def is_canonical(self) -> bool:
        """True if this state stands for itself."""
        return self == self.canonical()

    def rank(self) -> int:
        """The number of this state, made canonical, among those of its shape.

        Owner strings are numbered as words in a dictionary. Suits that may be exchanged have
        their numbers in ascending order and count as one number; the first suits count most.
        """
        canonical = self.canonical()
        *side, last = canonical.suits
        groups = [list(same) for _, same in groupby(side, key=_split)]
        if not canonical.has_trumps and _split(groups[-1][0]) == _split(last):
            groups[-1].append(last)
        else:
            groups.append([last])
        rank = 0
        for group in groups:
            strings = count_strings(_split(group[0]))
            rank *= comb(strings + len(group) - 1, len(group))
            rank += _rank_numbers([rank_string(owners) for owners in group])
        return rank

    def to_deal(self, leader: Seat = Seat.NORTH) -> Deal:
        """A deal that has this ending: the highest ranks, suits as clubs to spades.

        >>> ending = Ending(("3", "2", "", "01"), has_trumps=True)
        >>> ending.to_deal(Seat.EAST), ending.strain
        (Deal.from_pbn('N:...A A... K... ..A.'), Strain.SPADES)
        """
        bits = [0, 0, 0, 0]
        for suit, owners in zip(Suit, self.suits, strict=True):
            for place, owner in enumerate(owners):
                bits[leader.next_by(int(owner))] |= Card(suit, Rank(12 - place)).bit
        n, e, s, w = (Hand(cards) for cards in bits)
        return Deal((n, e, s, w))

    def owner(self, card: EndingCard) -> int:
        """The player who holds `card`."""
        return int(self.suits[card.suit][card.place])

    def legal_cards(self, played: Sequence[EndingCard] = ()) -> tuple[EndingCard, ...]:
        """What the next player may play to a trick, by suit and high to low.

        >>> ending = Ending(("", "", "1001", "2233"))
        >>> [tuple(card) for card in ending.legal_cards([EndingCard(2, 1)])]
        [(2, 0), (2, 3)]
        """
        if len(played) > 3:
            raise InvalidEnding(f"the trick is over: {len(played)} cards (expected 3 at most)")
        player = "0123"[len(played)]
        if played and player in self.suits[played[0].suit]:
            suits: Sequence[int] = (played[0].suit,)
        else:
            suits = range(4)
        return tuple(
            EndingCard(suit, place)
            for suit in suits
            for place, owner in enumerate(self.suits[suit])
            if owner == player
        )

    def after(self, cards: Sequence[EndingCard]) -> tuple[int, Ending]:
        """The winner of a trick, and the canonical ending that he leads from.

        >>> ending = Ending(("", "", "1001", "2233"))
        >>> trick = [EndingCard(2, 1), EndingCard(2, 0), EndingCard(3, 0), EndingCard(3, 3)]
        >>> ending.after(trick)
        (1, Ending(suits=('', '', '12', '30'), has_trumps=False))
        """
        if len(cards) != 4:
            raise InvalidEnding(f"not a trick: {len(cards)} cards (expected 4)")
        for player, card in enumerate(cards):
            if card not in self.legal_cards(cards[:player]):
                raise InvalidEnding(f"illegal card: {card} of player {player} in {self}")
        return self._after(cards)

    def _after(self, cards: Sequence[EndingCard]) -> tuple[int, Ending]:
        winner = _winner(cards, self.has_trumps)
        left = [list(owners) for owners in self.suits]
        for suit, place in cards:
            left[suit][place] = ""
        turn = _TURNS[winner]
        a, b, c, d = ("".join(owners).translate(turn) for owners in left)
        return winner, _trusted((a, b, c, d), self.has_trumps).canonical()

    def iter_successors(self) -> Iterator[Successor]:
        """Every way to play one trick, in the order of legal cards.

        >>> for successor in Ending(("", "", "3", "012")).iter_successors():
        ...     print(successor.winner, successor.below)
        0 Ending(suits=('', '', '', ''), has_trumps=False)
        """
        if not self.tricks:
            return
        for first in self.legal_cards():
            for second in self.legal_cards((first,)):
                for third in self.legal_cards((first, second)):
                    for fourth in self.legal_cards((first, second, third)):
                        cards = (first, second, third, fourth)
                        yield Successor(cards, *self._after(cards))


def iter_endings(tricks: int) -> Iterator[Ending]:
    """All canonical states with `tricks` left: shape by shape, in each by `Ending.rank`.

    >>> sum(1 for _ in iter_endings(1))
    209
    """
    for shape in iter_shapes(tricks):
        groups = shape.groups
        for rank in range(shape.states):
            yield _numbered(groups, shape.has_trumps, rank)


def rank_string(owners: str) -> int:
    """The place of an owner string among all with as many cards of each player.

    >>> [rank_string(owners) for owners in ("0011", "0101", "0110", "1001")]
    [0, 1, 2, 3]
    """
    left = list(_split(owners))
    ways = count_strings(_split(owners))
    rank = 0
    for done, text in enumerate(owners):
        owner, cards = int(text), len(owners) - done
        # Of the ways to go on, a share of left[p] / cards begins with p.
        rank += ways * sum(left[:owner]) // cards
        ways = ways * left[owner] // cards
        left[owner] -= 1
    return rank


@lru_cache(maxsize=1 << 16)
def unrank_string(split: Split, rank: int) -> str:
    """The owner string numbered `rank` of a split.

    >>> unrank_string((2, 2, 0, 0), 3)
    '1001'
    """
    ways = count_strings(split)
    if not 0 <= rank < ways:
        raise InvalidEnding(f"not the number of an owner string: {rank} (expected 0 to {ways - 1})")
    left, owners = list(split), ""
    for cards in range(sum(split), 0, -1):
        for owner in range(4):
            begun = ways * left[owner] // cards
            if rank < begun:
                break
            rank -= begun
        owners += "0123"[owner]
        ways = begun
        left[owner] -= 1
    return owners


@lru_cache(maxsize=1 << 16)
def _split(owners: str) -> Split:
    return (owners.count("0"), owners.count("1"), owners.count("2"), owners.count("3"))


@lru_cache(maxsize=1 << 16)
def _suit_key(owners: str) -> tuple[tuple[int, Split], str]:
    return split_key(_split(owners)), owners


def _numbered(groups: tuple[tuple[Split, int], ...], has_trumps: bool, rank: int) -> Ending:
    """The state numbered `rank` of a canonical shape, given by its groups of suits."""
    suits: list[str] = []
    for split, many in reversed(groups):
        strings = count_strings(split)
        rank, own = divmod(rank, comb(strings + many - 1, many))
        suits[:0] = [unrank_string(split, number) for number in _unrank_numbers(own, many, strings)]
    a, b, c, d = suits
    return _trusted((a, b, c, d), has_trumps)


def _rank_numbers(numbers: Sequence[int]) -> int:
    """The number of an ascending list, repetitions allowed: the combinatorial number system."""
    return sum(comb(number + place, place + 1) for place, number in enumerate(numbers))


def _unrank_numbers(rank: int, many: int, below: int) -> list[int]:
    """The ascending list of `many` numbers under `below` with that number."""
    numbers = []
    for place in range(many - 1, -1, -1):
        low, high = 0, below - 1
        while low < high:
            middle = (low + high + 1) // 2
            if comb(middle + place, place + 1) <= rank:
                low = middle
            else:
                high = middle - 1
        numbers.append(low)
        rank -= comb(low + place, place + 1)
    return numbers[::-1]


def _winner(cards: Sequence[EndingCard], has_trumps: bool) -> int:
    """Who played the highest trump, or the highest card of the suit led."""
    suit = cards[0].suit
    if has_trumps and any(card.suit == 3 for card in cards):
        suit = 3
    return min((card.place, player) for player, card in enumerate(cards) if card.suit == suit)[1]


# How owners are renamed if that player becomes player 0.
_TURNS = tuple(
    str.maketrans("0123", "".join("0123"[(owner - winner) % 4] for owner in range(4)))
    for winner in range(4)
)


def _trusted(suits: tuple[str, str, str, str], has_trumps: bool) -> Ending:
    """An ending known to be one, without checks."""
    ending = object.__new__(Ending)
    object.__setattr__(ending, "suits", suits)
    object.__setattr__(ending, "has_trumps", has_trumps)
    return ending
