"""What the standard says of supplemental sections."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .check_sections import Report
from .lexer import Token

__all__ = ["check_columns", "check_rows"]

_COLUMN = re.compile(r"[+-]?([^;\\]*)(\\[0-9]+[LR]?)?")
_ELEMENT = re.compile(r'"(?:[^"\\\r\n]|\\[^\r\n])*+"|[^\s"]+|"')
_FORBIDDEN = re.compile(r"[^!#$&-:<-Z\\^-z|~]")
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:\.[0-9]{0,15})?")
_RESULTS = {
    "Declarer": (re.compile(r"[NESW?-]"), "N, E, S or W"),
    "Denomination": (re.compile(r"[CDHS?-]|NT"), "S, H, D, C or NT"),
    "Result": (re.compile(r"1[0-3]|[0-9?-]"), "0 to 13"),
}


def check_columns(value: str) -> str:
    r"""What is wrong with the columns of a table; empty if nothing is.

    >>> check_columns(r"-Rank\3R;Call")
    ''
    >>> print(check_columns(r"Rank;Call\L"))
    bad width of column 'Call\\L'
    """
    for column in value.split(";"):
        if not _COLUMN.fullmatch(column):
            return f"bad width of column {column!r}"
    return ""


def check_rows(name: str, columns: str, text: str, chunks: Sequence[Token], report: Report) -> None:
    """Check the elements of a table: characters, number, order, and known results.

    >>> data = "1 4H 2"
    >>> check_rows("ActionTable", "Rank;Call", data, [Token(3, 0, 6)], lambda *p: print(p))
    (5, 'table elements missing', '2', 'rows of 2 elements')
    """
    elements = [
        (match.group(), match.start())
        for chunk in chunks
        for match in _ELEMENT.finditer(text, chunk.start, chunk.end)
    ]
    for element, start in elements:
        if element[0] != '"' or len(element) == 1:
            bad = _FORBIDDEN.search(element)
            if bad:
                report(start + bad.start(), "forbidden character in a section", bad.group(), "")
    if not name.endswith("Table") or check_columns(columns):
        return
    names = columns.split(";")
    width = len(names)
    if len(elements) % width:
        report(
            elements[-1][1], "table elements missing", elements[-1][0], f"rows of {width} elements"
        )
    for place, column in enumerate(names):
        cells = elements[place::width]
        if column[:1] in ("+", "-"):
            _check_order(column, cells, report)
        if name == "OptimumResultTable":
            _check_results(column, cells, report)


def _check_order(column: str, cells: Sequence[tuple[str, int]], report: Report) -> None:
    """Numbers must fall in a column marked `+` and rise in one marked `-`; report the first."""
    last: float | None = None
    for element, start in cells:
        if not _NUMBER.fullmatch(element):
            continue
        number = float(element)
        if last is not None and (number > last if column[0] == "+" else number < last):
            order = "descending" if column[0] == "+" else "ascending"
            report(start, f"column {column!r} out of order", element, f"{order} numbers")
            return
        last = number


def _check_results(column: str, cells: Sequence[tuple[str, int]], report: Report) -> None:
    rule = _RESULTS.get(column.strip("+-").partition("\\")[0])
    if rule is None:
        return
    pattern, expected = rule
    for element, start in cells:
        if not pattern.fullmatch(element):
            report(start, "bad table element", element, expected)
