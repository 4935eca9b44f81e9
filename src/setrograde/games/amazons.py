"""Amazons: queens that move and then shoot an arrow, which blocks its square for good.

Both go like a queen of chess over empty squares. Who cannot move has lost. Player 0 has `x`; arrows
are `#`. Boards here are small, with four amazons a side near the corners.
"""

from __future__ import annotations

from collections.abc import Iterator

from setrograde.sets import BoardSet, Change, Move, MoveGraph

from .board_game import BoardGame, Step
from .grid import ALL_DIRECTIONS, Grid, parse_grid

__all__ = ["Amazons"]

_HELD = "*"  # the queen that has moved and will shoot; on no board between moves
_EMPTY = ((".", "."),)


class Amazons(BoardGame):
    """Amazons on any board from 4x4 to 30 squares.

    >>> game = Amazons(4, 4)
    >>> print(game.to_text(game.start))
    .oo.
    o..o
    x..x
    .xx.
    >>> game.moves(0).forward(game.space.of([game.start])).count
    88
    """

    name = "amazons"
    is_solved_within_reach = True

    def __init__(self, width: int, height: int, *, limit_mb: int = 4096) -> None:
        self.grid = Grid(width, height)
        super().__init__(
            f"{width}x{height}", [f".xo#{_HELD}"] * self.grid.squares, limit_mb=limit_mb
        )
        self.letter_weights = [{".": 1}] * self.grid.squares  # every arrow fills a square

    @classmethod
    def from_size(cls, size: str, *, limit_mb: int = 4096) -> Amazons:
        """The game of a size written as 4x5, columns first."""
        grid = parse_grid(
            cls.name, size, widths=range(4, 7), heights=range(4, 8), most=30, example="4x5"
        )
        return cls(grid.width, grid.height, limit_mb=limit_mb)

    # --- sets ---

    def legal(self, player: int) -> BoardSet:
        """Boards with four amazons a side, none of them in the middle of a move."""
        four = [self.space.with_count(own, least=4, most=4) for own in "xo"]
        return self.space.intersection([*four, self.space.with_count(_HELD, most=0)])

    def reach_bound(self, plies: int | None = None) -> BoardSet:
        """Boards on which enough amazons still stand where they began: a move moves one.

        >>> game = Amazons(4, 4)
        >>> one_arrow = game.space.with_count("#", least=1, most=1)
        >>> (game.reach_bound(1) & game.legal(1) & one_arrow).count
        264
        """
        if plies is None:
            return self.space.everything
        at_home = [[{own: 1} if letter == own else {} for letter in self.start] for own in "xo"]
        return self.space.union(
            self.space.with_count(_HELD, least=held, most=held)
            & self.space.with_sum(at_home[0], least=4 - (plies + held + 1) // 2, most=4)
            & self.space.with_sum(at_home[1], least=4 - (plies + held) // 2, most=4)
            for held in (0, 1)
        )

    def make_moves(self, player: int) -> MoveGraph:
        """The moves in two steps: an amazon moves as a queen, then it shoots."""
        own = "xo"[player]
        glides = [
            Move(
                (
                    Change(path[0], ((own, "."),)),
                    *[Change(place, _EMPTY) for place in path[1:-1]],
                    Change(path[-1], ((".", _HELD),)),
                )
            )
            for path in self._iter_paths()
        ]
        shots = [
            Move(
                (
                    Change(path[0], ((_HELD, own),)),
                    *[Change(place, _EMPTY) for place in path[1:-1]],
                    Change(path[-1], ((".", "#"),)),
                )
            )
            for path in self._iter_paths()
        ]
        return MoveGraph(self.space, {("begin", "moved"): glides, ("moved", "end"): shots})

    def _iter_paths(self) -> Iterator[list[int]]:
        for start in range(self.grid.squares):
            for step in ALL_DIRECTIONS:
                path = [start]
                for place in self.grid.iter_ray(start, step):
                    path.append(place)
                    yield list(path)

    # --- boards ---

    @property
    def start(self) -> str:
        """The squares one away from a corner, on either side of it, where amazons begin."""
        top, right = self.grid.height - 1, self.grid.width - 1
        letters = ["."] * self.grid.squares
        for own, squares in (
            ("x", [(1, 0), (right - 1, 0), (0, 1), (right, 1)]),
            ("o", [(1, top), (right - 1, top), (0, top - 1), (right, top - 1)]),
        ):
            for column, row in squares:
                letters[self.grid.place(column, row)] = own
        return "".join(letters)

    def is_legal(self, board: str, player: int) -> bool:
        """Whether each side has four amazons."""
        return board.count("x") == board.count("o") == 4 and _HELD not in board

    def iter_steps(self, board: str, player: int) -> Iterator[Step]:
        """The moves, written as `a1-b2/c3`: from, to, arrow."""
        own, name = "xo"[player], self.grid.name
        for start, letter in enumerate(board):
            if letter != own:
                continue
            lifted = board[:start] + "." + board[start + 1 :]
            for end in self._reach(lifted, start):
                moved = lifted[:end] + own + lifted[end + 1 :]
                for shot in self._reach(moved, end):
                    yield Step(
                        f"{name(start)}-{name(end)}/{name(shot)}",
                        moved[:shot] + "#" + moved[shot + 1 :],
                    )

    def _reach(self, board: str, start: int) -> Iterator[int]:
        column, row = self.grid.square(start)
        for right, up in ALL_DIRECTIONS:
            x, y = column + right, row + up
            while self.grid.has(x, y) and board[self.grid.place(x, y)] == ".":
                yield self.grid.place(x, y)
                x, y = x + right, y + up

    def mirrored(self, board: str) -> str:
        """The board upside down, with the colours exchanged."""
        rows = self.grid.to_rows(board).split("\n")
        return self.grid.from_rows("".join(reversed(rows)).translate(str.maketrans("xo", "ox")))

    # --- text ---

    def to_text(self, board: str) -> str:
        """The rows of the board, the top row first."""
        return self.grid.to_rows(board)

    def parse_board(self, text: str) -> str:
        """Read the rows of a board from the top, divided by slashes or blanks."""
        letters = "".join(text.replace("/", " ").split())
        if len(letters) != self.grid.squares or _HELD in letters:
            return self.check_board("", text)
        return self.check_board(self.grid.from_rows(letters), text)
