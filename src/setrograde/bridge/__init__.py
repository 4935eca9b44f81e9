"""The vocabulary of bridge: cards, deals, calls, auctions, contracts, play and scores.

>>> from setrograde.bridge import Deal, Seat
>>> deal = Deal.from_pbn("N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432")
>>> deal[Seat.NORTH].hcp
37
"""

from .auction import Annotation, Auction, passes_to_end
from .board import Board, board_dealer, board_vulnerability
from .calls import Call, Contract, Doubling
from .cards import Card, Rank, Seat, Side, Strain, Suit, Vulnerability
from .constraints import CardCount, DealConstraint, HandConstraint, InvalidConstraint, Range
from .deal import Deal
from .errors import (
    InvalidAuction,
    InvalidBoard,
    InvalidCall,
    InvalidCard,
    InvalidContract,
    InvalidDeal,
    InvalidHand,
    InvalidInput,
    InvalidPlay,
)
from .hand import Hand
from .patterns import DealPattern, HandPattern, InvalidPattern, ShapePattern
from .play import Play, Trick, trick_winner
from .scoring import (
    Matchpoints,
    butler,
    butler_datum,
    cross_imps,
    format_result,
    imps,
    matchpoints,
    score_board,
    score_contract,
    victory_points,
)
from .table import TrickTable

__all__ = [
    "Annotation",
    "Auction",
    "Board",
    "Call",
    "Card",
    "CardCount",
    "Contract",
    "Deal",
    "DealConstraint",
    "DealPattern",
    "Doubling",
    "Hand",
    "HandConstraint",
    "HandPattern",
    "InvalidAuction",
    "InvalidBoard",
    "InvalidCall",
    "InvalidCard",
    "InvalidConstraint",
    "InvalidContract",
    "InvalidDeal",
    "InvalidHand",
    "InvalidInput",
    "InvalidPattern",
    "InvalidPlay",
    "Matchpoints",
    "Play",
    "Range",
    "Rank",
    "Seat",
    "ShapePattern",
    "Side",
    "Strain",
    "Suit",
    "Trick",
    "TrickTable",
    "Vulnerability",
    "board_dealer",
    "board_vulnerability",
    "butler",
    "butler_datum",
    "cross_imps",
    "format_result",
    "imps",
    "matchpoints",
    "passes_to_end",
    "score_board",
    "score_contract",
    "trick_winner",
    "victory_points",
]
