"""Lists of deals, one on each line."""

from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.laws import check_reader
from property.strategies import deals
from setrograde.bridge import Board, Deal
from setrograde.cli.main import main
from setrograde.formats import FormatError
from setrograde.formats.deal_lines import format_deals, parse_deals
from setrograde.formats.files import detect_format, format_of_text, parse_boards

NORTH, EAST, SOUTH, WEST = (
    "AKQ2.T98.A76.K54",
    "JT9.AKQ.T98.A732",
    "876.765.KQJ.QJT9",
    "543.J432.5432.86",
)
DEAL = Deal.from_pbn(f"N:{NORTH} {EAST} {SOUTH} {WEST}")


@pytest.mark.parametrize(
    "line",
    [
        f"N:{NORTH} {EAST} {SOUTH} {WEST}",
        f"s : {SOUTH} {WEST} {NORTH} {EAST}",
        f"{NORTH} {EAST} {SOUTH} {WEST}",
        f"{NORTH},{EAST}, {SOUTH} ; {WEST}",
        f"{NORTH}:{EAST}:{SOUTH}:{WEST}",
        f"{NORTH} {EAST} {SOUTH} {WEST}".lower(),
        f"{NORTH} {EAST} {SOUTH} {WEST}".replace("T", "10"),
        f"n {NORTH} e {EAST} s {SOUTH} w {WEST}",
        f"W:{WEST} N:{NORTH} E:{EAST} S:{SOUTH}",
        f"'{NORTH} {EAST} {SOUTH} {WEST}'",
        f'"N:{NORTH} {EAST} {SOUTH} {WEST}"',
        f"1 {NORTH} {EAST} {SOUTH} {WEST}",
        f"1. N:{NORTH} {EAST} {SOUTH} {WEST}",
        f"1) {NORTH}\t{EAST}\t{SOUTH}\t{WEST}",
    ],
)
def test_deals_in_every_form_are_recognised_and_read(line: str) -> None:
    text = f"# from the club\n\n  {line}  \r\n{line}\n"
    assert detect_format(text.encode()) == "deals"
    boards = parse_boards(text, strict=True)
    assert [board.deal for board in boards] == [DEAL, DEAL]
    assert boards[0].number == 1
    assert format_of_text(line) == "deals"


def test_numbers_are_those_of_the_lines_or_else_counted() -> None:
    text = "7. A... K... Q... J...\nA... K... Q... J...\n9) A... K... Q... J...\n"
    assert [board.number for board in parse_deals(text)] == [7, 2, 9]


def test_dealer_and_vulnerability_are_not_known() -> None:
    board = parse_deals("A... K... Q... J...")[0]
    assert board == Board(number=1, deal="N:A... K... Q... J...")


@pytest.mark.parametrize(
    ("line", "problem", "count"),
    [
        ("hello", "not a deal: found 'hello', expected four hands, like", 0),
        ("A... K... Q...", "not a deal: found 'A... K... Q...'", 0),
        ("A... K... Q... J... T...", "not a deal: found", 0),
        ("A... K... A... J...", "not a deal: 'SA' is with North and South: found", 0),
        ("N A... N K... S Q... W J...", "not a deal: ", 0),
        ("A2... K... Q... J...", "hands of different length: found '2, 1, 1, 1'", 1),
    ],
)
def test_problems_say_where_and_what(line: str, problem: str, count: int) -> None:
    file = parse_deals(f"A... K... Q... J...\n  {line}\n")
    assert len(file) == 1 + count
    assert str(file.problems[0]).startswith(f"<text>:2:3: {problem}")
    with pytest.raises(FormatError):
        parse_deals(line, strict=True)


@given(st.text(alphabet='NESWnesw:AKQJT98765432.- \n,|10"#1)'))
def test_any_text_obeys_the_laws_of_readers(text: str) -> None:
    check_reader(parse_deals, text)


@given(st.lists(deals(), max_size=4))
def test_deals_survive_writing_and_reading(found: list[Deal]) -> None:
    file = parse_deals(format_deals([Board(deal=deal) for deal in found]))
    assert [board.deal for board in file] == found


def test_one_deal_a_line_on_stdin(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "AK... QJ... T9... 87...\nQJ... AK... T9... 87...\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["show", "-"]) == 0
    out = capsys.readouterr().out
    assert "Board 1" in out
    assert "Board 2" in out


@pytest.mark.parametrize("deal", ["AK... QJ... T9... 87...", "n AK... e QJ... s T9... w 87..."])
def test_a_deal_without_its_seat_is_an_argument(
    deal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", deal, "--strain", "NT", "--leader", "N"]) == 0
    assert capsys.readouterr().out


def test_a_wrong_deal_without_its_seat_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "AK... AJ... T9... 87...", "--strain", "NT", "--leader", "N"]) == 2
    assert "'SA' is with North and East" in capsys.readouterr().err
