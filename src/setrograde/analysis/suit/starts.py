"""Ways to begin a suit, in words: what a player would think of, each once.

First plays that differ only in a card that does not matter are one start: to cash the ace from
either side, to duck with whichever card, to lead to one of several cards that are worth the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from setrograde.bridge import Seat
from setrograde.common.stop import StopFlag

from .options import FirstPlay, first_plays
from .play import SuitSolution
from .plays import CASH, DUCK, Play, Trick, name_of_card

__all__ = ["Start", "find_starts"]

_KEPT = (CASH, DUCK)


@dataclass(frozen=True, slots=True)
class Start:
    """A way to begin, and the chance of the tricks wanted with the best play afterwards."""

    text: str
    """What to do, like `Lead low from South to the queen`."""

    kind: str
    """`cash`, `duck`, `force`, or the kind of finesse."""

    value: Fraction
    """The probability of the tricks wanted."""


def find_starts(
    solution: SuitSolution, need: int, *, stop: StopFlag | None = None
) -> tuple[Start, ...]:
    """Every sensible way to begin: the best, then cashing and ducking, then others by their worth.

    Raises `TooManyLines` for solutions that are not complete. A `StopFlag` given as `stop` ends the
    work with `Stopped`.

    >>> from setrograde.analysis.suit import solve_suit
    >>> for start in find_starts(solve_suit("AQ2", "543"), 2):
    ...     print(f"{start.text}: {float(start.value):.4f}")
    Cash the ace: 0.5048
    Duck a round: 0.5048
    Lead low from South to the queen: 0.5000
    Lead the queen from North: 0.0000
    """
    found = dict[str, tuple[Start, Play]]()
    for first in first_plays(solution, need=need, stop=stop):
        play = _play(first)
        trick = Trick(solution.game, solution.game.start, play)
        start = Start(_text(trick), trick.kind, first.best(need=need).probability(need))
        if start.text not in found or found[start.text][0].value < start.value:
            found[start.text] = start, play
    ranked = sorted(found.values(), key=lambda row: (-row[0].value, -row[1].card, row[0].text))
    best = ranked[0][0]
    starts = _without_twins(ranked)
    return tuple(sorted(starts, key=lambda start: start != best and start.kind not in _KEPT))


def _play(first: FirstPlay) -> Play:
    hand, card = int(first.hand is Seat.SOUTH), int(first.card)
    if first.follow is None or first.card > first.follow:
        return Play(hand, card, is_led=True)
    return Play(hand, int(first.follow), is_led=False)


def _text(trick: Trick) -> str:
    card, hand = name_of_card(trick.play.card), trick.play.leader.name.title()
    if trick.kind == CASH:
        return f"Cash the {card}"
    if trick.kind == DUCK:
        return "Duck a round"
    if not trick.play.is_led:
        return f"Lead low from {hand} to the {card}"
    return f"Run the {card} from {hand}" if trick.is_finesse else f"Lead the {card} from {hand}"


def _without_twins(ranked: list[tuple[Start, Play]]) -> list[Start]:
    """Of leads from one hand that are worth the same, the one with the highest card."""
    kept = dict[object, Start]()
    for start, play in ranked:
        is_alone = start.kind in _KEPT
        twin = start.text if is_alone else (play.hand, play.is_led, start.value)
        kept.setdefault(twin, start)
    return list(kept.values())
