"""Boards as HTML fragments for notebooks and web pages.

Styles are inline, so a fragment can stand anywhere. Text takes the colour of its surroundings
and the red of hearts and diamonds reads on white and on black, so both themes work.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ..auction import Auction
from ..board import Board
from ..cards import Seat, SeatLike, Strain, Suit, Vulnerability, VulnerabilityLike
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
    player_lines,
    result_line,
    seat_heading,
    title_line,
    trick_scores,
)

__all__ = [
    "auction_html",
    "board_html",
    "box_html",
    "coloured",
    "deal_html",
    "hand_html",
    "play_html",
    "rows_html",
    "table_html",
]

_RED = "#e03131"
_FONT = "font-family:Georgia,'DejaVu Serif',serif;line-height:1.35;text-align:left"
_HEADING = "font-size:80%;letter-spacing:.04em;opacity:.8"
_CELL = "padding:.1em 1.2em .1em 0;text-align:left;background:none;border:none;color:inherit"
_NUMBER = "padding:.1em .5em;text-align:right;background:none;border:none;color:inherit"


def hand_html(hand: HandLike) -> str:
    """A hand on one line, spades first.

    >>> print(hand_html("A...").count("<span"))
    3
    """
    hand = as_hand(hand)
    suits = " &nbsp;".join([_suit_html(hand, suit) for suit in reversed(Suit)])
    return f'<span style="{_FONT};white-space:nowrap">{suits}</span>'


def deal_html(
    deal: DealLike,
    *,
    dealer: SeatLike | None = None,
    vulnerability: VulnerabilityLike | None = None,
    players: Players = NO_PLAYERS,
    trick: Trick | None = None,
) -> str:
    """The four hands around a compass; `trick` puts the cards on the table inside it.

    >>> html = deal_html("N:A... K... Q... J...", dealer="W")
    >>> html.startswith("<div"), "Dealer West" in html
    (True, True)
    """
    board = Board(dealer=dealer, vulnerability=vulnerability)
    caption = caption_lines(None, board.dealer, board.vulnerability)
    compass = _compass(board.dealer, board.vulnerability, trick)
    return _diagram(as_deal(deal), caption, players, compass)


def auction_html(auction: Auction, *, players: Players = NO_PLAYERS) -> str:
    """Four columns from West; `!` marks an alert, small figures the footnotes.

    >>> "1<span" in auction_html(Auction.from_text("1H", dealer=Seat.EAST))
    True
    """
    table = auction_table(auction)
    rows = [["" if cell is None else _call_html(cell) for cell in row] for row in table.rows]
    notes = [
        f'<div style="font-size:85%"><sup>{number}</sup> {coloured(note)}</div>'
        for number, note in enumerate(table.notes, 1)
    ]
    return box_html(rows_html(_heads(players), rows) + "".join(notes))


def play_html(play: Play, *, players: Players = NO_PLAYERS) -> str:
    """The position now, and a row for each trick: leader underlined, winner bold.

    >>> play = Play(Deal.from_pbn("N:A... K... Q... J..."), Strain.NOTRUMP, Seat.NORTH)
    >>> "North" in play_html(play)
    True
    """
    trick = play.current_trick
    position = deal_html(play.remaining, players=players, trick=trick if trick.cards else None)
    return f"<div>{position}{_trick_rows(play, players)}</div>"


def table_html(table: TrickTable) -> str:
    """Double-dummy tricks by declarer and strain.

    >>> table_html(TrickTable.from_function(lambda seat, strain: 7)).count(">7<")
    20
    """
    heads = [coloured(strain.symbol) for strain in reversed(Strain)]
    rows = [
        [seat.name.title(), *[str(table.tricks(seat, strain)) for strain in reversed(Strain)]]
        for seat in Seat
    ]
    return box_html(rows_html(["", *heads], rows, style=_NUMBER))


def board_html(board: Board, *, show_play: bool = True) -> str:
    """Everything known of a board: hands, auction, contract and result, play, trick table.

    >>> "Board 4" in board_html(Board.numbered(4))
    True
    """
    dealer = board_dealer_seat(board)
    caption = caption_lines(board.number, dealer, board.vulnerability)
    parts = []
    if title := title_line(board):
        parts.append(f'<div style="{_HEADING}">{escape(title)}</div>')
    if board.deal is not None:
        compass = _compass(dealer, board.vulnerability, None)
        parts.append(_diagram(board.deal, caption, board.players, compass))
    else:
        parts.append(_lines([*caption, *player_lines(board.players)]))
    if board.auction is not None and board.auction.calls:
        parts.append(auction_html(board.auction))
    if result := result_line(board):
        parts.append(f"<div><b>{coloured(result)}</b></div>")
    if show_play and board.play is not None and len(board.play.cards) > 1:
        parts.append(_trick_rows(board.play, NO_PLAYERS))
    if board.table is not None:
        parts.append(table_html(board.table))
    spaced = "".join([f'<div style="margin:.4em 0">{part}</div>' for part in parts])
    return f'<div style="{_FONT}">{spaced}</div>'


def coloured(text: str) -> str:
    """Text escaped for HTML, with its hearts and diamonds in red.

    >>> coloured("4♥ & 5").endswith("</span> &amp; 5")
    True
    """
    red = f'<span style="color:{_RED}">%s</span>'
    return escape(text).replace("♥", red % "♥").replace("♦", red % "♦")


def _suit_html(hand: Hand, suit: Suit) -> str:
    ranks = " ".join(hand.holding(suit)).replace("T", "10") or "—"
    return f"{coloured(suit.symbol)}&nbsp;{ranks}"


def _lines(lines: Iterable[str]) -> str:
    return "".join([f"<div>{escape(line)}</div>" for line in lines])


def _hand_block(deal: Deal, seat: Seat, players: Players) -> str:
    heading = f'<div style="{_HEADING}">{escape(seat_heading(seat, players[seat]))}</div>'
    if is_unknown(deal, seat):
        return f'<div>{heading}<div style="opacity:.6">not known</div></div>'
    suits = "".join([f"<div>{_suit_html(deal[seat], suit)}</div>" for suit in reversed(Suit)])
    return f'<div style="white-space:nowrap">{heading}{suits}</div>'


def _diagram(deal: Deal, caption: Sequence[str], players: Players, compass: str) -> str:
    north, east, south, west = (_hand_block(deal, seat, players) for seat in Seat)
    corner = f'<div style="font-size:90%">{_lines(caption)}</div>'
    cells = [corner, north, "<div></div>", west, compass, east, "<div></div>", south, "<div></div>"]
    style = f"{_FONT};display:inline-grid;grid-template-columns:auto auto auto;gap:.5em 1.5em"
    return f'<div style="{style};align-items:center">{"".join(cells)}</div>'


def _compass(dealer: Seat | None, vulnerability: Vulnerability | None, trick: Trick | None) -> str:
    """A square with the four letters: the dealer's underlined, vulnerable sides red."""

    def face(seat: Seat) -> str:
        card = None if trick is None else trick.card_of(seat)
        if card is not None:
            return coloured(card.pretty.replace("T", "10"))
        style = "text-decoration:underline;" if seat == dealer else ""
        if vulnerability is not None and vulnerability.covers(seat.side):
            style += f"color:{_RED};"
        return f'<span style="{style}">{seat.letter}</span>' if style else seat.letter

    north, east, south, west = (face(seat) for seat in Seat)
    cells = "".join(
        [f"<div>{text}</div>" for text in ("", north, "", west, "", east, "", south, "")]
    )
    style = (
        "display:inline-grid;grid-template-columns:1.6em 1.6em 1.6em;grid-auto-rows:1.5em;"
        "border:1px solid currentColor;border-radius:.3em;padding:.2em;"
        "text-align:center;justify-self:start"
    )
    return f'<div style="{style}">{cells}</div>'


def _heads(players: Players) -> list[str]:
    return [escape(clean(players[seat] or "") or seat.name.title()) for seat in COLUMNS]


def box_html(inner: str) -> str:
    """Ready HTML in the font of all fragments.

    >>> box_html("x").endswith(">x</div>")
    True
    """
    return f'<div style="{_FONT}">{inner}</div>'


def rows_html(heads: Sequence[str], rows: Iterable[Sequence[str]], *, style: str = _CELL) -> str:
    """A table of ready HTML; the styles undo the stripes and borders of notebooks.

    >>> rows_html(["seat"], [["N"], ["E"]]).count("<td")
    2
    """
    head = "".join([f'<th style="{style};font-weight:normal;opacity:.8">{h}</th>' for h in heads])
    body = "".join(
        [
            '<tr style="background:none">'
            + "".join([f'<td style="{style}">{cell}</td>' for cell in row])
            + "</tr>"
            for row in rows
        ]
    )
    return (
        '<table style="border-collapse:collapse;border:none;margin:0;color:inherit">'
        f'<thead><tr style="background:none">{head}</tr></thead><tbody>{body}</tbody></table>'
    )


def _call_html(cell: AuctionCell) -> str:
    note = "" if cell.note is None else f"<sup>{cell.note}</sup>"
    return f"{coloured(cell.text)}{'!' if cell.alerted else ''}{note}"


def _trick_rows(play: Play, players: Players) -> str:
    if not play.cards:
        return ""
    rows = []
    for number, (trick, winner, (ns, ew)) in enumerate(trick_scores(play), 1):
        cells = [_card_html(trick, seat, winner) for seat in COLUMNS]
        rows.append([str(number), *cells, str(ns), str(ew)])
    heads = ["", *_heads(players), "N-S", "E-W"]
    claim = ""
    if play.claimed_by_declarer is not None:
        claim = f"<div>Claim: declarer takes {play.claimed_by_declarer} tricks in all</div>"
    return box_html(rows_html(heads, rows) + claim)


def _card_html(trick: Trick, seat: Seat, winner: Seat | None) -> str:
    card = trick.card_of(seat)
    if card is None:
        return ""
    html = coloured(card.pretty.replace("T", "10"))
    if seat == winner:
        html = f"<b>{html}</b>"
    return f"<u>{html}</u>" if seat == trick.leader else html
