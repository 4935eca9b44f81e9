"""Suits as HTML: whole, well-formed and escaped."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from setrograde.analysis.finesse import applicable_finesses, finesses
from setrograde.analysis.suit import SuitSolution, card_classes, compare, solve_suit
from setrograde.analysis.suit.display import classes_html, outcome_html, solution_html


def solve(north: str, south: str) -> SuitSolution:
    return solve_suit(north, south)


def cells(html: str) -> list[list[str]]:
    """Rows of the table, head first."""
    tree = ElementTree.fromstring(html)
    return [["".join(cell.itertext()) for cell in row] for row in tree.iter("tr")]


def test_classes_show_the_cards_of_each_hand() -> None:
    classes = card_classes("32", "AQ", outstanding="K654")
    assert cells(classes_html(classes)) == [
        ["class", "", "North", "South", "defenders"],
        ["T", "top", "—", "A", "—"],
        ["F", "finesse", "—", "Q", "—"],
        ["C", "critical", "—", "—", "K"],
        ["L", "low", "32", "—", "654"],
    ]


def test_a_solution_tells_every_goal_and_each_line_once() -> None:
    rows = cells(solution_html(solve("AQT98", "5432")))
    assert [row[0] for row in rows[1:]] == [
        *("5 tricks", "4 tricks", "3 tricks", "2 tricks", "1 trick"),
        *("most tricks on average", "matchpoints"),
    ]
    lines = [row[2] for row in rows[1:]]
    assert lines[0].startswith("Lead low from South to the queen")
    assert any(line.startswith("the line for") for line in lines)


def test_a_solution_says_what_cannot_be_won_or_has_no_best_line() -> None:
    assert ["4 tricks", "0.00 %", "cannot be won"] in cells(solution_html(solve("KQ32", "54")))
    rows = cells(solution_html(solve("AJ98", "K32")))
    assert rows[-1] == ["matchpoints", "", "no best line: each is beaten by another"]


def test_an_outcome_lists_all_lies_with_their_probabilities() -> None:
    outcome = solve("AKJ2", "T543").best(need=4)
    rows = cells(outcome_html(outcome))[1:]
    assert len(rows) == len(outcome.tricks)
    assert sum(float(row[1].split()[0]) for row in rows) == pytest.approx(100, abs=0.06)
    assert {row[2] for row in rows} == {str(n) for n in outcome.tricks}


def test_everything_shows_itself_in_notebooks_as_well_formed_html() -> None:
    solution = solve("AQ", "32")
    classes = card_classes(solution.holding)
    shown: list[Any] = [
        classes,
        solution,
        solution.best(),
        compare(solution.outcomes[0], solution.outcomes[1]),
        *finesses(classes),
    ]
    for value in shown:
        assert ElementTree.fromstring(value._repr_html_()).tag == "div"
    tree = applicable_finesses(classes)[0].tree
    assert ElementTree.fromstring(tree._repr_svg_()).tag.endswith("svg")
