"""Boards as RBN text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from setrograde.bridge import Annotation, Auction, Board, Call, Seat

from .notation import VULNERABILITIES, format_contract, format_deal, format_makes, format_play

__all__ = ["SCORINGS", "format_rbn"]

SCORINGS = {
    "I": "IMP",
    "M": "MP",
    "B": "BAM",
    "R": "Rubber",
    "C": "Chicago",
    "A": "Cavendish",
    "N": "Instant",
}
_SCORING_LETTERS = {name: letter for letter, name in SCORINGS.items()}
_VULNERABILITIES = {value: letter for letter, value in VULNERABILITIES.items()}
_DATE = re.compile(r"([0-9?]{4})\.([0-9?]{2})\.([0-9?]{2})", re.ASCII)
_HEADERS = "DTLESFK"
_NOTE_LABELS = "1234567890"


def format_rbn(boards: Iterable[Board]) -> str:
    """Write boards as RBN 3.2.

    A header is written where it changes; an empty header clears it. RBN has room for ten notes on
    each board: further explanations are left out. So are all tags except `Stage`, `HomeTeam`,
    `VisitTeam`, `Table` and those named `Rbn_X`.

    >>> from setrograde.bridge import Deal
    >>> print(format_rbn([Board.numbered(1, Deal.from_pbn("N:A... K... Q... J..."))]), end="")
    % RBN 3.2
    B 1
    H N:A...:K...:Q...:J...
    A NZ
    <BLANKLINE>
    """
    lines = ["% RBN 3.2"]
    last = dict.fromkeys(_HEADERS, "")
    for board in boards:
        headers = {label: _clean(text) for label, text in _headers(board).items()}
        lines += [
            _line(label, headers[label]) for label in _HEADERS if headers[label] != last[label]
        ]
        last = headers
        lines += _body(board)
        lines.append("")
    return "\n".join(lines) + "\n"


def _line(label: str, text: str) -> str:
    return f"{label} {text}" if text else label


def _clean(text: str) -> str:
    return " ".join(text.split())


def _headers(board: Board) -> dict[str, str]:
    tags = board.tags
    date = _DATE.fullmatch(board.date or "")
    teams = [tags.get(tag, "").replace(":", ";") for tag in ("HomeTeam", "VisitTeam")]
    scoring = board.scoring or ""
    return {
        "D": tags.get("Rbn_D", "".join(date.groups()) if date else ""),
        "T": tags.get("Rbn_T", ""),
        "L": board.site or "",
        "E": board.event or "",
        "S": tags.get("Stage", ""),
        "F": _SCORING_LETTERS.get(scoring, scoring),
        "K": tags.get("Rbn_K", ":".join(teams) if any(teams) else ""),
    }


def _body(board: Board) -> Iterator[str]:
    names = _names(board)
    if names:
        yield _line("N", names)
    yield _line("B", "" if board.number is None else str(board.number))
    if board.deal is not None:
        yield _line("H", format_deal(board.deal, board.dealer or Seat.NORTH))
    yield from _auction_lines(board)
    if board.contract is not None:
        yield _line("C", format_contract(board.contract))
    if board.contract is not None and board.play is not None and board.play.cards:
        yield _line("P", format_play(board.play))
    result = board.tags.get("Rbn_R")
    if result is None and board.tricks_declarer is not None:
        result = str(board.tricks_declarer)
    if result is not None:
        yield _line("R", _clean(result))
    if board.table is not None:
        yield _line("M", format_makes(board.table))
    for tag, value in board.tags.items():
        if re.fullmatch("Rbn_[A-Z]", tag, re.ASCII) and tag[4] not in "ABCDHKMNPRTLESF":
            yield from (_line(tag[4], _clean(line)) for line in value.split("\n"))
    for paragraph in board.tags.get("Rbn_Text", "").split("\n"):
        if text := _clean(paragraph).rstrip("}"):
            yield f"{{{text}}}"


def _names(board: Board) -> str:
    """`North+South:West+East:room`."""
    north, east, south, west = (
        _clean(name or "").replace(":", ";").replace("+", "&") for name in board.players
    )
    place = {"Open": "O", "Closed": "C"}.get(board.room or "", _clean(board.tags.get("Table", "")))
    parts = [f"{north}+{south}".rstrip("+"), f"{west}+{east}".rstrip("+"), place.replace(":", ";")]
    return ":".join(parts).rstrip(":")


def _auction_lines(board: Board) -> Iterator[str]:
    if board.dealer is None and board.vulnerability is None and board.auction is None:
        return
    dealer = board.auction.dealer if board.auction is not None else board.dealer
    vulnerability = board.vulnerability
    start = "?" if dealer is None else dealer.letter
    start += "?" if vulnerability is None else _VULNERABILITIES[vulnerability]
    if board.auction is None or not board.auction.calls:
        yield f"A {start}"
        return
    notes: dict[str, str] = {}
    yield f"A {start}:{_calls(board.auction, notes)}"
    for text, label in notes.items():
        yield f"{label} {text}"


def _calls(auction: Auction, notes: dict[str, str]) -> str:
    """The calls, four to a colon; fills `notes` with labels by text."""
    last = len(auction.calls)
    if auction.is_over:
        while last and auction.calls[last - 1] == Call.PASS and not auction.annotation(last - 1):
            last -= 1
            if len(auction.calls) - last == (3 if any(c.is_bid for c in auction.calls) else 4):
                break
    is_short = last < len(auction.calls)
    parts = []
    for turn, call in enumerate(auction.calls[:last]):
        if turn and turn % 4 == 0:
            parts.append(":")
        note = auction.annotation(turn) or Annotation()
        parts.append(("P", "X", "R")[call.index] if not call.is_bid else str(call)[:2])
        parts.append("*" if note.alerted else "")
        if (text := _clean(note.text)) and (text in notes or len(notes) < len(_NOTE_LABELS)):
            parts.append("^" + notes.setdefault(text, _NOTE_LABELS[len(notes) % 10]))
    if is_short:
        parts.append(":A" if last and last % 4 == 0 else "A")
    return "".join(parts)
