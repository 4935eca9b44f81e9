"""`--board 1-8,12`."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from setrograde.bridge import Board, Deal
from setrograde.cli.main import main
from setrograde.cli.selections import board_selection
from setrograde.formats.files import parse_boards, write_boards

DEAL = Deal.from_pbn("N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86")


@pytest.fixture
def night(tmp_path: Path) -> Path:
    path = tmp_path / "night.pbn"
    write_boards([Board.numbered(number, DEAL) for number in range(1, 13)], path)
    return path


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("3", {3}), ("1-3", {1, 2, 3}), ("1-2,7", {1, 2, 7}), (" 2 , 4 - 5 ", {2, 4, 5})],
)
def test_numbers_and_ranges_are_read(text: str, numbers: set[int]) -> None:
    chosen = board_selection(text)
    assert {number for number in range(20) if number in chosen} == numbers


@pytest.mark.parametrize("text", ["", "three", "1-", "-3", "8-1", "1,,2", "1.5", "1-2-3", "٣"])
def test_anything_else_is_an_error_that_quotes_it(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="expected like 3, or 1-8,12"):
        board_selection(text)


def test_show_takes_several_boards(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(night), "--board", "1-3,12", "--json"]) == 0
    boards = parse_boards(capsys.readouterr().out)
    assert [board.number for board in boards] == [1, 2, 3, 12]


def test_convert_takes_several_boards(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(night), "-", "--to", "lin", "--board", "5-6"]) == 0
    assert len(parse_boards(capsys.readouterr().out)) == 2


def test_table_takes_several_boards(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(night), "--board", "2,4"]) == 0
    output = capsys.readouterr().out
    assert ["Board 2," in output, "Board 3," in output, "Board 4," in output] == [True, False, True]


def test_solve_takes_boards_of_one_deal(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["solve", str(night), "--board", "2-3", "--strain", "NT", "--leader", "W"]
    assert main(words) == 0
    assert "N-S take 9 tricks" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["show", "table", "review", "score"])
@pytest.mark.parametrize(("asked", "missing"), [("13", "13"), ("1-3,14-20", "14-20")])
def test_part_without_boards_is_one_line(
    command: str, asked: str, missing: str, night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(night), "--board", asked]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"setrograde: no board {missing} in ")
    assert error.count("\n") == 1
