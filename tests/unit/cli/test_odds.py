"""`setrograde odds`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from setrograde.cli.main import main

ENDING = ["odds", "--north", "AQT.AK..2", "--south", "432.32..3", "--hidden", "KJ98.QJT9..AKQJ"]
NOTRUMP = [*ENDING, "--strain", "NT", "--declarer", "S"]
SEEN = "If everyone sees all cards (double dummy)"
FULL = ["odds", "--north", "AKQ2.T98.A76.K54", "--south", "876.765.KQJ.QJT9"]


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--json"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, *NOTRUMP)
    assert result["layouts"] == 924
    assert result["exact"] is True
    assert result["distribution"] == {"2": 28, "3": 739, "4": 157}
    assert result["probability"] is None
    assert result["bounds"] is None
    assert result["average"] == pytest.approx(2901 / 924)
    assert result["explained"] == 4
    assert sum(case["lies"] for case in result["sets"]) >= 924


def test_threshold_gives_the_chance_and_its_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, *NOTRUMP, "--need", "4")
    assert result["probability"] == pytest.approx(157 / 924)
    assert result["bounds"] == [result["probability"]] * 2
    assert result["distribution"] is None
    assert result["at_least"] == {"4": [157, 157]}
    assert {"conditions", "lies", "makes", "share"} <= set(result["sets"][0])


def test_text_tells_the_chance_the_count_and_the_reasons(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = printed(capsys, *NOTRUMP, "--need", "4")
    assert text.startswith(f"{SEEN}: notrump by South, 924 layouts of the unseen cards\n\n")
    assert "4 or more tricks: 16.99 %, exact (157 of 924 layouts)" in text
    assert "What decides it:\n" in text
    assert "♠K singleton" in text
    assert "What decides" not in printed(capsys, *NOTRUMP, "--need", "4", "--no-words")


def test_text_of_a_distribution_has_bars(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, *NOTRUMP)
    assert "Tricks, exact; 3.1396 on average\n" in text
    assert " 3   79.98 %  █████" in text
    assert "Why 4 tricks:\n" in text
    plain = printed(capsys, *NOTRUMP, "--ascii")
    assert "#####" in plain
    assert not set(plain) & set("♠♥♦♣█")


def test_contract_says_strain_declarer_and_need_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, *FULL, "--contract", "1NTS", "--time", "0.5", "--no-words")
    assert (result["strain"], result["declarer"], result["need"]) == ("NT", "S", 7)
    assert result["layouts"] == 10_400_600


def test_constraints_and_leads_change_the_layouts(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, *NOTRUMP, "--west", "has SK")["layouts"] == 462
    assert answer(capsys, *NOTRUMP, "--west", "hcp 5-9, spades 2+")["layouts"] < 924
    assert answer(capsys, *NOTRUMP, "--lead", "CA")["layouts"] == 462
    result = answer(capsys, *NOTRUMP, "--played", "CA C2 S8 C3")
    assert result["played"] == ["CA", "C2", "S8", "C3"]
    assert result["layouts"] == 21


def test_east_and_west_may_be_the_hands_that_are_seen(capsys: pytest.CaptureFixture[str]) -> None:
    turned = ["odds", "--east", "AQT.AK..2", "--west", "432.32..3", "--hidden", ENDING[-1]]
    result = answer(capsys, *turned, "--strain", "NT", "--declarer", "W", "--south", "any")
    assert result["distribution"] == {"2": 28, "3": 739, "4": 157}


def test_table_lists_strains_and_declarers(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, *ENDING, "--table")
    assert text.startswith(f"{SEEN}: exact, over all 924 layouts\n")
    assert len(text.splitlines()) == 12
    assert len(answer(capsys, *ENDING, "--table")["contracts"]) == 10


def test_contracts_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, *ENDING, "--compare", "1NTS 1NTN Pass")
    assert "best at IMPs: Pass" in text
    result = answer(capsys, *ENDING, "--compare", "1NTS,Pass", "--vul", "all")
    assert result["exact"] is True
    assert [each["contract"] for each in result["contracts"]] == ["1NTS", "Pass"]
    assert result["best"]["imps"] == "Pass"


def test_leads_are_ranked(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["odds", "--lead-from", "KJ.2..", "--contract", "1NTS", "--dummy", "AQ.A.."]
    result = answer(capsys, *words, "--hidden", "T98.543..")
    assert result["exact"] is True
    assert result["leads"][0]["card"] == "H2"
    assert "♥2    100.0 %" in printed(capsys, *words, "--hidden", "T98.543..")
    sampled = ["odds", "--lead-from", "KJ83.94.QT62.875", "--contract", "3NTS", "--samples", "3"]
    result = answer(capsys, *sampled, "--south", "hcp 15-17")
    assert result["exact"] is False
    assert result["samples"] == 3
    assert result["leads"][0]["tricks"]["stderr"] is not None


def test_picture_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odds.svg"
    printed(capsys, *NOTRUMP, "--svg", str(path))
    assert path.read_text("utf-8").startswith("<svg ")


def test_updates_are_listed_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*NOTRUMP, "--need", "4", "--samples", "50", "--updates"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert "estimate" in lines[0]
    assert "proved 0.0 to 100.0 %" in lines[0]
    assert lines[-1].endswith("exact 16.99 %")


def test_stopping_early_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*FULL, "--contract", "3NTS", "--within", "40%", "--samples", "30", "--no-words"]
    text = printed(capsys, *words)
    assert "Stopped: known closely enough. Not exact:" in text
    assert "9 or more tricks: proved " in text
    assert "estimated about " in text
    assert "layouts sampled)" in text
    hard = ["odds", "--north", "AT984.J94.AQ2.62", "--south", "K5.KQ3.T963.A973"]
    result = answer(capsys, *hard, "--contract", "2NTS", "--time", "0.1", "--samples", "1")
    assert result["exact"] is False
    assert result["stopped"] == "time"
    assert result["estimate"]["samples"] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--north", "AQ..."], "hands given for North (expected two partners'"),
        (["--north", "AQ...", "--east", "32..."], "hands given for North, East"),
        (["--north", "AQ...", "--south", "A2..."], "card twice: 'SA' is with North and South"),
        (["--north", "AQ...", "--south", "2..."], "North has 2 cards and South has 1 card"),
        (["--north", "AQ...", "--south", "32..."], "48 cards hidden beside hands of 2"),
        (["--north", "AQ..", "--south", "32..."], "not a hand: 'AQ..'"),
    ],
)
def test_bad_hands_are_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", *words, "--strain", "NT", "--declarer", "S"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--west", "has SA"], "West cannot hold SA"),
        (["--west", "hcp 30+"], "no layout fits 'W: hcp 30+'"),
        (["--west", "spades few"], "not a range: 'few' in 'spades few'"),
        (["--west", "tall"], "not a term: 'tall'"),
        (["--need", "9"], "not a number of tricks: 9 (expected 0 to 6)"),
        (["--lead", "S1"], "not a card: 'S1'"),
        (["--lead", "SA"], "illegal card: 'SA' by West as card 1"),
        (["--lead", "SK", "--played", "SK"], "both --lead and --played"),
        (["--contract", "1NTS"], "both --contract and --strain (expected one of them)"),
        (["--within", "none"], "'none' (expected a share, like 0.5%)"),
        (["--within", "100%"], "'100%' (expected less than 100 %)"),
        (["--time", "0"], "'0' (expected a number of seconds, like 10)"),
        (["--compare", ""], "no contracts to compare"),
    ],
)
def test_bad_questions_are_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*NOTRUMP, *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (ENDING, "no contract (expected --strain and --declarer, or --contract)"),
        ([*ENDING, "--contract", "Pass"], "the board is passed out"),
        ([*ENDING, "--compare", "9NTS"], "not a contract: '9NTS'"),
        ([*ENDING, "--contract", "4S"], "no declarer in '4S'"),
        (
            [*ENDING, "--contract", "1NTS"],
            "the level of 1NTS counts 13 tricks, and this ending has 6 (expected need: the tricks"
            " declarer needs of these)",
        ),
        (["odds", "--lead-from", "A..."], "no contract to lead against"),
        (
            ["odds", "--lead-from", "A...", "--contract", "1NTS", "--north", "K..."],
            "a hand in --north beside --lead-from",
        ),
    ],
)
def test_missing_contracts_are_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a signal")
def test_interrupting_prints_what_is_known() -> None:
    words = [*FULL, "--strain", "NT", "--declarer", "S", "--samples", "20", "--updates"]
    command = [sys.executable, "-m", "setrograde.cli", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        timer = threading.Timer(60, process.kill)
        timer.start()
        assert "estimate" in process.stderr.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate()
        timer.cancel()
    assert process.returncode == 130
    assert "Stopped by Ctrl-C. Not exact:" in out
    assert "Estimated from 20 layouts" in out
    assert error.splitlines()[-1] == "setrograde: interrupted"


LEADS = ["odds", "--lead-from", "KJ.2..", "--dummy", "AQ.A..", "--hidden", "T98.543.."]


@pytest.mark.parametrize(
    "words",
    [
        [*NOTRUMP, "--need", "4"],
        NOTRUMP,
        [*ENDING, "--table"],
        [*ENDING, "--compare", "1NTS Pass"],
        [*LEADS, "--contract", "1NTS"],
    ],
)
def test_every_answer_begins_with_what_it_is(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(capsys, *words).startswith("If everyone sees all cards (double dummy): ")
    result = answer(capsys, *words)
    assert next(iter(result.items())) == ("kind", "double dummy")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*ENDING, "--table", "--compare", "1NTS"], "both --table and --compare"),
        ([*NOTRUMP, "--table"], "both --table and --strain (expected one of them)"),
        ([*ENDING, "--table", "--within", "1%"], "--within (expected --samples or --time)"),
        ([*ENDING, "--table", "--need", "4"], "both --table and --need"),
        ([*ENDING, "--table", "--svg", "a.svg"], "expected a question about one contract"),
        ([*ENDING, "--table", "--exact", "--samples", "9"], "both --exact and --samples"),
        ([*NOTRUMP, "--exact"], "--exact without --table (expected both or neither)"),
        ([*NOTRUMP, "--vul", "all"], "--vul without --compare"),
        ([*NOTRUMP, "--dummy", "A..."], "--dummy without --lead-from"),
        ([*ENDING, "--compare", "1NTS", "--method", "classes"], "both --compare and --method"),
        ([*LEADS, "--contract", "1NTS", "--played", "H2"], "both --lead-from and --played"),
        ([*FULL, "--contract", "4SS", "--declarer", "N"], "declarer N beside the contract 4SS"),
        ([*FULL, "--contract", "4SS", "--need", "9"], "need 9 beside the contract 4SS"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [["4SS"], ["4S", "--declarer", "S"], ["S 4S"], ["4S by South"], ["4♠ S"], ["south: 4s"]],
)
def test_contracts_are_written_in_many_ways(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--no-words", "--samples", "2", "--time", "0.05"]
    result = answer(capsys, *FULL, *options, "--contract", *words)
    assert (result["strain"], result["declarer"], result["need"]) == ("S", "S", 10)


def test_notrump_may_be_written_with_one_letter(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("3N", "3NT", "3ntn"):
        words = ["--contract", text, "--declarer", "N", "--samples", "2", "--time", "0.05"]
        result = answer(capsys, *FULL, *words, "--no-words")
        assert (result["strain"], result["declarer"], result["need"]) == ("NT", "N", 9)


def test_compared_contracts_take_a_declarer_too(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, *ENDING, "--compare", "1NT N 1S, 2H by N, pass", "--declarer", "S")
    named = [each["contract"] for each in result["contracts"]]
    assert named == ["1NTS", "1SN", "2HN", "Pass"]


def test_endings_say_what_a_level_means(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, *ENDING, "--compare", "1NTS Pass")
    assert "An ending of 6 tricks: declarer is scored as if he had lost the other 7." in text
    text = printed(capsys, *LEADS, "--contract", "1NTS")
    assert "An ending of 3 tricks: declarer needs 3 of them." in text


@pytest.mark.parametrize("place", ["missing/a.svg", "."])
def test_a_picture_that_cannot_be_written_is_found_before_the_work(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*args: object, **options: object) -> None:
        raise AssertionError("the work began")

    monkeypatch.setattr("setrograde.cli.odds.command.odds_stream", work)
    assert main([*NOTRUMP, "--svg", str(tmp_path / place)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("setrograde: cannot write ")
    assert error.count("\n") == 1


def test_the_answer_is_printed_even_if_the_picture_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: str, data: bytes) -> None:
        raise OSError(28, "No space left on device", path)

    monkeypatch.setattr("setrograde.cli.odds.command.write_output", fail)
    assert main([*NOTRUMP, "--svg", str(tmp_path / "a.svg")]) == 2
    shown = capsys.readouterr()
    assert "3.1396 on average" in shown.out
    assert "setrograde: the picture is not written: " in shown.err
    assert "No space left" in shown.err


def test_a_picture_of_one_number_of_tricks_has_two_bars(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odds.svg"
    printed(capsys, *NOTRUMP, "--need", "4", "--svg", str(path))
    picture = path.read_text("utf-8")
    assert picture.count("<rect") == 2
    assert ">4+</text>" in picture
    assert ">17.0</text>" in picture


MODES = [
    [*FULL, "--table", "--samples", "100000"],
    [*FULL, "--compare", "3NTS 1NTN Pass", "--samples", "100000"],
    ["odds", "--lead-from", "KJ83.94.QT62.875", "--contract", "3NTS", "--samples", "100000"],
]


@pytest.mark.parametrize("words", MODES)
def test_time_ends_every_kind_of_question(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    begun = time.monotonic()
    result = answer(capsys, *words, "--time", "0.3")
    assert time.monotonic() - begun < 20
    assert result["stopped"] == "time"
    assert not result.get("exact")
    assert "Stopped: the time is up." in printed(capsys, *words, "--time", "0.1")


def test_time_ends_an_exact_table(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, *FULL, "--table", "--exact", "--time", "0.01")
    assert "Stopped: the time is up." in text


@pytest.mark.parametrize("words", MODES)
def test_updates_tell_the_progress_of_every_kind_of_question(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words[:-1], "6", "--updates"]) == 0
    last = capsys.readouterr().err.splitlines()[-1]
    done, of, total, what = last.split("s  ")[1].split()
    assert (done, of) == (total, "of")
    assert what in ("layouts", "deals")


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a signal")
@pytest.mark.parametrize("words", MODES)
def test_interrupting_any_kind_of_question_prints_what_is_known(words: list[str]) -> None:
    command = [sys.executable, "-m", "setrograde.cli", *words[:-1], "2000", "--updates"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        timer = threading.Timer(60, process.kill)
        timer.start()
        assert " of " in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, error = process.communicate()
        timer.cancel()
    assert process.returncode == 130
    assert "Stopped by Ctrl-C." in out
    assert error.splitlines()[-1] == "setrograde: interrupted"
