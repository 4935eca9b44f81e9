"""`setrograde db histogram`: whole levels in figures."""

from __future__ import annotations

import argparse
from typing import Any

from setrograde.cli.common import add_json_option, print_json, show_share
from setrograde.cli.positions import number_between
from setrograde.db.endings.counting import count_shapes
from setrograde.db.histogram import LevelHistogram, SetSizes, level_histogram, set_sizes
from setrograde.db.mining.grounds import MAX_MINED_CARDS

from .options import number_of_cards

__all__ = ["add_histogram_parser", "run"]

_DESCRIPTION = f"""\
Count all endings with a number of cards by strain and by tricks of the leader's side: unique
endings, and deals from a pack. The counts are exact and need no database: 12 cards take a second,
16 a minute or two, {MAX_MINED_CARDS} much longer. With --sets, tell the sizes of the sets that
Setrograde Analysis finds, up to 12 cards."""

_EPILOG = """\
examples:
  setrograde db histogram --cards 12
  setrograde db histogram --cards 8 --sets --json"""


def add_histogram_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "histogram",
        help="count whole levels by tricks, or sets by size",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--cards",
        type=number_of_cards,
        default=12,
        metavar="N",
        help="cards in all four hands together (default %(default)s)",
    )
    parser.add_argument(
        "--sets", action="store_true", help="tell the sizes of the sets of Setrograde Analysis"
    )
    parser.add_argument(
        "--threads",
        type=number_between(1, 1024),
        metavar="N",
        help="work on N cores at once (default: all); sets are always built on one",
    )
    add_json_option(parser, "the counts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Count and print."""
    found: LevelHistogram | SetSizes
    with show_share(f"counting endings with {args.cards} cards") as show:
        if args.sets:
            shapes = count_shapes(args.cards // 4).total
            found = set_sizes(args.cards, progress=lambda done: show(done / shapes))
        else:
            found = level_histogram(args.cards, threads=args.threads, progress=show)
    if args.json:
        print_json(found.to_dict())
    else:
        print(found)
    return 0
