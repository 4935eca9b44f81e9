"""Sequential halving: the time goes to the cards that may still be best.

All candidates are tried in the same few worlds; the half that is behind drops out, and the rest
is tried in more worlds. Values are compared world by world, since a good layout is good for every
card. This serves opening leads, where each value takes longest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["halve"]

Floats = NDArray[np.float64]

_MARGIN = 2.5
"""Standard errors of the paired difference by which a card must trail to drop out early."""


def halve(
    candidates: int,
    worlds: int,
    value: Callable[[int, int], float],
    *,
    first: int = 12,
    is_up: Callable[[], bool] = lambda: False,
    weights: Sequence[float] | None = None,
) -> list[Floats]:
    """The worth of each candidate in the worlds that it was tried in, from the first world on.

    `value(candidate, world)` is asked as seldom as possible; `is_up` ends the work. The candidates
    left at the end were tried in equally many worlds, the most of all.

    >>> worth = [0.0, 1.0, 0.2]
    >>> tried = halve(3, 100, lambda candidate, world: worth[candidate] + world % 2)
    >>> [len(values) for values in tried]
    [12, 100, 12]
    """
    share = np.ones(worlds) if weights is None else np.array(weights)
    found: list[list[float]] = [[] for _ in range(candidates)]
    left = list(range(candidates))
    done, target = 0, min(first, worlds)
    while True:
        for world in range(done, target):
            for candidate in left:
                found[candidate].append(value(candidate, world))
            if is_up() and world + 1 >= 2:
                return [np.array(values) for values in found]
        done = target
        if done >= worlds or len(left) == 1:
            if len(left) == 1 and done < worlds and candidates > 1:
                target = min(worlds, max(2 * done, first))
                if target > done and done < worlds // 2:
                    continue
                target = worlds
                if done < worlds:
                    continue
            break
        left = _still_in(left, found, share[:done])
        target = min(worlds, 2 * done)
    return [np.array(values) for values in found]


def _still_in(left: list[int], found: list[list[float]], share: Floats) -> list[int]:
    """The better half, and whoever is not clearly behind the best."""
    share = share / share.sum()
    means = {each: float((share * np.array(found[each])).sum()) for each in left}
    ranked = sorted(left, key=lambda each: -means[each])
    best = np.array(found[ranked[0]])
    kept = ranked[:1]
    for place, each in enumerate(ranked[1:], 1):
        gap = best - np.array(found[each])
        mean = float((share * gap).sum())
        error = float(np.sqrt((share**2 * (gap - mean) ** 2).sum()))
        half = (len(ranked) + 1) // 2
        if mean <= _MARGIN * error and (place < half or mean <= error):
            kept.append(each)
    return sorted(kept)
