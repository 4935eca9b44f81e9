"""Tic-tac-toe for Setrograde Analysis: the second game, to show what is general.

A level is a number of empty squares, so all its boards have the same number of crosses and of
noughts. A set says what may stand on each square: `X`, `O`, `.` for empty, `?` for any of them, or
a choice like `[XO]`. Only boards that can come up in play count; what a set says of others is
of no interest. Values are 1 if crosses win, 0 for a draw, -1 if noughts win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from setrograde.papers.partition_search import Player
from setrograde.papers.tic_tac_toe import EMPTY, LINES, InvalidPosition, TicTacToeBoard

from .arrangements import Arrangements, is_possible, unite_masks
from .setrograde import Outcome, SetGame

__all__ = ["BoardLine", "TicTacToeBoardSet", "TicTacToeSets"]

_SIGNS = "XO."
_CROSS, _NOUGHT, _EMPTY, _ANY = 0b001, 0b010, 0b100, 0b111


@dataclass(frozen=True, slots=True)
class TicTacToeBoardSet:
    """Boards with the same number of empty squares, by what may stand on each square.

    >>> states = TicTacToeBoardSet.from_text("XX[XO] ??? ???", empty=4)
    >>> len(states), TicTacToeBoard.from_text("XXO O.. X..") in states
    (45, True)
    """

    squares: Arrangements
    """Nine places; the owners are 0 for X, 1 for O and 2 for empty."""

    @classmethod
    def from_text(cls, text: str, *, empty: int) -> TicTacToeBoardSet:
        """Read nine squares, with any blanks between."""
        compact = "".join(text.upper().split())
        try:
            masks = tuple(_iter_masks(compact))
            if len(masks) != 9 or not 0 <= empty <= 9:
                raise InvalidPosition(f"{len(masks)} squares, {empty} empty; expected nine squares")
            squares = Arrangements(masks, _counts(empty))
            if squares.is_empty:
                raise InvalidPosition(f"no such board has {empty} empty squares")
        except InvalidPosition as error:
            raise InvalidPosition(f"not a set of boards: {text!r} ({error})") from None
        return cls(squares)

    @property
    def empty(self) -> int:
        """The number of empty squares."""
        return self.squares.counts[2]

    @property
    def masks(self) -> tuple[int, ...]:
        """What may stand on each square; bit 0 is X, bit 1 is O, bit 2 is empty."""
        return self.squares.masks

    def __len__(self) -> int:
        """The number of boards, including those that cannot come up in play."""
        return len(self.squares)

    def __contains__(self, board: TicTacToeBoard) -> bool:
        return [_SIGNS.index(cell) for cell in board.cells] in self.squares

    def overlaps(self, other: TicTacToeBoardSet) -> bool:
        """True if some board is in both; both must have as many empty squares."""
        return self.squares.overlaps(other.squares)

    def minus(self, other: TicTacToeBoardSet) -> list[TicTacToeBoardSet]:
        """Disjoint sets: agree with `other` on the first squares, not on the next."""
        return [TicTacToeBoardSet(part) for part in self.squares.minus(other.squares)]

    def split(self) -> list[TicTacToeBoardSet]:
        """One set for each sign on the first square that may have several."""
        return [TicTacToeBoardSet(part) for part in self.squares.split()]

    def __str__(self) -> str:
        cells = [_format_mask(mask) for mask in self.squares.masks]
        return " ".join(["".join(cells[row : row + 3]) for row in (0, 3, 6)])

    def __repr__(self) -> str:
        return f"TicTacToeBoardSet.from_text({str(self)!r}, empty={self.empty})"


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A set of boards, before a move or after the move on `square`.

    >>> states = TicTacToeBoardSet.from_text("XX. OO. ...", empty=5)
    >>> [line.square for line in TicTacToeSets().plays(BoardLine(states))]
    [2, 5, 6, 7, 8]
    """

    states: TicTacToeBoardSet
    """After the move, if one was made."""

    square: int | None = None
    """Where the move was, `None` before it."""


class TicTacToeSets(SetGame[TicTacToeBoard, TicTacToeBoardSet, BoardLine]):
    """Tic-tac-toe: a level is a number of empty squares.

    >>> from setrograde.papers.setrograde import build_levels
    >>> full, last_move = build_levels(TicTacToeSets(), 1)
    >>> board = TicTacToeBoard.from_text("XOX OXO .XO")
    >>> last_move.probe(board), str(last_move.find(board).states)
    (1, '??X ?X? .??')
    """

    def universe(self, level: int) -> list[TicTacToeBoardSet]:
        """All boards of the level as one set."""
        if not 0 <= level <= 9:
            raise InvalidPosition(f"not a level: {level} (expected 0 to 9 empty squares)")
        return [TicTacToeBoardSet(Arrangements(_tight_any(level), _counts(level)))]

    def partition(self, states: TicTacToeBoardSet) -> int:
        """The number of empty squares."""
        return states.empty

    def single(self, state: TicTacToeBoard) -> TicTacToeBoardSet:
        """Every square as it is."""
        return self.widen(state, [0] * 9)

    def pick(self, states: TicTacToeBoardSet) -> TicTacToeBoard | None:
        """The first board that can come up in play."""
        return _first_board(states)

    def freedoms(self, state: TicTacToeBoard) -> list[int]:
        """Each square may become `?`."""
        return [1] * 9

    def widen(self, state: TicTacToeBoard, steps: Sequence[int]) -> TicTacToeBoardSet:
        """The squares with a step become `?`.

        >>> TicTacToeSets().widen(TicTacToeBoard.from_text("XXX OO. ..."), [0, 0, 0] + [1] * 6)
        TicTacToeBoardSet.from_text('XXX ??? ???', empty=4)
        """
        masks = [
            _ANY if step else 1 << _SIGNS.index(cell)
            for cell, step in zip(state.cells, steps, strict=True)
        ]
        return TicTacToeBoardSet(Arrangements(tuple(masks), _counts(state.cells.count(EMPTY))))

    def unite(self, sets: Sequence[TicTacToeBoardSet]) -> list[TicTacToeBoardSet]:
        """Merge sets that differ on one square."""
        rows = unite_masks([states.squares.masks for states in sets])
        return [TicTacToeBoardSet(Arrangements(row, sets[0].squares.counts)) for row in rows]

    def start(self, states: TicTacToeBoardSet) -> BoardLine:
        """Before the move."""
        return BoardLine(TicTacToeBoardSet(states.squares.tightened()))

    def player(self, line: BoardLine) -> Player | None:
        """Crosses want a high value; nobody moves after the move, or when a line is complete."""
        states = line.states
        if line.square is not None or not states.empty or _has_line(states, must=True):
            return None
        return Player.MAX if states.empty % 2 else Player.MIN

    def plays(self, line: BoardLine) -> list[BoardLine]:
        """One move for each square that may be empty."""
        squares = line.states.squares
        mark = _CROSS if line.states.empty % 2 else _NOUGHT
        counts = _counts(line.states.empty - 1)
        plays = []
        for square, mask in enumerate(squares.masks):
            masks = (*squares.masks[:square], mark, *squares.masks[square + 1 :])
            if mask & _EMPTY and is_possible(masks, counts):
                plays.append(BoardLine(TicTacToeBoardSet(Arrangements(masks, counts)), square))
        return plays

    def must_have(self, line: BoardLine, plays: Sequence[BoardLine]) -> bool:
        """True if the squares cannot all be taken."""
        chosen = {play.square for play in plays}
        squares = line.states.squares
        taken = [
            mask & ~_EMPTY if square in chosen else mask
            for square, mask in enumerate(squares.masks)
        ]
        return not is_possible(tuple(taken), squares.counts)

    def outcomes(self, line: BoardLine) -> list[Outcome[TicTacToeBoardSet]]:
        """The level below after a move; before it, games that may be over already."""
        states = line.states
        if line.square is not None:
            return [Outcome(0, 1, states)]
        won: list[Outcome[TicTacToeBoardSet]] = [Outcome(-1 if states.empty % 2 else 1)]
        if _has_line(states, must=True):
            return won
        drawn: list[Outcome[TicTacToeBoardSet]] = [] if states.empty else [Outcome(0)]
        return drawn + (won if _has_line(states, must=False) else [])


def _counts(empty: int) -> tuple[int, int, int]:
    """Crosses, noughts and empty squares."""
    return ((10 - empty) // 2, (9 - empty) // 2, empty)


def _tight_any(empty: int) -> tuple[int, ...]:
    return Arrangements((_ANY,) * 9, _counts(empty)).tightened().masks


def _has_line(states: TicTacToeBoardSet, *, must: bool) -> bool:
    """True if whoever moved last has a line on all boards, or may have one on some."""
    mark = _NOUGHT if states.empty % 2 else _CROSS
    masks = states.squares.masks
    if must:
        return any(all(masks[square] == mark for square in line) for line in LINES)
    return any(all(masks[square] & mark for square in line) for line in LINES)


@lru_cache(maxsize=1 << 16)
def _first_board(states: TicTacToeBoardSet) -> TicTacToeBoard | None:
    parts = states.split()
    for part in parts:
        if board := _first_board(part):
            return board
    if parts or states.squares.is_empty:
        return None
    try:
        return TicTacToeBoard("".join([_SIGNS[owner] for owner in states.squares.first()]))
    except InvalidPosition:
        return None


def _iter_masks(text: str) -> Iterator[int]:
    place = 0
    while place < len(text):
        end = text.find("]", place) if text[place] == "[" else place
        signs = text[place + 1 : end] if text[place] == "[" else text[place]
        if end < 0 or not signs or set(signs) - set(_SIGNS + "?"):
            raise InvalidPosition(
                f"not a square: {text[place:]!r}; expected X, O, '.', '?' or like [XO]"
            )
        yield _ANY if "?" in signs else sum({1 << _SIGNS.index(sign) for sign in signs})
        place = end + 1


def _format_mask(mask: int) -> str:
    signs = "".join([sign for bit, sign in enumerate(_SIGNS) if mask >> bit & 1])
    if mask == _ANY:
        return "?"
    return signs if len(signs) == 1 else f"[{signs}]"
