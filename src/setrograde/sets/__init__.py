"""Sets of boards, larger than any list: automata with the algebra of Python's `set`.

>>> space = BoardSpace([".xo"] * 9)
>>> full = ~space.with_count(".", least=1)
>>> full.count, (full & space.with_count("x", least=5, most=5)).count
(512, 126)
"""

from .board_set import BoardSet
from .errors import DamagedFile, InvalidPlacement, InvalidSet, OutOfRoom
from .files import SetFile, format_sets, load_sets, parse_sets, save_sets
from .moves import Change, Move, MoveGraph, Moves
from .space import BoardSpace

__all__ = [
    "BoardSet",
    "BoardSpace",
    "Change",
    "DamagedFile",
    "InvalidPlacement",
    "InvalidSet",
    "Move",
    "MoveGraph",
    "Moves",
    "OutOfRoom",
    "SetFile",
    "format_sets",
    "load_sets",
    "parse_sets",
    "save_sets",
]
