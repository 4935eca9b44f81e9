"""Following a line: what declarer plays after each card of the defenders, and what that attains.

At declarer's turn the search chooses, with the plan of the choice before. At a defender's turn the
line branches. Cards with no seen card between them are one branch, as a player would put it: "if
West plays low". One of them stands for all.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Card, Hand, Seat, Suit
from setrograde.common.stop import StopFlag, check_stop
from setrograde.solve.strategy import Choice, Cut, Goal, PlayState, StrategySearch

from .question import LineWorlds

__all__ = ["EASY", "FORCED", "LOST", "MADE", "OPEN", "Branch", "Follower", "Fork", "Step"]

Places = NDArray[np.int64]
Flags = NDArray[np.bool_]

_RARE = 0.03
_TO_THE_END = 52
_SEARCHED_ALONE = ~(Cut.ROOT | Cut.SCORE) & Cut.ALL
"""Cuts that leave the value of every card as it is, not only that of the best."""


@dataclass(frozen=True, slots=True)
class Step:
    """A card of declarer's side, and what follows by the next defender's card."""

    seat: Seat
    """Whose card."""

    card: Card
    """The card."""

    leads: bool
    """True if it is the first of its trick."""

    is_forced: bool
    """True if the hand had no other card to play."""

    then: Step | Fork | str
    """What comes next: another card, a fork, or how it ends."""


@dataclass(frozen=True, slots=True)
class Branch:
    """Cards of a defender that are not told apart, and what follows."""

    cards: tuple[Card, ...]
    """The cards, highest first."""

    is_lowest: bool
    """True if no lower card of the suit is hidden."""

    share: float
    """How often it can come, of the layouts that are possible here."""

    then: Step | Fork | str
    """What follows."""


@dataclass(frozen=True, slots=True)
class Fork:
    """A defender's turn."""

    seat: Seat
    """Who plays."""

    suit: Suit | None
    """The suit led; `None` if he leads."""

    branches: tuple[Branch, ...]
    """What he may play, most frequent first."""


MADE, LOST, OPEN, EASY, FORCED = "made", "lost", "open", "easy", "forced"
"""How a line ends: the tricks are in, or out of reach; or it is not followed further; or from here
on every card is as good as any other; or there is no choice left."""


@dataclass
class Follower:
    """Follows one line over one set of layouts."""

    search: StrategySearch
    goal: Goal
    worlds: LineWorlds
    is_complete: bool
    """True if every search goes to the last card."""

    labels: bool
    """True if declarer does not look which of equal cards a defender plays."""

    deadline: float
    """On the clock of `time.monotonic`."""

    stop: StopFlag | None = None
    tricks: int = 3
    """How many tricks are told."""

    most_steps: int = 400
    steps: int = field(default=0, init=False)
    last: int = field(default=0, init=False)

    @property
    def need(self) -> int:
        """Tricks needed in all."""
        return self.goal.steps[-1][0]

    def choose(
        self, state: PlayState, places: Places, plan: Flags | None, cuts: Cut = Cut.ALL
    ) -> Choice:
        """Declarer's card, as the line has it."""
        return self.search.choose(
            state,
            self.worlds.cards[places] & np.uint64(state.hidden.bits),
            self.goal,
            weights=self.worlds.weights[places],
            depth=_TO_THE_END if self.is_complete else 4,
            plan=plan,
            labels=self.labels,
            small=None if self.is_complete else 3,
            work_limit=None if self.is_complete else 2_000_000,
            cuts=cuts,
            stop=self.stop,
        )

    # --- in words ---

    def follow(
        self, state: PlayState, places: Places, plan: Flags | None, *, is_first: bool = True
    ) -> Step | Fork | str:
        """The line from here on, until nothing matters any more."""
        check_stop(self.stop)
        if is_first:
            self.last = state.tricks_left - self.tricks
        ended = self._end(state, plan)
        if ended:
            return ended
        if state.tricks_left <= self.last:
            return OPEN
        if not state.is_ours:
            return self._fork(state, places, plan)
        self.steps += 1
        if self.steps > self.most_steps or time.monotonic() > self.deadline:
            return OPEN
        legal = state.legal_cards()
        if len(legal) == 1:
            card = next(iter(legal))
        else:
            found = self.choose(state, places, plan)
            if not is_first and self._is_easy(state, places, found):
                return EASY
            card, plan = found.card, found.plan if found.plan is not None else plan
        then = self.follow(state.play(card), places, plan, is_first=False)
        step = Step(state.turn, card, not state.trick, len(legal) == 1, then)
        return step if is_first else _without_forced(step)

    def _end(self, state: PlayState, plan: Flags | None) -> str:
        if state.won >= self.need:
            return MADE
        if state.won + state.tricks_left < self.need or not state.tricks_left:
            return LOST
        return LOST if plan is not None and not plan.any() else ""

    def _is_easy(self, state: PlayState, places: Places, found: Choice) -> bool:
        """True if every card is as good, and as good as if all were seen."""
        best = found.candidates[0]
        if best.value != max(one.dd_value for one in found.candidates):
            return False
        every = self.choose(state, places, None, _SEARCHED_ALONE).candidates
        return all(one.value == every[0].value for one in every)

    def _fork(self, state: PlayState, places: Places, plan: Flags | None) -> Step | Fork | str:
        weights = self.worlds.weights[places]
        promised = np.ones(len(places), np.bool_) if plan is None else plan[-1]
        branches: list[Branch] = []
        for run in _runs(state):
            flags = {one: self._can_play(state, places, one) for one in run}
            # The card that stands for the run is possible where the line wins, if any is.
            card = max(
                run,
                key=lambda one: (
                    int(weights[flags[one] & promised].sum()),
                    int(weights[flags[one]].sum()),
                ),
            )
            chosen = flags[card]
            any_of_run = np.logical_or.reduce(list(flags.values()))
            share = float(weights[any_of_run].sum() / weights.sum())
            if share < _RARE and branches:
                continue
            if chosen.any():
                later = None if plan is None else plan[:, chosen]
                then = self.follow(state.play(card), places[chosen], later, is_first=False)
                lowest = not any(
                    other.suit is card.suit and other.rank < run[-1].rank for other in state.hidden
                )
                branches.append(Branch(run, lowest, share, then))
        branches.sort(key=lambda branch: -branch.share)
        suit = state.trick[0].suit if state.trick else None
        return _without_forced(Fork(state.turn, suit, tuple(branches)))

    def _can_play(self, state: PlayState, places: Places, card: Card) -> Flags:
        """The layouts in which the defender on turn may play a card."""
        cards = self.worlds.cards[places] & np.uint64(state.hidden.bits)
        if state.turn is state.hidden_seats[1]:
            cards = ~cards & np.uint64(state.hidden.bits)
        may: Flags = (cards & np.uint64(card.bit)) != 0
        if state.trick and card.suit is not state.trick[0].suit:
            may &= (cards & np.uint64(0x1FFF << 16 * state.trick[0].suit)) == 0
        return may

    # --- in tricks ---

    def attained(self, state: PlayState, places: Places, plan: Flags | None) -> Flags:
        """In which layouts the line takes the tricks needed, against every defence.

        Once the time is up, layouts that are still open count as lost.
        """
        check_stop(self.stop)
        if state.won >= self.need:
            return np.ones(len(places), np.bool_)
        if state.won + state.tricks_left < self.need or time.monotonic() > self.deadline:
            return np.zeros(len(places), np.bool_)
        seen = self.worlds.cards[places] & np.uint64(state.hidden.bits)
        won = self.search.outcomes(state, seen, self.need, stop=self.stop)
        if len(places) > 1 and won.any():
            won[won] = self._attained(state, places[won], None if plan is None else plan[:, won])
        return won

    def _attained(self, state: PlayState, places: Places, plan: Flags | None) -> Flags:
        """The same for layouts that double dummy wins."""
        if state.is_ours:
            found = self.choose(state, places, plan)
            plan = found.plan if found.plan is not None else plan
            return self.attained(state.play(found.card), places, plan)
        won = np.ones(len(places), np.bool_)
        for run in _runs(state):
            for card in run:
                here = np.flatnonzero(self._can_play(state, places, card) & won)
                if len(here):
                    later = None if plan is None else plan[:, here]
                    won[here] = self.attained(state.play(card), places[here], later)
        return won


def _without_forced(line: Step | Fork) -> Step | Fork | str:
    """The line, or only how it ends if declarer has nothing more to choose."""
    if isinstance(line, Step):
        return line.then if line.is_forced and isinstance(line.then, str) else line
    ends = {branch.then for branch in line.branches}
    told = [end for end in ends if isinstance(end, str)]
    if len(told) < len(ends) or OPEN in told:
        return line
    if len(told) == 1:
        return told[0]
    return FORCED if {MADE, LOST, FORCED}.issuperset(told) else EASY


def _runs(state: PlayState) -> Iterator[tuple[Card, ...]]:
    """The hidden cards, those with no seen card between them together; highest first."""
    seen = Hand.from_cards(state.trick)
    for hand in state.hands.values():
        seen |= hand
    for suit in reversed(Suit):
        run: list[Card] = []
        for card in sorted(
            (card for card in seen | state.hidden if card.suit is suit),
            key=lambda card: -card.rank,
        ):
            if card in state.hidden:
                run.append(card)
            elif run:
                yield tuple(run)
                run = []
        if run:
            yield tuple(run)
