"""Memory limits: `limit_mb` bounds what a whole call uses, whatever its number of threads.

A megabyte is 2**20 bytes, everywhere.
"""

from __future__ import annotations

from setrograde.errors import InvalidInput

__all__ = ["MOST_MB", "check_limit_mb", "limit_bytes", "share_mb"]

MOST_MB = 1 << 20
"""The largest limit that is accepted: a tebibyte."""


def check_limit_mb(limit_mb: int, *, least: int = 1) -> int:
    """Return the limit if it is between `least` and `MOST_MB`, and raise `InvalidInput` if not.

    >>> check_limit_mb(64)
    64
    >>> check_limit_mb(1, least=2)
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: not a memory limit: 1 MB (expected 2 to 1048576)
    """
    if not least <= limit_mb <= MOST_MB:
        raise InvalidInput(f"not a memory limit: {limit_mb} MB (expected {least} to {MOST_MB})")
    return limit_mb


def limit_bytes(limit_mb: int, *, least: int = 1) -> int:
    """A checked limit in bytes.

    >>> limit_bytes(2)
    2097152
    """
    return check_limit_mb(limit_mb, least=least) << 20


def share_mb(limit_mb: int, parts: int, *, least: int = 1) -> tuple[int, int]:
    """The megabytes for each of several parts, and the number of parts there is room for.

    No part gets less than `least`, so a small limit means fewer parts.

    >>> share_mb(100, 4, least=16), share_mb(40, 4, least=16), share_mb(10, 4, least=16)
    ((25, 4), (20, 2), (16, 1))
    """
    parts = max(1, min(parts, limit_mb // least))
    return max(least, limit_mb // parts), parts
