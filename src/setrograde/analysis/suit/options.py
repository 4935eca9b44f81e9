"""First plays: what each way to begin is worth with the best play afterwards.

A first play is a lead and the card from the hand opposite if the next defender plays low.
Everything else is as good as it can be. So the finesse and the drop can be compared as lines, and
a player's idea can be judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from .classes import card_classes
from .game import Reply, SuitGame
from .holding import format_ranks
from .lines import find_line, line_outcome, top_line
from .play import Outcome, SuitSolution

__all__ = ["FirstPlay", "TooManyLines", "first_plays", "named_lines"]

_MANY_LINES = 100  # combining their outcomes card by card takes too long beyond
_BEST_LINES = 50


class TooManyLines(ValueError):
    """A suit with more lines than can be put side by side.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.play import solve_suit
    >>> first_plays(solve_suit(SuitHolding.from_text("K5", "QT83")))
    Traceback (most recent call last):
    setrograde.analysis.suit.options.TooManyLines: too many lines to compare first plays: K5 / QT83
    """


@dataclass(frozen=True)
class FirstPlay:
    """A way to begin, and the outcomes it leads to.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.play import solve_suit
    >>> plays = first_plays(solve_suit(SuitHolding.from_text("AQ", "32")))
    >>> str(plays[0]), plays[0].best(need=2).probability(2)
    ('2 from South to the Q', Fraction(1, 2))
    """

    hand: int
    """Where it begins: 0 North, 1 South."""

    card: int
    """The card led, as a rank."""

    follow: int | None
    """The card opposite if the next defender plays low."""

    outcomes: tuple[Outcome, ...]
    """Undominated outcomes of lines that begin so."""

    def best(self, *, need: int | None = None) -> Outcome:
        """The likeliest of them to win `need` tricks, or the one with the best average."""
        return max(
            self.outcomes,
            key=lambda outcome: (
                outcome.average if need is None else outcome.probability(need),
                outcome.average,
            ),
        )

    def __str__(self) -> str:
        hand = ("North", "South")[self.hand]
        led = format_ranks(1 << self.card)
        if self.follow is None:
            return f"{led} from {hand}"
        return f"{led} from {hand} to the {format_ranks(1 << self.follow)}"


def first_plays(solution: SuitSolution, *, need: int | None = None) -> tuple[FirstPlay, ...]:
    """Every way to begin, the best for `need` tricks (or on average) first.

    Raises `TooManyLines` for solutions that are not complete.
    """
    if not solution.is_complete:
        raise TooManyLines(f"too many lines to compare first plays: {solution.holding}")
    game = solution.game
    found = []
    for hand, card in game.leads(game.start):
        replies = list(game.replies(game.start, 1 - hand, game.all_lies))
        lowest = max((reply.run for reply in replies if reply.run is not None), default=None)
        for usual in game.followers(game.start, hand):
            front: tuple[int, ...] = (game.spread(game.all_lies),)
            for first in replies:
                cards = [usual] if first.run == lowest else game.followers(game.start, hand)
                front = _combined(game, front, _answers(game, first, hand, card, cards), first.lies)
            outcomes = tuple(Outcome(game.table, game.tricks(outcome)) for outcome in front)
            found.append(FirstPlay(hand, card, usual, outcomes))

    def worth(play: FirstPlay) -> tuple[Fraction, Fraction, int]:
        best = play.best(need=need)
        first = best.average if need is None else best.probability(need)
        return first, best.average, -play.card

    found.sort(key=worth, reverse=True)
    return tuple(found)


def named_lines(solution: SuitSolution, *, need: int | None = None) -> dict[str, Outcome]:
    """The best line that begins with a finesse, if there is one, and the play from the top.

    A finesse leads to, or lets run, a card that a critical card of the defenders' beats.

    >>> from setrograde.analysis.suit.holding import SuitHolding
    >>> from setrograde.analysis.suit.play import solve_suit
    >>> lines = named_lines(solve_suit(SuitHolding.from_text("AKJ2", "T543")), need=4)
    >>> {name: round(float(line.probability(4)), 3) for name, line in lines.items()}
    {'finesse': 0.367, 'drop': 0.328}
    """
    classes = card_classes(solution.holding, outstanding=format_ranks(sum(solution.table.runs)))
    found = {}
    for card, follow, outcome in _starts(solution, need):
        highest = max(card, -1 if follow is None else follow)
        if classes.critical and classes.finesse >> highest & 1:
            found["finesse"] = outcome
            break
    found["drop"] = line_outcome(solution, top_line(solution))
    return found


def _starts(solution: SuitSolution, need: int | None) -> Iterator[tuple[int, int | None, Outcome]]:
    """First plays with their best outcomes, best first.

    All of them where that is quick; else those of the best lines, which can leave some out.
    """
    if solution.is_complete and len(solution.outcomes) <= _MANY_LINES:
        for play in first_plays(solution, need=need):
            yield play.card, play.follow, play.best(need=need)
        return
    ranked = sorted(
        solution.outcomes,
        key=lambda line: (line.average if need is None else line.probability(need), line.average),
        reverse=True,
    )
    for outcome in ranked[:_BEST_LINES]:
        line = find_line(solution, outcome)
        if line is not None:
            lowest = max((run for run in line.follow if run is not None), default=None)
            yield line.card, line.follow[lowest].card, outcome


def _answers(
    game: SuitGame, first: Reply, hand: int, card: int, cards: Iterable[int | None]
) -> tuple[int, ...]:
    """What declarer can win once the next defender has played."""
    found: tuple[int, ...] = ()
    for follow in cards:
        front: tuple[int, ...] = (game.spread(first.lies),)
        for last in game.replies(first.state, hand, first.lies):
            won = game.wins(card, follow, first.run, last.run)
            after = game.after_trick(last, hand, card, follow, won=won)
            later = game.front(after)
            if won:
                later = tuple(outcome << game.stride | last.lies for outcome in later)
            front = _combined(game, front, later, last.lies)
        found = _undominated((*found, *front))
    return found


def _combined(
    game: SuitGame, front: tuple[int, ...], other: tuple[int, ...], lies: int
) -> tuple[int, ...]:
    """The minimum of each pair in these lies."""
    elsewhere = game.spread(game.all_lies & ~lies)
    return _undominated({one & (two | elsewhere) for one in front for two in other})


def _undominated(outcomes: Iterable[int]) -> tuple[int, ...]:
    kept: list[int] = []
    for outcome in sorted(outcomes, key=int.bit_count, reverse=True):
        if all(outcome & ~other for other in kept):
            kept.append(outcome)
    return tuple(kept)
