"""Named errors for text and values that are not bridge."""

from __future__ import annotations

__all__ = [
    "InvalidAuction",
    "InvalidBoard",
    "InvalidCall",
    "InvalidCard",
    "InvalidContract",
    "InvalidDeal",
    "InvalidHand",
    "InvalidInput",
    "InvalidPlay",
]


class InvalidInput(ValueError):
    """Base of every error about bad input; the message quotes what was found.

    >>> from setrograde.bridge import Card
    >>> try:
    ...     Card.from_text("S1")
    ... except InvalidInput as error:
    ...     print(type(error).__name__, error)
    InvalidCard not a card: 'S1' (expected a suit and a rank, like 'SA' or 'D10')
    """


class InvalidCard(InvalidInput):
    """Text that names no card."""


class InvalidHand(InvalidInput):
    """Text or cards that make no hand."""


class InvalidDeal(InvalidInput):
    """Hands that make no deal."""


class InvalidCall(InvalidInput):
    """Text that names no call."""


class InvalidAuction(InvalidInput):
    """A call that is not legal where it stands."""


class InvalidContract(InvalidInput):
    """Text or values that make no contract."""


class InvalidPlay(InvalidInput):
    """A card that may not be played where it stands."""


class InvalidBoard(InvalidInput):
    """A board whose parts contradict each other."""
