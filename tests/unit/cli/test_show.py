"""`setrograde show`."""

from __future__ import annotations

import io
import json
import sys
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from setrograde.bridge import Board, Deal
from setrograde.bridge.display import format_board
from setrograde.cli.main import main
from setrograde.formats.files import format_boards, parse_boards, write_boards

PBN_DEAL = "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
DEAL = Deal.from_pbn(PBN_DEAL)
BOARDS = [Board.numbered(number, DEAL.rotate(number)) for number in (1, 2, 3)]


@pytest.fixture
def night(tmp_path: Path) -> Path:
    path = tmp_path / "night.pbn"
    write_boards(BOARDS, path)
    return path


def test_deal_on_the_command_line_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", PBN_DEAL]) == 0
    assert capsys.readouterr().out == format_board(Board(deal=DEAL)) + "\n"


def test_all_boards_of_a_file_are_shown(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(night)]) == 0
    output = capsys.readouterr().out
    assert [f"Board {number}" in output for number in (1, 2, 3, 4)] == [True, True, True, False]


def test_one_board_is_shown_by_number(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(night), "--board", "2", "--ascii"]) == 0
    assert capsys.readouterr().out == format_board(BOARDS[1], ascii=True) + "\n"


def test_both_rooms_of_a_board_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.pbn"
    write_boards([BOARDS[0], BOARDS[1], BOARDS[0]], path)
    assert main(["show", str(path), "--board", "1"]) == 0
    assert capsys.readouterr().out.count("Board 1") == 2


def test_missing_board_is_named_with_those_there(
    night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(night), "--board", "9"]) == 2
    error = capsys.readouterr().err
    assert "no board 9" in error
    assert "boards 1, 2, 3" in error


def test_standard_input_is_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(format_boards(BOARDS, "lin")))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["show", "-", "--board", "3"]) == 0
    assert capsys.readouterr().out == format_board(BOARDS[2]) + "\n"


def test_viewer_link_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    link = format_boards(BOARDS[:1], "bbo").decode().strip()
    assert main(["show", link]) == 0
    assert "Board 1" in capsys.readouterr().out


def test_web_page_is_written_whole(night: Path, tmp_path: Path) -> None:
    out = tmp_path / "night.html"
    assert main(["show", str(night), "--html", str(out)]) == 0
    page = out.read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert page.count("Dealer ") == 3
    assert escape("♠") in page


def test_picture_is_valid_xml(night: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.svg"
    assert main(["show", str(night), "--board", "1", "--svg", str(out)]) == 0
    assert ElementTree.parse(out).getroot().tag.endswith("svg")


def test_picture_can_go_to_standard_output(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(night), "--svg", "-"]) == 0
    ElementTree.fromstring(capsys.readouterr().out)


def test_json_reads_back_as_the_same_boards(
    night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(night), "--board", "2", "--json"]) == 0
    output = capsys.readouterr().out
    json.loads(output)
    assert [board.deal for board in parse_boards(output)] == [BOARDS[1].deal]


def test_problems_are_listed_on_stderr_and_the_rest_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.pbn"
    data = format_boards(BOARDS, "pbn").replace(b'[Dealer "E"]', b'[Dealer "Q"]')
    path.write_bytes(data)
    assert main(["show", str(path)]) == 0
    output = capsys.readouterr()
    assert "Board 3" in output.out
    assert "1 problem in the input" in output.err
    assert "'Q'" in output.err
    assert main(["show", str(path), "--strict"]) == 2
    assert "'Q'" in capsys.readouterr().err


def test_terminal_without_symbols_gets_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    assert main(["show", PBN_DEAL]) == 0
    sys.stdout.flush()
    assert "S AKQ2" in raw.getvalue().decode("ascii")


def test_red_suits_are_red_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    main(["show", PBN_DEAL])
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(["show", PBN_DEAL])
    output = capsys.readouterr().out
    assert "\x1b[31m♥\x1b[39m" in output
    assert "\x1b[31m♠" not in output
    monkeypatch.setenv("NO_COLOR", "1")
    main(["show", PBN_DEAL])
    assert "\x1b" not in capsys.readouterr().out
