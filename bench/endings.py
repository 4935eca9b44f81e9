"""What does a database of endings cost, and how fast does it answer?

Tables 1 and 2 of the paper on Setrograde Analysis, asked again: every way to tabulate all endings
of so many cards, each level built from nothing by a process of its own. Then the finished database
answers positions one by one, beside DDS, and whole sets of deals.

Only what this run measured is in its tables; a level that lies in `--data` adds its size, no times.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from bench.build_endings import build_apart
from bench.corpora.random_deals import random_endings
from bench.paper_tables import TABLE_1, TABLE_2
from bench.peers import peer_deal, peer_value, solve_board_one
from bench.report import PAGES, cpu_ms, main, markdown_table, signature
from setrograde.bridge import Seat, Strain
from setrograde.db import count_deals, count_lower_bound, count_states
from setrograde.db.database import DiagramLevel, EndingDatabase, level_path
from setrograde.db.deal_sets import DealSet
from setrograde.db.packing import pack_level

__all__ = ["COUNT", "add_options", "plot", "run", "table", "table_1"]

COUNT = 20_000
PEER_COUNT = 1_000
"""Positions DDS solves at most."""

CARDS = 16
MOST_CARDS = {"states": 12, "sets": 12, "diagrams": 20}
"""Plain tables of 16 cards would take 11 GB, sets a quarter of an hour or more."""

PICTURE = PAGES["endings"].with_name("endings_cost.svg")
REPEATS = 3
GIB = 2**30
DAY_S = 86_400

T = TypeVar("T")
Row = dict[str, Any]


# --- measuring ---


def run(
    *,
    count: int = COUNT,
    cards: int = CARDS,
    data: Path | None = None,
    threads: int = 1,
    seed: int = 1,
) -> dict[str, Any]:
    """Build levels up to `cards`, probe random positions of 16 cards, query sets of deals."""
    with tempfile.TemporaryDirectory(prefix="setrograde-bench-") as folder:
        builds = _build_all(cards, Path(folder), threads)
        levels = _open_levels(Path(folder), data)
        measured = {row["cards"] for row in builds if row["method"] == "diagrams"}
        stored = [_size_of(level) for level in levels.values() if 4 * level.tricks not in measured]
        probes = _probe(levels[min(4, max(levels))], count, seed)
        queries = [_query(levels[tricks]) for tricks in levels if tricks >= min(4, max(levels))]
    sizes = [(row["method"], row["cards"], row["entries"], row["bytes"]) for row in builds]
    return {
        "unit": f"us a position of {probes['cards']} cards, one at a time from Python; peer: DDS",
        "ours": probes["one_by_one_us"],
        "peer": probes["peer_us"],
        "ratio": round(probes["peer_us"] / probes["one_by_one_us"], 2),
        "signature": signature(
            [sizes, probes["answers"], [query["histogram"] for query in queries]]
        ),
        "mismatches": probes["mismatches"] + sum(query["mismatches"] for query in queries),
        "seed": seed,
        "cards": cards,
        "builds": builds,
        "stored": stored,
        "probes": {name: figure for name, figure in probes.items() if name != "answers"},
        "queries": queries,
    }


def _build_all(cards: int, folder: Path, threads: int) -> list[Row]:
    builds = []
    for method, most in MOST_CARDS.items():
        for tricks in range(1, min(cards, most) // 4 + 1):
            print(f"{method}, {4 * tricks} cards", file=sys.stderr, flush=True)
            path = level_path(tricks, folder, method=method)
            path.parent.mkdir(parents=True, exist_ok=True)
            row = build_apart(method, tricks, path, threads=threads)
            row["states_a_byte"] = count_states(tricks).total / row["bytes"]
            if method == "diagrams":
                row["packed_bytes"] = pack_level(path, path.with_suffix(".zst"))
            builds.append(row)
    return builds


def _open_levels(folder: Path, data: Path | None) -> dict[int, DiagramLevel]:
    """The levels just built; above them, those that lie in `data`."""
    levels = EndingDatabase.open(folder).levels
    if data is not None:
        levels = EndingDatabase.open(data).levels | levels
    return dict(sorted(levels.items()))


def _size_of(level: DiagramLevel) -> Row:
    return {
        "method": "diagrams",
        "cards": 4 * level.tricks,
        "entries": level.nodes,
        "bytes": level.bytes,
        "states_a_byte": level.states / level.bytes,
    }


def _probe(level: DiagramLevel, count: int, seed: int) -> Row:
    """The same random positions in a batch, one by one, and by DDS."""
    deals = list(random_endings(count, tricks=level.tricks, seed=seed))
    strains = [Strain(index % 5) for index in range(count)]
    leaders = [Seat(index // 5 % 4) for index in range(count)]

    def arrays() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        hands = np.array([[hand.bits for hand in deal.hands] for deal in deals], np.uint64)
        return hands, np.array(strains, np.uint8), np.array(leaders, np.uint8)

    hands, strain_codes, leader_codes = arrays()
    values, batch_ms = _best(lambda: level.values(hands, strain_codes, leader_codes))
    _, python_ms = _best(lambda: level.values(*arrays()))
    positions = list(zip(deals, strains, leaders, strict=True))
    single, single_ms = _best(lambda: [level.value(*position) for position in positions])
    some = [peer_deal(*position) for position in positions[:PEER_COUNT]]
    solved, peer_ms = _best(lambda: [solve_board_one(deal) for deal in some])
    answers = [int(value) for value in values]
    peer_answers = [peer_value(board) for board in solved]
    return {
        "cards": 4 * level.tricks,
        "positions": count,
        "peer_positions": len(some),
        "batch_ns": round(batch_ms * 1e6 / count, 1),
        "python_batch_a_second": round(count / python_ms * 1e3),
        "one_by_one_us": round(single_ms * 1e3 / count, 3),
        "peer_us": round(peer_ms * 1e3 / len(some), 2),
        "mismatches": sum(a != b for a, b in zip(answers, single, strict=True))
        + sum(a != b for a, b in zip(answers, peer_answers, strict=False)),
        "answers": answers,
    }


def _best(work: Callable[[], T]) -> tuple[T, float]:
    """An answer and its CPU milliseconds, the least of several times: all is warm then."""
    timed = [cpu_ms(work) for _ in range(REPEATS)]
    return timed[-1][0], min(ms for _, ms in timed)


def _query(level: DiagramLevel) -> Row:
    """All deals of the top cards of four suits; of 20 cards, those with two spades placed."""
    top = "AKQJT"[: level.tricks]
    words = [f"{suit}{top}=x" for suit in "HDC"]
    spades = f"S{top}=x" if level.tricks < 5 else "SA=N SK=EW SQJT=x"
    deals = DealSet.from_text(" ".join([spades, *words]))
    database = EndingDatabase({level.tricks: level})
    first = time.perf_counter()
    answer = database.query(deals, Strain.NOTRUMP, Seat.NORTH)
    first_s = time.perf_counter() - first
    _, again_ms = _best(lambda: database.query(deals, Strain.NOTRUMP, Seat.NORTH))
    expected = math.factorial(4 * level.tricks) // math.factorial(level.tricks) ** 4
    if level.tricks >= 5:  # North has 5 of 20 places for the ace, East and West 10 of 19
        expected = expected * 5 * 10 // (20 * 19)
    return {
        "cards": 4 * level.tricks,
        "set": deals.to_text(),
        "deals": answer.deals,
        "mismatches": int(answer.deals != expected),
        "shapes": answer.shapes,
        "histogram": dict(answer.histogram),
        "mean": round(answer.mean, 4),
        "first_s": round(first_s, 6),
        "warm_s": round(again_ms / 1e3, 6),
    }


# --- tables ---


def table(result: dict[str, Any]) -> str:
    """Both tables of the paper beside what was counted and measured; draws the picture."""
    parts = ["### Table 1", table_1(), "### Table 2", _table_2(result)]
    if plot(result, PICTURE):
        parts.append(f"![Entries and CPU seconds by cards, log scale]({PICTURE.name})")
    else:
        print("no picture: matplotlib is not installed (extra `plot`)", file=sys.stderr)
    parts += ["### Answers", _answers(result)]
    return "\n\n".join(parts)


def table_1() -> str:
    """Exact integers beside the paper's."""
    rows, agree, figures = [], 0, 0
    for cards, paper in TABLE_1.items():
        tricks = cards // 4
        exact = (count_deals(tricks), count_states(tricks).total, count_lower_bound(tricks))
        printed = (paper.states, paper.upper_bound, paper.lower_bound)
        agree += sum(f"{a:.0e}" == f"{b:.0e}" for a, b in zip(exact, printed, strict=True))
        figures += len(exact)
        pairs = [
            text for a, b in zip(printed, exact, strict=True) for text in (_power(a), f"{b:,}")
        ]
        rows.append([cards, *pairs])
    header = ["cards", "States, paper", "deals in five strains", "Upper Bound, paper"]
    header += ["canonical states", "Lower Bound, paper", "shapes"]
    return f"{markdown_table(header, rows)}\n\nRounded, {agree} of {figures} agree."


def _table_2(result: dict[str, Any]) -> str:
    rows = {(row["method"], row["cards"]): row for row in result["stored"] + result["builds"]}

    def figures(name: str, show: Callable[[Any], str], cards: int) -> list[str]:
        found = [rows.get((method, cards), {}).get(name) for method in MOST_CARDS]
        return [_or_dash(figure, show) for figure in found]

    most = max(cards for _, cards in rows)
    sizes = [cards for cards in TABLE_2 if cards <= max(20, most)]
    columns: list[tuple[str, str, Callable[[Any], str], Callable[[int], list[str]]]] = [
        ("Entries", "entries", "{:,}".format, _paper_entries),
        ("Size", "bytes", _bytes, _paper_sizes),
        ("CPU time", "cpu_s", _seconds, _paper_times),
        ("States a byte", "states_a_byte", "{:.3g}".format, _paper_density),
    ]
    parts = []
    for title, name, show, paper in columns:
        lines = [[cards, *paper(cards), *figures(name, show, cards)] for cards in sizes]
        header = ["cards", "paper, states", "paper, sets", *MOST_CARDS]
        parts.append(f"{title}:\n\n{markdown_table(header, lines)}")
    built = [row for row in result["builds"] if row["method"] == "diagrams"]
    memory = markdown_table(
        ["cards", "CPU s", "wall s", "peak memory", "Python alone", "packed", "states a byte"],
        [
            [
                row["cards"],
                _number(row["cpu_s"]),
                _number(row["wall_s"]),
                f"{row['peak_mb']:.0f} MB",
                f"{row['before_mb']:.0f} MB",
                _bytes(row["packed_bytes"]),
                f"{count_states(row['cards'] // 4).total / row['packed_bytes']:.3g}",
            ]
            for row in built
        ],
    )
    note = f"A dash: not measured here, or no figure in the paper. Threads: {built[-1]['threads']}."
    return "\n\n".join([*parts, f"Building diagrams:\n\n{memory}", note])


def _paper_entries(cards: int) -> list[str]:
    row = TABLE_1[cards]
    return [_power(row.upper_bound), _or_dash(row.setrograde, _power)]


def _paper_sizes(cards: int) -> list[str]:
    row = TABLE_2[cards]
    return [_or_dash(row.retrograde_gib, _gib), _or_dash(row.setrograde_gib, _gib)]


def _paper_times(cards: int) -> list[str]:
    row = TABLE_2[cards]
    return [_or_dash(row.retrograde_days, _days), _or_dash(row.setrograde_days, _days)]


def _paper_density(cards: int) -> list[str]:
    return ["2", f"{TABLE_2[cards].states_a_byte:g}"]


def _answers(result: dict[str, Any]) -> str:
    probes = result["probes"]
    ratio = f"{result['ratio']:.1f}"
    positions = markdown_table(
        [f"random positions of {probes['cards']} cards, warm", "positions", "each", "DDS / ours"],
        [
            [
                "database, a batch in the core",
                f"{probes['positions']:,}",
                f"{probes['batch_ns']:.0f} ns",
                f"{probes['peer_us'] * 1e3 / probes['batch_ns']:,.0f}",
            ],
            [
                "database, a batch of `Deal`s from Python",
                f"{probes['positions']:,}",
                f"{1e6 / probes['python_batch_a_second']:.2f} µs",
                f"{probes['peer_us'] * probes['python_batch_a_second'] / 1e6:,.0f}",
            ],
            [
                "database, one by one from Python",
                f"{probes['positions']:,}",
                f"{probes['one_by_one_us']:.2f} µs",
                ratio,
            ],
            [
                "DDS, one by one from Python",
                f"{probes['peer_positions']:,}",
                f"{probes['peer_us']:.1f} µs",
                "1",
            ],
        ],
    )
    queries = markdown_table(
        ["whole sets of deals, notrump", "cards", "deals", "first time", "again", "mean tricks"],
        [
            [
                f"`{query['set']}`",
                query["cards"],
                f"{query['deals']:,}",
                _milliseconds(query["first_s"]),
                _milliseconds(query["warm_s"]),
                f"{query['mean']:.4f}",
            ]
            for query in result["queries"]
        ],
    )
    tail = f"Answers that differ: {result['mismatches']}. Signature: `{result['signature']}`."
    return f"{positions}\n\n{queries}\n\n{tail}"


def _or_dash(figure: Any, show: Callable[[Any], str]) -> str:
    return "–" if figure is None else show(figure)


def _power(figure: float) -> str:
    """One digit and a power of ten: 8e4, 1e-7."""
    digit, power = f"{figure:.0e}".split("e")
    return f"{digit}e{int(power)}"


def _short(figure: float) -> str:
    return f"{figure:g}" if 1e-3 <= figure < 1e3 else _power(figure)


def _gib(gib: float) -> str:
    return f"{_short(gib)} GiB ({_bytes(gib * GIB, digits=1)})"


def _days(days: float) -> str:
    return f"{_short(days)} d ({_seconds(days * DAY_S, digits=1)})"


def _bytes(number: float, *, digits: int = 3) -> str:
    """Decimal units."""
    units = ["B", "kB", "MB", "GB", "TB", "PB"]
    while number >= 1000 and len(units) > 1:
        number /= 1000
        units.pop(0)
    if units[0] == "B" and digits > 1:
        return f"{number:.0f} B"
    return f"{_number(number, digits=digits)} {units[0]}"


def _seconds(seconds: float, *, digits: int = 3) -> str:
    return f"{_number(seconds, digits=digits)} s"


def _milliseconds(seconds: float) -> str:
    return f"{_number(seconds * 1e3)} ms"


def _number(figure: float, *, digits: int = 3) -> str:
    """So many digits, but no more than three behind the point."""
    if figure < 0.001:
        return "0" if figure == 0 else "< 0.001"
    places = digits - 1 - math.floor(math.log10(figure))
    return f"{round(figure, places):,.{min(max(places, 0), 3)}f}"


# --- picture ---


def plot(result: dict[str, Any], path: Path) -> bool:
    """Draw entries and seconds by cards as an SVG file; False if matplotlib is not there."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("svg")
    from matplotlib import pyplot

    # Fixed identifiers and no date: the same figures give the same file.
    settings: dict[Any, Any] = {
        "svg.hashsalt": "setrograde",
        "svg.fonttype": "none",
        "font.size": 9,
    }
    with matplotlib.rc_context(settings):
        figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4.2), sharex=True)
        _draw(left, result, "entries", "entries")
        _draw(right, result, "cpu_s", "CPU seconds")
        figure.tight_layout()
        figure.savefig(path, format="svg", metadata={"Date": None}, facecolor="white")
        pyplot.close(figure)
    return True


def _draw(axis: Any, result: dict[str, Any], name: str, title: str) -> None:
    axis.set(title=title, yscale="log", xlabel="cards", xticks=list(TABLE_2))
    for label, style, colour, points in [
        *_paper_lines(name),
        *(
            (method, "o-", colour, _points(result, method, name))
            for method, colour in zip(
                MOST_CARDS, ("tab:gray", "tab:orange", "tab:blue"), strict=True
            )
        ),
    ]:
        axis.plot(
            [x for x, _ in points],
            [y for _, y in points],
            style,
            color=colour,
            label=label,
            markersize=4,
        )
    axis.grid(alpha=0.3)
    axis.legend(frameon=False)


Points = list[tuple[int, float]]


def _points(result: dict[str, Any], method: str, name: str) -> Points:
    rows: Iterable[Row] = result["builds"] + result["stored"]
    return sorted(
        (row["cards"], row[name]) for row in rows if row["method"] == method and name in row
    )


def _paper_lines(name: str) -> Sequence[tuple[str, str, str, Points]]:
    if name == "entries":
        states: Points = [(cards, float(count_states(cards // 4).total)) for cards in TABLE_2]
        sets = [(cards, TABLE_1[cards].setrograde) for cards in TABLE_2]
        first = "endings there are"
    else:
        states = [
            (cards, costs.retrograde_days * DAY_S)
            for cards, costs in TABLE_2.items()
            if costs.retrograde_days is not None
        ]
        sets = [
            (cards, costs.setrograde_days and costs.setrograde_days * DAY_S)
            for cards, costs in TABLE_2.items()
        ]
        first = "paper, states (from 20 cards up extrapolated)"
    known = [(cards, figure) for cards, figure in sets if figure is not None]
    return [
        (first, ":", "tab:gray", states),
        ("paper, sets", "--", "tab:orange", known),
    ]


# --- the script ---


def add_options(parser: argparse.ArgumentParser) -> None:
    """`--cards`, `--data`, `--threads`."""
    parser.add_argument(
        "--cards",
        type=_cards,
        default=CARDS,
        metavar="N",
        help=f"build diagrams up to so many cards (default {CARDS}; 20 take minutes)",
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="a data directory with levels above those built"
    )
    parser.add_argument(
        "--threads", type=int, default=1, metavar="N", help="for building (default 1)"
    )


def _cards(text: str) -> int:
    if text not in ("4", "8", "12", "16", "20"):
        raise argparse.ArgumentTypeError(f"not a size: {text!r} (expected 4, 8, 12, 16 or 20)")
    return int(text)


if __name__ == "__main__":
    sys.exit(main("endings", run, table, count=COUNT, add_options=add_options))
