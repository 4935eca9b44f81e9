"""LIN files as documents: a row of pairs `key|value|`, with every byte kept.

Nothing here knows bridge. A document read and written back unchanged is the same bytes; changing
one value changes only that value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from setrograde.bridge import InvalidInput

from .._text import decode_marked

__all__ = ["LinDocument", "LinToken"]

# Values of these keys never span lines: a line end closes them where the bar is missing.
_ONE_LINE_KEYS = frozenset(("ah", "mb", "mc", "md", "pc", "pg", "rh", "st", "sv"))
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9#]{1,2}", re.ASCII)
_BLANK = re.compile(r"(?:[\s\ufeff]|^%[^\n]*)*", re.MULTILINE)  # blanks and comment lines


@dataclass(frozen=True, slots=True)
class LinToken:
    """One `key|value|` and the blanks before it.

    >>> token = LinToken("mb", "1C!")
    >>> token.key, str(token)
    ('mb', 'mb|1C!|')
    """

    raw_key: str
    """The key as written, perhaps in capitals or with blanks behind it."""

    value: str = ""
    """The text between the bars."""

    before: str = ""
    """Blanks, line ends, comment lines and stray text before the key."""

    is_closed: bool = True
    """False if the second bar is missing."""

    line: int = field(default=1, compare=False)
    """Line of the key when it was read, from 1."""

    column: int = field(default=1, compare=False)
    """Column of the key when it was read, from 1, in characters."""

    @property
    def key(self) -> str:
        """The key in small letters without blanks."""
        return self.raw_key.strip().lower()

    @property
    def has_key(self) -> bool:
        """True if the key looks like one: two or three letters or digits."""
        return _KEY.fullmatch(self.raw_key.strip()) is not None

    @property
    def stray(self) -> str:
        """Text before the key that is neither blank nor a comment."""
        return _BLANK.sub("", self.before)

    @property
    def value_column(self) -> int:
        """Column of the first letter of the value."""
        return self.column + len(self.raw_key) + 1

    def __str__(self) -> str:
        return f"{self.before}{self.raw_key}|{self.value}{'|' if self.is_closed else ''}"


@dataclass(frozen=True, slots=True)
class LinDocument:
    """All tokens of a LIN file, in order.

    >>> document = LinDocument.from_data(b"pn|a,b,c,d|\\r\\nsv|o| mb|1C|")
    >>> [token.key for token in document]
    ['pn', 'sv', 'mb']
    >>> document.with_value(1, "n").to_bytes()
    b'pn|a,b,c,d|\\r\\nsv|n| mb|1C|'
    """

    tokens: tuple[LinToken, ...]
    """In the order of the file."""

    tail: str = ""
    """The text after the last bar."""

    encoding: str = "utf-8"
    """What a byte order mark says, or else `utf-8` if the bytes are that, or else `latin-1`."""

    @classmethod
    def from_data(cls, data: bytes | str) -> LinDocument:
        """Cut any text into tokens; every text is accepted.

        >>> LinDocument.from_data(b"nt|\\xe9t\\xe9|").encoding
        'latin-1'
        """
        text, encoding = (data, "utf-8") if isinstance(data, str) else _decode(data)
        tokens, tail = _scan(text)
        return cls(tuple(tokens), tail, encoding)

    def to_text(self) -> str:
        """The file's text, unchanged.

        >>> LinDocument.from_data(" pg||\\n").to_text()
        ' pg||\\n'
        """
        return "".join([str(token) for token in self.tokens]) + self.tail

    def to_bytes(self) -> bytes:
        """The file's bytes, unchanged.

        >>> LinDocument.from_data(b"nt|\\xe9|").to_bytes()
        b'nt|\\xe9|'
        """
        return self.to_text().encode(self.encoding, "surrogatepass")

    def indices(self, key: str) -> tuple[int, ...]:
        """The numbers of the tokens with this key.

        >>> LinDocument.from_data("mb|p|an|x|mb|p|").indices("mb")
        (0, 2)
        """
        return tuple(i for i, token in enumerate(self.tokens) if token.key == key)

    def with_value(self, index: int, value: str) -> LinDocument:
        """The same document with another value in token number `index`.

        >>> LinDocument.from_data("mb|p|").with_value(0, "a|b")
        Traceback (most recent call last):
        ...
        setrograde.errors.InvalidInput: a LIN value holds no bar: 'a|b'
        """
        if "|" in value:
            raise InvalidInput(f"a LIN value holds no bar: {value!r}")
        try:
            value.encode(self.encoding)
        except UnicodeEncodeError:
            raise InvalidInput(f"not in the file's encoding {self.encoding}: {value!r}") from None
        tokens = list(self.tokens)
        tokens[index] = replace(tokens[index], value=value)
        return replace(self, tokens=tuple(tokens))

    def __iter__(self) -> Iterator[LinToken]:
        return iter(self.tokens)

    def __len__(self) -> int:
        return len(self.tokens)


def _decode(data: bytes) -> tuple[str, str]:
    """Text and encoding; each of the encodings gives back the same bytes."""
    marked = decode_marked(data)
    if marked is not None:
        return marked
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def _scan(text: str) -> tuple[list[LinToken], str]:
    """Tokens and tail of `text`; joined again they give `text`."""
    tokens: list[LinToken] = []
    position = seen = line_start = 0
    line = 1
    while True:
        key_start, bar = _next_key(text, position)
        if bar < 0:
            return tokens, text[position:]
        newlines = text.count("\n", seen, key_start)
        if newlines:
            line += newlines
            line_start = text.rfind("\n", seen, key_start) + 1
        seen = key_start
        raw_key = text[key_start:bar]
        end, is_closed = _value_end(text, bar + 1, raw_key.strip().lower())
        tokens.append(
            LinToken(
                raw_key,
                text[bar + 1 : end],
                text[position:key_start],
                is_closed,
                line,
                key_start - line_start + 1,
            )
        )
        position = end + is_closed


def _next_key(text: str, position: int) -> tuple[int, int]:
    """Where the next key begins and the bar behind it stands; the bar is -1 if there is none."""
    start = _skip_blank(text, position)
    while (bar := text.find("|", start)) >= 0:
        # Text with a line end in it is no key: only its last line may be one.
        start = _skip_blank(text, max(start, text.rfind("\n", start, bar) + 1))
        if start <= bar:
            break  # otherwise the bar stood in a comment
    return start, bar


def _skip_blank(text: str, position: int) -> int:
    if text[position : position + 1].isalpha():
        return position
    match = _BLANK.match(text, position)
    assert match is not None
    return match.end()


def _value_end(text: str, start: int, key: str) -> tuple[int, bool]:
    """The end of a value and whether a bar stands there."""
    bar = text.find("|", start)
    if key in _ONE_LINE_KEYS:
        newline = text.find("\n", start, bar if bar >= 0 else len(text))
        if newline >= 0:
            return newline - (text[newline - 1] == "\r" and newline > start), False
    return (bar, True) if bar >= 0 else (len(text), False)
