"""Comparing the tables that played a board, and adding up the totals of pairs and teams."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from setrograde.bridge import Board, Deal, InvalidInput, Side
from setrograde.bridge.display.parts import (
    board_contract,
    board_dealer_seat,
    board_tricks,
    clean,
)
from setrograde.bridge.scoring import butler_datum, cross_imps, imps, matchpoints, score_board

from .results import BoardSheet, MatchTotal, PairTotal, ScoreSheet, TableResult

__all__ = ["score_sheet"]

_SCORE = re.compile(r"\s*(NS|EW)\s*([+-]?[0-9]{1,5})\b.*")


def score_sheet(boards: Iterable[Board], *, trimmed: int = 0) -> ScoreSheet:
    """Compare the results of boards that were played at several tables.

    `trimmed` results are left out at either end of the datum for Butler scoring.

    >>> from setrograde.bridge import Contract
    >>> def table(contract, tricks):
    ...     return replace(Board.numbered(1), contract=Contract.from_text(contract),
    ...                    tricks_declarer=tricks)
    >>> sheet = score_sheet([table("4SN", 10), table("3NTN", 9), table("4SN", 9)])
    >>> [result.score_ns for result in sheet.boards[0].results]
    [420, 400, -50]
    >>> [result.matchpoints.percent_ns for result in sheet.boards[0].results]
    [100.0, 50.0, 0.0]
    """
    if trimmed < 0:
        raise InvalidInput(f"not a number of results to trim: {trimmed} (expected 0 or more)")
    sheets = [_board_sheet(group, trimmed) for group in _groups(tuple(boards))]
    return ScoreSheet(tuple(sheets), _pairs(sheets), _matches(sheets))


def _groups(boards: Sequence[Board]) -> list[list[Board]]:
    """The tables that played the same cards; a table without cards joins those of its number."""
    deals: dict[int | None, set[Deal]] = {}
    for board in boards:
        if board.deal is not None:
            deals.setdefault(board.number, set()).add(board.deal)
    groups: dict[tuple[int | None, Deal | None], list[Board]] = {}
    for board in boards:
        deal = board.deal
        known = deals.get(board.number, set())
        if deal is None and board.number is not None and len(known) == 1:
            (deal,) = known
        groups.setdefault((board.number, deal), []).append(board)
    return list(groups.values())


def _board_sheet(boards: Sequence[Board], trimmed: int) -> BoardSheet:
    results, unscored = [], []
    for board in boards:
        result = _result(board)
        if isinstance(result, str):
            unscored.append(result)
        else:
            results.append(result)
    datum = None
    scores = [result.score_ns for result in results]
    if len(results) >= 3:
        points, cross = matchpoints(scores), cross_imps(scores)
        if len(results) > 2 * trimmed:
            datum = butler_datum(scores, trimmed=trimmed)
        results = [
            replace(
                result,
                matchpoints=points[place],
                cross_imps_ns=cross[place],
                rivals=len(results) - 1,
                butler_ns=None if datum is None else imps(result.score_ns - datum),
            )
            for place, result in enumerate(results)
        ]
    first = boards[0]
    deal = next((board.deal for board in boards if board.deal is not None), None)
    return BoardSheet(
        first.number,
        deal,
        board_dealer_seat(first),
        first.vulnerability,
        tuple(_with_matches(results)),
        datum,
        tuple(unscored),
    )


def _result(board: Board) -> TableResult | str:
    """The score at one table, or why there is none."""
    contract, tricks = board_contract(board), board_tricks(board)
    if contract is not None and contract.is_passed_out:
        return TableResult(board, contract, None, 0)
    if contract is not None and tricks is not None and board.vulnerability is not None:
        if not 0 <= tricks <= 13:
            return f"{tricks} tricks are not possible"
        return TableResult(
            board, contract, tricks, score_board(contract, tricks, board.vulnerability)
        )
    match = _SCORE.fullmatch(board.tags.get("Score", ""))
    if match is not None:
        score = int(match[2])
        return TableResult(board, None, None, score if match[1] == "NS" else -score)
    if contract is None:
        return "no contract and no score"
    return "no result" if tricks is None else "no vulnerability"


def _with_matches(results: Sequence[TableResult]) -> list[TableResult]:
    """The results with IMPs against the other table of a team match, where there is one."""
    places: dict[tuple[object, ...] | None, list[int]] = {}
    for place, result in enumerate(results):
        places.setdefault(_match_key(result.board), []).append(place)
    found = list(results)
    for key, two in places.items():
        if len(two) != 2 or (key is None and len(results) != 2):
            continue
        first, second = (results[place] for place in two)
        if not _may_be_rivals(first.board, second.board):
            continue
        teams = _teams(first.board, second.board)
        gain = imps(first.score_ns - second.score_ns)
        for place, won, (ns, ew) in zip(two, (gain, -gain), teams, strict=True):
            found[place] = replace(found[place], match_imps_ns=won, team_ns=ns, team_ew=ew)
    return found


def _match_key(board: Board) -> tuple[object, ...] | None:
    """What two tables of one team match have in common; `None` if the teams are not named."""
    home, visit = board.tags.get("HomeTeam"), board.tags.get("VisitTeam")
    if not home or not visit:
        return None
    stage = tuple(board.tags.get(name) for name in ("Stage", "Round", "Session", "Section"))
    return (board.event, *stage, frozenset((home, visit)))


def _may_be_rivals(first: Board, second: Board) -> bool:
    """False for two results from one room, or from rooms of which only one is known."""
    rooms = [(board.room or "").lower() for board in (first, second)]
    return rooms[0] != rooms[1] if any(rooms) else True


_Teams: TypeAlias = tuple[tuple[str | None, str | None], tuple[str | None, str | None]]


def _teams(first: Board, second: Board) -> _Teams:
    """Who sat North-South and East-West at two tables.

    A file that names another home team at each table names the one that sits North-South there.
    Otherwise the home team sits North-South in the open room, or at the first table.
    """
    home, visit = first.tags.get("HomeTeam"), first.tags.get("VisitTeam")
    is_first_open = (first.room or "").lower() != "closed"
    if not home or not visit:
        if not first.room or not second.room:
            return (None, None), (None, None)
        open_room = first.room if is_first_open else second.room
        home, visit = f"N-S ({clean(open_room)})", f"E-W ({clean(open_room)})"
    elif first.tags.get("HomeTeam") != second.tags.get("HomeTeam"):
        is_first_open = True
    home, visit = clean(home), clean(visit)
    here, there = (home, visit), (visit, home)
    return (here, there) if is_first_open else (there, here)


def _pairs(sheets: Iterable[BoardSheet]) -> tuple[PairTotal, ...]:
    """Totals of the pairs that are named."""
    found: dict[frozenset[str], PairTotal] = {}
    is_field = False
    for sheet in sheets:
        for result in sheet.results:
            is_field |= result.matchpoints is not None
            for side in Side:
                name = result.pair(side)
                if name is None:
                    continue
                key = frozenset(name.split(" & "))
                found[key] = _added(found.get(key, PairTotal(name)), result, side)
    totals = found.values()
    if is_field:
        return tuple(sorted(totals, key=lambda total: -(total.percent or 0.0)))
    return tuple(sorted(totals, key=lambda total: -total.match_imps))


def _added(total: PairTotal, result: TableResult, side: Side) -> PairTotal:
    sign = 1 if side is Side.NS else -1
    points = result.matchpoints
    won = 0 if points is None else points.ns if side is Side.NS else points.ew
    return replace(
        total,
        boards=total.boards + 1,
        points=total.points + sign * result.score_ns,
        matchpoints=total.matchpoints + won,
        top=total.top + (0 if points is None else points.top),
        average_imps=total.average_imps + sign * (result.average_imps or 0.0),
        butler=total.butler + sign * (result.butler_ns or 0),
        match_imps=total.match_imps + sign * (result.match_imps_ns or 0),
    )


def _matches(sheets: Iterable[BoardSheet]) -> tuple[MatchTotal, ...]:
    """Totals of the matches whose teams are known."""
    found: dict[tuple[object, ...], MatchTotal] = {}
    for sheet in sheets:
        seen = set()
        for result in sheet.results:
            if result.match_imps_ns is None or not result.team_ns or not result.team_ew:
                continue
            stage = tuple(result.board.tags.get(name) for name in ("Stage", "Round", "Session"))
            teams = frozenset((result.team_ns, result.team_ew))
            key = (result.board.event, *stage, teams)
            if key in seen:  # the other table says the same with the opposite sign
                continue
            seen.add(key)
            match = found.setdefault(key, MatchTotal(result.team_ns, result.team_ew, 0, 0, 0))
            gain = result.match_imps_ns if match.first == result.team_ns else -result.match_imps_ns
            found[key] = replace(
                match,
                boards=match.boards + 1,
                imps_first=match.imps_first + max(0, gain),
                imps_second=match.imps_second + max(0, -gain),
            )
    return tuple(found.values())
