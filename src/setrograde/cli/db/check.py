"""`setrograde db info` and `db verify`: what is there, and is it right?"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from setrograde.bridge import Deal, Hand, Seat, Strain
from setrograde.cli.common import add_json_option, error_line, print_json, show_share
from setrograde.cli.positions import number_between
from setrograde.db.check.compare import (
    Hands,
    Level,
    Numbers,
    verify_every_shape,
    verify_random_deals,
    verify_random_shapes,
    verify_share_of_shapes,
)
from setrograde.db.check.report import Verification
from setrograde.db.database import DiagramLevel, ShardedLevel, data_directory
from setrograde.db.endings.counting import count_shapes
from setrograde.db.endings.states import Ending
from setrograde.db.methods.diagram_build import DatabaseError
from setrograde.db.methods.set_levels import SetLevel
from setrograde.db.methods.state_tables import (
    MAX_LEVEL_TRICKS,
    MAX_SHAPE_TRICKS,
    ShapeSolver,
    StateLevel,
)

from .levels import (
    AnyLevel,
    LevelFile,
    add_data_option,
    add_method_option,
    build_command,
    find_level_files,
    format_levels,
    number_of_cards,
)

__all__ = ["add_info_parser", "add_verify_parser", "run_info", "run_verify"]

_INFO = """\
List the endings there are: how many shapes and states, in how many nodes or sets and bytes, and by
what program. Damaged files are named, and the exit status is then 1; so it is if there are none."""

_INFO_EPILOG = """\
examples:
  setrograde db info --check
  setrograde db info --json"""

_VERIFY = """\
Compare the endings there are with values found in another way. Up to 12 cards every layout is
compared with plain retrograde analysis, made anew. Above, a random share of the shapes is, each
with all its layouts, and random states are compared with the double-dummy solver: half of them
dealt from the pack, half from random shapes, so that freaks have their turn; at 24 cards that is
all, and of a level with shards missing only random shapes of the others. What follows for the rest
is computed and said. Exit status 1 if any value is wrong or a file is damaged."""

_VERIFY_EPILOG = """\
examples:
  setrograde db verify --cards 8
  setrograde db verify --cards 8 --method diagrams --states 500 --seed 7 --json"""

_MOST_LAYOUTS = 1_000_000
"""Larger shapes are left to the solver: their tables would take too long."""

_SHAPES = {4: 2000, 5: 100}
"""How many shapes are compared if not told, by tricks."""

_STATES = 100_000
_FEW_STATES = 2_000
"""Asked about if not told: where they are all there is, and where they are a second witness."""


def add_info_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register `db info`."""
    parser = commands.add_parser(
        "info", help="what endings there are", description=_INFO, epilog=_INFO_EPILOG
    )
    add_data_option(parser)
    parser.add_argument("--check", action="store_true", help="also compare all checksums")
    add_json_option(parser, "the list")
    parser.set_defaults(run=run_info)


def add_verify_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register `db verify`."""
    parser = commands.add_parser(
        "verify", help="are the values right?", description=_VERIFY, epilog=_VERIFY_EPILOG
    )
    parser.add_argument(
        "--cards", type=number_of_cards, metavar="N", help="only endings with N cards"
    )
    add_method_option(parser, "only what was built by this method", None)
    add_data_option(parser)
    parser.add_argument(
        "--shapes",
        type=_share,
        metavar="SHARE",
        help="share of the shapes to compare above 12 cards, like 0.01; more is surer and slower",
    )
    parser.add_argument(
        "--states",
        type=number_between(2, 10**9 - 1),
        metavar="N",
        help="how many random states the solver is asked about; if not given, none up to 12 cards"
        f" ({_FEW_STATES} for the method states) and {_STATES} above",
    )
    parser.add_argument(
        "--seed",
        type=number_between(0, 10**9 - 1),
        default=0,
        metavar="K",
        help="another seed draws other shapes and states; 0 if not given",
    )
    parser.add_argument(
        "--threads",
        type=number_between(1, 1024),
        metavar="N",
        help="work on N cores at once; on all if not given",
    )
    add_json_option(parser, "the reports")
    parser.set_defaults(run=run_verify)


def run_info(args: argparse.Namespace) -> int:
    """List the files."""
    levels, damaged = [], 0
    for file in find_level_files(args.data):
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
        _complain(_nothing(args))
    return 1 if damaged or not levels else 0


def run_verify(args: argparse.Namespace) -> int:
    """Compare and report."""
    files = find_level_files(args.data, cards=args.cards, method=args.method)
    if not files:
        raise _nothing(args)
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
    name = f"{file.cards} cards, {file.method}"
    answer: dict[str, Any] = {"cards": file.cards, "method": file.method}
    reports: list[Verification] = []
    problem = None
    try:
        with show_share(f"verifying {name}") as show:
            reports.extend(_verify(file.open(), args, show))
    except (DatabaseError, OSError) as error:
        problem = error
    answer["ok"] = problem is None and all(report.is_ok for report in reports)
    if not args.json:
        print(name, *(_indented(str(report)) for report in reports), sep="\n", flush=True)
    if problem is not None:
        _complain(problem)
        answer["error"] = error_line(problem)
    return answer | {"reports": [report.to_dict() for report in reports]}


def _verify(
    found: AnyLevel, args: argparse.Namespace, show: Callable[[float], None]
) -> Iterator[Verification]:
    level: Level = _SetValues(found) if isinstance(found, SetLevel) else found
    if isinstance(found, DiagramLevel):
        found.check()

    def progress(part: int) -> Callable[[int, int], None]:
        return lambda done, total: show((part + done / total) / 3)

    if level.tricks <= MAX_LEVEL_TRICKS:
        yield verify_every_shape(
            level,
            reference=_state_level(level.tricks, args.threads),
            threads=args.threads,
            progress=progress(0),
        )
    elif level.tricks <= MAX_SHAPE_TRICKS:
        share = args.shapes
        if share is None:
            share = _SHAPES[level.tricks] / count_shapes(level.tricks).total
        yield verify_share_of_shapes(
            level,
            share,
            seed=args.seed,
            most_layouts=_MOST_LAYOUTS,
            reference=ShapeSolver(level.tricks, _state_level(MAX_LEVEL_TRICKS, args.threads)),
            threads=args.threads,
            progress=progress(0),
        )
    states = args.states
    if states is None:
        states = _STATES
        if level.tricks <= MAX_LEVEL_TRICKS:
            # State tables were compared with the same program run again: not enough.
            states = _FEW_STATES if isinstance(found, StateLevel) else 0
    if isinstance(found, ShardedLevel) and not found.is_complete:
        # Random deals would meet shards that are missing.
        ranks = found.ranks_built()
        if states and len(ranks):
            yield verify_random_shapes(
                level,
                states,
                seed=args.seed,
                threads=args.threads,
                ranks=ranks,
                progress=progress(1),
            )
    elif states:
        half = states // 2
        watch, options = progress(1), {"seed": args.seed, "threads": args.threads}
        yield verify_random_deals(level, states - half, progress=watch, **options)
        yield verify_random_shapes(level, half, progress=progress(2), **options)


@cache
def _state_level(tricks: int, threads: int | None) -> StateLevel:
    """The truth up to three tricks, made anew and for all methods once."""
    return StateLevel(tricks, threads=threads)


class _SetValues:
    """A level of sets, asked as verification asks."""

    def __init__(self, level: SetLevel) -> None:
        self._level = level
        self.tricks = level.tricks
        self.values_of_shape = level.values_of_shape

    def values(self, hands: Hands, strains: Numbers, leaders: Numbers) -> Numbers:
        found = np.empty(len(hands), np.uint8)
        for row, (bits, strain, leader) in enumerate(zip(hands, strains, leaders, strict=True)):
            n, e, s, w = (Hand(int(cards)) for cards in bits)
            ending = Ending.from_deal(Deal((n, e, s, w)), Strain(int(strain)), Seat(int(leader)))
            found[row] = self._level.value(ending)
        return found


def _nothing(args: argparse.Namespace) -> DatabaseError:
    """That there are no endings of the kind asked for."""
    cards, method = getattr(args, "cards", None), getattr(args, "method", None)
    what = "endings" if cards is None else f"endings with {cards} cards"
    by = "" if method is None else f" by the method {method}"
    folder = os.fspath(data_directory(args.data) / "endings")
    command = build_command(cards or 12, args.data, method=method)
    return DatabaseError(f"no {what}{by} in {folder!r} (expected them from: {command})")


def _complain(error: Exception) -> None:
    print(f"setrograde: {error_line(error)}", file=sys.stderr)


def _indented(text: str) -> str:
    return "\n".join([f"  {line}" for line in text.splitlines()])


def _share(text: str) -> float:
    share = float(text) if re.fullmatch(r"[0-9]{0,9}\.?[0-9]{0,20}(?<=[0-9])", text) else 0.0
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} (expected a share like 0.01, up to 1)")
    return share
