"""Setrograde: solving games by sets of positions instead of positions.

The names that a bridge player's script needs are all here; each is loaded when it is first used.

>>> import setrograde as sg
>>> table = sg.solve_table("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
>>> table.tricks("W", "S")
8
>>> print(sg.par(table, "S", "EW"))
Par NS -110: EW 2S

An answer names the cards that mattered. Here South leads a heart to East, who must lead a spade
into North's ace and queen; the small cards, written `x`, could be anywhere:

>>> answer = sg.solve_deal("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", leader="S")
>>> answer.tricks_ns, str(answer.pattern)
(2, 'N:AQ.x.. Kx.A.. xx.x.. xx.x..')

Boards come from files and go to files, `sg.read_boards("match.pbn")`; `print(board)` draws them:

>>> board = sg.Board.numbered(1, sg.Deal.random(seed=1))
>>> print(board.deal["N"], board.deal["N"].spades, board.dealer, board.vulnerability)
QT74.K43.T87.T54 QT74 N None

The odds of a contract count every layout of the unseen cards that fits what is known:

>>> hands = "AKQ2.T98.A76.K54", "876.765.KQJ.QJT9"
>>> found = sg.odds(*hands, contract="2NTS", west="hcp 5-10, 6+ hearts")
>>> round(float(found.probability), 4), found.layouts
(0.1513, 210392)

Deals to order come from the same counts, so rare hands cost no more than common ones:

>>> found = sg.deal(north="hcp 15-17, balanced", south="spades 5+, hcp 8+", count=1000, seed=1)
>>> float(round(found.probability, 6))
0.004518

What else there is: `sg.review_boards` for what each call and each card cost, and `sg.score_sheet`
for matchpoints and IMPs; `sg.solve_suit` for the best play of one suit, and `sg.best_line` for that
of a whole hand; `sg.build_database`, then
`sg.EndingDatabase` and `sg.DealSet` for questions about sets of deals; `sg.solve_game` for board
games. Long calls take `stop=`, an `sg.StopFlag`. Bad input raises `sg.InvalidInput` or one of its
kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._lazy import lazy_names

if TYPE_CHECKING:
    from setrograde import analysis as analysis
    from setrograde import bridge as bridge
    from setrograde import db as db
    from setrograde import formats as formats
    from setrograde import games as games
    from setrograde import papers as papers
    from setrograde import sets as sets
    from setrograde import solve as solve
    from setrograde.analysis.deal import deal, iter_deals, run_script
    from setrograde.analysis.line import best_line
    from setrograde.analysis.odds import odds
    from setrograde.analysis.par import par
    from setrograde.analysis.review import review_board, review_boards
    from setrograde.analysis.score_sheet import score_sheet
    from setrograde.analysis.suit.play import solve_suit
    from setrograde.bridge import (
        Auction,
        Board,
        Call,
        Card,
        Contract,
        Deal,
        Hand,
        Play,
        Rank,
        Seat,
        Side,
        Strain,
        Suit,
        TrickTable,
        Vulnerability,
        score_board,
    )
    from setrograde.common.stop import StopFlag
    from setrograde.db import DealSet, EndingDatabase, build_database
    from setrograde.errors import InvalidInput, MissingTable, Stopped
    from setrograde.formats import read_boards, write_boards
    from setrograde.solve import (
        Solver,
        solve_cards,
        solve_deal,
        solve_table,
        solve_tables,
        trace_play,
    )
    from setrograde.solve.boards import solve_game

__all__ = [
    "Auction",
    "Board",
    "Call",
    "Card",
    "Contract",
    "Deal",
    "DealSet",
    "EndingDatabase",
    "Hand",
    "InvalidInput",
    "MissingTable",
    "Play",
    "Rank",
    "Seat",
    "Side",
    "Solver",
    "StopFlag",
    "Stopped",
    "Strain",
    "Suit",
    "TrickTable",
    "Vulnerability",
    "best_line",
    "build_database",
    "deal",
    "iter_deals",
    "odds",
    "par",
    "read_boards",
    "review_board",
    "review_boards",
    "run_script",
    "score_board",
    "score_sheet",
    "solve_cards",
    "solve_deal",
    "solve_game",
    "solve_suit",
    "solve_table",
    "solve_tables",
    "trace_play",
    "write_boards",
]

__version__ = "0.1.0"

_MODULES = {
    "analysis.deal": "deal iter_deals run_script",
    "analysis.line": "best_line",
    "analysis.odds": "odds",
    "analysis.par": "par",
    "analysis.review": "review_board review_boards",
    "analysis.score_sheet": "score_sheet",
    "analysis.suit.play": "solve_suit",
    "bridge": "Auction Board Call Card Contract Deal Hand Play Rank Seat Side Strain Suit"
    " TrickTable Vulnerability score_board",
    "common.stop": "StopFlag",
    "db": "DealSet EndingDatabase build_database",
    "errors": "InvalidInput MissingTable Stopped",
    "formats": "read_boards write_boards",
    "solve": "Solver solve_cards solve_deal solve_table solve_tables trace_play",
    "solve.boards": "solve_game",
}
"""The module that each name comes from: as above, but at run time."""

_PACKAGES = ("analysis", "bridge", "db", "formats", "games", "papers", "sets", "solve")

if not TYPE_CHECKING:  # or else a type checker would believe in every name
    __getattr__, __dir__ = lazy_names(__name__, _MODULES, packages=_PACKAGES)
