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
    assert "The drop wins more tricks in 13.57 % of deals (West — East): xxx — Qx" in text
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
    letter = "abcdefgh"[plays.index(question["best"])]
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


def test_finesse_names_lines_in_words_with_exact_chances(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["finesse", "KJT", "432"]) == 0
    text = capsys.readouterr().out
    assert "\nBest: the repeated simple finesse of the jack\n" in text
    assert "repeated simple finesse of the jack   50.00 %    1.500\n" in text
    assert "Lead low from South to the jack; if West plays the queen, beat" in text
    assert "F_N" not in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_finesse_says_where_the_best_line_is_better(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["finesse", "AQT98", "5432", "--need", "4"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    gap = "For 4 tricks the best line of all has a chance of 82.78 %, 4.78 points more than the"
    assert gap in text
    assert "It leads low from South to the ace, and then goes by the cards seen." in text
    assert main(["finesse", "AQT98", "5432", "--need", "6"]) == 2
    assert "not a number of tricks: 6" in capsys.readouterr().err


def test_finesse_shows_the_papers_notation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["finesse", "32", "AQ", "--outstanding", "K654", "--paper"]) == 0
    text = capsys.readouterr().out
    assert "T  top       A  (N -, S A)" in text
    assert "simple finesse of one trick, N leads" in text
    assert "├─ E plays L_EW: S plays F_S" in text
    assert "all of C with E (50.00 %): S wins the trick" in text
    assert "4 over cards, 2 over classes" in text


def test_classes_are_formed_anew_after_each_trick(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["finesse", "AKJ32", "7654", "--paper"]) == 0
    text = capsys.readouterr().out
    assert "trick 1: T AK, F J, C Q, L T98765432\n    N plays T_N\n" in text
    assert "trick 2: T K, F J, C Q, L T76532\n    S plays L_S\n" in text


def test_finesse_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "finesse", "QJ2", "A43")
    assert result["classes"]["C"]["cards"] == "K"
    assert result["finesses"][0]["kind"] == "high card"
    assert result["finesses"][0]["onside"] == pytest.approx(0.5)
    result = answer(capsys, "finesse", "AQT9", "5432")
    best = result["lines"][0]
    assert (best["name"], best["kind"], best["leader"]) == (
        "double finesse of the ten",
        "double",
        "S",
    )
    assert best["chances"] == pytest.approx({"4": 0.24, "3": 0.76, "2": 1, "1": 1})
    assert best["chances"] == pytest.approx(result["best"]["chances"])
    assert result["gaps"] == []


def test_finesses_that_do_not_apply_say_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["finesse", "AK", "32"]) == 0
    assert "There is no finesse to take." in capsys.readouterr().out
    assert main(["finesse", "AK", "32", "--paper"]) == 0
    assert "no finesse of the paper applies" in capsys.readouterr().out
    assert main(["finesse", "AK", "32", "--paper", "--all"]) == 0
    assert "(not met)" in capsys.readouterr().out
    assert main(["finesse", "AKQ", "-", "--svg", "-"]) == 2


def test_what_is_known_marks_a_finesse(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(capsys, "finesse", "AQ5", "432", "--west-has", "K")
    assert result["lines"][0]["marked"] is True
    result = answer(capsys, "finesse", "AQ", "32", "--vacant", "13,6")
    assert result["lines"][0]["chances"]["2"] == pytest.approx(13 / 19)


def test_a_tree_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "tree.svg"
    assert main(["finesse", "432", "AQ5", "--svg", str(path)]) == 0
    assert path.read_text("utf-8").startswith("<svg ")


def test_a_table_has_the_tricks_of_every_line_in_every_layout(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["suit", "AKJ32", "7654", "--goal", "tricks", "--compare", "--table"]) == 0
    text = capsys.readouterr().out
    assert "\nThe best finesse is the simple finesse of the jack, ace first.\n" in text
    table = text[text.index("A: ") :].splitlines()
    assert table[:4] == ["A: 5 tricks, 4 tricks, 3 tricks, drop", "B: finesse", "", table[3]]
    assert table[3].split() == ["West", "—", "East", "chance", "A", "B"]
    rows = [row.split() for row in table[4:]]
    assert len(rows) == 8
    assert ["Qxx", "—", "x", "18.65", "%", "4", "5"] in rows


def test_lines_are_told_once_under_all_their_goals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suit", "AQT9", "5432"]) == 0
    text = capsys.readouterr().out
    assert "\n4 tricks: 24.00 %\n3 tricks: 76.00 %\n2 tricks: 100.00 %\nmost tricks" in text
    assert "The line for" not in text
    assert "1 trick:" not in text


def test_lines_are_nested_lists_with_few_conditions(capsys: pytest.CaptureFixture[str]) -> None:
    for north, south in (("AQT9", "5432"), ("A93", "KJ75"), ("K5", "QT83")):
        assert main(["suit", north, south, "--goal", "average"]) == 0
        rows = capsys.readouterr().out.splitlines()
        assert all(len(row) <= 100 for row in rows)
        conditions: dict[int, int] = {}
        for row in rows:
            indent = len(row) - len(row.lstrip())
            if row.lstrip().startswith("- if "):
                conditions[indent] = conditions.get(indent, 0) + 1
                assert conditions[indent] <= 3
            elif row.lstrip().startswith("- otherwise"):
                conditions[indent] = 0


@pytest.mark.parametrize("seed", range(12))
def test_the_quiz_offers_cashing_and_no_twins(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    question = answer(capsys, "suit", "--quiz", "--seed", str(seed))
    plays = [play["play"] for play in question["plays"]]
    assert len(set(plays)) == len(plays) <= 8
    if "A" in question["north"] + question["south"]:
        assert "Cash the ace" in plays
    twins = [
        (*play["play"].split(" to the ")[:1], play["value"])
        for play in question["plays"]
        if " to the " in play["play"]
    ]
    assert len(set(twins)) == len(twins)
    best = max(play["value"] for play in question["plays"])
    assert best == next(p["value"] for p in question["plays"] if p["play"] == question["best"])


def test_a_suit_without_a_trick_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["finesse", "T9", "8"]) == 0
    assert "\nNo line wins a trick.\n" in capsys.readouterr().out
