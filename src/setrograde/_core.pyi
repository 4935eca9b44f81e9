"""Native core of setrograde; use the packages above it instead."""

from collections.abc import Sequence

def legal_cards(hands: Sequence[int], strain: int, leader: int, trick: Sequence[int]) -> int:
    """
    Card set the player on turn may play from. Raises ValueError for an impossible position.
    """

def play_card(
    hands: Sequence[int], strain: int, leader: int, trick: Sequence[int], card: int
) -> int:
    """Seat that wins the trick if `card` completes it, else -1."""
