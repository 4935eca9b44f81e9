"""What a verification found, and what follows from it.

Where everything was compared the result is certain. Where draws were made, the report computes from
their number what share of errors they rule out.

>>> round(error_bound(1000), 6)
0.002991
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any

from setrograde.bridge import Deal, Seat, Strain
from setrograde.common.confidence import error_bound

__all__ = ["Mismatch", "Sample", "Verification", "error_bound"]


class Sample(StrEnum):
    """What was compared.

    >>> Sample.DEALS.value
    'random deals'
    """

    EVERY_SHAPE = "every shape"
    SHARE_OF_SHAPES = "a share of the shapes"
    WEIGHTED_SHAPES = "shapes weighted by layouts"
    DEALS = "random deals"
    SHAPES = "random shapes"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A position whose value in the level is not the true one.

    >>> deal = Deal.from_pbn("N:A... K... Q... J...")
    >>> print(Mismatch(deal, Strain.NOTRUMP, Seat.NORTH, found=0, expected=1))
    N:A... K... Q... J... NT, North leads: 0 (expected 1)
    """

    deal: Deal
    """The cards."""

    strain: Strain
    """Trumps or notrump."""

    leader: Seat
    """Who leads."""

    found: int
    """Tricks of the leader's side by the level."""

    expected: int
    """What they really are."""

    def __str__(self) -> str:
        position = f"{self.deal} {self.strain}, {self.leader.name.title()} leads"
        return f"{position}: {self.found} (expected {self.expected})"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "deal": str(self.deal),
            "strain": str(self.strain),
            "leader": str(self.leader),
            "found": self.found,
            "expected": self.expected,
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of one verification: what was compared, and what follows from it.

    >>> report = Verification(4, Sample.DEALS, "the double-dummy solver", seed=1, shapes=0,
    ...                       states=3000, states_in_all=None, draws=3000, wrong_draws=0,
    ...                       mismatches=0, examples=(), seconds=0.5)
    >>> print(report)
    4 tricks, random deals: 3,000 states, seed 1, compared with the double-dummy solver in 0.5 s.
    All agree.
    With 95 % confidence at most 0.0999 % of deals have a wrong value.
    """

    tricks: int
    """Tricks of the level."""

    sample: Sample
    """What was compared."""

    truth: str
    """What it was compared with."""

    seed: int | None
    """Seed of the draws; `None` if nothing was drawn."""

    shapes: int
    """Shapes compared whole, each counted once."""

    states: int
    """Layouts or positions compared."""

    states_in_all: int | None
    """Layouts of the shapes that were drawn from; `None` if positions were drawn."""

    draws: int
    """Independent draws, of shapes or positions; 0 if nothing was drawn."""

    wrong_draws: int
    """Draws with a wrong value in them."""

    mismatches: int
    """States with wrong values."""

    examples: tuple[Mismatch, ...]
    """The first wrong states."""

    seconds: float
    """Time by the clock."""

    most_layouts: int | None = None
    """The most layouts of the shapes that were drawn from; `None` if all shapes were."""

    is_complete: bool = True
    """False if it was stopped early."""

    @property
    def is_ok(self) -> bool:
        """True if everything was compared that was to be, and no value was wrong."""
        return self.is_complete and self.mismatches == 0

    @property
    def coverage(self) -> Fraction | None:
        """The exact share of layouts compared; `None` if positions were drawn."""
        return Fraction(self.states, self.states_in_all) if self.states_in_all else None

    def error_bound(self, confidence: float = 0.95) -> float:
        """Upper bound on the share of wrong values, of what `statement` names.

        If every shape was to be compared, the bound is certain; what was not compared counts as
        wrong.
        """
        if self.sample is Sample.EVERY_SHAPE:
            assert self.states_in_all is not None
            missing = self.states_in_all - self.states
            return (self.mismatches + missing) / self.states_in_all
        return error_bound(self.draws, self.wrong_draws, confidence=confidence)

    def statement(self, confidence: float = 0.95) -> str:
        """What follows for the level, in a sentence."""
        share = _percent(self.error_bound(confidence), ROUND_CEILING)
        if self.sample is Sample.EVERY_SHAPE:
            if self.is_complete:
                return f"Every layout was compared: {share} are wrong, for certain."
            return f"Not every layout was compared: at most {share} are wrong, for certain."
        shapes = "shapes"
        if self.most_layouts is not None:
            shapes = f"shapes with at most {self.most_layouts:,} layouts"
        words = {
            Sample.SHARE_OF_SHAPES: f"{shapes} hold a wrong value",
            Sample.WEIGHTED_SHAPES: f"layouts of {shapes} lie in one with a wrong value",
            Sample.DEALS: "deals have a wrong value",
            Sample.SHAPES: "layouts, all shapes counting alike, have a wrong value",
        }[self.sample]
        return f"With {100 * confidence:g} % confidence at most {share} of {words}."

    def summary(self, confidence: float = 0.95) -> str:
        """The report in words, several lines."""
        compared = f"{self.states:,} states"
        if self.shapes:
            compared = f"{self.shapes:,} shapes, {self.states:,} layouts"
        if self.coverage is not None:
            compared += (
                f" ({_percent(float(self.coverage), ROUND_FLOOR)} of {self.states_in_all:,})"
            )
        if self.seed is not None:
            compared += f", seed {self.seed}"
        stopped = "" if self.is_complete else " Stopped early."
        lines = [
            f"{self.tricks} trick{'s'[: self.tricks != 1]}, {self.sample}: {compared},"
            f" compared with {self.truth} in {self.seconds:.1f} s.{stopped}",
            f"{self.mismatches:,} wrong." if self.mismatches else "All agree.",
            *(f"  {example}" for example in self.examples),
            self.statement(confidence),
        ]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.summary()

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        """For JSON."""
        return {
            "tricks": self.tricks,
            "sample": self.sample.value,
            "truth": self.truth,
            "seed": self.seed,
            "shapes": self.shapes,
            "states": self.states,
            "states_in_all": self.states_in_all,
            "most_layouts": self.most_layouts,
            "draws": self.draws,
            "wrong_draws": self.wrong_draws,
            "mismatches": self.mismatches,
            "examples": [example.to_dict() for example in self.examples],
            "seconds": self.seconds,
            "complete": self.is_complete,
            "ok": self.is_ok,
            "coverage": None if self.coverage is None else float(self.coverage),
            "confidence": confidence,
            "error_bound": self.error_bound(confidence),
            "statement": self.statement(confidence),
        }


def _percent(share: float, rounding: str) -> str:
    """In three digits, on the safe side."""
    exact = Decimal(f"{100 * share:.12g}")  # without the noise of binary fractions
    rounded = Context(prec=3, rounding=rounding).plus(exact)
    return f"{rounded.normalize():f} %"
