"""Tables 1 and 2 of Stone, Sturtevant and Schaeffer, "Set-Based Retrograde Analysis" (IJCAI 2025).

Rounded as printed there; `None` where no figure is given.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["TABLE_1", "TABLE_2", "Costs", "Sizes"]


class Sizes(NamedTuple):
    """A row of Table 1."""

    states: float
    upper_bound: float
    setrograde: float | None
    lower_bound: float


class Costs(NamedTuple):
    """A row of Table 2: GiB, CPU days, states a byte."""

    retrograde_gib: float | None
    setrograde_gib: float | None
    retrograde_days: float | None
    setrograde_days: float | None
    states_a_byte: float


TABLE_1 = {
    4: Sizes(3e7, 2e2, 7e1, 2e1),
    8: Sizes(9e12, 8e4, 8e3, 5e2),
    12: Sizes(4e17, 3e7, 5e5, 7e3),
    16: Sizes(3e21, 1e10, 3e7, 6e4),
    20: Sizes(7e24, 3e12, 1e9, 4e5),
    24: Sizes(5e27, 8e14, 2e10, 2e6),
    28: Sizes(1e30, 2e17, 7e11, 7e6),
    32: Sizes(6e31, 3e19, None, 2e7),
    36: Sizes(1e33, 4e21, None, 4e7),
    40: Sizes(5e33, 4e23, None, 4e7),
    44: Sizes(4e33, 4e25, None, 3e7),
    48: Sizes(3e32, 2e27, None, 9e6),
    52: Sizes(3e29, 1e28, None, 2e6),
}
"""By cards left."""

TABLE_2 = {
    4: Costs(1e-7, 7e-6, None, None, 2.6e-2),
    8: Costs(None, 3e-5, None, None, 3.2),
    12: Costs(2e-2, 1e-3, None, 1e-4, 31),
    16: Costs(5, 5e-2, 1, 1e-2, 190),
    20: Costs(2e3, 2, 4e2, 2, 1.6e3),
    24: Costs(4e5, None, 1e5, 3e2, 1.5e4),
    28: Costs(9e7, 1e3, 2e7, 5e4, 1.4e5),
}
"""By cards left. Retrograde sizes from 16 cards up and times from 20 up are extrapolated there."""
