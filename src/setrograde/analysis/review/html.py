"""Reviews as HTML fragments for notebooks and web pages.

Styles are inline, so a fragment can stand anywhere and takes the colours of its surroundings. What
cost something is marked by a number, not by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from setrograde.bridge.display import deal_html, table_html
from setrograde.bridge.display.parts import board_dealer_seat

from .board import BoardReview
from .file import Review
from .text import (
    TRICK_LEGEND,
    auction_rows,
    contract_line,
    heading,
    loss_rows,
    mistake_lines,
    par_line,
    player_rows,
    result_line,
    trick_rows,
)

__all__ = ["review_html", "reviews_html"]

_FONT = "font-family:Georgia,'DejaVu Serif',serif;line-height:1.35;text-align:left"
_RED = "#e03131"
_CELL = "padding:.1em 1em .1em 0;text-align:left;background:none;border:none;color:inherit"


def reviews_html(review: Review) -> str:
    """All boards and the table of the players.

    >>> reviews_html(Review(())).startswith("<div")
    True
    """
    parts = [review_html(board) for board in review.boards]
    if players := review.players:
        heads, units, *rows = player_rows(players)
        heads = [
            f"{head} ({unit})" if unit else head for head, unit in zip(heads, units, strict=True)
        ]
        table = _table(heads, rows)
        parts.append(f"<section><h2>What each player lost, double dummy</h2>{table}</section>")
    return f'<div style="{_FONT}">{"<hr>".join(parts)}</div>'


def review_html(review: BoardReview) -> str:
    """One board.

    >>> from setrograde.bridge import Board
    >>> "Board 4" in review_html(BoardReview(Board.numbered(4)))
    True
    """
    board = review.board
    parts = [f"<h2>{escape(heading(board))}</h2>"]
    if board.deal is not None:
        parts.append(
            deal_html(
                board.deal.complete(),
                dealer=board_dealer_seat(board),
                vulnerability=board.vulnerability,
                players=board.players,
            )
        )
    if review.table is not None:
        parts.append(table_html(review.table))
    parts.append(_lines([par_line(review)]))
    if rows := auction_rows(review):
        parts.append(_table(rows[0], rows[1:]))
    outcome = [contract_line(review), result_line(review)]
    parts.append(_lines([*mistake_lines(review, bidding=True), *outcome]))
    if rows := trick_rows(review):
        parts.append(_table(rows[0], rows[1:]) + _lines([TRICK_LEGEND]))
    parts.append(_lines(mistake_lines(review, bidding=False)))
    if rows := loss_rows(review):
        parts.append(_table(rows[0], rows[1:]))
    parts.append(_lines(review.notes))
    spaced = "".join([f'<div style="margin:.4em 0">{part}</div>' for part in parts if part])
    return f'<section style="{_FONT}">{spaced}</section>'


def _lines(lines: Iterable[str]) -> str:
    return "".join([f"<div>{_coloured(line)}</div>" for line in lines if line])


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join([f'<th scope="col" style="{_CELL};opacity:.8">{escape(h)}</th>' for h in heads])
    body = "".join(
        [
            "<tr>" + "".join([f'<td style="{_CELL}">{_cell(cell)}</td>' for cell in row]) + "</tr>"
            for row in rows
        ]
    )
    return (
        '<table style="border-collapse:collapse;border:none;margin:0;color:inherit">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cell(text: str) -> str:
    """A cell; cards and calls that cost something are bold."""
    html = _coloured(text.strip())
    return f"<b>{html}</b>" if " -" in text or "(-" in text else html


def _coloured(text: str) -> str:
    """Escaped, with red hearts and diamonds."""
    red = f'<span style="color:{_RED}">%s</span>'
    return escape(text).replace("♥", red % "♥").replace("♦", red % "♦")
