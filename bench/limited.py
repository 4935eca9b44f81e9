"""One question to our solver, with a limit on its time."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from bench.report import cpu_ms
from setrograde.bridge import Deal, Seat, Strain
from setrograde.common.stop import StopFlag, Stopped
from setrograde.solve import Solver, Technique

__all__ = ["Measured", "solve_limited"]


@dataclass(frozen=True, slots=True)
class Measured:
    """What one search cost; if it was stopped, its cost up to then."""

    tricks_ns: int | None
    """Tricks of North-South; `None` if the search was stopped."""

    nodes: int
    cpu_ms: float


def solve_limited(
    deal: Deal,
    strain: Strain,
    leader: Seat,
    *,
    techniques: Technique,
    limit_s: float,
    limit_mb: int = 1024,
) -> Measured:
    """Solve with a fresh solver, for `limit_s` seconds at most."""
    solver = Solver(limit_mb=limit_mb, techniques=techniques, endings=None)
    stop = StopFlag()

    def solve() -> int | None:
        try:
            return solver.solve(deal, strain, leader, stop=stop).tricks_ns
        except Stopped:
            return None

    timer = threading.Timer(limit_s, stop.set)
    timer.start()
    try:
        tricks_ns, ms = cpu_ms(solve)
    finally:
        timer.cancel()
    return Measured(tricks_ns, solver.statistics()["nodes"], ms)
