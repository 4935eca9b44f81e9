"""Build one level of endings from nothing and say what that took.

`python -m bench.build_endings METHOD TRICKS PATH [--threads N]` prints one line of JSON. Every
build that `bench.endings` measures is such a process of its own: memory and time are its alone.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from setrograde.db.methods.diagram_build import build_diagrams
from setrograde.db.methods.set_levels import SetLevel
from setrograde.db.methods.state_tables import StateLevel

__all__ = ["METHODS", "build_apart", "peak_mb"]

ROOT = Path(__file__).resolve().parents[1]

Build = Callable[[int, Path, int], int]
"""Tricks, the file to write, threads: builds the level and gives the number of entries."""


def _build_diagrams(tricks: int, path: Path, threads: int) -> int:
    return build_diagrams(tricks, path, threads=threads).nodes


def _build_sets(tricks: int, path: Path, threads: int) -> int:
    level = SetLevel(tricks)
    path.write_bytes(level.to_bytes())
    return len(level)


def _build_states(tricks: int, path: Path, threads: int) -> int:
    level = StateLevel(tricks, threads=threads)
    path.write_bytes(level.to_bytes())
    return level.layouts


METHODS: dict[str, Build] = {
    "states": _build_states,
    "sets": _build_sets,
    "diagrams": _build_diagrams,
}


def build_apart(method: str, tricks: int, path: Path, *, threads: int = 1) -> dict[str, Any]:
    """Build a level in another process: entries, bytes, CPU and wall seconds, peak memory."""
    words = [method, str(tricks), str(path), f"--threads={threads}"]
    done = subprocess.run(
        [sys.executable, "-m", "bench.build_endings", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def peak_mb() -> float:
    """The most memory this process ever held, in MB."""
    # ru_maxrss may be that of the process which started this one; VmHWM never is.
    try:
        found = re.search(r"^VmHWM:\s*(\d+) kB$", Path("/proc/self/status").read_text(), re.M)
    except OSError:
        found = None
    kilobytes = int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes * 1024 / 1e6


def main(argv: Sequence[str] | None = None) -> int:
    """Build, print, end."""
    parser = argparse.ArgumentParser(prog="python -m bench.build_endings", description=__doc__)
    parser.add_argument("method", choices=METHODS)
    parser.add_argument("tricks", type=int)
    parser.add_argument("path", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args(argv)
    before_mb = peak_mb()
    wall, cpu = time.perf_counter(), time.process_time()
    entries = METHODS[args.method](args.tricks, args.path, args.threads)
    measured = {
        "method": args.method,
        "cards": 4 * args.tricks,
        "entries": entries,
        "bytes": args.path.stat().st_size,
        "cpu_s": time.process_time() - cpu,
        "wall_s": time.perf_counter() - wall,
        "peak_mb": peak_mb(),
        "before_mb": before_mb,
        "threads": args.threads,
    }
    print(json.dumps(measured))
    return 0


if __name__ == "__main__":
    sys.exit(main())
