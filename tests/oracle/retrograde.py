"""Plain retrograde analysis: the value of every ending, from the last trick upwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby

from setrograde.db.endings.states import Ending, Successor, iter_endings


def iter_levels(tricks: int) -> Iterator[dict[Ending, int]]:
    """What the leader's side takes, for all canonical endings of 0, 1, 2 ... `tricks`."""
    below = {Ending(("", "", "", "")): 0}
    yield below
    for left in range(1, tricks + 1):
        below = {ending: value_from(ending, below) for ending in iter_endings(left)}
        yield below


def value_from(ending: Ending, below: Mapping[Ending, int]) -> int:
    """What the leader's side takes, given the values of the endings one trick later."""

    def after(successor: Successor) -> int:
        value = below[successor.below]
        if successor.winner in (0, 2):
            return 1 + value
        return ending.tricks - 1 - value

    return _minimax([(s, after(s)) for s in ending.iter_successors()], 0)


def _minimax(plays: Sequence[tuple[Successor, int]], player: int) -> int:
    """Players 0 and 2 choose the best for their side, 1 and 3 the worst, in turn."""
    if player == 4:
        ((_, value),) = plays
        return value
    choices = [
        _minimax(list(same), player + 1)
        for _, same in groupby(plays, key=lambda play: play[0].cards[player])
    ]
    return max(choices) if player in (0, 2) else min(choices)


@cache
def value_of(ending: Ending) -> int:
    """What the leader's side takes from one canonical ending; for a few tricks."""
    if not ending.tricks:
        return 0
    below = {s.below: value_of(s.below) for s in ending.iter_successors()}
    return value_from(ending, below)
