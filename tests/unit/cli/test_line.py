"""`setrograde line`: answers as text and as JSON, and one line for bad input."""

from __future__ import annotations

import json

import pytest

from setrograde.cli.main import main

ENDING = ["--north", "AQ...", "--south", "32...", "--hidden", "KJT9...", "--strain", "NT"]


def test_line_is_printed_as_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["line", *ENDING, "--leader", "S", "--need", "2", "--ascii"]) == 0
    printed = capsys.readouterr().out
    assert "Chance of the best line: 50.00 %, exact (3 of 6 layouts)" in printed
    assert "- If West plays the SK: North plays the SA" in printed


def test_json_answers_for_what_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--declarer", "S", "--lead", "SJ", "--need", "2", "--west", "has SK", "--json"]
    assert main(["line", *ENDING, *words]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["probability"], found["exact"], found["card"]) == (1.0, True, "SQ")


def test_deal_gives_the_hands_and_the_unseen_cards(capsys: pytest.CaptureFixture[str]) -> None:
    deal = "N:AQ... K9... 32... JT..."
    assert main(["line", deal, "--strain", "NT", "--leader", "S", "--need", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["layouts"] == 6


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--north", "AQ..."], "no hands"),
        (["N:AQ... K9... 32... JT...", "--north", "AQ..."], "both a deal and hands"),
        ([*ENDING, "--need", "2"], "no declarer and no leader"),
        ([*ENDING, "--leader", "S", "--need", "2", "--lead", "S2", "--played", "S3"], "both"),
        ([*ENDING, "--leader", "S", "--need", "2", "--west", "many"], "many"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["line", *words]) == 2
    told = capsys.readouterr().err
    assert why in told and told.count("\n") == 1
