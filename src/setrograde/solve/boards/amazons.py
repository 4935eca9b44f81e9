"""Who wins one board of Amazons, by forward search.

Proof-number search over boards reduced to what is contested: squares that one player owns count as
spare moves, and boards that differ only there are one board. The core's `boards/amazons/search.hpp`
tells how. It answers one board, where `setrograde.solve.boards.graded` answers all, and shares
nothing with it but the rules, so each is a check of the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from setrograde import _core
from setrograde.bridge import InvalidInput
from setrograde.games.amazons import Amazons

__all__ = ["Progress", "ProvenWinner", "find_winner"]

Progress = Callable[[int], None]
"""Called now and then with the nodes so far."""


@dataclass(frozen=True, slots=True)
class ProvenWinner:
    """What a search found.

    >>> ProvenWinner(0, 160, "b1-b2/d2").winner
    0
    """

    winner: int
    """The player who wins with best play."""

    nodes: int
    """Boards whose moves were made; the same on every machine with the same limit."""

    move: str | None = None
    """A move that wins, as `game.iter_steps` names it, if the player to move does; `None` too where
    a small table has forgotten which it was."""


def find_winner(
    game: Amazons,
    board: str | None = None,
    player: int = 0,
    *,
    limit_mb: int = 1024,
    progress: Progress | None = None,
) -> ProvenWinner:
    """Search a board, the first one unless told otherwise, with `player` to move.

    Any number of amazons will do. `limit_mb` bounds the table; a small one costs time, never the
    answer. Ctrl-C stops the search.

    >>> game = Amazons(4, 4)
    >>> find_winner(game).winner
    1
    >>> find_winner(Amazons(5, 4)).move
    'b1-b2/d2'
    >>> find_winner(game, game.parse_board("x#o. #### #### ####")).winner
    1
    """
    if not 2 <= limit_mb <= 1 << 20:
        raise ValueError(f"not a memory limit: {limit_mb} MB (expected 2 to {1 << 20})")
    if player not in (0, 1):
        raise ValueError(f"not a player: {player!r} (expected 0 or 1)")
    letters = game.start if board is None else game.check_board(board, board)
    if not set(letters) <= set(".xo#"):
        raise InvalidInput(f"not a board between moves: {board!r} (expected letters of '.xo#')")
    own, other = "xo" if player == 0 else "ox"
    # Squares come along the short side; the game is the same turned over.
    short, long = sorted((game.grid.width, game.grid.height))
    search = _core.AmazonsSearch(short, long, limit_mb << 20)
    if not search.is_won(*_masks(letters, own, other), progress=progress):
        return ProvenWinner(1 - player, search.nodes)
    steps = (
        step.text
        for step in game.iter_steps(letters, player)
        if search.is_known_won(*_masks(step.board, other, own)) is False
    )
    return ProvenWinner(player, search.nodes, next(steps, None))


def _masks(board: str, own: str, other: str) -> tuple[int, int, int]:
    """The squares of each player's amazons and the empty ones."""
    own_squares, other_squares, empty = (
        sum(1 << place for place, at in enumerate(board) if at == letter)
        for letter in (own, other, ".")
    )
    return own_squares, other_squares, empty
