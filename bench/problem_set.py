"""Problems of card play in text files: a position, the right cards, and why.

A problem names two hands; a seat with dots is a hand, one without is what is known of a hidden
hand. With two partners' hands declarer chooses for both. With a defender's hand and dummy, `seat`
says who chooses; then his partner plays, in every layout, a card that is best when all cards are
seen, and declarer sees everything. Layouts are counted here in the plainest way, and not as the
library does.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import lcm
from pathlib import Path
from typing import Any

import numpy as np

from setrograde.bridge import (
    Card,
    Contract,
    Hand,
    HandConstraint,
    Seat,
    Side,
    Strain,
    Suit,
    trick_winner,
)
from setrograde.bridge.coerce import as_cards
from setrograde.robot.knowledge import Knowledge
from setrograde.solve.strategy import Goal, Line, PlayState, StrategySearch

__all__ = ["FOLDER", "Problem", "equal_cards", "read_problems"]

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "data" / "problems"


@dataclass(frozen=True)
class Problem:
    """One problem."""

    theme: str
    name: str
    strain: Strain
    leader: Seat
    hands: dict[Seat, Hand]
    """The two hands that are seen, before the first card of `played`."""

    known: dict[Seat, HandConstraint]
    """What is known of the hidden hands at that time."""

    hidden: Hand
    played: tuple[Card, ...]
    seat: Seat | None
    """Who chooses, in defence; `None` if declarer does."""

    need: int
    """Tricks that the side that chooses needs, from the first card of `played` on."""

    right: tuple[Card, ...]
    why: str

    @property
    def goal(self) -> Goal:
        """The tricks needed."""
        return Goal.make(self.need)

    @cached_property
    def state(self) -> PlayState:
        """The position after `played`."""
        us = next(iter(self.hands)) if self.seat is None else self.seat
        state = PlayState(self.strain, self.leader, (), self.hands, self.hidden, us=us.side)
        for card in self.played:
            state = state.play(card)
        return state

    @cached_property
    def layouts(self) -> tuple[Any, Any]:
        """The cards left in the first hidden hand in every layout that fits, and weights.

        A defender who played one of several equal cards might have played another.
        """
        found: dict[int, Fraction] = {}
        first, second = (seat for seat in Seat if seat not in self.hands)
        for cards in combinations(list(self.hidden), len(next(iter(self.hands.values())))):
            one = Hand.from_cards(cards)
            dealt = {**self.hands, first: one, second: self.hidden - one}
            if all(known.allows(dealt[seat]) for seat, known in self.known.items()):
                weight = self._weight(dealt)
                if weight:
                    found[(one - Hand.from_cards(self.played)).bits] = weight
        scale = lcm(*(weight.denominator for weight in found.values()))
        weights = [int(weight * scale) for weight in found.values()]
        return np.array(list(found), np.uint64), np.array(weights, np.int64)

    def _weight(self, dealt: dict[Seat, Hand]) -> Fraction:
        """How likely the cards are that the hidden hands played; 0 if they cannot have."""
        left, weight, trick, turn = dict(dealt), Fraction(1), list[Card](), self.leader
        for card in self.played:
            follows = not trick or card.suit is trick[0].suit
            if card not in left[turn] or not (follows or not left[turn].length(trick[0].suit)):
                return Fraction(0)
            if turn not in self.hands:
                weight /= len(
                    equal_cards(card, left[turn], [*left.values(), Hand.from_cards(trick)])
                )
            left[turn] -= Hand.from_cards([card])
            trick.append(card)
            turn = turn.next
            if len(trick) == 4:
                turn, trick = trick_winner(trick, turn, self.strain), []
        return weight

    def bounds(self, card: Card, *, work: int, low: bool = True) -> tuple[float, float]:
        """What the best line after a card is worth at least and at most, over all layouts.

        The search that tells every hidden card apart is exact, or an upper bound if the work ends
        it. The search that takes equal cards of a hidden player for one gives a line that can be
        played, and so a lower bound; it is asked, with ten times the work, if the other is not
        exact and `low` is wanted.
        """
        worlds, weights = self.layouts
        after = self.state.play(card)
        if not after.tricks_left:
            value = float(after.won >= self.need)
            return value, value
        seen = worlds & np.uint64(after.hidden.bits)
        search = StrategySearch(limit_mb=64)

        def ask(labels: bool, work: int) -> Line:
            return search.solve_line(
                after, seen, self.goal, weights=weights, labels=labels, work_limit=work
            )

        line = ask(False, work)
        if line.complete:
            return line.value, line.value
        if not low:
            return 0.0, line.value
        blind = ask(True, 10 * work)
        return blind.value if blind.complete else 0.0, line.value

    def verify(self, *, work: int = 4_000_000) -> tuple[float, float]:
        """What right cards are worth at least, and others at most: a proof if the first is more.

        Right cards that are both exact must be worth the same.
        """
        right = [self.bounds(card, work=work) for card in self.right]
        exact = [low for low, high in right if low == high]
        if exact and max(exact) - min(exact) > 1e-9:
            return min(exact), max(exact)
        others = [
            self.bounds(card, work=work, low=False)[1]
            for card in self.choices
            if card not in self.right
        ]
        return min(low for low, _ in right), max(others)

    @cached_property
    def knowledge(self) -> Knowledge:
        """The position as the robot is asked, with South as declarer and North as dummy.

        Unless West leads, a trick is put before it that the leader wins with small cards that are
        not in the problem. Tricks won before make the contract of one that which is needed.
        """
        dealt = Hand.from_cards([card for hand in self.hands.values() for card in hand])
        deck, hands, played = dealt | self.hidden, dict(self.hands), list(self.played)
        declarers_need = self.need
        if self.seat is not None:
            declarers_need = len(next(iter(hands.values()))) + 1 - self.need
        before = 7 - declarers_need
        if self.leader is not Seat.WEST:
            # The suit least in the problem, so that nothing known of the hands speaks of it.
            suit = min(Suit, key=deck.length)
            spare = [card for card in Hand.FULL - deck if card.suit is suit][-4:]
            order = [Seat.WEST.next_by(step) for step in range(4)]
            rest = iter(spare[1:])
            trick = [spare[0] if seat is self.leader else next(rest) for seat in order]
            for seat, card in zip(order, trick, strict=True):
                if seat in hands:
                    hands[seat] |= Hand.from_cards([card])
            deck |= Hand.from_cards(trick)
            played = [*trick, *played]
            before -= self.leader.side is Side.NS
        return Knowledge(
            seat=self.seat or Seat.SOUTH,
            contract=Contract(1, self.strain, declarer=Seat.SOUTH),
            hand=hands[self.seat or Seat.SOUTH],
            dummy=hands[Seat.NORTH],
            played=played,
            meanings=self.known,
            deck=deck,
            won_before=before,
        )

    @cached_property
    def choices(self) -> tuple[Card, ...]:
        """The cards that may be played; of equal ones the lowest."""
        legal, held = self.state.legal_cards(), self.state.hands[self.state.turn]
        others = [*self.state.hands.values(), self.state.hidden, Hand.from_cards(self.state.trick)]
        lowest = {min(equal_cards(card, held, others), key=lambda c: c.rank) for card in legal}
        return tuple(sorted(lowest, key=lambda card: (card.suit, card.rank)))


def equal_cards(card: Card, hand: Hand, present: list[Hand]) -> list[Card]:
    """The cards of a hand that are worth as much as `card`: nobody has one between."""
    suit = sorted(
        (one for cards in present for one in cards if one.suit is card.suit),
        key=lambda one: one.rank,
    )
    place = suit.index(card)
    found = [card]
    for side in (suit[place + 1 :], suit[:place][::-1]):
        for one in side:
            if one not in hand:
                break
            found.append(one)
    return found


def read_problems(folder: Path = FOLDER) -> Iterator[Problem]:
    """All problems, theme by theme."""
    for path in sorted(folder.glob("*.toml")):
        for item in tomllib.loads(path.read_text("utf-8"))["problem"]:
            yield _problem(path.stem.replace("_", " "), item)


def _problem(theme: str, item: dict[str, Any]) -> Problem:
    seats = {seat: str(item.get(seat.name.lower(), "")) for seat in Seat}
    return Problem(
        theme,
        item["name"],
        Strain.from_text(item["strain"]),
        Seat.from_text(item["leader"]),
        {seat: Hand.from_text(text) for seat, text in seats.items() if "." in text},
        {
            seat: HandConstraint.from_text(text)
            for seat, text in seats.items()
            if text and "." not in text
        },
        Hand.from_text(item["hidden"]),
        as_cards(item.get("played", "").split()),
        Seat.from_text(item["seat"]) if "seat" in item else None,
        item["need"],
        as_cards(item["right"]),
        item["why"],
    )
