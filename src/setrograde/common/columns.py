"""Tables as plain text: columns that line up on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from unicodedata import combining, east_asian_width

__all__ = ["align_columns", "around_table", "text_width"]


def text_width(text: str) -> int:
    """Places a terminal needs; ideographs take two, combining marks none.

    >>> text_width("4♠"), text_width("漢")
    (2, 2)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


def align_columns(
    rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), gap: int = 2, least: int = 0
) -> list[str]:
    """A line for each row, columns as wide as their longest cell and at least `least`.

    Columns are aligned to the left, those numbered in `right` (from 0) to the right.

    >>> for line in align_columns([["Nora", "8"], ["Ed", "12"]], right=[1]):
    ...     print(line)
    Nora   8
    Ed    12
    """
    widths = [max(least, *map(text_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for number, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - text_width(cell))
            cells.append(space + cell if number in right else cell + space)
        lines.append((" " * gap).join(cells).rstrip())
    return lines


def around_table(
    north: Sequence[str], east: Sequence[str], south: Sequence[str], west: Sequence[str]
) -> list[str]:
    """Four short columns as players sit: North above, West and East side by side, South below.

    >>> for line in around_table(["N", "A"], ["E", "K"], ["S", "Q"], ["W", "J"]):
    ...     print(line)
              N
              A
    W                  E
    J                  K
              S
              Q
    """
    middle = " " * 10
    beside = [
        f"{left:<19}{right}".rstrip() for left, right in zip_longest(west, east, fillvalue="")
    ]
    return [*(middle + line for line in north), *beside, *(middle + line for line in south)]
