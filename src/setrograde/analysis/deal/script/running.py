"""Run dealer scripts: draw deals, keep those that fit, do the actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from secrets import randbelow
from typing import Any

import numpy as np

from setrograde.analysis.deal.sampler import deals_of
from setrograde.bridge import Board, Deal
from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag, check_stop
from setrograde.errors import InvalidInput
from setrograde.formats.dealer import format_expression, parse_dealer
from setrograde.formats.dealer.syntax import (
    Binary,
    EvalContract,
    Expression,
    Number,
    Script,
    Tricks,
)

from .actions import Actions, action_expressions, prints_deals
from .batch import Batch, Bits, Flags
from .counted import CountedPart, Counting
from .evaluation import Evaluator
from .levels import LevelClass, Levelling
from .sources import CountedDeals, DealSource, ShuffledDeals, known_cards, predealt_parts
from .statistics import Statistic

__all__ = ["ScriptResult", "ScriptRun", "read_script", "run_script"]

_FIRST_BATCH = 1024
_LARGEST_BATCH = 1 << 16
_SOLVED_BATCH = 64
GENERATE = 1_000_000
PRODUCE_PRINTED = 40
PRODUCE_COUNTED = 100_000


@dataclass(frozen=True, slots=True)
class ScriptResult:
    """The deals that a script produced, what it printed, and how hard they were to find.

    >>> result = run_script("produce 5 hcp(north) >= 20 action average hcp(north)", seed=1)
    >>> result.produced, result.generated, result.acceptance
    (5, 5, 1.0)
    >>> all(deal["N"].hcp >= 20 for deal in result.deals)
    True
    """

    script: Script
    """The script."""

    rows: Bits
    """The deals as card sets: a row for each deal, a column for each seat."""

    text: str
    """Everything the actions print."""

    statistics: tuple[Statistic, ...]
    """Averages, frequencies and contracts, in the order of the actions."""

    generated: int
    """Deals drawn; only those that meet the counted conditions are."""

    seed: int
    """The seed that gives these deals again."""

    probability: Fraction
    """The share of all deals (with the cards dealt before) that meets the counted conditions."""

    counted: tuple[str, ...]
    """The conditions that are counted, so that no deal is rejected for them."""

    tested: tuple[str, ...]
    """The conditions that each deal drawn is tested for."""

    note: str | None = None
    """Why there are fewer deals than asked for, if there are."""

    classes: tuple[LevelClass, ...] = ()
    """What `level` made of the deals."""

    exact_counts: bool = True
    """False if some of the counted conditions were too much to count and were tested instead."""

    @property
    def produced(self) -> int:
        """The number of deals that fit."""
        return len(self.rows)

    @property
    def acceptance(self) -> float | None:
        """The share of deals drawn that were produced; `None` if none was drawn."""
        return self.produced / self.generated if self.generated else None

    @property
    def deals(self) -> list[Deal]:
        """The deals."""
        return deals_of(self.rows)

    def boards(self) -> list[Board]:
        """The deals as boards, with the dealer and the vulnerability of the script.

        >>> run_script("produce 1 dealer west", seed=1).boards()[0].dealer
        Seat.WEST
        """
        return [
            Board(
                number=number,
                dealer=self.script.dealer,
                vulnerability=self.script.vulnerability,
                deal=deal,
            )
            for number, deal in enumerate(self.deals, 1)
        ]

    @property
    def summary(self) -> str:
        """Lines about the run, as the dealer program ends with.

        >>> print(run_script("produce 2 hcp(north) == 37", seed=1).summary)
        Generated 2 hands
        Produced 2 hands
        Initial random seed 1
        Counted exactly: hcp(north) == 37; 1 deal in 158,753,389,900 fits
        """
        lines = [
            f"Generated {self.generated} hands",
            f"Produced {self.produced} hands",
            f"Initial random seed {self.seed}",
        ]
        if self.counted:
            chance = f"1 deal in {_one_in(self.probability)} fits"
            how = "Counted exactly" if self.exact_counts else "Counted in part"
            lines.append(f"{how}: {'; '.join(self.counted)}; {chance}")
        if self.tested and self.acceptance is not None:
            lines.append(f"Tested: {'; '.join(self.tested)}; {self.acceptance:.3g} of them passed")
        lines += [str(each) for each in self.classes]
        return "\n".join([*lines, *([self.note] if self.note else [])])

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "produced": self.produced,
            "generated": self.generated,
            "acceptance": self.acceptance,
            "effective": float(self.produced),
            "probability": float(self.probability),
            "exact_counts": self.exact_counts,
            "seed": self.seed,
            "counted": list(self.counted),
            "tested": list(self.tested),
            "note": self.note,
            "statistics": [each.as_dict() for each in self.statistics],
            "classes": [each.as_dict() for each in self.classes],
            "deals": [deal.to_pbn() for deal in self.deals],
            "text": self.text,
        }

    def __str__(self) -> str:
        return self.text


def _one_in(probability: Fraction) -> str:
    number = 1 / probability
    return f"{round(number):,}" if number >= 10 else f"{float(number):.3g}"


def run_script(
    text: str | Script | Path,
    *,
    count: int | None = None,
    seed: int | None = None,
    generate: int | None = None,
    counting: bool = True,
    stop: StopFlag | None = None,
    progress: CountProgress | None = None,
) -> ScriptResult:
    """Run a dealer script: its text, a `Path` to it, or the script already parsed.

    Conditions that can be counted are, so that rare deals come as quickly as common ones; the
    others are tested on deals drawn at random. `count`, `seed` and `generate` go before what the
    script says. `counting=False` draws from all deals and tests everything, as the dealer program
    does: the same deals are as likely, and it takes longer.

    >>> result = run_script('''
    ... # A strong notrump opposite a long major
    ... produce 3
    ... opener = hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432)
    ... condition opener && (spades(south) >= 6 || hearts(south) >= 6)
    ... action printoneline
    ... ''', seed=7)
    >>> result.produced, result.text.count(chr(10))
    (3, 3)

    `progress` hears the number of deals produced. Raises `FormatError` for a script with a mistake,
    `InvalidConstraint` if no deal can fit, `Stopped` once the flag `stop` is set. If the limit of
    deals drawn is reached first, the result has fewer deals and its `note` says so.
    """
    run = ScriptRun(
        read_script(text), count=count, seed=seed, generate=generate, counting=counting, stop=stop
    )
    actions = Actions(run.script, run.evaluator, stop=stop)
    found: list[Bits] = []
    produced = 0
    for batch in run.accepted():
        actions.add(batch)
        found.append(batch.deals)
        produced += len(batch)
        if progress is not None and len(batch):
            progress(produced)
    rows = np.concatenate([*found, np.empty((0, 4), np.uint64)])
    return run.result(rows, actions)


def read_script(text: str | Script | Path) -> Script:
    """The script of a text or a file; a script passes unchanged."""
    if isinstance(text, Script):
        return text
    if isinstance(text, Path):
        return parse_dealer(text.read_bytes(), path=str(text))
    if not isinstance(text, str):
        raise InvalidInput(f"not a script: {text!r} (expected text, a Path or a Script)")
    return parse_dealer(text)


class ScriptRun:
    """One run of a script: what is counted, what is tested, and the deals drawn so far."""

    def __init__(
        self,
        script: Script,
        *,
        count: int | None = None,
        seed: int | None = None,
        generate: int | None = None,
        counting: bool = True,
        stop: StopFlag | None = None,
    ) -> None:
        self.script = script
        self.stop = stop
        self.seed = _first(seed, script.seed, None)
        if self.seed is None:
            self.seed = randbelow(1 << 32)
        if not 0 <= self.seed < 1 << 64:
            raise InvalidInput(f"not a seed: {self.seed} (expected 0 to 2**64 - 1)")
        printed = not script.actions or prints_deals(script.actions)
        usual = PRODUCE_PRINTED if printed else PRODUCE_COUNTED
        self.wanted = _first(count, script.produce, usual)
        self.limit = _first(generate, script.generate, max(GENERATE, self.wanted))
        for number in (self.wanted, self.limit):
            if number < 0:
                raise InvalidInput(f"not a number of deals: {number} (expected 0 or more)")
        self.evaluator = Evaluator(script, stop=stop, seed=self.seed)
        self.known = known_cards(script.predeal)
        self.parts: tuple[CountedPart, ...] = tuple(predealt_parts(script.predeal))
        self.rest: tuple[Expression, ...] = () if script.condition is None else (script.condition,)
        self.counts = counting
        self.lengths = None if counting else self.parts
        if counting:
            counted, self.rest = Counting(self.evaluator).split(script.condition)
            self.parts += counted
        self.test: Expression = Number(1)
        for each in self.rest:
            self.test = Binary("&&", self.test, each)
        self.generated = 0
        self.missed = 0
        self.probability = Fraction(1)
        self.is_exact = True
        self.classes: tuple[LevelClass, ...] = ()

    def source(self, seed: int, more: tuple[CountedPart, ...] = ()) -> DealSource:
        """Deals that meet everything counted, and more."""
        if self.counts:
            return CountedDeals(self.known, self.parts + more, seed, stop=self.stop)
        return ShuffledDeals(self.known, seed)

    def accepted(self) -> Iterator[Batch]:
        """The deals produced, batch by batch."""
        if self.script.level is not None:
            yield from self._levelled()
            return
        if not self.wanted:
            return
        source = self.source(self.seed)
        self.probability = source.probability
        left = self.wanted
        for batch in self.drawn(source, self.wanted):
            chosen = self.passed(batch)
            places = np.flatnonzero(chosen)
            if len(places) >= left:  # deals behind the last one wanted were not needed
                self.generated -= len(batch) - int(places[left - 1]) - 1
                chosen[places[left - 1] + 1 :] = False
            left -= min(left, len(places))
            yield batch.take(chosen)
            if not left:
                return
        self.missed = left

    def drawn(self, source: DealSource, needed: int | None = None) -> Iterator[Batch]:
        """Deals of a source in growing batches, until the limit; no more than `needed` if all fit.

        Sizes depend on nothing but the script, so that a seed gives the same deals everywhere.
        """
        self.is_exact = self.is_exact and source.is_exact
        size = _FIRST_BATCH
        largest = _SOLVED_BATCH if self._is_dear() else _LARGEST_BATCH
        while self.generated < self.limit:
            check_stop(self.stop)
            asked = min(size, largest, self.limit - self.generated)
            if not self.rest and self.lengths is None and needed is not None:
                asked = min(asked, needed)
            batch = Batch(source.next(asked, self.stop))
            self.generated += asked
            yield batch
            size *= 4

    def passed(self, batch: Batch) -> Flags:
        """The deals of a batch that pass the test, and have the lengths that are not counted."""
        chosen = self.evaluator.truth(self.test, batch)
        for part in self.lengths or ():
            fits = [part.condition.allows(deal[part.seats[0]]) for deal in deals_of(batch.deals)]
            chosen &= np.array(fits, bool)
        return chosen

    def _is_dear(self) -> bool:
        """True if deals are solved double dummy, to test them or for an action."""
        if any(isinstance(each, EvalContract) for each in self.script.actions):
            return True
        expressions = [self.test]
        for each in self.script.actions:
            expressions += action_expressions(each)
        return any(
            isinstance(leaf, Tricks) for e in expressions for leaf in self.evaluator.leaves(e)
        )

    def _levelled(self) -> Iterator[Batch]:
        levelling = Levelling(self)
        rows = levelling.rows()
        self.classes = levelling.classes
        self.missed = self.wanted - len(rows)
        size = _SOLVED_BATCH if self._is_dear() else _LARGEST_BATCH
        for start in range(0, len(rows), size):
            yield Batch(rows[start : start + size])

    def result(self, rows: Bits, actions: Actions) -> ScriptResult:
        """Everything that came of it."""
        note = None
        if self.missed:
            note = (
                f"only {len(rows)} of {self.wanted} deals found in {self.generated} drawn"
                " (expected a condition that more deals meet, or a higher limit: generate)"
            )
        return ScriptResult(
            self.script,
            rows,
            actions.text(),
            actions.statistics(),
            self.generated,
            self.seed,
            self.probability,
            tuple([str(part) for part in self.parts]) if self.counts else (),
            tuple([format_expression(each) for each in self.rest]),
            note,
            self.classes,
            self.is_exact,
        )


def _first(*numbers: int | None) -> Any:
    """The first that is given."""
    return next((number for number in numbers if number is not None), None)
