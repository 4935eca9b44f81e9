"""`setrograde score`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from setrograde.bridge import Board, Contract, Deal
from setrograde.cli.main import main
from setrograde.formats.files import write_boards

DEAL = Deal.from_pbn("N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86")


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """Two boards at three tables."""
    boards = [
        replace(
            Board.numbered(number, DEAL),
            contract=Contract.from_text(contract),
            tricks_declarer=9,
            players=players,
        )
        for number in (1, 2)
        for contract, players in (
            ("3NTN", ("Ann", "Bob", "Cec", "Dan")),
            ("2NTN", ("Eve", "Fay", "Gus", "Hal")),
            ("4SN", ("Ida", "Jon", "Kit", "Leo")),
        )
    ]
    path = tmp_path / "pairs.pbn"
    write_boards(boards, path)
    return path


def test_boards_and_pairs_are_printed(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(pairs)]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    lines = output.out.splitlines()
    assert lines[0] == "Board 1, Dealer North, None vulnerable: 3 tables, datum N-S +170"
    assert lines[2].split() == [
        *("Ann", "&", "Cec", "Bob", "&", "Dan", "3NT", "N", "=", "+400", "4", "0", "100.0"),
        *("+8.00", "+6"),
    ]
    assert any(line.split()[:4] == ["Ann", "&", "Cec", "2"] for line in lines)


def test_one_board_as_json(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(pairs), "--board", "2", "--trim", "1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [board["board"] for board in data["boards"]] == [2]
    assert data["boards"][0]["datum_ns"] == 150
    assert len(data["pairs"]) == 6


def test_file_without_results_is_no(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "deals.pbn"
    write_boards([Board.numbered(1, DEAL)], path)
    assert main(["score", str(path)]) == 1
    assert "1 table is not scored: no contract and no score" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "quoted"),
    [(["--trim", "-1"], "'-1'"), (["--board", "x"], "'x'"), (["--board", "9"], "no board 9")],
)
def test_mistakes_are_one_line_and_exit_2(
    options: list[str], quoted: str, pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(pairs), *options]) == 2
    output = capsys.readouterr()
    assert output.err.count("\n") == 1
    assert output.err.startswith("setrograde: ")
    assert quoted in output.err
