"""The first search that gains by a database of endings installs one."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from setrograde import _core
from setrograde.common.stop import StopFlag, Stopped
from setrograde.db.build import build_database
from setrograde.locations import level_path
from setrograde.solve import Solver, endings, solve_tables
from setrograde.solve.endings import endings_for, installed_endings
from support import random_deal

DEAL = random_deal(random.Random(20))
SOLVE = f"""\
from setrograde.solve import Solver
solver = Solver()
solver.solve("{DEAL.to_pbn()}", "NT", "S")
print(solver.endings and solver.endings.cards)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory that may be built in; the core is asked as if for the first time."""
    directory = tmp_path / "home"
    monkeypatch.setenv("SETROGRADE_HOME", str(directory))
    monkeypatch.delenv("SETROGRADE_NO_BUILD")
    return directory


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)


def files(home: Path) -> list[str]:
    return sorted(path.name for path in home.rglob("*") if path.is_file())


def test_the_first_full_deal_installs_endings_without_a_word(home: Path) -> None:
    done = run("-c", SOLVE)
    assert (done.stdout, done.stderr) == ("12\n", "")
    assert files(home) == ["12-cards.thresholds"]
    before = level_path(3, home, method="thresholds").stat().st_mtime_ns
    assert run("-c", SOLVE).stdout == "12\n"
    assert level_path(3, home, method="thresholds").stat().st_mtime_ns == before


def test_the_file_has_the_bytes_of_a_database_build(home: Path, tmp_path: Path) -> None:
    endings_for(13)
    build_database(12, tmp_path / "other")
    found, expected = (level_path(3, at, method="thresholds") for at in (home, tmp_path / "other"))
    assert found.read_bytes() == expected.read_bytes()


def test_the_table_command_installs_endings_too(home: Path, tmp_path: Path) -> None:
    done = run("-m", "setrograde.cli", "table", DEAL.to_pbn())
    assert done.stderr == "" and files(home) == ["12-cards.thresholds"]


def test_small_positions_and_the_switch_install_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert endings_for(8) is None
    assert Solver().solve("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", "S").tricks_ns == 2
    assert solve_tables([DEAL], endings=None)
    monkeypatch.setenv("SETROGRADE_NO_BUILD", "1")
    assert endings_for(13) is None
    assert not home.exists()
    monkeypatch.setenv("SETROGRADE_NO_BUILD", "0")
    assert endings_for(13) is not None


def test_a_larger_database_is_taken_and_nothing_is_built(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_database(12, home)
    kept = files(home)
    monkeypatch.setattr(endings, "_build", lambda *_: pytest.fail("built again"))
    found = endings_for(13)
    assert found is not None and found.cards == 12 and files(home) == kept


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(28, "full")])
def test_where_nothing_can_be_written_the_search_does_without(
    home: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder, error: OSError
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(endings, "_build", fail)
    assert endings_for(13) is None and Solver().table(DEAL)
    assert files(home) == [] and list((home / "endings").iterdir()) == []
    assert not recwarn.list


def test_a_full_disk_in_the_core_is_no_error_either(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise _core.LevelFileError("no space")

    monkeypatch.setattr(endings, "_build", fail)
    assert endings_for(13) is None and files(home) == []


def test_a_file_in_the_place_of_the_directory_is_no_error(home: Path) -> None:
    home.write_text("in the way")
    assert endings_for(13) is None and home.read_text() == "in the way"


def test_a_damaged_file_is_named_and_left_alone(home: Path) -> None:
    path = level_path(3, home, method="thresholds")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"something else")
    with pytest.warns(UserWarning, match="12-cards.thresholds.*solving without it"):
        assert endings_for(13) is None
    assert path.read_bytes() == b"something else"


def test_many_processes_at_once_leave_one_good_file(home: Path) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", SOLVE], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert [process.communicate()[0] for process in started] == ["12\n"] * 4
    assert files(home) == ["12-cards.thresholds"]
    installed = installed_endings(home)
    assert installed is not None
    installed.check()


def test_a_stop_leaves_nothing_behind_and_the_next_search_builds(home: Path) -> None:
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        endings_for(13, stop=flag)
    assert files(home) == []
    assert endings_for(13) is not None


def test_the_build_is_short(tmp_path: Path) -> None:
    times = []
    for number in range(3):
        start = time.process_time()
        endings._build(tmp_path / f"{number}", None)
        times.append(time.process_time() - start)
    assert min(times) < 0.5
    assert os.path.getsize(tmp_path / "0") < 1_000_000


def test_a_call_that_waits_for_the_build_of_another_thread_can_be_stopped(home: Path) -> None:
    stop = StopFlag()
    stop.set()
    with endings._building, pytest.raises(Stopped):
        endings_for(13, stop=stop)
    assert files(home) == []
    assert endings_for(13) is not None
