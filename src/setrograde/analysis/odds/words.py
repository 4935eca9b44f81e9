"""Why a contract makes or fails, in a few conditions with exact weights.

The sets that settle a question are too many to read. Conditions a player would name are weighed by
counting the sets under them: which one tells most, a short tree of cases, and conditions that
decide the matter whatever else is so. Every number is a count over all layouts, not an estimate.

>>> from setrograde.analysis.odds.exact import odds
>>> from setrograde.bridge import Hand, Seat, Strain
>>> found = odds(Hand.from_text("AQ..."), Hand.from_text("32..."), Strain.NOTRUMP, Seat.SOUTH,
...              need=2, hidden=Hand.from_text("KJT9..."))
>>> print(explain_odds(found))
What decides it:
  ♠K with East: 0.00 %; ♠K with West: 100.00 %
Cases:
  50.00 % of layouts: 100.00 % if ♠K with West
  50.00 % of layouts: 0.00 % if ♠K with East
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np

from setrograde.bridge import InvalidInput, Suit

from .chances import format_chance
from .conditions import Condition, natural_conditions
from .result import Odds
from .settled_sets import NO_MASKS, LayoutCount, Masks, SetCounter

__all__ = ["Case", "Explanation", "Factor", "explain_odds"]


@dataclass(frozen=True, slots=True)
class Factor:
    """One condition, and how often declarer succeeds with it and without."""

    condition: str
    """In words, like `♥K with West`."""

    otherwise: str
    """Its opposite."""

    with_it: LayoutCount
    """Layouts in which it holds."""

    without_it: LayoutCount
    """The others."""

    def __str__(self) -> str:
        return (
            f"{self.condition}: {format_chance(self.with_it.share)};"
            f" {self.otherwise}: {format_chance(self.without_it.share)}"
        )


@dataclass(frozen=True, slots=True)
class Case:
    """Several conditions together."""

    conditions: tuple[str, ...]
    """All of which hold; empty for all layouts."""

    count: LayoutCount
    """The layouts in which they do."""

    share_of_layouts: float
    """How many of all layouts these are."""

    def __str__(self) -> str:
        words = " and ".join(self.conditions)
        where = f" if {words}" if words else ""
        return f"{format_chance(self.share_of_layouts)} of layouts: {format_chance(self.count.share)}{where}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What decides, the most telling first."""

    factors: tuple[Factor, ...]
    """Single conditions, each from another suit or about another card."""

    cases: tuple[Case, ...]
    """Cases that exclude each other and together are all layouts; the best for declarer first."""

    sure: tuple[Case, ...]
    """Conditions that decide alone: declarer always succeeds, or always fails."""

    def __str__(self) -> str:
        parts = [
            ("What decides it:", self.factors),
            ("Cases:", self.cases),
            ("Sure:", [_sure_words(case) for case in self.sure]),
        ]
        return "\n".join(
            line for title, rows in parts if rows for line in (title, *[f"  {row}" for row in rows])
        )


def explain_odds(
    odds: Odds, *, need: int | None = None, most_factors: int = 4, most_cases: int = 6
) -> Explanation:
    """Which conditions decide; `need` only if the whole distribution was asked for.

    Raises `InvalidInput` if that number of tricks is not settled: what is open has no reasons.
    """
    asked = need if need is not None else odds.need
    found = None if asked is None else odds.settled.get(asked)
    if asked is not None and odds.exact and (found is None or found.sets is None):
        count = LayoutCount(odds.layouts, odds.counts_at_least(asked)[0])
        return Explanation((), (Case((), count, 1.0),), ())
    if found is None or found.sets is None:
        raise InvalidInput(f"nothing to explain: {asked} tricks are not settled")
    if found.makes in (0, odds.layouts):
        return Explanation((), (Case((), LayoutCount(odds.layouts, found.makes), 1.0),), ())
    teller = _Teller(odds, SetCounter(odds.question.layouts, found.sets))
    return teller.explanation(most_factors, most_cases)


def _sure_words(case: Case) -> str:
    verb = "makes" if case.count.makes else "fails"
    return f"{verb} whenever {' and '.join(case.conditions)}: {format_chance(case.share_of_layouts)} of layouts"


@dataclass(frozen=True, slots=True)
class _Node:
    """Conditions so far, and the layouts that meet them."""

    conditions: tuple[Condition, ...]
    masks: Masks
    count: LayoutCount

    def also(self, condition: Condition, count: LayoutCount) -> _Node:
        masks = list(self.masks)
        before = masks[condition.suit]
        allowed = condition.allowed
        masks[condition.suit] = allowed if before is None else before & allowed
        c, d, h, s = masks
        return _Node((*self.conditions, condition), (c, d, h, s), count)


@dataclass(frozen=True, slots=True)
class _Split:
    """The condition that tells most about a node, and how many bits in all."""

    gain: float = -1.0
    condition: Condition | None = None


class _Teller:
    """Weighs conditions over the settled sets of one question."""

    def __init__(self, odds: Odds, counter: SetCounter) -> None:
        question = odds.question
        self._counter = counter
        self._layouts = odds.layouts
        self._conditions = list(natural_conditions(question.layouts, question.hidden_seats))
        # Of conditions that tell the same, the one about declarer's own long suit is named.
        ours = question.position.north | question.position.south
        self._suits = sorted(Suit, key=lambda suit: (-ours.length(suit), -suit))
        self._root = _Node((), NO_MASKS, counter.counts())

    def _counts(self, node: _Node) -> Iterator[tuple[Condition, LayoutCount]]:
        """Every condition with the layouts of the node that meet it."""
        for suit in self._suits:
            conditions = [found for found in self._conditions if found.suit is suit]
            if not conditions:
                continue
            total, making = self._counter.part_counts(suit, node.masks)
            for condition in conditions:
                layouts = round(float(np.sum(total, where=condition.allowed)))
                if 0 < layouts < node.count.layouts:
                    makes = round(float(np.sum(making, where=condition.allowed)))
                    yield condition, LayoutCount(layouts, makes)

    def explanation(self, most_factors: int, most_cases: int) -> Explanation:
        leaves = self._cases(most_cases)
        factors = tuple(self._factors(most_factors))
        sure = [self._case(node) for node in self._sure(known=leaves)]
        return Explanation(factors, tuple([self._case(leaf) for leaf in leaves]), tuple(sure))

    def _factors(self, most: int) -> Iterator[Factor]:
        """The condition that tells most, then what tells most to who knows it, and so on."""
        leaves = [self._root]
        alone = dict(self._counts(self._root))
        for _ in range(most):
            gains = dict.fromkeys(alone, 0.0)
            for leaf in leaves:
                for condition, count in self._counts(leaf):
                    gains[condition] += _gain(leaf.count, count) * leaf.count.layouts
            best = max(gains, key=lambda condition: round(gains[condition], 6), default=None)
            if best is None or gains[best] < _TOO_LITTLE * self._layouts:
                return
            count = alone[best]
            yield Factor(best.text, best.otherwise, count, self._root.count - count)
            leaves = [part for leaf in leaves for part in self._parts(leaf, best)]

    def _parts(self, node: _Node, condition: Condition) -> list[_Node]:
        """The layouts of a node with the condition and those without, where there are any."""
        count = self._counter.counts(node.also(condition, node.count).masks)
        parts = [
            node.also(condition, count),
            node.also(condition.opposite, node.count - count),
        ]
        return [part for part in parts if part.count.layouts]

    def _cases(self, most: int) -> list[_Node]:
        """A tree grown where it tells most, up to `most` leaves; the best for declarer first."""
        leaves = [(self._root, self._best_split(self._root))]
        while len(leaves) < most:
            place = max(range(len(leaves)), key=lambda i: leaves[i][1].gain)
            node, split = leaves[place]
            if split.condition is None or split.gain < _TOO_LITTLE * self._layouts:
                break
            parts = self._parts(node, split.condition)
            leaves[place : place + 1] = [(part, self._best_split(part)) for part in parts]
        nodes = [node for node, _ in leaves]
        return sorted(nodes, key=lambda leaf: (-leaf.count.share, -leaf.count.layouts))

    def _best_split(self, node: _Node) -> _Split:
        if node.count.makes in (0, node.count.layouts) or len(node.conditions) == _DEEPEST:
            return _Split()
        splits = [
            _Split(_gain(node.count, count) * node.count.layouts, condition)
            for condition, count in self._counts(node)
        ]
        return max(splits, key=lambda split: split.gain, default=_Split())

    def _sure(self, *, known: Sequence[_Node]) -> list[_Node]:
        """Conjunctions of up to three conditions after which nothing else matters.

        For success and for failure apart; a narrow beam of the most promising conditions, so that
        it finds wide cases, not all of them. What `known` cases say already is left out.
        """
        told = [node for node in known if node.count.makes in (0, node.count.layouts)]
        found = list[_Node]()
        for wanted in (True, False):
            kept = list[_Node]()
            for node in self._sure_of(wanted)[:_LOOK_AT]:
                if not any(self._is_within(node, other) for other in (*told, *kept)):
                    kept.append(node)
                if len(kept) == _MOST_SURE:
                    break
            found += kept
        return found

    def _is_within(self, node: _Node, other: _Node) -> bool:
        """True if all layouts of `node` are layouts of `other`."""
        both = list(node.masks)
        for suit, mask in enumerate(other.masks):
            mine = both[suit]
            both[suit] = mask if mine is None else mine if mask is None else mine & mask
        c, d, h, s = both
        return self._counter.counts((c, d, h, s)).layouts == node.count.layouts

    def _sure_of(self, wanted: bool) -> list[_Node]:
        beam = [self._root]
        sure = list[_Node]()
        for _ in range(_DEEPEST):
            reached = list[_Node]()
            for node in beam:
                for condition, count in self._counts(node):
                    for side, part in (
                        (condition, count),
                        (condition.opposite, node.count - count),
                    ):
                        reached.append(node.also(side, part))
            sure += [
                node
                for node in reached
                if _right(node, wanted) == node.count.layouts >= _RARE * self._layouts
            ]
            rest = [node for node in reached if _right(node, wanted) < node.count.layouts]
            rest.sort(key=lambda node: -_promise(node, wanted))
            beam = rest[:_BEAM]
        return sorted(sure, key=lambda node: (-node.count.layouts, len(node.conditions)))

    def _case(self, node: _Node) -> Case:
        texts = tuple([condition.text for condition in node.conditions])
        return Case(texts, node.count, node.count.layouts / self._layouts)


_TOO_LITTLE = 0.003  # bits a layout; below it a condition is no news
_DEEPEST = 3
_BEAM = 8
_LOOK_AT = 30
_RARE = 0.005  # what is rarer is not worth a line
_MOST_SURE = 2


def _right(node: _Node, wanted: bool) -> int:
    return node.count.makes if wanted else node.count.layouts - node.count.makes


def _promise(node: _Node, wanted: bool) -> float:
    """Large where many layouts are right and few are wrong."""
    right = _right(node, wanted)
    wrong = node.count.layouts - right
    return right - 3 * wrong


def _gain(whole: LayoutCount, part: LayoutCount) -> float:
    """Bits a layout that knowing the condition tells about success."""
    rest = whole - part
    after = part.layouts * _entropy(part) + rest.layouts * _entropy(rest)
    return round(_entropy(whole) - after / whole.layouts, 9)


def _entropy(count: LayoutCount) -> float:
    share = count.share
    if not 0 < share < 1:
        return 0.0
    return -share * log2(share) - (1 - share) * log2(1 - share)
