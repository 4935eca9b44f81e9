"""Errors that every part of the package shares.

Bad input raises `InvalidInput` or one of its kinds, with a message that quotes what was found and
says what would be right. A database that is not there is a `MissingTable`.
"""

from __future__ import annotations

__all__ = ["InvalidInput", "MissingTable", "Stopped"]


class InvalidInput(ValueError):
    """Base of every error about bad input; the message quotes what was found.

    >>> from setrograde.bridge import Card
    >>> try:
    ...     Card.from_text("S1")
    ... except InvalidInput as error:
    ...     print(type(error).__name__, error)
    InvalidCard not a card: 'S1' (expected a suit and a rank, like 'SA' or 'D10')
    """


class MissingTable(KeyError):
    """No database has what was asked for; the message says how to build it.

    >>> str(MissingTable("no level of 16 cards"))
    'no level of 16 cards'
    """

    def __str__(self) -> str:
        # KeyError would show the text in quotes.
        return str(self.args[0]) if self.args else ""


class Stopped(RuntimeError):
    """Work that was stopped by a `StopFlag` before its end.

    What it worked with, such as a solver, can be used again.
    """
