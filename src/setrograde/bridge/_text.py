"""What the `as_` functions of every value share: text becomes the value, nonsense an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .errors import InvalidInput

__all__ = ["from_value", "is_tuple_of"]

Value = TypeVar("Value")


def from_value(value: object, kind: type[Value], parse: Callable[[str], Value], like: str) -> Value:
    """Read text by `parse`; what is no text raises an error that shows `like` as an example.

    >>> from_value("7", int, int, "'7'")
    7
    """
    if isinstance(value, str):
        return parse(value)
    name = kind.__name__
    article = "an" if name[0] in "AEIOU" else "a"
    raise InvalidInput(
        f"not {article} {name.lower()}: {value!r} (expected {article} {name}, or text like {like})"
    )


def is_tuple_of(kind: type, values: object) -> bool:
    """True for a tuple that holds values of `kind` alone, so that nothing needs to be read.

    >>> is_tuple_of(int, (1, 2)), is_tuple_of(int, (1, "2")), is_tuple_of(int, "2")
    (True, False, False)
    """
    return isinstance(values, tuple) and {kind}.issuperset(map(type, values))
