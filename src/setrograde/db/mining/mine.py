"""Mining: endings with something to see in them, counted exactly and found.

Five properties are known (`Property`). All endings of a size are looked through, or all deals of a
set, without enumerating them: a diagram says for each how many tricks are at stake, and walks
through the diagram count, choose and list (docs/explanation/mining.md). No database is needed.

>>> found = mine(Property.LEAD_COSTS, 8)
>>> found.count().total
100
>>> ending = found.sample(1, seed=4)[0]
>>> print(ending.deal.to_pbn(), ending.strain, ending.reason)
N:A9... J7... QT... K8... NT N-S take 1 of 2 tricks if they lead, 2 if E-W do
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import sqrt
from random import Random
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from setrograde import _core
from setrograde.bridge import InvalidInput, Seat, Strain
from setrograde.common.threads import thread_count
from setrograde.db.deal_sets import DealSet
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

Progress = Callable[[float], None]
"""Told which share of the work is done."""


@dataclass(frozen=True, slots=True)
class MinedCount:
    """How many endings have a property, exactly.

    >>> mine(Property.ONLY_CARD, 8).count().endings
    mappingproxy({1: 14757, 2: 1186})
    """

    endings: Mapping[int, int]
    """By tricks at stake: canonical endings, or deals of the set that was looked through."""

    of_endings: int
    """All that were looked through, with the property or not."""

    deals: Mapping[int, int]
    """By tricks at stake: deals from a pack with these cards left, the leader given.

    Each trump suit counts by itself; where no trumps are left there are none, so such deals are
    among those of notrump. For a set, the same as `endings`."""

    of_deals: int
    """All that were looked through."""

    @property
    def total(self) -> int:
        """Endings with the property."""
        return sum(self.endings.values())

    @property
    def share_of_deals(self) -> float:
        """How often a random deal has the property."""
        return sum(self.deals.values()) / self.of_deals if self.of_deals else 0.0


@dataclass(frozen=True, slots=True)
class MinedEstimate:
    """About how many canonical endings have a property, by exact counts of random shapes."""

    endings: float
    stderr: float
    """Standard error of `endings`."""
    shapes: int
    """Shapes drawn, more often the more layouts they have."""
    seed: int


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
    where: int | DealSet,
    *,
    strain: Strain | None = None,
    leader: Seat | None = None,
    trumps: bool | None = None,
    lengths: Sequence[int] | None = None,
    least_cost: int = 1,
    tricks: int | None = None,
    least_choices: int = 2,
    most_holding: int = 13,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Mine:
    """Look for endings with a property: among all of a number of cards, or in a set of deals.

    A set needs `strain` and `leader`. Among all endings, `trumps` says whether there are trumps,
    and `lengths` how many cards of each suit the leader has, suits in any order. `tricks` are those
    of the leader's side. `least_choices` and `most_holding` are for properties of cards: how many
    cards there are to choose from, touching ones as one, and how many of them are best.

    >>> mine("low-beats-high", 8, trumps=False).count().total
    218
    >>> deals = DealSet.from_text("SAQ=N SK=EW S76543=x H2=N HA=E H43=SW")
    >>> found = mine("only-card", deals, strain=Strain.NOTRUMP, leader=Seat.SOUTH)
    >>> found.count().endings
    mappingproxy({1: 80})
    """
    wanted = _Wanted(
        property=_checked_property(property),
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
    if isinstance(where, DealSet):
        if strain is None or leader is None:
            raise InvalidInput(f"a set without strain or leader: {where.to_text()!r}")
        if trumps is not None or lengths is not None:
            raise InvalidInput("trumps or lengths beside a set (expected them in the set)")
        ground = SetGround(where, strain, leader)
    else:
        if strain is not None or leader is not None:
            raise InvalidInput("strain or leader without a set (expected trumps or nothing)")
        ground = LevelGround(where, trumps=trumps, lengths=lengths)
    return Mine(ground, ground.rows, wanted, thread_count(threads), progress)


def _checked_property(name: str) -> Property:
    try:
        return Property(name)
    except ValueError:
        names = ", ".join(Property)
        raise InvalidInput(f"not a property: {name!r} (expected {names})") from None


def _checked(what: str, number: int, low: int, high: int) -> int:
    if not low <= number <= high:
        raise InvalidInput(f"not a {what}: {number} (expected {low} to {high})")
    return number


class Mine:
    """What `mine` looks through: counted, listed, sampled. Counting is done once, when needed.

    Iterating lists the endings shape by shape, as they are found.

    >>> len(list(mine(Property.LOW_BEATS_HIGH, 8, trumps=False)))
    218
    """

    def __init__(
        self,
        ground: LevelGround | SetGround,
        rows: NDArray[np.uint16],
        wanted: _Wanted,
        threads: int,
        progress: Progress | None,
    ) -> None:
        self._ground = ground
        self._rows = rows
        self._wanted = wanted
        self._threads = threads
        self._progress = progress
        self._solver = Solver(limit_mb=16, endings=None)

    @property
    def shapes(self) -> int:
        """Ways in which hands and suits share the cards out."""
        return len(self._rows)

    @cached_property
    def _native(self) -> _core.Mine:
        return self._native_of(self._rows, self._part(0.0, 0.2))

    def _native_of(self, rows: NDArray[np.uint16], progress: Progress | None) -> _core.Mine:
        wanted = self._wanted.to_core()
        return _core.Mine(rows, wanted, self._ground.masks, self._threads, progress)

    def _part(self, start: float, width: float) -> Progress | None:
        told = self._progress
        return None if told is None else lambda share: told(start + width * share)

    @cached_property
    def _counts(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Layouts and endings, by shape and by tricks at stake."""
        core = self._native
        return _counted(core, 0, self.shapes, self._threads, self._part(0.2, 0.8))

    def count(self) -> MinedCount:
        """Count all of them, exactly."""
        layouts, endings = self._counts
        by_cost = [int(number) for number in endings.sum(axis=0, dtype=np.uint64)]
        deals = [0] * len(by_cost)
        for factor, rows in self._by_factor():
            for cost, number in enumerate(layouts[rows].sum(axis=0, dtype=np.uint64)):
                deals[cost] += factor * int(number)
        return MinedCount(_found(by_cost), sum(by_cost), _found(deals), sum(deals))

    def _by_factor(self) -> Iterator[tuple[int, NDArray[np.intp]]]:
        """Shapes of which a layout stands for as many deals."""
        if isinstance(self._ground, SetGround):
            yield 1, np.arange(self.shapes)
            return
        rows = self._rows
        # What `deals_of` depends on: lengths, trumps, and which suits have the same split.
        lengths = sum((rows[:, :4] >> shift & 15 for shift in (12, 8, 4)), rows[:, :4] & 15)
        same = [rows[:, a] == rows[:, b] for a in range(4) for b in range(a)]
        keys = np.column_stack([lengths, rows[:, 4], *same])
        _, first, kind = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        by_kind = np.argsort(kind.ravel(), kind="stable")
        ends = np.cumsum(np.bincount(kind.ravel()))
        for place, rows_of_kind in zip(first, np.split(by_kind, ends[:-1]), strict=True):
            yield self._ground.deals_of(rows[place]), rows_of_kind

    def __iter__(self) -> Iterator[MinedEnding]:
        core = self._native
        for start in range(0, self.shapes, _CHUNK):
            many = min(_CHUNK, self.shapes - start)
            layouts, _ = _counted(core, start, many, self._threads, None)
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
        least = self._wanted.least_cost
        return [
            self._ground.ending(row, owners) for owners in self._native.find(shape, numbers, least)
        ]

    def _solved(self, found: FoundDeal) -> MinedEnding:
        ending = MinedEnding.of_deal(
            self._wanted.property, found.deal, found.strain, found.leader, solver=self._solver
        )
        assert ending is not None, f"{found} lacks the property {self._wanted.property}"
        return ending

    def sample(self, size: int, *, seed: int) -> list[MinedEnding]:
        """Endings at random, each as likely as any other; all of them if there are not so many.

        >>> [ending.cost for ending in mine("only-card", 8, least_cost=2).sample(3, seed=1)]
        [2, 2, 2]
        """
        return [self._solved(found) for found in islice(self._at_random(Random(seed)), size)]

    def _at_random(self, rng: Random) -> Iterator[FoundDeal]:
        """Layouts in random order, of those that are the same by suits alike only one."""
        layouts, _ = self._counts
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
        """Those with most at stake, and of these the ones in which fewest cards hold.

        Where there are more of them than asked for, some at random.

        >>> [ending.cost for ending in mine("only-card", 8).sharpest()]
        [2]
        """
        _, endings = self._counts
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
        """The same among some shapes, with that much at stake."""
        wanted = _Wanted(
            property=self._wanted.property,
            least_cost=cost,
            tricks=self._wanted.tricks,
            least_choices=self._wanted.least_choices,
            most_holding=min(holding, self._wanted.most_holding),
        )
        return Mine(self._ground, np.ascontiguousarray(rows), wanted, self._threads, None)

    def estimate(self, shapes: int, *, seed: int) -> MinedEstimate:
        """About how many endings there are, where counting all would take too long.

        Shapes are drawn, each as often as it has layouts, and counted exactly.

        >>> estimate = mine("only-card", 8).estimate(500, seed=1)
        >>> round(estimate.endings), round(estimate.stderr)
        (15954, 850)
        """
        if isinstance(self._ground, SetGround):
            raise InvalidInput("no estimates for sets (expected an exact count)")
        if shapes < 2:
            raise InvalidInput(f"not a number of shapes to draw: {shapes} (expected 2 or more)")
        rows = self._rows
        layouts = layouts_of(rows)
        drawn = np.random.default_rng(seed).choice(len(rows), shapes, p=layouts / layouts.sum())
        chosen, times = np.unique(drawn, return_counts=True)
        part = np.ascontiguousarray(rows[chosen])
        core = self._native_of(part, self._part(0.0, 0.5))
        _, endings = _counted(core, 0, len(part), self._threads, self._part(0.5, 0.5))
        shares = np.repeat(endings[:, 1:7].sum(axis=1) / layouts[chosen], times)
        whole = float(layouts.sum())
        error = float(shares.std(ddof=1)) / sqrt(shapes)
        return MinedEstimate(whole * float(shares.mean()), whole * error, shapes, seed)


def _counted(
    core: _core.Mine, first: int, many: int, threads: int, progress: Progress | None
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Layouts and endings of some shapes, by tricks at stake."""
    layouts, endings = (np.empty((many, 8), np.uint64) for _ in range(2))
    core.count(first, layouts, endings, threads, progress)
    return layouts, endings


def _found(by_cost: Sequence[int]) -> Mapping[int, int]:
    """Numbers by tricks at stake, where there are any."""
    return MappingProxyType(
        {cost: number for cost, number in enumerate(by_cost) if cost and number}
    )
