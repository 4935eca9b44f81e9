"""The verifier against the accept and reject suites of another PBN verifier.

`pbn_errors.txt` lists what ours says of the reject suites: file, game, line, severity, message.
Write it anew with `python tests/golden/test_pbn_conformance.py`, and review it as a diff.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from setrograde.bridge import Side
from setrograde.formats import FormatError, Problem
from setrograde.formats.pbn import parse_pbn, verify_pbn
from support import SHARED_DATA, shared_data

GOLDEN = Path(__file__).with_name("pbn_errors.txt")
HEADER = "# Written by test_pbn_conformance.py: file, game, line, severity, message.\n"
REJECT = ("errors_10", "errors_20", "errors_21")
ACCEPT = ("correct_10", "correct_20", "correct_21")
OTHERS = (
    "test_record_with_empty_line_in_comment",
    "test_record_with_escape_in_comment",
    "test_record_with_lots_of_curlies",
    "test_record_with_single_line_curly_comment",
    "three_test_records",
    "three_test_records_crlf",
)
GAME = re.compile(r"% =+ game (\d+) =+")
SAYS_FINE = ("Correct revokes",)


def read(name: str) -> bytes:
    return shared_data("pbn_conformance", f"{name}.pbn").read_bytes()


def game_of_line(data: bytes) -> list[int]:
    """By line (from 1): the number of the game, as the file's own headings count."""
    games, game = [0], 0
    for line in data.decode("latin-1").split("\n"):
        heading = GAME.match(line)
        game = int(heading[1]) if heading else game
        games.append(game)
    return games


def golden_lines(name: str) -> list[str]:
    data = read(name)
    games = game_of_line(data)
    return [f"{name} {games[p.line]} {p.line} {p.severity} {p.message}" for p in verify_pbn(data)]


@pytest.mark.parametrize("name", ACCEPT)
def test_accept_suites_have_no_problem_and_read_strictly(name: str) -> None:
    data = read(name)
    assert verify_pbn(data) == []
    assert len(parse_pbn(data, strict=True)) == len(parse_pbn(data))


@pytest.mark.parametrize("name", REJECT)
def test_reject_suites_give_the_problems_listed(name: str) -> None:
    listed = [line for line in GOLDEN.read_text().splitlines() if line.startswith(name + " ")]
    assert golden_lines(name) == listed


@pytest.mark.parametrize("name", REJECT)
def test_every_game_of_the_reject_suites_has_a_problem(name: str) -> None:
    data = read(name)
    games = game_of_line(data)
    assert {games[p.line] for p in verify_pbn(data)} >= set(range(1, max(games) + 1))


def announced(data: bytes) -> list[tuple[str, int, int]]:
    """The file's own remarks on errors: text, and the lines in which the error must lie.

    A remark is about the line that follows it, up to the next remark; at the end of a game it is
    about the whole game.
    """
    lines = data.decode("latin-1").split("\n")
    remarks: list[tuple[str, int, int]] = []
    begin = 1
    for number, line in enumerate(lines, 1):
        if GAME.match(line):
            begin = number
        text = line[1:].strip()
        if not line.startswith("%") or not text or GAME.match(line):
            continue
        if text == "EXPORT" or text.startswith(("The intention", "The file contains")):
            continue
        end = number + 1
        while (
            end <= len(lines) and lines[end - 1].startswith("%") and not GAME.match(lines[end - 1])
        ):
            end += 1
        follows = end <= len(lines) and lines[end - 1].strip() and not GAME.match(lines[end - 1])
        if not follows:
            remarks.append((text, begin, end))
            continue
        first = end
        while end <= len(lines) and lines[end - 1].strip() and not lines[end - 1].startswith("%"):
            end += 1
        remarks.append((text, first, end))
    return remarks


@pytest.mark.parametrize("name", REJECT)
def test_every_remark_on_an_error_has_its_problem_there(name: str) -> None:
    data = read(name)
    lines = {p.line for p in verify_pbn(data)}
    missed = [
        remark
        for remark in announced(data)
        if remark[0] not in SAYS_FINE and lines.isdisjoint(range(remark[1], remark[2]))
    ]
    assert missed == []


@pytest.mark.parametrize("name", REJECT)
def test_reject_suites_are_refused_strictly_and_read_leniently(name: str) -> None:
    data = read(name)
    with pytest.raises(FormatError) as caught:
        parse_pbn(data, strict=True, path=name)
    first = next(p for p in verify_pbn(data, path=name) if p.severity == "error")
    assert caught.value.problem == first
    assert len(parse_pbn(data)) > 0


@pytest.mark.parametrize("name", OTHERS)
def test_odd_comments_are_no_errors(name: str) -> None:
    data = read(name)
    assert [p for p in verify_pbn(data) if p.severity == "error"] == []
    assert parse_pbn(data, strict=True) == parse_pbn(data)


def test_comment_files_hold_the_games_the_standard_says() -> None:
    counts = {name: len(parse_pbn(read(name))) for name in OTHERS}
    assert list(counts.values()) == [1, 1, 2, 2, 3, 3]


def test_only_line_ends_differ_between_the_two_copies_of_three_games() -> None:
    unix, dos = read("three_test_records"), read("three_test_records_crlf")
    assert parse_pbn(unix) == parse_pbn(dos)
    ends = [p for p in verify_pbn(unix) if "CRLF" in p.message]
    assert len(ends) == 1
    assert [p for p in verify_pbn(dos) if "CRLF" in p.message] == []


def test_tables_of_both_kinds_agree() -> None:
    for board in parse_pbn(read("three_test_records_crlf")):
        digits = board.tags["DoubleDummyTricks"]
        again = parse_pbn(f'[DoubleDummyTricks "{digits}"]')[0]
        assert board.table is not None
        assert again.table == board.table


def test_the_result_refused_beside_a_complete_play_is_wrong() -> None:
    board = next(b for b in parse_pbn(read("errors_10")) if b.number == 4)
    assert board.play is not None
    assert board.play.is_over
    assert board.play.tricks_won(Side.NS) == 10 != board.tricks_declarer


def main() -> None:
    lines = [line for name in REJECT for line in golden_lines(name)]
    GOLDEN.write_text(HEADER + "\n".join(lines) + "\n")


def test_problems_print_path_and_place() -> None:
    problem = verify_pbn(b'[Dealer "X"]', path="a.pbn")[0]
    assert isinstance(problem, Problem)
    assert str(problem).startswith("a.pbn:1:1: bad Dealer")


if __name__ == "__main__":
    assert SHARED_DATA.exists(), "needs the third-party data beside the project"
    main()
