"""Statistics of a script: averages, frequencies and results of contracts over its deals."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, TypeAlias

import numpy as np

from setrograde.bridge import Seat, Strain
from setrograde.common.stop import StopFlag
from setrograde.formats.dealer.syntax import Average, Frequency, FrequencyTable

from .batch import Batch, Numbers
from .evaluation import Evaluator

__all__ = [
    "AverageResult",
    "ContractsResult",
    "FrequencyResult",
    "FrequencyTableResult",
    "Statistic",
]


@dataclass(frozen=True, slots=True)
class AverageResult:
    """The mean of an expression.

    >>> print(AverageResult("points", 10.25, 0.1, 400))
    points: 10.25
    """

    label: str | None
    """What the script calls it."""

    mean: float | None
    """The mean; `None` if no deal was produced."""

    stderr: float | None
    """The standard error of the mean; `None` for fewer than two deals."""

    deals: int
    """The number of deals."""

    def __str__(self) -> str:
        value = "no deals" if self.mean is None else f"{self.mean:g}"
        return value if self.label is None else f"{self.label}: {value}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kind": "average",
            "label": self.label,
            "mean": self.mean,
            "stderr": self.stderr,
            "deals": self.deals,
        }


@dataclass(frozen=True, slots=True)
class FrequencyResult:
    """How often each value came.

    >>> print(str(FrequencyResult("aces", 0, 1, (0, 3, 5, 1))).expandtabs())
    Frequency aces:
        0          3
        1          5
    High           1
    """

    label: str | None
    """What the script calls it."""

    low: int
    """The first value counted by itself."""

    high: int
    """The last value counted by itself."""

    counts: tuple[int, ...]
    """Deals below `low`, then for each value from `low` to `high`, then above `high`."""

    def __str__(self) -> str:
        lines = [f"Frequency {self.label or ''}:"]
        if self.counts[0]:
            lines.append(f"Low\t{self.counts[0]:8d}")
        for value, count in enumerate(self.counts[1:-1], self.low):
            lines.append(f"{value:5d}\t{count:8d}")
        if self.counts[-1]:
            lines.append(f"High\t{self.counts[-1]:8d}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kind": "frequency",
            "label": self.label,
            "low": self.low,
            "high": self.high,
            "below": self.counts[0],
            "counts": list(self.counts[1:-1]),
            "above": self.counts[-1],
        }


@dataclass(frozen=True, slots=True)
class FrequencyTableResult:
    """How often each pair of values came, with sums.

    >>> print(FrequencyTableResult(None, (0, 0), (1, 1), ((0, 0, 0), (1, 2, 3), (0, 0, 0))))
    Frequency :
            Low      1   High    Sum
    Low       0      0      0      0
       0      1      2      3      6
    High      0      0      0      0
    Sum       1      2      3      6
    """

    label: str | None
    """What the script calls it."""

    rows: tuple[int, int]
    """The first and the last value of the first expression."""

    columns: tuple[int, int]
    """The first and the last value of the second expression."""

    counts: tuple[tuple[int, ...], ...]
    """Deals by row and column; the first and last of each are those outside the bounds."""

    def __str__(self) -> str:
        names = ["Low ", *[f"{row:4d}" for row in range(self.rows[0], self.rows[1] + 1)], "High"]
        heads = [f"{column:6d}" for column in range(self.columns[0], self.columns[1] + 1)]
        lines = [f"Frequency {self.label or ''}:"]
        lines.append(" ".join(["    ", "   Low", *heads, "  High", "   Sum"]))
        sums = [sum(column) for column in zip(*self.counts, strict=True)]
        for name, row in zip([*names, "Sum "], [*self.counts, sums], strict=True):
            lines.append(" ".join([name, *[f"{count:6d}" for count in (*row, sum(row))]]))
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kind": "frequency_table",
            "label": self.label,
            "rows": list(self.rows),
            "columns": list(self.columns),
            "counts": [list(row) for row in self.counts],
        }


@dataclass(frozen=True, slots=True)
class ContractsResult:
    """How many tricks North and South take in each strain, double dummy."""

    counts: tuple[tuple[Seat, Strain, tuple[int, ...]], ...]
    """Declarer, strain, and the number of deals with 0, 1, ... 13 tricks."""

    def __str__(self) -> str:
        lines = ["Tricks   " + " ".join([f"{tricks:6d}" for tricks in range(14)])]
        for declarer, strain, counts in self.counts:
            name = f"{declarer.name.title()} {strain}"
            lines.append(f"{name:9s}" + " ".join([f"{count:6d}" for count in counts]))
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kind": "evalcontract",
            "counts": [
                {"declarer": str(declarer), "strain": str(strain), "tricks": list(counts)}
                for declarer, strain, counts in self.counts
            ],
        }


Statistic: TypeAlias = AverageResult | FrequencyResult | FrequencyTableResult | ContractsResult


class Averaging:
    """An average under way."""

    def __init__(self, action: Average) -> None:
        self._action = action
        self._deals = self._sum = self._squares = 0

    def add(self, batch: Batch, evaluator: Evaluator) -> None:
        """Count the deals of a batch."""
        values = evaluator.value(self._action.expression, batch)
        self._deals += len(values)
        self._sum += int(values.sum())
        self._squares += sum(value * value for value in values.tolist())

    def result(self) -> AverageResult:
        """The average so far."""
        n = self._deals
        if not n:
            return AverageResult(self._action.label, None, None, 0)
        spread = (self._squares - self._sum * self._sum / n) / (n - 1) if n > 1 else 0.0
        stderr = sqrt(max(0.0, spread) / n) if n > 1 else None
        return AverageResult(self._action.label, self._sum / n, stderr, n)


def _places(part: Frequency, batch: Batch, evaluator: Evaluator) -> Numbers:
    """0 below the bounds, then 1 for the lowest value and so on."""
    values = evaluator.value(part.expression, batch)
    return np.clip(values, part.low - 1, part.high + 1) - (part.low - 1)


class Counting1:
    """A frequency under way."""

    def __init__(self, action: Frequency) -> None:
        self._action = action
        self._counts = np.zeros(action.high - action.low + 3, np.int64)

    def add(self, batch: Batch, evaluator: Evaluator) -> None:
        """Count the deals of a batch."""
        places = _places(self._action, batch, evaluator)
        self._counts += np.bincount(places, minlength=len(self._counts))

    def result(self) -> FrequencyResult:
        """The counts so far."""
        action = self._action
        return FrequencyResult(action.label, action.low, action.high, tuple(self._counts.tolist()))


class Counting2:
    """A frequency of two expressions under way."""

    def __init__(self, action: FrequencyTable) -> None:
        self._action = action
        rows, columns = action.rows, action.columns
        shape = rows.high - rows.low + 3, columns.high - columns.low + 3
        self._counts = np.zeros(shape, np.int64)

    def add(self, batch: Batch, evaluator: Evaluator) -> None:
        """Count the deals of a batch."""
        rows = _places(self._action.rows, batch, evaluator)
        columns = _places(self._action.columns, batch, evaluator)
        np.add.at(self._counts, (rows, columns), 1)

    def result(self) -> FrequencyTableResult:
        """The counts so far."""
        rows, columns = self._action.rows, self._action.columns
        return FrequencyTableResult(
            self._action.label,
            (rows.low, rows.high),
            (columns.low, columns.high),
            tuple([tuple(row) for row in self._counts.tolist()]),
        )


class CountingContracts:
    """Results of contracts under way."""

    def __init__(self, stop: StopFlag | None) -> None:
        self._stop = stop
        self._counts = {
            (seat, strain): np.zeros(14, np.int64)
            for seat in (Seat.NORTH, Seat.SOUTH)
            for strain in Strain
        }

    def add(self, batch: Batch, evaluator: Evaluator) -> None:
        """Count the deals of a batch."""
        for (seat, strain), counts in self._counts.items():
            counts += np.bincount(batch.tricks(seat, strain, self._stop), minlength=14)

    def result(self) -> ContractsResult:
        """The counts so far."""
        return ContractsResult(
            tuple([(*key, tuple(counts.tolist())) for key, counts in self._counts.items()])
        )
