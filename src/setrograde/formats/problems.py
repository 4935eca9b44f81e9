"""What readers report: the place of a problem, what was found and what was expected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from setrograde.bridge import Board, InvalidInput

__all__ = ["BoardFile", "FormatError", "Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a file.

    >>> print(Problem(3, 7, "not a seat", found="Black", expected="N, E, S or W", path="a.pbn"))
    a.pbn:3:7: not a seat: found 'Black', expected N, E, S or W
    """

    line: int
    """Counted from 1."""

    column: int
    """Counted from 1, in characters."""

    message: str
    """What is wrong, in a few words."""

    found: str = ""
    """The text that stands there."""

    expected: str = ""
    """What would be right."""

    path: str = "<text>"
    """The file, or a word for where the text came from."""

    severity: str = "error"
    """`error`, or `warning` for what a strict reader may let pass."""

    def __str__(self) -> str:
        parts = []
        if self.found:
            found = self.found if len(self.found) <= 60 else self.found[:57] + "..."
            parts.append(f"found {found!r}")
        if self.expected:
            parts.append(f"expected {self.expected}")
        tail = f": {', '.join(parts)}" if parts else ""
        return f"{self.path}:{self.line}:{self.column}: {self.message}{tail}"


class FormatError(InvalidInput):
    """Raised by strict readers at the first problem, and by all readers if nothing can be read.

    >>> raise FormatError(Problem(1, 1, "not a board", found="hello"))
    Traceback (most recent call last):
    ...
    setrograde.formats.problems.FormatError: <text>:1:1: not a board: found 'hello'
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class BoardFile:
    """The boards of a file, and the problems found in it.

    >>> file = BoardFile("pbn", (Board.numbered(1), Board.numbered(2)))
    >>> len(file), str(file)
    (2, '2 boards of format pbn, 0 problems')
    """

    format: str
    """`pbn`, `lin`, `rbn`, `json`, `bbo`, `dds` or `deals`."""

    boards: tuple[Board, ...]
    """In the order of the file."""

    problems: tuple[Problem, ...] = ()
    """What is wrong with the file; empty if nothing is. Strict readers raise an error instead."""

    def __str__(self) -> str:
        counts = [(len(self.boards), "board"), (len(self.problems), "problem")]
        boards, problems = [f"{n} {noun}{'s'[: n != 1]}" for n, noun in counts]
        return f"{boards} of format {self.format}, {problems}"

    def __iter__(self) -> Iterator[Board]:
        return iter(self.boards)

    def __len__(self) -> int:
        return len(self.boards)

    def __getitem__(self, index: int) -> Board:
        return self.boards[index]
