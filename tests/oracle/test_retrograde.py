"""Values of endings by retrograde analysis against the double-dummy solver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from oracle.retrograde import iter_levels, value_of
from setrograde.bridge import Play, Seat
from setrograde.db.endings.states import Ending, iter_endings
from setrograde.solve import solve_many
from support import random_position


def solved(endings: Iterable[Ending], leader: Seat = Seat.NORTH) -> list[int]:
    """What the leader's side takes, by the solver."""
    plays = [Play(ending.to_deal(leader), ending.strain, leader) for ending in endings]
    tricks_ns = solve_many(plays, threads=1, limit_mb=64)
    if leader in (Seat.NORTH, Seat.SOUTH):
        return list(tricks_ns)
    return [len(play.deal) // 4 - ns for play, ns in zip(plays, tricks_ns, strict=True)]


@pytest.mark.parametrize("leader", list(Seat))
def test_every_ending_of_one_trick_has_the_value_the_solver_finds(leader: Seat) -> None:
    _, values = iter_levels(1)
    assert list(values.values()) == solved(values, leader)


def test_values_of_one_trick_follow_from_who_can_win_it() -> None:
    _, values = iter_levels(1)
    for ending, value in values.items():
        (successor,) = ending.iter_successors()
        assert value == (successor.winner % 2 == 0)
    # By hand. If the leader has a card of the suit that wins, the other side has its highest card
    # in 26 of 73 endings: at notrump, and again if trumps are led. If other players have all the
    # trumps, the highest is with the other side in 26, 12 or 4 endings with 1, 2 or 3 trumps.
    lost = 26 + 26 + (26 + 12 + 4)
    assert Counter(values.values()) == {1: 209 - lost, 0: lost}


@pytest.mark.slow
def test_every_ending_of_two_tricks_has_the_value_the_solver_finds() -> None:
    *_, values = iter_levels(2)
    assert len(values) == 87_162
    assert list(values.values()) == solved(values)


def test_some_endings_of_two_tricks_have_the_values_the_solver_finds() -> None:
    endings = list(iter_endings(2))[::29]
    assert [value_of(ending) for ending in endings] == solved(endings, Seat.WEST)


@pytest.mark.parametrize(("tricks", "count"), [(3, 150), (4, 20), (5, 6)])
def test_random_endings_have_the_values_the_solver_finds(tricks: int, count: int) -> None:
    rng = Random(tricks)
    plays = [random_position(rng, tricks, on_table=0) for _ in range(count)]
    endings = [Ending.from_deal(play.remaining, play.strain, play.turn) for play in plays]
    values = [value_of(ending.canonical()) for ending in endings]
    assert values == solved(endings)
    ours = [
        ns if play.turn in (Seat.NORTH, Seat.SOUTH) else tricks - ns
        for play, ns in zip(plays, solve_many(plays, threads=1, limit_mb=64), strict=True)
    ]
    assert values == ours
