"""Rectangular boards: names of squares, directions, pictures.

Squares come in order along the short side unless told otherwise, row by row from the top or column
by column from the left: automata are smaller that way, because what lies between a square and its
neighbours is short.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

from .errors import InvalidGame

__all__ = ["ALL_DIRECTIONS", "DIAGONAL", "STRAIGHT", "Grid", "parse_grid"]

STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Steps along rows and columns."""

DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
"""Steps along diagonals."""

ALL_DIRECTIONS = STRAIGHT + DIAGONAL
"""Steps of a king.

>>> len(ALL_DIRECTIONS)
8
"""

_CELL = 36


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of squares; columns from the left, rows from the bottom, both from 0.

    >>> grid = Grid(3, 4)
    >>> grid.place(0, 3), grid.place(2, 0), grid.name(grid.place(1, 0))
    (0, 11, 'b1')
    >>> Grid(4, 3).place(1, 2), Grid(4, 3, is_by_rows=True).place(1, 2)
    (3, 1)
    """

    width: int
    height: int
    is_by_rows: bool | None = field(default=None, kw_only=True)
    """Whether places run along rows; along the short side if `None`."""

    @property
    def squares(self) -> int:
        """The number of squares."""
        return self.width * self.height

    @property
    def _runs_along_rows(self) -> bool:
        return self.width <= self.height if self.is_by_rows is None else self.is_by_rows

    def has(self, column: int, row: int) -> bool:
        """Whether the square is on the board."""
        return 0 <= column < self.width and 0 <= row < self.height

    def place(self, column: int, row: int) -> int:
        """Where the square stands in the string of a board."""
        from_top = self.height - 1 - row
        if self._runs_along_rows:
            return from_top * self.width + column
        return column * self.height + from_top

    def square(self, place: int) -> tuple[int, int]:
        """Column and row of a place.

        >>> Grid(3, 4).square(11)
        (2, 0)
        """
        if self._runs_along_rows:
            from_top, column = divmod(place, self.width)
        else:
            column, from_top = divmod(place, self.height)
        return column, self.height - 1 - from_top

    def name(self, place: int) -> str:
        """The name of the square as chess players write it."""
        column, row = self.square(place)
        return f"{'abcdefghijklmnopqrstuvwxyz'[column]}{row + 1}"

    def neighbour(self, place: int, step: tuple[int, int]) -> int | None:
        """The place one step on, or `None` if that is off the board.

        >>> Grid(3, 4).neighbour(11, (0, 1)), Grid(3, 4).neighbour(11, (1, 0))
        (8, None)
        """
        column, row = self.square(place)
        column, row = column + step[0], row + step[1]
        return self.place(column, row) if self.has(column, row) else None

    def iter_ray(self, place: int, step: tuple[int, int]) -> Iterator[int]:
        """The places from one in a direction, up to the edge of the board.

        >>> list(Grid(3, 4).iter_ray(11, (-1, 1)))
        [7, 3]
        """
        at = self.neighbour(place, step)
        while at is not None:
            yield at
            at = self.neighbour(at, step)

    def from_rows(self, letters: str) -> str:
        """A board from its rows, the top row first."""
        rows = self.height - 1
        squares = [self.square(place) for place in range(self.squares)]
        return "".join([letters[(rows - row) * self.width + column] for column, row in squares])

    def to_rows(self, board: str) -> str:
        """Rows divided by newlines, the top row first.

        >>> grid = Grid(3, 2)
        >>> grid.to_rows(grid.from_rows("abcdef"))
        'abc\\ndef'
        """
        return "\n".join(
            "".join([board[self.place(column, row)] for column in range(self.width)])
            for row in reversed(range(self.height))
        )

    def to_labelled_rows(self, board: str) -> str:
        """As `to_rows`, with names of rows and columns, for a terminal.

        >>> print(Grid(3, 2).to_labelled_rows("abcdef"))
        2  a c e
        1  b d f
           a b c
        """
        width = len(str(self.height))
        rows = self.to_rows(board).split("\n")
        lines = [
            f"{self.height - i:{width}}  {' '.join(letters)}" for i, letters in enumerate(rows)
        ]
        files = " ".join("abcdefghijklmnopqrstuvwxyz"[: self.width])
        return "\n".join([*lines, f"{'':{width}}  {files}"])

    def to_svg(self, board: str, glyphs: dict[str, str]) -> str:
        """The board as an SVG picture; `glyphs` says what to draw for a letter.

        >>> Grid(2, 2).to_svg("..x.", {"x": "●"}).count("●")
        1
        """
        across, up = self.width * _CELL, self.height * _CELL
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {up}"'
            f' width="{across}" height="{up}" role="img" font-family="sans-serif">'
        ]
        for place, letter in enumerate(board):
            column, row = self.square(place)
            x, y = column * _CELL, (self.height - 1 - row) * _CELL
            fill = "#c9b28f" if (column + row) % 2 == 0 else "#efe3cd"
            parts.append(f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{fill}"/>')
            if glyph := glyphs.get(letter):
                parts.append(
                    f'<text x="{x + _CELL // 2}" y="{y + _CELL * 0.72:.0f}" text-anchor="middle"'
                    f' font-size="{_CELL * 0.7:.0f}">{escape(glyph)}</text>'
                )
        return "\n".join([*parts, "</svg>"])


def parse_grid(
    name: str, size: str, *, widths: range, heights: range, most: int, example: str
) -> Grid:
    """Read a size such as 4x5; raises `InvalidGame` if the game does not come in that size.

    >>> parse_grid("checkers", "4X5", widths=range(2, 9), heights=range(4, 9), most=36, \
example="4x5")
    Grid(width=4, height=5, is_by_rows=None)
    """
    found = re.fullmatch(r"([0-9]{1,3})[xX]([0-9]{1,3})", size, re.ASCII)
    width, height = (int(found[1]), int(found[2])) if found else (0, 0)
    if width not in widths or height not in heights or width * height > most:
        raise InvalidGame(
            f"not a size of {name}: {size!r} (expected WxH, {widths[0]} to {widths[-1]} wide and"
            f" {heights[0]} to {heights[-1]} high, at most {most} squares, like {example})"
        )
    return Grid(width, height)
