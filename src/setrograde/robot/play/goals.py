"""What a result is worth to declarer: tricks, the contract, IMPs or matchpoints.

>>> made = Goal("make", "3NTS")
>>> made.worth(9) - made.worth(8) > made.worth(10) - made.worth(9) > 0
True

IMPs and matchpoints compare with another table. What happened there is not known, so the other
table plays the same contract and takes one trick too few, just enough, or one or two more, with
fixed chances. That keeps the worth of a result the same from the first card to the last.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Contract, imps, score_contract
from setrograde.bridge.coerce import ContractLike, as_contract
from setrograde.errors import InvalidInput

__all__ = ["GOALS", "Goal"]

GOALS = ("imps", "make", "matchpoints", "tricks")
"""The names of all goals."""

_OTHER_TABLE = {-1: 0.2, 0: 0.4, 1: 0.3, 2: 0.1}
"""The chance that the other table takes so many tricks more than it needs."""

_TRICK = 0.01
"""What a trick is worth that changes nothing else: enough to be careful when all is decided."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The worth of each number of tricks to declarer's side; it never falls.

    >>> Goal("tricks", "3NTS").worth(9)
    9.0

    In an ending, tricks won before count for the contract.

    >>> Goal("make", "3NTS", total=4, before=6).table.tolist()
    [0.0, 0.01, 0.02, 1.03, 1.04]
    """

    name: str
    """`imps`, `make`, `matchpoints` or `tricks`."""

    contract: Contract
    """The contract that is played."""

    is_vulnerable: bool = False
    """True if declarer's side is vulnerable."""

    total: int = 13
    """Tricks in the whole deal."""

    before: int = 0
    """Tricks that declarer's side won before, if the deal is an ending."""

    table: NDArray[np.float64] = field(init=False, compare=False, repr=False)
    """The worth of 0, 1, ... tricks."""

    if TYPE_CHECKING:

        def __init__(
            self,
            name: str,
            contract: ContractLike,
            is_vulnerable: bool = False,
            total: int = 13,
            before: int = 0,
        ) -> None: ...

    def __post_init__(self) -> None:
        if self.name not in GOALS:
            raise InvalidInput(f"not a goal: {self.name!r} (expected {', '.join(GOALS)})")
        object.__setattr__(self, "contract", as_contract(self.contract))
        tricks = range(self.total + 1)
        object.__setattr__(self, "table", np.array([self._worth(number) for number in tricks]))

    def worth(self, tricks_declarer: int) -> float:
        """What declarer's side gets for so many tricks of the whole deal."""
        return float(self.table[tricks_declarer])

    def own_table(self, *, is_declarer: bool) -> NDArray[np.float64]:
        """The worth of 0, 1, ... own tricks to declarer's side, or to the defenders."""
        return self.table if is_declarer else -self.table[::-1]

    @property
    def unit(self) -> str:
        """What the worth counts, in words."""
        names = {"imps": "IMPs", "make": "chance", "matchpoints": "share of the top"}
        return names.get(self.name, "tricks")

    def _worth(self, tricks: int) -> float:
        if self.name == "tricks":
            return float(tricks)
        needed = self.contract.tricks_needed
        small = _TRICK * tricks
        if self.name == "make":
            return (tricks + self.before >= needed) + small
        ours = self._score(tricks + self.before)
        worth = 0.0
        for more, chance in _OTHER_TABLE.items():
            theirs = self._score(min(13, max(0, needed + more)))
            if self.name == "imps":
                worth += chance * imps(ours - theirs)
            else:
                worth += chance * ((ours > theirs) + (ours == theirs) / 2)
        return worth + small

    def _score(self, tricks: int) -> int:
        return score_contract(self.contract, tricks, is_vulnerable=self.is_vulnerable)
