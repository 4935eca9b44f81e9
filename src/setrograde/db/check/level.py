"""Verification of a stored level: the checks that fit its size and method.

>>> from setrograde.db.methods.state_tables import StateLevel
>>> for report in verify_level(StateLevel(2), states=400):
...     print(report.sample, report.is_ok)
every shape True
random deals True
random shapes True
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from setrograde.bridge import Deal, Hand, Seat, Strain
from setrograde.common.progress import PartProgress, ShareProgress
from setrograde.common.stop import StopFlag
from setrograde.db.database import DiagramLevel, ShardedLevel
from setrograde.db.endings.counting import count_shapes
from setrograde.db.endings.states import Ending
from setrograde.db.levels import AnyLevel
from setrograde.db.methods.set_levels import SetLevel
from setrograde.db.methods.state_tables import (
    MAX_LEVEL_TRICKS,
    MAX_SHAPE_TRICKS,
    ShapeSolver,
    StateLevel,
)

from .compare import (
    Hands,
    Level,
    Numbers,
    verify_every_shape,
    verify_random_deals,
    verify_random_shapes,
    verify_share_of_shapes,
)
from .report import Verification

__all__ = ["FEW_STATES", "MANY_STATES", "verify_level"]

MANY_STATES = 100_000
FEW_STATES = 2_000
"""States that the solver is asked about: above 12 cards, and of a level of states."""

_MOST_LAYOUTS = 1_000_000
"""Larger shapes are left to the solver: their tables would take too long."""

_SHAPES = {4: 2000, 5: 100}
"""The number of shapes that are compared whole, by tricks."""

_PARTS = 3
"""Verifications of one level, at most; for progress."""


def verify_level(
    level: AnyLevel,
    *,
    share: float | None = None,
    states: int | None = None,
    seed: int = 0,
    reference: StateLevel | None = None,
    threads: int | None = None,
    progress: ShareProgress | None = None,
    stop: StopFlag | None = None,
) -> Iterator[Verification]:
    """Compare a level with values found in another way, and report on each comparison.

    Up to 12 cards every layout is compared with plain retrograde analysis, and a level that was
    made by that with diagrams, built anew. Above, a random `share` of the shapes is compared
    (default: 2,000 shapes of 16 cards, 100 of 20), each with all its layouts, and random `states`
    are compared with the double-dummy solver (default: 100,000 above 12 cards): half of them dealt
    from the pack, half from random shapes. `reference` is the level of states to
    compare with, or to build larger tables on; it is made if not given. Files are checked for
    damage first. `progress` hears the share of the work that is done. Once `stop` is set, the
    comparison under way ends early; its report says so, and is the last.
    """
    plain: Level = _SetValues(level) if isinstance(level, SetLevel) else level
    if isinstance(level, DiagramLevel):
        level.check(stop=stop)
    parts = _Parts(progress)
    options: dict[str, Any] = {"threads": threads, "stop": stop}
    if isinstance(level, StateLevel):
        reference = None  # made by the same program, which would prove nothing
    if level.tricks <= MAX_LEVEL_TRICKS:
        yield verify_every_shape(plain, reference=reference, progress=parts.next(), **options)
    elif level.tricks <= MAX_SHAPE_TRICKS:
        yield verify_share_of_shapes(
            plain,
            _SHAPES[level.tricks] / count_shapes(level.tricks).total if share is None else share,
            seed=seed,
            most_layouts=_MOST_LAYOUTS,
            reference=reference and ShapeSolver(level.tricks, reference, threads=threads),
            progress=parts.next(),
            **options,
        )
    if stop is not None and stop.is_set:
        return
    states = _default_states(level) if states is None else states
    options["seed"] = seed
    if isinstance(level, ShardedLevel) and not level.is_complete:
        # Random deals would meet shards that are missing.
        ranks = level.ranks_built()
        if states and len(ranks):
            yield verify_random_shapes(plain, states, ranks=ranks, progress=parts.next(), **options)
    elif states:
        half = states // 2
        yield verify_random_deals(plain, states - half, progress=parts.next(), **options)
        if half and not (stop is not None and stop.is_set):
            yield verify_random_shapes(plain, half, progress=parts.next(), **options)


def _default_states(level: AnyLevel) -> int:
    if level.tricks > MAX_LEVEL_TRICKS:
        return MANY_STATES
    # The other methods are compared with these tables, so the solver is asked about them as well.
    return FEW_STATES if isinstance(level, StateLevel) else 0


class _Parts:
    """Progress of several verifications, one after the other."""

    def __init__(self, progress: ShareProgress | None) -> None:
        self._progress = progress
        self._begun = -1

    def next(self) -> PartProgress | None:
        """The listener of the next verification."""
        self._begun += 1
        begun, progress = self._begun, self._progress
        if progress is None:
            return None
        return lambda done, total: progress((begun + done / total) / _PARTS)


class _SetValues:
    """A level of sets, asked as verification asks."""

    def __init__(self, level: SetLevel) -> None:
        self._level = level
        self.tricks = level.tricks
        self.values_of_shape = level.values_of_shape

    def values(self, hands: Hands, strains: Numbers, leaders: Numbers) -> Numbers:
        found = np.empty(len(hands), np.uint8)
        for row, (bits, strain, leader) in enumerate(zip(hands, strains, leaders, strict=True)):
            n, e, s, w = (Hand(int(cards)) for cards in bits)
            ending = Ending.from_deal(Deal((n, e, s, w)), Strain(int(strain)), Seat(int(leader)))
            found[row] = self._level.value(ending)
        return found
