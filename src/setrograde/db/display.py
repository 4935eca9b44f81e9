"""How answers of the database are shown: sets of deals, bars, notebooks.

A set of deals that a probe found fixes the length of every suit in every hand, and ties some cards
to players. It is shown as a diagram with x's, or told in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from itertools import groupby

from setrograde.bridge import Card, Seat, Suit
from setrograde.common.columns import around_table

from .deal_sets import DealSet

__all__ = ["describe_set", "format_histogram", "format_set", "html_text"]

_BAR = 40


def format_histogram(histogram: Mapping[int, int]) -> str:
    """A row for each number of tricks, also for those in between that no deal gives.

    >>> print(format_histogram({1: 20, 3: 60}))
    N-S tricks  deals    share
             1     20   25.00%  #############
             2      0    0.00%
             3     60   75.00%  ########################################
    """
    total, most = sum(histogram.values()), max(histogram.values())
    width = max(len("deals"), len(f"{total:,}"))
    rows = [f"N-S tricks  {'deals':>{width}}    share"]
    for tricks in range(min(histogram), max(histogram) + 1):
        count = histogram.get(tricks, 0)
        bar = "#" * max(round(_BAR * count / most), 1 if count else 0)
        rows.append(f"{tricks:10}  {count:{width},}  {count / total:7.2%}  {bar}".rstrip())
    return "\n".join(rows)


def html_text(text: str) -> str:
    """Text in columns for a notebook.

    >>> html_text("a < b")
    '<pre>a &lt; b</pre>'
    """
    return f"<pre>{escape(text)}</pre>"


def format_set(deals: DealSet) -> str:
    """Four hands: cards that are tied to a player by name, others as `x`.

    `?` stands for the cards of a suit if one of them may be with some players only; that card is
    named below.

    >>> deals = DealSet.from_text("SA=N SK=EW SQJ=x HA=E HKQJ=x "
    ...     "N.S=1 E.S=1 S.S=1 W.S=1 N.H=1 E.H=1 S.H=1 W.H=1")
    >>> print(format_set(deals))
              North
              ♠ A
              ♥ x
    West               East
    ♠ ?                ♠ ?
    ♥ x                ♥ A
              South
              ♠ x
              ♥ x
    ♠K: East or West
    """
    suits = [_SuitSet(deals, suit) for suit in reversed(Suit) if deals.cards_of(suit)]
    north, east, south, west = (
        [seat.name.title(), *filter(None, [suit.hand(seat) for suit in suits])] for seat in Seat
    )
    lines = around_table(north, east, south, west)
    return "\n".join(lines + [line for suit in suits for line in suit.choices()])


def describe_set(deals: DealSet) -> str:
    """Who has which cards, and which cards do not matter.

    >>> deals = DealSet.from_text("SA=N SK=EW SQJ=x N.S=1 E.S=1 S.S=1 W.S=1")
    >>> describe_set(deals)
    'North has ♠A; ♠K is with East or West; the other cards lie anywhere'
    """
    suits = [_SuitSet(deals, suit) for suit in reversed(Suit) if deals.cards_of(suit)]
    words = []
    for seat in Seat:
        held = " ".join([f"{suit.name}{tied}" for suit in suits if (tied := suit.tied(seat))])
        if held:
            words.append(f"{seat.name.title()} has {held}")
    words += [line.replace(":", " is with") for suit in suits for line in suit.choices()]
    if any(suit.is_loose for suit in suits):
        words.append("the other cards lie anywhere" if words else "all cards lie anywhere")
    return "; ".join(words)


class _SuitSet:
    """One suit of a set that fixes how many of it each player has."""

    def __init__(self, deals: DealSet, suit: Suit) -> None:
        self.name = suit.symbol
        self._cards = deals.cards_of(suit)
        self._holders = {card: deals.holders[card] for card in self._cards}
        self._room = {seat: deals.lengths[seat, suit][0] for seat in Seat}
        self._tied: dict[Card, Seat] = {}
        while self._tie():
            pass
        self._open = frozenset(seat for seat in Seat if self._room[seat])

    def _tie(self) -> bool:
        """Tie cards to the only player who can have them; true if there were such cards."""
        found = False
        for card, seats in self._holders.items():
            left = [seat for seat in seats if self._room[seat]]
            if card not in self._tied and len(left) == 1:
                self._tied[card] = left[0]
                self._room[left[0]] -= 1
                found = True
        return found

    @property
    def is_loose(self) -> bool:
        """True if some card may be with any player who has room for it."""
        return any(
            card not in self._tied and seats >= self._open for card, seats in self._holders.items()
        )

    def tied(self, seat: Seat) -> str:
        """The ranks of the cards that the player has in all deals."""
        return "".join([card.rank.letter for card in self._cards if self._tied.get(card) is seat])

    def hand(self, seat: Seat) -> str:
        """The suit in one hand; nothing if it is void."""
        mark = "?" if any(seat in seats for _, seats in self._chosen()) else "x"
        held = self.tied(seat) + mark * self._room[seat]
        return f"{self.name} {held}" if held else ""

    def choices(self) -> list[str]:
        """A line for each group of cards that may be with some players only."""
        lines = []
        for seats, group in groupby(self._chosen(), key=lambda pair: pair[1]):
            ranks = "".join([card.rank.letter for card, _ in group])
            *others, last = [seat.name.title() for seat in Seat if seat in seats]
            lines.append(f"{self.name}{ranks}: {', '.join(others)} or {last}")
        return lines

    def _chosen(self) -> list[tuple[Card, frozenset[Seat]]]:
        return [
            (card, self._holders[card] & self._open)
            for card in self._cards
            if card not in self._tied and not self._holders[card] >= self._open
        ]
