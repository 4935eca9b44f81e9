"""`setrograde db build`: make the endgame databases."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from setrograde.bridge import InvalidInput
from setrograde.cli.common import add_json_option, print_json, show_share
from setrograde.cli.positions import number_between
from setrograde.common.files import atomic_write
from setrograde.db.database import (
    DiagramLevel,
    ShardedLevel,
    data_directory,
    level_path,
    open_level,
)
from setrograde.db.endings.counting import count_shapes, count_states
from setrograde.db.methods.diagram_build import MAX_DIAGRAM_TRICKS, DatabaseError, build_diagrams
from setrograde.db.methods.set_levels import SetLevel
from setrograde.db.methods.sharded_build import build_sharded
from setrograde.db.methods.state_tables import StateLevel
from setrograde.db.methods.thresholds import build_thresholds

from .levels import (
    LEAST_SEARCH_TRICKS,
    METHODS,
    LevelFile,
    add_data_option,
    add_method_option,
    build_command,
    format_levels,
    number_of_cards,
)

__all__ = ["add_parser", "run"]

_DESCRIPTION = """\
Build the endings of all strains with 4, 8, 12 ... cards, up to the number given; what is there
already stays. The method diagrams makes what probe and query read: up to 24 cards, 12 in a second,
16 in some seconds, 20 in minutes, 24 in a day or so, in shards that can be asked as soon as they
are there. The methods sets (Setrograde Analysis as published) and states
(plain retrograde analysis) are for comparison, up to 12 cards. From 12 cards on, diagrams come with
a second file, which solve and table find and use by themselves. A build that was stopped, by
whatever, goes on where it was; the files come out the same byte for byte."""

_EPILOG = """\
examples:
  setrograde db build --cards 12
  setrograde db build --cards 12 --threads 1 --data endings --json
  setrograde db build --cards 8 --method sets"""

_GROWTH = {"diagrams": 30.0, "sets": 60.0, "states": 400.0}
"""How many times longer a level takes than the one below; for the bar."""

Show = Callable[[float], None]


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "build",
        help="build all endings up to so many cards",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--cards",
        type=number_of_cards,
        required=True,
        metavar="N",
        help="cards in all four hands together: 4, 8, 12, 16, 20 or 24",
    )
    add_method_option(parser, "how to build; diagrams if not given", "diagrams")
    add_data_option(parser)
    parser.add_argument(
        "--threads",
        type=number_between(1, 1024),
        metavar="N",
        help="work on N cores at once, on all if not given; sets are built on one",
    )
    parser.add_argument(
        "--limit-mb",
        type=number_between(64, 1 << 20),
        metavar="N",
        help="memory for diagrams, 2048 if not given, 8192 for 24 cards; a build that needs more"
        " stops with an error",
    )
    parser.add_argument(
        "--groups",
        type=number_between(1, 1024),
        default=64,
        metavar="N",
        help="build 24 cards in N groups of shards, 16 if not given; more need less memory and more"
        " time, the files are the same",
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
    add_json_option(parser, "what there is now")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Build what is missing."""
    most = 4 * METHODS[args.method]
    if args.cards > most:
        raise InvalidInput(
            f"too many cards for the method {args.method}: {args.cards} (expected {most} at most,"
            " or the method diagrams)"
        )
    files = [
        LevelFile(tricks, args.method, level_path(tricks, args.data, method=args.method))
        for tricks in range(1, args.cards // 4 + 1)
    ]
    missing = [file for file in files if args.force or not _is_there(file)]
    try:
        with show_share("building endings") as show:
            seconds = _build_all(args, missing, show)
    except KeyboardInterrupt:
        print(
            "setrograde: interrupted; what is built stays, and the same command goes on from there",
            file=sys.stderr,
        )
        return 130
    levels = []
    for file in files:
        built = file.tricks in seconds
        level = _opened(file, args)
        if isinstance(level, DiagramLevel) and not isinstance(level, ShardedLevel):
            _prepare_search(level, args.data, again=built)
        facts = file.facts(level)
        taken = round(seconds[file.tricks], 3) if built else None
        levels.append(facts | {"seconds": taken, "built": built})
    if args.json:
        print_json({"directory": os.fspath(data_directory(args.data)), "levels": levels})
    else:
        shown = [level | {"seconds": _seconds(level["seconds"])} for level in levels]
        print(format_levels(shown, "seconds"))
    return 0


def _is_there(file: LevelFile) -> bool:
    """All of it; shards may be missing."""
    if not file.path.exists() or file.tricks <= MAX_DIAGRAM_TRICKS:
        return file.path.exists()
    level = open_level(file.path)
    return not isinstance(level, ShardedLevel) or level.is_complete


def _opened(file: LevelFile, args: argparse.Namespace) -> Any:
    try:
        return file.open()
    except DatabaseError as error:
        command = build_command(args.cards, args.data, method=args.method)
        raise DatabaseError(f"{error} (expected a good file, as from: {command} --force)") from None


def _prepare_search(level: DiagramLevel, directory: str | None, *, again: bool) -> None:
    """Make the file that solvers use, if it is missing or older than the level."""
    path = level_path(level.tricks, directory, method="thresholds")
    if level.tricks >= LEAST_SEARCH_TRICKS and (again or not path.exists()):
        build_thresholds(level, path)


def _seconds(seconds: float | None) -> str:
    return "was there" if seconds is None else f"{seconds:.1f}"


def _build_all(args: argparse.Namespace, missing: list[LevelFile], show: Show) -> dict[int, float]:
    """Build level by level; the seconds that each took, by tricks."""
    growth = _GROWTH[args.method]
    whole = sum(growth**file.tricks for file in missing)
    seconds, done = {}, 0.0
    for file in missing:
        weight = growth**file.tricks / whole
        start = time.monotonic()
        _build(args, file, _part(show, done, weight))
        seconds[file.tricks] = time.monotonic() - start
        done += weight
        show(done)
    return seconds


def _part(show: Show, start: float, width: float) -> Show:
    return lambda share: show(start + width * min(share, 1.0))


def _build(args: argparse.Namespace, file: LevelFile, show: Show) -> None:
    tricks = file.tricks
    if tricks > MAX_DIAGRAM_TRICKS:
        if args.force:
            file.path.unlink(missing_ok=True)
        build_sharded(
            tricks,
            file.path,
            groups=args.groups,
            most_groups=args.stop_after,
            threads=args.threads,
            limit_mb=args.limit_mb or 8192,
            progress=lambda progress: show(progress.fraction),
        )
        return
    if args.method == "diagrams":
        build_diagrams(
            tricks,
            file.path,
            threads=args.threads,
            limit_mb=args.limit_mb or 2048,
            progress=lambda progress: show(progress.fraction),
        )
        return
    file.path.parent.mkdir(parents=True, exist_ok=True)
    level: SetLevel | StateLevel
    if args.method == "sets":
        shapes = count_shapes(tricks).total
        level = SetLevel(tricks, progress=lambda done: show(done / shapes))
    else:
        states = count_states(tricks).total  # about as many as layouts
        level = StateLevel(tricks, threads=args.threads, progress=lambda done: show(done / states))
    try:
        atomic_write(file.path, level.to_bytes())
    except OSError as error:
        raise DatabaseError(f"{file.path}: cannot write: {error.strerror}") from None
