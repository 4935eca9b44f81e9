"""`setrograde db mine` and `db query --by-card`."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from setrograde.cli.main import main
from setrograde.db.mining.mine import Property, mine

SET = "SAQ=N SK=EW S54=S S763=EW H2=N HA=E H3=S H4=EW"
QUESTION = ("--strain", "NT", "--leader", "S")

Capture = pytest.CaptureFixture[str]


def answer(capsys: Capture, *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["db", *arguments, "--json"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def test_counts_are_those_of_python(capsys: Capture) -> None:
    found = answer(capsys, "mine", "only-card", "--cards", "8", "--strain", "trumps", "--count")
    count = mine("only-card", 8, trumps=True).count()
    assert found["endings"] == count.total
    assert found["of_endings"] == count.of_endings == 62568
    assert found["by_cost"] == {str(cost): number for cost, number in count.endings.items()}
    assert found["deals"] == sum(count.deals.values())
    assert found["of_deals"] == count.of_deals
    assert found["found"] == []


def test_each_ending_comes_with_a_command_that_confirms_it(capsys: Capture) -> None:
    found = answer(capsys, "mine", "only-card", "--cards", "12", "--sample", "3", "--seed", "2")
    assert len(found["found"]) == 3
    for ending in found["found"]:
        program, *words = shlex.split(ending["command"])
        assert program == "setrograde"
        capsys.readouterr()
        assert main([*words, "--json"]) == 0
        solved = json.loads(capsys.readouterr().out)
        assert solved["cards"] == ending["cards"]
        assert solved["line"] == ending["line"]
        assert ending["tricks"] == ending["cards"][0]["tricks"]
        assert ending["cost"] == min(card["cost"] for card in ending["cards"] if card["cost"])


def test_lines_are_endings_and_nothing_else(capsys: Capture) -> None:
    assert main(["db", "mine", "low-beats-high", "--cards", "12", "--limit", "7", "--lines"]) == 0
    lines = capsys.readouterr().out.splitlines()
    endings = [json.loads(line) for line in lines]
    assert len({ending["deal"] for ending in endings}) == 7
    assert {ending["property"] for ending in endings} == {"low-beats-high"}


def test_without_more_the_sharpest_ending_is_shown(capsys: Capture) -> None:
    assert main(["db", "mine", "only-low", "--cards", "12"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("354,855 of 33,719,616 endings (1.052%)\n")
    assert "2 tricks at stake: only " in text
    assert "\nsetrograde solve 'N:" in text


def test_letters_stand_for_suits_where_symbols_cannot_be_shown(capsys: Capture) -> None:
    assert main(["db", "mine", "lead-costs", "--cards", "8", "--ascii"]) == 0
    assert capsys.readouterr().out.isascii()


def test_a_set_is_looked_through(capsys: Capture) -> None:
    found = answer(capsys, "mine", "only-card", "--set", SET, *QUESTION, "--limit", "99")
    assert "endings" not in found
    counted = answer(capsys, "mine", "only-card", "--set", SET, *QUESTION, "--count")
    assert counted["endings"] == len(found["found"])
    assert counted["of_endings"] == 10


def test_an_estimate_says_how_sure_it_is(capsys: Capture) -> None:
    found = answer(capsys, "mine", "only-card", "--cards", "16", "--estimate", "50", "--seed", "3")
    assert abs(found["estimated_endings"] - 2_254_880_788) < 5 * found["stderr"]
    assert found["shapes"] == 50
    assert main(["db", "mine", "only-card", "--cards", "8", "--estimate", "50"]) == 0
    assert "standard error" in capsys.readouterr().out


def test_a_gallery_has_counts_and_the_sharpest_of_each_size(tmp_path: Path) -> None:
    out = tmp_path / "gallery.md"
    command = ["db", "mine", "--gallery", str(out), "--cards", "8", "--estimate", "40"]
    assert main(command) == 0
    page = out.read_text("utf-8")
    assert "| property | 4 cards | 8 cards | 12 cards |" in page
    assert "| lead-costs | 0 | 100 | about " in page
    assert "### only-card, 8 cards" in page
    assert all(f"## {kind}\n" in page for kind in Property)
    assert main(command) == 0
    assert out.read_text("utf-8") == page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--cards 8", "no property (expected lead-costs, only-card"),
        ("best-card --cards 8", "invalid choice: 'best-card'"),
        ("only-card --cards 9", "'9' (expected a multiple of 4"),
        ("only-card --cards 8 --strain H", "not a kind of strain: 'H' (expected NT or trumps)"),
        ("only-card --cards 8 --leader N", "a leader without a set: 'N'"),
        ("only-card --cards 8 --lengths 1,1", "not the lengths of a hand: '1,1'"),
        ("only-card --cards 8 --lengths 2-1", "not the lengths of a hand: (2, 1)"),
        ("only-card --cards 8 --estimate 9 --count", "an estimate shows no endings"),
        ("lead-costs --cards 8 --choices 3", "most_holding for 'lead-costs'"),
        ("only-card --set SAKQJ=x --strain S --leader N --lengths 1", "lengths beside a set"),
        ("only-card --set SAKQJ=x --strain S --leader N --estimate 9", "no estimates for sets"),
        ("only-card --set SAKQJ=x", "a set without strain or leader"),
        ("only-card --set SAKQJ=Z --strain NT --leader N", "not cards and holders: 'SAKQJ=Z'"),
        ("only-card --set SAKQJ=N --strain NT --leader N", "no deal is in the set 'SAKQJ=N'"),
        ("only-card --gallery x.md --cards 8", "a gallery has all properties and no set"),
    ],
)
def test_bad_questions_are_told_in_one_line(words: str, message: str, capsys: Capture) -> None:
    assert main(["db", "mine", *words.split()]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.startswith("setrograde: ")
    assert error.count("\n") == 1


def test_ctrl_c_stops_within_a_second() -> None:
    command = [sys.executable, "-m", "setrograde.cli", "db", "mine", "lead-costs", "--cards", "16"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        time.sleep(4)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        assert process.wait(timeout=20) == 130
        assert time.monotonic() - start < 5  # one, were the machine its own


def test_cards_of_a_set_are_compared(endings: Path, capsys: Capture) -> None:
    found = answer(capsys, "query", SET, *QUESTION, "--by-card", "--data", str(endings))
    assert found["always_best"] == []
    assert [card["card"] for card in found["cards"]] == ["S5", "S4", "H3"]
    assert found["cards"][2] == {
        "card": "H3",
        "deals": 10,
        "histogram": {"1": 4, "2": 6},
        "mean": 1.6,
        "costs": {"0": 6, "1": 4},
        "mean_cost": 0.4,
        "best_in": 6,
    }
    plain = answer(capsys, "query", SET, *QUESTION, "--data", str(endings))
    assert "cards" not in plain


def test_a_card_that_is_best_everywhere_is_named(endings: Path, capsys: Capture) -> None:
    question = ("query", "SA=N SKQJ=x HA=N HKQJ=x", "--strain", "NT", "--leader", "N")
    assert main(["db", *question, "--by-card", "--data", str(endings)]) == 0
    assert "♠A ♥A are each best in every deal of the set." in capsys.readouterr().out
