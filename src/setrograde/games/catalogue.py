"""All games by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .amazons import Amazons
from .board_game import BoardGame
from .breakthrough import Breakthrough
from .chess_endings import ChessEnding
from .errors import InvalidGame
from .in_a_row import Connect4, TicTacToe
from .nim import Nim

__all__ = ["CATALOGUE", "CatalogueEntry", "make_game"]


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A game and the sizes it comes in.

    >>> CATALOGUE["nim"].example
    '3,4,5'
    """

    make: Callable[..., BoardGame]
    """Makes the game from a size, given as text, and `limit_mb`."""

    about: str
    sizes: str
    example: str


CATALOGUE = {
    "nim": CatalogueEntry(
        Nim.from_size, "take from one heap; the last one wins", "heaps up to 35", "3,4,5"
    ),
    "tic-tac-toe": CatalogueEntry(
        TicTacToe.from_size, "three in a row", "3x3; 4x4 with lines of four", "3x3"
    ),
    "breakthrough": CatalogueEntry(
        Breakthrough.from_size, "run a pawn to the far side", "2x4 to 36 squares", "4x5"
    ),
    "connect4": CatalogueEntry(
        Connect4.from_size, "four in a row with falling stones", "4x4 to 42 squares", "4x4"
    ),
    "amazons": CatalogueEntry(
        Amazons.from_size, "queens that shoot arrows", "4x4 to 30 squares", "4x4"
    ),
    "chess": CatalogueEntry(
        ChessEnding.from_size, "queen, rook or pawn against king", "KQK, KRK, KPK", "KQK"
    ),
}
"""By the names of the command line."""


def make_game(name: str, size: str, *, limit_mb: int = 1024) -> BoardGame:
    """A game by its name and size; raises `InvalidGame` if there is no such game or size.

    >>> make_game("breakthrough", "4x4")
    <breakthrough 4x4>
    >>> make_game("go", "19x19")
    Traceback (most recent call last):
    ...
    setrograde.games.errors.InvalidGame: no such game: 'go' (expected one of nim, tic-tac-toe, \
breakthrough, connect4, amazons, chess)
    """
    if name not in CATALOGUE:
        raise InvalidGame(f"no such game: {name!r} (expected one of {', '.join(CATALOGUE)})")
    return CATALOGUE[name].make(size, limit_mb=limit_mb)
