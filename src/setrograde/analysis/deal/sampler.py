"""Exact sampling: deals that fit, counted jointly for all hands and drawn from the counts.

No deal is rejected, so a deal of which one in ten million fits comes as quickly as any other. Where
three or four constrained hands at once are too much to count, the conditions that matter least are
checked afterwards instead; `exact_counts` says so. Deals that fit stay equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from setrograde import _core
from setrograde.bridge import (
    Deal,
    Hand,
    HandConstraint,
    InvalidConstraint,
    InvalidDeal,
    InvalidInput,
    Seat,
)
from setrograde.bridge.cards import SeatLike, as_seat
from setrograde.bridge.hand import HandLike, as_hand
from setrograde.common.progress import CountProgress

from .measures import HandCondition, Measure, as_condition

if TYPE_CHECKING:
    from setrograde.common.stop import StopFlag

__all__ = [
    "ConstraintLike",
    "ConstraintsLike",
    "DealRows",
    "DealSampler",
    "DealStream",
    "EstimatedShare",
    "deals_of",
]

ConstraintLike: TypeAlias = "HandConstraint | HandCondition | str"
"""What may be asked of a hand."""

ConstraintsLike: TypeAlias = "ConstraintLike | Sequence[HandConstraint | HandCondition]"
"""One or several of these; all must hold."""

DealRows = NDArray[np.uint64]
"""Deals as rows of four numbers: `Hand.bits` of North, East, South and West."""

_FEW_TRIES = 10_000_000
_Watch = tuple[int, HandCondition]


@dataclass(frozen=True, slots=True)
class EstimatedShare:
    """A share found by drawing deals.

    >>> print(EstimatedShare(0.25, 0.01))
    0.25 ± 0.01
    """

    value: float
    """The share, from 0 to 1."""

    stderr: float
    """Its standard error."""

    @classmethod
    def of(cls, yes: int, tried: int) -> EstimatedShare:
        """The share of `yes` among `tried` draws; the error is never taken as nothing.

        >>> EstimatedShare.of(0, 98).value
        0.0
        """
        # One success and one failure are added for the error, which would vanish at the ends.
        middle = (yes + 1) / (tried + 2)
        return cls(yes / tried, sqrt(middle * (1 - middle) / (tried + 2)))

    def __str__(self) -> str:
        return f"{self.value:.4g} ± {self.stderr:.1g}"


class DealSampler:
    """All deals with certain cards known and certain conditions on the hands.

    >>> sampler = DealSampler(constraints={"N": "hcp 15-17, balanced", "S": "spades 5+, hcp 8+"})
    >>> sampler.count()
    242391918655352164067737200
    >>> float(round(sampler.probability, 6))
    0.004518
    """

    def __init__(
        self,
        known: Mapping[Seat, Hand] | Mapping[str, HandLike] | None = None,
        constraints: Mapping[Seat, ConstraintsLike] | Mapping[str, ConstraintsLike] | None = None,
        denied: Mapping[Seat, Hand] | Mapping[str, HandLike] | None = None,
        *,
        together: Mapping[str, ConstraintsLike] | None = None,
        most_steps: int = 1 << 28,
        stop: StopFlag | None = None,
    ) -> None:
        """Count the deals.

        `known` are cards in each hand; cards that a hidden hand has played count as known.
        `constraints` are on the whole hand of 13 cards. `denied` are cards that a hand does not
        have: after a void is shown, all cards of the suit that are not known. `together` asks
        something of several hands as one, by the letters of their seats: `{"NS": "hcp 25+"}`.
        """
        self._known = _by_seat(known)
        self._denied = _by_seat(denied)
        _check_known(self._known)
        watches: list[_Watch] = []
        fixed = list(self._known)
        for seat, constraint in _each(constraints):
            if isinstance(constraint, HandConstraint) and not constraint.held.bits & (
                sum(hand.bits for hand in fixed) & ~fixed[seat].bits
            ):
                # Cards that the hand has, for certain, need no counting.
                fixed[seat] |= constraint.held
            condition = as_condition(constraint)
            if condition != HandCondition():
                watches.append((1 << seat, condition))
        for letters, asked in (together or {}).items():
            seats = {as_seat(letter) for letter in letters}
            for each in _several(asked):
                condition = as_condition(each, hands=len(seats))
                watches.append((sum(1 << seat for seat in seats), condition))
        self._fixed = fixed
        self._measures = _measures_of(watches)
        self._stop = stop
        self._most_steps = most_steps
        self._counts, self._checks = self._count(watches)

    def _count(self, watches: list[_Watch]) -> tuple[_core.DealCounts, list[_Watch]]:
        """Count all together or, if that is too much, all but those that matter least."""
        counts = self._counts_of(watches)
        if counts is not None:
            return counts, []
        alone = [self._counts_of([watch]) for watch in watches]
        sizes = [_size(count) for count in alone]
        for number in range(1, len(watches) + 1):
            tries = sorted(
                combinations(range(len(watches)), number),
                key=lambda left_out: -min(sizes[i] for i in left_out),
            )
            for left_out in tries:
                counted = [watch for i, watch in enumerate(watches) if i not in left_out]
                counts = self._counts_of(counted)
                if counts is not None:
                    return counts, [watches[i] for i in left_out]
        raise AssertionError("deals without conditions can be counted")

    def _counts_of(self, watches: list[_Watch]) -> _core.DealCounts | None:
        return _core.count_deals(
            [hand.bits for hand in self._fixed],
            [hand.bits for hand in self._denied],
            [measure.worth for measure in self._measures],
            self._in_core(watches),
            most_steps=self._most_steps,
            stop=self._stop,
        )

    def _in_core(self, watches: list[_Watch]) -> list[tuple[int, _core.DealCondition]]:
        places = {measure: place for place, measure in enumerate(self._measures)}
        return [(seats, _core_condition(condition, places)) for seats, condition in watches]

    @property
    def exact_counts(self) -> bool:
        """False if some conditions are checked after drawing, because counting them is too much."""
        return not self._checks

    @property
    def is_possible(self) -> bool:
        """True if some deal fits; without `exact_counts`, if none of the counts rules it out.

        >>> DealSampler(constraints={"N": "hcp 21+", "S": "hcp 20+"}).is_possible
        False
        """
        return self._counts.size > 0

    def count(self) -> int:
        """The number of deals that fit.

        >>> DealSampler().count()
        53644737765488792839237440000

        Raises `InvalidConstraint` without `exact_counts`.
        """
        if self._checks and self.is_possible:
            raise InvalidConstraint(
                "too many cases to count exactly (expected conditions on fewer hands;"
                " estimate_probability draws deals instead)"
            )
        return self._counts.size

    @property
    def probability(self) -> Fraction:
        """The share of the deals with the known cards that fit the other conditions.

        >>> DealSampler(constraints={"W": "has SA SK"}).probability
        Fraction(1, 17)
        """
        return Fraction(self.count(), _deals_with(self._known))

    @property
    def counted_probability(self) -> Fraction:
        """As `probability`, of the conditions that are counted; the same with `exact_counts`.

        >>> DealSampler(constraints={"W": "has SA"}).counted_probability
        Fraction(1, 4)
        """
        return Fraction(self._counts.size, _deals_with(self._known))

    def estimate_probability(self, draws: int = 10_000, *, seed: int = 1) -> EstimatedShare:
        """The same by drawing deals where they cannot all be counted.

        >>> DealSampler(constraints={"W": "has SA"}).estimate_probability()
        EstimatedShare(value=0.25, stderr=0.0)
        """
        share = float(self.counted_probability)
        if not self._checks or not share:
            return EstimatedShare(share, 0.0)
        stream = DealStream(self, seed)
        found = len(stream.next(draws, most_tries=draws))
        passed = EstimatedShare.of(found, stream.tries)
        return EstimatedShare(share * passed.value, share * passed.stderr)

    def draw(
        self,
        count: int,
        seed: int,
        *,
        progress: CountProgress | None = None,
        stop: StopFlag | None = None,
    ) -> DealRows:
        """Draw deals; all that fit are equally likely, and a deal may come twice.

        A row has `Hand.bits` of North, East, South and West. A seed gives the same deals on every
        machine, and the first of many deals are those of a smaller `count`.

        >>> rows = DealSampler({"N": "AKQJT98765432..."}).draw(3, seed=1)
        >>> rows.shape, Hand(int(rows[0, 0])).spades
        ((3, 4), 'AKQJT98765432')
        """
        return DealStream(self, seed).next(count, progress=progress, stop=stop)

    def draw_deals(self, count: int, seed: int, *, stop: StopFlag | None = None) -> list[Deal]:
        """As `draw`, as deals.

        >>> print(DealSampler(constraints={"N": "shape 13=0=0=0"}).draw_deals(1, 1)[0]["N"])
        AKQJT98765432...
        """
        return deals_of(self.draw(count, seed, stop=stop))


class DealStream:
    """Deals of a sampler, one batch after the other.

    >>> stream = DealStream(DealSampler(), seed=1)
    >>> len(stream.next(2)), len(stream.next(3)), stream.tries
    (2, 3, 5)
    """

    def __init__(self, sampler: DealSampler, seed: int) -> None:
        if not 0 <= seed < 1 << 64:
            raise InvalidInput(f"not a seed: {seed} (expected 0 to 2**64 - 1)")
        if not sampler.is_possible:
            raise InvalidConstraint("no deal fits the conditions (why_rare names those to blame)")
        checks = sampler._in_core(sampler._checks)
        worth = [measure.worth for measure in sampler._measures]
        self._core = _core.DealSampler(sampler._counts, seed, worth, checks)
        self._found = 0

    @property
    def tries(self) -> int:
        """Deals drawn so far, with those that failed a check after counting."""
        return self._core.tries

    @property
    def acceptance(self) -> float:
        """The share of these that passed; 1 where everything is counted.

        >>> DealStream(DealSampler(), seed=1).acceptance
        1.0
        """
        return self._found / self.tries if self.tries else 1.0

    def next(
        self,
        count: int,
        *,
        most_tries: int | None = None,
        progress: CountProgress | None = None,
        stop: StopFlag | None = None,
    ) -> DealRows:
        """The next deals; with `most_tries`, perhaps fewer.

        Without it, raises `InvalidConstraint` if ten million tries in a row find too few.
        """
        if count < 0:
            raise InvalidInput(f"not a number of deals: {count} (expected 0 or more)")
        most = most_tries if most_tries is not None else max(_FEW_TRIES, count)
        rows: DealRows = np.empty((count, 4), dtype=np.uint64)
        rows = rows[: self._core.draw(rows, most_tries=most, progress=progress, stop=stop)]
        self._found += len(rows)
        if len(rows) < count and most_tries is None:
            raise InvalidConstraint(
                f"only {len(rows)} of {count} deals found in {most} tries"
                " (expected conditions that can be counted, or that more deals fit)"
            )
        return rows


def deals_of(rows: DealRows) -> list[Deal]:
    """Rows of four card sets as deals.

    >>> deals_of(DealSampler({"N": "AKQJT98765432..."}).draw(1, 1))[0]["N"].spades
    'AKQJT98765432'
    """
    return [Deal(tuple(map(Hand, row))) for row in rows.tolist()]


def _by_seat(cards: Mapping[Seat, Hand] | Mapping[str, HandLike] | None) -> list[Hand]:
    found = [Hand()] * 4
    items: list[tuple[SeatLike, HandLike]] = [*(cards or {}).items()]
    for seat, hand in items:
        found[as_seat(seat)] = as_hand(hand)
    return found


def _each(
    constraints: Mapping[Seat, ConstraintsLike] | Mapping[str, ConstraintsLike] | None,
) -> Iterator[tuple[Seat, HandConstraint | HandCondition]]:
    items: list[tuple[SeatLike, ConstraintsLike]] = [*(constraints or {}).items()]
    for name, found in items:
        for each in _several(found):
            yield as_seat(name), each


def _several(constraints: ConstraintsLike) -> list[HandConstraint | HandCondition]:
    if isinstance(constraints, str):
        return [HandConstraint.from_text(constraints)]
    if isinstance(constraints, HandConstraint | HandCondition):
        return [constraints]
    return list(constraints)


def _check_known(known: list[Hand]) -> None:
    Deal(known)  # raises if a card is in two hands
    for seat in Seat:
        if len(known[seat]) > 13:
            raise InvalidDeal(
                f"{seat.name.title()} holds {len(known[seat])} cards: '{known[seat]}'"
                " (expected 13 at most)"
            )


def _deals_with(known: list[Hand]) -> int:
    """The number of deals with these cards known."""
    left, deals = 52 - sum(map(len, known)), 1
    for hand in known:
        deals *= comb(left, 13 - len(hand))
        left -= 13 - len(hand)
    return deals


def _size(counts: _core.DealCounts | None) -> int:
    return 1 << 96 if counts is None else counts.size


def _measures_of(watches: list[_Watch]) -> list[Measure]:
    found: dict[Measure, None] = {}

    def add(condition: HandCondition) -> None:
        for bound in condition.bounds:
            found[bound.measure] = None
        for clause in condition.clauses:
            for part in clause:
                add(part)

    for _, condition in watches:
        add(condition)
    return list(found)


def _core_condition(condition: HandCondition, places: dict[Measure, int]) -> _core.DealCondition:
    return _core.DealCondition(
        None if condition.shapes is None else [list(shape) for shape in sorted(condition.shapes)],
        [(places[bound.measure], bound.low, bound.high) for bound in condition.bounds],
        [[_core_condition(part, places) for part in clause] for clause in condition.clauses],
    )
