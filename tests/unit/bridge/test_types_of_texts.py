"""A type checker accepts text where the values accept it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")

_SCRIPT = """\
from setrograde.bridge import Doubling, Rank, Seat, Side, Strain, Suit, Vulnerability

seats: list[Seat] = [Seat("N"), Seat(0), Seat("north")]
trumps: tuple[Strain, Suit, Rank] = (Strain("NT"), Suit("S"), Rank("T"))
rest: tuple[Side, Vulnerability, Doubling] = (Side("NS"), Vulnerability("All"), Doubling("X"))
number: int = Seat("N").value + Vulnerability("NS").value + Doubling("XX").value
"""


def check(folder: Path, script: str) -> str:
    path = folder / "script.py"
    path.write_text(script)
    options = ["--strict", "--follow-imports=silent", "--cache-dir", str(folder / "cache")]
    command = [sys.executable, "-m", "mypy", *options, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_mypy_takes_text_for_seats_strains_and_the_like(tmp_path: Path) -> None:
    exec(_SCRIPT, {})
    wrong = 'from setrograde.bridge import Seat\n\nSeat(None)\nx: str = Seat("N").value\n'
    assert check(tmp_path, _SCRIPT).startswith("Success")
    found = check(tmp_path, wrong)
    assert "script.py:3: error" in found
    assert "script.py:4: error" in found
