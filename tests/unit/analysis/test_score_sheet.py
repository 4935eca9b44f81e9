"""Results of several tables compared."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from setrograde.analysis.score_sheet import ScoreSheet, score_sheet
from setrograde.bridge import Auction, Board, Contract, Deal, InvalidInput, Seat, Side
from setrograde.bridge.scoring import butler, cross_imps, matchpoints
from setrograde.formats.files import read_boards
from support import shared_data

DEAL = Deal.from_pbn("N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86")


def table(contract: str, tricks: int | None, *, number: int = 1, **fields: object) -> Board:
    board = replace(Board.numbered(number, DEAL), contract=Contract.from_text(contract))
    return replace(board, tricks_declarer=tricks, **fields)


def names(text: str) -> tuple[str | None, str | None, str | None, str | None]:
    n, e, s, w = text.split()
    return n, e, s, w


FIELD = [
    table("3NTN", 9, players=names("a b c d")),
    table("2NTN", 9, players=names("e f g h")),
    table("4SN", 9, players=names("c h a f")),
    table("3NTN", 9, players=names("b i d j")),
]


def test_field_is_scored_by_matchpoints_cross_imps_and_butler() -> None:
    (board,) = score_sheet(FIELD).boards
    scores = [result.score_ns for result in board.results]
    assert scores == [400, 150, -50, 400]
    assert tuple(result.matchpoints for result in board.results) == matchpoints(scores)
    assert tuple(result.cross_imps_ns for result in board.results) == cross_imps(scores)
    assert tuple(result.butler_ns for result in board.results) == butler(scores)
    assert [result.match_imps_ns for result in board.results] == [None] * 4
    assert board.datum_ns == 230


def test_datum_can_be_trimmed() -> None:
    (board,) = score_sheet(FIELD, trimmed=1).boards
    assert board.datum_ns == 280
    (board,) = score_sheet(FIELD, trimmed=2).boards
    assert board.datum_ns is None
    assert board.results[0].butler_ns is None
    assert board.results[0].matchpoints is not None
    with pytest.raises(InvalidInput, match="-1"):
        score_sheet(FIELD, trimmed=-1)


def test_pair_is_one_whichever_way_it_sits() -> None:
    second = [replace(board, number=2, players=board.players) for board in FIELD[:3]]
    sheet = score_sheet([*FIELD, *second])
    totals = {pair.pair: pair for pair in sheet.pairs}
    # a and c sat North-South at two tables of each board, once as c and a.
    assert totals["a & c"].boards == 4
    assert "c & a" not in totals
    # b and d sat East-West twice and North-South once.
    assert totals["b & d"].boards == 3
    assert totals["b & d"].points == -400 + 400 - 400
    percents = [pair.percent for pair in sheet.pairs]
    assert percents == sorted(percents, key=lambda p: -(p or 0))


def test_matchpoints_of_all_pairs_are_half_of_all() -> None:
    sheet = score_sheet(FIELD)
    assert 2 * sum(pair.matchpoints for pair in sheet.pairs) == sum(p.top for p in sheet.pairs)
    assert sum(pair.average_imps for pair in sheet.pairs) == pytest.approx(0)


def test_two_rooms_are_compared_with_each_other() -> None:
    sheet = score_sheet([table("3NTN", 9, room="Closed"), table("2NTN", 9, room="Open")])
    closed, opened = sheet.boards[0].results
    assert (closed.match_imps_ns, opened.match_imps_ns) == (6, -6)
    assert closed.matchpoints is None
    (match,) = sheet.matches
    assert (match.first, match.imps_first, match.imps_second) == ("E-W (Open)", 6, 0)


def test_home_team_sits_north_south_in_the_open_room() -> None:
    teams = {"HomeTeam": "Norway", "VisitTeam": "Sweden"}
    boards = [
        table("3NTN", 9, room="Open", tags=teams),
        table("2NTN", 9, room="Closed", tags=teams),
        table("3NTN", 8, number=5, room="Open", tags=teams),
        table("2NTN", 8, number=5, room="Closed", tags=teams),
    ]
    (match,) = score_sheet(boards).matches
    # Board 5 has North-South vulnerable: -100 against +120.
    assert (match.first, match.second, match.boards) == ("Norway", "Sweden", 2)
    assert (match.imps_first, match.imps_second) == (6, 6)
    assert match.victory_points == (10.0, 10.0)


def test_matches_in_one_field_are_told_apart_by_their_teams() -> None:
    boards = [
        table("3NTN", 9, tags={"HomeTeam": "A", "VisitTeam": "B"}),
        table("2NTN", 9, tags={"HomeTeam": "C", "VisitTeam": "D"}),
        table("2NTN", 9, tags={"HomeTeam": "B", "VisitTeam": "A"}),
        table("3NTN", 8, tags={"HomeTeam": "D", "VisitTeam": "C"}),
    ]
    sheet = score_sheet(boards)
    assert [r.match_imps_ns for r in sheet.boards[0].results] == [6, 5, -6, -5]
    assert [str(m).split(" IMPs")[0] for m in sheet.matches] == ["A 6 - B 0", "C 5 - D 0"]
    assert [r.team_ns for r in sheet.boards[0].results] == ["A", "C", "B", "D"]


def test_same_number_with_other_cards_is_another_board() -> None:
    other = replace(FIELD[0], deal=DEAL.rotate(1))
    assert [len(board.results) for board in score_sheet([*FIELD, other]).boards] == [4, 1]


def test_table_without_cards_joins_those_of_its_number() -> None:
    bare = replace(FIELD[0], deal=None)
    assert [len(board.results) for board in score_sheet([*FIELD, bare]).boards] == [5]
    other = replace(FIELD[0], deal=DEAL.rotate(1))
    assert [len(board.results) for board in score_sheet([*FIELD, other, bare]).boards] == [4, 1, 1]


def test_passed_out_board_scores_nothing_for_either_side() -> None:
    auction = Auction.from_text("Pass Pass Pass Pass", dealer=Seat.NORTH)
    passed = replace(Board.numbered(1, DEAL), auction=auction)
    assert score_sheet([passed]).boards[0].results[0].score_ns == 0


def test_score_of_the_file_serves_where_there_is_no_result() -> None:
    board = replace(Board.numbered(1, DEAL), tags={"Score": "EW -50"})
    (result,) = score_sheet([board]).boards[0].results
    assert (result.score_ns, result.contract) == (50, None)


@pytest.mark.parametrize(
    ("board", "why"),
    [
        (Board.numbered(1, DEAL), "no contract and no score"),
        (table("3NTN", None), "no result"),
        (table("3NTN", 9, vulnerability=None), "no vulnerability"),
    ],
)
def test_table_that_cannot_be_scored_says_why(board: Board, why: str) -> None:
    sheet = score_sheet([board, FIELD[0]])
    assert sheet.boards[0].unscored == (why,)
    assert f"1 table is not scored: {why}" in str(sheet)
    assert len(sheet.boards[0].results) == 1


def test_nobody_is_totalled_without_a_name_or_a_room() -> None:
    assert score_sheet([table("3NTN", 9), table("3NTN", 8)]).pairs == ()


def test_keys_of_the_json_stay() -> None:
    tags = {"HomeTeam": "A", "VisitTeam": "B"}
    fields = {"tags": tags, "players": names("a b c d")}
    boards = [table("3NTN", 9, room="Open", **fields), table("3NTN", 8, room="Closed", **fields)]
    data = json.loads(json.dumps(score_sheet(boards).to_dict()))
    assert list(data) == ["schema", "boards", "pairs", "matches"]
    board = data["boards"][0]
    assert list(board) == [
        *("board", "deal", "dealer", "vulnerability", "datum_ns", "tables", "unscored"),
    ]
    assert list(board["tables"][0]) == [
        *("table", "room", "pair_ns", "pair_ew", "team_ns", "team_ew", "contract"),
        *("tricks_declarer", "score_ns", "matchpoints_ns", "matchpoints_ew", "percent_ns"),
        *("cross_imps_ns", "average_imps_ns", "butler_ns", "match_imps_ns"),
    ]
    assert list(data["pairs"][0]) == [
        *("pair", "boards", "points", "matchpoints", "top", "percent", "average_imps"),
        *("butler", "match_imps"),
    ]
    assert list(data["matches"][0]) == [
        *("first", "second", "boards", "imps_first", "imps_second", "vp_first", "vp_second"),
    ]


def test_text_leaves_out_columns_without_content() -> None:
    text = str(score_sheet([table("3NTN", 9, room="Open"), table("3NTN", 8, room="Closed")]))
    assert "Match IMPs N-S" in text
    assert "MP N-S" not in text
    assert "MP N-S" in str(score_sheet(FIELD))
    assert str(ScoreSheet(())) == "No boards to score"


def test_imps_of_a_championship_are_those_of_the_file() -> None:
    sheet = score_sheet(read_boards(shared_data("realplay", "endplay_example2.pbn")))
    compared = 0
    for board in sheet.boards:
        for result in board.results:
            said = result.board.tags.get("ScoreIMP")
            if said is None or result.match_imps_ns is None:
                continue
            assert int(said.split()[1]) == result.match_imps_ns
            assert result.team_ns == result.board.tags["HomeTeam"]
            compared += 1
    assert compared > 250
    assert len(sheet.matches) == 15
    assert all(result.pair(Side.NS) for board in sheet.boards for result in board.results)
