"""`setrograde bench`: measure speed, with peers in the same run."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import setrograde
from setrograde.errors import InvalidInput

from .common import print_json
from .options import add_json_option, number_between

__all__ = ["BENCHMARKS", "add_parser", "bench_folder", "run"]

BENCHMARKS = {
    "read_pbn": "a large PBN file, next to endplay",
    "dealing": "deals to order, next to endplay's dealer",
    "double_dummy": "random deals: tables, values, every card, next to DDS",
    "hard_deals": "tables of 21 freak deals, next to DDS; takes hours, so give --count",
    "partition_vs_alphabeta": "nodes with sets of positions and with a plain table",
    "ablation": "what each technique of the search is worth",
    "threads": "tables with one thread and with two",
    "endings": "databases of endings: cost by three methods; answers, next to DDS",
    "suit_combinations": "best lines in one suit: random holdings, a published table",
    "compressed_games": "Breakthrough solved by sets of boards, next to OxiDD; sizes of sets",
    "endings_in_search": "tables solved with databases of endings and without, next to DDS",
    "odds": "exact odds of 40 pairs of hands, next to each layout alone; give --count",
    "outcome_vectors": "double-dummy vectors over 40 worlds in 3NT, next to DDS",
    "strategy_search": "a card chosen over 40 worlds; exact values of endings",
    "card_play": "3NT played by strategy search and by plain Monte Carlo; give --count",
    "problems": "sixty problems of card play: the robot next to plain Monte Carlo",
}
"""What each benchmark measures."""

_DESCRIPTION = f"""\
Measure how fast this package answers. Where another program can answer the same questions, it does
so in the same run, and the answers are compared. The benchmarks are in the folder bench of the
repository, so this command needs a checkout, installed with pip install -e '.[peers]'. The
signature (number of nodes searched, hash of the answers) is the same on every machine for the same
count.

{chr(10).join(f"  {name:23} {what}" for name, what in BENCHMARKS.items())}"""

_EPILOG = """\
examples:
  setrograde bench double_dummy --count 2
  setrograde bench threads --count 2 --json"""


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Register the command."""
    parser = commands.add_parser("bench", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument(
        "name", metavar="NAME", choices=tuple(BENCHMARKS), help="one of the benchmarks above"
    )
    parser.add_argument(
        "--count",
        type=number_between(1, 999_999_999),
        metavar="N",
        help="number of deals, or of positions of each size (default: each benchmark has its own);"
        " fewer are quicker, more are surer",
    )
    add_json_option(parser, "all figures (ours, peer, ratio, signature, ...)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run one benchmark in its own process, so that nothing else is measured."""
    command = [sys.executable, "-m", "bench", args.name]
    if args.count is not None:
        command.append(f"--count={args.count}")
    done = subprocess.run(
        command, cwd=bench_folder().parent, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"ended with status {done.returncode}"]
        raise InvalidInput(f"{args.name} could not be measured: {lines[-1]}")
    result: dict[str, Any] = json.loads(done.stdout)
    if args.json:
        print_json(result)
    else:
        print(_format_result(result))
    return 0


def bench_folder() -> Path:
    """The repository's folder of benchmarks; an error if there is only the installed package.

    >>> bench_folder().name
    'bench'
    """
    # src/setrograde/__init__.py, in a checkout
    folder = Path(setrograde.__file__).resolve().parents[2] / "bench"
    if not (folder / "__main__.py").is_file():
        raise InvalidInput(
            "no benchmarks here: they are in the repository, not in the installed package"
            " (expected a checkout installed with pip install -e '.[peers]')"
        )
    return folder


def _format_result(result: dict[str, Any]) -> str:
    """The figures that are single numbers or words; `--json` has the others, too."""
    figures = {
        name: value for name, value in result.items() if not isinstance(value, dict | list | None)
    }
    width = max(map(len, figures))
    return "\n".join(f"{name:{width}}  {value}" for name, value in figures.items())
