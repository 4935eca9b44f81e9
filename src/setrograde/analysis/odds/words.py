"""Why a contract makes or fails, in a few conditions with exact weights.

The sets that settle a question are too many to read. So conditions that a player would name are
weighed by counting the sets under them. The answer names the conditions that decide most, divides
all layouts into a few cases, and lists conditions that decide alone. Every number is a count over
all layouts, not an estimate.

>>> from setrograde.analysis.odds.exact import odds
>>> from setrograde.bridge import Hand, Seat, Strain
>>> found = odds("AQ...", "32...", "NT", "S", need=2, hidden="KJT9...")
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
from setrograde.common.stop import StopFlag

from .chances import format_chance
from .conditions import Condition, natural_conditions
from .result import Odds
from .settled_sets import NO_MASKS, LayoutCount, Masks, SetCounter

__all__ = ["Case", "Explanation", "Factor", "explain_middle", "explain_odds"]


@dataclass(frozen=True, slots=True)
class Factor:
    """One condition, and how often declarer succeeds with it and without it."""

    condition: str
    """The condition in words, like `♥K with West`."""

    otherwise: str
    """The opposite in words."""

    with_it: LayoutCount
    """The layouts in which it holds."""

    without_it: LayoutCount
    """The other layouts."""

    def __str__(self) -> str:
        return (
            f"{self.condition}: {format_chance(self.with_it.share)};"
            f" {self.otherwise}: {format_chance(self.without_it.share)}"
        )


@dataclass(frozen=True, slots=True)
class Case:
    """The layouts in which several conditions hold."""

    conditions: tuple[str, ...]
    """The conditions, all of which hold; none for all layouts."""

    count: LayoutCount
    """The number of layouts, and in how many of them declarer succeeds."""

    share_of_layouts: float
    """The share of these layouts among all."""

    def __str__(self) -> str:
        words = " and ".join(self.conditions)
        where = f" if {words}" if words else ""
        share, chance = map(format_chance, (self.share_of_layouts, self.count.share))
        return f"{share} of layouts: {chance}{where}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What decides whether declarer succeeds."""

    factors: tuple[Factor, ...]
    """Single conditions, each with what it adds once those before it are known."""

    cases: tuple[Case, ...]
    """Cases that exclude each other and together are all layouts, the best first."""

    sure: tuple[Case, ...]
    """Conditions that decide alone: with them declarer always succeeds, or always fails."""

    def __str__(self) -> str:
        parts = [
            ("What decides it:", self.factors),
            ("Cases:", self.cases if len(self.cases) > 1 else ()),  # one case says nothing new
            ("Sure:", [_sure_words(case) for case in self.sure]),
        ]
        return "\n".join(
            line for title, rows in parts if rows for line in (title, *[f"  {row}" for row in rows])
        )


def explain_odds(
    odds: Odds,
    *,
    need: int | None = None,
    most_factors: int = 4,
    most_cases: int = 6,
    stop: StopFlag | None = None,
) -> Explanation:
    """The conditions that decide whether declarer takes `need` tricks.

    Without `need` it is the number that was asked for. Raises `InvalidInput` if that number is not
    settled: what is open has no reasons. `stop` raises `Stopped`.
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
    teller = _Teller(odds, SetCounter(odds.question.layouts, found.sets, stop=stop))
    return teller.explanation(most_factors, most_cases)


def explain_middle(odds: Odds, *, stop: StopFlag | None = None) -> tuple[int, Explanation] | None:
    """The number of tricks most worth explaining, and its reasons; `None` if nothing decides.

    That is the number asked for, or else the one whose chance is nearest to 50 %. `stop` raises
    `Stopped`.

    >>> from setrograde.analysis.odds.exact import odds
    >>> found = odds("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> need, why = explain_middle(found)
    >>> need, str(why.factors[0])
    (2, '♠K with East: 0.00 %; ♠K with West: 100.00 %')
    """
    need = odds.need
    if need is None:
        done = [found for found in odds.settled.values() if found.sets is not None]
        middle = [found for found in done if 0 < found.makes < found.layouts]
        if not middle:
            return None
        need = min(middle, key=lambda found: abs(2 * found.makes - found.layouts)).need
    found = odds.settled.get(need)
    if found is None or found.sets is None:
        return None
    return need, explain_odds(odds, need=need, stop=stop)


def _sure_words(case: Case) -> str:
    verb = "makes" if case.count.makes else "fails"
    share = format_chance(case.share_of_layouts)
    return f"{verb} whenever {' and '.join(case.conditions)}: {share} of layouts"


@dataclass(frozen=True, slots=True)
class _Node:
    """Some conditions, and the layouts that meet them."""

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
    """The condition that decides most in a node, and the bits it tells in all."""

    gain: float = -1.0
    condition: Condition | None = None


class _Teller:
    """Weighs conditions over the settled sets of one question."""

    def __init__(self, odds: Odds, counter: SetCounter) -> None:
        question = odds.question
        self._counter = counter
        self._layouts = odds.layouts
        self._conditions = list(natural_conditions(question.layouts, question.hidden_seats))
        # Of conditions that decide the same, the one about declarer's own long suit is named.
        ours = question.position.north | question.position.south
        self._suits = sorted(Suit, key=lambda suit: (-ours.length(suit), -suit))
        self._root = _Node((), NO_MASKS, counter.counts())

    def _counts(self, node: _Node) -> Iterator[tuple[Condition, LayoutCount]]:
        """Every condition, with the layouts of the node that meet it."""
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
        """The condition that decides most, then the one that adds most to it, and so on."""
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
        """A tree that grows where a condition decides most, up to `most` leaves, best first."""
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
        """Up to three conditions together after which nothing else matters.

        Success and failure are searched apart. Only the most promising conditions are followed, so
        the search finds wide cases, but not all of them. What `known` cases say is left out.
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


_TOO_LITTLE = 0.003  # bits per layout; a condition that tells less is no news
_DEEPEST = 3
_BEAM = 8
_LOOK_AT = 30
_RARE = 0.005  # a share of the layouts; what is rarer is not worth a line
_MOST_SURE = 2


def _right(node: _Node, wanted: bool) -> int:
    return node.count.makes if wanted else node.count.layouts - node.count.makes


def _promise(node: _Node, wanted: bool) -> float:
    """A number that is large where many layouts are right and few are wrong."""
    right = _right(node, wanted)
    wrong = node.count.layouts - right
    return right - 3 * wrong


def _gain(whole: LayoutCount, part: LayoutCount) -> float:
    """The bits per layout that knowing the condition tells about success."""
    rest = whole - part
    after = part.layouts * _entropy(part) + rest.layouts * _entropy(rest)
    return round(_entropy(whole) - after / whole.layouts, 9)


def _entropy(count: LayoutCount) -> float:
    share = count.share
    if not 0 < share < 1:
        return 0.0
    return -share * log2(share) - (1 - share) * log2(1 - share)
