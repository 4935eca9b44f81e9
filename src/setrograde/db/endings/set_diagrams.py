"""Sets of endings for bridge players: a diagram with x's, and words.

>>> states = EndingSet.from_text("T x:0100 0xxx:1111 [02]xx:1011")
>>> print(format_set(states))
          North
          ♠ ?
          ♥ A
West               East
♠ x                ♥ x
♥ x                ♦ A
          South
          ♠ ?
          ♥ x
♠A: North or South
>>> print(describe_set(states, 2))
Spades are trumps and North leads; 2 tricks are left.
♠A: North or South; lower cards anywhere.
♥A: North; lower cards anywhere.
♦A: East.
North-South take 2 tricks in each of 24 layouts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_

from setrograde.bridge import InvalidInput, Rank, Seat, Suit
from setrograde.common.columns import around_table
from setrograde.papers.arrangements import Arrangements

from .ending_sets import EndingSet

__all__ = ["describe_set", "format_set"]


def format_set(states: EndingSet, *, leader: Seat = Seat.NORTH) -> str:
    """The four hands: cards that are placed, `x` for low ones that lie anywhere.

    Suits are shown as clubs to spades, trumps as spades, cards from the ace down. Where some
    card has a choice of owners, hands that may hold it have `?` for all cards that are not
    placed, and the choice is named below.
    """
    suits = _suits(states)
    hands = {seat: [suit.cards_of((seat - leader) % 4) for suit in suits] for seat in Seat}
    north, east, south, west = ([name, *filter(None, hands[seat])] for seat, name in _NAMES.items())
    lines = around_table(north, east, south, west)
    for suit in suits:
        lines += [
            f"{suit.named(run)}: {_owners(run.mask, leader)}"
            for run in suit.runs
            if suit.is_choice(run)
        ]
    return "\n".join(lines)


def describe_set(
    states: EndingSet, tricks_leader: int | None = None, *, leader: Seat = Seat.NORTH
) -> str:
    """Which cards lie where, what does not matter, how many layouts there are.

    With `tricks_leader`, also what the leader's side takes.
    """
    tricks = states.shape.tricks
    if tricks_leader is not None and not 0 <= tricks_leader <= tricks:
        raise InvalidInput(f"not a number of tricks: {tricks_leader} (expected 0 to {tricks})")
    trumps = "Spades are trumps" if states.has_trumps else "Notrump,"
    lines = [
        f"{trumps}{' ' if not states.has_trumps else ' and '}{_NAMES[leader]} leads;"
        f" {_count(tricks, 'trick')} {'is' if tricks == 1 else 'are'} left."
    ]
    lines += [f"{suit.words(leader)}." for suit in _suits(states)]
    layouts = _count(len(states), "layout")
    if tricks_leader is None:
        lines.append(f"{layouts}.")
    else:
        side = "North-South" if leader in (Seat.NORTH, Seat.SOUTH) else "East-West"
        each = f"in each of {layouts}" if len(states) > 1 else "in the only layout"
        lines.append(f"{side} take {_count(tricks_leader, 'trick')} {each}.")
    return "\n".join(lines)


_NAMES = {seat: seat.name.title() for seat in Seat}


@dataclass(frozen=True, slots=True)
class _Run:
    """Cards next to each other with the same owners."""

    first: int
    end: int
    mask: int


class _Suit:
    """A suit of a set, without owners that no layout uses."""

    def __init__(self, suit: Suit, cards: Arrangements) -> None:
        self._suit = suit
        self._masks = cards.tightened().masks
        self._placed = [self._masks.count(1 << player) for player in range(4)]
        self._unplaced = [
            count - placed for count, placed in zip(cards.counts, self._placed, strict=True)
        ]
        self._anywhere = sum(1 << p for p, count in enumerate(self._unplaced) if count)
        self.runs: list[_Run] = []
        for place, mask in enumerate(self._masks):
            if self.runs and self.runs[-1].mask == mask:
                self.runs[-1] = _Run(self.runs[-1].first, place + 1, mask)
            else:
                self.runs.append(_Run(place, place + 1, mask))

    def is_choice(self, run: _Run) -> bool:
        """True if some players may have the cards and others with open places may not."""
        return run.mask & (run.mask - 1) != 0 and run.mask != self._anywhere

    def named(self, run: _Run) -> str:
        """The cards, from the ace down."""
        return self._suit.symbol + "".join(_letter(card) for card in range(run.first, run.end))

    def cards_of(self, player: int) -> str:
        """What a hand shows; nothing if it is void."""
        own = [_letter(card) for card, mask in enumerate(self._masks) if mask == 1 << player]
        choices = reduce(or_, [run.mask for run in self.runs if self.is_choice(run)], 0)
        own += ["?" if choices >> player & 1 else "x"] * self._unplaced[player]
        return f"{self._suit.symbol} {''.join(own)}" if own else ""

    def words(self, leader: Seat) -> str:
        """Where the cards lie, highest first."""
        words = []
        for run in self.runs:
            is_anywhere = run.mask == self._anywhere and not self.is_choice(run)
            if is_anywhere and run.mask & (run.mask - 1) and run.end == len(self._masks):
                low = "lower cards" if run.first else f"{self._suit.symbol} all cards"
                words.append(f"{low} anywhere")
            else:
                where = "anywhere" if is_anywhere else _owners(run.mask, leader)
                words.append(f"{self.named(run)}: {where}")
        return "; ".join(words)


def _suits(states: EndingSet) -> list[_Suit]:
    """Spades first."""
    pairs = zip(reversed(Suit), reversed(states.suits), strict=True)
    return [_Suit(suit, cards) for suit, cards in pairs if cards.masks]


def _letter(card: int) -> str:
    return Rank(12 - card).letter


def _owners(mask: int, leader: Seat) -> str:
    seats = sorted(leader.next_by(player) for player in range(4) if mask >> player & 1)
    *others, last = [_NAMES[seat] for seat in seats]
    return f"{', '.join(others)} or {last}" if others else last


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
