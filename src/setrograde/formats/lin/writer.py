"""Boards as LIN text, one on each line, as BBO exports them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from setrograde.bridge import Annotation, Auction, Board, Play, Seat, Vulnerability

from .notation import format_call, format_hand, heading_number

__all__ = ["LIN_SEATS", "format_lin"]

LIN_SEATS = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
_VULNERABILITIES = {
    Vulnerability.NONE: "o",
    Vulnerability.NS: "n",
    Vulnerability.EW: "e",
    Vulnerability.BOTH: "b",
}
_KEPT_TAG = re.compile(r"Lin_([a-z][a-z0-9#]{1,2})", re.ASCII)
_OWN_KEYS = frozenset(("an", "bn", "mb", "mc", "md", "pc", "pg", "pn", "qx", "rs", "sv", "vg"))


def format_lin(boards: Iterable[Board]) -> str:
    """Write boards as LIN.

    LIN has no place for the event, site, date, scoring and double-dummy results, nor for a contract
    or a play without an auction; these are left out. Tags named `Lin_xx` are written as `xx|...|`,
    once for each line. A bar in text becomes `/`, and a comma in a name becomes `;`.

    >>> from setrograde.bridge import Deal
    >>> board = Board.numbered(1, Deal.from_pbn("N:A... K... Q... J..."))
    >>> format_lin([board])
    'pn|,,,|st||md|3SQHDC,SJHDC,SAHDC,SKHDC|rh||ah|Board 1|sv|o|\\n'
    """
    return "".join([_board_line(board) + "\n" for board in boards])


def _board_line(board: Board) -> str:
    parts = []
    if board.room in ("Open", "Closed") and board.number is not None:
        parts.append(f"qx|{board.room[0].lower()}{board.number}|")
    names = ",".join(_name(board.player(seat)) for seat in LIN_SEATS)
    parts += [f"pn|{names}|", "st||", f"md|{_deal_text(board)}|", "rh||"]
    headings = board.tags.get("Lin_ah", "").split("\n")
    parts += _kept_tags(board, "ah")
    if board.number is not None and heading_number(headings[-1]) != board.number:
        parts.append(f"ah|Board {board.number}|")
    if board.vulnerability is not None:
        parts.append(f"sv|{_VULNERABILITIES[board.vulnerability]}|")
    parts += _kept_tags(board)
    if board.auction is not None and board.auction.calls:
        parts += _auction_parts(board.auction)
        if board.play is not None:
            parts += _play_parts(board.play)
        parts += _claim_parts(board)
    return "".join(parts)


def _clean(text: str) -> str:
    """Text that fits between two bars on one line."""
    return " ".join(text.replace("|", "/").split())


def _name(name: str | None) -> str:
    return _clean(name or "").replace(",", ";")


def _deal_text(board: Board) -> str:
    digit = "0" if board.dealer is None else str(LIN_SEATS.index(board.dealer) + 1)
    if board.deal is None:
        return f"{digit},,,"
    hands = [format_hand(board.deal[seat]) if board.deal[seat].bits else "" for seat in LIN_SEATS]
    if board.deal.is_full:
        hands[3] = ""
    return digit + ",".join(hands)


def _kept_tags(board: Board, only: str | None = None) -> list[str]:
    """Tags named `Lin_xx` as tokens: those of one key, or all but the headings."""
    parts = []
    for tag, value in board.tags.items():
        match = _KEPT_TAG.fullmatch(tag)
        key = match.group(1) if match is not None else None
        if key is not None and key not in _OWN_KEYS and (key == only if only else key != "ah"):
            parts += [f"{key}|{_clean(line)}|" for line in value.split("\n")]
    return parts


def _auction_parts(auction: Auction) -> list[str]:
    parts = []
    for turn, call in enumerate(auction.calls):
        note = auction.annotation(turn) or Annotation()
        parts.append(f"mb|{format_call(call)}{'!' if note.alerted else ''}|")
        if text := _clean(note.text):
            parts.append(f"an|{text}|")
    return [*parts, "pg||"]


def _play_parts(play: Play) -> list[str]:
    parts = []
    for trick in play.tricks():
        parts += [f"pc|{card}|" for card in trick.cards]
        parts.append("pg||")
    return parts


def _claim_parts(board: Board) -> list[str]:
    """`mc`, unless the cards or the auction already tell the result."""
    assert board.auction is not None
    contract = board.auction.contract
    is_played_out = board.play is not None and board.play.is_over
    if board.tricks_declarer is None or contract is None or contract.is_passed_out or is_played_out:
        return []
    return [f"mc|{board.tricks_declarer}|"]
