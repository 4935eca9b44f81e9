"""PBN files as documents: single tags and tables can be changed, every other byte stays.

`PbnDocument.from_bytes(data).to_bytes() == data` for any bytes at all. Editing replaces the text
of one tag or section and leaves comments, line ends, spacing and unknown tags as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from setrograde.bridge import InvalidInput
from setrograde.formats._text import decode_marked

from . import lexer

__all__ = ["COMMENTARY", "MANDATORY_TAGS", "ItemKind", "PbnDocument", "PbnGame", "PbnItem"]

MANDATORY_TAGS = (
    "Event",
    "Site",
    "Date",
    "Board",
    "West",
    "North",
    "East",
    "South",
    "Dealer",
    "Vulnerable",
    "Deal",
    "Scoring",
    "Declarer",
    "Contract",
    "Result",
)
"""The 15 tags of the export format, in its order."""

COMMENTARY = "Commentary"
"""The name under which the tags of a board hold the comments of its game."""

_NAME = re.compile(r"[A-Za-z0-9_]+")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]+")
_QUOTED = re.compile(r'"(?:[^"\\\r\n]|\\[^\r\n])*+"')
_LINE_END = re.compile(r"\r\n|\n|\r")
_MANDATORY_PLACE = {name: place for place, name in enumerate(MANDATORY_TAGS)}


class ItemKind(Enum):
    """The kind of a piece of a PBN file.

    >>> ItemKind.TAG
    ItemKind.TAG
    """

    TAG = "tag"
    DATA = "data"
    COMMENT = "comment"
    ESCAPE = "escape"
    BLANK = "blank"
    OTHER = "other"

    def __repr__(self) -> str:
        return f"ItemKind.{self.name}"


_ITEM_KINDS = {
    lexer.TAG: ItemKind.TAG,
    lexer.DATA: ItemKind.DATA,
    lexer.BLANK: ItemKind.BLANK,
    lexer.ESCAPE: ItemKind.ESCAPE,
    lexer.LINE_COMMENT: ItemKind.COMMENT,
    lexer.BRACE: ItemKind.COMMENT,
}


@dataclass(frozen=True, slots=True)
class PbnItem:
    """One piece of a game: a tag pair, section data, a comment, an escape or a blank line.

    >>> PbnItem.tag("North", "O'Neil")
    PbnItem(kind=ItemKind.TAG, text='[North "O\\'Neil"]\\n', name='North', value="O'Neil")
    """

    kind: ItemKind
    """Its kind."""

    text: str
    """The text as it stands in the file, with its line end."""

    name: str = ""
    """The name of a tag pair."""

    value: str = ""
    """The value of a tag pair, without quotes and escapes."""

    @classmethod
    def tag(cls, name: str, value: str, *, line_end: str = "\n") -> PbnItem:
        """A tag pair on a line of its own; control characters in `value` become spaces."""
        if not _NAME.fullmatch(name):
            raise InvalidInput(f"not a tag name: {name!r} (expected letters, digits and '_')")
        value = _UNPRINTABLE.sub(" ", value)
        return cls(ItemKind.TAG, f"[{name} {quote(value)}]{line_end}", name, value)

    def with_value(self, value: str) -> PbnItem:
        """The same tag pair, spaced as it was, with another value."""
        value = _UNPRINTABLE.sub(" ", value)
        text = _QUOTED.sub(lambda _: quote(value), self.text, count=1)
        return replace(self, text=text, value=value)


def comment_text(text: str) -> str:
    r"""What a comment says, line by line, without its braces or its semicolon.

    >>> comment_text("{ Lead \r\n  a trump }\r\n"), comment_text("; so there\n")
    ('Lead\n  a trump', 'so there')
    """
    return "\n".join([line.rstrip() for line in _LINE_END.split(_inside(text))])


def _inside(comment: str) -> str:
    text = comment.strip()
    return (text[1:-1] if text[0] == "{" else text[1:]).strip()


def quote(value: str) -> str:
    r"""A PBN string: quotes and backslashes are escaped where a reader would miss them.

    >>> print(quote('a "b" c'), quote(r"Result\2R"))
    "a \"b\" c" "Result\2R"
    """
    return f'"{lexer.escape(value)}"'


@dataclass(frozen=True, slots=True)
class PbnGame:
    r"""One game of a file, with the blank lines behind it.

    >>> game = PbnDocument.from_bytes(b'[Board "1"]\n[Auction "N"] {none yet}\n*\n').games[0]
    >>> game.tags, game.section("Auction")
    ({'Board': '1', 'Auction': 'N'}, ('*',))
    >>> print(game.with_tag("Dealer", "N").text, end="")
    [Board "1"]
    [Dealer "N"]
    [Auction "N"] {none yet}
    *
    """

    items: tuple[PbnItem, ...]
    """Everything in order; the texts joined are the game's text."""

    @property
    def text(self) -> str:
        """The game as it stands in the file."""
        return "".join([item.text for item in self.items])

    @property
    def tags(self) -> dict[str, str]:
        """Tag values by name, without notes; if a name is there twice, its first value counts."""
        tags: dict[str, str] = {}
        for item in self.items[: self._block_end()]:
            if item.kind is ItemKind.TAG and item.name != "Note":
                tags.setdefault(item.name, item.value)
        return tags

    def get(self, name: str, default: str | None = None) -> str | None:
        """The value of a tag, or `default`."""
        return self.tags.get(name, default)

    def section(self, name: str) -> tuple[str, ...] | None:
        """The lines of data that follow a tag, without comments; `None` if there is no such tag.

        A tag without data gives no lines.
        """
        at = self._find(name)
        if at is None:
            return None
        parts = [i.text for i in self.items[at + 1 : self._section_end(at)] if _is_data(i)]
        lines = [line.strip() for part in parts for line in _LINE_END.split(part)]
        return tuple(line for line in lines if line)

    @property
    def comments(self) -> tuple[str, ...]:
        r"""The comments, without their braces or semicolons.

        >>> PbnDocument.from_bytes(b'[Board "1"] {one} ; two\n').games[0].comments
        ('one', 'two')
        """
        return tuple(_inside(i.text) for i in self.items if i.kind is ItemKind.COMMENT)

    def with_tag(self, name: str, value: str) -> PbnGame:
        """The game with another value of one tag.

        A tag that is not there is added where the export format has it."""
        at = self._find(name)
        if at is None:
            return self._inserted(name, value, ())
        items = self.items
        return PbnGame((*items[:at], items[at].with_value(value), *items[at + 1 :]))

    def with_section(self, name: str, value: str, lines: Iterable[str]) -> PbnGame:
        r"""The game with another tag value and other data of one section.

        A section that is not there is added. Comments between the tag and its data stay.

        >>> game = PbnDocument.from_bytes(b'[Board "1"]\n').games[0]
        >>> print(game.with_section("ActionTable", "Rank;Call", ["1 4H", "2 Pass"]).text, end="")
        [Board "1"]
        [ActionTable "Rank;Call"]
        1 4H
        2 Pass
        """
        at = self._find(name)
        if at is None:
            return self._inserted(name, value, lines)
        stop = self._section_end(at)
        end = self._line_end(stop)
        data = tuple(_data_item(line, end) for line in lines)
        kept = tuple(item for item in self.items[at + 1 : stop] if not _is_data(item))
        head = (self.items[at].with_value(value), *kept)
        if data:
            head = _ended(head, end)
        return PbnGame((*self.items[:at], *head, *data, *self.items[stop:]))

    def without_tag(self, name: str) -> PbnGame:
        r"""The game without a tag and its data; comments stay.

        >>> game = PbnDocument.from_bytes(b'[Board "1"]\n[Room "Open"]\n').games[0]
        >>> game.without_tag("Room").text
        '[Board "1"]\n'
        """
        at = self._find(name)
        if at is None:
            return self
        stop = self._section_end(at)
        kept = (item for item in self.items[at + 1 : stop] if not _is_data(item))
        return PbnGame((*self.items[:at], *kept, *self.items[stop:]))

    def _block_end(self) -> int:
        """The number of items up to the first blank line."""
        kinds = [item.kind for item in self.items]
        return kinds.index(ItemKind.BLANK) if ItemKind.BLANK in kinds else len(kinds)

    def _find(self, name: str) -> int | None:
        for at, item in enumerate(self.items[: self._block_end()]):
            if item.kind is ItemKind.TAG and item.name == name:
                return at
        return None

    def _section_end(self, at: int) -> int:
        """The number of items up to the tag after number `at`, or to the end of the game."""
        end = self._block_end()
        for number in range(at + 1, end):
            if self.items[number].kind is ItemKind.TAG:
                return number
        return end

    def _line_end(self, before: int) -> str:
        """How lines end just before item number `before`, or else in the game."""
        for item in (*reversed(self.items[:before]), *self.items[before:]):
            found = _LINE_END.findall(item.text)
            if found:
                return str(found[-1])
        return "\n"

    def _inserted(self, name: str, value: str, lines: Iterable[str]) -> PbnGame:
        """The game with a section in the place the export format gives to it."""
        place = _place(name)
        at = self._block_end()
        for number, item in enumerate(self.items[:at]):
            if item.kind is ItemKind.TAG and item.name != "Note" and _place(item.name) > place:
                at = number
                break
        # Blanks at the end of a file without a line end must not become an empty line.
        while at and not self.items[at - 1].text.strip() and self.items[at - 1].text[-1] in " \t":
            at -= 1
        end = self._line_end(at)
        new = (PbnItem.tag(name, value, line_end=end), *(_data_item(line, end) for line in lines))
        return PbnGame((*_ended(self.items[:at], end), *new, *self.items[at:]))


def _is_data(item: PbnItem) -> bool:
    return item.kind is ItemKind.DATA or item.kind is ItemKind.OTHER


def _place(name: str) -> tuple[int, int, str]:
    """Where the export format has a tag: mandatory, supplemental, auction, play, tables."""
    if name in _MANDATORY_PLACE:
        return (0, _MANDATORY_PLACE[name], "")
    if name in ("Auction", "Play"):
        return (2, int(name == "Play"), "")
    return (3 if name.endswith("Table") else 1, 0, name)


def _data_item(line: str, line_end: str) -> PbnItem:
    if _LINE_END.search(line) or not line.strip():
        raise InvalidInput(f"not a line of a section: {line!r} (expected text without line ends)")
    return PbnItem(ItemKind.DATA, line + line_end)


def _ended(items: tuple[PbnItem, ...], line_end: str) -> tuple[PbnItem, ...]:
    """`items`, with a line end added if the last one lacks it."""
    if not items or items[-1].text.endswith(("\r", "\n")):
        return items
    return (*items[:-1], replace(items[-1], text=items[-1].text + line_end))


@dataclass(frozen=True, slots=True)
class PbnDocument:
    r"""A whole file: the text before the first game, and the games.

    >>> document = PbnDocument.from_bytes(b'% PBN 2.1\r\n[Board "1"]\r\n\r\n[Board "2"] ; last\r\n')
    >>> document.prefix, [game.get("Board") for game in document]
    ('% PBN 2.1\r\n', ['1', '2'])
    >>> changed = document.replace_game(1, document.games[1].with_tag("Board", "7"))
    >>> changed.to_bytes()
    b'% PBN 2.1\r\n[Board "1"]\r\n\r\n[Board "7"] ; last\r\n'
    """

    prefix: str
    """Escape lines and whatever else precedes the first game."""

    games: tuple[PbnGame, ...]
    """In the order of the file."""

    encoding: str = "latin-1"
    """`latin-1` as the standard says, or what the file's byte order mark says, like `utf-16-le`."""

    @classmethod
    def from_bytes(cls, data: bytes) -> PbnDocument:
        """Read any bytes; nothing is rejected and nothing is lost."""
        text, encoding = decode(data)
        return replace(cls.from_text(text), encoding=encoding)

    @classmethod
    def from_text(cls, text: str) -> PbnDocument:
        """Read text that is decoded already.

        >>> PbnDocument.from_text('[Board "1"]').to_text()
        '[Board "1"]'
        """
        tokens = lexer.scan(text)
        first, games = lexer.split_games(tokens)
        prefix = text[: tokens[first].start] if first < len(tokens) else text
        return cls(
            prefix,
            tuple(
                PbnGame(tuple([_item(text, token) for token in tokens[begin:end]]))
                for begin, _, end in games
            ),
        )

    def replace_game(self, index: int, game: PbnGame) -> PbnDocument:
        """The document with another game in place `index`."""
        games = list(self.games)
        games[index] = game
        return replace(self, games=tuple(games))

    def to_text(self) -> str:
        """The file as text."""
        return self.prefix + "".join([game.text for game in self.games])

    def to_bytes(self) -> bytes:
        """The file as bytes: the bytes it was read from, except for the changes made.

        Characters that are not in Latin-1 become `?`.
        """
        return self.to_text().encode(self.encoding, errors="replace")

    def __iter__(self) -> Iterator[PbnGame]:
        return iter(self.games)

    def __len__(self) -> int:
        return len(self.games)


def decode(data: bytes) -> tuple[str, str]:
    """Text and encoding of a PBN file: Latin-1, unless a byte order mark says otherwise.

    >>> decode("é".encode("latin-1"))
    ('é', 'latin-1')
    """
    return decode_marked(data) or (data.decode("latin-1"), "latin-1")


def _item(text: str, token: lexer.Token) -> PbnItem:
    kind = _ITEM_KINDS.get(token.kind, ItemKind.OTHER)
    piece = text[token.start : token.end]
    return PbnItem(kind, piece, token.name, lexer.unescape(token.value))
