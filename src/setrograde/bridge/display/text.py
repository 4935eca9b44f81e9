"""Boards as text for terminals and mail: Unicode suit symbols, or ASCII letters."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import TextWrapper
from unicodedata import combining, east_asian_width

from ..auction import Auction
from ..board import Board
from ..cards import Seat, SeatLike, Strain, Suit, VulnerabilityLike
from ..deal import Deal, DealLike, as_deal
from ..hand import Hand, HandLike, as_hand
from ..play import Play, Trick
from ..table import TrickTable
from .parts import (
    COLUMNS,
    NO_PLAYERS,
    AuctionCell,
    Players,
    auction_table,
    board_dealer_seat,
    caption_lines,
    clean,
    is_unknown,
    plain,
    player_lines,
    result_line,
    seat_heading,
    title_line,
    trick_scores,
)

__all__ = [
    "format_auction",
    "format_board",
    "format_deal",
    "format_hand",
    "format_play",
    "format_table",
]

_GAP = 3
_BOX_INNER = 9
_NOTES = TextWrapper(
    width=78, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
)


def format_hand(hand: HandLike, *, ascii: bool = False) -> str:
    """A hand on one line, spades first.

    >>> format_hand("AK32.QJT98..5432")
    '♠ AK32  ♥ QJT98  ♦ —  ♣ 5432'
    >>> format_hand("AK32.QJT98..5432", ascii=True)
    'S AK32  H QJT98  D -  C 5432'
    """
    return _as_asked("  ".join(_suit_lines(as_hand(hand))), ascii)


def format_deal(
    deal: DealLike,
    *,
    ascii: bool = False,
    dealer: SeatLike | None = None,
    vulnerability: VulnerabilityLike | None = None,
    players: Players = NO_PLAYERS,
    trick: Trick | None = None,
) -> str:
    """The four hands around a compass; `trick` puts the cards on the table inside it.

    >>> print(format_deal("N:A.Q.. K.J.. Q..A. -", dealer="E"))
    Dealer East      North
                     ♠ A
                     ♥ Q
                     ♦ —
                     ♣ —
    West          ┌─────────┐  East
    not known     │    N    │  ♠ K
                  │ W     E │  ♥ J
                  │    S    │  ♦ —
                  └─────────┘  ♣ —
                     South
                     ♠ Q
                     ♥ —
                     ♦ A
                     ♣ —
    """
    board = Board(dealer=dealer, vulnerability=vulnerability)
    caption = caption_lines(None, board.dealer, board.vulnerability)
    text = _diagram(as_deal(deal), _names(players, ascii), caption, trick, ascii)
    return _as_asked(text, ascii)


def format_auction(auction: Auction, *, ascii: bool = False, players: Players = NO_PLAYERS) -> str:
    """Four columns from West; `!` marks an alert, `[1]` a footnote, `?` the call to come.

    >>> auction = Auction.from_text("1NT Pass 2D", dealer=Seat.NORTH)
    >>> from setrograde.bridge import Annotation, Call
    >>> auction = Auction(Seat.NORTH, auction.calls, (None, None, Annotation(True, "hearts")))
    >>> print(format_auction(auction))
    West      North     East      South
              1NT       Pass      2♦! [1]
    ?
    [1] 2♦: hearts
    """
    table = auction_table(auction)
    rows = [_column_heads(_names(players, ascii))]
    rows += [["" if cell is None else _cell_text(cell) for cell in row] for row in table.rows]
    lines = _columns(rows, least=8)
    for number, note in enumerate(table.notes, 1):
        lines += _NOTES.wrap(f"[{number}] {note}")
    return _as_asked("\n".join(lines), ascii)


def format_play(play: Play, *, ascii: bool = False, players: Players = NO_PLAYERS) -> str:
    """A row for each trick: `>` led, `*` won; then tricks so far for each side.

    >>> play = Play("N:AK... QJ... T9... 87...", "NT", "N", "SA SJ S9 S7 SK")
    >>> print(format_play(play))
        West   North  East   South  N-S  E-W
     1   ♠7    >♠A*    ♠J     ♠9      1    0
     2         >♠K                    1    0
    (> led, * won the trick)
    """
    rows = [["", *_column_heads(_names(players, ascii))]]
    scores = ["N-S  E-W"]
    for number, (trick, winner, (ns, ew)) in enumerate(trick_scores(play), 1):
        cells = [_card_text(trick, seat, winner) for seat in COLUMNS]
        rows.append([f"{number:2}", *cells])
        scores.append(f"{ns:3}  {ew:3}")
    table = _columns(rows, least=5, rstrip=False)
    lines = [f"{line}  {score}" for line, score in zip(table, scores, strict=True)]
    if play.cards:
        lines.append("(> led, * won the trick)")
    if play.claimed_by_declarer is not None:
        lines.append(f"Claim: declarer takes {play.claimed_by_declarer} tricks in all")
    return _as_asked("\n".join(lines), ascii)


def format_table(table: TrickTable, *, ascii: bool = False) -> str:
    """Double-dummy tricks by declarer and strain.

    >>> print(format_table(TrickTable.from_function(lambda seat, strain: 7 - seat % 2)))
           NT   ♠   ♥   ♦   ♣
    North   7   7   7   7   7
    East    6   6   6   6   6
    South   7   7   7   7   7
    West    6   6   6   6   6
    """
    lines = ["     " + "".join([f"{strain.symbol:>4}" for strain in reversed(Strain)])]
    for seat in Seat:
        tricks = [f"{table.tricks(seat, strain):4}" for strain in reversed(Strain)]
        lines.append(f"{seat.name.title():5}" + "".join(tricks))
    return _as_asked("\n".join(lines), ascii)


def format_board(board: Board, *, ascii: bool = False, show_play: bool = True) -> str:
    """Everything known of a board: hands, auction, contract and result, play, trick table.

    >>> board = Board(1, "N", "none", "N:A... K... Q... J...", contract="7NTN", tricks_declarer=12)
    >>> print(format_board(board, ascii=True))
    Board 1              North
    Dealer North         S A
    None vulnerable      H -
                         D -
                         C -
    West              +---------+  East
    S J               |    N    |  S K
    H -               | W     E |  H -
    D -               |    S    |  D -
    C -               +---------+  C -
                         South
                         S Q
                         H -
                         D -
                         C -
    <BLANKLINE>
    7NT by North, down 1 (12 tricks), E-W +50
    """
    caption = caption_lines(board.number, board_dealer_seat(board), board.vulnerability)
    sections = [title_line(board)]
    if board.deal is not None:
        names = _names(board.players, ascii)
        sections.append(_diagram(board.deal, names, caption, None, ascii))
    else:
        sections.append("\n".join([*caption, *player_lines(board.players)]))
    if board.auction is not None and board.auction.calls:
        # The seats in the diagram carry the names already.
        sections.append(format_auction(board.auction, ascii=ascii))
    sections.append(result_line(board))
    if show_play and board.play is not None and len(board.play.cards) > 1:
        sections.append(format_play(board.play, ascii=ascii))
    if board.table is not None:
        sections.append(format_table(board.table, ascii=ascii))
    text = "\n\n".join([section for section in sections if section])
    return _as_asked(text or "Nothing is known of this board", ascii)


def _as_asked(text: str, ascii: bool) -> str:
    return plain(text) if ascii else text


def _names(players: Players, ascii: bool) -> Players:
    """Names as they will be printed, so that columns are measured right."""
    return [None if name is None else _as_asked(clean(name), ascii) for name in players]


def _suit_lines(hand: Hand) -> list[str]:
    return [f"{suit.symbol} {hand.holding(suit) or '—'}" for suit in reversed(Suit)]


def _hand_block(deal: Deal, seat: Seat, players: Players) -> list[str]:
    heading = seat_heading(seat, players[seat])
    if is_unknown(deal, seat):
        return [heading, "not known", "", "", ""]
    return [heading, *_suit_lines(deal[seat])]


def _diagram(
    deal: Deal, players: Players, caption: Sequence[str], trick: Trick | None, ascii: bool
) -> str:
    north, east, south, west = (_hand_block(deal, seat, players) for seat in Seat)
    left = max(_width(line) for line in [*west, *caption]) + _GAP
    # The compass stands in the middle column, the hands of North and South slightly indented.
    indent = " " * 3
    lines = [
        _pad(corner, left) + indent + line
        for corner, line in zip([*caption, "", "", "", "", ""][:5], north, strict=True)
    ]
    for west_line, middle, east_line in zip(west, _compass(trick, ascii), east, strict=True):
        lines.append(_pad(west_line, left) + middle + "  " + east_line)
    lines += [" " * (left) + indent + line for line in south]
    return "\n".join([line.rstrip() for line in lines])


def _compass(trick: Trick | None, ascii: bool) -> list[str]:
    """Five lines; with a trick the cards lie in front of the players."""
    faces = [_face(seat, trick) for seat in Seat]
    north, east, south, west = faces
    across = " " + west.ljust(3) + " " + east.rjust(3) + " "
    side = "|" if ascii else "│"
    bar = ("-" if ascii else "─") * _BOX_INNER
    corners = "++++" if ascii else "┌┐└┘"
    return [
        corners[0] + bar + corners[1],
        side + north.center(_BOX_INNER) + side,
        side + across + side,
        side + south.center(_BOX_INNER) + side,
        corners[2] + bar + corners[3],
    ]


def _face(seat: Seat, trick: Trick | None) -> str:
    card = None if trick is None else trick.card_of(seat)
    return seat.letter if card is None else card.pretty


def _column_heads(players: Players) -> list[str]:
    return [players[seat] or seat.name.title() for seat in COLUMNS]


def _cell_text(cell: AuctionCell) -> str:
    note = "" if cell.note is None else f" [{cell.note}]"
    return f"{cell.text}{'!' if cell.alerted else ''}{note}"


def _card_text(trick: Trick, seat: Seat, winner: Seat | None) -> str:
    card = trick.card_of(seat)
    if card is None:
        return ""
    mark = ">" if seat == trick.leader else " "
    return f"{mark}{card.pretty}{'*' if seat == winner else ''}"


def _columns(rows: Sequence[Sequence[str]], *, least: int, rstrip: bool = True) -> list[str]:
    """Left-aligned columns; the first is as narrow as its text, the others at least `least`."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    widths = [max(width, least) if width > 2 else width for width in widths]
    lines = []
    for row in rows:
        cells = [_pad(cell, width) for cell, width in zip(row, widths, strict=True)]
        line = "  ".join(cells)
        lines.append(line.rstrip() if rstrip else line)
    return lines


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _width(text: str) -> int:
    """Places a terminal needs; ideographs take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )
