"""The play of one suit: exact chances, best lines for every goal, and lines in words.

>>> from setrograde.analysis.suit import solve_suit
>>> solution = solve_suit("AQT98", "5432")
>>> round(float(solution.probability(4)), 4)
0.8278

`solve_suit` finds every outcome worth having, `best_lines` the best for each goal, `find_line` and
`describe_line` the cards to play. `find_named_lines`, `first_plays` and `compare` weigh one idea
against another. `layouts_of` and `split_odds` tell how the outstanding cards may lie, and
`card_classes` sorts the cards of a suit as Sutherland's paper does.
"""

from .classes import CardClasses, card_classes, similar
from .goals import BestLine, Comparison, best_lines, compare, imp_margin, matchpoint_margin
from .holding import InvalidHolding, SuitHolding
from .layouts import LayoutTable, SuitLayout, layouts_of, split_odds
from .lines import Follow, SuitLine, find_line, line_outcome, top_line
from .named import NamedLine, find_named_lines
from .options import FirstPlay, TooManyLines, first_plays, named_lines
from .play import LineOutcome, SuitSolution, solve_suit
from .words import describe_line

__all__ = [
    "BestLine",
    "CardClasses",
    "Comparison",
    "FirstPlay",
    "Follow",
    "InvalidHolding",
    "LayoutTable",
    "LineOutcome",
    "NamedLine",
    "SuitHolding",
    "SuitLayout",
    "SuitLine",
    "SuitSolution",
    "TooManyLines",
    "best_lines",
    "card_classes",
    "compare",
    "describe_line",
    "find_line",
    "find_named_lines",
    "first_plays",
    "imp_margin",
    "layouts_of",
    "line_outcome",
    "matchpoint_margin",
    "named_lines",
    "similar",
    "solve_suit",
    "split_odds",
    "top_line",
]
