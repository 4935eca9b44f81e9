"""The best outcomes of a suit with too many lines: goal by goal, each with its proof or a bound.

First how likely each number of tricks is at best, then the best average, which these figures bound.
Of the lines that are best for a number of tricks the one with the best average is taken. Should a
search need more work than allowed, a line is made lie by lie, and what no line exceeds is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .game import SuitGame, Worth

__all__ = ["best_by_goal", "extend", "only"]

_WORK = 200_000_000  # for one goal


def best_by_goal(
    game: SuitGame, *, work: int | None = None
) -> tuple[tuple[int, ...], dict[int | None, Fraction]]:
    """Outcomes that are best for each number of tricks or on average, and bounds of those that
    are not proven to be: by number of tricks, `None` for the average. `work` is what each goal may
    take, about ten seconds for 500 million.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.layouts import lies_of
    >>> game = SuitGame(lies_of(SuitHolding.from_text("AQ", "32")))
    >>> outcomes, at_most = best_by_goal(game)
    >>> [sum(game.tricks(outcome)) for outcome in outcomes], at_most
    ([27], {})
    """
    work = _WORK if work is None else work
    weights = [lie.weight for lie in game.table.lies]
    average = [weights] * game.levels
    needs = range(1, game.levels + 1)
    chances = [game.best(only(average, n), work=work) for n in needs]
    most = [bound for _, bound in chances]
    found = dict[int | None, int]()
    best, bound = game.best(average, most_by_tricks=most, work=work)
    if best is not None:
        found[None] = best
    else:  # and it will be no easier among the lines that are best for something
        work //= 20
    for n, (outcome, chance) in zip(needs, chances, strict=True):
        if outcome is None:
            found[n] = extend(game, 0, n)
        elif chance:
            demand = (only(average, n), chance)
            fine, _ = game.best(average, demands=[demand], most_by_tricks=most, work=work)
            found[n] = extend(game, outcome, n) if fine is None else fine
    if not found:
        found[None] = extend(game, 0, 1)
    outcomes = tuple(dict.fromkeys(found.values()))
    goals = [(None, average, bound), *((n, only(average, n), most[n - 1]) for n in needs)]
    return outcomes, {
        goal: Fraction(limit, game.table.total)
        for goal, worth, limit in goals
        if limit > max(_value(game, outcome, worth) for outcome in outcomes)
    }


def extend(game: SuitGame, outcome: int, first: int) -> int:
    """An outcome that no other matches, with at least what an outcome has that can be won.

    Lies in which `first` tricks or more are won are added first, likely ones before others.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.layouts import lies_of
    >>> game = SuitGame(lies_of(SuitHolding.from_text("AQ", "32")))
    >>> sum(game.tricks(extend(game, 0, 2)))
    27
    """
    order = sorted(range(len(game.table.lies)), key=lambda lie: -game.table.lies[lie].weight)
    for tricks in (first, *range(1, game.levels + 1)):
        column = sum(1 << (game.stride * level) for level in range(tricks))
        outcome = _add(game, outcome, [column << lie for lie in order])
    return outcome


def _add(game: SuitGame, outcome: int, pieces: Sequence[int]) -> int:
    """With as many of the pieces as can be won, taken by halves."""
    more = outcome
    for piece in pieces:
        more |= piece
    if more == outcome or game.can_win(game.start, more):
        return more
    if len(pieces) == 1:
        return outcome
    half = len(pieces) // 2
    return _add(game, _add(game, outcome, pieces[:half]), pieces[half:])


def _value(game: SuitGame, outcome: int, worth: Worth) -> int:
    tricks = game.tricks(outcome)
    return sum(
        weight
        for n, by_lie in enumerate(worth, 1)
        for weight, count in zip(by_lie, tricks, strict=True)
        if count >= n
    )


def only(worth: Worth, need: int) -> Worth:
    """What a worth says of one number of tricks: of an average, the chance of them.

    >>> only([[5, 3], [5, 3]], 2)
    [[0, 0], [5, 3]]
    """
    return [by_lie if n == need else [0] * len(by_lie) for n, by_lie in enumerate(worth, 1)]
