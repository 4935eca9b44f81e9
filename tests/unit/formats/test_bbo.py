"""Links to BBO's hand viewer: both forms, read and written."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from setrograde.bridge import Annotation, Board, Contract, Deal, InvalidInput, Seat, Vulnerability
from setrograde.cli.main import main
from setrograde.formats import FormatError, detect_format, parse_boards
from setrograde.formats.bbo import format_bbo_link, parse_bbo, parse_bbo_link
from setrograde.formats.lin import parse_lin

NORTH, EAST, SOUTH, WEST = (
    "s765h765d7654c987",
    "s432h432d32c65432",
    "sAKQhAKQdAKQcAKQJ",
    "sJT98hJT98dJT98cT",
)
HANDS = f"n={NORTH}&e={EAST}&s={SOUTH}&w={WEST}"
DEAL = Deal.from_pbn("N:765.765.7654.987 432.432.32.65432 AKQ.AKQ.AKQ.AKQJ JT98.JT98.JT98.T")
LINK = f"https://www.bridgebase.com/tools/handviewer.html?{HANDS}&d=n&v=-&b=1&a=pp7Nppp&p=HJH5H2HA"


def test_hands_dealer_vulnerability_number_auction_and_play_are_read() -> None:
    board = parse_bbo_link(LINK)
    assert board.deal == DEAL
    assert board.dealer == Seat.NORTH
    assert board.vulnerability == Vulnerability.NONE
    assert board.number == 1
    assert board.contract == Contract.from_text("7NTS")
    assert board.play is not None
    assert [str(card) for card in board.play.cards] == ["HJ", "H5", "H2", "HA"]


@pytest.mark.parametrize(
    "start",
    ["http://x.org/a/b.php?", "https://webutil.bridgebase.com/v2/tview.php?t=7&", "?", ""],
)
def test_only_the_query_matters(start: str) -> None:
    assert parse_bbo_link(start + LINK.partition("?")[2]) == parse_bbo_link(LINK)


def test_a_fragment_is_no_part_of_the_query() -> None:
    assert parse_bbo_link(LINK + "#top").play == parse_bbo_link(LINK).play


@pytest.mark.parametrize("seat", ["n", "e", "s", "w"])
def test_the_fourth_hand_may_be_missing(seat: str) -> None:
    query = "&".join(part for part in HANDS.split("&") if not part.startswith(seat))
    assert parse_bbo_link("?" + query).deal == DEAL


@pytest.mark.parametrize(
    ("letter", "expected"),
    [
        ("-", Vulnerability.NONE),
        ("o", Vulnerability.NONE),
        ("n", Vulnerability.NS),
        ("E", Vulnerability.EW),
        ("b", Vulnerability.BOTH),
    ],
)
def test_vulnerability_letters(letter: str, expected: Vulnerability) -> None:
    assert parse_bbo_link(f"?{HANDS}&v={letter}").vulnerability == expected


def test_names_claims_and_explanations_are_read() -> None:
    board = parse_bbo_link(
        f"?{HANDS}&d=n&nn=Ann%20Lee&wn=W,1&a=pp7N!(all%20of%20them)ppp&p=HJ&c=13"
    )
    assert board.players == ("Ann Lee", None, None, "W;1")
    assert board.auction is not None
    assert board.auction.annotation(2) == Annotation(True, "all of them")
    assert board.tricks_declarer == 13
    assert board.play is not None
    assert board.play.claimed_by_declarer == 13


LIN = (
    "pn|S,W,N,E|st||md|3SAKQHAKQDAKQCAKQJ,SJT98HJT98DJT98CT,S765H765D7654C987,|"
    "ah|Board 3|sv|e|mb|p|mb|p|mb|7N!|an|5+ each|mb|p|mb|p|mb|p|pg||pc|HJ|"
)


@pytest.mark.parametrize("query", [quote(LIN, safe=""), LIN, LIN.replace(" ", "%20")])
def test_a_lin_record_is_read_encoded_or_not(query: str) -> None:
    board = parse_bbo_link(f"https://www.bridgebase.com/tools/handviewer.html?bbo=y&lin={query}")
    assert board == parse_lin(LIN, strict=True)[0]


def test_a_plus_is_a_blank_in_forms() -> None:
    board = parse_bbo_link("?lin=" + LIN.replace("5+ each", "some each").replace(" ", "+"))
    assert board.auction is not None
    assert board.auction.annotation(2) == Annotation(True, "some each")


def test_bytes_that_are_not_utf8_are_latin1() -> None:
    assert parse_bbo_link(f"?{HANDS}&nn=Ren%E9").player(Seat.NORTH) == "René"


@pytest.mark.parametrize(
    ("url", "column", "message"),
    [
        ("https://x.org/", 1, "no board in the link"),
        ("https://x.org/?myhand=M-1-2", 1, "no board in the link"),
        ("?n=sAA", 4, "card twice: 'SA'"),
        ("?n=AK", 4, "no suit before 'A'"),
        ("?n=sAz", 4, "not a card: 'Z'"),
        ("?n=sA&e=sA", 4, "card twice: 'SA' is with North and East"),
        ("?n=sA&e=sKQ", 4, "hands of different length"),
        (f"?{HANDS}&d=x", len(HANDS) + 5, "not a dealer: found 'x'"),
        (f"?{HANDS}&v=x", len(HANDS) + 5, "not a vulnerability: found 'x'"),
        (f"?{HANDS}&b=0", len(HANDS) + 5, "not a board number: found '0'"),
        (f"?{HANDS}&a=1C&d=n&a=2C&b=x", len(HANDS) + 19, "not a board number"),
        (f"?{HANDS}&d=n&a=1C8D", len(HANDS) + 11, "not a call: found '8D'"),
        (f"?{HANDS}&d=n&a=(hm)", len(HANDS) + 10, "explanation before any call"),
        (f"?{HANDS}&d=n&a=pp7Nppp&p=HJD2", len(HANDS) + 21, "does not hold it"),
        (f"?{HANDS}&d=n&a=pp7Nppp&c=x", len(HANDS) + 19, "not a number of tricks"),
        ("?lin=md|1|mb|9C|", 14, "not a call: found '9C'"),
        ("?lin=md|1|md|2|", 1, "2 boards in the link"),
        ("?lin=hello", 1, "0 boards in the link"),
    ],
)
def test_problems_say_where_and_what(url: str, column: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_bbo_link(url)
    problem = caught.value.problem
    assert message in str(problem)
    assert (problem.line, problem.column) == (1, column)


@pytest.mark.parametrize(
    "text",
    [
        LINK.replace("https:", ""),
        LINK.removeprefix("https://"),
        LINK.replace("&", "&amp;"),
        f"Look at this: {LINK}",
        f'<a href="{LINK}">board 1</a>',
        f"<iframe src='{LINK.replace('&', '&amp;')}' height=350></iframe>",
        f"[board 1]({LINK})",
        f"<{LINK}>",
        f"[hv={LINK.partition('?')[2]}]399|300[/hv]",
        f"[InternetShortcut]\nURL={LINK}\nIconIndex=0\n",
        LINK.replace("d=n", "d=North").replace("v=-", "v=None"),
        LINK.upper(),
        LINK.replace(NORTH, "765.765.7654.987"),
    ],
)
def test_links_are_found_wherever_they_stand(text: str) -> None:
    file = parse_boards(text)
    assert file.format == "bbo"
    assert list(file) == [parse_bbo_link(LINK)]
    assert file.problems == ()


def test_a_lin_record_encoded_twice_is_read() -> None:
    twice = quote(quote(LIN, safe=""), safe="")
    assert parse_bbo_link(f"https://x.org/?lin={twice}") == parse_lin(LIN, strict=True)[0]


def test_several_links_on_a_line_are_several_boards() -> None:
    file = parse_bbo(f'<a href="{LINK}">1</a>, <a href="{LINK.replace("b=1", "b=2")}">2</a>')
    assert [board.number for board in file] == [1, 2]
    assert file.problems == ()


def test_a_bidding_diagram_without_cards_is_a_link() -> None:
    text = "https://www.bridgebase.com/tools/handviewer.html?d=n&a=1Cp1Hp"
    assert detect_format(text.encode()) == "bbo"
    assert str(parse_bbo_link(text).auction) == "1C Pass 1H Pass"


@pytest.mark.parametrize(
    "link",
    [
        "https://www.bridgebase.com/tools/handviewer.html?bbo=y&myhand=M-12-34",
        "https://tinyurl.com/abc",
        "https://www.bridgebase.com/tools/vugraph_linfetch.php?id=14502",
    ],
)
def test_a_link_to_a_board_on_a_server_says_so(
    link: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", link]) == 2
    assert "it names one that is on a server" in capsys.readouterr().err


@pytest.mark.parametrize("link", [LINK, LINK.removeprefix("https://"), "?" + HANDS, LIN])
def test_links_and_lin_are_arguments(link: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", link, "--ascii"]) == 0
    assert "AKQJ" in capsys.readouterr().out


def test_a_list_of_links_is_read_line_by_line() -> None:
    boards = parse_bbo(f"{LINK}\r\n\nhttps://x.org/\n?lin={quote(LIN)}\n")
    assert boards.format == "bbo"
    assert [board.number for board in boards] == [1, 3]
    assert [problem.line for problem in boards.problems] == [3]


def test_links_are_written_as_the_viewer_documents_them() -> None:
    assert format_bbo_link(parse_bbo_link(LINK), form="hands") == LINK
    assert format_bbo_link(Board(number=2)).endswith(
        "handviewer.html?lin=" + quote("pn|,,,|st||md|0,,,|rh||ah|Board 2|", safe="")
    )


def test_only_two_forms_exist() -> None:
    with pytest.raises(InvalidInput, match="'short'"):
        format_bbo_link(Board(), form="short")  # type: ignore[arg-type]


def test_a_link_is_one_board() -> None:
    with pytest.raises(InvalidInput, match="0 links"):
        parse_bbo_link("  ")
