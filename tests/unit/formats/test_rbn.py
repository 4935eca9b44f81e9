"""RBN: what each label means, what carries over, and how bad lines are reported."""

from __future__ import annotations

import pytest

from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Call,
    Contract,
    Deal,
    Seat,
    Strain,
    Vulnerability,
)
from setrograde.formats import FormatError
from setrograde.formats.rbn import format_rbn, parse_rbn

HANDS = "H S:AKQ.AKQ.AKQ.AKQJ:JT98.JT98.JT98.T:765.765.7654.987:"
DEAL = Deal.from_pbn("N:765.765.7654.987 432.432.32.65432 AKQ.AKQ.AKQ.AKQJ JT98.JT98.JT98.T")
TEXT = f"""% RBN 3.2
D 20260801
T Thirteen Tops:An Author
L Here:There
E Cup:Teams
S F:2
F I
K Reds:Blues:10:7.50
N Ann+Sue:Will+Eve:O

{{An introduction
over two lines.}}
B 12
{HANDS}
A NE:PP2N*^1P:7NA
1 strong
C 7N:S
P HJ52A:HKT6!3^1
1 a fine lead
R 13+2220:+17
M ::00000+11111:!=
I 5
{{Well played!}}

N North+South:West+East:C
A NE:A
R P
"""


def test_every_label_is_read() -> None:
    board = parse_rbn(TEXT, strict=True)[0]
    assert board.number == 12
    assert board.deal == DEAL
    assert (board.dealer, board.vulnerability) == (Seat.NORTH, Vulnerability.EW)
    assert board.date == "2026.08.01"
    assert (board.site, board.event, board.scoring) == ("Here:There", "Cup:Teams", "IMP")
    assert board.contract == Contract.from_text("7NTS")
    assert board.tricks_declarer == 13
    assert board.auction is not None
    assert str(board.auction) == "Pass Pass 2NT Pass 7NT Pass Pass Pass"
    assert board.auction.annotation(2) == Annotation(True, "strong")
    assert board.tags["Stage"] == "F:2"
    assert board.tags["HomeTeam"] == "Reds"
    assert board.tags["VisitTeam"] == "Blues"
    assert board.tags["Rbn_K"] == "Reds:Blues:10:7.50"
    assert board.tags["Rbn_T"] == "Thirteen Tops:An Author"
    assert board.tags["Rbn_R"] == "13+2220:+17"
    assert board.tags["Rbn_I"] == "5"
    assert board.tags["Rbn_P1"] == "a fine lead"
    assert board.tags["Rbn_Text"] == "An introduction over two lines.\nWell played!"


def test_names_belong_to_one_record_only() -> None:
    boards = parse_rbn("N Ann+Sue:Will+Eve:O\n\nB 1\n\nB 2\n", strict=True)
    assert [board.players[0] for board in boards] == ["Ann", None]
    assert [board.room for board in boards] == ["Open", None]
    assert boards[0].players == ("Ann", "Eve", "Sue", "Will")


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("Soloway", ("Soloway", None, None, None)),
        ("+Roth:GIB 4.0", (None, None, "Roth", "GIB 4.0")),
        (":+Norman Kay:6", (None, "Norman Kay", None, None)),
        ("", (None, None, None, None)),
    ],
)
def test_names_may_be_missing(text: str, players: tuple[str | None, ...]) -> None:
    assert parse_rbn(f"N {text}\nB 1\n", strict=True)[0].players == players


def test_a_table_number_is_kept_beside_the_names() -> None:
    assert parse_rbn("N :+Norman Kay:6\nB 1\n")[0].tags == {"Table": "6"}


def test_the_second_table_plays_the_cards_of_the_first() -> None:
    boards = parse_rbn(TEXT)
    assert len(boards) == 2
    assert boards[1].deal == DEAL
    assert boards[1].number == 12
    assert boards[1].room == "Closed"
    assert boards[1].contract == Contract.PASSED_OUT
    assert boards[1].tricks_declarer is None


def test_headers_hold_until_they_change() -> None:
    boards = parse_rbn("E Cup\nB 1\n\nB 2\n\nE\nB 3\n\nE Bowl\n\nB 4\n", strict=True)
    assert [board.event for board in boards] == ["Cup", "Cup", None, "Bowl"]


def played(board: Board) -> str:
    assert board.play is not None
    return " ".join(str(card) for card in board.play.cards)


def test_ranks_alone_follow_the_suit_led() -> None:
    board = parse_rbn(f"B 1\n{HANDS}\nA NZ:PP7NA\nP HJ52A:SA853?\n", strict=True)[0]
    assert played(board) == "HJ H5 H2 HA SA S8 S5 S3"


def test_ruffs_and_discards_name_their_suit() -> None:
    text = "H N:A.2..:.K4..:Q.3..:J..5.\nC 1N:W\nP SAH4SQJ:H2K3D5\n"
    board = parse_rbn(text, strict=True)[0]
    assert played(board) == "SA H4 SQ SJ H2 HK H3 D5"
    assert board.tricks_declarer == 1


def test_a_result_beyond_the_cards_is_a_claim() -> None:
    board = parse_rbn(f"{HANDS}\nC 7N:S\nP HJ52A\nR 13\n", strict=True)[0]
    assert board.play is not None
    assert board.play.claimed_by_declarer == 13


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("19980131", "1998.01.31"),
        ("199709", "1997.09.??"),
        ("1955C", "1955.??.??"),
        ("20010704:1930", "2001.07.04"),
        ("1986120911", "1986.12.09"),
        ("19??", "19??.??.??"),
        ("sometime", None),
    ],
)
def test_dates_become_those_of_pbn(text: str, date: str | None) -> None:
    board = parse_rbn(f"D {text}\nB 1\n")[0]
    assert board.date == date
    assert parse_rbn(format_rbn([board]))[0] == board


@pytest.mark.parametrize(
    ("text", "contract"),
    [("5HX:N", "5HXN"), ("3N:w", "3NTW"), ("1CR:E", "1CXXE"), ("1CXX:E", "1CXXE"), ("P", "Pass")],
)
def test_contracts(text: str, contract: str) -> None:
    assert str(parse_rbn(f"C {text}\n", strict=True)[0].contract) == contract


@pytest.mark.parametrize(
    ("text", "east", "west"),
    [
        ("::98765=:!!", [4, 5, 6, 7, 8], [4, 5, 6, 7, 8]),
        ("::98765+98764:!!", [4, 5, 6, 7, 9], [4, 5, 6, 7, 8]),
        ("::98765=:33333=", [3] * 5, [3] * 5),
        ("::98765=:33333!", [4, 5, 6, 7, 8], [3] * 5),
        ("::98765=:!22222", [2] * 5, [4, 5, 6, 7, 8]),
        ("98765=:33333+0ABCD", [0, 10, 11, 12, 13], [3] * 5),
    ],
)
def test_makes_are_notrump_first_and_west_before_east(
    text: str, east: list[int], west: list[int]
) -> None:
    table = parse_rbn(f"B 1\nM {text}\n", strict=True)[0].table
    assert table is not None
    order = (Strain.NOTRUMP, Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS)
    assert [table.tricks(Seat.NORTH, strain) for strain in order] == [9, 8, 7, 6, 5]
    assert [table.tricks(Seat.EAST, strain) for strain in order] == east
    assert [table.tricks(Seat.WEST, strain) for strain in order] == west


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("B 0", (1, 3), "not a board number: found '0'"),
        ("hello", (1, 1), "not a line of RBN: found 'hello'"),
        ("B 1\nB 2", (2, 1), "label twice"),
        ("A QZ:1C", (1, 3), "not an auction: found 'QZ:1C'"),
        ("A NZ:1C8D", (1, 8), "not a call: found '8D'"),
        ("A NZ:2C1D", (1, 8), "not higher than 2C"),
        ("A NZ:AP", (1, 6), "not a call: found 'AP'"),
        ("A ?Z:1C", (1, 3), "calls without a dealer"),
        ("A NZ:1C^4", (1, 6), "no such note: found '4'"),
        ("H Q:A...", (1, 3), "not a deal"),
        ("H N:A", (1, 5), "not a hand: 'A'"),
        ("H N:A...:A...", (1, 3), "card twice: 'SA'"),
        ("H N:A...:KQ...", (1, 3), "hands of different length: found '1, 2, 0, 0'"),
        ("H N:A...:K...:Q...:J...:T...", (1, 25), "more than four hands"),
        ("C 8C:N", (1, 3), "not a contract: found '8C:N'"),
        ("A NZ:1CA\nC 2C:N", (2, 3), "contract against the auction"),
        ("P SA", (1, 3), "cards played without a deal"),
        (f"{HANDS}\nP SA", (2, 3), "cards played without a contract"),
        (f"{HANDS}\nC 7N:S\nP J", (3, 3), "not a card: found 'J'"),
        (f"{HANDS}\nC 7N:S\nP HJ52A:HJ", (3, 9), "does not hold it"),
        (f"{HANDS}\nC 7N:S\nP HJ52:SA", (3, 7), "trick of fewer than four cards"),
        (f"{HANDS}\nC 7N:S\nP HJ52A\nR 0", (4, 3), "impossible claim"),
        ("C 1N:S\nR x", (2, 3), "not a result: found 'x'"),
        ("B 1\nM 123", (2, 3), "not a list of makes"),
        ("B 1\n{text\n", (3, 1), "text without an end"),
    ],
)
def test_problems_say_where_and_what(text: str, place: tuple[int, int], message: str) -> None:
    problem = parse_rbn(text, path="x.rbn").problems[0]
    assert message in str(problem)
    assert (problem.line, problem.column) == place
    with pytest.raises(FormatError) as caught:
        parse_rbn(text, path="x.rbn", strict=True)
    assert caught.value.problem == problem


def test_bytes_are_utf8_or_latin1() -> None:
    assert parse_rbn("E Zoë".encode() + b"\nB 1\n")[0].event == "Zoë"
    assert parse_rbn(b"E Zo\xeb\nB 1\n")[0].event == "Zoë"


def test_equal_explanations_share_a_note_and_ten_is_the_most() -> None:
    calls = tuple(Call.ALL[3:16])
    texts = ["same", "same", *(f"note {number}" for number in range(11))]
    auction = Auction(Seat.NORTH, calls, tuple(Annotation(False, text) for text in texts))
    read = parse_rbn(format_rbn([Board(dealer=Seat.NORTH, auction=auction)]), strict=True)[0]
    assert read.auction is not None
    notes = [note.text if note else None for note in map(read.auction.annotation, range(13))]
    assert notes == [*texts[:11], None, None]


def test_records_are_written_as_richard_writes_them() -> None:
    text = f"% RBN 3.2\nB 12\n{HANDS}\nA SE:2N*^1P3NP:7NA\n1 strong\nC 7N:S\nP HJ52A\nR 13\n\n"
    assert format_rbn(parse_rbn(text, strict=True)) == text
