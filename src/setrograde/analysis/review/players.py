"""What each player lost, over a board and over a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from setrograde.bridge import Board, Seat
from setrograde.bridge.display.parts import clean
from setrograde.common.words import count_of

from .bidding import CallReview
from .play import CardReview, Role

__all__ = ["Losses", "PlayerReview", "player_name", "players_of_board", "players_of_boards"]


@dataclass(frozen=True, slots=True)
class Losses:
    """What a number of calls or cards lost.

    >>> Losses(13, 1, 1, 50) + Losses(2, 1, 2, 100)
    Losses(count=15, mistakes=2, tricks=3, points=150)
    """

    count: int = 0
    """Number of calls or cards."""

    mistakes: int = 0
    """How many of them cost something."""

    tricks: int = 0
    """Tricks lost; 0 for calls."""

    points: int = 0
    """Points lost, on boards whose vulnerability and contract are known."""

    def __add__(self, other: Losses) -> Losses:
        return Losses(
            self.count + other.count,
            self.mistakes + other.mistakes,
            self.tricks + other.tricks,
            self.points + other.points,
        )

    def to_dict(self) -> dict[str, int]:
        """As JSON shows it."""
        return {
            "count": self.count,
            "mistakes": self.mistakes,
            "tricks": self.tricks,
            "points": self.points,
        }


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """One player's losses, by what he was doing.

    >>> review = PlayerReview("Nora", 1, declarer=Losses(26, 1, 1, 50), defence=Losses(12))
    >>> review.cards
    Losses(count=38, mistakes=1, tricks=1, points=50)
    >>> str(review)
    'Nora: 1 board, 38 cards, 1 trick and 50 points lost in play, 0 points in the bidding'
    """

    name: str
    """The player's name, or the seat where there is no name."""

    boards: int
    """Number of boards that were reviewed."""

    bidding: Losses = field(default_factory=Losses)
    """Calls."""

    declarer: Losses = field(default_factory=Losses)
    """Cards played as declarer, those of dummy included."""

    lead: Losses = field(default_factory=Losses)
    """Opening leads."""

    defence: Losses = field(default_factory=Losses)
    """Other cards played as a defender."""

    @property
    def cards(self) -> Losses:
        """All cards together."""
        return self.declarer + self.lead + self.defence

    @property
    def points(self) -> int:
        """Points lost in all, by calls and cards."""
        return self.bidding.points + self.cards.points

    def __add__(self, other: PlayerReview) -> PlayerReview:
        return PlayerReview(
            self.name,
            self.boards + other.boards,
            self.bidding + other.bidding,
            self.declarer + other.declarer,
            self.lead + other.lead,
            self.defence + other.defence,
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON shows it."""
        return {
            "player": self.name,
            "boards": self.boards,
            "bidding": self.bidding.to_dict(),
            "declarer": self.declarer.to_dict(),
            "lead": self.lead.to_dict(),
            "defence": self.defence.to_dict(),
            "cards": self.cards.to_dict(),
            "points": self.points,
        }

    def __str__(self) -> str:
        cards = self.cards
        return (
            f"{self.name}: {count_of(self.boards, 'board')}, {count_of(cards.count, 'card')},"
            f" {count_of(cards.tricks, 'trick')} and {count_of(cards.points, 'point')}"
            f" lost in play, {count_of(self.bidding.points, 'point')} in the bidding"
        )


def player_name(board: Board, seat: Seat) -> str:
    """The player's name, or the seat, with the room if that is known.

    >>> player_name(Board(players=("Nora", None, None, None)), Seat.NORTH)
    'Nora'
    >>> player_name(Board(room="Open"), Seat.WEST)
    'West (Open)'
    """
    if name := clean(board.player(seat) or ""):
        return name
    room = clean(board.room or "")
    return f"{seat.name.title()} ({room})" if room else seat.name.title()


def players_of_board(
    board: Board, calls: Sequence[CallReview], cards: Sequence[CardReview]
) -> tuple[PlayerReview, ...]:
    """The four players of a board: North, East, South, West."""
    found = [PlayerReview(player_name(board, seat), 1) for seat in Seat]
    for call in calls:
        losses = Losses(1, int(call.is_mistake), 0, call.cost_points)
        mine = found[call.seat]
        found[call.seat] = replace(mine, bidding=mine.bidding + losses)
    for card in cards:
        losses = Losses(1, int(card.is_mistake), card.cost_tricks, card.cost_points or 0)
        mine = found[card.player]
        if card.role is Role.DECLARER:
            found[card.player] = replace(mine, declarer=mine.declarer + losses)
        elif card.role is Role.LEAD:
            found[card.player] = replace(mine, lead=mine.lead + losses)
        else:
            found[card.player] = replace(mine, defence=mine.defence + losses)
    return tuple(found)


def players_of_boards(reviews: Iterable[PlayerReview]) -> tuple[PlayerReview, ...]:
    """The players of many boards, those of one name added up, in the order they appear.

    >>> players = [PlayerReview("Nora", 1), PlayerReview("Edgar", 1), PlayerReview("Nora", 1)]
    >>> [(player.name, player.boards) for player in players_of_boards(players)]
    [('Nora', 2), ('Edgar', 1)]
    """
    found: dict[str, PlayerReview] = {}
    for review in reviews:
        known = found.get(review.name)
        found[review.name] = review if known is None else known + review
    return tuple(found.values())
