"""Problems of card play: their form, their answers by all layouts, what is counted."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from setrograde.bridge import Hand, Seat
from setrograde.cli.bench import bench_folder

Load = Callable[[str], ModuleType]

SLOW = 200
"""Problems with more layouts are verified by the slow test alone."""


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Imports a module of the bench folder."""
    monkeypatch.syspath_prepend(str(bench_folder().parent))
    yield lambda name: importlib.import_module(f"bench.{name}")
    for name in [name for name in sys.modules if name == "bench" or name.startswith("bench.")]:
        monkeypatch.delitem(sys.modules, name)


def test_there_are_sixty_with_at_least_five_of_each_theme(load: Load) -> None:
    problems = list(load("problem_set").read_problems())
    themes = Counter(problem.theme for problem in problems)
    assert len(problems) == 60
    assert len(themes) == 10 and min(themes.values()) >= 5
    assert len({(problem.theme, problem.name) for problem in problems}) == 60


def test_every_problem_is_a_position_with_a_choice(load: Load) -> None:
    for problem in load("problem_set").read_problems():
        assert problem.state.is_ours, problem.name
        assert set(problem.right) < set(problem.choices), problem.name
        assert problem.why.endswith("."), problem.name
        assert 1 <= problem.need <= len(next(iter(problem.hands.values()))), problem.name


def test_the_robot_is_asked_the_same_question(load: Load) -> None:
    for problem in load("problem_set").read_problems():
        known = problem.knowledge
        assert known.turn is problem.state.turn, problem.name
        assert known.trick == problem.state.trick, problem.name
        assert known.unseen == problem.state.hidden, problem.name
        assert {s: known.left(s) for s in known.seen} == problem.state.hands, problem.name
        needed = known.contract.tricks_needed - known.won_before
        won = known.tricks_won(Seat.SOUTH.side)
        if problem.seat is None:
            still = problem.need - problem.state.won
        else:
            tricks = problem.state.tricks_left
            still = tricks + 1 - (problem.need - problem.state.won)
        assert needed - won == still, problem.name


def test_layouts_are_weighed_by_what_else_could_have_been_played(load: Load) -> None:
    problems = load("problem_set").read_problems()
    problem = next(p for p in problems if p.name == "nine cards, an honour falls")
    worlds, weights = problem.layouts
    by_world = {
        Hand(int(world)): int(weight) for world, weight in zip(worlds, weights, strict=True)
    }
    with_jack = {weight for hand, weight in by_world.items() if "SJ" in map(str, hand)}
    without = {weight for hand, weight in by_world.items() if "SJ" not in map(str, hand)}
    (half,), (whole,) = with_jack, without
    assert 2 * half == whole


def test_right_cards_are_proven_best_where_layouts_are_few(load: Load) -> None:
    verified = 0
    for problem in load("problem_set").read_problems():
        if len(problem.layouts[0]) <= SLOW:
            least, most = problem.verify()
            assert least > most, problem.name
            verified += 1
    assert verified >= 30


@pytest.mark.slow
def test_right_cards_are_proven_best(load: Load) -> None:
    for problem in load("problem_set").read_problems():
        least, most = problem.verify()
        assert least > most, problem.name


def test_the_benchmark_counts_by_theme(load: Load) -> None:
    bench = load("problems")
    result = bench.run(count=8)
    assert result["problems"] == 8
    assert result["themes"]["avoidance"]["problems"] == 6
    assert result["robot"] == sum(row["robot"] for row in result["themes"].values())
    assert result["robot"] + len(result["missed"]) == 8
    assert bench.table(result).splitlines()[2].startswith("| avoidance | 6 |")
