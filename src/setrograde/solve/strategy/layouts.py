"""Layouts of the hidden cards, one by one or in classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from setrograde import _core
from setrograde.bridge import Hand, Seat, Suit
from setrograde.errors import InvalidInput

from .state import PlayState, suit_bits

__all__ = ["Known", "LayoutClasses", "TooManyLayouts", "all_layouts", "layout_classes"]

_LAYOUTS, _RUNS, _SMALL = range(3)

MAX_WORLDS = 4096


class TooManyLayouts(InvalidInput):
    """More layouts, or classes of them, than were allowed."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the hidden hands, by seat.

    >>> Known(voids={Seat.EAST: [Suit.SPADES]}, held={Seat.WEST: Hand("A...")})
    Known(held={Seat.WEST: Hand.from_text('A...')}, denied={}, voids={Seat.EAST: [Suit.SPADES]}, \
lengths={})
    """

    held: Mapping[Seat, Hand] = field(default_factory=dict)
    """Cards a hand is known to have."""

    denied: Mapping[Seat, Hand] = field(default_factory=dict)
    """Cards a hand is known not to have."""

    voids: Mapping[Seat, Iterable[Suit]] = field(default_factory=dict)
    """Suits in which a hand has no card."""

    lengths: Mapping[Seat, Mapping[Suit, tuple[int, int]]] = field(default_factory=dict)
    """The least and the greatest number of cards in a suit."""


@dataclass(frozen=True)
class LayoutClasses:
    """All layouts of the hidden cards, in classes with exact weights."""

    worlds: NDArray[np.uint64]
    """One layout of each class: the cards of the first hidden seat."""

    weights: NDArray[np.int64]
    """The number of layouts of each class."""

    groups: tuple[Hand, ...]
    """Cards that are not told apart: a class is the number the first hidden seat has of each."""

    small: int | None
    """Small cards, those with at least this number of higher ones, are one group; or `None`."""

    _index: dict[tuple[int, ...], int] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_exact(self) -> bool:
        """True if every class is a single layout, so that nothing was merged."""
        return bool((self.weights == 1).all())

    @property
    def layouts(self) -> int:
        """The number of all layouts."""
        return int(self.weights.sum())

    def __len__(self) -> int:
        return len(self.worlds)

    def class_of(self, layout: int | Hand) -> int | None:
        """The number of the class of a layout, or `None` if it is in none."""
        if not self._index:
            self._index.update({self._key(int(w)): i for i, w in enumerate(self.worlds)})
        bits = layout.bits if isinstance(layout, Hand) else int(layout)
        return self._index.get(self._key(bits))

    def _key(self, bits: int) -> tuple[int, ...]:
        free = 0
        for group in self.groups:
            free |= group.bits
        return (bits & ~free, *((bits & group.bits).bit_count() for group in self.groups))


def layout_classes(
    state: PlayState,
    known: Known | None = None,
    *,
    small: int | None = None,
    limit: int = MAX_WORLDS,
    seed: int = 0,
) -> LayoutClasses:
    """All layouts that fit, in classes.

    Hidden cards with no seen card between them are one group, and layouts in which a hand has the
    same number of each group are one class. With `small`, all cards of a suit with at least so
    many higher ones are one group too. One layout, drawn with `seed`, stands for its class; that is
    an approximation, unless every class is a single layout. A player who did not follow to the
    trick in progress has no card of the suit led; what earlier tricks showed must be in `known`.

    >>> state = PlayState("NT", "S", hands={"N": "AQ...", "S": "32..."}, hidden="KJT9...")
    >>> classes = layout_classes(state)
    >>> [str(group) for group in classes.groups], len(classes), classes.layouts
    (['K...', 'JT9...'], 2, 6)
    >>> classes.weights.tolist(), classes.class_of(Hand("KJ..."))
    ([3, 3], 1)

    Raises `TooManyLayouts` if there are more classes than `limit`.
    """
    if small is not None and not 0 <= small <= 13:
        raise InvalidInput(f"small: {small} (expected 0 to 13)")
    grouping = _RUNS if small is None else _SMALL
    return _classes(state, known or Known(), grouping, small, limit, seed)


def all_layouts(
    state: PlayState, known: Known | None = None, *, limit: int = MAX_WORLDS
) -> LayoutClasses:
    """All layouts that fit, each a class by itself.

    >>> state = PlayState("NT", "S", hands={"N": "AQ...", "S": "32..."}, hidden="KJT9...")
    >>> len(all_layouts(state, Known(held={Seat.WEST: Hand("K...")})))
    3

    Raises `TooManyLayouts` if there are more than `limit`.
    """
    return _classes(state, known or Known(), _LAYOUTS, None, limit, 0)


def _classes(
    state: PlayState, known: Known, grouping: int, small: int | None, limit: int, seed: int
) -> LayoutClasses:
    first, second = state.hidden_seats
    for part in (known.held, known.denied, known.voids, known.lengths):
        for seat in part:
            if seat not in (first, second):
                raise InvalidInput(
                    f"{seat.name.title()} is seen (expected what is known of"
                    f" {first.name.title()} and {second.name.title()})"
                )
    hidden = state.hidden.bits
    none = Hand()

    def has(seat: Seat) -> int:
        return known.held.get(seat, none).bits

    def lacks(seat: Seat) -> int:
        shown = _void_in_this_trick(state, seat)
        return known.denied.get(seat, none).bits | suit_bits((*known.voids.get(seat, ()), *shown))

    held = (has(first) | lacks(second)) & hidden
    denied = (has(second) | lacks(first)) & hidden
    if (has(first) | has(second)) & ~hidden:
        raise InvalidInput(
            f"known cards that are not hidden: {Hand((has(first) | has(second)) & ~hidden)}"
        )
    if held & denied:
        raise InvalidInput(f"no layout fits: nobody, or both, can have {Hand(held & denied)}")
    shortest, longest = [0] * 4, [13] * 4
    for suit in Suit:
        total = state.hidden.length(suit)
        low, high = known.lengths.get(first, {}).get(suit, (0, 13))
        low_2, high_2 = known.lengths.get(second, {}).get(suit, (0, 13))
        shortest[suit], longest[suit] = max(low, total - high_2), min(high, total - low_2)
    others = Hand.from_cards(state.trick).bits
    for hand in state.hands.values():
        others |= hand.bits
    assert state.lengths is not None
    found = _core.find_layout_classes(
        hidden,
        others,
        state.lengths[first],
        held,
        denied,
        shortest,
        longest,
        grouping,
        small or 0,
        seed,
        limit,
    )
    if found is None:
        kind = "layouts" if grouping == _LAYOUTS else "classes of layouts"
        raise TooManyLayouts(f"more than {limit} {kind}")
    groups, worlds, weights = found
    if not len(worlds):
        raise InvalidInput("no layout fits what is known")
    return LayoutClasses(
        worlds, weights.astype(np.int64), tuple(Hand(group) for group in groups), small
    )


def _void_in_this_trick(state: PlayState, seat: Seat) -> tuple[Suit, ...]:
    """The suit led, if the player did not follow to the trick in progress."""
    step = (seat - state.leader) % 4
    if step >= len(state.trick) or state.trick[step].suit == state.trick[0].suit:
        return ()
    return (state.trick[0].suit,)
