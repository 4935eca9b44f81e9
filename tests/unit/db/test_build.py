"""`build_database`: every level that is missing, and the files of the search."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from setrograde.db import DatabaseError, DatabaseReport, build_database, find_levels
from setrograde.errors import InvalidInput
from setrograde.locations import level_path
from setrograde.solve.endings import installed_endings


def test_a_new_database_has_all_levels_and_what_the_search_needs(
    tmp_path: Path, endings: Path
) -> None:
    told: list[float] = []
    report = build_database(12, tmp_path, progress=told.append)
    assert [(level.file.cards, level.is_built) for level in report.levels] == [
        (4, True),
        (8, True),
        (12, True),
    ]
    for tricks in (1, 2, 3):
        assert level_path(tricks, tmp_path).read_bytes() == level_path(tricks, endings).read_bytes()
    found = installed_endings(tmp_path)
    assert found is not None and found.cards == 12
    assert told == sorted(told) and told[-1] == pytest.approx(1)
    assert find_levels(tmp_path) == [level.file for level in report.levels]


def test_what_is_there_is_checked_and_kept(tmp_path: Path, endings: Path) -> None:
    shutil.copytree(endings, tmp_path, dirs_exist_ok=True)
    level_path(1, tmp_path).unlink()
    report = build_database(12, tmp_path)
    assert [level.is_built for level in report.levels] == [True, False, False]
    path = level_path(2, tmp_path)
    data = bytearray(path.read_bytes())
    data[70_000] ^= 1  # in the nodes: opening alone would not see it
    path.write_bytes(data)
    with pytest.raises(DatabaseError, match=r"08-cards\.diagrams: damaged .*--cards 12 .*--force"):
        build_database(12, tmp_path)
    assert build_database(12, tmp_path, force=True).levels[1].is_built
    assert path.read_bytes() == level_path(2, endings).read_bytes()


def test_missing_files_of_the_search_are_made(tmp_path: Path, endings: Path) -> None:
    shutil.copytree(endings, tmp_path, dirs_exist_ok=True)
    path = level_path(3, tmp_path, method="thresholds")
    path.unlink(missing_ok=True)
    assert not build_database(12, tmp_path).levels[2].is_built
    assert path.exists()


@pytest.mark.parametrize("method", ["sets", "states"])
def test_methods_for_comparison_stand_beside_the_diagrams(tmp_path: Path, method: str) -> None:
    build_database(4, tmp_path)
    report = build_database(8, tmp_path, method=method)
    assert report.levels[1].file.path == level_path(2, tmp_path, method=method)
    kinds = [(file.cards, file.method) for file in find_levels(tmp_path)]
    assert kinds == [(4, "diagrams"), (4, method), (8, method)]
    assert find_levels(tmp_path, cards=8, method=method) == [report.levels[1].file]


@pytest.mark.parametrize(
    ("cards", "method", "words"),
    [
        (10, "diagrams", r"not a number of cards: 10 \(expected a multiple of 4, from 4 to 24\)"),
        (28, "diagrams", "not a number of cards: 28"),
        (0, "diagrams", "not a number of cards: 0"),
        (16, "sets", "too many cards for the method sets: 16"),
        (8, "magic", r"not a method: 'magic' \(expected diagrams, sets, states\)"),
    ],
)
def test_builds_that_cannot_be_are_refused(
    cards: int, method: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match=words):
        build_database(cards, tmp_path, method=method)
    assert not list(tmp_path.iterdir())


def test_a_report_prints_a_row_for_each_level_and_has_json(tmp_path: Path) -> None:
    report = build_database(8, tmp_path)
    assert isinstance(report, DatabaseReport)
    lines = str(report).splitlines()
    assert len(lines) == 3 and lines[2].split()[:4] == ["8", "diagrams", "2,054", "87,162"]
    assert report._repr_html_().startswith("<pre>cards")
    said = json.loads(json.dumps(report.to_dict()))
    assert [level["built"] for level in said["levels"]] == [True, True]
