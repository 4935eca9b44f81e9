"""The pages on endings: their commands print what they show, their pictures are up to date."""

from __future__ import annotations

import importlib.util
import shlex
from pathlib import Path
from types import ModuleType

import pytest

from setrograde.cli.main import main

PAGES = Path(__file__).resolve().parents[2] / "docs" / "explanation"


def examples() -> list[tuple[str, str]]:
    """Commands of the page and what they print."""
    blocks = (PAGES / "endings.md").read_text("utf-8").split("```console\n$ ")[1:]
    return [tuple(block.split("```")[0].split("\n", 1)) for block in blocks]  # type: ignore[misc]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    assert main(["db", "build", "--cards", "12", "--data", str(folder)]) == 0
    return folder


@pytest.mark.parametrize(("command", "printed"), examples(), ids=["probe", "query"])
def test_commands_print_what_the_page_shows(
    command: str,
    printed: str,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SETROGRADE_HOME", str(home))
    program, *words = shlex.split(command)
    assert program == "setrograde"
    assert main(words) == 0
    assert capsys.readouterr().out.strip() == printed.strip()


@pytest.fixture(scope="module")
def pictures() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pictures", PAGES / "endings_pictures.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pictures_are_those_the_script_draws(pictures: ModuleType) -> None:
    text = "".join((PAGES / page).read_text("utf-8") for page in ("endings.md", "diagrams.md"))
    for name, drawn in pictures.draw_all().items():
        assert f"]({name})" in text
        assert (PAGES / name).read_text("utf-8") == drawn
        assert len(drawn) < 100_000


def test_every_page_that_is_linked_to_is_there() -> None:
    for page in ("endings.md", "diagrams.md", "tables_1_and_2.md", "../formats/endings.md"):
        text = (PAGES / page).read_text("utf-8")
        for link in (part.split(")")[0] for part in text.split("](")[1:]):
            if not link.startswith("http"):
                assert ((PAGES / page).parent / link.split("#")[0]).exists(), (page, link)
