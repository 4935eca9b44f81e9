"""Boards as LIN text, one on each line, as BBO exports them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from setrograde.bridge import Annotation, Auction, Board, Play, Seat, Vulnerability

from .notation import format_call, format_hand, heading_number

__all__ = ["COMMENTARY_AT", "LIN_SEATS", "format_lin", "kept_tag"]

LIN_SEATS = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
_VULNERABILITIES = {
    Vulnerability.NONE: "o",
    Vulnerability.NS: "n",
    Vulnerability.EW: "e",
    Vulnerability.BOTH: "b",
}
COMMENTARY_AT = "Lin_nt_at"
"""The tag that says, for each line of `Lin_nt`, how many calls and cards came before it."""

_KEPT_TAG = re.compile(r"Lin_([a-z][a-z0-9_]{1,2})", re.ASCII)
_LINE_END = re.compile(r"[ \t]*(?:\r\n|\n|\r)\s*")
_OWN_KEYS = frozenset(
    ("an", "bn", "mb", "mc", "md", "nt", "pc", "pg", "pn", "qx", "rs", "sv", "vg")
)


def format_lin(boards: Iterable[Board]) -> str:
    """Write boards as LIN.

    LIN has no place for the event, site, date, scoring and double-dummy results, nor for a contract
    or a play without an auction; these are left out. Tags named `Lin_xx` are written as `xx|...|`,
    once for each line; commentary stands behind the call or card it was said at. A bar in text
    becomes `/`, and a comma in a name becomes `;`.

    >>> from setrograde.bridge import Deal
    >>> board = Board.numbered(1, Deal.from_pbn("N:A... K... Q... J..."))
    >>> format_lin([board])
    'pn|,,,|st||md|3SQHDC,SJHDC,SAHDC,SKHDC|rh||ah|Board 1|sv|o|\\n'
    """
    return "".join([_board_line(board) + "\n" for board in boards])


def kept_tag(key: str) -> str:
    """The name of the tag that keeps a key for which a board has no field.

    >>> kept_tag("nt"), kept_tag("a#")
    ('Lin_nt', 'Lin_a_')
    """
    return f"Lin_{key.replace('#', '_')}"


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
    actions: list[str] = []
    if board.auction is not None and board.auction.calls:
        actions = _call_parts(board.auction)
        if board.play is not None:
            actions += _card_parts(board.play)
    parts += _with_commentary(actions, board)
    if actions:
        parts += _claim_parts(board)
    return "".join(parts)


def _with_commentary(actions: list[str], board: Board) -> list[str]:
    """Calls and cards, with commentary behind the one it was said at, or else behind the first."""
    said: dict[int, list[str]] = {}
    comments = [line for line in board.tags.get("Commentary", "").split("\n") if line.strip()]
    if not actions:
        # Text added to the page: other readers take `nt` behind a call only.
        said_before = board.tags["Lin_nt"].split("\n") if "Lin_nt" in board.tags else []
        return [f"at|{_clean(line)}|" for line in comments] + [
            f"nt|{_clean(line)}|pg||" for line in said_before
        ]
    if comments:
        said[1] = comments
    if "Lin_nt" in board.tags:
        lines = board.tags["Lin_nt"].split("\n")
        places = board.tags.get(COMMENTARY_AT, "").split()
        if len(places) != len(lines) or not all(re.fullmatch("[0-9]{1,4}", p) for p in places):
            places = ["0"] * len(lines)
        for line, place in zip(lines, places, strict=True):
            said.setdefault(min(max(1, int(place)), len(actions)), []).append(line)
    parts = []
    for count, action in enumerate(["", *actions]):
        parts.append(action)
        parts += [f"nt|{_clean(line)}|pg||" for line in said.get(count, ())]
    return parts


def _clean(text: str) -> str:
    """Text that fits between two bars on one line."""
    return _LINE_END.sub(" ", text.replace("|", "/"))


def _name(name: str | None) -> str:
    return _clean(name or "").replace(",", ";").strip()


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
        key = match.group(1).replace("_", "#") if match is not None else None
        if key is not None and key not in _OWN_KEYS and (key == only if only else key != "ah"):
            parts += [f"{key}|{_clean(line)}|" for line in value.split("\n")]
    return parts


def _call_parts(auction: Auction) -> list[str]:
    """One text for each call, with its explanation; the last ends the page."""
    parts = []
    for turn, call in enumerate(auction.calls):
        note = auction.annotation(turn) or Annotation()
        parts.append(f"mb|{format_call(call)}{'!' if note.alerted else ''}|")
        if text := _clean(note.text).strip():
            parts[-1] += f"an|{text}|"
    parts[-1] += "pg||"
    return parts


def _card_parts(play: Play) -> list[str]:
    """One text for each card; the last of each trick ends the page."""
    parts = []
    for trick in play.tricks():
        parts += [f"pc|{card}|" for card in trick.cards]
        parts[-1] += "pg||"
    return parts


def _claim_parts(board: Board) -> list[str]:
    """`mc`, unless the cards or the auction already tell the result."""
    assert board.auction is not None
    contract = board.auction.contract
    is_played_out = board.play is not None and board.play.is_over
    if board.tricks_declarer is None or contract is None or contract.is_passed_out or is_played_out:
        return []
    return [f"mc|{board.tricks_declarer}|"]
