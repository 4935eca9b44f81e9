"""Help texts: every command explains itself, and its examples run."""

from __future__ import annotations

import argparse
import io
import shlex
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from setrograde.bridge import Board, Contract, Deal
from setrograde.cli.main import command_parser, main
from setrograde.db.packing import pack_level
from setrograde.formats.files import write_boards
from setrograde.locations import level_path
from setrograde.solve import best_line

DEAL = Deal.from_pbn("N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86")


def commands() -> dict[str, argparse.ArgumentParser]:
    """Every command, by the words that call it."""
    found: dict[str, argparse.ArgumentParser] = {}

    def add(words: list[str], parser: argparse.ArgumentParser) -> None:
        found[" ".join(words)] = parser
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for name, below in action.choices.items():
                    add([*words, name], below)

    add([], command_parser())
    return found


SLOW = pytest.mark.slow
LONG = {"setrograde db build"}  # 16 cards; fewer are built by the tests of `db build`


def examples() -> list[ParameterSet]:
    lines = [line for parser in commands().values() for line in (parser.epilog or "").splitlines()]
    found = dict.fromkeys([line.strip() for line in lines if line.startswith("  setrograde ")])
    return [pytest.param(line, marks=SLOW if line in LONG else ()) for line in found]


@pytest.mark.parametrize("name", commands())
def test_every_command_has_a_paragraph_and_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*name.split(), "--help"]) == 0
    text = capsys.readouterr().out
    parser = commands()[name]
    assert parser.description is not None
    assert parser.description in text
    assert "examples:\n  setrograde " in text
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("name", [name for name in commands() if name])
def test_every_option_is_explained(name: str) -> None:
    for action in commands()[name]._actions:
        assert action.help or isinstance(action, argparse._SubParsersAction)


@pytest.mark.parametrize("line", examples())
def test_examples_of_the_help_really_run(
    line: str,
    endings: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    home = shutil.copytree(endings, tmp_path.with_name(f"{tmp_path.name}-home"))
    monkeypatch.setenv("SETROGRADE_HOME", str(home))
    contract = Contract.from_text("3NTN")
    boards = [Board.numbered(number, DEAL) for number in range(1, 5)]
    play = best_line(DEAL, contract.strain, contract.leader)
    played = [replace(b, contract=contract, tricks_declarer=9, play=play) for b in boards]
    write_boards(played, "night.pbn")
    script = "condition shape(north, 6xxx - any 4xxx) && hcp(north) >= 6 && hcp(north) <= 10"
    tmp_path.with_name("weak_two.dl").write_text(script, "utf-8")
    line = line.replace("weak_two.dl", "../weak_two.dl")
    words = shlex.split(line)[1:]
    if words[:2] == ["db", "unpack"]:
        pack_level(level_path(3), words[2])
    if "<" in words:
        words, (name,) = words[: words.index("<")], words[words.index("<") + 1 :]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(name).read_bytes())))
    assert main(words) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out or len(list(tmp_path.iterdir())) == 2
