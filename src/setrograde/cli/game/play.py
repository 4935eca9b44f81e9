"""`setrograde game play`: a game against its solution."""

from __future__ import annotations

import argparse
import sys

from setrograde.games import BoardPicture
from setrograde.solve.boards import BoardOutcome, BoardProbe

from .answers import open_stored

__all__ = ["run_play"]


def run_play(args: argparse.Namespace) -> int:
    """Play from the terminal; an empty line or the end of input stops."""
    solution = open_stored(args)
    game, player = solution.game, args.player - 1
    board = game.start if args.board is None else game.parse_board(args.board)
    while True:
        probe = solution.probe(board, player)
        print(BoardPicture(game, board))
        if not probe.steps:
            print(_result(probe, player))
            return 0
        if str(player + 1) == args.side:
            chosen = _ask(probe, player)
            if chosen is None:
                return 0
        else:
            assert probe.best is not None
            chosen = probe.best.step.text
            print(f"player {player + 1} plays {chosen} ({probe.best.value})")
        board = next(entry.step.board for entry in probe.steps if entry.step.text == chosen)
        player = 1 - player


def _ask(probe: BoardProbe, player: int) -> str | None:
    names = [entry.step.text for entry in probe.steps]
    while True:
        print(f"player {player + 1}, your move ('?' for all values): ", end="", flush=True)
        line = sys.stdin.readline()
        text = line.strip()
        if not text:
            return None
        if text in names:
            return text
        if text == "?":
            print("  ".join(f"{e.step.text} {e.value}" for e in probe.steps))
        else:
            print(f"not a move: {text!r} (expected one of {' '.join(sorted(names)[:12])} ...)")


def _result(probe: BoardProbe, player: int) -> str:
    if probe.value.outcome is BoardOutcome.DRAW:
        return "a draw"
    return f"player {2 - player} has won"
