"""Endings of bridge: their shapes, their states, and how many there are.

>>> from setrograde.db import Ending, count_states
>>> count_states(3).total
33719616
>>> Ending(("", "", "3", "012")).rank()
0
"""

from .counting import (
    REACHABLE_SHAPES,
    Count,
    count_deals,
    count_lower_bound,
    count_shapes,
    count_states,
    is_reachable,
)
from .shapes import InvalidShape, Shape, Split, iter_shapes, rank_shape, unrank_shape
from .states import Ending, EndingCard, InvalidEnding, Successor, iter_endings

__all__ = [
    "REACHABLE_SHAPES",
    "Count",
    "Ending",
    "EndingCard",
    "InvalidEnding",
    "InvalidShape",
    "Shape",
    "Split",
    "Successor",
    "count_deals",
    "count_lower_bound",
    "count_shapes",
    "count_states",
    "is_reachable",
    "iter_endings",
    "iter_shapes",
    "rank_shape",
    "unrank_shape",
]
