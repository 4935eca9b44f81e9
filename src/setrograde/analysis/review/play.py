"""What each card of a play cost, double dummy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from setrograde.bridge import Card, Contract, Hand, Play, Seat, Side, Suit, Vulnerability
from setrograde.bridge.scoring import score_contract
from setrograde.common.stop import StopFlag
from setrograde.common.words import count_of
from setrograde.solve.double_dummy import Solver

__all__ = ["CardReview", "Rest", "Role", "card_list", "review_cards", "review_rest"]


class Role(Enum):
    """In which role a card was played.

    >>> Role.LEAD.value
    'lead'
    """

    DECLARER = "declarer"
    """From declarer's hand or from dummy, both of which declarer plays."""

    LEAD = "lead"
    """The opening lead, made before dummy is seen."""

    DEFENCE = "defence"
    """Every other card of the defenders."""


@dataclass(frozen=True, slots=True)
class CardReview:
    """One card played, and what it cost the side that played it.

    >>> review = CardReview(1, Seat.WEST, Seat.WEST, Role.LEAD, Card.from_text("H4"), 9, 10, 420,
    ...                     (Card.from_text("SK"), Card.from_text("SQ"), Card.from_text("D2")))
    >>> review.cost_tricks, review.trick
    (1, 1)
    >>> str(review)
    'trick 1: West led ♥4, cost 1 trick, 420 points: right was ♠ KQ, ♦ 2'
    """

    number: int
    """Which card of the play it was, from 1."""

    seat: Seat
    """Whose hand it came from."""

    player: Seat
    """Who chose it: declarer for the cards of dummy."""

    role: Role
    """Declarer's play, opening lead or defence."""

    card: Card
    """The card."""

    tricks_before: int
    """Declarer's tricks in all with perfect play, just before the card."""

    tricks_after: int
    """The same just after it."""

    cost_points: int | None = None
    """Points of this contract that it lost for its side; `None` if they are not known."""

    better: tuple[Card, ...] = ()
    """The cards that would have cost nothing; empty if this one cost nothing."""

    known: None = None
    """Reserved: what the player could know. The review is double dummy, so it is `None`."""

    @property
    def trick(self) -> int:
        """Number of the trick, from 1."""
        return (self.number - 1) // 4 + 1

    @property
    def is_dummy(self) -> bool:
        """True for a card of dummy."""
        return self.seat != self.player

    @property
    def cost_tricks(self) -> int:
        """Tricks that the card lost for its side, 0 or more."""
        return abs(self.tricks_before - self.tricks_after)

    @property
    def is_mistake(self) -> bool:
        """True if the card lost a trick."""
        return self.tricks_before != self.tricks_after

    def __str__(self) -> str:
        name = self.player.name.title()
        verb = "led" if self.number % 4 == 1 else "played"
        whose = " from dummy" if self.is_dummy else ""
        start = f"trick {self.trick}: {name} {verb} {self.card.pretty}{whose}"
        if not self.is_mistake:
            return start
        cost = f"cost {cost_text(self.cost_tricks, self.cost_points)}"
        return f"{start}, {cost}: right was {card_list(self.better)}"


@dataclass(frozen=True, slots=True)
class Rest:
    """The tricks for which no cards are recorded: claimed, conceded or simply not written down.

    >>> rest = Rest(20, True, tricks_double_dummy=10, tricks_declarer=9, declarer=Seat.EAST)
    >>> rest.cost_tricks, str(rest)
    (1, 'claim with 20 cards left: 9 tricks for declarer, 1 fewer than double dummy')
    """

    cards_left: int
    """Number of cards that were not played."""

    is_claim: bool
    """True if the play ended in a claim, false if only the result is recorded."""

    tricks_double_dummy: int
    """Declarer's tricks in all if the rest is played perfectly."""

    tricks_declarer: int
    """Declarer's tricks in all according to the claim or the result."""

    declarer: Seat
    """Who played the contract."""

    cost_points: int | None = None
    """Points that it lost for `side`; `None` if they are not known."""

    @property
    def cost_tricks(self) -> int:
        """Tricks by which the result differs from perfect play, 0 or more."""
        return abs(self.tricks_declarer - self.tricks_double_dummy)

    @property
    def side(self) -> Side | None:
        """The side that lost by it, or `None` if nobody did."""
        if self.tricks_declarer == self.tricks_double_dummy:
            return None
        side = self.declarer.side
        return side if self.tricks_declarer < self.tricks_double_dummy else side.opponents

    def __str__(self) -> str:
        start = "claim" if self.is_claim else "result"
        left = f" with {self.cards_left} cards left" if self.cards_left else ""
        took = f"{count_of(self.tricks_declarer, 'trick')} for declarer"
        if not self.cost_tricks:
            return f"{start}{left}: {took}, as double dummy"
        than = "fewer" if self.tricks_declarer < self.tricks_double_dummy else "more"
        return f"{start}{left}: {took}, {self.cost_tricks} {than} than double dummy"


def review_cards(
    play: Play,
    solver: Solver,
    contract: Contract | None,
    vulnerability: Vulnerability | None,
    *,
    stop: StopFlag | None = None,
) -> tuple[CardReview, ...]:
    """Every card of a play with its cost; points only with a contract and a vulnerability.

    Raises `Stopped` once the flag `stop` is set.

    >>> from setrograde.bridge import Deal, Strain
    >>> deal = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")
    >>> cards = tuple(Card.from_text(text) for text in ("H4", "H2"))
    >>> play = Play(deal, Strain.NOTRUMP, Seat.WEST, cards)
    >>> [card.cost_tricks for card in review_cards(play, Solver(), None, None)]
    [1, 0]
    """
    declarer = play.leader.next_by(3)
    trace = solver.trace(play, stop=stop)
    reviews = []
    for index, (seat, card) in enumerate(_seats(play)):
        before, after = trace[index], trace[index + 1]
        is_ours = seat.side is declarer.side
        better: tuple[Card, ...] = ()
        if before != after:
            assert (after < before) == is_ours, "a card never gains for its own side"
            values = solver.cards(
                play.deal, play.strain, play.leader, played=play.cards[:index], stop=stop
            )
            better = tuple(value.card for value in values if value.cost == 0)
        role = Role.DECLARER if is_ours else Role.DEFENCE if index else Role.LEAD
        player = declarer if is_ours else seat
        cost = points_between(contract, vulnerability, before, after)
        reviews.append(CardReview(index + 1, seat, player, role, card, before, after, cost, better))
    return tuple(reviews)


def review_rest(
    play: Play | None,
    declarer: Seat,
    tricks_double_dummy: int,
    tricks_declarer: int,
    cards_left: int,
    contract: Contract | None,
    vulnerability: Vulnerability | None,
) -> Rest:
    """What a claim, or a result without its cards, made of the last position."""
    cost = points_between(contract, vulnerability, tricks_double_dummy, tricks_declarer)
    is_claim = play is not None and bool(play.cards) and play.claimed_by_declarer is not None
    return Rest(cards_left, is_claim, tricks_double_dummy, tricks_declarer, declarer, cost)


def points_between(
    contract: Contract | None, vulnerability: Vulnerability | None, first: int, second: int
) -> int | None:
    """Points between two numbers of declarer's tricks in a contract, 0 or more.

    >>> points_between(Contract.from_text("4SS"), Vulnerability.NONE, 10, 9)
    470
    """
    if contract is None or vulnerability is None:
        return None
    is_vulnerable = vulnerability.covers(contract.declarer.side)
    scores = [score_contract(contract, n, is_vulnerable=is_vulnerable) for n in (first, second)]
    return abs(scores[0] - scores[1])


def _seats(play: Play) -> list[tuple[Seat, Card]]:
    """The cards with the hands they came from."""
    return [
        (trick.leader.next_by(step), card)
        for trick in play.tricks()
        for step, card in enumerate(trick.cards)
    ]


def card_list(cards: Sequence[Card]) -> str:
    """Cards by suit, spades first.

    >>> card_list([Card.from_text(text) for text in ("H3", "SA", "H9")])
    '♠ A, ♥ 93'
    """
    hand = Hand.from_cards(cards)
    return ", ".join(
        [f"{suit.symbol} {hand.holding(suit)}" for suit in reversed(Suit) if hand.length(suit)]
    )


def cost_text(tricks: int, points: int | None) -> str:
    """A cost in words.

    >>> cost_text(1, 470), cost_text(2, None)
    ('1 trick, 470 points', '2 tricks')
    """
    words = count_of(tricks, "trick")
    return words if points is None else f"{words}, {count_of(points, 'point')}"
