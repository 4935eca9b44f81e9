"""How a chance is written: everywhere the same, and never rounded to certainty.

>>> format_chance(1 / 3), format_chance(0.999999), format_chance(1)
('33.33 %', '> 99.99 %', '100.00 %')
"""

from __future__ import annotations

from fractions import Fraction

__all__ = ["KIND", "KIND_WORDS", "format_chance", "format_chances", "format_percent"]

KIND = "double dummy"
"""What every chance of this package is."""

KIND_WORDS = f"If everyone sees all cards ({KIND})"
"""The same for people: how every answer begins."""


def format_percent(share: float | Fraction, *, places: int = 2) -> str:
    """A share as a percentage without its sign.

    Only what is exactly 0 or 1 is shown as 0 or 100: anything else next to it is shown as more or
    less than the nearest figure.

    >>> [format_percent(share, places=1) for share in (0, 0.0001, 0.5, 0.9999, Fraction(1))]
    ['0.0', '< 0.1', '50.0', '> 99.9', '100.0']
    """
    text = f"{float(100 * share):.{places}f}"
    step = Fraction(1, 10**places)
    if share < 1 and float(text) == 100:
        return f"> {float(100 - step):.{places}f}"
    if share > 0 and float(text) == 0:
        return f"< {float(step):.{places}f}"
    return text


def format_chance(share: float | Fraction, *, places: int = 2) -> str:
    """A chance in percent.

    >>> format_chance(Fraction(48, 70)), format_chance(1e-9, places=0)
    ('68.57 %', '< 1 %')
    """
    return f"{format_percent(share, places=places)} %"


def format_chances(low: float | Fraction, high: float | Fraction, *, places: int = 2) -> str:
    """An interval of chances in percent.

    >>> format_chances(0, 0.25, places=1)
    '0.0 to 25.0 %'
    """
    return f"{format_percent(low, places=places)} to {format_chance(high, places=places)}"
