"""Endgame databases of bridge: build them, look up endings, ask about whole sets of deals.

>>> import tempfile
>>> from setrograde.db import EndingDatabase, build_database
>>> with tempfile.TemporaryDirectory() as folder:
...     report = build_database(12, folder)
...     database = EndingDatabase.open(folder)
...     database.query("SAQ=N SK=EW S76543=x H2=N HA=E H43=SW", "NT", "S").histogram
{1: 20, 2: 180}

`build_database` makes what is missing, `find_levels` lists what is there, `EndingDatabase` answers,
`verify_level` checks. Without a database, `level_histogram` counts whole levels by tricks, and
`mine` finds endings with something to see in them.
`StateLevel` and `SetLevel` are two other ways to the same values: enumeration, and the sets of the
paper. `count_states` and `Ending.rank` count and number the endings themselves.

>>> from setrograde.db import Ending, count_states
>>> count_states(3).total
33719616
>>> Ending(("", "", "3", "012")).rank()
0
"""

from setrograde.locations import data_directory, level_path

from .build import BuiltLevel, DatabaseReport, build_database
from .card_comparison import CardComparison, ComparedCard, compare_cards
from .check.compare import (
    verify_every_shape,
    verify_random_deals,
    verify_random_shapes,
    verify_share_of_shapes,
    verify_weighted_shapes,
)
from .check.level import verify_level
from .check.report import Mismatch, Verification, error_bound
from .database import (
    DecisiveCard,
    DiagramLevel,
    EndingDatabase,
    Probe,
    SetValue,
    ShardedLevel,
    open_level,
)
from .deal_sets import DealSet, InvalidDealSet
from .display import describe_set, format_set
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
from .histogram import LevelHistogram, SetSizes, level_histogram, set_sizes
from .levels import LevelFile, find_levels
from .methods.diagram_build import BuildProgress, BuildReport, DatabaseError, build_diagrams
from .methods.set_levels import SetLevel
from .methods.sharded_build import ShardedReport, build_sharded
from .methods.state_tables import ShapeSolver, StateLevel
from .methods.thresholds import build_thresholds
from .mining.mine import Mine, MinedCount, MinedEnding, MinedEstimate, Property, mine
from .packing import install_level, pack_level, unpack_level

__all__ = [
    "REACHABLE_SHAPES",
    "BuildProgress",
    "BuildReport",
    "BuiltLevel",
    "CardComparison",
    "ComparedCard",
    "Count",
    "DatabaseError",
    "DatabaseReport",
    "DealSet",
    "DecisiveCard",
    "DiagramLevel",
    "Ending",
    "EndingCard",
    "EndingDatabase",
    "InvalidDealSet",
    "InvalidEnding",
    "InvalidShape",
    "LevelFile",
    "LevelHistogram",
    "Mine",
    "MinedCount",
    "MinedEnding",
    "MinedEstimate",
    "Mismatch",
    "Probe",
    "Property",
    "SetLevel",
    "SetSizes",
    "SetValue",
    "Shape",
    "ShapeSolver",
    "ShardedLevel",
    "ShardedReport",
    "Split",
    "StateLevel",
    "Successor",
    "Verification",
    "build_database",
    "build_diagrams",
    "build_sharded",
    "build_thresholds",
    "compare_cards",
    "count_deals",
    "count_lower_bound",
    "count_shapes",
    "count_states",
    "data_directory",
    "describe_set",
    "error_bound",
    "find_levels",
    "format_set",
    "install_level",
    "is_reachable",
    "iter_endings",
    "iter_shapes",
    "level_histogram",
    "level_path",
    "mine",
    "open_level",
    "pack_level",
    "rank_shape",
    "set_sizes",
    "unpack_level",
    "unrank_shape",
    "verify_every_shape",
    "verify_level",
    "verify_random_deals",
    "verify_random_shapes",
    "verify_share_of_shapes",
    "verify_weighted_shapes",
]
