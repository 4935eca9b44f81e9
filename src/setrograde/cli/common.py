"""What every command shares: reading boards, output, progress; its options are in `options`."""

from __future__ import annotations

import argparse
import errno
import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

from setrograde.bridge import Board, Deal
from setrograde.common.files import atomic_write
from setrograde.errors import InvalidInput
from setrograde.formats.files import FORMATS, format_of_text, parse_boards
from setrograde.formats.problems import BoardFile, Problem

from .options import CommandParser, add_json_option, error_line, number_between, one_line
from .selections import BoardSelection, board_selection

__all__ = [
    "CommandParser",
    "add_format_options",
    "add_json_option",
    "can_print_symbols",
    "check_output",
    "choose_boards",
    "complain",
    "error_line",
    "load_boards",
    "load_source",
    "number_between",
    "print_json",
    "report_problems",
    "show_progress",
    "show_share",
    "track",
    "uses_colour",
    "write_output",
]

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

T = TypeVar("T")

_DEAL = re.compile(r"\s*[NESWnesw]\s*:(?!.*[\n|])")


def add_format_options(parser: argparse.ArgumentParser) -> None:
    """Give a command that reads boards `--from`, `--strict` and `--board`.

    >>> parser = CommandParser()
    >>> add_format_options(parser)
    >>> args = parser.parse_args(["--from", "lin", "--board", "3"])
    >>> args.format, args.strict, 3 in args.board
    ('lin', False, True)
    """
    parser.add_argument(
        "--from",
        dest="format",
        choices=FORMATS,
        help="format of the input (default: recognised by its content)",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="stop at the first mistake in the input instead of listing all and reading on",
    )
    parser.add_argument(
        "--board",
        type=board_selection,
        metavar="N",
        help="take only board number N, or boards like 1-8,12; from every table that played them",
    )


def load_boards(source: str, *, strict: bool = False, format: str | None = None) -> BoardFile:
    """Boards from a file, from stdin (`-`), from a BBO viewer link or from a PBN deal.

    >>> load_boards("N:A... K... Q... J...").boards[0].deal
    Deal.from_pbn('N:A... K... Q... J...')
    """
    return load_source(source, strict=strict, format=format)[0]


def load_source(
    source: str, *, strict: bool = False, format: str | None = None
) -> tuple[BoardFile, bytes | None]:
    """As `load_boards`, with the bytes that were read; `None` for a deal given as an argument.

    >>> load_source("N:A... K... Q... J...")[1] is None
    True
    """
    if source == "-":
        data, name = sys.stdin.buffer.read(), "<stdin>"
    elif not os.path.exists(source) and _DEAL.match(source):
        return BoardFile("pbn", (Board(deal=Deal.from_pbn(source)),)), None
    elif not os.path.exists(source) and (found := format_of_text(source)) == "deals":
        return parse_boards(source, path="<deal>", strict=True, format=found), None
    elif not os.path.exists(source) and found is not None:
        data, name, format = source.encode(), "<link>", format or found
    else:
        data, name = Path(source).read_bytes(), source
    return parse_boards(data, path=name, strict=strict, format=format), data


def choose_boards(
    boards: Sequence[Board], selection: BoardSelection | None, source: str
) -> tuple[Board, ...]:
    """The boards of a selection, or all if it is `None`; an error if a part of it has none.

    >>> boards = [Board.numbered(number) for number in range(1, 9)]
    >>> [board.number for board in choose_boards(boards, board_selection("1-2,7"), "a.pbn")]
    [1, 2, 7]
    """
    if not boards:
        raise InvalidInput(f"no boards in {source!r}")
    if selection is None:
        return tuple(boards)
    missing = selection.missing([board.number for board in boards])
    if missing is not None:
        raise InvalidInput(f"no board {missing} in {source!r} (it has {_numbers(boards)})")
    return tuple(board for board in boards if board.number in selection)


def _numbers(boards: Sequence[Board]) -> str:
    """The numbers of the boards, in a few words."""
    numbers = sorted({board.number for board in boards if board.number is not None})
    if not numbers:
        return "boards without numbers"
    listed = ", ".join(map(str, numbers[:8]))
    return f"boards {listed}{f', ... {numbers[-1]}' if len(numbers) > 8 else ''}"


def report_problems(problems: Sequence[Problem]) -> None:
    """Say on stderr how many problems a file has, and print the first few."""
    complain("problem", "in the input", [one_line(str(problem)) for problem in problems])


def complain(noun: str, what: str, lines: Sequence[str], *, most: int = 5) -> None:
    """Say on stderr how many things there are, one for each line, and print the first few lines."""
    if not lines:
        return
    print(f"setrograde: {len(lines)} {noun}{'s'[: len(lines) > 1]} {what}:", file=sys.stderr)
    for line in lines[:most]:
        print(f"  {line}", file=sys.stderr)
    if len(lines) > most:
        print(f"  ... and {len(lines) - most} more", file=sys.stderr)


def print_json(value: object) -> None:
    """Print machine-readable output.

    >>> print_json({"boards": 2})
    {
      "boards": 2
    }
    """
    print(json.dumps(value, indent=2, ensure_ascii=False))


def check_output(path: str | None) -> None:
    """Complain before the work, not after it, about an output that cannot be written.

    >>> check_output("-")
    >>> check_output("no/such/folder/a.pbn")
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: 'no/such/folder/a.pbn'
    """
    if path is None or path == "-":
        return
    folder = Path(path).resolve().parent
    number = 0
    if Path(path).is_dir():
        number = errno.EISDIR
    elif not folder.is_dir():
        number = errno.ENOENT
    elif not os.access(path if Path(path).exists() else folder, os.W_OK):
        number = errno.EACCES
    if number:
        raise OSError(number, os.strerror(number), path)


def write_output(path: str, data: bytes) -> None:
    """Write `data` to a file, or to stdout if `path` is `-`."""
    if path == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        atomic_write(path, data)


def uses_colour(stream: TextIO) -> bool:
    """True for a terminal, unless the user set `NO_COLOR` or the terminal is dumb.

    >>> import io
    >>> uses_colour(io.StringIO())
    False
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def can_print_symbols(stream: TextIO) -> bool:
    """True if `stream` can show suit symbols and box lines.

    >>> import io
    >>> can_print_symbols(io.TextIOWrapper(io.BytesIO(), encoding="latin-1"))
    False
    """
    try:
        "♠♥♦♣┌".encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def track(
    items: Iterable[T], label: str, total: int | None = None, *, after_s: float = 2.0
) -> Iterator[T]:
    """Pass `items` on; show a progress bar on stderr once the work has lasted `after_s`.

    Nothing is shown unless stderr is a terminal.

    >>> sum(track(range(4), "adding", 4))
    6
    """
    with show_progress(label, total, after_s=after_s) as show:
        for done, item in enumerate(items, 1):
            yield item
            show(done)


@contextmanager
def show_progress(
    label: str, total: float | None = None, *, after_s: float = 2.0
) -> Iterator[Callable[[float], None]]:
    """As `track`, for work that calls a function with how much of `total` is done.

    With a `total` the bar also shows an estimate of the time left.

    >>> with show_progress("adding", 4) as show:
    ...     show(2.5)
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns: tuple[ProgressColumn, ...] = (
        TextColumn(label),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    if total is not None:
        columns += (TextColumn("left"), TimeRemainingColumn())
    with _bar(columns, label, total, after_s) as show:
        yield show


@contextmanager
def show_share(label: str, *, after_s: float = 2.0) -> Iterator[Callable[[float], None]]:
    """As `show_progress`, for work that reports the share that is done; shows the time left.

    >>> with show_share("building") as show:
    ...     show(0.25)
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.progress import (
        BarColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(label),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with _bar(columns, label, 1.0, after_s) as show:
        yield show


@contextmanager
def _bar(
    columns: Sequence[ProgressColumn], label: str, total: float | None, after_s: float
) -> Iterator[Callable[[float], None]]:
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True, no_color=not uses_colour(sys.stderr))
    # Lines printed meanwhile go above the bar; output to a file or a pipe is left alone.
    progress = Progress(
        *columns, console=console, transient=True, redirect_stdout=sys.stdout.isatty()
    )
    task = progress.add_task(label, total=total)
    # A timer, so that the bar comes up even while the first item is still at work.
    timer = threading.Timer(after_s, progress.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda done: progress.update(task, completed=done)
    finally:
        timer.cancel()
        timer.join()
        progress.stop()
