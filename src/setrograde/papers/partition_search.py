"""Partition search: alpha-beta whose table holds sets of positions.

A transposition table answers a position met before. Here a table entry is a set of positions
that share an answer for the same reason, so it answers positions never met. The game says which
sets there are (`PartitionGame`); `PartitionSearch` does the rest.

Ginsberg, "Partition Search" (AAAI 1996); definitions and algorithms are numbered as there.
Two departures from its Figure 2:

- An entry stores the bounds that its search proved, not the window it was searched with, so it
  answers every window that the bounds settle. A search that returns v for a window [x, y] proves
  "at most v" if v <= x, "at least v" if v >= y, and "v" in between.
- The figure returns S_new itself on a cut-off. That set holds the successor, not the position;
  what must be returned is R(p, S_new).

The searches go one level deeper with each move. The levels are kept in a list, not in Python's own
stack, so a game may be of any length.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import nextafter
from typing import Any, Generic, Protocol, Self, TypeVar

from setrograde.errors import InvalidInput
from setrograde.games.errors import InvalidGame

__all__ = [
    "FULL_WINDOW",
    "Game",
    "InvalidWindow",
    "PartitionGame",
    "PartitionSearch",
    "Player",
    "PositionSet",
    "SinglePositions",
    "Statistics",
    "Verdict",
]

FULL_WINDOW = (0.0, 1.0)
"""The window that holds every value."""

_LOWEST, _HIGHEST = FULL_WINDOW


class InvalidWindow(InvalidInput):
    """A window or a guess that is not within 0 and 1.

    >>> from setrograde.papers.tic_tac_toe import TicTacToeBoard
    >>> from setrograde.papers.tic_tac_toe_partitions import TicTacToePartitions
    >>> PartitionSearch(TicTacToePartitions()).search(TicTacToeBoard(), window=(0.5, 0.5))
    Traceback (most recent call last):
    ...
    setrograde.papers.partition_search.InvalidWindow: not a window: (0.5, 0.5) (expected 0 <= x < \
y <= 1)
    """


class Player(Enum):
    """Whose turn it is: the player who wants a high value, or the one who wants a low one.

    >>> Player.MAX
    Player.MAX
    """

    MAX = "max"
    MIN = "min"

    def __repr__(self) -> str:
        return f"Player.{self.name}"


class PositionSet(Hashable, Protocol):
    """What a set of positions must be able to do; a `frozenset` will serve.

    >>> positions: PositionSet = frozenset({1, 2}) & frozenset({2, 3})
    >>> 2 in positions
    True
    """

    def __contains__(self, position: Any, /) -> bool:
        """True if `position` is in the set."""
        ...

    def __and__(self, other: Any, /) -> Self:
        """The positions in both sets, or fewer."""
        ...


Position = TypeVar("Position", bound=Hashable)
Positions = TypeVar("Positions", bound=PositionSet)


class Game(ABC, Generic[Position]):
    """A game between two players without chance, hidden cards or repetition (Definition 1).

    >>> class TakeOneOrTwo(Game[tuple[int, Player]]):
    ...     "Take one or two matches in turn; who takes the last one wins."
    ...
    ...     def successors(self, position: tuple[int, Player]) -> list[tuple[int, Player]]:
    ...         matches, player = position
    ...         other = Player.MIN if player is Player.MAX else Player.MAX
    ...         return [(matches - taken, other) for taken in (1, 2) if taken <= matches]
    ...
    ...     def evaluate(self, position: tuple[int, Player]) -> Player | float:
    ...         matches, player = position
    ...         if matches:
    ...             return player
    ...         return 0.0 if player is Player.MAX else 1.0
    >>> search = PartitionSearch(SinglePositions(TakeOneOrTwo()))
    >>> [search.solve((matches, Player.MAX)).value for matches in range(1, 8)]
    [1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    """

    @abstractmethod
    def successors(self, position: Position) -> Sequence[Position]:
        """The positions one move on, likely best first; empty where the game is over."""

    @abstractmethod
    def evaluate(self, position: Position) -> Player | float:
        """Whose turn it is; where the game is over, its value from 0 to 1."""


class PartitionGame(Game[Position], Generic[Position, Positions]):
    """A game with a partition system: P, R and C of Definition 7.

    All three return a set that holds `position` and that respects `evaluate`: in all its
    positions the same player is to move, or the game is over with the same value. The larger
    the sets, the faster the search.

    >>> from setrograde.papers.tic_tac_toe import TicTacToeBoard
    >>> from setrograde.papers.tic_tac_toe_partitions import TicTacToePartitions
    >>> game = TicTacToePartitions()
    >>> before = TicTacToeBoard.from_text("XX. OO. ...")
    >>> after = before.play(2)
    >>> won = game.generalise(after)
    >>> won, game.can_reach(before, after, won)
    (BoardPattern.from_text('XXX ??? ???, over'), BoardPattern.from_text('XX. ??? ???, X to move'))
    """

    @abstractmethod
    def generalise(self, position: Position) -> Positions:
        """P: positions that are over with the same value for the same reason."""

    @abstractmethod
    def can_reach(self, position: Position, successor: Position, positions: Positions) -> Positions:
        """R: positions with a move into `positions`, as `position` has to `successor`."""

    @abstractmethod
    def must_reach(self, position: Position, union: Sequence[Positions]) -> Positions:
        """C: positions whose every move leads into some set of `union`.

        There is one set for each successor of `position`, in the order of `successors`.
        """

    def bucket(self, positions: Positions) -> Hashable:
        """Where the table files a set: anything cheap that tells sets apart."""
        return None

    def buckets(self, position: Position) -> Iterable[Hashable]:
        """Every bucket where a set that holds `position` may be filed."""
        return (None,)


class SinglePositions(PartitionGame[Position, frozenset[Position]]):
    """Any game, with sets of one position: partition search is then Algorithm 4.

    That is alpha-beta with a plain transposition table, here to measure against.

    >>> from setrograde.papers.tic_tac_toe import TicTacToeBoard
    >>> from setrograde.papers.tic_tac_toe_partitions import TicTacToePartitions
    >>> plain = PartitionSearch(SinglePositions(TicTacToePartitions()))
    >>> plain.solve(TicTacToeBoard.from_text("XX. OO. ..."))
    Verdict(positions=frozenset({TicTacToeBoard.from_text('XX. OO. ...')}), lower=1.0, upper=1.0)
    """

    def __init__(self, game: Game[Position]) -> None:
        self._game = game

    def successors(self, position: Position) -> Sequence[Position]:
        """As in the game."""
        return self._game.successors(position)

    def evaluate(self, position: Position) -> Player | float:
        """As in the game."""
        return self._game.evaluate(position)

    def generalise(self, position: Position) -> frozenset[Position]:
        """The position alone."""
        return frozenset((position,))

    def can_reach(
        self, position: Position, successor: Position, positions: frozenset[Position]
    ) -> frozenset[Position]:
        """The position alone."""
        return frozenset((position,))

    def must_reach(
        self, position: Position, union: Sequence[frozenset[Position]]
    ) -> frozenset[Position]:
        """The position alone."""
        return frozenset((position,))

    def bucket(self, positions: frozenset[Position]) -> Hashable:
        """The position itself, so a look-up is one step."""
        (position,) = positions
        return position

    def buckets(self, position: Position) -> Iterable[Hashable]:
        """The position itself."""
        return (position,)


@dataclass(frozen=True, slots=True)
class Verdict(Generic[Positions]):
    """What is proved of every position in a set; `&` joins two proofs.

    >>> at_least = Verdict(frozenset({1, 2}), 0.5, 1.0)
    >>> at_most = Verdict(frozenset({2, 3}), 0.0, 0.5)
    >>> at_least & at_most, (at_least & at_most).value, at_least.value
    (Verdict(positions=frozenset({2}), lower=0.5, upper=0.5), 0.5, None)
    """

    positions: Positions
    """The set it holds for."""

    lower: float
    """No position in the set is worth less."""

    upper: float
    """No position in the set is worth more."""

    @property
    def value(self) -> float | None:
        """What every position in the set is worth, `None` if only bounds are known."""
        return self.lower if self.lower == self.upper else None

    def settles(self, x: float, y: float) -> bool:
        """True if a search with the window [x, y] could not tell more.

        >>> Verdict(frozenset({1}), 0.5, 1.0).settles(0.25, 0.5)
        True
        >>> Verdict(frozenset({1}), 0.5, 1.0).settles(0.25, 0.75)
        False
        """
        return self.upper <= x or self.lower >= y or self.lower == self.upper

    def __and__(self, other: Verdict[Positions]) -> Verdict[Positions]:
        return Verdict(
            self.positions & other.positions,
            max(self.lower, other.lower),
            min(self.upper, other.upper),
        )


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a search has cost so far; the same on every machine.

    >>> Statistics(visited=5, expanded=2, hits=1, entries=4).hits
    1
    """

    visited: int
    """Positions asked about."""

    expanded: int
    """Positions whose successors were looked at."""

    hits: int
    """Positions answered by the table."""

    entries: int
    """Sets in the table."""


_Level = Generator[tuple[Position, float, float], Verdict[Positions], Verdict[Positions]]
"""The search of one position: asks about successors and ends with a verdict."""


class PartitionSearch(Generic[Position, Positions]):
    """Partition search (Algorithm 9) with a table that is kept from question to question.

    >>> from setrograde.papers.tic_tac_toe import TicTacToeBoard
    >>> from setrograde.papers.tic_tac_toe_partitions import TicTacToePartitions
    >>> search = PartitionSearch(TicTacToePartitions())
    >>> verdict = search.solve(TicTacToeBoard.from_text("XX. O.. O.X"))
    >>> verdict.value, str(verdict.positions)
    (1.0, 'XX. ?.. ??X, O to move')
    >>> search.statistics.expanded
    3
    """

    def __init__(self, game: PartitionGame[Position, Positions]) -> None:
        self._game = game
        self._table = _Table(game)
        self._visited = self._expanded = self._hits = 0

    @property
    def statistics(self) -> Statistics:
        """What all questions together have cost."""
        return Statistics(self._visited, self._expanded, self._hits, len(self._table))

    def iter_verdicts(self) -> Iterator[Verdict[Positions]]:
        """Everything proved so far.

        >>> from setrograde.papers.tic_tac_toe import TicTacToeBoard
        >>> from setrograde.papers.tic_tac_toe_partitions import TicTacToePartitions
        >>> search = PartitionSearch(TicTacToePartitions())
        >>> _ = search.solve(TicTacToeBoard.from_text("XX. OO. ..."))
        >>> [(str(verdict.positions), verdict.value) for verdict in search.iter_verdicts()]
        [('XXX ??? ???, over', 1.0), ('XX. ??? ???, X to move', 1.0)]
        """
        return iter(self._table)

    def search(
        self, position: Position, *, window: tuple[float, float] = FULL_WINDOW
    ) -> Verdict[Positions]:
        """Search once: the exact value if it lies strictly within `window`, else a bound.

        The verdict always settles the window. Every value is within the full window, or at its
        end, where the bound is exact too.
        """
        x, y = window
        if not _LOWEST <= x < y <= _HIGHEST:
            raise InvalidWindow(f"not a window: {window} (expected 0 <= x < y <= 1)")
        return self._search(position, x, y)

    def solve(self, position: Position, *, first_guess: float = 0.5) -> Verdict[Positions]:
        """The exact value, by zero-window searches from `first_guess`.

        Each search asks only whether the value is above a number, which makes for larger sets;
        its answer is the next number to ask about. A good guess needs two searches or one.
        """
        if not _LOWEST <= first_guess <= _HIGHEST:
            raise InvalidWindow(f"not a guess: {first_guess} (expected 0 to 1)")
        at_least: Verdict[Positions] | None = None
        at_most: Verdict[Positions] | None = None
        asked = min(first_guess, nextafter(_HIGHEST, _LOWEST))
        while True:
            verdict = self._search(position, asked, nextafter(asked, _HIGHEST))
            if verdict.value is not None:
                return verdict
            if verdict.lower > asked:
                at_least, asked = verdict, verdict.lower
            else:
                at_most, asked = verdict, nextafter(verdict.upper, _LOWEST)
            if at_least is None or at_most is None or at_least.lower < at_most.upper:
                continue
            if at_least.lower > at_most.upper:
                raise InvalidGame(
                    f"{position!r} is worth at least {at_least.lower} and at most"
                    f" {at_most.upper} (expected P, R and C to keep to Definition 7)"
                )
            return at_least & at_most

    def _search(self, position: Position, x: float, y: float) -> Verdict[Positions]:
        """A verdict that holds for `position` and settles [x, y]."""
        levels = [self._iter_questions(position, x, y)]
        answer: Verdict[Positions] | None = None
        while True:
            try:
                # The first answer is nothing: it starts the level.
                question = levels[-1].send(answer)  # type: ignore[arg-type]
            except StopIteration as end:
                levels.pop()
                answer = end.value
                if not levels:
                    assert answer is not None
                    return answer
            else:
                levels.append(self._iter_questions(*question))
                answer = None

    def _iter_questions(
        self, position: Position, x: float, y: float
    ) -> _Level[Position, Positions]:
        """Ask about successors, with a window for each; return the verdict on `position`."""
        self._visited += 1
        known = self._table.find(position, x, y)
        if known is not None:
            self._hits += 1
            return known
        value = self._game.evaluate(position)
        if value is Player.MAX:
            verdict = yield from self._maximise(position, x, y)
        elif value is Player.MIN:
            verdict = yield from self._minimise(position, x, y)
        else:
            verdict = self._finished(position, value)
        if position not in verdict.positions:
            raise InvalidGame(f"{position!r} is not in its own set: {verdict.positions!r}")
        self._table.add(verdict)
        return verdict

    def _finished(self, position: Position, value: float) -> Verdict[Positions]:
        if not _LOWEST <= value <= _HIGHEST:
            raise InvalidGame(f"not a value: {value!r} of {position!r} (expected 0 to 1)")
        return Verdict(self._game.generalise(position), value, value)

    def _maximise(self, position: Position, x: float, y: float) -> _Level[Position, Positions]:
        best, best_move = _LOWEST, None
        union = []
        for successor in self._expand(position):
            reply = yield successor, max(best, x), y
            if reply.lower >= y:
                reached = self._game.can_reach(position, successor, reply.positions)
                return Verdict(reached, reply.lower, _HIGHEST)
            if reply.upper > best:
                best, best_move = reply.upper, (successor, reply.positions)
            union.append(reply.positions)
        constrained = self._game.must_reach(position, union)
        if best <= x or best_move is None:
            return Verdict(constrained, _LOWEST, best)
        # The paper's dagger: the best move must be there, and no better one.
        reached = self._game.can_reach(position, *best_move)
        return Verdict(reached & constrained, best, best)

    def _minimise(self, position: Position, x: float, y: float) -> _Level[Position, Positions]:
        best, best_move = _HIGHEST, None
        union = []
        for successor in self._expand(position):
            reply = yield successor, x, min(best, y)
            if reply.upper <= x:
                reached = self._game.can_reach(position, successor, reply.positions)
                return Verdict(reached, _LOWEST, reply.upper)
            if reply.lower < best:
                best, best_move = reply.lower, (successor, reply.positions)
            union.append(reply.positions)
        constrained = self._game.must_reach(position, union)
        if best >= y or best_move is None:
            return Verdict(constrained, best, _HIGHEST)
        reached = self._game.can_reach(position, *best_move)
        return Verdict(reached & constrained, best, best)

    def _expand(self, position: Position) -> Sequence[Position]:
        self._expanded += 1
        successors = self._game.successors(position)
        if not successors:
            raise InvalidGame(
                f"no successors of {position!r} (expected a value from evaluate where the game"
                f" is over, found {self._game.evaluate(position)!r})"
            )
        return successors


class _Table(Generic[Position, Positions]):
    """Verdicts by bucket; one for each set, tightened when more is proved of it."""

    def __init__(self, game: PartitionGame[Position, Positions]) -> None:
        self._game = game
        self._buckets: dict[Hashable, dict[Positions, Verdict[Positions]]] = {}

    def find(self, position: Position, x: float, y: float) -> Verdict[Positions] | None:
        """Any verdict on `position` that settles [x, y]."""
        for bucket in self._game.buckets(position):
            for verdict in self._buckets.get(bucket, {}).values():
                if verdict.settles(x, y) and position in verdict.positions:
                    return verdict
        return None

    def add(self, verdict: Verdict[Positions]) -> None:
        bucket = self._buckets.setdefault(self._game.bucket(verdict.positions), {})
        known = bucket.get(verdict.positions, verdict)
        bucket[verdict.positions] = Verdict(
            verdict.positions, max(verdict.lower, known.lower), min(verdict.upper, known.upper)
        )

    def __iter__(self) -> Iterator[Verdict[Positions]]:
        for bucket in self._buckets.values():
            yield from bucket.values()

    def __len__(self) -> int:
        return sum(map(len, self._buckets.values()))
