"""Minimax: what a game is worth by definition (Ginsberg 1996, Definition 2 and Algorithm 3)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from typing import TypeVar

from setrograde.papers.partition_search import Game, Player

Position = TypeVar("Position", bound=Hashable)


def minimax(game: Game[Position]) -> Callable[[Position], float]:
    """The value of any position, remembered once found."""

    @cache
    def value(position: Position) -> float:
        turn = game.evaluate(position)
        if turn is Player.MAX:
            return max(value(successor) for successor in game.successors(position))
        if turn is Player.MIN:
            return min(value(successor) for successor in game.successors(position))
        return turn

    return value


def minimax_nodes(game: Game[Position], position: Position) -> tuple[int, int]:
    """How many positions Algorithm 3 visits, and how many it expands, remembering nothing."""

    @cache
    def count(position: Position) -> tuple[int, int]:
        visited, expanded = 1, int(isinstance(game.evaluate(position), Player))
        for successor in game.successors(position):
            below = count(successor)
            visited, expanded = visited + below[0], expanded + below[1]
        return visited, expanded

    return count(position)
