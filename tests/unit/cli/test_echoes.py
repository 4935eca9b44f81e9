"""Errors and warnings repeat what the user wrote, in one line that says what would be right."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from setrograde.bridge import HandConstraint, InvalidConstraint
from setrograde.cli.main import main
from setrograde.common.files import atomic_write, replacing
from setrograde.locations import level_path

DEAL = "N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86"
ODDS = ["odds", "--north", "AK32.AK.432.5432", "--south", "QJ4.432.AK5.AKQ6"]
SUIT = ["suit", "AQ32", "54"]


def error_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that a command prints about bad input."""
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("setrograde: ") and output.err.count("\n") == 1
    return output.err.removeprefix("setrograde: ").rstrip()


def test_the_bare_command_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("usage: setrograde")
    assert "review" in output.err


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            [*SUIT, "--entries", "x,y"],
            "not two numbers of entries: 'x,y' (expected like '1,2' or 'any,0')",
        ),
        (
            [*SUIT, "--quiz"],
            "both --quiz and a holding: 'AQ32' (expected --quiz alone, which deals holdings by"
            " itself, or the holdings without it)",
        ),
        (
            [*SUIT, "--entries", "1,y"],
            "not two numbers of entries: '1,y' (expected like '1,2' or 'any,0')",
        ),
        (
            [*SUIT, "--west-length", "x"],
            "not a range: 'x' (expected like '5', '4-6', '5+' or '3-')",
        ),
        (
            [*SUIT, "--goal", "imp", "--contract", "9Z"],
            "not a contract: '9Z' (expected like '4S', '3NTX' or 'Pass')",
        ),
        (
            [*ODDS, "--contract", "9Z"],
            "not a contract: '9Z' (expected like '4S', '3NTX' or 'Pass')",
        ),
        (
            [*ODDS, "--contract", "3NTS", "--west", "5 hearts, 0-2 hearts"],
            "'5 hearts' and '0-2 hearts' contradict each other"
            " (expected terms that one hand can meet)",
        ),
        (
            [*ODDS, "--contract", "3NTS", "--west", "has SA"],
            "West cannot hold SA: North has it",
        ),
        (
            [*ODDS, "--contract", "3NTS", "--west", "has SA HA"],
            "West cannot hold SA, HA: North has them",
        ),
        (
            [*ODDS, "--contract", "3NTS", "--west", "has HQ, not HQ"],
            "West both holds and does not hold HQ",
        ),
        (
            ["odds", "--lead-from", "AK32.AK.432.543", "--contract", "3NTS"],
            "West has 12 cards: 'AK32.AK.432.543'"
            " (expected 13; for an ending, name the hidden cards too)",
        ),
        (
            ["game", "probe", "tic-tac-toe", "3x3", "--board", "xxx/xxx/..."],
            "not a board that was solved: 'xxxxxx...' with the first player to move"
            " (expected one of 2,739)",
        ),
    ],
)
def test_errors_repeat_what_was_written(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert error_of(arguments, capsys).partition(" (try '")[0].endswith(line)


def test_a_board_of_the_other_player_is_told_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SETROGRADE_HOME", str(tmp_path))
    assert main(["game", "solve", "tic-tac-toe", "3x3"]) == 0
    capsys.readouterr()
    probe = ["game", "probe", "tic-tac-toe", "3x3", "--board", "x........"]
    assert error_of(probe, capsys).endswith("(expected one of 2,739, or player 2 to move)")
    assert main([*probe, "--player", "2"]) == 0


def test_an_unknown_option_hints_at_the_command_and_the_option_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert error_of([*SUIT, "--enties", "1,0"], capsys) == (
        "unrecognized arguments: --enties 1,0; did you mean --entries?"
        " (try 'setrograde suit --help')"
    )
    assert error_of(["db", "info", "--Bogus=3", "x"], capsys) == (
        "unrecognized arguments: --Bogus=3 x (try 'setrograde db info --help')"
    )


@pytest.mark.parametrize("contract", ["4S", "3N", "3NT", "4SX", "5CXXE", "3NT by North"])
def test_a_contract_needs_no_declarer_in_one_suit(
    contract: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SUIT, "--goal", "imp", "--contract", contract]) == 0
    assert "IMPs" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [["convert", DEAL], ["show", DEAL, "--svg"], ["table", DEAL, "--write"]]
)
def test_an_unwritable_output_has_its_own_name(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = "/proc/out.svg" if "--svg" in arguments else "/proc/out.pbn"
    if not Path("/proc").is_dir():
        pytest.skip("there is no folder /proc, into which nobody can write")
    assert main([*arguments, out]) == 2
    assert capsys.readouterr().err == f"setrograde: No such file or directory: {out!r}\n"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the folder is writable")
def test_an_unwritable_folder_is_found_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(0o500)
    out = str(tmp_path / "out.pbn")
    assert main(["table", DEAL, "--write", out]) == 2
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", f"setrograde: Permission denied: {out!r}\n")


def test_a_file_that_cannot_be_replaced_has_its_own_name(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    with pytest.raises(IsADirectoryError) as caught, replacing(target):
        target.mkdir()
    assert (caught.value.filename, caught.value.filename2) == (str(target), None)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    nowhere = tmp_path / "no/such/folder.txt"
    with pytest.raises(FileNotFoundError) as missing:
        atomic_write(nowhere, b"new")
    assert missing.value.filename == str(nowhere)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("hcp 15+, balanced, hcp 8-", "'hcp 15+' and 'hcp 8-'"),
        ("controls 4+, hcp 12+, 2- controls", "'controls 4+' and '2- controls'"),
        ("spades 4-6, spades 5+, ♠ 7", "'spades 4-6' and '♠ 7'"),
    ],
)
def test_contradicting_terms_are_named(text: str, terms: str) -> None:
    with pytest.raises(InvalidConstraint, match=f"^{terms.replace('+', '[+]')} contradict each"):
        HandConstraint.from_text(text)


def test_a_term_may_say_that_nothing_is_allowed() -> None:
    assert HandConstraint.from_text("hearts none, hearts 5+").is_impossible
    both = HandConstraint.from_text("hearts 5") & HandConstraint.from_text("hearts 2-")
    assert HandConstraint.from_text(str(both)) == both


def test_warnings_are_one_line_without_source(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def warned(*_: object, **__: object) -> int:
        warnings.warn("'12.thresholds' is\ndamaged; solving without it", stacklevel=1)
        return 0

    monkeypatch.setattr("setrograde.cli.show.run", warned)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        before = warnings.showwarning
        assert main(["show", DEAL]) == 0
        assert warnings.showwarning is before
    line = "setrograde: warning: '12.thresholds' is damaged; solving without it\n"
    assert capsys.readouterr().err == line


def test_a_damaged_database_is_one_line(tmp_path: Path) -> None:
    path = level_path(3, tmp_path, method="thresholds")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database")
    deal = "N:A2... K3... Q4... J5..."
    command = [sys.executable, "-m", "setrograde.cli", "solve", deal, "--strain", "NT"]
    found = subprocess.run(
        [*command, "--leader", "N"],
        capture_output=True,
        text=True,
        env={**os.environ, "SETROGRADE_HOME": str(tmp_path)},
    )
    assert found.returncode == 0
    assert found.stderr.startswith("setrograde: warning: ")
    assert found.stderr.count("\n") == 1
    assert ".py" not in found.stderr
