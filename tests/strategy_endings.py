"""Random endings in which two hands are hidden, for tests of strategy search."""

from __future__ import annotations

from random import Random

from setrograde.bridge import Hand
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


def crowded_state(rng: Random, tricks: int) -> PlayState:
    """What declarer sees of an ending of two or three suits: many hidden cards are neighbours."""
    suits = rng.sample(range(4), rng.choice([2, 2, 3]))
    cards = [16 * suit + rank for rank in range(12, -1, -1) for suit in suits][: 4 * tricks]
    rng.shuffle(cards)
    north, south, hidden = cards[:tricks], cards[tricks : 2 * tricks], cards[2 * tricks :]
    state = PlayState(
        rng.choice("SHDCN"),
        rng.choice("NESW"),
        hands={"N": Hand(bits_of(north)), "S": Hand(bits_of(south))},
        hidden=Hand(bits_of(hidden)),
    )
    if state.is_ours and rng.random() < 0.5:
        state = state.play(rng.choice(list(state.legal_cards())))
    return state


def bits_of(places: list[int]) -> int:
    """The set of cards at these places."""
    return sum(1 << place for place in places)


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
