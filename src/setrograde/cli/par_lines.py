"""What `show --par` adds to a board: the 20 results, par, and the score against par."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from setrograde.bridge import Board

from .common import show_share

__all__ = ["solve_for_par"]


def solve_for_par(boards: Sequence[Board]) -> tuple[tuple[Board, ...], list[str]]:
    """The boards with their tables and par as tags, and the lines to print below each.

    >>> from setrograde.bridge import Deal
    >>> text = "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
    >>> solve_for_par([Board.numbered(1, Deal.from_pbn(text))])[1]
    ['Par N-S +400: NS 3NT']
    """
    from setrograde.analysis.review import review_results
    from setrograde.analysis.review.text import contract_line, par_line, result_line

    with show_share("solving boards") as show:
        reviews = review_results(boards, progress=show).boards
    solved, lines = [], []
    for board, review in zip(boards, reviews, strict=True):
        tags = dict(board.tags)
        if review.par is not None:
            tags["OptimumScore"] = review.par.score_text
            tags["ParContract"] = review.par.contract_text
        table = board.table if review.table is None else review.table
        solved.append(replace(board, table=table, tags=tags))
        found = [par_line(review), contract_line(review), result_line(review)]
        why = list(review.notes[:1]) if review.par is None else []
        lines.append("\n".join([line for line in [*found, *why] if line]))
    return tuple(solved), lines
