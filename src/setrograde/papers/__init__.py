"""The algorithms of the papers, plain and general, for any game.

`PartitionSearch` is Ginsberg's "Partition Search" (1996); `build_levels` and `LevelDatabase` are
Algorithms 1 to 3 of "Setrograde Analysis". Tic-tac-toe shows both at work.

>>> game = TicTacToePartitions()
>>> PartitionSearch(game).solve(TicTacToeBoard()).value
0.5
"""

from setrograde.games.errors import InvalidGame

from .arrangements import Arrangements
from .partition_search import (
    Game,
    InvalidWindow,
    PartitionGame,
    PartitionSearch,
    Player,
    SinglePositions,
    Statistics,
    Verdict,
)
from .setrograde import (
    Bounds,
    Entry,
    LevelDatabase,
    MissingState,
    Oracle,
    Outcome,
    SetGame,
    StateSet,
    build_level,
    build_levels,
    verify_level,
)
from .tic_tac_toe import InvalidPosition, TicTacToeBoard
from .tic_tac_toe_partitions import BoardPattern, TicTacToePartitions
from .tic_tac_toe_sets import TicTacToeBoardSet, TicTacToeSets

__all__ = [
    "Arrangements",
    "BoardPattern",
    "Bounds",
    "Entry",
    "Game",
    "InvalidGame",
    "InvalidPosition",
    "InvalidWindow",
    "LevelDatabase",
    "MissingState",
    "Oracle",
    "Outcome",
    "PartitionGame",
    "PartitionSearch",
    "Player",
    "SetGame",
    "SinglePositions",
    "StateSet",
    "Statistics",
    "TicTacToeBoard",
    "TicTacToeBoardSet",
    "TicTacToePartitions",
    "TicTacToeSets",
    "Verdict",
    "build_level",
    "build_levels",
    "verify_level",
]
