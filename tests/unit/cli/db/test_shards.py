"""`setrograde db` with a level in shards: 12 cards stand in for 24."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from setrograde.bridge import Deal, Seat, Strain
from setrograde.cli.db import options as db_options
from setrograde.cli.main import main
from setrograde.db import build as db_build
from setrograde.db.database import ShardedLevel, level_path
from setrograde.db.methods import sharded_build
from setrograde.db.methods.sharded_build import build_sharded

Capture = pytest.CaptureFixture[str]

ENDING = "N:AQ.2.. K3.A.. 54.3.. 76.4.."


@pytest.fixture
def small_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """From 12 cards on, levels are in a few shards."""
    monkeypatch.setattr(db_build, "MAX_FILE_TRICKS", 2)
    monkeypatch.setattr(
        db_build,
        "build_sharded",
        lambda *args, **options: build_sharded(*args, shards=9, **options),
    )


@pytest.fixture
def data(endings: Path, tmp_path: Path) -> Path:
    """Whole levels up to 8 cards, and the first shards of 12."""
    for tricks in (1, 2):
        path = level_path(tricks, tmp_path)
        path.parent.mkdir(exist_ok=True)
        shutil.copy(level_path(tricks, endings), path)
    build_sharded(3, level_path(3, tmp_path), shards=9, groups=3, most_groups=1)
    return tmp_path


def answer(capsys: Capture, *words: str) -> Any:
    assert main(["db", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("small_levels")
def test_a_build_stops_after_so_many_groups_and_goes_on(tmp_path: Path, capsys: Capture) -> None:
    command = ("build", "--cards", "12", "--groups", "3", "--data", str(tmp_path))
    first = answer(capsys, *command, "--stop-after", "1")["levels"][2]
    assert (first["cards"], first["shards"], first["built"]) == (12, 9, True)
    assert first["shards_built"] == 3
    then = answer(capsys, *command)["levels"]
    assert [level["built"] for level in then] == [False, False, True]
    assert then[2]["shards_built"] == 9
    assert [level["built"] for level in answer(capsys, *command)["levels"]] == [False] * 3


@pytest.mark.usefixtures("small_levels")
def test_force_builds_all_shards_again(data: Path, capsys: Capture) -> None:
    before = ShardedLevel(level_path(3, data)).shards_built
    command = ("build", "--cards", "12", "--force", "--groups", "9", "--stop-after", "1")
    level = answer(capsys, *command, "--data", str(data))["levels"][2]
    assert level["shards_built"] == 1 < before


def test_info_says_how_many_shards_are_there(data: Path, capsys: Capture) -> None:
    assert main(["db", "info", "--check", "--data", str(data)]) == 0
    assert "12 cards: 3 of 9 shards are there; the rest is not built yet" in capsys.readouterr().out
    level = answer(capsys, "info", "--data", str(data))["levels"][2]
    assert (level["shards"], level["shards_built"], level["states_per_byte"]) == (9, 3, None)
    files = level_path(3, data).with_name("12-cards.diagrams.shards").iterdir()
    assert level["bytes"] == sum(file.stat().st_size for file in files)


def test_probe_answers_from_the_shards_that_are_there(
    data: Path, endings: Path, capsys: Capture
) -> None:
    level = ShardedLevel(level_path(3, data))
    answers = 0
    for strain in Strain:
        words = [
            "db",
            "probe",
            ENDING,
            "--strain",
            str(strain),
            "--leader",
            "S",
            "--json",
            "--data",
        ]
        assert main([*words, str(endings)]) == 0
        expected = json.loads(capsys.readouterr().out)["tricks"]
        status = main([*words, str(data)])
        output = capsys.readouterr()
        if status == 0:
            assert json.loads(output.out)["tricks"] == expected
            assert level.value(Deal.from_pbn(ENDING), strain, Seat.SOUTH) == expected
            answers += 1
        else:
            assert status == 1
            assert "of 9 is not built yet (expected it from: setrograde db build" in output.err
            assert output.err.count("\n") == 1
    assert 0 < answers < len(Strain)


def test_query_of_a_missing_shard_is_one_clear_error(data: Path, capsys: Capture) -> None:
    words = ["db", "query", "SAKQJ=x HAKQJ=x DAKQJ=x", "--strain", "S", "--leader", "N"]
    assert main([*words, "--data", str(data)]) == 1
    error = capsys.readouterr().err
    assert "is not built yet (expected it from: setrograde db build --cards 12)" in error
    assert error.count("\n") == 1


def test_verify_compares_the_shards_that_are_there(data: Path, capsys: Capture) -> None:
    shutil.rmtree(level_path(1, data).with_name("12-cards.diagrams.shards"))
    level_path(3, data).unlink()
    build_sharded(3, level_path(3, data), shards=9, groups=3)
    result = answer(capsys, "verify", "--cards", "12", "--states", "300", "--data", str(data))
    assert result["ok"]


def test_pack_takes_no_list_of_shards(data: Path, capsys: Capture) -> None:
    words = ["db", "pack", "--cards", "12", str(data / "packed"), "--data", str(data)]
    assert main(words) != 0
    assert "holds another kind of level than diagrams" in capsys.readouterr().err


def test_the_most_cards_are_those_of_shards() -> None:
    assert db_options.number_of_cards("24") == 4 * sharded_build.MAX_SHARDED_TRICKS
