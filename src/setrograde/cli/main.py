"""The `setrograde` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from setrograde import __version__
from setrograde.errors import InvalidInput, MissingTable

from . import bench, convert, db, finesse, game, odds, show, solve, suit, table
from .common import CommandParser, error_line

__all__ = ["main"]

_COMMANDS = (show, convert, solve, table, odds, db, suit, finesse, game, bench)
"""One module each, with `add_parser(subparsers)`."""

_DESCRIPTION = """\
Tools for bridge deals: show boards as diagrams, convert between file formats, and solve deals
double dummy: the value of every card, the 20 results, par. Databases of endings answer for whole
sets of deals at a time.

A deal can be given as a file (PBN, LIN, RBN, JSON, DDS list), as a BBO viewer link, as a PBN
deal in quotes, or as - to read standard input."""

_EPILOG = """\
examples:
  setrograde show "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
  setrograde table "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
  setrograde solve --help
  setrograde db --help

exit status: 0 fine, 1 the answer is no, 2 bad input, 130 interrupted"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 fine, 1 "no", 2 bad input, 130 Ctrl-C.

    >>> main(["--version"])
    setrograde 0.1.0
    0
    """
    try:
        status = _run(argv)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("setrograde: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        _discard_stdout()
        return 141  # what the shell reports for a program stopped by SIGPIPE
    except MissingTable as error:
        print(f"setrograde: {error_line(error)}", file=sys.stderr)
        return 1
    except (InvalidInput, OSError) as error:
        print(f"setrograde: {error_line(error)}", file=sys.stderr)
        return 2


def _run(argv: Sequence[str] | None) -> int:
    try:
        args = _parser().parse_args(argv)
    except SystemExit as stop:  # so argparse ends after --help and after its errors
        return stop.code if isinstance(stop.code, int) else 0
    status: int = args.run(args)
    return status


def _parser() -> CommandParser:
    parser = CommandParser(prog="setrograde", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"setrograde {__version__}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, title="commands"
    )
    for module in _COMMANDS:
        module.add_parser(commands)
    return parser


def _discard_stdout() -> None:
    """Send what is left to nowhere, so that Python does not complain again at exit."""
    try:
        number = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
