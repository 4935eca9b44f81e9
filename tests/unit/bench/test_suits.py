"""The benchmark of suits: trees over cards and classes, and the limit on one holding."""

from __future__ import annotations

import importlib
from types import ModuleType
from xml.etree import ElementTree

import pytest

from setrograde.analysis.suit import SuitHolding
from setrograde.cli.bench import bench_folder


@pytest.fixture
def trees(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(bench_folder().parent))
    return importlib.import_module("bench.suit_branching")


@pytest.fixture
def suits(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(bench_folder().parent))
    return importlib.import_module("bench.suit_combinations")


def test_the_papers_example_has_four_branches_over_cards_and_two_over_classes(
    trees: ModuleType,
) -> None:
    example = trees.study(50)[0]
    assert (example.card_branches, example.class_branches) == (4, 2)
    assert (example.card_leaves, example.class_leaves) == (12, 3)


def test_trees_over_cards_grow_with_the_cards_out_and_those_over_classes_do_not(
    trees: ModuleType,
) -> None:
    _, *rows = trees.study(300)
    assert [row.outstanding for row in rows] == list(range(3, 10))
    for row in rows:
        assert row.card_branches == row.outstanding
        assert row.card_leaves == row.outstanding * (row.outstanding - 1)
        assert row.class_branches <= 2
        assert row.class_leaves <= 4


def test_the_plot_has_a_curve_for_each_column_and_rings_for_the_example(trees: ModuleType) -> None:
    picture = ElementTree.fromstring(trees.plot(trees.study(100)))
    names = [element.tag.rpartition("}")[2] for element in picture.iter()]
    assert (names.count("polyline"), names.count("circle")) == (4, 4)


def test_a_holding_that_takes_too_long_is_stopped(
    suits: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suits, "LIMIT_S", 0.3)
    assert suits._measure_limited(SuitHolding.from_text("A93", "KJ75")) is None
    assert suits._measure_limited(SuitHolding.from_text("AQ", "32")) is not None
