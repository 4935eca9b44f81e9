"""How many contracts does strategy search make that plain Monte Carlo loses?

Deals are for 3NT by South. A deal is kept if plain Monte Carlo, with 20 layouts of the defenders'
cards, sees between 30 and 70 % chances before the lead. Then each declarer plays the same layouts
against the same defence, so that every difference comes from his cards:

- `perfect` defenders see all cards, and play one of the best at random. Only layouts that can be
  made are played, since no declarer makes the others.
- `erring` defenders do the same, except for 15 % of their cards, which are any at random.
- `monte_carlo` defenders play by 20 layouts of their own that fit the auction.

A game is one declarer's play of one layout. With `--log` every game is written down, and a second
run goes on where the first ended. The standard error is that of the mean difference, with the
layouts of one deal taken together.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.corpora.notrump_play import is_for_notrump, layouts_of, notrump_deals
from bench.outcome_vectors import endings_in
from bench.report import cpu_ms, main, markdown_table, signature
from setrograde import _core
from setrograde.bridge import Deal, Hand, Seat
from setrograde.errors import InvalidInput
from setrograde.solve.strategy import PlayState, StrategySearch

__all__ = ["COUNT", "DECLARERS", "DEFENCES", "Declarer", "Game", "add_options", "run", "table"]

COUNT = 10
DEFENCES = ("perfect", "erring", "monte_carlo")
PROMISE = (23, 27, 2, 7)
"""Least and most points, shortest suit, longest major of both hands: as `is_for_notrump`."""

NEED = 9
CHANCE_LAYOUTS = 20


@dataclass(frozen=True, slots=True)
class Declarer:
    """A way to choose cards."""

    worlds: int = 40
    depth: int = 4
    has_labels: bool = True
    keeps_plan: bool = True
    class_limit: int = 64
    """All layouts are taken, in classes, as soon as there are no more classes than this."""

    double_dummy_share: float = 0.0
    """Share of the double-dummy value in the choice between cards."""

    work_limit: int = 3_000_000


DECLARERS = {
    "monte_carlo": Declarer(depth=1, has_labels=False, keeps_plan=False, class_limit=0),
    "strategy": Declarer(),
}
"""Who is compared: the first with each of the others."""


@dataclass(frozen=True, slots=True)
class Game:
    """One layout, as every declarer played it."""

    deal: int
    layout: int
    made: dict[str, bool]
    choices: dict[str, int]
    seconds: dict[str, float]
    longest: dict[str, float]


def run(
    *,
    count: int = COUNT,
    seed: int = 1,
    layouts: int = 2,
    defence: str = "perfect",
    data: Path | None = None,
    log: Path | None = None,
) -> dict[str, Any]:
    """Play `count` deals, `layouts` layouts each, and compare the declarers."""
    if defence not in DEFENCES:
        raise InvalidInput(f"no such defence: {defence!r} (expected one of {', '.join(DEFENCES)})")
    games = _read(log)
    played = {game.deal for game in games}
    endings = endings_in(data)
    core = None if endings is None else endings._core
    trials = _core.ContractTrials(1 << 30, core)
    search = StrategySearch(limit_mb=256, endings=endings)
    kept = 0
    ours_ms = 0.0
    for number, deal in enumerate(notrump_deals(seed=seed)):
        if kept == count:
            break
        search.reset()
        chosen = _layouts(deal, number, search, only_made=defence == "perfect")
        if chosen is None:
            continue
        kept += 1
        if number in played:
            continue
        trials.reset()
        of_deal = []
        for index, east in enumerate(chosen[:layouts]):
            play = partial(_play, trials, deal, number, index, east, defence, seed)
            game, ms = cpu_ms(play)
            ours_ms += ms
            of_deal.append(game)
        games += of_deal
        if log is not None:
            with log.open("a", encoding="utf-8") as file:
                file.writelines(f"{json.dumps(asdict(game))}\n" for game in of_deal)
        print(f"{kept} deals, {len(games)} games", file=sys.stderr, flush=True)
    return {"seed": seed, "defence": defence, **_summary(games)}


def _read(log: Path | None) -> list[Game]:
    if log is None or not log.exists():
        return []
    return [Game(**json.loads(line)) for line in log.read_text("utf-8").splitlines()]


def _layouts(
    deal: Deal, number: int, search: StrategySearch, *, only_made: bool
) -> list[int] | None:
    """East's cards in the layouts to play; none if the chance is not between 30 and 70 %."""
    north, south = deal[Seat.NORTH], deal[Seat.SOUTH]
    assert is_for_notrump(north, south)
    hidden = deal[Seat.EAST] | deal[Seat.WEST]
    worlds = layouts_of(hidden, CHANCE_LAYOUTS, seed=number)
    state = PlayState("NT", "W", hands={"N": north, "S": south}, hidden=hidden)
    made = search.outcomes(state, np.array(worlds, np.uint64), NEED)
    if not 0.3 <= made.mean() <= 0.7:
        return None
    if not only_made:
        return worlds
    return [world for world, yes in zip(worlds, made, strict=True) if yes]


def _play(
    trials: _core.ContractTrials,
    deal: Deal,
    number: int,
    index: int,
    east: int,
    defence: str,
    seed: int,
) -> Game:
    hidden = deal[Seat.EAST] | deal[Seat.WEST]
    west = hidden - Hand(east)
    hands = [deal[Seat.NORTH].bits, east, deal[Seat.SOUTH].bits, west.bits]
    found = {
        name: trials.play(
            hands,
            4,
            NEED,
            DEFENCES.index(defence),
            0.15,
            20,
            PROMISE,
            (seed * 1_000_003 + number) * 64 + index,
            **asdict(declarer),
        )
        for name, declarer in DECLARERS.items()
    }
    made, choices, seconds, longest = (
        {name: values[i] for name, values in found.items()} for i in range(4)
    )
    return Game(number, index, made, choices, seconds, longest)


def _summary(games: list[Game]) -> dict[str, Any]:
    first, *others = DECLARERS
    pairs = {name: _compare(games, name, first) for name in others}
    shares = {name: _share(game.made[name] for game in games) for name in DECLARERS}
    return {
        "unit": "contracts made, per cent",
        "ours": shares[others[-1]],
        "peer": shares[first],
        "ratio": round(shares[others[-1]] / shares[first], 3) if shares[first] else None,
        "signature": signature(sorted((g.deal, g.layout, *g.made.values()) for g in games)),
        "deals": len({game.deal for game in games}),
        "games": len(games),
        "made": shares,
        "differences": pairs,
        "ms_a_card": {
            name: round(
                1000
                * sum(g.seconds[name] for g in games)
                / max(1, sum(g.choices[name] for g in games)),
                2,
            )
            for name in DECLARERS
        },
        "longest_s": {name: max((g.longest[name] for g in games), default=0) for name in DECLARERS},
    }


def _share(made: Iterable[bool]) -> float:
    values = list(made)
    return round(100 * statistics.mean(values), 2) if values else 0.0


def _compare(games: list[Game], name: str, other: str) -> dict[str, float | int]:
    """The paired difference in per cent, its error clustered by deal, and games that differ."""
    by_deal: dict[int, list[int]] = {}
    for game in games:
        by_deal.setdefault(game.deal, []).append(game.made[name] - game.made[other])
    mean = sum(map(sum, by_deal.values())) / max(1, len(games))
    squares = sum((sum(values) - mean * len(values)) ** 2 for values in by_deal.values())
    error = math.sqrt(squares) / max(1, len(games))
    gains = [value for values in by_deal.values() for value in values]
    return {
        "points": round(100 * mean, 2),
        "standard_error": round(100 * error, 2),
        "only_this_made": gains.count(1),
        "only_other_made": gains.count(-1),
    }


def table(result: dict[str, Any]) -> str:
    """A row for each declarer."""
    rows = []
    for name, made in result["made"].items():
        pair = result["differences"].get(name)
        rows.append(
            [
                name.replace("_", " "),
                f"{made:.1f}",
                f"{pair['points']:+.1f} ± {pair['standard_error']:.1f}" if pair else "",
                f"{pair['only_this_made']} : {pair['only_other_made']}" if pair else "",
                f"{result['ms_a_card'][name]:.1f}",
            ]
        )
    heads = [
        f"{result['games']} games of {result['deals']} deals, {result['defence']} defence",
        "contracts made, %",
        "points more",
        "games won : lost",
        "ms a card",
    ]
    return f"{markdown_table(heads, rows)}\n\nSignature: `{result['signature']}`."


def add_options(parser: argparse.ArgumentParser) -> None:
    """`--defence`, `--layouts`, `--seed`, `--data`, `--log`."""
    parser.add_argument("--defence", choices=DEFENCES, default="perfect", help="(default perfect)")
    parser.add_argument(
        "--layouts", type=int, default=2, metavar="N", help="layouts a deal (default 2)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="deals (default 1)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="a data directory with endings")
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="games played; those in it are not played again"
    )


if __name__ == "__main__":
    sys.exit(main("card_play", run, table, count=COUNT, add_options=add_options))
