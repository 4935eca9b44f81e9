"""Building diagrams: right values, the same bytes however the work was done or stopped."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest

from setrograde import _core
from setrograde.bridge import InvalidInput
from setrograde.db.database import DiagramLevel, level_path
from setrograde.db.endings.counting import count_shapes, count_states
from setrograde.db.methods import diagram_build
from setrograde.db.methods.diagram_build import BuildProgress, DatabaseError, build_diagrams
from setrograde.db.methods.set_levels import MAX_SET_TRICKS
from setrograde.db.methods.sharded_build import MAX_SHARDED_TRICKS
from setrograde.db.methods.state_tables import MAX_LEVEL_TRICKS, StateLevel


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def assert_equal_to_state_tables(directory: Path, tricks: int) -> None:
    level, truth = DiagramLevel(level_path(tricks, directory)), StateLevel(tricks)
    assert level.shapes == truth.shapes
    assert level.states == truth.states
    for rank in range(truth.shapes):
        assert level.values_of_shape(rank) == truth.values_of_shape(rank), rank


@pytest.mark.parametrize("tricks", [1, 2])
def test_every_layout_has_the_value_of_state_tables(endings: Path, tricks: int) -> None:
    assert_equal_to_state_tables(endings, tricks)


@pytest.mark.slow  # in a normal run the test of the main job compares them
def test_every_layout_of_three_tricks_has_the_value_of_state_tables(endings: Path) -> None:
    assert_equal_to_state_tables(endings, 3)


def test_the_report_says_what_was_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "two.diagrams"
    report = build_diagrams(2, path)
    assert (report.tricks, report.shapes) == (2, count_shapes(2).total)
    assert report.states == count_states(2).total
    assert report.bytes == path.stat().st_size
    assert report.nodes == DiagramLevel(path).nodes > 100
    assert report.shards_found == 0
    assert [file.name for file in path.parent.iterdir()] == ["two.diagrams"]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_number_of_threads_does_not_change_a_byte(
    endings: Path, tmp_path: Path, threads: int
) -> None:
    build_diagrams(3, tmp_path / "three.diagrams", threads=threads)
    assert digest(tmp_path / "three.diagrams") == digest(level_path(3, endings))


def test_progress_goes_up_level_by_level_to_the_end(tmp_path: Path) -> None:
    told: list[BuildProgress] = []
    build_diagrams(3, tmp_path / "three.diagrams", progress=told.append)
    fractions = [progress.fraction for progress in told]
    levels = [progress.level for progress in told]
    assert fractions == sorted(fractions)
    assert fractions[-1] == pytest.approx(1.0)
    assert levels == sorted(levels)
    assert set(levels) == {1, 2, 3}
    assert told[-1].nodes == DiagramLevel(tmp_path / "three.diagrams").nodes


@pytest.mark.parametrize("tricks", [-1, 0, 6])
def test_tricks_that_diagrams_cannot_have_are_refused(tmp_path: Path, tricks: int) -> None:
    with pytest.raises(InvalidInput, match=rf"{tricks} \(expected 1 to 5\)"):
        build_diagrams(tricks, tmp_path / "none")
    assert not list(tmp_path.iterdir())


def test_too_little_memory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"63 MB \(expected 64 to 1048576\)"):
        build_diagrams(1, tmp_path / "none", limit_mb=63)


def test_a_megabyte_of_the_limit_has_two_to_the_twentieth_bytes(tmp_path: Path) -> None:
    build = diagram_build.LevelBuild(_core.BuildPlan(2), tmp_path, 1, 64, None)
    build._check_memory(64 * 2**20, 2)
    with pytest.raises(DatabaseError, match=r"2 tricks need more memory than 64 MB"):
        build._check_memory(64 * 2**20 + 1, 2)


def test_limits_of_plans_and_of_files_are_told_apart() -> None:
    assert MAX_SHARDED_TRICKS == _core.MAX_PLANNED_TRICKS
    assert diagram_build.MAX_FILE_TRICKS < MAX_SHARDED_TRICKS
    assert MAX_SET_TRICKS == _core.MAX_SET_TRICKS
    assert MAX_LEVEL_TRICKS == _core.MAX_LEVEL_TRICKS


# Stopped builds


class Enough(Exception):
    """Raised by a progress callback to stop a build."""


def stop_after(steps: int) -> diagram_build.Progress:
    left = [steps]

    def progress(_: BuildProgress) -> None:
        left[0] -= 1
        if not left[0]:
            raise Enough

    return progress


@pytest.fixture
def keeps_all_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep shards of small levels too, so that resuming can be tested in a moment."""
    monkeypatch.setattr(diagram_build, "_KEPT_FROM", 2)


def stopped_build(path: Path) -> list[Path]:
    """Stop a build of three tricks when some of its shards are there."""
    with pytest.raises(Enough):
        build_diagrams(3, path, threads=1, progress=stop_after(4))
    assert not path.exists()
    return sorted(path.with_name(path.name + ".work").glob("*.shard"))


@pytest.mark.usefixtures("keeps_all_shards")
def test_a_stopped_build_goes_on_where_it_was(endings: Path, tmp_path: Path) -> None:
    path = tmp_path / "three.diagrams"
    left = stopped_build(path)
    assert len(left) > 1
    report = build_diagrams(3, path)
    assert report.shards_found == len(left)
    assert digest(path) == digest(level_path(3, endings))
    assert [file.name for file in tmp_path.iterdir()] == ["three.diagrams"]


@pytest.mark.usefixtures("keeps_all_shards")
def test_shards_that_were_damaged_are_built_again(endings: Path, tmp_path: Path) -> None:
    path = tmp_path / "three.diagrams"
    cut, flipped, *whole = stopped_build(path)
    cut.write_bytes(cut.read_bytes()[:-5])
    data = bytearray(flipped.read_bytes())
    data[len(data) // 2] ^= 4
    flipped.write_bytes(data)
    assert build_diagrams(3, path).shards_found == len(whole)
    assert digest(path) == digest(level_path(3, endings))


@pytest.mark.usefixtures("keeps_all_shards")
def test_shards_of_another_version_are_thrown_away(endings: Path, tmp_path: Path) -> None:
    path = tmp_path / "three.diagrams"
    assert stopped_build(path)
    about = tmp_path / "three.diagrams.work" / "about"
    about.write_text(about.read_text().replace("setrograde ", "setrograde 9"))
    assert build_diagrams(3, path).shards_found == 0
    assert digest(path) == digest(level_path(3, endings))


def test_a_second_build_of_the_same_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "two.diagrams"
    has_begun, may_end = threading.Event(), threading.Event()

    def wait(_: BuildProgress) -> None:
        has_begun.set()
        assert may_end.wait(30)

    first = threading.Thread(target=build_diagrams, args=(2, path), kwargs={"progress": wait})
    first.start()
    try:
        assert has_begun.wait(30)
        with pytest.raises(DatabaseError, match=r"two\.diagrams: another program is building it"):
            build_diagrams(2, path)
        assert not path.exists()
    finally:
        may_end.set()
        first.join()
    assert DiagramLevel(path).tricks == 2


@pytest.mark.usefixtures("keeps_all_shards")
def test_a_shard_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(DatabaseError, match=r"2-0000\.shard\.part: cannot write: No space"):
            build_diagrams(3, tmp_path / "three.diagrams")
    assert build_diagrams(3, tmp_path / "three.diagrams").shards_found == 0


BUILD = """
import sys
from setrograde.db.methods.diagram_build import build_diagrams
build_diagrams(4, sys.argv[1])
"""


@pytest.mark.slow
def test_a_build_killed_five_times_gives_the_same_bytes(tmp_path: Path) -> None:
    rng = Random(20)
    start = time.monotonic()
    build_diagrams(4, tmp_path / "undisturbed")
    whole = time.monotonic() - start
    path = tmp_path / "killed"
    kills = 0
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", BUILD, os.fspath(path)]) as process:
            time.sleep(0.3 + rng.uniform(0.05, 0.4) * whole)
            process.send_signal(signal.SIGKILL)
            kills += process.wait() == -signal.SIGKILL
    assert kills >= 3  # a build may have ended before its time
    report = build_diagrams(4, path)
    assert digest(path) == digest(tmp_path / "undisturbed")
    assert report.shards_found > 0 or kills < 5
    assert sorted(file.name for file in tmp_path.iterdir()) == ["killed", "undisturbed"]


@pytest.mark.slow
def test_threads_do_not_change_a_byte_of_sixteen_cards(tmp_path: Path) -> None:
    for threads in (1, 3):
        build_diagrams(4, tmp_path / str(threads), threads=threads)
    assert digest(tmp_path / "1") == digest(tmp_path / "3")


@pytest.mark.slow
def test_a_build_that_needs_more_memory_than_allowed_keeps_its_shards(tmp_path: Path) -> None:
    path = tmp_path / "five.diagrams"
    with pytest.raises(DatabaseError, match=r"tricks need more memory than 64 MB \(expected a hi"):
        build_diagrams(5, path, limit_mb=64)
    assert not path.exists()
    assert list(path.with_name("five.diagrams.work").glob("4-*.shard"))
