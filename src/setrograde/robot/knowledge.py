"""What a seat knows: its own hand, dummy, the auction with its meanings, and the cards played.

>>> known = Knowledge(
...     seat="S",
...     contract="3NTS",
...     hand="K5.T83.KQ9.A7652",
...     dummy="QJ6.K652.J85.T98",
...     played="S4 SJ S3 S5 H2",
... )
>>> known.turn, known.trick, len(known.unseen)
(Seat.EAST, (Card.from_text('H2'),), 24)

Nothing else goes in, so that no decision can rest on a card that the player does not see. A history
that cannot have happened, such as a revoke or a card played twice, raises `InvalidHistory`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from setrograde.bridge import (
    Auction,
    Board,
    Card,
    Contract,
    Hand,
    Seat,
    Side,
    Strain,
    Suit,
    Trick,
    Vulnerability,
)
from setrograde.bridge.board import board_contract
from setrograde.bridge.coerce import (
    AuctionLike,
    CardLike,
    CardsLike,
    ContractLike,
    HandLike,
    SeatLike,
    VulnerabilityLike,
    as_card,
    as_cards,
    as_contract,
    as_hand,
    as_seat,
    as_vulnerability,
)
from setrograde.bridge.constraints import HandConstraint
from setrograde.errors import InvalidInput

__all__ = ["InvalidHistory", "Knowledge", "Turn"]


class InvalidHistory(InvalidInput):
    """Cards, calls or meanings that cannot all be true; the message names the first one.

    >>> Knowledge(seat="S", contract="3NTS", hand="K5.T83.KQ9.A7652",
    ...           dummy="QJ6.K652.J85.T98", played="S4 H2")
    Traceback (most recent call last):
    ...
    setrograde.robot.knowledge.InvalidHistory: revoke: 'H2' by North as card 2 \
(expected a card of SPADES)
    """


@dataclass(frozen=True, slots=True)
class Turn:
    """One card as it was played: by whom, in which trick, and what was on the table."""

    seat: Seat
    """The player."""

    card: Card
    """The card played."""

    leader: Seat
    """The player who led to the trick."""

    table: tuple[Card, ...]
    """The cards of the trick before this one."""

    number: int
    """Cards played before this one in the whole deal."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What one player knows in the middle of the play.

    Declarer decides for dummy, so that `seat` is never dummy's. Dummy's hand is seen once the
    opening lead is made; before that, it is left out.
    """

    seat: Seat
    """The player who knows this: a defender, or declarer, who also decides for dummy."""

    contract: Contract
    """The contract with its declarer."""

    hand: Hand
    """The player's own cards before the play."""

    dummy: Hand | None = None
    """Dummy's cards before the play; `None` until the opening lead."""

    played: tuple[Card, ...] = ()
    """All cards played so far, in order, from the opening lead on."""

    vulnerability: Vulnerability = Vulnerability.NONE
    """Which sides are vulnerable."""

    auction: Auction | None = None
    """The calls, if they are known."""

    meanings: Mapping[Seat, HandConstraint] = field(default_factory=dict)
    """What the auction says of the hands, by seat; a seat that is left out may hold anything."""

    deck: Hand = Hand.FULL
    """The cards in play: all 52, or fewer in an ending."""

    won_before: int = 0
    """Tricks that declarer's side won before the first card of an ending."""

    turns: tuple[Turn, ...] = field(init=False, compare=False, repr=False)
    """The cards played, each with its player and its trick."""

    if TYPE_CHECKING:

        def __init__(
            self,
            seat: SeatLike,
            contract: ContractLike,
            hand: HandLike,
            dummy: HandLike | None = None,
            played: CardsLike = (),
            vulnerability: VulnerabilityLike = ...,
            auction: AuctionLike | None = None,
            meanings: Mapping[Seat, HandConstraint] | Mapping[str, str] = ...,
            deck: Hand = ...,
            won_before: int = 0,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "contract", as_contract(self.contract))
        if self.contract.is_passed_out:
            raise InvalidInput("no play: a board passed out (expected a contract like '3NTS')")
        seat = as_seat(self.seat)
        put(self, "seat", seat.partner if seat == self.dummy_seat else seat)
        put(self, "hand", as_hand(self.hand))
        if self.dummy is not None:
            put(self, "dummy", as_hand(self.dummy))
        put(self, "played", as_cards(self.played))
        put(self, "vulnerability", as_vulnerability(self.vulnerability))
        put(self, "meanings", {as_seat(s): _meaning(m) for s, m in self.meanings.items()})
        if self.auction is not None and not isinstance(self.auction, Auction):
            raise InvalidInput(f"not an auction: {self.auction!r} (expected an Auction)")
        self._check_hands()
        if not 0 <= self.won_before <= 13 - self.total_tricks:
            raise InvalidInput(
                f"{self.won_before} tricks won before an ending of {self.total_tricks} tricks"
                f" (expected 0 to {13 - self.total_tricks})"
            )
        put(self, "turns", self._replay())
        self._check_layouts()

    @classmethod
    def of_board(
        cls,
        board: Board,
        seat: SeatLike | None = None,
        *,
        cards: int | None = None,
        meanings: Mapping[Seat, HandConstraint] | None = None,
    ) -> Knowledge:
        """What the player at `seat` knows of a board after its first `cards` cards (default: all).

        Without a seat it is the player whose turn it is. Of the deal only the cards that he sees
        are looked at.

        >>> board = Board(deal="N:AQ.2.. K3.A.. 54.3.. 76.4..", contract="1NTS", play="H4")
        >>> Knowledge.of_board(board).seat
        Seat.SOUTH
        """
        contract = board_contract(board)
        if board.deal is None or contract is None or contract.is_passed_out:
            missing = "deal" if board.deal is None else "contract"
            raise InvalidInput(f"no {missing} on the board (expected a deal and a contract)")
        played = () if board.play is None else board.play.cards[:cards]
        deal = board.deal.complete()
        turn = _turn_after(played, contract)
        decider = turn if seat is None else as_seat(seat)
        dummy = contract.declarer.partner
        decider = contract.declarer if decider == dummy else decider
        return cls(
            seat=decider,
            contract=contract,
            hand=deal[decider],
            dummy=deal[dummy] if played else None,
            played=played,
            vulnerability=board.vulnerability or Vulnerability.NONE,
            auction=board.auction,
            meanings={} if meanings is None else meanings,
            deck=Hand(deal.bits),
        )

    # Who and where

    @property
    def strain(self) -> Strain:
        """Trumps or notrump."""
        return self.contract.strain

    @property
    def declarer(self) -> Seat:
        """The player who decides for two hands."""
        return self.contract.declarer

    @property
    def dummy_seat(self) -> Seat:
        """Declarer's partner."""
        return self.contract.declarer.partner

    @property
    def is_declarer(self) -> bool:
        """True if this player decides for declarer's side."""
        return self.seat == self.contract.declarer

    @property
    def side(self) -> Side:
        """The player's side."""
        return self.seat.side

    @property
    def is_vulnerable(self) -> bool:
        """True if declarer's side is vulnerable."""
        return self.vulnerability.covers(self.declarer.side)

    @property
    def total_tricks(self) -> int:
        """Tricks in the whole deal: 13, or fewer in an ending."""
        return len(self.hand)

    @property
    def turn(self) -> Seat:
        """The player whose card is next."""
        return self.leader.next_by(len(self.trick))

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards on the table."""
        return self.played[len(self.played) // 4 * 4 :]

    @property
    def leader(self) -> Seat:
        """The player who led to the trick on the table, or is to lead."""
        if not self.turns:
            return self.contract.leader
        last = self.turns[-1]
        if len(self.played) % 4:
            return last.leader
        return Trick(last.leader, (*last.table, last.card)).winner(self.strain)

    def tricks_won(self, side: Side) -> int:
        """The number of complete tricks won by `side`."""
        full = [turn for turn in self.turns if len(turn.table) == 3]
        return sum(
            Trick(turn.leader, (*turn.table, turn.card)).winner(self.strain).side == side
            for turn in full
        )

    # Cards

    @property
    def seen(self) -> dict[Seat, Hand]:
        """The hands this player sees, as they were before the play."""
        hands = {self.seat: self.hand}
        if self.dummy is not None:
            hands[self.dummy_seat] = self.dummy
        return hands

    @property
    def hidden_seats(self) -> tuple[Seat, ...]:
        """The players whose cards he does not see."""
        return tuple([seat for seat in Seat if seat not in self.seen])

    def cards_of(self, seat: SeatLike) -> Hand:
        """The cards that a player has shown: the whole hand if it is seen, else those he played."""
        seat = as_seat(seat)
        return self.seen[seat] if seat in self.seen else self._played_by(seat)

    def _played_by(self, seat: Seat) -> Hand:
        return Hand.from_cards([turn.card for turn in self.turns if turn.seat == seat])

    def left(self, seat: SeatLike) -> Hand:
        """The cards still held by a player whose hand is seen."""
        return self.seen[as_seat(seat)] - self.gone

    @property
    def gone(self) -> Hand:
        """All cards played."""
        return Hand.from_cards(self.played)

    @property
    def unseen(self) -> Hand:
        """The cards whose holder this player does not know."""
        bits = self.gone.bits
        for hand in self.seen.values():
            bits |= hand.bits
        return self.deck - Hand(bits)

    def cards_left(self, seat: SeatLike) -> int:
        """The number of cards a player still holds."""
        seat = as_seat(seat)
        return self.total_tricks - sum(turn.seat == seat for turn in self.turns)

    @property
    def voids(self) -> dict[Seat, tuple[Suit, ...]]:
        """The suits in which each hidden hand has shown out."""
        shown: dict[Seat, list[Suit]] = {seat: [] for seat in self.hidden_seats}
        for turn in self.turns:
            if turn.seat in shown and turn.table and turn.card.suit != turn.table[0].suit:
                suit = turn.table[0].suit
                if suit not in shown[turn.seat]:
                    shown[turn.seat].append(suit)
        return {seat: tuple(suits) for seat, suits in shown.items()}

    def legal_cards(self) -> tuple[Card, ...]:
        """The cards that may be played now from a hand that this player sees, high to low.

        >>> known = Knowledge(seat="W", contract="1NTS", hand="76.4..", deck=Hand("AKQ.A432.."))
        Traceback (most recent call last):
        ...
        setrograde.robot.knowledge.InvalidHistory: not in this deal: 'S7' with West
        """
        if self.turn not in self.seen:
            raise InvalidInput(f"it is {self.turn.name.title()}'s turn, whose cards are not seen")
        hand = self.left(self.turn)
        if self.trick:
            following = tuple([card for card in hand if card.suit == self.trick[0].suit])
            if following:
                return following
        return tuple(hand)

    def with_card(self, card: CardLike, *, dummy: HandLike | None = None) -> Knowledge:
        """The same after one more card; after the opening lead, `dummy` comes down."""
        seen = self.dummy if dummy is None else as_hand(dummy)
        return replace(self, played=(*self.played, as_card(card)), dummy=seen)

    # Checks

    def _check_hands(self) -> None:
        sizes = {len(hand) for hand in self.seen.values()}
        expected = len(self.deck) // 4
        for seat, hand in self.seen.items():
            outside = hand - self.deck
            if outside.bits:
                card = str(next(iter(outside)))
                raise InvalidHistory(f"not in this deal: {card!r} with {seat.name.title()}")
            if len(hand) != expected:
                raise InvalidHistory(
                    f"{len(hand)} cards with {seat.name.title()}: '{hand}' (expected {expected})"
                )
        if self.dummy is not None and self.dummy.bits & self.hand.bits:
            card = str(next(iter(self.dummy & self.hand)))
            both = f"{self.seat.name.title()} and {self.dummy_seat.name.title()}"
            raise InvalidHistory(f"card twice: {card!r} is with {both}")
        assert sizes == {expected}
        if self.played and self.dummy is None:
            raise InvalidHistory("no dummy after the opening lead (expected dummy=)")
        if len(self.played) > len(self.deck):
            raise InvalidHistory(f"{len(self.played)} cards played (expected {len(self.deck)})")

    def _replay(self) -> tuple[Turn, ...]:
        """The turns, checked one by one against what this player sees."""
        seen = self.seen
        left = {seat: hand.bits for seat, hand in seen.items()}
        shown_out: dict[Seat, set[Suit]] = {seat: set() for seat in Seat}
        turns: list[Turn] = []
        leader, table, gone = self.contract.leader, list[Card](), 0
        for number, card in enumerate(self.played):
            seat = leader.next_by(len(table))
            where = f"{str(card)!r} by {seat.name.title()} as card {number + 1}"
            if gone & card.bit:
                raise InvalidHistory(f"played twice: {where}")
            if not self.deck.bits & card.bit:
                raise InvalidHistory(f"not in this deal: {where}")
            holder = next((s for s, hand in seen.items() if card in hand), None)
            if holder is not None and holder != seat:
                raise InvalidHistory(f"wrong player: {where} (it is with {holder.name.title()})")
            if seat in seen and holder is None:
                raise InvalidHistory(f"not in the hand: {where} (expected one of '{seen[seat]}')")
            if card.suit in shown_out[seat]:
                raise InvalidHistory(f"revoke: {where} (void in {card.suit.name} before)")
            if table and card.suit != table[0].suit:
                led = table[0].suit
                if seat in left and left[seat] >> (16 * led) & 0x1FFF:
                    raise InvalidHistory(f"revoke: {where} (expected a card of {led.name})")
                shown_out[seat].add(led)
            gone |= card.bit
            if seat in left:
                left[seat] ^= card.bit
            turns.append(Turn(seat, card, leader, tuple(table), number))
            table.append(card)
            if len(table) == 4:
                leader, table = Trick(leader, table).winner(self.strain), []
        return tuple(turns)

    def _check_layouts(self) -> None:
        """Raise unless the unseen cards can be dealt to the hidden hands, voids and all."""
        voids, unseen = self.voids, self.unseen
        hidden = self.hidden_seats
        for choice in range(1, 1 << len(hidden)):
            seats = [seat for i, seat in enumerate(hidden) if choice >> i & 1]
            others = [seat for seat in hidden if seat not in seats]
            only = [c for c in unseen if all(c.suit in voids[seat] for seat in others)]
            room = sum(self.cards_left(seat) for seat in seats)
            if len(only) > room:
                names = " and ".join([seat.name.title() for seat in seats])
                raise InvalidHistory(
                    f"no layout fits the voids shown: {names} would hold {len(only)} cards"
                    f" (expected {room})"
                )
        for seat, meaning in self.meanings.items():
            if _is_impossible(meaning):
                raise InvalidHistory(f"no hand fits the meaning of {seat.name.title()}: {meaning}")
            if seat == self.seat and self.total_tricks == 13 and not meaning.allows(self.hand):
                continue  # a player may have bid what he does not hold; others do not know it
            shown = self.cards_of(seat)
            if seat in hidden and meaning.denied.bits & shown.bits:
                card = str(next(iter(meaning.denied & shown)))
                raise InvalidHistory(
                    f"{seat.name.title()} played {card!r}, which the meaning denies: {meaning}"
                )


def _meaning(meaning: HandConstraint | str) -> HandConstraint:
    return meaning if isinstance(meaning, HandConstraint) else _read_meaning(meaning)


# The same few meanings come with every card of a board.
@lru_cache(maxsize=256)
def _read_meaning(text: str) -> HandConstraint:
    return HandConstraint.from_text(text)


@lru_cache(maxsize=256)
def _is_impossible(meaning: HandConstraint) -> bool:
    return meaning.is_impossible


def _turn_after(played: tuple[Card, ...], contract: Contract) -> Seat:
    leader = contract.leader
    for start in range(0, len(played), 4):
        trick = Trick(leader, played[start : start + 4])
        if not trick.is_complete:
            return leader.next_by(len(trick.cards))
        leader = trick.winner(contract.strain)
    return leader
