"""Who wins Breakthrough on every board of Table 3 of the paper on Compressed Game Solving?

Each board is solved in a process of its own, checked by the plain rules on random boards, and kept
with its figures: a run that was stopped goes on, and boards that are done are only reported. All
strings of pawns are solved with distances but on the largest boards, which are solved by grades.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bench.report import main, markdown_table, signature
from setrograde.db.database import data_directory
from setrograde.games.breakthrough import Breakthrough
from setrograde.sets import format_sets
from setrograde.solve.boards import (
    GameSolution,
    load_solution,
    save_solution,
    solve_by_grades,
    solve_game,
    verify_solution,
)

__all__ = ["COUNT", "WINNERS", "add_options", "run", "table"]

WINNERS = {
    "2x4": 2, "2x5": 2, "3x4": 2, "2x6": 1, "3x5": 2, "4x4": 2, "2x7": 2, "2x8": 1, "5x4": 2,
    "3x6": 1, "4x5": 2, "6x4": 2, "7x4": 2, "3x7": 2, "8x4": 2, "5x5": 2, "4x6": 1, "6x5": 2,
    "3x8": 1, "4x7": 1, "5x6": 1,
}  # fmt: skip
"""By size, as the paper has them; about in the order of what they cost."""

BY_GRADES = ("4x7", "5x6")
"""Boards too large for whole sets with distances."""

COUNT = 15
"""How many of `WINNERS` are solved; these take a minute in all."""

Row = dict[str, Any]


def run(
    *,
    count: int = COUNT,
    data: str | None = None,
    limit_mb: int = 10_000,
    samples: int = 2_000,
) -> Row:
    """Solve and check the first `count` boards of Table 3."""
    rows = [_solve_apart(size, data, limit_mb, samples) for size in list(WINNERS)[:count]]
    wrong = [row["size"] for row in rows if row["winner"] != WINNERS[row["size"]]]
    return {
        "unit": "CPU s, all boards",
        "ours": round(sum(row["seconds"] or 0 for row in rows), 1),
        "signature": signature([[row["size"], row["winner"], row["wins"]] for row in rows]),
        "mismatches": len(wrong) + sum(not row["right"] for row in rows),
        "boards": rows,
    }


def _solve_apart(size: str, data: str | None, limit_mb: int, samples: int) -> Row:
    print(f"Breakthrough {size}", file=sys.stderr, flush=True)
    folder = (Path(data) if data else data_directory()) / "games"
    words = ["--solve", size, str(folder), str(limit_mb), str(samples)]
    done = subprocess.run(
        [sys.executable, "-m", "bench.breakthrough_boards", *words],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[1],
    )
    row: Row = json.loads(done.stdout)
    return row


def _solve(size: str, folder: Path, limit_mb: int, samples: int) -> Row:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"breakthrough-{size}.sets"
    grades = path.with_suffix(".grades")
    figures = path.with_suffix(".figures.json")
    if (path.exists() or grades.exists()) and figures.exists():
        row: Row = json.loads(figures.read_text("utf-8"))
        return row
    game = Breakthrough.from_size(size, limit_mb=limit_mb)
    if size in BY_GRADES:
        row = _solve_by_grades(game, grades, samples)
        figures.write_text(json.dumps(row), "utf-8")
        return row
    seconds = None
    if path.exists():
        solution = load_solution(path, game)
    else:
        parts = path.with_suffix(".parts")
        is_resumed = parts.exists()
        started = time.process_time()
        solution = solve_game(game, parts=parts)
        seconds = None if is_resumed else round(time.process_time() - started, 3)
        save_solution(path, solution)
        shutil.rmtree(parts, ignore_errors=True)
    row = _figures(solution, path, samples) | {"seconds": seconds}
    figures.write_text(json.dumps(row), "utf-8")
    return row


def _solve_by_grades(game: Breakthrough, folder: Path, samples: int) -> Row:
    is_resumed = folder.exists()
    started = time.process_time()
    solution = solve_by_grades(game, folder=folder)
    seconds = None if is_resumed else round(time.process_time() - started, 3)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    tally = solution.tally()
    check = verify_solution(solution, samples=samples)
    return {
        "size": game.size,
        "winner": {0: 1, 1: 2, None: None}[solution.winner],
        "plies": None,
        "longest": None,
        "boards": tally.boards,
        "wins": tally.wins,
        "losses": tally.losses,
        "states": tally.states,
        "wins_bytes": None,
        "bytes": sum(path.stat().st_size for path in folder.glob("*.sets")),
        "peak_mb": peak_mb,
        "right": check.is_right,
        "checked": check.boards,
        "is_exhaustive": check.is_exhaustive,
        "seconds": seconds,
    }


def _figures(solution: GameSolution, path: Path, samples: int) -> Row:
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    won, lost = solution.wins[0][-1][1], solution.losses[1][-1][1]
    check = verify_solution(solution, samples=samples)
    return {
        "size": solution.game.size,
        "winner": {0: 1, 1: 2, None: None}[solution.winner],
        "plies": solution.start_value.distance,
        "longest": solution.plies,
        "boards": solution.legal[0].count,
        "wins": won.count,
        "losses": lost.count,
        "states": lost.states,
        "wins_bytes": len(format_sets({"wins": ~lost})),
        "bytes": path.stat().st_size,
        "peak_mb": peak_mb,
        "right": check.is_right,
        "checked": check.boards,
        "is_exhaustive": check.is_exhaustive,
    }


def table(result: Row) -> str:
    """The figures for the page."""
    return markdown_table(
        ["board", "boards", "winner", "plies", "longest", "CPU s", "MB", "states of wins",
         "bytes of wins", "wins a byte", "bytes with distances", "checked"],
        [
            [
                row["size"],
                f"{row['boards']:.2e}",
                f"P{row['winner']}",
                _shown(row["plies"]),
                _shown(row["longest"]),
                _shown(row["seconds"]),
                row["peak_mb"],
                f"{row['states']:,}",
                _shown(row["wins_bytes"]),
                _shown(row["wins_bytes"] and round(row["wins"] / row["wins_bytes"])),
                f"{row['bytes']:,}",
                ("all" if row["is_exhaustive"] else f"{row['checked']:,}")
                + ("" if row["right"] else ", wrong"),
            ]
            for row in result["boards"]
        ],
    )  # fmt: skip


def _shown(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:,}"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options beside `--count` and `--docs`."""
    parser.add_argument("--data", metavar="DIR", help="where solutions are kept, in `games`")
    parser.add_argument("--limit-mb", type=int, default=10_000, metavar="N", help="memory for sets")
    parser.add_argument(
        "--samples", type=int, default=2_000, metavar="N", help="boards of each outcome to check"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--solve"]:
        size, folder, limit_mb, samples = sys.argv[2:6]
        print(json.dumps(_solve(size, Path(folder), int(limit_mb), int(samples))))
    else:
        main("breakthrough_boards", run, table, count=COUNT, add_options=add_options)
