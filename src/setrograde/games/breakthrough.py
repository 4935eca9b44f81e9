"""Breakthrough: run a pawn to the far side.

Pawns go one square forward, straight or diagonally, and capture diagonally. Who reaches the far
row, or takes the last pawn of the other side, has won. Player 0 has `x` and moves up.
"""

from __future__ import annotations

from collections.abc import Iterator

from setrograde.sets import BoardSet, Change, Move, Moves

from .board_game import BoardGame, Step
from .grid import Grid, parse_grid

__all__ = ["Breakthrough"]


class Breakthrough(BoardGame):
    """Breakthrough on any board from 2x4 to 36 squares.

    >>> game = Breakthrough(4, 4)
    >>> game.moves(0).forward(game.space.of([game.start])).count
    6
    """

    name = "breakthrough"

    def __init__(self, width: int, height: int, *, limit_mb: int = 1024) -> None:
        # Pawns run along columns, so rows are better also on boards a little wider than high: 6x5
        # has 105,000 states after 8 plies by rows, 390,000 by columns. Four rows are too few: 6x4
        # ends with 22,000 states by rows, 6,700 by columns.
        is_by_rows = True if height > 4 else None
        self.grid = Grid(width, height, is_by_rows=is_by_rows)
        super().__init__(f"{width}x{height}", [".xo"] * self.grid.squares, limit_mb=limit_mb)
        # How far a pawn has still to go: a step takes one off, a capture a whole pawn more.
        rows = [self.grid.square(place)[1] for place in range(self.grid.squares)]
        self.letter_weights = [{"x": height - 1 - row, "o": row} for row in rows]

    @classmethod
    def from_size(cls, size: str, *, limit_mb: int = 1024) -> Breakthrough:
        """The game of a size written as 4x5, columns first."""
        grid = parse_grid(
            cls.name, size, widths=range(2, 9), heights=range(4, 9), most=36, example="4x5"
        )
        return cls(grid.width, grid.height, limit_mb=limit_mb)

    # --- sets ---

    def reach_bound(self, plies: int | None = None) -> BoardSet:
        """Boards with at most two rows of pawns a side, as pawns do not come back."""
        most = 2 * self.grid.width
        return self.space.with_count("x", most=most) & self.space.with_count("o", most=most)

    def make_moves(self, player: int) -> Moves:
        """Steps and captures, on boards where the other side has not come through."""
        own, other, up = ("x", "o", 1) if player == 0 else ("o", "x", -1)
        home = 0 if player == 0 else self.grid.height - 1
        not_over = self.space.with_count(
            other, most=0, places=[self.grid.place(c, home) for c in range(self.grid.width)]
        )
        moves = []
        for start in range(self.grid.squares):
            for aside in (-1, 0, 1):
                end = self.grid.neighbour(start, (aside, up))
                if end is None:
                    continue
                entries = ((".", own), (other, own)) if aside else ((".", own),)
                changes = (Change(start, ((own, "."),)), Change(end, entries))
                moves.append(Move(changes))
        return Moves(self.space, moves, before=not_over)

    # --- boards ---

    @property
    def start(self) -> str:
        """The start: two rows of pawns a side."""
        middle = self.grid.height - 4
        two_rows = 2 * self.grid.width
        return self.grid.from_rows(
            "o" * two_rows + "." * (middle * self.grid.width) + "x" * two_rows
        )

    def iter_steps(self, board: str, player: int) -> Iterator[Step]:
        """The moves; steps are written as `a2-a3`, captures as `a2xb3`."""
        width, height = self.grid.width, self.grid.height
        rows = self.grid.to_rows(board).split("\n")  # the top row first
        own, other, down = ("x", "o", -1) if player == 0 else ("o", "x", 1)
        if other in rows[-1 if player == 0 else 0]:
            return
        for row, letters in enumerate(rows):
            for column, letter in enumerate(letters):
                if letter != own or not 0 <= row + down < height:
                    continue
                for to in range(max(column - 1, 0), min(column + 2, width)):
                    taken = rows[row + down][to]
                    if taken == own or (taken == other and to == column):
                        continue
                    after = [list(each) for each in rows]
                    after[row][column], after[row + down][to] = ".", own
                    sign = "x" if taken == other else "-"
                    yield Step(
                        f"{'abcdefgh'[column]}{height - row}{sign}"
                        f"{'abcdefgh'[to]}{height - row - down}",
                        self.grid.from_rows("".join(map("".join, after))),
                    )

    def mirrored(self, board: str) -> str:
        """The board upside down, with the colours exchanged."""
        rows = self.grid.to_rows(board).split("\n")
        swapped = "".join(reversed(rows)).translate(str.maketrans("xo", "ox"))
        return self.grid.from_rows(swapped)

    # --- text ---

    def to_text(self, board: str) -> str:
        """The rows of the board, the top row first."""
        return self.grid.to_rows(board)

    def parse_board(self, text: str) -> str:
        """Read the rows of a board from the top, divided by slashes or blanks."""
        letters = "".join(text.replace("/", " ").split())
        if len(letters) != self.grid.squares:
            return self.check_board("", text)
        return self.check_board(self.grid.from_rows(letters), text)
