"""JSON boards: what stands in the file, and how bad files are reported."""

from __future__ import annotations

import json

import pytest

from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Card,
    Contract,
    Deal,
    Play,
    Seat,
    Strain,
    TrickTable,
    Vulnerability,
)
from setrograde.formats import FormatError
from setrograde.formats.boards_json import (
    BOARD_SCHEMA,
    FILE_SCHEMA,
    board_from_dict,
    board_to_dict,
    format_json,
    parse_json,
)

DEAL = Deal.from_pbn("N:AK... QJ... T9... 87...")
BOARD = Board(
    number=5,
    dealer=Seat.SOUTH,
    vulnerability=Vulnerability.BOTH,
    deal=DEAL,
    auction=Auction.from_text("1NT AP", dealer=Seat.SOUTH),
    contract=Contract.from_text("1NTS"),
    play=Play(DEAL, Strain.NOTRUMP, Seat.WEST, (Card.from_text("S8"),)).claim(2),
    tricks_declarer=2,
    players=("Ann", None, "Šimon ♠", ""),
    event="Cup",
    table=TrickTable.from_function(lambda seat, strain: seat + strain),
    tags={"Stage": "Final"},
)


def wrap(board: str) -> str:
    return f'{{"schema": 1,\n "boards": [\n  {{}},\n  {board}]}}'


def test_a_board_is_written_in_plain_words() -> None:
    assert board_to_dict(BOARD) == {
        "number": 5,
        "dealer": "S",
        "vulnerability": "All",
        "deal": "N:AK... QJ... T9... 87...",
        "auction": {"dealer": "S", "calls": ["1NT", "Pass", "Pass", "Pass"]},
        "contract": "1NTS",
        "play": {"strain": "NT", "leader": "W", "cards": ["S8"], "claimed_by_declarer": 2},
        "tricks_declarer": 2,
        "players": {"N": "Ann", "S": "Šimon ♠", "W": ""},
        "event": "Cup",
        "table": {str(seat): {str(strain): seat + strain for strain in Strain} for seat in Seat},
        "tags": {"Stage": "Final"},
    }


def test_unknown_fields_are_left_out() -> None:
    assert board_to_dict(Board()) == {}
    assert board_from_dict({}) == Board()


def test_annotations_stand_beside_their_calls() -> None:
    auction = Auction.from_text("1C X", dealer=Seat.EAST)
    noted = Auction(auction.dealer, auction.calls, (None, Annotation(True, "both majors")))
    data = board_to_dict(Board(auction=noted))
    assert data["auction"]["annotations"] == [None, {"alerted": True, "text": "both majors"}]
    assert board_from_dict(data).auction == noted


def test_a_play_of_another_deal_keeps_its_own() -> None:
    board = Board(play=Play(DEAL, Strain.SPADES, Seat.EAST))
    assert board_to_dict(board)["play"]["deal"] == str(DEAL)
    assert board_from_dict(board_to_dict(board)) == board


def test_half_a_letter_survives() -> None:
    board = Board(event="\ud800 x")
    text = format_json([board])
    assert list(parse_json(text.encode(), strict=True)) == [board]


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_files_round_trip_whatever_the_indent(indent: int | None) -> None:
    text = format_json([BOARD, Board()], indent=indent)
    assert list(parse_json(text, strict=True)) == [BOARD, Board()]
    assert list(parse_json(b"\xef\xbb\xbf" + text.encode(), strict=True)) == [BOARD, Board()]


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ('{"number": 0}', "boards[1].number: not a board number: found '0'"),
        ('{"number": true}', "boards[1].number: not a board number: found 'true'"),
        ('{"number": 1.5}', "boards[1].number: not a board number: found '1.5'"),
        ('{"dealer": "Q"}', "boards[1].dealer: not a seat: 'Q'"),
        ('{"dealer": []}', "boards[1].dealer: not text: found 'a list'"),
        ('{"vulnerability": "x"}', "boards[1].vulnerability: not a vulnerability: 'x'"),
        ('{"deal": "N:A"}', "boards[1].deal: not a deal: 'N:A'"),
        ('{"auction": {"dealer": "N"}}', "boards[1].auction: not a list: found 'null'"),
        ('{"auction": {"dealer": "N", "calls": ["8C"]}}', "boards[1].auction: not a call: '8C'"),
        ('{"auction": {"dealer": "N", "calls": ["X"]}}', "boards[1].auction: illegal call"),
        ('{"auction": {"who": "N"}}', "boards[1].auction: unknown key: found 'who'"),
        ('{"contract": "4S"}', "boards[1].contract: no declarer in '4S'"),
        ('{"play": {"cards": []}}', "boards[1].play: cards played without a deal"),
        ('{"tricks_declarer": 14}', "boards[1].tricks_declarer: not a number of tricks"),
        ('{"players": {"X": "a"}}', "boards[1].players: unknown key: found 'X'"),
        ('{"event": 7}', "boards[1].event: not text: found '7'"),
        ('{"table": {"N": {}}}', "boards[1].table: not an object: found 'null'"),
        ('{"tags": {"a": null}}', "boards[1].tags: not text: found 'null'"),
        ('{"colour": 1}', "boards[1].colour: unknown key"),
        ("17", "boards[1]: not a board: found '17'"),
    ],
)
def test_problems_name_the_board_and_the_field(board: str, message: str) -> None:
    text = wrap(board)
    problem = parse_json(text, path="x.json").problems[0]
    assert (problem.line, problem.column) == (4, 3)
    assert message in str(problem)
    with pytest.raises(FormatError) as caught:
        parse_json(text, path="x.json", strict=True)
    assert caught.value.problem == problem


def test_a_bad_field_costs_only_itself() -> None:
    board = parse_json(wrap('{"number": 9, "dealer": "Q", "event": "Cup"}'))[1]
    assert (board.number, board.dealer, board.event) == (9, None, "Cup")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "1:1: not JSON"),
        ('{"schema": 1,\n"boards": [}', "2:12: not JSON"),
        ("[" * 100_000, "not JSON: nested too deeply"),
        ('{"schema": 1, "boards": [NaN]}', "NaN is no number"),
        ('{"boards": ' + "9" * 5000 + "}", "not JSON"),
        ("[]", "not a file of boards"),
        ('{"schema": 1}', "not a file of boards"),
        ('{"schema": 2, "boards": []}', "unknown schema: found '2', expected 1"),
        ('{"schema": true, "boards": []}', "unknown schema: found 'true'"),
        (b'{"schema": 1,\n "x\xff"}', "2:4: not UTF-8: found '0xff'"),
    ],
)
def test_hopeless_files_give_no_boards(data: bytes | str, message: str) -> None:
    boards = parse_json(data)
    assert len(boards) == 0
    assert message in str(boards.problems[0])


def test_the_schemas_are_json() -> None:
    assert json.loads(json.dumps(FILE_SCHEMA))["properties"]["boards"]["items"] == BOARD_SCHEMA


def test_every_field_of_a_board_is_in_the_schema() -> None:
    assert set(BOARD_SCHEMA["properties"]) == set(Board.__dataclass_fields__)
