"""`setrograde score`: results of several tables compared."""

from __future__ import annotations

import argparse
from typing import Any

from setrograde.analysis.score_sheet import score_sheet

from .common import (
    add_format_options,
    choose_boards,
    load_boards,
    print_json,
    report_problems,
)
from .options import add_ascii_option, add_json_option, number_between
from .positions import print_text

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Compare the tables that played the same board. For each board every contract, result and score is
listed; then come the totals of pairs and of team matches. Where three tables or more played a
board, they are compared by matchpoints, by IMPs against the average other table, and by IMPs
against the datum, the average score (Butler). The two tables of a team match are compared with each
other. Tables belong together if they have the same board number and the same cards."""

_EPILOG = """\
examples:
  setrograde score night.pbn
  setrograde score night.pbn --board 1-2,4
  setrograde score night.pbn --trim 1 --json"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "score",
        help="matchpoints and IMPs where several tables played a board",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument(
        "file", metavar="FILE", help="a file of boards, - for stdin, or a BBO viewer link"
    )
    add_format_options(parser)
    parser.add_argument(
        "--trim",
        type=number_between(0, 1000),
        default=0,
        metavar="N",
        help="leave the N best and N worst results out of the datum of Butler scoring (default 0)",
    )
    add_ascii_option(parser)
    add_json_option(parser, "the scores")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score the boards asked for."""
    board_file = load_boards(args.file, strict=args.strict, format=args.format)
    report_problems(board_file.problems)
    boards = choose_boards(board_file.boards, args.board, args.file)
    sheet = score_sheet(boards, trimmed=args.trim)
    if args.json:
        print_json(sheet.to_dict())
    else:
        print_text(str(sheet), ascii=args.ascii)
    return 0 if any(board.results for board in sheet.boards) else 1
