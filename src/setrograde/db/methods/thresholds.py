"""Levels of endings made for the search, which asks whether a side takes enough tricks."""

from __future__ import annotations

import os

from setrograde import _core
from setrograde.common.stop import StopFlag
from setrograde.db.database import DiagramLevel
from setrograde.solve.endings import EndingTable

from .diagram_build import DatabaseError

__all__ = ["build_thresholds"]


def build_thresholds(
    level: DiagramLevel, path: str | os.PathLike[str], *, stop: StopFlag | None = None
) -> EndingTable:
    """Make the file that solvers use from a level of diagrams; this takes seconds for 20 cards.

    Once `stop` is set, the build raises `Stopped` and leaves no file behind.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from setrograde.bridge import Deal, Seat, Strain
    >>> from setrograde.db.methods.diagram_build import build_diagrams
    >>> from setrograde.solve import Solver
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     two, made = Path(folder) / "two", Path(folder) / "made"
    ...     report = build_diagrams(2, two)
    ...     solver = Solver(endings=build_thresholds(DiagramLevel(two), made))
    >>> deal = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")
    >>> solver.solve(deal, Strain.NOTRUMP, Seat.SOUTH).tricks_ns, solver.endings.cards
    (2, 8)
    >>> solver.statistics()["probes"] > 0
    True
    """
    if isinstance(level._core, _core.ShardedLevel):
        raise DatabaseError(f"{level.path}: a level in shards (expected one file)")
    try:
        _core.write_thresholds(level._core, os.fspath(path), stop)
    except _core.LevelFileError as error:
        raise DatabaseError(str(error)) from None
    return EndingTable(path)
