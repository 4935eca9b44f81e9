"""The sample of 24 cards, tried on 12."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from setrograde import _core
from setrograde.cli.bench import bench_folder
from setrograde.db.methods.diagram_build import build_diagrams


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The benchmark, for levels that are built in a moment."""
    monkeypatch.syspath_prepend(str(bench_folder().parent))
    module = importlib.import_module("bench.twenty_four_cards")
    monkeypatch.setattr(module, "TRICKS", 3)
    monkeypatch.setattr(module, "SHARDS", 20)
    return module


def known_levels(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels of 4 and 8 cards, and the first twice: there is none below it."""
    known = bench._known_level
    monkeypatch.setattr(bench, "_known_level", lambda tricks, *rest: known(max(tricks, 1), *rest))


def test_all_shapes_and_shards_are_an_exact_sample(
    bench: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known_levels(bench, monkeypatch)
    shapes = len(_core.ShapeIndex(3))
    plan = _core.BuildPlan(3, 20)
    monkeypatch.setattr(bench, "SHARDS", plan.shards(3))
    result = bench.run(count=shapes, states=300, shards=plan.shards(3), folder=tmp_path)
    whole = build_diagrams(3, tmp_path / "three").nodes
    # Free edges are chosen in the order in which nodes come: a few nodes more or less.
    assert result["sample"]["growth"][-1] == [shapes, pytest.approx(whole, rel=0.001)]
    assert (result["sample"]["states"], result["sample"]["mismatches"]) == (300, 0)
    assert [row["left"] for row in result["sharing"]] == [1, 1, 1]
    assert result["nodes"]["estimate"] == pytest.approx(whole, rel=0.001)
    low, estimate, high = result["totals"]["nodes"]
    assert low < estimate < high
    assert estimate == pytest.approx(sum(shard["nodes"] for shard in result["shards"]))
    assert whole < estimate < 1.5 * whole


def test_what_is_kept_is_not_built_again(
    bench: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known_levels(bench, monkeypatch)
    options = {"count": 40, "states": 50, "shards": 2, "folder": tmp_path}
    first = bench.run(**options)
    monkeypatch.setattr(bench, "LevelBuild", None)
    second = bench.run(**options)
    assert second == first
    assert f"{first['sample']['growth'][-1][1]:,}" in bench.table(second)
