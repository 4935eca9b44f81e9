"""The question: what declarer sees, what is known of the other hands, and which layouts are left.

Layouts are those of `OddsQuestion`: they fit the constraints, the cards played and the voids shown.
Beyond that one thing is read into the play. A defender who plays one of several equal cards might
have played any of them, so a layout in which he had a choice of two counts half. Bridge players
call this restricted choice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import lcm

import numpy as np
from numpy.typing import NDArray

from setrograde.analysis.odds.asking import asked_need, played_contract
from setrograde.analysis.odds.question import Known, OddsQuestion
from setrograde.bridge import Card, Hand, Seat, Side, Strain, trick_winner
from setrograde.bridge.coerce import (
    CardsLike,
    ContractLike,
    HandLike,
    SeatLike,
    StrainLike,
    as_seat,
    as_strain,
)
from setrograde.common.stop import StopFlag, check_stop
from setrograde.errors import InvalidInput
from setrograde.solve.strategy import PlayState

__all__ = ["LineQuestion", "LineWorlds"]


@dataclass(frozen=True)
class LineWorlds:
    """Layouts to search, with weights."""

    cards: NDArray[np.uint64]
    """The cards still in the first hidden hand, one number for each layout."""

    weights: NDArray[np.int64]
    """How much each layout counts."""

    sampled: bool
    """True if they are drawn at random, not all there are."""

    def share(self, chosen: NDArray[np.bool_]) -> Fraction:
        """The chance of some of them."""
        return Fraction(int(self.weights[chosen].sum()), int(self.weights.sum()))


@dataclass(frozen=True)
class LineQuestion:
    """Two hands of one side, the tricks they need, and what is known of the other two.

    >>> asked = LineQuestion.of("AQ...", "32...", "NT", hidden="KJT9...", leader="S", need=2)
    >>> asked.layouts, asked.state.turn
    (6, Seat.SOUTH)
    """

    odds: OddsQuestion
    """The hands, the constraints and the cards played, as the package `odds` has them."""

    need: int
    """Tricks that declarer's side needs in all, those already won included."""

    state: PlayState
    """What declarer sees now."""

    @classmethod
    def of(
        cls,
        north: HandLike,
        south: HandLike,
        strain: StrainLike | None = None,
        declarer: SeatLike | None = None,
        *,
        contract: ContractLike | None = None,
        need: int | None = None,
        west: Known = None,
        east: Known = None,
        hidden: HandLike | None = None,
        leader: SeatLike | None = None,
        played: CardsLike = (),
    ) -> LineQuestion:
        """A question with the hands of North and South; see `best_line`.

        >>> LineQuestion.of("AQ...", "32...", "NT", hidden="KJT9...", need=2)
        Traceback (most recent call last):
        ...
        setrograde.errors.InvalidInput: no declarer and no leader (expected one: it says who plays \
first)
        """
        asked_strain, first = _strain_and_leader(strain, declarer, contract, leader)
        # `OddsQuestion` has the player after declarer lead; any leader is the player after someone.
        odds = OddsQuestion.of(
            north,
            south,
            asked_strain,
            first.next_by(3),
            west=west,
            east=east,
            hidden=hidden,
            played=played,
        )
        asked = asked_need(need, contract, odds.tricks)
        if asked is None:
            raise InvalidInput("no number of tricks (expected need, or a contract like '3NTS')")
        if not 1 <= asked <= odds.tricks:
            raise InvalidInput(f"not a number of tricks: {asked} (expected 1 to {odds.tricks})")
        return cls(odds, asked, _state(odds))

    @property
    def layouts(self) -> int:
        """The number of layouts that fit."""
        return self.odds.layouts.count()

    def worlds(self, limit: int, *, seed: int, stop: StopFlag | None = None) -> LineWorlds:
        """All layouts if there are no more than `limit`, otherwise that many drawn at random."""
        sampled = self.layouts > limit
        layouts: Iterable[Hand] = self.odds.layouts
        if sampled:
            layouts = islice(self.odds.layouts.iter_sample(seed=seed, stop=stop), limit)
        found: dict[int, Fraction] = {}
        for layout in layouts:
            check_stop(stop)
            weight = self._weight(layout)
            found[layout.bits] = found.get(layout.bits, Fraction(0)) + weight
        scale = lcm(*(weight.denominator for weight in found.values()))
        return LineWorlds(
            np.array(list(found), np.uint64),
            np.array([int(weight * scale) for weight in found.values()], np.int64),
            sampled,
        )

    def _weight(self, layout: Hand) -> Fraction:
        """The chance that defenders who do not mind which of equal cards they play played these."""
        if not self.odds.played:
            return Fraction(1)
        play = self.odds.play_of(layout)
        hands = dict(zip(Seat, play.deal, strict=True))
        weight, trick, turn = Fraction(1), list[Card](), self.odds.leader
        for card in self.odds.played:
            if turn in self.odds.hidden_seats:
                left = Hand.from_cards(trick)
                for hand in hands.values():
                    left |= hand
                weight /= _equals(card, hands[turn], left)
            hands[turn] -= Hand.from_cards([card])
            trick.append(card)
            turn = turn.next
            if len(trick) == 4:
                turn = trick_winner(trick, turn, self.odds.strain)
                trick = []
        return weight


def _equals(card: Card, hand: Hand, left: Hand) -> int:
    """The number of cards of a hand that are worth as much as `card`, itself included."""
    suit = [other for other in left if other.suit is card.suit]
    place = suit.index(card)
    count = 1
    for side in (suit[place + 1 :], suit[:place][::-1]):
        for other in side:
            if other not in hand:
                break
            count += 1
    return count


def _strain_and_leader(
    strain: StrainLike | None,
    declarer: SeatLike | None,
    contract: ContractLike | None,
    leader: SeatLike | None,
) -> tuple[Strain, Seat]:
    if contract is not None:
        found = played_contract(contract, declarer)
        strain, declarer = found.strain, found.declarer
    if strain is None:
        raise InvalidInput("no strain (expected one like 'NT', or a contract like '3NTS')")
    if leader is None and declarer is None:
        raise InvalidInput("no declarer and no leader (expected one: it says who plays first)")
    if leader is not None:
        return as_strain(strain), as_seat(leader)
    assert declarer is not None
    seat = as_seat(declarer)
    if seat.side is not Side.NS:
        raise InvalidInput(
            f"{seat.name.title()} declares (expected North or South: their hands are seen)"
        )
    return as_strain(strain), seat.next


def _state(odds: OddsQuestion) -> PlayState:
    place = odds.position
    return PlayState(
        odds.strain,
        place.leader,
        place.trick,
        {Seat.NORTH: place.north, Seat.SOUTH: place.south},
        place.layouts.cards,
        won=place.won_known,
    )
