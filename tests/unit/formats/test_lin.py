"""LIN: tokens kept to the byte, boards as BBO means them, problems where they stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from setrograde.bridge import (
    Annotation,
    Board,
    Call,
    Contract,
    Deal,
    InvalidInput,
    Seat,
    Vulnerability,
)
from setrograde.formats import FormatError
from setrograde.formats.lin import LinDocument, LinToken, format_lin, parse_lin
from setrograde.formats.pbn import format_pbn, parse_pbn

MD = "3SAKQHAKQDAKQCAKQJ,SJT98HJT98DJT98CT,S765H765D7654C987,S432H432D32C65432"
DEAL = Deal.from_pbn("N:765.765.7654.987 432.432.32.65432 AKQ.AKQ.AKQ.AKQJ JT98.JT98.JT98.T")
CALLS = "mb|p|mb|p|mb|7N|mb|p|mb|p|mb|p|"


def only(text: str) -> Board:
    boards = parse_lin(text, strict=True)
    assert len(boards) == 1
    return boards[0]


# Documents


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"mb|p|",
        b"\xef\xbb\xbfmb|p|\r\n",
        b"  pn|a,b,c,d| \n\nmd|3,,,|\r\n% a comment|with bars|\nPG||tail",
        b"nt|caf\xe9|",
        "nt|café ♠|".encode(),
        b"mb|1C\nmb|p|",
        b"mb|1C\r\nmb|p|",
        b"|||||",
        b"stray\ntext mb|p|mb",
        b"stray\n% comment|mb|p|",
    ],
)
def test_documents_give_back_the_same_bytes(data: bytes) -> None:
    assert LinDocument.from_data(data).to_bytes() == data


def test_changing_a_value_changes_nothing_else() -> None:
    document = LinDocument.from_data(b"  PN |\xe9,b,c,d|\r\n\tsv| o |x")
    changed = document.with_value(1, "b")
    assert changed.to_bytes() == b"  PN |\xe9,b,c,d|\r\n\tsv|b|x"


def test_values_must_fit_the_encoding_of_the_file() -> None:
    with pytest.raises(InvalidInput, match="latin-1"):
        LinDocument.from_data(b"nt|\xe9|").with_value(0, "♠")


def test_comment_lines_hold_no_tokens() -> None:
    document = LinDocument.from_data("% md|1|\nmb|p|\n%x|y\n mb|1C|")
    assert [(t.key, t.value, t.line, t.column) for t in document] == [
        ("mb", "p", 2, 1),
        ("mb", "1C", 4, 2),
    ]


def test_a_line_end_closes_a_call_without_its_bar() -> None:
    document = LinDocument.from_data("mb|1C\nmb|p|")
    assert document.tokens == (
        LinToken("mb", "1C", is_closed=False),
        LinToken("mb", "p", before="\n"),
    )


# Deals


def test_hands_are_listed_from_south_whoever_deals() -> None:
    for digit, dealer in zip("1234", (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST), strict=True):
        board = only(f"md|{digit}{MD[1:]}|")
        assert (board.dealer, board.deal) == (dealer, DEAL)


@pytest.mark.parametrize("md", [MD, MD.rsplit(",", 1)[0], MD.rsplit(",", 1)[0] + ",", MD.lower()])
def test_a_fourth_hand_follows_from_three(md: str) -> None:
    assert only(f"md|{md}|").deal == DEAL


def test_ten_may_be_written_with_two_digits() -> None:
    assert only(f"md|{MD.replace('T', '10')}|").deal == DEAL


@pytest.mark.parametrize("md", ["0" + MD[1:], MD[1:]])
def test_the_dealer_may_be_missing(md: str) -> None:
    board = only(f"md|{md}|")
    assert (board.dealer, board.deal) == (None, DEAL)


def test_a_missing_dealer_follows_from_the_board_number() -> None:
    board = only(f"md|0{MD[1:]}|ah|Board 2|mb|1C|")
    assert board.auction is not None
    assert board.auction.dealer == board.dealer == Seat.EAST


def test_one_hand_alone_is_a_deal() -> None:
    deal = only("md|1SAKQHAKQDAKQCAKQJ,,,|").deal
    assert deal is not None
    assert [len(hand) for hand in deal] == [0, 0, 13, 0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("o", Vulnerability.NONE),
        ("0", Vulnerability.NONE),
        ("n", Vulnerability.NS),
        ("E", Vulnerability.EW),
        ("b", Vulnerability.BOTH),
        ("", None),
    ],
)
def test_vulnerability_letters(text: str, expected: Vulnerability | None) -> None:
    assert only(f"md|1|sv|{text}|").vulnerability == expected


# Auctions


def test_alerts_and_explanations_belong_to_the_call_before() -> None:
    auction = only("md|3|mb|1C!|an|strong|mb|p|mb|1D|an|waiting|mb|d!|").auction
    assert auction is not None
    assert str(auction) == "1C Pass 1D X"
    assert auction.annotations == (
        Annotation(True, "strong"),
        None,
        Annotation(False, "waiting"),
        Annotation(True, ""),
    )


@pytest.mark.parametrize("text", ["1C1dp1Nppp", "1C 1D p 1NT p p p", "1c,1d,pass,1n,p,p,p"])
def test_several_calls_may_share_a_token(text: str) -> None:
    board = only(f"md|1|mb|{text}|")
    assert str(board.auction) == "1C 1D Pass 1NT Pass Pass Pass"
    assert board.contract == Contract.from_text("1NTE")


@pytest.mark.parametrize(
    ("word", "call"),
    [
        ("d", "X"),
        ("x", "X"),
        ("dbl", "X"),
        ("DBL!", "X"),
        ("p", "Pass"),
        ("PASS", "Pass"),
        ("2N", "2NT"),
        ("2nt", "2NT"),
    ],
)
def test_words_for_calls(word: str, call: str) -> None:
    auction = only(f"md|1|mb|1S|mb|{word}|").auction
    assert auction is not None
    assert auction.calls[-1] == Call.from_text(call)


@pytest.mark.parametrize("word", ["r", "xx", "XX!", "rdbl", "redbl"])
def test_words_for_redoubles(word: str) -> None:
    auction = only(f"md|1|mb|1S|mb|d|mb|{word}|").auction
    assert auction is not None
    assert auction.calls[-1] == Call.REDOUBLE


# Play and result


def test_a_claim_gives_the_result() -> None:
    board = only(f"md|{MD}|{CALLS}pg||pc|HJ|pc|H5|pc|H2|pc|HA|pg||mc|13|")
    assert board.contract == Contract.from_text("7NTS")
    assert board.tricks_declarer == 13
    assert board.play is not None
    assert board.play.claimed_by_declarer == 13
    assert len(board.play) == 4


def test_a_claim_without_any_card_is_a_result_alone() -> None:
    board = only(f"md|{MD}|{CALLS}mc|12|")
    assert (board.play, board.tricks_declarer) == (None, 12)


def test_several_cards_may_share_a_token() -> None:
    play = only(f"md|{MD}|{CALLS}pc|HJh5,H2 HA|").play
    assert play is not None
    assert [str(card) for card in play.cards] == ["HJ", "H5", "H2", "HA"]
    assert play.claimed_by_declarer is None


def test_a_whole_play_gives_the_result() -> None:
    board = only(
        "md|1SAKHDC,SQJHDC,ST9HDC,S87HDC|mb|1Nppp|pc|SQ|pc|S9|pc|S7|pc|SA|pc|SK|pc|SJ|pc|ST|pc|S8|"
    )
    assert board.tricks_declarer == 2


def test_a_board_passed_out_has_no_result() -> None:
    board = only(f"md|{MD}|mb|pppp|mc|0|")
    assert board.contract is not None
    assert board.contract.is_passed_out
    assert board.tricks_declarer is None


# Files of many boards


def test_boards_on_lines_across_lines_or_side_by_side_are_the_same() -> None:
    one = f"pn|S1,W1,N1,E1|st||md|{MD}|rh||ah|Board 1|sv|o|{CALLS}pg||pc|HJ|pg||"
    two = f"pn|S2,W2,N2,E2|st||md|1{MD[1:]}|rh||ah|Board 2|sv|b|mb|1C|"
    lines = parse_lin(f"{one}\n{two}\n", strict=True)
    assert [board.number for board in lines] == [1, 2]
    assert [board.player(Seat.EAST) for board in lines] == ["E1", "E2"]
    assert parse_lin(one + two, strict=True) == lines
    assert parse_lin((one + two).replace("|mb", "|\nmb"), strict=True) == lines


def test_names_hold_for_the_boards_that_follow() -> None:
    boards = parse_lin("pn|a,b,c,d|md|1|mb|p|md|2|mb|p|")
    assert [board.players for board in boards] == [("c", "d", "a", "b")] * 2


def test_unknown_keys_and_commentary_are_kept_as_tags() -> None:
    board = only("md|1|zz|one|nt|first|zz|two|nt|second|ah|Final|")
    assert board.tags == {
        "Lin_zz": "one\ntwo",
        "Lin_nt": "first\nsecond",
        "Lin_ah": "Final",
        "Lin_nt_at": "0 0",
    }
    assert only(format_lin([board])).tags == board.tags


def test_a_key_with_a_number_sign_survives_pbn() -> None:
    board = only("md|1|a#|one|")
    assert board.tags == {"Lin_a_": "one"}
    again = parse_pbn(format_pbn([board]))[0]
    assert only(format_lin([again])).tags == board.tags


def test_commentary_stays_where_it_was_said() -> None:
    text = f"md|{MD}|sv|o|mb|2N|nt|strong|pg||mb|p|mb|7N|mb|p|mb|p|mb|p|pg||pc|D2|nt|a lead|pg||"
    board = only(text)
    assert board.tags == {"Lin_nt": "strong\na lead", "Lin_nt_at": "1 7"}
    line = format_lin([board])
    assert "mb|2N|nt|strong|pg||mb|p|" in line
    assert "pc|D2|pg||nt|a lead|pg||" in line
    through_pbn = parse_pbn(format_pbn([board]))[0]
    assert format_lin([through_pbn]) == line


def test_commentary_before_the_first_call_is_written_where_other_readers_take_it() -> None:
    text = f"pn|a,b,c,d|md|{MD}|sv|o|nt|two  blanks,\r\n and a line|pg||mb|p|mb|p|mb|p|mb|p|"
    board = only(text)
    assert board.tags == {"Lin_nt": "two  blanks, and a line", "Lin_nt_at": "1"}
    line = format_lin([board])
    assert only(line).tags == board.tags
    endplay_lin = pytest.importorskip("endplay.parsers.lin")
    assert len(endplay_lin.loads(line)) == 1


def test_comments_of_a_pbn_file_become_commentary() -> None:
    board = parse_pbn(f'[Dealer "N"]\n[Deal "{DEAL}"]\n{{Think\nfirst}}\n[Auction "N"]\n1S AP\n')[0]
    assert "mb|1S|nt|Think|pg||nt|first|pg||mb|p|" in format_lin([board])
    dealt = format_lin([replace(board, auction=None)])
    assert dealt.endswith("at|Think|at|first|\n")
    endplay_lin = pytest.importorskip("endplay.parsers.lin")
    assert len(endplay_lin.loads(dealt)) == 1


def test_a_star_is_an_alert() -> None:
    board = only("md|1|mb|1C*|mb|p|")
    assert board.auction is not None
    assert board.auction.annotations == (Annotation(True), None)


VUGRAPH = f"""vg|Cup,Segment 2,I,17,18,Reds,10,Blues,7.5|
rs|7NS=,6NTxS-1,PASS,1CxxN+2|
pw|S1,W1|
mp|17,0|
pn|S1,W1,N1,E1,S2,W2,N2,E2|pg||
qx|o17|st||md|2{MD[1:]}|sv|n|nt|welcome|pg||
mb|2N|nt|strong|mb|p|mb|7N|mb|p|mb|p|mb|p|pg||
pc|D4|pc|D2|pg||
qx|c17|
mb|p|mb|p|mb|6N|mb|d|mb|p|mb|p|mb|p|pg||
qx|o18|st||md|4{MD[1:]}|sv|e|mb|p|mb|p|mb|p|mb|p|pg||
qx|c18|st||md|4{MD[1:]}|sv|e|pg||
"""


def test_a_vugraph_file_survives_pbn_and_is_accepted_by_another_reader() -> None:
    chat = "".join(f"nt|fan: {'very ' * 60}good, {n} of 40;-) {{ok}}|pg||\n" for n in range(40))
    boards = parse_lin(VUGRAPH.replace("pc|D4|", chat + "pc|D4|"))
    data = format_pbn(boards)
    through = parse_pbn(data, strict=True)
    assert [board.tags for board in through] == [board.tags for board in boards]
    text = format_lin(through)
    again = parse_lin(text, strict=True)
    assert [board.tags.get("Lin_nt") for board in again] == [
        board.tags.get("Lin_nt") for board in boards
    ]
    assert text.count("nt|") == VUGRAPH.count("nt|") + 40
    endplay_pbn = pytest.importorskip("endplay.parsers.pbn")
    endplay_lin = pytest.importorskip("endplay.parsers.lin")
    assert len(endplay_pbn.loads(data.decode("latin-1"))) == len(boards)
    assert len(endplay_lin.loads(format_lin([again[1], again[2]]))) == 2


def test_vugraph_files_give_a_board_for_each_room() -> None:
    boards = parse_lin(VUGRAPH, strict=True)
    assert [(board.number, board.room) for board in boards] == [
        (17, "Open"),
        (17, "Closed"),
        (18, "Open"),
        (18, "Closed"),
    ]
    assert all(board.deal == DEAL for board in boards)
    assert {board.event for board in boards} == {"Cup"}
    assert {board.scoring for board in boards} == {"IMP"}
    assert {board.tags["HomeTeam"] for board in boards} == {"Reds"}
    assert boards[0].players == ("N1", "E1", "S1", "W1")
    assert boards[1].players == ("N2", "E2", "S2", "W2")
    assert boards[0].tags["Lin_nt"] == "welcome\nstrong"


def test_the_closed_room_plays_the_cards_of_the_open_room() -> None:
    closed = parse_lin(VUGRAPH)[1]
    assert closed.vulnerability == Vulnerability.NS
    assert closed.dealer == Seat.WEST
    assert closed.contract == Contract.from_text("6NTXE")


def test_results_of_vugraph_boards_come_from_the_list() -> None:
    open17, closed17, open18, closed18 = parse_lin(VUGRAPH.replace("7NS=", "7NW="))
    assert (open17.contract, open17.tricks_declarer) == (Contract.from_text("7NTW"), 13)
    assert closed17.tricks_declarer is None  # by South in the list, by East in the auction
    assert open18.contract == Contract.PASSED_OUT
    assert (closed18.contract, closed18.tricks_declarer) == (Contract.from_text("1CXXN"), 9)


# Problems


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("md|1|\nmb|1C|mb|1Z|", (2, 10), "not a call: found '1Z'"),
        ("md|1|mb|1C8D|", (1, 11), "not a call: found '8D'"),
        ("md|1|mb|2C|mb|1D|", (1, 15), "not higher than 2C"),
        ("md|1|mb|1Cpppp|", (1, 14), "the auction is over"),
        ("md|1|sv|q|", (1, 9), "not a vulnerability: found 'q'"),
        ("md|1SAA|", (1, 5), "card twice: 'SA'"),
        ("md|1SA,SK2|", (1, 4), "different length: found '0, 0, 1, 2'"),
        ("md|1SA,SA|", (1, 4), "card twice: 'SA' is with South and West"),
        ("md|1SA,SX|", (1, 8), "not a card: 'X'"),
        ("md|1SA,SK,SQ,SJ,ST|", (1, 17), "more than four hands"),
        ("md|0|mb|p|", (1, 9), "calls without a dealer"),
        ("md|1|an|hm|", (1, 9), "explanation before any call"),
        ("md|1|pc|SA|", (1, 9), "cards played without a deal"),
        (f"md|{MD}|pc|SA|", (1, len(MD) + 8), "cards played without a contract"),
        (f"md|{MD}|\n{CALLS}pc|HJ|pc|H2|", (2, 41), "does not hold it"),
        (f"md|{MD}|\n{CALLS}pc|H|", (2, 35), "not a card: found 'H'"),
        (f"md|{MD}|\n{CALLS}mc|14|", (2, 35), "not a number of tricks: found '14'"),
        ("md|1|pn|a,b|", (1, 9), "wrong number of names"),
        ("md|1|mb|p\nmb|p|", (1, 9), "no bar after the value"),
        ("md|1|stray\nmb|p|", (2, 1), "text between values: found 'stray'"),
        ("md|1|m%|p|", (1, 6), "not a key: found 'm%'"),
        ("md|1|\nstray", (2, 1), "text after the last value: found 'stray'"),
    ],
)
def test_problems_say_where_and_what(text: str, place: tuple[int, int], message: str) -> None:
    problem = parse_lin(text, path="x.lin").problems[0]
    assert (problem.line, problem.column) == place
    assert message in str(problem)
    with pytest.raises(FormatError) as caught:
        parse_lin(text, path="x.lin", strict=True)
    assert caught.value.problem == problem


def test_impossible_claims_are_problems() -> None:
    board = parse_lin(f"md|{MD}|{CALLS}pc|HJ|pc|H5|pc|H2|pc|HA|mc|0|")
    assert "impossible claim: 0 tricks" in board.problems[0].message
    assert board[0].tricks_declarer is None


def test_lenient_reading_keeps_what_is_good() -> None:
    board = parse_lin(f"md|{MD}|{CALLS}pc|HJ|pc|H5|pc|SA|pc|HA|")[0]
    assert board.play is not None
    assert [str(card) for card in board.play.cards] == ["HJ", "H5"]
    assert board.contract == Contract.from_text("7NTS")


# Writing


def test_boards_are_written_as_bbo_writes_them() -> None:
    text = (
        f"pn|S,W,N,E|st||md|{MD.rsplit(',', 1)[0]},|rh||ah|Board 9|sv|e|"
        "mb|p|mb|p|mb|7N!|an|all of it|mb|p|mb|p|mb|p|pg||pc|HJ|pc|H5|pc|H2|pc|HA|pg||mc|13|\n"
    )
    ascending = parse_lin(text, strict=True)
    written = format_lin(ascending)
    assert parse_lin(written, strict=True) == ascending
    assert written.startswith("pn|S,W,N,E|st||md|3SQKAHQKADQKACJQKA,S89TJH89TJD89TJCT,S567H567")
    assert written[written.index("|rh") :] == text[text.index("|rh") :]


def test_text_that_lin_cannot_hold_is_replaced() -> None:
    auction = only("md|1|mb|1C!|").auction
    assert auction is not None
    noted = type(auction)(auction.dealer, auction.calls, (Annotation(True, "a|b\nc"),))
    board = Board(dealer=Seat.SOUTH, auction=noted, players=("Doe, J", None, None, None))
    written = only(format_lin([board]))
    assert written.player(Seat.NORTH) == "Doe; J"
    assert written.auction is not None
    assert written.auction.annotation(0) == Annotation(True, "a/b c")
