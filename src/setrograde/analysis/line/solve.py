"""The best line of play: searched to the last card where all layouts can be, else with bounds."""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from setrograde.analysis.odds.question import Known
from setrograde.bridge.coerce import (
    CardsLike,
    ContractLike,
    HandLike,
    SeatLike,
    StrainLike,
    as_cards,
)
from setrograde.common.stop import StopFlag
from setrograde.errors import InvalidInput
from setrograde.solve.strategy import Choice, Goal, StrategySearch
from setrograde.solve.strategy import Line as SearchedLine

from .policy import Follower
from .question import LineQuestion, LineWorlds
from .result import CardChance, PlayLine
from .words import describe

__all__ = ["best_line"]

LIMIT_LAYOUTS = 4096
"""More layouts than this are sampled."""

SAMPLES = 64
"""The number of layouts in a sample."""


def best_line(
    north: HandLike,
    south: HandLike,
    strain: StrainLike | None = None,
    declarer: SeatLike | None = None,
    *,
    contract: ContractLike | None = None,
    need: int | None = None,
    west: Known = None,
    east: Known = None,
    hidden: HandLike | None = None,
    leader: SeatLike | None = None,
    lead: str | None = None,
    played: CardsLike = (),
    limit_layouts: int = LIMIT_LAYOUTS,
    samples: int = SAMPLES,
    levels: int = 2,
    seconds: float = 20.0,
    seed: int = 0,
    limit_mb: int = 256,
    stop: StopFlag | None = None,
) -> PlayLine:
    """Find declarer's best line when he sees North and South only, against the best defence.

    What is asked is the chance to take `need` tricks in all, or to make the `contract`. The player
    after `declarer` leads first, unless `leader` names another: so endings can begin with any hand.
    `played` are the cards since then, or `lead` the first of them. `west` and `east` say what is
    known of the hidden hands; `hidden` names the unseen cards of hands with fewer than 13.

    The defenders see everything, and know what declarer will do. Up to `limit_layouts` layouts, all
    of them are searched to the last card, and the chance is exact. If there are more, `samples` of
    them are drawn with `seed`, and if `seconds` are over first, the search ends where it is: then
    `exact` is false, and the answer has bounds. The lower bound is what the line found takes. In
    words, conditions have conditions of their own up to `levels`.

    >>> found = best_line("AJ9...", "432...", "NT", hidden="KQT876...", leader="S", need=2)
    >>> found.probability, found.double_dummy, found.exact
    (Fraction(1, 5), Fraction(7, 20), True)

    A `StopFlag` given as `stop` ends the work with `Stopped`.
    """
    begun = time.monotonic()
    _check(limit_layouts, samples, seconds)
    cards = as_cards(played)
    if lead is not None:
        if cards:
            raise InvalidInput("both lead and played (expected one: the lead is the first card)")
        cards = as_cards(lead)
    question = LineQuestion.of(
        north,
        south,
        strain,
        declarer,
        contract=contract,
        need=need,
        west=west,
        east=east,
        hidden=hidden,
        leader=leader,
        played=cards,
    )
    limit = limit_layouts if question.layouts <= limit_layouts else samples
    worlds = question.worlds(limit, seed=seed, stop=stop)
    work = _Work(question, worlds, StrategySearch(limit_mb=limit_mb), begun + seconds, stop)
    return work.answer(levels, seed, begun)


def _check(limit_layouts: int, samples: int, seconds: float) -> None:
    for name, number in (("limit_layouts", limit_layouts), ("samples", samples)):
        if not 1 <= number <= LIMIT_LAYOUTS:
            raise InvalidInput(f"{name}: {number} (expected 1 to {LIMIT_LAYOUTS})")
    if not seconds > 0:
        raise InvalidInput(f"not a number of seconds: {seconds} (expected more than 0)")


@dataclass(frozen=True, slots=True)
class _Searched:
    """What the searches to the last card found."""

    complete: bool
    labels: bool
    bounds: tuple[Fraction, Fraction]
    choice: Choice | None
    plan: NDArray[np.bool_] | None
    depth: int


class _Work:
    """One question and the layouts to answer it by."""

    def __init__(
        self,
        question: LineQuestion,
        worlds: LineWorlds,
        search: StrategySearch,
        deadline: float,
        stop: StopFlag | None,
    ) -> None:
        self.question, self.worlds, self.search = question, worlds, search
        self.deadline, self.stop = deadline, stop
        self.goal = Goal.make(question.need)

    def answer(self, levels: int, seed: int, begun: float) -> PlayLine:
        question, worlds, state = self.question, self.worlds, self.question.state
        if not state.tricks_left:
            raise InvalidInput("all cards were played (expected some left to choose)")
        won = self.search.outcomes(state, worlds.cards, question.need, stop=self.stop)
        double_dummy = worlds.share(won)
        places = np.arange(len(worlds.cards))
        line = self._searched(double_dummy)
        follower = Follower(
            self.search,
            self.goal,
            worlds,
            line.complete,
            line.labels,
            self.deadline,
            self.stop,
            tricks=levels + 1,
        )
        choice, bounds, plan = line.choice, line.bounds, line.plan
        if not line.complete:
            choice = follower.choose(state, places, None) if state.is_ours else None
            attained = worlds.share(follower.attained(state, places, None))
            bounds = (max(bounds[0], attained), max(bounds[1], attained))
        follower.deadline = max(self.deadline, time.monotonic() + 2)
        words = describe(follower.follow(state, places, plan), levels)
        exact = line.complete
        return PlayLine(
            question,
            question.layouts,
            len(worlds.cards),
            exact,
            bounds,
            double_dummy,
            () if choice is None else self._chances(choice, exact=exact),
            words,
            line.depth,
            seed,
            time.monotonic() - begun,
        )

    def _searched(self, double_dummy: Fraction) -> _Searched:
        """Search to the last card: first with equal cards alike, then telling every card apart.

        The second search takes much longer where layouts are many, so it has little time. It has
        never found another value than the first, which the tests check on small endings.
        """
        if self.worlds.sampled:
            return _Searched(False, True, (Fraction(0), double_dummy), None, None, 4)
        blind = self._to_the_end(labels=True, share=0.6)
        if not blind.complete:
            high = min(double_dummy, self._value(blind))
            return _Searched(False, True, (Fraction(0), high), None, None, blind.depth)
        value = self._value(blind)
        found = _Searched(True, True, (value, value), blind.choice, blind.vector, blind.depth)
        if value == double_dummy:
            return found
        full = self._to_the_end(labels=False, share=0.1)
        if not full.complete:
            return found
        value = self._value(full)
        return _Searched(True, False, (value, value), full.choice, full.vector, full.depth)

    def _value(self, line: SearchedLine) -> Fraction:
        return self.worlds.share(line.vector[-1])

    def _to_the_end(self, *, labels: bool, share: float) -> SearchedLine:
        """Search to the last card, with a share of the time left."""
        return self.search.solve_line(
            self.question.state,
            self.worlds.cards,
            self.goal,
            weights=self.worlds.weights,
            labels=labels,
            work_limit=None,
            seconds=max(0.01, share * (self.deadline - time.monotonic())),
            stop=self.stop,
        )

    def _chances(self, choice: Choice, *, exact: bool) -> tuple[CardChance, ...]:
        total = int(self.worlds.weights.sum())

        def chance(value: float) -> Fraction:
            return Fraction(round(value * total), total)

        return tuple(
            CardChance(one.card, chance(one.value), chance(one.dd_value), one.exact and exact)
            for one in choice.candidates
        )
