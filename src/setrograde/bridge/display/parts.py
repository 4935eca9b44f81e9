"""What every kind of picture shows, worked out once: headings, auction rows, results.

Text here may hold suit symbols; `plain` turns them into letters where only ASCII will do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from setrograde.common.words import count_of

from ..auction import Auction
from ..board import Board, board_contract, board_dealer_seat, board_tricks
from ..calls import Call
from ..cards import Seat, Side, Suit, Vulnerability
from ..deal import Deal
from ..play import Play, Trick

__all__ = [
    "COLUMNS",
    "NO_PLAYERS",
    "AuctionCell",
    "AuctionTable",
    "Players",
    "auction_table",
    "board_contract",
    "board_dealer_seat",
    "board_tricks",
    "caption_lines",
    "clean",
    "explanation",
    "is_unknown",
    "outcome_words",
    "plain",
    "player_lines",
    "result_line",
    "seat_heading",
    "title_line",
    "trick_scores",
    "vulnerability_words",
]

Players: TypeAlias = Sequence[str | None]

NO_PLAYERS: Players = (None, None, None, None)
COLUMNS = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
"""The columns of auctions and tricks, as newspapers print them."""

_ONLINE_SUIT = re.compile(r"!([CDHScdhs])(?!\w)")
_LETTERS = str.maketrans("♣♦♥♠—–“”‘’", "CDHS--\"\"''")


def clean(text: str) -> str:
    r"""One line of printable text: files may hold control characters and terminal escapes.

    >>> clean("strong\n  club \x1b[31m")
    'strong club ?[31m'
    """
    one_line = " ".join(text.split())
    return "".join([letter if letter.isprintable() else "?" for letter in one_line])


def explanation(text: str) -> str:
    """The explanation of a call with suit symbols; players online write `!H` for a heart.

    >>> explanation("5+ !S and !h; wow!Super")
    '5+ ♠ and ♥; wow!Super'
    """
    return _ONLINE_SUIT.sub(lambda match: Suit.from_text(match[1]).symbol, clean(text))


def plain(text: str) -> str:
    """ASCII only: suit symbols become letters, other foreign characters `?`.

    >>> plain("4♠ by Zoë")
    '4S by Zo?'
    """
    return text.translate(_LETTERS).encode("ascii", "replace").decode()


def is_unknown(deal: Deal, seat: Seat) -> bool:
    """True for an empty hand beside one of two or more cards: play cannot have emptied it.

    >>> is_unknown(Deal.from_pbn("N:AK... QJ... - -"), Seat.SOUTH)
    True
    """
    return not deal[seat].bits and max(len(hand) for hand in deal) > 1


def seat_heading(seat: Seat, player: str | None) -> str:
    """The seat, and who sits there.

    >>> seat_heading(Seat.WEST, "Forrester"), seat_heading(Seat.WEST, None)
    ('West: Forrester', 'West')
    """
    name = clean(player or "")
    return f"{seat.name.title()}: {name}" if name else seat.name.title()


def player_lines(players: Players) -> list[str]:
    """The players whose names are known, for boards without a diagram to hold them.

    >>> player_lines(("Ann", None, "Cecil", None))
    ['North: Ann', 'South: Cecil']
    """
    return [seat_heading(seat, players[seat]) for seat in Seat if clean(players[seat] or "")]


def vulnerability_words(vulnerability: Vulnerability) -> str:
    """The vulnerability in words.

    >>> vulnerability_words(Vulnerability.NS)
    'N-S vulnerable'
    """
    if vulnerability == Vulnerability.NONE:
        return "None vulnerable"
    return ("N-S", "E-W", "All")[vulnerability - 1] + " vulnerable"


def caption_lines(
    number: int | None, dealer: Seat | None, vulnerability: Vulnerability | None
) -> list[str]:
    """The lines in the upper left corner of a diagram.

    >>> caption_lines(3, Seat.SOUTH, Vulnerability.EW)
    ['Board 3', 'Dealer South', 'E-W vulnerable']
    """
    lines = []
    if number is not None:
        lines.append(f"Board {number}")
    if dealer is not None:
        lines.append(f"Dealer {dealer.name.title()}")
    if vulnerability is not None:
        lines.append(vulnerability_words(vulnerability))
    return lines


def title_line(board: Board) -> str:
    """Event, site, room and date, as far as they are known.

    >>> title_line(Board(event="Summer Pairs", date="2026.08.??", room="Open"))
    'Summer Pairs, open room, 2026.08.??'
    """
    room = clean(board.room or "")
    if room.lower() in ("open", "closed"):
        room = f"{room.lower()} room"
    words = (board.event or "", board.site or "", room, board.date or "")
    return ", ".join([word for word in map(clean, words) if word])


def result_line(board: Board) -> str:
    """Contract, opening lead, result and score in one line; empty if there is no contract.

    >>> board = Board.numbered(1)
    >>> from dataclasses import replace
    >>> result_line(replace(board, contract="4SXW", tricks_declarer=9))
    '4♠X by West, down 1 (9 tricks), N-S +100'
    """
    contract = board_contract(board)
    if contract is None:
        return ""
    if contract.is_passed_out:
        return "Passed out"
    words = [contract.pretty]
    if board.play is not None and board.play.cards:
        words.append(f"lead {board.play.cards[0].pretty}")
    tricks = board_tricks(board)
    if tricks is not None and 0 <= tricks <= 13:
        outcome = outcome_words(tricks - contract.tricks_needed)
        words.append(f"{outcome} ({count_of(tricks, 'trick')})")
        if board.score is not None:
            words.append(_score(board.score))
    return ", ".join(words)


def _score(score_ns: int) -> str:
    return f"N-S +{score_ns}" if score_ns > 0 else f"E-W +{-score_ns}"


def outcome_words(over: int) -> str:
    """How a contract ended, from the tricks above or below what it needed.

    >>> outcome_words(-2), outcome_words(0), outcome_words(1)
    ('down 2', 'made exactly', 'made with 1 overtrick')
    """
    if over < 0:
        return f"down {-over}"
    return f"made with {count_of(over, 'overtrick')}" if over else "made exactly"


@dataclass(frozen=True, slots=True)
class AuctionCell:
    """One place in an auction table."""

    text: str
    """The call with a suit symbol, `All pass`, or `?` for the call to come."""

    call: Call | None = None
    """The call, if it is one."""

    alerted: bool = False
    """True if the call was alerted."""

    note: int | None = None
    """Number of the footnote, from 1."""


@dataclass(frozen=True, slots=True)
class AuctionTable:
    """An auction in rows of four, West first, with its footnotes."""

    rows: tuple[tuple[AuctionCell | None, ...], ...]
    """The rows of the table; `None` stands where nobody called."""

    notes: tuple[str, ...]
    """Footnotes 1, 2, ... in order."""


def auction_table(auction: Auction) -> AuctionTable:
    """Lay an auction out.

    >>> table = auction_table(Auction.from_text("1NT AP", dealer=Seat.EAST))
    >>> [[cell.text if cell else None for cell in row] for row in table.rows]
    [[None, None, '1NT', 'All pass']]
    """
    cells: list[AuctionCell | None] = [None] * COLUMNS.index(auction.dealer)
    notes: list[str] = []
    calls = auction.calls
    folded = _ends_in_plain_passes(auction)
    for turn, call in enumerate(calls[:-3] if folded else calls):
        annotation = auction.annotation(turn)
        note = None
        if annotation is not None and (text := explanation(annotation.text)):
            notes.append(f"{call.pretty}: {text}")
            note = len(notes)
        alerted = annotation is not None and annotation.alerted
        cells.append(AuctionCell(call.pretty, call, alerted, note))
    if folded:
        cells.append(AuctionCell("All pass"))
    elif not auction.is_over:
        cells.append(AuctionCell("?"))
    cells += [None] * (-len(cells) % 4)
    rows = tuple(tuple(cells[start : start + 4]) for start in range(0, len(cells), 4))
    return AuctionTable(rows, tuple(notes))


def _ends_in_plain_passes(auction: Auction) -> bool:
    """True if the last three passes close the auction and nothing was said about them."""
    if not auction.is_over or auction.contract_so_far.is_passed_out:
        return False
    return not any(auction.annotations[-3:])


def trick_scores(play: Play) -> list[tuple[Trick, Seat | None, tuple[int, int]]]:
    """Each trick with its winner and the running score for N-S and E-W.

    An unfinished trick has no winner yet.
    """
    won = [0, 0]
    rows: list[tuple[Trick, Seat | None, tuple[int, int]]] = []
    for trick in play.tricks():
        winner = trick.winner(play.strain) if trick.is_complete else None
        if winner is not None:
            won[winner.side] += 1
        rows.append((trick, winner, (won[Side.NS], won[Side.EW])))
    return rows
