"""`setrograde match`: a duplicate match between robots."""

from __future__ import annotations

import argparse
from typing import Any

from setrograde.bridge import Board
from setrograde.bridge.board import board_contract
from setrograde.errors import InvalidInput
from setrograde.robot.match import play_match
from setrograde.robot.robots import make_robot

from .common import load_boards, print_json, report_problems, show_progress
from .options import add_json_option, add_seed_option, number_between

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Play a duplicate match of given contracts between two robots: A sits North-South at one table and
East-West at the other, and both tables play the same contract. The result is in IMPs a board with
its standard error. Robots: strategy, monte-carlo, double-dummy (which sees all cards) and random,
with options after a colon, like monte-carlo:worlds=20,goal=make,seconds=1."""

_EPILOG = """\
examples:
  setrograde match double-dummy random --play-only --boards 2
  setrograde match monte-carlo:worlds=4 random --play-only --boards 1 --seed 7 --json
  setrograde match double-dummy random --play-only --file night.pbn --boards 1"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "match",
        help="play a duplicate match between two robots",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument("a", metavar="A", help="the first robot")
    parser.add_argument("b", metavar="B", help="the second robot")
    parser.add_argument(
        "--play-only",
        action="store_true",
        required=True,
        help="play given contracts, without bidding; this must be said",
    )
    parser.add_argument(
        "--boards",
        type=number_between(1, 1_000_000),
        default=16,
        metavar="N",
        help="the number of boards (default 16)",
    )
    parser.add_argument(
        "--file",
        metavar="FILE",
        help="take deals and contracts from this file of boards (default: random deals, each with"
        " a contract that can just be made)",
    )
    parser.add_argument(
        "--record",
        metavar="OUT",
        help="write each finished board to OUT as a line of JSON; a match that was stopped goes on"
        " from there",
    )
    parser.add_argument(
        "--losses",
        action="store_true",
        help="also count the double-dummy tricks that each side lost as declarer, in defence and by"
        " the opening lead",
    )
    add_seed_option(parser, "deals and layouts", default=1)
    add_json_option(parser, "the result, with every board,")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the match."""
    for name in (args.a, args.b):
        make_robot(name)  # a wrong name is told before the deals are made
    boards = args.boards if args.file is None else _boards(args.file, args.boards)
    with show_progress("playing boards", args.boards) as show:
        result = play_match(
            args.a,
            args.b,
            boards=boards,
            seed=args.seed,
            losses=args.losses,
            record=args.record,
            progress=lambda board: show(board.number),
        )
    if args.json:
        print_json(result.to_dict())
    else:
        print(result)
    return 0


def _boards(source: str, count: int) -> list[Board]:
    found = load_boards(source)
    report_problems(found.problems)
    playable = [
        board
        for board in found.boards
        if board.deal is not None
        and board.deal.is_full
        and (contract := board_contract(board)) is not None
        and not contract.is_passed_out
    ]
    if not playable:
        raise InvalidInput(f"no board with a deal and a contract in {source!r}")
    return playable[:count]
