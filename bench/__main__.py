"""Run benchmarks: `python -m bench [NAME ...] [--count N] [--docs]`.

Without names, all run except those that take hours.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence

from bench.report import CONTRACT
from bench.report import main as run_script
from setrograde.cli.bench import BENCHMARKS

TAKES_HOURS = ("hard_deals", "odds")


def main(argv: Sequence[str]) -> int:
    """Print one JSON line a benchmark; never fails because something is slow."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument(
        "--count", metavar="N", help="number of deals, or of positions of each size"
    )
    parser.add_argument("--docs", action="store_true", help="refresh the tables in docs")
    args = parser.parse_args(argv)
    unknown = [name for name in args.names if name not in BENCHMARKS]
    if unknown:
        expected = ", ".join(BENCHMARKS)
        parser.error(f"no such benchmark: {unknown[0]!r} (expected one of {expected})")
    options = [f"--count={args.count}"] if args.count else []
    for name in args.names or [name for name in BENCHMARKS if name not in TAKES_HOURS]:
        try:
            module = importlib.import_module(f"bench.{name}")
        except ModuleNotFoundError as error:
            print(
                f"{name} needs {error.name!r}, which is not installed"
                " (expected: pip install -e '.[peers]')",
                file=sys.stderr,
            )
            return 2
        if hasattr(module, "COUNT"):
            words = [*options, "--docs"] if args.docs else options
            run_script(name, module.run, module.table, count=module.COUNT, argv=words)
        elif args.count and args.names:
            parser.error(f"{name} takes no --count: its input is one file")
        else:
            empty = dict.fromkeys(CONTRACT)
            print(json.dumps({"benchmark": name, **empty, **module.run()}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
