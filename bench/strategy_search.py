"""How long does strategy search take for a card, and for the exact value of an ending?

Cards: positions of 3NT (`bench/corpora/notrump_play.py`) with 40 worlds, where declarer needs as
many tricks as 30 to 70 % of the worlds yield double dummy. Depth 4, with labels and with the plan
of the search before, in a context that was empty before the first card of the board: at every
earlier turn of declarer the same worlds were searched. `cold_ms` is the time in an empty context.

Endings: random cards are played until two tricks more than wanted are left, and double-dummy cards
from there on. Then all layouts are searched to the last card, so the value is exact. In a second
search layouts are merged into classes, which gives an approximation. No other program answers
either question; the peer is plain Monte Carlo, which is depth 1.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from bench.corpora.notrump_play import draw_layouts, notrump_deals, play_on, positions
from bench.outcome_vectors import endings_in
from bench.report import cpu_ms, main, markdown_table, signature
from setrograde.bridge import Play, Seat, Side, Strain
from setrograde.common.stop import StopFlag, Stopped
from setrograde.solve import Solver
from setrograde.solve.strategy import (
    Choice,
    Goal,
    Known,
    LayoutClasses,
    Line,
    PlayState,
    StrategySearch,
    TooManyLayouts,
    all_layouts,
    layout_classes,
)

__all__ = ["COUNT", "add_options", "run", "table"]

T = TypeVar("T")
Worlds: TypeAlias = NDArray[np.uint64]
Plan: TypeAlias = NDArray[np.bool_] | None

COUNT = 20
WORLDS = 40
DEPTH = 4
CARD_TRICKS = (13, 11, 9)
ENDING_TRICKS = (5, 6, 7)
LIMIT_S = 5.0
LEAST_LAYOUTS = 20


def run(*, count: int = COUNT, seed: int = 1, data: Path | None = None) -> dict[str, Any]:
    """Measure cards and endings."""
    endings = endings_in(data)
    solver = Solver(limit_mb=512, endings=endings)
    search = StrategySearch(limit_mb=512, endings=endings)
    cards, card_answers = _cards(count, seed, solver, search)
    lines, line_answers = _endings(count, seed, solver, search)
    first = cards[str(CARD_TRICKS[0])]
    return {
        "unit": "CPU ms for a card with 13 tricks left, mean",
        "ours": first["mean_ms"],
        "peer": first["depth_1_ms"],
        "ratio": round(first["depth_1_ms"] / first["mean_ms"], 3),
        "signature": signature([*card_answers, *line_answers]),
        "positions": count,
        "seed": seed,
        "endings_cards": None if endings is None else 4 * endings.tricks,
        "cards": cards,
        "endings": lines,
    }


def _cards(
    count: int, seed: int, solver: Solver, search: StrategySearch
) -> tuple[dict[str, dict[str, float]], list[object]]:
    rows, answers = {}, list[object]()
    for tricks in CARD_TRICKS:
        warm, cold, alone, work, limited = [], [], [], [], 0
        for play, worlds, goal in _questions(count, tricks, seed, solver, search):
            state = PlayState.from_play(play, Seat.SOUTH)
            alone.append(_asked(search, partial(search.choose, state, worlds, goal, depth=1))[1])
            cold.append(_asked(search, partial(search.choose, state, worlds, goal))[1])
            search.reset()
            plan = _play_before(play, worlds, goal, search)
            found: tuple[Choice, float] = cpu_ms(
                partial(search.choose, state, worlds, goal, depth=DEPTH, plan=plan)
            )
            warm.append(found[1])
            work.append(found[0].work)
            limited += found[0].limited
            answers.append((str(found[0].card), round(found[0].value, 6), found[0].nodes))
        rows[str(tricks)] = {
            "mean_ms": round(statistics.mean(warm), 3),
            "median_ms": round(statistics.median(warm), 3),
            "longest_ms": round(max(warm), 1),
            "cold_ms": round(statistics.mean(cold), 3),
            "depth_1_ms": round(statistics.mean(alone), 3),
            "most_work": max(work),
            "limited": limited,
        }
    return rows, answers


def _play_before(play: Play, worlds: Worlds, goal: Goal, search: StrategySearch) -> Plan:
    """Search at declarer's earlier turns, and return the plan that the last of them made."""
    plan = None
    for number in range(1, len(play.cards)):
        earlier = Play(play.deal, play.strain, play.leader, play.cards[:number])
        if earlier.turn.side is not Side.NS:
            continue
        state = PlayState.from_play(earlier, Seat.SOUTH)
        gone = earlier.remaining[Seat.EAST].bits & ~play.remaining[Seat.EAST].bits
        layouts = worlds | np.uint64(gone)
        plan = search.choose(state, layouts, goal, depth=DEPTH, plan=plan).plan
    return plan


def _asked(search: StrategySearch, ask: Callable[[], T]) -> tuple[T, float]:
    search.reset()
    return cpu_ms(ask)


def _within_limit(ask: Callable[..., Line]) -> Line | None:
    """An answer, or none if it takes more than the limit of CPU time."""
    stop, done = StopFlag(), threading.Event()
    begin = time.process_time()

    def watch() -> None:
        while not done.wait(0.05):
            if time.process_time() - begin > LIMIT_S:
                stop.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        return ask(stop=stop)
    except Stopped:
        return None
    finally:
        done.set()
        watcher.join()


def _questions(
    count: int, tricks: int, seed: int, solver: Solver, search: StrategySearch
) -> Iterator[tuple[Play, Worlds, Goal]]:
    """Positions with the number of tricks that is open."""
    found = 0
    for number, play in enumerate(positions(100 * count, tricks=tricks, seed=seed, solver=solver)):
        state = PlayState.from_play(play, Seat.SOUTH)
        worlds = np.array(draw_layouts(play, WORLDS, seed=number), np.uint64)
        value = solver.solve(play.deal, play.strain, play.leader, played=play.cards).tricks_ns
        for need in (value, value + 1, value - 1):
            made = search.outcomes(state, worlds, state.won + need).mean()
            if 0.3 <= made <= 0.7 and len(state.legal_cards()) > 1:
                found += 1
                yield play, worlds, Goal.make(state.won + need)
                break
        if found == count:
            return


def _endings(
    count: int, seed: int, solver: Solver, search: StrategySearch
) -> tuple[dict[str, dict[str, float]], list[object]]:
    rows, answers = {}, list[object]()
    for tricks in ENDING_TRICKS:
        exact, merged, finished, layouts = [], [], 0, []
        for state, known, goal in _ending_questions(count, tricks, seed, solver, search):
            worlds = all_layouts(state, known)
            ask = partial(search.solve_line, state, worlds, goal, work_limit=None)
            line, ms = _asked(search, partial(_within_limit, ask))
            exact.append(ms)
            layouts.append(worlds.layouts)
            if line is not None and line.exact:
                finished += 1
                answers.append((tricks, worlds.layouts, round(line.value, 6)))
            classes = layout_classes(state, known)
            ask = partial(search.solve_line, state, classes, goal, work_limit=None)
            merged.append(_asked(search, partial(_within_limit, ask))[1])
        rows[str(tricks)] = {
            "median_ms": round(statistics.median(exact), 2),
            "mean_ms": round(statistics.mean(exact), 2),
            "longest_ms": round(max(exact), 1),
            "exact_within_limit": round(finished / count, 3),
            "layouts": statistics.median(layouts),
            "merged_median_ms": round(statistics.median(merged), 2),
        }
    return rows, answers


def _ending_questions(
    count: int, tricks: int, seed: int, solver: Solver, search: StrategySearch
) -> Iterator[tuple[PlayState, Known, Goal]]:
    """Endings with declarer to lead, all layouts, and a number of tricks that is open."""
    rng = random.Random(f"endings/{seed}/{tricks}")
    found = 0
    for deal in notrump_deals(seed=seed * 100 + tricks + 50):
        if found == count:
            return
        play = Play(deal, Strain.NOTRUMP, Seat.WEST, ())
        while len(play.cards) < 4 * (13 - tricks) or (
            len(play.current_trick.cards) and play.turn.side is Side.NS
        ):
            if len(play.cards) < 4 * (11 - tricks):
                legal = play.legal_cards()
                play = play.with_card(legal[int(rng.random() * len(legal))])
            else:
                play = play_on(play, rng, solver)
        if play.turn.side is not Side.NS or len(play.cards) != 4 * (13 - tricks):
            continue
        state, known = PlayState.from_play(play, Seat.SOUTH), _known(play)
        try:
            worlds: LayoutClasses = all_layouts(state, known)
        except TooManyLayouts:
            continue
        if worlds.layouts < LEAST_LAYOUTS:
            continue
        for need in range(1, tricks + 1):
            made = search.outcomes(state, worlds, state.won + need).mean()
            if 0.3 <= made <= 0.7:
                found += 1
                yield state, known, Goal.make(state.won + need)
                break


def _known(play: Play) -> Known:
    voids: dict[Seat, list[Any]] = {Seat.EAST: [], Seat.WEST: []}
    for trick in play.tricks():
        for step, card in enumerate(trick.cards):
            seat = trick.leader.next_by(step)
            if seat in voids and card.suit is not trick.cards[0].suit:
                voids[seat].append(trick.cards[0].suit)
    return Known(voids=voids)


def table(result: dict[str, Any]) -> str:
    """One table for cards, one for endings."""
    cards = [
        [
            tricks,
            f"{row['mean_ms']:.1f}",
            f"{row['median_ms']:.1f}",
            f"{row['longest_ms']:.0f}",
            f"{row['cold_ms']:.1f}",
            f"{row['depth_1_ms']:.1f}",
            f"{row['limited']}",
        ]
        for tricks, row in result["cards"].items()
    ]
    heads = [
        f"{result['positions']} positions, tricks left",
        "ms a card, mean",
        "median",
        "longest",
        "in an empty context",
        "plain Monte Carlo there",
        "ended by the limit",
    ]
    endings = [
        [
            tricks,
            f"{row['layouts']:.0f}",
            f"{row['median_ms']:.1f}",
            f"{100 * row['exact_within_limit']:.0f}",
            f"{row['merged_median_ms']:.1f}",
        ]
        for tricks, row in result["endings"].items()
    ]
    end_heads = [
        f"{result['positions']} endings, tricks",
        "layouts, median",
        "ms, median",
        "exact within 5 s, %",
        "ms with merged layouts",
    ]
    tail = f"Signature: `{result['signature']}`."
    return f"{markdown_table(heads, cards)}\n\n{markdown_table(end_heads, endings)}\n\n{tail}"


def add_options(parser: argparse.ArgumentParser) -> None:
    """`--data`, `--seed`."""
    parser.add_argument("--data", type=Path, metavar="DIR", help="a data directory with endings")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="positions (default 1)")


if __name__ == "__main__":
    sys.exit(main("strategy_search", run, table, count=COUNT, add_options=add_options))
