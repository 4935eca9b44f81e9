"""Options that several commands share, each with one wording and one check.

Nothing here imports what a command works with, so that `setrograde --help` comes at once.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn, TypeVar

from setrograde.common.memory import MOST_MB
from setrograde.common.threads import MOST_THREADS
from setrograde.errors import InvalidInput

__all__ = [
    "CommandParser",
    "add_ascii_option",
    "add_data_option",
    "add_json_option",
    "add_limit_option",
    "add_seed_option",
    "add_threads_option",
    "error_line",
    "number_between",
    "one_line",
    "text_of",
]

T = TypeVar("T")

_MOST_SEED = 999_999_999


class CommandParser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, with a hint to `--help`.

    >>> parser = CommandParser(prog="setrograde show")
    >>> parser.prog
    'setrograde show'
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        options.setdefault("allow_abbrev", False)
        super().__init__(*args, **options)

    def parse_known_args(  # type: ignore[override]  # of its overloads only this one is needed
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As usual; but a command without commands of its own says itself what it does not know."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown and self._subparsers is None:
            known = [name for name in self._option_string_actions if name.startswith("--")]
            word = unknown[0].partition("=")[0]
            close = get_close_matches(word, known, 1) if word.startswith("--") else []
            meant = f"; did you mean {close[0]}?" if close else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{meant}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"setrograde: {one_line(message)} (try '{self.prog} --help')\n")


def add_json_option(parser: argparse._ActionsContainer, what: str) -> None:
    """Give a command `--json`; `what` says what is printed.

    >>> parser = CommandParser()
    >>> add_json_option(parser, "the answer")
    >>> parser.parse_args(["--json"]).json
    True
    """
    parser.add_argument("--json", action="store_true", help=f"print {what} as JSON on stdout")


def add_ascii_option(parser: argparse._ActionsContainer) -> None:
    """Give a command that prints suit symbols `--ascii`.

    >>> parser = CommandParser()
    >>> add_ascii_option(parser)
    >>> parser.parse_args([]).ascii
    False
    """
    parser.add_argument(
        "--ascii",
        action="store_true",
        help="print S, H, D and C instead of suit symbols, for plain terminals",
    )


def add_data_option(parser: argparse._ActionsContainer) -> None:
    """Give a command that reads or writes databases `--data`.

    >>> parser = CommandParser()
    >>> add_data_option(parser)
    >>> parser.parse_args(["--data", "/srv/bridge"]).data
    '/srv/bridge'
    """
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="folder of the databases (default: the variable SETROGRADE_HOME, or else the user's"
        " data folder)",
    )


def add_threads_option(parser: argparse._ActionsContainer, *, note: str = "") -> None:
    """Give a command that works on several cores `--threads`; `note` is added to its help.

    >>> parser = CommandParser()
    >>> add_threads_option(parser)
    >>> parser.parse_args([]).threads, parser.parse_args(["--threads", "2"]).threads
    (None, 2)
    """
    parser.add_argument(
        "--threads",
        type=number_between(1, MOST_THREADS),
        metavar="N",
        help=f"work with N threads (default: one for each core){_after(note)}",
    )


def add_limit_option(
    parser: argparse._ActionsContainer,
    what: str,
    *,
    default: int,
    least: int = 1,
    note: str = "",
) -> None:
    """Give a command `--limit-mb`, the memory of the whole call; `what` says what it is for.

    >>> parser = CommandParser()
    >>> add_limit_option(parser, "the search", default=256, least=2)
    >>> parser.parse_args([]).limit_mb
    256
    """
    parser.add_argument(
        "--limit-mb",
        type=number_between(least, MOST_MB),
        default=default,
        metavar="N",
        help=f"use at most N MB of memory for {what} (default {default}){_after(note)}",
    )


def add_seed_option(parser: argparse._ActionsContainer, what: str, *, default: int = 0) -> None:
    """Give a command that draws at random `--seed`; `what` names what is drawn.

    >>> parser = CommandParser()
    >>> add_seed_option(parser, "deals")
    >>> parser.parse_args(["--seed", "7"]).seed
    7
    """
    parser.add_argument(
        "--seed",
        type=number_between(0, _MOST_SEED),
        default=default,
        metavar="K",
        help=f"the random {what} follow from K; another seed draws others (default {default})",
    )


def _after(note: str) -> str:
    return f"; {note}" if note else ""


def number_between(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers for argparse, whose errors say what would be right.

    >>> number_between(1, 8)("3")
    3
    """

    def read(text: str) -> int:
        number = int(text) if re.fullmatch(r"[0-9]{1,9}", text, re.ASCII) else None
        if number is None or not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r} (expected a number from {low} to {high})")
        return number

    return read


def text_of(parse: Callable[[str], T]) -> Callable[[str], T]:
    """A reader for argparse of what `parse` reads; errors keep the words of `parse`.

    >>> from setrograde.bridge import Seat
    >>> text_of(Seat.from_text)("W")
    Seat.WEST
    """

    def read(text: str) -> T:
        try:
            return parse(text)
        except InvalidInput as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def error_line(error: BaseException) -> str:
    """What the user is told about an error, in one line.

    >>> error_line(FileNotFoundError(2, "No such file or directory", "a.pbn"))
    "No such file or directory: 'a.pbn'"
    """
    if isinstance(error, OSError) and error.strerror:
        where = f": {os.fspath(error.filename)!r}" if error.filename is not None else ""
        return one_line(f"{error.strerror}{where}")
    return one_line(str(error))


def one_line(text: str) -> str:
    """Text without line breaks and control characters.

    >>> one_line("no\\nsuch\\x1bfile")
    'no such file'
    """
    return "".join([letter if letter.isprintable() else " " for letter in " ".join(text.split())])
