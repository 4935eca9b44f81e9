"""One mined ending: its cards, what is at stake, and why.

>>> ending = MinedEnding.of_deal("only-card", "N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", "S")
>>> assert ending is not None
>>> print(ending.reason)
only ♥3 takes 2 of 3 tricks, every other card loses 1
>>> ending.command
"setrograde solve 'N:AQ.2.. K3.A.. 54.3.. 76.4..' --strain NT --leader S --line"
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from setrograde.bridge import Card, Deal, Hand, Play, Seat, Strain
from setrograde.bridge.coerce import (
    DealLike,
    SeatLike,
    StrainLike,
    as_deal,
    as_seat,
    as_strain,
)
from setrograde.bridge.display import format_deal, format_play
from setrograde.db.display import html_text
from setrograde.errors import InvalidInput
from setrograde.solve.double_dummy import CardValue, Solver

__all__ = ["MinedEnding", "Property"]


class Property(StrEnum):
    """What makes an ending worth a look; its cost is the number of tricks at stake.

    >>> Property("only-card")
    <Property.ONLY_CARD: 'only-card'>
    """

    LEAD_COSTS = "lead-costs"
    """Whoever must lead loses by it: each side takes fewer tricks if any of its own players leads
    than if any of the other side's does. Cost: the least difference."""

    ONLY_CARD = "only-card"
    """Just one of the leader's cards is best, touching cards counted as one. Cost: what the second
    best card loses."""

    LOW_BEATS_HIGH = "low-beats-high"
    """The leader has two cards of a suit of which the lower is better. Cost: the greatest such
    difference."""

    ONLY_LOW = "only-low"
    """Just one card is best, and the leader has a higher card of that suit, not touching it. Cost:
    as for `ONLY_CARD`."""

    UNBLOCK = "unblock"
    """The leader may cash the highest card of a suit, which is as good as any other lead, and a
    defender must not follow to it with his lowest card. Cost: what that defender loses if he does,
    whatever his partner plays."""

    @classmethod
    def from_text(cls, name: str) -> Property:
        """The property with this name.

        >>> Property.from_text("pretty")
        Traceback (most recent call last):
        ...
        setrograde.errors.InvalidInput: not a property: 'pretty' (expected lead-costs, only-card, \
low-beats-high, only-low, unblock)
        """
        try:
            return cls(name)
        except ValueError:
            names = ", ".join(cls)
            raise InvalidInput(f"not a property: {name!r} (expected {names})") from None

    @property
    def is_of_cards(self) -> bool:
        """True if it compares the leader's cards with one another."""
        return self in (Property.ONLY_CARD, Property.LOW_BEATS_HIGH, Property.ONLY_LOW)


@dataclass(frozen=True, slots=True)
class MinedEnding:
    """An ending with a property, solved without databases."""

    kind: Property
    """The property."""
    cost: int
    """Tricks at stake."""
    deal: Deal
    """The four hands."""
    strain: Strain
    """Trumps or notrump."""
    leader: Seat
    """The player who leads."""
    cards: tuple[CardValue, ...]
    """Every card of the leader's with its value, best first."""
    line: Play
    """One line of perfect play; for `UNBLOCK` it begins with the card that is cashed."""
    reason: str
    """What there is to see, in words."""

    @classmethod
    def of_deal(
        cls,
        kind: Property | str,
        deal: DealLike,
        strain: StrainLike,
        leader: SeatLike,
        *,
        solver: Solver | None = None,
    ) -> MinedEnding | None:
        """Solve an ending and say what is to be seen in it; `None` if it lacks the property.

        >>> MinedEnding.of_deal("only-card", "N:A... K... Q... J...", "NT", "N") is None
        True
        """
        kind = Property.from_text(kind)
        deal, strain, leader = as_deal(deal), as_strain(strain), as_seat(leader)
        solver = solver or Solver(limit_mb=16, endings=None)
        position = _Position(deal, strain, leader, solver)
        seen = position.look(kind)
        if seen is None:
            return None
        line = solver.best_line(deal, strain, leader, played=seen.played)
        return cls(kind, seen.cost, deal, strain, leader, position.cards, line, seen.reason)

    @property
    def tricks(self) -> int:
        """What the leader's side takes."""
        return self.cards[0].tricks

    @property
    def command(self) -> str:
        """What to type to check it."""
        words = ["setrograde", "solve", self.deal.to_pbn(), "--strain", str(self.strain)]
        return shlex.join([*words, "--leader", str(self.leader), "--line"])

    @property
    def stake(self) -> str:
        """The tricks at stake and why, in words."""
        return f"{self.cost} {'trick' if self.cost == 1 else 'tricks'} at stake: {self.reason}"

    def __str__(self) -> str:
        """What there is to see, the hands, and one line of perfect play."""
        trumps = "Notrump" if self.strain is Strain.NOTRUMP else f"{self.strain.symbol} trumps"
        return "\n\n".join(
            [
                self.stake,
                f"{format_deal(self.deal)}\n\n{trumps}, {self.leader.name.title()} leads",
                f"One line of perfect play:\n{format_play(self.line)}",
                self.command,
            ]
        )

    def _repr_html_(self) -> str:
        return html_text(str(self))


@dataclass(frozen=True, slots=True)
class _Seen:
    """What there is to see."""

    cost: int
    reason: str
    played: tuple[Card, ...] = ()
    """How the line must begin."""


class _Position:
    """One ending, looked at with the solver."""

    def __init__(self, deal: Deal, strain: Strain, leader: Seat, solver: Solver) -> None:
        self.start = Play(deal, strain, leader)
        self.solver = solver
        self.cards = tuple(solver.cards(deal, strain, leader))
        tricks = len(deal[leader])
        self.of_all = f"of {tricks} {'trick' if tricks == 1 else 'tricks'}"

    def look(self, kind: Property) -> _Seen | None:
        """How much is at stake, and why; `None` if nothing is."""
        if kind is Property.LEAD_COSTS:
            return self._lead_costs()
        if kind is Property.LOW_BEATS_HIGH:
            return self._low_beats_high()
        if kind is Property.UNBLOCK:
            return self._unblock()
        return self._only_card(low=kind is Property.ONLY_LOW)

    def _lead_costs(self) -> _Seen | None:
        north, east, south, west = (
            self.solver.solve(self.start.deal, self.start.strain, leader).tricks_ns
            for leader in Seat
        )
        own, other = max(north, south), min(east, west)
        if other <= own:
            return None
        reason = f"N-S take {own} {self.of_all} if they lead, {other} if E-W do"
        return _Seen(other - own, reason)

    def _low_beats_high(self) -> _Seen | None:
        pairs = [
            (low, high)
            for low in self.cards
            for high in self.cards
            if low.card.suit == high.card.suit and low.card.rank < high.card.rank
        ]
        if not pairs:
            return None
        low, high = max(pairs, key=lambda pair: (pair[0].tricks - pair[1].tricks, pair[0].tricks))
        if low.tricks <= high.tricks:
            return None
        takes = f"{low.card.pretty} takes {low.tricks} {self.of_all}"
        return _Seen(low.tricks - high.tricks, f"{takes}, {high.card.pretty} only {high.tricks}")

    def _only_card(self, *, low: bool) -> _Seen | None:
        best = sorted(value.card for value in self.cards if value.cost == 0)
        others = [value for value in self.cards if value.cost]
        if not others or not self._are_touching(best):
            return None
        suit = best[0].suit
        if low and all(o.card.suit != suit or o.card < best[0] for o in others):
            return None
        names = suit.symbol + "".join([card.rank.letter for card in reversed(best)])
        takes = "takes" if len(best) == 1 else "each take"
        cost = min(value.cost for value in others)
        more = " or more" if any(value.cost > cost for value in others) else ""
        return _Seen(
            cost,
            f"only {names} {takes} {self.cards[0].tricks} {self.of_all},"
            f" every other card loses {cost}{more}",
        )

    def _are_touching(self, cards: Sequence[Card]) -> bool:
        """True for cards of one suit with none of another player's between them."""
        if len({card.suit for card in cards}) > 1:
            return False
        between = [
            card
            for card in Hand(self.start.deal.bits)
            if card.suit == cards[0].suit and cards[0] <= card <= cards[-1]
        ]
        return len(between) == len(cards)

    def _unblock(self) -> _Seen | None:
        """The suit and the defender with most at stake."""
        start = self.start
        leader, best, found = start.leader, self.cards[0].tricks, None
        for top in self._winners():
            for defender in (leader.next, leader.next_by(3)):
                held = [card for card in start.deal[defender] if card.suit == top.suit]
                if not held:
                    continue
                cost = self._after(start.with_card(top), defender, min(held)) - best
                if cost > (found.cost if found else 0):
                    reason = (
                        f"{leader.name.title()} cashes {top.pretty};"
                        f" {defender.name.title()} must not follow with {min(held).pretty}"
                    )
                    found = _Seen(cost, reason, (top,))
        return found

    def _winners(self) -> list[Card]:
        """The leader's cards that are highest of their suit and as good a lead as any."""
        every = Hand(self.start.deal.bits)
        return [
            value.card
            for value in self.cards
            if value.cost == 0
            and value.card == max(card for card in every if card.suit == value.card.suit)
        ]

    def _after(self, play: Play, defender: Seat, low: Card) -> int:
        """Tricks of the leader's side if the defender follows with `low`, whatever comes."""
        side = self.start.leader.side
        if play.is_over:
            return play.tricks_won(side)
        if not play.current_trick.cards:
            answer = self.solver.solve(play.deal, play.strain, play.leader, played=play.cards)
            return play.tricks_won(side) + answer.tricks(side)
        cards = (low,) if play.turn is defender else play.legal_cards()
        values = [self._after(play.with_card(card), defender, low) for card in cards]
        return max(values) if play.turn.side is side else min(values)
