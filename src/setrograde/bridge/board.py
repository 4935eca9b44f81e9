"""Boards: a deal with its number, dealer and vulnerability, and what happened on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .auction import Auction, AuctionLike, as_auction
from .calls import Contract, ContractLike, as_contract
from .cards import (
    CardsLike,
    Seat,
    SeatLike,
    Vulnerability,
    VulnerabilityLike,
    as_seat,
    as_vulnerability,
)
from .deal import Deal, DealLike, as_deal
from .errors import InvalidBoard, InvalidInput
from .play import Play
from .scoring import score_board
from .table import TrickTable

__all__ = [
    "Board",
    "board_contract",
    "board_dealer",
    "board_dealer_seat",
    "board_tricks",
    "board_vulnerability",
]


def _check_number(number: object) -> None:
    if not isinstance(number, int) or number < 1:
        raise InvalidBoard(f"not a board number: {number!r} (expected 1 or more)")


def board_dealer(number: int) -> Seat:
    """Dealer of a duplicate board.

    >>> [board_dealer(number).letter for number in (1, 2, 3, 4, 5, 16)]
    ['N', 'E', 'S', 'W', 'N', 'W']
    """
    _check_number(number)
    return Seat((number - 1) % 4)


def board_vulnerability(number: int) -> Vulnerability:
    """Vulnerability of a duplicate board; the pattern repeats after 16.

    >>> [str(board_vulnerability(number)) for number in (1, 2, 3, 4, 5, 17)]
    ['None', 'NS', 'EW', 'All', 'NS', 'None']
    """
    _check_number(number)
    return Vulnerability((number - 1 + (number - 1) // 4 % 4) % 4)


@dataclass(frozen=True, slots=True)
class Board:
    """One board and what happened on it; whatever is not known is `None`.

    >>> board = Board.numbered(7, "N:A... K... Q... J...")
    >>> board.dealer, board.vulnerability
    (Seat.SOUTH, Vulnerability.BOTH)

    An auction may be given as the text of its calls if the dealer is known, and a play as the text
    of its cards if deal and contract are known.

    >>> board = Board(dealer="W", vulnerability="NS", auction="1NT AP", tricks_declarer=8)
    >>> print(board)
    Dealer West
    N-S vulnerable
    <BLANKLINE>
    West      North     East      South
    1NT       All pass
    <BLANKLINE>
    1NT by West, made with 1 overtrick (8 tricks), E-W +120
    >>> board.score
    -120
    """

    number: int | None = None
    """Board number, 1 or more."""

    dealer: Seat | None = None
    """The player who calls first."""

    vulnerability: Vulnerability | None = None
    """Which sides are vulnerable."""

    deal: Deal | None = None
    """The cards."""

    auction: Auction | None = None
    """The calls, with alerts and explanations."""

    contract: Contract | None = None
    """The final contract, also where no auction is recorded."""

    play: Play | None = None
    """The cards played."""

    tricks_declarer: int | None = None
    """The result: declarer's tricks."""

    players: tuple[str | None, str | None, str | None, str | None] = (None, None, None, None)
    """Names by seat: North, East, South, West."""

    event: str | None = None
    """Name of the tournament or match."""

    site: str | None = None
    """The place where it was played."""

    date: str | None = None
    """The date as PBN writes it: `2026.08.??`."""

    room: str | None = None
    """`Open` or `Closed` in team matches."""

    scoring: str | None = None
    """`IMP`, `MP` and so on, as PBN writes it."""

    table: TrickTable | None = None
    """Double-dummy results, if the file gave them."""

    tags: Mapping[str, str] = field(default_factory=dict)
    """Everything else the file said of this board, by PBN tag name."""

    if TYPE_CHECKING:

        def __init__(
            self,
            number: int | None = None,
            dealer: SeatLike | None = None,
            vulnerability: VulnerabilityLike | None = None,
            deal: DealLike | None = None,
            auction: AuctionLike | None = None,
            contract: ContractLike | None = None,
            play: Play | CardsLike | None = None,
            tricks_declarer: int | None = None,
            players: tuple[str | None, str | None, str | None, str | None] = (None,) * 4,
            event: str | None = None,
            site: str | None = None,
            date: str | None = None,
            room: str | None = None,
            scoring: str | None = None,
            table: TrickTable | None = None,
            tags: Mapping[str, str] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        if self.number is not None and not isinstance(self.number, int):
            raise InvalidBoard(
                f"not a board number: {self.number!r} (expected 1 or more; deal= takes the cards)"
            )
        if self.dealer is not None and type(self.dealer) is not Seat:
            put(self, "dealer", as_seat(self.dealer))
        if self.vulnerability is not None and type(self.vulnerability) is not Vulnerability:
            put(self, "vulnerability", as_vulnerability(self.vulnerability))
        if self.deal is not None and type(self.deal) is not Deal:
            put(self, "deal", as_deal(self.deal))
        if self.contract is not None and type(self.contract) is not Contract:
            put(self, "contract", as_contract(self.contract))
        if self.auction is not None and type(self.auction) is not Auction:
            if self.dealer is None:
                raise InvalidBoard(f"no dealer for the calls {self.auction!r} (expected dealer=)")
            put(self, "auction", as_auction(self.auction, self.dealer))
        if self.tricks_declarer is not None and not isinstance(self.tricks_declarer, int):
            raise InvalidBoard(
                f"not a number of tricks: {self.tricks_declarer!r} (expected 0 to 13)"
            )
        if self.play is not None and not isinstance(self.play, Play):
            put(self, "play", self._as_play(self.play))

    def _as_play(self, cards: CardsLike) -> Play:
        contract = self.contract
        if contract is None and self.auction is not None:
            contract = self.auction.contract
        if self.deal is None or contract is None or contract.is_passed_out:
            raise InvalidBoard(f"no deal or no contract for the play {cards!r} (expected both)")
        return Play(self.deal, contract.strain, contract.leader, cards)

    @classmethod
    def numbered(cls, number: int, deal: DealLike | None = None) -> Board:
        """A duplicate board that was not played yet; its number gives dealer and vulnerability."""
        return cls(number, board_dealer(number), board_vulnerability(number), deal)

    @property
    def score(self) -> int | None:
        """Points of North-South; `None` if contract, result or vulnerability is not known.

        >>> Board(7, vulnerability="NS", contract="3NTS", tricks_declarer=10).score
        630
        """
        try:
            return score_board(self)
        except InvalidInput:
            return None

    def player(self, seat: SeatLike) -> str | None:
        """The name of the player at `seat`, if known."""
        return self.players[as_seat(seat)]

    def __str__(self) -> str:
        from .display import format_board

        return format_board(self)

    def _repr_html_(self) -> str:
        from .display import board_html

        return board_html(self)


def board_dealer_seat(board: Board) -> Seat | None:
    """The dealer, from the board or from its auction."""
    if board.dealer is None and board.auction is not None:
        return board.auction.dealer
    return board.dealer


def board_contract(board: Board) -> Contract | None:
    """The contract, from the board or from a finished auction."""
    if board.contract is None and board.auction is not None:
        return board.auction.contract
    return board.contract


def board_tricks(board: Board) -> int | None:
    """Declarer's tricks, from the board, a claim or a play to the end."""
    play = board.play
    if board.tricks_declarer is not None or play is None:
        return board.tricks_declarer
    if play.claimed_by_declarer is not None or not play.is_over or not play.cards:
        return play.claimed_by_declarer
    return play.tricks_won(play.leader.next.side)
