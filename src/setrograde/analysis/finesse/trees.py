"""Strategy trees over classes, as text and as pictures, and how much smaller they are.

Where declarer plays, a strategy tree has one branch; where a defender plays, one for everything he
may do. Over single cards that is one for each outstanding card; over classes it is one for each
class (figures 2 to 5 of the paper).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from xml.sax.saxutils import escape

from setrograde.analysis.suit.classes import CardClasses, card_classes
from setrograde.analysis.suit.holding import SuitHolding
from setrograde.analysis.suit.ranks import rank_bits
from setrograde.bridge import Seat

__all__ = ["Branching", "StrategyTree", "branching", "random_branching"]


@dataclass(frozen=True, slots=True)
class StrategyTree:
    """A lead, and what the hand opposite plays to each class of the next defender's.

    >>> tree = StrategyTree(Seat.NORTH, "L_N", (("L_EW", "F_S"), ("C", "T_S")))
    >>> print(tree)
    N plays L_N
    ├─ E plays L_EW: S plays F_S
    └─ E plays C: S plays T_S
    """

    leader: Seat
    """The hand that leads."""

    lead: str
    """The class led."""

    answers: tuple[tuple[str, str], ...]
    """Each class that the next defender may play, and the class played to it."""

    @property
    def defender_branches(self) -> int:
        """The number of branches where the defender plays."""
        return len(self.answers)

    def __str__(self) -> str:
        first, partner = self.leader.next, self.leader.partner
        lines = [f"{self.leader} plays {self.lead}"]
        for i, (seen, answer) in enumerate(self.answers, 1):
            corner = "└─" if i == len(self.answers) else "├─"
            lines.append(f"{corner} {first} plays {seen}: {partner} plays {answer}")
        return "\n".join(lines)

    def to_svg(self) -> str:
        """The tree as a picture, drawn downwards as in the paper.

        >>> tree = StrategyTree(Seat.NORTH, "L_N", (("L_EW", "F_S"), ("C", "T_S")))
        >>> tree.to_svg().startswith("<svg ")
        True
        """
        width, step = 120 * max(2, len(self.answers)), 70
        middle = width // 2
        parts = [
            _edge(middle, 24, middle, 24 + step, self.lead),
            _node(middle, 24, str(self.leader)),
        ]
        for i, (seen, answer) in enumerate(self.answers):
            x = (2 * i + 1) * width // (2 * len(self.answers))
            parts.append(_edge(middle, 24 + step, x, 24 + 2 * step, seen))
            parts.append(_edge(x, 24 + 2 * step, x, 24 + 3 * step, answer))
            parts.append(_node(x, 24 + 2 * step, str(self.leader.partner)))
            parts.append(f'<circle cx="{x}" cy="{24 + 3 * step}" r="3" fill="currentColor"/>')
        parts.append(_node(middle, 24 + step, str(self.leader.next)))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {3 * step + 40}"'
            f' width="{width}" height="{3 * step + 40}" role="img" font-family="sans-serif"'
            f' font-size="13" color="#444"><title>{escape(str(self))}</title>'
            f"{''.join(parts)}</svg>"
        )

    def _repr_svg_(self) -> str:
        return self.to_svg()


@dataclass(frozen=True, slots=True)
class Branching:
    """Branches of a finesse's strategy tree, over cards and over classes.

    >>> branching(card_classes("32", "AQ", outstanding="K654"))
    Branching(outstanding=4, card_branches=4, class_branches=2, card_leaves=12, class_leaves=3)
    """

    outstanding: int
    """The number of cards the defenders hold."""

    card_branches: int
    """Branches at the first defender's turn, over cards."""

    class_branches: int
    """Branches at the first defender's turn, over classes."""

    card_leaves: int
    """Ends of the tree once both defenders have played, over cards."""

    class_leaves: int
    """Ends of the tree once both defenders have played, over classes."""


def branching(classes: CardClasses) -> Branching:
    """Count the branches of a finesse's tree with these classes."""
    count = classes.outstanding_bits.bit_count()
    parts = [bits & classes.outstanding_bits for bits in (classes.critical_bits, classes.low_bits)]
    sizes = [part.bit_count() for part in parts if part]
    leaves = sum(1 for i in range(len(sizes)) for j in range(len(sizes)) if sizes[j] - (i == j) > 0)
    return Branching(count, count, len(sizes), count * (count - 1), leaves)


def random_branching(count: int, *, seed: int = 0) -> tuple[Branching, ...]:
    """Count the branches for random holdings of 4 to 10 cards that have a critical card."""
    rng = random.Random(seed)
    found = list[Branching]()
    while len(found) < count:
        cards = rng.sample(range(13), rng.randint(4, 10))
        cut = rng.randint(1, len(cards) - 1)
        classes = card_classes(SuitHolding(rank_bits(cards[:cut]), rank_bits(cards[cut:])))
        if classes.critical_bits:
            found.append(branching(classes))
    return tuple(found)


def _edge(x1: int, y1: int, x2: int, y2: int, label: str) -> str:
    x, y = (x1 + x2) // 2 + 6, (y1 + y2) // 2 + 4
    return (
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="currentColor"/>'
        f'<text x="{x}" y="{y}">{_subscript(label)}</text>'
    )


def _node(x: int, y: int, label: str) -> str:
    return (
        f'<circle cx="{x}" cy="{y}" r="13" fill="#fff" stroke="currentColor"/>'
        f'<text x="{x}" y="{y + 4}" text-anchor="middle">{escape(label)}</text>'
    )


def _subscript(label: str) -> str:
    name, _, part = label.partition("_")
    small = f'<tspan font-size="9" dy="3">{escape(part)}</tspan>' if part else ""
    return escape(name) + small
