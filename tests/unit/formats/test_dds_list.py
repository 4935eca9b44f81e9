"""DDS list files: what each line means and how bad lines are reported."""

from __future__ import annotations

import pytest

from setrograde.bridge import Board, Card, Deal, InvalidInput, Seat, Strain, Vulnerability
from setrograde.formats import FormatError
from setrograde.formats.dds_list import (
    DdsFuture,
    format_dds_list,
    parse_dds_list,
    parse_dds_records,
)
from support import shared_data

TABLE = " ".join(str(number % 14) for number in range(20))
TEXT = f"""NUMBER 1
PBN 1 2 3 0 "N:AQT98... K7... J6... 52..."
FUT 2 0 0 14 10 0 768 3 2
TABLE {TABLE}
PAR "NS -110" "EW 110" "NS:EW 2S" "EW:EW 2S"
PAR2 "-110" "2S-EW"
PLAY 2 "SAS7"
TRACE 3 2 1 0
"""


def test_every_line_of_a_record_is_read() -> None:
    (record,) = parse_dds_records(TEXT)
    assert record.deal == Deal.from_pbn("N:AQT98... K7... J6... 52...")
    assert record.dealer == Seat.EAST
    assert record.vulnerability == Vulnerability.NS
    assert record.strain == Strain.CLUBS
    assert record.leader == Seat.NORTH
    ace, ten, nine, eight = (Card.from_text(text) for text in ("SA", "ST", "S9", "S8"))
    assert record.futures == (DdsFuture(ace, (), 3), DdsFuture(ten, (nine, eight), 2))
    assert record.par == ("NS -110", "EW 110", "NS:EW 2S", "EW:EW 2S")
    assert record.par2 == ("-110", "2S-EW")
    assert record.play == (ace, Card.from_text("S7"))
    assert record.trace == (2, 1, 0)


def test_table_counts_spades_first_and_declarers_clockwise() -> None:
    table = parse_dds_records(TEXT)[0].table
    assert table is not None
    assert [table.tricks(seat, Strain.SPADES) for seat in Seat] == [0, 1, 2, 3]
    assert [table.tricks(seat, Strain.CLUBS) for seat in Seat] == [12, 13, 0, 1]
    assert table.tricks(Seat.WEST, Strain.NOTRUMP) == 19 % 14


@pytest.mark.parametrize(
    ("digit", "expected"),
    [
        (0, Vulnerability.NONE),
        (1, Vulnerability.BOTH),
        (2, Vulnerability.NS),
        (3, Vulnerability.EW),
    ],
)
def test_vulnerability_has_its_own_order(digit: int, expected: Vulnerability) -> None:
    text = f'PBN 0 {digit} 0 0 "N:A... K... Q... J..."'
    assert parse_dds_records(text)[0].vulnerability == expected


def test_boards_carry_deal_table_play_and_number() -> None:
    boards = parse_dds_list(TEXT.encode())
    assert boards.format == "dds"
    assert not boards.problems
    assert boards[0].number == 1
    assert boards[0].play is not None
    assert boards[0].play.leader == Seat.NORTH
    assert boards[0].table == parse_dds_records(TEXT)[0].table
    assert boards[0].tags["OptimumScore"] == "NS -110"


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "word"),
    [
        ("PBN 1", "PBN 4", 2, 5, "4"),
        ("PBN 1 2 3", "PBN 1 2 5", 2, 9, "5"),
        ("52...", "A2...", 2, 13, "card twice"),
        ("FUT 2", "FUT 3", 3, 1, "12"),
        ("14 10", "13 10", 3, 11, "SK"),
        ("TABLE 0", "TABLE", 4, 47, "20"),
        ("TABLE 0", "TABLE 14", 4, 7, "14"),
        ('"-110"', "-110", 6, 6, "quotes"),
        ("SAS7", "SAS2", 7, 8, "does not hold it"),
        ("PLAY 2", "PLAY 3", 7, 8, "3 cards"),
        ("TRACE 3", "TRACE 4", 8, 13, "4"),
        ("TRACE", "TRICK", 8, 1, "TRICK"),
        ("NUMBER 1", "NUMBER 2", 1, 1, "NUMBER"),
    ],
)
def test_bad_lines_are_reported_where_they_stand(
    old: str, new: str, line: int, column: int, word: str
) -> None:
    bad = TEXT.replace(old, new, 1)
    with pytest.raises(FormatError, match=word) as caught:
        parse_dds_records(bad, path="x.txt")
    problem = caught.value.problem
    assert (problem.path, problem.line, problem.column) == ("x.txt", line, column)
    assert parse_dds_list(bad).problems == (
        type(problem)(line, column, problem.message, problem.found, problem.expected),
    )


def test_answers_before_a_deal_are_a_problem() -> None:
    assert "before the first PBN line" in parse_dds_list("TRACE 1 5").problems[0].message


def test_answers_to_an_unreadable_deal_are_not_given_to_the_one_before() -> None:
    first = 'PBN 0 0 0 0 "N:A... K... Q... J..."\n'
    boards = parse_dds_list(first + TEXT.replace("NUMBER 1\n", "").replace("52...", "A2..."))
    assert len(boards) == len(boards.problems) == 1
    assert boards[0].table is None


def test_lenient_reading_keeps_the_other_lines() -> None:
    boards = parse_dds_list(TEXT.replace("TABLE 0", "TABLE"))
    assert boards[0].table is None
    assert boards[0].play is not None


def test_a_board_needs_a_deal_to_be_written() -> None:
    with pytest.raises(InvalidInput, match="board 3 lacks"):
        format_dds_list([Board.numbered(3)])


@pytest.mark.parametrize("name", ["dds_list10.txt", "dds_list100.txt"])
def test_published_lists_are_read_and_written_back(name: str) -> None:
    text = shared_data("dd", name).read_text()
    records = parse_dds_records(text, path=name)
    assert format_dds_list(records).split() == text.split()
    assert parse_dds_list(text).problems == ()


@pytest.mark.parametrize("name", ["dds_list10.txt", "dds_list100.txt"])
def test_the_parts_of_published_records_agree(name: str) -> None:
    """Table, best lead and trace say the same about the contract that is played."""
    for record in parse_dds_records(shared_data("dd", name).read_text()):
        assert record.table is not None
        tricks = record.table.tricks(record.leader.next_by(3), record.strain)
        assert max(future.tricks for future in record.futures) == 13 - tricks
        assert record.trace[0] == tricks
        led = record.play[0]
        lead = next(future for future in record.futures if led in future.cards)
        assert record.trace[1] == 13 - lead.tricks
        held = [card for future in record.futures for card in future.cards]
        assert sorted(held) == sorted(record.deal[record.leader])
