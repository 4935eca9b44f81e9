"""The commands of the how-to for games run with the class that it shows."""

from __future__ import annotations

import doctest
import io
import shlex
from pathlib import Path

import pytest

from setrograde.cli.main import main

PAGE = Path(__file__).resolve().parents[2] / "docs/howto/add_a_game.md"


def test_the_commands_of_the_page_run_with_its_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PAGE.read_text("utf-8")
    examples = [each.source for each in doctest.DocTestParser().get_examples(text)]
    end = next(n for n, source in enumerate(examples) if source.startswith("class Clobber"))
    (tmp_path / "clobber.py").write_text("".join(examples[: end + 1]), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SETROGRADE_HOME", str(tmp_path))
    commands = [
        line.strip()
        for line in text.splitlines()
        if line.startswith("    setrograde game ") and "--module" in line
    ]
    assert len(commands) == 3
    for command in commands:
        monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
        assert main(shlex.split(command)[1:]) == 0, command
    assert "clobber 3x4: player 2 wins in 8 plies" in capsys.readouterr().out
