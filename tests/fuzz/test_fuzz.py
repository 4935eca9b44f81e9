"""Every fuzz target, briefly; run one longer with `python tests/fuzz/fuzz_lin.py 600`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TARGETS = sorted(path.stem for path in Path(__file__).parent.glob("fuzz_*.py"))


def fuzz(target: str, seconds: int, seed: int) -> None:
    script = Path(__file__).with_name(f"{target}.py")
    result = subprocess.run(
        [sys.executable, str(script), str(seconds), str(seed)], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_reader_has_a_fuzz_target() -> None:
    names = (
        "bbo",
        "constraint",
        "dds",
        "deal_command",
        "deal_set",
        "dealer",
        "deals",
        "json",
        "level_file",
        "lin",
        "pbn",
        "rbn",
    )
    assert [f"fuzz_{name}" for name in names] == TARGETS


@pytest.mark.parametrize("target", TARGETS)
def test_a_second_of_fuzzing_finds_nothing(target: str) -> None:
    fuzz(target, seconds=1, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_half_a_minute_of_fuzzing_finds_nothing(target: str) -> None:
    fuzz(target, seconds=30, seed=2)
