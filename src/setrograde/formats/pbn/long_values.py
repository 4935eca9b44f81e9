"""Values of several lines, or too long for a line, as tag pairs that every PBN reader accepts.

A line of PBN has at most 255 characters, and a tag has one line. What a board's tag holds beyond
that goes to further tags: `[Name__2 "..."]` is the second line of `Name`, and `[Name__2_3 "..."]`
the third piece of that line. So chat of a vugraph file is never loose text between tags, which
other readers refuse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

__all__ = ["join_values", "split_line", "split_value"]

_PART = re.compile(r"(.+?)__([1-9][0-9]{0,5})(?:_([1-9][0-9]{0,5}))?", re.ASCII)


def split_line(text: str, fits: Callable[[str], bool]) -> Iterator[str]:
    """Cut one line into the longest pieces that fit; there is always at least one.

    >>> list(split_line("abcdefg", lambda piece: len(piece) <= 3))
    ['abc', 'def', 'g']
    """
    while not fits(text):
        low, high = 1, len(text)
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if fits(text[:middle]) else (low, middle)
        yield text[:low]
        text = text[low:]
        if not text:
            return
    yield text


def split_value(
    name: str, value: str, fits: Callable[[str, str], bool]
) -> Iterator[tuple[str, str]]:
    """Names and values of the tags that hold `value`; the first has the plain name.

    >>> list(split_value("Lin_nt", "Hi all\\nbye", lambda name, text: len(text) <= 4))
    [('Lin_nt', 'Hi a'), ('Lin_nt__1_2', 'll'), ('Lin_nt__2', 'bye')]
    """
    for line, text in enumerate(value.split("\n"), 1):
        head = name if line == 1 else f"{name}__{line}"
        if fits(head, text):
            yield head, text
            continue
        longest = f"{name}__{line}_{len(text)}"  # no piece has a longer name
        for number, piece in enumerate(split_line(text, partial(fits, longest)), 1):
            yield (head if number == 1 else f"{name}__{line}_{number}"), piece


def join_values(tags: dict[str, str]) -> None:
    """Put the lines and pieces of long values together again; parts without a whole stay.

    >>> tags = {"A": "Hi a", "A__1_2": "ll", "A__2": "bye", "B__2": "alone"}
    >>> join_values(tags)
    >>> tags
    {'A': 'Hi all\\nbye', 'B__2': 'alone'}
    """
    parts: dict[str, dict[tuple[int, int], str]] = {}
    for tag in tags:
        match = _PART.fullmatch(tag)
        if match is not None and match[1] in tags:
            parts.setdefault(match[1], {})[int(match[2]), int(match[3] or 1)] = tag
    for name, found in parts.items():
        value, line, piece = tags[name], 1, 1
        while True:
            if (line, piece + 1) in found:
                piece += 1
                value += tags.pop(found[line, piece])
            elif (line + 1, 1) in found:
                line, piece = line + 1, 1
                value += "\n" + tags.pop(found[line, 1])
            else:
                break
        tags[name] = value
