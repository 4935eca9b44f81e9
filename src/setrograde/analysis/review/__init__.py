"""Played boards reviewed double dummy: what each call and each card cost, and whom.

>>> from dataclasses import replace
>>> from setrograde.bridge import Auction, Board, Deal, Seat
>>> deal = "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
>>> board = Board.numbered(1, Deal.from_pbn(deal))
>>> review = review_board(replace(board, auction=Auction.from_text("1NT AP", dealer=Seat.NORTH)))
>>> for call in review.wrong_calls:
...     print(call)
South: Pass, cost 250 points: 3NT by North (N-S +400) was still to be reached

"Double dummy" means that the reviewer sees all four hands. A card that cost a trick may have been
the right card to play for someone who sees two hands, and a call that cost nothing may have been a
poor one. `known` is reserved for a review by what the player could know; it is `None` for now.
"""

from .bidding import CallReview, Reachable, reachable_result, review_calls
from .board import BoardReview, SideLosses, review_board
from .file import Review, review_boards, review_results
from .play import CardReview, Rest, Role, review_cards
from .players import Losses, PlayerReview

__all__ = [
    "BoardReview",
    "CallReview",
    "CardReview",
    "Losses",
    "PlayerReview",
    "Reachable",
    "Rest",
    "Review",
    "Role",
    "SideLosses",
    "reachable_result",
    "review_board",
    "review_boards",
    "review_calls",
    "review_cards",
    "review_results",
]
