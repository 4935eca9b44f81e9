"""Answers about odds: what is proved, what is only estimated, and which is which.

What is proved is a count of layouts: in how many declarer takes the tricks asked for, in how many
he does not, and how many are still open. An estimate comes from a random sample of layouts. It is
of another type, and tells the size of the sample and its seed.
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
from .guesses import Guess
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
    "check_samples",
    "share_of",
    "wilson_interval",
]

StopReason = Literal["time", "within", "interrupted", "request"]
"""Why the work ended early: its time was up, the chance was known closely enough, Ctrl-C, or its
`stop` flag was set."""

_Z = 1.959963984540054  # 95 % of a normal distribution lie within this many deviations


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of a chance, from the successes among some trials (Wilson 1927).

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
    """The number of layouts that were solved."""

    seed: int
    """The seed of the sample."""

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
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
    """The standard error of the average; `None` for a single layout."""

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        error = "" if self.standard_error is None else f" ± {self.standard_error:.2f}"
        return f"about {self.value:.2f}{error}"


Average = Fraction | Mean
"""An average over all layouts, or over a sample of them."""


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


def share_of(hits: Sequence[bool], *, exact: bool) -> Average:
    """The share of layouts in which something happens.

    The standard error of a sample is that of Agresti and Coull, as if two more layouts had been
    hits and two more had not; so six hits in six layouts do not claim to be certain.

    >>> share_of([True, False], exact=True), str(share_of([True] * 6, exact=False))
    (Fraction(1, 2), 'about 1.00 ± 0.13')
    """
    count, found = len(hits), sum(hits)
    if exact:
        return Fraction(found, count)
    share = (found + 2) / (count + 4)
    error = sqrt(share * (1 - share) / (count + 4)) if count > 1 else None
    return Mean(found / count, error)


@dataclass(frozen=True, slots=True)
class TrickSample:
    """Declarer's tricks in randomly drawn layouts.

    >>> sample = TrickSample((9, 10, 10, 8), seed=1)
    >>> sample.counts, sample.at_least(10).share, sample.average
    ({8: 1, 9: 1, 10: 2}, 0.5, 9.25)
    """

    tricks: tuple[int, ...]
    """One number of tricks for each layout that was drawn."""

    seed: int
    """The seed of the sample."""

    need: int | None = None
    """If given, only this number was asked about: `tricks` has it, or one less."""

    @property
    def counts(self) -> dict[int, int]:
        """How often each number of tricks came up."""
        return {n: self.tricks.count(n) for n in sorted(set(self.tricks))}

    @property
    def average(self) -> float:
        """The average number of tricks."""
        return mean(self.tricks)

    @property
    def standard_error(self) -> float | None:
        """The standard error of the average; `None` for a single layout.

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
    """The number of tricks asked for."""

    makes: int
    """The number of layouts in which declarer takes them."""

    fails: int
    """The number of layouts in which he does not."""

    open: int
    """The number of layouts that are not settled yet."""

    sets: SettledSets | None = None
    """The sets that settle all layouts; `None` before that, or if no search was needed."""

    solves: int = 0
    """The number of searches."""

    nodes: int = 0
    """The number of positions searched."""

    told_apart: int = 0
    """The number of layouts for which touching cards had to be told apart."""

    @property
    def layouts(self) -> int:
        """The number of all layouts."""
        return self.makes + self.fails + self.open

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest chance that are still possible."""
        return (
            Fraction(self.makes, self.layouts),
            Fraction(self.layouts - self.fails, self.layouts),
        )


@dataclass(frozen=True, slots=True, repr=False)
class Odds:
    """How declarer's tricks are spread over all layouts, as far as it is known.

    >>> from setrograde.analysis.odds.exact import odds
    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> found = odds("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> found.layouts, found.exact, found.distribution, found.average
    (6, True, {1: 3, 2: 3}, Fraction(3, 2))
    """

    question: OddsQuestion
    """The question: who plays what, and what is known."""

    need: int | None
    """The number of tricks asked for; `None` for the whole distribution."""

    layouts: int
    """The number of possible layouts."""

    settled: Mapping[int, Settled]
    """For numbers of tricks, what is proved about taking at least that many."""

    sample: TrickSample | None = None
    """Random layouts that were solved one by one, for an estimate."""

    seconds: float = 0.0
    """The time taken so far."""

    stopped: StopReason | None = None
    """Why the work ended early, if it did."""

    guesses: tuple[Guess, ...] = ()
    """Two-way finesses that are counted as right; known at the end of the work."""

    def __str__(self) -> str:
        from .text import format_odds

        return format_odds(self)

    def __repr__(self) -> str:
        """Short, because all that is settled would fill pages."""
        asked = f"{self.question.strain} by {self.question.declarer}"
        tricks = "tricks" if self.need is None else f"{self.need}+ tricks"
        known = "exact" if self.exact else "not exact"
        return f"<Odds: {tricks} in {asked}, {self.layouts:,} layouts, {known}>"

    def _repr_html_(self) -> str:
        from .plot import odds_html

        return odds_html(self)

    def counts_at_least(self, need: int) -> tuple[int, int]:
        """The least and the greatest number of layouts in which declarer takes `need` tricks.

        These are proved. Whoever takes ten tricks takes nine, so what is proved about one number of
        tricks serves the others.
        """
        if need <= 0:
            return (self.layouts, self.layouts)
        if need > self.question.tricks:
            return (0, 0)
        least = [found.makes for tricks, found in self.settled.items() if tricks >= need]
        fails = [found.fails for tricks, found in self.settled.items() if tricks <= need]
        return (max(least, default=0), self.layouts - max(fails, default=0))

    def bounds_at_least(self, need: int) -> tuple[Fraction, Fraction]:
        """The least and the greatest chance of `need` tricks, as far as proved."""
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
        """The number of layouts by declarer's tricks; `None` unless all of it is proved."""
        counts = [self.counts_at_least(need) for need in range(self.question.tricks + 2)]
        if any(low != high for low, high in counts):
            return None
        spread = [here[0] - above[0] for here, above in pairwise(counts)]
        return {tricks: count for tricks, count in enumerate(spread) if count}

    @property
    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """The least and the greatest chance of `need` tricks that are still possible."""
        return None if self.need is None else self.bounds_at_least(self.need)

    @property
    def probability(self) -> Fraction | None:
        """The exact chance of `need` tricks; `None` unless that is proved."""
        if self.bounds is None or self.bounds[0] != self.bounds[1]:
            return None
        return self.bounds[0]

    @property
    def average_bounds(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest average number of tricks that are still possible."""
        bounds = [self.bounds_at_least(need) for need in range(1, self.question.tricks + 1)]
        zero = Fraction(0)
        return (sum([low for low, _ in bounds], zero), sum([high for _, high in bounds], zero))

    @property
    def average(self) -> Fraction | None:
        """Declarer's average number of tricks; `None` unless it is proved."""
        low, high = self.average_bounds
        return low if low == high else None

    @property
    def estimate(self) -> Estimate | None:
        """The chance of `need` tricks from the sample, kept within what is proved."""
        return None if self.need is None else self.estimate_at_least(self.need)

    def estimate_at_least(self, need: int) -> Estimate | None:
        """The chance of any number of tricks from the sample; `None` without one."""
        if self.sample is None or self.sample.need not in (None, need):
            return None
        found = self.sample.at_least(need)
        low, high = map(float, self.bounds_at_least(need))
        share, least, most = (min(max(x, low), high) for x in (found.share, found.low, found.high))
        return Estimate(share, least, most, found.samples, found.seed)

    @property
    def sets(self) -> SettledSets | None:
        """The sets that settle `need`, or else the number of tricks nearest to 50 %."""
        done = [found for found in self.settled.values() if found.sets is not None]
        if self.need is not None:
            done = [found for found in done if found.need == self.need]
        best = min(done, key=lambda found: abs(2 * found.makes - found.layouts), default=None)
        return None if best is None else best.sets

    @property
    def solves(self) -> int:
        """The number of searches, without those of the sample."""
        return sum(found.solves for found in self.settled.values())

    @property
    def open_share(self) -> float:
        """The share of the work that is left: 0 if the answer is exact."""
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


def check_samples(samples: int, *, least: int = 0) -> int:
    """A number of samples, refused if it is less than `least`.

    >>> check_samples(0, least=1)
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: not a number of samples: 0 (expected 1 or more)
    """
    if samples < least:
        raise InvalidInput(f"not a number of samples: {samples} (expected {least} or more)")
    return samples
