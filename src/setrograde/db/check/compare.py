"""Verification: is every value of a level right?

A level is anything that knows the values of all endings with one number of tricks (`Level`): the
diagrams of a database, or `StateLevel`. It is compared with values found in another way, and the
report says exactly what was compared and what follows for the rest.

>>> from setrograde.db.methods.state_tables import StateLevel
>>> level = StateLevel(2)
>>> report = verify_every_shape(level)
>>> report.is_ok, report.shapes, report.states
(True, 2054, 87921)
>>> print(verify_random_deals(level, 500, seed=1).statement())
With 95 % confidence at most 0.598 % of deals have a wrong value.

| function | compares | with | says something about |
| --- | --- | --- | --- |
| `verify_every_shape` | all layouts, up to 3 tricks | state tables | everything, for certain |
| `verify_share_of_shapes` | whole shapes, each as likely, up to 5 tricks | state tables | shapes |
| `verify_weighted_shapes` | whole shapes, likely if large | state tables | layouts |
| `verify_random_deals` | cards dealt at random | the solver | deals |
| `verify_random_shapes` | layouts of random shapes | the solver | layouts, shapes alike |

State tables are found by plain retrograde analysis. A level that is itself made of state tables is
compared with diagrams instead, which are built anew in another way.

Every draw follows from the seed. `progress` hears how many states are compared and how many there
will be. Once `stop` is set, the comparison ends early, and its report covers what was done.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from setrograde import _core
from setrograde.bridge import Card, Deal, Hand, Play, Seat, Strain
from setrograde.common.progress import PartProgress
from setrograde.common.stop import StopFlag, Stopped, check_stop
from setrograde.db.database import DiagramLevel
from setrograde.db.endings.counting import count_shapes
from setrograde.db.endings.shapes import LONGEST_SUIT, Shape, unrank_shape
from setrograde.db.methods.diagram_build import build_diagrams
from setrograde.db.methods.state_tables import (
    MAX_LEVEL_TRICKS,
    MAX_SHAPE_TRICKS,
    ShapeSolver,
    StateLevel,
    layout_at,
)
from setrograde.errors import InvalidInput
from setrograde.solve import solve_many

from .report import Mismatch, Sample, Verification

__all__ = [
    "InvalidTable",
    "Level",
    "verify_every_shape",
    "verify_random_deals",
    "verify_random_shapes",
    "verify_share_of_shapes",
    "verify_weighted_shapes",
]

Truth = Callable[[Sequence[Play]], Sequence[int]]
Reference = StateLevel | ShapeSolver | DiagramLevel
Hands = NDArray[np.uint64]
Numbers = NDArray[np.uint8]
Draw = tuple[Hands, Numbers, Numbers]


class Level(Protocol):
    """Values of all endings with the same number of tricks left: tricks of the leader's side."""

    @property
    def tricks(self) -> int:
        """Cards in each hand."""

    def values_of_shape(self, rank: int) -> bytes:
        """The values of a canonical shape, ordered as in `setrograde.db.methods.state_tables`."""

    def values(self, hands: Hands, strains: Numbers, leaders: Numbers) -> Numbers:
        """The values of positions between tricks; four `Hand.bits` a row, North first."""


class InvalidTable(InvalidInput):
    """A level that gives a shape more or fewer values than it has layouts.

    >>> issubclass(InvalidTable, ValueError)
    True
    """


def verify_every_shape(
    level: Level,
    *,
    reference: Reference | None = None,
    threads: int | None = None,
    progress: PartProgress | None = None,
    stop: StopFlag | None = None,
) -> Verification:
    """Compare every layout of a level of three tricks at most.

    `reference` is where the truth comes from; it is made if not given.
    """
    if level.tricks > MAX_LEVEL_TRICKS:
        raise InvalidInput(
            f"too many tricks to compare every shape: {level.tricks}"
            f" (expected 0 to {MAX_LEVEL_TRICKS})"
        )
    layouts = _core.shape_layouts(level.tricks)
    run = _Run(level, int(layouts.sum()), progress, stop)
    with run:
        run.compare_shapes(run.truth(reference, threads), range(len(layouts)))
    return run.report(
        Sample.EVERY_SHAPE,
        truth=run.truth_name,
        seed=None,
        states_in_all=int(layouts.sum()),
        draws=False,
    )


def verify_share_of_shapes(
    level: Level,
    share: float,
    *,
    seed: int = 0,
    most_layouts: int | None = None,
    reference: Reference | None = None,
    threads: int | None = None,
    progress: PartProgress | None = None,
    stop: StopFlag | None = None,
) -> Verification:
    """Compare every layout of a share of the shapes, each as likely as any other.

    No shape is drawn twice, so the bound of independent draws is on the safe side.

    >>> report = verify_share_of_shapes(StateLevel(2), 0.02, seed=5)
    >>> report.is_ok, report.shapes, report.states == report.states_in_all
    (True, 42, False)
    """
    if not 0 < share <= 1:
        raise InvalidInput(f"not a share: {share} (expected above 0, up to 1)")
    ranks, layouts = _eligible(level.tricks, most_layouts)
    count = math.ceil(share * len(ranks))
    chosen = np.random.default_rng(seed).choice(len(ranks), count, replace=False)
    run = _Run(level, int(layouts[chosen].sum()), progress, stop)
    with run:
        run.compare_shapes(run.truth(reference, threads), map(int, ranks[chosen]))
    return run.report(
        Sample.SHARE_OF_SHAPES,
        truth=run.truth_name,
        seed=seed,
        states_in_all=int(layouts.sum()),
        most_layouts=most_layouts,
    )


def verify_weighted_shapes(
    level: Level,
    count: int,
    *,
    seed: int = 0,
    most_layouts: int | None = 2_000_000,
    reference: Reference | None = None,
    threads: int | None = None,
    progress: PartProgress | None = None,
    stop: StopFlag | None = None,
) -> Verification:
    """Compare every layout of `count` shapes, drawn as likely as they have layouts.

    So each draw meets an error with at least the share of layouts that are wrong. Shapes with more
    than `most_layouts` are left out. A shape may be drawn again; it is compared once.

    >>> verify_weighted_shapes(StateLevel(2), 30, seed=5).draws
    30
    """
    _check_count(count)
    ranks, layouts = _eligible(level.tricks, most_layouts)
    ends = np.cumsum(layouts)
    drawn = np.random.default_rng(seed).integers(ends[-1], size=count, dtype=np.uint64)
    chosen = np.searchsorted(ends, drawn, side="right")
    run = _Run(level, int(layouts[np.unique(chosen)].sum()), progress, stop)
    with run:
        run.compare_shapes(run.truth(reference, threads), map(int, ranks[chosen]))
    return run.report(
        Sample.WEIGHTED_SHAPES,
        truth=run.truth_name,
        seed=seed,
        states_in_all=int(ends[-1]),
        most_layouts=most_layouts,
    )


def verify_random_deals(
    level: Level,
    count: int,
    *,
    seed: int = 0,
    truth: Truth | None = None,
    truth_name: str = "the double-dummy solver",
    threads: int | None = None,
    progress: PartProgress | None = None,
    stop: StopFlag | None = None,
) -> Verification:
    """Compare positions drawn uniformly: any cards of the pack, any strain, any leader.

    `truth` gives North-South's tricks for each of several positions; it is `solve_many` unless
    another solver is given.
    """
    rng = np.random.default_rng(seed)
    run = _Run(level, _check_count(count), progress, stop)
    with run:
        for size in _batches(count):
            run.compare_positions(_draw_deals(rng, level.tricks, size), truth, threads)
    return run.report(Sample.DEALS, truth=truth_name, seed=seed)


def verify_random_shapes(
    level: Level,
    count: int,
    *,
    seed: int = 0,
    ranks: NDArray[np.uint32] | None = None,
    truth: Truth | None = None,
    truth_name: str = "the double-dummy solver",
    threads: int | None = None,
    progress: PartProgress | None = None,
    stop: StopFlag | None = None,
) -> Verification:
    """Compare layouts of shapes drawn uniformly: freaks come up as often as ordinary endings.

    Within a shape every layout is as likely; suits, ranks and seats are given names at random.
    `ranks` are the numbers of the shapes to draw from, all if not given.

    >>> verify_random_shapes(StateLevel(1), 100).is_ok
    True
    """
    rng = np.random.default_rng(seed)
    run = _Run(level, _check_count(count), progress, stop)
    with run:
        for size in _batches(count):
            run.compare_positions(_draw_shapes(rng, level.tricks, size, ranks), truth, threads)
    return run.report(Sample.SHAPES, truth=truth_name, seed=seed)


_TABLES = "plain retrograde analysis"
_DIAGRAMS = "diagrams, built anew"
_BATCH = 1000  # part of what a seed means
_EXAMPLES = 5
_BITS = np.array([card.bit for card in Card.ALL], np.uint64)


@dataclass
class _Run:
    """One verification under way; as a context it ends without an error when it is stopped."""

    level: Level
    total: int
    progress: PartProgress | None
    stop: StopFlag | None
    states: int = 0
    mismatches: int = 0
    draws: int = 0
    wrong_draws: int = 0
    examples: list[Mismatch] = field(default_factory=list)
    wrong_shapes: dict[int, bool] = field(default_factory=dict)
    is_complete: bool = True
    truth_name: str = _TABLES
    start: float = field(default_factory=time.perf_counter)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        self.is_complete = error is None
        return isinstance(error, Stopped)

    def watch(self, under_way: int = 0) -> None:
        check_stop(self.stop)
        if self.progress is not None:
            self.progress(min(self.states + under_way, self.total), self.total)

    def truth(self, given: Reference | None, threads: int | None) -> Reference:
        """Where true tables come from, made if not given."""
        self.watch()
        tricks = self.level.tricks
        if given is not None:
            if given.tricks != tricks:
                raise InvalidInput(f"a reference for {given.tricks} tricks (expected {tricks})")
            self.truth_name = _DIAGRAMS if isinstance(given, DiagramLevel) else _TABLES
            return given
        if isinstance(self.level, StateLevel) and tricks:
            self.truth_name = _DIAGRAMS  # to make the tables again would prove nothing
            return self._diagrams(threads)
        whole = tricks <= MAX_LEVEL_TRICKS
        level = StateLevel(
            tricks if whole else MAX_LEVEL_TRICKS,
            threads=threads,
            progress=lambda _: self.watch(),
            stop=self.stop,
        )
        return level if whole else ShapeSolver(tricks, level, threads=threads)

    def _diagrams(self, threads: int | None) -> DiagramLevel:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "diagrams")
            build_diagrams(self.level.tricks, path, threads=threads, stop=self.stop)
            return DiagramLevel(path)  # mapped, so it outlives its name

    def compare_shapes(self, reference: Reference, ranks: Iterator[int] | range) -> None:
        for rank in ranks:
            if rank not in self.wrong_shapes:
                self.compare_shape(reference, rank)
                self.watch()
            self.draws += 1
            self.wrong_draws += self.wrong_shapes[rank]

    def compare_shape(self, reference: Reference, rank: int) -> None:
        if not isinstance(reference, ShapeSolver):
            expected = reference.values_of_shape(rank)
        else:
            shape = unrank_shape(reference.tricks, rank)
            expected = reference.solve(shape, progress=self.watch, stop=self.stop)
        found = self.level.values_of_shape(rank)
        if len(found) != len(expected):
            raise InvalidTable(
                f"shape {rank} of {self.level.tricks} tricks has {len(found)} values"
                f" (expected {len(expected)})"
            )
        self.states += len(expected)
        self.wrong_shapes[rank] = found != expected
        if found == expected:
            return
        differ = np.flatnonzero(np.frombuffer(found, np.uint8) != np.frombuffer(expected, np.uint8))
        self.mismatches += len(differ)
        shape = unrank_shape(self.level.tricks, rank)
        for index in differ[: _EXAMPLES - len(self.examples)]:
            ending = layout_at(shape, int(index))
            deal, strain = ending.to_deal(), ending.strain
            self.examples.append(Mismatch(deal, strain, Seat.NORTH, found[index], expected[index]))

    def compare_positions(self, draw: Draw, truth: Truth | None, threads: int | None) -> None:
        self.watch()
        hands, strains, leaders = draw
        plays = [
            Play(_deal(row), Strain(int(strain)), Seat(int(leader)))
            for row, strain, leader in zip(hands, strains, leaders, strict=True)
        ]
        if truth is not None:
            tricks_ns = truth(plays)
        else:
            tricks_ns = solve_many(plays, threads=threads, progress=self.watch, endings=None)
        ns = np.array(tricks_ns, np.int64)
        expected = np.where(leaders % 2 == 0, ns, self.level.tricks - ns)
        found = self.level.values(hands, strains, leaders).astype(np.int64)
        differ = np.flatnonzero(found != expected)
        self.states += len(plays)
        self.draws += len(plays)
        self.mismatches += len(differ)
        self.wrong_draws += len(differ)
        for index in differ[: _EXAMPLES - len(self.examples)]:
            play = plays[index]
            values = int(found[index]), int(expected[index])
            self.examples.append(Mismatch(play.deal, play.strain, play.leader, *values))
        self.watch()

    def report(
        self,
        sample: Sample,
        *,
        truth: str,
        seed: int | None,
        states_in_all: int | None = None,
        most_layouts: int | None = None,
        draws: bool = True,
    ) -> Verification:
        return Verification(
            tricks=self.level.tricks,
            sample=sample,
            truth=truth,
            seed=seed,
            shapes=len(self.wrong_shapes),
            states=self.states,
            states_in_all=states_in_all,
            draws=self.draws if draws else 0,
            wrong_draws=self.wrong_draws if draws else 0,
            mismatches=self.mismatches,
            examples=tuple(self.examples),
            seconds=time.perf_counter() - self.start,
            most_layouts=most_layouts,
            is_complete=self.is_complete,
        )


def _eligible(tricks: int, most_layouts: int | None) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
    """The numbers of the shapes that may be drawn, and how many layouts each has."""
    if tricks > MAX_SHAPE_TRICKS:
        raise InvalidInput(
            f"too many tricks to compare whole shapes: {tricks} (expected 0 to {MAX_SHAPE_TRICKS})"
        )
    layouts = _core.shape_layouts(tricks)
    ranks = np.arange(len(layouts))
    if most_layouts is not None:
        ranks = np.flatnonzero(layouts <= most_layouts)
    if not len(ranks):
        raise InvalidInput(f"no shape has at most {most_layouts} layouts (expected 1 or more)")
    return ranks, layouts[ranks]


def _check_count(count: int) -> int:
    if count < 1:
        raise InvalidInput(f"not a number of draws: {count} (expected 1 or more)")
    return count


def _batches(count: int) -> Iterator[int]:
    for start in range(0, count, _BATCH):
        yield min(_BATCH, count - start)


def _deal(row: Hands) -> Deal:
    n, e, s, w = (Hand(int(bits)) for bits in row)
    return Deal((n, e, s, w))


def _draw_deals(rng: np.random.Generator, tricks: int, count: int) -> Draw:
    pack = np.tile(np.arange(52), (count, 1))
    dealt = rng.permuted(pack, axis=1)[:, : 4 * tricks].reshape(count, 4, tricks)
    hands = np.bitwise_or.reduce(_BITS[dealt], axis=2)
    strains = rng.integers(5, size=count, dtype=np.uint8)
    leaders = rng.integers(4, size=count, dtype=np.uint8)
    return hands, strains, leaders


def _draw_shapes(
    rng: np.random.Generator, tricks: int, count: int, among: NDArray[np.uint32] | None
) -> Draw:
    size = count_shapes(tricks).total if among is None else len(among)
    places = rng.integers(size, size=count)
    ranks = places if among is None else among[places]
    hands = np.zeros((count, 4), np.uint64)
    strains = np.zeros(count, np.uint8)
    leaders = rng.integers(4, size=count, dtype=np.uint8)
    for i, rank in enumerate(ranks):
        shape = unrank_shape(tricks, int(rank))
        hands[i], strains[i] = _draw_layout(rng, shape, int(leaders[i]))
    return hands, strains, leaders


def _draw_layout(rng: np.random.Generator, shape: Shape, leader: int) -> tuple[Hands, int]:
    """Hands with a random layout of the shape, and the strain."""
    names = rng.permutation(4)
    hands = np.zeros(4, np.uint64)
    strains = [int(Strain.NOTRUMP)]
    for name, split in zip(names, shape.suits, strict=True):
        owners = rng.permutation(np.repeat(np.arange(4), split))
        ranks = rng.permutation(LONGEST_SUIT)[: len(owners)]
        np.bitwise_or.at(hands, (owners + leader) % 4, _BITS[13 * name + ranks])
        if not len(owners):
            strains.append(int(name))  # trumps that are all gone
    return hands, int(names[3]) if shape.has_trumps else int(rng.choice(strains))
