"""The benchmark behind docs/explanation/tables_1_and_2.md, on the smallest levels."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from setrograde.cli.bench import bench_folder
from setrograde.db.database import level_path
from setrograde.db.methods.diagram_build import build_diagrams


@pytest.fixture
def endings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """`bench.endings`, which draws its picture elsewhere."""
    pytest.importorskip("endplay")
    monkeypatch.syspath_prepend(str(bench_folder().parent))
    module = importlib.import_module("bench.endings")
    monkeypatch.setattr(module, "PICTURE", tmp_path / "picture.svg")
    return module


def run(endings: ModuleType, **options: Any) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(json.dumps(endings.run(**options)))
    return result


def row(text: str, title: str, cards: int) -> list[str]:
    """The cells of a row in the table under a title."""
    lines = text.split(f"{title}:\n\n")[1].split("\n\n")[0].splitlines()
    (found,) = (line for line in lines if line.startswith(f"| {cards} |"))
    return [cell.strip() for cell in found.strip("|").split("|")]


@pytest.mark.slow
def test_all_methods_are_built_and_agree_with_dds(endings: ModuleType) -> None:
    result = run(endings, cards=8, count=50)
    entries = {(row["method"], row["cards"]): row["entries"] for row in result["builds"]}
    assert entries["states", 4] == 209
    assert entries["states", 8] == 87921
    assert entries["sets", 4] == 73
    assert entries["diagrams", 8] < entries["sets", 8] < entries["states", 8]
    assert result["mismatches"] == 0
    assert result["ratio"] == pytest.approx(result["peer"] / result["ours"], abs=0.02)
    assert result["queries"][0]["deals"] == 2520  # 8! / 2!^4
    assert all(each["peak_mb"] > 1 and each["cpu_s"] > 0 for each in result["builds"])


@pytest.mark.slow
def test_signature_is_the_same_in_every_run(endings: ModuleType) -> None:
    one, again, more = (run(endings, cards=4, count=count) for count in (20, 20, 21))
    assert one["signature"] == again["signature"] != more["signature"]


def test_tables_have_what_was_measured_and_nothing_else(endings: ModuleType) -> None:
    text = endings.table(run(endings, cards=8, count=10))
    assert row(text, "Entries", 8)[3] == "87,921"
    assert row(text, "Entries", 12)[3:] == ["–", "–", "–"]
    assert row(text, "CPU time", 20) == ["20", "400 d (30,000,000 s)", "2 d (200,000 s)", *"–––"]


def test_stored_levels_add_their_size_but_no_time(endings: ModuleType, tmp_path: Path) -> None:
    report = build_diagrams(2, level_path(2, tmp_path))
    result = run(endings, cards=4, count=10, data=tmp_path)
    text = endings.table(result)
    assert row(text, "Entries", 8)[5] == f"{report.nodes:,}"
    assert row(text, "CPU time", 8)[5] == "–"
    assert [query["cards"] for query in result["queries"]] == [8]


def test_table_1_has_the_exact_integers(endings: ModuleType) -> None:
    text = endings.table_1()
    assert (
        "| 28 | 1e30 | 1,007,373,635,667,629,834,527,123,200,000 | 2e17 | 169,342,139,517,966,"
        in text
    )
    assert text.endswith("Rounded, 38 of 39 agree.")


@pytest.mark.parametrize(
    ("number", "text"),
    [(85, "85 B"), (69664, "69.7 kB"), (999_600, "1,000 kB"), (425_123_456, "425 MB")],
)
def test_sizes_have_three_digits(number: int, text: str, endings: ModuleType) -> None:
    assert endings._bytes(number) == text


def test_picture_is_small_and_the_same_for_the_same_figures(
    endings: ModuleType, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    result = run(endings, cards=4, count=10)
    one, two = tmp_path / "one.svg", tmp_path / "two.svg"
    assert endings.plot(result, one) and endings.plot(result, two)
    assert one.read_bytes() == two.read_bytes()
    assert one.stat().st_size < 100_000
