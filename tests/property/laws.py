"""Laws that every reader of a text format obeys."""

from __future__ import annotations

from collections.abc import Callable

from setrograde.formats import BoardFile, FormatError

__all__ = ["check_reader"]


def check_reader(parse: Callable[..., BoardFile], data: bytes | str) -> BoardFile:
    """Lenient reading never raises; strict reading raises exactly its first problem."""
    lenient = parse(data)
    raised = None
    try:
        strict = parse(data, strict=True)
    except FormatError as error:
        raised = error.problem
    else:
        assert strict == lenient
    assert raised == (lenient.problems[0] if lenient.problems else None)
    return lenient
