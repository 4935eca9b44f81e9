"""Boards to look at: letters in a terminal, SVG in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from .board_game import BoardGame
from .grid import Grid

__all__ = ["GLYPHS", "BoardPicture"]

GLYPHS = {
    "x": "●",
    "o": "○",
    "#": "✕",
    "K": "♔",
    "Q": "♕",
    "R": "♖",
    "P": "♙",
    "k": "♚",
}
"""What is drawn for a letter; letters that are not here are drawn as they are, dots not at all.

>>> GLYPHS["x"]
'●'
"""

_LINE = 24


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A board that prints itself, in notebooks as a picture.

    >>> from setrograde.games.breakthrough import Breakthrough
    >>> game = Breakthrough(2, 4)
    >>> print(BoardPicture(game, game.start))
    4  o o
    3  o o
    2  x x
    1  x x
       a b
    """

    game: BoardGame
    board: str

    def __str__(self) -> str:
        grid = self._grid
        return self.game.to_text(self.board) if grid is None else grid.to_labelled_rows(self.board)

    def to_svg(self) -> str:
        """The board as an SVG picture; a line of text for games without squares.

        >>> from setrograde.games.nim import Nim
        >>> "345" in BoardPicture(Nim([3, 4, 5]), "345").to_svg()
        True
        """
        grid = self._grid
        if grid is not None:
            letters = set(self.board) - {"."}
            glyphs = {letter: GLYPHS.get(letter, letter) for letter in letters}
            return grid.to_svg(self.board, glyphs)
        text = self.game.to_text(self.board)
        lines = text.split("\n")
        across, down = _LINE * max(map(len, lines)) + _LINE, _LINE * (len(lines) + 1)
        rows = [
            f'<text x="{_LINE // 2}" y="{_LINE * (i + 1)}">{escape(line)}</text>'
            for i, line in enumerate(lines)
        ]
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}"'
                f' width="{across}" height="{down}" role="img" font-family="monospace"'
                f' font-size="{_LINE * 3 // 4}">',
                *rows,
                "</svg>",
            ]
        )

    def _repr_svg_(self) -> str:
        return self.to_svg()

    @property
    def _grid(self) -> Grid | None:
        grid = getattr(self.game, "grid", None)
        return grid if isinstance(grid, Grid) else None
