"""Finesses with the figures that textbooks give: name of the line, tricks, chance in percent."""

from __future__ import annotations

import pytest

from setrograde.analysis.finesse import report_finesses
from setrograde.analysis.suit import NamedLine


def named(north: str, south: str) -> dict[str, NamedLine]:
    return {line.name: line for line in report_finesses(north, south).lines}


@pytest.mark.parametrize(
    ("north", "south", "name", "tricks", "percent"),
    [
        ("AQ", "32", "simple finesse of the queen", 2, 50),
        ("K2", "43", "indirect finesse of the king", 1, 50),
        ("AQJ", "432", "repeated simple finesse of the queen", 3, 50),
        ("KQ3", "42", "repeated indirect finesse of the king", 2, 50),
        ("KJT", "432", "repeated simple finesse of the jack", 2, 50),
        ("KJT", "432", "repeated simple finesse of the jack", 1, 100),
        ("AJT", "432", "double finesse of the jack", 2, 76),
        ("AQT", "432", "double finesse of the ten", 3, 24),
        ("AQT", "432", "double finesse of the ten", 2, 76),
        ("AQT9", "5432", "double finesse of the ten", 4, 24),
        ("AQT9", "5432", "double finesse of the ten", 3, 76),
        ("AKJ32", "7654", "drop", 5, 53.13),
        ("AKJ32", "7654", "simple finesse of the jack, ace first", 5, 51.43),
        ("AKJ32", "7654", "simple finesse of the jack", 5, 45.22),
        ("AKJ2", "T543", "simple finesse of the jack, ace first", 4, 39.57),
        ("QJT", "A32", "repeated high-card finesse of the queen", 3, 50),
        ("AJT2", "K943", "two-way simple finesse of the jack through West, king first", 4, 52.83),
        ("AJT2", "K943", "two-way simple finesse of the nine through East, ace first", 4, 52.83),
        ("AJ9", "K32", "two-way backward finesse of the jack through East", 3, 26),
        ("AQ9", "432", "deep finesse of the nine", 2, 63),
    ],
)
def test_a_finesse_has_its_textbook_chance(
    north: str, south: str, name: str, tricks: int, percent: float
) -> None:
    line = named(north, south)[name]
    assert float(100 * line.probability(tricks)) == pytest.approx(percent, abs=0.005)


@pytest.mark.parametrize(
    ("north", "south", "best"),
    [
        ("KJT", "432", "repeated simple finesse of the jack"),
        ("AQT9", "5432", "double finesse of the ten"),
        ("AKJ32", "7654", "drop"),
        ("AK32", "QJ54", "drop"),
    ],
)
def test_the_best_named_line_is_the_best_of_all(north: str, south: str, best: str) -> None:
    report = report_finesses(north, south)
    assert report.lines[0].name == best
    assert report.gaps == ()


def test_top_cards_alone_leave_nothing_to_finesse() -> None:
    assert report_finesses("AK32", "QJ54").finesses == ()


def test_a_finesse_through_the_only_possible_defender_is_marked() -> None:
    report = report_finesses("AQ5", "432", west_has="K")
    assert report.lines[0].name == "marked simple finesse of the queen"
    assert report.lines[0].probability(2) == 1


def test_the_papers_ending_has_two_cards_in_each_hand() -> None:
    """Section 4.2: a king that is the only card West holds "is not possible"."""
    report = report_finesses("32", "AQ", outstanding="K654")
    finesse, drop = report.lines
    assert finesse.name == "simple finesse of the queen"
    assert (finesse.probability(2), drop.probability(2)) == (0.5, 0)
    table = report.solution.table
    assert {layout.split for layout in table.layouts} == {(2, 2)}
    for layout, tricks in zip(table.layouts, finesse.outcome.tricks, strict=True):
        assert tricks == (2 if "K" in layout.east else 1)
