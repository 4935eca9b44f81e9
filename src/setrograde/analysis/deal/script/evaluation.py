"""Evaluation of expressions over many deals at once.

Numbers are whole, 64 bits wide, and true is whatever is not zero, as in C: division truncates
towards zero, and `&&`, `||` and `?:` do not look at operands that cannot matter. So a division or
a double-dummy result behind `&&` is worked out only for the deals that the first operand leaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeAlias

import numpy as np

from setrograde.bridge import Contract, Seat, Suit
from setrograde.bridge.scoring import imps, score_contract
from setrograde.common.stop import StopFlag, check_stop
from setrograde.errors import InvalidInput
from setrograde.formats.dealer.syntax import (
    Binary,
    Choice,
    Expression,
    HandCount,
    HasCard,
    Imps,
    Name,
    Number,
    Random,
    Score,
    Script,
    ShapeTest,
    SuitLength,
    Tricks,
    Unary,
    iter_parts,
)

from .batch import Batch, Flags, Numbers
from .tables import (
    ALTERNATE_COUNTS,
    CONTROLS,
    HCP,
    full_points,
    length_table,
    loser_table,
    points_table,
    quality_table,
    suit_cccc_table,
)

__all__ = ["Evaluator", "Leaf", "Rows"]

Leaf: TypeAlias = SuitLength | HandCount | ShapeTest | HasCard | Tricks

_FEW = 0.25  # below this share the other operand is asked about the rest of the deals alone


class Rows(Protocol):
    """What an evaluator asks: a number of rows, and their values of functions of hands."""

    memo: dict[object, Numbers]

    def __len__(self) -> int: ...

    def take(self, chosen: Flags) -> Rows:
        """Some of the rows."""
        ...


class Evaluator:
    """Expressions of one script.

    >>> from setrograde.formats.dealer import parse_dealer
    >>> script = parse_dealer("strong = hcp(north) >= 20 condition strong")
    >>> deals = np.array([[0x1C00 << 48 | 0x1C00 << 32 | 0x1C00, 0, 0, 0], [0, 0, 0, 0]], np.uint64)
    >>> Evaluator(script).truth(script.condition, Batch(deals)).tolist()
    [True, False]
    """

    def __init__(self, script: Script, *, stop: StopFlag | None = None, seed: int = 0) -> None:
        self._script = script
        self._stop = stop
        self._dice = np.random.default_rng([seed, 1])
        self._careful: dict[int, bool] = {}

    def value(self, expression: Expression, rows: Rows) -> Numbers:
        """The value in each row."""
        check_stop(self._stop)
        match expression:
            case Number():
                return np.full(len(rows), expression.value, np.int64)
            case Name():
                return self._named(expression, rows)
            case Unary(operator="-"):
                return -self.value(expression.operand, rows)
            case Binary(operator="+" | "-" | "*" | "/" | "%"):
                return self._arithmetic(expression, rows)
            case Choice():
                return self._choice(expression, rows)
            case Score():
                return self._score(expression, rows)
            case Imps():
                return self._imps(self.value(expression.points, rows))
            case Random():
                limits = np.maximum(self.value(expression.limit, rows), 1)
                return self._dice.integers(0, limits, dtype=np.int64)
            case Unary() | Binary():
                return self.truth(expression, rows).astype(np.int64)
        found = rows.memo.get(expression)
        if found is None:
            found = rows.memo[expression] = self._leaf(expression, rows)
        return found

    def truth(self, expression: Expression, rows: Rows) -> Flags:
        """True in each row whose value is not zero."""
        match expression:
            case Unary(operator="!"):
                return ~self.truth(expression.operand, rows)
            case Binary(operator="&&"):
                return self._both(expression, rows, True)
            case Binary(operator="||"):
                return self._both(expression, rows, False)
            case Binary(operator="==" | "!=" | "<" | "<=" | ">" | ">="):
                check_stop(self._stop)
                left, right = self.value(expression.left, rows), self.value(expression.right, rows)
                return _compared(expression.operator, left, right)
        return _compared("!=", self.value(expression, rows), np.zeros(1, np.int64))

    def leaves(self, expression: Expression) -> Iterator[Leaf | Random]:
        """Functions of hands, and random numbers, that the value depends on; names looked up."""
        seen = set[str]()
        todo = [expression]
        while todo:
            for part in iter_parts(todo.pop()):
                if isinstance(part, Name):
                    if part.text not in seen:
                        seen.add(part.text)
                        todo.append(self._script.definitions[part.text].expression)
                elif isinstance(part, Leaf | Random):
                    yield part

    def definition(self, name: Name) -> Expression:
        """What a name stands for."""
        return self._script.definitions[name.text].expression

    def points(self, count: HandCount) -> tuple[int, ...] | None:
        """The points of ace, king and so on; `None` if it is no sum of points of cards."""
        if count.name == "controls":
            return full_points(CONTROLS)
        if count.name == "hcp":
            return full_points(self._script.pointcount or HCP)
        if count.table is None:
            return None
        told = self._script.altcounts.get(count.table)
        return full_points(ALTERNATE_COUNTS[count.table] if told is None else told)

    # Operators

    def _both(self, expression: Binary, rows: Rows, neutral: bool) -> Flags:
        """`&&` if `neutral` is true, else `||`."""
        left = self.truth(expression.left, rows)
        undecided = left if neutral else ~left
        share = np.count_nonzero(undecided) / max(1, len(rows))
        if share == 0.0:
            return left
        if share > _FEW and not self._is_careful(expression.right):
            right = self.truth(expression.right, rows)
            return left & right if neutral else left | right
        found = left.copy()
        found[undecided] = self.truth(expression.right, rows.take(undecided))
        return found

    def _choice(self, expression: Choice, rows: Rows) -> Numbers:
        test = self.truth(expression.test, rows)
        found = np.zeros(len(rows), np.int64)
        for chosen, branch in ((test, expression.then), (~test, expression.otherwise)):
            if chosen.all():
                return self.value(branch, rows)
            if chosen.any():
                found[chosen] = self.value(branch, rows.take(chosen))
        return found

    def _arithmetic(self, expression: Binary, rows: Rows) -> Numbers:
        left, right = self.value(expression.left, rows), self.value(expression.right, rows)
        match expression.operator:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
        if not right.all():
            raise InvalidInput(
                f"division by zero at {expression.place} (expected a test before it,"
                " like 'x != 0 && y / x > 2')"
            )
        with np.errstate(over="ignore"):
            remainder = np.fmod(left, right)
            if expression.operator == "%":
                return remainder
            return (left - remainder) // right

    def _is_careful(self, expression: Expression) -> bool:
        """True if it must not be evaluated where it does not matter: it may fail, or is dear."""
        known = self._careful.get(id(expression))
        if known is None:
            parts = list(iter_parts(expression))
            known = any(
                isinstance(part, Tricks | Score | Random)
                or (isinstance(part, Binary) and part.operator in "/%")
                for part in parts
            ) or any(
                self._is_careful(self.definition(part)) for part in parts if isinstance(part, Name)
            )
            self._careful[id(expression)] = known
        return known

    # Functions

    def _named(self, name: Name, rows: Rows) -> Numbers:
        expression = self.definition(name)
        found = rows.memo.get(name)
        if found is None:
            found = self.value(expression, rows)
            if not any(isinstance(leaf, Random) for leaf in self.leaves(expression)):
                rows.memo[name] = found
        return found

    def _score(self, score: Score, rows: Rows) -> Numbers:
        contract = Contract.from_text(f"{score.level}{score.strain}{'X' * score.doubling}N")
        tricks = self.value(score.tricks, rows)
        if ((tricks < 0) | (tricks > 13)).any():
            wrong = int(tricks[(tricks < 0) | (tricks > 13)][0])
            raise InvalidInput(
                f"not a number of tricks: {wrong} in score at {score.place} (expected 0 to 13)"
            )
        results = [
            score_contract(contract, taken, is_vulnerable=score.is_vulnerable)
            for taken in range(14)
        ]
        return np.array(results, np.int64)[tricks]

    def _imps(self, points: Numbers) -> Numbers:
        different, places = np.unique(points, return_inverse=True)
        return np.array([imps(int(each)) for each in different], np.int64)[places]

    def _leaf(self, leaf: Leaf, rows: Rows) -> Numbers:
        if not isinstance(rows, Batch):
            raise KeyError(leaf)
        match leaf:
            case SuitLength():
                return length_table()[rows.holding(leaf.seat, leaf.suit)]
            case HandCount():
                return self._count(leaf, rows)
            case ShapeTest():
                return _shape(leaf, rows)
            case HasCard():
                held = rows.holding(leaf.seat, leaf.card.suit) >> int(leaf.card.rank)
                return (held & 1).astype(np.int64)
        return rows.tricks(leaf.seat, leaf.strain, self._stop)

    def _count(self, count: HandCount, batch: Batch) -> Numbers:
        points = self.points(count)
        if points is not None:
            table = points_table(points)
        elif count.name == "losers":
            table = loser_table()
        elif count.name == "quality":
            table = quality_table()
        else:
            table = suit_cccc_table()
        suits = list(Suit) if count.suit is None else [count.suit]
        total = table[batch.holding(count.seat, suits[0])]
        for suit in suits[1:]:
            total = total + table[batch.holding(count.seat, suit)]
        return total + _shape_points(count.seat, batch) if count.name == "cccc" else total


def _shape(test: ShapeTest, batch: Batch) -> Numbers:
    """A look-up by the lengths of clubs, diamonds and hearts."""
    allowed = np.zeros((14, 14, 14), np.int64)
    for clubs, diamonds, hearts, _ in test.lengths:
        allowed[clubs, diamonds, hearts] = 1
    c, d, h = (
        length_table()[batch.holding(test.seat, suit)]
        for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS)
    )
    return allowed[c, d, h]


def _shape_points(seat: Seat, batch: Batch) -> Numbers:
    """What `cccc` adds for short suits, less one; a hand of 4-3-3-3 loses a half."""
    total = np.zeros(len(batch), np.int64)
    for suit in Suit:
        total += np.maximum(0, 3 - length_table()[batch.holding(seat, suit)])
    return np.where(total == 0, -50, 100 * total - 100)


def _compared(operator: str, left: Numbers, right: Numbers) -> Flags:
    found: Flags
    match operator:
        case "==":
            found = left == right
        case "!=":
            found = left != right
        case "<":
            found = left < right
        case "<=":
            found = left <= right
        case ">":
            found = left > right
        case _:
            found = left >= right
    return found
