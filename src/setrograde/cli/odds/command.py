"""`setrograde odds`: how good is this contract, over every layout of the cards?"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from setrograde.analysis.odds.contracts import compare_contracts, odds_table
from setrograde.analysis.odds.exact import odds_stream
from setrograde.analysis.odds.leads import lead_odds
from setrograde.analysis.odds.plot import odds_svg
from setrograde.analysis.odds.question import OddsQuestion
from setrograde.analysis.odds.result import Odds
from setrograde.bridge import (
    Card,
    Contract,
    DealConstraint,
    Hand,
    HandConstraint,
    InvalidInput,
    Seat,
    Strain,
    Vulnerability,
)
from setrograde.cli.common import add_json_option, print_json, show_progress, write_output
from setrograde.cli.positions import number_between, print_text

from .live import show_odds
from .text import (
    comparison_to_dict,
    format_comparison,
    format_leads,
    format_odds,
    format_reasons,
    format_table,
    leads_to_dict,
    odds_to_dict,
    table_to_dict,
)

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
How good is a contract? Declarer's double-dummy tricks over every layout of the unseen cards: not a
sample, all 10,400,600 of them. Two partners' hands are given; of the other two hands a seat's
option says what is known. An estimate from a sample comes at once, proved bounds as they grow, the
exact chance in the end, each labelled. Ctrl-C prints what is known by then.

With --need (or --contract) one number of tricks is asked about, which is several times faster than
the whole distribution. In endings --hidden names the cards of the two unseen hands."""

_EPILOG = """\
examples:
  setrograde odds --north AQ... --south 32... --hidden KJT9... --strain NT --declarer S
  setrograde odds --north AQ... --south 32... --hidden KJT9... --contract 1NTS --west "not SK"
  setrograde odds --north AQ... --south 32... --hidden KJT9... --contract 1NTS --lead SJ
  setrograde odds --north AKQ2.T98.A76.K54 --south 876.765.KQJ.QJT9 --contract 1NTS --time 2
  setrograde odds --north AQ... --south 32... --hidden KJT9... --table
  setrograde odds --north AQ... --south 32... --hidden KJT9... --compare "1NTS 1NTN Pass"
  setrograde odds --lead-from KJ.2.. --dummy AQ.A.. --hidden T98.543.. --contract 1NTS

a hand: spades.hearts.diamonds.clubs, like AK32.QJ.T98.5432
what is known of a hand, with commas between: "hcp 5-9", "spades 5+", "shape 5-3-3-2", "balanced",
"has SA HK", "not DK"; it speaks of the hand as dealt, cards already played included"""

_SEAT_HELP = "{}'s hand, or what is known of it"


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "odds",
        help="chances of a contract over every layout of the cards, exact",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    _add_question(parser)
    _add_limits(parser)
    other = parser.add_argument_group("other questions")
    other.add_argument(
        "--table", action="store_true", help="all strains and both declarers instead of one"
    )
    other.add_argument(
        "--exact",
        action="store_true",
        help="for --table: settle all layouts of a full deal too, which may take an hour",
    )
    other.add_argument(
        "--compare",
        metavar="CONTRACTS",
        help='which contract is best, like "4SS 3NTN"; over the same layouts',
    )
    other.add_argument(
        "--vul", default="none", metavar="V", help="for --compare: none, ns, ew or all"
    )
    other.add_argument(
        "--lead-from",
        metavar="HAND",
        help="value of every opening lead from this hand against --contract, instead",
    )
    other.add_argument("--dummy", metavar="HAND", help="for --lead-from: dummy, if it is seen")
    parser.add_argument(
        "--no-words", action="store_true", help="leave out the conditions that decide"
    )
    parser.add_argument("--svg", metavar="OUT", help="also write the distribution as a picture")
    parser.add_argument(
        "--updates", action="store_true", help="print each new estimate and bound on stderr"
    )
    parser.add_argument(
        "--ascii", action="store_true", help="letters instead of suit symbols, for plain terminals"
    )
    add_json_option(parser, "the answer")
    parser.set_defaults(run=run)


def _add_question(parser: argparse.ArgumentParser) -> None:
    asked = parser.add_argument_group("the question")
    for seat in (Seat.NORTH, Seat.SOUTH, Seat.WEST, Seat.EAST):
        name = seat.name.lower()
        asked.add_argument(f"--{name}", metavar="HAND", help=_SEAT_HELP.format(name.title()))
    asked.add_argument("--strain", metavar="S", help="trumps: C, D, H, S, or NT for none")
    asked.add_argument("--declarer", metavar="S", help="who plays it: N, E, S or W")
    asked.add_argument(
        "--need",
        type=number_between(0, 13),
        metavar="N",
        help="tricks wanted, those already won included; otherwise the whole distribution",
    )
    asked.add_argument(
        "--contract", metavar="C", help="strain, declarer and tricks wanted in one, like 4SS"
    )
    asked.add_argument(
        "--hidden", metavar="CARDS", help="the unseen cards, for hands of fewer than 13"
    )
    asked.add_argument("--lead", metavar="CARD", help="the opening lead that was made, like SK")
    asked.add_argument(
        "--played", default="", metavar="CARDS", help='cards played so far, like "SK S2 S4 SA"'
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    limits = parser.add_argument_group("how long, how much")
    limits.add_argument(
        "--time", type=_seconds, metavar="S", help="stop after S seconds with what is known"
    )
    limits.add_argument(
        "--within",
        type=_share,
        metavar="P%",
        help="stop once the chance is known so closely, proved or estimated, like 0.5%%",
    )
    limits.add_argument(
        "--samples",
        type=number_between(0, 1_000_000),
        metavar="N",
        help="layouts drawn for estimates; for the first one, as many as take a second unless given",
    )
    limits.add_argument(
        "--seed",
        type=number_between(0, 999_999_999),
        default=0,
        metavar="K",
        help="what samples follow from, 0 unless given",
    )
    limits.add_argument(
        "--threads",
        type=number_between(1, 1024),
        metavar="N",
        help="work on N cores; on all unless given",
    )
    limits.add_argument(
        "--limit-mb",
        type=number_between(16, 1 << 20),
        default=1024,
        metavar="N",
        help="memory for what is proved, 1024 if not given; with less, hard hands take longer",
    )
    limits.add_argument(
        "--method",
        choices=("classes", "patterns"),
        default="patterns",
        help="plain patterns, or tie classes: fewer sets but slower, and independent, to check by",
    )


def run(args: argparse.Namespace) -> int:
    """Answer one question."""
    if args.lead_from is not None:
        return _run_leads(args)
    if args.compare is not None:
        return _run_comparison(args)
    if args.table:
        return _run_table(args)
    return _run_odds(args)


# --- what is asked ---


def _seconds(text: str) -> float:
    return _positive(text, text.removesuffix("s"), "a number of seconds, like 10")


def _share(text: str) -> float:
    number = _positive(text, text.removesuffix("%"), "a share, like 0.5%")
    if number >= 100:
        raise argparse.ArgumentTypeError(f"{text!r} (expected less than 100 %)")
    return number / 100


def _positive(text: str, number: str, expected: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?\s*", number, re.ASCII) or not float(number):
        raise argparse.ArgumentTypeError(f"{text!r} (expected {expected})")
    return float(number)


def _seat_options(args: argparse.Namespace) -> tuple[dict[Seat, Hand], dict[Seat, HandConstraint]]:
    """Hands and constraints: a hand has dots, a constraint has none."""
    hands: dict[Seat, Hand] = {}
    constraints: dict[Seat, HandConstraint] = {}
    for seat in Seat:
        text = getattr(args, seat.name.lower())
        if text is not None and "." in text:
            hands[seat] = Hand.from_text(text)
        elif text is not None:
            constraints[seat] = HandConstraint.from_text(text)
    return hands, constraints


def _hidden(args: argparse.Namespace) -> Hand | None:
    return None if args.hidden is None else Hand.from_text(args.hidden)


def _contract(args: argparse.Namespace) -> Contract | None:
    if args.contract is None:
        return None
    if args.strain is not None:
        raise InvalidInput(
            f"both --contract {args.contract!r} and --strain {args.strain!r} (expected one of them)"
        )
    seat = None if args.declarer is None else Seat.from_text(args.declarer)
    contract = Contract.from_text(args.contract, seat)
    if contract.is_passed_out:
        raise InvalidInput(f"no contract: {args.contract!r} (expected like '4SS')")
    return contract


def _question(
    args: argparse.Namespace, strain: Strain | None = None, declarer: Seat | None = None
) -> OddsQuestion:
    hands, constraints = _seat_options(args)
    if len(hands) != 2 or len({seat.side for seat in hands}) != 1:
        named = ", ".join([seat.name.title() for seat in hands]) or "nobody"
        raise InvalidInput(
            f"hands given for {named} (expected two partners', like"
            " --north AK32.QJ.T98.5432 --south QJ4.K32.AQJ2.A87)"
        )
    if strain is None:
        contract = _contract(args)
        if contract is not None:
            strain, declarer = contract.strain, contract.declarer
        elif args.strain is None or args.declarer is None:
            raise InvalidInput("no contract (expected --strain and --declarer, or --contract)")
        else:
            strain, declarer = Strain.from_text(args.strain), Seat.from_text(args.declarer)
    assert declarer is not None
    words = [*([] if args.lead is None else [args.lead]), *args.played.replace(",", " ").split()]
    if args.lead is not None and args.played:
        raise InvalidInput("both --lead and --played (expected one: the lead is the first card)")
    return OddsQuestion.of_seats(
        hands,
        strain,
        declarer,
        about=constraints,
        hidden=_hidden(args),
        played=[Card.from_text(word) for word in words],
    )


def _need(args: argparse.Namespace, question: OddsQuestion) -> int | None:
    contract = _contract(args)
    if args.need is not None or contract is None:
        need: int | None = args.need
        return need
    return min(contract.tricks_needed, question.tricks)


# --- one contract ---


def _run_odds(args: argparse.Namespace) -> int:
    question = _question(args)
    stream = odds_stream(
        question,
        need=_need(args, question),
        time_s=args.time,
        within=args.within,
        samples=args.samples,
        seed=args.seed,
        threads=args.threads,
        limit_mb=args.limit_mb,
        method=args.method,
    )
    found, interrupted = _follow(stream, show_odds(is_listed=args.updates))
    if args.svg is not None:
        write_output(args.svg, odds_svg(found).encode())
    if args.json:
        print_json(odds_to_dict(found, with_words=not args.no_words))
    else:
        print_text(format_odds(found, ascii=args.ascii), ascii=args.ascii)
        reasons = None if args.no_words else format_reasons(found)
        if reasons is not None:
            print_text(f"\n{reasons}", ascii=args.ascii)
    if interrupted:
        print("setrograde: interrupted", file=sys.stderr)
        return 130
    return 0


def _follow(
    stream: Iterator[Odds], show: AbstractContextManager[Callable[[Odds], None]]
) -> tuple[Odds, bool]:
    """The last answer, and whether Ctrl-C came before the end."""
    found: Odds | None = None
    try:
        with show as tell:
            for found in stream:
                tell(found)
    except KeyboardInterrupt:
        if found is None:
            raise
        return replace(found, stopped=None if found.exact else "interrupted"), True
    assert found is not None
    return found, False


# --- other questions ---


def _run_table(args: argparse.Namespace) -> int:
    question = _question(args, Strain.NOTRUMP, Seat.SOUTH)
    samples = 200 if args.samples is None else max(1, args.samples)
    with show_progress("odds") as show:
        table = odds_table(
            question,
            exact=args.exact or None,
            samples=samples,
            seed=args.seed,
            threads=args.threads,
            limit_mb=args.limit_mb,
            method=args.method,
            progress=show,
        )
    return _answer(args, table_to_dict(table), format_table(table))


def _run_comparison(args: argparse.Namespace) -> int:
    question = _question(args, Strain.NOTRUMP, Seat.SOUTH)
    contracts = [Contract.from_text(word) for word in args.compare.replace(",", " ").split()]
    samples = 400 if args.samples is None else max(2, args.samples)
    with show_progress("layouts", len(contracts) * samples) as show:
        found = compare_contracts(
            question,
            contracts,
            vulnerability=Vulnerability.from_text(args.vul),
            samples=samples,
            seed=args.seed,
            threads=args.threads,
            limit_mb=args.limit_mb,
            progress=show,
        )
    return _answer(args, comparison_to_dict(found), format_comparison(found))


def _run_leads(args: argparse.Namespace) -> int:
    contract = _contract(args)
    if contract is None:
        raise InvalidInput("no contract to lead against (expected --contract, like 3NTS)")
    hands, constraints = _seat_options(args)
    if hands:
        seat = next(iter(hands)).name.lower()
        raise InvalidInput(f"a hand in --{seat} beside --lead-from (expected --dummy for it)")
    samples = 200 if args.samples is None else max(2, args.samples)
    with show_progress("deals", samples) as show:
        found = lead_odds(
            Hand.from_text(args.lead_from),
            contract,
            dummy=None if args.dummy is None else Hand.from_text(args.dummy),
            about=DealConstraint.from_seats(constraints),
            hidden=_hidden(args),
            need=args.need,
            samples=samples,
            seed=args.seed,
            threads=args.threads,
            limit_mb=args.limit_mb,
            progress=show,
        )
    return _answer(args, leads_to_dict(found), format_leads(found))


def _answer(args: argparse.Namespace, as_dict: dict[str, Any], as_text: str) -> int:
    if args.json:
        print_json(as_dict)
    else:
        print_text(as_text, ascii=args.ascii)
    return 0
