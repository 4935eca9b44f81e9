"""`setrograde db pack` and `unpack`: levels made small for sending and keeping."""

from __future__ import annotations

import argparse
import os
from typing import Any

from setrograde.cli.common import add_json_option, print_json, show_progress
from setrograde.cli.options import add_data_option
from setrograde.common.threads import thread_count
from setrograde.db.database import level_path, missing_endings
from setrograde.db.packing import install_level, pack_level

from .options import number_of_cards

__all__ = ["add_pack_parser", "add_unpack_parser"]

_PACK = """\
Compress a level of the database for sending or keeping. The packed file is the level file in
Zstandard's format; it takes less than half the space and must be unpacked before it is asked."""

_UNPACK = """\
Restore a packed level into the data directory and check it; then it is ready to be asked. A level
that is there already is kept unless --force is given."""


def add_pack_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register `db pack`."""
    parser = commands.add_parser(
        "pack",
        help="compress a level for sending",
        description=_PACK,
        epilog="examples:\n  setrograde db pack --cards 12 12-cards.zst",
    )
    parser.add_argument(
        "--cards",
        type=number_of_cards,
        required=True,
        metavar="N",
        help="cards of the level to pack",
    )
    parser.add_argument("output", metavar="OUT", help="the packed file to write")
    add_data_option(parser)
    add_json_option(parser, "the sizes")
    parser.set_defaults(run=_pack)


def add_unpack_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register `db unpack`."""
    parser = commands.add_parser(
        "unpack",
        help="restore a packed level",
        description=_UNPACK,
        epilog="examples:\n  setrograde db unpack 12-cards.zst --force",
    )
    parser.add_argument("input", metavar="FILE", help="a file that db pack wrote")
    parser.add_argument(
        "--force", action="store_true", help="replace a level that is there already"
    )
    add_data_option(parser)
    add_json_option(parser, "what was restored")
    parser.set_defaults(run=_unpack)


def _pack(args: argparse.Namespace) -> int:
    source = level_path(args.cards // 4, args.data)
    if not source.exists():
        raise missing_endings(args.cards, args.data)
    size = source.stat().st_size
    with show_progress("packing", size) as show:
        packed = pack_level(source, args.output, threads=thread_count(), progress=show)
    if args.json:
        print_json({"cards": args.cards, "bytes": size, "packed_bytes": packed})
    else:
        print(f"{args.cards} cards: {size:,} bytes packed into {packed:,}")
    return 0


def _unpack(args: argparse.Namespace) -> int:
    with show_progress("unpacking") as show:
        level = install_level(args.input, args.data, replace=args.force, progress=show)
    if args.json:
        print_json({"cards": level.cards, "nodes": level.nodes, "bytes": level.bytes})
    else:
        print(f"{level.cards} cards: {level.bytes:,} bytes in {os.fspath(level.path)!r}")
    return 0
