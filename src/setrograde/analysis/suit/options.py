"""First plays: what each way to begin is worth with the best play afterwards.

A first play is a lead, and the card from the hand opposite if the next defender plays low. All play
after that is as good as it can be. So the finesse and the drop can be compared as lines, and a
player's idea can be judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from setrograde.bridge import InvalidInput, Rank, Seat
from setrograde.common.stop import StopFlag

from .fronts import Fronts
from .game import SuitGame, SuitReply
from .named import find_named_lines, worth
from .play import LineOutcome, SuitSolution

__all__ = ["FirstPlay", "TooManyLines", "first_plays", "named_lines"]


class TooManyLines(InvalidInput):
    """A suit with more lines than can be put side by side.

    >>> from setrograde.analysis.suit import solve_suit
    >>> first_plays(solve_suit("K5", "QT83"))
    Traceback (most recent call last):
    setrograde.analysis.suit.options.TooManyLines: too many lines to compare first plays: K5 / QT83
    """


@dataclass(frozen=True)
class FirstPlay:
    """A way to begin, and the outcomes it leads to.

    >>> from setrograde.analysis.suit import solve_suit
    >>> play = first_plays(solve_suit("AQ", "32"))[0]
    >>> str(play), play.best(need=2).probability(2)
    ('2 from South to the Q', Fraction(1, 2))
    """

    hand: Seat
    """The hand that leads: North or South."""

    card: Rank
    """The card led."""

    follow: Rank | None
    """The card of the hand opposite if the next defender plays low; `None` if it has none."""

    outcomes: tuple[LineOutcome, ...]
    """Undominated outcomes of lines that begin so."""

    def best(self, *, need: int | None = None) -> LineOutcome:
        """The outcome most likely to win `need` tricks, or the one with the best average."""
        return max(self.outcomes, key=lambda outcome: worth(outcome, need))

    def __str__(self) -> str:
        led = f"{self.card.letter} from {self.hand.name.title()}"
        return led if self.follow is None else f"{led} to the {self.follow.letter}"


def first_plays(
    solution: SuitSolution, *, need: int | None = None, stop: StopFlag | None = None
) -> tuple[FirstPlay, ...]:
    """Every way to begin, the best for `need` tricks (or on average) first.

    Raises `TooManyLines` for solutions that are not complete. A `StopFlag` given as `stop` ends the
    work with `Stopped`.
    """
    if not solution.is_complete:
        raise TooManyLines(f"too many lines to compare first plays: {solution.holding}")
    game = solution.game
    starts = _Starts(game, stop)
    found = []
    for hand, card in game.leads(game.start):
        for usual in game.followers(game.start, hand):
            front = starts.front(hand, card, usual)
            outcomes = tuple(LineOutcome(game.table, game.tricks(outcome)) for outcome in front)
            seat = Seat.SOUTH if hand else Seat.NORTH
            follow = None if usual is None else Rank(usual)
            found.append(FirstPlay(seat, Rank(card), follow, outcomes))

    def order(play: FirstPlay) -> tuple[Fraction, Fraction, int]:
        return *worth(play.best(need=need), need), -play.card

    found.sort(key=order, reverse=True)
    return tuple(found)


def named_lines(
    solution: SuitSolution, *, need: int | None = None, stop: StopFlag | None = None
) -> dict[str, LineOutcome]:
    """The best `finesse`, if there is one, and the `drop`.

    They are those of `find_named_lines`: the finesse is taken at once or after cashing, and the
    drop plays from the top. A `StopFlag` given as `stop` ends the work with `Stopped`.

    >>> from setrograde.analysis.suit import solve_suit
    >>> lines = named_lines(solve_suit("AKJ2", "T543"), need=4)
    >>> {name: round(float(line.probability(4)), 3) for name, line in lines.items()}
    {'finesse': 0.396, 'drop': 0.328}
    """
    found = dict[str, LineOutcome]()
    for line in find_named_lines(solution, need=need, stop=stop):
        found.setdefault("finesse" if line.is_finesse else "drop", line.outcome)
    return {name: found[name] for name in ("finesse", "drop") if name in found}


class _Starts:
    """Fronts of the lines that begin with given cards."""

    def __init__(self, game: SuitGame, stop: StopFlag | None) -> None:
        self.game = game
        self.stop = stop
        self.fronts = Fronts(game, stop)

    def front(self, hand: int, card: int, usual: int | None) -> tuple[int, ...]:
        """Outcomes of lines with this lead, and this card opposite if a defender plays low."""
        game = self.game
        replies = list(game.replies(game.start, 1 - hand, game.all_layouts))
        lowest = max((reply.run for reply in replies if reply.run is not None), default=None)
        front: tuple[int, ...] = (game.spread(game.all_layouts),)
        for first in replies:
            cards = [usual] if first.run == lowest else game.followers(game.start, hand)
            answers = self.answers(first, hand, card, cards)
            front = self.fronts.minima(front, answers, first.layouts, won=False)
        return front

    def answers(
        self, first: SuitReply, hand: int, card: int, cards: Iterable[int | None]
    ) -> tuple[int, ...]:
        """What declarer can win once the next defender has played."""
        game = self.game
        found: tuple[int, ...] = ()
        for follow in cards:
            front: tuple[int, ...] = (game.spread(first.layouts),)
            for last, after, won in game.trick_ends(first, hand, card, follow):
                later = game.front(after, stop=self.stop)
                front = self.fronts.minima(front, later, last.layouts, won=won)
            found = self.fronts.undominated((*found, *front))
        return found
