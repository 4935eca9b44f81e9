"""Levels in shards: the same values as in one file, the same bytes however they were built."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import numpy as np
import pytest

from setrograde import _core
from setrograde.bridge import Deal, InvalidInput, Seat, Strain
from setrograde.db.check.compare import verify_random_deals, verify_random_shapes
from setrograde.db.database import (
    DiagramLevel,
    EndingDatabase,
    ShardedLevel,
    level_path,
    open_level,
)
from setrograde.db.deal_sets import DealSet
from setrograde.db.methods import diagram_build
from setrograde.db.methods.diagram_build import BuildProgress, DatabaseError
from setrograde.db.methods.sharded_build import build_sharded
from setrograde.errors import MissingTable
from support import random_deal

SHARDS = 11


def shard_files(path: Path) -> list[Path]:
    return sorted(path.with_name(path.name + ".shards").iterdir())


def digests(path: Path) -> list[str]:
    """Of the list and of every shard."""
    files = [path, *shard_files(path)]
    return [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]


@pytest.fixture(scope="module")
def sharded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All endings of 12 cards in shards; not to be changed."""
    path = tmp_path_factory.mktemp("sharded") / "12-cards.diagrams"
    assert build_sharded(3, path, shards=SHARDS, groups=1, threads=1).is_complete
    return path


@pytest.fixture
def half_built(tmp_path: Path) -> Path:
    """A data directory with the first shards of 12 cards."""
    path = level_path(3, tmp_path)
    report = build_sharded(3, path, shards=SHARDS, groups=4, most_groups=2)
    assert 0 < report.shards_built < report.shards
    return tmp_path


def test_every_layout_has_the_value_it_has_in_one_file(sharded: Path, endings: Path) -> None:
    level, whole = open_level(sharded), DiagramLevel(level_path(3, endings))
    assert isinstance(level, ShardedLevel)
    assert (level.shapes, level.states) == (whole.shapes, whole.states)
    for rank in range(whole.shapes):
        assert level.values_of_shape(rank) == whole.values_of_shape(rank), rank


def test_the_report_says_what_was_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "two.diagrams"
    report = build_sharded(2, path, shards=4)
    level = ShardedLevel(path)
    assert report.shards == report.shards_built == level.shards_built == len(shard_files(path))
    assert report.nodes == level.nodes
    assert level.bytes == sum(file.stat().st_size for file in shard_files(path))
    assert report.bytes == level.bytes + path.stat().st_size
    assert sorted(file.name for file in path.parent.iterdir()) == [
        "two.diagrams",
        "two.diagrams.shards",
    ]


def test_sharing_is_lost_between_shards_only(sharded: Path, endings: Path) -> None:
    whole = DiagramLevel(level_path(3, endings)).nodes
    assert whole < ShardedLevel(sharded).nodes < 1.5 * whole


@pytest.mark.parametrize(("groups", "threads"), [(1, 2), (3, 1), (SHARDS, 3)])
def test_groups_and_threads_do_not_change_a_byte(
    sharded: Path, tmp_path: Path, groups: int, threads: int
) -> None:
    path = tmp_path / "level"
    build_sharded(3, path, shards=SHARDS, groups=groups, threads=threads)
    assert digests(path) == digests(sharded)


def test_progress_ends_with_everything_done(tmp_path: Path) -> None:
    told: list[BuildProgress] = []
    report = build_sharded(2, tmp_path / "two", shards=6, groups=3, progress=told.append)
    fractions = [progress.fraction for progress in told]
    assert fractions == sorted(fractions)
    assert fractions[-1] == pytest.approx(1.0)
    assert told[-1].nodes == report.nodes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tricks": 1}, r"1 \(expected 2 to 6\)"),
        ({"tricks": 7}, r"7 \(expected 2 to 6\)"),
        ({"shards": 0}, r"shards: 0 \(expected 1 or more\)"),
        ({"groups": -1}, r"groups: -1 \(expected 1 or more\)"),
    ],
)
def test_impossible_builds_are_refused(
    tmp_path: Path, options: dict[str, int], message: str
) -> None:
    given = {"tricks": 2} | options
    with pytest.raises(InvalidInput, match=message):
        build_sharded(given.pop("tricks"), tmp_path / "none", **given)
    assert not list(tmp_path.iterdir())


# Stopped builds


def test_a_build_goes_on_after_the_groups_it_has(half_built: Path, sharded: Path) -> None:
    path = level_path(3, half_built)
    left = shard_files(path)
    report = build_sharded(3, path, shards=SHARDS, groups=3)
    assert report.shards_found == len(left)
    assert report.is_complete
    assert digests(path) == digests(sharded)
    assert not path.with_name(path.name + ".work").exists()


def test_damaged_and_missing_shards_are_built_again(half_built: Path, sharded: Path) -> None:
    path = level_path(3, half_built)
    first, second, third, *rest = shard_files(path)
    data = bytearray(first.read_bytes())
    data[-100] ^= 1
    first.write_bytes(data)
    second.write_bytes(second.read_bytes()[:-8])
    third.unlink()
    report = build_sharded(3, path, shards=SHARDS, groups=4)
    assert report.shards_found == len(rest)
    assert digests(path) == digests(sharded)


def test_shards_of_another_cut_are_thrown_away(half_built: Path, tmp_path: Path) -> None:
    path = level_path(3, half_built)
    report = build_sharded(3, path, shards=5)
    assert report.shards_found == 0
    build_sharded(3, tmp_path / "fresh", shards=5)
    assert digests(path) == digests(tmp_path / "fresh")


def test_a_damaged_level_below_is_made_again(
    sharded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "level"
    with monkeypatch.context() as patch:
        patch.setattr(_core, "write_shard", _stop)
        with pytest.raises(KeyboardInterrupt):
            build_sharded(3, path, shards=SHARDS, groups=2)
    kept = sorted(path.with_name("level.work").glob("*.ordered"))
    assert [file.name for file in kept] == ["0000-0005-2.ordered", "1.ordered"]
    for file in kept:
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 16
        file.write_bytes(data)
    build_sharded(3, path, shards=SHARDS, groups=2)
    assert digests(path) == digests(sharded)


def test_a_build_goes_on_in_other_groups_than_before(
    sharded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "level"
    monkeypatch.setattr(diagram_build, "_KEPT_FROM", 2)
    with monkeypatch.context() as patch:
        patch.setattr(_core, "write_shard", _stop)
        with pytest.raises(KeyboardInterrupt):
            build_sharded(3, path, shards=SHARDS, groups=SHARDS)
    build_sharded(3, path, shards=SHARDS, groups=2)
    assert digests(path) == digests(sharded)


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


BUILD = """
import sys
from setrograde.db.methods import diagram_build
from setrograde.db.methods.sharded_build import build_sharded
diagram_build._KEPT_FROM = 2
build_sharded(int(sys.argv[2]), sys.argv[1], shards=40, groups=4)
"""


def killed_build(path: Path, tricks: int, kills: int, seconds: float) -> int:
    """Kill builds at random moments; how many there were to kill."""
    rng, killed = Random(5), 0
    for _ in range(kills):
        words = [sys.executable, "-c", BUILD, os.fspath(path), str(tricks)]
        with subprocess.Popen(words) as process:
            time.sleep(0.3 + rng.uniform(0.05, 0.6) * seconds)
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
    return killed


@pytest.mark.parametrize(("tricks", "kills"), [(3, 3), pytest.param(4, 6, marks=pytest.mark.slow)])
def test_a_build_killed_again_and_again_gives_the_same_bytes(
    tmp_path: Path, tricks: int, kills: int
) -> None:
    start = time.monotonic()
    build_sharded(tricks, tmp_path / "undisturbed", shards=40, groups=4)
    seconds = time.monotonic() - start
    path = tmp_path / "killed"
    killed_build(path, tricks, kills, seconds)
    assert build_sharded(tricks, path, shards=40, groups=4).is_complete
    assert digests(path) == digests(tmp_path / "undisturbed")


# Asking


def test_positions_are_answered_as_in_one_file(sharded: Path, endings: Path) -> None:
    level, whole = open_level(sharded), DiagramLevel(level_path(3, endings))
    rng = Random(7)
    for _ in range(200):
        deal = random_deal(rng, 3)
        strain, leader = rng.choice(list(Strain)), rng.choice(list(Seat))
        assert level.value(deal, strain, leader) == whole.value(deal, strain, leader)
        mine, theirs = (each.set_of(deal, strain, leader) for each in (level, whole))
        assert mine.contains(deal)
        assert mine.tricks == theirs.tricks


def test_many_positions_at_once_are_answered_right(sharded: Path) -> None:
    level = open_level(sharded)
    assert verify_random_deals(level, 1000, seed=3).is_ok
    assert verify_random_shapes(level, 1000, seed=3).is_ok


def test_rows_that_are_no_positions_are_named(sharded: Path) -> None:
    level = open_level(sharded)
    hands = np.array([[7, 7 << 3, 7 << 6, 7 << 9], [7, 7, 7 << 6, 7 << 9]], np.uint64)
    with pytest.raises(InvalidInput, match=r"row 1 is not a position with 3 cards"):
        level.values(hands, np.zeros(2, np.uint8), np.zeros(2, np.uint8))


@pytest.mark.parametrize("strain", [Strain.NOTRUMP, Strain.HEARTS])
@pytest.mark.parametrize("text", ["SAKQ=x HAKQ=x DAKQ=x CAKQ=x", "SA=N SKQJT=-E HAKQJ=x DAKQ=EW"])
def test_sets_have_the_histogram_of_one_file(
    sharded: Path, endings: Path, text: str, strain: Strain
) -> None:
    deals = DealSet.from_text(text)
    level, whole = open_level(sharded), DiagramLevel(level_path(3, endings))
    assert level.count(deals, strain, Seat.EAST) == whole.count(deals, strain, Seat.EAST)


def test_what_is_not_built_yet_is_one_clear_error(half_built: Path, endings: Path) -> None:
    level, whole = open_level(level_path(3, half_built)), DiagramLevel(level_path(3, endings))
    assert isinstance(level, ShardedLevel)
    there = set(map(int, level.ranks_built()))
    assert len(there) == level.shapes_built < level.shapes
    for rank in range(0, level.shapes, 97):
        if rank in there:
            assert level.values_of_shape(rank) == whole.values_of_shape(rank)
        else:
            with pytest.raises(MissingTable, match=r"shard \d+ of \d+ is not built yet \(expect"):
                level.values_of_shape(rank)
    with pytest.raises(MissingTable, match="is not built yet"):
        level.count(DealSet.from_text("SAKQJ=x HAKQJ=x DAKQJ=x"), Strain.SPADES, Seat.NORTH)


def test_the_shapes_that_are_there_can_be_verified(half_built: Path) -> None:
    level = open_level(level_path(3, half_built))
    assert isinstance(level, ShardedLevel)
    level.check()
    assert verify_random_shapes(level, 500, ranks=level.ranks_built()).is_ok


def test_a_database_opens_levels_of_both_kinds(endings: Path, sharded: Path) -> None:
    levels = {tricks: DiagramLevel(level_path(tricks, endings)) for tricks in (1, 2)}
    database = EndingDatabase(levels | {3: open_level(sharded)})
    deal = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")
    assert database.probe(deal, Strain.NOTRUMP, Seat.SOUTH).tricks_ns == 2


def test_single_cards_above_a_level_in_shards_are_refused(sharded: Path) -> None:
    database = EndingDatabase({3: open_level(sharded)})
    deal = random_deal(Random(1), 4)
    with pytest.raises(DatabaseError, match="endings with 12 cards are stored in shards"):
        database.probe(deal, Strain.NOTRUMP, Seat.SOUTH)


def test_shards_that_changed_places_are_refused(half_built: Path) -> None:
    path = level_path(3, half_built)
    first, second, *_ = shard_files(path)
    data = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(data)
    with pytest.raises(DatabaseError, match="another shard than the list says"):
        open_level(path)


def test_a_list_and_a_whole_level_are_not_mistaken_for_each_other(
    sharded: Path, endings: Path
) -> None:
    with pytest.raises(DatabaseError, match="another kind of level than diagrams"):
        DiagramLevel(sharded)
    with pytest.raises(DatabaseError, match="another kind of level than lists of shards"):
        ShardedLevel(level_path(3, endings))
