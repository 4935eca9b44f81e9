"""Syntax trees of dealer scripts: what a script says, as typed values.

Every part knows the place where it stands in the text, for messages; two parts are equal if they
say the same, wherever they stand. Names in expressions stay names; `Script.definitions` has what
they stand for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TypeAlias

from setrograde.bridge import Card, Hand, Seat, Strain, Suit, Vulnerability
from setrograde.bridge.patterns import Lengths

__all__ = [
    "Action",
    "Average",
    "Binary",
    "Choice",
    "Definition",
    "EvalContract",
    "Expression",
    "Frequency",
    "FrequencyTable",
    "HandCount",
    "HasCard",
    "Holding",
    "Imps",
    "Level",
    "Name",
    "Number",
    "Place",
    "Print",
    "PrintExpressions",
    "PrintHands",
    "Random",
    "Score",
    "Script",
    "ShapeItem",
    "ShapeTest",
    "SuitLength",
    "Tricks",
    "Unary",
    "iter_parts",
]


@dataclass(frozen=True, slots=True)
class Place:
    """A line and a column of the script, both counted from 1.

    >>> print(Place(3, 7))
    line 3, column 7
    """

    line: int
    """Counted from 1."""

    column: int
    """Counted from 1, in characters."""

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


_NOWHERE = Place(0, 0)


@dataclass(frozen=True)
class _Part:
    """What all parts share: a place, which does not count when two parts are compared."""

    place: Place = field(default=_NOWHERE, compare=False, repr=False, kw_only=True)
    """Where it begins in the text."""


@dataclass(frozen=True)
class Number(_Part):
    """A whole number.

    >>> Number(3) == Number(3, place=Place(1, 5))
    True
    """

    value: int
    """Its value; a minus before it is a `Unary`."""


@dataclass(frozen=True)
class Name(_Part):
    """The name of a definition, used in an expression."""

    text: str
    """As it is written; capitals matter."""


@dataclass(frozen=True)
class Unary(_Part):
    """An operator with one operand."""

    operator: str
    """`!` or `-`."""

    operand: Expression
    """What it is applied to."""


@dataclass(frozen=True)
class Binary(_Part):
    """An operator between two operands."""

    operator: str
    """One of `&& || == != < <= > >= + - * / %`; the words `and` and `or` become signs."""

    left: Expression
    """The first operand."""

    right: Expression
    """The second operand; `&&` and `||` look at it only if the first does not decide."""


@dataclass(frozen=True)
class Choice(_Part):
    """`test ? then : otherwise`."""

    test: Expression
    """Decides which of the two is evaluated."""

    then: Expression
    """The value if the test is not zero."""

    otherwise: Expression
    """The value if the test is zero."""


@dataclass(frozen=True)
class SuitLength(_Part):
    """The number of cards in a suit: `spades(north)`."""

    suit: Suit
    """The suit."""

    seat: Seat
    """Whose hand."""


@dataclass(frozen=True)
class HandCount(_Part):
    """A count of a hand, or of one suit of it: `hcp(north)`, `losers(east, hearts)`.

    >>> HandCount("top3", Seat.NORTH).table
    6
    """

    name: str
    """`hcp`, `controls`, `losers`, `cccc`, `quality`, `pt0` to `pt9` or a word for one of these."""

    seat: Seat
    """Whose hand."""

    suit: Suit | None = None
    """The suit, or `None` for the whole hand."""

    @property
    def table(self) -> int | None:
        """The number of the alternate count, or `None` if it is another function."""
        if self.name.startswith("pt"):
            return int(self.name[2:])
        return _ALTERNATE_COUNTS.index(self.name) if self.name in _ALTERNATE_COUNTS else None


_ALTERNATE_COUNTS = (
    *("tens", "jacks", "queens", "kings", "aces"),
    *("top2", "top3", "top4", "top5", "c13"),
)


@dataclass(frozen=True)
class ShapeItem(_Part):
    """One pattern in the list of `shape(...)`.

    >>> sorted(ShapeItem("xx76").lengths)
    [(6, 7, 0, 0)]
    """

    pattern: str
    """Four digits or `x`, spades first."""

    is_any: bool = False
    """True if the suits may change places."""

    is_excluded: bool = False
    """True for a pattern behind a minus."""

    @cached_property
    def lengths(self) -> frozenset[Lengths]:
        """Every shape of 13 cards that fits, clubs first."""
        return _fitting_lengths(self.pattern, self.is_any)


def _fitting_lengths(pattern: str, is_any: bool) -> frozenset[Lengths]:
    wanted = [None if letter == "x" else int(letter) for letter in pattern]
    known = [number for number in wanted if number is not None]
    found = set[Lengths]()
    for s in range(14):
        for h in range(14 - s):
            for d in range(14 - s - h):
                written = [s, h, d, 13 - s - h - d]
                if is_any:
                    left = list(written)
                    for number in known:
                        if number in left:
                            left.remove(number)
                    fits = len(left) == 4 - len(known)
                else:
                    fits = all(w is None or w == n for w, n in zip(wanted, written, strict=True))
                if fits:
                    found.add((written[3], d, h, s))
    return frozenset(found)


@dataclass(frozen=True)
class ShapeTest(_Part):
    """`shape(north, any 4333 + 54xx - any 0xxx)`: 1 if the hand has one of the shapes."""

    seat: Seat
    """Whose hand."""

    items: tuple[ShapeItem, ...]
    """The patterns, in order: each adds its shapes to the list or takes them away."""

    @cached_property
    def lengths(self) -> frozenset[Lengths]:
        """Every shape that the list leaves, clubs first."""
        found = frozenset[Lengths]()
        for item in self.items:
            found = found - item.lengths if item.is_excluded else found | item.lengths
        return found


@dataclass(frozen=True)
class HasCard(_Part):
    """`hascard(east, TC)`: 1 if the hand has the card."""

    seat: Seat
    """Whose hand."""

    card: Card
    """The card."""


@dataclass(frozen=True)
class Tricks(_Part):
    """`tricks(north, spades)`: what declarer takes if everybody plays perfectly."""

    seat: Seat
    """The declarer."""

    strain: Strain
    """The strain."""


@dataclass(frozen=True)
class Score(_Part):
    """`score(vul, x3N, tricks)`: declarer's points for a contract."""

    is_vulnerable: bool
    """True if declarer is vulnerable."""

    level: int
    """The level of the contract, 1 to 7."""

    strain: Strain
    """The strain of the contract."""

    doubling: int
    """0 undoubled, 1 doubled, 2 redoubled."""

    tricks: Expression
    """The tricks that declarer takes."""


@dataclass(frozen=True)
class Imps(_Part):
    """`imps(difference)`: international match points, with the sign of the difference."""

    points: Expression
    """The difference of two scores."""


@dataclass(frozen=True)
class Random(_Part):
    """`rnd(limit)`: a random number from 0 to one below the limit, drawn at every use."""

    limit: Expression
    """The limit; nothing but 0 is drawn below 2."""


Expression: TypeAlias = (
    Number | Name | Unary | Binary | Choice | SuitLength | HandCount
    | ShapeTest | HasCard | Tricks | Score | Imps | Random
)  # fmt: skip


@dataclass(frozen=True)
class Print(_Part):
    """An action that prints each deal."""

    layout: str
    """`printall`, `printew`, `printpbn`, `printcompact` or `printoneline`."""

    expression: Expression | None = None
    """A value printed with each deal, for `printcompact` and `printoneline`."""


@dataclass(frozen=True)
class PrintHands(_Part):
    """`print(east, west)`: the hands of each player on pages of their own."""

    seats: tuple[Seat, ...]
    """The players, in the order of the script."""


@dataclass(frozen=True)
class PrintExpressions(_Part):
    """`printes "hearts: ", hearts(north), \\n`: texts and values for each deal."""

    items: tuple[str | Expression, ...]
    """What is printed, one after the other."""


@dataclass(frozen=True)
class Average(_Part):
    """`average "points" hcp(north)`: the mean over all deals produced."""

    label: str | None
    """Printed before it."""

    expression: Expression
    """What is averaged."""


@dataclass(frozen=True)
class Frequency(_Part):
    """`frequency "points" (hcp(north), 0, 37)`: how often each value comes."""

    label: str | None
    """Printed before it."""

    expression: Expression
    """What is counted."""

    low: int
    """Smaller values are counted together."""

    high: int
    """Greater values are counted together."""


@dataclass(frozen=True)
class FrequencyTable(_Part):
    """A frequency of two expressions together: rows for the first, columns for the second."""

    label: str | None
    """Printed before it."""

    rows: Frequency
    """The first expression and its bounds."""

    columns: Frequency
    """The second expression and its bounds."""


@dataclass(frozen=True)
class EvalContract(_Part):
    """`evalcontract`: how many tricks North and South take in each strain, double dummy."""


Action: TypeAlias = (
    Print | PrintHands | PrintExpressions | Average | Frequency | FrequencyTable | EvalContract
)


@dataclass(frozen=True)
class Definition(_Part):
    """`name = expression`."""

    name: str
    """As it is written; capitals matter."""

    expression: Expression
    """What it stands for."""


@dataclass(frozen=True)
class Holding(_Part):
    """Cards that `predeal` gives to a player, like `south SAQ5xx`."""

    seat: Seat
    """Whose cards."""

    cards: Hand
    """The cards named."""

    lengths: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    """For clubs, diamonds, hearts, spades: the exact length, where `x` or `==` fixed it."""


@dataclass(frozen=True)
class Level(_Part):
    """`level expression`: each value of the expression comes equally often (our extension)."""

    expression: Expression
    """Its values are the classes."""

    low: int | None = None
    """The smallest class, if bounds are given; smaller values are not produced."""

    high: int | None = None
    """The greatest class, if bounds are given."""


@dataclass(frozen=True)
class Script:
    """A whole dealer script.

    >>> from setrograde.formats.dealer import parse_dealer
    >>> script = parse_dealer("produce 10 hcp(north) >= 20")
    >>> script.produce, script.condition.operator
    (10, '>=')
    """

    definitions: Mapping[str, Definition] = field(default_factory=dict)
    """By name, in the order of the script; each uses only earlier ones."""

    condition: Expression | None = None
    """The last condition of the script; `None` accepts every deal."""

    actions: tuple[Action, ...] = ()
    """The last list of actions; none means `printall`."""

    generate: int | None = None
    """The most deals to try."""

    produce: int | None = None
    """The most deals that satisfy the condition."""

    seed: int | None = None
    """The seed of the random numbers (our extension)."""

    vulnerability: Vulnerability = Vulnerability.NONE
    """For `printpbn`."""

    dealer: Seat = Seat.NORTH
    """For `printpbn`."""

    predeal: tuple[Holding, ...] = ()
    """What is dealt before anything else."""

    pointcount: tuple[int, ...] | None = None
    """Points of ace, king, queen and so on for `hcp`; `None` is 4-3-2-1."""

    altcounts: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Points of ace, king, queen and so on for `pt0` to `pt9`, where the script changes them."""

    level: Level | None = None
    """What is levelled, if anything."""


def iter_parts(expression: Expression) -> Iterator[Expression]:
    """The expression and all expressions inside it; names are not looked up.

    >>> from setrograde.formats.dealer import parse_expression
    >>> [type(part).__name__ for part in iter_parts(parse_expression("1 + hcp(north)"))]
    ['Binary', 'Number', 'HandCount']
    """
    stack: list[Expression] = [expression]
    while stack:
        part = stack.pop()
        yield part
        inner = [getattr(part, each.name) for each in fields(part)]
        stack += [each for each in reversed(inner) if isinstance(each, _EXPRESSIONS)]


_EXPRESSIONS = (
    *(Number, Name, Unary, Binary, Choice, SuitLength, HandCount),
    *(ShapeTest, HasCard, Tricks, Score, Imps, Random),
)
