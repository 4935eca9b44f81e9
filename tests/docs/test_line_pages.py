"""The pages on lines and card play: their commands print what they show, their links lead on."""

from __future__ import annotations

import doctest
import shlex
from pathlib import Path

import pytest

from setrograde.cli.main import main

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ["howto/line.md", "explanation/card_play.md"]


def examples() -> list[tuple[str, str, str]]:
    """Commands of the pages, and how their output begins."""
    found = []
    for name in PAGES:
        for block in (DOCS / name).read_text("utf-8").split("```console\n$ ")[1:]:
            command, printed = block.split("```")[0].split("\n", 1)
            found.append((name, command, printed))
    return found


@pytest.mark.parametrize(("page", "command", "printed"), examples())
def test_commands_print_what_the_page_shows(
    page: str, command: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *words = shlex.split(command)
    assert program == "setrograde", page
    assert main(words) == 0
    assert capsys.readouterr().out.startswith(printed.rstrip())


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_run(page: str) -> None:
    failed, _ = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8")
    assert not failed


@pytest.mark.parametrize("page", PAGES)
def test_every_page_that_is_linked_to_is_there(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    for link in (part.split(")")[0] for part in text.split("](")[1:]):
        assert ((DOCS / page).parent / link.split("#")[0]).exists(), link
