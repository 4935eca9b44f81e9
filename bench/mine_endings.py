"""Count the endings with a property and say what that took.

`python -m bench.mine_endings PROPERTY CARDS [--threads N]` prints one line of JSON: the counts,
CPU and wall seconds from nothing, the most memory.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence

from bench.build_endings import peak_mb
from setrograde.db.mining.mine import Property, mine

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Count, print, end."""
    parser = argparse.ArgumentParser(prog="python -m bench.mine_endings", description=__doc__)
    parser.add_argument("property", choices=[str(kind) for kind in Property])
    parser.add_argument("cards", type=int)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args(argv)
    wall, cpu = time.perf_counter(), time.process_time()
    count = mine(args.property, args.cards, threads=args.threads).count()
    measured = {
        "property": args.property,
        "cards": args.cards,
        "endings": dict(count.endings),
        "of_endings": count.of_endings,
        "cpu_s": round(time.process_time() - cpu, 2),
        "wall_s": round(time.perf_counter() - wall, 2),
        "peak_mb": round(peak_mb()),
        "threads": args.threads,
    }
    print(json.dumps(measured))
    return 0


if __name__ == "__main__":
    sys.exit(main())
