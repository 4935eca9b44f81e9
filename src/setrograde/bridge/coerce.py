"""Text where a value is meant: every public function takes either.

>>> as_strain("NT"), as_seat("south"), as_hand("AQ...")
(Strain.NOTRUMP, Seat.SOUTH, Hand.from_text('AQ...'))

Each `as_` function stands beside its value, and this module has all of them. A value passes
unchanged. Text that makes no sense raises the error of the value's own `from_text`; anything else
raises `InvalidInput`.
"""

from __future__ import annotations

from .auction import AuctionLike, as_auction
from .calls import CallLike, ContractLike, as_call, as_contract
from .cards import (
    CardLike,
    CardsLike,
    RankLike,
    SeatLike,
    SideLike,
    StrainLike,
    SuitLike,
    VulnerabilityLike,
    as_card,
    as_cards,
    as_rank,
    as_seat,
    as_side,
    as_strain,
    as_suit,
    as_vulnerability,
)
from .deal import DealLike, as_deal
from .hand import HandLike, as_hand

__all__ = [
    "AuctionLike",
    "CallLike",
    "CardLike",
    "CardsLike",
    "ContractLike",
    "DealLike",
    "HandLike",
    "RankLike",
    "SeatLike",
    "SideLike",
    "StrainLike",
    "SuitLike",
    "VulnerabilityLike",
    "as_auction",
    "as_call",
    "as_card",
    "as_cards",
    "as_contract",
    "as_deal",
    "as_hand",
    "as_rank",
    "as_seat",
    "as_side",
    "as_strain",
    "as_suit",
    "as_vulnerability",
]
