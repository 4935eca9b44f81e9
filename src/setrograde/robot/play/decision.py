"""The record of one decision: candidates with values and reasons, worlds, seed; JSON and PBN."""

from __future__ import annotations

from dataclasses import dataclass, field

from setrograde.bridge import Card, Seat
from setrograde.formats.pbn.document import PbnGame

__all__ = ["Candidate", "Decision"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One card that could be played, and what it is worth to the player's side.

    >>> card = Candidate(Card("SA"), 1.25, 0.125, "cashes a winner")
    >>> card.interval
    (1.005, 1.495)
    """

    action: Card
    """The card."""

    value: float
    """The average worth in the units of the goal; more is better for the player."""

    stderr: float
    """The standard error of `value`; 0 where every layout was counted."""

    why: str = ""
    """The reason in words."""

    tricks: float | None = None
    """The average number of double-dummy tricks of the player's side in the whole deal."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the value."""
        half = 1.96 * self.stderr
        return round(self.value - half, 6), round(self.value + half, 6)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player decided, and why.

    >>> best, other = Candidate(Card("SA"), 1.0, 0.0), Candidate(Card("S2"), 0.5, 0.1)
    >>> made = Decision(Card("SA"), Seat.SOUTH, (best, other), samples=40, seed=1, goal="make")
    >>> made.to_dict()["choice"], made.to_dict()["candidates"][1]["value"]
    ('SA', 0.5)
    >>> print(made.to_pbn())
    [ActionTable "Rank;Card;Percentage"]
    1 SA 100
    2 S2 50
    """

    choice: Card
    """The card to play."""

    seat: Seat
    """The hand it is played from; dummy's too if declarer decides."""

    candidates: tuple[Candidate, ...]
    """Best first."""

    samples: int
    """The number of layouts that were looked at."""

    seed: int
    """The seed that drew them."""

    goal: str = "imps"
    """What the values count."""

    method: str = "monte_carlo"
    """How the card was found."""

    is_exact: bool = False
    """True if every layout that fits was counted."""

    reasons: tuple[str, ...] = ()
    """What decided it, in words."""

    layouts: tuple[str, ...] = ()
    """Layouts behind the decision, in words."""

    seconds: float = field(default=0.0, compare=False)
    """The time it took."""

    work: int = 0
    """Double-dummy questions asked: the same on every machine."""

    def to_dict(self) -> dict[str, object]:
        """The record as JSON has it."""
        return {
            "choice": str(self.choice),
            "seat": self.seat.letter,
            "candidates": [
                {
                    "action": str(each.action),
                    "value": round(each.value, 4),
                    "stderr": round(each.stderr, 4),
                    "why": each.why,
                    "tricks": None if each.tricks is None else round(each.tricks, 3),
                }
                for each in self.candidates
            ],
            "samples": self.samples,
            "seed": self.seed,
            "goal": self.goal,
            "method": self.method,
            "exact": self.is_exact,
            "reasons": list(self.reasons),
            "layouts": list(self.layouts),
            "seconds": round(self.seconds, 3),
            "work": self.work,
        }

    def action_rows(self) -> list[str]:
        """The rows of a PBN `ActionTable`: rank, card, percentage of the best value.

        The worst value that counts as nothing is the smallest of all, or 0 if none is below it.
        """
        values = [each.value for each in self.candidates]
        low, high = min([0.0, *values]), max(values)
        span = high - low
        return [
            f"{rank} {each.action} {round(100 * (each.value - low) / span) if span else 100}"
            for rank, each in enumerate(self.candidates, 1)
        ]

    def add_to(self, game: PbnGame) -> PbnGame:
        """A game of a PBN file with the candidates as its `ActionTable`."""
        return game.with_section("ActionTable", "Rank;Card;Percentage", self.action_rows())

    def to_pbn(self) -> str:
        """The candidates as a section of PBN."""
        return self.add_to(PbnGame(())).text.strip()

    def __str__(self) -> str:
        whose = self.seat.name.title()
        kind = "layouts, all that fit" if self.is_exact else f"layouts, seed {self.seed}"
        lines = [
            f"{whose} plays {self.choice} ({self.samples} {kind})",
            f"card  {self.goal:>8}  stderr",
        ]
        for each in self.candidates:
            why = f"  {each.why}" if each.why else ""
            lines.append(f"{each.action!s:<4}  {each.value:8.3f}  {each.stderr:6.3f}{why}")
        lines += [*self.reasons, *self.layouts]
        return "\n".join(lines)
