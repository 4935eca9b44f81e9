"""`setrograde solve`."""

from __future__ import annotations

import io
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from setrograde.bridge import Board, Card, Contract, Deal, Play, Seat, Side, Strain
from setrograde.cli.main import main
from setrograde.formats.files import format_boards, write_boards
from setrograde.solve.double_dummy import Solver

ENDING = "N:AQ.2.. K3.A.. 54.3.. 76.4.."
FULL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
DEAL = Deal.from_pbn(FULL)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["solve", *arguments, "--json"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def test_cards_of_equal_value_share_a_line_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", ENDING, "--strain", "NT", "--leader", "S"]) == 0
    text, _, searched = capsys.readouterr().out.rpartition("\n\n")
    assert text.splitlines() == [
        "Notrump, South to lead to trick 1",
        "N-S take 2 tricks, E-W 1",
        "",
        "N-S tricks  cost  cards",
        "         2     -  ♥ 3",
        "         1     1  ♠ 54",
        "",
        "The cards that mattered (x: any other card of the suit):",
        "N:AQ.x.. Kx.A.. xx.x.. xx.x..",
    ]
    assert re.fullmatch(r"[0-9,]+ positions searched\n", searched)


def test_json_has_the_promised_keys_and_the_solver_s_answers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = answer(capsys, FULL, "--strain", "s", "--leader", "north")
    values = Solver().cards(DEAL, Strain.SPADES, Seat.NORTH)
    assert result["cards"] == [
        {"card": str(value.card), "tricks": value.tricks, "cost": value.cost} for value in values
    ]
    assert len(result["cards"]) == 13
    assert isinstance(result["nodes"], int)
    assert result["nodes"] > 0
    assert (result["turn"], result["strain"], result["leader"]) == ("N", "S", "N")
    assert (result["tricks_ns"], result["tricks_ew"]) == (5, 8)
    assert (result["won_ns"], result["won_ew"], result["played"]) == (0, 0, [])
    assert result["pattern"].startswith("N:")
    assert "line" not in result


def test_same_question_searches_the_same_positions(capsys: pytest.CaptureFixture[str]) -> None:
    question = (FULL, "--strain", "H", "--leader", "E")
    assert answer(capsys, *question) == answer(capsys, *question)


def test_played_cards_are_taken_out_of_the_hands(capsys: pytest.CaptureFixture[str]) -> None:
    result = answer(
        capsys, ENDING, "--strain", "NT", "--leader", "S", "--played", "h3, h4 H2 HA S3 S4"
    )
    assert result["played"] == ["H3", "H4", "H2", "HA", "S3", "S4"]
    assert result["turn"] == "W"
    assert [value["card"] for value in result["cards"]] == ["S7", "S6"]
    assert (result["tricks_ns"], result["tricks_ew"]) == (2, 0)
    assert (result["won_ns"], result["won_ew"]) == (0, 1)


def test_text_in_mid_trick_says_whose_turn_it_is_and_both_totals(
    capsys: pytest.CaptureFixture[str],
) -> None:
    played = "H3 H4 H2 HA S3 S4"
    arguments = ["solve", ENDING, "--strain", "C", "--leader", "S", "--played", played, "--ascii"]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "C trumps, West to play to trick 2: S3 S4 led by East"
    assert lines[1] == "N-S take 2 more tricks, E-W 0; in all N-S 2, E-W 1"
    assert lines[4] == "         0     -  S 76"


def test_line_is_perfect_play_to_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    question = (FULL, "--strain", "NT", "--leader", "W", "--played", "S4 S6", "--line")
    result = answer(capsys, *question)
    cards = tuple(Card.from_text(text) for text in [*result["played"], *result["line"]])
    line = Play(DEAL, Strain.NOTRUMP, Seat.WEST, cards)
    assert line.is_over
    assert line.tricks_won(Side.NS) == result["tricks_ns"]
    assert main(["solve", *question]) == 0
    text = capsys.readouterr().out
    assert "One line of perfect play:\n    West " in text
    assert "\n13 " in text


def test_finished_play_has_no_cards_left(capsys: pytest.CaptureFixture[str]) -> None:
    question = ("N:A... K... Q... J...", "--strain", "NT", "--leader", "N", "--played", "SASKSQSJ")
    assert main(["solve", *question]) == 2
    assert "'SASKSQSJ'" in capsys.readouterr().err
    result = answer(capsys, *question[:-1], "SA SK SQ SJ")
    assert result["turn"] is None
    assert result["cards"] == []
    assert (result["won_ns"], result["tricks_ns"]) == (1, 0)
    assert main(["solve", *question[:-1], "SA SK SQ SJ"]) == 0
    assert "all cards are played" in capsys.readouterr().out


@pytest.fixture
def night(tmp_path: Path) -> Path:
    path = tmp_path / "night.pbn"
    boards = [Board.numbered(number, DEAL.rotate(number)) for number in (1, 2, 3)]
    boards[1] = replace(boards[1], contract=Contract.from_text("2CN"))
    boards[2] = replace(boards[2], contract=Contract.PASSED_OUT)
    write_boards(boards, path)
    return path


def test_strain_and_leader_come_from_the_contract(
    night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = answer(capsys, str(night), "--board", "2")
    assert (result["strain"], result["leader"], result["turn"]) == ("C", "E", "E")
    result = answer(capsys, str(night), "--board", "2", "--strain", "NT")
    assert (result["strain"], result["leader"]) == ("NT", "E")


def test_two_rooms_of_one_deal_are_one_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.pbn"
    board = Board.numbered(1, DEAL)
    contracts = [Contract.from_text(text) for text in ("2SW", "3SXW")]
    write_boards([replace(board, contract=contract) for contract in contracts], path)
    result = answer(capsys, str(path))
    assert (result["strain"], result["leader"]) == ("S", "N")
    contracts[1] = Contract.from_text("1NTE")
    write_boards([replace(board, contract=contract) for contract in contracts], path)
    assert main(["solve", str(path)]) == 2
    assert "the strain differs between tables (expected --strain" in capsys.readouterr().err
    assert answer(capsys, str(path), "--strain", "H", "--leader", "N")["strain"] == "H"


def test_standard_input_is_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = format_boards([Board.numbered(1, DEAL)], "lin")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert answer(capsys, "-", "--strain", "S", "--leader", "N")["tricks_ns"] == 5


def test_three_hands_are_enough(capsys: pytest.CaptureFixture[str]) -> None:
    three = FULL.rsplit(" ", 1)[0] + " -"
    assert answer(capsys, three, "--strain", "S", "--leader", "N")["tricks_ew"] == 8


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [
        ([ENDING, "--leader", "S"], "--strain C, D, H, S or NT"),
        ([ENDING, "--strain", "NT"], "--leader N, E, S or W"),
        ([ENDING, "--strain", "X", "--leader", "S"], "'X'"),
        ([ENDING, "--strain", "", "--leader", "S"], "not a strain: ''"),
        ([ENDING, "--strain", "NT", "--leader", "Q"], "'Q'"),
        (["N:AQ.2.. K3.A.. 54... 76.4..", "--strain", "NT", "--leader", "S"], "South 2"),
        (["N:AQ.2.. A3.A.. 54.3.. 76.4..", "--strain", "NT", "--leader", "S"], "'SA'"),
        (["N:... ... ... ...", "--strain", "NT", "--leader", "S"], "'N:... ... ... ...'"),
        (["", "--strain", "NT", "--leader", "S"], "empty deal"),
        ([ENDING, "--strain", "NT", "--leader", "S", "--played", "SA"], "expected S5 or S4 or H3"),
        ([ENDING, "--strain", "NT", "--leader", "S", "--played", "S5 H4"], "must follow SPADES"),
        ([ENDING, "--strain", "NT", "--leader", "S", "--played", "S5 H4"], "expected S7 or S6"),
        ([ENDING, "--strain", "NT", "--leader", "S", "--played", "S1"], "'S1'"),
        ([ENDING, "--strain", "NT", "--leader", "S", "--limit-mb", "0"], "'0'"),
        ([ENDING, "--strain", "NT", "--leader", "S", "--limit-mb", "9" * 30], "1048576"),
        ([ENDING, "--strain", "NT", "--leader", "S", "--limit-mb", "٣"], "1048576"),
        (["no/such.pbn", "--strain", "NT", "--leader", "S"], "'no/such.pbn'"),
    ],
)
def test_bad_input_gives_one_line_that_quotes_it_and_status_2(
    arguments: list[str], quoted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", *arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert re.fullmatch(r"setrograde: [^\n]+\n", output.err)
    assert quoted in output.err


@pytest.mark.parametrize(
    ("option", "line"),
    [
        (["--leader", "Q"], "argument --leader: not a seat: 'Q' (expected N, E, S or W)"),
        (["--strain", "X"], "argument --strain: not a strain: 'X' (expected C, D, H, S or NT)"),
        (["--board", "x"], "argument --board: not board numbers: 'x' (expected like 3, or 1-8,12)"),
    ],
)
def test_error_names_the_option_and_says_what_would_be_right(
    option: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", ENDING, *option]) == 2
    assert capsys.readouterr().err == f"setrograde: {line} (try 'setrograde solve --help')\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "3 boards in"),
        (["--board", "9"], "no board 9"),
        (["--board", "1"], "no strain and no contract"),
        (["--board", "3", "--strain", "NT"], "no leader and no contract"),
    ],
)
def test_file_must_say_which_board_and_how_it_is_played(
    arguments: list[str], words: str, night: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", str(night), *arguments]) == 2
    assert words in capsys.readouterr().err


def test_one_board_number_with_two_deals_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "two.pbn"
    write_boards([Board.numbered(1, DEAL), Board.numbered(1, DEAL.rotate(1))], path)
    assert main(["solve", str(path), "--board", "1", "--strain", "S", "--leader", "N"]) == 2
    assert "board 1 has different deals" in capsys.readouterr().err


def test_board_without_a_deal_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "none.pbn"
    write_boards([Board.numbered(1)], path)
    assert main(["solve", str(path), "--strain", "S", "--leader", "N"]) == 2
    assert "no deal" in capsys.readouterr().err


def test_terminal_without_symbols_gets_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main(["solve", ENDING, "--strain", "S", "--leader", "S", "--line"]) == 0
    sys.stdout.flush()
    assert "S trumps" in raw.getvalue().decode("ascii")


# The play that a board records

PLAYED = "H4 H2 HA H3 S3 S4 S6 SQ"


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """Two boards of one deal; only the first one records its play."""
    path = tmp_path / "played.json"
    board = Board(1, "S", "none", "N:AQ.2.. K3.A.. 54.3.. 76.4..", contract="1NTS", play=PLAYED)
    write_boards([board, replace(board, number=2, play=None)], path)
    return path


@pytest.mark.parametrize(
    ("asked", "count", "note"),
    [
        ("5", 5, "After the first 5 of 8 recorded cards"),
        (" ALL ", 8, "After all 8 recorded cards"),
        ("8", 8, "After all 8 recorded cards"),
    ],
)
def test_recorded_cards_are_played(
    asked: str, count: int, note: str, played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["solve", str(played), "--board", "1", "--played", asked]
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines()[0] == note
    assert main([*command, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["played"] == PLAYED.split()[:count]
    assert answer["recorded"] == 8


@pytest.mark.parametrize("options", [[], ["--played", "0"]])
def test_recorded_cards_that_are_not_used_are_spoken_of(
    options: list[str], played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", str(played), "--board", "1", *options]) == 0
    line = "The board records 8 cards of play, which were not used (--played all, or"
    assert f"\n{line}" in capsys.readouterr().out
    assert main(["solve", str(played), "--board", "2"]) == 0
    assert "records" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--board", "2", "--played", "all"], "the board records no play (expected cards for"),
        (["--board", "1", "--played", "9"], "not so many cards: '9' (expected 0 to 8, or all"),
        (["--board", "1", "--played", "9" * 50], "(expected 0 to 8, or all"),
        (
            ["--board", "1", "--played", "all", "--strain", "H"],
            "the recorded play is in NT with West on lead, not in H with West",
        ),
        (
            ["--board", "1", "--played", "3", "--leader", "N"],
            "the recorded play is in NT with West on lead, not in NT with North",
        ),
    ],
)
def test_a_recorded_play_that_cannot_be_used_is_refused(
    options: list[str], line: str, played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", str(played), *options]) == 2
    assert line in capsys.readouterr().err


def test_tables_that_played_differently_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = Board(1, "S", "none", "N:AQ.2.. K3.A.. 54.3.. 76.4..", contract="1NTS", play=PLAYED)
    path = tmp_path / "rooms.json"
    write_boards([board, replace(board, play="S7 SQ SK S4")], path)
    assert main(["solve", str(path), "--played", "4"]) == 2
    assert "2 tables played differently" in capsys.readouterr().err
    write_boards([board, replace(board, room="Closed")], path)
    assert main(["solve", str(path), "--played", "4"]) == 0
    assert capsys.readouterr().out.startswith("After the first 4 of 8 recorded cards\n")
