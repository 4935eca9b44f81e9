"""`setrograde db`: build, info, verify, probe, query."""

from __future__ import annotations

import argparse
import inspect
import io
import json
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from setrograde.bridge import Deal
from setrograde.cli import common
from setrograde.cli.db import build as db_build
from setrograde.cli.db import check as db_check
from setrograde.cli.main import main
from setrograde.db.build import build_database
from setrograde.db.check import level as check_level
from setrograde.db.database import EndingDatabase, level_path
from setrograde.db.deal_sets import DealSet
from setrograde.db.display import describe_set, format_set
from setrograde.db.endings.counting import count_shapes, count_states
from setrograde.db.methods.set_levels import SetLevel
from setrograde.db.methods.sharded_build import DEFAULT_GROUPS, build_sharded
from setrograde.db.methods.state_tables import StateLevel
from setrograde.solve.double_dummy import Solver
from support import random_position

ENDING = "N:AQ.2.. K3.A.. 54.3.. 76.4.."
QUESTION = ("--strain", "NT", "--leader", "S")
SET = "SAQ=N SK=EW S76543=x H2=N HA=E H43=SW"

TABLES = "plain retrograde analysis"

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def three_methods(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Endings up to 8 cards, built by each of the methods."""
    data = tmp_path_factory.mktemp("data")
    for method in ("diagrams", "sets", "states"):
        assert main(["db", "build", "--cards", "8", "--method", method, "--data", str(data)]) == 0
    return data


@pytest.fixture
def damaged(three_methods: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copytree(three_methods, tmp_path / "data"))


def answer(capsys: Capture, *arguments: str, status: int = 0) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["db", *arguments, "--json"]) == status
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def error_of(capsys: Capture, *arguments: str, status: int = 2) -> str:
    """The one line of a refused command."""
    capsys.readouterr()
    assert main(["db", *arguments]) == status
    output = capsys.readouterr()
    assert output.out == ""
    assert re.fullmatch(r"setrograde: [^\n]+\n", output.err)
    return output.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["probe", "N:AKQJ... T987... 6543... 2.AKQ..", *QUESTION], "--cards 16 --data"),
        (["query", "SAKQJT98765432=x HAKQ=x", *QUESTION], "--cards 16 --data"),
        (["verify", "--cards", "16"], "no endings with 16 cards in"),
        (["verify", "--cards", "12", "--method", "sets"], "--cards 12 --method sets --data"),
        (["pack", "--cards", "16", "packed.zst"], "--cards 16 --data"),
    ],
)
def test_where_there_is_no_such_table_the_answer_is_no(
    arguments: list[str], words: str, endings: Path, capsys: Capture
) -> None:
    error = error_of(capsys, *arguments, "--data", str(endings), status=1)
    assert words in error
    assert "(expected them from: setrograde db build" in error


# build


def test_groups_of_shards_are_as_many_as_help_and_library_say() -> None:
    parser = argparse.ArgumentParser()
    db_build.add_parser(parser.add_subparsers())
    args = parser.parse_args(["build", "--cards", "24"])
    signature = inspect.signature(build_sharded)
    assert args.groups == signature.parameters["groups"].default == DEFAULT_GROUPS == 16
    assert inspect.signature(build_database).parameters["groups"].default == DEFAULT_GROUPS


def test_build_makes_every_level_up_to_the_one_asked_for(
    endings: Path, tmp_path: Path, capsys: Capture
) -> None:
    result = answer(capsys, "build", "--cards", "12", "--data", str(tmp_path))
    assert result["directory"] == str(tmp_path)
    assert [level["cards"] for level in result["levels"]] == [4, 8, 12]
    for tricks, level in enumerate(result["levels"], 1):
        path = level_path(tricks, tmp_path)
        assert level["shapes"] == count_shapes(tricks).total
        assert level["states"] == count_states(tricks).total
        assert level["nodes"] == EndingDatabase.open(tmp_path).level(tricks).nodes
        assert level["bytes"] == path.stat().st_size
        assert level["seconds"] > 0
        assert level["built"] is True
        assert level["method"] == "diagrams"
        assert "sets" not in level
        assert path.read_bytes() == level_path(tricks, endings).read_bytes()


def test_build_leaves_alone_what_is_there_unless_forced(damaged: Path, capsys: Capture) -> None:
    old = level_path(2, damaged)
    before = old.stat().st_mtime_ns, old.read_bytes()
    level_path(1, damaged).unlink()
    question = ("build", "--cards", "8", "--data", str(damaged))
    levels = answer(capsys, *question)["levels"]
    assert [level["built"] for level in levels] == [True, False]
    assert levels[1]["seconds"] is None
    assert (old.stat().st_mtime_ns, old.read_bytes()) == before
    levels = answer(capsys, *question, "--force")["levels"]
    assert [level["built"] for level in levels] == [True, True]
    assert old.stat().st_mtime_ns > before[0]
    assert old.read_bytes() == before[1]


def test_build_prints_a_row_for_each_level(three_methods: Path, capsys: Capture) -> None:
    assert main(["db", "build", "--cards", "8", "--data", str(three_methods)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.match(r"cards +method +shapes +states +nodes +sets +bytes +states/byte", lines[0])
    assert re.fullmatch(r" +8  diagrams +2,054 +87,162 +[0-9,]+ +- .* was there", lines[2])
    assert len(lines) == 3


@pytest.mark.parametrize(("method", "key"), [("sets", "sets"), ("states", None)])
def test_other_methods_store_their_levels_beside_the_diagrams(
    method: str, key: str | None, three_methods: Path, capsys: Capture
) -> None:
    question = ("build", "--cards", "8", "--method", method, "--data", str(three_methods))
    levels = answer(capsys, *question)["levels"]
    assert [level["method"] for level in levels] == [method, method]
    data = level_path(2, three_methods, method=method).read_bytes()
    if key is None:
        assert StateLevel.from_bytes(data).to_bytes() == StateLevel(2).to_bytes()
        assert "sets" not in levels[1]
    else:
        assert SetLevel.from_bytes(data).to_bytes() == SetLevel(2).to_bytes()
        assert levels[1]["sets"] == len(SetLevel(2))
    assert "nodes" not in levels[1]


def test_a_damaged_level_in_the_way_is_named(damaged: Path, capsys: Capture) -> None:
    path = level_path(1, damaged)
    path.write_bytes(path.read_bytes()[:-1])
    question = ("build", "--cards", "8", "--data", str(damaged))
    line = error_of(capsys, *question)
    assert "04-cards.diagrams: cut short" in line
    assert f"setrograde db build --cards 8 --data {damaged} --force" in line
    assert answer(capsys, *question, "--force")["levels"][0]["built"] is True


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--cards", "10"], "'10' (expected a multiple of 4, from 4 to 24"),
        (["--cards", "28"], "'28'"),
        (["--cards", "0"], "'0'"),
        (["--cards", "٤"], "'٤'"),
        (["--cards", "16", "--method", "sets"], "too many cards for the method sets: 16"),
        (["--cards", "16", "--method", "states"], "expected 12 at most"),
        (["--cards", "4", "--method", "magic"], "'magic'"),
        (["--cards", "4", "--threads", "0"], "'0'"),
        (["--cards", "4", "--limit-mb", "1"], "expected a number from 64"),
    ],
)
def test_builds_that_cannot_be_are_refused(
    arguments: list[str], words: str, tmp_path: Path, capsys: Capture
) -> None:
    assert words in error_of(capsys, "build", *arguments, "--data", str(tmp_path / "new"))
    assert not (tmp_path / "new").exists()


def test_data_that_is_no_directory_is_named(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for method in ("diagrams", "states"):
        line = error_of(capsys, "build", "--cards", "4", "--method", method, "--data", str(file))
        assert str(file) in line


def test_home_of_the_environment_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("SETROGRADE_HOME", str(tmp_path))
    assert main(["db", "build", "--cards", "4"]) == 0
    assert level_path(1, tmp_path).exists()
    assert answer(capsys, "info")["directory"] == str(tmp_path)


def run_cli(
    *arguments: str, before: Any = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "setrograde.cli", *arguments],
        capture_output=True,
        text=True,
        preexec_fn=before,
        check=False,
        **options,
    )


@pytest.mark.parametrize("method", ["diagrams", "states"])
def test_a_full_disk_stops_the_build_and_harms_nothing(
    method: str, endings: Path, tmp_path: Path, capsys: Capture
) -> None:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # so that writing fails with EFBIG
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    cards, most = 8, 10_000
    if method == "diagrams":
        two, three = (level_path(tricks, endings).stat().st_size for tricks in (2, 3))
        cards, most = 12, (two + three) // 2
    question = ("db", "build", "--cards", str(cards), "--method", method, "--data", str(tmp_path))
    done = run_cli(*question, before=limit)
    assert done.returncode == 2
    assert done.stdout == ""
    path = level_path(cards // 4, tmp_path, method=method)
    assert done.stderr == f"setrograde: {path}: cannot write: File too large\n"
    names = {file.name for file in path.parent.iterdir() if file.is_file()}
    assert names == {f"{n:02}-cards.{method}" for n in range(4, cards, 4)}
    assert main(["db", "info", "--check", "--data", str(tmp_path)]) == 0
    assert main([*question]) == 0
    if method == "diagrams":
        for tricks in (1, 2, 3):
            built = level_path(tricks, tmp_path).read_bytes()
            assert built == level_path(tricks, endings).read_bytes()
    left = {file.name for file in path.parent.iterdir()}
    expected = {f"{n:02}-cards.{method}" for n in range(4, cards + 1, 4)}
    assert left == expected | ({"12-cards.thresholds"} if method == "diagrams" else set())


BUILD = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
from setrograde.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def test_interrupt_ends_a_build_within_a_second_and_says_that_it_will_go_on(
    endings: Path, tmp_path: Path
) -> None:
    shutil.copytree(endings, tmp_path, dirs_exist_ok=True)
    arguments = ["db", "build", "--cards", "16", "--data", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-c", BUILD, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    work = level_path(4, tmp_path).with_name("16-cards.diagrams.work")
    end = time.monotonic() + 60
    while not list(work.glob("*.shard")):
        assert time.monotonic() < end
        assert process.poll() is None
        time.sleep(0.02)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    output, error = process.communicate(timeout=30)
    assert time.monotonic() - sent < 1.0
    assert process.returncode == 130
    assert output == ""
    assert error == (
        "setrograde: interrupted; what is built stays, and the same command goes on from there\n"
    )
    assert list(work.glob("*.shard"))
    assert not level_path(4, tmp_path).exists()


def test_bar_shows_the_share_done_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stderr", terminal)
    with common.show_share("building endings", after_s=0.0) as show:
        for share in (0.1, 0.2, 0.3):
            show(share)
            time.sleep(0.1)
    assert "building endings" in terminal.getvalue()
    assert "30%" in terminal.getvalue()
    assert re.search(r"left 0:00:0[0-9]", re.sub("\x1b\\[[0-9;]*m", "", terminal.getvalue()))


def test_shares_told_by_a_build_go_up_to_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for method in ("diagrams", "sets", "states"):
        told: list[float] = []

        @contextmanager
        def record(label: str, into: list[float] = told) -> Any:
            yield into.append

        monkeypatch.setattr(db_build, "show_share", record)
        assert (
            main(["db", "build", "--cards", "8", "--method", method, "--data", str(tmp_path)]) == 0
        )
        assert told == sorted(told)
        assert told[-1] == pytest.approx(1.0)


# info


def test_info_lists_what_is_there(three_methods: Path, capsys: Capture) -> None:
    result = answer(capsys, "info", "--check", "--data", str(three_methods))
    assert result["checked"] is True
    levels = result["levels"]
    assert [(level["cards"], level["method"]) for level in levels] == [
        (cards, method) for cards in (4, 8) for method in ("diagrams", "sets", "states")
    ]
    eight = levels[3]
    assert eight["ok"] is True
    assert eight["made_by"].startswith("setrograde ")
    assert eight["states_per_byte"] == round(eight["states"] / eight["bytes"], 3)
    assert levels[4]["sets"] > 1000
    assert main(["db", "info", "--check", "--data", str(three_methods)]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Endings in {three_methods}, no damage found\n\ncards  method ")
    assert len(text.splitlines()) == 9


def test_info_of_nothing_says_how_to_build_and_is_status_1(tmp_path: Path, capsys: Capture) -> None:
    assert main(["db", "info", "--data", str(tmp_path)]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert f"setrograde db build --cards 12 --data {tmp_path}" in output.err
    assert answer(capsys, "info", "--data", str(tmp_path), status=1)["levels"] == []


def flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 8
    path.write_bytes(data)


def test_info_names_damaged_files_and_goes_on(damaged: Path, capsys: Capture) -> None:
    flip(level_path(2, damaged), 4100)
    cut = level_path(1, damaged, method="sets")
    cut.write_bytes(cut.read_bytes()[:-3])
    flip(level_path(2, damaged, method="states"), 700)
    shutil.copy(
        level_path(2, damaged, method="sets"), level_path(3, damaged, method="sets")
    )  # under a name that is not its own
    assert main(["db", "info", "--check", "--data", str(damaged)]) == 1
    output = capsys.readouterr()
    bad = ["04-cards.sets: ", "08-cards.diagrams: damaged (", "08-cards.states: ", "12-cards.sets"]
    lines = output.err.splitlines()
    assert len(lines) == len(bad)
    assert all(name in line for name, line in zip(bad, lines, strict=True))
    assert "no damage found" not in output.out
    assert len(output.out.splitlines()) == 3 + 3
    levels = answer(capsys, "info", "--check", "--data", str(damaged), status=1)["levels"]
    assert [level["ok"] for level in levels] == [True, False, True, False, True, False, False]
    assert "damaged" in levels[3]["error"]


def test_info_without_check_does_not_read_whole_diagrams(damaged: Path, capsys: Capture) -> None:
    flip(level_path(2, damaged), 4100)
    assert main(["db", "info", "--data", str(damaged)]) == 0


# verify


def test_verify_compares_all_methods_whole(three_methods: Path, capsys: Capture) -> None:
    result = answer(capsys, "verify", "--data", str(three_methods))
    assert result["ok"] is True
    assert len(result["levels"]) == 6
    for level in result["levels"]:
        assert level["ok"] is True
        whole = level["reports"][0]
        assert whole["sample"] == "every shape"
        assert whole["coverage"] == 1.0
        assert whole["error_bound"] == 0.0
        # State tables are the truth of the others, so they get another.
        truth = "diagrams, built anew" if level["method"] == "states" else TABLES
        assert whole["truth"] == truth
        assert len(level["reports"]) == (3 if level["method"] == "states" else 1)


def test_verify_compares_random_states_with_the_solver_if_told(
    three_methods: Path, capsys: Capture
) -> None:
    question = ("--cards", "8", "--method", "sets", "--states", "101", "--seed", "7")
    (level,) = answer(capsys, "verify", *question, "--data", str(three_methods))["levels"]
    assert [report["draws"] for report in level["reports"]] == [0, 51, 50]
    assert [report["seed"] for report in level["reports"]] == [None, 7, 7]
    assert main(["db", "verify", *question, "--data", str(three_methods)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("8 cards, sets\n  2 tricks, every shape: ")
    assert "With 95 % confidence at most" in text


def test_verify_says_no_if_a_value_is_wrong(
    three_methods: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    right = SetLevel.values_of_shape

    def wrong(level: SetLevel, rank: int) -> bytes:
        values = bytearray(right(level, rank))
        if rank == 1234:
            values[0] ^= 1
        return bytes(values)

    monkeypatch.setattr(SetLevel, "values_of_shape", wrong)
    question = ("verify", "--cards", "8", "--method", "sets", "--data", str(three_methods))
    result = answer(capsys, *question, status=1)
    assert result["ok"] is False
    (report,) = result["levels"][0]["reports"]
    assert report["mismatches"] == 1
    assert report["examples"]
    assert main(["db", *question]) == 1
    assert re.search(r"\n  1 wrong\.\n    N:.* \(expected [012]\)\n", capsys.readouterr().out)


def test_verify_names_a_damaged_file_and_goes_on(damaged: Path, capsys: Capture) -> None:
    flip(level_path(2, damaged), 4100)
    question = ("verify", "--method", "diagrams", "--data", str(damaged))
    assert main(["db", *question]) == 1
    output = capsys.readouterr()
    assert "08-cards.diagrams: damaged" in output.err
    assert "All agree." in output.out
    result = answer(capsys, *question, status=1)
    assert [level["ok"] for level in result["levels"]] == [True, False]
    assert "damaged" in result["levels"][1]["error"]


def test_verify_above_twelve_cards_draws_shapes_and_states(
    three_methods: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for module in (db_check, check_level):
        monkeypatch.setattr(module, "MAX_LEVEL_TRICKS", 1)  # as if 8 cards were many
    question = ("verify", "--cards", "8", "--method", "diagrams", "--data", str(three_methods))
    (level,) = answer(capsys, *question, "--shapes", "0.05", "--states", "400")["levels"]
    samples = [report["sample"] for report in level["reports"]]
    assert samples == ["a share of the shapes", "random deals", "random shapes"]
    assert level["reports"][0]["shapes"] == 103
    assert all("With 95 % confidence" in report["statement"] for report in level["reports"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--shapes", "0"], "'0' (expected a share like 0.01, up to 1)"),
        (["--shapes", "1.5"], "'1.5'"),
        (["--shapes", "."], "'.'"),
        (["--shapes", "nan"], "'nan'"),
        (["--states", "-1"], "'-1'"),
        (["--seed", "x"], "'x'"),
    ],
)
def test_verify_refuses_bad_questions(
    arguments: list[str], words: str, three_methods: Path, capsys: Capture
) -> None:
    assert words in error_of(capsys, "verify", *arguments, "--data", str(three_methods))


@pytest.mark.slow
def test_sixteen_cards_are_built_and_verified_with_the_usual_samples(
    tmp_path: Path, capsys: Capture
) -> None:
    assert main(["db", "build", "--cards", "16", "--data", str(tmp_path)]) == 0
    result = answer(capsys, "verify", "--cards", "16", "--data", str(tmp_path))
    assert result["ok"] is True
    assert all(0 < report["error_bound"] < 0.01 for report in result["levels"][0]["reports"])


# probe


def test_probe_prints_values_and_the_set(endings: Path, capsys: Capture) -> None:
    assert main(["db", "probe", ENDING, *QUESTION, "--data", str(endings)]) == 0
    text = capsys.readouterr().out
    head, _, rest = text.partition("\n\nAll ")
    assert head.splitlines() == [
        "Notrump, South to lead to trick 1",
        "N-S take 2 tricks, E-W 1",
        "",
        "N-S tricks  cost  cards",
        "         2     -  ♥ 3",
        "         1     1  ♠ 54",
    ]
    assert re.match(r"[0-9,]+ deals of this set give the same tricks:\n +North\n", rest)
    assert "In words: North has ♠A" in rest
    as_set = rest.partition("As a set: ")[2].strip()
    assert DealSet.from_text(as_set).contains(Deal.from_pbn(ENDING))


def test_the_set_of_a_probe_can_be_asked_about(endings: Path, capsys: Capture) -> None:
    probe = answer(capsys, "probe", ENDING, *QUESTION, "--data", str(endings))
    assert (probe["tricks"], probe["tricks_ns"], probe["tricks_ew"]) == (2, 2, 1)
    assert probe["set"]["deals"] > 1
    query = answer(capsys, "query", probe["set"]["text"], *QUESTION, "--data", str(endings))
    assert query["deals"] == probe["set"]["deals"]
    assert query["histogram"] == {"2": query["deals"]}
    assert query["shapes"] == 1


def test_probe_says_the_same_as_solve(endings: Path, capsys: Capture) -> None:
    rng = Random(9)
    solver = Solver(limit_mb=16, endings=None)
    for _ in range(25):
        play = random_position(rng, rng.randint(1, 3))
        question = [
            play.deal.to_pbn(),
            *("--strain", str(play.strain), "--leader", str(play.leader)),
            *("--played", " ".join(map(str, play.cards)), "--data", str(endings)),
        ]
        found = answer(capsys, "probe", *question)
        values = solver.cards(play.deal, play.strain, play.leader, played=play.cards)
        expected = {str(value.card): (value.tricks, value.cost) for value in values}
        assert {v["card"]: (v["tricks"], v["cost"]) for v in found["cards"]} == expected
        assert found["tricks"] == max(tricks for tricks, _ in expected.values())
        assert found["turn"] == str(play.turn)
        assert (found["set"] is None) == bool(play.current_trick.cards)


def test_sets_show_every_card_and_name_those_with_one_holder(endings: Path) -> None:
    rng = Random(12)
    database = EndingDatabase.open(endings)
    for _ in range(200):
        play = random_position(rng, rng.randint(1, 3), on_table=0)
        level = database.level(len(play.remaining) // 4)
        deals = level.set_of(play.remaining, play.strain, play.turn)
        diagram = [line for line in format_set(deals).splitlines() if ":" not in line]
        hands = re.findall(r"[♠♥♦♣] ([AKQJT2-9x?]+)", "\n".join(diagram))
        assert len("".join(hands)) == len(deals.holders)
        words = describe_set(deals)
        for card, seats in deals.holders.items():
            if len(seats) == 1:
                (seat,) = seats
                held = words.partition(f"{seat.name.title()} has ")[2].partition(";")[0]
                pattern = rf"{card.suit.symbol}[AKQJT2-9]*{card.rank.letter}"
                assert re.search(pattern, held), (card, words)


def test_probe_in_mid_trick_needs_only_the_level_below(damaged: Path, capsys: Capture) -> None:
    question = (ENDING, *QUESTION, "--played", "S5 S7", "--data", str(damaged))
    assert answer(capsys, "probe", *question)["cards"][0]["card"] in ("SA", "SQ")
    assert main(["db", "probe", *question, "--ascii"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Notrump, North to play to trick 1: S5 S7 led by South"
    words = ("probe", ENDING, *QUESTION, "--data", str(damaged))
    assert "12 cards" in error_of(capsys, *words, status=1)


def test_probe_of_a_finished_play(endings: Path, capsys: Capture) -> None:
    question = ("N:A... K... Q... J...", "--strain", "NT", "--leader", "N")
    found = answer(capsys, "probe", *question, "--played", "SA SK SQ SJ", "--data", str(endings))
    assert (found["turn"], found["cards"], found["tricks"], found["set"]) == (None, [], 0, None)
    assert found["won_ns"] == 1


def test_a_set_of_one_deal_is_called_so(endings: Path, capsys: Capture) -> None:
    question = ("N:A... .A.. ..A. ...A", "--strain", "NT", "--leader", "N")
    assert main(["db", "probe", *question, "--data", str(endings)]) == 0
    text = capsys.readouterr().out
    assert "This set of one deal gives the same tricks:" in text
    assert "In words: North has ♠A; East has ♥A; South has ♦A; West has ♣A." in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["N:AQ.2.. K3.A.. 54... 76.4..", *QUESTION], "South 2"),
        (["N:AQ.2.. A3.A.. 54.3.. 76.4..", *QUESTION], "'SA'"),
        (["", *QUESTION], "empty deal"),
        (["N:... ... ... ...", *QUESTION], "no cards"),
        ([ENDING, "--leader", "S"], "expected --strain C, D, H, S or NT"),
        ([ENDING, "--strain", "NT"], "expected --leader"),
        ([ENDING, "--strain", "Q", "--leader", "S"], "'Q'"),
        ([ENDING, *QUESTION, "--played", "SA"], "expected S5 or S4 or H3"),
        (["N:AKQJT9... 8765432... .AKQJT9.. .876543..", *QUESTION], "hands differ"),
        (
            ["N:AKQJT98... .AKQJT98.. ..AKQJT98. ...AKQJT98", *QUESTION],
            "no endings with 28 cards (expected 24 at most; setrograde solve takes more)",
        ),
    ],
)
def test_probe_refuses_bad_questions(
    arguments: list[str], words: str, endings: Path, capsys: Capture
) -> None:
    assert words in error_of(capsys, "probe", *arguments, "--data", str(endings))


# query


def test_query_prints_range_chart_and_decisive_cards(endings: Path, capsys: Capture) -> None:
    assert main(["db", "query", SET, *QUESTION, "--data", str(endings)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Notrump, South leads; 200 deals",
        "N-S take 1 to 2 tricks, 1.90 on average",
        "",
        "N-S tricks  deals    share",
        "         1     20   10.00%  ####",
        "         2    180   90.00%  ########################################",
        "",
        "What decides it (share of the differences in tricks that the card's holder explains):",
        "  ♥43  13.6% each: with South 2.00 tricks on average, with West 1.78",
        "  ♠K  11.1%: with East 1.80 tricks on average, with West 2.00",
        "  ♠76543  2.3% each: with East 1.93 tricks on average, with South 1.84, with West 1.94",
    ]


def test_query_in_json(endings: Path, capsys: Capture) -> None:
    found = answer(capsys, "query", SET, *QUESTION, "--data", str(endings))
    assert (found["min"], found["max"], found["deals"], found["shapes"]) == (1, 2, 200, 3)
    assert found["histogram"] == {"1": 20, "2": 180}
    assert found["mean"] == pytest.approx(1.9)
    assert DealSet.from_text(found["set"]) == DealSet.from_text(SET)
    first = found["decisive"][0]
    assert first["card"] == "H4"
    assert first["holders"]["W"] == {"deals": 90, "mean": pytest.approx(1.7777777)}
    assert len(found["decisive"]) == 8
    short = answer(capsys, "query", SET, *QUESTION, "--no-decisive", "--data", str(endings))
    assert "decisive" not in short


def test_query_of_deals_that_are_all_alike(endings: Path, capsys: Capture) -> None:
    question = ("SA=N SKQJ=x", "--strain", "S", "--leader", "W", "--ascii")
    assert main(["db", "query", *question, "--data", str(endings)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["S trumps, West leads; 6 deals", "N-S take 1 trick in each"]
    assert len(lines) == 5  # no decisive cards


def test_query_for_north_south_whoever_leads(endings: Path, capsys: Capture) -> None:
    for leader in "NESW":
        question = ("query", "SAK=N SQJ=E HAK=S HQJ=W", "--strain", "NT", "--leader", leader)
        assert answer(capsys, *question, "--data", str(endings))["min"] == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["", *QUESTION], "a set without cards"),
        (["SA=N SA=E SKQ=x", *QUESTION], "SA is there twice: 'SA=E'"),
        (["SAKQ=x", *QUESTION], "3 cards in 'SAKQ=x'"),
        (["SAKQJ=N", *QUESTION], "no deal is in the set 'SAKQJ=N'"),
        (["SAKQJ=-NESW", *QUESTION], "nobody may have these cards"),
        (["SAKQJ", *QUESTION], "'SAKQJ'"),
        (["SAKQJ=x", "--strain", "Q", "--leader", "N"], "'Q'"),
        (["SAKQJ=x", "--strain", "NT", "--leader", "Q"], "'Q'"),
        (["SAKQJ=x", "--leader", "N"], "--strain"),
        (["SAKQJT98765432=x HAKQJT98765432=x DAK=x", *QUESTION], "no endings with 28 cards"),
    ],
)
def test_query_refuses_bad_questions(
    arguments: list[str], words: str, endings: Path, capsys: Capture
) -> None:
    assert words in error_of(capsys, "query", *arguments, "--data", str(endings))


@pytest.mark.parametrize("harm", ["cut", "flip", "swap"])
def test_questions_to_a_damaged_file_name_it(harm: str, damaged: Path, capsys: Capture) -> None:
    path = level_path(2, damaged)
    if harm == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    elif harm == "flip":
        flip(path, 4100)
    else:
        shutil.copy(level_path(1, damaged), path)
    line = error_of(capsys, "query", "SAKQJ=x HAKQJ=x", *QUESTION, "--data", str(damaged))
    assert "08-cards.diagrams: " in line
    line = error_of(capsys, "probe", "N:AK... QJ... T9... 87...", *QUESTION, "--data", str(damaged))
    assert "08-cards.diagrams: " in line


def test_the_command_needs_a_command(capsys: Capture) -> None:
    assert main(["db"]) == 2
    assert "COMMAND" in capsys.readouterr().err


def test_a_level_is_packed_and_restored(endings: Path, tmp_path: Path, capsys: Capture) -> None:
    packed, there = str(tmp_path / "level.zst"), str(tmp_path / "there")
    assert main(["db", "pack", "--cards", "12", packed, "--data", str(endings), "--json"]) == 0
    sizes = json.loads(capsys.readouterr().out)
    assert sizes["packed_bytes"] == Path(packed).stat().st_size < sizes["bytes"] / 2
    assert main(["db", "unpack", packed, "--data", there, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cards"] == 12
    assert level_path(3, there).read_bytes() == level_path(3, endings).read_bytes()
    assert main(["db", "unpack", packed, "--data", there]) == 2
    assert "is there already (expected --force)" in capsys.readouterr().err
    assert main(["db", "unpack", packed, "--data", there, "--force"]) == 0


@pytest.mark.parametrize("harm", ["cut", "flipped", "other"])
def test_a_damaged_package_is_refused_and_leaves_nothing(
    harm: str, endings: Path, tmp_path: Path, capsys: Capture
) -> None:
    packed, there = tmp_path / "level.zst", tmp_path / "there"
    assert main(["db", "pack", "--cards", "8", str(packed), "--data", str(endings)]) == 0
    data = bytearray(packed.read_bytes())
    if harm == "cut":
        del data[len(data) // 2 :]
    elif harm == "flipped":
        data[len(data) // 2] ^= 16
    else:
        data = bytearray(b"not a level")
    packed.write_bytes(data)
    capsys.readouterr()
    assert main(["db", "unpack", str(packed), "--data", str(there)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and str(packed.name) in error
    assert not list((there / "endings").iterdir())


def test_packing_a_level_that_is_not_there_says_how_to_build_it(
    tmp_path: Path, capsys: Capture
) -> None:
    words = ("pack", "--cards", "12", str(tmp_path / "x"), "--data", str(tmp_path))
    assert "setrograde db build --cards 12" in error_of(capsys, *words, status=1)


def test_solve_uses_what_build_made_and_says_so(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SETROGRADE_HOME", str(tmp_path))
    assert main(["db", "build", "--cards", "12"]) == 0
    assert level_path(3, method="thresholds").exists()
    capsys.readouterr()
    question = ["solve", "N:AQ.2.K. K3.A.2. 54.3.3. 76.4.4.", "--strain", "NT", "--leader", "S"]
    assert main(question) == 0
    assert "endings of 12 cards looked up" in capsys.readouterr().out
    assert main([*question, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["endings"] == 12
