"""The files of an endgame database: which there are, and what is in them."""

from __future__ import annotations

import argparse
import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from setrograde.bridge import InvalidInput
from setrograde.db.database import (
    DiagramLevel,
    EndingDatabase,
    ShardedLevel,
    data_directory,
    level_path,
    open_level,
)
from setrograde.db.endings.counting import count_states
from setrograde.db.methods.diagram_build import DatabaseError
from setrograde.db.methods.set_levels import SetLevel
from setrograde.db.methods.sharded_build import MAX_SHARDED_TRICKS
from setrograde.db.methods.state_tables import MAX_LEVEL_TRICKS, StateLevel

__all__ = [
    "LEAST_SEARCH_TRICKS",
    "METHODS",
    "AnyLevel",
    "LevelFile",
    "add_data_option",
    "add_method_option",
    "build_command",
    "find_level_files",
    "format_levels",
    "load_database",
    "number_of_cards",
]

METHODS = {"diagrams": MAX_SHARDED_TRICKS, "sets": 3, "states": MAX_LEVEL_TRICKS}
"""The methods of building, and the most tricks each is good for."""

LEAST_SEARCH_TRICKS = 3
"""Smaller endings are searched as fast as they are looked up."""

AnyLevel: TypeAlias = DiagramLevel | SetLevel | StateLevel
"""What a file holds, by method."""


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Give a command `--data`.

    >>> parser = argparse.ArgumentParser()
    >>> add_data_option(parser)
    >>> parser.parse_args(["--data", "/srv/bridge"]).data
    '/srv/bridge'
    """
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="where databases lie; SETROGRADE_HOME or the user's data directory if not given",
    )


def add_method_option(parser: argparse.ArgumentParser, what: str, default: str | None) -> None:
    """Give a command `--method`; `what` explains it.

    >>> parser = argparse.ArgumentParser()
    >>> add_method_option(parser, "how", None)
    >>> parser.parse_args(["--method", "sets"]).method
    'sets'
    """
    parser.add_argument("--method", choices=tuple(METHODS), default=default, help=what)


def number_of_cards(text: str) -> int:
    """Read a number of cards for argparse.

    >>> number_of_cards("12")
    12
    """
    most = 4 * MAX_SHARDED_TRICKS
    number = int(text) if re.fullmatch(r"[0-9]{1,2}", text, re.ASCII) else 0
    if number not in range(4, most + 1, 4):
        raise argparse.ArgumentTypeError(
            f"{text!r} (expected a multiple of 4, from 4 to {most}: all hands are equally long)"
        )
    return number


@dataclass(frozen=True, slots=True)
class LevelFile:
    """One file of a database, which may be damaged.

    >>> LevelFile(3, "sets", Path("endings/12-cards.sets")).cards
    12
    """

    tricks: int
    """As its name says."""

    method: str
    """As its name says."""

    path: Path
    """Where it lies."""

    @property
    def cards(self) -> int:
        """In all hands together."""
        return 4 * self.tricks

    def open(self) -> AnyLevel:
        """What it holds; `DatabaseError` names the file if that cannot be read."""
        level = self._read()
        if level.tricks != self.tricks:
            raise DatabaseError(
                f"{self.path}: holds endings of {4 * level.tricks} cards"
                f" (expected {self.cards}, as its name says)"
            )
        return level

    def _read(self) -> AnyLevel:
        if self.method == "diagrams":
            return open_level(self.path)
        data = self.path.read_bytes()
        try:
            return (SetLevel if self.method == "sets" else StateLevel).from_bytes(data)
        except InvalidInput as error:
            raise DatabaseError(f"{self.path}: {error}") from None

    def facts(self, level: AnyLevel) -> dict[str, Any]:
        """What is in it, by the names of the JSON keys."""
        states = count_states(self.tricks).total
        facts: dict[str, Any] = {
            "cards": self.cards,
            "method": self.method,
            "shapes": level.shapes,
            "states": states,
        }
        if isinstance(level, DiagramLevel):
            facts["nodes"] = level.nodes
        elif isinstance(level, SetLevel):
            facts["sets"] = len(level)
        facts["bytes"] = (
            level.bytes if isinstance(level, DiagramLevel) else self.path.stat().st_size
        )
        facts["states_per_byte"] = round(states / facts["bytes"], 3)
        if isinstance(level, ShardedLevel):
            facts |= {"shards": level.shards, "shards_built": level.shards_built}
            if not level.is_complete:
                facts["states_per_byte"] = None
        facts["made_by"] = level.creator if isinstance(level, DiagramLevel) else None
        if isinstance(level, DiagramLevel):
            search = self.path.with_suffix(".thresholds")
            facts["search_bytes"] = search.stat().st_size if search.exists() else None
        facts["path"] = os.fspath(self.path)
        return facts


def find_level_files(
    directory: str | None, *, cards: int | None = None, method: str | None = None
) -> list[LevelFile]:
    """The files there are, small endings first; of one size or method if that is given.

    >>> find_level_files("/no/such/directory")
    []
    """
    found = [
        LevelFile(tricks, name, path)
        for tricks in range(1, 14)
        for name in METHODS
        if (path := level_path(tricks, directory, method=name)).exists()
    ]
    return [file for file in found if cards in (None, file.cards) and method in (None, file.method)]


def load_database(directory: str | None, needed: Sequence[int]) -> EndingDatabase:
    """The levels with so many tricks; an error says how to build the one that is missing.

    >>> load_database("/no/such/directory", [2])
    Traceback (most recent call last):
    ...
    setrograde.db.methods.diagram_build.DatabaseError: no endings with 8 cards in \
'/no/such/directory/endings' (expected them from: setrograde db build --cards 8 \
--data /no/such/directory)
    """
    levels = {}
    for tricks in needed:
        if tricks > MAX_SHARDED_TRICKS:
            raise InvalidInput(
                f"no endings with {4 * tricks} cards (expected {4 * MAX_SHARDED_TRICKS} at most;"
                " setrograde solve takes more)"
            )
        path = level_path(tricks, directory)
        if not path.exists():
            raise DatabaseError(
                f"no endings with {4 * tricks} cards in {os.fspath(path.parent)!r}"
                f" (expected them from: {build_command(4 * tricks, directory)})"
            )
        level = LevelFile(tricks, "diagrams", path).open()
        assert isinstance(level, DiagramLevel)
        levels[tricks] = level
    return EndingDatabase(levels)


def build_command(cards: int, directory: str | None, *, method: str | None = None) -> str:
    """What to type to have a level built.

    >>> build_command(12, None, method="sets")
    'setrograde db build --cards 12 --method sets'
    """
    words = ["setrograde", "db", "build", "--cards", str(cards)]
    if method not in (None, "diagrams"):
        words += ["--method", str(method)]
    if directory is not None:
        words += ["--data", os.fspath(data_directory(directory))]
    return shlex.join(words)


def format_levels(levels: Sequence[dict[str, Any]], last: str) -> str:
    """A table of levels, with the key `last` in the last column.

    >>> print(format_levels([{"cards": 4, "method": "states", "shapes": 52, "states": 209,
    ...                       "bytes": 85, "made_by": None}], "made_by"))
    cards  method    shapes  states  nodes  sets  bytes  states/byte  made by
        4  states        52     209      -     -     85            -  -
    """
    names = ("cards", "method", "shapes", "states", "nodes", "sets", "bytes", "states_per_byte")
    heads = [*names[:-1], "states/byte", last.replace("_", " ")]
    rows = [[_cell(level.get(name)) for name in (*names, last)] for level in levels]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    widths[1] = max(map(len, METHODS))
    lines = []
    for row in [heads, *rows]:
        cells = [
            cell.ljust(width) if place in (1, len(row) - 1) else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    for level in levels:
        if level.get("shards_built") != level.get("shards"):
            count = f"{level['shards_built']:,} of {level['shards']:,}"
            lines.append(
                f"\n{level['cards']} cards: {count} shards are there; the rest is not built yet"
            )
    return "\n".join(lines)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
