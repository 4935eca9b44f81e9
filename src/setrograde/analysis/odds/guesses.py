"""Guesses: where a chance counts a two-way finesse as always right.

Declarer is taken to see all cards, so he never goes wrong in a suit like KJ4 opposite AT3. This
module finds the textbook case: one missing card that can be finessed either way. It then tries
pairs of layouts that differ only in the owner of this card, with the high cards of the suit all in
one hand or all in the other, so that only one finesse is left. If declarer fails in some layouts
where the card lies behind these cards, whichever hand has them, then no one way is always right.

What is not found: choices between a finesse and a drop, between two suits, in which order to play
suits, and guesses of the defenders.

>>> question = OddsQuestion.of("KJ2.A3..", "AT4.K2..", "NT", "S", hidden="Q98765.QJT9..")
>>> [str(card) for card in two_way_cards(question)]
['SQ']
>>> print(find_guesses(question, 5)[0])
A guess for ♠Q is counted as right: it can be finessed either way, but neither way is
always right: each fails in at least 21 of 60 layouts tried. At the table the chance is lower.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from setrograde.bridge import Card, Deal, Hand, Rank, Suit
from setrograde.common.stop import StopFlag
from setrograde.solve import Solver

from .question import OddsQuestion

__all__ = ["Guess", "find_guesses", "two_way_cards"]

_FEW_LAYOUTS = 60
_PAIRS = 30
_MOST_S = 1.0
"""The time for trying layouts."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A missing card that can be finessed either way.

    >>> print(Guess(Card.from_text("HQ"), tried=30, decides=7))
    A guess for ♥Q is counted as right: it can be finessed either way, but neither way is
    always right: each fails in at least 7 of 30 layouts tried. At the table the chance is lower.
    """

    card: Card
    """The missing card."""

    tried: int = 0
    """The number of layouts in which both finesses were tried; 0 if they were not."""

    decides: int = 0
    """In how many of them the better of the two finesses fails, if it is always taken."""

    @property
    def share(self) -> float:
        """The share of the layouts tried in which the better finesse fails; 0 without any."""
        return self.decides / self.tried if self.tried else 0.0

    def __str__(self) -> str:
        if not self.tried:
            return (
                f"{self.card.pretty} can be finessed either way. Where that matters, the guess is"
                " counted as right."
            )
        return (
            f"A guess for {self.card.pretty} is counted as right: it can be finessed either way,"
            " but neither way is\nalways right:"
            f" each fails in at least {self.decides} of {self.tried} layouts tried."
            " At the table the chance is lower."
        )


def two_way_cards(question: OddsQuestion) -> list[Card]:
    """Missing cards that declarer can finesse either way, by the holdings of his two hands.

    >>> def missing(north, south, hidden):
    ...     question = OddsQuestion.of(north, south, "NT", "S", hidden=hidden)
    ...     return [str(card) for card in two_way_cards(question)]
    >>> missing("KJ2...", "AT4...", "Q98765..."), missing("AKJ...", "T42...", "Q98765...")
    (['SQ'], [])
    >>> missing("A32...", "KJT...", "Q98765..."), missing("KJ2...", "A43...", "QT9876...")
    (['SQ'], [])
    """
    if not question.is_declared_by_known:
        return []
    layouts, position = question.layouts, question.position
    free = layouts.cards - layouts.first - layouts.second
    found = []
    for suit in reversed(Suit):
        unseen = [card for card in layouts.cards if card.suit is suit]
        if not unseen:
            continue
        card = max(unseen)
        holding = _Holding.of(position.north, position.south, layouts.cards, card)
        if card in free and card.rank >= Rank.TEN and len(unseen) > 1 and holding.is_two_way:
            found.append(card)
    return found


@dataclass(frozen=True, slots=True)
class _Holding:
    """Declarer's cards above a missing card, and those next below it, in each hand."""

    above: tuple[Hand, Hand]
    below: tuple[Hand, Hand]
    lengths: tuple[int, int]

    @classmethod
    def of(cls, north: Hand, south: Hand, hidden: Hand, card: Card) -> _Holding:
        lower = [each for each in hidden if each.suit is card.suit and each < card]
        floor = max(lower, default=None)

        def part(hand: Hand, is_above: bool) -> Hand:
            own = [each for each in hand if each.suit is card.suit]
            if is_above:
                return Hand.from_cards([each for each in own if each > card])
            return Hand.from_cards(
                [each for each in own if each < card and (floor is None or each > floor)]
            )

        return cls(
            (part(north, True), part(south, True)),
            (part(north, False), part(south, False)),
            (north.length(card.suit), south.length(card.suit)),
        )

    @property
    def is_two_way(self) -> bool:
        if min(self.lengths) < 2:
            return False
        return self._can_finesse(0) and self._can_finesse(1)

    def _can_finesse(self, over: int) -> bool:
        """Through the hand before `over`: to a card of `over`, or a card of the other hand run."""
        both = len(self.below[0]) + len(self.below[1])
        is_run = both >= 2 and len(self.below[1 - over]) > 0
        return len(self.above[over]) > 0 and (len(self.below[over]) > 0 or is_run)


def find_guesses(
    question: OddsQuestion,
    need: int | None = None,
    *,
    time_s: float = _MOST_S,
    stop: StopFlag | None = None,
) -> tuple[Guess, ...]:
    """The two-way finesses on which `need` tricks (or the number of tricks) depend.

    Some layouts are solved to find out, for at most `time_s` seconds. `stop` raises `Stopped`.

    >>> find_guesses(OddsQuestion.of("KJ2.A3..", "AT4.K2..", "NT", "S",
    ...                              hidden="Q98765.QJT9.."), 3)
    ()
    """
    found = []
    for card in two_way_cards(question):
        trial = _Trial(question, card, need, stop)
        guess = trial.guess(time_s)
        if guess.decides or not guess.tried:
            found.append(guess)
    return tuple(found)


class _Trial:
    """Tries what the owner of one card decides, in pairs of layouts."""

    def __init__(
        self, question: OddsQuestion, card: Card, need: int | None, stop: StopFlag | None
    ) -> None:
        position = question.position
        self._question = question
        self._card = card
        self._need = None if need is None else question.known_need(need)
        self._stop = stop
        self._solver = Solver(limit_mb=64)
        north, south = position.north, position.south
        self._as_they_are = (north, south)
        self._all_north = _with_high_cards(north, south, card)
        south_first = _with_high_cards(south, north, card)
        self._all_south = (south_first[1], south_first[0])

    def guess(self, time_s: float) -> Guess:
        until = time.monotonic() + time_s
        tried, fails_north, fails_south = 0, 0, 0
        for with_first, with_second in self._pairs():
            tried += 2
            # Turned so that East plays after North: the finesse to North is through West.
            fails_north += self._is_lost(with_first, self._all_north)
            fails_south += self._is_lost(with_second, self._all_south)
            if time.monotonic() >= until:
                break
        return Guess(self._card, tried, min(fails_north, fails_south))

    def _pairs(self) -> Iterator[tuple[Hand, Hand]]:
        """Layouts that differ in the owner of the card: first East has it, then West.

        East stands for the first of the hidden hands: the known ones are turned to North and South.
        """
        layouts = self._question.layouts
        is_listed = layouts.count() <= _FEW_LAYOUTS
        drawn = iter(layouts) if is_listed else layouts.iter_sample(seed=0, stop=self._stop)
        one = Hand.from_cards([self._card])
        for first in drawn if is_listed else islice(drawn, _PAIRS):
            second = layouts.cards - first
            owner, other = (first, second) if self._card in first else (second, first)
            small = [card for card in other if card.suit is self._card.suit]
            if not small:
                continue
            swapped = Hand.from_cards([min(small)])
            moved_owner = owner - one | swapped
            moved = moved_owner if owner is first else layouts.cards - moved_owner
            if not self._is_allowed(moved):
                continue
            yield (first, moved) if owner is first else (moved, first)

    def _is_allowed(self, layout: Hand) -> bool:
        return self._question.constraint.allows(self._question.play_of(layout).deal)

    def _is_lost(self, layout: Hand, wrong: tuple[Hand, Hand]) -> bool:
        """True if declarer succeeds with the hands as they are, but not with these."""
        right, other = self._tricks(self._as_they_are, layout), self._tricks(wrong, layout)
        return right > other if self._need is None else right >= self._need > other

    def _tricks(self, known: tuple[Hand, Hand], layout: Hand) -> int:
        """Tricks of the known hands, which are turned to North and South."""
        position = self._question.position
        hands = [known[0], layout, known[1], self._question.layouts.cards - layout]
        for place, card in enumerate(position.trick):
            hands[position.leader.next_by(place)] |= Hand.from_cards([card])
        n, e, s, w = hands
        solution = self._solver.solve(
            Deal((n, e, s, w)),
            self._question.strain,
            position.leader,
            played=position.trick,
            stop=self._stop,
        )
        return solution.tricks_ns


def _with_high_cards(taker: Hand, giver: Hand, card: Card) -> tuple[Hand, Hand]:
    """Both hands after `taker` gets the cards above `card`, for his lowest cards of the suit."""
    high = [each for each in giver if each.suit is card.suit and each > card]
    low = sorted(each for each in taker if each.suit is card.suit and each < card)[: len(high)]
    given, back = Hand.from_cards(high[: len(low)]), Hand.from_cards(low)
    return taker - back | given, giver - given | back
