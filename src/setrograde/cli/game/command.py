"""`setrograde game`: the parser, and errors in one line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from setrograde.errors import InvalidInput
from setrograde.games import CATALOGUE
from setrograde.sets import OutOfRoom

from ..options import (
    add_data_option,
    add_json_option,
    add_limit_option,
    add_seed_option,
    number_between,
)
from .answers import game_of, run_list, run_probe, run_solve, run_verify, run_winner
from .play import run_play

__all__ = ["add_parser"]

_DESCRIPTION = """\
Solve small board games completely: who wins from every board, and in how many plies. Boards are
kept as compressed sets, so games with far more boards than fit in memory can be solved. Solve a
game once; then look boards up, check the solution by the plain rules, or play against it."""

_EPILOG = """\
examples:
  setrograde game list
  setrograde game solve breakthrough 4x5
  setrograde game probe breakthrough 3x4 --board ooo/o.o/.xx/xxx
  setrograde game verify tic-tac-toe 3x3
  setrograde game winner amazons 5x5
  setrograde game play nim 3,4,5 --as nobody"""

_LARGE_MB = 512

_LIST = "List the games that can be solved, and the sizes they come in."

_SOLVE = """\
Solve every board of a game and store the solution: who wins, and in how many plies, with either
player to move. A solve that was interrupted goes on from there, unless the rules of the game have
changed since: --force then solves it anew. Large games need much memory; if --limit-mb is too
little, the command says so and keeps what is solved so far. With --no-distances, games in which no
board can come up twice (pawns only go forward, boards fill up) are solved slice by slice, in a
fraction of the memory if the game is large."""

_PROBE = """\
Look up a board: who wins, in how many plies, and what every move is worth, best move first. Games
with at most a million boards are solved on the spot; larger games must have been solved before."""

_VERIFY = """\
Check a solution by the plain rules of the game, board by board: every win has a move to a loss,
every loss has only moves to wins, and the distances agree. If a game has at most 200000 boards, all
are checked, so every value is certain. Of larger games, boards are drawn at random, and each value
is followed to the end of the game. The report says how many of these boards are proved right, and
what follows for all boards. The exit status is 1 if a board is wrong."""

_WINNER = """\
Find out who wins one board of Amazons with best play, and by which move, by searching ahead. This
works for boards that are too large to be solved completely. Nothing is stored. Boards up to 5x5
take seconds, 4x7 takes minutes, 6x4 a quarter of an hour, 5x6 longer."""

_PLAY = """\
Play against a solved game. Enter moves as 'game probe' shows them; ? shows what each move is worth,
and an empty line ends the game. With --json the game is shown on standard error, and its moves are
printed at the end."""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "game", help="solve small board games completely", description=_DESCRIPTION, epilog=_EPILOG
    )
    below = parser.add_subparsers(
        dest="game_command", metavar="COMMAND", required=True, title="commands"
    )
    listing = below.add_parser(
        "list",
        help="list the games and their sizes",
        description=_LIST,
        epilog="examples:\n  setrograde game list",
    )
    _add_module_option(listing)
    add_json_option(listing, "the list")
    listing.set_defaults(run=run_list)

    solving = _add_game_parser(below, "solve", _SOLVE, "breakthrough 4x4", run_solve)
    solving.add_argument(
        "--plies",
        action="store_true",
        help="describe the sets of every ply, or grade, on standard error",
    )
    solving.add_argument(
        "--no-distances",
        action="store_true",
        help="find only who wins: very large games then take less time and memory, small ones more",
    )
    solving.add_argument(
        "--force",
        action="store_true",
        help="solve the game anew, and remove what is stored of it",
    )
    probing = _add_game_parser(below, "probe", _PROBE, "nim 3,4,5", run_probe)
    _add_board_options(probing)
    checking = _add_game_parser(below, "verify", _VERIFY, "breakthrough 2x4", run_verify)
    checking.add_argument(
        "--samples",
        type=number_between(1, 1 << 20),
        default=2000,
        metavar="N",
        help="draw N boards from all boards of a large game, to be proved (default 2000); more give"
        " a surer answer",
    )
    checking.add_argument(
        "--budget",
        type=number_between(0, 100_000_000),
        default=40000,
        metavar="N",
        help="look at N boards at most to prove those that were drawn (default 40000)",
    )
    checking.add_argument(
        "--all", action="store_true", help="check every board, however many there are"
    )
    add_seed_option(checking, "boards", default=1)
    winning = _add_game_parser(below, "winner", _WINNER, "amazons 5x5", run_winner, keeps=False)
    _add_board_options(winning)
    playing = _add_game_parser(below, "play", _PLAY, "tic-tac-toe 3x3 --as nobody", run_play)
    _add_board_options(playing)
    playing.add_argument(
        "--as",
        dest="side",
        choices=("1", "2", "nobody"),
        default="1",
        help="which player you are, or nobody to watch (default 1)",
    )


_WORDS = {
    "solve": "solve a game and store the solution",
    "probe": "show the value and the moves of one board",
    "verify": "check a solution by the plain rules",
    "winner": "find out who wins one board of Amazons",
    "play": "play against a solution",
}


def _add_game_parser(
    commands: argparse._SubParsersAction[Any],
    name: str,
    description: str,
    example: str,
    run: Callable[[argparse.Namespace], int],
    *,
    keeps: bool = True,
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=_WORDS[name],
        description=description,
        epilog=f"examples:\n  setrograde game {name} {example}",
    )
    parser.add_argument(
        "name",
        metavar="NAME",
        help=f"the game: {', '.join(CATALOGUE)}, or a game of your own",
    )
    parser.add_argument(
        "size", metavar="SIZE", help="its size, such as 4x5; see 'setrograde game list'"
    )
    add_limit_option(
        parser,
        "the sets of boards" if keeps else "the search",
        default=2048,
        note="larger games need more" if keeps else "",
    )
    if keeps:
        add_data_option(parser)
    _add_module_option(parser)
    add_json_option(parser, "the moves, when the game is over," if name == "play" else "the answer")
    parser.set_defaults(run=_told_in_one_line(run))
    return parser


def _add_module_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--module",
        metavar="FILE",
        help="a Python file, or an installed module, with games of your own; its code is run",
    )


def _add_board_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--board",
        metavar="ROWS",
        help="rows of the board from the top, divided by / (default: the start)",
    )
    parser.add_argument(
        "--player", type=int, choices=(1, 2), default=1, help="the player to move (default 1)"
    )


def _told_in_one_line(
    run: Callable[[argparse.Namespace], int],
) -> Callable[[argparse.Namespace], int]:
    """Tell of too little memory as the command line does: with the options that help."""

    def guarded(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except OutOfRoom as error:
            hint = f"{error}".replace("limit_mb", "--limit-mb")
            if _may_need_less(args):
                hint = hint.removesuffix(")") + (
                    "; --no-distances, which finds only who wins, may need less)"
                )
            raise InvalidInput(hint) from None

    return guarded


def _may_need_less(args: argparse.Namespace) -> bool:
    """Whether to try without distances: games that need little memory take more of it so."""
    has_distances = not getattr(args, "no_distances", True)
    is_large = args.limit_mb >= _LARGE_MB
    return has_distances and is_large and game_of(args).letter_weights is not None
