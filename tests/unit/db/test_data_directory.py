"""Data directories in a bad state: unreadable, with pipes in it, full, left by a killed build."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from setrograde.cli.main import main
from setrograde.common.files import replacing
from setrograde.db import build as db_build
from setrograde.db.build import build_database
from setrograde.db.database import DiagramLevel, ShardedLevel
from setrograde.db.methods.diagram_build import DatabaseError, build_diagrams
from setrograde.db.methods.sharded_build import build_sharded
from setrograde.db.methods.thresholds import build_thresholds
from setrograde.locations import level_path
from setrograde.solve import Solver, solve_deal, solve_tables
from setrograde.solve.endings import EndingTable, UnusableEndings, installed_endings

Capture = pytest.CaptureFixture[str]

ENDING = "N:AQ.2.. K3.A.. 54.3.. 76.4.."
COMMANDS = [
    ["solve", ENDING, "--strain", "NT", "--leader", "S"],
    ["table", ENDING],
    ["odds", "--north=AQ...", "--south=54...", "--hidden=K763...", "--strain=NT", "--declarer=S"],
]


@pytest.fixture
def unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory in which nothing may be looked at, whoever runs the tests."""
    stat = Path.stat

    def refuse(path: Path, **options: bool) -> os.stat_result:
        if path.is_relative_to(tmp_path / "locked"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return stat(path, **options)

    monkeypatch.setattr(Path, "stat", refuse)
    monkeypatch.setenv("SETROGRADE_HOME", str(tmp_path / "locked"))
    return tmp_path / "locked"


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_an_unreadable_directory_is_named_in_one_line_and_left_out(
    words: list[str], unreadable: Path, capsys: Capture
) -> None:
    assert main(words) == 0
    output = capsys.readouterr()
    assert output.out
    (line,) = output.err.splitlines()
    assert line.startswith(f"setrograde: warning: {unreadable}")
    assert line.endswith("Permission denied; solving without endings")


def test_an_unreadable_directory_is_named_once(unreadable: Path) -> None:
    with pytest.warns(UserWarning, match="Permission denied; solving without endings"):
        assert solve_deal(ENDING, "NT", "S").tricks_ns == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert solve_deal(ENDING, "NT", "S").tricks_ns == 2


@pytest.mark.parametrize("method", ["thresholds", "diagrams", "sets", "states"])
def test_a_pipe_in_the_directory_is_not_waited_for(method: str, tmp_path: Path) -> None:
    path = level_path(2, tmp_path, method=method)
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    for words in (COMMANDS[0], ["db", "info"], ["db", "verify"], ["db", "probe", ENDING]):
        done = subprocess.run(
            [sys.executable, "-m", "setrograde.cli", *words],
            env=os.environ | {"SETROGRADE_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert "Traceback" not in done.stderr
        is_asked = (words is COMMANDS[0]) == (method == "thresholds")
        if is_asked and "probe" not in words:
            assert f"{path}: not a file" in done.stderr


_WITH_PIPES = """
import os, signal, sys
from pathlib import Path
from setrograde.db.build import build_database
from setrograde.db.methods import diagram_build
from setrograde.db.packing import pack_level, unpack_level
from setrograde.locations import level_path

signal.alarm(60)  # a build that waits for a pipe is ended
folder = Path(sys.argv[1])
path = level_path(2, folder)
path.parent.mkdir(parents=True)
os.mkfifo(path.with_name(path.name + ".part"))
build_database(8, folder)
pack_level(path, folder / "packed")
os.mkfifo(folder / "plain.part")
unpack_level(folder / "packed", folder / "plain")
diagram_build._KEPT_FROM = 1
work = folder / "other.work"
work.mkdir()
for name in ("1-0000.shard", "2-0000.shard", "2-0000.shard.part"):
    os.mkfifo(work / name)
diagram_build.build_diagrams(2, folder / "other")
same = (folder / "other").read_bytes() == path.read_bytes() == (folder / "plain").read_bytes()
print(same, sorted(os.listdir(path.parent)), sorted(os.listdir(folder)))
"""


def test_a_build_does_not_wait_for_pipes_where_it_writes(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITH_PIPES, str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    levels = "['04-cards.diagrams', '08-cards.diagrams']"
    assert done.stdout == f"True {levels} ['endings', 'other', 'packed', 'plain']\n"


def test_what_a_killed_build_left_is_removed_by_the_next(tmp_path: Path) -> None:
    folder = level_path(1, tmp_path).parent
    folder.mkdir(parents=True)
    left = [folder / ".08-cards.sets.x1y2", folder / "08-cards.diagrams.part"]
    for path in left:
        path.write_bytes(b"half")
        os.utime(path, (0, 0))
    old = folder / ".12-cards.thresholds.x1y2"
    old.mkdir()
    (old / "12-cards.diagrams").write_bytes(b"half")
    os.utime(old, (0, 0))
    fresh, other = folder / ".08-cards.states.x1y2", folder / "notes.part"
    for path in (fresh, other):
        path.write_bytes(b"in use, or not ours")
    build_database(4, tmp_path)
    assert sorted(os.listdir(folder)) == [fresh.name, "04-cards.diagrams", other.name]


def test_a_damaged_shard_is_named_as_what_to_remove(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db_build, "MAX_FILE_TRICKS", 2)
    build_database(8, tmp_path)
    build_sharded(3, level_path(3, tmp_path), shards=5)
    shard = sorted((tmp_path / "endings" / "12-cards.diagrams.shards").iterdir())[2]
    data = bytearray(shard.read_bytes())
    data[5000] ^= 1
    shard.write_bytes(data)
    with pytest.raises(DatabaseError) as found:
        build_database(12, tmp_path)
    assert str(found.value).startswith(f"{shard}: damaged")
    assert "(remove this file, then: setrograde db build --cards 12" in str(found.value)
    shard.unlink()
    monkeypatch.setattr(
        db_build,
        "build_sharded",
        lambda *args, **options: build_sharded(*args, shards=5, **options),
    )
    build_database(12, tmp_path)
    assert ShardedLevel(level_path(3, tmp_path)).is_complete


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_names_the_file(number: int, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"answer\.txt") as found, replacing(tmp_path / "answer.txt"):
        raise OSError(number, os.strerror(number))
    assert found.value.filename == str(tmp_path / "answer.txt")
    assert os.listdir(tmp_path) == []


def test_a_full_disk_names_the_file_of_a_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, *_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(DatabaseError, match=r"two\.work.*cannot write: No space left on device"):
        build_diagrams(2, tmp_path / "two")


@pytest.fixture
def two(tmp_path: Path) -> EndingTable:
    build_diagrams(2, tmp_path / "two")
    return build_thresholds(DiagramLevel(tmp_path / "two"), tmp_path / "thresholds")


def test_a_file_cut_short_in_place_is_found_before_it_is_read(two: EndingTable) -> None:
    solver = Solver(endings=two)
    os.truncate(two.path, 4096)
    with pytest.raises(UnusableEndings, match="was cut short while in use"):
        two.check_size()
    with pytest.raises(UnusableEndings, match="was cut short while in use"):
        two.check()
    with pytest.warns(UserWarning, match="was cut short while in use; solving without it"):
        assert solver.solve(ENDING, "NT", "S").tricks_ns == 2
    assert solver.endings is None
    with pytest.warns(UserWarning, match="was cut short while in use; solving without it"):
        assert len(solve_tables([ENDING], endings=two)) == 1


def test_diagrams_cut_short_in_place_are_found_before_they_are_read(
    two: EndingTable, tmp_path: Path
) -> None:
    level = DiagramLevel(tmp_path / "two")
    assert level.value("N:A2... K3... Q4... J5...", "NT", "N") == 1
    os.truncate(tmp_path / "two", 4096)
    for ask in (
        lambda: level.value("N:A2... K3... Q4... J5...", "NT", "N"),
        lambda: level.values_of_shape(7),
        level.check,
    ):
        with pytest.raises(DatabaseError, match="was cut short while in use"):
            ask()


def test_a_file_replaced_or_removed_while_in_use_does_no_harm(two: EndingTable) -> None:
    solver = Solver(endings=two)
    data = two.path.read_bytes()
    two.path.unlink()
    assert solver.solve(ENDING, "NT", "S").tricks_ns == 2
    two.path.write_bytes(data[:4096])
    two.check()
    assert solver.table(ENDING) and solver.endings is two


def test_no_directory_at_all_is_no_news(recwarn: pytest.WarningsRecorder, tmp_path: Path) -> None:
    assert installed_endings(tmp_path / "nowhere") is None
    assert not recwarn.list
