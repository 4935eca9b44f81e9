"""What would all endings of 24 cards take? A sample, with its errors.

Two samples are built for real, on just as much of the levels below as they need.

- Shapes: `count` of them, each as likely as any other. Random states of theirs are compared with
  the double-dummy solver. Shapes share nodes, so the nodes of a sample say little about those of
  the level until it is known how much sharing is still to come. That is known of 12, 16 and 20
  cards, for samples of the same share; for 24 it is taken from the line through 16 and 20.
- Shards: some of those that `setrograde db build --cards 24` makes, each as likely as any other.
  Shards share nothing with each other, so their bytes and their time simply add up.

Intervals are of 95 %: shapes or shards drawn again and again from the sample (bootstrap); for the
nodes of the whole also the line's doubt, from no more growth to twice as much.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.build_endings import peak_mb
from bench.report import main, markdown_table, signature
from setrograde import _core
from setrograde.db.check.compare import Hands, Numbers, verify_random_shapes
from setrograde.db.database import DiagramLevel
from setrograde.db.methods.diagram_build import LevelBuild, build_diagrams
from setrograde.locations import level_path

__all__ = ["COUNT", "run", "table"]

COUNT = 2000
TRICKS = 6
SHARDS = 1024
"""As `build_sharded` has them."""

Ranks = NDArray[np.uint32]
Interval = tuple[float, float, float]
"""Low end, estimate, high end."""


def run(
    *,
    count: int = COUNT,
    seed: int = 1,
    states: int = 20_000,
    shards: int = 0,
    data: Path | None = None,
    folder: Path | None = None,
) -> dict[str, Any]:
    """Build a sample of shapes, and of shards, and say what all would take.

    Levels of 12, 16 and 20 cards are read from `data`, or built. What the samples took is kept in
    `folder`, if one is given; those it has are not built again.
    """
    with tempfile.TemporaryDirectory() as temporary:
        place = folder or Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        levels = range(TRICKS - 3, TRICKS)
        known = [_known_level(tricks, data, Path(temporary)) for tricks in levels]
        sample = _kept(
            place / f"sample-{count}-{seed}-{states}.json",
            lambda: _sample_shapes(count, seed, states, Path(temporary)),
        )
        shape_count = len(_core.ShapeIndex(TRICKS))
        sharing = _sharing(known, count / shape_count)
        of_shards = _sample_shards(shards, seed, place)
        cuts = [_cost_of_cutting(level) for level in known[1:]]
    result: dict[str, Any] = {
        "seed": seed,
        "shapes": shape_count,
        "sample": sample,
        "sharing": sharing,
        "nodes": _nodes(sample, sharing, shape_count),
        "cuts": cuts,
        "shards": of_shards,
        "totals": _totals(of_shards, seed) if len(of_shards) > 1 else None,
    }
    result["ours"] = sample["cpu_s"]
    result["signature"] = signature([sample["growth"], sample["mismatches"]])
    del result["sample"]["nodes_by_shape"]
    return result


def _kept(path: Path, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What the file says, which is made first if it is not there."""
    if not path.exists():
        path.write_text(json.dumps(make()), "utf-8")
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def _known_level(tricks: int, data: Path | None, folder: Path) -> DiagramLevel:
    path = level_path(tricks, data)
    if data is None or not path.exists():
        path = folder / f"{tricks}.diagrams"
        build_diagrams(tricks, path)
    return DiagramLevel(path)


# Shapes


class _Shard:
    """A shard by itself, asked as verification asks."""

    def __init__(self, path: Path) -> None:
        self.tricks = TRICKS
        self.core = _core.open_shard(str(path), TRICKS)

    def values(self, hands: Hands, strains: Numbers, leaders: Numbers) -> Numbers:
        out = np.empty(len(hands), np.uint8)
        if self.core.values(hands, strains, leaders, out) != len(out):
            raise ValueError("not positions of the level")
        return out

    def values_of_shape(self, rank: int) -> bytes:
        return self.core.values_of_shape(rank)


def _sample_shapes(count: int, seed: int, states: int, folder: Path) -> dict[str, Any]:
    index = _core.ShapeIndex(TRICKS)
    ranks = np.random.default_rng(seed).choice(len(index), count, replace=False).astype(np.uint32)
    plan = _core.BuildPlan.of_shapes(TRICKS, ranks.tolist())
    build = LevelBuild(plan, folder, 1, 12_000, None)
    below, below_s = _cpu_s(lambda: build.ordered(TRICKS - 1))
    shard, cpu_s = _cpu_s(lambda: _core.build_shard(below, plan, TRICKS, 0, _core.StopFlag()))
    path = folder / "sample"
    _core.write_shard(shard, plan, 0, index, str(path), "bench")
    level = _Shard(path)
    report = verify_random_shapes(level, states, seed=seed, ranks=ranks)
    steps = sorted({count // 8, count // 4, count // 2, count} - {0})
    return {
        "shapes": count,
        "shapes_below": plan.shapes(TRICKS - 1),
        "cpu_s": cpu_s,
        "cpu_below_s": below_s,
        "growth": [(n, _reach(level.core, ranks[:n])) for n in steps],
        "bytes": level.core.file_bytes,
        "states": report.states,
        "mismatches": report.mismatches,
        "peak_mb": peak_mb(),
        "nodes_by_shape": [_reach(level.core, ranks[i : i + 1]) for i in range(count)],
    }


def _reach(level: _core.DiagramLevel, ranks: Ranks) -> int:
    return _core.NodeReach(level).add(ranks)


def _sharing(known: list[DiagramLevel], share: float) -> list[dict[str, Any]]:
    """For each level, its nodes beside those that a sample promises if nothing more is shared."""
    rows = []
    for level in known:
        count = max(1, round(share * level.shapes))
        nodes = []
        for seed in range(max(4, min(200, 4000 // count))):
            rng = np.random.default_rng(seed)
            ranks = rng.choice(level.shapes, count, replace=False).astype(np.uint32)
            nodes.append(_reach(level._files[0], ranks))
        promised = float(np.mean(nodes)) / count * level.shapes
        rows.append(
            {
                "cards": 4 * level.tricks,
                "shapes": count,
                "nodes_a_shape": promised / level.shapes,
                "nodes": level.nodes,
                "left": level.nodes / promised,
            }
        )
    return rows


def _nodes(
    sample: dict[str, Any], sharing: list[dict[str, Any]], shape_count: int
) -> dict[str, Any]:
    """Nodes of the whole level, were it in one file; and how the method does for 20 cards."""
    left12, left16, left20 = (row["left"] for row in sharing)
    slope = left20 - left16
    count, nodes = sample["growth"][-1]
    promised = nodes / count * shape_count
    own = np.array(sample["nodes_by_shape"], float)
    low, _, high = _bootstrap(own, lambda drawn: drawn.mean() / own.mean())
    return {
        "promised": promised,
        "left": left20 + slope,
        "estimate": promised * (left20 + slope),
        "low": promised * left20 * low,
        "high": promised * (left20 + 2 * slope) * high,
        "sampling_low": low,
        "sampling_high": high,
        "error_at_20_cards": (2 * left16 - left12) / left20 - 1,
    }


def _bootstrap(
    values: NDArray[np.float64], statistic: Callable[[NDArray[np.float64]], float], seed: int = 0
) -> Interval:
    rng = np.random.default_rng(seed)
    drawn = [statistic(values[rng.integers(len(values), size=len(values))]) for _ in range(4000)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(statistic(values)), float(high)


# Shards


def _cost_of_cutting(level: DiagramLevel) -> dict[str, Any]:
    """Nodes of all shards together, for one shard and more, as parts of those of the level."""
    index = _core.ShapeIndex(level.tricks)
    nodes = {}
    for wanted in (1, 16, 64, 256, 1024, 4096):
        plan = _core.BuildPlan(level.tricks, wanted)
        numbers = range(plan.shards(level.tricks))
        parts = [np.frombuffer(plan.ranks(index, number), np.uint32) for number in numbers]
        nodes[wanted] = sum(_reach(level._files[0], ranks) for ranks in parts) / level.nodes
    return {"cards": 4 * level.tricks, "nodes": nodes}


def _sample_shards(count: int, seed: int, folder: Path) -> list[dict[str, Any]]:
    """Random shards; what each took lies in the folder as a line of JSON."""
    if not count:
        return []
    plan, index = _core.BuildPlan(TRICKS, SHARDS), _core.ShapeIndex(TRICKS)
    lowest: list[_core.OrderedLevel] = []

    def build(number: int) -> dict[str, Any]:
        if not lowest:
            lowest.append(_lowest(plan, folder))
        return _build_shard(plan, index, lowest[0], number, folder)

    numbers = np.random.default_rng(seed).permutation(plan.shards(TRICKS))[:count]
    return [
        _kept(folder / f"shard-{number:04}.json", partial(build, int(number))) for number in numbers
    ]


def _lowest(plan: _core.BuildPlan, folder: Path) -> _core.OrderedLevel:
    """The level of 16 cards, in the orders of suits that are needed."""
    path = folder / f"{TRICKS - 2}.ordered"
    if not path.exists():
        level = LevelBuild(plan, folder, 1, 12_000, None).ordered(TRICKS - 2)
        _core.write_ordered(level, str(path), "bench")
    return _core.map_ordered(str(path))


def _build_shard(
    plan: _core.BuildPlan,
    index: _core.ShapeIndex,
    lowest: _core.OrderedLevel,
    number: int,
    folder: Path,
) -> dict[str, Any]:
    part = plan.part(number, number + 1)
    work = folder / f"{number:04}.work"
    work.mkdir(exist_ok=True)
    build = LevelBuild(part, work, 1, 12_000, None)
    below, below_s = _cpu_s(lambda: build.ordered(TRICKS - 1, (TRICKS - 2, lowest)))
    shard, cpu_s = _cpu_s(lambda: _core.build_shard(below, part, TRICKS, 0, _core.StopFlag()))
    path = work / "shard"
    _, write_s = _cpu_s(lambda: _core.write_shard(shard, part, 0, index, str(path), "bench"))
    stored = _core.open_shard(str(path), TRICKS)
    facts = {
        "shard": number,
        "shapes": part.shapes(TRICKS),
        "shapes_below": part.shapes(TRICKS - 1),
        "nodes_below": below.nodes,
        "cpu_below_s": below_s,
        "cpu_s": cpu_s + write_s,
        "nodes": stored.nodes,
        "bytes": stored.file_bytes,
    }
    shutil.rmtree(work)
    return facts


def _totals(shards: list[dict[str, Any]], seed: int) -> dict[str, Interval]:
    """All shards together: each was as likely as any other."""
    totals = {}
    for name in ("nodes", "bytes", "cpu_s", "cpu_below_s"):
        values = np.array([facts[name] for facts in shards], float)
        totals[name] = _bootstrap(values, lambda drawn: float(drawn.mean()) * SHARDS, seed)
    return totals


def _cpu_s(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    done = work()
    return done, time.process_time() - start


# Words


def table(result: dict[str, Any]) -> str:
    """The figures as tables."""
    return "\n\n".join(
        [_sample_table(result), _sharing_table(result), _cut_table(result), _shard_table(result)]
    )


def _sample_table(result: dict[str, Any]) -> str:
    sample, nodes = result["sample"], result["nodes"]
    rows = [
        ("shapes of 24 cards", f"{result['shapes']:,}"),
        ("shapes in the sample", f"{sample['shapes']:,}"),
        ("shapes of 20 cards, in their orders, that they need", f"{sample['shapes_below']:,}"),
        ("CPU, for the sample", f"{sample['cpu_s']:.1f} s"),
        ("CPU, for what lies below", f"{sample['cpu_below_s']:.0f} s"),
        *((f"nodes of {n:,} shapes", f"{m:,}") for n, m in sample["growth"]),
        ("bytes of the sample", f"{sample['bytes']:,}"),
        ("random states compared with the solver", f"{sample['states']:,}"),
        ("of these wrong", f"{sample['mismatches']:,}"),
        ("nodes of all shapes in one store", f"{_millions(nodes['estimate'])} million"),
        ("... 95 %", f"{_millions(nodes['low'])} to {_millions(nodes['high'])} million"),
        ("peak memory", f"{sample['peak_mb']:.0f} MB"),
    ]
    return markdown_table(["sample of shapes", ""], rows)


def _sharing_table(result: dict[str, Any]) -> str:
    rows = [
        (row["cards"], row["shapes"], f"{row['nodes_a_shape']:.1f}", f"{row['left']:.3f}")
        for row in result["sharing"]
    ]
    sample, nodes = result["sample"], result["nodes"]
    per_shape = nodes["promised"] / result["shapes"]
    rows.append((24, sample["shapes"], f"{per_shape:.1f}", f"{nodes['left']:.3f} (line)"))
    header = ["cards", "shapes in the sample", "nodes a shape", "left when all is shared"]
    error = f"The line through 12 and 16 cards misses 20 by {nodes['error_at_20_cards']:+.1%}."
    return f"{markdown_table(header, rows)}\n\n{error}"


def _cut_table(result: dict[str, Any]) -> str:
    header = ["shards", *(f"nodes, {cut['cards']} cards" for cut in result["cuts"])]
    wanted = result["cuts"][0]["nodes"]
    rows = [(n, *(f"{cut['nodes'][n]:.3f}" for cut in result["cuts"])) for n in wanted]
    return markdown_table(header, rows)


def _shard_table(result: dict[str, Any]) -> str:
    totals = result["totals"]
    if totals is None:
        return "No shards were built."
    units = {
        "nodes": ("nodes", 1e6, "million"),
        "bytes": ("bytes", 1e9, "GB"),
        "cpu_s": ("CPU, the shards", 3600, "h"),
        "cpu_below_s": ("CPU, the level below for each shard by itself", 3600, "h"),
    }
    rows = []
    for key, (name, unit, word) in units.items():
        low, estimate, high = (value / unit for value in totals[key])
        rows.append((name, f"{estimate:.3g} {word}", f"{low:.3g} to {high:.3g}"))
    built = len(result["shards"])
    header = [f"all {SHARDS} shards, from {built} random ones", "estimate", "95 %"]
    return markdown_table(header, rows)


def _millions(nodes: float) -> str:
    return f"{nodes / 1e6:,.0f}"


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=1, metavar="K")
    parser.add_argument("--states", type=int, default=20_000, metavar="N")
    parser.add_argument("--shards", type=int, default=0, metavar="N", help="build N random shards")
    parser.add_argument("--data", type=Path, metavar="DIR", help="a data directory with 20 cards")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where shards are kept")


if __name__ == "__main__":
    sys.exit(main("twenty_four_cards", run, table, count=COUNT, add_options=_add_options))
