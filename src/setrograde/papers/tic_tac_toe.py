"""Tic-tac-toe: the rules alone.

Squares are numbered 0 to 8, row by row from the top left. Crosses move first, so a board shows
whose turn it is. Every `TicTacToeBoard` can come up in play; there are 5,478 of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from setrograde.errors import InvalidInput

__all__ = [
    "EMPTY",
    "LINES",
    "SYMMETRIES",
    "InvalidPosition",
    "Mark",
    "TicTacToeBoard",
    "iter_boards",
]

EMPTY = "."
"""How an empty square is written."""

LINES: tuple[tuple[int, int, int], ...] = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)  # fmt: skip
"""The eight lines: rows, columns, diagonals.

>>> [line for line in LINES if 4 in line]
[(3, 4, 5), (1, 4, 7), (0, 4, 8), (2, 4, 6)]
"""

SYMMETRIES: tuple[tuple[int, ...], ...] = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8), (2, 1, 0, 5, 4, 3, 8, 7, 6),
    (2, 5, 8, 1, 4, 7, 0, 3, 6), (8, 5, 2, 7, 4, 1, 6, 3, 0),
    (8, 7, 6, 5, 4, 3, 2, 1, 0), (6, 7, 8, 3, 4, 5, 0, 1, 2),
    (6, 3, 0, 7, 4, 1, 8, 5, 2), (0, 3, 6, 1, 4, 7, 2, 5, 8),
)  # fmt: skip
"""The eight turns and reflections; each says which old square comes to each new square.

>>> ["".join("abcdefghi"[old] for old in symmetry) for symmetry in SYMMETRIES[:2]]
['abcdefghi', 'cbafedihg']
"""


class InvalidPosition(InvalidInput):
    """Text or a move that makes no position of the game.

    >>> TicTacToeBoard.from_text("XX. ... ...")
    Traceback (most recent call last):
    ...
    setrograde.papers.tic_tac_toe.InvalidPosition: not a board: 'XX. ... ...' (2 crosses and \
0 noughts; expected as many of each, or one cross more)
    """


class Mark(StrEnum):
    """What a player puts on a square.

    >>> Mark.CROSS.opponent, str(Mark.CROSS)
    (Mark.NOUGHT, 'X')
    """

    CROSS = "X"
    NOUGHT = "O"

    @property
    def opponent(self) -> Mark:
        """The other player's mark."""
        return Mark.NOUGHT if self is Mark.CROSS else Mark.CROSS

    def __repr__(self) -> str:
        return f"Mark.{self.name}"


@dataclass(frozen=True, slots=True)
class TicTacToeBoard:
    """A position that can come up in play.

    >>> board = TicTacToeBoard.from_text("XX. OO. ...")
    >>> board.to_move, board.moves
    (Mark.CROSS, (2, 5, 6, 7, 8))
    >>> won = board.play(2)
    >>> won, won.winner, won.to_move, won.moves
    (TicTacToeBoard.from_text('XXX OO. ...'), Mark.CROSS, None, ())
    """

    cells: str = EMPTY * 9
    """The nine squares, each `X`, `O` or `.`."""

    def __post_init__(self) -> None:
        fault = _fault(self.cells) if len(self.cells) == 9 else "expected nine squares"
        if fault:
            raise InvalidPosition(f"not a board: {_rows(self.cells)!r} ({fault})")

    @classmethod
    def from_text(cls, text: str) -> TicTacToeBoard:
        """Read nine of `X`, `O` and `.` in either case, with any blanks between."""
        return cls("".join(text.upper().split()))

    @property
    def winner(self) -> Mark | None:
        """Who has completed a line, if anyone."""
        return _winner(self.cells)

    @property
    def is_full(self) -> bool:
        """True if no square is empty."""
        return EMPTY not in self.cells

    @property
    def is_over(self) -> bool:
        """True if a line is complete or the board is full."""
        return self.is_full or self.winner is not None

    @property
    def to_move(self) -> Mark | None:
        """Whose turn it is; `None` when the game is over."""
        if self.is_over:
            return None
        is_even = self.cells.count(EMPTY) % 2 == 0
        return Mark.NOUGHT if is_even else Mark.CROSS

    @property
    def moves(self) -> tuple[int, ...]:
        """The empty squares; none when the game is over."""
        if self.is_over:
            return ()
        return tuple([square for square, cell in enumerate(self.cells) if cell == EMPTY])

    def play(self, square: int) -> TicTacToeBoard:
        """The board after the player to move marks `square`."""
        mark = self.to_move
        if mark is None or not 0 <= square < 9 or self.cells[square] != EMPTY:
            raise InvalidPosition(
                f"not a move: {square!r} on {str(self)!r} (expected one of {list(self.moves)})"
            )
        return TicTacToeBoard(self.cells[:square] + mark + self.cells[square + 1 :])

    @property
    def images(self) -> tuple[TicTacToeBoard, ...]:
        """The board turned and reflected in all eight ways, itself first.

        >>> [str(image) for image in TicTacToeBoard.from_text("XO. ... ...").images[:3]]
        ['XO. ... ...', '.OX ... ...', '... O.. X..']
        """
        return tuple(
            [
                TicTacToeBoard("".join([self.cells[old] for old in symmetry]))
                for symmetry in SYMMETRIES
            ]
        )

    @property
    def canonical(self) -> TicTacToeBoard:
        """One image to stand for all eight.

        >>> len({board.canonical for board in iter_boards()})
        765
        """
        return min(self.images, key=lambda image: image.cells)

    def __str__(self) -> str:
        return _rows(self.cells)

    def __repr__(self) -> str:
        return f"TicTacToeBoard.from_text({str(self)!r})"


def iter_boards() -> Iterator[TicTacToeBoard]:
    """Every board that can come up in play, those with fewer marks first.

    >>> sum(1 for _ in iter_boards())
    5478
    """
    level = [TicTacToeBoard()]
    while level:
        yield from level
        level = list(dict.fromkeys([board.play(move) for board in level for move in board.moves]))


def _rows(cells: str) -> str:
    return " ".join([cells[start : start + 3] for start in range(0, len(cells), 3)])


# The three caches' keys are strings of nine known letters: at most 19,683 entries.
@cache
def _owners(cells: str) -> frozenset[str]:
    """Who has a complete line."""
    return frozenset([cells[a] for a, b, c in LINES if cells[a] == cells[b] == cells[c] != EMPTY])


@cache
def _winner(cells: str) -> Mark | None:
    owners = _owners(cells)
    return Mark(*owners) if owners else None


def _fault(cells: str) -> str:
    """Why nine characters make no board; empty if they do."""
    for cell in cells:
        if cell not in "XO.":
            return f"not a square: {cell!r}; expected X, O or '.'"
    return _fault_in_play(cells)


@cache
def _fault_in_play(cells: str) -> str:
    crosses, noughts = cells.count(Mark.CROSS), cells.count(Mark.NOUGHT)
    if crosses - noughts not in (0, 1):
        return (
            f"{crosses} crosses and {noughts} noughts; expected as many of each, or one cross more"
        )
    last = Mark.CROSS if crosses > noughts else Mark.NOUGHT
    if last.opponent in _owners(cells):
        return f"play went on after {last.opponent} completed a line; expected it to stop there"
    return ""
