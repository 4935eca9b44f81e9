"""`setrograde game play`: a game against its solution."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from setrograde.games import BoardGame, BoardPicture
from setrograde.solve.boards import BoardOutcome, BoardProbe, StepValue

from ..common import print_json
from .answers import open_stored

__all__ = ["run_play"]

_Say = Callable[..., None]


def run_play(args: argparse.Namespace) -> int:
    """Play from the terminal; an empty line or the end of input stops.

    With `--json` the game is shown on standard error, and its moves follow on standard output.
    """
    solution = open_stored(args)
    game, player = solution.game, args.player - 1
    board = game.start if args.board is None else game.parse_board(args.board)
    say: _Say = partial(print, file=sys.stderr) if args.json else print
    answer: dict[str, Any] = {
        "game": game.name,
        "size": game.size,
        "board": _rows(game, board),
        "player": args.player,
        "moves": [],
        "finished": False,
        "winner": None,
    }
    while True:
        probe = solution.probe(board, player)
        say(BoardPicture(game, board))
        if not probe.steps:
            winner = _winner(probe, player)
            say("a draw" if winner is None else f"player {winner} has won")
            answer |= {"finished": True, "winner": winner}
            break
        if str(player + 1) == args.side:
            chosen = _ask(probe, player, say)
            if chosen is None:
                break
        else:
            assert probe.best is not None
            chosen = probe.best
            say(f"player {player + 1} plays {chosen.step.text} ({chosen.value})")
        board = chosen.step.board
        answer["moves"].append(
            {
                "player": player + 1,
                "move": chosen.step.text,
                "value": str(chosen.value.outcome),
                "distance": chosen.value.distance,
                "board": _rows(game, board),
            }
        )
        player = 1 - player
    if args.json:
        print_json(answer)
    return 0


def _rows(game: BoardGame, board: str) -> str:
    return game.to_text(board).replace("\n", "/")


def _ask(probe: BoardProbe, player: int, say: _Say) -> StepValue | None:
    by_name = {entry.step.text: entry for entry in probe.steps}
    while True:
        say(f"player {player + 1}, your move ('?' for all values): ", end="", flush=True)
        text = sys.stdin.readline().strip()
        if not text:
            return None
        if text in by_name:
            return by_name[text]
        if text == "?":
            say("  ".join(f"{e.step.text} {e.value}" for e in probe.steps))
        else:
            say(f"not a move: {text!r} (expected one of {' '.join(sorted(by_name)[:12])} ...)")


def _winner(probe: BoardProbe, player: int) -> int | None:
    """Who has won where the player to move cannot; `None` for a draw."""
    if probe.value.outcome is BoardOutcome.DRAW:
        return None
    return player + 1 if probe.value.outcome is BoardOutcome.WIN else 2 - player
