"""Levels of sets: the values of all endings, by Setrograde Analysis in the native core.

The algorithm is that of `setrograde.papers.setrograde` on the sets of
`setrograde.db.endings.ending_sets`, and solves the same endings in the same order. It takes
milliseconds for 8 cards and seconds for 12. Compaction goes further, see
`docs/explanation/setrograde.md`.

>>> level = SetLevel(2)
>>> level.statistics
LevelStatistics(partitions=2054, sets_found=7784, sets=5352, questions=47336)
>>> ending = Ending(("", "", "", "00123321"))
>>> level.value(ending), level.find(ending).states
(2, EndingSet.from_text('NT [02][02]xxxxxx:2222'))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from setrograde import _core
from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag
from setrograde.db.endings.ending_sets import ANYONE, EndingSet
from setrograde.db.endings.shapes import InvalidShape, Shape, rank_shape, unrank_shape
from setrograde.db.endings.states import Ending, InvalidEnding
from setrograde.errors import InvalidInput
from setrograde.papers.setrograde import Entry, LevelStatistics, MissingState

__all__ = ["MAX_SET_TRICKS", "SetLevel"]

MAX_SET_TRICKS: int = _core.MAX_SET_TRICKS
"""The most tricks a level of sets can have: 16 cards of four bits fill a word."""


class SetLevel:
    """The values of all endings with `tricks` tricks left, as sets that share a value.

    The level is built on `below`, or from nothing. `progress` hears how many shapes are done. Once
    `stop` is set, the build raises `Stopped`.

    >>> level = SetLevel(1)
    >>> level.shapes, len(level), level.statistics.sets_found
    (52, 73, 84)
    """

    def __init__(
        self,
        tricks: int,
        below: SetLevel | None = None,
        *,
        progress: CountProgress | None = None,
        stop: StopFlag | None = None,
    ) -> None:
        _check_tricks(tricks)
        if below is not None and below.tricks != tricks - 1:
            raise InvalidInput(
                f"not the level below {tricks} tricks: {below!r} (expected {tricks - 1} tricks)"
            )
        core: _core.SetLevel = _core.SetLevel() if below is None else below._core
        while core.tricks < tricks:
            heard = progress if core.tricks == tricks - 1 else None
            core = _core.SetLevel.build(core, heard, stop)
        self._core: _core.SetLevel = core

    @classmethod
    def from_bytes(cls, data: bytes, *, stop: StopFlag | None = None) -> SetLevel:
        """Read what `to_bytes` wrote; other or damaged bytes raise `InvalidInput`.

        Besides the checksum, every ending must be in a set, and in none of another value.

        >>> SetLevel.from_bytes(b"SGENDSET")
        Traceback (most recent call last):
        ...
        setrograde.errors.InvalidInput: not a level of sets: it ends too early
        """
        try:
            core = _core.SetLevel.from_bytes(data, stop)
        except ValueError as error:
            raise InvalidInput(str(error)) from None
        level = cls.__new__(cls)
        level._core = core
        return level

    def to_bytes(self) -> bytes:
        """Nine bytes a set, four a shape and a checksum.

        The format is described in `docs/formats/set_levels.md`.

        >>> level = SetLevel(1)
        >>> len(level.to_bytes()), len(SetLevel.from_bytes(level.to_bytes()))
        (921, 73)
        """
        return self._core.to_bytes()

    @property
    def tricks(self) -> int:
        """Cards in each hand."""
        return self._core.tricks

    @property
    def shapes(self) -> int:
        """The number of canonical shapes; each has a tree of sets."""
        return self._core.shapes

    @property
    def statistics(self) -> LevelStatistics:
        """What the level cost and holds."""
        return LevelStatistics(
            partitions=self.shapes,
            sets_found=self._core.sets_found,
            sets=len(self),
            questions=self._core.questions,
        )

    def __len__(self) -> int:
        """The number of sets."""
        return len(self._core)

    def __iter__(self) -> Iterator[Entry[EndingSet]]:
        """All sets with their values, shape by shape."""
        for rank in range(self.shapes):
            yield from self.entries_of_shape(rank)

    def entries_of_shape(self, rank: int) -> tuple[Entry[EndingSet], ...]:
        """The sets of the canonical shape with that number.

        >>> [(str(entry.states), entry.value) for entry in SetLevel(1).entries_of_shape(1)]
        [('NT x:0001 [02]xx:1110', 1), ('NT x:0001 1xx:1110', 0)]
        """
        self._check_rank(rank)
        return _entries(unrank_shape(self.tricks, rank), self._core.sets_of_shape(rank))

    def solve_shape(
        self, shape: Shape, *, stop: StopFlag | None = None
    ) -> tuple[Entry[EndingSet], ...]:
        """The sets of one canonical shape of the level above, without the rest of that level.

        >>> shape = EndingSet.from_text("NT xxxxxxxx:2222").shape
        >>> len(SetLevel(1).solve_shape(shape))
        16
        """
        above = self.tricks + 1
        _check_tricks(above)
        if shape.tricks != above:
            raise InvalidShape(f"a shape of {shape.tricks} tricks: {shape} (expected {above})")
        return _entries(shape, self._core.solve_shape(rank_shape(shape), stop))

    def values_of_shape(self, rank: int) -> bytes:
        """Tricks of the leader's side in all layouts of a shape, ordered as by `StateLevel`.

        >>> SetLevel(1).values_of_shape(1)
        b'\\x01\\x01\\x00\\x00\\x01\\x01'
        """
        self._check_rank(rank)
        return self._core.values_of_shape(rank)

    def value(self, ending: Ending) -> int:
        """Tricks of the leader's side in one ending, canonical or not."""
        ending = self._canonical(ending)
        return self._core.value_of_layout(
            rank_shape(ending.shape), bytes(map(int, "".join(ending.suits)))
        )

    def find(self, ending: Ending) -> Entry[EndingSet]:
        """A set that holds the ending, whose suits are put in canonical order first."""
        ending = self._canonical(ending)
        for entry in self.entries_of_shape(rank_shape(ending.shape)):
            if ending in entry.states:
                return entry
        raise MissingState(f"no set of level {self.tricks} holds {ending!r}")

    def _canonical(self, ending: Ending) -> Ending:
        if ending.tricks != self.tricks:
            raise InvalidEnding(
                f"an ending of {ending.tricks} tricks: {ending} (expected {self.tricks})"
            )
        return ending.canonical()

    def _check_rank(self, rank: int) -> None:
        if not 0 <= rank < self.shapes:
            raise InvalidShape(
                f"not the number of a shape with {self.tricks} tricks: {rank}"
                f" (expected 0 to {self.shapes - 1})"
            )

    def __repr__(self) -> str:
        return f"SetLevel({self.tricks})"


def _check_tricks(tricks: int) -> None:
    if not 0 <= tricks <= MAX_SET_TRICKS:
        raise InvalidInput(f"no sets of {tricks} tricks (expected 0 to {MAX_SET_TRICKS})")


def _entries(shape: Shape, sets: Sequence[tuple[int, int]]) -> tuple[Entry[EndingSet], ...]:
    cards = range(4 * shape.tricks)
    return tuple(
        Entry(EndingSet.from_masks(shape, [masks >> 4 * card & ANYONE for card in cards]), value)
        for masks, value in sets
    )
