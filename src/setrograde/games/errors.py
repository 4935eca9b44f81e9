"""What can be wrong with a game."""

from __future__ import annotations

from setrograde.errors import InvalidInput

__all__ = ["InvalidGame"]


class InvalidGame(InvalidInput):
    """A game, a size or a board that does not exist, or a game that breaks its own rules.

    >>> from setrograde.games import make_game
    >>> make_game("breakthrough", "1x9")
    Traceback (most recent call last):
    ...
    setrograde.games.errors.InvalidGame: not a size of breakthrough: '1x9' (expected WxH, \
2 to 8 wide and 4 to 8 high, at most 36 squares, like 4x5)
    """
