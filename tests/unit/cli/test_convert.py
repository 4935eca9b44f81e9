"""`setrograde convert`."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from setrograde.bridge import Auction, Board, Deal, Seat
from setrograde.cli.main import main
from setrograde.formats.files import read_boards, write_boards
from support import shared_data

DEAL = Deal.from_pbn("N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86")
BOARDS = [Board.numbered(number, DEAL.rotate(number)) for number in (1, 2, 3)]


@pytest.fixture
def night(tmp_path: Path) -> Path:
    path = tmp_path / "night.pbn"
    write_boards(BOARDS, path)
    return path


@pytest.mark.parametrize(
    "ending", [".pbn", ".lin", ".rbn", ".json", ".url", ".dds", ".deals", ".txt"]
)
def test_every_format_can_be_written_and_read_again(night: Path, ending: str) -> None:
    out = night.with_name(f"out{ending}")
    assert main(["convert", str(night), str(out)]) == 0
    assert [board.deal for board in read_boards(out)] == [board.deal for board in BOARDS]


def test_a_name_that_stands_for_another_format_is_refused_without_force(
    night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = night.with_name("out.pbn")
    assert main(["convert", str(night), str(out), "--to", "lin"]) == 2
    assert "stands for pbn, not lin (expected a name ending in .lin, or --force)" in (
        capsys.readouterr().err
    )
    assert not out.exists()
    assert main(["convert", str(night), str(out), "--to", "lin", "--force"]) == 0
    assert read_boards(out).format == "lin"


@pytest.mark.parametrize("name", ["out.txt", "out", "out.night"])
def test_option_decides_where_the_name_promises_nothing(night: Path, name: str) -> None:
    assert main(["convert", str(night), str(night.with_name(name)), "--to", "lin"]) == 0
    assert read_boards(night.with_name(name)).format == "lin"


@pytest.mark.parametrize("options", [["--to", "lin"], ["--board", "2"]])
def test_the_input_is_not_replaced_without_force(
    night: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    data = night.read_bytes()
    assert main(["convert", str(night), str(night), *options]) == 2
    assert capsys.readouterr().err
    assert night.read_bytes() == data
    assert main(["convert", str(night), str(night), *options, "--force"]) == 0
    assert night.read_bytes() != data


def test_the_input_is_recognised_under_another_name(
    night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = night.with_name("link.txt")
    link.symlink_to(night)
    assert main(["convert", str(night), str(link), "--to", "lin"]) == 2
    assert "is the input file, and its content would change" in capsys.readouterr().err


def test_a_misnamed_file_is_not_replaced_by_what_its_name_says(night: Path) -> None:
    wrong = night.with_name("wrong.lin")
    wrong.write_bytes(night.read_bytes())
    assert main(["convert", str(wrong), str(wrong)]) == 2
    assert wrong.read_bytes() == night.read_bytes()


def test_copying_a_file_onto_itself_changes_nothing(night: Path) -> None:
    data = night.read_bytes()
    assert main(["convert", str(night), str(night)]) == 0
    assert night.read_bytes() == data


def test_pbn_to_pbn_is_the_same_bytes(tmp_path: Path) -> None:
    data = b'; kept\r\n[Event ""]\n[Board "1"]  \n[Deal "' + DEAL.to_pbn().encode() + b'"]\n\n\n'
    (tmp_path / "in.pbn").write_bytes(data)
    assert main(["convert", str(tmp_path / "in.pbn"), str(tmp_path / "out.pbn")]) == 0
    assert (tmp_path / "out.pbn").read_bytes() == data


def test_third_party_pbn_files_are_copied_byte_for_byte(tmp_path: Path) -> None:
    for source in sorted(shared_data("pbn_conformance").glob("*.pbn")):
        out = tmp_path / source.name
        assert main(["convert", str(source), str(out)]) == 0
        assert out.read_bytes() == source.read_bytes()


def test_standard_output_holds_nothing_but_the_file(
    night: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["convert", str(night), "-", "--to", "pbn"]) == 0
    assert capfdbinary.readouterr().out == night.read_bytes()


def test_one_board_can_be_taken_out(night: Path) -> None:
    out = night.with_name("one.pbn")
    assert main(["convert", str(night), str(out), "--board", "2"]) == 0
    assert [board.number for board in read_boards(out)] == [2]


def test_summary_has_the_promised_keys(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(night.with_name("out.json"))
    assert main(["convert", str(night), out, "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary == {"boards": 3, "problems": [], "format": "json", "out": out}


def test_problems_are_counted_and_the_first_few_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "bad.pbn"
    write_boards([Board.numbered(number, DEAL) for number in range(1, 9)], source)
    source.write_bytes(source.read_bytes().replace(b'[Vulnerable "', b'[Vulnerable "un'))
    assert main(["convert", str(source), str(tmp_path / "out.json"), "--json"]) == 0
    output = capsys.readouterr()
    assert output.err.startswith("setrograde: 8 problems in the input:\n")
    assert output.err.count("bad.pbn:") == 5
    assert "... and 3 more" in output.err
    assert len(json.loads(output.out)["problems"]) == 8


def test_strict_writes_nothing_when_the_input_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "bad.pbn"
    write_boards(BOARDS, source)
    source.write_bytes(source.read_bytes().replace(b'[Dealer "E"]', b'[Dealer "Q"]'))
    assert main(["convert", str(source), str(tmp_path / "out.lin"), "--strict"]) == 2
    assert "bad.pbn:" in capsys.readouterr().err
    assert not (tmp_path / "out.lin").exists()


def test_file_without_boards_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.pbn").write_text("; only a comment\n")
    assert main(["convert", str(tmp_path / "none.pbn"), str(tmp_path / "out.lin")]) == 2
    assert "no boards in" in capsys.readouterr().err


def test_auction_survives_the_way_through_all_rich_formats(tmp_path: Path) -> None:
    auction = Auction.from_text("1S Pass 4S X AP", dealer=Seat.NORTH)
    board = Board(1, Seat.NORTH, BOARDS[0].vulnerability, DEAL, auction, auction.contract)
    write_boards([board], tmp_path / "a.pbn")
    steps = ["a.pbn", "a.lin", "a.json", "b.pbn", "b.json"]
    for source, out in pairwise(steps):
        assert main(["convert", str(tmp_path / source), str(tmp_path / out)]) == 0
    last = read_boards(tmp_path / "b.json")[0]
    assert (last.deal, last.contract) == (DEAL, auction.contract)
    assert last.auction is not None
    assert last.auction.calls == auction.calls
