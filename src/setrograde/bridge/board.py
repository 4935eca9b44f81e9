"""Boards: a deal with its number, dealer and vulnerability, and what happened on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .auction import Auction
from .calls import Contract
from .cards import Seat, Vulnerability
from .deal import Deal
from .errors import InvalidBoard
from .play import Play
from .table import TrickTable

__all__ = ["Board", "board_dealer", "board_vulnerability"]


def board_dealer(number: int) -> Seat:
    """Dealer of a duplicate board.

    >>> [board_dealer(number).letter for number in (1, 2, 3, 4, 5, 16)]
    ['N', 'E', 'S', 'W', 'N', 'W']
    """
    if number < 1:
        raise InvalidBoard(f"not a board number: {number} (expected 1 or more)")
    return Seat((number - 1) % 4)


def board_vulnerability(number: int) -> Vulnerability:
    """Vulnerability of a duplicate board; the pattern repeats after 16.

    >>> [str(board_vulnerability(number)) for number in (1, 2, 3, 4, 5, 17)]
    ['None', 'NS', 'EW', 'All', 'NS', 'None']
    """
    if number < 1:
        raise InvalidBoard(f"not a board number: {number} (expected 1 or more)")
    return Vulnerability((number - 1 + (number - 1) // 4 % 4) % 4)


@dataclass(frozen=True, slots=True)
class Board:
    """One board as a reader found it; whatever is unknown is `None`.

    >>> board = Board.numbered(7, Deal.from_pbn("N:A... K... Q... J..."))
    >>> board.dealer, board.vulnerability
    (Seat.SOUTH, Vulnerability.BOTH)
    """

    number: int | None = None
    """Board number, 1 or more."""

    dealer: Seat | None = None
    """Who calls first."""

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
    """Where it was played."""

    date: str | None = None
    """As PBN writes it: `2026.08.??`."""

    room: str | None = None
    """`Open` or `Closed` in team matches."""

    scoring: str | None = None
    """`IMP`, `MP` and so on, as PBN writes it."""

    table: TrickTable | None = None
    """Double-dummy results, if the file gave them."""

    tags: Mapping[str, str] = field(default_factory=dict)
    """Everything else the file said of this board, by PBN tag name."""

    @classmethod
    def numbered(cls, number: int, deal: Deal | None = None) -> Board:
        """A fresh duplicate board: dealer and vulnerability follow from its number."""
        return cls(number, board_dealer(number), board_vulnerability(number), deal)

    def player(self, seat: Seat) -> str | None:
        """The name of the player at `seat`, if known."""
        return self.players[seat]

    def _repr_html_(self) -> str:
        from .display import board_html

        return board_html(self)
