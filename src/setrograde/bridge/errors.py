"""Named errors for text and values that are not bridge."""

from __future__ import annotations

from setrograde.errors import InvalidInput

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
