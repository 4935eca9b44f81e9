"""What files say about the rules they were made by, and whether these are the rules of today."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from setrograde.common.stop import StopFlag
from setrograde.games.board_game import BoardGame
from setrograde.games.fingerprint import rules_fingerprint
from setrograde.sets import BoardSet, DamagedFile, InvalidSet, SetFile, load_sets

from .values import WrongSolution

__all__ = ["check_origin", "digest_of", "load_game_sets", "origin_of"]


def origin_of(game: BoardGame) -> dict[str, Any]:
    """What the files of a game say about themselves: name, size and fingerprint of the rules.

    >>> from setrograde.games.nim import Nim
    >>> sorted(origin_of(Nim([2, 2])))
    ['game', 'rules', 'size']
    """
    return {"game": game.name, "size": game.size, "rules": rules_fingerprint(game)}


def check_origin(
    path: Path, about: Mapping[str, Any], expected: Mapping[str, Any], *, is_finished: bool
) -> None:
    """Raise `WrongSolution` for a file of another game, or of other rules.

    Files of earlier versions say nothing about the rules. Finished solutions are read with a
    warning, as they can be verified; unfinished work is refused.
    """
    game = f"{expected['game']} {expected['size']}"
    if (about.get("game"), about.get("size")) != (expected["game"], expected["size"]):
        raise WrongSolution(
            f"{path} holds {about.get('game')} {about.get('size')} (expected {game})"
        )
    if "rules" not in about and is_finished:
        warnings.warn(
            f"{path} does not say by which rules of {game} it was made (check it with: setrograde"
            f" game verify {game})",
            stacklevel=2,
        )
        return
    if any(about.get(key) != value for key, value in expected.items()):
        what = "made by other rules" if "rules" in about else "left by an earlier version"
        raise WrongSolution(
            f"{path} was {what} of {game} (solve it anew with: setrograde game solve {game}"
            " --force)"
        )


def digest_of(sets: tuple[BoardSet, ...], *more: Any) -> str:
    """A short hash of some sets, and of anything that JSON can say.

    >>> from setrograde.games.nim import Nim
    >>> len(digest_of((Nim([2, 2]).space.everything,), "and more"))
    32
    """
    text = json.dumps([[boards.digest for boards in sets], *more], sort_keys=True)
    return sha256(text.encode()).hexdigest()[:32]


def load_game_sets(path: Path, game: BoardGame, *, stop: StopFlag | None = None) -> SetFile:
    """Read a file of sets into the space of a game; raises `WrongSolution` if they do not fit."""
    try:
        return load_sets(path, space=game.space, stop=stop)
    except DamagedFile as error:
        raise DamagedFile(f"{error} (remove this file and solve again)") from None
    except InvalidSet as error:
        again = f"setrograde game solve {game.name} {game.size} --force"
        raise WrongSolution(f"{path}: {error}; solve it anew with: {again}") from None
