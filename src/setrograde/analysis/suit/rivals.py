"""A line that no other beats: at matchpoints and IMPs, where lines are measured against each other.

With all outcomes at hand each is compared with all others. In suits with too many lines rivals are
searched for. The line that beats another by most is the best one for a goal: what it gains in each
layout. And a line that no other beats is among those that hold their own against all rivals so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from setrograde.common.stop import StopFlag, check_stop

from .game import SuitDemand, SuitGame, SuitWorth
from .goal_search import extend, only
from .play import LineOutcome, SuitSolution

__all__ = ["Gain", "Unbeaten", "find_unbeaten"]

Gain = Callable[[int, int], int]
"""Points that `ours` tricks gain against a rival's `theirs`; what one line gains the other loses.

Never falls as `ours` grows."""

_WORK = 100_000_000  # for one search
_ROUNDS = 16


@dataclass(frozen=True)
class Unbeaten:
    """A line that no other beats, if there is one."""

    outcome: LineOutcome | None
    """What it wins; `None` if every line is beaten, or if that is not settled."""

    margin: Fraction | None
    """By how much it beats the line that comes closest."""

    is_settled: bool = True
    """False if it is not known whether there is such a line."""


def find_unbeaten(solution: SuitSolution, gain: Gain, *, stop: StopFlag | None = None) -> Unbeaten:
    """Find a line that no other beats.

    Of several it is the one with the best average; in suits with too many lines, any of them. A
    `StopFlag` given as `stop` ends the work with `Stopped`.

    >>> from setrograde.analysis.suit import solve_suit
    >>> solution = solve_suit("AQ", "32")
    >>> found = find_unbeaten(solution, lambda a, b: (a > b) - (a < b))
    >>> found.outcome == solution.best(), found.margin > 0
    (True, True)
    """
    if solution.is_complete:
        return _among_all(solution, gain, stop)
    rivals = [outcome.tricks for outcome in solution.outcomes]
    return _Rivals(solution.game, gain, stop).search(rivals)


def _among_all(solution: SuitSolution, gain: Gain, stop: StopFlag | None) -> Unbeaten:
    table = solution.table
    weights = np.array([layout.weight for layout in table.layouts], np.int64)
    tricks = np.array([outcome.tricks for outcome in solution.outcomes])
    counts = range(solution.holding.tricks_most + 1)
    gains = np.array([[gain(a, b) for b in counts] for a in counts], np.int64)
    for i, outcome in enumerate(solution.outcomes):  # best average first
        check_stop(stop)
        margins = np.delete(gains[tricks[i], tricks] @ weights, i)
        if not margins.size or margins.min() >= 0:
            closest = int(margins.min()) if margins.size else 0
            return Unbeaten(outcome, Fraction(closest, table.total))
    return Unbeaten(None, None)


class _Rivals:
    def __init__(self, game: SuitGame, gain: Gain, stop: StopFlag | None) -> None:
        self.game = game
        self.gain = gain
        self.stop = stop
        self.weights = [layout.weight for layout in game.table.layouts]

    def search(self, rivals: list[tuple[int, ...]]) -> Unbeaten:
        for _ in range(_ROUNDS):
            line = self.best_so_far(rivals)
            if line is None:
                demands = [self.holds_against(rival) for rival in rivals]
                found = self.game.outcomes_for(demands, work=_WORK, stop=self.stop)
                if found is None:
                    break
                if not found:
                    return Unbeaten(None, None)
                line = max((self.whole(outcome) for outcome in found), key=self.average)
            rival, at_most = self.strongest_rival(line)
            if at_most <= 0:
                margin = 0 if rival is None else -at_most
                return Unbeaten(
                    LineOutcome(self.game.table, line), Fraction(margin, self.game.table.total)
                )
            if rival is None:
                break
            rivals = [*rivals, rival]
        return Unbeaten(None, None, is_settled=False)

    def average(self, tricks: tuple[int, ...]) -> int:
        return sum(weight * count for weight, count in zip(self.weights, tricks, strict=True))

    def margin(self, one: Sequence[int], other: Sequence[int]) -> int:
        rows = zip(self.weights, one, other, strict=True)
        return sum(weight * self.gain(a, b) for weight, a, b in rows)

    def best_so_far(self, rivals: Sequence[tuple[int, ...]]) -> tuple[int, ...] | None:
        """The line with the best average of those that none of the others beats."""
        good = [r for r in rivals if all(self.margin(r, other) >= 0 for other in rivals)]
        return max(good, key=self.average, default=None)

    def whole(self, outcome: int) -> tuple[int, ...]:
        return self.game.tricks(extend(self.game, outcome, 1, stop=self.stop))

    def worth(self, rival: Sequence[int]) -> tuple[SuitWorth, int]:
        """What each trick gains against a rival, and what a line without tricks gains."""
        worth = [
            [
                w * (self.gain(n, b) - self.gain(n - 1, b))
                for w, b in zip(self.weights, rival, strict=True)
            ]
            for n in range(1, self.game.levels + 1)
        ]
        return worth, self.margin([0] * len(rival), rival)

    def holds_against(self, rival: Sequence[int]) -> SuitDemand:
        worth, nothing = self.worth(rival)
        return worth, -nothing

    def strongest_rival(self, line: Sequence[int]) -> tuple[tuple[int, ...] | None, int]:
        """Another line that gains most against this one, and a bound of what any other gains.

        Another is one that wins more somewhere: a line that does not is matched by this one.
        """
        worth, nothing = self.worth(line)
        more = [[int(n == b + 1) for b in line] for n in range(1, self.game.levels + 1)]
        most = [
            self.game.best(only(worth, n), work=_WORK, stop=self.stop)[1]
            for n in range(1, len(worth) + 1)
        ]
        rival, at_most = self.game.best(
            worth, demands=[(more, 1)], most_by_tricks=most, work=_WORK, stop=self.stop
        )
        return None if rival is None else self.whole(rival), at_most + nothing
