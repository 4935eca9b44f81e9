"""`setrograde show`: boards as diagrams."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from html import escape
from typing import Any

from setrograde.bridge import Board
from setrograde.bridge.display import board_html, boards_svg, format_board
from setrograde.bridge.display.parts import plain
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
from .pages import html_page
from .par_lines import solve_for_par

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Print the boards of a file as diagrams: the four hands, the auction with its alerts, contract,
result and score, and the play trick by trick. --par adds the 20 double-dummy results, par and the
score against par. The format of the file is recognised by its content. Mistakes in the file are
listed on stderr, and all boards that can be read are shown; with --strict the first mistake is an
error."""

_EPILOG = """\
examples:
  setrograde show "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
  setrograde show night.pbn --board 3
  setrograde show night.pbn --board 1-2,4 --par
  setrograde show night.pbn --board 3 --svg board3.svg
  setrograde show night.pbn --html night.html
  setrograde show - --ascii < night.pbn"""


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
    parser.add_argument(
        "--par",
        action="store_true",
        help="also solve each board: the 20 double-dummy results, par, and the result against par",
    )
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
    lines = [""] * len(boards)
    if args.par:
        boards, lines = solve_for_par(boards)
    if args.json:
        write_output("-", format_boards(boards, "json"))
    elif args.html:
        write_output(args.html, _page(boards, lines).encode())
    elif args.svg:
        write_output(args.svg, boards_svg(boards).encode())
    else:
        _print(boards, lines, ascii=args.ascii or not can_print_symbols(sys.stdout))
    return 0


def _page(boards: Sequence[Board], lines: Sequence[str]) -> str:
    parts = [
        board_html(board) + (f"<pre>{escape(line)}</pre>" if line else "")
        for board, line in zip(boards, lines, strict=True)
    ]
    return html_page("Bridge boards", "\n<hr>\n".join(parts))


def _print(boards: Sequence[Board], lines: Sequence[str], *, ascii: bool) -> None:
    colour = uses_colour(sys.stdout)
    for place, (board, line) in enumerate(zip(boards, lines, strict=True)):
        text = format_board(board, ascii=ascii)
        if line:
            text += f"\n\n{plain(line) if ascii else line}"
        if colour:
            text = re.sub("[♥♦]", "\x1b[31m\\g<0>\x1b[39m", text)
        # Names may hold letters that this terminal's encoding lacks.
        encoding = sys.stdout.encoding or "utf-8"
        text = text.encode(encoding, "replace").decode(encoding)
        print(f"\n{'-' * 60}\n\n{text}" if place else text)
