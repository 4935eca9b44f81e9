"""Mining: endings with something to see in them, counted exactly and found.

Five properties are known (`Property`). All endings of a size, or all deals of a set, are searched
without enumerating them: a diagram says of each how many tricks are at stake, and walks through the
diagram count, choose and list (docs/explanation/mining.md). No database is needed.

>>> found = mine("lead-costs", 8)
>>> found.count().total
100
>>> ending = found.sample(1, seed=4)[0]
>>> print(ending.deal.to_pbn(), ending.strain, ending.reason)
N:A9... J7... QT... K8... NT N-S take 1 of 2 tricks if they lead, 2 if E-W do
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from math import sqrt
from random import Random
from threading import Lock
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from setrograde import _core
from setrograde.bridge.coerce import SeatLike, StrainLike, as_seat, as_strain
from setrograde.common.progress import ShareProgress
from setrograde.common.stop import StopFlag, check_stop
from setrograde.common.threads import thread_count
from setrograde.db.deal_sets import DealSetLike, as_deal_set
from setrograde.errors import InvalidInput
from setrograde.solve.double_dummy import Solver

from .grounds import MAX_MINED_CARDS, FoundDeal, LevelGround, SetGround, layouts_of
from .mined_ending import MinedEnding, Property

__all__ = [
    "MAX_MINED_CARDS",
    "Mine",
    "MinedCount",
    "MinedEnding",
    "MinedEstimate",
    "Property",
    "mine",
]

_CHUNK = 4096
"""Shapes counted at a time when endings are listed."""

Counts = tuple[NDArray[np.uint64], NDArray[np.uint64]]
"""Layouts and endings, by shape and by tricks at stake."""


@dataclass(frozen=True, slots=True)
class MinedCount:
    """The exact number of endings with a property.

    >>> count = mine("only-card", 8).count()
    >>> count.endings
    mappingproxy({1: 14757, 2: 1186})
    >>> print(count)
    15,943 of 87,162 endings (18.291%)
      1 trick at stake: 14,757
      2 tricks at stake: 1,186
    """

    endings: Mapping[int, int]
    """Canonical endings with the property, or deals of the set, by tricks at stake."""

    of_endings: int
    """All endings that were searched, with the property or not."""

    deals: Mapping[int, int]
    """Deals from a pack with these cards left and a given leader, by tricks at stake.

    Each trump suit counts by itself; a deal without a trump left counts as notrump. For a set these
    are the same as `endings`."""

    of_deals: int
    """All deals that were searched, with the property or not."""

    @property
    def total(self) -> int:
        """Endings with the property."""
        return sum(self.endings.values())

    @property
    def share_of_deals(self) -> float:
        """The chance that a random deal has the property."""
        return sum(self.deals.values()) / self.of_deals if self.of_deals else 0.0

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, noun: str = "endings") -> str:
        """The count in words, in all and by tricks at stake; `noun` is what was counted."""
        share = f"{self.total / self.of_endings:.3%}" if self.of_endings else "none"
        rows = [f"{self.total:,} of {self.of_endings:,} {noun} ({share})"]
        rows += [
            f"  {cost} {'trick' if cost == 1 else 'tricks'} at stake: {number:,}"
            for cost, number in self.endings.items()
        ]
        return "\n".join(rows)


@dataclass(frozen=True, slots=True)
class MinedEstimate:
    """An estimate of the number of canonical endings with a property, from random shapes."""

    endings: float
    """The estimated number."""
    stderr: float
    """Standard error of `endings`."""
    shapes: int
    """Shapes that were drawn, the likelier the more layouts they have, and counted exactly."""
    seed: int
    """Seed of the draws."""

    def __str__(self) -> str:
        return (
            f"about {self.endings:,.0f} endings, standard error {self.stderr:,.0f}"
            f" ({self.shapes:,} random shapes, seed {self.seed})"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What an ending must have."""

    property: Property
    least_cost: int = 1
    tricks: int | None = None
    least_choices: int = 2
    most_holding: int = 13

    def to_core(self) -> list[int]:
        number = list(Property).index(self.property)
        tricks = -1 if self.tricks is None else self.tricks
        return [number, self.least_cost, tricks, self.least_choices, self.most_holding]


def mine(
    property: Property | str,
    where: int | DealSetLike,
    *,
    strain: StrainLike | None = None,
    leader: SeatLike | None = None,
    trumps: bool | None = None,
    lengths: Sequence[int] | None = None,
    least_cost: int = 1,
    tricks: int | None = None,
    least_choices: int = 2,
    most_holding: int = 13,
    threads: int | None = None,
    progress: ShareProgress | None = None,
    stop: StopFlag | None = None,
) -> Mine:
    """Look for endings with a property: among all with a number of cards, or in a set of deals.

    A set of deals, also as text, needs `strain` and `leader`. Among all endings, `trumps` says
    whether there are trumps, and `lengths` how many cards of each suit the leader has, suits in any
    order. `least_cost` is the least number of tricks at stake, and `tricks` what the leader's side
    takes. `least_choices` and `most_holding` are for properties of cards: the least number of cards
    to choose from, touching ones as one, and the greatest number of them that are best.

    The work begins when the result is asked. Once `stop` is set, whatever is asked of it raises
    `Stopped`; clear the flag and ask again to go on.

    >>> mine("low-beats-high", 8, trumps=False).count().total
    218
    >>> deals = "SAQ=N SK=EW S76543=x H2=N HA=E H43=SW"
    >>> mine("only-card", deals, strain="NT", leader="S").count().endings
    mappingproxy({1: 80})
    """
    wanted = _Wanted(
        property=Property.from_text(property),
        least_cost=_checked("number of tricks at stake", least_cost, 1, 13),
        tricks=None if tricks is None else _checked("number of tricks", tricks, 0, 13),
        least_choices=_checked("number of choices", least_choices, 2, 13),
        most_holding=_checked("number of cards", most_holding, 1, 13),
    )
    if not wanted.property.is_of_cards and (least_choices != 2 or most_holding != 13):
        raise InvalidInput(
            f"least_choices or most_holding for {str(wanted.property)!r} (expected them for a"
            " property of cards)"
        )
    ground: LevelGround | SetGround
    if not isinstance(where, int):
        deals = as_deal_set(where)
        if strain is None or leader is None:
            raise InvalidInput(f"a set without strain or leader: {deals.to_text()!r}")
        if trumps is not None or lengths is not None:
            raise InvalidInput("trumps or lengths beside a set (expected them in the set)")
        ground = SetGround(deals, as_strain(strain), as_seat(leader))
    else:
        if strain is not None or leader is not None:
            raise InvalidInput("strain or leader without a set (expected trumps or nothing)")
        ground = LevelGround(where, trumps=trumps, lengths=lengths, stop=stop)
    return Mine(ground, ground.rows, wanted, thread_count(threads), progress, stop)


def _checked(what: str, number: int, low: int, high: int) -> int:
    if not low <= number <= high:
        raise InvalidInput(f"not a {what}: {number} (expected {low} to {high})")
    return number


class Mine:
    """The endings that `mine` looks for: to be counted, listed, sampled.

    Iterating lists the endings shape by shape, as they are found. Counting is done once, when it is
    first needed. Several threads may ask; what needs the count waits for the thread that counts.

    >>> len(list(mine("low-beats-high", 8, trumps=False)))
    218
    """

    def __init__(
        self,
        ground: LevelGround | SetGround,
        rows: NDArray[np.uint16],
        wanted: _Wanted,
        threads: int,
        progress: ShareProgress | None,
        stop: StopFlag | None,
    ) -> None:
        self._ground = ground
        self._rows = rows
        self._wanted = wanted
        self._threads = threads
        self._progress = progress
        self._stop = stop
        self._solver = Solver(limit_mb=16, endings=None)
        self._making = Lock()  # of the two below
        self._made: _core.Mine | None = None
        self._counted: Counts | None = None

    @property
    def shapes(self) -> int:
        """Ways in which hands and suits share the cards out."""
        return len(self._rows)

    def _native(self) -> _core.Mine:
        """The core's part of the work, made when first needed."""
        with _holding(self._making, self._stop):
            return self._native_made()

    def _native_made(self) -> _core.Mine:
        if self._made is None:
            self._made = self._native_of(self._rows, self._part(0.0, 0.2))
        return self._made

    def _native_of(self, rows: NDArray[np.uint16], progress: ShareProgress | None) -> _core.Mine:
        wanted = self._wanted.to_core()
        masks = self._ground.masks
        return _core.Mine(rows, wanted, masks, self._threads, progress, self._stop)

    def _part(self, start: float, width: float) -> ShareProgress | None:
        told = self._progress
        return None if told is None else lambda share: told(start + width * share)

    def _counts(self) -> Counts:
        """Count all shapes, when first needed."""
        with _holding(self._making, self._stop):
            if self._counted is None:
                core = self._native_made()
                self._counted = self._count(core, 0, self.shapes, self._part(0.2, 0.8))
            return self._counted

    def _count(
        self, core: _core.Mine, first: int, many: int, progress: ShareProgress | None
    ) -> Counts:
        """Count some shapes that follow one another."""
        layouts, endings = (np.empty((many, 8), np.uint64) for _ in range(2))
        core.count(first, layouts, endings, self._threads, progress, self._stop)
        return layouts, endings

    def count(self) -> MinedCount:
        """Count all of them, exactly."""
        layouts, endings = self._counts()
        by_cost = [int(number) for number in endings.sum(axis=0, dtype=np.uint64)]
        deals = [0] * len(by_cost)
        for factor, rows in self._ground.by_deals(self._rows):
            for cost, number in enumerate(layouts[rows].sum(axis=0, dtype=np.uint64)):
                deals[cost] += factor * int(number)
        return MinedCount(_found(by_cost), sum(by_cost), _found(deals), sum(deals))

    def __iter__(self) -> Iterator[MinedEnding]:
        core = self._native()
        for start in range(0, self.shapes, _CHUNK):
            many = min(_CHUNK, self.shapes - start)
            layouts, _ = self._count(core, start, many, None)
            costs = layouts[:, 1:7]
            for place in np.flatnonzero(costs.any(axis=1)):
                yield from self._of_shape(int(start + place), int(costs[place].sum()))

    def _of_shape(self, shape: int, many: int) -> Iterator[MinedEnding]:
        for start in range(0, many, 256):
            numbers = list(range(start, min(start + 256, many)))
            for found in self._find(shape, numbers):
                if found is not None:
                    yield self._solved(found)

    def _find(self, shape: int, numbers: list[int]) -> list[FoundDeal | None]:
        row = self._rows[shape]
        layouts = self._native().find(shape, numbers, self._wanted.least_cost, self._stop)
        return [self._ground.ending(row, owners) for owners in layouts]

    def _solved(self, found: FoundDeal) -> MinedEnding:
        check_stop(self._stop)
        ending = MinedEnding.of_deal(
            self._wanted.property, found.deal, found.strain, found.leader, solver=self._solver
        )
        assert ending is not None, f"{found} lacks the property {self._wanted.property}"
        return ending

    def sample(self, size: int, *, seed: int) -> list[MinedEnding]:
        """Endings at random, each as likely as any other: `size` of them, or all if they are fewer.

        >>> [ending.cost for ending in mine("only-card", 8, least_cost=2).sample(3, seed=1)]
        [2, 2, 2]
        """
        return [self._solved(found) for found in islice(self._at_random(Random(seed)), size)]

    def _at_random(self, rng: Random) -> Iterator[FoundDeal]:
        """Layouts in random order; of those that differ by suits that are alike, only one."""
        layouts, _ = self._counts()
        ends = np.cumsum(layouts[:, 1:7].sum(axis=1, dtype=np.uint64))
        whole = int(ends[-1]) if len(ends) else 0
        seen = set[int]()
        while len(seen) < whole:
            if whole - len(seen) <= 2 * len(seen):  # few are left: take them all
                numbers = [number for number in range(whole) if number not in seen]
                rng.shuffle(numbers)
            else:
                numbers = [number for number in [rng.randrange(whole)] if number not in seen]
            for number in numbers:
                seen.add(number)
                shape = int(np.searchsorted(ends, number, side="right"))
                before = int(ends[shape - 1]) if shape else 0
                (found,) = self._find(shape, [number - before])
                if found is not None:
                    yield found

    def sharpest(self, size: int = 1, *, seed: int = 0) -> list[MinedEnding]:
        """The endings with most at stake, and of these the ones in which fewest cards are best.

        If there are more than `size` of them, they are chosen at random.

        >>> [ending.cost for ending in mine("only-card", 8).sharpest()]
        [2]
        """
        _, endings = self._counts()
        costs = np.flatnonzero(endings[:, 1:7].any(axis=0))
        if not len(costs):
            return []
        cost = int(costs[-1]) + 1
        rows = self._rows[endings[:, cost] > 0]
        for holding in range(1, 14) if self._wanted.property.is_of_cards else (13,):
            chosen = self._sharper(rows, cost, holding)
            if found := chosen.sample(size, seed=seed):
                return found
        return []

    def _sharper(self, rows: NDArray[np.uint16], cost: int, holding: int) -> Mine:
        """The same search among some shapes, with at least `cost` tricks at stake."""
        wanted = _Wanted(
            property=self._wanted.property,
            least_cost=cost,
            tricks=self._wanted.tricks,
            least_choices=self._wanted.least_choices,
            most_holding=min(holding, self._wanted.most_holding),
        )
        some = np.ascontiguousarray(rows)
        return Mine(self._ground, some, wanted, self._threads, None, self._stop)

    def estimate(self, shapes: int, *, seed: int) -> MinedEstimate:
        """Estimate the number of endings, where counting all would take too long.

        Shapes are drawn with a chance proportional to their layouts, and counted exactly.

        >>> estimate = mine("only-card", 8).estimate(500, seed=1)
        >>> round(estimate.endings), round(estimate.stderr)
        (15954, 850)
        """
        if isinstance(self._ground, SetGround):
            raise InvalidInput("no estimates for sets (expected an exact count)")
        if shapes < 2:
            raise InvalidInput(f"not a number of shapes to draw: {shapes} (expected 2 or more)")
        rows = self._rows
        layouts = layouts_of(rows, stop=self._stop)
        drawn = np.random.default_rng(seed).choice(len(rows), shapes, p=layouts / layouts.sum())
        chosen, times = np.unique(drawn, return_counts=True)
        part = np.ascontiguousarray(rows[chosen])
        core = self._native_of(part, self._part(0.0, 0.5))
        _, endings = self._count(core, 0, len(part), self._part(0.5, 0.5))
        shares = np.repeat(endings[:, 1:7].sum(axis=1) / layouts[chosen], times)
        whole = float(layouts.sum())
        error = float(shares.std(ddof=1)) / sqrt(shapes)
        return MinedEstimate(whole * float(shares.mean()), whole * error, shapes, seed)


@contextmanager
def _holding(lock: Lock, stop: StopFlag | None) -> Iterator[None]:
    """Hold a lock; raise `Stopped` if the flag is set while another thread holds it."""
    while not lock.acquire(timeout=0.02):
        check_stop(stop)
    try:
        yield
    finally:
        lock.release()


def _found(by_cost: Sequence[int]) -> Mapping[int, int]:
    """The numbers above 0, by tricks at stake from 1 on."""
    return MappingProxyType(
        {cost: number for cost, number in enumerate(by_cost) if cost and number}
    )
