"""`setrograde convert`: boards from one file format to another."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from setrograde.errors import InvalidInput
from setrograde.formats.files import ENDINGS, FORMATS, format_boards, format_of_name

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
or .txt (DDS list), .deals (one deal on each line). JSON and PBN keep everything that is known of a
board; the other formats keep the part they have a place for. Converting a file to its own format
copies it byte for byte. Without --force the input is never replaced by something else, and a file
named .pbn never holds LIN."""

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
    parser.add_argument(
        "--force",
        action="store_true",
        help="write OUT even if it is the input file, or if its ending names another format",
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
    if not args.force:
        _refuse_other_ending(args.output, target)
    board_file, data = load_source(args.input, strict=args.strict, format=args.format)
    report_problems(board_file.problems)
    boards = choose_boards(board_file.boards, args.board, args.input)
    output = data
    if output is None or board_file.format != target or args.board is not None:
        output = format_boards(boards, target)
    if output != data and not args.force:
        _refuse_to_replace(args.input, args.output)
    write_output(args.output, output)
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


def _refuse_other_ending(output: str, target: str) -> None:
    """Raise an error if the name of the output promises another format; .txt promises none."""
    ending = Path(output).suffix.lower()
    if output == "-" or ending not in ENDINGS or ending == ".txt" or ENDINGS[ending] == target:
        return
    right = " or ".join(end for end, format in ENDINGS.items() if format == target)
    raise InvalidInput(
        f"the name {output!r} stands for {ENDINGS[ending]}, not {target}"
        f" (expected a name ending in {right}, or --force)"
    )


def _refuse_to_replace(source: str, output: str) -> None:
    """Raise an error if the output is the input file, by whatever name."""
    if "-" in (source, output) or not (os.path.exists(source) and os.path.exists(output)):
        return
    if os.path.samefile(source, output):
        raise InvalidInput(
            f"{output!r} is the input file, and its content would change"
            " (expected another name, or --force)"
        )
