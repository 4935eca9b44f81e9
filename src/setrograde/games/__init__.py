"""Rules of board games, each said twice: for sets of boards, and for single boards.

>>> game = make_game("breakthrough", "2x4")
>>> print(BoardPicture(game, game.start))
4  o o
3  o o
2  x x
1  x x
   a b
"""

from .amazons import Amazons
from .board_game import BoardGame, Step
from .board_picture import BoardPicture
from .breakthrough import Breakthrough
from .catalogue import CATALOGUE, CatalogueEntry, find_games, installed_games, make_game
from .chess_endings import ChessEnding
from .errors import InvalidGame
from .fingerprint import rules_fingerprint
from .grid import Grid
from .in_a_row import Connect4, TicTacToe
from .nim import Nim
from .own_games import load_games

__all__ = [
    "CATALOGUE",
    "Amazons",
    "BoardGame",
    "BoardPicture",
    "Breakthrough",
    "CatalogueEntry",
    "ChessEnding",
    "Connect4",
    "Grid",
    "InvalidGame",
    "Nim",
    "Step",
    "TicTacToe",
    "find_games",
    "installed_games",
    "load_games",
    "make_game",
    "rules_fingerprint",
]
