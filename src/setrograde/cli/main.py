"""The `setrograde` command."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Collection, Sequence
from importlib import import_module

from setrograde import __version__
from setrograde.errors import InvalidInput, MissingTable, Stopped

from .options import CommandParser, error_line, one_line

__all__ = ["COMMANDS", "command_parser", "main"]

COMMANDS = {
    "show": "show boards as diagrams",
    "convert": "convert boards between file formats",
    "review": "price each call and each card of played boards",
    "score": "compare the tables that played a board: matchpoints and IMPs",
    "deal": "deal hands to order, however rare",
    "solve": "find the tricks of every legal card, best card first",
    "table": "find the 20 results of a deal, and par",
    "odds": "find the exact chances of a contract",
    "line": "find declarer's best line when two hands are hidden",
    "db": "build endgame databases and ask them",
    "suit": "find the best line of play in one suit, exactly",
    "finesse": "find finesses, by classes of cards, and their odds",
    "robot": "choose a card, an opening lead or a claim by what a seat may see",
    "match": "play a duplicate match between two robots",
    "game": "solve small board games completely",
    "bench": "measure speed next to peers",
}
"""What `setrograde --help` says of each command.

The module of the same name has `add_parser(subparsers)`; it is imported when the command runs.
"""

_DESCRIPTION = """\
Tools for bridge: show boards as diagrams, convert files, solve deals double dummy, find the exact
odds of a contract and the best line in a suit. Databases of endings answer questions about whole
sets of deals at once. Small board games are solved completely.

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
    """Run one command and return its exit status.

    0: fine; 1: the answer is "no", as for a `MissingTable`; 2: bad input; 130: interrupted.

    >>> main(["--version"])
    setrograde 0.1.0
    0
    """
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
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


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """One line on stderr, instead of a place in the source and its text."""
    print(f"setrograde: warning: {one_line(str(message))}", file=sys.stderr)


def _run(argv: Sequence[str] | None) -> int:
    words = sys.argv[1:] if argv is None else argv
    asked = [word for word in words if not word.startswith("-")][:1]
    if not words:
        command_parser(()).print_help(sys.stderr)
        return 2
    try:
        args = command_parser(asked).parse_args(words)
    except SystemExit as stop:  # this is how argparse ends after --help and after an error
        return stop.code if isinstance(stop.code, int) else 0
    status: int = args.run(args)
    return status


def command_parser(wanted: Collection[str] = tuple(COMMANDS)) -> CommandParser:
    """The parser of the whole command line, with the options of the wanted commands.

    Only the modules of those commands are imported; of the others it knows what `--help` says.

    >>> print(command_parser(["show"]).parse_args(["show", "night.pbn", "--board", "3"]).board)
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
    """Send the rest of the output nowhere, so that Python does not complain again at exit."""
    try:
        number = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
