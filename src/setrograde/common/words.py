"""Words that several kinds of output share."""

from __future__ import annotations

__all__ = ["count_of"]


def count_of(number: int, noun: str) -> str:
    """A number and its noun, which gets an `s` unless the number is 1.

    >>> count_of(1, "trick"), count_of(2, "trick")
    ('1 trick', '2 tricks')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
