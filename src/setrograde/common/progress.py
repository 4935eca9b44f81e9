"""How long work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["CountProgress", "PartProgress", "ShareProgress"]

CountProgress = Callable[[int], None]
"""Hears how many pieces of the work are done. An exception it raises stops the work."""

PartProgress = Callable[[int, int], None]
"""Hears how many pieces are done, and how many there will be."""

ShareProgress = Callable[[float], None]
"""Hears what share of the work is done, from 0 to 1."""
