"""`setrograde odds`: how good is this contract, over every layout of the unseen cards?"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from dataclasses import replace
from typing import Any, TypeVar

from setrograde.analysis.odds import (
    ContractComparison,
    LeadOdds,
    Odds,
    OddsQuestion,
    OddsTable,
    compare_stream,
    lead_stream,
    odds_stream,
    odds_svg,
    table_stream,
)
from setrograde.analysis.odds.asking import (
    asked_contract,
    asked_need,
    contract_list,
    played_contract,
)
from setrograde.analysis.odds.contracts import FEW_LAYOUTS
from setrograde.analysis.odds.text import format_odds, format_reasons
from setrograde.bridge import (
    DealConstraint,
    Hand,
    HandConstraint,
    InvalidInput,
    Seat,
    Strain,
)
from setrograde.bridge.coerce import as_contract
from setrograde.cli.common import error_line, print_json, show_progress, write_output
from setrograde.cli.options import (
    add_ascii_option,
    add_json_option,
    add_limit_option,
    add_seed_option,
    add_threads_option,
    number_between,
)
from setrograde.cli.positions import print_text

from .as_dict import comparison_to_dict, leads_to_dict, odds_to_dict, table_to_dict
from .live import list_progress, show_odds
from .together import check_options, check_output

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
How good is a contract? The command counts declarer's double-dummy tricks over every layout of the
unseen cards. That is not a sample: all 10,400,600 layouts of a full deal are settled. Double dummy
means that everyone sees all cards: a guess is never wrong.

Give the hands of two partners; for the other two seats you may say what is known of the hand. An
estimate from a sample comes at once, proved bounds follow as they grow, and the exact chance comes
in the end; each figure says which it is. Ctrl-C stops the work and prints what is known by then,
and so does --time, for every kind of question.

With --need or --contract the question is about one number of tricks, which is several times faster
than the whole distribution. In endings --hidden names the cards of the two unseen hands."""

_EPILOG = """\
examples:
  setrograde odds --north AQ... --south 32... --hidden KJT9... --strain NT --declarer S
  setrograde odds --north AQ... --south 32... --hidden KJT9... --strain N --declarer S --east 3+hcp
  setrograde odds --north AQ... --south 32... --hidden KJT9... --contract 1NTS --need 2 --lead SJ
  setrograde odds --north AKQ2.T98.A76.K54 --south 876.765.KQJ.QJT9 --contract 1NTS --time 2
  setrograde odds --north AQ... --south 32... --hidden KJT9... --table
  setrograde odds --north AQ... --south 32... --hidden KJT9... --compare "1NTS 1NTN Pass"
  setrograde odds --lead-from KJ.2.. --dummy AQ.A.. --hidden T98.543.. --contract 1NTS

a hand: spades.hearts.diamonds.clubs, like AK32.QJ.T98.5432
what is known of a hand: terms with commas between them, like "hcp 5-9", "hcp >= 12", "spades 5+",
"5+ in a major", "void clubs", "no singleton", "shape 5-3-3-2", "balanced", "2 of top 3 spades",
"has SA HK", "not DK". Alternatives have "or" between them: "hcp 8+, 5+ spades or hearts". The terms
describe the hand as it was dealt, with the cards that have been played since."""

Answer = TypeVar("Answer", Odds, OddsTable, ContractComparison, LeadOdds)

_SEAT_HELP = "{}'s hand, or what is known of it"


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "odds",
        help="exact chances of a contract over every layout of the unseen cards",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    _add_question(parser)
    _add_limits(parser)
    _add_other_questions(parser)
    parser.add_argument(
        "--no-words", action="store_true", help="leave out the conditions that decide"
    )
    parser.add_argument("--svg", metavar="OUT", help="also write the distribution as a picture")
    parser.add_argument(
        "--updates", action="store_true", help="print each new estimate and bound on stderr"
    )
    add_ascii_option(parser)
    add_json_option(parser, "the answer")
    parser.set_defaults(run=run)


def _add_question(parser: argparse.ArgumentParser) -> None:
    asked = parser.add_argument_group("the question")
    for seat in (Seat.NORTH, Seat.SOUTH, Seat.WEST, Seat.EAST):
        name = seat.name.lower()
        asked.add_argument(f"--{name}", metavar="HAND", help=_SEAT_HELP.format(name.title()))
    asked.add_argument("--strain", metavar="S", help="the trump suit, C, D, H or S, or else NT")
    asked.add_argument("--declarer", metavar="S", help="the player of the contract: N, E, S or W")
    asked.add_argument(
        "--need",
        type=number_between(0, 13),
        metavar="N",
        help="ask for the chance of at least N tricks, including those already won (default: the"
        " whole distribution)",
    )
    asked.add_argument(
        "--contract",
        metavar="C",
        help="strain, declarer and the number of tricks needed in one, like 4SS or 'S 4S'; or"
        " 4S with --declarer",
    )
    asked.add_argument(
        "--hidden", metavar="CARDS", help="the unseen cards, for hands of fewer than 13 cards"
    )
    asked.add_argument("--lead", metavar="CARD", help="the opening lead that was made, like SK")
    asked.add_argument(
        "--played", default="", metavar="CARDS", help='the cards played so far, like "SK S2 S4 SA"'
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    limits = parser.add_argument_group("how long, how much")
    limits.add_argument(
        "--time",
        type=_seconds,
        metavar="S",
        help="stop after S seconds, with what is known by then",
    )
    limits.add_argument(
        "--within",
        type=_share,
        metavar="P%",
        help="stop once the chance is known this closely, proved or estimated, like 0.5%%",
    )
    limits.add_argument(
        "--samples",
        type=number_between(0, 1_000_000),
        metavar="N",
        help="draw N random layouts for estimates (default: for the first estimate, as many as can"
        " be solved in a second)",
    )
    add_seed_option(limits, "layouts")
    add_threads_option(limits)
    add_limit_option(
        limits,
        "what is proved",
        default=1024,
        least=16,
        note="with less, hard hands take longer",
    )
    limits.add_argument(
        "--method",
        choices=("classes", "patterns"),
        default="patterns",
        help="settle layouts by patterns, or by tie classes, an independent method to check by:"
        " fewer sets, but slower (default patterns)",
    )


def _add_other_questions(parser: argparse.ArgumentParser) -> None:
    other = parser.add_argument_group("other questions")
    other.add_argument(
        "--table", action="store_true", help="answer for all strains and both declarers"
    )
    other.add_argument(
        "--exact",
        action="store_true",
        help="with --table: settle every layout of full deals too, which may take an hour",
    )
    other.add_argument(
        "--compare",
        metavar="CONTRACTS",
        help='say which contract is best, over the same layouts, like "4SS 3NTN"',
    )
    other.add_argument(
        "--vul",
        default="none",
        metavar="V",
        help="with --compare: the vulnerability, none, ns, ew or all (default none)",
    )
    other.add_argument(
        "--lead-from",
        metavar="HAND",
        help="give the value of every opening lead from this hand against --contract",
    )
    other.add_argument(
        "--dummy", metavar="HAND", help="with --lead-from: dummy's hand, if it is seen"
    )


def run(args: argparse.Namespace) -> int:
    """Answer one question."""
    check_options(args)
    check_output(args.svg)
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


def _question(
    args: argparse.Namespace, strain: Strain | None = None, declarer: Seat | None = None
) -> OddsQuestion:
    """The question; `strain` and `declarer` stand for those that do not matter."""
    hands, constraints = _seat_options(args)
    if len(hands) != 2 or len({seat.side for seat in hands}) != 1:
        named = ", ".join([seat.name.title() for seat in hands]) or "nobody"
        raise InvalidInput(
            f"hands given for {named} (expected two partners', like"
            " --north AK32.QJ.T98.5432 --south QJ4.K32.AQJ2.A87)"
        )
    if strain is None or declarer is None:
        strain, declarer = _asked(args)
    words = [*([] if args.lead is None else [args.lead]), *args.played.replace(",", " ").split()]
    if args.lead is not None and args.played:
        raise InvalidInput("both --lead and --played (expected one: the lead is the first card)")
    return OddsQuestion.of_seats(
        hands, strain, declarer, about=constraints, hidden=args.hidden, played=words
    )


def _asked(args: argparse.Namespace) -> tuple[Strain, Seat]:
    """Strain and declarer."""
    if args.contract is None and (args.strain is None or args.declarer is None):
        raise InvalidInput("no contract (expected --strain and --declarer, or --contract)")
    return asked_contract(args.strain, args.declarer, args.contract)


def _need(args: argparse.Namespace, question: OddsQuestion) -> int | None:
    if args.contract is None:
        need: int | None = args.need
        return need
    return asked_need(args.need, as_contract(args.contract, question.declarer), question.tricks)


def _effort(args: argparse.Namespace) -> dict[str, Any]:
    """Options that every question takes."""
    return {"seed": args.seed, "threads": args.threads, "limit_mb": args.limit_mb}


# --- answers ---


def _follow(
    stream: Iterator[Answer], show: AbstractContextManager[Callable[[Answer], None]]
) -> tuple[Answer, bool]:
    """The last answer, and whether Ctrl-C came before the end."""
    found: Answer | None = None
    try:
        with show as tell:
            for found in stream:
                tell(found)
    except KeyboardInterrupt:
        if found is None:
            raise
        return found, True
    assert found is not None
    return found, False


def _finish(args: argparse.Namespace, found: Odds | None, *, interrupted: bool) -> int:
    """What follows the answer: the picture, which must not cost it, and the exit status."""
    status = 0
    if args.svg is not None and found is not None:
        try:
            write_output(args.svg, odds_svg(found).encode())
        except OSError as error:
            print(f"setrograde: the picture is not written: {error_line(error)}", file=sys.stderr)
            status = 2
    if interrupted:
        print("setrograde: interrupted", file=sys.stderr)
        return 130
    return status


def _run_odds(args: argparse.Namespace) -> int:
    question = _question(args)
    stream = odds_stream(
        question,
        need=_need(args, question),
        time_s=args.time,
        within=args.within,
        samples=args.samples,
        method=args.method,
        **_effort(args),
    )
    found, interrupted = _follow(stream, show_odds(is_listed=args.updates))
    if interrupted and not found.exact:
        found = replace(found, stopped="interrupted")
    if args.json:
        print_json(odds_to_dict(found, with_words=not args.no_words))
    else:
        print_text(format_odds(found, ascii=args.ascii), ascii=args.ascii)
        reasons = None if args.no_words else format_reasons(found)
        if reasons is not None:
            print_text(f"\n{reasons}", ascii=args.ascii)
    return _finish(args, found, interrupted=interrupted)


# --- other questions ---


def _answer(
    args: argparse.Namespace,
    stream: Callable[[Callable[[int], None]], Iterator[Answer]],
    as_dict: Callable[[Answer], dict[str, Any]],
    label: str,
    total: int,
) -> int:
    """Follow a stream that tells its progress to the function it is given, and print its end."""
    bar = list_progress(label, total) if args.updates else show_progress(label, total)
    with bar as show:
        found, interrupted = _follow(stream(show), nullcontext(lambda found: None))
    if interrupted:
        found = (
            copy(found) if isinstance(found, OddsTable) else replace(found, stopped="interrupted")
        )
        if isinstance(found, OddsTable):
            found.stopped = "interrupted"
    if args.json:
        print_json(as_dict(found))
    else:
        print_text(str(found), ascii=args.ascii)
    return _finish(args, None, interrupted=interrupted)


def _run_table(args: argparse.Namespace) -> int:
    question = _question(args, Strain.NOTRUMP, Seat.SOUTH)
    samples = 200 if args.samples is None else max(1, args.samples)
    exact = args.exact or question.layouts.count() <= FEW_LAYOUTS

    def stream(show: Callable[[int], None]) -> Iterator[OddsTable]:
        return table_stream(
            question,
            exact=exact,
            samples=samples,
            method=args.method,
            time_s=args.time,
            progress=show,
            **_effort(args),
        )

    contracts = 10
    label, total = ("contracts", contracts) if exact else ("layouts", contracts * samples)
    return _answer(args, stream, table_to_dict, label, total)


def _run_comparison(args: argparse.Namespace) -> int:
    question = _question(args, Strain.NOTRUMP, Seat.SOUTH)
    contracts = contract_list(args.compare, args.declarer)
    samples = 400 if args.samples is None else max(2, args.samples)

    def stream(show: Callable[[int], None]) -> Iterator[ContractComparison]:
        return compare_stream(
            question,
            contracts,
            vulnerability=args.vul,
            samples=samples,
            time_s=args.time,
            progress=show,
            **_effort(args),
        )

    played = {(each.strain, each.declarer) for each in contracts if not each.is_passed_out}
    count = question.layouts.count()
    layouts = count if count <= max(FEW_LAYOUTS, samples) else samples
    return _answer(args, stream, comparison_to_dict, "layouts", len(played) * layouts)


def _run_leads(args: argparse.Namespace) -> int:
    if args.contract is None:
        raise InvalidInput("no contract to lead against (expected --contract, like 3NTS)")
    contract = played_contract(args.contract, args.declarer)
    hands, constraints = _seat_options(args)
    if hands:
        seat = next(iter(hands)).name.lower()
        raise InvalidInput(f"a hand in --{seat} beside --lead-from (expected --dummy for it)")
    samples = 200 if args.samples is None else max(2, args.samples)

    def stream(show: Callable[[int], None]) -> Iterator[LeadOdds]:
        return lead_stream(
            args.lead_from,
            contract,
            dummy=args.dummy,
            about=DealConstraint.from_seats(constraints),
            hidden=args.hidden,
            need=args.need,
            samples=samples,
            time_s=args.time,
            progress=show,
            **_effort(args),
        )

    return _answer(args, stream, leads_to_dict, "deals", samples)
