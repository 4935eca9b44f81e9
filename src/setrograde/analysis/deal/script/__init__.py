"""Dealer scripts at work: `run_script` draws the deals that a script asks for.

>>> from setrograde.analysis.deal.script import run_script
>>> run_script("produce 100 hcp(north) == 30", seed=1).generated
100

The language is in `setrograde.formats.dealer`. Expressions are evaluated over many deals at once
(`evaluation`); what can be counted is (`counted`), so that rare deals are drawn without rejection.
"""

from .levels import LevelClass
from .rarity import why_rare_script
from .running import ScriptResult, run_script
from .statistics import (
    AverageResult,
    ContractsResult,
    FrequencyResult,
    FrequencyTableResult,
    Statistic,
)

__all__ = [
    "AverageResult",
    "ContractsResult",
    "FrequencyResult",
    "FrequencyTableResult",
    "LevelClass",
    "ScriptResult",
    "Statistic",
    "run_script",
    "why_rare_script",
]
