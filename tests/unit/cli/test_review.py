"""`setrograde review`, and what `setrograde show --par` adds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from setrograde.bridge import Auction, Board, Card, Contract, Deal, Play, Seat
from setrograde.cli.main import main
from setrograde.formats.files import parse_boards, write_boards

DEAL = Deal.from_pbn("N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86")
NAMES = ("Nora", "Edgar", "Sunniva", "Walter")


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.from_text(word) for word in text.split())


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """A board that stops short of game and ends in a claim, one passed out, one not played."""
    play = Play(DEAL.rotate(0), Contract.from_text("2NTN").strain, Seat.EAST, cards("HA H5 H2 H8"))
    boards = [
        replace(
            Board.numbered(1, DEAL),
            auction=Auction.from_text("1NT Pass 2NT AP", dealer=Seat.NORTH),
            contract=Contract.from_text("2NTN"),
            play=play.claim(9),
            tricks_declarer=9,
            players=NAMES,
        ),
        replace(
            Board.numbered(2, DEAL),
            auction=Auction.from_text("Pass Pass Pass Pass", dealer=Seat.EAST),
            contract=Contract.PASSED_OUT,
            players=NAMES,
        ),
        Board.numbered(3, DEAL),
        replace(Board.numbered(4), contract=Contract.from_text("3NTN"), tricks_declarer=9),
    ]
    path = tmp_path / "night.json"
    write_boards(boards, path)
    return path


def test_every_board_has_a_page_and_the_players_a_table(
    night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(night)]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    text = output.out
    assert "North: Pass, cost 250 points: 3NT by North (N-S +400) was still to be reached" in text
    assert "Contract: 2NT by North, worth 9 tricks double dummy: N-S +150, 250 points" in text
    assert "Claim with 48 cards left: 9 tricks for declarer, as double dummy" in text
    assert "Contract: passed out" in text
    assert "No contract is recorded, so there is no play to review." in text
    assert "Not reviewed: the hands are not recorded." in text
    assert text.count("-" * 60) == 4
    last = text.split("-" * 60)[-1]
    assert [name in last for name in NAMES] == [True] * 4


def test_boards_are_chosen_by_number(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(night), "--board", "1-2", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [board["board"] for board in data["boards"]] == [1, 2]
    assert data["schema"] == 1
    assert {player["player"] for player in data["players"]} == set(NAMES)


def test_player_is_chosen_by_name(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(night), "--player", "nora", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [board["board"] for board in data["boards"]] == [1, 2]
    assert [player["player"] for player in data["players"]] == ["Nora"]


def test_letters_replace_symbols_on_request(
    night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(night), "--ascii", "--board", "1"]) == 0
    assert capsys.readouterr().out.isascii()


def test_web_page_stands_alone(night: Path, tmp_path: Path) -> None:
    out = tmp_path / "night.html"
    assert main(["review", str(night), "--html", str(out)]) == 0
    page = out.read_text()
    assert page.startswith("<!doctype html>")
    assert "<b>Pass (-250)</b>" in page
    assert "What each player lost" in page


@pytest.mark.parametrize(
    ("options", "quoted"),
    [
        (["--player", "Zoe"], "no player 'Zoe' (expected one of Nora, Edgar, Sunniva"),
        (["--board", "1-x"], "'1-x' (expected like 3, or 1-8,12)"),
        (["--board", "77"], "no board 77"),
        (["--html", "no/such/folder/out.html"], "'no/such/folder/out.html'"),
        (["--html", "."], "'.'"),
        (["--html", "a.html", "--json"], "not allowed with"),
        (["--threads", "0"], "'0'"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(
    options: list[str], quoted: str, night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(night), *options]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("setrograde: ")
    assert output.err.count("\n") == 1
    assert quoted in output.err


def test_missing_file_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "missing.pbn"]) == 2
    assert capsys.readouterr().err == "setrograde: No such file or directory: 'missing.pbn'\n"


def test_impossible_card_is_reported_and_the_rest_reviewed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "revoke.pbn"
    path.write_text(
        f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{DEAL.to_pbn()}"]\n'
        '[Declarer "N"]\n[Contract "3NT"]\n[Result "9"]\n[Play "E"]\nHA H5 S3 H8\n'
        "HK H6 H3 H9\n*\n\n"
        f'[Board "2"]\n[Dealer "E"]\n[Vulnerable "NS"]\n[Deal "{DEAL.to_pbn()}"]\n'
        '[Declarer "N"]\n[Contract "3NT"]\n[Result "9"]\n'
    )
    assert main(["review", str(path)]) == 0
    output = capsys.readouterr()
    assert "'S3'" in output.err
    assert "Board 1," in output.out
    assert "Board 2," in output.out


def test_show_adds_table_par_and_comparison(
    night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(night), "--board", "1", "--par"]) == 0
    text = capsys.readouterr().out
    assert "North   9   9   7   8   9" in text
    assert "Par N-S +400: NS 3NT" in text
    assert (
        "Result: made with 1 overtrick (9 tricks): N-S +150,"
        " 250 points (6 IMPs) better than par for E-W" in text
    )


def test_show_keeps_par_in_json_and_on_the_page(
    night: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(night), "--board", "1", "--par", "--json"]) == 0
    (board,) = parse_boards(capsys.readouterr().out)
    assert board.table is not None
    assert board.tags == {"OptimumScore": "NS 400", "ParContract": "NS 3NT"}
    out = tmp_path / "show.html"
    assert main(["show", str(night), "--par", "--html", str(out)]) == 0
    assert "Par N-S +400: NS 3NT" in out.read_text()


def test_show_without_par_solves_nothing(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(night), "--board", "1"]) == 0
    assert "Par" not in capsys.readouterr().out
