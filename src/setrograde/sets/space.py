"""Spaces of boards: the places of a board and the letters that may stand on each.

A board is a string with one letter for each place. All sets of a space share one store of nodes in
the core, so that equal sets are one node and sets that have much in common cost little more than
one of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from setrograde import _core
from setrograde.common.memory import check_limit_mb
from setrograde.common.stop import StopFlag, check_stop

from .board_set import BoardSet
from .errors import InvalidPlacement, InvalidSet, OutOfRoom

__all__ = ["MAX_PLACES", "MAX_SYMBOLS", "BoardSpace"]

MAX_PLACES = 256
"""The most places of a board."""

MAX_SYMBOLS = 64
"""The most letters of a place."""

_MOST_WEIGHT = 1000
_BATCH = 4096
_CHECK_BOARDS = 1024
T = TypeVar("T")


class BoardSpace:
    """All boards with these alphabets, one for each place.

    `limit_mb` is how much memory the nodes of all its sets may take, with the tables that find
    them; beyond it `OutOfRoom` is raised, and the sets that exist stay valid. `stop` is a flag that
    stops every operation on the sets of the space; `stopping` gives one for a block of code.

    >>> space = BoardSpace(["ab", "xyz"])
    >>> space.everything.count
    6
    >>> list(space.at(0, "b") & space.at(1, "xz"))
    ['bx', 'bz']
    """

    def __init__(
        self, alphabets: Iterable[str], *, limit_mb: int = 1024, stop: StopFlag | None = None
    ) -> None:
        self._alphabets = tuple(alphabets)
        if not 1 <= len(self._alphabets) <= MAX_PLACES:
            raise InvalidSet(
                f"not a board: {len(self._alphabets)} places (expected 1 to {MAX_PLACES})"
            )
        for place, letters in enumerate(self._alphabets):
            if not 1 <= len(letters) <= MAX_SYMBOLS or len(set(letters)) < len(letters):
                raise InvalidSet(
                    f"not an alphabet: {letters!r} at place {place}"
                    f" (expected 1 to {MAX_SYMBOLS} different letters)"
                )
        self._limit_mb = check_limit_mb(limit_mb)
        self._stop = stop
        self._of_thread = threading.local()
        self._numbers = tuple(
            [{letter: number for number, letter in enumerate(a)} for a in self._alphabets]
        )
        self._forest = _core.Forest([len(a) for a in self._alphabets], limit_mb << 20)

    @property
    def alphabets(self) -> tuple[str, ...]:
        """What may stand on each place."""
        return self._alphabets

    @property
    def places(self) -> int:
        """The number of places."""
        return len(self._alphabets)

    @property
    def limit_mb(self) -> int:
        """Megabytes of memory for all sets of the space."""
        return self._limit_mb

    @property
    def nothing(self) -> BoardSet:
        """The empty set."""
        return self.wrap(_core.set_of_nothing(self._forest))  # not kept: it would keep the space

    @property
    def everything(self) -> BoardSet:
        """The set of all boards."""
        return ~self.nothing

    @property
    def forest(self) -> _core.Forest:
        """The store of nodes: `nodes`, `bytes`, `peak_bytes`, `sweeps`, `sweep()`.

        >>> BoardSpace(["ab"]).forest.nodes
        0
        """
        return self._forest

    # --- stopping ---

    @contextmanager
    def stopping(self, flag: StopFlag | None) -> Iterator[None]:
        """Within the block, a flag stops every operation of this thread on sets of the space.

        Once the flag is set, by any thread, operations raise `Stopped` within a fraction of a
        second. The space and its sets can be used again after the block. In blocks within blocks
        the flag of the innermost block counts; with `None` that of the block around it.

        >>> space = BoardSpace([".xo"] * 9)
        >>> flag = StopFlag()
        >>> flag.set()
        >>> with space.stopping(flag):
        ...     space.at(0, "x")
        Traceback (most recent call last):
        ...
        setrograde.errors.Stopped: stopped before the end
        >>> space.at(0, "x").count
        6561
        """
        around = self.stop
        self._of_thread.stop = around if flag is None else flag
        try:
            yield
        finally:
            self._of_thread.stop = around

    @property
    def stop(self) -> StopFlag | None:
        """The flag that stops operations of this thread, if there is one."""
        return getattr(self._of_thread, "stop", self._stop)

    def check_stop(self) -> None:
        """Raise `Stopped` if the flag is set; for loops in Python that take long."""
        check_stop(self.stop)

    # --- sets ---

    def of(self, boards: Iterable[str]) -> BoardSet:
        """The set of these boards.

        >>> space = BoardSpace([".xo"] * 3)
        >>> space.of(["xo.", "..x", "xo."]).count
        2
        """
        found = self.nothing
        remaining = iter(boards)
        while batch := list(islice(remaining, _BATCH)):
            found |= self._of_rows(self.to_rows(batch))
        return found

    def _of_rows(self, rows: NDArray[np.uint8]) -> BoardSet:
        return self.wrap(self.run(lambda: _core.set_of_strings(self._forest, rows, self.stop)))

    def at(self, place: int, letters: str) -> BoardSet:
        """Boards with one of `letters` on a place; raises `InvalidSet` for other letters.

        >>> BoardSpace([".xo"] * 3).at(1, "xo").count
        18
        """
        self.check_place(place)
        return self.with_count(letters, least=1, places=[place])

    def with_count(
        self,
        letters: str,
        *,
        least: int = 0,
        most: int | None = None,
        places: Iterable[int] | None = None,
    ) -> BoardSet:
        """Boards with `least` to `most` of some letters, on all places or on those given.

        Raises `InvalidSet` for a letter that none of these places can have.

        >>> space = BoardSpace([".xo"] * 4)
        >>> space.with_count("x", least=1, most=1, places=[0, 1]).count
        36
        """
        weights: list[dict[str, int]] = [{} for _ in range(self.places)]
        counted = sorted(range(self.places) if places is None else set(places))
        for place in counted:
            self.check_place(place)
            weights[place] = dict.fromkeys(letters, 1)
        self._check_letters(letters, counted)
        return self.with_sum(weights, least=least, most=self.places if most is None else most)

    def _check_letters(self, letters: str, places: Sequence[int]) -> None:
        """Raise `InvalidSet` for a letter that none of the places can have."""
        for letter in letters if places else "":
            if not any(letter in self._numbers[place] for place in places):
                expected = "".join(dict.fromkeys("".join(self._alphabets[p] for p in places)))
                where = f"place {places[0]}" if len(places) == 1 else "these places"
                raise InvalidSet(
                    f"not a letter of {where}: {letter!r} (expected one of {expected!r})"
                )

    def with_sum(self, weights: Sequence[Mapping[str, int]], *, least: int, most: int) -> BoardSet:
        """Boards whose letters together count `least` to `most`.

        `weights` has a mapping for each place: what a letter counts there, 0 if it is missing.

        >>> space = BoardSpace([".xo"] * 3)
        >>> list(space.with_sum([{"x": 1, "o": 2}] * 3, least=5, most=5))
        ['xoo', 'oxo', 'oox']
        """
        if len(weights) != self.places:
            raise InvalidSet(f"weights for {len(weights)} places (expected {self.places})")
        if heavy := [n for counts in weights for n in counts.values() if abs(n) > _MOST_WEIGHT]:
            raise InvalidSet(f"a weight of {heavy[0]} (expected at most {_MOST_WEIGHT})")
        top = self.places * _MOST_WEIGHT
        least, most = max(least, -top), min(most, top)
        rows = [
            [counts.get(letter, 0) for letter in letters]
            for counts, letters in zip(weights, self._alphabets, strict=True)
        ]
        return self.wrap(
            self.run(lambda: _core.set_by_sum(self._forest, rows, least, most, self.stop))
        )

    def union(self, sets: Iterable[BoardSet]) -> BoardSet:
        """The boards of all the sets; small sets are joined first.

        >>> space = BoardSpace([".xo"] * 3)
        >>> space.union(space.at(place, "x") for place in range(3)).count
        19
        """
        return self._in_pairs(list(sets), BoardSet.__or__, self.nothing)

    def intersection(self, sets: Iterable[BoardSet]) -> BoardSet:
        """The boards that are in each of the sets.

        >>> space = BoardSpace([".xo"] * 3)
        >>> list(space.intersection(space.at(place, "x") for place in range(3)))
        ['xxx']
        """
        return self._in_pairs(list(sets), BoardSet.__and__, self.everything)

    @staticmethod
    def _in_pairs(
        sets: list[BoardSet], merge: Callable[[BoardSet, BoardSet], BoardSet], empty: BoardSet
    ) -> BoardSet:
        while len(sets) > 1:
            pairs = [merge(*pair) for pair in zip(sets[::2], sets[1::2], strict=False)]
            sets = pairs + sets[len(pairs) * 2 :]
        return sets[0] if sets else empty

    # --- between boards and rows of numbers ---

    def to_rows(self, boards: Sequence[str]) -> NDArray[np.uint8]:
        """Boards as rows of symbol numbers; raises `InvalidPlacement` for text that is no board.

        >>> BoardSpace([".xo"] * 3).to_rows(["x.o"]).tolist()
        [[1, 0, 2]]
        """
        rows = np.empty((len(boards), self.places), np.uint8)
        for row, board in enumerate(boards):
            if row % _CHECK_BOARDS == 0:
                self.check_stop()
            if not isinstance(board, str) or len(board) != self.places:
                raise InvalidPlacement(f"not a board: {board!r} (expected {self.places} letters)")
            try:
                rows[row] = [
                    numbers[letter] for numbers, letter in zip(self._numbers, board, strict=True)
                ]
            except KeyError:
                raise self._invalid_board(board) from None
        return rows

    def _invalid_board(self, board: str) -> InvalidPlacement:
        place = next(i for i, letter in enumerate(board) if letter not in self._numbers[i])
        return InvalidPlacement(
            f"not a board: {board!r} (place {place} has {board[place]!r};"
            f" expected one of {self._alphabets[place]!r})"
        )

    def to_board(self, row: Iterable[int]) -> str:
        """A row of symbol numbers as a board.

        >>> BoardSpace([".xo"] * 3).to_board([1, 0, 2])
        'x.o'
        """
        return "".join([letters[i] for letters, i in zip(self._alphabets, row, strict=True)])

    def number_of(self, place: int, letter: str) -> int:
        """The number of a letter in the alphabet of its place.

        >>> BoardSpace([".xo"] * 3).number_of(2, "o")
        2
        """
        self.check_place(place)
        if letter not in self._numbers[place]:
            raise InvalidSet(
                f"not a letter of place {place}: {letter!r}"
                f" (expected one of {self._alphabets[place]!r})"
            )
        return self._numbers[place][letter]

    def check_place(self, place: int) -> None:
        """Raise `InvalidSet` for a place that is not on the board."""
        if not 0 <= place < self.places:
            raise InvalidSet(f"not a place: {place} (expected 0 to {self.places - 1})")

    # --- for the rest of this package ---

    def wrap(self, core: _core.ForestSet) -> BoardSet:
        """A set of the core as one of this space."""
        return BoardSet(self, core)

    def run(self, work: Callable[[], T]) -> T:
        """Call the core; where it runs out of memory, raise `OutOfRoom`."""
        try:
            return work()
        except MemoryError:
            raise OutOfRoom(self) from None

    def __repr__(self) -> str:
        if len(set(self._alphabets)) == 1 < self.places:
            return f"BoardSpace([{self._alphabets[0]!r}] * {self.places})"
        return f"BoardSpace({list(self._alphabets)!r})"
