"""Whole levels in figures: endings and deals by tricks, and the sizes of sets.

No database is needed. Diagrams are made shape by shape, as for mining, and walks through them count
all endings without enumerating them.

>>> level_histogram(4).endings["notrump"]
(26, 47)
>>> set_sizes(8).largest
540
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from setrograde import _core
from setrograde.common.progress import CountProgress, ShareProgress
from setrograde.common.stop import StopFlag, check_stop
from setrograde.common.threads import thread_count
from setrograde.errors import InvalidInput

from .display import html_text
from .levels import METHODS
from .methods.set_levels import SetLevel
from .mining.grounds import LevelGround
from .mining.mined_ending import Property

__all__ = ["LevelHistogram", "SetSizes", "level_histogram", "set_sizes"]

_STRAINS = ("notrump", "trumps")

Counts = Mapping[str, tuple[int, ...]]
"""By strain, and then by tricks of the leader's side, from 0 on."""


@dataclass(frozen=True, slots=True)
class LevelHistogram:
    """All endings with a number of cards, by strain and by tricks of the leader's side."""

    cards: int
    """Cards of all four hands together."""

    endings: Counts
    """Unique endings: those that differ only by names of suits or by ranks that left play are one.

    The keys are `"notrump"`, which is also an ending without a trump left, and `"trumps"`.
    """

    deals: Counts
    """Deals from a pack of 52 cards with a given leader. Each trump suit counts by itself."""

    def mean(self, strain: str, *, of_deals: bool = True) -> float:
        """Average tricks of the leader's side, over deals or over unique endings.

        >>> round(level_histogram(4).mean("notrump"), 3)
        0.797
        """
        counts = (self.deals if of_deals else self.endings)[strain]
        return sum(tricks * count for tricks, count in enumerate(counts)) / sum(counts)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "cards": self.cards,
            "strains": [
                {
                    "strain": strain,
                    "endings": list(self.endings[strain]),
                    "deals": list(self.deals[strain]),
                    "mean_of_endings": self.mean(strain, of_deals=False),
                    "mean_of_deals": self.mean(strain),
                }
                for strain in _STRAINS
            ],
        }

    def __str__(self) -> str:
        """A table for each strain."""
        rows = [("strain", "tricks", "endings", "share", "deals", "share")]
        for strain in _STRAINS:
            endings, deals = self.endings[strain], self.deals[strain]
            rows += [
                (strain, str(tricks), *_with_share(endings, tricks), *_with_share(deals, tricks))
                for tricks in range(len(endings))
            ]
            means = [f"{self.mean(strain, of_deals=of_deals):.4f}" for of_deals in (False, True)]
            rows.append((strain, "all", f"{sum(endings):,}", "", f"{sum(deals):,}", ""))
            rows.append((strain, "mean", means[0], "", means[1], ""))
        return _table(rows)

    def _repr_html_(self) -> str:
        return html_text(str(self))


@dataclass(frozen=True, slots=True)
class SetSizes:
    """The sizes of the sets of a level, in endings with suits told apart."""

    cards: int
    """Cards of all four hands together."""
    sets: int
    """The number of sets."""
    smallest: int
    """Endings of the smallest set."""
    median: float
    """Half the sets have as many endings or fewer."""
    mean: float
    """Endings of a set on average."""
    largest: int
    """Endings of the largest set."""
    by_size: Mapping[int, int]
    """The number of sets by their size, rounded down to a power of two."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "cards": self.cards,
            "sets": self.sets,
            "smallest": self.smallest,
            "median": self.median,
            "mean": self.mean,
            "largest": self.largest,
            "by_size": {str(size): count for size, count in self.by_size.items()},
        }

    def __str__(self) -> str:
        """A sentence, and a row for each power of two."""
        rows = [("endings", "sets", "share")]
        rows += [
            (_range(size), f"{count:,}", f"{count / self.sets:.2%}")
            for size, count in self.by_size.items()
        ]
        return (
            f"{self.cards} cards: {self.sets:,} sets of {self.smallest:,} to {self.largest:,}"
            f" endings, median {self.median:g}, mean {self.mean:.1f}\n\n{_table(rows)}"
        )

    def _repr_html_(self) -> str:
        return html_text(str(self))


def level_histogram(
    cards: int,
    *,
    threads: int | None = None,
    progress: ShareProgress | None = None,
    stop: StopFlag | None = None,
) -> LevelHistogram:
    """Count all endings with a number of cards by strain and tricks, exactly.

    12 cards take a second, 16 cards a minute or two, 20 cards much longer. Once `stop` is set, the
    call raises `Stopped`.

    >>> print(level_histogram(4))
    strain   tricks  endings   share       deals   share
    notrump       0       26  35.62%   1,316,016  20.25%
    notrump       1       47  64.38%   5,181,384  79.75%
    notrump     all       73           6,497,400
    notrump    mean   0.6438              0.7975
    trumps        0       68  50.00%   9,046,752  50.00%
    trumps        1       68  50.00%   9,046,752  50.00%
    trumps      all      136          18,093,504
    trumps     mean   0.5000              0.5000
    """
    ground = LevelGround(cards, stop=stop)
    rows = ground.rows
    cores = thread_count(threads)
    told = progress or (lambda share: None)
    value = [len(Property), 1, -1, 2, 13]  # all tricks of the leader's side, as if at stake
    core = _core.Mine(rows, value, None, cores, lambda share: told(0.2 * share), stop)
    layouts, endings = (np.empty((len(rows), 8), np.uint64) for _ in range(2))
    core.count(0, layouts, endings, cores, lambda share: told(0.2 + 0.8 * share), stop)
    unique, deals = ({strain: [0] * (cards // 4 + 1) for strain in _STRAINS} for _ in range(2))
    for factor, places in ground.by_deals(rows):
        strain = _STRAINS[rows[places[0], 4]]
        _add(unique[strain], endings[places], 1)
        _add(deals[strain], layouts[places], factor)
    return LevelHistogram(cards, _frozen(unique), _frozen(deals))


def set_sizes(
    cards: int,
    *,
    level: SetLevel | None = None,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> SetSizes:
    """The sizes of the sets that Setrograde Analysis finds, up to 12 cards.

    `level` is the level to look at; it is built if not given. `progress` hears how many shapes are
    built. Once `stop` is set, the call raises `Stopped`.

    >>> print(str(set_sizes(4)).splitlines()[0])
    4 cards: 73 sets of 1 to 12 endings, median 2, mean 2.9
    """
    most = 4 * METHODS["sets"]
    if cards % 4 or not 4 <= cards <= most:
        raise InvalidInput(
            f"not a number of cards: {cards} (expected a multiple of 4, from 4 to {most})"
        )
    level = level or SetLevel(cards // 4, progress=progress, stop=stop)
    if level.tricks != cards // 4:
        raise InvalidInput(f"a level of {4 * level.tricks} cards (expected {cards})")
    found: list[int] = []
    for rank in range(level.shapes):
        check_stop(stop)
        found += [len(entry.states) for entry in level.entries_of_shape(rank)]
    sizes = np.array(found, np.int64)
    powers, counts = np.unique(1 << np.log2(sizes).astype(np.int64), return_counts=True)
    return SetSizes(
        cards=cards,
        sets=len(sizes),
        smallest=int(sizes.min()),
        median=float(np.median(sizes)),
        mean=float(sizes.mean()),
        largest=int(sizes.max()),
        by_size=MappingProxyType(dict(zip(powers.tolist(), counts.tolist(), strict=True))),
    )


def _add(sums: list[int], counts: NDArray[np.uint64], factor: int) -> None:
    for tricks, number in enumerate(counts.sum(axis=0, dtype=np.uint64)[: len(sums)]):
        sums[tricks] += factor * int(number)


def _frozen(counts: Mapping[str, Sequence[int]]) -> Counts:
    return MappingProxyType({strain: tuple(row) for strain, row in counts.items()})


def _with_share(counts: Sequence[int], tricks: int) -> tuple[str, str]:
    return f"{counts[tricks]:,}", f"{counts[tricks] / sum(counts):.2%}"


def _range(size: int) -> str:
    return "1" if size == 1 else f"{size:,} to {2 * size - 1:,}"


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)
