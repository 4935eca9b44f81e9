"""Double-dummy tables as hexadecimal digits: the tag `DoubleDummyTricks`, and all forms like it.

Each declarer has five digits, for notrump, spades, hearts, diamonds and clubs; `d` is 13 tricks.
The order of declarers is North, South, East, West in PBN and in most programs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from setrograde.bridge import InvalidInput, Seat, Strain, TrickTable

__all__ = ["DECLARERS", "STRAINS", "format_trick_digits", "parse_trick_digits"]

DECLARERS = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
"""In the order of `DoubleDummyTricks`."""

STRAINS = tuple(reversed(Strain))
"""In the order of the digits: notrump, spades, hearts, diamonds, clubs."""

_DIGITS = re.compile(r"[0-9A-Da-d]{20}")


def parse_trick_digits(text: str, declarers: Sequence[Seat] = DECLARERS) -> TrickTable:
    """Read 20 digits, five for each declarer in the order given.

    >>> table = parse_trick_digits("0" * 19 + "d")
    >>> table.tricks("W", "C"), table.tricks("W", "D")
    (13, 0)
    """
    if not _DIGITS.fullmatch(text):
        raise InvalidInput(f"not a table: {text!r} (expected 20 hexadecimal digits up to d)")
    places = [(seat, strain) for seat in declarers for strain in STRAINS]
    tricks = {place: int(digit, 16) for place, digit in zip(places, text, strict=True)}
    return TrickTable.from_function(lambda seat, strain: tricks[seat, strain])


def format_trick_digits(table: TrickTable, declarers: Sequence[Seat] = DECLARERS) -> str:
    """Write 20 digits as `parse_trick_digits` reads them.

    >>> format_trick_digits(parse_trick_digits("77665776656677866778"))
    '77665776656677866778'
    """
    digits = [f"{table.tricks(seat, strain):x}" for seat in declarers for strain in STRAINS]
    return "".join(digits)
