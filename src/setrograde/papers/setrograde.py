"""Setrograde Analysis: retrograde analysis whose database holds sets of states.

A level of the database is built from the level below it. Take a state that no set covers yet,
find its value, widen it to the largest set that still has this value everywhere, store the set,
and go on until nothing is left. Stone, Sturtevant and Schaeffer, "Set-Based Retrograde Analysis"
(IJCAI 2025); Algorithms 1 to 3 are numbered as there. What a game must say is in `SetGame`.

Three points on which the paper leaves a choice:

- The oracle plays a whole set at once, by minimax over plays that are themselves sets, and gets
  two bounds. Where these do not settle the question (it may be unclear which of two low cards
  wins a trick), it splits the set and asks again. So it is exact, yet looks at single states
  only where nothing coarser will do.
- Independent states come from what is still unsolved, kept as a stack of disjoint sets. Covered
  states are cut away set by set and never listed.
- As printed, ORACLE returns true where some state has another value; what is meant, and done
  here, is the opposite.

This is plain Python, made to be read; it takes seconds for 8-card bridge endings. The native core
does the same for larger ones (`setrograde.db.methods.set_levels`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from setrograde.errors import InvalidInput
from setrograde.games.errors import InvalidGame
from setrograde.papers.partition_search import Player

__all__ = [
    "Bounds",
    "Entry",
    "Fault",
    "LevelDatabase",
    "LevelStatistics",
    "MissingState",
    "Oracle",
    "Outcome",
    "SetGame",
    "StateSet",
    "build_level",
    "build_levels",
    "verify_level",
]


class MissingState(KeyError):
    """A state that is not in the level it was looked for.

    >>> from setrograde.papers.tic_tac_toe_sets import TicTacToeSets
    >>> from setrograde.papers.tic_tac_toe import TicTacToeBoard
    >>> full, *_ = build_levels(TicTacToeSets(), 0)
    >>> full.probe(TicTacToeBoard())
    Traceback (most recent call last):
    ...
    setrograde.papers.setrograde.MissingState: \
"no set of level 0 holds TicTacToeBoard.from_text('... ... ...')"
    """


class StateSet(Hashable, Protocol):
    """What a set of states must be able to do; all its states are of one level.

    >>> from setrograde.db.endings.ending_sets import EndingSet
    >>> states: StateSet = EndingSet.from_text("NT 0xxx:1111")
    >>> len(states.split())
    3
    """

    @property
    def masks(self) -> tuple[int, ...]:
        """Bits for each of some places; sets without a common bit somewhere do not overlap."""
        ...

    def __contains__(self, state: Any, /) -> bool:
        """True if `state` is in the set."""
        ...

    def overlaps(self, other: Self, /) -> bool:
        """True if some state is in both sets; must not be false then."""
        ...

    def minus(self, other: Self, /) -> Sequence[Self]:
        """Disjoint sets which together hold the states that are not in `other`."""
        ...

    def split(self) -> Sequence[Self]:
        """Disjoint smaller sets which together are this one; none if it is a single state."""
        ...


class Bounds(NamedTuple):
    """The least and the greatest value that states of a set may have.

    >>> Bounds(0, 1) | Bounds(1, 2), Bounds(1, 1).value, Bounds(0, 1).value
    (Bounds(low=0, high=2), 1, None)
    """

    low: int
    """No state is worth less."""

    high: int
    """No state is worth more."""

    @property
    def value(self) -> int | None:
        """What every state is worth, `None` if the bounds differ."""
        return self.low if self.low == self.high else None

    def __or__(self, other: Bounds) -> Bounds:
        return Bounds(min(self.low, other.low), max(self.high, other.high))


# Of no states everything is true; neutral for `|`.
_NO_STATES = Bounds(1 << 62, -1 << 62)

State = TypeVar("State", bound=Hashable)
States = TypeVar("States", bound=StateSet)
Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[States]):
    """Where a line of play ends: its value is `base + sign * value of the states`.

    >>> Outcome(base=2).bounds(Bounds(0, 0)), Outcome(3, -1, "any set").bounds(Bounds(1, 2))
    (Bounds(low=2, high=2), Bounds(low=1, high=2))
    """

    base: int
    """What this line of play has brought, or the whole value where the game is over."""

    sign: int = 0
    """1, or -1 if the level below counts for the other side, or 0 where the game is over."""

    states: States | None = None
    """The states of the level below that were reached, `None` where the game is over."""

    def bounds(self, below: Bounds) -> Bounds:
        """The outcome's bounds, given those of `states`."""
        low, high = sorted((self.base + self.sign * below.low, self.base + self.sign * below.high))
        return Bounds(low, high)


class SetGame(ABC, Generic[State, States, Line]):
    """A game as Setrograde Analysis sees it.

    Level 0 has the states that need no other level; every move of level d ends at level d - 1 or
    ends the game. A `Line` is a set of states together with what was played since.

    >>> from setrograde.papers.tic_tac_toe_sets import TicTacToeSets
    >>> game = TicTacToeSets()
    >>> [str(states) for states in game.universe(9)]
    ['... ... ...']
    """

    @abstractmethod
    def universe(self, level: int) -> Iterable[States]:
        """All states of a level, as disjoint sets that are solved one by one."""

    @abstractmethod
    def partition(self, states: States) -> Hashable:
        """Which set of `universe` these states come from, as a key."""

    @abstractmethod
    def single(self, state: State) -> States:
        """The set of one state."""

    @abstractmethod
    def pick(self, states: States) -> State | None:
        """Some state of the set, `None` if there is none; always the same one."""

    @abstractmethod
    def freedoms(self, state: State) -> Sequence[int]:
        """In how many directions a state can be widened, and by how many steps in each."""

    @abstractmethod
    def widen(self, state: State, steps: Sequence[int]) -> States:
        """The set after the given number of steps in each direction; it grows with the steps."""

    @abstractmethod
    def unite(self, sets: Sequence[States]) -> Sequence[States]:
        """Fewer sets with the same union, where the game has a way to write one."""

    @abstractmethod
    def start(self, states: States) -> Line:
        """The line before anything is played."""

    @abstractmethod
    def player(self, line: Line) -> Player | None:
        """Whose turn it is, `None` if there is nothing to play in any of the states."""

    @abstractmethod
    def plays(self, line: Line) -> Sequence[Line]:
        """The plays that exist in at least one of the states."""

    @abstractmethod
    def must_have(self, line: Line, plays: Sequence[Line]) -> bool:
        """True if each state has one of `plays`; always true of all plays together."""

    @abstractmethod
    def outcomes(self, line: Line) -> Sequence[Outcome[States]]:
        """How the line may have ended in some of the states; empty if in none."""


@dataclass(frozen=True, slots=True)
class Entry(Generic[States]):
    """One set of the database with the value that all its states share.

    >>> Entry(frozenset({1, 2}), 3).value
    3
    """

    states: States
    """The set."""

    value: int
    """What each of its states is worth."""


@dataclass(frozen=True, slots=True)
class LevelStatistics:
    """What a level cost and holds; the same on every machine.

    >>> LevelStatistics(partitions=1, sets_found=8, sets=5, questions=30).sets
    5
    """

    partitions: int
    """Sets of the universe, each solved on its own."""

    sets_found: int
    """Sets before compaction, which is also the number of states that were solved singly."""

    sets: int
    """Sets stored."""

    questions: int
    """Candidate sets put to the oracle."""


class LevelDatabase(Generic[State, States, Line]):
    """The values of all states of one level.

    >>> from setrograde.db.endings.ending_sets import EndingSets
    >>> from setrograde.db.endings.states import Ending
    >>> _, last_trick = build_levels(EndingSets(), 1)
    >>> state = Ending(("", "", "", "0123"))
    >>> last_trick.probe(state), str(last_trick.find(state).states)
    (1, 'NT [02]xxx:1111')
    """

    def __init__(
        self,
        game: SetGame[State, States, Line],
        level: int,
        entries: Mapping[Hashable, Sequence[Entry[States]]],
        statistics: LevelStatistics,
    ) -> None:
        self._game = game
        self._entries = {key: tuple(found) for key, found in entries.items()}
        self._trees = {key: _Tree(found) for key, found in self._entries.items()}
        self.level = level
        self.statistics = statistics

    def __len__(self) -> int:
        """The number of sets."""
        return self.statistics.sets

    def __iter__(self) -> Iterator[Entry[States]]:
        """All entries, partition by partition."""
        for entries in self._entries.values():
            yield from entries

    def entries(self, states: States) -> tuple[Entry[States], ...]:
        """The entries of the partition that `states` belongs to."""
        return self._entries.get(self._game.partition(states), ())

    def find(self, state: State) -> Entry[States]:
        """An entry that holds `state`."""
        states = self._game.single(state)
        for entry in self._iter_near(states):
            if entry.states.overlaps(states):
                return entry
        raise MissingState(f"no set of level {self.level} holds {state!r}")

    def probe(self, state: State) -> int:
        """The value of `state`."""
        return self.find(state).value

    def bounds(self, states: States) -> Bounds:
        """The least and greatest value of entries that overlap `states`: one query, many states.

        >>> from setrograde.db.endings.ending_sets import EndingSet, EndingSets
        >>> _, last_trick = build_levels(EndingSets(), 1)
        >>> last_trick.bounds(EndingSet.from_text("NT [012]xxx:1111"))
        Bounds(low=0, high=1)
        """
        found = _NO_STATES
        for entry in self._iter_near(states):
            if not found.low <= entry.value <= found.high and entry.states.overlaps(states):
                found |= Bounds(entry.value, entry.value)
        return found

    def _iter_near(self, states: States) -> Iterator[Entry[States]]:
        tree = self._trees.get(self._game.partition(states))
        return iter(()) if tree is None else tree.iter_near(states.masks)


class _Tree(Generic[States]):
    """Entries by their masks, a place at a time; a branch without a common bit is passed over."""

    def __init__(self, entries: Iterable[Entry[States]]) -> None:
        self._root: dict[int, Any] = {}
        self._depth = 0
        for entry in entries:
            *path, last = entry.states.masks or (1,)
            self._depth = len(path)
            node = self._root
            for mask in path:
                node = node.setdefault(mask, {})
            node.setdefault(last, []).append(entry)

    def iter_near(self, masks: tuple[int, ...]) -> Iterator[Entry[States]]:
        """Entries with a common bit at every place."""
        nodes: list[Any] = [self._root]
        for wanted in (masks or (1,))[: self._depth + 1]:
            nodes = [child for node in nodes for mask, child in node.items() if mask & wanted]
        for entries in nodes:
            yield from entries


class Oracle(Generic[State, States, Line]):
    """Decides whether all states of a set share a value (ORACLE of Algorithm 3), exactly.

    >>> from setrograde.db.endings.ending_sets import EndingSet, EndingSets
    >>> game = EndingSets()
    >>> level_0, level_1 = build_levels(game, 1)
    >>> oracle = Oracle(game, level_1)
    >>> oracle.is_consistent(EndingSet.from_text("NT 00xxxxxx:2222"), 2)
    True
    >>> oracle.is_consistent(EndingSet.from_text("NT 0xxxxxxx:2222"), 2)
    False
    """

    def __init__(
        self,
        game: SetGame[State, States, Line],
        below: LevelDatabase[State, States, Line] | None,
    ) -> None:
        self._game = game
        self._below = below
        self._known: dict[States, Bounds] = {}
        self._played: dict[States, Bounds] = {}
        self.questions = 0
        """The number of questions put to `is_consistent`."""

    def value(self, state: State) -> int:
        """What one state is worth (databaseLookup of Algorithm 3)."""
        bounds = self.bounds(self._game.single(state))
        if bounds.value is None:
            raise InvalidGame(
                f"{state!r} is worth from {bounds.low} to {bounds.high} (expected outcomes and"
                " plays of a single state to be exact)"
            )
        return bounds.value

    def is_consistent(self, states: States, value: int) -> bool:
        """True if every state of the set, which must not be empty, is worth `value`."""
        self.questions += 1
        return self._all_worth(states, value)

    def _all_worth(self, states: States, value: int) -> bool:
        bounds = self.bounds(states)
        if bounds.value == value:
            return True
        if not bounds.low <= value <= bounds.high:
            return False
        parts = [part for part in states.split() if self._game.pick(part) is not None]
        return bool(parts) and all(self._all_worth(part, value) for part in parts)

    def bounds(self, states: States) -> Bounds:
        """Bounds by minimax, all states of the set played at once."""
        bounds = self._played.get(states)
        if bounds is None:
            bounds = self._play(self._game.start(states))
            self._played[states] = bounds
        return bounds

    def _play(self, line: Line) -> Bounds:
        ended = _NO_STATES
        for outcome in self._game.outcomes(line):
            ended |= self._worth(outcome)
        player = self._game.player(line)
        if player is None:
            return ended
        plays = [(play, self._play(play)) for play in self._game.plays(line)]
        if not plays:
            return ended
        if player is Player.MAX:
            return ended | Bounds(self._assured(line, plays), max(b.high for _, b in plays))
        turned = [(play, Bounds(-b.high, -b.low)) for play, b in plays]
        return ended | Bounds(min(b.low for _, b in plays), -self._assured(line, turned))

    def _assured(self, line: Line, plays: Sequence[tuple[Line, Bounds]]) -> int:
        """The most that the player gets in every state: each has a play that is worth as much."""
        lows = sorted({bounds.low for _, bounds in plays}, reverse=True)
        for low in lows[:-1]:
            if self._game.must_have(line, [play for play, b in plays if b.low >= low]):
                return low
        return lows[-1]

    def _worth(self, outcome: Outcome[States]) -> Bounds:
        if outcome.states is None:
            return Bounds(outcome.base, outcome.base)
        below = self._known.get(outcome.states)
        if below is None:
            if self._below is None:
                raise InvalidGame(f"level 0 leads to {outcome.states!r} (expected no moves)")
            below = self._below.bounds(outcome.states)
            self._known[outcome.states] = below
        return below if below is _NO_STATES else outcome.bounds(below)


def build_levels(
    game: SetGame[State, States, Line], highest: int
) -> tuple[LevelDatabase[State, States, Line], ...]:
    """The databases of levels 0 to `highest` (Algorithm 2).

    >>> from setrograde.papers.tic_tac_toe_sets import TicTacToeSets
    >>> full, last_move = build_levels(TicTacToeSets(), 1)
    >>> len(full), len(last_move)
    (32, 170)
    """
    if highest < 0:
        raise InvalidInput(f"not a level: {highest} (expected 0 or more)")
    levels: list[LevelDatabase[State, States, Line]] = []
    for level in range(highest + 1):
        levels.append(build_level(game, level, levels[-1] if levels else None))
    return tuple(levels)


def build_level(
    game: SetGame[State, States, Line],
    level: int,
    below: LevelDatabase[State, States, Line] | None,
    *,
    universe: Iterable[States] | None = None,
) -> LevelDatabase[State, States, Line]:
    """One level from the level below; `universe` restricts it to some partitions.

    >>> from setrograde.db.endings.ending_sets import EndingSet, EndingSets
    >>> game = EndingSets()
    >>> level_0, level_1 = build_levels(game, 1)
    >>> spades = EndingSet.from_text("NT xxxxxxxx:2222")
    >>> part = build_level(game, 2, level_1, universe=[spades])
    >>> part.statistics.sets_found, part.statistics.sets
    (37, 17)
    """
    oracle = Oracle(game, below)
    entries: dict[Hashable, list[Entry[States]]] = {}
    sets_found = 0
    for states in game.universe(level) if universe is None else universe:
        found = _solve_partition(game, oracle, states)
        sets_found += len(found)
        entries[game.partition(states)] = _compacted(game, found)
    statistics = LevelStatistics(
        partitions=len(entries),
        sets_found=sets_found,
        sets=sum(len(found) for found in entries.values()),
        questions=oracle.questions,
    )
    return LevelDatabase(game, level, entries, statistics)


def _solve_partition(
    game: SetGame[State, States, Line], oracle: Oracle[State, States, Line], universe: States
) -> list[Entry[States]]:
    found: list[Entry[States]] = []
    # Sets that share no state with each other nor with the first `seen` sets found.
    unsolved = [(universe, 0)]
    while unsolved:
        states, seen = unsolved.pop()
        if seen < len(found):
            rest = states.minus(found[seen].states)
            unsolved += [(part, seen + 1) for part in reversed(rest)]
            continue
        state = game.pick(states)
        if state is not None:
            value = oracle.value(state)
            found.append(Entry(_generalise(game, oracle, state, value), value))
            unsolved.append((states, seen))
    return found


def _generalise(
    game: SetGame[State, States, Line],
    oracle: Oracle[State, States, Line],
    state: State,
    value: int,
) -> States:
    """The widest consistent set, one direction after another (generalizeToSet).

    More steps never lose a state, so in each direction a binary search finds the last step
    that is consistent.
    """
    freedoms = game.freedoms(state)
    steps = [0] * len(freedoms)
    for direction, most in enumerate(freedoms):
        low, high = 0, most
        while low < high:
            steps[direction] = middle = (low + high + 1) // 2
            if oracle.is_consistent(game.widen(state, steps), value):
                low = middle
            else:
                high = middle - 1
        steps[direction] = low
    return game.widen(state, steps)


def _compacted(
    game: SetGame[State, States, Line], entries: Sequence[Entry[States]]
) -> list[Entry[States]]:
    """Fewer entries that say the same (compactEDB)."""
    values = dict.fromkeys(entry.value for entry in entries)
    return [
        Entry(states, value)
        for value in values
        for states in game.unite([entry.states for entry in entries if entry.value == value])
    ]


@dataclass(frozen=True, slots=True)
class Fault(Generic[States]):
    """States for which a database is wrong or silent.

    >>> Fault(frozenset({7}), claimed=None).claimed is None
    True
    """

    states: States
    """Some of them are not worth `claimed`, or no set holds them."""

    claimed: int | None
    """What the database says, `None` if nothing."""


def verify_level(
    database: LevelDatabase[State, States, Line],
    below: LevelDatabase[State, States, Line] | None,
    game: SetGame[State, States, Line],
    *,
    universe: Iterable[States] | None = None,
) -> tuple[Fault[States], ...]:
    """Re-derive a level from the one below: every state has a set, every set one value.

    Exact, not a sample; an empty answer is a proof if the level below is right.

    >>> from setrograde.db.endings.ending_sets import EndingSets
    >>> game = EndingSets()
    >>> level_0, level_1 = build_levels(game, 1)
    >>> verify_level(level_1, level_0, game)
    ()
    """
    oracle = Oracle(game, below)
    faults: list[Fault[States]] = []
    for states in game.universe(database.level) if universe is None else universe:
        rest = [states]
        for entry in database.entries(states):
            if not oracle.is_consistent(entry.states, entry.value):
                faults.append(Fault(entry.states, entry.value))
            rest = [part for piece in rest for part in piece.minus(entry.states)]
        faults += [Fault(piece, None) for piece in rest if game.pick(piece) is not None]
    return tuple(faults)
