"""Three short scripts, as a newcomer would write them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SCRIPTS = ("not_par.py",)


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
