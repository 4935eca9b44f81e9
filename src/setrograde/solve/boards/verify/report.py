"""What a check of a solved game found, and what follows for all its boards."""

from __future__ import annotations

import math
from dataclasses import dataclass

from setrograde.common.confidence import error_bound

__all__ = ["BoardCheck", "EndCheck"]

_CONFIDENCE = 0.99


@dataclass(frozen=True, slots=True)
class EndCheck:
    """All boards from the end of the game up to a bound: they were all looked at, so all are right.

    >>> print(EndCheck(148, 2, True))
    all boards given as decided within 2 plies (148)
    """

    boards: int
    """The number of boards; either player may be to move."""

    bound: int
    """The greatest distance in plies, or the greatest grade."""

    has_distances: bool
    """Whether `bound` is a distance, and not a grade."""

    def __str__(self) -> str:
        plies = f"given as decided within {self.bound} {'ply' if self.bound == 1 else 'plies'}"
        where = plies if self.has_distances else f"of grades up to {self.bound}"
        return f"all boards {where} ({self.boards:,})"


@dataclass(frozen=True, slots=True)
class BoardCheck:
    """What a check of a solved game found.

    >>> print(BoardCheck(1000, 0, True, ()))
    right: all 1,000 boards
    >>> print(BoardCheck(9000, 2000, False, (), proved=2000, is_start_proved=True))
    no fault found: 2,000 of 2,000 boards drawn at random are proved right to the end of the game
    with 99% confidence at least 99.77% of all boards are right
    the value of the start is proved
    9,000 boards were looked at: each agrees with the boards its moves lead to
    """

    boards: int
    """The number of boards that were looked at: each was compared with the boards its moves lead
    to."""

    drawn_evenly: int
    """The number of boards drawn evenly from all boards; 0 if all boards were checked."""

    is_exhaustive: bool
    """Whether all boards were checked. Then every value is certain."""

    faults: tuple[str, ...]
    """What is wrong, in words; at most a few faults are listed."""

    proved: int = 0
    """The number of evenly drawn boards whose outcome is proved by the plain rules, through all
    the boards that the proof needs, to the end of the game. Where there are distances, the game
    takes at most the number of plies that is given."""

    is_start_proved: bool = False
    """Whether the outcome of the start is proved in the same way."""

    end: EndCheck | None = None
    """The boards near the end of the game that were all checked, if they are few enough."""

    @property
    def is_right(self) -> bool:
        """Whether nothing was found to be wrong."""
        return not self.faults

    @property
    def confidence(self) -> float:
        """The confidence of what is said about all boards; 1 if all were checked."""
        return 1.0 if self.is_exhaustive else _CONFIDENCE

    @property
    def right_at_least(self) -> float:
        """Lower bound, with 99 % confidence, on the share of all boards whose outcome is right.

        It counts only boards that are proved: the lower end of the one-sided interval of Clopper
        and Pearson. Boards that merely agree with the boards their moves lead to count for nothing,
        as one wrong board near the end of a game can make most others wrong in agreement.

        >>> round(BoardCheck(9000, 2000, False, (), proved=2000).right_at_least, 5)
        0.9977
        >>> BoardCheck(9000, 2000, False, ()).right_at_least
        0.0
        """
        if self.faults:
            return 0.0
        if self.is_exhaustive:
            return 1.0
        not_proved = self.drawn_evenly - self.proved
        return 1 - error_bound(self.drawn_evenly, not_proved, confidence=_CONFIDENCE)

    @property
    def fault_bound(self) -> float:
        """Upper bound, with 99 % confidence, on the share of all boards whose outcome is wrong."""
        return 1 - self.right_at_least

    def __str__(self) -> str:
        if self.faults:
            return f"wrong: {self.faults[0]}"
        if self.is_exhaustive:
            return f"right: all {self.boards:,} boards"
        share = math.floor(self.right_at_least * 10_000) / 100
        lines = [
            f"no fault found: {self.proved:,} of {self.drawn_evenly:,} boards drawn at random are"
            " proved right to the end of the game",
            f"with {_CONFIDENCE:.0%} confidence at least {share:.2f}% of all boards are right",
            f"the value of the start is {'' if self.is_start_proved else 'not '}proved",
        ]
        if self.end:
            lines.append(f"{self.end} are right")
        doubt = "" if self.proved == self.drawn_evenly else ", which does not prove it right"
        lines.append(
            f"{self.boards:,} boards were looked at: each agrees with the boards its moves lead"
            f" to{doubt}"
        )
        return "\n".join(lines)
