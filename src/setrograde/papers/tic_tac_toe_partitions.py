"""Tic-tac-toe for partition search: sets of boards with `?` for a square that did not matter.

A finished line proves a win whatever stands elsewhere (P). Going back a move, a square stays `?`
as long as the same move still leads into the known set (R), or as long as every move leads into
some known set (C). Part of what a pattern says is whose turn it is, hence that the game is not
over: `XX. ??? ???` with X to move holds no board on which O has a line (footnote 2 of the paper).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from setrograde.papers.tic_tac_toe import (
    EMPTY,
    LINES,
    InvalidPosition,
    Mark,
    TicTacToeBoard,
    iter_boards,
)

from .partition_search import PartitionGame, Player

__all__ = ["BoardPattern", "TicTacToePartitions"]

_ANY, _NONE = "?", "!"
# Corners and centre: fewer squares leave long buckets, all nine make 512 buckets to visit; both
# were slower.
_INDEXED_SQUARES = (0, 2, 4, 6, 8)


@dataclass(frozen=True, slots=True)
class BoardPattern:
    """A set of boards: what stands on some squares, and whose turn it is.

    >>> pattern = BoardPattern.from_text("XX. ??? ???, X to move")
    >>> [TicTacToeBoard.from_text(t) in pattern for t in ("XX. OO. ...", "XX. OOO X..")]
    [True, False]
    >>> str(pattern & BoardPattern.from_text("??? O?? ??., X to move"))
    'XX. O?? ??., X to move'
    >>> len(list(BoardPattern.from_text("XXX ??? ???, over")))
    78
    """

    cells: str
    """Nine squares, each `X`, `O`, `.` for empty or `?` for any of them."""

    to_move: Mark | None
    """Whose turn it is on all of the boards; `None` if the game is over on all of them."""

    EMPTY: ClassVar[BoardPattern]
    """The set of no boards; on its squares stands `!`, which no board has."""

    def __post_init__(self) -> None:
        is_empty = self.cells == _NONE * 9 and self.to_move is None
        if not is_empty and (len(self.cells) != 9 or set(self.cells) - set("XO.?")):
            raise InvalidPosition(
                f"not a pattern: {self.cells!r} (expected nine of X, O, '.' and '?')"
            )

    @classmethod
    def from_text(cls, text: str) -> BoardPattern:
        """Read squares, a comma, and `X to move`, `O to move` or `over`."""
        cells, _, state = text.upper().partition(",")
        try:
            to_move = _STATES[" ".join(state.split())]
        except KeyError:
            raise InvalidPosition(
                f"not a pattern: {text!r} (expected like 'XX. ??? ???, X to move' or"
                " 'XXX ??? ???, over')"
            ) from None
        return cls("".join(cells.split()), to_move)

    @classmethod
    def of(cls, board: TicTacToeBoard) -> BoardPattern:
        """The set of one board.

        >>> BoardPattern.of(TicTacToeBoard())
        BoardPattern.from_text('... ... ..., X to move')
        """
        return cls(board.cells, board.to_move)

    def __contains__(self, board: TicTacToeBoard) -> bool:
        return _covers(self.cells, board.cells) and board.to_move is self.to_move

    def __and__(self, other: BoardPattern) -> BoardPattern:
        cells = "".join([_meet(a, b) for a, b in zip(self.cells, other.cells, strict=True)])
        if self.to_move is not other.to_move or _NONE in cells:
            return BoardPattern.EMPTY
        return BoardPattern(cells, self.to_move)

    def __iter__(self) -> Iterator[TicTacToeBoard]:
        """The boards in the set, those with fewer marks first."""
        return (board for board in iter_boards() if board in self)

    def __str__(self) -> str:
        state = "over" if self.to_move is None else f"{self.to_move} to move"
        return f"{self.cells[:3]} {self.cells[3:6]} {self.cells[6:]}, {state}"

    def __repr__(self) -> str:
        return f"BoardPattern.from_text({str(self)!r})"


BoardPattern.EMPTY = BoardPattern(_NONE * 9, None)
_STATES = {f"{mark} TO MOVE": mark for mark in Mark} | {"OVER": None}


class TicTacToePartitions(PartitionGame[TicTacToeBoard, BoardPattern]):
    """The game with its partition system: 1 if crosses win, 0 if noughts do, a half if drawn.

    >>> game = TicTacToePartitions()
    >>> won = TicTacToeBoard.from_text("XXX OO. O.X")
    >>> game.evaluate(won), game.generalise(won)
    (1.0, BoardPattern.from_text('XXX ??? ???, over'))
    """

    def successors(self, position: TicTacToeBoard) -> Sequence[TicTacToeBoard]:
        """The boards one move on, by square."""
        return [position.play(square) for square in position.moves]

    def evaluate(self, position: TicTacToeBoard) -> Player | float:
        """Crosses want a high value."""
        if position.to_move is not None:
            return Player.MAX if position.to_move is Mark.CROSS else Player.MIN
        if position.winner is None:
            return 0.5
        return 1.0 if position.winner is Mark.CROSS else 0.0

    def generalise(self, position: TicTacToeBoard) -> BoardPattern:
        """The finished line and nothing else; a draw needs every square."""
        cells = position.cells
        for line in LINES:
            if _is_complete(cells, line):
                kept = [cell if square in line else _ANY for square, cell in enumerate(cells)]
                return BoardPattern("".join(kept), None)
        return BoardPattern.of(position)

    def can_reach(
        self, position: TicTacToeBoard, successor: TicTacToeBoard, positions: BoardPattern
    ) -> BoardPattern:
        """The boards where the same move leads into `positions`, as far as `?` can say.

        >>> board = TicTacToeBoard.from_text("XX. OO. O.X")
        >>> row = BoardPattern.from_text("XXX ??? ???, over")
        >>> TicTacToePartitions().can_reach(board, board.play(2), row)
        BoardPattern.from_text('XX. ??? ???, X to move')
        """
        move = _move_between(position, successor)

        def is_sound(pattern: BoardPattern) -> bool:
            return pattern.cells[move] == EMPTY and _leads_into(pattern, move, positions)

        return _relax(position, is_sound)

    def must_reach(self, position: TicTacToeBoard, union: Sequence[BoardPattern]) -> BoardPattern:
        """The boards where every move leads into one of `union`, as far as `?` can say."""
        targets = list(dict.fromkeys(union))

        def is_sound(pattern: BoardPattern) -> bool:
            return all(
                any(_leads_into(pattern, move, target) for target in targets)
                for move, cell in enumerate(pattern.cells)
                if cell in (EMPTY, _ANY)
            )

        return _relax(position, is_sound)

    def bucket(self, positions: BoardPattern) -> tuple[str, ...]:
        """What the pattern says of the corners and the centre."""
        return tuple([positions.cells[square] for square in _INDEXED_SQUARES])

    def buckets(self, position: TicTacToeBoard) -> Iterable[tuple[str, ...]]:
        """All ways to replace some of the corners and the centre by `?`."""
        return product(*[(_ANY, position.cells[square]) for square in _INDEXED_SQUARES])


def _relax(board: TicTacToeBoard, is_sound: Callable[[BoardPattern], bool]) -> BoardPattern:
    """Turn squares of `board` into `?` one after another where the pattern stays sound."""
    pattern = BoardPattern.of(board)
    for square in range(9):
        wider = BoardPattern(_put(pattern.cells, square, _ANY), pattern.to_move)
        if is_sound(wider):
            pattern = wider
    return pattern


def _leads_into(pattern: BoardPattern, move: int, target: BoardPattern) -> bool:
    """True if every board of `pattern` whose square `move` is empty gets into `target` by it."""
    mark = pattern.to_move
    assert mark is not None, "there are no moves when the game is over"
    after = _put(pattern.cells, move, mark)
    if not _covers(target.cells, after):
        return False
    lines = [line for line in LINES if move in line]
    if target.to_move is None:
        is_full = not set(after) & {EMPTY, _ANY}
        return is_full or any(_is_complete(after, line) for line in lines)
    may_be_full = EMPTY not in after
    may_have_line = any(all(after[square] in (mark, _ANY) for square in line) for line in lines)
    return not may_be_full and not may_have_line


def _move_between(board: TicTacToeBoard, successor: TicTacToeBoard) -> int:
    (move,) = [square for square in range(9) if board.cells[square] != successor.cells[square]]
    return move


def _put(cells: str, square: int, cell: str) -> str:
    return cells[:square] + cell + cells[square + 1 :]


def _covers(outer: str, inner: str) -> bool:
    """True if every way to fill in `inner` is a way to fill in `outer`."""
    return all(a in (_ANY, b) for a, b in zip(outer, inner, strict=True))


def _meet(a: str, b: str) -> str:
    if a in (_ANY, b):
        return b
    return a if b == _ANY else _NONE


def _is_complete(cells: str, line: tuple[int, int, int]) -> bool:
    a, b, c = line
    return cells[a] in (Mark.CROSS, Mark.NOUGHT) and cells[a] == cells[b] == cells[c]
