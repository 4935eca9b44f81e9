"""Layouts of one suit: how the outstanding cards can be divided, and how likely each way is.

Touching outstanding cards are alike, so a layout says only how many of each run West holds. Its
weight is the number of deals of all unseen cards that have it: the ways to pick West's cards of
each run, times the ways to fill the places left in his hand. Weights are whole numbers,
probabilities fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb
from typing import TypeAlias

from setrograde.bridge import Range

from .holding import HoldingLike, InvalidHolding, SuitHolding, as_holding, parse_cards
from .ranks import format_ranks, highest_cards

__all__ = ["LayoutTable", "LengthLike", "SuitLayout", "layouts_of", "split_odds", "touching_runs"]

LengthLike: TypeAlias = Range | tuple[int, int] | int | str
"""A number of cards: `3`, `"2-4"`, `"4+"`, `(2, 4)` or a `Range`."""


@dataclass(frozen=True, slots=True)
class SuitLayout:
    """One way the outstanding cards can lie, up to exchanges of touching cards.

    >>> layout = layouts_of("AQ", "32").layouts[1]
    >>> str(layout), layout.west, layout.east, layout.counts
    ('x — Kxxxxxxx', 'J', 'KT987654', (0, 1))
    """

    runs: tuple[int, ...]
    """The runs of touching outstanding cards, highest first, as bits."""

    counts: tuple[int, ...]
    """The number of cards of each run that West holds."""

    weight: int
    """The number of deals of the unseen cards that have this layout."""

    @property
    def west(self) -> str:
        """West's cards: of each run the highest, as good as any."""
        return format_ranks(self.west_bits)

    @property
    def east(self) -> str:
        """East's cards."""
        return format_ranks(self.east_bits)

    @property
    def west_bits(self) -> int:
        """West's cards as bits."""
        return sum(
            highest_cards(run, count) for run, count in zip(self.runs, self.counts, strict=True)
        )

    @property
    def east_bits(self) -> int:
        """East's cards as bits."""
        return sum(self.runs) & ~self.west_bits

    @property
    def split(self) -> tuple[int, int]:
        """The numbers of cards that West and East hold."""
        west = sum(self.counts)
        return west, sum(self.runs).bit_count() - west

    def __str__(self) -> str:
        return f"{self._side(self.counts)} — {self._side(self._east_counts())}"

    def _east_counts(self) -> tuple[int, ...]:
        return tuple(
            run.bit_count() - count for run, count in zip(self.runs, self.counts, strict=True)
        )

    def _side(self, counts: Sequence[int]) -> str:
        """One defender's cards: `H` is either of two touching honours, `x` any card of a run."""
        text = ""
        for run, count in zip(self.runs, counts, strict=True):
            is_short = run.bit_count() <= 2
            if count < run.bit_count():
                text += ("H" if is_short and run >> 8 else "x") * count
            else:
                letters = format_ranks(run) if run else ""
                text += "".join([x if is_short or x in "AKQJT" else "x" for x in letters])
        return text or "-"


@dataclass(frozen=True)
class LayoutTable:
    """All layouts of a suit that fit what is known about the other hands.

    >>> table = layouts_of("AQJ32", "T987")
    >>> len(table.layouts), table.probability(table.layouts[0]), table.outstanding
    (8, Fraction(11, 230), 'K654')
    """

    holding: SuitHolding
    """Declarer's hands."""

    runs: tuple[int, ...]
    """Runs of outstanding cards that are alike, highest first, as bits."""

    layouts: tuple[SuitLayout, ...]
    """In a fixed order: by West's length, then by his cards."""

    @cached_property
    def total(self) -> int:
        """The weights of all layouts together."""
        return sum(layout.weight for layout in self.layouts)

    @property
    def outstanding(self) -> str:
        """The defenders' cards."""
        return format_ranks(sum(self.runs))

    def probability(self, layout: SuitLayout) -> Fraction:
        """The probability of a layout."""
        return Fraction(layout.weight, self.total)


def touching_runs(outstanding: int, own: int) -> tuple[int, ...]:
    """Runs of outstanding cards that none of `own` separates, highest first; all as bits.

    >>> [format_ranks(run) for run in touching_runs(0b0110_0110, 0b0001_1001)]
    ['87', '43']
    """
    runs, run = list[int](), 0
    for rank in reversed(range(13)):
        if outstanding >> rank & 1:
            run |= 1 << rank
        elif own >> rank & 1 and run:
            runs.append(run)
            run = 0
    return (*runs, run) if run else tuple(runs)


def layouts_of(
    north: HoldingLike,
    south: str | None = None,
    *,
    vacant: tuple[int, int] = (13, 13),
    west_length: LengthLike = "any",
    west_has: str = "",
    east_has: str = "",
    gone: str = "",
) -> LayoutTable:
    """Every layout of the outstanding cards that fits what is known.

    `vacant` are the places in West's and East's hand that no known card of another suit takes.
    `west_length` is the number of cards West has in this suit, like `3` or `"2-4"`. `west_has` and
    `east_has` are cards known to be there, and `gone` cards that are no longer in play.

    >>> [str(layout) for layout in layouts_of("AQ", "32", west_length="0-1").layouts]
    ['- — KJTxxxxxx', 'x — Kxxxxxxx', 'K — JTxxxxxx']
    """
    holding = as_holding(north, south)
    length = _as_range(west_length)
    west, east = parse_cards(west_has), parse_cards(east_has)
    outstanding = holding.outstanding_bits & ~parse_cards(gone)
    _check(outstanding, vacant, west, east)
    parts = list(_parts(touching_runs(outstanding, holding.own_bits), west, east))
    runs = tuple(part for part, _ in parts)
    choices = [range(part.bit_count() + 1) if known is None else (known,) for part, known in parts]
    layouts = []
    for counts in product(*choices):
        if sum(counts) not in length:
            continue
        ways = _ways_to_fill(sum(counts), outstanding.bit_count(), vacant)
        for (part, known), count in zip(parts, counts, strict=True):
            ways *= 1 if known is not None else comb(part.bit_count(), count)
        if ways:
            layouts.append(SuitLayout(runs, counts, ways))
    if not layouts:
        raise InvalidHolding(
            f"no layout fits: {format_ranks(outstanding)!r} outstanding, {length} of them with West"
        )
    layouts.sort(key=lambda layout: (sum(layout.counts), layout.counts))
    return LayoutTable(holding, runs, tuple(layouts))


def split_odds(
    outstanding: int, *, vacant: tuple[int, int] = (13, 13)
) -> dict[tuple[int, int], Fraction]:
    """The probability of every split of a number of outstanding cards, West's number first.

    >>> odds = split_odds(5)
    >>> odds[3, 2] + odds[2, 3]
    Fraction(78, 115)
    """
    if not 0 <= outstanding <= 13:
        raise InvalidHolding(f"not a number of cards: {outstanding} (expected 0 to 13)")
    ways = {
        (west, outstanding - west): comb(outstanding, west)
        * _ways_to_fill(west, outstanding, vacant)
        for west in range(outstanding + 1)
    }
    total = sum(ways.values())
    return {split: Fraction(count, total) for split, count in ways.items() if count}


def _parts(runs: Sequence[int], west: int, east: int) -> Iterator[tuple[int, int | None]]:
    """Each run as cards known to be West's, known to be East's, and others; with the number of
    them that West holds, `None` if that is not known."""
    for run in runs:
        for part, known in (
            (run & west, (run & west).bit_count()),
            (run & east, 0),
            (run & ~(west | east), None),
        ):
            if part:
                yield part, known


def _as_range(length: LengthLike) -> Range:
    if isinstance(length, Range):
        return length
    if isinstance(length, str):
        return Range.from_text(length)
    return Range(*length) if isinstance(length, tuple) else Range(length, length)


def _ways_to_fill(west: int, outstanding: int, vacant: tuple[int, int]) -> int:
    """Ways to deal the unseen cards of other suits once the layout is given."""
    places, others = vacant[0] - west, vacant[1] - (outstanding - west)
    return comb(places + others, places) if places >= 0 and others >= 0 else 0


def _check(outstanding: int, vacant: tuple[int, int], west_has: int, east_has: int) -> None:
    if not (0 <= vacant[0] <= 13 and 0 <= vacant[1] <= 13):
        raise InvalidHolding(f"not vacant places: {vacant} (expected 0 to 13 for each defender)")
    if sum(vacant) < outstanding.bit_count():
        raise InvalidHolding(
            f"too few vacant places: {vacant} for {outstanding.bit_count()} outstanding cards"
        )
    for name, cards in (("West", west_has), ("East", east_has)):
        if cards & ~outstanding:
            raise InvalidHolding(
                f"not outstanding: {format_ranks(cards & ~outstanding)!r} ({name})"
            )
    if west_has & east_has:
        raise InvalidHolding(
            f"card twice: {format_ranks(west_has & east_has)!r} with both defenders"
        )
