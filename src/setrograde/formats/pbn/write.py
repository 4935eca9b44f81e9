"""Boards as PBN text, in export format."""

from __future__ import annotations

import re
from collections.abc import Iterable

from setrograde.bridge import Auction, Board, Play, Seat
from setrograde.formats._text import MARK

from .document import COMMENTARY, MANDATORY_TAGS, PbnItem
from .long_values import split_line, split_value
from .results import RESULT_COLUMNS, result_rows
from .sections import note_text

__all__ = ["format_pbn"]

_LINE_LIMIT = 255
_NOTE_LIMIT = 32
_NOT_FREE = frozenset((*MANDATORY_TAGS, "Room", "Auction", "Play", "Note", COMMENTARY))
_UNPRINTABLE = re.compile(r"[\x00-\x1f]+")
_NOT_PBN = re.compile(r"[\x7f-\x9f\ud800-\udfff\ufeff]")
_LOOKS_INHERITED = re.compile(r"#\Z|##| +#")


def format_pbn(boards: Iterable[Board], *, export: bool = True) -> bytes:
    """Write boards as PBN.

    The export format (default) has a header, line ends of CRLF, the 15 mandatory tags (`?` where a
    value is unknown) and lines of at most 255 characters. Longer values, and values of several
    lines, go on in further tags. With `export=False` lines end in LF, and tags whose value is
    unknown are left out. The text is Latin-1; if it has other letters, it is UTF-8 with a byte
    order mark. Control characters become `?`.

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
    text = header + end.join(games)
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return (MARK + text).encode("utf-8")


def _game_lines(board: Board, export: bool) -> list[str]:
    lines = []
    more: list[str] = []
    for name, value in zip(MANDATORY_TAGS, _mandatory_values(board), strict=True):
        if value is not None or export:
            first, *rest = _tags(name, "?" if value is None else value)
            lines.append(first)
            more += rest
    free = {name: value for name, value in board.tags.items() if name not in _NOT_FREE}
    tables = {name: text for name, text in free.items() if _is_table(name, text)}
    single = {name: text for name, text in free.items() if name not in tables}
    if board.room is not None:
        single["Room"] = board.room
    lines += [line for name in sorted(single) for line in _tags(name, single[name])]
    lines += more
    lines += _comment_lines(board.tags.get(COMMENTARY, ""))
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
        declarer = board.play.leader.next_by(3).letter
        bid = str(board.play.strain) if bid is None else bid
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


def _is_table(name: str, text: str) -> bool:
    """True if a tag holds rows that stand on lines of their own."""
    if not name.endswith("Table"):
        return False
    columns, *rows = text.split("\n")
    return _fits(name, columns) and all(0 < len(row.strip()) < _LINE_LIMIT - 2 for row in rows)


def _tag(name: str, value: str) -> str:
    """A tag pair without its line end."""
    value = _clean(value)
    if _LOOKS_INHERITED.match(value):
        value = " " + value
    return PbnItem.tag(name, value, line_end="").text


def _fits(name: str, value: str) -> bool:
    return len(_tag(name, value)) + 2 <= _LINE_LIMIT


def _tags(name: str, value: str) -> list[str]:
    """A value as tag pairs of at most 255 characters; most values need one."""
    if len(value) < _LINE_LIMIT // 3 and "\n" not in value:
        return [_tag(name, value)]
    return [_tag(part, text) for part, text in split_value(name, value, _fits)]


def _comment_lines(text: str) -> list[str]:
    """A comment in braces; lines that are too long are folded at a blank."""
    lines = [folded for line in text.split("\n") for folded in _fold(_clean(line))]
    if not any(lines):
        return []
    lines = [line.replace("}", ")") for line in lines]
    # A brace of its own, because a line that begins with % hides what stands on it.
    return [f"{{{lines[0]}}}"] if len(lines) == 1 else [f"{{{lines[0]}", *lines[1:], "}"]


def _fold(line: str) -> list[str]:
    """Cut a line at blanks, or where there is none, into pieces that fit."""
    pieces = []
    line = line.rstrip()
    limit = _LINE_LIMIT - 4
    while len(line) > limit:
        at = line.rfind(" ", 1, limit)
        at = at if at > 0 and line[:at].strip() else limit
        pieces.append(line[:at].rstrip())
        line = line[at:].lstrip()
    return [*pieces, line]


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
    more: list[str] = []
    for text, index in notes.items():
        parts = list(split_line(f"{index}:{text}", lambda part: _fits("Note__32_99", part)))
        lines.append(_tag("Note", parts[0]))
        more += [_tag(f"Note__{index}_{n}", part) for n, part in enumerate(parts[1:], 2)]
    return lines + more


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
