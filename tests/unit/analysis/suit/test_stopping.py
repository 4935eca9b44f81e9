"""Long work on a suit ends soon after its flag is set, also while it is queued."""

from __future__ import annotations

import threading
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

PATIENCE_S = 0.25
"""From setting the flag to the end of the call."""


def endless() -> SuitGame:
    """A game whose front has millions of outcomes."""
    return SuitGame(layouts_of("K5", "QT83"))


def seconds_to_stop(work: Callable[[StopFlag], object]) -> float:
    """Runs work in a thread, sets its flag after a while, and times how long it goes on."""
    flag, raised = StopFlag(), list[BaseException]()

    def run() -> None:
        try:
            work(flag)
        except Stopped as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.1)
    assert thread.is_alive(), "the work is too short to be stopped"
    flag.set()
    start = time.perf_counter()
    thread.join(30)
    elapsed = time.perf_counter() - start
    assert raised
    return elapsed


@contextmanager
def busy(game: SuitGame) -> Iterator[None]:
    """Keeps the game's solver at work meanwhile."""
    flag = StopFlag()

    def run() -> None:
        with pytest.raises(Stopped):
            game.front(game.start, stop=flag)

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.05)
    try:
        yield
    finally:
        flag.set()
        thread.join(30)
        assert not thread.is_alive()


def repeated(work: Callable[[StopFlag], object]) -> Callable[[StopFlag], object]:
    """Short work over and over."""

    def run(flag: StopFlag) -> None:
        while True:
            work(flag)

    return run


def test_solving_stops() -> None:
    assert seconds_to_stop(lambda flag: solve_suit("A93", "KJ75", stop=flag)) < PATIENCE_S


def test_a_front_stops_and_the_game_answers_afterwards() -> None:
    game = endless()
    assert seconds_to_stop(lambda flag: game.front(game.start, stop=flag)) < PATIENCE_S
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
        assert seconds_to_stop(ask[question]) < PATIENCE_S
    assert game.can_win(game.start, 0)
    assert not game.can_win(game.start, game.spread(game.all_layouts))


def test_goals_stop() -> None:
    solution = solve_suit("AJ98", "K32")
    outcomes = solution.outcomes[:3]
    alone: SuitSolution = replace(solution, outcomes=outcomes, is_complete=False)
    work = repeated(lambda flag: best_lines(alone, ["mp", "imp"], stop=flag))
    assert seconds_to_stop(work) < PATIENCE_S
    assert best_lines(solution, ["mp"])[0].outcome is None


def test_first_plays_and_named_lines_stop() -> None:
    solution = solve_suit("AQT98", "5432")
    for work in (first_plays, named_lines):
        assert seconds_to_stop(repeated(lambda flag, f=work: f(solution, stop=flag))) < PATIENCE_S  # type: ignore[misc]
    assert str(first_plays(solution, need=4)[0]) == "2 from South to the A"


def test_lines_and_their_words_stop() -> None:
    solution = solve_suit("AQT98", "5432")
    outcome = solution.best()
    line = find_line(solution, outcome)
    find = repeated(lambda flag: find_line(solution, outcome, stop=flag))
    tell = repeated(lambda flag: describe_line(solution, line, stop=flag))
    assert seconds_to_stop(find) < PATIENCE_S
    assert seconds_to_stop(tell) < PATIENCE_S
    assert describe_line(solution, line).startswith("Lead low from South")
