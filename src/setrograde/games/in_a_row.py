"""Games of lines: Tic-tac-toe, and Connect-4 with its falling stones.

Player 0 has `x`. Who completes a line has won; a full board is a draw.
"""

from __future__ import annotations

from collections.abc import Iterator

from setrograde.sets import BoardSet, Change, Move, Moves

from .board_game import BoardGame, Step
from .grid import Grid, parse_grid

__all__ = ["Connect4", "TicTacToe"]

_LINE_STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


class _LineGame(BoardGame):
    """What games of lines have in common."""

    stuck_loses = False
    is_solved_within_reach = True

    def __init__(self, grid: Grid, length: int, *, limit_mb: int) -> None:
        self.grid, self.length = grid, length
        super().__init__(f"{grid.width}x{grid.height}", [".xo"] * grid.squares, limit_mb=limit_mb)
        self.letter_weights = [{".": 1}] * grid.squares
        self._lines = {own: self._with_line(own) for own in "xo"}

    def _iter_lines(self) -> Iterator[list[int]]:
        for start in range(self.grid.squares):
            for step in _LINE_STEPS:
                line = [start, *self.grid.iter_ray(start, step)][: self.length]
                if len(line) == self.length:
                    yield line

    def _with_line(self, own: str) -> BoardSet:
        """Boards with a line of that letter, as patterns that change nothing."""
        patterns = [
            Move(tuple([Change(place, ((own, own),)) for place in line]))
            for line in self._iter_lines()
        ]
        return Moves(self.space, patterns).reverse(self.space.everything)

    def lost(self, player: int) -> BoardSet:
        """Boards on which the other player has a line."""
        return self._lines["ox"[player]]

    def make_moves(self, player: int) -> Moves:
        """A stone on an empty square, on boards where the other player has no line."""
        own = "xo"[player]
        drops = [
            Move((*self._needs(place), Change(place, ((".", own),))))
            for place in range(self.grid.squares)
        ]
        return Moves(self.space, drops, before=~self.lost(player))

    def _needs(self, place: int) -> Iterator[Change]:
        """What must stand on other places, so that a stone can come to this one."""
        yield from ()

    @property
    def start(self) -> str:
        """An empty board."""
        return "." * self.grid.squares

    def has_lost(self, board: str, player: int) -> bool:
        """Whether the other player has a line."""
        rows = self.grid.to_rows(board).split("\n")
        other = "ox"[player] * self.length
        width, height = self.grid.width, self.grid.height
        columns = ["".join([row[c] for row in rows]) for c in range(width)]
        down = [
            "".join([rows[r][r + shift] for r in range(height) if 0 <= r + shift < width])
            for shift in range(-height, width)
        ]
        up = [
            "".join([rows[r][total - r] for r in range(height) if 0 <= total - r < width])
            for total in range(width + height)
        ]
        return any(other in text for text in (*rows, *columns, *down, *up))

    def iter_steps(self, board: str, player: int) -> Iterator[Step]:
        """The moves, written as the name of the square."""
        if self.has_lost(board, player):
            return
        for place in self._open_places(board):
            after = board[:place] + "xo"[player] + board[place + 1 :]
            yield Step(self.grid.name(place), after)

    def _open_places(self, board: str) -> list[int]:
        return [place for place, letter in enumerate(board) if letter == "."]

    def to_text(self, board: str) -> str:
        """The rows of the board, the top row first."""
        return self.grid.to_rows(board)

    def parse_board(self, text: str) -> str:
        """Read the rows of a board from the top, divided by slashes or blanks."""
        letters = "".join(text.replace("/", " ").split())
        if len(letters) != self.grid.squares:
            return self.check_board("", text)
        return self.check_board(self.grid.from_rows(letters), text)


class TicTacToe(_LineGame):
    """Three in a row, on 3x3 or on a larger board with longer lines.

    >>> game = TicTacToe(3)
    >>> [step.text for step in game.iter_steps("xx.oo....", 0)][0]
    'c3'
    """

    name = "tic-tac-toe"

    def __init__(self, side: int = 3, *, limit_mb: int = 1024) -> None:
        super().__init__(Grid(side, side), side, limit_mb=limit_mb)

    @classmethod
    def from_size(cls, size: str, *, limit_mb: int = 1024) -> TicTacToe:
        """The game of a size: 3x3, or 4x4 with lines of four."""
        grid = parse_grid(
            cls.name, size, widths=range(3, 5), heights=range(3, 5), most=16, example="3x3"
        )
        if grid.width != grid.height:
            parse_grid(
                cls.name, "", widths=range(3, 5), heights=range(3, 5), most=16, example="3x3"
            )
        return cls(grid.width, limit_mb=limit_mb)


class Connect4(_LineGame):
    """Four in a row; stones fall to the lowest empty square of their column.

    >>> game = Connect4(4, 4)
    >>> [step.text for step in game.iter_steps(game.start, 0)]
    ['a1', 'b1', 'c1', 'd1']
    """

    name = "connect4"

    def __init__(self, width: int, height: int, *, limit_mb: int = 1024) -> None:
        super().__init__(Grid(width, height), 4, limit_mb=limit_mb)

    @classmethod
    def from_size(cls, size: str, *, limit_mb: int = 1024) -> Connect4:
        """The game of a size written as 5x4, columns first."""
        grid = parse_grid(
            cls.name, size, widths=range(4, 9), heights=range(4, 8), most=42, example="5x4"
        )
        return cls(grid.width, grid.height, limit_mb=limit_mb)

    def legal(self, player: int) -> BoardSet:
        """Boards without a stone above an empty square."""
        columns = []
        for column in range(self.grid.width):
            for row in range(1, self.grid.height):
                below = self.space.at(self.grid.place(column, row - 1), "xo")
                columns.append(below | self.space.at(self.grid.place(column, row), "."))
        return self.space.intersection(columns)

    def is_legal(self, board: str, player: int) -> bool:
        """Whether no stone is above an empty square."""
        rows = self.grid.to_rows(board).split("\n")
        columns = ["".join(letters) for letters in zip(*rows, strict=True)]
        return all("." not in column.lstrip(".") for column in columns)

    def _needs(self, place: int) -> Iterator[Change]:
        below = self.grid.neighbour(place, (0, -1))
        if below is not None:
            yield Change(below, (("x", "x"), ("o", "o")))
        above = self.grid.neighbour(place, (0, 1))
        if above is not None:
            yield Change(above, ((".", "."),))

    def _open_places(self, board: str) -> list[int]:
        places = []
        for column in range(self.grid.width):
            for row in range(self.grid.height):
                if board[self.grid.place(column, row)] == ".":
                    places.append(self.grid.place(column, row))
                    break
        return places
