"""Answers about odds: what is proved, what is only estimated, and which is which.

Proved are counts of layouts: how many take the tricks asked for, how many do not, how many are open
still. An estimate comes from a random sample of layouts; it has another type, and says how large the
sample was and what seed it follows from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from statistics import mean, stdev
from typing import Literal

from setrograde.bridge import InvalidInput

from .chances import format_chance, format_chances
from .question import OddsQuestion
from .settled_sets import SettledSets

__all__ = [
    "Average",
    "Estimate",
    "Mean",
    "Odds",
    "Settled",
    "StopReason",
    "TrickSample",
    "average_of",
    "check_need",
    "wilson_interval",
]

StopReason = Literal["time", "within", "interrupted"]

_Z = 1.959963984540054  # 95 % of a normal distribution lie within so many deviations


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of a chance after so many successes in so many trials (Wilson 1927).

    >>> low, high = wilson_interval(50, 100)
    >>> round(low, 3), round(high, 3)
    (0.404, 0.596)
    >>> wilson_interval(0, 0)
    (0.0, 1.0)
    """
    if trials == 0:
        return (0.0, 1.0)
    share = successes / trials
    spread = 1 + _Z * _Z / trials
    middle = (share + _Z * _Z / (2 * trials)) / spread
    half = _Z * sqrt(share * (1 - share) / trials + _Z * _Z / (4 * trials * trials)) / spread
    # At the ends by definition: rounding errors are not to look like doubt.
    low = 0.0 if successes == 0 else middle - half
    high = 1.0 if successes == trials else middle + half
    return (low, high)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A chance from a sample, not proved.

    >>> Estimate(0.5, 0.404, 0.596, samples=100, seed=1).half_width
    0.096
    """

    share: float
    """The share of the sample."""

    low: float
    """The lower end of its 95 % interval."""

    high: float
    """The upper end."""

    samples: int
    """Layouts that were solved."""

    seed: int
    """What the sample follows from."""

    @property
    def half_width(self) -> float:
        """Half the interval."""
        return round((self.high - self.low) / 2, 12)

    def __str__(self) -> str:
        return (
            f"about {format_chance(self.share, places=1)} (95 %:"
            f" {format_chances(self.low, self.high, places=1)}; {self.samples} layouts sampled)"
        )


@dataclass(frozen=True, slots=True)
class Mean:
    """An average over a sample, not proved.

    >>> str(Mean(412.5, 30.0))
    'about 412.50 ± 30.00'
    """

    value: float
    """The average of the sample."""

    standard_error: float | None
    """Its standard deviation; `None` for a single layout."""

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        error = "" if self.standard_error is None else f" ± {self.standard_error:.2f}"
        return f"about {self.value:.2f}{error}"


Average = Fraction | Mean
"""Over all layouts, or over a sample."""


def average_of(values: Sequence[int | Fraction], *, exact: bool) -> Average:
    """The mean of values over all layouts, or over a sample of them.

    >>> average_of([1, 2], exact=True), average_of([1, 3], exact=False)
    (Fraction(3, 2), Mean(value=2.0, standard_error=1.0))
    """
    middle = Fraction(sum(values), len(values))
    if exact:
        return middle
    spread = stdev([float(value) for value in values]) if len(values) > 1 else None
    return Mean(float(middle), None if spread is None else spread / sqrt(len(values)))


@dataclass(frozen=True, slots=True)
class TrickSample:
    """Declarer's tricks in randomly drawn layouts.

    >>> sample = TrickSample((9, 10, 10, 8), seed=1)
    >>> sample.counts, sample.at_least(10).share, sample.average
    ({8: 1, 9: 1, 10: 2}, 0.5, 9.25)
    """

    tricks: tuple[int, ...]
    """One number for each layout drawn."""

    seed: int
    """What the sample follows from."""

    need: int | None = None
    """If given, only this was asked of each layout: `tricks` are as many, or one less."""

    @property
    def counts(self) -> dict[int, int]:
        """How often each number of tricks came up."""
        return {n: self.tricks.count(n) for n in sorted(set(self.tricks))}

    @property
    def average(self) -> float:
        """The mean."""
        return mean(self.tricks)

    @property
    def standard_error(self) -> float | None:
        """Of the mean; `None` for a single layout.

        >>> TrickSample((9, 11), seed=1).standard_error
        1.0
        """
        return stdev(self.tricks) / sqrt(len(self.tricks)) if len(self.tricks) > 1 else None

    def at_least(self, need: int) -> Estimate:
        """The chance of `need` tricks or more."""
        made = sum(tricks >= need for tricks in self.tricks)
        low, high = wilson_interval(made, len(self.tricks))
        return Estimate(made / len(self.tricks), low, high, len(self.tricks), self.seed)


@dataclass(frozen=True, slots=True)
class Settled:
    """What is proved about one number of tricks.

    >>> Settled(10, makes=3, fails=1, open=2).bounds
    (Fraction(1, 2), Fraction(5, 6))
    """

    need: int
    """Tricks asked for."""

    makes: int
    """Layouts in which declarer takes them."""

    fails: int
    """Layouts in which he does not."""

    open: int
    """Layouts not settled yet."""

    sets: SettledSets | None = None
    """Sets that settle all layouts; `None` before that, or if nothing had to be searched."""

    solves: int = 0
    """Searches made."""

    nodes: int = 0
    """Positions searched."""

    told_apart: int = 0
    """Layouts for which cards next to each other had to be told apart."""

    @property
    def layouts(self) -> int:
        """All of them."""
        return self.makes + self.fails + self.open

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """The chance is proved to lie between these."""
        return (
            Fraction(self.makes, self.layouts),
            Fraction(self.layouts - self.fails, self.layouts),
        )


@dataclass(frozen=True, slots=True)
class Odds:
    """How declarer's tricks are spread over all layouts, as far as known.

    >>> from setrograde.analysis.odds.exact import odds
    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> found = odds(Hand.from_text("AQ..."), Hand.from_text("32..."), Strain.NOTRUMP, Seat.SOUTH,
    ...              hidden=Hand.from_text("KJT9..."))
    >>> found.layouts, found.exact, found.distribution, found.average
    (6, True, {1: 3, 2: 3}, Fraction(3, 2))
    """

    question: OddsQuestion
    """Whose tricks, seeing what."""

    need: int | None
    """The tricks asked for; `None` if the whole distribution was asked for."""

    layouts: int
    """Layouts that are possible."""

    settled: Mapping[int, Settled]
    """By number of tricks: what is proved about taking at least that many."""

    sample: TrickSample | None = None
    """Layouts drawn and solved one by one, for an estimate."""

    seconds: float = 0.0
    """Wall-clock time so far."""

    stopped: StopReason | None = None
    """Why the work ended early, if it did."""

    def counts_at_least(self, need: int) -> tuple[int, int]:
        """The fewest and the most layouts in which declarer may take `need` tricks, as proved.

        Who takes ten tricks takes nine: what is proved about one number serves the others.
        """
        if need <= 0:
            return (self.layouts, self.layouts)
        if need > self.question.tricks:
            return (0, 0)
        least = [found.makes for tricks, found in self.settled.items() if tricks >= need]
        fails = [found.fails for tricks, found in self.settled.items() if tricks <= need]
        return (max(least, default=0), self.layouts - max(fails, default=0))

    def bounds_at_least(self, need: int) -> tuple[Fraction, Fraction]:
        """The same as shares."""
        low, high = self.counts_at_least(need)
        return (Fraction(low, self.layouts), Fraction(high, self.layouts))

    @property
    def exact(self) -> bool:
        """True if nothing that was asked is open."""
        if self.need is not None:
            low, high = self.counts_at_least(self.need)
            return low == high
        return self.distribution is not None

    @property
    def distribution(self) -> dict[int, int] | None:
        """How many layouts give each number of tricks; `None` unless that is proved."""
        counts = [self.counts_at_least(need) for need in range(self.question.tricks + 2)]
        if any(low != high for low, high in counts):
            return None
        spread = [here[0] - above[0] for here, above in pairwise(counts)]
        return {tricks: count for tricks, count in enumerate(spread) if count}

    @property
    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """Between what the chance of `need` tricks is proved to lie."""
        return None if self.need is None else self.bounds_at_least(self.need)

    @property
    def probability(self) -> Fraction | None:
        """The exact chance of `need` tricks; `None` unless that is proved."""
        if self.bounds is None or self.bounds[0] != self.bounds[1]:
            return None
        return self.bounds[0]

    @property
    def average_bounds(self) -> tuple[Fraction, Fraction]:
        """Between what declarer's average is proved to lie."""
        bounds = [self.bounds_at_least(need) for need in range(1, self.question.tricks + 1)]
        zero = Fraction(0)
        return (sum([low for low, _ in bounds], zero), sum([high for _, high in bounds], zero))

    @property
    def average(self) -> Fraction | None:
        """Declarer's tricks on average, if the distribution is proved."""
        low, high = self.average_bounds
        return low if low == high else None

    @property
    def estimate(self) -> Estimate | None:
        """The chance of `need` tricks from the sample, kept within what is proved."""
        return None if self.need is None else self.estimate_at_least(self.need)

    def estimate_at_least(self, need: int) -> Estimate | None:
        """The same for any number of tricks; `None` without a sample."""
        if self.sample is None or self.sample.need not in (None, need):
            return None
        found = self.sample.at_least(need)
        low, high = map(float, self.bounds_at_least(need))
        share, least, most = (min(max(x, low), high) for x in (found.share, found.low, found.high))
        return Estimate(share, least, most, found.samples, found.seed)

    @property
    def sets(self) -> SettledSets | None:
        """The sets that settle `need`; without one, the number of tricks nearest to 50 %."""
        done = [found for found in self.settled.values() if found.sets is not None]
        if self.need is not None:
            done = [found for found in done if found.need == self.need]
        best = min(done, key=lambda found: abs(2 * found.makes - found.layouts), default=None)
        return None if best is None else best.sets

    @property
    def solves(self) -> int:
        """Searches made, without those of the sample."""
        return sum(found.solves for found in self.settled.values())

    @property
    def open_share(self) -> float:
        """How much is left to do of what was asked: 0 when exact."""
        needs: Sequence[int] = range(1, self.question.tricks + 1)
        if self.need is not None:
            needs = [self.need]
        gaps = [high - low for low, high in map(self.counts_at_least, needs)]
        return sum(gaps) / (self.layouts * len(needs))


def check_need(question: OddsQuestion, need: int | None) -> None:
    """Refuse a number of tricks the deal does not have.

    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> question = OddsQuestion.of(Hand.from_text("A..."), Hand.from_text("2..."), Strain.NOTRUMP,
    ...                            Seat.SOUTH, hidden=Hand.from_text("K3..."))
    >>> check_need(question, 2)
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: not a number of tricks: 2 (expected 0 to 1)
    """
    if need is not None and not 0 <= need <= question.tricks:
        raise InvalidInput(f"not a number of tricks: {need} (expected 0 to {question.tricks})")
