"""The value of a recorded play after each of its cards."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from setrograde.bridge import Card, Play, Seat

__all__ = ["PlayTrace"]


class PlayTrace(tuple[int, ...]):
    """Declarer's tricks before the first card of a play and after each card.

    A tuple of numbers that prints each card with what it cost the side that played it.

    >>> play = Play("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", "W", "H4 H2")
    >>> trace = PlayTrace(play, (1, 2, 2))
    >>> print(trace)
    Declarer (South) takes 1 of 3 tricks with perfect play.
    trick  player  card  declarer  cost
        1  West    H4           2     1
           North   H2           2     0
    >>> trace.costs, trace == (1, 2, 2), max(trace)
    ((1, 0), True, 2)
    """

    play: Play
    """The play that was followed."""

    def __new__(cls, play: Play, tricks: Iterable[int]) -> PlayTrace:
        trace = super().__new__(cls, tricks)
        trace.play = play
        return trace

    def __getnewargs__(self) -> tuple[Play, tuple[int, ...]]:
        return self.play, tuple(self)

    @property
    def declarer(self) -> Seat:
        """The player before the opening leader."""
        return self.play.leader.next_by(3)

    @property
    def costs(self) -> tuple[int, ...]:
        """The tricks that each card lost for its own side, 0 or more."""
        return tuple([abs(before - after) for before, after in pairwise(self)])

    def cards(self) -> tuple[tuple[Seat, Card, int], ...]:
        """Each card played, with its player and its cost.

        >>> play = Play("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", "W", "H4 H2")
        >>> PlayTrace(play, (1, 2, 2)).cards()[0]
        (Seat.WEST, Card.from_text('H4'), 1)
        """
        seats = [
            trick.leader.next_by(place)
            for trick in self.play.tricks()
            for place in range(len(trick.cards))
        ]
        return tuple(zip(seats, self.play.cards, self.costs, strict=True))

    def __str__(self) -> str:
        total = len(self.play.deal) // 4
        tricks = "trick" if total == 1 else "tricks"
        lines = [
            f"Declarer ({self.declarer.name.title()}) takes {self[0]} of {total} {tricks}"
            " with perfect play."
        ]
        if self.play.cards:
            lines.append("trick  player  card  declarer  cost")
        for number, (seat, card, cost) in enumerate(self.cards()):
            trick = str(number // 4 + 1) if number % 4 == 0 else ""
            name = seat.name.title()
            lines.append(f"{trick:>5}  {name:<6}  {card!s:<4}  {self[number + 1]:>8}  {cost:>4}")
        return "\n".join(lines)
