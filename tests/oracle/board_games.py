"""Board games solved board by board with plain Python sets and dictionaries."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from setrograde.games.board_game import BoardGame

Position = tuple[str, int]


def all_boards(game: BoardGame) -> list[str]:
    """Every string of the game's alphabets."""
    return ["".join(letters) for letters in product(*game.space.alphabets)]


def all_positions(game: BoardGame) -> set[Position]:
    """Every legal board with either player to move."""
    return {
        (board, player)
        for board in all_boards(game)
        for player in (0, 1)
        if game.is_legal(board, player)
    }


def reachable_by_ply(game: BoardGame) -> list[set[str]]:
    """The boards after 0, 1, 2 ... plies from the start."""
    levels = [{game.start}]
    while levels[-1]:
        player = (len(levels) - 1) % 2
        levels.append({s.board for board in levels[-1] for s in game.iter_steps(board, player)})
    return levels[:-1]


def solve(game: BoardGame, positions: Iterable[Position]) -> dict[Position, tuple[str, int]]:
    """Outcome and distance of all positions that are not drawn, by plain retrograde analysis.

    Round by round: a win has a move to a loss that is known, a loss has only moves to known wins.
    """
    after = {
        (board, player): [(step.board, 1 - player) for step in game.iter_steps(board, player)]
        for board, player in positions
    }
    known: dict[Position, tuple[str, int]] = {}
    for (board, player), following in after.items():
        if game.has_lost(board, player):
            known[board, player] = ("loss", 0)
        elif not following and (game.stuck_wins or game.stuck_loses):
            known[board, player] = ("win" if game.stuck_wins else "loss", 0)
    ply = 0
    while True:
        ply += 1
        fresh: dict[Position, tuple[str, int]] = {}
        for position, following in after.items():
            if position in known or not following:
                continue
            outcomes = [known.get(each, ("draw", 0))[0] for each in following]
            if "loss" in outcomes:
                fresh[position] = ("win", ply)
            elif all(outcome == "win" for outcome in outcomes):
                fresh[position] = ("loss", ply)
        if not fresh:
            return known
        known |= fresh
