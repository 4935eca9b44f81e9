"""Breakthrough solved on OxiDD's binary decision diagrams: the peer of compressed games.

The same method as ours with the tools a diagram library offers: two variables a square, one
relational product a move, unions in pairs. A chain is the wins of one player and the losses of the
other; two make a solution, one if it is known that the game is the same for both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from oxidd.bdd import BDDManager
from oxidd.protocols import BooleanOperator

from setrograde.games.breakthrough import Breakthrough

__all__ = ["PeerSolution", "solve_breakthrough"]

_NODES, _CACHE = 1 << 24, 1 << 22


@dataclass(frozen=True, slots=True)
class PeerSolution:
    """Counts of the finished sets."""

    wins: int
    losses: int
    plies: int


def solve_breakthrough(game: Breakthrough, *, chains: int = 2) -> PeerSolution:
    """Wins of player 0 and losses of player 1 among all boards; with two chains the others too."""
    peer = _Peer(game)
    solutions = [_solve_chain(peer, player) for player in range(chains)]
    return solutions[0]


def _solve_chain(peer: _Peer, player: int) -> PeerSolution:
    other = 1 - player
    lost, won = peer.everything & ~peer.reverse(other, peer.everything), peer.nothing
    ply = 0
    while True:
        following = peer.reverse(player, lost)
        if following == won:
            break
        won, ply = following, ply + 1
        following = peer.everything & ~peer.reverse(other, peer.everything & ~won)
        if following == lost:
            break
        lost, ply = following, ply + 1
    return PeerSolution(peer.count(won), peer.count(lost), ply)


class _Peer:
    def __init__(self, game: Breakthrough) -> None:
        self._grid = game.grid
        self._manager = BDDManager(_NODES, _CACHE, 1)
        self._manager.add_vars(2 * game.grid.squares)
        self._variables = [self._manager.var(i) for i in range(2 * game.grid.squares)]
        self.nothing = self._manager.false()
        self.everything = self._manager.true()
        for place in reversed(range(game.grid.squares)):
            low, high = self._variables[2 * place : 2 * place + 2]
            self.everything &= ~(low & high)
        self._moves = [self._make_moves(player) for player in (0, 1)]

    def _at(self, place: int, letter: str) -> Any:
        low, high = self._variables[2 * place : 2 * place + 2]
        return {".": ~low & ~high, "x": low & ~high, "o": ~low & high}[letter]

    def _make_moves(self, player: int) -> tuple[list[tuple[Any, Any, Any]], Any]:
        grid = self._grid
        own, other, up = ("x", "o", 1) if player == 0 else ("o", "x", -1)
        moves = []
        for start in range(grid.squares):
            for aside in (-1, 0, 1):
                end = grid.neighbour(start, (aside, up))
                if end is None:
                    continue
                entry = self._at(end, ".") | self._at(end, other) if aside else self._at(end, ".")
                a, b, c, d = (self._variables[2 * p + i] for p in (start, end) for i in (0, 1))
                before = self._at(start, own) & entry
                moves.append((before, self._at(start, ".") & self._at(end, own), a & b & c & d))
        condition = self.everything
        for column in range(grid.width):
            home = grid.place(column, 0 if player == 0 else grid.height - 1)
            condition &= ~self._at(home, other)
        return moves, condition

    def reverse(self, player: int, boards: Any) -> Any:
        moves, condition = self._moves[player]
        images = [
            boards.apply_exists(BooleanOperator.AND, after, squares) & before
            for before, after, squares in moves
        ]
        return _union(images) & condition

    def count(self, boards: Any) -> int:
        return round(boards.sat_count_float(len(self._variables)))


def _union(parts: Iterable[Any]) -> Any:
    found = list(parts)
    while len(found) > 1:
        pairs = [a | b for a, b in zip(found[::2], found[1::2], strict=False)]
        found = pairs + found[len(pairs) * 2 :]
    return found[0]
