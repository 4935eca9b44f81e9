"""Dealing: random deals that meet conditions, exactly and at once, however rare they are.

>>> found = deal(north="hcp 15-17, balanced", south="spades 5+, hcp 8+", count=2, seed=1)
>>> len(found), float(round(found.probability, 6))
(2, 0.004518)

`deal` and `iter_deals` take conditions by seat; `why_rare` tells which condition costs most deals.
A `DealSampler` counts the deals that fit and draws them as arrays. `run_script` runs scripts of the
dealer program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from setrograde._lazy import lazy_names

if TYPE_CHECKING:
    from .asked import Asked, HandAsked, read_asked
    from .dealing import Deals, deal, iter_deals
    from .measures import CONTROLS, HCP, HandCondition, Measure, MeasureBound, as_condition
    from .rare import ConditionCost, RareReport, why_rare
    from .sampler import (
        ConstraintLike,
        DealRows,
        DealSampler,
        DealStream,
        EstimatedShare,
        deals_of,
    )
    from .script import ScriptResult, run_script, why_rare_script

__all__ = [
    "CONTROLS",
    "HCP",
    "Asked",
    "ConditionCost",
    "ConstraintLike",
    "DealRows",
    "DealSampler",
    "DealStream",
    "Deals",
    "EstimatedShare",
    "HandAsked",
    "HandCondition",
    "Measure",
    "MeasureBound",
    "RareReport",
    "ScriptResult",
    "as_condition",
    "deal",
    "deals_of",
    "iter_deals",
    "read_asked",
    "run_script",
    "why_rare",
    "why_rare_script",
]

_MODULES = {
    "asked": "Asked HandAsked read_asked",
    "dealing": "Deals deal iter_deals",
    "measures": "CONTROLS HCP HandCondition Measure MeasureBound as_condition",
    "rare": "ConditionCost RareReport why_rare",
    "sampler": "ConstraintLike DealRows DealSampler DealStream EstimatedShare deals_of",
    "script": "ScriptResult run_script why_rare_script",
}

if not TYPE_CHECKING:  # or else a type checker would believe in every name
    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
