"""What do board games cost as compressed sets?

Breakthrough boards are solved whole, each in a process of its own; OxiDD solves the smaller ones in
the same run. Then the study of the paper on Compressed Game Solving: boards, automaton states and
bytes of sets of several games and sizes, and the exponent of boards that the states grow with.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.report import PAGES, cpu_ms, main, markdown_table, signature
from setrograde.games.breakthrough import Breakthrough
from setrograde.games.catalogue import make_game
from setrograde.sets import BoardSet, format_sets
from setrograde.solve.boards import (
    BoardOutcome,
    find_reachable,
    solve_game,
)

__all__ = ["COUNT", "add_options", "plot", "plot_by_ply", "run", "table"]

COUNT = 3
"""How many of `BOARDS` are solved."""

BOARDS = ("4x4", "4x5", "8x4", "5x5")
PEER_BOARDS = ("4x4", "4x5")
STUDY = {
    "breakthrough": ("2x4", "2x5", "3x4", "2x6", "4x4", "3x5", "5x4", "4x5"),
    "connect4": ("4x4", "5x4"),
    "amazons": ("4x4",),
    "tic-tac-toe": ("3x3", "4x4"),
    "chess": ("KQK", "KRK", "KPK"),
    "nim": ("7,7,7", "7,7,7,7,7", "15,15,15,15,15"),
}
"""Sets of the study; `--large` adds more."""

LARGE = {"breakthrough": ("3x6", "6x4", "5x5"), "connect4": ("5x5",)}
BY_PLY = ("breakthrough", "4x5")
PICTURE = PAGES["compressed_games"].with_name("compressed_games.svg")
PICTURE_BY_PLY = PICTURE.with_name("compressed_games_by_ply.svg")
LIMIT_MB = 450

Row = dict[str, Any]


def run(*, count: int = COUNT, large: bool = False, picture: bool = False) -> Row:
    """Solve the first `count` boards, compare with OxiDD, and study sizes of sets."""
    solves = [_solve_apart("ours", size) for size in BOARDS[:count]]
    shared = [size for size in BOARDS[:count] if size in PEER_BOARDS]
    peers = [_solve_apart("peer", size) for size in shared]
    one_chain = [_solve_apart("peer_one_chain", size) for size in shared]
    by_size = {row["size"]: row for row in solves}
    wrong = [row for row in peers + one_chain if row["answer"] != by_size[row["size"]]["answer"]]
    study = [
        row
        for name, sizes in STUDY.items()
        for size in (*sizes, *(LARGE.get(name, ()) if large else ()))
        for row in _study(name, size)
    ]
    last = peers[-1]
    if picture:
        plot(study)
        plot_by_ply(*BY_PLY)
    return {
        "unit": f"CPU s, Breakthrough {last['size']} whole; peer: OxiDD",
        "ours": by_size[last["size"]]["seconds"],
        "peer": last["seconds"],
        "ratio": round(last["seconds"] / by_size[last["size"]]["seconds"], 1),
        "ratio_one_chain": round(one_chain[-1]["seconds"] / by_size[last["size"]]["seconds"], 1),
        "signature": signature([row["answer"] for row in solves]),
        "mismatches": len(wrong),
        "solves": solves,
        "peers": peers,
        "peers_one_chain": one_chain,
        "study": study,
        "exponents": {kind: _exponent(study, *kind.split(": ")) for kind in _kinds(study)},
    }


# --- solving, in a process of its own so that memory is its own ---


def _solve_apart(who: str, size: str) -> Row:
    print(f"{who}, Breakthrough {size}", file=sys.stderr, flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "bench.compressed_games", "--solve", who, size],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[1],
    )
    row: Row = json.loads(done.stdout)
    return row


def _solve(who: str, size: str) -> Row:
    game = Breakthrough.from_size(size, limit_mb=LIMIT_MB)
    row: Row = {"who": who, "size": size}
    if who.startswith("peer"):
        from bench.oxidd_breakthrough import solve_breakthrough

        chains = 1 if who == "peer_one_chain" else 2
        peer, ms = cpu_ms(lambda: solve_breakthrough(game, chains=chains))
        row["answer"] = [peer.wins, peer.losses]
    else:
        # The game is made in the time that is measured: moves are compiled in it.
        solution, ms = cpu_ms(lambda: solve_game(Breakthrough.from_size(size, limit_mb=LIMIT_MB)))
        wins, losses = solution.wins[0][-1][1], solution.losses[1][-1][1]
        row["answer"] = [wins.count, losses.count]
        row["start"] = str(solution.start_value)
        row["states"] = losses.states
        # Without draws, player 1 wins what is not lost for him.
        row["wins_bytes"] = len(format_sets({"wins": ~losses}))
        row["boards_a_byte"] = round((~losses).count / row["wins_bytes"])
    row["seconds"] = round(ms / 1000, 3)
    row["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return row


# --- sizes of sets ---


def _study(name: str, size: str) -> list[Row]:
    print(f"sets of {name} {size}", file=sys.stderr, flush=True)
    game = make_game(name, size, limit_mb=4096)
    if name == "nim":
        return [_measure(name, size, "losses", solve_game(game).boards(BoardOutcome.LOSS, 1))]
    if name == "chess":
        return [_measure(name, size, "wins", solve_game(game).boards(BoardOutcome.WIN, 0))]
    levels = find_reachable(game)
    rows = [_measure(name, size, "reachable", max(levels, key=lambda each: each.states))]
    if name == "breakthrough":
        solution = solve_game(make_game(name, size, limit_mb=4096))
        rows.append(_measure(name, size, "wins", ~solution.boards(BoardOutcome.LOSS, 1)))
    return rows


def _measure(name: str, size: str, kind: str, boards: BoardSet) -> Row:
    data = len(format_sets({kind: boards}))
    return {
        "game": name,
        "size": size,
        "set": kind,
        "boards": boards.count,
        "states": boards.states,
        "bytes": data,
        "boards_a_byte": boards.count / data,
        "exponent": round(math.log(boards.states) / math.log(boards.count), 3),
    }


def _kinds(study: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys([f"{row['game']}: {row['set']}" for row in study]))


def _exponent(study: Sequence[Row], game: str, kind: str) -> float | None:
    """The slope of states over boards, both as logarithms; from one size, through one board."""
    points = [
        (math.log(row["boards"]), math.log(row["states"]))
        for row in study
        if (row["game"], row["set"]) == (game, kind) and row["boards"] > 1
    ]
    if len(points) < 2:
        return round(points[0][1] / points[0][0], 3) if points else None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    above = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return round(above / sum((x - mean_x) ** 2 for x, _ in points), 3)


def plot(study: Sequence[Row]) -> None:
    """Draw states over boards."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "setrograde"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for kind in _kinds(study):
        game, name = kind.split(": ")
        rows = [row for row in study if (row["game"], row["set"]) == (game, name)]
        rows.sort(key=lambda row: row["boards"])
        axes.loglog(
            [row["boards"] for row in rows], [row["states"] for row in rows], "o-", label=kind
        )
    most = max(row["boards"] for row in study)
    axes.loglog([1, most], [1, most**0.5], ":", color="grey", label="square root")
    axes.set_xlabel("boards in the set")
    axes.set_ylabel("automaton states")
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(PICTURE, metadata={"Date": None})
    pyplot.close(figure)


def plot_by_ply(name: str, size: str) -> None:
    """Draw boards and states by ply: forwards from the start, and backwards from the end."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "setrograde"
    from matplotlib import pyplot

    levels = list(enumerate(find_reachable(make_game(name, size))))
    wins = solve_game(make_game(name, size)).wins[0]
    figure, both = pyplot.subplots(1, 2, figsize=(9, 3.8), sharey=True)
    titles = ("boards reached after so many plies", "boards won within so many plies")
    for axes, title, plies in zip(both, titles, (levels, wins), strict=True):
        numbers = [ply for ply, _ in plies]
        axes.semilogy(numbers, [boards.count for _, boards in plies], "o-", label="boards")
        axes.semilogy(numbers, [boards.states for _, boards in plies], "s-", label="states")
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("ply")
        axes.legend(fontsize=8)
    figure.suptitle(f"{name} {size}", fontsize=11)
    figure.tight_layout()
    figure.savefig(PICTURE_BY_PLY, metadata={"Date": None})
    pyplot.close(figure)


# --- tables ---


def table(result: Row) -> str:
    """The figures for the page."""
    peers = {row["size"]: row for row in result["peers"]}
    one_chain = {row["size"]: row for row in result["peers_one_chain"]}
    solves = markdown_table(
        ["Breakthrough", "boards", "CPU s", "MB", "states of wins", "bytes of wins",
         "boards a byte", "OxiDD CPU s", "one chain", "OxiDD MB"],
        [
            [
                row["size"],
                f"{sum(row['answer']):.2e}",
                row["seconds"],
                row["peak_mb"],
                f"{row['states']:,}",
                f"{row['wins_bytes']:,}",
                f"{row['boards_a_byte']:,}",
                peers.get(row["size"], {}).get("seconds", ""),
                one_chain.get(row["size"], {}).get("seconds", ""),
                peers.get(row["size"], {}).get("peak_mb", ""),
            ]
            for row in result["solves"]
        ],
    )  # fmt: skip
    study = markdown_table(
        ["set", "boards", "states", "bytes", "boards a byte", "boards to the power of"],
        [
            [
                f"{row['game']} {row['size']}, {row['set']}",
                f"{row['boards']:.3g}",
                f"{row['states']:,}",
                f"{row['bytes']:,}",
                f"{row['boards_a_byte']:,.1f}",
                row["exponent"],
            ]
            for row in result["study"]
        ],
    )
    exponents = markdown_table(
        ["over the sizes above, states grow as boards to the power of", "exponent"],
        result["exponents"].items(),
    )
    return f"{solves}\n\n{study}\n\n{exponents}"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options beside `--count` and `--docs`."""
    parser.add_argument("--large", action="store_true", help="also sets that take a minute each")
    parser.add_argument(
        "--picture", action="store_true", help=f"also draw {PICTURE.name} and its fellow"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--solve"]:
        print(json.dumps(_solve(*sys.argv[2:4])))
    else:
        main("compressed_games", run, table, count=COUNT, add_options=add_options)
