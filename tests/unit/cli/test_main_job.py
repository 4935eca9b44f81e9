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
    for words in ("Wrote and read 8 boards", "Board 1", "came back", "Total", "try next"):
        assert words in text
