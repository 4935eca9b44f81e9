"""Finesses: which can be taken, how, and what comes of them.

The three of Sutherland's paper (section 6.1), each as preconditions on the classes T, F, C and L, a
strategy tree over classes, and the outcome when it works and when not:

- simple: a low card is led towards a finesse card with a top card beside it;
- indirect: the same without the top card: the defenders may win the trick even if it works;
- high card: a finesse card is led, and run unless it is covered.

They are described with North on lead; the other way round they are the same with North and South,
East and West exchanged. The indirect finesse has one critical card too, as its outcome implies.
Beyond the paper, after its section 7.1: the generalised finesse has several critical cards, or
finesse cards in both hands, and is repeated.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from setrograde.analysis.suit.classes import CardClasses
from setrograde.analysis.suit.layouts import layouts_of
from setrograde.bridge import Seat

from .trees import StrategyTree

__all__ = ["Finesse", "Precondition", "applicable_finesses", "finesses", "onside_probability"]


@dataclass(frozen=True, slots=True)
class Precondition:
    """One condition on the classes.

    >>> print(Precondition("T_S ≠ ∅", True), Precondition("|C| = 1", False), sep=", ")
    T_S ≠ ∅, |C| = 1 (not met)
    """

    text: str
    """The condition as the paper writes it."""

    holds: bool
    """True if the holding meets the condition."""

    def __str__(self) -> str:
        return self.text if self.holds else f"{self.text} (not met)"


@dataclass(frozen=True)
class Finesse:
    """A way to finesse from one side.

    >>> from setrograde.analysis.suit import card_classes
    >>> classes = card_classes("32", "AQ", outstanding="K654")
    >>> finesse = applicable_finesses(classes)[0]
    >>> finesse.kind, finesse.leader, finesse.if_onside
    ('simple', Seat.NORTH, 'S wins the trick')
    >>> [condition.text for condition in finesse.preconditions]
    ['L_N ≠ ∅', 'F_S ≠ ∅', 'T_S ≠ ∅', '|C| = 1']
    """

    kind: str
    """`simple`, `indirect`, `high card` or `generalised`."""

    leader: Seat
    """The hand that leads: North or South."""

    preconditions: tuple[Precondition, ...]
    """The conditions that the holding must meet."""

    tree: StrategyTree
    """The classes that declarer plays."""

    if_onside: str
    """What happens if the defender after the leader holds the critical cards."""

    if_offside: str
    """What happens otherwise."""

    times: int
    """The number of times it must be taken to catch every critical card."""

    @property
    def applies(self) -> bool:
        """True if all preconditions hold."""
        return all(condition.holds for condition in self.preconditions)

    @property
    def onside(self) -> Seat:
        """The defender who should hold the critical cards."""
        return self.leader.next

    def _repr_html_(self) -> str:
        from .display import finesse_html

        return finesse_html(self)


def finesses(classes: CardClasses) -> tuple[Finesse, ...]:
    """Every kind of finesse from either hand, whether it applies or not."""
    found = []
    for leader in (Seat.NORTH, Seat.SOUTH):
        for build in (_simple, _indirect, _high_card, _generalised):
            found.append(build(classes, leader))
    return tuple(found)


def applicable_finesses(classes: CardClasses) -> tuple[Finesse, ...]:
    """The finesses whose preconditions all hold.

    >>> from setrograde.analysis.suit import card_classes
    >>> classes = card_classes("QJ", "A4")
    >>> [(finesse.kind, str(finesse.leader)) for finesse in applicable_finesses(classes)]
    [('high card', 'N'), ('indirect', 'S')]
    """
    return tuple(finesse for finesse in finesses(classes) if finesse.applies)


def onside_probability(classes: CardClasses, finesse: Finesse) -> Fraction:
    """The probability that the defender after the leader holds all critical cards.

    >>> from setrograde.analysis.suit import card_classes
    >>> classes = card_classes("32", "AJT")
    >>> finesse = finesses(classes)[3]
    >>> finesse.kind, onside_probability(classes, finesse)
    ('generalised', Fraction(6, 25))
    """
    table = layouts_of(classes.holding, gone=classes.gone)
    is_east_onside = finesse.onside is Seat.EAST
    onside = [
        layout.weight
        for layout in table.layouts
        if not classes.critical_bits & (layout.west_bits if is_east_onside else layout.east_bits)
    ]
    return Fraction(sum(onside), table.total)


def _is_some(name: str, classes: CardClasses, seat: Seat) -> Precondition:
    return Precondition(f"{name}_{seat} ≠ ∅", bool(classes.bits(name, seat)))


def _is_none(name: str, classes: CardClasses, seat: Seat) -> Precondition:
    return Precondition(f"{name}_{seat} = ∅", not classes.bits(name, seat))


def _one_critical(classes: CardClasses) -> Precondition:
    return Precondition("|C| = 1", classes.critical_bits.bit_count() == 1)


def _simple(classes: CardClasses, leader: Seat) -> Finesse:
    partner = leader.partner
    return Finesse(
        kind="simple",
        leader=leader,
        preconditions=(
            _is_some("L", classes, leader),
            _is_some("F", classes, partner),
            _is_some("T", classes, partner),
            _one_critical(classes),
        ),
        tree=StrategyTree(leader, f"L_{leader}", (("L_EW", f"F_{partner}"), ("C", f"T_{partner}"))),
        if_onside=f"{partner} wins the trick",
        if_offside=f"{partner.next} or {partner} wins the trick, {partner.next} has the choice",
        times=1,
    )


def _indirect(classes: CardClasses, leader: Seat) -> Finesse:
    partner, onside = leader.partner, leader.next
    holding = classes.holding
    held = (holding.south_bits if partner is Seat.SOUTH else holding.north_bits).bit_count()
    return Finesse(
        kind="indirect",
        leader=leader,
        preconditions=(
            _is_some("L", classes, leader),
            _is_some("F", classes, partner),
            _is_none("T", classes, partner),
            _one_critical(classes),
            Precondition(f"|θ_{partner}| ≥ 2", held >= 2),
        ),
        tree=StrategyTree(leader, f"L_{leader}", (("L_EW", f"F_{partner}"), ("C", f"L_{partner}"))),
        if_onside=f"{onside} or {partner} wins the trick, {onside} has the choice",
        if_offside=f"{partner.next} or {partner} wins the trick, {partner.next} has the choice",
        times=1,
    )


def _high_card(classes: CardClasses, leader: Seat) -> Finesse:
    partner, onside = leader.partner, leader.next
    cards = classes.bits("F", leader).bit_count()
    return Finesse(
        kind="high card",
        leader=leader,
        preconditions=(
            Precondition(f"|F_{leader}| ≥ 2", cards >= 2),
            _is_some("T", classes, partner),
            _is_some("L", classes, partner),
            _one_critical(classes),
        ),
        tree=StrategyTree(leader, f"F_{leader}", (("L_EW", f"L_{partner}"), ("C", f"T_{partner}"))),
        if_onside=f"{leader} or {partner} takes the trick, choice by {onside}",
        if_offside=f"{partner.next} or {partner} takes the trick, choice by {partner.next}",
        times=1,
    )


def _generalised(classes: CardClasses, leader: Seat) -> Finesse:
    """The finesses that the other three leave out: several critical cards, or F in both hands."""
    partner, onside = leader.partner, leader.next
    critical = classes.critical_bits.bit_count()
    mine, theirs = (classes.bits("F", seat).bit_count() for seat in (leader, partner))
    is_led = not theirs
    high_answer = f"T_{partner}" if classes.bits("T", partner) else f"L_{partner}"
    return Finesse(
        kind="generalised",
        leader=leader,
        preconditions=(
            Precondition("|C| ≥ 2 or F in both hands", critical > 1 or bool(mine and theirs)),
            Precondition("|F| ≥ |C| ≥ 1", mine + theirs >= critical >= 1),
            Precondition(
                f"F_{partner} ≠ ∅ and a card to lead to it, or |F_{leader}| ≥ 2 and T_{leader} = ∅",
                (mine >= 2 and not classes.bits("T", leader))
                or bool(theirs and (mine or classes.bits("L", leader))),
            ),
        ),
        tree=StrategyTree(
            leader,
            f"F_{leader}" if is_led else f"L_{leader}" if classes.bits("L", leader) else "F",
            (("L_EW", f"L_{partner}" if is_led else f"F_{partner}"), ("C", high_answer)),
        ),
        if_onside=f"each time declarer wins the trick or {onside} spends a critical card",
        if_offside=f"{partner.next} wins a trick with a critical card when he likes",
        times=max(critical, 1),
    )
