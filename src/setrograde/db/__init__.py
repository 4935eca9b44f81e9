"""Endings of bridge: how many there are, and what each is worth, one by one or by the set.

>>> from setrograde.db import Ending, count_states
>>> count_states(3).total
33719616
>>> Ending(("", "", "3", "012")).rank()
0

The database itself: `build_diagrams` makes a level, `EndingDatabase` answers. `StateLevel` and
`SetLevel` are two other ways to the same values, by enumeration and by the paper's sets.
"""

from .card_comparison import CardComparison, ComparedCard, compare_cards
from .database import (
    DecisiveCard,
    DiagramLevel,
    EndingDatabase,
    Probe,
    SetValue,
    data_directory,
    level_path,
)
from .deal_sets import DealSet, InvalidDealSet
from .endings.counting import (
    REACHABLE_SHAPES,
    Count,
    count_deals,
    count_lower_bound,
    count_shapes,
    count_states,
    is_reachable,
)
from .endings.shapes import InvalidShape, Shape, Split, iter_shapes, rank_shape, unrank_shape
from .endings.states import Ending, EndingCard, InvalidEnding, Successor, iter_endings
from .methods.diagram_build import BuildProgress, BuildReport, DatabaseError, build_diagrams
from .methods.set_levels import SetLevel
from .methods.state_tables import ShapeSolver, StateLevel
from .mining.mine import Mine, MinedCount, MinedEnding, MinedEstimate, Property, mine
from .packing import pack_level, unpack_level

__all__ = [
    "REACHABLE_SHAPES",
    "BuildProgress",
    "BuildReport",
    "CardComparison",
    "ComparedCard",
    "Count",
    "DatabaseError",
    "DealSet",
    "DecisiveCard",
    "DiagramLevel",
    "Ending",
    "EndingCard",
    "EndingDatabase",
    "InvalidDealSet",
    "InvalidEnding",
    "InvalidShape",
    "Mine",
    "MinedCount",
    "MinedEnding",
    "MinedEstimate",
    "Probe",
    "Property",
    "SetLevel",
    "SetValue",
    "Shape",
    "ShapeSolver",
    "Split",
    "StateLevel",
    "Successor",
    "build_diagrams",
    "compare_cards",
    "count_deals",
    "count_lower_bound",
    "count_shapes",
    "count_states",
    "data_directory",
    "is_reachable",
    "iter_endings",
    "iter_shapes",
    "level_path",
    "mine",
    "pack_level",
    "rank_shape",
    "unpack_level",
    "unrank_shape",
]
