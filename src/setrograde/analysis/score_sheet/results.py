"""The results of boards at several tables, compared: what a score sheet holds."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from setrograde.bridge import Board, Contract, Deal, Seat, Side, Vulnerability
from setrograde.bridge.display.parts import caption_lines, clean
from setrograde.bridge.scoring import Matchpoints, format_result, victory_points
from setrograde.common.words import count_of

__all__ = [
    "SCHEMA_VERSION",
    "BoardSheet",
    "MatchTotal",
    "PairTotal",
    "ScoreSheet",
    "TableResult",
    "points_text",
    "side_name",
]

SCHEMA_VERSION = 1
"""Of the JSON. Raised when a key changes its meaning or goes away; new keys may come."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """What happened at one table, and how it compares with the others.

    >>> result = TableResult(Board.numbered(1), Contract.from_text("4SXW"), 9, 100)
    >>> str(result), result.average_imps
    ('4SX W -1, N-S +100', None)
    """

    board: Board
    """The board as it was played there."""

    contract: Contract | None
    """The final contract; `None` if only the score is known."""

    tricks_declarer: int | None
    """Declarer's tricks; `None` if only the score is known, or if the board was passed out."""

    score_ns: int
    """Points of North-South."""

    matchpoints: Matchpoints | None = None
    """Matchpoints of both sides; `None` with fewer than three tables."""

    cross_imps_ns: int | None = None
    """IMPs of North-South against every other table, added up; `None` likewise."""

    rivals: int = 0
    """Number of other tables."""

    butler_ns: int | None = None
    """IMPs of North-South against the datum; `None` likewise."""

    match_imps_ns: int | None = None
    """IMPs of North-South against the other table of a team match; `None` if there is none."""

    team_ns: str | None = None
    """The team that sat North-South, if it is known."""

    team_ew: str | None = None
    """The team that sat East-West, if it is known."""

    @property
    def average_imps(self) -> float | None:
        """IMPs of North-South against the average other table."""
        return None if self.cross_imps_ns is None else self.cross_imps_ns / self.rivals

    def pair(self, side: Side) -> str | None:
        """The two players of `side`, or their room; `None` if neither is known.

        >>> board = Board(players=("Nora", "Edgar", "Sunniva", "Walter"))
        >>> TableResult(board, None, None, 0).pair(Side.NS)
        'Nora & Sunniva'
        """
        names = [clean(self.board.player(seat) or "") for seat in side.seats]
        if any(names):
            return " & ".join([name or "?" for name in names])
        room = clean(self.board.room or "")
        return f"{side_name(side)} ({room})" if room else None

    @property
    def label(self) -> str:
        """The table or the room, as the file names it; empty if it does not."""
        table = clean(self.board.tags.get("Table", ""))
        return " ".join([word for word in (clean(self.board.room or ""), table) if word])

    @property
    def result_text(self) -> str:
        """Contract and result as players write them, or a dash."""
        if self.contract is None:
            return "-"
        return format_result(self.contract, self.tricks_declarer or 0)

    def to_dict(self) -> dict[str, Any]:
        """As JSON shows it."""
        points = self.matchpoints
        return {
            "table": self.label or None,
            "room": self.board.room,
            "pair_ns": self.pair(Side.NS),
            "pair_ew": self.pair(Side.EW),
            "team_ns": self.team_ns,
            "team_ew": self.team_ew,
            "contract": None if self.contract is None else str(self.contract),
            "tricks_declarer": self.tricks_declarer,
            "score_ns": self.score_ns,
            "matchpoints_ns": None if points is None else points.ns,
            "matchpoints_ew": None if points is None else points.ew,
            "percent_ns": None if points is None else points.percent_ns,
            "cross_imps_ns": self.cross_imps_ns,
            "average_imps_ns": self.average_imps,
            "butler_ns": self.butler_ns,
            "match_imps_ns": self.match_imps_ns,
        }

    def __str__(self) -> str:
        return f"{self.result_text}, {points_text(self.score_ns)}"


@dataclass(frozen=True, slots=True)
class BoardSheet:
    """All results of one board.

    >>> BoardSheet(3, None, Seat.SOUTH, Vulnerability.EW, ()).heading
    'Board 3, Dealer South, E-W vulnerable: no result'
    """

    number: int | None
    """Board number."""

    deal: Deal | None
    """The cards, if they are known."""

    dealer: Seat | None
    """Who dealt."""

    vulnerability: Vulnerability | None
    """Which sides were vulnerable."""

    results: tuple[TableResult, ...]
    """In the order of the file."""

    datum_ns: int | None = None
    """The datum for Butler scoring; `None` with fewer than three tables."""

    unscored: tuple[str, ...] = ()
    """Why tables could not be scored, one reason for each."""

    @property
    def heading(self) -> str:
        """Board, dealer, vulnerability and the number of tables."""
        caption = ", ".join(caption_lines(self.number, self.dealer, self.vulnerability))
        tables = len(self.results)
        words = f"{caption or 'A board without a number'}: " + (
            f"{tables} {'table' if tables == 1 else 'tables'}" if tables else "no result"
        )
        return words if self.datum_ns is None else f"{words}, datum {points_text(self.datum_ns)}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON shows it."""
        return {
            "board": self.number,
            "deal": None if self.deal is None else self.deal.to_pbn(),
            "dealer": None if self.dealer is None else str(self.dealer),
            "vulnerability": None if self.vulnerability is None else str(self.vulnerability),
            "datum_ns": self.datum_ns,
            "tables": [result.to_dict() for result in self.results],
            "unscored": list(self.unscored),
        }


@dataclass(frozen=True, slots=True)
class PairTotal:
    """One pair over all boards, whichever way it sat.

    >>> PairTotal("Nora & Sunniva", boards=2, matchpoints=5, top=8).percent
    62.5
    """

    pair: str
    """Both players, or room and side."""

    boards: int = 0
    """Number of boards with a score."""

    points: int = 0
    """Points scored, minus points of the opponents."""

    matchpoints: int = 0
    """Matchpoints, 2 for each result beaten and 1 for each equalled."""

    top: int = 0
    """The most matchpoints there were to win."""

    average_imps: float = 0.0
    """IMPs against the average other table, added up."""

    butler: int = 0
    """IMPs against the datum, added up."""

    match_imps: int = 0
    """IMPs against the other table of a team match, added up."""

    @property
    def percent(self) -> float | None:
        """Matchpoints in percent; `None` without boards to compare."""
        return 100 * self.matchpoints / self.top if self.top else None

    def to_dict(self) -> dict[str, Any]:
        """As JSON shows it."""
        return {
            "pair": self.pair,
            "boards": self.boards,
            "points": self.points,
            "matchpoints": self.matchpoints,
            "top": self.top,
            "percent": self.percent,
            "average_imps": self.average_imps,
            "butler": self.butler,
            "match_imps": self.match_imps,
        }


@dataclass(frozen=True, slots=True)
class MatchTotal:
    """A team match.

    >>> str(MatchTotal("Norway", "Sweden", 16, 40, 31))
    'Norway 40 - Sweden 31 IMPs on 16 boards: 12.55 - 7.45 VP'
    """

    first: str
    """The team named first: it sat North-South in the open room, or at the first table."""

    second: str
    """The other team."""

    boards: int
    """Number of boards compared."""

    imps_first: int
    """IMPs won by the first team."""

    imps_second: int
    """IMPs won by the second team."""

    @property
    def victory_points(self) -> tuple[float, float]:
        """On the WBF's scale of 2013, for the number of boards compared."""
        return victory_points(self.imps_first - self.imps_second, self.boards)

    def to_dict(self) -> dict[str, Any]:
        """As JSON shows it."""
        first, second = self.victory_points
        return {
            "first": self.first,
            "second": self.second,
            "boards": self.boards,
            "imps_first": self.imps_first,
            "imps_second": self.imps_second,
            "vp_first": first,
            "vp_second": second,
        }

    def __str__(self) -> str:
        first, second = self.victory_points
        boards = count_of(self.boards, "board")
        return (
            f"{self.first} {self.imps_first} - {self.second} {self.imps_second} IMPs on {boards}:"
            f" {first:.2f} - {second:.2f} VP"
        )


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """All boards of a file with their comparisons and totals."""

    boards: tuple[BoardSheet, ...]
    """In the order of the file."""

    pairs: tuple[PairTotal, ...] = ()
    """Best first: by matchpoints, or by IMPs where all boards were played at two tables."""

    matches: tuple[MatchTotal, ...] = ()
    """Team matches, in the order of the file."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON shows it; the keys do not change between versions."""
        return {
            "schema": SCHEMA_VERSION,
            "boards": [board.to_dict() for board in self.boards],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "matches": [match.to_dict() for match in self.matches],
        }

    def __str__(self) -> str:
        from .text import format_sheet

        return format_sheet(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def side_name(side: Side) -> str:
    """`N-S` or `E-W`.

    >>> side_name(Side.EW)
    'E-W'
    """
    return "N-S" if side is Side.NS else "E-W"


def points_text(score_ns: int) -> str:
    """A score as players say it, for the side that has it.

    >>> points_text(420), points_text(-50), points_text(0)
    ('N-S +420', 'E-W +50', '0')
    """
    if score_ns == 0:
        return "0"
    return f"N-S +{score_ns}" if score_ns > 0 else f"E-W +{-score_ns}"
