"""`setrograde review`: what each call and each card cost."""

from __future__ import annotations

import argparse
from typing import Any

from setrograde.analysis.review import review_boards

from .common import (
    add_format_options,
    check_output,
    choose_boards,
    load_boards,
    print_json,
    report_problems,
    show_share,
    write_output,
)
from .options import add_ascii_option, add_json_option, add_threads_option
from .pages import html_page
from .positions import print_text

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Review played boards double dummy, that is, by someone who sees all four hands. A page for each
board shows the hands, par, the auction with the calls that cost points, the play with the cards
that cost tricks and the cards that would have been right, and the result against par. A table at
the end says what each player lost as bidder, declarer, opening leader and defender. A card that
cost a trick may still have been the best choice for a player who sees two hands only. Where a part
of a board cannot be reviewed, for instance because no play is recorded, a line says why."""

_EPILOG = """\
examples:
  setrograde review night.pbn
  setrograde review night.pbn --board 1-2,4
  setrograde review night.pbn --player North
  setrograde review night.pbn --html night.html
  setrograde review night.pbn --json"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "review",
        help="what each call and each card cost, double dummy",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument(
        "file", metavar="FILE", help="a file of boards, - for stdin, or a BBO viewer link"
    )
    add_format_options(parser)
    parser.add_argument(
        "--player",
        metavar="NAME",
        help="review only the boards of this player; part of the name is enough. Where the file has"
        " no names, give a seat, like North",
    )
    add_threads_option(parser)
    add_ascii_option(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--html", metavar="OUT", help="write the review to OUT as a web page, - for stdout"
    )
    add_json_option(output, "the review")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Review the boards asked for."""
    check_output(args.html)
    board_file = load_boards(args.file, strict=args.strict, format=args.format)
    report_problems(board_file.problems)
    boards = choose_boards(board_file.boards, args.board, args.file)
    with show_share("reviewing boards") as show:
        review = review_boards(boards, threads=args.threads, player=args.player, progress=show)
    if args.json:
        print_json(review.to_dict())
    elif args.html:
        write_output(args.html, html_page("Boards reviewed", review._repr_html_()).encode())
    else:
        print_text(str(review), ascii=args.ascii)
    return 0
