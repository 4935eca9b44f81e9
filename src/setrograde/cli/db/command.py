"""`setrograde db`: endgame databases."""

from __future__ import annotations

import argparse
from typing import Any

from .ask import add_probe_parser, add_query_parser
from .build import add_parser as add_build_parser
from .check import add_info_parser, add_verify_parser
from .histogram import add_histogram_parser
from .mine import add_mine_parser
from .pack import add_pack_parser, add_unpack_parser

__all__ = ["add_parser"]

_DESCRIPTION = """\
Endgame databases: the values of all bridge endings up to 24 cards, every strain, with all four
hands seen and played perfectly. Build them once; then look up single endings, and ask about whole
sets of deals at a time."""

_EPILOG = """\
examples:
  setrograde db build
  setrograde db info
  setrograde db probe "N:AQ.2.. K3.A.. 54.3.. 76.4.." --strain NT --leader S
  setrograde db query "SAQ=N SK=EW S76543=x H2=N HA=E H43=SW" --strain NT --leader S
  setrograde db mine lead-costs --cards 8
  setrograde db verify --cards 8"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "db", help="endgame databases", description=_DESCRIPTION, epilog=_EPILOG
    )
    below = parser.add_subparsers(
        dest="db_command", metavar="COMMAND", required=True, title="commands"
    )
    for add in (
        add_build_parser,
        add_info_parser,
        add_verify_parser,
        add_probe_parser,
        add_query_parser,
        add_mine_parser,
        add_histogram_parser,
        add_pack_parser,
        add_unpack_parser,
    ):
        add(below)
