"""`import setrograde as sg`: the names are there, typed, and loaded only when used."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import setrograde as sg
from setrograde import formats

HEAVY = ("numpy", "rich", "zstandard", "platformdirs", "setrograde._core")


def run_python(code: str) -> str:
    """What a fresh interpreter prints."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("name", sg.__all__)
def test_every_public_name_is_there(name: str) -> None:
    value = getattr(sg, name)
    assert callable(value)
    assert value.__doc__
    assert name in dir(sg)


@pytest.mark.parametrize("package", [sg, formats])
def test_the_three_lists_of_names_agree(package: ModuleType) -> None:
    tree = ast.parse(Path(str(package.__file__)).read_text(encoding="utf-8"))
    typed = {
        alias.name: str(node.module).removeprefix(f"{package.__name__}.")
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if node.module != "setrograde"  # its packages, reached by their own names
    }
    loaded = {name: module for module, names in package._MODULES.items() for name in names.split()}
    assert typed == loaded
    assert set(loaded) <= set(package.__all__) <= set(dir(package))
    assert all(getattr(package, name) is not None for name in package.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'setrograde' has no attribute 'solve_all'"):
        _ = sg.solve_all
    with pytest.raises(ImportError):
        exec("from setrograde import solve_all")


def test_functions_stay_functions_when_modules_of_the_same_name_are_loaded() -> None:
    importlib.import_module("setrograde.analysis.par")
    importlib.import_module("setrograde.analysis.odds")
    for name in {"par", "odds"} & set(sg.__all__):
        assert callable(getattr(sg, name))
    code = "import setrograde.analysis.par; import setrograde as sg; print(sg.par.__name__)"
    assert run_python(code) == "par\n"


def test_importing_the_package_imports_nothing_else() -> None:
    code = """
import sys
before = set(sys.modules)
import setrograde
new = {name for name in set(sys.modules) - before if name.startswith("setrograde")}
print(sorted(new), [name for name in %r if name in sys.modules])
"""
    assert run_python(code % (HEAVY,)) == "['setrograde', 'setrograde._lazy'] []\n"


def test_the_vocabulary_of_bridge_needs_neither_core_nor_numpy() -> None:
    code = f"""
import sys
import setrograde as sg
sg.Deal.random(seed=1), sg.Board.numbered(1), sg.read_boards
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    assert run_python(code) == "[]\n"


def test_packages_are_reached_through_the_front_door() -> None:
    assert run_python("import setrograde as sg; print(sg.formats.FORMATS[0])") == "pbn\n"


@pytest.mark.parametrize(
    ("option", "shown"), [("--help", "commands:"), ("--version", "setrograde")]
)
def test_help_and_version_load_no_command(option: str, shown: str) -> None:
    code = f"""
import sys
from setrograde.cli.main import main
assert main([{option!r}]) == 0
loaded = [name for name in sys.modules if name.startswith("setrograde")]
assert len(loaded) < 15, loaded
assert not [name for name in {HEAVY!r} if name in sys.modules]
"""
    assert shown in run_python(code)
