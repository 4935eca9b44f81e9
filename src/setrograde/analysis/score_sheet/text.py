"""Score sheets as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from setrograde.bridge import Side
from setrograde.common.columns import align_columns

from .results import BoardSheet, PairTotal, ScoreSheet, TableResult

__all__ = ["format_sheet"]

_HEADS = [
    *("Table", "N-S", "E-W", "Contract", "Score N-S", "MP N-S", "MP E-W", "% N-S"),
    *("IMPs N-S", "Butler N-S", "Match IMPs N-S"),
]


def format_sheet(sheet: ScoreSheet) -> str:
    """A table for each board, then the totals of pairs and matches.

    >>> format_sheet(ScoreSheet(()))
    'No boards to score'
    """
    pages = ["\n".join([board.heading, *_board_lines(board)]) for board in sheet.boards]
    if sheet.pairs:
        pages.append("\n".join(["Pairs", *_pair_lines(sheet.pairs)]))
    if sheet.matches:
        pages.append("\n".join(["Matches", *map(str, sheet.matches)]))
    return "\n\n".join(pages) or "No boards to score"


def _board_lines(sheet: BoardSheet) -> list[str]:
    """A table of the results, best for North-South first, and why others are missing."""
    lines = []
    if sheet.results:
        rows = [_result_row(r) for r in sorted(sheet.results, key=lambda r: -r.score_ns)]
        lines = _table(
            _HEADS,
            rows,
            right=range(4, 11),
        )
    counts = {why: sheet.unscored.count(why) for why in dict.fromkeys(sheet.unscored)}
    for why, count in counts.items():
        tables = "1 table is" if count == 1 else f"{count} tables are"
        lines.append(f"{tables} not scored: {why}")
    return lines


def _result_row(result: TableResult) -> list[str]:
    points = result.matchpoints
    percent = None if points is None else points.percent_ns
    average = result.average_imps
    return [
        result.label,
        result.pair(Side.NS) or "",
        result.pair(Side.EW) or "",
        result.result_text,
        _signed(result.score_ns),
        "" if points is None else str(points.ns),
        "" if points is None else str(points.ew),
        "" if percent is None else f"{percent:.1f}",
        "" if average is None else f"{average:+.2f}",
        "" if result.butler_ns is None else _signed(result.butler_ns),
        "" if result.match_imps_ns is None else _signed(result.match_imps_ns),
    ]


def _pair_lines(pairs: Sequence[PairTotal]) -> list[str]:
    is_field = any(pair.top for pair in pairs)
    is_match = any(pair.match_imps for pair in pairs)
    rows = [
        [
            pair.pair,
            str(pair.boards),
            _signed(pair.points),
            str(pair.matchpoints) if is_field else "",
            "" if pair.percent is None else f"{pair.percent:.2f}",
            f"{pair.average_imps:+.2f}" if is_field else "",
            _signed(pair.butler) if is_field else "",
            _signed(pair.match_imps) if is_match else "",
        ]
        for pair in pairs
    ]
    heads = ["Pair", "Boards", "Points", "MP", "%", "IMPs", "Butler", "Match IMPs"]
    return _table(heads, rows, right=range(1, 8))


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Iterable[int]) -> list[str]:
    """Aligned columns; those without any content are left out."""
    kept = [place for place in range(len(heads)) if any(row[place] for row in rows)]
    to_right = set(right)
    return align_columns(
        [[row[place] for place in kept] for row in (heads, *rows)],
        right=[number for number, place in enumerate(kept) if place in to_right],
    )


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"
