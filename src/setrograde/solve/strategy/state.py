"""What one side sees of a position: two hands, the trick, and which cards are hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from setrograde.bridge import Card, Hand, InvalidPlay, Play, Seat, Side, Strain, Suit
from setrograde.bridge.coerce import (
    CardLike,
    CardsLike,
    HandLike,
    SeatLike,
    SideLike,
    StrainLike,
    as_card,
    as_cards,
    as_hand,
    as_seat,
    as_side,
    as_strain,
)
from setrograde.bridge.play import trick_winner
from setrograde.errors import InvalidInput

__all__ = ["PlayState"]

_CHOOSER, _OPPONENT, _FRIEND = range(3)

CoreState: TypeAlias = tuple[list[int], tuple[int, int], list[int], int, int, list[int], int]
"""Hands by seat, hidden seats, roles by seat, strain, leader, trick and hidden cards."""


@dataclass(frozen=True)
class PlayState:
    """A position as one side sees it. Two hands are seen and two are hidden.

    Declarer sees and chooses both hands of his side. A defender sees his own hand, which he
    chooses, and dummy; his partner is taken to help him, declarer and dummy to play against him.

    >>> state = PlayState(
    ...     "NT", "S", hands={"N": "AQ...", "S": "32..."}, hidden="KJT9...", us="NS"
    ... )
    >>> state.turn, state.hidden_seats, state.tricks_left
    (Seat.SOUTH, (Seat.EAST, Seat.WEST), 2)
    >>> state.play("S2").play("S9").trick
    (Card.from_text('S2'), Card.from_text('S9'))
    """

    strain: Strain
    """Trumps or notrump."""

    leader: Seat
    """The player who led to the current trick, or leads to the next one."""

    trick: tuple[Card, ...] = ()
    """The cards on the table, in the order played."""

    hands: Mapping[Seat, Hand] = field(default_factory=dict)
    """The two hands that are seen, without the cards already played."""

    hidden: Hand = field(default_factory=Hand)
    """The cards of the two hidden hands."""

    lengths: Mapping[Seat, int] | None = None
    """Cards in each hidden hand; by default as many as the trick in progress says."""

    us: Side = Side.NS
    """The side whose tricks count."""

    choosers: tuple[Seat, ...] | None = None
    """Whose cards our side chooses; by default all hands of our side that are seen."""

    won: int = 0
    """Tricks that our side has won before the current trick."""

    if TYPE_CHECKING:

        def __init__(
            self,
            strain: StrainLike,
            leader: SeatLike,
            trick: CardsLike = (),
            hands: Mapping[SeatLike, HandLike] | Mapping[Seat, Hand] = ...,
            hidden: HandLike = ...,
            lengths: Mapping[SeatLike, int] | Mapping[Seat, int] | None = None,
            us: SideLike | SeatLike = ...,
            choosers: Iterable[SeatLike] | None = None,
            won: int = 0,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "strain", as_strain(self.strain))
        put(self, "leader", as_seat(self.leader))
        put(self, "trick", as_cards(self.trick))
        seen = {as_seat(seat): as_hand(hand) for seat, hand in self.hands.items()}
        put(self, "hands", {seat: seen[seat] for seat in Seat if seat in seen})
        put(self, "hidden", as_hand(self.hidden))
        put(self, "us", _side(self.us))
        if len(seen) != 2:
            raise InvalidInput(
                f"{len(seen)} hands are seen (expected two, like {{'N': 'AQ...', 'S': '32...'}})"
            )
        if len(self.trick) > 3:
            raise InvalidInput(f"{len(self.trick)} cards on the table (expected at most three)")
        lengths = self._lengths() if self.lengths is None else self.lengths
        by_seat = {as_seat(seat): count for seat, count in lengths.items()}
        put(self, "lengths", {seat: by_seat[seat] for seat in Seat if seat in by_seat})
        ours = tuple(seat for seat in seen if seat.side is self.us)
        chosen = ours if self.choosers is None else tuple(as_seat(s) for s in self.choosers)
        put(self, "choosers", tuple(sorted(chosen)))
        self._check()

    @classmethod
    def from_play(cls, play: Play, seat: SeatLike) -> PlayState:
        """What `seat` sees of a deal after some cards; the opening lead must have been made.

        Declarer is the player before the opening leader. He and dummy see the same.

        >>> play = Play("N:AQ... K9... 32... JT...", "NT", "W", "SJ")
        >>> PlayState.from_play(play, "S").hidden
        Hand.from_text('KT9...')
        >>> PlayState.from_play(play, "E").hands
        {Seat.NORTH: Hand.from_text('AQ...'), Seat.EAST: Hand.from_text('K9...')}
        """
        seat, dummy = as_seat(seat), play.leader.next
        if not play.cards:
            raise InvalidPlay("no card was played (expected the opening lead: dummy is not seen)")
        own = dummy.partner if seat is dummy else seat
        remaining, trick = play.remaining, play.current_trick
        seen = {s: remaining[s] for s in Seat if s in (own, dummy)}
        hidden = [s for s in Seat if s not in seen]
        return cls(
            play.strain,
            trick.leader,
            trick.cards,
            seen,
            remaining[hidden[0]] | remaining[hidden[1]],
            {s: len(remaining[s]) for s in hidden},
            own.side,
            won=play.tricks_won(own.side),
        )

    @property
    def turn(self) -> Seat:
        """The player who plays next."""
        return self.leader.next_by(len(self.trick))

    @property
    def hidden_seats(self) -> tuple[Seat, Seat]:
        """The two hidden seats. A world is the cards of the first."""
        first, second = (seat for seat in Seat if seat not in self.hands)
        return first, second

    @property
    def tricks_left(self) -> int:
        """Tricks still to play, the current one included."""
        cards = len(self.hidden) + len(self.trick) + sum(len(h) for h in self.hands.values())
        return cards // 4

    @property
    def is_ours(self) -> bool:
        """True if our side chooses the next card."""
        assert self.choosers is not None
        return self.turn in self.choosers

    def legal_cards(self) -> Hand:
        """The cards the player on turn may play; for a hidden one, all that may be in his hand."""
        hand = self.hands.get(self.turn, self.hidden)
        if self.trick and self.turn in self.hands:
            suit = Hand(hand.bits & 0x1FFF << 16 * self.trick[0].suit)
            return suit if suit.bits else hand
        return hand

    def play(self, card: CardLike) -> PlayState:
        """The state after the player on turn has played `card`."""
        card, turn = as_card(card), self.turn
        assert self.lengths is not None
        if card not in self.legal_cards() or (turn in self.lengths and not self.lengths[turn]):
            raise InvalidPlay(f"illegal card: {str(card)!r} by {turn.name.title()}")
        gone = Hand(card.bit)
        hands = {s: h - gone if s is turn else h for s, h in self.hands.items()}
        lengths = {s: n - (s is turn) for s, n in self.lengths.items()}
        trick, leader, won = (*self.trick, card), self.leader, self.won
        if len(trick) == 4:
            leader = trick_winner(trick, leader, self.strain)
            won += leader.side is self.us
            trick = ()
        return replace(
            self,
            leader=leader,
            trick=trick,
            hands=hands,
            hidden=self.hidden - gone,
            lengths=lengths,
            won=won,
        )

    def _lengths(self) -> dict[Seat, int]:
        """The lengths of the hidden hands, from the hands that are seen."""
        played = [self.leader.next_by(step) for step in range(len(self.trick))]
        full = {len(hand) + (seat in played) for seat, hand in self.hands.items()}
        if len(full) != 1:
            raise InvalidInput(f"hands that are seen differ in length: {self._hands_text()}")
        (tricks,) = full
        return {seat: tricks - (seat in played) for seat in Seat if seat not in self.hands}

    def _hands_text(self) -> str:
        return ", ".join(f"{seat.name.title()} {hand}" for seat, hand in self.hands.items())

    def _check(self) -> None:
        assert self.lengths is not None and self.choosers is not None
        cards = [*self.hands.values(), self.hidden, Hand.from_cards(self.trick)]
        for number, one in enumerate(cards):
            for other in cards[number + 1 :]:
                if both := one & other:
                    raise InvalidInput(f"card twice: {str(next(iter(both)))!r}")
        if set(self.lengths) != set(self.hidden_seats):
            named = ", ".join(seat.name.title() for seat in self.lengths)
            raise InvalidInput(f"lengths of {named or 'no hand'} (expected the two hidden hands)")
        if sum(self.lengths.values()) != len(self.hidden):
            raise InvalidInput(
                f"{len(self.hidden)} hidden cards for hands of {list(self.lengths.values())}"
            )
        if self.lengths != self._lengths():
            raise InvalidInput(
                f"hands differ in length: {self._hands_text()};"
                f" hidden {list(self.lengths.values())}"
            )
        ours = tuple(seat for seat in self.hands if seat.side is self.us)
        if not ours or self.choosers != ours:
            names = ", ".join(seat.name.title() for seat in self.choosers)
            raise InvalidInput(
                f"{names or 'nobody'} chooses for {self.us.name} (expected the hands of that side"
                " that are seen)"
            )

    def _core(self) -> CoreState:
        """As the core takes it: turned so that our side is North-South."""
        shift = 0 if self.us is Side.NS else 1
        hands, roles = [0] * 4, [_OPPONENT] * 4
        for seat in Seat:
            turned = (seat - shift) % 4
            if seat in self.hands:
                hands[turned] = self.hands[seat].bits
            if seat.side is self.us:
                roles[turned] = _CHOOSER if seat in self.hands else _FRIEND
        first, second = ((seat - shift) % 4 for seat in self.hidden_seats)
        trick = [16 * card.suit + card.rank for card in self.trick]
        leader = (self.leader - shift) % 4
        return hands, (first, second), roles, int(self.strain), leader, trick, self.hidden.bits


def _side(us: SideLike | SeatLike) -> Side:
    """A side, or the side of a seat."""
    if isinstance(us, Seat):
        return us.side
    if isinstance(us, str) and us.strip().upper() in {*(s.letter for s in Seat)}:
        return as_seat(us).side
    return as_side(us)


def card_at(place: int) -> Card:
    """The card of a place of the core."""
    return Card.ALL[13 * (place >> 4) + (place & 15)]


def suit_bits(suits: Iterable[Suit]) -> int:
    """All cards of some suits."""
    return sum(0x1FFF << 16 * suit for suit in set(suits))
