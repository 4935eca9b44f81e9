"""`setrograde suit` and `setrograde finesse`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from setrograde.analysis.suit import goal_search as suit_search
from setrograde.analysis.suit import rivals as suit_rivals
from setrograde.cli.main import main


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--json"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def test_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "suit", "AQT98", "5432", "--goal", "tricks,mp,imp", "--need", "4")
    assert [(best["goal"], best["need"]) for best in result["best"]] == [
        ("tricks", 4),
        ("mp", None),
        ("imp", 4),
    ]
    assert result["best"][0]["value"] == pytest.approx(0.8278, abs=1e-4)
    assert result["best"][0]["line"].startswith("Lead low from South to the ace")
    assert sum(layout["probability"] for layout in result["layouts"]) == pytest.approx(1)
    assert len(result["best"][0]["tricks"]) == len(result["layouts"])


def test_every_number_of_tricks_is_told_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suit", "AQ2", "543"]) == 0
    text = capsys.readouterr().out
    assert "3 tricks: 0.00 %\n\n2 tricks: 50.48 %\n" in text
    assert "lead low from South to the queen (if West plays the king, play the ace)" in text


def test_a_goal_without_a_best_line_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suit", "AJ98", "K32", "--goal", "mp"]) == 0
    assert "matchpoints: no best line: each is beaten by another" in capsys.readouterr().out


def test_a_suit_with_too_many_lines_has_its_best_lines(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "suit", "K5", "QT83", "--need", "2", "--goal", "tricks,average,mp")
    assert result["lines"] is None
    assert [best["proven"] for best in result["best"]] == [True] * 3
    assert result["best"][0]["value"] == pytest.approx(0.6938, abs=1e-4)
    assert result["best"][1]["value"] == pytest.approx(1.7576, abs=1e-4)
    assert all(best["line"] for best in result["best"])


def test_what_is_not_proven_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suit_search, "_WORK", 1)
    monkeypatch.setattr(suit_rivals, "_WORK", 1)
    assert main(["suit", "K5", "QT83", "--need", "2", "--goal", "tricks,average,mp"]) == 0
    text = capsys.readouterr().out
    assert "too many lines to list" in text
    assert text.count("(not proven to be best; no line exceeds ") == 2
    assert "matchpoints: not settled, because the suit has too many lines" in text


def test_finesse_and_drop_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suit", "AKJ2", "T543", "--need", "4", "--compare"]) == 0
    text = capsys.readouterr().out
    assert "The finesse wins more tricks in 20.35 % of deals (West — East): Qxx — xx" in text
    assert "The drop wins more tricks in 16.39 % of deals" in text
    result = answer(capsys, "suit", "AKJ2", "T543", "--compare")
    assert set(result["compared"]) == {"finesse", "drop"}


def test_what_is_known_changes_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "suit", "AQ", "32", "--need", "2", "--west-has", "K")
    assert result["best"][0]["value"] == 1
    result = answer(capsys, "suit", "AQ", "32", "--need", "2", "--vacant", "13,6")
    assert result["best"][0]["exact"] == "13/19"
    result = answer(capsys, "suit", "AQ", "32", "--need", "2", "--entries", "any,0", "--lead", "N")
    assert result["best"][0]["value"] < 0.01
    result = answer(capsys, "suit", "AKQ2", "543", "--need", "4", "--west-length", "3")
    assert result["best"][0]["value"] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["AKK", "2"], "card twice: 'K' in 'AKK'"),
        (["AKQJT98", "xxxxxxx"], "14 cards"),
        (["AQ"], "two holdings are needed"),
        (["AQ", "32", "--need", "5"], "not a number of tricks: 5"),
        (["AQ", "32", "--goal", "fun"], "no such goal: 'fun'"),
        (["AQ", "32", "--vacant", "8"], "not two numbers of vacant places: '8'"),
        (["AQ", "32", "--entries", "1"], "not two numbers of entries: '1'"),
        (["AQ", "32", "--entries", "1,99"], "not a number of entries: 99"),
        (["AQ", "32", "--lead", "E"], "not declarer's hand: E"),
        (["AQ", "32", "--west-has", "A"], "not outstanding: 'A'"),
        (["AQ", "32", "--contract", "9NT", "--goal", "imp"], "9NT"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["suit", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("setrograde: ")
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_the_quiz_judges_answers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    question = answer(capsys, "suit", "--quiz", "--seed", "3")
    plays = [play["play"] for play in question["plays"]]
    letter = "abcdef"[plays.index(question["best"])]
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"z\n{letter}\nq\n"))
    assert main(["suit", "--quiz", "--seed", "3"]) == 0
    text = capsys.readouterr().out
    assert "not a choice: 'z'" in text
    assert "Right: " in text
    assert text.endswith("1 of 1 right\n")


def test_the_quiz_ends_with_its_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main(["suit", "--quiz", "--seed", "1"]) == 0
    assert "0 of 0 right" in capsys.readouterr().out


def test_finesse_shows_classes_trees_and_odds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["finesse", "32", "AQ", "--outstanding", "K654"]) == 0
    text = capsys.readouterr().out
    assert "T  top       A  (N -, S A)" in text
    assert "simple finesse, N leads" in text
    assert "├─ E plays L_EW: S plays F_S" in text
    assert "4 over cards, 2 over classes" in text


def test_finesse_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "finesse", "QJ2", "A43")
    assert result["classes"]["C"]["cards"] == "K"
    assert result["finesses"][0]["kind"] == "high card"
    assert result["finesses"][0]["onside"] == pytest.approx(0.5)


def test_finesses_that_do_not_apply_say_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["finesse", "AK", "32"]) == 0
    assert "no finesse applies" in capsys.readouterr().out
    assert main(["finesse", "AK", "32", "--all"]) == 0
    assert "(not met)" in capsys.readouterr().out
    assert main(["finesse", "AKQ", "-", "--svg", "-"]) == 2


def test_a_tree_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "tree.svg"
    assert main(["finesse", "432", "AQ5", "--svg", str(path)]) == 0
    assert path.read_text("utf-8").startswith("<svg ")
