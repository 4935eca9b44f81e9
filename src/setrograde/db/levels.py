"""The files of an endgame database: which there are, and what is in them.

>>> import tempfile
>>> from setrograde.db import build_database
>>> with tempfile.TemporaryDirectory() as folder:
...     report = build_database(8, folder)
...     [(file.cards, file.method, file.open().shapes) for file in find_levels(folder)]
[(4, 'diagrams', 52), (8, 'diagrams', 2054)]
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from setrograde.common.files import is_regular
from setrograde.errors import InvalidInput
from setrograde.locations import level_path

from .database import DiagramLevel, ShardedLevel, open_level
from .endings.counting import count_states
from .methods.diagram_build import DatabaseError
from .methods.set_levels import SetLevel
from .methods.sharded_build import MAX_SHARDED_TRICKS
from .methods.state_tables import MAX_LEVEL_TRICKS, StateLevel

__all__ = ["METHODS", "AnyLevel", "LevelFile", "find_levels", "format_levels"]

METHODS: Mapping[str, int] = {
    "diagrams": MAX_SHARDED_TRICKS,
    "sets": 3,
    "states": MAX_LEVEL_TRICKS,
}
"""The methods of building, and the most tricks each is good for."""

AnyLevel: TypeAlias = DiagramLevel | SetLevel | StateLevel
"""What a file holds, by method."""


@dataclass(frozen=True, slots=True)
class LevelFile:
    """One file of a database; it may be damaged.

    >>> LevelFile(3, "sets", Path("endings/12-cards.sets")).cards
    12
    """

    tricks: int
    """Cards in each hand, as the name of the file says."""

    method: str
    """How the level was built, as the name of the file says."""

    path: Path
    """Where the file is."""

    @property
    def cards(self) -> int:
        """Cards of all hands together."""
        return 4 * self.tricks

    def open(self) -> AnyLevel:
        """Open or read the level; a `DatabaseError` names the file if it is damaged."""
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
        if not is_regular(self.path):  # to read a pipe would wait for ever
            raise DatabaseError(f"{self.path}: not a file")
        data = self.path.read_bytes()
        try:
            return (SetLevel if self.method == "sets" else StateLevel).from_bytes(data)
        except InvalidInput as error:
            raise DatabaseError(f"{self.path}: {error}") from None

    def facts(self, level: AnyLevel | None = None) -> dict[str, Any]:
        """Sizes of the level, by the names of the JSON keys; `level` is what `open` returned."""
        level = level or self.open()
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

    def __str__(self) -> str:
        return f"{self.cards} cards, {self.method}"


def find_levels(
    directory: str | os.PathLike[str] | None = None,
    *,
    cards: int | None = None,
    method: str | None = None,
) -> list[LevelFile]:
    """List the level files of a data directory, small endings first.

    With `cards` or `method` only the files of that size or method are listed.

    >>> find_levels("/no/such/directory")
    []
    """
    found = [
        LevelFile(tricks, name, path)
        for tricks in range(1, 14)
        for name in METHODS
        if (path := level_path(tricks, directory, method=name)).exists()
    ]
    return [file for file in found if cards in (None, file.cards) and method in (None, file.method)]


def format_levels(levels: Sequence[Mapping[str, Any]], last: str = "made_by") -> str:
    """A table of levels by their `facts`, with the key `last` in the last column.

    >>> print(format_levels([{"cards": 4, "method": "states", "shapes": 52, "states": 209,
    ...                       "bytes": 85, "made_by": None}]))
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
