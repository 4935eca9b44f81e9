"""Types of the functions that hear how far long work is."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["CountProgress", "PartProgress", "ShareProgress"]

CountProgress = Callable[[int], None]
"""Hears the number of finished pieces of the work. An exception it raises stops the work."""

PartProgress = Callable[[int, int], None]
"""Hears the number of finished pieces, and the number of all pieces."""

ShareProgress = Callable[[float], None]
"""Hears the finished share of the work, from 0 to 1."""
