"""Conditions that can be counted: the part of a script that costs no rejected deals.

A condition is split into conjuncts. Those about one hand become a `HandCondition` where they can:
lengths and shapes, bounds of anything that is a sum over suits (points of any table, controls,
losers, quality, cccc, single cards, and sums of these), joined by and, or, not and `?:`. Sums over
several hands, such as the points of a partnership, are counted too. Everything else is left for
the deals that are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from setrograde.analysis.deal.measures import HandCondition, Measure, MeasureBound
from setrograde.bridge import Seat, Suit
from setrograde.bridge.patterns import Lengths, ShapePattern
from setrograde.errors import InvalidInput
from setrograde.formats.dealer import format_expression
from setrograde.formats.dealer.syntax import (
    Binary,
    Choice,
    Expression,
    HandCount,
    HasCard,
    Name,
    Number,
    Random,
    ShapeTest,
    SuitLength,
    Tricks,
    Unary,
)

from .batch import Flags, Numbers
from .evaluation import Evaluator, Leaf
from .tables import HOLDINGS, length_table, loser_table, points_table, quality_table
from .tables import suit_cccc_table as cccc_table

__all__ = ["CountedPart", "Counting", "known_values"]

_MOST_RANGES = 64
_MOST_WORTH = 4000
_ANY = HandCondition()
_NOTHING = HandCondition(shapes=frozenset())
_SHAPES: tuple[Lengths, ...] = tuple(sorted(ShapePattern.from_text("x-x-x-x").lengths))
_SQUARE = ShapePattern.from_text("4-3-3-3").lengths


@dataclass(frozen=True, slots=True)
class CountedPart:
    """A conjunct that is counted: a condition on one hand, or on several hands together."""

    seats: tuple[Seat, ...]
    """The hands; one, or those whose cards count together."""

    condition: HandCondition
    """What their cards must meet."""

    text: str
    """The conjunct as the script has it."""

    def __str__(self) -> str:
        return self.text


class _Values:
    """Rows of a table instead of deals: given values of some functions of a hand."""

    def __init__(self, count: int, memo: dict[object, Numbers]) -> None:
        self._count = count
        self._given = memo
        self.memo = dict(memo)

    def __len__(self) -> int:
        return self._count

    def take(self, chosen: Flags) -> _Values:
        """Some of the rows."""
        given = {key: column[chosen] for key, column in self._given.items()}
        return _Values(int(np.count_nonzero(chosen)), given)


@dataclass(frozen=True, slots=True)
class _Linear:
    """A sum of functions of hands with factors, and a constant."""

    factors: dict[Leaf, int]
    constant: int

    def plus(self, other: _Linear, sign: int = 1) -> _Linear:
        factors = dict(self.factors)
        for leaf, factor in other.factors.items():
            factors[leaf] = factors.get(leaf, 0) + sign * factor
        kept = {leaf: factor for leaf, factor in factors.items() if factor}
        return _Linear(kept, self.constant + sign * other.constant)

    def times(self, number: int) -> _Linear:
        factors = {leaf: number * factor for leaf, factor in self.factors.items() if number}
        return _Linear(factors, number * self.constant)


class Counting:
    """What can be counted of the expressions of one script."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def split(
        self, condition: Expression | None
    ) -> tuple[tuple[CountedPart, ...], tuple[Expression, ...]]:
        """The conjuncts that are counted, and those that are not."""
        counted: list[CountedPart] = []
        rest: list[Expression] = []
        for conjunct in self._conjuncts(condition):
            part = self.part(conjunct)
            if part is None:
                rest.append(conjunct)
            elif part.condition != _ANY:
                counted.append(part)
        return tuple(counted), tuple(rest)

    def part(self, conjunct: Expression) -> CountedPart | None:
        """The conjunct as something that is counted, or `None`."""
        try:
            return self._part(conjunct)
        except InvalidInput:  # some value, which need not come up, makes no sense
            return None

    def _part(self, conjunct: Expression) -> CountedPart | None:
        text = format_expression(conjunct)
        leaves = self._evaluator.leaves(conjunct)
        seats = {leaf.seat for leaf in leaves if not isinstance(leaf, Random)}
        if len(seats) > 1:
            together = self._together(conjunct)
            return None if together is None else CountedPart(*together, text)
        found = self._hand(conjunct, False)
        if found is None:
            return None
        return CountedPart(tuple(seats) or (Seat.NORTH,), found, text)

    def _conjuncts(self, condition: Expression | None) -> Iterator[Expression]:
        """The operands of all `&&` at the top, through names and negated alternatives."""
        todo = [] if condition is None else [(condition, False)]
        while todo:
            each, negated = todo.pop()
            match each:
                case Name() if self._is_conjunction(self._evaluator.definition(each), negated):
                    todo.append((self._evaluator.definition(each), negated))
                case Unary(operator="!"):
                    todo.append((each.operand, not negated))
                case Binary(operator="&&") if not negated:
                    todo += [(each.right, False), (each.left, False)]
                case Binary(operator="||") if negated:
                    todo += [(each.right, True), (each.left, True)]
                case _:
                    yield Unary("!", each, place=each.place) if negated else each

    def _is_conjunction(self, expression: Expression, negated: bool) -> bool:
        match expression:
            case Name():
                return self._is_conjunction(self._evaluator.definition(expression), negated)
            case Unary(operator="!"):
                return self._is_conjunction(expression.operand, not negated)
            case Binary(operator="&&"):
                return not negated
            case Binary(operator="||"):
                return negated
        return False

    # One hand

    def _hand(self, expression: Expression, negated: bool) -> HandCondition | None:
        """The condition under which it is true, or false if `negated`."""
        leaves = list(dict.fromkeys(self._evaluator.leaves(expression)))
        if any(isinstance(leaf, Tricks | Random) for leaf in leaves):
            return None
        if all(isinstance(leaf, SuitLength | ShapeTest) for leaf in leaves):
            return self._of_lengths(expression, negated, leaves)
        if len(leaves) == 1:
            return self._of_values(expression, negated, leaves[0])
        match expression:
            case Name():
                return self._hand(self._evaluator.definition(expression), negated)
            case Unary(operator="!"):
                return self._hand(expression.operand, not negated)
            case Binary(operator="&&" | "||"):
                sides = expression.left, expression.right
                parts = [self._hand(side, negated) for side in sides]
                is_and = (expression.operator == "&&") != negated
                return _all_of(parts) if is_and else _any_of(parts)
            case Choice():
                test, then, otherwise = expression.test, expression.then, expression.otherwise
                when = _all_of([self._hand(test, False), self._hand(then, negated)])
                unless = _all_of([self._hand(test, True), self._hand(otherwise, negated)])
                return _any_of([when, unless])
        linear = self._difference(expression)
        if linear is None:
            return None
        measure = self._measure(linear)
        operator = _operator(expression, negated)
        return None if measure is None else _bounded(measure, operator, -linear.constant)

    def _of_lengths(
        self, expression: Expression, negated: bool, leaves: Iterable[object]
    ) -> HandCondition:
        """Lengths alone: look at every shape."""
        columns: dict[object, Numbers] = {}
        for leaf in leaves:
            if isinstance(leaf, SuitLength):
                columns[leaf] = np.array([shape[leaf.suit] for shape in _SHAPES], np.int64)
            elif isinstance(leaf, ShapeTest):
                columns[leaf] = np.array([shape in leaf.lengths for shape in _SHAPES], np.int64)
        truth = self._evaluator.truth(expression, _Values(len(_SHAPES), columns)) != negated
        if truth.all():
            return _ANY
        return HandCondition(
            shapes=frozenset([shape for shape, fits in zip(_SHAPES, truth, strict=True) if fits])
        )

    def _of_values(
        self, expression: Expression, negated: bool, leaf: Leaf | Random
    ) -> HandCondition | None:
        """One function of the hand alone: look at every value it can have."""
        assert not isinstance(leaf, Random | Tricks | ShapeTest)
        if isinstance(leaf, HandCount) and leaf.name == "cccc":
            return self._of_cccc(expression, negated, leaf)
        measure = self._measure(_Linear({leaf: 1}, 0))
        return None if measure is None else self._ranges(expression, negated, leaf, measure, 0, 1)

    def _of_cccc(
        self, expression: Expression, negated: bool, leaf: HandCount
    ) -> HandCondition | None:
        """A sum over suits, but for a half point less with 4-3-3-3 and a point with all others."""
        short = 100 * np.maximum(0, 3 - length_table())
        measure = Measure("cccc", _in_all_suits((cccc_table() + short) // 5).astype(np.int16))
        square = self._ranges(expression, negated, leaf, measure, -50, 5)
        others = self._ranges(expression, negated, leaf, measure, -100, 5)
        if square is None or others is None:
            return None
        not_square = frozenset(_SHAPES) - _SQUARE
        return _any_of(
            [square & HandCondition(shapes=_SQUARE), others & HandCondition(shapes=not_square)]
        )

    def _ranges(
        self,
        expression: Expression,
        negated: bool,
        leaf: Leaf,
        measure: Measure,
        shift: int,
        unit: int,
    ) -> HandCondition | None:
        """Where the function is `unit` times the measure plus `shift`."""
        low, high = known_values(measure)
        values = np.arange(low, high + 1, dtype=np.int64)
        rows = _Values(len(values), {leaf: unit * values + shift})
        truth = self._evaluator.truth(expression, rows) != negated
        if truth.all():
            return _ANY
        edges = np.flatnonzero(np.diff(np.concatenate([[False], truth, [False]])))
        starts, ends = edges[::2], edges[1::2]
        if len(starts) > _MOST_RANGES:
            return None
        return _any_of(
            [
                HandCondition((MeasureBound(measure, int(values[a]), int(values[b - 1])),))
                for a, b in zip(starts, ends, strict=True)
            ]
        )

    # Sums

    def _difference(self, expression: Expression) -> _Linear | None:
        """The left side less the right side of a comparison, as a sum."""
        if not isinstance(expression, Binary) or expression.operator not in _COMPARED:
            return None
        left, right = self._linear(expression.left), self._linear(expression.right)
        return None if left is None or right is None else left.plus(right, -1)

    def _linear(self, expression: Expression) -> _Linear | None:
        match expression:
            case Number():
                return _Linear({}, expression.value)
            case Name():
                return self._linear(self._evaluator.definition(expression))
            case SuitLength() | HandCount() | HasCard():
                return _Linear({expression: 1}, 0)
            case Unary(operator="-"):
                inside = self._linear(expression.operand)
                return None if inside is None else inside.times(-1)
            case Binary(operator="+" | "-" | "*"):
                left, right = self._linear(expression.left), self._linear(expression.right)
                if left is None or right is None:
                    return None
                if expression.operator != "*":
                    return left.plus(right, 1 if expression.operator == "+" else -1)
                if left.factors and right.factors:
                    return None
                return left.times(right.constant) if left.factors else right.times(left.constant)
        return None

    def _measure(self, linear: _Linear) -> Measure | None:
        """The sum of the functions of one hand, without the constant."""
        total = np.zeros((4, HOLDINGS), np.int64)
        for leaf, factor in linear.factors.items():
            worth = self._worth(leaf)
            if worth is None:
                return None
            total += factor * worth
        if np.abs(total).max() > _MOST_WORTH:
            return None
        return Measure("sum", total.astype(np.int16))

    def _worth(self, leaf: Leaf) -> npt.NDArray[np.int64] | None:
        """What each holding of each suit adds."""
        match leaf:
            case SuitLength():
                return _in_suit(length_table(), leaf.suit)
            case HasCard():
                held = (np.arange(HOLDINGS) >> int(leaf.card.rank)) & 1
                return _in_suit(held, leaf.card.suit)
            case HandCount():
                points = self._evaluator.points(leaf)
                if points is not None:
                    table = points_table(points)
                elif leaf.name == "losers":
                    table = loser_table()
                elif leaf.name == "quality":
                    table = quality_table()
                else:
                    return None
                return _in_all_suits(table) if leaf.suit is None else _in_suit(table, leaf.suit)
        return None

    def _together(self, expression: Expression) -> tuple[tuple[Seat, ...], HandCondition] | None:
        """A sum of the same functions over several hands, which counts their cards as one hand."""
        negated = False
        while not isinstance(expression, Binary):
            if isinstance(expression, Name):
                expression = self._evaluator.definition(expression)
            elif isinstance(expression, Unary) and expression.operator == "!":
                expression, negated = expression.operand, not negated
            else:
                return None
        linear = self._difference(expression)
        if linear is None:
            return None
        measures: dict[Seat, Measure] = {}
        for seat in Seat:
            own = {leaf: n for leaf, n in linear.factors.items() if leaf.seat is seat}
            if not own:
                continue
            if any(isinstance(leaf, HandCount) and not self._is_points(leaf) for leaf in own):
                return None
            measure = self._measure(_Linear(own, 0))
            if measure is None:
                return None
            measures[seat] = measure
        if len(set(measures.values())) != 1:
            return None
        measure = next(iter(measures.values()))
        condition = _bounded(measure, _operator(expression, negated), -linear.constant)
        return tuple(measures), condition

    def _is_points(self, leaf: HandCount) -> bool:
        """True if every card adds the same whatever else is held."""
        return self._evaluator.points(leaf) is not None


_COMPARED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_FAR = 1 << 14


def known_values(measure: Measure) -> tuple[int, int]:
    """Bounds of what 13 cards can be worth.

    >>> from setrograde.analysis.deal.measures import HCP
    >>> known_values(HCP)
    (0, 40)
    """
    worth = measure.worth.astype(np.int64)
    return int(worth.min(axis=1).sum()), int(worth.max(axis=1).sum())


def _operator(expression: Expression, negated: bool) -> str:
    assert isinstance(expression, Binary)
    return _COMPARED[expression.operator] if negated else expression.operator


def _bounded(measure: Measure, operator: str, number: int) -> HandCondition:
    """Hands whose measure compares so with a number."""
    number = max(-_FAR, min(_FAR, number))
    ranges = {
        "==": [(number, number)],
        "!=": [(-_FAR, number - 1), (number + 1, _FAR)],
        "<": [(-_FAR, number - 1)],
        "<=": [(-_FAR, number)],
        ">": [(number + 1, _FAR)],
        ">=": [(number, _FAR)],
    }[operator]
    parts = tuple([HandCondition((MeasureBound(measure, low, high),)) for low, high in ranges])
    return parts[0] if len(parts) == 1 else HandCondition(clauses=(parts,))


def _all_of(parts: Iterable[HandCondition | None]) -> HandCondition | None:
    found = _ANY
    for part in parts:
        if part is None:
            return None
        found = found & part
    return found


def _any_of(parts: Iterable[HandCondition | None]) -> HandCondition | None:
    found: list[HandCondition] = []
    for part in parts:
        if part is None:
            return None
        if part == _ANY:
            return _ANY
        is_list = not part.bounds and part.shapes is None and len(part.clauses) == 1
        found += part.clauses[0] if is_list else [part]
    possible = list(dict.fromkeys([part for part in found if part.shapes != frozenset()]))
    if len(possible) > _MOST_RANGES:
        return None
    if not possible:
        return _NOTHING
    return possible[0] if len(possible) == 1 else HandCondition(clauses=(tuple(possible),))


def _in_suit(table: npt.NDArray[np.int64], suit: Suit) -> npt.NDArray[np.int64]:
    worth = np.zeros((4, HOLDINGS), np.int64)
    worth[suit] = table
    return worth


def _in_all_suits(table: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.tile(table, (4, 1))
