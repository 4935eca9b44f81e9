"""Double-dummy values of every card in many layouts, by one solver that is kept for a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from setrograde.bridge import Seat, Side, Strain
from setrograde.common.stop import StopFlag
from setrograde.solve import Solver

__all__ = ["CardTricks", "DoubleDummy", "Hands"]

Hands = tuple[int, int, int, int]
"""The cards still held, by seat, as the core sees them: bit `16 * suit + rank`."""

CardTricks = dict[int, int]
"""Declarer's tricks from here on after each legal card; a card is its bit number."""


@dataclass
class DoubleDummy:
    """Questions about one contract: its strain, and tricks for declarer's side.

    >>> ask = DoubleDummy(Strain.NOTRUMP, Side.NS)
    >>> hands = [0b11 << 11, 0b11 << 9, 0b11 << 7, 0b11 << 5]  # clubs, from the ace down
    >>> ask.cards(tuple(hands), Seat.NORTH, ())
    {12: 2, 11: 2}
    """

    strain: Strain
    """Trumps or notrump."""

    side: Side
    """Declarer's side."""

    solver: Solver = field(default_factory=Solver)
    """The solver; what it learns about one layout serves the others."""

    stop: StopFlag | None = None
    """Stops the work from any thread."""

    asked: int = 0
    """Positions asked about so far: the measure of work, the same on every machine."""

    def cards(self, hands: Hands, leader: Seat, trick: Sequence[int]) -> CardTricks:
        """Declarer's tricks after each legal card, in a position with `trick` on the table."""
        self.asked += 1
        solver, call = self.solver, self.solver._call(self.stop)
        total = max([hand.bit_count() for hand in hands])
        found = solver._ask(
            call,
            total,
            lambda: solver._core.solve_cards(
                hands, int(self.strain), int(leader), list(trick), *call
            ),
        )
        if self.side is Side.NS:
            return dict(found)
        return {card: total - tricks for card, tricks in found}

    def value(
        self, hands: Hands, leader: Seat, trick: Sequence[int], guess: int | None = None
    ) -> int:
        """Declarer's tricks from a position on; `guess` is what to ask about first."""
        self.asked += 1
        solver, call = self.solver, self.solver._call(self.stop)
        total = max([hand.bit_count() for hand in hands])
        if total == 0:
            return 0
        first = guess if guess is None or self.side is Side.NS else total - guess
        tricks_ns = solver._ask(
            call,
            total,
            lambda: solver._core.solve(
                hands, int(self.strain), int(leader), list(trick), first, *call
            ),
        )[0]
        return tricks_ns if self.side is Side.NS else total - tricks_ns
