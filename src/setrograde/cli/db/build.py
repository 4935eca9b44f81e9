"""`setrograde db build`: make the endgame databases."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from setrograde.cli.common import add_json_option, print_json, show_share
from setrograde.cli.options import add_data_option
from setrograde.cli.positions import number_between
from setrograde.db.build import build_database
from setrograde.db.methods.sharded_build import DEFAULT_GROUPS

from .options import add_method_option, number_of_cards

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Build the endings of all strains with 4, 8, 12 ... cards, up to the number given. Levels that are
there already are checked and kept. The method diagrams makes what probe and query read: 12 cards in
a second, 16 in some seconds, 20 in minutes, and 24 in a day or so, in shards that can be asked as
soon as they are there. From 12 cards on it also makes a second file, which solve and table find and
use by themselves. The methods sets (Setrograde Analysis as published) and states (plain retrograde
analysis) are for comparison, up to 12 cards. A build that was interrupted goes on from there when
the same command is given again; its files have the same bytes."""

_EPILOG = """\
examples:
  setrograde db build
  setrograde db build --cards 12 --threads 1 --data endings --json
  setrograde db build --cards 8 --method sets"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "build",
        help="build all endings up to a number of cards",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--cards",
        type=number_of_cards,
        default=16,
        metavar="N",
        help="cards in all four hands together: 4, 8, 12, 16, 20 or 24 (default %(default)s)",
    )
    add_method_option(parser, "how to build (default %(default)s)", "diagrams")
    add_data_option(parser)
    parser.add_argument(
        "--threads",
        type=number_between(1, 1024),
        metavar="N",
        help="work on N cores at once (default: all); sets are always built on one",
    )
    parser.add_argument(
        "--limit-mb",
        type=number_between(64, 1 << 20),
        metavar="N",
        help="most memory for a build of diagrams, in MB (default: 2048, and 8192 for 24 cards);"
        " a build that needs more ends with an error",
    )
    parser.add_argument(
        "--groups",
        type=number_between(1, 1024),
        default=DEFAULT_GROUPS,
        metavar="N",
        help="build 24 cards in N groups of shards (default %(default)s); more groups need less"
        " memory and more time, and make the same files",
    )
    parser.add_argument(
        "--stop-after",
        type=number_between(1, 1024),
        metavar="N",
        help="stop after N groups of 24 cards; the same command goes on from there",
    )
    parser.add_argument(
        "--force", action="store_true", help="build again what is there, damaged or not"
    )
    add_json_option(parser, "the levels that are there now")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Build what is missing."""
    try:
        with show_share("building endings") as show:
            report = build_database(
                args.cards,
                args.data,
                method=args.method,
                threads=args.threads,
                limit_mb=args.limit_mb,
                groups=args.groups,
                most_groups=args.stop_after,
                force=args.force,
                progress=show,
            )
    except KeyboardInterrupt:
        print(
            "setrograde: interrupted; what is built stays, and the same command goes on from there",
            file=sys.stderr,
        )
        return 130
    if args.json:
        print_json(report.to_dict())
    else:
        print(report)
    return 0
