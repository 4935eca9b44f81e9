"""Long work on a suit ends soon after its flag is set, also while it is queued."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from setrograde.analysis.suit import (
    SuitSolution,
    best_lines,
    describe_line,
    find_line,
    first_plays,
    layouts_of,
    named_lines,
    solve_suit,
)
from setrograde.analysis.suit.game import SuitGame
from setrograde.common.stop import StopFlag, Stopped
from stopped_work import MOST_SECONDS, Work, assert_stops


def endless() -> SuitGame:
    """A game whose front has millions of outcomes."""
    return SuitGame(layouts_of("K5", "QT83"))


@contextmanager
def busy(game: SuitGame) -> Iterator[None]:
    """Keeps the game's solver at work meanwhile."""
    work = Work(lambda flag: game.front(game.start, stop=flag))
    time.sleep(0.05)
    try:
        yield
    finally:
        assert work.stop() < MOST_SECONDS
        assert work.is_stopped


def repeated(work: Callable[[StopFlag], object]) -> Callable[[StopFlag], object]:
    """Short work over and over."""

    def run(flag: StopFlag) -> None:
        while True:
            work(flag)

    return run


def test_solving_stops() -> None:
    assert_stops(lambda flag: solve_suit("A93", "KJ75", stop=flag))


def test_a_front_stops_and_the_game_answers_afterwards() -> None:
    game = endless()
    assert_stops(lambda flag: game.front(game.start, stop=flag))
    weights = [layout.weight for layout in game.table.layouts]
    none = [0] * len(weights)
    _, at_most = game.best([none, weights, none, none], work=200_000_000)
    assert round(at_most / game.table.total, 4) == 0.6938


def test_a_front_that_was_stopped_can_be_found_later() -> None:
    game = SuitGame(layouts_of("AQT98", "5432"))
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        game.front(game.start, stop=flag)
    flag.clear()
    assert len(game.front(game.start, stop=flag)) == 6


@pytest.mark.parametrize("question", ["front", "best", "outcomes_for", "can_win"])
def test_questions_that_wait_for_another_thread_stop(question: str) -> None:
    game = endless()
    ones = [[1] * len(game.table.layouts)] * game.levels
    ask: dict[str, Callable[[StopFlag], object]] = {
        "front": lambda flag: game.front(game.start, stop=flag),
        "best": lambda flag: game.best(ones, work=10**9, stop=flag),
        "outcomes_for": lambda flag: game.outcomes_for([(ones, 1)], work=10**9, stop=flag),
        "can_win": lambda flag: game.can_win(game.start, game.all_layouts, stop=flag),
    }
    with busy(game):
        assert_stops(ask[question])
    assert game.can_win(game.start, 0)
    assert not game.can_win(game.start, game.spread(game.all_layouts))


def test_goals_stop() -> None:
    solution = solve_suit("AJ98", "K32")
    outcomes = solution.outcomes[:3]
    alone: SuitSolution = replace(solution, outcomes=outcomes, is_complete=False)
    work = repeated(lambda flag: best_lines(alone, ["mp", "imp"], stop=flag))
    assert_stops(work)
    assert best_lines(solution, ["mp"])[0].outcome is None


def test_first_plays_and_named_lines_stop() -> None:
    solution = solve_suit("AQT98", "5432")
    for work in (first_plays, named_lines):
        assert_stops(repeated(lambda flag, f=work: f(solution, stop=flag)))  # type: ignore[misc]
    assert str(first_plays(solution, need=4)[0]) == "2 from South to the A"


def test_lines_and_their_words_stop() -> None:
    solution = solve_suit("AQT98", "5432")
    outcome = solution.best()
    line = find_line(solution, outcome)
    find = repeated(lambda flag: find_line(solution, outcome, stop=flag))
    tell = repeated(lambda flag: describe_line(solution, line, stop=flag))
    assert_stops(find)
    assert_stops(tell)
    assert describe_line(solution, line).startswith("Lead low from South")
