"""Who wins one board of Amazons, by forward search.

Proof-number search over boards reduced to what is contested: squares that one player owns count as
spare moves, and boards that differ only there are one board. The core's `boards/amazons/search.hpp`
tells how. It answers one board, where `setrograde.solve.boards.graded` answers all, and shares
nothing with it but the rules, so each is a check of the other.
"""

from __future__ import annotations

from dataclasses import dataclass

from setrograde import _core
from setrograde.common.memory import limit_bytes
from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag
from setrograde.errors import InvalidInput
from setrograde.games.amazons import Amazons

__all__ = ["ProvenWinner", "find_winner"]


@dataclass(frozen=True, slots=True)
class ProvenWinner:
    """Who wins a board of Amazons, as a search has proved.

    >>> print(ProvenWinner(0, 160, "b1-b2/d2"))
    player 1 wins, by b1-b2/d2
    """

    winner: int
    """The player who wins with best play."""

    nodes: int
    """The number of boards whose moves were made; the same on every machine with the same limit."""

    move: str | None = None
    """A winning move, as `game.iter_steps` names it, if the player to move wins; `None` also where
    a small table has forgotten which move it was."""

    def __str__(self) -> str:
        by_move = "" if self.move is None else f", by {self.move}"
        return f"player {self.winner + 1} wins{by_move}"


def find_winner(
    game: Amazons,
    board: str | None = None,
    player: int = 0,
    *,
    limit_mb: int = 1024,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> ProvenWinner:
    """Find out who wins a board, the start by default, with `player` to move.

    The board may have any number of amazons. `limit_mb` bounds the table; a small table costs time
    but never changes the answer. `progress` hears the number of nodes so far. `stop` ends the
    search with `Stopped`.

    >>> game = Amazons(4, 4)
    >>> find_winner(game).winner
    1
    >>> find_winner(Amazons(5, 4)).move
    'b1-b2/d2'
    >>> find_winner(game, game.parse_board("x#o. #### #### ####")).winner
    1
    """
    table_bytes = limit_bytes(limit_mb, least=2)
    if player not in (0, 1):
        raise InvalidInput(f"not a player: {player!r} (expected 0 or 1)")
    letters = game.start if board is None else game.check_board(board, board)
    if not set(letters) <= set(".xo#"):
        raise InvalidInput(f"not a board between moves: {board!r} (expected letters of '.xo#')")
    own, other = "xo" if player == 0 else "ox"
    # Squares come along the short side; the game is the same turned over.
    short, long = sorted((game.grid.width, game.grid.height))
    search = _core.AmazonsSearch(short, long, table_bytes)
    if not search.is_won(*_masks(letters, own, other), progress=progress, stop=stop):
        return ProvenWinner(1 - player, search.nodes)
    steps = (
        step.text
        for step in game.iter_steps(letters, player)
        if search.is_known_won(*_masks(step.board, other, own), stop=stop) is False
    )
    return ProvenWinner(player, search.nodes, next(steps, None))


def _masks(board: str, own: str, other: str) -> tuple[int, int, int]:
    """The squares of each player's amazons and the empty ones."""
    own_squares, other_squares, empty = (
        sum(1 << place for place, at in enumerate(board) if at == letter)
        for letter in (own, other, ".")
    )
    return own_squares, other_squares, empty
