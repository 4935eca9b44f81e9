"""State tables: the value of every ending, by plain retrograde analysis.

The simplest of the methods, and the one the others are checked by: every layout of every shape gets
a byte, found by playing one trick every way and looking up what is left one level below.

>>> level = StateLevel(2)
>>> level.shapes, level.layouts, level.states
(2054, 87921, 87162)
>>> level.value(Ending(("", "", "3102", "2301")))
1

All 33.9 million layouts of three tricks take some seconds (`StateLevel(3)`). Levels above are too
large to keep; `ShapeSolver` makes the table of any one of their shapes.

The table of a shape has one value for each layout, suits told apart: the first suit counts most,
and the owner strings of a suit, highest card first, are in the order of the dictionary.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from setrograde import _core
from setrograde.bridge import Seat
from setrograde.common.memory import limit_bytes
from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag
from setrograde.common.threads import thread_count
from setrograde.db.endings.counting import count_states
from setrograde.db.endings.shapes import InvalidShape, Shape, count_strings, unrank_shape
from setrograde.db.endings.states import Ending, InvalidEnding, rank_string, unrank_string
from setrograde.errors import InvalidInput

__all__ = [
    "MAX_LEVEL_TRICKS",
    "MAX_SHAPE_TRICKS",
    "ShapeSolver",
    "ShapeTooLarge",
    "StateLevel",
    "layout_at",
    "layout_index",
]

MAX_LEVEL_TRICKS: int = _core.MAX_LEVEL_TRICKS
"""The most tricks of a level that is kept whole: 34 MB. The next would take 11.5 GB."""

MAX_SHAPE_TRICKS = MAX_LEVEL_TRICKS + 2
"""The most tricks of a shape that `ShapeSolver` makes a table of."""


class ShapeTooLarge(InvalidInput):
    """A shape whose tables would not fit in the memory allowed.

    >>> issubclass(ShapeTooLarge, ValueError)
    True
    """


class StateLevel:
    """The values of all endings with `tricks` tricks left, three at most.

    The level is built on `below`, or from nothing. `progress` hears how many layouts are done. Once
    `stop` is set, the build raises `Stopped`.

    >>> level = StateLevel(1)
    >>> sum(sum(level.values_of_shape(rank)) for rank in range(level.shapes))
    115
    """

    def __init__(
        self,
        tricks: int,
        below: StateLevel | None = None,
        *,
        threads: int | None = None,
        progress: CountProgress | None = None,
        stop: StopFlag | None = None,
    ) -> None:
        _check_level_tricks(tricks)
        if below is not None and below.tricks != tricks - 1:
            raise InvalidInput(
                f"not the level below {tricks} tricks: {below!r} (expected {tricks - 1} tricks)"
            )
        core: _core.StateLevel | None = None if below is None else below._core
        workers = thread_count(threads)
        for left in range(tricks if core else 0, tricks + 1):
            heard = progress if left == tricks else None
            core = _core.StateLevel(left, core, workers, heard, stop)
        assert core is not None
        self._core: _core.StateLevel = core

    @classmethod
    def from_bytes(cls, data: bytes) -> StateLevel:
        """Read what `to_bytes` wrote; other or damaged bytes raise `InvalidInput`.

        >>> StateLevel.from_bytes(b"SGSTATES")
        Traceback (most recent call last):
        ...
        setrograde.errors.InvalidInput: damaged state tables: 8 bytes (expected 32 or more)
        """
        try:
            core = _core.StateLevel.from_bytes(data)
        except ValueError as error:
            raise InvalidInput(str(error)) from None
        level = cls.__new__(cls)
        level._core = core
        return level

    def to_bytes(self) -> bytes:
        """The values packed, two bits each, behind a header with a checksum.

        The format is described in `docs/formats/state_tables.md`.

        >>> level = StateLevel(1)
        >>> len(level.to_bytes()), StateLevel.from_bytes(level.to_bytes()).layouts
        (85, 209)
        """
        return self._core.to_bytes()

    @property
    def tricks(self) -> int:
        """Cards in each hand."""
        return self._core.tricks

    @property
    def shapes(self) -> int:
        """The number of canonical shapes; each has a table."""
        return self._core.shapes

    @property
    def layouts(self) -> int:
        """The number of values: layouts with all suits told apart."""
        return self._core.layouts

    @property
    def states(self) -> int:
        """The number of canonical states: layouts that differ by equal suits count once."""
        return self._core.states

    def values_of_shape(self, rank: int) -> bytes:
        """The table of the canonical shape with that number: tricks of the leader's side.

        >>> StateLevel(1).values_of_shape(1)
        b'\\x01\\x01\\x00\\x00\\x01\\x01'
        """
        if not 0 <= rank < self.shapes:
            raise InvalidShape(
                f"not the number of a shape with {self.tricks} tricks: {rank}"
                f" (expected 0 to {self.shapes - 1})"
            )
        return self._core.values_of_shape(rank)

    def value(self, ending: Ending) -> int:
        """Tricks of the leader's side in one ending, canonical or not."""
        if ending.tricks != self.tricks:
            raise InvalidEnding(
                f"an ending of {ending.tricks} tricks: {ending} (expected {self.tricks})"
            )
        n, e, s, w = (hand.bits for hand in ending.to_deal())
        return self._core.value((n, e, s, w), int(ending.strain), int(Seat.NORTH))

    def values(
        self,
        hands: NDArray[np.uint64],
        strains: NDArray[np.uint8],
        leaders: NDArray[np.uint8],
    ) -> NDArray[np.uint8]:
        """Tricks of the leader's side for many positions between tricks.

        A row of `hands` holds `Hand.bits` of North, East, South and West; `strains` and `leaders`
        are numbers of `Strain` and `Seat`.

        >>> from setrograde.bridge import Deal, Seat, Strain
        >>> deal = Deal.from_pbn("N:AQ... K3... 54... 76...")
        >>> hands = np.array([[hand.bits for hand in deal]] * 4, np.uint64)
        >>> StateLevel(2).values(hands, np.full(4, Strain.NOTRUMP), np.arange(4))
        array([1, 0, 1, 1], dtype=uint8)
        """
        try:
            return self._core.values(
                np.ascontiguousarray(hands, np.uint64),
                np.ascontiguousarray(strains, np.uint8),
                np.ascontiguousarray(leaders, np.uint8),
            )
        except ValueError as error:
            raise InvalidInput(f"not positions of {self.tricks} tricks: {error}") from None

    def __repr__(self) -> str:
        return f"StateLevel({self.tricks})"


class ShapeSolver:
    """Makes the table of any one shape of `tricks` tricks, on top of a level one or two below.

    Without `level`, the level of three tricks is built first (of fewer, for fewer than four). For
    shapes two tricks above the level, the tables between are made as needed and kept for the next
    shape, all within `limit_mb`. Several threads may use one solver; it works on one shape at a
    time.

    >>> solver = ShapeSolver(2, StateLevel(1))
    >>> solver.values_of_shape(2000) == StateLevel(2).values_of_shape(2000)
    True
    """

    def __init__(
        self,
        tricks: int,
        level: StateLevel | None = None,
        *,
        limit_mb: int = 1024,
        threads: int | None = None,
        stop: StopFlag | None = None,
    ) -> None:
        if not 1 <= tricks <= MAX_SHAPE_TRICKS:
            raise InvalidInput(
                f"not a number of tricks for tables of single shapes: {tricks}"
                f" (expected 1 to {MAX_SHAPE_TRICKS})"
            )
        limit = limit_bytes(limit_mb)
        if level is None:
            level = StateLevel(min(MAX_LEVEL_TRICKS, tricks - 1), threads=threads, stop=stop)
        if not tricks - 2 <= level.tricks < tricks:
            raise InvalidInput(
                f"not a level for shapes of {tricks} tricks: {level.tricks} tricks"
                f" (expected {tricks - 1} or {tricks - 2})"
            )
        self._tricks = tricks
        self._threads = thread_count(threads)
        self._limit_mb = limit_mb
        self._core = _core.ShapeSolver(level._core, limit)

    @property
    def tricks(self) -> int:
        """Cards in each hand."""
        return self._tricks

    def bytes_needed(self, shape: Shape) -> int:
        """Memory for the table of a shape and those that it is made from.

        >>> shape = unrank_shape(2, 2000)
        >>> ShapeSolver(2, StateLevel(1)).bytes_needed(shape) == shape.layouts
        True
        """
        self._check(shape)
        return self._core.bytes_needed(_packed(shape), shape.has_trumps)

    def solve(
        self,
        shape: Shape,
        *,
        progress: CountProgress | None = None,
        stop: StopFlag | None = None,
    ) -> bytes:
        """The table of a canonical shape; raises `ShapeTooLarge` if memory does not allow it.

        `progress` hears how many of its layouts are done. Once `stop` is set, the call raises
        `Stopped`, also while it waits for another thread's shape.
        """
        needed = self.bytes_needed(shape)
        if needed > self._limit_mb << 20:
            raise ShapeTooLarge(
                f"too large: {needed / 2**20:,.0f} MB of tables for {shape}"
                f" (the limit is {self._limit_mb:,} MB)"
            )
        return self._core.solve(_packed(shape), shape.has_trumps, self._threads, progress, stop)

    def values_of_shape(self, rank: int, *, stop: StopFlag | None = None) -> bytes:
        """The table of the canonical shape with that number."""
        return self.solve(unrank_shape(self._tricks, rank), stop=stop)

    def _check(self, shape: Shape) -> None:
        if shape.tricks != self._tricks:
            raise InvalidShape(
                f"a shape of {shape.tricks} tricks: {shape} (expected {self._tricks})"
            )
        if not shape.is_canonical:
            raise InvalidShape(f"not canonical: {shape} (expected {shape.canonical()})")


def layout_at(shape: Shape, index: int) -> Ending:
    """The layout that stands at `index` in the table of a shape.

    >>> shape = Shape(((0, 0, 0, 0), (0, 0, 0, 0), (0, 1, 0, 1), (1, 0, 1, 0)), has_trumps=False)
    >>> [layout_at(shape, index).suits[2:] for index in range(4)]
    [('13', '02'), ('13', '20'), ('31', '02'), ('31', '20')]
    """
    if not 0 <= index < shape.layouts:
        raise InvalidEnding(
            f"not the place of a layout: {index} (expected 0 to {shape.layouts - 1} in {shape})"
        )
    suits = []
    for split in reversed(shape.suits):
        index, number = divmod(index, count_strings(split))
        suits.append(unrank_string(split, number))
    d, c, b, a = suits
    return Ending((a, b, c, d), shape.has_trumps)


def layout_index(ending: Ending) -> int:
    """Where a layout stands in the table of its shape.

    >>> layout_index(Ending(("", "", "31", "02")))
    2
    """
    index = 0
    for owners, split in zip(ending.suits, ending.shape.suits, strict=True):
        index = index * count_strings(split) + rank_string(owners)
    return index


def _check_level_tricks(tricks: int) -> None:
    if 0 <= tricks <= MAX_LEVEL_TRICKS:
        return
    message = f"no tables of every state with {tricks} tricks (expected 0 to {MAX_LEVEL_TRICKS}"
    if MAX_LEVEL_TRICKS < tricks <= 13:
        message += f"; there are {count_states(tricks).total:,} states"
    raise InvalidInput(message + ")")


def _packed(shape: Shape) -> tuple[int, ...]:
    """Each suit as the core takes it: four bits a player, player 0 in the highest."""
    return tuple(a << 12 | b << 8 | c << 4 | d for a, b, c, d in shape.suits)
