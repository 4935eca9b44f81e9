"""The `setrograde` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from importlib import import_module

from setrograde import __version__
from setrograde.errors import InvalidInput, MissingTable, Stopped

from .options import CommandParser, error_line

__all__ = ["COMMANDS", "command_parser", "main"]

COMMANDS = {
    "show": "show boards as diagrams",
    "convert": "convert boards between file formats",
    "solve": "value of every legal card, best first",
    "table": "the 20 results of a deal, and par",
    "odds": "exact chances of a contract over every layout of the unseen cards",
    "db": "endgame databases",
    "suit": "the best line in one suit, exact",
    "finesse": "classes of cards, finesses and their odds",
    "game": "board games solved whole",
    "bench": "measure speed next to peers",
}
"""What each command does. Its module has the same name and `add_parser(subparsers)`."""

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
    except (KeyboardInterrupt, Stopped):
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
    words = sys.argv[1:] if argv is None else argv
    asked = [word for word in words if not word.startswith("-")][:1]
    try:
        args = command_parser(asked).parse_args(words)
    except SystemExit as stop:  # so argparse ends after --help and after its errors
        return stop.code if isinstance(stop.code, int) else 0
    status: int = args.run(args)
    return status


def command_parser(wanted: Collection[str] = tuple(COMMANDS)) -> CommandParser:
    """The parser of the whole command line, with the options of the wanted commands.

    Only the modules of those commands are imported; of the others it knows what `--help` says.

    >>> command_parser(["show"]).parse_args(["show", "night.pbn", "--board", "3"]).board
    3
    """
    parser = CommandParser(prog="setrograde", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"setrograde {__version__}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, title="commands"
    )
    for name, what in COMMANDS.items():
        if name in wanted:
            import_module(f"setrograde.cli.{name}").add_parser(commands)
        else:
            commands.add_parser(name, help=what)
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
