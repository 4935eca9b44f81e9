"""`setrograde line`: declarer's best line when he sees two hands only."""

from __future__ import annotations

import argparse
from typing import Any

from setrograde.analysis.line import best_line
from setrograde.analysis.line.solve import LIMIT_LAYOUTS, SAMPLES
from setrograde.bridge import Contract, Hand, InvalidInput, Seat, Side

from .common import add_format_options, choose_boards, print_json
from .options import (
    add_ascii_option,
    add_json_option,
    add_limit_option,
    add_seed_option,
    number_between,
)
from .positions import load_deals, print_text

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Find declarer's best line when he sees his own two hands only, against defenders who see everything
(single dummy). The answer is the chance of the line over all layouts of the unseen cards, and what
to play, as a list of conditions. Beside it stands the chance if everyone saw all cards.

Up to --limit-layouts layouts, as in endings, all of them are searched to the last card, and the
chance is exact. If there are more, a sample is searched; the answer says so and gives bounds. In
endings --hidden names the unseen cards, and --leader the hand that is on lead."""

_EPILOG = """\
examples:
  setrograde line --north AQ... --south 32... --hidden KJT9... --strain NT --leader S --need 2
  setrograde line --north AJ9... --south 432... --hidden KQT876... --strain NT --leader S --need 2
  setrograde line --north AQ... --south 32... --hidden KJT9... --contract 1NTS --need 2 --lead SJ

a hand: spades.hearts.diamonds.clubs, like AK32.QJ.T98.5432
what is known of a hand: terms with commas between them, as in setrograde odds, like "hcp 5-9",
"spades 5+", "has SA HK". They describe the hand as it was before the first card of --played."""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser("line", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument(
        "deal",
        nargs="?",
        metavar="DEAL",
        help="a file or a deal, whose North and South hands are taken; or give the hands",
    )
    asked = parser.add_argument_group("the question")
    asked.add_argument("--north", metavar="HAND", help="North's hand")
    asked.add_argument("--south", metavar="HAND", help="South's hand")
    asked.add_argument("--west", metavar="TERMS", help="what is known of West's hand")
    asked.add_argument("--east", metavar="TERMS", help="what is known of East's hand")
    asked.add_argument(
        "--hidden", metavar="CARDS", help="the unseen cards, for hands of fewer than 13 cards"
    )
    asked.add_argument(
        "--contract", metavar="C", help="strain, declarer and the number of tricks, like 3NTS"
    )
    asked.add_argument("--strain", metavar="S", help="the trump suit, C, D, H or S, or else NT")
    asked.add_argument("--declarer", metavar="S", help="the player of the contract: N or S")
    asked.add_argument(
        "--need",
        type=number_between(1, 13),
        metavar="N",
        help="the number of tricks wanted in all, including those already won (default: as the"
        " contract says)",
    )
    asked.add_argument(
        "--leader", metavar="S", help="the hand on lead (default: the one after declarer)"
    )
    asked.add_argument("--lead", metavar="CARD", help="the opening lead that was made, like SK")
    asked.add_argument(
        "--played", default="", metavar="CARDS", help='the cards played so far, like "SK S2 S4 SA"'
    )
    limits = parser.add_argument_group("how long, how much")
    limits.add_argument(
        "--limit-layouts",
        type=number_between(1, LIMIT_LAYOUTS),
        default=LIMIT_LAYOUTS,
        metavar="N",
        help=f"search all layouts up to N (default {LIMIT_LAYOUTS})",
    )
    limits.add_argument(
        "--samples",
        type=number_between(1, LIMIT_LAYOUTS),
        default=SAMPLES,
        metavar="N",
        help=f"draw N layouts if there are more (default {SAMPLES})",
    )
    limits.add_argument(
        "--time",
        type=number_between(1, 100_000),
        default=20,
        metavar="S",
        help="search for about S seconds, then give bounds (default 20)",
    )
    limits.add_argument(
        "--levels",
        type=number_between(0, 12),
        default=2,
        metavar="N",
        help="conditions within conditions to tell (default 2)",
    )
    add_seed_option(limits, "layouts")
    add_limit_option(
        limits, "the search", default=256, least=16, note="with less, many tricks take longer"
    )
    add_format_options(parser)
    add_ascii_option(parser)
    add_json_option(parser, "the answer")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Find one line."""
    north, south, contract = _hands(args)
    if args.lead is not None and args.played:
        raise InvalidInput("both --lead and --played (expected one: the lead is the first card)")
    found = best_line(
        north,
        south,
        args.strain,
        args.declarer,
        contract=contract,
        need=args.need,
        west=args.west,
        east=args.east,
        hidden=args.hidden,
        leader=args.leader,
        lead=args.lead,
        played=args.played.replace(",", " ").split(),
        limit_layouts=args.limit_layouts,
        samples=args.samples,
        levels=args.levels,
        seconds=args.time,
        seed=args.seed,
        limit_mb=args.limit_mb,
    )
    if args.json:
        print_json(found.to_dict())
    else:
        print_text(str(found), ascii=args.ascii)
    return 0


def _hands(args: argparse.Namespace) -> tuple[Hand, Hand, Contract | str | None]:
    """The two hands, given or from a deal, and the contract."""
    if args.deal is None:
        if args.north is None or args.south is None:
            raise InvalidInput(
                "no hands (expected a deal, or --north AK32.QJ.T98.5432 --south QJ4.K32.AQJ2.A87)"
            )
        return Hand.from_text(args.north), Hand.from_text(args.south), args.contract
    if args.north is not None or args.south is not None:
        raise InvalidInput("both a deal and hands (expected one of them)")
    boards = choose_boards(load_deals(args)[0].boards, args.board, args.deal)
    if len(boards) != 1:
        raise InvalidInput(f"{len(boards)} boards in {args.deal!r} (expected one: --board N)")
    deal = boards[0].deal
    if deal is None:
        raise InvalidInput(f"no deal in {args.deal!r} (expected North's and South's hands)")
    contract = args.contract
    played = boards[0].contract
    if contract is None and args.strain is None and played is not None:
        contract = played
        if played.declarer.side is not Side.NS:
            raise InvalidInput(
                f"{played.declarer.name.title()} declares (expected --contract by North or South)"
            )
    if args.hidden is None and len(deal[Seat.NORTH]) < 13:
        args.hidden = str(deal[Seat.EAST] | deal[Seat.WEST])
    return deal[Seat.NORTH], deal[Seat.SOUTH], contract
