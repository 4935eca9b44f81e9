"""The example that `make run` runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from setrograde.db.endings.counting import count_states

SCRIPT = Path(__file__).resolve().parents[3] / "examples" / "main_job.py"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def run_example(home: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words],
        env=os.environ | {"SETROGRADE_HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.fixture(scope="module")
def output(home: Path) -> str:
    return run_example(home, "12")


def test_example_job_builds_and_verifies_every_ending_up_to_twelve_cards(output: str) -> None:
    for tricks in (1, 2, 3):
        assert f" {count_states(tricks).total:,} endings in" in output
    assert output.count("all agree") == 3
    assert " 33,920,712 layouts, all agree" in output


def test_example_job_asks_about_a_set(output: str) -> None:
    assert "200 deals, 1.90 tricks for N-S on average" in output
    assert "  N-S take 2 in 180 deals  ####" in output
    assert "2.00 with South, 1.78 with West" in output


def test_example_job_solves_a_deal_and_says_what_to_try_next(output: str) -> None:
    assert "Par NS -110: EW 2S" in output
    leads = output.partition("West's leads")[2].partition("\n\n")[0]
    rows = [line.split() for line in leads.splitlines()[1:]]
    assert sum(len(cards) for _, *cards in rows) == 13
    assert [int(tricks) for tricks, *_ in rows] == sorted({int(row[0]) for row in rows})[::-1]
    assert "times an ending of 12 cards was looked up." in output
    assert "What to try next:" in output


def test_example_job_leaves_endings_installed_and_says_where(home: Path, output: str) -> None:
    assert f"All endings with up to 12 cards are installed in {home};" in output
    assert (home / "endings" / "12-cards.thresholds").is_file()


@pytest.mark.slow
def test_example_job_installs_16_cards_and_finds_them_the_next_time(tmp_path: Path) -> None:
    first = run_example(tmp_path)
    assert f"All endings with up to 16 cards are installed in {tmp_path};" in first
    assert "times an ending of 16 cards was looked up." in first
    assert re.search(r"  16 cards: .* nodes, \d+\.\d s", first)
    assert re.search(r"  16 cards: .* nodes, was there", run_example(tmp_path))
