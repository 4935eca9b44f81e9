"""Boards as PBN text, in export format."""

from __future__ import annotations

import re
from collections.abc import Iterable

from setrograde.bridge import Auction, Board, Play, Seat

from .document import MANDATORY_TAGS, PbnItem
from .results import RESULT_COLUMNS, result_rows
from .sections import note_text

__all__ = ["format_pbn"]

_LINE_LIMIT = 255
_NOTE_LIMIT = 32
_NOT_FREE = frozenset((*MANDATORY_TAGS, "Room", "Auction", "Play", "Note"))
_UNPRINTABLE = re.compile(r"[\x00-\x1f]+")
_NOT_PBN = re.compile(r"[^ -~\xa0-\xff]")
_LOOKS_INHERITED = re.compile(r"#\Z|##| +#")


def format_pbn(boards: Iterable[Board], *, export: bool = True) -> bytes:
    """Write boards as PBN.

    The export format (default) has a header, line ends of CRLF, the 15 mandatory tags (`?` where a
    value is unknown) and lines of at most 255 characters; longer values are cut. With
    `export=False` lines end in LF, and tags whose value is unknown are left out. Characters that
    PBN does not have become `?`.

    >>> from setrograde.bridge import Deal
    >>> board = Board.numbered(1, Deal.from_pbn("N:A... K... Q... J..."))
    >>> print(format_pbn([board], export=False).decode("latin-1"), end="")
    [Board "1"]
    [Dealer "N"]
    [Vulnerable "None"]
    [Deal "N:A... K... Q... J..."]
    """
    end = "\r\n" if export else "\n"
    games = [end.join([*_game_lines(board, export), ""]) for board in boards]
    header = f"% PBN 2.1{end}% EXPORT{end}" if export else ""
    return (header + end.join(games)).encode("latin-1")


def _game_lines(board: Board, export: bool) -> list[str]:
    lines = []
    for name, value in zip(MANDATORY_TAGS, _mandatory_values(board), strict=True):
        if value is not None or export:
            lines.append(_tag(name, "?" if value is None else value))
    free = {name: value for name, value in board.tags.items() if name not in _NOT_FREE}
    tables = {name: text for name, text in free.items() if "\n" in text or name.endswith("Table")}
    single = {name: text for name, text in free.items() if name not in tables}
    if board.room is not None:
        single["Room"] = board.room
    lines += [_tag(name, single[name]) for name in sorted(single)]
    if board.auction is not None:
        lines += _auction_lines(board.auction, is_final=board.contract is not None)
    if board.play is not None:
        lines += _play_lines(board.play)
    if board.table is not None:
        tables["OptimumResultTable"] = "\n".join([RESULT_COLUMNS, *result_rows(board.table)])
    for name in sorted(tables):
        value, *rows = tables[name].split("\n")
        lines += [_tag(name, value), *(row.rstrip() for row in map(_clean, rows) if row.strip())]
    return lines


def _mandatory_values(board: Board) -> list[str | None]:
    north, east, south, west = board.players
    contract, dealer = board.contract, board.dealer
    declarer: str | None = None
    bid = board.tags.get("Contract")
    result = None if board.tricks_declarer is None else str(board.tricks_declarer)
    if contract is not None:
        declarer, bid = contract.declarer.letter, contract.bid
        if contract.is_passed_out:
            declarer = result = ""
    elif board.play is not None:
        declarer, bid = board.play.leader.next_by(3).letter, str(board.play.strain)
    first = Seat.NORTH if dealer is None else dealer
    return [
        board.event,
        board.site,
        board.date,
        None if board.number is None else str(board.number),
        west,
        north,
        east,
        south,
        None if dealer is None else dealer.letter,
        None if board.vulnerability is None else str(board.vulnerability),
        None if board.deal is None else board.deal.to_pbn(first),
        board.scoring,
        declarer,
        bid,
        result,
    ]


def _clean(text: str) -> str:
    return _NOT_PBN.sub("?", _UNPRINTABLE.sub(" ", text))


def _tag(name: str, value: str) -> str:
    """A tag pair of at most 255 characters with its line end."""
    value = _clean(value)
    if _LOOKS_INHERITED.match(value):
        value = " " + value
    line = PbnItem.tag(name, value, line_end="").text
    while len(line) + 2 > _LINE_LIMIT and value:
        value = value[: -max(1, (len(line) + 2 - _LINE_LIMIT) // 2)]
        line = PbnItem.tag(name, value, line_end="").text
    return line


def _auction_lines(auction: Auction, *, is_final: bool) -> list[str]:
    notes: dict[str, int] = {}
    words = []
    for turn, call in enumerate(auction.calls):
        word = str(call)
        annotation = auction.annotation(turn)
        text = _clean(note_text(annotation)) if annotation is not None else ""
        if text and (text in notes or len(notes) < _NOTE_LIMIT):
            word += f" ={notes.setdefault(text, len(notes) + 1)}="
        words.append(word)
    if not auction.is_over and not (is_final and words):
        words.append("+")
    lines = [_tag("Auction", auction.dealer.letter)]
    lines += [" ".join(words[start : start + 4]) for start in range(0, len(words), 4)]
    if not auction.is_over and words[-1] != "+":
        lines.append("*")
    return lines + [_tag("Note", f"{index}:{text}") for text, index in notes.items()]


def _play_lines(play: Play) -> list[str]:
    """Tricks in columns from the opening leader; `+` marks the next card unless claimed."""
    lines = [_tag("Play", play.leader.letter)]
    tricks = [*play.tricks()]
    is_open = not play.is_over and play.claimed_by_declarer is None
    if is_open and (not tricks or tricks[-1].is_complete):
        tricks.append(play.current_trick)
    for trick in tricks:
        row = ["- "] * 4
        for step, card in enumerate(trick.cards):
            row[(trick.leader - play.leader + step) % 4] = str(card)
        if is_open and trick is tricks[-1]:
            row[(trick.leader - play.leader + len(trick.cards)) % 4] = "+ "
        lines.append(" ".join(row).rstrip())
    if play.claimed_by_declarer is not None and not play.is_over:
        lines.append("*")
    return lines
