"""Levelling: each value of an expression comes equally often.

Where the values can be counted, each class is drawn by itself, so that the rarest costs no more
than the commonest. Otherwise the classes are those seen in the first deals, and deals of a class
that is full already are passed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from setrograde.bridge import InvalidConstraint
from setrograde.errors import InvalidInput
from setrograde.formats.dealer.syntax import Binary, Expression, Level, Number, Unary

from .batch import Bits
from .counted import CountedPart, Counting

if TYPE_CHECKING:
    from .running import ScriptRun

__all__ = ["LevelClass", "Levelling"]

_MOST_CLASSES = 200
_PILOT = 20_000


@dataclass(frozen=True, slots=True)
class LevelClass:
    """One value of the levelled expression.

    >>> print(LevelClass(12, 25, True))
    Level 12: 25 deals
    """

    value: int
    """The value."""

    deals: int
    """Deals produced with this value."""

    is_counted: bool
    """True if the class was counted and drawn by itself."""

    def __str__(self) -> str:
        return f"Level {self.value}: {self.deals} deals"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"value": self.value, "deals": self.deals, "is_counted": self.is_counted}


class Levelling:
    """The levelled deals of one run."""

    def __init__(self, run: ScriptRun) -> None:
        assert run.script.level is not None
        self._run = run
        self._level: Level = run.script.level
        self._dice = np.random.default_rng([run.seed, 3])
        self.classes: tuple[LevelClass, ...] = ()

    def rows(self) -> Bits:
        """The deals, in random order; numbers of two classes differ by one at most."""
        run = self._run
        if not run.wanted:
            return np.empty((0, 4), np.uint64)
        counted = self._counted_classes() if run.counts else None
        rows = self._of_counted(counted) if counted else self._of_seen()
        return rows[self._dice.permutation(len(rows))]

    def _equals(self, value: int) -> Expression:
        number: Expression = Number(abs(value))
        if value < 0:
            number = Unary("-", number)
        return Binary("==", self._level.expression, number, place=self._level.place)

    def _quotas(self, classes: int) -> list[int]:
        """How many deals of each class; those with one more are chosen at random."""
        share, over = divmod(self._run.wanted, classes)
        quotas = np.full(classes, share)
        quotas[self._dice.permutation(classes)[:over]] += 1
        return [int(quota) for quota in quotas]

    def _values(self) -> list[int] | None:
        """The values that may come: those within the bounds, or those of deals drawn first."""
        low, high = self._level.low, self._level.high
        if low is None or high is None:
            return None
        if high - low >= _MOST_CLASSES:
            raise InvalidInput(
                f"too many classes in level at {self._level.place}: {high - low + 1}"
                f" (expected {_MOST_CLASSES} at most)"
            )
        return list(range(low, high + 1))

    def _seen(self) -> list[int]:
        """The values among the first deals that fit."""
        run = self._run
        seen = set[int]()
        tried = 0
        for batch in run.drawn(run.source(run.seed)):
            fitting = batch.take(run.passed(batch))
            seen.update(run.evaluator.value(self._level.expression, fitting).tolist())
            tried += len(batch)
            if tried >= _PILOT and seen:
                break
        if seen:
            run.generated = 0
        if len(seen) > _MOST_CLASSES:
            raise InvalidInput(
                f"too many classes in level at {self._level.place}: {len(seen)} or more"
                f" (expected {_MOST_CLASSES} at most, or bounds)"
            )
        return sorted(seen)

    def _counted_classes(self) -> list[tuple[int, CountedPart]] | None:
        """The values that can come, each as something counted; `None` if they cannot be."""
        counting = Counting(self._run.evaluator)
        if counting.part(self._equals(0)) is None:
            return None
        values = self._values()
        found = []
        for value in self._seen() if values is None else values:
            part = counting.part(self._equals(value))
            if part is None:
                return None
            found.append((value, part))
        return found

    def _of_counted(self, counted: list[tuple[int, CountedPart]]) -> Bits:
        run = self._run
        sources = []
        for place, (value, part) in enumerate(counted):
            seed = int(np.random.SeedSequence([run.seed, place]).generate_state(1, np.uint64)[0])
            try:
                source = run.source(seed, (part,))
            except InvalidConstraint:
                continue
            sources.append((value, source))
        if not sources:
            raise InvalidConstraint(
                f"no deal fits any class of level at {self._level.place}"
                " (expected values that some deal has)"
            )
        run.probability = sum([source.probability for _, source in sources], Fraction(0))
        found: list[Bits] = []
        classes = []
        for (value, source), quota in zip(sources, self._quotas(len(sources)), strict=True):
            left = quota
            for batch in run.drawn(source, quota) if quota else ():
                rows = batch.deals[run.passed(batch)][:left]
                found.append(rows)
                left -= len(rows)
                if not left:
                    break
            classes.append(LevelClass(value, quota - left, True))
        self.classes = tuple(classes)
        return np.concatenate([*found, np.empty((0, 4), np.uint64)])

    def _of_seen(self) -> Bits:
        run = self._run
        values = self._values() or self._seen()
        if not values:
            return np.empty((0, 4), np.uint64)
        quotas = dict(zip(values, self._quotas(len(values)), strict=True))
        left = dict(quotas)
        source = run.source(run.seed)
        run.probability = source.probability
        found: list[Bits] = []
        for batch in run.drawn(source):
            fitting = batch.take(run.passed(batch))
            class_of = run.evaluator.value(self._level.expression, fitting)
            for value in [value for value, missing in left.items() if missing]:
                rows = fitting.deals[class_of == value][: left[value]]
                left[value] -= len(rows)
                found.append(rows)
            if not any(left.values()):
                break
        self.classes = tuple([LevelClass(v, quotas[v] - left[v], False) for v in values])
        return np.concatenate([*found, np.empty((0, 4), np.uint64)])
