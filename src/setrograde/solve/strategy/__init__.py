"""Card play when two hands are hidden: which card wins most, if later cards are chosen blind too.

A `PlayState` says what our side sees. Worlds are layouts of the hidden cards: drawn at random, all
of them (`all_layouts`), or classes of them (`layout_classes`). A `Goal` says what tricks are worth.
`StrategySearch` chooses a card, or finds what the best line of play is worth.

>>> state = PlayState("NT", "S", hands={"N": "AQ...", "S": "32..."}, hidden="KJT9...")
>>> StrategySearch(limit_mb=16).solve_line(state, all_layouts(state), Goal.make(2)).value
0.5
"""

from .goal import Goal
from .layouts import Known, LayoutClasses, TooManyLayouts, all_layouts, layout_classes
from .search import Candidate, Choice, Cut, Line, StrategySearch
from .state import PlayState

__all__ = [
    "Candidate",
    "Choice",
    "Cut",
    "Goal",
    "Known",
    "LayoutClasses",
    "Line",
    "PlayState",
    "StrategySearch",
    "TooManyLayouts",
    "all_layouts",
    "layout_classes",
]
