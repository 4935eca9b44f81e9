"""Options that the commands of `setrograde db` share."""

from __future__ import annotations

import argparse
import re

from setrograde.db.levels import METHODS
from setrograde.db.methods.sharded_build import MAX_SHARDED_TRICKS

__all__ = ["add_method_option", "number_of_cards"]


def add_method_option(parser: argparse.ArgumentParser, what: str, default: str | None) -> None:
    """Give a command `--method`; `what` explains it.

    >>> parser = argparse.ArgumentParser()
    >>> add_method_option(parser, "how", None)
    >>> parser.parse_args(["--method", "sets"]).method
    'sets'
    """
    parser.add_argument("--method", choices=tuple(METHODS), default=default, help=what)


def number_of_cards(text: str) -> int:
    """Read a number of cards for argparse.

    >>> number_of_cards("12")
    12
    """
    most = 4 * MAX_SHARDED_TRICKS
    number = int(text) if re.fullmatch(r"[0-9]{1,2}", text, re.ASCII) else 0
    if number not in range(4, most + 1, 4):
        raise argparse.ArgumentTypeError(
            f"{text!r} (expected a multiple of 4, from 4 to {most}: all hands are equally long)"
        )
    return number
