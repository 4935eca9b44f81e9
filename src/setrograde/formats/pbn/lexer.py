"""Cut PBN text into tokens that cover it without a gap.

One regular expression recognises everything but brace comments, whose reading depends on where
they stand. Every token runs to the end of its line's white space, so the texts of all tokens
joined are the input, and a token at the start of a line is preceded by a line end.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

__all__ = [
    "BAD_TAG",
    "BLANK",
    "BRACE",
    "DATA",
    "ESCAPE",
    "LINE_COMMENT",
    "OUTSIDE",
    "SPACE",
    "STRAY_BRACE",
    "TAG",
    "Positions",
    "Token",
    "escape",
    "iter_games",
    "iter_tokens",
    "scan",
    "split_games",
    "unescape",
]

TAG = 2
DATA = 3
BLANK = 4
ESCAPE = 5
LINE_COMMENT = 6
BRACE = 7
BAD_TAG = 8
SPACE = 9
STRAY_BRACE = 10
OUTSIDE = 11

_TOKEN = re.compile(
    r"""
      \[ \s*+ ([A-Za-z0-9_]++) \s*+ "((?:[^"\\\r\n]++|\\[^\r\n])*+)" \s*+ \]
         [ \t\v\f]*+ (?:\r\n|\n|\r)?+                                          # 1, 2: a tag pair
    | ((?<![^\r\n\ufeff]) [ \t]*+ (?:\r\n|\n|\r))                                  # 3: semi-empty
    | ((?<![^\r\n\ufeff]) % [^\r\n]*+ (?:\r\n|\n|\r)?+)                             # 4: escape
    | (; [^\r\n]*+ (?:\r\n|\n|\r)?+)
    | ([ \t\v\f]++ (?:\r\n|\n|\r)?+ | \r\n | [\r\n])
    | (\{)
    | (\[ [^\[\]\r\n]*+ \]?+ [ \t\v\f]*+ (?:\r\n|\n|\r)?+)
    | ((?: [^\[{;"\r\n]++
         | "[^"\r\n]*+"?+
         | (?:\r\n|\n|\r)(?![ \t\v\f]*+(?:[\r\n]|\Z)|%)
       )++ (?:\r\n|\n|\r)?+)
    """,
    re.VERBOSE,
)
_KINDS = (0, 0, TAG, BLANK, ESCAPE, LINE_COMMENT, SPACE, BRACE, BAD_TAG, DATA)
_LINE_REST = re.compile(r"[ \t\v\f]*+(?:\r\n|\n|\r)?+")
_WHOLE_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\n|\r)?+")
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*+(?=[\r\n])")
_LINE_END = re.compile(r"\r\n|\n|\r")
_ESCAPED = re.compile(r'\\(["\\])')
_OPEN, _CLOSE = "<PBN>", "</PBN>"


class Token(NamedTuple):
    """One piece of the text: `text[start:end]`.

    >>> scan('[Event "x"]')[0]
    Token(kind=2, start=0, end=11, name='Event', value='x')
    """

    kind: int
    start: int
    end: int
    name: str = ""
    """Of a tag pair."""

    value: str = ""
    """Of a tag pair, as it stands between the quotes."""


def unescape(raw: str) -> str:
    r"""The string a quoted text stands for: `\"` is a quote, `\\` a backslash.

    >>> unescape(r"say \"hi\" \2R")
    'say "hi" \\2R'
    """
    return _ESCAPED.sub(r"\1", raw) if "\\" in raw else raw


def escape(value: str) -> str:
    r"""What `unescape` turns back into `value`.

    >>> print(escape('a "b"'), escape(r"Result\2R"))
    a \"b\" Result\2R
    """
    return re.sub(r'\\(?=[\\"]|$)', r"\\\\", value).replace('"', '\\"')


def scan(text: str) -> list[Token]:
    """Cut `text` into tokens.

    >>> [token.kind == TAG for token in scan('% PBN 2.1\\n[Event "x"] {comment}\\n')]
    [False, True, False]
    """
    return list(iter_tokens(text))


def iter_tokens(text: str) -> Iterator[Token]:
    """Cut `text` into tokens, one at a time."""
    start = 1 if text.startswith("\ufeff") else 3 if text.startswith("\xef\xbb\xbf") else 0
    if start:
        yield Token(OUTSIDE, 0, start)
    opening = text.find(_OPEN)
    if opening < 0 or "\n[" in text[:opening] or text.startswith("[", start):
        yield from _iter_region(text, start, len(text))
        return
    while opening >= 0:
        begin = opening + len(_OPEN)
        yield Token(OUTSIDE, start, begin)
        closing = text.find(_CLOSE, begin)
        start = len(text) if closing < 0 else closing
        yield from _iter_region(text, begin, start)
        opening = text.find(_OPEN, start)
    if start < len(text):
        yield Token(OUTSIDE, start, len(text))


def iter_games(text: str) -> Iterator[list[Token]]:
    """The tokens of each game, without the semi-empty lines between games.

    >>> [len(game) for game in iter_games('[Event "x"]\\n{c}\\n\\n% no game\\n\\n[Event "y"]')]
    [2, 1]
    """
    game: list[Token] = []
    has_tag = False
    for token in iter_tokens(text):
        kind = token[0]
        if kind == TAG:
            has_tag = True
        elif kind in (BLANK, OUTSIDE):
            if has_tag:
                yield from _cut_games(game) if _may_be_cut(game) else (game,)
            game, has_tag = [], False
            continue
        game.append(token)
    if has_tag:
        yield from _cut_games(game)


def _may_be_cut(block: list[Token]) -> bool:
    """False, and soon said, for nearly every block: a game has one deal and one board."""
    names = [token[3] for token in block]
    return names.count("Deal") > 1 or names.count("Board") > 1


def _cut_games(block: list[Token]) -> Iterator[list[Token]]:
    """The games of a block; files without empty lines have several in one.

    Another `Deal` or `Board` cannot belong to the game. The next game begins at the first of the
    tags before it that are all there for the second time.
    """
    seen: dict[str, str] = {}
    begin = 0
    again = -1
    for number, token in enumerate(block):
        if token[0] != TAG or token[3] == "Note":
            continue
        name = token[3]
        if name not in seen:
            again = -1
        elif again < 0:
            again = number
        if name in ("Deal", "Board") and seen.get(name, token[4]) != token[4]:
            yield block[begin:again]
            begin, again = again, -1
            seen = {tag[3]: tag[4] for tag in block[begin:number] if tag[0] == TAG}
        seen[name] = token[4]
    yield block[begin:]


def _iter_region(text: str, pos: int, end: int) -> Iterator[Token]:
    kinds = _KINDS
    new = tuple.__new__  # makes a Token in a quarter of the time of Token(...)
    in_table = table_data = False
    closing = blank = -1
    while pos < end:
        for match in _TOKEN.finditer(text, pos, end):
            kind = kinds[match.lastindex or 0]
            if kind == TAG:
                name, value = match.group(1, 2)
                in_table = name.endswith("Table")
                table_data = False
                yield new(Token, (TAG, *match.span(), name, value))
            elif kind != BRACE:
                if kind == DATA:
                    table_data = in_table
                elif kind == BLANK:
                    in_table = table_data = False
                yield new(Token, (kind, *match.span(), "", ""))
            else:
                pos = match.start()
                break
        else:
            return
        if closing < pos:
            closing = text.find("}", pos, end)
            closing = closing if closing >= 0 else end
        if table_data and blank < pos:
            found = _BLANK_LINE.search(text, pos, end)
            blank = found.start() if found else end
        if closing == end or (table_data and blank < closing):
            kind, rest = STRAY_BRACE, _WHOLE_LINE.match(text, pos, end)
        else:
            rest = _LINE_REST.match(text, closing + 1, end)
        assert rest is not None
        yield Token(kind, pos, rest.end())
        pos = rest.end()


def split_games(tokens: list[Token]) -> tuple[int, list[tuple[int, int, int]]]:
    """Find the games: how many tokens precede the first, and `(first, block_end, last)` of each.

    A game is a block without semi-empty lines that holds a tag pair. What stands between
    `block_end` and `last` (blank lines, stray text) follows it.
    """
    blocks: list[tuple[int, int]] = []
    begin, has_tag = 0, False
    for number, token in enumerate(tokens):
        kind = token[0]
        if kind == TAG:
            has_tag = True
        elif kind in (BLANK, OUTSIDE):
            if has_tag:
                blocks.append((begin, number))
            begin, has_tag = number + 1, False
    if has_tag:
        blocks.append((begin, len(tokens)))
    if not blocks:
        return len(tokens), []
    first, stop = blocks[0]
    while tokens[first].kind in (ESCAPE, SPACE) and first < stop:
        first += 1
    blocks[0] = (first, stop)
    blocks = [cut for begin, end in blocks for cut in _cut_places(tokens, begin, end)]
    starts = [begin for begin, _ in blocks[1:]] + [len(tokens)]
    return first, [(a, b, c) for (a, b), c in zip(blocks, starts, strict=True)]


def _cut_places(tokens: list[Token], begin: int, end: int) -> Iterator[tuple[int, int]]:
    """First and last token of each game in a block."""
    for game in _cut_games(tokens[begin:end]):
        yield begin, begin + len(game)
        begin += len(game)


class Positions:
    """Lines and columns, both from 1, of offsets into a text.

    >>> Positions("ab\\r\\ncd").of(5)
    (2, 2)
    """

    def __init__(self, text: str) -> None:
        if text.count("\r") == text.count("\r\n"):
            lengths = [len(line) + 1 for line in text.split("\n")]
            self._starts = list(accumulate(lengths, initial=0))[:-1]
        else:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def of(self, offset: int) -> tuple[int, int]:
        """Line and column of `offset`."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
