"""The example that `make run` runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from setrograde.db.endings.counting import count_states

SCRIPT = Path(__file__).resolve().parents[3] / "examples" / "main_job.py"


@pytest.fixture(scope="module")
def output() -> str:
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


def test_example_job_builds_and_verifies_every_ending_up_to_twelve_cards(output: str) -> None:
    for tricks in (1, 2, 3):
        assert f" {count_states(tricks).total:,} endings in " in output
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
