"""Which boards of a file are meant: `--board 1-8,12`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["BoardSelection", "board_selection"]

_PART = re.compile(r"([0-9]{1,9})(?:\s*-\s*([0-9]{1,9}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class BoardSelection:
    """Board numbers, as ranges with both ends included.

    >>> chosen = BoardSelection(((1, 8), (12, 12)))
    >>> 8 in chosen, 9 in chosen, None in chosen, str(chosen)
    (True, False, False, '1-8,12')
    """

    ranges: tuple[tuple[int, int], ...]
    """First and last number of each range."""

    def __contains__(self, number: int | None) -> bool:
        """True if the board with that number is meant; a board without a number never is."""
        return number is not None and any(low <= number <= high for low, high in self.ranges)

    def missing(self, numbers: Iterable[int | None]) -> str | None:
        """The first part of the selection that none of `numbers` belongs to, or `None`.

        >>> BoardSelection(((1, 8), (12, 12))).missing([1, 2, 3])
        '12'
        """
        there = [number for number in numbers if number is not None]
        for low, high in self.ranges:
            if not any(low <= number <= high for number in there):
                return _range(low, high)
        return None

    def __str__(self) -> str:
        return ",".join([_range(low, high) for low, high in self.ranges])


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"


def board_selection(text: str) -> BoardSelection:
    """Read board numbers for argparse: single ones and ranges, with commas between them.

    >>> str(board_selection("1-8, 12"))
    '1-8,12'
    """
    ranges = []
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        low, high = (0, -1) if match is None else (int(match[1]), int(match[2] or match[1]))
        if match is None or low > high:
            raise argparse.ArgumentTypeError(
                f"not board numbers: {text!r} (expected like 3, or 1-8,12)"
            )
        ranges.append((low, high))
    return BoardSelection(tuple(ranges))
