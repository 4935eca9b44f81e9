"""Lies of one suit: how the outstanding cards can be divided, and how likely each way is.

Touching outstanding cards are alike, so a lie says only how many of each run West holds. Its weight
is the number of deals of all cards not seen: the ways to pick West's cards of each run, times the
ways to fill the places left in his hand. Weights are whole numbers, probabilities fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb

from .holding import InvalidHolding, SuitHolding, format_ranks

__all__ = ["Lie", "LieTable", "lies_of", "split_odds", "touching_runs"]


@dataclass(frozen=True, slots=True)
class Lie:
    """One way the outstanding cards can lie, up to exchanges of touching cards.

    >>> lie = lies_of(SuitHolding.from_text("AQ", "32")).lies[0]
    >>> str(lie), lie.counts
    ('- — KJTxxxxxx', (0, 0))
    """

    runs: tuple[int, ...]
    """The runs of touching outstanding cards, highest first, as bits."""

    counts: tuple[int, ...]
    """How many cards of each run West holds."""

    weight: int
    """How many deals of the unseen cards have it."""

    @property
    def west(self) -> int:
        """West's cards as bits: of each run the highest, as good as any."""
        return sum(_highest(run, count) for run, count in zip(self.runs, self.counts, strict=True))

    @property
    def east(self) -> int:
        """East's cards as bits."""
        return sum(self.runs) & ~self.west

    @property
    def split(self) -> tuple[int, int]:
        """How many cards West and East hold."""
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
class LieTable:
    """All lies of a suit under what is known about the other hands.

    >>> table = lies_of(SuitHolding.from_text("AQJ32", "T987"))
    >>> len(table.lies), table.probability(table.lies[0])
    (8, Fraction(11, 230))
    """

    holding: SuitHolding
    """Declarer's hands."""

    runs: tuple[int, ...]
    """Runs of outstanding cards that are alike, highest first, as bits."""

    lies: tuple[Lie, ...]
    """In a fixed order: by West's length, then by his cards."""

    @cached_property
    def total(self) -> int:
        """The weights of all lies together."""
        return sum(lie.weight for lie in self.lies)

    def probability(self, lie: Lie) -> Fraction:
        """How likely a lie is."""
        return Fraction(lie.weight, self.total)


def touching_runs(outstanding: int, own: int) -> tuple[int, ...]:
    """Runs of outstanding cards that none of `own` separates, highest first.

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


def lies_of(
    holding: SuitHolding,
    *,
    vacant: tuple[int, int] = (13, 13),
    west_length: tuple[int, int] = (0, 13),
    west_has: int = 0,
    east_has: int = 0,
    gone: int = 0,
) -> LieTable:
    """Every lie that fits what is known.

    `vacant` are the places of West and East not taken by known cards of other suits, `west_length`
    the fewest and most cards West has in this suit, `west_has` and `east_has` cards known as bits,
    `gone` cards that are no longer in play.

    >>> table = lies_of(SuitHolding.from_text("AQ", "32"), west_length=(0, 1))
    >>> [str(lie) for lie in table.lies]
    ['- — KJTxxxxxx', 'x — Kxxxxxxx', 'K — JTxxxxxx']
    """
    outstanding = holding.outstanding & ~gone
    _check(outstanding, vacant, west_has, east_has)
    runs, fixed = list[int](), list[int | None]()
    for run in touching_runs(outstanding, holding.north | holding.south):
        for part, count in (
            (run & west_has, (run & west_has).bit_count()),
            (run & east_has, 0),
            (run & ~(west_has | east_has), None),
        ):
            if part:
                runs.append(part)
                fixed.append(count)
    lies = []
    for counts in product(
        *(
            range(run.bit_count() + 1) if count is None else (count,)
            for run, count in zip(runs, fixed, strict=True)
        )
    ):
        west = sum(counts)
        if not west_length[0] <= west <= west_length[1]:
            continue
        ways = _ways_to_fill(west, outstanding.bit_count(), vacant)
        for run, count, known in zip(runs, counts, fixed, strict=True):
            ways *= 1 if known is not None else comb(run.bit_count(), count)
        if ways:
            lies.append(Lie(tuple(runs), counts, ways))
    if not lies:
        raise InvalidHolding(f"no lie fits: {format_ranks(outstanding)!r} outstanding")
    lies.sort(key=lambda lie: (sum(lie.counts), lie.counts))
    return LieTable(holding, tuple(runs), tuple(lies))


def split_odds(
    outstanding: int, *, vacant: tuple[int, int] = (13, 13)
) -> dict[tuple[int, int], Fraction]:
    """How likely every split of so many cards is, West's number first.

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
    return {split: Fraction(count, total) for split, count in _possible(ways)}


def _possible(ways: dict[tuple[int, int], int]) -> Iterator[tuple[tuple[int, int], int]]:
    return ((split, count) for split, count in ways.items() if count)


def _ways_to_fill(west: int, outstanding: int, vacant: tuple[int, int]) -> int:
    """Ways to deal the unseen cards of other suits once the lie is given."""
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


def _highest(run: int, count: int) -> int:
    """The highest `count` cards of a run."""
    for _ in range(run.bit_count() - count):
        run &= run - 1
    return run
