"""Boards as SVG pictures: a newspaper diagram on white paper, valid XML by itself.

SVG cannot measure text, so columns are sized by rough widths of serif letters, chosen a little
too wide rather than too narrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap
from xml.sax.saxutils import escape

from ..auction import Auction
from ..board import Board
from ..cards import Seat, SeatLike, Side, Suit, Vulnerability, VulnerabilityLike
from ..deal import Deal, DealLike, as_deal
from ..play import Trick
from .parts import (
    COLUMNS,
    NO_PLAYERS,
    AuctionCell,
    Players,
    auction_table,
    board_dealer_seat,
    caption_lines,
    is_unknown,
    player_lines,
    result_line,
    seat_heading,
    title_line,
)

__all__ = ["board_svg", "boards_svg", "deal_svg"]

_FONT = "Georgia, 'Times New Roman', 'DejaVu Serif', serif"
_RED, _GREEN, _INK, _GREY = "#c8102e", "#2b6e4f", "#1a1a1a", "#666666"
_SIZE = 17
_SMALL = 13
_LINE = 23
_MARGIN = 18
_BOX = 100
_COLUMN_GAP = 26
_NOTE_LETTERS = 60
_RESULT_LETTERS = 40
_BOLD = 1.2  # bold letters are that much wider


@dataclass(frozen=True, slots=True)
class _Picture:
    """Some SVG elements and the room they take."""

    width: float
    height: float
    elements: tuple[str, ...]


def deal_svg(
    deal: DealLike,
    *,
    dealer: SeatLike | None = None,
    vulnerability: VulnerabilityLike | None = None,
    players: Players = NO_PLAYERS,
    trick: Trick | None = None,
) -> str:
    """The four hands around a compass; `trick` puts the cards on the table inside it.

    The compass rings the dealer's letter and paints the edges of vulnerable players red.

    >>> svg = deal_svg("N:A... K... Q... J...", dealer="E")
    >>> svg.startswith("<svg"), svg.count("♠")
    (True, 4)
    """
    board = Board(dealer=dealer, vulnerability=vulnerability)
    caption = caption_lines(None, board.dealer, board.vulnerability)
    compass = _Compass(board.dealer, board.vulnerability, trick)
    return _standalone(_pad(_diagram(as_deal(deal), caption, players, compass)), "Bridge deal")


def board_svg(board: Board) -> str:
    """Hands, auction with footnotes, contract and result.

    >>> "Board 4" in board_svg(Board.numbered(4))
    True
    """
    return _standalone(_board(board), _board_name(board))


def boards_svg(boards: Iterable[Board]) -> str:
    """Several boards below each other in one picture.

    >>> boards_svg([Board.numbered(1), Board.numbered(2)]).count("Board ")
    2
    """
    return _standalone(_stack([_board(board) for board in boards], gap=0), "Bridge boards")


def _board_name(board: Board) -> str:
    return "Bridge board" if board.number is None else f"Board {board.number}"


def _board(board: Board) -> _Picture:
    dealer = board_dealer_seat(board)
    caption = caption_lines(board.number, dealer, board.vulnerability)
    parts = []
    if title := title_line(board):
        parts.append(_lines([title], size=_SMALL, colour=_GREY))
    if board.deal is None:
        parts.append(_lines([*caption, *player_lines(board.players)]))
    else:
        compass = _Compass(dealer, board.vulnerability, None)
        parts.append(_diagram(board.deal, caption, board.players, compass))
    if board.auction is not None and board.auction.calls:
        parts.append(_auction(board.auction))
    if result := result_line(board):
        parts.append(_lines(wrap(result, _RESULT_LETTERS), weight="bold"))
    return _pad(_stack(parts, gap=14))


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: int = _SIZE,
    colour: str = _INK,
    anchor: str = "start",
    weight: str = "normal",
) -> str:
    """One line with its baseline at `y`; hearts and diamonds red unless all of it is."""
    body = escape(text)
    if colour != _RED:
        for symbol in "♥♦":
            body = body.replace(symbol, f'<tspan fill="{_RED}">{symbol}</tspan>')
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}"'
        f' text-anchor="{anchor}" font-weight="{weight}">{body}</text>'
    )


def _text_width(text: str, size: int = _SIZE) -> float:
    wide = sum(letter in "AKQJMW♠♥♦♣—" or ord(letter) > 0x1100 for letter in text)
    thin = sum(letter in " .,:;'!|il" for letter in text)
    return size * (0.6 * (len(text) - wide - thin) + 0.85 * wide + 0.34 * thin)


def _lines(
    lines: Sequence[str], *, size: int = _SIZE, colour: str = _INK, weight: str = "normal"
) -> _Picture:
    step = round(size * _LINE / _SIZE)
    texts = [
        _text(0, row * step + size, line, size=size, colour=colour, weight=weight)
        for row, line in enumerate(lines)
    ]
    widest = max((_text_width(line, size) for line in lines), default=0)
    width = widest * _BOLD if weight == "bold" else widest
    return _Picture(width, len(lines) * step, tuple(texts))


def _hand(deal: Deal, seat: Seat, players: Players) -> _Picture:
    heading = seat_heading(seat, players[seat])
    elements = [_text(0, _SMALL, heading, size=_SMALL, colour=_GREY)]
    widths = [_text_width(heading, _SMALL)]
    if is_unknown(deal, seat):
        elements.append(_text(0, _LINE + _SIZE - 2, "not known", colour=_GREY))
        widths.append(_text_width("not known"))
    else:
        for row, suit in enumerate(reversed(Suit), 1):
            ranks = " ".join(deal[seat].holding(suit)).replace("T", "10") or "—"
            baseline = row * _LINE + _SIZE - 2
            elements.append(_text(0, baseline, suit.symbol))
            elements.append(_text(20, baseline, ranks))
            widths.append(20 + _text_width(ranks))
    return _Picture(max(widths), 5 * _LINE, tuple(elements))


@dataclass(frozen=True, slots=True)
class _Compass:
    dealer: Seat | None
    vulnerability: Vulnerability | None
    trick: Trick | None

    def picture(self) -> _Picture:
        elements = [f'<rect width="{_BOX}" height="{_BOX}" rx="6" fill="{_GREEN}"/>']
        for seat in Seat:
            elements.append(self._edge(seat))
            elements.append(self._face(seat))
        return _Picture(_BOX, _BOX, tuple(elements))

    def _edge(self, seat: Seat) -> str:
        """A bar along the player's edge: red if vulnerable, white if not."""
        if self.vulnerability is None:
            return ""
        colour = _RED if self.vulnerability.covers(seat.side) else "#ffffff"
        near, far = 5, _BOX - 10
        x, y = {
            Seat.NORTH: (12, near),
            Seat.SOUTH: (12, far),
            Seat.WEST: (near, 12),
            Seat.EAST: (far, 12),
        }[seat]
        long, thin = _BOX - 24, 5
        width, height = (long, thin) if seat.side is Side.NS else (thin, long)
        return (
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="1.5"'
            f' fill="{colour}" stroke="#ffffff" stroke-width="0.8"/>'
        )

    def _face(self, seat: Seat) -> str:
        """The seat's letter, ringed for the dealer, or the card the player has on the table."""
        middle = _BOX / 2
        x, y = {
            Seat.NORTH: (middle, 25.0),
            Seat.SOUTH: (middle, _BOX - 25.0),
            Seat.WEST: (30.0, middle),
            Seat.EAST: (_BOX - 30.0, middle),
        }[seat]
        card = None if self.trick is None else self.trick.card_of(seat)
        if card is not None:
            chip = (
                f'<rect x="{x - 17:g}" y="{y - 10:g}" width="34" height="20" rx="3"'
                ' fill="#ffffff"/>'
            )
            # One colour for the whole card: some renderers misplace centred text in pieces.
            colour = _RED if card.suit in (Suit.DIAMONDS, Suit.HEARTS) else _INK
            face = f"{card.suit.symbol}{card.rank}".replace("T", "10")
            return chip + _text(x, y + 5, face, size=15, colour=colour, anchor="middle")
        if seat == self.dealer:
            ring = f'<circle cx="{x:g}" cy="{y:g}" r="10.5" fill="#ffffff"/>'
            return ring + _text(
                x, y + 5.5, seat.letter, size=16, colour=_GREEN, anchor="middle", weight="bold"
            )
        return _text(x, y + 5.5, seat.letter, size=16, colour="#ffffff", anchor="middle")


def _diagram(deal: Deal, caption: Sequence[str], players: Players, compass: _Compass) -> _Picture:
    north, east, south, west = (_hand(deal, seat, players) for seat in Seat)
    corner = _lines(caption, size=15)
    left = max(west.width, corner.width) + _COLUMN_GAP
    middle = max(_BOX, north.width, south.width)
    # A long hand of North or South may reach over the free corner above and below East.
    right = left + _BOX + _COLUMN_GAP
    row = 5 * _LINE
    gap = 8
    elements = [
        *_at(0, 0, corner),
        *_at(left, 0, north),
        *_at(0, row + gap, west),
        *_at(left, row + gap + (row - _BOX) / 2 + 4, compass.picture()),
        *_at(right, row + gap, east),
        *_at(left, 2 * (row + gap), south),
    ]
    width = max(left + middle, right + east.width)
    return _Picture(width, 3 * row + 2 * gap, tuple(elements))


def _auction(auction: Auction) -> _Picture:
    table = auction_table(auction)
    heads = [seat.name.title() for seat in COLUMNS]
    cells = [["" if cell is None else _call_text(cell) for cell in row] for row in table.rows]
    column = max([80.0, *[_text_width(text) + 14 for row in cells for text in row]])
    elements = [
        _text(place * column, _SMALL, head, size=_SMALL, colour=_GREY)
        for place, head in enumerate(heads)
    ]
    elements.append(
        f'<line x1="0" y1="{_SMALL + 6}" x2="{4 * column:g}" y2="{_SMALL + 6}"'
        f' stroke="{_GREY}" stroke-width="0.6"/>'
    )
    top = _SMALL + 8
    for row, texts in enumerate(cells):
        baseline = top + row * _LINE + _SIZE
        elements += [
            _text(place * column, baseline, text) for place, text in enumerate(texts) if text
        ]
    picture = _Picture(4 * column, top + len(cells) * _LINE, tuple(elements))
    notes = [
        line
        for number, note in enumerate(table.notes, 1)
        for line in wrap(f"{_superscript(number)} {note}", _NOTE_LETTERS)
    ]
    return _stack([picture, _lines(notes, size=_SMALL)], gap=4) if notes else picture


_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _superscript(number: int) -> str:
    return str(number).translate(_SUPERSCRIPTS)


def _call_text(cell: AuctionCell) -> str:
    note = "" if cell.note is None else _superscript(cell.note)
    return f"{cell.text}{'!' if cell.alerted else ''}{note}"


def _at(x: float, y: float, picture: _Picture) -> tuple[str, ...]:
    return (f'<g transform="translate({x:g} {y:g})">', *picture.elements, "</g>")


def _stack(pictures: Sequence[_Picture], *, gap: float) -> _Picture:
    elements: list[str] = []
    height = 0.0
    for picture in pictures:
        elements += _at(0, height, picture)
        height += picture.height + gap
    width = max((picture.width for picture in pictures), default=0.0)
    return _Picture(width, max(0.0, height - gap), tuple(elements))


def _pad(picture: _Picture) -> _Picture:
    return _Picture(
        picture.width + 2 * _MARGIN,
        picture.height + 2 * _MARGIN,
        _at(_MARGIN, _MARGIN, picture),
    )


def _standalone(picture: _Picture, title: str) -> str:
    width, height = round(picture.width), round(picture.height)
    body = "\n".join([element for element in picture.elements if element])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="{_FONT}" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )
