"""Boards played at several tables, scored against each other: matchpoints, IMPs, totals.

Tables belong together if they played the same board number with the same cards. Their results are
compared in three ways where there are three tables or more: by matchpoints, by IMPs against every
other table, and by IMPs against the datum (Butler). Two tables of a team match are compared with
each other. They are recognised by the names of their teams, or by being the only two.

>>> from setrograde.bridge import Board, Contract
>>> from dataclasses import replace
>>> def table(room, contract, tricks):
...     return replace(Board.numbered(1), room=room, contract=Contract.from_text(contract),
...                    tricks_declarer=tricks)
>>> print(score_sheet([table("Open", "3NTN", 9), table("Closed", "2NTN", 9)]))
Board 1, Dealer North, None vulnerable: 2 tables
Table   N-S           E-W           Contract  Score N-S  Match IMPs N-S
Open    N-S (Open)    E-W (Open)    3NT N =        +400              +6
Closed  N-S (Closed)  E-W (Closed)  2NT N +1       +150              -6
<BLANKLINE>
Pairs
Pair          Boards  Points  Match IMPs
N-S (Open)         1    +400          +6
E-W (Closed)       1    -150          +6
E-W (Open)         1    -400          -6
N-S (Closed)       1    +150          -6
<BLANKLINE>
Matches
N-S (Open) 6 - E-W (Open) 0 IMPs on 1 board: 15.74 - 4.26 VP
"""

from .compare import score_sheet
from .results import BoardSheet, MatchTotal, PairTotal, ScoreSheet, TableResult

__all__ = ["BoardSheet", "MatchTotal", "PairTotal", "ScoreSheet", "TableResult", "score_sheet"]
