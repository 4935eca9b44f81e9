"""Fingerprints of rules: stored work of a game is of use only as long as its rules stay."""

from __future__ import annotations

import json
from hashlib import sha256

from .board_game import BoardGame

__all__ = ["rules_fingerprint"]


def rules_fingerprint(game: BoardGame) -> str:
    """A hash of the rules as sets of boards, in 32 hexadecimal digits.

    It covers the letters of the places, the start, the legal boards, the lost boards, the moves of
    both players, what happens to a stuck player, and whether the game is the same for both players.
    Sets have one form, however they were made; moves are compared as they are written down, in any
    order. The plain rules for single boards are not in it: no solution depends on them.

    >>> from setrograde.games.nim import Nim
    >>> rules_fingerprint(Nim([3, 4])) == rules_fingerprint(Nim([3, 4], limit_mb=8))
    True
    >>> rules_fingerprint(Nim([3, 4])) == rules_fingerprint(Nim([4, 3]))
    False
    """
    mirrored = game.mirrored(game.start)
    rules = {
        "letters": list(game.space.alphabets),
        "start": game.start,
        "stuck": "wins" if game.stuck_wins else "loses" if game.stuck_loses else "draws",
        "mirrored": mirrored,
        "legal": [game.legal(player).digest for player in (0, 1)],
        "lost": [game.lost(player).digest for player in (0, 1)],
        "moves": [game.moves(player).digest for player in (0, 1)],
    }
    return sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:32]
