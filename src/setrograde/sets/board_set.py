"""Sets of boards with Python's operators, counted exactly."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING

from setrograde import _core
from setrograde.common.stop import StopFlag

from .errors import InvalidSet

if TYPE_CHECKING:
    from .space import BoardSpace

__all__ = ["BoardSet"]


class BoardSet:
    """A set of boards of one `BoardSpace`, which makes them. Sets do not change.

    >>> from setrograde.sets import BoardSpace
    >>> space = BoardSpace([".xo"] * 16)
    >>> some = space.with_count("x", least=2, most=2) & space.at(0, "x")
    >>> some.count, some.states, "x..............x" in some
    (245760, 29, True)
    >>> some - space.at(1, ".o") <= space.at(1, "x")
    True
    """

    def __init__(self, space: BoardSpace, core: _core.ForestSet) -> None:
        self._space = space
        self._core = core

    @property
    def space(self) -> BoardSpace:
        """The space that made the set."""
        return self._space

    @property
    def core(self) -> _core.ForestSet:
        """The set in the core."""
        return self._core

    # --- algebra ---

    def __or__(self, other: BoardSet) -> BoardSet:
        return self._with(other, _core.ForestSet.join)

    def __and__(self, other: BoardSet) -> BoardSet:
        return self._with(other, _core.ForestSet.meet)

    def __sub__(self, other: BoardSet) -> BoardSet:
        return self._with(other, _core.ForestSet.minus)

    def __xor__(self, other: BoardSet) -> BoardSet:
        return self._with(other, _core.ForestSet.differ)

    def __invert__(self) -> BoardSet:
        return BoardSet(self._space, self._core.complement(self._space.stop))

    def _with(
        self,
        other: BoardSet,
        work: Callable[[_core.ForestSet, _core.ForestSet, StopFlag | None], _core.ForestSet],
    ) -> BoardSet:
        if not isinstance(other, BoardSet):
            return NotImplemented
        self._check(other)
        stop = self._space.stop
        return BoardSet(self._space, self._space.run(lambda: work(self._core, other._core, stop)))

    def _check(self, other: BoardSet) -> None:
        if other._space is not self._space:
            raise InvalidSet(
                f"sets of different spaces: {self._space!r} and {other._space!r}"
                " (expected both from one BoardSpace object)"
            )

    # --- comparison: one look at two numbers ---

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoardSet):
            return NotImplemented
        self._check(other)
        return self._core.equals(other._core, self._space.stop)

    def __hash__(self) -> int:
        return hash((id(self._space), self.count))

    def __le__(self, other: BoardSet) -> bool:
        return not self - other

    def __lt__(self, other: BoardSet) -> bool:
        return self <= other and self != other

    def __ge__(self, other: BoardSet) -> bool:
        return other <= self

    def __gt__(self, other: BoardSet) -> bool:
        return other < self

    def isdisjoint(self, other: BoardSet) -> bool:
        """True if no board is in both.

        >>> from setrograde.sets import BoardSpace
        >>> space = BoardSpace([".xo"] * 3)
        >>> space.at(0, "x").isdisjoint(space.at(0, "o"))
        True
        """
        return not self & other

    def __bool__(self) -> bool:
        return not self._core.is_nothing

    # --- boards ---

    def _automaton(self) -> _core.Automaton:
        return _core.Automaton.of([self._core], self._space.stop)

    @cached_property
    def _counts(self) -> _core.StringCounts:
        return _core.StringCounts(self._automaton(), self._space.stop)

    @cached_property
    def count(self) -> int:
        """The exact number of boards.

        >>> from setrograde.sets import BoardSpace
        >>> BoardSpace([".xo"] * 64).everything.count == 3**64
        True
        """
        # Not `_counts`: the table is as large as the set, so it is dropped again.
        counts = _core.StringCounts(self._automaton(), self._space.stop)
        return int.from_bytes(counts.count(0), "little")

    def __len__(self) -> int:
        if self.count > sys.maxsize:
            raise OverflowError(f"too many boards for len(): {self.count} (use .count)")
        return self.count

    @cached_property
    def states(self) -> int:
        """The number of nodes of its automaton; a node serves a set and its complement."""
        return self._automaton().nodes

    @cached_property
    def nodes(self) -> int:
        """The number of nodes it takes in memory: fewer than `states`, as one spans several places.

        >>> from setrograde.sets import BoardSpace
        >>> some = BoardSpace([".xo"] * 16).with_count("x", least=2, most=2)
        >>> some.nodes, some.states
        (22, 43)
        """
        return self._core.nodes(self._space.stop)

    @cached_property
    def digest(self) -> str:
        """A hash of the set and the alphabets of its space, as text; equal sets have equal ones.

        >>> from setrograde.sets import BoardSpace
        >>> one, other = BoardSpace([".xo"] * 3), BoardSpace([".xo"] * 3)
        >>> one.at(0, "x").digest == other.at(0, "x").digest != one.at(0, "o").digest
        True
        """
        automaton = self._automaton()
        found = sha256(json.dumps([list(self._space.alphabets), automaton.roots]).encode())
        for place in range(self._space.places):
            found.update(automaton.layer(place).astype("<u4").tobytes())
        return found.hexdigest()

    def __contains__(self, board: object) -> bool:
        if not isinstance(board, str) or len(board) != self._space.places:
            return False
        if any(letter not in a for letter, a in zip(board, self._space.alphabets, strict=True)):
            return False
        return self.contains_all_of([board])[0]

    def contains_all_of(self, boards: Sequence[str]) -> list[bool]:
        """For each board, whether it is in the set; raises `InvalidPlacement` for other text.

        >>> from setrograde.sets import BoardSpace
        >>> BoardSpace([".x"] * 2).at(0, "x").contains_all_of(["x.", ".x"])
        [True, False]
        """
        rows = self._space.to_rows(boards)
        return [bool(answer) for answer in self._core.contains(rows, self._space.stop)]

    def __getitem__(self, index: int) -> str:
        """The board with that number in the order of the alphabets, from the end if negative.

        >>> from setrograde.sets import BoardSpace
        >>> space = BoardSpace([".xo"] * 40)
        >>> space.everything[-1] == "o" * 40
        True
        """
        place = index + self.count if index < 0 else index
        if not 0 <= place < self.count:
            raise IndexError(f"no board number {index} (there are {self.count})")
        number = place.to_bytes((place.bit_length() + 63) // 64 * 8, "little")
        return self._space.to_board(self._counts.string_at(0, number))

    def __iter__(self) -> Iterator[str]:
        for index in range(self.count):
            self._space.check_stop()
            yield self[index]

    def sample(self, count: int, *, seed: int) -> list[str]:
        """Boards drawn at random, each with the same chance; the same for the same seed.

        >>> from setrograde.sets import BoardSpace
        >>> BoardSpace([".xo"] * 6).with_count("x", least=3).sample(2, seed=1)
        ['.xxoox', 'xxoox.']
        """
        if count and not self:
            raise InvalidSet("no board to sample: the set is empty")
        draw = Random(seed)
        drawn = []
        for _ in range(count):
            self._space.check_stop()
            drawn.append(self[draw.randrange(self.count)])
        return drawn

    @property
    def support(self) -> tuple[int, ...]:
        """The places that matter: on all others a letter changes nothing.

        >>> from setrograde.sets import BoardSpace
        >>> space = BoardSpace([".xo"] * 6)
        >>> (space.at(1, "x") | space.at(4, "o")).support
        (1, 4)
        """
        return tuple(self._automaton().support())

    def change(self, place: int, before: str, after: str) -> BoardSet:
        """The boards with `before` on a place, each with `after` there instead.

        >>> from setrograde.sets import BoardSpace
        >>> list(BoardSpace(["ab"] * 2).everything.change(0, "a", "b"))
        ['ba', 'bb']
        """
        from .moves import Change, Move, Moves

        return Moves(self._space, [Move((Change(place, ((before, after),)),))]).forward(self)

    def __repr__(self) -> str:
        boards = f"{self.count:,} boards" if self.count != 1 else "1 board"
        return f"<BoardSet: {boards} in {self.states:,} states>"
