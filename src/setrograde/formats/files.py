"""Board files of any format: how they are recognised, read and written.

A format is recognised by the content of a file. The ending of the name decides only where the
content does not.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from setrograde.bridge import Board, InvalidInput
from setrograde.common.files import AnyPath, atomic_write

from ._signs import BBO_LINK, DEAL_LINE
from ._text import MARK, decode_marked
from .problems import BoardFile, FormatError, Problem

__all__ = [
    "ENDINGS",
    "FORMATS",
    "detect_format",
    "format_boards",
    "format_of_name",
    "format_of_text",
    "parse_boards",
    "read_boards",
    "write_boards",
]

FORMATS = ("pbn", "lin", "rbn", "json", "bbo", "dds", "deals")
"""Every format, by the name used in `BoardFile.format`, `--from` and `--to`."""

_FUNCTIONS = {
    "pbn": ("pbn", "parse_pbn", "format_pbn"),
    "lin": ("lin", "parse_lin", "format_lin"),
    "rbn": ("rbn", "parse_rbn", "format_rbn"),
    "json": ("boards_json", "parse_json", "format_json"),
    "bbo": ("bbo", "parse_bbo", "format_bbo"),
    "dds": ("dds_list", "parse_dds_list", "format_dds_list"),
    "deals": ("deal_lines", "parse_deals", "format_deals"),
}
"""Where each format's reader and writer live; imported when first used."""

ENDINGS = {
    ".pbn": "pbn",
    ".lin": "lin",
    ".rbn": "rbn",
    ".json": "json",
    ".url": "bbo",
    ".dds": "dds",
    ".deals": "deals",
    ".txt": "dds",
}
"""The format that each ending of a name stands for; a `.txt` file may hold any of them."""

_SIGNS = tuple(
    (format, re.compile(sign, re.MULTILINE | re.IGNORECASE))
    for format, sign in (
        ("pbn", rb"\A\s*%[ \t]*PBN\b"),
        ("pbn", rb'^[ \t]*\[[ \t]*[A-Z_]\w*[ \t]*"'),
        ("json", rb'\A\s*(?:\{\s*["}]|\[\s*[{\]])'),
        ("dds", rb'^(?:NUMBER[ \t]+\d|PBN(?:[ \t]+\d+){4}[ \t]+")'),
        ("lin", rb"\A\s*[A-Z]\w\|"),
        ("bbo", rb"\A\s*" + BBO_LINK.encode()),
        ("lin", rb"^(?:md|qx|vg|pn)\|"),
        ("rbn", rb"^(?:H[ \t]+[NESW]:|B[ \t]+\d|%[ \t]*RBN\b)"),
        ("deals", rb"\A(?:[ \t]*+(?:[#%;][^\n]*+)?+\n)*+[ \t]*+" + DEAL_LINE.encode()),
        ("bbo", BBO_LINK.encode()),
    )
)
"""What shows each format near the start of a file; tried in this order."""

_START = 1 << 16
_JUNK = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1a\x1b")


def detect_format(data: bytes, path: str | None = None) -> str:
    """Name the format of a file by its content, or else by the ending of `path`.

    >>> detect_format(b'[Event "Club night"]'), detect_format(b"md|3SAKQ,,,|")
    ('pbn', 'lin')
    >>> detect_format(b"hello")
    Traceback (most recent call last):
    ...
    setrograde.formats.problems.FormatError: <text>:1:1: not a board file: found 'hello', \
expected PBN, LIN, RBN, JSON, BBO viewer links, a DDS list or deals
    """
    name = path or "<text>"
    start = data[:_START]
    marked = decode_marked(data)
    if marked is not None:
        start = marked[0][:_START].removeprefix(MARK).encode("utf-8", "replace")
    start = start.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not start.strip():
        raise FormatError(Problem(1, 1, "empty file", expected="boards", path=name))
    for format, sign in _SIGNS:
        if sign.search(start):
            return format
    binary = sum(byte in _JUNK for byte in start) * 50 > len(start)
    ending = Path(name).suffix.lower()
    # A text file may hold anything; no other ending speaks for DDS lists alone.
    if not binary and ending in ENDINGS and ending != ".txt":
        return ENDINGS[ending]
    found = start.split(b"\n", 1)[0].decode("latin-1").strip() if not binary else ""
    message = "binary data, not a board file" if binary else "not a board file"
    expected = "PBN, LIN, RBN, JSON, BBO viewer links, a DDS list or deals"
    raise FormatError(Problem(1, 1, message, found=found, expected=expected, path=name))


def format_of_name(path: AnyPath) -> str:
    """The format that a file's name stands for.

    >>> format_of_name("hands.lin")
    'lin'
    >>> format_of_name("hands.doc")
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: no format for 'hands.doc' \
(expected a name ending in .pbn, .lin, .rbn, .json, .url, .dds, .deals or .txt)
    """
    format = ENDINGS.get(Path(path).suffix.lower())
    if format is None:
        *most, last = ENDINGS
        raise InvalidInput(
            f"no format for {os.fspath(path)!r}"
            f" (expected a name ending in {', '.join(most)} or {last})"
        )
    return format


def format_of_text(text: str) -> str | None:
    """The format of text that itself holds a deal, a link or LIN; `None` for the name of a file.

    >>> format_of_text("AK... QJ... T9... 87..."), format_of_text("www.x.org/?n=sAK&s=sQJ")
    ('deals', 'bbo')
    >>> format_of_text("night.pbn") is None
    True
    """
    if re.match(r"\s*[a-z]{3,8}://", text, re.IGNORECASE):
        return "bbo"
    data = text.encode("utf-8", "replace")
    for format, sign in _SIGNS:
        if format in ("bbo", "deals", "lin") and sign.match(data):
            return format
    return None


def parse_boards(
    data: bytes | str, *, path: str = "<text>", strict: bool = False, format: str | None = None
) -> BoardFile:
    """Read boards from text of any format.

    >>> text = 'PBN 0 0 4 0 "N:A... K... Q... J..."'
    >>> parse_boards(text).format
    'dds'

    Raises `FormatError` if the format is not known, and with `strict` at the first problem.
    """
    if format is None:
        raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
        format = detect_format(raw, path)
    board_file: BoardFile = _function(format, 1)(data, path=path, strict=strict)
    return board_file


def read_boards(path: AnyPath, *, strict: bool = False, format: str | None = None) -> BoardFile:
    """Read a file of boards in any format.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "deals.txt")
    ...     _ = path.write_text('PBN 0 0 4 0 "N:A... K... Q... J..."')
    ...     len(read_boards(path))
    1

    What cannot be read is listed in `problems`; with `strict` the first problem raises
    `FormatError`. A file whose format is not known always raises it.
    """
    name = os.fspath(path)
    if Path(name).is_dir():
        raise FormatError(Problem(1, 1, "a directory", expected="a file of boards", path=name))
    return parse_boards(Path(name).read_bytes(), path=name, strict=strict, format=format)


def format_boards(boards: Iterable[Board], format: str) -> bytes:
    """Write boards as the bytes of a file of the format named.

    >>> from setrograde.bridge import Deal
    >>> board = Board.numbered(1, Deal.from_pbn("N:A... K... Q... J..."))
    >>> parse_boards(format_boards([board], "dds")).boards[0].deal == board.deal
    True
    """
    text: str | bytes = _function(format, 2)(tuple(boards))
    return text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text


def write_boards(boards: Iterable[Board], path: AnyPath, *, format: str | None = None) -> None:
    """Write boards to a file; `format` (default: by the ending of the name) is one of `FORMATS`.

    >>> write_boards([], "hands.doc")
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: no format for 'hands.doc' \
(expected a name ending in .pbn, .lin, .rbn, .json, .url, .dds, .deals or .txt)
    """
    atomic_write(path, format_boards(boards, format or format_of_name(path)))


def _function(format: str, place: int) -> Callable[..., Any]:
    if format not in _FUNCTIONS:
        raise InvalidInput(f"not a format: {format!r} (expected {', '.join(FORMATS)})")
    module = import_module(f".{_FUNCTIONS[format][0]}", __package__)
    return cast("Callable[..., Any]", getattr(module, _FUNCTIONS[format][place]))
