"""Fronts put together card by card: the minimum over the defenders' cards, the best of declarer's.

The native core does this for all lines. Here it serves for lines that follow a plan.
"""

from __future__ import annotations

from collections.abc import Iterable

from setrograde.common.stop import StopFlag, check_stop

from .game import SuitGame

__all__ = ["Fronts"]


class Fronts:
    """Operations on outcomes of one game.

    >>> from setrograde.analysis.suit.layouts import layouts_of
    >>> fronts = Fronts(SuitGame(layouts_of("AQ", "32")))
    >>> fronts.undominated([0b011, 0b001, 0b110])
    (3, 6)
    """

    def __init__(
        self, game: SuitGame, stop: StopFlag | None = None, *, most: int | None = None
    ) -> None:
        self.game = game
        self.stop = stop
        self.most = most
        """The number of outcomes kept, those with the best averages; `None` for all."""

    def minima(
        self, front: tuple[int, ...], later: Iterable[int], layouts: int, *, won: bool
    ) -> tuple[int, ...]:
        """The minimum of each pair, where the later outcome counts in these layouts."""
        counted = [self.game.with_trick(outcome, layouts, won=won) for outcome in later]
        found = set[int]()
        for one in front:
            check_stop(self.stop)
            found.update(one & two for two in counted)
        return self.undominated(found)

    def undominated(self, outcomes: Iterable[int]) -> tuple[int, ...]:
        """The outcomes that no other one contains."""
        kept: list[int] = []
        for outcome in sorted(outcomes, key=int.bit_count, reverse=True):
            check_stop(self.stop)
            if all(outcome & ~other for other in kept):
                kept.append(outcome)
        if self.most is not None and len(kept) > self.most:
            kept = sorted(kept, key=self._weight, reverse=True)[: self.most]
        return tuple(kept)

    def _weight(self, outcome: int) -> int:
        layouts = self.game.table.layouts
        whole = outcome & self.game.spread(self.game.all_layouts)
        return sum(
            layout.weight * tricks
            for layout, tricks in zip(layouts, self.game.tricks(whole), strict=True)
        )
