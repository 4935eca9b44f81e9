"""The README names only what exists."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"`(setrograde\.[\w.]+)`", README)))
_TREE = README.partition("## Where")[2].partition("\n\n`make")[0]


def test_the_readme_names_modules() -> None:
    assert len(NAMES) > 10


@pytest.mark.parametrize("name", NAMES)
def test_every_module_named_in_the_readme_exists(name: str) -> None:
    assert import_module(name).__doc__


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)", README))))
def test_every_page_linked_from_the_readme_exists(target: str) -> None:
    assert (ROOT / target).exists()


@pytest.mark.parametrize("folder", sorted(set(re.findall(r"(\w+)/", _TREE))))
def test_every_folder_named_in_the_readme_exists(folder: str) -> None:
    found = [*ROOT.glob(folder), *ROOT.glob(f"*/{folder}"), *ROOT.glob(f"*/setrograde/**/{folder}")]
    assert any(path.is_dir() for path in found)
