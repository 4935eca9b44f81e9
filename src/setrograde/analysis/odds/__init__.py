"""Exact odds of contracts over all layouts of the unseen cards.

`odds` answers for one contract, `odds_stream` tells what is known while the work goes on,
`odds_table` and `compare_contracts` weigh several contracts, `lead_odds` values opening leads, and
`explain_odds` says which conditions decide.

>>> print(odds("AQ...", "32...", "NT", declarer="S", need=2, hidden="KJT9..."))
If everyone sees all cards (double dummy): notrump by South, 6 layouts of the unseen cards
<BLANKLINE>
2 or more tricks: 50.00 %, exact (3 of 6 layouts)
"""

from .chances import format_chance
from .contracts import (
    ContractComparison,
    ContractValue,
    Goal,
    OddsTable,
    compare_contracts,
    compare_stream,
    expected_score,
    odds_table,
    table_stream,
)
from .core import Method
from .exact import odds, odds_stream, solve_odds
from .guesses import Guess, find_guesses
from .layouts import Layouts
from .leads import LeadOdds, LeadValue, lead_odds, lead_stream
from .plot import odds_svg
from .question import Known, OddsQuestion
from .result import Average, Estimate, Mean, Odds, Settled, StopReason, TrickSample
from .settled_sets import Bound, LayoutCount, SettledSet, SettledSets
from .words import Case, Explanation, Factor, explain_middle, explain_odds

__all__ = [
    "Average",
    "Bound",
    "Case",
    "ContractComparison",
    "ContractValue",
    "Estimate",
    "Explanation",
    "Factor",
    "Goal",
    "Guess",
    "Known",
    "LayoutCount",
    "Layouts",
    "LeadOdds",
    "LeadValue",
    "Mean",
    "Method",
    "Odds",
    "OddsQuestion",
    "OddsTable",
    "Settled",
    "SettledSet",
    "SettledSets",
    "StopReason",
    "TrickSample",
    "compare_contracts",
    "compare_stream",
    "expected_score",
    "explain_middle",
    "explain_odds",
    "find_guesses",
    "format_chance",
    "lead_odds",
    "lead_stream",
    "odds",
    "odds_stream",
    "odds_svg",
    "odds_table",
    "solve_odds",
    "table_stream",
]
