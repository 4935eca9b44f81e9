"""A position and the values of its cards, in words and as JSON: for `solve` and `db probe`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Protocol

from setrograde.bridge import Hand, Play, Side, Strain, Suit
from setrograde.solve.double_dummy import CardValue

__all__ = ["Totals", "answer_to_dict", "format_cards", "format_situation", "format_totals"]


class Totals(Protocol):
    """Anything with the number of tricks that each side takes from here on."""

    @property
    def tricks_ns(self) -> int:
        """Tricks of North-South."""

    @property
    def tricks_ew(self) -> int:
        """Tricks of East-West."""


def answer_to_dict(play: Play, totals: Totals, values: Sequence[CardValue]) -> dict[str, Any]:
    """The position and the tricks of both sides and of every card, by the names of the JSON keys.

    >>> from setrograde.bridge import Deal, Seat
    >>> from setrograde.solve.double_dummy import solve_cards, solve_deal
    >>> deal = Deal.from_pbn("N:A... K... Q... J...")
    >>> play = Play(deal, Strain.NOTRUMP, Seat.NORTH)
    >>> values = solve_cards(deal, Strain.NOTRUMP, Seat.NORTH)
    >>> answer_to_dict(play, solve_deal(deal, Strain.NOTRUMP, Seat.NORTH), values)["cards"]
    [{'card': 'SA', 'tricks': 1, 'cost': 0}]
    """
    return {
        "strain": str(play.strain),
        "leader": str(play.leader),
        "played": [str(card) for card in play.cards],
        "turn": None if play.is_over else str(play.turn),
        "tricks_ns": totals.tricks_ns,
        "tricks_ew": totals.tricks_ew,
        "won_ns": play.tricks_won(Side.NS),
        "won_ew": play.tricks_won(Side.EW),
        "cards": [
            {"card": str(value.card), "tricks": value.tricks, "cost": value.cost}
            for value in values
        ],
    }


def format_situation(play: Play) -> str:
    """Which suit is trumps, and who plays to which trick.

    >>> from setrograde.bridge import Deal, Seat
    >>> play = Play(Deal.from_pbn("N:A... K... Q... J..."), Strain.NOTRUMP, Seat.NORTH)
    >>> format_situation(play)
    'Notrump, North to lead to trick 1'
    """
    trumps = "Notrump" if play.strain is Strain.NOTRUMP else f"{play.strain.symbol} trumps"
    if play.is_over:
        return f"{trumps}, all cards are played"
    trick = play.current_trick
    number = len(play.cards) // 4 + 1
    if not trick.cards:
        return f"{trumps}, {play.turn.name.title()} to lead to trick {number}"
    table = " ".join([card.pretty for card in trick.cards])
    leader = trick.leader.name.title()
    turn = play.turn.name.title()
    return f"{trumps}, {turn} to play to trick {number}: {table} led by {leader}"


def format_totals(play: Play, totals: Totals) -> str:
    """The tricks both sides take from here on, and in all if some tricks are over."""
    won_ns, won_ew = play.tricks_won(Side.NS), play.tricks_won(Side.EW)
    ns, ew = totals.tricks_ns, totals.tricks_ew
    if not won_ns + won_ew:
        return f"N-S take {ns} {_tricks(ns)}, E-W {ew}"
    return (
        f"N-S take {ns} more {_tricks(ns)}, E-W {ew}; in all N-S {won_ns + ns}, E-W {won_ew + ew}"
    )


def format_cards(side: Side, values: Sequence[CardValue]) -> str:
    """A table with one row for each value, best first, and the cards that have it.

    >>> from setrograde.bridge import Card
    >>> values = [CardValue(Card.from_text("H3"), 2, 0), CardValue(Card.from_text("S5"), 1, 1)]
    >>> print(format_cards(Side.NS, values))
    N-S tricks  cost  cards
             2     -  ♥ 3
             1     1  ♠ 5
    """
    name = "N-S" if side is Side.NS else "E-W"
    rows = [f"{name} tricks  cost  cards"]
    for (tricks, cost), group in groupby(values, key=lambda value: (value.tricks, value.cost)):
        hand = Hand.from_cards([value.card for value in group])
        suits = [f"{suit.symbol} {hand.holding(suit)}" for suit in reversed(Suit)]
        cards = "  ".join([text for text in suits if not text.endswith(" ")])
        rows.append(f"{tricks:10}  {cost or '-':>4}  {cards}")
    return "\n".join(rows)


def _tricks(count: int) -> str:
    return "trick" if count == 1 else "tricks"
