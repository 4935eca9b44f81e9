"""`setrograde deal`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from setrograde.analysis.deal import run_script
from setrograde.bridge import Deal
from setrograde.cli.main import main
from setrograde.formats.files import FORMATS, read_boards

HANDS = ["--north", "hcp 15-17, balanced", "--south", "AKxxx.+.+.+"]


def test_deals_are_printed_one_in_each_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", *HANDS, "--count", "5", "--seed", "3"]) == 0
    lines = capsys.readouterr().out.split("\n")
    deals = [Deal.from_pbn(line) for line in lines if line]
    assert len(deals) == 5
    assert all(15 <= deal["N"].hcp <= 17 and deal["N"].is_balanced for deal in deals)
    assert all(deal["S"].spades.startswith("AK") and len(deal["S"].spades) == 5 for deal in deals)


def test_the_same_seed_deals_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for seed in ("3", "3", "4"):
        assert main(["deal", *HANDS, "--seed", seed]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != printed[2]


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_can_be_written(
    format: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deals.txt"
    assert main(["deal", "--count", "2", "--to", format, "-o", str(path)]) == 0
    assert capsys.readouterr().out == "2 deals, seed 1\n"
    assert main(["deal", "--count", "2"]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert [board.deal for board in read_boards(path, format=format).boards] == [
        Deal.from_pbn(line) for line in lines if line
    ]


def test_json_has_the_keys_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", *HANDS, "--count", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["deals"]) == 2
    assert found["acceptance"] == 1
    assert found["effective"] == 2
    assert 0 < found["probability"] < 0.01


def test_why_names_the_condition_that_costs_most(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", "--north", "hcp 20+, spades 3+", "--ns", "hcp 25+", "--why"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("N: hcp 20+")
    assert main(["deal", "--north", "hcp 20+, spades 3+", "--why", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["condition"] for each in found["conditions"]] == ["N: hcp 20+", "N: spades 3+"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--north", "hcp 21+", "--south", "hcp 20+"],
            "no deal fits 'N: hcp 21+' and 'S: hcp 20+'",
        ),
        (["--north", "A...", "--south", "A..."], "no deal fits"),
        (["--north", "hcp many"], "not a range"),
        (["--ns", "balanced"], "several hands"),
        (["-o", "deals.doc"], "no format"),
        (["-o", "deals.pbn", "--to", "lin"], "does not end as lin does"),
        (["script.dl", "--north", "hcp 12+"], "--north with the script 'script.dl'"),
        (["no_such_script.dl"], "No such file or directory: 'no_such_script.dl'"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deal", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


SCRIPT = """
produce 3
condition hcp(north) >= 20 && hcp(north) > hcp(east) + 3
action printoneline, average "points" hcp(north)
"""


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "strong.dl"
    path.write_text(SCRIPT, "utf-8")
    return str(path)


def test_a_script_prints_what_its_actions_say(
    script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deal", script, "--seed", "1"]) == 0
    printed = capsys.readouterr()
    assert printed.out == run_script(SCRIPT, seed=1).text
    assert printed.err == ""
    assert main(["deal", script]) == 0  # the seed is 1 unless the script or the user says otherwise
    assert capsys.readouterr().out == printed.out


@pytest.mark.parametrize("format", FORMATS)
def test_the_deals_of_a_script_can_be_written_in_every_format(
    format: str, script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deals.txt"
    assert main(["deal", script, "--count", "2", "--to", format, "-o", str(path)]) == 0
    found = [board.deal for board in read_boards(path, format=format).boards]
    assert found == run_script(SCRIPT, count=2, seed=1).deals
    assert "Produced 2 hands\n" in capsys.readouterr().out


def test_a_script_as_json_and_its_reasons(script: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", script, "--json", "--count", "2"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (len(found["deals"]), found["effective"]) == (2, 2)
    assert 0 < found["acceptance"] <= 1
    assert found["statistics"][0]["label"] == "points"
    assert main(["deal", script, "--why"]) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("hcp(north) >= 20")
    assert main(["deal", script, "--why", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["conditions"][1]["alone"] is None


def test_a_script_with_a_mistake_names_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.dl"
    path.write_text("produce 2\ncondition hcp(nobody) > 3\n", "utf-8")
    assert main(["deal", str(path)]) == 2
    assert f"{path}:2:15: not a player: found 'nobody'" in capsys.readouterr().err


RUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
from setrograde.cli.main import main
sys.exit(main())
"""


@pytest.mark.parametrize("words", [["--count", "10000000"], ["forever.dl"]])
def test_ctrl_c_ends_it_within_a_second(words: list[str], tmp_path: Path) -> None:
    script = tmp_path / "forever.dl"
    script.write_text("generate 2000000000 condition hcp(north) > hcp(east) + 40", "utf-8")
    command = [sys.executable, "-c", RUN, "deal", *words]
    work = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    time.sleep(1.5)
    assert work.poll() is None, "done before it was stopped"
    start = time.monotonic()
    work.send_signal(signal.SIGINT)
    _, error = work.communicate(timeout=30)
    assert time.monotonic() - start < 1
    assert work.returncode == 130
    assert "Traceback" not in error
