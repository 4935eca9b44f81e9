"""Finesses: what each is worth, and strategy trees over classes of cards, after Sutherland's paper.

>>> from setrograde.analysis.finesse import report_finesses
>>> line = report_finesses("AQT9", "5432").lines[0]
>>> line.name, line.probability(4)
('double finesse of the ten', Fraction(6, 25))

`report_finesses` weighs every finesse, over all its tricks, against the drop and the best line.
`finesses` has the finesses of the paper, each of one trick:

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
from .report import FinesseReport, Gap, finesse_tree, format_report, report_finesses
from .trees import Branching, StrategyTree, branching, random_branching

__all__ = [
    "Branching",
    "Finesse",
    "FinesseReport",
    "Gap",
    "Precondition",
    "StrategyTree",
    "applicable_finesses",
    "branching",
    "finesse_tree",
    "finesses",
    "format_report",
    "onside_probability",
    "random_branching",
    "report_finesses",
]
