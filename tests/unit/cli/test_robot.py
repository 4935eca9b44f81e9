"""`setrograde robot` and `setrograde match`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from setrograde.bridge import Board, Deal
from setrograde.cli.main import main
from setrograde.formats.files import write_boards

DEAL = "N:T43..6. K95..3. AQ2..4. ..5.AKQ"
FULL = "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
PLAYED = "D5 D6 D3 D4 ST S5 S2 CQ S3 S9"


def test_the_card_has_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["robot", "card", DEAL, "--contract", "1NTS", "--played", PLAYED]
    assert main([*words, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["choice"] == "SQ"
    assert {"action", "value", "stderr", "why"} <= record["candidates"][0].keys()
    assert main(words) == 0
    assert "South plays SQ" in capsys.readouterr().out


def test_the_recorded_play_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = Board(1, "N", "none", Deal(FULL), contract="3NTN", play="HA H5 H2 H8 HK")
    path = str(tmp_path / "a.pbn")
    write_boards([board], path)
    assert main(["robot", "card", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seat"] == "S"
    assert main(["robot", "card", path, "--played", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seat"] == "N"
    assert main(["robot", "card", path, "--played", "9"]) == 2
    assert "not so many cards: '9'" in capsys.readouterr().err


def test_another_seat_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["robot", "card", DEAL, "--contract", "1NTS", "--played", PLAYED, "--seat", "W"]
    assert main(words) == 2
    assert "whose cards are not seen" in capsys.readouterr().err


def test_the_lead_is_one_of_the_hand(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["robot", "lead", FULL, "--contract", "3NTN", "--goal", "tricks", "--json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["seat"] == "E"


def test_a_claim_is_proved_or_not_made(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["robot", "claim", DEAL, "--contract", "1NTS", "--played", PLAYED]
    assert main([*words, "--json"]) == 0
    claim = json.loads(capsys.readouterr().out)
    assert (claim["choice"], claim["all"]) == (4, True)
    assert main(["robot", "claim", FULL, "--contract", "3NTN", "--played", "HA"]) == 1
    assert "more than 4096 layouts" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["robot", "card", DEAL], "no contract on the board (expected --contract, like 3NTS)"),
        (["robot", "lead", FULL, "--contract", "3NTN", "--time", "0"], "expected seconds"),
        (["robot", "claim", FULL, "--contract", "3NTN"], "no card was played"),
        (["match", "robot", "random", "--play-only"], "not a robot: 'robot'"),
        (["match", "random", "random", "--boards", "1"], "--play-only"),
        (["match", "random:worlds=3", "random", "--play-only"], "not an option of random"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_match_is_reproducible_and_resumes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "match.jsonl"
    words = ["match", "double-dummy", "random", "--play-only", "--losses", "--json"]
    assert main([*words, "--boards", "3", "--record", str(record)]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert whole["boards"] == 3
    assert whole["lost"]["a"]["declarer"] == 0
    lines = record.read_text().splitlines()
    record.write_text("\n".join(lines[:2]) + "\n" + lines[2][:50])
    assert main([*words, "--boards", "3", "--record", str(record)]) == 0
    again = json.loads(capsys.readouterr().out)
    assert [row["imps"] for row in again["results"]] == [row["imps"] for row in whole["results"]]
    assert len(record.read_text().splitlines()) == 4
    assert main([*words, "--boards", "3", "--seed", "2", "--record", str(record)]) == 2
    assert "is of another match" in capsys.readouterr().err
