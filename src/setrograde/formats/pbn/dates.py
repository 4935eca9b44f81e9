"""Dates as files write them, in the form of the standard: `2026.08.??`."""

from __future__ import annotations

import re

__all__ = ["read_date"]

_PBN = re.compile(r"[0-9?]{4}\.[0-9?]{2}\.[0-9?]{2}", re.ASCII)
_YEAR_FIRST = re.compile(r"([0-9]{4})[-./]([0-9]{1,2}|\?+)[-./]([0-9]{1,2}|\?+)", re.ASCII)
_IN_WORDS = re.compile(r"([0-9]{1,2})[-./ ]([A-Za-z]{3,9})\.?[-./, ]+([0-9]{4})", re.ASCII)
_YEAR_LAST = re.compile(r"([0-9]{1,2})[-./]([0-9]{1,2})[-./]([0-9]{4})", re.ASCII)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def read_date(text: str) -> str:
    """Put a date in the form of PBN; a date that can be read in two ways stays as it is.

    >>> read_date("2015.09.?"), read_date("2024-07-12"), read_date("2-Aug-2023")
    ('2015.09.??', '2024.07.12', '2023.08.02')
    >>> read_date("3/30/2021"), read_date("3/4/2021"), read_date("last week")
    ('2021.03.30', '3/4/2021', 'last week')
    """
    if _PBN.fullmatch(text):
        return text
    word = text.strip()
    if match := _YEAR_FIRST.fullmatch(word):
        found = {_date(*match.groups())}
    elif match := _IN_WORDS.fullmatch(word):
        day, name, year = match.groups()
        months = [n for n, month in enumerate(_MONTHS, 1) if name.lower().startswith(month)]
        found = {_date(year, str(month), day) for month in months}
    elif match := _YEAR_LAST.fullmatch(word):
        first, second, year = match.groups()
        found = {_date(year, first, second), _date(year, second, first)}
    else:
        return text
    dates = found - {None}
    return next(iter(dates)) or text if len(dates) == 1 else text


def _date(year: str, month: str, day: str) -> str | None:
    """The date, or `None` if there is no such month or day; question marks are unknown."""
    parts = []
    for part, most in ((month, 12), (day, 31)):
        if part.startswith("?"):
            parts.append("??")
        elif 1 <= int(part) <= most:
            parts.append(f"{int(part):02}")
        else:
            return None
    return f"{year}.{parts[0]}.{parts[1]}"
