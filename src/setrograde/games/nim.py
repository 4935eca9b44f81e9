"""Nim: take as many stones as you like from one heap; whoever takes the last one wins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce
from operator import xor

from setrograde.sets import Change, Move, Moves

from .board_game import BoardGame, Step
from .errors import InvalidGame

__all__ = ["Nim"]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Nim(BoardGame):
    """Nim with heaps of up to 35 stones; a place is a heap, and its letter the stones left.

    >>> game = Nim([3, 4, 5])
    >>> game.start, next(game.iter_steps(game.start, 0))
    ('345', Step(text='1:3-0', board='045'))
    """

    name = "nim"

    def __init__(self, heaps: list[int], *, limit_mb: int = 1024) -> None:
        self.heaps = tuple(heaps)
        super().__init__(
            ",".join(map(str, heaps)), [_DIGITS[: heap + 1] for heap in heaps], limit_mb=limit_mb
        )
        self.letter_weights = [{a: n for n, a in enumerate(_DIGITS)}] * len(heaps)

    @classmethod
    def from_size(cls, size: str, *, limit_mb: int = 1024) -> Nim:
        """The game with heaps written as 3,4,5."""
        words = size.split(",")
        if not all(re.fullmatch(r"[0-9]{1,2}", word, re.ASCII) for word in words):
            words = []
        heaps = [int(word) for word in words]
        if not heaps or len(heaps) > 64 or not all(1 <= heap <= 35 for heap in heaps):
            raise InvalidGame(
                f"not a size of nim: {size!r} (expected up to 64 heaps of 1 to 35, like 3,4,5)"
            )
        return cls(heaps, limit_mb=limit_mb)

    def make_moves(self, player: int) -> Moves:
        """The moves of either player: any heap becomes smaller."""
        return Moves(
            self.space,
            [
                Move((Change(place, tuple(self._smaller(heap))),))
                for place, heap in enumerate(self.heaps)
            ],
        )

    @staticmethod
    def _smaller(heap: int) -> Iterator[tuple[str, str]]:
        for before in range(heap + 1):
            for after in range(before):
                yield _DIGITS[before], _DIGITS[after]

    @property
    def start(self) -> str:
        """The start, with all heaps whole."""
        return "".join([_DIGITS[heap] for heap in self.heaps])

    def iter_steps(self, board: str, player: int) -> Iterator[Step]:
        """The moves, written as `2:4-1`: the second heap goes from 4 stones to 1."""
        for place, letter in enumerate(board):
            left = _DIGITS.index(letter)
            for after in range(left):
                yield Step(
                    f"{place + 1}:{left}-{after}",
                    board[:place] + _DIGITS[after] + board[place + 1 :],
                )

    def mirrored(self, board: str) -> str:
        """The same board: both players have the same moves."""
        return board

    @staticmethod
    def is_lost_by_xor(board: str) -> bool:
        """Bouton's rule of 1901: the heaps cancel in binary.

        >>> Nim.is_lost_by_xor("356"), Nim.is_lost_by_xor("345")
        (True, False)
        """
        return reduce(xor, [_DIGITS.index(letter) for letter in board]) == 0
