"""One program solves a game in a store; what killed ones left, and damaged files."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from setrograde.common.locks import InUse, locked_folder
from setrograde.games import Nim
from setrograde.sets import DamagedFile
from setrograde.solve.boards import GameStore, PlyReport, solve_game


class Killed(Exception):
    pass


@pytest.mark.parametrize("distances", [True, False])
def test_a_second_solve_of_the_same_game_is_refused(tmp_path: Path, distances: bool) -> None:
    store = GameStore(tmp_path)
    refused = []

    def solve_again(report: object) -> None:
        if not refused:
            with pytest.raises(InUse, match="another program is solving nim 3,3") as error:
                solve_game("nim", "3,3", store=store, distances=distances)
            refused.append(error)
            # Another game, and the same game elsewhere, are free.
            solve_game("nim", "2,2", store=store, distances=distances)
            solve_game("nim", "3,3", store=GameStore(tmp_path / "else"), distances=distances)

    solve_game("nim", "3,3", store=store, distances=distances, progress=solve_again)
    assert refused
    assert not list(tmp_path.rglob("lock"))


LOCKER = """
import sys
from collections.abc import Callable
from pathlib import Path
from setrograde.common.locks import locked_folder
with locked_folder(Path(sys.argv[1]), "busy"):
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_another_program_is_kept_out_until_it_ends(tmp_path: Path) -> None:
    folder = GameStore(tmp_path).parts(Nim([3, 3]))
    with subprocess.Popen(
        [sys.executable, "-c", LOCKER, str(folder)], stdin=-1, stdout=-1, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(InUse):
            solve_game("nim", "3,3", store=GameStore(tmp_path))
        other.kill()
        other.wait()
    assert (folder / "lock").exists()
    assert solve_game("nim", "3,3", store=GameStore(tmp_path)).winner == 1
    assert not folder.exists()


def test_a_lock_survives_its_file(tmp_path: Path) -> None:
    with locked_folder(tmp_path / "a", "busy"):
        (tmp_path / "a" / "lock").unlink()
        with locked_folder(tmp_path / "a", "busy"):
            pass
    with locked_folder(tmp_path / "a", "busy"):
        pass


def test_a_file_system_without_locks_goes_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    assert solve_game("nim", "3,3", store=GameStore(tmp_path)).winner == 1


@pytest.mark.parametrize("distances", [True, False])
def test_temporary_files_of_a_killed_program_are_removed(tmp_path: Path, distances: bool) -> None:
    store = GameStore(tmp_path)
    game = Nim([3, 3])
    folder = store.parts(game) if distances else store.grades(game)
    folder.mkdir(parents=True)
    left = [
        folder / ".part_00000.sets.abcd1234",
        folder / ".grade_0003.sets.abcd1234",
        store.folder / ".nim-3_3.sets.abcd1234",
    ]
    other = store.folder / ".nim-3_3_3.sets.abcd1234"
    for path in (*left, other):
        path.write_bytes(b"half of a file")
    solve_game("nim", "3,3", store=store, distances=distances)
    assert not any(path.exists() for path in left) and other.exists()


def test_a_damaged_part_says_what_to_remove(tmp_path: Path) -> None:
    store = GameStore(tmp_path)

    def kill(report: object) -> None:
        raise Killed

    with pytest.raises(Killed):
        solve_game(Nim([5, 5, 5]), store=store, progress=kill)
    (path,) = store.parts(Nim([5, 5, 5])).glob("*.sets")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DamagedFile) as error:
        solve_game(Nim([5, 5, 5]), store=store)
    assert str(path) in str(error.value) and "remove this file and solve again" in str(error.value)
    path.unlink()
    assert solve_game(Nim([5, 5, 5]), store=store).winner == 0


def test_a_removed_part_is_not_written_over_a_later_one(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    game = Nim([9, 9, 9])

    def kill_at(last: int) -> Callable[[PlyReport], None]:
        def hear(report: PlyReport) -> None:
            if report.ply == last:
                raise Killed

        return hear

    for last in (2, 4, 6):
        with pytest.raises(Killed):
            solve_game(game, store=store, progress=kill_at(last))
    parts = sorted(store.parts(game).glob("*.sets"))
    assert len(parts) == 3
    parts[0].unlink()
    with pytest.raises(Killed):
        solve_game(game, store=store, progress=kill_at(2))
    assert [path.name for path in sorted(store.parts(game).glob("*.sets"))] == [
        "part_00001.sets",
        "part_00002.sets",
        "part_00003.sets",
    ]
    plies: list[int] = []
    solve_game(game, store=store, progress=lambda report: plies.append(report.ply))
    assert plies[0] == 7


def test_a_damaged_grade_says_what_to_remove(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    solve_game("nim", "3,3", store=store, distances=False)
    path = store.grades(Nim([3, 3])) / "grade_0006.sets"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DamagedFile, match=r"grade_0006\.sets: .*remove this file and solve again"):
        store.open(Nim([3, 3]))
    path.unlink()
    assert solve_game("nim", "3,3", store=store, distances=False).winner == 1


@pytest.mark.parametrize("distances", [True, False])
def test_a_full_disk_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, distances: bool
) -> None:
    def refuse(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    with pytest.raises(OSError, match="No space left") as error:
        solve_game("nim", "3,3", store=GameStore(tmp_path), distances=distances)
    assert error.value.filename is not None and error.value.filename.endswith(".sets")
    monkeypatch.undo()
    assert solve_game("nim", "3,3", store=GameStore(tmp_path), distances=distances).winner == 1
