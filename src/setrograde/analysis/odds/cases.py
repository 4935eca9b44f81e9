"""Cases: what is known of two hidden hands, as sets of layouts that exclude each other.

Alternatives such as `spades 5+ or hcp 8+` overlap, so their layouts cannot simply be added. Here
everything known of both hands is turned into cases. A case fixes the lengths that the first hand
may have, its possible points, and the owners of some cards. Each layout that is allowed is in one
case only, so counts of cases add up.

For each shape of the first hand, the constraints are judged with the points left open. Where they
still depend on the owner of a card (a king that one alternative demands, the top cards of a suit),
the layouts are divided by that owner, as in a decision tree, and parts that turn out alike are put
together again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from setrograde.bridge import Hand, HandConstraint, InvalidConstraint, Range, Rank
from setrograde.bridge.patterns import Lengths

__all__ = ["HiddenHand", "LayoutCase", "layout_cases", "needs_cases"]

_MOST_STEPS = 50_000

Leaf = tuple[int, int, int]
"""Points allowed, as bits; cards of the first hand; cards of the second hand."""


@dataclass(frozen=True, slots=True)
class LayoutCase:
    """Some layouts: those with these lengths, points and owners of cards."""

    shapes: frozenset[Lengths]
    """Lengths that the first hand may have, clubs first."""

    points: int
    """High card points that the first hand may have: bit `n` is set for `n` points."""

    first: Hand
    """Cards that the first hand has."""

    second: Hand
    """Cards that the second hand has."""


@dataclass(frozen=True, slots=True)
class HiddenHand:
    """What is known of one hidden hand."""

    constraint: HandConstraint
    """Conditions on the hand as it was dealt."""

    gone: Hand
    """Cards that it has played."""

    has: Hand
    """Cards not yet played that it surely has."""


def needs_cases(constraint: HandConstraint) -> bool:
    """True if lengths, one range of points and owners of cards cannot say the same.

    >>> needs_cases(HandConstraint.from_text("hcp 8+, has SA"))
    False
    >>> needs_cases(HandConstraint.from_text("hcp 8+ or has SA"))
    True
    """
    return bool(constraint.clauses or constraint.counts or not constraint.controls.is_any)


def layout_cases(
    cards: Hand, first: HiddenHand, second: HiddenHand, shapes: Iterable[Lengths]
) -> tuple[LayoutCase, ...]:
    """The cases of the layouts of `cards`, with the lengths in `shapes`, that both hands allow.

    >>> known = HiddenHand(HandConstraint.from_text("hcp 5 or has SK"), Hand(), Hand())
    >>> free = HiddenHand(HandConstraint(), Hand(), Hand())
    >>> for case in layout_cases(Hand.from_text("KQ32..."), known, free, [(0, 0, 0, 2)]):
    ...     print(f"{case.points:b}", case.first)
    111111 K...
    """
    tree = _Tree(cards, first, second)
    found: dict[Leaf, set[Lengths]] = {}
    known: dict[tuple[bool, ...], tuple[Leaf, ...]] = {}
    for lengths in shapes:
        fits = tree.fits(lengths)
        if fits not in known:
            known[fits] = tree.leaves(fits)
        for leaf in known[fits]:
            found.setdefault(leaf, set()).add(lengths)
    return tuple(
        [
            LayoutCase(frozenset(lengths), points, Hand(mine), Hand(theirs))
            for (points, mine, theirs), lengths in found.items()
        ]
    )


def _boxes(constraint: HandConstraint) -> Iterator[HandConstraint]:
    """The constraint and all alternatives in it, in a fixed order."""
    yield constraint
    for clause in constraint.clauses:
        for part in clause:
            yield from _boxes(part)


class _Tree:
    """Decides which layouts of one shape are allowed, card by card."""

    def __init__(self, cards: Hand, first: HiddenHand, second: HiddenHand) -> None:
        self._cards = cards
        self._hands = (first, second)
        self._boxes = [list(_boxes(hand.constraint)) for hand in self._hands]
        self._points = [self._by_points(seat) for seat in (0, 1)]
        self._named = [card.bit for card in self._decisive() - first.has - second.has]
        self._steps = 0

    def _decisive(self) -> Hand:
        """Unseen cards whose owner may matter."""
        found = Hand()
        for box in (*self._boxes[0], *self._boxes[1]):
            found |= box.held | box.denied
            for count in box.counts:
                found |= count.cards
            if not box.controls.is_any:
                found |= _CONTROLS
        return found & self._cards

    def _by_points(self, seat: int) -> dict[Range, int]:
        """For each range of a hand's points, the points of the first hand that give it."""
        total, gone = self._cards.hcp, self._hands[seat].gone.hcp
        return {
            limit: sum(
                1 << points
                for points in range(total + 1)
                if gone + (total - points if seat else points) in limit
            )
            for limit in {box.hcp for box in self._boxes[seat]}
        }

    def fits(self, lengths: Lengths) -> tuple[bool, ...]:
        """For every box of both hands, whether its lengths and shapes are right."""
        found = []
        for seat, hand in enumerate(self._hands):
            theirs = zip(self._cards.lengths, lengths, strict=True)
            own = [whole - part for whole, part in theirs] if seat else lengths
            c, d, h, s = map(int.__add__, own, hand.gone.lengths)
            dealt = (c, d, h, s)
            for box in self._boxes[seat]:
                found.append(
                    all(map(Range.__contains__, box.lengths, dealt))
                    and all(dealt in shape.lengths for shape in box.shapes)
                )
        return tuple(found)

    def leaves(self, fits: tuple[bool, ...]) -> tuple[Leaf, ...]:
        """Points and owners of cards that are allowed, for shapes that fit so."""
        return self._divided(fits, 0, 0, 0)

    def _divided(
        self, fits: tuple[bool, ...], mine: int, theirs: int, place: int
    ) -> tuple[Leaf, ...]:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise InvalidConstraint(
                f"too many cases in '{self._hands[0].constraint}' and"
                f" '{self._hands[1].constraint}' (expected fewer alternatives)"
            )
        sure, possible = self._judged(fits, mine, theirs)
        if not possible:
            return ()
        if sure == possible:
            return ((possible, mine, theirs),)
        card = self._named[place]
        with_it = self._divided(fits, mine | card, theirs, place + 1)
        without = self._divided(fits, mine, theirs | card, place + 1)
        alike = tuple([(points, one & ~card, two) for points, one, two in with_it])
        if alike == tuple([(points, one, two & ~card) for points, one, two in without]):
            return alike
        return with_it + without

    def _judged(self, fits: tuple[bool, ...], mine: int, theirs: int) -> tuple[int, int]:
        """Points with which a layout is surely allowed, and with which it may be."""
        answers = iter(fits)
        first, second = self._hands
        first_has, second_has = mine | first.has.bits, theirs | second.has.bits
        free = self._cards.bits & ~(first_has | second_has)
        one = self._of_hand(0, first.constraint, first_has | first.gone.bits, free, answers)
        two = self._of_hand(1, second.constraint, second_has | second.gone.bits, free, answers)
        return one[0] & two[0], one[1] & two[1]

    def _of_hand(
        self, seat: int, box: HandConstraint, has: int, free: int, fits: Iterator[bool]
    ) -> tuple[int, int]:
        possible = self._points[seat][box.hcp] if next(fits) else 0
        verdict = _cards_fit(box, has, free)
        possible = possible if verdict is not False else 0
        sure = possible if verdict else 0
        for clause in box.clauses:
            any_sure = any_possible = 0
            for part in clause:
                part_sure, part_possible = self._of_hand(seat, part, has, free, fits)
                any_sure |= part_sure
                any_possible |= part_possible
            sure, possible = sure & any_sure, possible & any_possible
        return sure, possible


_CONTROLS = Hand(
    sum(1 << (16 * suit + rank) for suit in range(4) for rank in (Rank.KING, Rank.ACE))
)


def _cards_fit(box: HandConstraint, has: int, free: int) -> bool | None:
    """Whether a hand with these cards, and perhaps some that are free, is right; `None`: perhaps.

    Lengths, points and alternatives are left aside.
    """
    if box.held.bits & ~(has | free) or box.denied.bits & has:
        return False
    is_sure = not (box.held.bits | box.denied.bits) & free
    ranges = [
        (each.count, (each.cards.bits & has).bit_count(), (each.cards.bits & free).bit_count())
        for each in box.counts
    ]
    if not box.controls.is_any:
        ranges.append((box.controls, Hand(has).controls, Hand(free).controls))
    for limit, least, more in ranges:
        if not limit.overlaps(least, least + more):
            return False
        is_sure = is_sure and least in limit and least + more in limit
    return True if is_sure else None
