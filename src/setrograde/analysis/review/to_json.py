"""Reviews as plain dictionaries, lists, text and numbers."""

from __future__ import annotations

from typing import Any

from setrograde.analysis.par import Par
from setrograde.bridge import Seat, Side

from .bidding import CallReview, Reachable
from .board import BoardReview, SideLosses
from .play import CardReview, Rest

__all__ = ["SCHEMA_VERSION", "board_review_to_dict"]

SCHEMA_VERSION = 1
"""Raised when a key changes its meaning or goes away; new keys may come at any time."""


def board_review_to_dict(review: BoardReview) -> dict[str, Any]:
    """One board; whatever is not known is `None`."""
    board = review.board
    return {
        "board": board.number,
        "room": board.room,
        "dealer": _text(board.dealer),
        "vulnerability": _text(board.vulnerability),
        "deal": None if board.deal is None else board.deal.to_pbn(),
        "players": {str(seat): board.player(seat) for seat in Seat},
        "table": None if review.table is None else review.table.to_dict(),
        "par": None if review.par is None else _par(review.par),
        "contract": _text(review.contract),
        "tricks_double_dummy": review.tricks_double_dummy,
        "contract_score_ns": review.contract_score_ns,
        "tricks_declarer": review.tricks_declarer,
        "score_ns": review.score_ns,
        "against_par_ns": review.against_par_ns,
        "calls": [_call(call) for call in review.calls],
        "went_wrong": {
            str(side): None if (call := review.went_wrong(side)) is None else call.turn
            for side in Side
        },
        "cards": [_card(card) for card in review.cards],
        "rest": None if review.rest is None else _rest(review.rest),
        "losses": {str(side): _losses(review.losses(side)) for side in Side},
        "by_player": [player.to_dict() for player in review.players],
        "notes": list(review.notes),
    }


def _par(par: Par) -> dict[str, Any]:
    return {"score_ns": par.score_ns, "text": par.contract_text}


def _call(review: CallReview) -> dict[str, Any]:
    return {
        "turn": review.turn,
        "seat": str(review.seat),
        "call": str(review.call),
        "before": _reachable(review.before),
        "after": _reachable(review.after),
        "cost_points": review.cost_points,
        "known": review.known,
    }


def _reachable(result: Reachable) -> dict[str, Any]:
    return {"score_ns": result.score_ns, "contract": str(result.contract)}


def _card(review: CardReview) -> dict[str, Any]:
    return {
        "number": review.number,
        "trick": review.trick,
        "seat": str(review.seat),
        "player": str(review.player),
        "role": review.role.value,
        "card": str(review.card),
        "tricks_before": review.tricks_before,
        "tricks_after": review.tricks_after,
        "cost_tricks": review.cost_tricks,
        "cost_points": review.cost_points,
        "better": [str(card) for card in review.better],
        "known": review.known,
    }


def _rest(rest: Rest) -> dict[str, Any]:
    return {
        "cards_left": rest.cards_left,
        "is_claim": rest.is_claim,
        "tricks_double_dummy": rest.tricks_double_dummy,
        "tricks_declarer": rest.tricks_declarer,
        "side": _text(rest.side),
        "cost_tricks": rest.cost_tricks,
        "cost_points": rest.cost_points,
    }


def _losses(losses: SideLosses) -> dict[str, Any]:
    return {"bidding": losses.bidding, "cards": losses.cards, "rest": losses.rest}


def _text(value: object) -> str | None:
    return None if value is None else str(value)
