"""Three short scripts, as a newcomer would write them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SCRIPTS = ("not_par.py", "odds_with_west.py", "set_query.py")


def output_of(script: str, *arguments: str, home: Path | None = None) -> str:
    """What a script prints; it finds its databases in `home`."""
    environment = dict(os.environ)
    if home is not None:
        environment["SETROGRADE_HOME"] = str(home)
    command = [sys.executable, str(EXAMPLES / script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_are_short(script: str) -> None:
    lines = (EXAMPLES / script).read_text(encoding="utf-8").splitlines()
    assert len(lines) < 20
    assert sum(line.startswith(("import ", "from ")) for line in lines) <= 2


def test_contracts_that_were_not_par_are_found(tmp_path: Path) -> None:
    printed = output_of("not_par.py", str(EXAMPLES / "club_night.pbn"), home=tmp_path)
    assert printed == (
        "Board 8: 3NT by West. Par NS -450: EW 4H+1\n"
        "Board 11: 3♠ by East. Par NS 100: EW 4SX-1\n"
        "Board 12: 3NT by South. Par NS 1440: S 6NT\n"
    )


def test_odds_are_exact_with_what_is_known_of_west(tmp_path: Path) -> None:
    assert output_of("odds_with_west.py", home=tmp_path).splitlines() == [
        "West any: 2NT makes in 63.81% of 10,400,600 layouts",
        "West hcp 5-10, 6+ hearts: 2NT makes in 15.13% of 210,392 layouts",
        "West hcp 12+, hearts 4-: 2NT makes in 100.00% of 641,784 layouts",
    ]


def test_a_set_of_deals_is_answered_and_built_once(tmp_path: Path) -> None:
    expected = [
        "Spade king with E or W: 200 deals, 1.90 tricks for N-S",
        "Spade king with E: 100 deals, 1.80 tricks for N-S",
        "Spade king with W: 100 deals, 2.00 tricks for N-S",
    ]
    assert output_of("set_query.py", home=tmp_path).splitlines() == expected
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert files
    assert output_of("set_query.py", home=tmp_path).splitlines() == expected
    assert files == {path: path.stat().st_mtime_ns for path in files}
