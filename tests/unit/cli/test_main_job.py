"""The example that `make run` runs."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "examples" / "main_job.py"


def test_example_job_runs_and_says_what_to_try_next(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    assert stop.value.code == 0
    text = capsys.readouterr().out
    for words in ("Wrote and read 8 boards", "came back", "Total for N-S", "Board 1", "try next"):
        assert words in text


def test_example_job_solves_a_deal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        runpy.run_path(str(SCRIPT), run_name="__main__")
    text = capsys.readouterr().out
    assert "Par NS " in text
    leads, _, rest = text.partition("Leads of ")[2].partition("Any deal of this pattern")
    rows = [line.split() for line in leads.splitlines()[1:]]
    assert sum(len(cards) for _, *cards in rows) == 13
    assert [int(tricks) for tricks, *_ in rows] == sorted({int(row[0]) for row in rows})[::-1]
    assert "x" in rest.splitlines()[1]
