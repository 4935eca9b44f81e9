"""The best outcomes of a suit with too many lines: goal by goal, each with its proof or a bound.

First the best chance of each number of tricks is found, then the best average, which these chances
bound. Of the lines that are best for a number of tricks, the one with the best average is taken.
Should a search need more work than allowed, a line is made layout by layout, and the answer has a
bound that no line exceeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from setrograde.common.stop import StopFlag

from .game import SuitGame, SuitWorth

__all__ = ["best_by_goal", "extend", "only"]

_WORK = 200_000_000  # for one goal


def best_by_goal(
    game: SuitGame, *, work: int | None = None, stop: StopFlag | None = None
) -> tuple[tuple[int, ...], dict[int | None, Fraction]]:
    """Outcomes that are best for each number of tricks or on average, and bounds.

    There is a bound for each goal whose outcome is not proven to be best: by number of tricks,
    `None` for the average. `work` is what each goal may take; 500 million take about ten seconds.

    >>> from setrograde.analysis.suit.layouts import layouts_of
    >>> game = SuitGame(layouts_of("AQ", "32"))
    >>> outcomes, at_most = best_by_goal(game)
    >>> [sum(game.tricks(outcome)) for outcome in outcomes], at_most
    ([27], {})
    """
    work = _WORK if work is None else work
    weights = [layout.weight for layout in game.table.layouts]
    average = [weights] * game.levels
    needs = range(1, game.levels + 1)
    chances = [game.best(only(average, n), work=work, stop=stop) for n in needs]
    most = [bound for _, bound in chances]
    found = dict[int | None, int]()
    best, bound = game.best(average, most_by_tricks=most, work=work, stop=stop)
    if best is not None:
        found[None] = best
    else:  # and it will be no easier among the lines that are best for something
        work //= 20
    for n, (outcome, chance) in zip(needs, chances, strict=True):
        if outcome is None:
            found[n] = extend(game, 0, n, stop=stop)
        elif chance:
            demand = (only(average, n), chance)
            fine, _ = game.best(
                average, demands=[demand], most_by_tricks=most, work=work, stop=stop
            )
            found[n] = extend(game, outcome, n, stop=stop) if fine is None else fine
    if not found:
        found[None] = extend(game, 0, 1, stop=stop)
    outcomes = tuple(dict.fromkeys(found.values()))
    goals = [(None, average, bound), *((n, only(average, n), most[n - 1]) for n in needs)]
    return outcomes, {
        goal: Fraction(limit, game.table.total)
        for goal, worth, limit in goals
        if limit > max(_value(game, outcome, worth) for outcome in outcomes)
    }


def extend(game: SuitGame, outcome: int, first: int, *, stop: StopFlag | None = None) -> int:
    """An outcome that no other matches, and that contains a given one that can be won.

    Layouts in which `first` tricks or more are won are added first, likely ones before others.

    >>> from setrograde.analysis.suit.layouts import layouts_of
    >>> game = SuitGame(layouts_of("AQ", "32"))
    >>> sum(game.tricks(extend(game, 0, 2)))
    27
    """
    layouts = game.table.layouts
    order = sorted(range(len(layouts)), key=lambda layout: -layouts[layout].weight)
    for tricks in (first, *range(1, game.levels + 1)):
        column = sum(1 << (game.stride * level) for level in range(tricks))
        outcome = _add(game, outcome, [column << layout for layout in order], stop)
    return outcome


def _add(game: SuitGame, outcome: int, pieces: Sequence[int], stop: StopFlag | None) -> int:
    """The outcome with as many of the pieces as can be won, taken by halves."""
    more = outcome
    for piece in pieces:
        more |= piece
    if more == outcome or game.can_win(game.start, more, stop=stop):
        return more
    if len(pieces) == 1:
        return outcome
    half = len(pieces) // 2
    return _add(game, _add(game, outcome, pieces[:half], stop), pieces[half:], stop)


def _value(game: SuitGame, outcome: int, worth: SuitWorth) -> int:
    tricks = game.tricks(outcome)
    return sum(
        weight
        for n, by_layout in enumerate(worth, 1)
        for weight, count in zip(by_layout, tricks, strict=True)
        if count >= n
    )


def only(worth: SuitWorth, need: int) -> SuitWorth:
    """The part of a worth that one number of tricks has: of an average, the chance of them.

    >>> only([[5, 3], [5, 3]], 2)
    [[0, 0], [5, 3]]
    """
    return [
        by_layout if n == need else [0] * len(by_layout) for n, by_layout in enumerate(worth, 1)
    ]
