"""Moves on sets of boards: where they lead, and where they come from.

A move has a set of boards it may be made on, changes of single places, and a set of boards it may
lead to, as in Considine, "Compressed Game Solving" (2024), section 4.2. All moves of a player are
compiled into one transducer. Moves in several steps, with marks on the board between them, are a
`MoveGraph`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from hashlib import sha256
from itertools import product
from typing import TYPE_CHECKING

from setrograde import _core

from .errors import InvalidSet

if TYPE_CHECKING:
    from .board_set import BoardSet
    from .space import BoardSpace

__all__ = ["Change", "Move", "MoveGraph", "Moves"]

_RELATION_MB = 4096
"""The most memory that compiling moves may take."""


@dataclass(frozen=True, slots=True)
class Change:
    """What may happen at one place: pairs of the letter before and the letter after.

    >>> Change(4, ((".", "x"), ("o", "x")))  # step there, or capture
    Change(place=4, pairs=(('.', 'x'), ('o', 'x')))
    """

    place: int
    """The place that changes."""

    pairs: tuple[tuple[str, str], ...]
    """Letters before and after; a pair of equal letters asks for that letter."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move: some places change, all others stay as they are.

    >>> Move((Change(0, (("x", "."),)), Change(1, ((".", "x"),)))).before is None
    True
    """

    changes: tuple[Change, ...]
    """The changes, at most one for each place."""

    before: BoardSet | None = None
    """The boards it may be made on; any if `None`."""

    after: BoardSet | None = None
    """The boards it may lead to; any if `None`."""


class Moves:
    """All moves of a player. Each starts in `before` and ends in `after`, if these are given.

    >>> from setrograde.sets import BoardSpace
    >>> space = BoardSpace([".x"] * 3)
    >>> step = lambda a, b: Move((Change(a, (("x", "."),)), Change(b, ((".", "x"),))))
    >>> right = Moves(space, [step(0, 1), step(1, 2)])
    >>> list(right.forward(space.of(["x..", "xx."])))
    ['.x.', 'x.x']
    >>> list(right.reverse(space.of([".xx"])))
    ['x.x']
    """

    def __init__(
        self,
        space: BoardSpace,
        moves: Iterable[Move],
        *,
        before: BoardSet | None = None,
        after: BoardSet | None = None,
    ) -> None:
        self._space = space
        self._before = space.everything if before is None else before
        self._after = space.everything if after is None else after
        self._moves = tuple(moves)
        self._texts = [_to_core(space, move) for move in self._moves]

    @cached_property
    def _compiled(self) -> _core.PlayerMoves:
        """The transducer, compiled when a move is first made: a digest does without it."""
        space, limit = self._space, _RELATION_MB << 20
        return space.run(lambda: _core.PlayerMoves(space.forest, self._texts, limit, space.stop))

    @property
    def space(self) -> BoardSpace:
        """The space whose boards they are moves on."""
        return self._space

    @property
    def states(self) -> int:
        """States of the transducer."""
        return self._compiled.states

    @property
    def digest(self) -> str:
        """A hash of the moves, as text; it does not depend on the order in which they are given.

        >>> from setrograde.sets import BoardSpace
        >>> space = BoardSpace([".x"] * 2)
        >>> lift, drop = Move((Change(0, (("x", "."),)),)), Move((Change(1, ((".", "x"),)),))
        >>> Moves(space, [lift, drop]).digest == Moves(space, [drop, lift]).digest
        True
        """
        digests: dict[int, str] = {}  # moves often share a set, whose digest takes time
        everything = self._space.everything

        def digest_of(boards: BoardSet | None) -> str:
            if boards is None:
                boards = everything
            if id(boards) not in digests:
                digests[id(boards)] = boards.digest
            return digests[id(boards)]

        told = []
        for move in self._moves:
            self._space.check_stop()
            changes = sorted((change.place, sorted(set(change.pairs))) for change in move.changes)
            told.append(json.dumps([changes, digest_of(move.before), digest_of(move.after)]))
        around = [digest_of(self._before), digest_of(self._after)]
        text = json.dumps([list(self._space.alphabets), sorted(set(told)), around])
        return sha256(text.encode()).hexdigest()

    def by_drop(self, weights: Sequence[Mapping[str, int]]) -> dict[int, Moves]:
        """The moves grouped by how much they lower the grade of a board.

        The grade of a board is the sum of what its letters count, each by the `weights` of its
        place.

        >>> from setrograde.sets import BoardSpace
        >>> space = BoardSpace([".xo"] * 2)
        >>> moves = Moves(space, [Move((Change(0, (("x", "."), ("o", "."))),))])
        >>> {drop: list(part.forward(space.of(["x.", "o."])))
        ...  for drop, part in moves.by_drop([{"x": 1, "o": 3}] * 2).items()}
        {1: ['..'], 3: ['..']}
        """
        parts: dict[int, list[Move]] = {}
        for move in self._moves:
            self._space.check_stop()
            for pairs in product(*[change.pairs for change in move.changes]):
                places = [change.place for change in move.changes]
                drop = sum(
                    weights[place].get(before, 0) - weights[place].get(after, 0)
                    for place, (before, after) in zip(places, pairs, strict=True)
                )
                changes = tuple([Change(p, (pair,)) for p, pair in zip(places, pairs, strict=True)])
                parts.setdefault(drop, []).append(replace(move, changes=changes))
        return {
            drop: Moves(self._space, part, before=self._before, after=self._after)
            for drop, part in sorted(parts.items())
        }

    def among(self, boards: BoardSet) -> Moves:
        """The moves that can be made on `boards`, leaving out all others.

        Where `boards` has few states and leaves out much, undoing these moves is faster and takes
        less memory than undoing all moves and intersecting the result with `boards`.

        >>> from setrograde.sets import BoardSpace
        >>> space = BoardSpace([".x"] * 2)
        >>> lift = Moves(space, [Move((Change(0, (("x", "."),)),))])
        >>> list(lift.among(space.at(1, "x")).reverse(space.everything))
        ['xx']
        """
        moves = [
            replace(move, before=boards if move.before is None else move.before & boards)
            for move in self._moves
        ]
        return Moves(self._space, moves, before=self._before, after=self._after)

    def forward(self, boards: BoardSet) -> BoardSet:
        """The boards that one move leads to from `boards`."""
        return self._image(boards & self._before, is_reversed=False) & self._after

    def reverse(self, boards: BoardSet) -> BoardSet:
        """The boards from which one move can lead to `boards`."""
        return self._image(boards & self._after, is_reversed=True) & self._before

    @staticmethod
    def reverse_all(parts: Sequence[tuple[Moves, BoardSet]]) -> BoardSet:
        """The union of `reverse` over several moves, each with boards of its own.

        For large sets, of some hundred thousand states, this is faster than one after another, and
        takes much less memory (`cpp/setrograde/boards/layered_image.hpp`). All moves must have the
        same `before`, as those of `by_drop` do.

        >>> from setrograde.sets import BoardSpace
        >>> space = BoardSpace([".x"] * 2)
        >>> lift = lambda place: Moves(space, [Move((Change(place, (("x", "."),)),))])
        >>> left, right = lift(0), lift(1)
        >>> list(Moves.reverse_all([(left, space.of([".."])), (right, space.of(["x."]))]))
        ['x.', 'xx']
        """
        if not parts:
            raise InvalidSet("no moves to undo (expected one or more)")
        space, before = parts[0][0]._space, parts[0][0]._before
        if any(moves._before != before for moves, _ in parts):
            raise InvalidSet("moves made on different boards (expected the same before)")
        sets = [(moves._compiled, (boards & moves._after).core) for moves, boards in parts]
        undone = space.wrap(space.run(lambda: _core.union_of_images(sets, True, space.stop)))
        return undone & before

    def _image(self, boards: BoardSet, *, is_reversed: bool) -> BoardSet:
        space = self._space
        return space.wrap(
            space.run(lambda: self._compiled.image(boards.core, is_reversed, space.stop))
        )


class MoveGraph:
    """Moves made in several steps: every path from "begin" to "end" is one move.

    >>> from setrograde.sets import BoardSpace
    >>> space = BoardSpace([".x*"] * 2)
    >>> lift = [Move((Change(place, (("x", "*"),)),)) for place in range(2)]
    >>> drop = [Move((Change(place, (("*", "."),)),)) for place in range(2)]
    >>> graph = MoveGraph(space, {("begin", "held"): lift, ("held", "end"): drop})
    >>> list(graph.forward(space.of(["xx"])))
    ['.x', 'x.']
    >>> list(graph.reverse(space.of([".x"])))
    ['xx']
    """

    def __init__(
        self,
        space: BoardSpace,
        steps: Mapping[tuple[str, str], Iterable[Move]],
        *,
        before: BoardSet | None = None,
        after: BoardSet | None = None,
    ) -> None:
        self._space = space
        self._before = space.everything if before is None else before
        self._after = space.everything if after is None else after
        self._steps = {edge: Moves(space, moves) for edge, moves in steps.items()}
        order = TopologicalSorter[str]({"begin": [], "end": []})
        for start, end in self._steps:
            order.add(end, start)
        try:
            self._order = tuple(order.static_order())
        except CycleError as error:
            raise InvalidSet(
                f"steps in a circle: {' -> '.join(map(str, error.args[1]))}"
                " (expected that every path comes to an end)"
            ) from None

    @property
    def space(self) -> BoardSpace:
        """The space whose boards they are moves on."""
        return self._space

    @property
    def states(self) -> int:
        """States of all transducers."""
        return sum(moves.states for moves in self._steps.values())

    @property
    def digest(self) -> str:
        """A hash of the moves, as text.

        >>> from setrograde.sets import BoardSpace
        >>> space = BoardSpace([".x"] * 2)
        >>> lift = [Move((Change(place, (("x", "."),)),)) for place in range(2)]
        >>> graphs = [MoveGraph(space, {("begin", "end"): lift[:number]}) for number in (1, 2, 2)]
        >>> [graph.digest == graphs[-1].digest for graph in graphs]
        [False, True, True]
        """
        steps = sorted([*edge, moves.digest] for edge, moves in self._steps.items())
        text = json.dumps([steps, self._before.digest, self._after.digest])
        return sha256(text.encode()).hexdigest()

    def by_drop(self, weights: Sequence[Mapping[str, int]]) -> dict[int, MoveGraph]:
        """As `Moves.by_drop`, for graphs whose paths all lower the grade by the same amount.

        >>> from setrograde.sets import BoardSpace
        >>> space = BoardSpace([".x*"] * 2)
        >>> lift = [Move((Change(place, (("x", "*"),)),)) for place in range(2)]
        >>> drop = [Move((Change(place, (("*", "."),)),)) for place in range(2)]
        >>> graph = MoveGraph(space, {("begin", "held"): lift, ("held", "end"): drop})
        >>> list(graph.by_drop([{"x": 2}] * 2))
        [2]
        """
        so_far: dict[str, set[int]] = {node: set() for node in self._order}
        so_far["begin"] = {0}
        for node in self._order:
            for (start, end), moves in self._steps.items():
                if start == node:
                    drops = moves.by_drop(weights)
                    so_far[end] |= {before + drop for before in so_far[start] for drop in drops}
        if len(so_far["end"]) != 1:
            raise InvalidSet(
                f"moves that lower the grade by {sorted(so_far['end'])} (expected one amount)"
            )
        return {so_far["end"].pop(): self}

    def among(self, boards: BoardSet) -> MoveGraph:
        """The moves all of whose steps are made on `boards`, which has boards in mid-move too.

        >>> from setrograde.sets import BoardSpace
        >>> space = BoardSpace([".x*"] * 2)
        >>> lift = [Move((Change(place, (("x", "*"),)),)) for place in range(2)]
        >>> drop = [Move((Change(place, (("*", "."),)),)) for place in range(2)]
        >>> graph = MoveGraph(space, {("begin", "held"): lift, ("held", "end"): drop})
        >>> list(graph.among(space.at(1, "x")).reverse(space.of([".x", "x."])))
        ['xx']
        """
        part = copy(self)
        part._steps = {edge: moves.among(boards) for edge, moves in self._steps.items()}
        return part

    def forward(self, boards: BoardSet) -> BoardSet:
        """The boards that one move leads to from `boards`."""
        reached = {"begin": boards & self._before}
        for node in self._order:
            for (start, end), moves in self._steps.items():
                if start == node and start in reached:
                    found = moves.forward(reached[start])
                    reached[end] = reached[end] | found if end in reached else found
        return reached.get("end", self._space.nothing) & self._after

    def reverse(self, boards: BoardSet) -> BoardSet:
        """The boards from which one move can lead to `boards`."""
        reached = {"end": boards & self._after}
        for node in reversed(self._order):
            for (start, end), moves in self._steps.items():
                if end == node and end in reached:
                    found = moves.reverse(reached[end])
                    reached[start] = reached[start] | found if start in reached else found
        return reached.get("begin", self._space.nothing) & self._before


_CoreChange = tuple[int, list[tuple[int, int]]]
_CoreMove = tuple[_core.ForestSet | None, list[_CoreChange], _core.ForestSet | None]


def _to_core(space: BoardSpace, move: Move) -> _CoreMove:
    changes: dict[int, list[tuple[int, int]]] = {}
    for change in move.changes:
        if change.place in changes:
            raise InvalidSet(f"place {change.place} changes twice in one move: {move!r}")
        changes[change.place] = [
            (space.number_of(change.place, before), space.number_of(change.place, after))
            for before, after in change.pairs
        ]
    before = None if move.before is None else move.before.core
    after = None if move.after is None else move.after.core
    return before, list(changes.items()), after
