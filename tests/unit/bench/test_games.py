"""The benchmark of Breakthrough boards keeps what it has solved and knows what is wrong."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

from setrograde.cli.bench import bench_folder


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(bench_folder().parent))
    return importlib.import_module("bench.breakthrough_boards")


def test_boards_are_solved_checked_and_kept(boards: ModuleType, tmp_path: Path) -> None:
    result = boards.run(count=1, data=str(tmp_path))
    (row,) = result["boards"]
    assert result["mismatches"] == 0 and row["right"] and row["is_exhaustive"]
    assert (row["size"], row["winner"], row["boards"]) == ("2x4", 2, 3**8)
    assert row["wins"] + row["losses"] == row["boards"]
    assert (tmp_path / "games" / "breakthrough-2x4.sets").stat().st_size == row["bytes"]
    assert boards.run(count=1, data=str(tmp_path)) == result
    assert "| 2x4 | 6.56e+03 | P2 |" in boards.table(result)


def test_another_winner_than_the_papers_is_a_mismatch(boards: ModuleType, tmp_path: Path) -> None:
    boards.run(count=1, data=str(tmp_path))
    figures = tmp_path / "games" / "breakthrough-2x4.figures.json"
    figures.write_text(json.dumps(json.loads(figures.read_text()) | {"winner": 1}))
    assert boards.run(count=1, data=str(tmp_path))["mismatches"] == 1


def test_large_boards_are_solved_by_grades(
    boards: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "BY_GRADES", ("2x4",))
    row = boards._solve("2x4", tmp_path, 256, 50)
    assert row["right"] and (row["winner"], row["plies"]) == (2, None)
    assert boards._solve("2x4", tmp_path, 256, 50) == row
    assert "| 2x4 |" in boards.table({"boards": [row]})
