"""Run every benchmark, or those named: `python -m bench [NAME ...]`."""

from __future__ import annotations

import importlib
import json
import sys

BENCHMARKS = ("read_pbn",)


def main(names: list[str]) -> int:
    """Print one JSON line a benchmark; never fails because something is slow."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"no such benchmark: {unknown[0]!r} (expected one of {', '.join(BENCHMARKS)})")
        return 2
    for name in names or BENCHMARKS:
        module = importlib.import_module(f"bench.{name}")
        print(json.dumps({"benchmark": name, **module.run()}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
