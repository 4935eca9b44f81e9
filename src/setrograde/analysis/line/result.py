"""Answers about lines: the chance, whether it is exact, and the line itself."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from setrograde.bridge import Card

from .question import LineQuestion

__all__ = ["CardChance", "LineStep", "PlayLine"]


@dataclass(frozen=True, slots=True)
class CardChance:
    """What one card is worth now."""

    card: Card
    """The card; of equal cards the lowest."""

    probability: Fraction
    """The chance of the best line that begins with it, if `exact`; else no line has more."""

    double_dummy: Fraction
    """The chance if everyone saw all cards after it."""

    exact: bool
    """False if the search did not need the chance itself, since another card is no worse."""


@dataclass(frozen=True, slots=True)
class LineStep:
    """One sentence of a line, and what depends on it.

    >>> step = LineStep("South leads the ♠2.", (LineStep("If West plays low: the ♠Q."),))
    >>> print(step)
    South leads the ♠2.
    - If West plays low: the ♠Q.
    """

    text: str
    """What to do."""

    then: tuple[LineStep, ...] = ()
    """What to do next, by what the defenders do."""

    def __str__(self) -> str:
        return "\n".join(self._lines(0))

    def _lines(self, depth: int) -> list[str]:
        bullet = "" if depth == 0 else f"{'  ' * (depth - 1)}- "
        own = [f"{bullet}{self.text}"]
        return own + [line for step in self.then for line in step._lines(depth + 1)]

    def to_dict(self) -> dict[str, Any]:
        """As JSON: `text`, and `then` if something follows.

        >>> LineStep("South leads the ♠2.").to_dict()
        {'text': 'South leads the ♠2.'}
        """
        found: dict[str, Any] = {"text": self.text}
        if self.then:
            found["then"] = [step.to_dict() for step in self.then]
        return found


@dataclass(frozen=True)
class PlayLine:
    """The best line that was found, and how good it is."""

    question: LineQuestion
    """What was asked."""

    layouts: int
    """The number of layouts that fit."""

    searched: int
    """The number of layouts searched: all, or a sample."""

    exact: bool
    """True if the chance is proved: all layouts, searched to the last card."""

    bounds: tuple[Fraction, Fraction]
    """The least and the greatest chance of the best line, over the layouts searched. The lower one
    is what the line found takes; the upper one is what the search proved, or double dummy."""

    double_dummy: Fraction
    """The chance if everyone saw all cards, over the layouts searched."""

    candidates: tuple[CardChance, ...]
    """All cards, best first, if it is North's or South's turn."""

    line: LineStep | None
    """The line in words; `None` if nothing is left to choose."""

    depth: int
    """How many of declarer's cards were chosen without seeing the hidden hands."""

    seed: int
    """The seed of the sample, if one was drawn."""

    seconds: float
    """The time taken."""

    @property
    def probability(self) -> Fraction | None:
        """The exact chance; `None` unless it is proved."""
        return self.bounds[0] if self.exact else None

    @property
    def card(self) -> Card | None:
        """The card to play now, if it is North's or South's turn."""
        return self.candidates[0].card if self.candidates else None

    @property
    def sampled(self) -> bool:
        """True if the layouts searched are a random sample."""
        return self.searched < self.layouts

    def __str__(self) -> str:
        from .text import format_line

        return format_line(self)

    def to_dict(self) -> dict[str, Any]:
        """As JSON; the keys are those of `setrograde line --json`."""
        from .text import line_to_dict

        return line_to_dict(self)
