"""How readers collect problems: a lenient reader lists them, a strict one raises the first."""

from __future__ import annotations

from collections.abc import Iterable

from .problems import FormatError, Problem

__all__ = ["Reporter", "place_in", "places_in"]


class Reporter:
    """Collects the problems of one file.

    >>> reporter = Reporter("a.lin", strict=False)
    >>> reporter.report(1, 4, "not a call", found="8C", expected="like 1C")
    >>> print(*reporter.problems)
    a.lin:1:4: not a call: found '8C', expected like 1C
    """

    def __init__(self, path: str, strict: bool) -> None:
        self.path = path
        self.strict = strict
        self._problems: list[Problem] = []

    def report(
        self, line: int, column: int, message: str, *, found: str = "", expected: str = ""
    ) -> None:
        """Add a problem to the list, or raise it if the reader is strict."""
        problem = Problem(line, column, message, found, expected, self.path)
        if self.strict:
            raise FormatError(problem)
        self._problems.append(problem)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems so far, in the order in which they were found."""
        return tuple(self._problems)


def place_in(text: str, offset: int, line: int = 1, column: int = 1) -> tuple[int, int]:
    """Line and column of `text[offset]` if `text` itself begins at `line` and `column`.

    >>> place_in("ab\\ncd", 4), place_in("ab", 1, line=7, column=10)
    ((2, 2), (7, 11))
    """
    newline = text.rfind("\n", 0, offset)
    if newline < 0:
        return line, column + offset
    return line + text.count("\n", 0, offset), offset - newline


def places_in(text: str, offsets: Iterable[int]) -> list[tuple[int, int]]:
    """Lines and columns of many offsets, given in ascending order, in one walk.

    >>> places_in("ab\\ncd", [1, 4])
    [(1, 2), (2, 2)]
    """
    places = []
    line, line_start, seen = 1, 0, 0
    for offset in offsets:
        newlines = text.count("\n", seen, offset)
        if newlines:
            line += newlines
            line_start = text.rfind("\n", seen, offset) + 1
        seen = offset
        places.append((line, offset - line_start + 1))
    return places
