"""What all benchmarks share: CPU time, signatures, JSON on stdout, tables in the documentation."""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import platform
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from setrograde import _core
from setrograde.cli.options import number_between
from setrograde.common.threads import available_threads
from setrograde.errors import InvalidInput

__all__ = ["DOCS", "PAGES", "cpu_ms", "main", "markdown_table", "signature", "with_block"]

T = TypeVar("T")
Result = dict[str, Any]

DOCS = Path(__file__).resolve().parents[1] / "docs/explanation/double_dummy.md"
"""The page with a marked block for each benchmark that has no page of its own."""

PAGES = {
    "card_play": DOCS.with_name("card_play_measured.md"),
    "problems": DOCS.with_name("card_play_measured.md"),
    "outcome_vectors": DOCS.with_name("card_play_measured.md"),
    "strategy_search": DOCS.with_name("card_play_measured.md"),
    "breakthrough_boards": DOCS.with_name("compressed_games.md"),
    "compressed_games": DOCS.with_name("compressed_games.md"),
    "dealing": DOCS.with_name("dealing.md"),
    "endings": DOCS.with_name("tables_1_and_2.md"),
    "suit_combinations": DOCS.with_name("suits_and_finesses.md"),
    "endings_in_search": DOCS.with_name("endings_in_search.md"),
    "odds": DOCS.with_name("odds.md"),
    "twenty_four_cards": DOCS.with_name("toward_24_cards.md"),
}
"""Benchmarks with pages of their own."""

CONTRACT = ("ours", "peer", "ratio", "signature")
"""Keys that every result has; `None` where a benchmark has no such figure."""


def cpu_ms(work: Callable[[], T]) -> tuple[T, float]:
    """An answer and the CPU milliseconds, of all threads, that it took."""
    start = time.process_time_ns()
    answer = work()
    return answer, (time.process_time_ns() - start) / 1e6


def signature(answers: Iterable[object], nodes: int | None = None) -> str:
    """Nodes searched and a short hash of the answers: the same on every machine."""
    text = "\n".join(map(str, answers))
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return digest if nodes is None else f"{nodes} {digest}"


def machine() -> dict[str, str | int | None]:
    """Where and with what the figures were taken."""
    return {
        "processor": _processor(),
        "cores": available_threads(),
        "python": platform.python_version(),
        "compiler": _compiler(),
        "endplay": _version("endplay"),
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        text = ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1].strip() if found else platform.processor() or platform.machine()


def _compiler() -> str | None:
    """GCC and Clang leave their names in what they compile."""
    if not _core.__file__:
        return None
    data = Path(_core.__file__).read_bytes()
    found = re.search(rb"clang version [\d.]+|GCC: \([^)]*\) [\d.]+", data)
    return found[0].decode("ascii", "replace") if found else None


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table whose first column is text and whose other columns are figures."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def with_block(page: str, name: str, block: str) -> str:
    """`page` with the text between the markers of `name` replaced."""
    start, end = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
    before, found, rest = page.partition(start)
    _, found_end, after = rest.partition(end)
    if not (found and found_end):
        raise InvalidInput(f"no block for {name!r} (expected {start!r} and, below it, {end!r})")
    return f"{before}{start}\n{block}\n{end}{after}"


def docs_block(table: str, command: str, where: dict[str, Any]) -> str:
    """A table with the command that made it and the machine it ran on."""
    parts = [where["processor"], f"{where['cores']} cores", f"Python {where['python']}"]
    if where["compiler"]:
        parts.append(where["compiler"])
    if where["endplay"]:
        parts.append(f"endplay {where['endplay']}")
    return f"{table}\n\n`{command}`  \n{', '.join(parts)}"


def main(
    name: str,
    run: Callable[..., Result],
    table: Callable[[Result], str],
    *,
    count: int,
    add_options: Callable[[argparse.ArgumentParser], None] | None = None,
    argv: Sequence[str] | None = None,
) -> int:
    """Run one benchmark as a script: JSON on stdout; `--docs` refreshes its block in its page."""
    page = PAGES.get(name, DOCS)
    words = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog=f"python -m bench.{name}", description=run.__doc__)
    parser.add_argument(
        "--count",
        type=number_between(1, 999_999_999),
        default=count,
        metavar="N",
        help=f"number of deals, or of positions of each size (default {count})",
    )
    parser.add_argument("--docs", action="store_true", help=f"refresh the table in {page.name}")
    if add_options:
        add_options(parser)
    options = vars(parser.parse_args(words))
    refresh = options.pop("docs")
    result = {"benchmark": name, **dict.fromkeys(CONTRACT), **run(**options), "machine": machine()}
    print(json.dumps(result), flush=True)
    if refresh:
        command = _shown_command(name, words)
        block = docs_block(table(result), command, result["machine"])
        page.write_text(with_block(page.read_text("utf-8"), name, block), "utf-8")
    return 0


def _shown_command(name: str, words: Sequence[str]) -> str:
    """The command as a reader would type it, with DIR for our own folder of databases."""
    shown = [f"python -m bench.{name}"]
    for before, word in zip(["", *words], words, strict=False):
        if word != "--docs":
            shown.append("DIR" if before == "--data" else word)
    return " ".join(shown)
