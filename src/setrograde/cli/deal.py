"""`setrograde deal`: random deals to order."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from setrograde.analysis.deal import (
    Deals,
    EstimatedShare,
    RareReport,
    deal,
    run_script,
    why_rare,
    why_rare_script,
)
from setrograde.errors import InvalidInput
from setrograde.formats.dealer import parse_dealer
from setrograde.formats.files import ENDINGS, FORMATS, format_boards, format_of_name

from .common import check_output, print_json, show_progress, write_output
from .options import add_json_option, number_between

if TYPE_CHECKING:
    from setrograde.analysis.deal.rare import Share
    from setrograde.formats.dealer import Script

__all__ = ["add_parser", "run"]

_MOST_DEALS = 10_000_000

_DESCRIPTION = """\
Deal at random such that every hand is as asked. All deals that fit are equally likely. They are
counted first and then drawn from the counts, so deals of which one in ten million fits come as
quickly as any others. The deals are printed as PBN deals, one in each line; --to or the ending of
the output file gives numbered boards in another format.

A hand is asked for in one of three ways, and an option may be repeated, so that all of it holds:

  by conditions    "hcp 15-17, balanced", "spades 5+ or hearts 5+", "2 of top 3 clubs"
  by its cards     AK32.Q54.KQ2.J76
  by a pattern     AKxx.Qxx.xx+.+, where x is any other card, and + allows more of the suit

SCRIPT is a file in the dealer language. Its conditions are counted as far as they can be, and its
actions are printed; with --to or an output file, its deals are written instead."""

_EPILOG = """\
examples:
  setrograde deal --north "hcp 15-17, balanced" --south "spades 5+, hcp 8+" --count 4 --seed 1
  setrograde deal --west "AKxxxx.+.+.+" --west "hcp 6-10" --count 16 --seed 7 -o preempts.pbn
  setrograde deal --north "hcp 22+, balanced" --south "0-3 hcp, shape 4-4-4-1" --seed 1 --why
  setrograde deal --count 2 --seed 5 --to lin
  setrograde deal weak_two.dl --count 24 --seed 3 -o weak_two.pbn
  setrograde deal weak_two.dl --why"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "deal",
        help="deal hands to order, however rare",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument(
        "script", metavar="SCRIPT", nargs="?", help="a file in the dealer language, or - for stdin"
    )
    for name in ("North", "East", "South", "West"):
        parser.add_argument(
            f"--{name.lower()}",
            action="append",
            metavar="HAND",
            help=f"what {name} has: conditions, cards or a pattern; may be repeated",
        )
    for side in ("NS", "EW"):
        parser.add_argument(
            f"--{side.lower()}",
            action="append",
            metavar="TERMS",
            help=f"conditions on the hands of {side} together, such as 'hcp 25+, spades 8+'",
        )
    parser.add_argument(
        "--count",
        type=number_between(0, _MOST_DEALS),
        metavar="N",
        help="number of deals (default: 1, or what SCRIPT says)",
    )
    parser.add_argument(
        "--seed",
        type=number_between(0, 999_999_999),
        metavar="K",
        help="the deals follow from K; another seed draws others (default: 1, or what SCRIPT says)",
    )
    parser.add_argument(
        "--to", choices=FORMATS, help="format of the output (default: given by the ending of OUT)"
    )
    parser.add_argument(
        "-o", "--out", metavar="OUT", help="the file to write (default: standard output)"
    )
    parser.add_argument(
        "--why",
        action="store_true",
        help="deal nothing; say how rare such deals are, and what each condition costs",
    )
    add_json_option(parser, "the deals (deals, acceptance, effective, probability, ...)")
    parser.set_defaults(run=run)


_HANDS = ("north", "east", "south", "west", "ns", "ew")


def run(args: argparse.Namespace) -> int:
    """Deal, or say why such deals are rare."""
    hands = {name: getattr(args, name) for name in _HANDS}
    target = _target(args.to, args.out)
    check_output(args.out)
    if args.script is not None:
        given = [f"--{name}" for name in _HANDS if hands[name]]
        if given:
            raise InvalidInput(
                f"{given[0]} with the script {args.script!r}"
                " (expected hands or a script, not both: a script has its own conditions)"
            )
        return _run_script(args, target)
    if args.why:
        return _print_why(why_rare(**hands), as_json=args.json)
    count = 1 if args.count is None else args.count
    with show_progress("dealing", count) as show:
        found = deal(
            **hands, count=count, seed=1 if args.seed is None else args.seed, progress=show
        )
    if args.out is not None or not args.json:
        write_output(args.out or "-", format_boards(found.boards(), target))
    if args.json:
        print_json(_as_dict(found))
    else:
        _print_summary(str(found), args.out)
    return 0


def _target(to: str | None, out: str | None) -> str:
    """The format of the output."""
    if out is None or out == "-":
        return to or "deals"
    ending = Path(out).suffix.lower()
    if to is not None and ENDINGS.get(ending, to) != to and ending != ".txt":
        raise InvalidInput(f"{out!r} does not end as {to} does (expected no --to, or another name)")
    return to or format_of_name(out)


def _as_dict(found: Deals) -> dict[str, Any]:
    return {
        "deals": [each.to_pbn() for each in found],
        "acceptance": found.acceptance,
        "effective": found.effective,
        "probability": float(found.probability),
        "exact_counts": found.exact_counts,
        "seed": found.seed,
    }


def _print_why(report: RareReport, *, as_json: bool) -> int:
    if not as_json:
        print(report)
        return 0
    print_json(
        {
            "probability": _number(report.probability),
            "conditions": [
                {
                    "condition": cost.text,
                    "alone": _number(cost.alone),
                    "factor": None if cost.factor in (None, float("inf")) else cost.factor,
                    "exact": cost.is_exact,
                }
                for cost in report.costs
            ],
            "conflict": list(report.conflict),
        }
    )
    return 0


def _number(share: Share | None) -> float | None:
    if share is None:
        return None
    return share.value if isinstance(share, EstimatedShare) else float(share)


def _run_script(args: argparse.Namespace, target: str) -> int:
    """Run a script of the dealer language, or say why its deals are rare."""
    script = _read_script(args.script)
    if args.why:
        return _print_why(why_rare_script(script), as_json=args.json)
    seed = next(number for number in (args.seed, script.seed, 1) if number is not None)
    with show_progress("dealing", args.count or script.produce) as show:
        found = run_script(script, count=args.count, seed=seed, progress=show)
    if args.out is not None or (args.to is not None and not args.json):
        write_output(args.out or "-", format_boards(found.boards(), target))
    elif not args.json:
        print(found.text, end="")
    if args.json:
        print_json(found.as_dict())
    else:
        _print_summary(found.summary, args.out)
    return 0


def _print_summary(summary: str, out: str | None) -> None:
    """Say how the deals were found, where that does not get in the way of the deals."""
    if out is not None and out != "-":
        print(summary)
    elif sys.stderr.isatty():
        print(summary, file=sys.stderr)


def _read_script(name: str) -> Script:
    if name == "-":
        return parse_dealer(sys.stdin.buffer.read(), path="<stdin>")
    return parse_dealer(Path(name).read_bytes(), path=name)
