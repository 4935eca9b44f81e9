"""`setrograde db info` and `db verify`: what is there, and is it right?"""

from __future__ import annotations

import argparse
import os
import re
import sys
from functools import cache
from typing import Any

from setrograde.cli.common import add_json_option, error_line, print_json, show_share
from setrograde.cli.options import add_data_option
from setrograde.cli.positions import number_between
from setrograde.db.check.level import FEW_STATES, MANY_STATES, verify_level
from setrograde.db.check.report import Verification
from setrograde.db.database import DiagramLevel, data_directory, missing_endings
from setrograde.db.levels import LevelFile, find_levels, format_levels
from setrograde.db.methods.diagram_build import DatabaseError
from setrograde.db.methods.state_tables import MAX_LEVEL_TRICKS, StateLevel

from .options import add_method_option, number_of_cards

__all__ = ["add_info_parser", "add_verify_parser", "run_info", "run_verify"]

_INFO = """\
List the endings that are there: the number of their shapes, states, nodes or sets, their size in
bytes, and the program that made them. Damaged files are named. The exit status is 1 if a file is
damaged, or if there are no endings."""

_INFO_EPILOG = """\
examples:
  setrograde db info --check
  setrograde db info --json"""

_VERIFY = """\
Compare the endings that are there with values found in another way. Up to 12 cards every layout is
compared with plain retrograde analysis, made anew; what was built by that method (states) is
compared with diagrams, made anew. Above 12 cards a random share of the shapes is
compared in that way, each with all its layouts, and random states are compared with the
double-dummy solver: half of them dealt from the pack, half from random shapes, so that freak hands
come up too. At 24 cards only random states are compared; if shards are missing, only random shapes
of those that are there. The report computes what follows for the rest. The exit status is 1 if any
value is wrong, if a file is damaged, or if there are no such endings."""

_VERIFY_EPILOG = """\
examples:
  setrograde db verify --cards 8
  setrograde db verify --cards 8 --method diagrams --states 500 --seed 7 --json"""


def add_info_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register `db info`."""
    parser = commands.add_parser(
        "info", help="list the endings that are there", description=_INFO, epilog=_INFO_EPILOG
    )
    add_data_option(parser)
    parser.add_argument(
        "--check", action="store_true", help="also compare all checksums of the files"
    )
    add_json_option(parser, "the list")
    parser.set_defaults(run=run_info)


def add_verify_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register `db verify`."""
    parser = commands.add_parser(
        "verify", help="check that the values are right", description=_VERIFY, epilog=_VERIFY_EPILOG
    )
    parser.add_argument(
        "--cards", type=number_of_cards, metavar="N", help="verify only endings with N cards"
    )
    add_method_option(parser, "verify only what was built by this method", None)
    add_data_option(parser)
    parser.add_argument(
        "--shapes",
        type=_share,
        metavar="SHARE",
        help="share of the shapes to compare above 12 cards, like 0.01; a larger share is more"
        " certain and slower",
    )
    parser.add_argument(
        "--states",
        type=number_between(2, 10**9 - 1),
        metavar="N",
        help="number of random states that the solver is asked about (default: none up to 12 cards,"
        f" but {FEW_STATES} for the method states; {MANY_STATES} above)",
    )
    parser.add_argument(
        "--seed",
        type=number_between(0, 10**9 - 1),
        default=0,
        metavar="K",
        help="seed of the random shapes and states (default %(default)s)",
    )
    parser.add_argument(
        "--threads",
        type=number_between(1, 1024),
        metavar="N",
        help="work on N cores at once (default: all)",
    )
    add_json_option(parser, "the reports")
    parser.set_defaults(run=run_verify)


def run_info(args: argparse.Namespace) -> int:
    """List the files."""
    levels, damaged = [], 0
    for file in find_levels(args.data):
        try:
            level = file.open()
            if args.check and isinstance(level, DiagramLevel):
                level.check()
            levels.append(file.facts(level) | {"ok": True})
        except (DatabaseError, OSError) as error:
            damaged += 1
            _complain(error)
            facts = {"cards": file.cards, "method": file.method, "path": os.fspath(file.path)}
            levels.append(facts | {"ok": False, "error": error_line(error)})
    directory = os.fspath(data_directory(args.data))
    if args.json:
        print_json({"directory": directory, "checked": args.check, "levels": levels})
    elif good := [level for level in levels if level["ok"]]:
        checked = ", no damage found" if args.check and not damaged else ""
        print(f"Endings in {directory}{checked}\n\n{format_levels(good, 'made_by')}")
    if not levels:
        _complain(missing_endings(None, args.data))
    return 1 if damaged or not levels else 0


def run_verify(args: argparse.Namespace) -> int:
    """Compare and report."""
    files = find_levels(args.data, cards=args.cards, method=args.method)
    if not files:
        raise missing_endings(args.cards, args.data, method=args.method)
    answers: list[dict[str, Any]] = []
    for file in files:
        if not args.json and answers:
            print()
        answers.append(_verify_file(file, args))
    is_ok = all(answer["ok"] for answer in answers)
    if args.json:
        print_json({"ok": is_ok, "levels": answers})
    return 0 if is_ok else 1


def _verify_file(file: LevelFile, args: argparse.Namespace) -> dict[str, Any]:
    """Compare one file and, unless JSON is asked for, print what came out."""
    answer: dict[str, Any] = {"cards": file.cards, "method": file.method}
    reports: list[Verification] = []
    problem = None
    try:
        with show_share(f"verifying {file}") as show:
            reports.extend(
                verify_level(
                    file.open(),
                    share=args.shapes,
                    states=args.states,
                    seed=args.seed,
                    reference=_reference(file, args.threads),
                    threads=args.threads,
                    progress=show,
                )
            )
    except (DatabaseError, OSError) as error:
        problem = error
    answer["ok"] = problem is None and all(report.is_ok for report in reports)
    if not args.json:
        print(file, *(_indented(str(report)) for report in reports), sep="\n", flush=True)
    if problem is not None:
        _complain(problem)
        answer["error"] = error_line(problem)
    return answer | {"reports": [report.to_dict() for report in reports]}


def _reference(file: LevelFile, threads: int | None) -> StateLevel | None:
    """Tables to compare a file with; `None` for tables, which are compared with something else."""
    if file.method == "states":
        return None
    return _state_level(min(file.tricks, MAX_LEVEL_TRICKS), threads)


@cache
def _state_level(tricks: int, threads: int | None) -> StateLevel:
    """The truth up to three tricks, made anew, and once for all methods."""
    return StateLevel(tricks, threads=threads)


def _complain(error: Exception) -> None:
    print(f"setrograde: {error_line(error)}", file=sys.stderr)


def _indented(text: str) -> str:
    return "\n".join([f"  {line}" for line in text.splitlines()])


def _share(text: str) -> float:
    share = float(text) if re.fullmatch(r"[0-9]{0,9}\.?[0-9]{0,20}(?<=[0-9])", text) else 0.0
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} (expected a share like 0.01, up to 1)")
    return share
