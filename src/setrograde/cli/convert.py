"""`setrograde convert`: boards from one file format to another."""

from __future__ import annotations

import argparse
from typing import Any

from setrograde.errors import InvalidInput
from setrograde.formats.files import FORMATS, format_boards, format_of_name

from .common import (
    add_format_options,
    choose_boards,
    load_source,
    print_json,
    report_problems,
    write_output,
)
from .options import add_json_option

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Convert a file of boards to another format. The format of the input is recognised by its content,
that of the output by the ending of its name: .pbn, .lin, .rbn, .json, .url (BBO viewer links), .dds
or .txt (DDS list). JSON and PBN keep everything that is known of a board; the other formats keep
the part they have a place for. Converting a file to its own format copies it byte for byte."""

_EPILOG = """\
examples:
  setrograde convert night.pbn night.lin
  setrograde convert night.pbn - --to json
  setrograde convert night.pbn board3.url --board 3
  setrograde convert - night.json --from pbn < night.pbn"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser("convert", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument(
        "input",
        metavar="IN",
        help="a file of boards, - for stdin, a BBO viewer link, or a PBN deal in quotes",
    )
    parser.add_argument("output", metavar="OUT", help="the file to write, or - for stdout")
    add_format_options(parser)
    parser.add_argument(
        "--to", choices=FORMATS, help="format of the output (default: given by the ending of OUT)"
    )
    add_json_option(parser, "a summary (boards, problems, format, out)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Convert one file."""
    if args.output == "-" and args.json:
        raise InvalidInput("--json needs a file for OUT: stdout cannot hold both")
    if args.to is None and args.output == "-":
        raise InvalidInput("no format for '-' (expected --to FORMAT)")
    target = args.to or format_of_name(args.output)
    board_file, data = load_source(args.input, strict=args.strict, format=args.format)
    report_problems(board_file.problems)
    boards = choose_boards(board_file.boards, args.board, args.input)
    if data is None or board_file.format != target or args.board is not None:
        data = format_boards(boards, target)
    write_output(args.output, data)
    if args.json:
        print_json(
            {
                "boards": len(boards),
                "problems": [str(problem) for problem in board_file.problems],
                "format": target,
                "out": args.output,
            }
        )
    return 0
