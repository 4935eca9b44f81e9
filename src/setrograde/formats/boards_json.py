"""Boards as JSON: the one format that keeps everything a `Board` holds.

A file is `{"schema": 1, "boards": [...]}`; `BOARD_SCHEMA` describes a board as JSON Schema does.
Whatever is unknown is left out. Deals are PBN strings, cards `SA`, calls `1NT`, seats `N`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Call,
    Card,
    Contract,
    Deal,
    InvalidInput,
    Play,
    Seat,
    Strain,
    TrickTable,
    Vulnerability,
)

from ._report import Reporter, places_in
from ._text import MARK, decode_marked
from .problems import BoardFile

__all__ = [
    "BOARD_SCHEMA",
    "FILE_SCHEMA",
    "SCHEMA_VERSION",
    "board_from_dict",
    "board_to_dict",
    "format_json",
    "parse_json",
]

SCHEMA_VERSION = 1

_SEAT = {"enum": ["N", "E", "S", "W"]}
_STRAIN = {"enum": ["C", "D", "H", "S", "NT"]}
_TEXT = {"type": "string"}
_TRICKS = {"type": "integer", "minimum": 0, "maximum": 13}
_DEAL = {"type": "string", "pattern": "^[NESW]:([2-9TJQKA.]+|-)( ([2-9TJQKA.]+|-)){3}$"}
_CARD = {"type": "string", "pattern": "^[CDHS][2-9TJQKA]$"}
_CALL = {"type": "string", "pattern": "^(Pass|X|XX|[1-7](C|D|H|S|NT))$"}


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


_ANNOTATION = _object({"alerted": {"type": "boolean"}, "text": _TEXT})
_TABLE_ROW = _object(dict.fromkeys(_STRAIN["enum"], _TRICKS), *_STRAIN["enum"])

BOARD_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Board",
    **_object(
        {
            "number": {"type": "integer", "minimum": 1},
            "dealer": _SEAT,
            "vulnerability": {"enum": ["None", "NS", "EW", "All"]},
            "deal": _DEAL,
            "auction": _object(
                {
                    "dealer": _SEAT,
                    "calls": {"type": "array", "items": _CALL},
                    "annotations": {
                        "type": "array",
                        "items": {"anyOf": [{"type": "null"}, _ANNOTATION]},
                    },
                },
                "dealer",
                "calls",
            ),
            "contract": {
                "type": "string",
                "pattern": "^(Pass|[1-7](C|D|H|S|NT)(X|XX)?[NESW])$",
            },
            "play": _object(
                {
                    "deal": _DEAL,
                    "strain": _STRAIN,
                    "leader": _SEAT,
                    "cards": {"type": "array", "items": _CARD},
                    "claimed_by_declarer": _TRICKS,
                },
                "strain",
                "leader",
                "cards",
            ),
            "tricks_declarer": _TRICKS,
            "players": _object(dict.fromkeys(_SEAT["enum"], _TEXT)),
            "event": _TEXT,
            "site": _TEXT,
            "date": _TEXT,
            "room": _TEXT,
            "scoring": _TEXT,
            "table": _object(dict.fromkeys(_SEAT["enum"], _TABLE_ROW), *_SEAT["enum"]),
            "tags": {"type": "object", "additionalProperties": _TEXT},
        }
    ),
}
"""A board, as JSON Schema (draft 2020-12)."""

FILE_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Boards",
    **_object(
        {
            "schema": {"enum": [SCHEMA_VERSION]},
            "boards": {"type": "array", "items": BOARD_SCHEMA},
        },
        "schema",
        "boards",
    ),
}
"""A file of boards, as JSON Schema (draft 2020-12)."""

_TEXT_FIELDS = ("event", "site", "date", "room", "scoring")


def board_to_dict(board: Board) -> dict[str, Any]:
    """Turn a board into plain dictionaries, lists, text and numbers.

    >>> board_to_dict(Board.numbered(2, Deal.from_pbn("N:A... K... Q... J...")))
    {'number': 2, 'dealer': 'E', 'vulnerability': 'NS', 'deal': 'N:A... K... Q... J...'}
    """
    result: dict[str, Any] = {
        "number": board.number,
        "dealer": _text_of(board.dealer),
        "vulnerability": _text_of(board.vulnerability),
        "deal": _text_of(board.deal),
        "auction": None if board.auction is None else _auction_dict(board.auction),
        "contract": _text_of(board.contract),
        "play": None if board.play is None else _play_dict(board.play, board.deal),
        "tricks_declarer": board.tricks_declarer,
        "players": {str(seat): name for seat in Seat if (name := board.player(seat)) is not None}
        or None,
        **{name: getattr(board, name) for name in _TEXT_FIELDS},
        "table": None if board.table is None else board.table.to_dict(),
        "tags": dict(board.tags) or None,
    }
    return {key: value for key, value in result.items() if value is not None}


def _text_of(value: object) -> str | None:
    return None if value is None else str(value)


def _auction_dict(auction: Auction) -> dict[str, Any]:
    result: dict[str, Any] = {
        "dealer": str(auction.dealer),
        "calls": [str(call) for call in auction.calls],
    }
    if auction.annotations:
        result["annotations"] = [
            None if note is None else {"alerted": note.alerted, "text": note.text}
            for note in auction.annotations
        ]
    return result


def _play_dict(play: Play, deal: Deal | None) -> dict[str, Any]:
    """The deal is written only if it is not the board's."""
    result: dict[str, Any] = {} if play.deal == deal else {"deal": str(play.deal)}
    result |= {
        "strain": str(play.strain),
        "leader": str(play.leader),
        "cards": [str(card) for card in play.cards],
    }
    if play.claimed_by_declarer is not None:
        result["claimed_by_declarer"] = play.claimed_by_declarer
    return result


def board_from_dict(data: Mapping[str, Any]) -> Board:
    """Read what `board_to_dict` wrote; raises `FormatError` if anything is wrong.

    >>> board_from_dict({"number": 3, "contract": "4SXW"}).contract
    Contract.from_text('4SXW')
    >>> board_from_dict({"tricks_declarer": 14})
    Traceback (most recent call last):
    ...
    setrograde.formats.problems.FormatError: <text>:1:1: tricks_declarer: not a number of tricks: \
found '14', expected 0 to 13
    """
    return _BoardReader(data, Reporter("<text>", strict=True), "", (1, 1)).read()


def format_json(boards: Iterable[Board], *, indent: int | None = 1) -> str:
    """Write boards as JSON; `indent=None` puts everything on one line.

    >>> format_json([Board(number=1)], indent=None)
    '{"schema": 1, "boards": [{"number": 1}]}\\n'
    """
    data = {"schema": SCHEMA_VERSION, "boards": [board_to_dict(board) for board in boards]}
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        text = json.dumps(data, indent=indent)  # half a letter fits in no file unless escaped
    return text + "\n"


def parse_json(data: bytes | str, *, path: str = "<text>", strict: bool = False) -> BoardFile:
    """Read a JSON file of boards.

    A problem names the key that is wrong; its line and column are those of the board.

    >>> parse_json('{"schema": 1, "boards": [{"number": 1}]}')[0].number
    1
    >>> print(parse_json('{"schema": 1, "boards": [{"number": 0}]}').problems[0])
    <text>:1:26: boards[0].number: not a board number: found '0', expected 1 or more
    """
    reporter = Reporter(path, strict)
    boards: list[Board] = []
    text = _decode(data, reporter)
    if text is not None:
        boards = _read_file(text, reporter)
    return BoardFile("json", tuple(boards), reporter.problems)


def _decode(data: bytes | str, reporter: Reporter) -> str | None:
    if isinstance(data, str):
        return data.removeprefix(MARK)
    marked = decode_marked(data)
    if marked is not None:
        return marked[0].removeprefix(MARK)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        reporter.report(
            line, column, "not UTF-8", found=f"{data[error.start]:#04x}", expected="UTF-8 text"
        )
        return None


def _read_file(text: str, reporter: Reporter) -> list[Board]:
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        reporter.report(error.lineno, error.colno, f"not JSON: {error.msg}")
        return []
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        reporter.report(1, 1, f"not JSON: {reason}")
        return []
    if not isinstance(data, dict) or not isinstance(data.get("boards"), list):
        reporter.report(1, 1, "not a file of boards", expected='{"schema": 1, "boards": [...]}')
        return []
    version = data.get("schema")
    if version != SCHEMA_VERSION or not _is_integer(version):
        reporter.report(
            1, 1, "unknown schema", found=_describe(version), expected=f"{SCHEMA_VERSION}"
        )
        return []
    places = _board_places(text)
    boards = []
    for index, item in enumerate(data["boards"]):
        name = f"boards[{index}]"
        place = places[index] if index < len(places) else (1, 1)
        if isinstance(item, dict):
            boards.append(_BoardReader(item, reporter, name + ".", place).read())
        else:
            reporter.report(*place, f"{name}: not a board", found=_describe(item))
    return boards


def _refuse_constant(name: str) -> None:
    raise InvalidInput(f"{name} is no number")


_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[][{},]')
_LETTER = re.compile(r"\S")


def _board_places(text: str) -> list[tuple[int, int]]:
    """Line and column of each element of the `boards` list, found without building values."""
    offsets: list[int] = []
    depth, key = 0, ""
    for match in _MARK.finditer(text):
        mark = match.group()
        if mark[0] == '"':
            key = mark if depth == 1 else key
        elif mark in "}]":
            depth -= 1
        elif mark in "{[":
            depth += 1
        if mark in "[," and depth == 2 and key == '"boards"':
            element = _LETTER.search(text, match.end())
            if element is not None and element.group() != "]":
                offsets.append(element.start())
    return places_in(text, offsets)


_T = TypeVar("_T")


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _describe(value: object) -> str:
    """A short word for a value; never walks into it, for it may be very deep."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return value if isinstance(value, str) else json.dumps(value)


class _Mismatch(InvalidInput):
    """A value of the wrong kind; never leaves this module."""

    def __init__(self, message: str, value: object, expected: str) -> None:
        super().__init__(message)
        self.found, self.expected = _describe(value), expected


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _Mismatch("not text", value, "text")
    return value


def _tricks(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 13:
        raise _Mismatch("not a number of tricks", value, "0 to 13")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _Mismatch("not a board number", value, "1 or more")
    return value


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise _Mismatch("not a list", value, "a list")
    return value


def _mapping(value: object, *keys: str) -> dict[str, Any]:
    """An object with no other keys than `keys`, if any are given."""
    if not isinstance(value, dict):
        raise _Mismatch("not an object", value, "an object")
    if keys:
        for key in value:
            if key not in keys:
                raise _Mismatch("unknown key", key, f"one of {', '.join(keys)}")
    return value


def _annotation(value: object) -> Annotation | None:
    if value is None:
        return None
    data = _mapping(value, "alerted", "text")
    alerted = data.get("alerted", False)
    if not isinstance(alerted, bool):
        raise _Mismatch("not true or false", alerted, "true or false")
    return Annotation(alerted, _text(data.get("text", "")))


def _auction(value: object) -> Auction:
    data = _mapping(value, "dealer", "calls", "annotations")
    return Auction(
        Seat.from_text(_text(data.get("dealer"))),
        tuple(Call.from_text(_text(call)) for call in _list(data.get("calls"))),
        tuple(_annotation(note) for note in _list(data.get("annotations", []))),
    )


def _table(value: object) -> TrickTable:
    seats = [str(seat) for seat in Seat]
    strains = [str(strain) for strain in Strain]
    data = _mapping(value, *seats)
    rows = {seat: _mapping(data.get(seat), *strains) for seat in seats}
    return TrickTable.from_function(lambda seat, strain: _tricks(rows[str(seat)].get(str(strain))))


def _tags(value: object) -> dict[str, str]:
    return {key: _text(text) for key, text in _mapping(value).items()}


class _BoardReader:
    """Reads one board, field by field, so that a bad field costs only itself."""

    def __init__(
        self, data: Mapping[str, Any], reporter: Reporter, prefix: str, place: tuple[int, int]
    ) -> None:
        self.data, self.reporter, self.prefix, self.place = data, reporter, prefix, place

    def read(self) -> Board:
        for key in self.data:
            if key not in BOARD_SCHEMA["properties"]:
                self.reporter.report(*self.place, f"{self.prefix}{key}: unknown key")
        deal = self._field("deal", lambda value: Deal.from_pbn(_text(value)))
        names = self._field("players", lambda value: _tags(_mapping(value, *"NESW"))) or {}
        return Board(
            number=self._field("number", _number),
            dealer=self._field("dealer", lambda value: Seat.from_text(_text(value))),
            vulnerability=self._field(
                "vulnerability", lambda value: Vulnerability.from_text(_text(value))
            ),
            deal=deal,
            auction=self._field("auction", _auction),
            contract=self._field("contract", lambda value: Contract.from_text(_text(value))),
            play=self._field("play", lambda value: _play(value, deal)),
            tricks_declarer=self._field("tricks_declarer", _tricks),
            players=(names.get("N"), names.get("E"), names.get("S"), names.get("W")),
            event=self._field("event", _text),
            site=self._field("site", _text),
            date=self._field("date", _text),
            room=self._field("room", _text),
            scoring=self._field("scoring", _text),
            table=self._field("table", _table),
            tags=self._field("tags", _tags) or {},
        )

    def _field(self, key: str, convert: Callable[[object], _T]) -> _T | None:
        value = self.data.get(key)
        if value is None:
            return None
        try:
            return convert(value)
        except _Mismatch as error:
            self.reporter.report(
                *self.place,
                f"{self.prefix}{key}: {error}",
                found=error.found,
                expected=error.expected,
            )
        except InvalidInput as error:
            self.reporter.report(*self.place, f"{self.prefix}{key}: {error}")
        return None


def _play(value: object, deal: Deal | None) -> Play:
    data = _mapping(value, "deal", "strain", "leader", "cards", "claimed_by_declarer")
    if "deal" in data:
        deal = Deal.from_pbn(_text(data["deal"]))
    if deal is None:
        raise InvalidInput("cards played without a deal")
    claimed = data.get("claimed_by_declarer")
    return Play(
        deal,
        Strain.from_text(_text(data.get("strain"))),
        Seat.from_text(_text(data.get("leader"))),
        tuple(Card.from_text(_text(card)) for card in _list(data.get("cards"))),
        None if claimed is None else _tricks(claimed),
    )
