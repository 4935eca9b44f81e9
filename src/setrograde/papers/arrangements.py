"""Sets written as masks: places, and the owners each may have, with the number of places of each.

Bridge endings and board games share this language: cards of a suit and players, or squares and
marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from setrograde.errors import InvalidInput

__all__ = ["Arrangements", "is_possible", "unite_masks"]


@dataclass(frozen=True, slots=True)
class Arrangements:
    """Ways to fill places with owners: a mask of possible owners a place, and fixed counts.

    The set language of both games here: places are the cards of a suit and owners the players,
    or places are squares and owners are X, O and empty.

    >>> some = Arrangements(masks=(0b01, 0b11, 0b11), counts=(2, 1))
    >>> len(some), [part.first() for part in some.split()], (0, 1, 0) in some
    (2, [(0, 0, 1), (0, 1, 0)], True)
    >>> some.minus(Arrangements((0b11, 0b01, 0b11), (2, 1)))
    [Arrangements(masks=(1, 2, 3), counts=(2, 1))]
    """

    masks: tuple[int, ...]
    """Bit o of a place's mask is set if owner o may have it."""

    counts: tuple[int, ...]
    """The number of places of each owner; together they are all places."""

    def __post_init__(self) -> None:
        if sum(self.counts) != len(self.masks) or min(self.counts) < 0:
            raise InvalidInput(
                f"not arrangements: counts {self.counts} for {len(self.masks)} places"
                " (expected counts that add up to the number of places)"
            )

    @property
    def is_empty(self) -> bool:
        """True if there is no such arrangement."""
        return not is_possible(self.masks, self.counts)

    def __len__(self) -> int:
        return _count(self.masks, self.counts)

    def __contains__(self, owners: Sequence[int]) -> bool:
        return all(
            mask >> owner & 1 for mask, owner in zip(self.masks, owners, strict=True)
        ) and all(list(owners).count(o) == count for o, count in enumerate(self.counts))

    def first(self) -> tuple[int, ...]:
        """The first arrangement in the order of owners; there must be one."""
        masks = list(self.masks)
        for place in range(len(masks)):
            masks[place] = _owners(masks, self.counts, place)[0]
        return tuple(mask.bit_length() - 1 for mask in masks)

    def tightened(self) -> Arrangements:
        """The same set, without owners that no arrangement of it uses."""
        return Arrangements(_tighten(self.masks, self.counts), self.counts)

    def overlaps(self, other: Arrangements) -> bool:
        """True if some arrangement is in both; the counts must be the same."""
        return is_possible(self._common(other), self.counts)

    def __and__(self, other: Arrangements) -> Arrangements:
        return Arrangements(self._common(other), self.counts)

    def _common(self, other: Arrangements) -> tuple[int, ...]:
        return tuple([a & b for a, b in zip(self.masks, other.masks, strict=True)])

    def minus(self, other: Arrangements) -> list[Arrangements]:
        """Disjoint sets: agree with `other` on the first places, differ on the next."""
        if not self.overlaps(other):
            return [self]
        common, parts = self._common(other), []
        for place, mask in enumerate(self.masks):
            masks = (*common[:place], mask & ~other.masks[place], *self.masks[place + 1 :])
            if is_possible(masks, self.counts):
                parts.append(Arrangements(masks, self.counts))
        return parts

    def split(self) -> list[Arrangements]:
        """One set for each owner of the first place that has several; none if all are settled."""
        masks = _tighten(self.masks, self.counts)
        for place, mask in enumerate(masks):
            if mask & (mask - 1):
                return [
                    Arrangements((*self.masks[:place], bit, *self.masks[place + 1 :]), self.counts)
                    for bit in _owners(masks, self.counts, place)
                ]
        return []


def unite_masks(rows: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Merge rows that differ in one place only, until none do.

    >>> unite_masks([(1, 1), (1, 2), (2, 3)])
    [(3, 3)]
    """
    united = list(dict.fromkeys(rows))
    while True:
        before = len(united)
        for place in reversed(range(len(united[0]) if united else 0)):
            masks: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
            for row in united:
                rest = (row[:place], row[place + 1 :])
                masks[rest] = masks.get(rest, 0) | row[place]
            united = [(*left, mask, *right) for (left, right), mask in masks.items()]
        if len(united) == before:
            return united


@lru_cache(maxsize=1 << 18)
def is_possible(masks: tuple[int, ...], counts: tuple[int, ...]) -> bool:
    """True if the places can be shared out: no owners are asked to take more than their count.

    >>> is_possible((0b01, 0b11), (1, 1)), is_possible((0b01, 0b01), (1, 1))
    (True, False)
    """
    # Hall's theorem; the counts add up, so it is enough to look at places nobody else may have.
    return _has_room(tuple(sorted(masks)), counts)


@lru_cache(maxsize=1 << 18)
def _has_room(masks: tuple[int, ...], counts: tuple[int, ...]) -> bool:
    return all(
        len([mask for mask in masks if mask | group == group]) <= room
        for group, room in _rooms(counts)
    )


@lru_cache(maxsize=1 << 12)
def _rooms(counts: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The number of places of each group of owners, without the group of all owners."""
    return tuple(
        (group, sum(count for owner, count in enumerate(counts) if group >> owner & 1))
        for group in range((1 << len(counts)) - 1)
    )


def _owners(masks: Sequence[int], counts: tuple[int, ...], place: int) -> list[int]:
    """The bits of owners who can have a place."""
    fixed, bits = list(masks), []
    for owner in range(len(counts)):
        fixed[place] = 1 << owner
        if masks[place] & fixed[place] and is_possible(tuple(fixed), counts):
            bits.append(fixed[place])
    return bits


@lru_cache(maxsize=1 << 16)
def _tighten(masks: tuple[int, ...], counts: tuple[int, ...]) -> tuple[int, ...]:
    # Places with the same mask are alike.
    used = {
        mask: sum(_owners(masks, counts, place))
        for mask, place in dict(zip(masks, range(len(masks)), strict=True)).items()
    }
    return tuple([used[mask] for mask in masks])


@lru_cache(maxsize=1 << 16)
def _count(masks: tuple[int, ...], counts: tuple[int, ...]) -> int:
    if not masks:
        return 1
    total = 0
    for owner, count in enumerate(counts):
        if count and masks[0] >> owner & 1:
            left = (*counts[:owner], count - 1, *counts[owner + 1 :])
            total += _count(masks[1:], left)
    return total
