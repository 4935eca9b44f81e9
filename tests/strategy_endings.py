"""Random endings in which two hands are hidden, for tests of strategy search."""

from __future__ import annotations

from random import Random

from setrograde.solve.strategy import Goal, PlayState
from support import random_position


def random_state(rng: Random, tricks: int, *, declarer: bool = True) -> PlayState:
    """What declarer, or a defender, sees of a random ending of so many tricks."""
    while True:
        play = random_position(rng, tricks, on_table=rng.choice([0, 0, 1, 2, 3]))
        if not play.cards:
            continue
        dummy = play.leader.next
        seat = dummy if declarer else rng.choice([dummy.next, dummy.partner.next])
        state = PlayState.from_play(play, seat)
        return _without_history(state)


def _without_history(state: PlayState) -> PlayState:
    """The same with no tricks won, so that goals count from here."""
    return PlayState(
        state.strain,
        state.leader,
        state.trick,
        state.hands,
        state.hidden,
        state.lengths,
        state.us,
        state.choosers,
    )


def random_goal(rng: Random, tricks: int) -> Goal:
    """One number of tricks, all of them, or steps of different height."""
    kind = rng.randrange(3)
    if kind == 0:
        return Goal.make(rng.randint(1, tricks))
    if kind == 1:
        return Goal.tricks(tricks)
    needs = sorted(rng.sample(range(1, tricks + 1), min(tricks, 2)))
    return Goal(tuple((need, float(rng.choice([1, 2, 3, 10]))) for need in needs), -2.0)
