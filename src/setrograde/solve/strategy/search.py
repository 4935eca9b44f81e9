"""Strategy search: the best card when later cards must be chosen blind too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from setrograde import _core
from setrograde.bridge import Card
from setrograde.common.memory import limit_bytes
from setrograde.common.stop import StopFlag
from setrograde.errors import InvalidInput

from ..endings import (
    LEAST_GAINING_TRICKS,
    EndingTable,
    ask_with_endings,
    endings_for,
    installed_endings,
)
from .goal import Goal
from .layouts import LayoutClasses
from .state import PlayState, card_at

__all__ = ["Candidate", "Choice", "Cut", "Line", "StrategySearch"]

Endings: TypeAlias = EndingTable | Literal["installed"] | None
Worlds: TypeAlias = "LayoutClasses | Sequence[int] | NDArray[np.uint64]"
Vector: TypeAlias = NDArray[np.bool_]

DEFAULT_WORK = 4_000_000
LINE_WORK = 400_000_000
_TO_THE_END = 52
_NO_SMALL_CARDS = 15
_NO_LIMIT = 2**64 - 1
_ANY_TIME = 1e9
_MAX_WORDS = 64

T = TypeVar("T")


class Cut(IntFlag):
    """Ways to search less. None changes the value of the best card; each can be switched off."""

    EARLY = 1
    """An opponent's node ends when all it has left is no better than what is known above."""

    ROOT = 2
    """The root ends when no card can do better than the best so far."""

    USEFUL = 4
    """Worlds already lost are dropped."""

    WIN = 8
    """A card that wins in every world ends the node."""

    BOUND = 16
    """A card whose double-dummy vector is no better than what is known is not searched."""

    SCORE = 32
    """Vectors that cannot beat the best score at the root are no use."""

    SINGLE = 64
    """With one world left double dummy is exact."""

    DEEP = 128
    """What is known in all nodes above counts, not only in the one just above."""

    ORDER = 256
    """The most promising cards come first."""

    EQUALS = 512
    """A hidden card gives what its equal gave, with the worlds renamed. Only without labels."""

    ALL = 1023


@dataclass(frozen=True)
class Candidate:
    """One card that may be played."""

    card: Card
    """The card; of equal cards the lowest."""

    value: float
    """What the best strategy found after this card is worth, by the goal."""

    dd_value: float
    """The same if all cards were seen after this one: plain Monte Carlo."""

    exact: bool
    """False if the value is only an upper bound, since another card is no worse."""

    vector: Vector
    """Which steps of the goal (rows) the strategy reaches in which worlds (columns)."""


@dataclass(frozen=True)
class Choice:
    """The card chosen, and what was found out about all."""

    card: Card
    """The best card."""

    candidates: tuple[Candidate, ...]
    """All cards, best first; of equal cards the lowest."""

    plan: Vector | None
    """What the strategy promises: steps of the goal by worlds. To be given to the next search,
    with the columns of the worlds that are left. `None` if no more than double dummy was asked."""

    depth: int
    """Cards of the chooser until double dummy, in the last search that was finished."""

    nodes: int
    """Nodes of the tree."""

    asks: int
    """Double-dummy questions, remembered answers included."""

    work: int
    """Work done, in the units of `work_limit`."""

    limited: bool
    """True if the limit of work or time ended the search."""

    exact: bool
    """True if the search went to the last card and told every card apart."""

    @property
    def value(self) -> float:
        """What the strategy is worth."""
        return self.candidates[0].value


@dataclass(frozen=True)
class Line:
    """What the best strategy from here on is worth, whoever is on turn."""

    value: float
    """The value found: exact, or an upper bound if the search was limited."""

    dd_value: float
    """The value if all cards were seen: never less."""

    exact: bool
    """True if the search went to the last card in every layout and told every card apart."""

    complete: bool
    """True if the search went to the last card."""

    choice: Choice | None
    """The first card with its rivals, if our side is on turn."""

    vector: Vector
    """Which steps of the goal (rows) the strategy reaches in which worlds (columns)."""

    depth: int
    """The last depth that was finished."""

    nodes: int
    """Nodes of the tree."""

    asks: int
    """Double-dummy questions, remembered answers included."""

    work: int
    """Work done, in the units of `work_limit`."""

    limited: bool
    """True if the limit of work or time ended the search."""


class StrategySearch:
    """A context for card play under hidden cards, worth keeping for a whole board.

    >>> from setrograde.solve.strategy import Goal, PlayState, StrategySearch, all_layouts
    >>> state = PlayState("NT", "S", hands={"N": "AJ9...", "S": "432..."}, hidden="KQT876...")
    >>> search = StrategySearch(limit_mb=16)
    >>> line = search.solve_line(state, all_layouts(state), Goal.make(2))
    >>> line.value, line.dd_value, line.exact
    (0.2, 0.35, True)

    One context may be used from several threads; it answers one question at a time. Every method
    that searches takes `stop`, a flag that any thread may set; it then raises `Stopped`.
    """

    def __init__(
        self, *, limit_mb: int = 256, endings: Endings = "installed", seed: int = 0
    ) -> None:
        self.endings = installed_endings() if endings == "installed" else endings
        """The database of endings in use."""
        self.seed = seed
        """Reserved for choices by lot; the search itself makes none."""
        self._may_install = endings == "installed" and self.endings is None
        self._core = _core.StrategySearch(
            limit_bytes(limit_mb, least=4), None if self.endings is None else self.endings._core
        )

    def reset(self, *, stop: StopFlag | None = None) -> None:
        """Forget what was learned."""
        self._core.reset(stop)

    def outcomes(
        self, state: PlayState, worlds: Worlds, need: int, *, stop: StopFlag | None = None
    ) -> Vector:
        """In which worlds our side takes `need` tricks in all, double dummy; `state.won` count.

        >>> from setrograde.solve.strategy import all_layouts
        >>> state = PlayState("NT", "S", hands={"N": "AQ...", "S": "32..."}, hidden="KJT9...")
        >>> StrategySearch(limit_mb=16).outcomes(state, all_layouts(state), 2).tolist()
        [True, True, True, False, False, False]
        """
        array = _world_array(worlds)
        core = state._core()
        left = need - state.won
        if left <= 0 or not state.tricks_left:
            return np.full(len(array), left <= 0)
        answer = self._ask(state, stop, lambda: self._core.outcomes(core, array, left, stop))
        return answer.astype(np.bool_)

    def card_outcomes(
        self,
        state: PlayState,
        worlds: Worlds,
        needs: Sequence[int],
        *,
        stop: StopFlag | None = None,
    ) -> dict[Card, Vector]:
        """The double-dummy outcome of every card: numbers of tricks (rows) by worlds (columns).

        Our side is on turn. Of equal cards only the lowest is there.
        """
        goal = Goal(tuple((need, 1.0) for need in sorted(set(needs))))
        found = self.choose(state, worlds, goal, depth=1, ties=False, stop=stop)
        rows = [sorted(set(needs)).index(need) for need in needs]
        return {one.card: one.vector[rows] for one in found.candidates}

    def choose(
        self,
        state: PlayState,
        worlds: Worlds,
        goal: Goal,
        *,
        weights: ArrayLike | None = None,
        depth: int = 4,
        plan: Vector | None = None,
        labels: bool = True,
        small: int | None = 3,
        cuts: Cut = Cut.ALL,
        work_limit: int | None = DEFAULT_WORK,
        seconds: float | None = None,
        ties: bool = True,
        stop: StopFlag | None = None,
    ) -> Choice:
        """Choose a card for our side, which must be on turn.

        `depth` cards of ours are chosen blind, later ones double dummy; depth 1 is plain Monte
        Carlo. The search deepens step by step, and within `work_limit` (the same on every
        machine) and `seconds` the last depth that was finished counts. Depth 1 is always
        finished. `plan` is the plan of the choice before, without the columns of worlds that
        are ruled out. With `labels` a hidden player's equal cards look alike, and so do losing
        cards with at least `small` higher ones; else every card is told apart. `ties` orders
        equal cards by one trick more and one trick less.
        """
        if not state.is_ours:
            raise InvalidInput(f"{state.turn.name.title()} is on turn (expected our side)")
        asked = _Question(state, worlds, goal, weights, plan)
        found = self._search(
            asked, depth, labels, small, cuts, ties, False, work_limit, seconds, stop
        )
        return _choice(asked, found, exact=found["is_complete"] and asked.is_exact and not labels)

    def solve_line(
        self,
        state: PlayState,
        worlds: Worlds,
        goal: Goal,
        *,
        weights: ArrayLike | None = None,
        depth: int | None = None,
        labels: bool | None = None,
        small: int | None = None,
        cuts: Cut = Cut.ALL,
        work_limit: int | None = LINE_WORK,
        seconds: float | None = None,
        stop: StopFlag | None = None,
    ) -> Line:
        """What our side's best strategy is worth, searched to the last card, whoever is on turn.

        With all layouts as worlds the value is exact, and a player who keeps his plan attains it.
        With classes that merge layouts it is an approximation, and labels are used. If a limit
        ends the search, the value is an upper bound.
        """
        asked = _Question(state, worlds, goal, weights, None)
        blind = not asked.is_exact if labels is None else labels
        deepest = _TO_THE_END if depth is None else depth
        found = self._search(
            asked, deepest, blind, small, cuts, False, True, work_limit, seconds, stop
        )
        exact = found["is_complete"] and asked.is_exact and not blind
        return Line(
            asked.value(found["value"]),
            asked.value(found["double_dummy"]),
            exact,
            found["is_complete"],
            _choice(asked, found, exact=exact) if state.is_ours else None,
            asked.vector(found["vector"]),
            found["depth"],
            found["nodes"],
            found["asks"],
            found["work"],
            found["is_limited"],
        )

    def claim(
        self,
        state: PlayState,
        worlds: Worlds,
        tricks: int,
        *,
        work_limit: int | None = LINE_WORK,
        seconds: float | None = None,
        stop: StopFlag | None = None,
    ) -> bool:
        """True only if one strategy takes `tricks` in all, `state.won` included, in every layout.

        The layouts must be all there are, one by one; then true is a proof. False means that
        there is no such strategy, or that a limit ended the search.

        >>> from setrograde.solve.strategy import all_layouts
        >>> state = PlayState("NT", "S", hands={"N": "AKQ...", "S": "432..."}, hidden="JT9876...")
        >>> StrategySearch(limit_mb=16).claim(state, all_layouts(state), 3)
        True
        """
        if isinstance(worlds, LayoutClasses) and not worlds.is_exact:
            raise InvalidInput("a claim of merged classes (expected layouts one by one)")
        if not self.outcomes(state, worlds, tricks, stop=stop).all():
            return False
        line = self.solve_line(
            state,
            worlds,
            Goal.make(tricks),
            labels=False,
            work_limit=work_limit,
            seconds=seconds,
            stop=stop,
        )
        return line.complete and bool(line.vector.all())

    def _search(
        self,
        asked: _Question,
        depth: int,
        labels: bool,
        small: int | None,
        cuts: Cut,
        ties: bool,
        forced: bool,
        work_limit: int | None,
        seconds: float | None,
        stop: StopFlag | None,
    ) -> dict[str, Any]:
        if depth < 1:
            raise InvalidInput(f"depth: {depth} (expected at least 1)")
        if not 0 <= int(cuts) <= int(Cut.ALL):
            raise InvalidInput(f"not a set of cuts: {int(cuts)} (expected 0 to {int(Cut.ALL)})")
        core = asked.state._core()
        return self._ask(
            asked.state,
            stop,
            lambda: self._core.search(
                core,
                asked.worlds,
                asked.weights,
                asked.steps,
                asked.plan,
                depth,
                labels,
                _NO_SMALL_CARDS if small is None else small,
                int(cuts),
                ties,
                forced,
                _NO_LIMIT if work_limit is None else work_limit,
                _ANY_TIME if seconds is None else seconds,
                stop,
            ),
        )

    def _ask(self, state: PlayState, stop: StopFlag | None, question: Callable[[], T]) -> T:
        """Ask the core; if the database of endings is damaged, once more without it."""

        def drop() -> None:
            self.endings = None
            self._core.use_endings(None, stop)

        if self._may_install and state.tricks_left >= LEAST_GAINING_TRICKS:
            self.endings = endings_for(state.tricks_left, stop=stop)
            self._may_install = False
            if self.endings is not None:
                self._core.use_endings(self.endings._core, stop)

        def checked() -> T:
            if self.endings is not None:
                self.endings._core.check_size()
            try:
                return question()
            except ValueError as error:
                raise InvalidInput(f"not worlds of this position: {error}") from None

        return ask_with_endings(checked, drop, stacklevel=4)


class _Question:
    """The parts of a question as the core takes them, and its answers as users do."""

    def __init__(
        self,
        state: PlayState,
        worlds: Worlds,
        goal: Goal,
        weights: ArrayLike | None,
        plan: Vector | None,
    ) -> None:
        self.state, self.goal = state, goal
        if not state.tricks_left:
            raise InvalidInput("no tricks are left (expected cards to play)")
        self.worlds = _world_array(worlds)
        self.is_exact = not isinstance(worlds, LayoutClasses) or worlds.is_exact
        if weights is None and isinstance(worlds, LayoutClasses) and not worlds.is_exact:
            weights = worlds.weights
        self.weights = None if weights is None else np.asarray(weights, dtype=np.float64)
        size = len(self.worlds)
        if self.weights is not None and self.weights.shape != (size,):
            raise InvalidInput(f"weights of shape {self.weights.shape} for {size} worlds")
        self.total = float(size) if self.weights is None else float(self.weights.sum())
        if not self.total > 0:
            raise InvalidInput("no world has a weight above zero")
        # Steps that are decided need no bits, but one step must stay.
        most = state.won + state.tricks_left
        self._rows = [i for i, (need, _) in enumerate(goal.steps) if state.won < need <= most]
        if not self._rows:
            self._rows = [max([i for i, s in enumerate(goal.steps) if s[0] <= most], default=0)]
        words = len(self._rows) * -(-size // 64)
        if words > _MAX_WORDS:
            raise InvalidInput(
                f"{size} worlds with {len(self._rows)} steps"
                f" (expected at most {64 * (_MAX_WORDS // len(self._rows))} worlds)"
            )
        self.steps = [(goal.steps[i][0] - state.won, goal.steps[i][1]) for i in self._rows]
        others = [s for i, s in enumerate(goal.steps) if i not in self._rows]
        self._base = goal.floor + sum(worth for need, worth in others if need <= state.won)
        self.plan: NDArray[np.uint8] | None = None
        if plan is not None:
            if plan.shape != (len(goal.steps), size):
                raise InvalidInput(
                    f"a plan of shape {plan.shape} (expected {(len(goal.steps), size)})"
                )
            self.plan = np.ascontiguousarray(plan[self._rows], dtype=np.uint8).reshape(-1)

    def value(self, worth: float) -> float:
        return self._base + worth / self.total

    def vector(self, facts: NDArray[np.uint8]) -> Vector:
        rows = facts.reshape(len(self._rows), len(self.worlds)).astype(np.bool_)
        needs = np.array([need for need, _ in self.goal.steps])
        whole = np.repeat((needs <= self.state.won)[:, None], len(self.worlds), axis=1)
        whole[self._rows] = rows
        return whole


def _choice(asked: _Question, found: dict[str, Any], *, exact: bool) -> Choice:
    candidates = tuple(
        Candidate(
            card_at(place), asked.value(worth), asked.value(dd), not bound, asked.vector(vector)
        )
        for place, worth, dd, bound, vector in found["candidates"]
    )
    has_plan = found["depth"] > 1 or found["is_complete"]
    return Choice(
        candidates[0].card,
        candidates,
        candidates[0].vector if has_plan else None,
        found["depth"],
        found["nodes"],
        found["asks"],
        found["work"],
        found["is_limited"],
        exact,
    )


def _world_array(worlds: Worlds) -> NDArray[np.uint64]:
    if isinstance(worlds, LayoutClasses):
        return worlds.worlds
    array = np.ascontiguousarray(worlds, dtype=np.uint64)
    if array.ndim != 1 or not len(array):
        raise InvalidInput(f"worlds of shape {array.shape} (expected a row of at least one)")
    return array
