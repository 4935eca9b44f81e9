"""Finesses and strategy trees over classes of cards, after Sutherland's paper.

>>> from setrograde.analysis.finesse import applicable_finesses
>>> from setrograde.analysis.suit import card_classes
>>> finesse = applicable_finesses(card_classes("32", "AQ", outstanding="K654"))[0]
>>> print(finesse.kind, finesse.tree, sep="\\n")
simple
N plays L_N
├─ E plays L_EW: S plays F_S
└─ E plays C: S plays T_S
"""

from .finesses import (
    Finesse,
    Precondition,
    applicable_finesses,
    finesses,
    onside_probability,
)
from .trees import Branching, StrategyTree, branching, random_branching

__all__ = [
    "Branching",
    "Finesse",
    "Precondition",
    "StrategyTree",
    "applicable_finesses",
    "branching",
    "finesses",
    "onside_probability",
    "random_branching",
]
