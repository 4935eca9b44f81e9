"""Strategy search for one player: worlds, plan and goal carried from move to move.

Plain Monte Carlo plays the rest of each world as if all cards were seen, so that it puts guesses
off for ever. Strategy search chooses the next few cards of the player blind, for all worlds at
once; what the opponents' cards tell splits the worlds. The plan says which results were promised in
which worlds; the next move keeps the promise, or else the search would change its mind half-way.

A defender chooses his own cards like that. His partner plays what is best in each world, and
declarer plays against both with all cards in view.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Card
from setrograde.common.stop import StopFlag
from setrograde.robot.knowledge import Knowledge
from setrograde.solve import strategy

from .goals import Goal

__all__ = ["Answer", "Searcher", "find_classes", "play_state"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


_AT_ONCE = 256
"""Worlds that one question about every number of tricks may have."""


def play_state(known: Knowledge) -> strategy.PlayState:
    """The position as the search takes it; the opening lead must have been made."""
    return strategy.PlayState(
        known.strain,
        known.leader,
        known.trick,
        {seat: known.left(seat) for seat in known.seen},
        known.unseen,
        {seat: known.cards_left(seat) for seat in known.hidden_seats},
        known.side,
        won=known.tricks_won(known.side),
    )


@dataclass(frozen=True)
class Answer:
    """What a search says of each candidate, one of each group of equals."""

    cards: tuple[Card, ...]
    """The candidates, best first."""

    values: Floats
    """The worth of the best strategy after each card."""

    worth: Floats
    """The worth of each candidate (rows) in each world (columns), by that strategy."""

    dd_values: Floats
    """The worth with all cards in view after this one."""

    is_bound: NDArray[np.bool_]
    """True where `values` is only known to be no more than the best."""

    depth: int
    """Own cards chosen blind."""

    work: int
    """The work done, in the units of the search."""


@dataclass
class _Plan:
    """What was promised: steps of the goal by worlds, which are known by the first hidden hand."""

    promised: NDArray[np.bool_]
    columns: dict[int, int]
    classes: strategy.LayoutClasses | None
    shown: int
    """Cards that the first hidden hand had played by then."""

    def column(self, whole: int) -> int | None:
        """The column of a layout, given by the whole first hidden hand."""
        if self.classes is None:
            return self.columns.get(whole)
        return self.classes.class_of(whole & ~self.shown)


@dataclass
class Searcher:
    """A strategy search kept for a board."""

    goal: Goal
    """What declarer's tricks are worth."""

    search: strategy.StrategySearch
    """The native search with its table."""

    stop: StopFlag | None = None
    """Stops the work from any thread."""

    plan: _Plan | None = None
    """What the last choice promised."""

    _goals: dict[bool, strategy.Goal] = field(default_factory=dict)

    def steps(self, *, is_declarer: bool) -> strategy.Goal:
        """The goal of declarer's side, or of the defenders, as steps of their own tricks."""
        if is_declarer not in self._goals:
            total, worth = self.goal.total, self.goal.worth
            self._goals[is_declarer] = strategy.Goal.of(
                worth if is_declarer else lambda tricks: -worth(total - tricks), total
            )
        return self._goals[is_declarer]

    def tricks(self, known: Knowledge, worlds: NDArray[np.uint64]) -> tuple[tuple[Card, ...], Ints]:
        """Double-dummy tricks of the player's side in the whole deal: worlds by candidates."""
        state = play_state(known)
        needs = list(range(state.won + 1, state.won + state.tricks_left + 1))
        parts, cards = [], tuple[Card, ...]()
        for start in range(0, len(worlds), _AT_ONCE):
            some = worlds[start : start + _AT_ONCE]
            found = self.search.card_outcomes(state, some, needs, stop=self.stop)
            cards = tuple(sorted(found))
            parts.append(np.array([state.won + found[card].sum(axis=0) for card in cards]).T)
        return cards, np.concatenate(parts)

    def most_worlds(self, known: Knowledge) -> int:
        """The number of worlds that a search takes: fewer where many results are still open."""
        left = known.total_tricks - len(known.played) // 4
        return 64 * (64 // max(1, left))

    def choose(
        self,
        known: Knowledge,
        worlds: NDArray[np.uint64],
        weights: Floats,
        *,
        depth: int,
        work: int,
        seconds: float,
        classes: strategy.LayoutClasses | None = None,
        keep_plan: bool = True,
    ) -> Answer:
        """Search with the plan of the move before, and keep the new one."""
        state = play_state(known)
        goal = self.steps(is_declarer=known.is_declarer)
        first = known.hidden_seats[0]
        shown = (known.cards_of(first)).bits
        plan = self._promised(worlds, shown) if keep_plan else None
        found = self.search.choose(
            state,
            worlds,
            goal,
            weights=weights,
            depth=depth,
            plan=plan,
            work_limit=work,
            seconds=max(seconds, 0.001),
            stop=self.stop,
        )
        if found.plan is None:
            self.plan = None
        else:
            columns = {int(world) | shown: i for i, world in enumerate(worlds.tolist())}
            self.plan = _Plan(found.plan, columns, classes, shown)
        sizes = np.array([worth for _, worth in goal.steps])
        rows = [goal.floor + sizes @ each.vector for each in found.candidates]
        return Answer(
            tuple([each.card for each in found.candidates]),
            np.array([each.value for each in found.candidates]),
            np.array(rows),
            np.array([each.dd_value for each in found.candidates]),
            np.array([not each.exact for each in found.candidates]),
            found.depth,
            found.work,
        )

    def _promised(self, worlds: NDArray[np.uint64], shown: int) -> NDArray[np.bool_] | None:
        """The plan for the worlds of now; `None` if most of them are new."""
        if self.plan is None:
            return None
        found = [self.plan.column(int(world) | shown) for world in worlds.tolist()]
        if sum(column is not None for column in found) * 2 < len(found):
            return None
        rows = self.plan.promised.shape[0]
        promised = np.zeros((rows, len(found)), np.bool_)
        for place, column in enumerate(found):
            if column is not None:
                promised[:, place] = self.plan.promised[:, column]
        return promised


def find_classes(
    known: Knowledge, limit: int, *, small: int = 3, seed: int = 0
) -> strategy.LayoutClasses | None:
    """All layouts in classes of equal cards, or `None` if there are more than `limit` classes."""
    state = play_state(known)
    try:
        return strategy.layout_classes(
            state, strategy.Known(voids=known.voids), small=small, limit=limit, seed=seed
        )
    except strategy.TooManyLayouts:
        return None
