"""`setrograde table`."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setrograde.analysis.par import par
from setrograde.bridge import Board, Card, Deal, Hand, Seat, Strain, TrickTable, Vulnerability
from setrograde.bridge.display import format_table
from setrograde.cli import common
from setrograde.cli import table as command
from setrograde.cli.main import main
from setrograde.formats.files import read_boards, write_boards
from setrograde.formats.pbn import PbnDocument, format_pbn, parse_pbn, verify_pbn
from setrograde.solve.double_dummy import solve_table, solve_tables
from setrograde.solve.streaming import iter_tables
from support import shared_data

FULL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
EASY = Deal.from_pbn("N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86")
TABLE = """\
       NT   ♠   ♥   ♦   ♣
North   6   5   6   5   7
East    6   8   6   7   5
South   6   5   6   5   7
West    6   8   6   7   5
"""
TAGS = ("OptimumResultTable", "DoubleDummyTricks", "OptimumScore", "ParContract")


def random_deal(rng: Random) -> Deal:
    cards = rng.sample(Card.ALL, 52)
    n, e, s, w = (Hand.from_cards(cards[13 * seat : 13 * seat + 13]) for seat in Seat)
    return Deal((n, e, s, w))


@pytest.fixture
def night(tmp_path: Path) -> Path:
    path = tmp_path / "night.pbn"
    write_boards([Board.numbered(number, EASY.rotate(number)) for number in (1, 2, 3)], path)
    return path


def answers(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main(["table", *arguments, "--json"]) == 0
    boards: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["boards"]
    return boards


def test_deal_on_the_command_line_gives_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", FULL]) == 0
    assert capsys.readouterr().out == TABLE


def test_par_needs_dealer_and_vulnerability(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", FULL, "--par", "--dealer", "N", "--vul", "none"]) == 0
    lines = f"Dealer North, None vulnerable\n{TABLE}Par NS -110: EW 2S\n"
    assert capsys.readouterr().out == lines


def test_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    (board,) = answers(capsys, FULL, "--dealer", "e", "--vul", "ew")
    assert board["board"] is None
    assert list(board["table"]) == ["N", "E", "S", "W"]
    assert board["table"]["W"] == {"NT": 6, "S": 8, "H": 6, "D": 7, "C": 5}
    assert board["par"]["score_ns"] == -110
    assert board["par"]["text"] == "EW 2S"
    assert board["par"]["contracts"] == [
        {"level": 2, "strain": "S", "doubling": "", "declarers": ["E", "W"], "tricks_declarer": 8}
    ]
    assert (board["deal"], board["dealer"], board["vulnerability"]) == (FULL, "E", "EW")


def test_without_dealer_par_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    (board,) = answers(capsys, FULL)
    assert board["par"] is None


def test_every_board_of_a_file_has_its_own_table_dealer_and_vulnerability(
    night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    boards = answers(capsys, str(night))
    assert [board["board"] for board in boards] == [1, 2, 3]
    for found, board in zip(boards, read_boards(night), strict=True):
        assert board.deal is not None
        assert board.dealer is not None
        assert board.vulnerability is not None
        table = solve_table(board.deal)
        assert found["table"] == table.to_dict()
        expected = par(table, board.dealer, board.vulnerability)
        assert found["par"]["score_ns"] == expected.score_ns
        assert found["par"]["text"] == expected.contract_text


def test_text_has_a_block_for_each_board(night: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(night), "--ascii"]) == 0
    blocks = capsys.readouterr().out.split("\n\n")
    assert [block.split(",")[0] for block in blocks] == ["Board 1", "Board 2", "Board 3"]
    assert format_table(solve_table(EASY.rotate(2)), ascii=True) in blocks[1]
    assert all("\nPar NS " in block for block in blocks)


def test_options_overrule_dealer_and_vulnerability_of_the_board(
    night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (board,) = answers(capsys, str(night), "--board", "2", "--dealer", "W", "--vul", "all")
    assert (board["board"], board["dealer"], board["vulnerability"]) == (2, "W", "All")


def test_endings_have_a_table_but_no_par(capsys: pytest.CaptureFixture[str]) -> None:
    ending = "N:AK... QJ... T9... 87..."
    (board,) = answers(capsys, ending, "--dealer", "N", "--vul", "none")
    assert board["table"]["N"]["NT"] == 2
    assert board["par"] is None
    assert main(["table", ending, "--par", "--dealer", "N", "--vul", "none"]) == 2
    assert "expected 13" in capsys.readouterr().err


def test_same_deal_in_two_rooms_is_solved_and_printed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    solved: list[Deal] = []

    def record(deals: tuple[Deal, ...], **options: Any) -> Any:
        solved.extend(deals)
        return iter_tables(deals, **options)

    monkeypatch.setattr(command, "iter_tables", record)
    path = tmp_path / "match.pbn"
    boards = [Board.numbered(1, EASY), Board.numbered(2, EASY.rotate(1))]
    write_boards([replace(b, room=room) for room in ("Open", "Closed") for b in boards], path)
    assert len(answers(capsys, str(path))) == 4
    assert solved == [EASY, EASY.rotate(1)]
    assert main(["table", str(path)]) == 0
    assert capsys.readouterr().out.count("Board 1") == 1


def test_boards_that_cannot_be_solved_are_named_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.pbn"
    two_hands = Deal.from_pbn("N:QJ6.K652.J85.T98 - K5.T83.KQ9.A7652 -")
    three_hands = Deal.from_pbn(FULL.rsplit(" ", 1)[0] + " -")
    deals = [two_hands, None, three_hands]
    write_boards([Board.numbered(number, deal) for number, deal in enumerate(deals, 1)], path)
    assert main(["table", str(path)]) == 0
    output = capsys.readouterr()
    assert output.err.startswith("setrograde: 2 boards left out:\n  board 1: hands differ")
    assert "\n  board 2: no deal" in output.err
    assert output.out.startswith("Board 3")
    assert TABLE in output.out


def test_nothing_to_solve_is_status_1_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "none.pbn", tmp_path / "out.pbn"
    write_boards([Board.numbered(number) for number in range(1, 10)], path)
    assert main(["table", str(path), "--write", str(out), "--json"]) == 1
    output = capsys.readouterr()
    assert json.loads(output.out) == {"boards": []}
    assert output.err.startswith("setrograde: 9 boards left out:\n")
    assert output.err.endswith("\n  ... and 4 more\n")
    assert not out.exists()


def test_missing_dealer_is_named_when_par_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.pbn"
    boards = [
        Board.numbered(1, EASY),
        replace(Board.numbered(2, EASY), dealer=None),
        replace(Board.numbered(3, EASY), vulnerability=None),
    ]
    write_boards(boards, path)
    assert main(["table", str(path), "--par"]) == 0
    output = capsys.readouterr()
    assert "2 boards without par" in output.err
    assert "board 2: no dealer" in output.err
    assert "board 3: no vulnerability" in output.err
    assert output.out.count("Par NS") == 1


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [
        (["N:AQ.2.. K3.A.. 54... 76.4.."], "South 2"),
        (["N:AQ.2.. A3.A.. 54.3.. 76.4.."], "'SA'"),
        (["N:... ... ... ..."], "'N:... ... ... ...'"),
        (["N:- - - -"], "no cards"),
        ([" "], "empty deal"),
        ([FULL, "--par"], "--dealer N, E, S or W"),
        ([FULL, "--par", "--dealer", "N"], "--vul none, ns, ew or all"),
        ([FULL, "--dealer", "Q"], "'Q'"),
        ([FULL, "--vul", "maybe"], "'maybe'"),
        ([FULL, "--threads", "0"], "'0'"),
        ([FULL, "--threads", "many"], "'many'"),
        ([FULL, "--write", "out.lin"], "'out.lin'"),
        ([FULL, "--write", "no/such/folder/out.pbn"], "'no/such/folder/out.pbn'"),
        ([FULL, "--write", "-", "--json"], "--json"),
        ([FULL, "--board", "3"], "no board 3"),
    ],
)
def test_bad_input_gives_one_line_that_quotes_it_and_status_2(
    arguments: list[str], quoted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", *arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert re.fullmatch(r"setrograde: [^\n]+\n", output.err)
    assert quoted in output.err


# Writing


ODD = (
    b"% PBN 2.1\r\n; a file of its own kind\r\n"
    b'[Board "1"]\r\n  [Dealer   "N"] ; first\r\n[Vulnerable "None"]\r\n[Deal "'
    + FULL.encode()
    + b'"]\r\n[Mood "good"] {as ever}\r\n'
    b'[Auction "N"]\r\nPass Pass Pass\r\n1S AP\r\n[OptimumPlayTable "Trick"]\r\n1\r\n\r\n\r\n'
    b'[Board "2"]\r\n[Dealer "E"]\r\n[Vulnerable "NS"]\r\n[Deal "#"]\r\n'
    b'[DoubleDummyTricks  "********************"]\r\n[OptimumScore "?"]\r\n\r\n'
    b'[Board "3"]\r\n[Dealer "S"]\r\n\r\n[Site "caf\xe9"]\r\n[Board "4"]\r\n[Deal "'
    + FULL.encode()
    + b'"]'
)


def written(source: Path, *arguments: str) -> bytes:
    out = source.with_name("out.pbn")
    assert main(["table", str(source), "--write", str(out), *arguments]) == 0
    return out.read_bytes()


def test_pbn_file_is_written_back_with_nothing_else_changed(tmp_path: Path) -> None:
    source = tmp_path / "odd.pbn"
    source.write_bytes(ODD)
    before = PbnDocument.from_bytes(ODD)
    after = PbnDocument.from_bytes(written(source))
    assert after.prefix == before.prefix
    assert after.games[2] == before.games[2]  # it has no deal
    for old, new in zip(before, after, strict=True):
        for name in TAGS:
            old, new = old.without_tag(name), new.without_tag(name)
        assert new.text in (old.text, old.text + "\r\n")  # the last line had no end


@pytest.mark.parametrize("folder", ["pbn_conformance", "realplay"])
def test_third_party_files_change_in_those_tags_only(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sevens = TrickTable.from_function(lambda seat, strain: 7)
    monkeypatch.setattr(command, "iter_tables", lambda deals, **_: (sevens for _ in deals))
    out = tmp_path / "out.pbn"
    for source in sorted(shared_data(folder).glob("*.pbn")):
        if source.stat().st_size > 1_000_000:
            continue
        out.unlink(missing_ok=True)
        if main(["table", str(source), "--write", str(out)]) == 1:
            assert not out.exists()
            continue
        before = PbnDocument.from_bytes(source.read_bytes())
        after = PbnDocument.from_bytes(out.read_bytes())
        assert after.prefix == before.prefix
        for old, new in zip(before, after, strict=True):
            for name in TAGS:
                old, new = old.without_tag(name), new.without_tag(name)
            assert new.text.rstrip() == old.text.rstrip()


def test_tags_say_the_results_in_the_usual_forms(tmp_path: Path) -> None:
    source = tmp_path / "odd.pbn"
    source.write_bytes(ODD)
    games = PbnDocument.from_bytes(written(source)).games
    tags = games[0].tags
    assert tags["DoubleDummyTricks"] == "65657656576867568675"
    assert (tags["OptimumScore"], tags["ParContract"]) == ("NS -110", "EW 2S")
    assert tags["OptimumResultTable"] == r"Declarer;Denomination\2R;Result\2R"
    rows = games[0].section("OptimumResultTable")
    assert rows is not None
    assert len(rows) == 20
    assert rows[:2] == ("N NT  6", "N  S  5")
    assert rows[-1] == "W  C  5"
    assert games[1].tags["DoubleDummyTricks"] == tags["DoubleDummyTricks"]
    assert games[1].tags["OptimumScore"] == "NS -110"
    assert set(TAGS).isdisjoint(games[2].tags)
    assert "OptimumResultTable" in games[3].tags
    assert "OptimumScore" not in games[3].tags  # neither dealer nor vulnerability


def test_written_file_reads_back_as_the_same_tables(night: Path) -> None:
    boards = parse_pbn(written(night), strict=True)
    assert [board.table for board in boards] == [solve_table(EASY.rotate(n)) for n in (1, 2, 3)]
    problems = verify_pbn(night.with_name("out.pbn").read_bytes())
    assert {problem.found for problem in problems} == {"DoubleDummyTricks", "ParContract"}
    assert {problem.message for problem in problems} == {"unusual tag name"}


def test_writing_twice_changes_nothing(tmp_path: Path) -> None:
    source = tmp_path / "odd.pbn"
    source.write_bytes(ODD)
    once = written(source)
    source.write_bytes(once)
    assert written(source) == once


def test_file_may_be_written_over_itself(night: Path) -> None:
    assert main(["table", str(night), "--write", str(night)]) == 0
    assert [board.table is not None for board in read_boards(night)] == [True] * 3


def test_one_board_gets_tags_and_the_others_stay(night: Path) -> None:
    games = PbnDocument.from_bytes(written(night, "--board", "2")).games
    assert ["ParContract" in game.tags for game in games] == [False, True, False]


@pytest.mark.parametrize("ending", [".lin", ".rbn", ".json", ".url", ".dds"])
def test_other_formats_are_written_as_new_pbn(tmp_path: Path, ending: str) -> None:
    source = tmp_path / f"night{ending}"
    write_boards([Board.numbered(number, EASY.rotate(number)) for number in (1, 2)], source)
    data = written(source)
    assert data.startswith(b"% PBN 2.1\r\n% EXPORT\r\n")
    boards = parse_pbn(data, strict=True).boards
    assert [board.table for board in boards] == [solve_table(EASY.rotate(n)) for n in (1, 2)]
    assert all(set(TAGS[1:]) <= set(board.tags) for board in boards)


def test_deal_goes_to_standard_output_with_what_par_is_for(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert main(["table", FULL, "--dealer", "S", "--vul", "both", "--write", "-"]) == 0
    board = parse_pbn(capsysbinary.readouterr().out)[0]
    assert (board.dealer, board.vulnerability) == (Seat.SOUTH, Vulnerability.BOTH)
    assert board.tags["ParContract"] == "EW 1S+1"
    assert board.table == solve_table(Deal.from_pbn(FULL))


def test_failed_write_leaves_the_old_file(night: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = night.with_name("out.pbn")
    out.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    assert main(["table", str(night), "--write", str(out)]) == 2
    assert out.read_bytes() == b"old"
    assert sorted(path.name for path in night.parent.iterdir()) == ["night.pbn", "out.pbn"]


@given(
    st.lists(
        st.sampled_from(
            [
                *('[Event "#"]', '[Board "1"]', '[Deal "N:A... K... Q... J..."]', '[Deal "#"]'),
                *("\n", "\n\n", "\r\n", " ", "{", "}", "; x", "% y", "[", '"', "]", "*"),
                *('[OptimumResultTable "Declarer;Result"]', "N 7", '[Note "1:x"]', "\ufeff"),
            ]
        ),
        max_size=30,
    )
)
def test_any_pbn_text_takes_the_results_of_its_boards(pieces: list[str]) -> None:
    data = "".join([*pieces, "\n"]).encode("utf-8")
    board_file = parse_pbn(data)
    table = solve_table(Deal.from_pbn("N:A... K... Q... J..."))
    results = {
        place: command.Result("", board.number, board.deal, None, None, table, None)
        for place, board in enumerate(board_file)
        if board.deal is not None
    }
    again = parse_pbn(command._written(board_file, data, results))
    assert all(again[place].table == table for place in results)
    assert [board.deal for board in again] == [board.deal for board in board_file]


def test_tables_of_a_published_file_are_ours(capsys: pytest.CaptureFixture[str]) -> None:
    path = shared_data("realplay", "endplay_example2.pbn")
    known = [board.table for board in read_boards(path)]
    found = answers(capsys, str(path))
    assert any(table is not None for table in known)
    for table, board in zip(known, found, strict=True):
        assert table is None or board["table"] == table.to_dict()


# Progress and interrupts


def test_progress_counts_boards_with_parts(night: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[float] = []
    totals: list[float | None] = []

    @contextmanager
    def record(label: str, total: float | None = None) -> Iterator[Callable[[float], None]]:
        totals.append(total)
        yield shown.append

    def solve(deals: tuple[Deal, ...], *, progress: Callable[[int], None], **_: Any) -> Any:
        for strains in (0, 3, 5 * len(deals)):
            progress(strains)
        yield from solve_tables(deals)

    monkeypatch.setattr(command, "show_progress", record)
    monkeypatch.setattr(command, "iter_tables", solve)
    assert main(["table", str(night)]) == 0
    assert totals == [3]
    assert shown == [0, 3 / len(Strain), 3]


def test_bar_shows_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stderr", terminal)
    with common.show_progress("solving boards", 8, after_s=0.01) as show:
        show(3.4)
        time.sleep(0.3)
    assert "solving boards" in terminal.getvalue()
    assert "3/8" in terminal.getvalue()
    assert re.search(r"left.{0,20}\d:\d\d|left.{0,20}-:--:--", terminal.getvalue())


def test_boards_are_printed_as_they_are_solved(
    night: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []

    def solve(deals: tuple[Deal, ...], **_: Any) -> Any:
        for deal in deals:
            shown.append(capsys.readouterr().out)
            yield solve_table(deal)

    monkeypatch.setattr(command, "iter_tables", solve)
    assert main(["table", str(night)]) == 0
    assert [re.findall(r"Board \d", text) for text in shown] == [[], ["Board 1"], ["Board 2"]]
    assert "Board 3" in capsys.readouterr().out


def test_json_is_one_document_at_the_end(
    night: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def solve(deals: tuple[Deal, ...], **_: Any) -> Any:
        for deal in deals:
            assert capsys.readouterr().out == ""
            yield solve_table(deal)

    monkeypatch.setattr(command, "iter_tables", solve)
    assert main(["table", str(night), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["boards"]) == 3


def test_output_to_a_file_does_not_pass_the_bar(
    night: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal, out = io.StringIO(), io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]

    def solve(deals: tuple[Deal, ...], **_: Any) -> Any:
        for deal in deals:
            time.sleep(0.1)  # the bar is there
            yield solve_table(deal)

    def soon(label: str, total: float | None = None) -> Any:
        return common.show_progress(label, total, after_s=0.0)

    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr(command, "iter_tables", solve)
    monkeypatch.setattr(command, "show_progress", soon)
    assert main(["table", str(night)]) == 0
    assert len(re.findall("^Board", out.getvalue(), re.MULTILINE)) == 3
    assert "solving boards" in terminal.getvalue() and "North" not in terminal.getvalue()


SOLVE_AND_TELL = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
import sys
from setrograde.cli import main as cli, table

iter_tables = table.iter_tables

def solve_and_tell(deals, *, progress, **options):
    told = []
    def tell(strains):
        if not told:
            told.append(print("started", file=sys.stderr, flush=True))
        progress(strains)
    return iter_tables(deals, progress=tell, **options)

table.iter_tables = solve_and_tell
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_interrupt_ends_a_long_table_within_a_second_and_leaves_no_file(tmp_path: Path) -> None:
    rng = Random(7)
    source, out = tmp_path / "many.pbn", tmp_path / "out.pbn"
    source.write_bytes(format_pbn([Board.numbered(n, random_deal(rng)) for n in range(1, 2001)]))
    process = subprocess.Popen(
        [sys.executable, "-c", SOLVE_AND_TELL, "table", str(source), "--write", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "started\n"
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    output, error = process.communicate(timeout=30)
    assert time.monotonic() - sent < 1.0
    assert process.returncode == 130
    assert error == "setrograde: interrupted\n"
    assert output == "" or output.startswith("Board 1")
    assert [path.name for path in tmp_path.iterdir()] == ["many.pbn"]
