"""Words, numbers, strings and signs of a dealer script, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from setrograde.formats.problems import FormatError, Problem

from .syntax import Place

__all__ = ["Token", "tokenize"]


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of the text.

    >>> [token.text for token in tokenize("hcp(north) >= 15 # strong")]
    ['hcp', '(', 'north', ')', '>=', '15', '']
    """

    kind: str
    """`word` (letters, digits and `_`), `string`, `sign` or `end`."""

    text: str
    """As it is written; of a string, what is between the quotes."""

    place: Place
    """Where it begins."""

    @property
    def shown(self) -> str:
        """The piece as a message quotes it."""
        return "the end of the script" if self.kind == "end" else self.text


_PIECE = re.compile(
    r"""
    (?P<gap> [ \t\r\n\f\v]+ | \#[^\n]* | //[^\n]* | /\*.*?\*/ )
  | (?P<word> [A-Za-z0-9_]+ )
  | "(?P<string> [^"]* )"
  | (?P<sign> && | \|\| | == | != | <= | >= | \\n | [-+*/%!<>=?:(),] )
    """,
    re.VERBOSE | re.DOTALL,
)


def tokenize(text: str, *, path: str = "<text>") -> list[Token]:
    """All pieces of `text`, the last one of kind `end`; comments are passed over.

    Raises `FormatError` at a sign that the language does not have.
    """
    tokens: list[Token] = []
    at, line, line_start = 0, 1, 0
    while at < len(text):
        place = Place(line, at - line_start + 1)
        match = _PIECE.match(text, at)
        if match is None or (match[0] == "/" and text.startswith("/*", at)):
            raise FormatError(_strange(text, at, place, path))
        kind = match.lastgroup or ""
        if kind != "gap":
            tokens.append(Token(kind, match[kind], place))
        newlines = match[0].count("\n")
        if newlines:
            line += newlines
            line_start = at + match[0].rindex("\n") + 1
        at = match.end()
    tokens.append(Token("end", "", Place(line, at - line_start + 1)))
    return tokens


def _strange(text: str, at: int, place: Place, path: str) -> Problem:
    found = text[at : at + 20].split("\n")[0]
    if text[at] == '"':
        message, expected = "a string without an end", 'a closing "'
    elif text.startswith("/*", at):
        message, expected = "a comment without an end", "*/"
    else:
        found = text[at]
        message, expected = "not a sign of this language", "a word, a number, a string or a sign"
    return Problem(place.line, place.column, message, found=found, expected=expected, path=path)
