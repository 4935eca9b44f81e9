"""The play of a deal: cards in order, tricks, winners and claims; only legal plays exist."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ._text import is_tuple_of
from .cards import (
    Card,
    CardLike,
    CardsLike,
    Seat,
    SeatLike,
    SideLike,
    Strain,
    StrainLike,
    as_card,
    as_cards,
    as_seat,
    as_side,
    as_strain,
)
from .deal import Deal, DealLike, as_deal
from .errors import InvalidPlay
from .hand import Hand

__all__ = ["Play", "Trick", "trick_winner"]


def trick_winner(cards: CardsLike, leader: SeatLike, strain: StrainLike) -> Seat:
    """The player who wins a trick, or is winning it so far.

    >>> [trick_winner("H2 HA S2 H3", "N", strain) for strain in ("S", "NT")]
    [Seat.SOUTH, Seat.EAST]
    """
    cards, strain = as_cards(cards), as_strain(strain)
    if not 1 <= len(cards) <= 4:
        raise InvalidPlay(f"not a trick: {len(cards)} cards (expected 1 to 4)")
    best, best_card = 0, cards[0]
    for step in range(1, len(cards)):
        card = cards[step]
        if card.suit == best_card.suit:
            if card.rank > best_card.rank:
                best, best_card = step, card
        elif int(card.suit) == int(strain):
            best, best_card = step, card
    return as_seat(leader).next_by(best)


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick, complete or not.

    >>> trick = Trick("W", "SA S2")
    >>> trick.is_complete, trick.card_of("N"), trick.winner("NT")
    (False, Card.from_text('S2'), Seat.WEST)
    """

    leader: Seat
    """The player who led."""

    cards: tuple[Card, ...]
    """In the order played."""

    if TYPE_CHECKING:

        def __init__(self, leader: SeatLike, cards: CardsLike) -> None: ...

    def __post_init__(self) -> None:
        if type(self.leader) is not Seat:
            object.__setattr__(self, "leader", as_seat(self.leader))
        if not is_tuple_of(Card, self.cards):
            object.__setattr__(self, "cards", as_cards(self.cards))

    @property
    def is_complete(self) -> bool:
        """True if four cards were played."""
        return len(self.cards) == 4

    def card_of(self, seat: SeatLike) -> Card | None:
        """The card `seat` played, or `None`."""
        step = (as_seat(seat) - self.leader) % 4
        return self.cards[step] if step < len(self.cards) else None

    def winner(self, strain: StrainLike) -> Seat:
        """The player who wins the trick, or is winning it so far."""
        return trick_winner(self.cards, self.leader, strain)


@dataclass(frozen=True, slots=True)
class Play:
    """Cards played from a deal, in order.

    >>> play = Play("N:AK... QJ... T9... 87...", "NT", "N", "SA SJ S9 S7 SK")
    >>> play.turn, [str(card) for card in play.legal_cards()]
    (Seat.EAST, ['SQ'])
    >>> print(play)
    NT, North leads
        West   North  East   South  N-S  E-W
     1   ♠7    >♠A*    ♠J     ♠9      1    0
     2         >♠K                    1    0
    (> led, * won the trick)
    """

    deal: Deal
    """The cards before the first one was played."""

    strain: Strain
    """Trumps or notrump."""

    leader: Seat
    """The player who leads to the first trick."""

    cards: tuple[Card, ...] = ()
    """In the order played, from the leader on."""

    claimed_by_declarer: int | None = None
    """Tricks of the whole deal that declarer's side was conceded by a claim, or `None`."""

    if TYPE_CHECKING:

        def __init__(
            self,
            deal: DealLike,
            strain: StrainLike,
            leader: SeatLike,
            cards: CardsLike = (),
            claimed_by_declarer: int | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        if type(self.deal) is not Deal:
            put(self, "deal", as_deal(self.deal))
        if type(self.strain) is not Strain:
            put(self, "strain", as_strain(self.strain))
        if type(self.leader) is not Seat:
            put(self, "leader", as_seat(self.leader))
        if not is_tuple_of(Card, self.cards):
            put(self, "cards", as_cards(self.cards))
        turn: int = self.leader
        trump = int(self.strain)
        held = [hand.bits for hand in self.deal.hands]
        lead = best = self.cards[0] if self.cards else None
        winner = turn
        for number, card in enumerate(self.cards):
            suit = card.suit
            bit = 1 << (16 * suit + card.rank)
            if not held[turn] & bit:
                raise InvalidPlay(self._where(number, turn, "does not hold it"))
            held[turn] ^= bit
            if number & 3 == 0:
                lead, best, winner = card, card, turn
            else:
                assert lead is not None and best is not None
                if suit != lead.suit and held[turn] >> (16 * lead.suit) & 0x1FFF:
                    why = f"must follow {lead.suit.name}"
                    raise InvalidPlay(self._where(number, turn, why))
                if suit == best.suit:
                    if card.rank > best.rank:
                        best, winner = card, turn
                elif int(suit) == trump:
                    best, winner = card, turn
            turn = winner if number & 3 == 3 else (turn + 1) & 3

    @classmethod
    def _of_legal_cards(
        cls,
        deal: Deal,
        strain: Strain,
        leader: Seat,
        cards: tuple[Card, ...],
        claimed_by_declarer: int | None,
    ) -> Play:
        """Skip the checks, for readers that have made them card by card."""
        play = object.__new__(cls)
        put = object.__setattr__
        put(play, "deal", deal)
        put(play, "strain", strain)
        put(play, "leader", leader)
        put(play, "cards", cards)
        put(play, "claimed_by_declarer", claimed_by_declarer)
        return play

    def _where(self, number: int, turn: int, why: str) -> str:
        seat = Seat(turn).name.title()
        return f"illegal card: {str(self.cards[number])!r} by {seat} as card {number + 1}: {why}"

    def tricks(self) -> tuple[Trick, ...]:
        """The tricks so far, the last one perhaps unfinished.

        >>> play = Play("N:AK... QJ... T9... 87...", "NT", "N", "SA SJ S9 S7 SK")
        >>> [trick.leader for trick in play.tricks()]
        [Seat.NORTH, Seat.NORTH]
        """
        tricks, leader = [], self.leader
        for start in range(0, len(self.cards), 4):
            trick = Trick(leader, self.cards[start : start + 4])
            tricks.append(trick)
            leader = trick.winner(self.strain)
        return tuple(tricks)

    @property
    def current_trick(self) -> Trick:
        """The trick in progress; empty between tricks."""
        tricks = self.tricks()
        if tricks and not tricks[-1].is_complete:
            return tricks[-1]
        return Trick(tricks[-1].winner(self.strain) if tricks else self.leader, ())

    @property
    def turn(self) -> Seat:
        """The player whose card is next."""
        trick = self.current_trick
        return trick.leader.next_by(len(trick.cards))

    @property
    def remaining(self) -> Deal:
        """The cards still held."""
        played = Hand.from_cards(self.cards)
        n, e, s, w = (hand - played for hand in self.deal)
        return Deal((n, e, s, w))

    @property
    def is_over(self) -> bool:
        """True if every card was played."""
        return len(self.cards) == len(self.deal)

    def tricks_won(self, side: SideLike) -> int:
        """The number of complete tricks won by `side` so far."""
        side = as_side(side)
        return sum(
            trick.is_complete and trick.winner(self.strain).side == side for trick in self.tricks()
        )

    def legal_cards(self) -> tuple[Card, ...]:
        """The cards that may be played now, high to low."""
        trick = self.current_trick
        hand = self.remaining[self.turn]
        if trick.cards:
            lead = trick.cards[0].suit
            following = tuple(card for card in hand if card.suit == lead)
            if following:
                return following
        return tuple(hand)

    def is_legal(self, card: CardLike) -> bool:
        """True if `card` may be played now."""
        return as_card(card) in self.legal_cards()

    def with_card(self, card: CardLike) -> Play:
        """The play after one more card."""
        return replace(self, cards=(*self.cards, as_card(card)))

    def claim(self, tricks_declarer: int) -> Play:
        """The play, ended by a claim that gives declarer's side `tricks_declarer` tricks in all.

        Declarer is the player before the opening leader. The claim must be possible: not fewer
        tricks than declarer's side has won, and not more than it can still win.

        >>> Play("N:AK... QJ... T9... 87...", "NT", "E").claim(1).claimed_by_declarer
        1
        """
        won = self.tricks_won(self.leader.next.side)
        lost = self.tricks_won(self.leader.side)
        total = len(self.deal) // 4
        if not won <= tricks_declarer <= total - lost:
            raise InvalidPlay(
                f"impossible claim: {tricks_declarer} tricks (expected {won} to {total - lost})"
            )
        return replace(self, claimed_by_declarer=tricks_declarer)

    def __len__(self) -> int:
        return len(self.cards)

    def __str__(self) -> str:
        from .display import format_play

        heading = f"{self.strain.symbol}, {self.leader.name.title()} leads"
        return f"{heading}\n{format_play(self)}"

    def _repr_html_(self) -> str:
        from .display import play_html

        return play_html(self)
