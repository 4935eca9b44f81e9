"""`setrograde show`: boards as diagrams."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any

from setrograde.bridge import Board
from setrograde.bridge.display import board_html, boards_svg, format_board
from setrograde.formats.files import format_boards

from .common import (
    add_format_options,
    can_print_symbols,
    choose_boards,
    load_boards,
    report_problems,
    uses_colour,
    write_output,
)
from .options import add_ascii_option, add_json_option

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Print the boards of a file as diagrams: the four hands, the auction with its alerts, contract,
result and score, and the play trick by trick. The format of the file is recognised by its content.
Mistakes in the file are listed on stderr, and all boards that can be read are shown; with --strict
the first mistake is an error."""

_EPILOG = """\
examples:
  setrograde show "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
  setrograde show night.pbn --board 3
  setrograde show night.pbn --board 3 --svg board3.svg
  setrograde show night.pbn --html night.html
  setrograde show - --ascii < night.pbn"""

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>Bridge boards</title>
</head>
<body>
{body}
</body>
</html>
"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser("show", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a file of boards, - for stdin, a BBO viewer link, or a PBN deal in quotes",
    )
    add_format_options(parser)
    add_ascii_option(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--html", metavar="OUT", help="write the boards to OUT as a web page, - for stdout"
    )
    output.add_argument(
        "--svg", metavar="OUT", help="write the boards to OUT as one picture, - for stdout"
    )
    add_json_option(output, "the boards")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show the boards asked for."""
    board_file = load_boards(args.file, strict=args.strict, format=args.format)
    report_problems(board_file.problems)
    boards = choose_boards(board_file.boards, args.board, args.file)
    if args.json:
        write_output("-", format_boards(boards, "json"))
    elif args.html:
        write_output(args.html, _page(boards).encode())
    elif args.svg:
        write_output(args.svg, boards_svg(boards).encode())
    else:
        _print(boards, ascii=args.ascii or not can_print_symbols(sys.stdout))
    return 0


def _page(boards: Sequence[Board]) -> str:
    return _PAGE.format(body="\n<hr>\n".join([board_html(board) for board in boards]))


def _print(boards: Sequence[Board], *, ascii: bool) -> None:
    colour = uses_colour(sys.stdout)
    for place, board in enumerate(boards):
        text = format_board(board, ascii=ascii)
        if colour:
            text = re.sub("[♥♦]", "\x1b[31m\\g<0>\x1b[39m", text)
        # Names may hold letters that this terminal's encoding lacks.
        encoding = sys.stdout.encoding or "utf-8"
        text = text.encode(encoding, "replace").decode(encoding)
        print(f"\n{'-' * 60}\n\n{text}" if place else text)
