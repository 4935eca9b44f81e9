"""PBN games as boards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Call,
    Card,
    Contract,
    Deal,
    Play,
    Seat,
    Side,
    Strain,
    TrickTable,
    Vulnerability,
)
from setrograde.formats import FormatError, parse_boards
from setrograde.formats.pbn import PbnDocument, format_pbn, parse_pbn
from support import shared_data

DEAL = "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"
HEAD = f'[Dealer "N"]\n[Deal "{DEAL}"]\n[Declarer "S"]\n[Contract "5HX"]\n'
PLAY = "SK H3 S4 S3\nC5 C2 C6 CK\nS2 H6 S5 S7\n"


def one(text: str) -> Board:
    file = parse_pbn(text)
    assert len(file) == 1
    return file[0]


def messages(text: str) -> list[str]:
    return [problem.message for problem in parse_pbn(text).problems]


def calls(board: Board) -> str:
    assert board.auction is not None
    return str(board.auction)


def cards(board: Board) -> str:
    assert board.play is not None
    return " ".join(str(card) for card in board.play.cards)


def test_every_field_of_a_full_game_is_read() -> None:
    board = one(
        '[Event "Cup"]\n[Site "Here"]\n[Date "2026.08.01"]\n[Board "7"]\n[West "w"]\n[North "n"]\n'
        '[East "e"]\n[South "s"]\n[Dealer "S"]\n[Vulnerable "All"]\n[Scoring "IMP"]\n'
        f'[Deal "{DEAL}"]\n[Declarer "S"]\n[Contract "1C"]\n[Result "9"]\n[Room "Open"]\n'
        '[Stage "Final"]\n[Auction "S"]\n1C AP\n'
    )
    assert board == Board(
        number=7,
        dealer=Seat.SOUTH,
        vulnerability=Vulnerability.BOTH,
        deal=Deal.from_pbn(DEAL),
        auction=Auction.from_text("1C AP", Seat.SOUTH),
        contract=Contract.from_text("1CS"),
        tricks_declarer=9,
        players=("n", "e", "s", "w"),
        event="Cup",
        site="Here",
        date="2026.08.01",
        room="Open",
        scoring="IMP",
        tags={"Stage": "Final"},
    )


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("1H Pass 4H AP", "1H Pass 4H Pass Pass Pass"),
        ("AP", "Pass Pass Pass Pass"),
        ("1h p 4h ap", "1H Pass 4H Pass Pass Pass"),
        ("1N X XX", "1NT X XX"),
        ("1D =1= ! $13 Pass {comment} ; another\n% escaped\n1H", "1D Pass 1H"),
        ("1D=1=1S?!2C", "1D 1S 2C"),
        ("1S Pass *", "1S Pass"),
        ("1S Pass +", "1S Pass"),
        ("+", ""),
    ],
)
def test_auctions_in_all_their_forms(section: str, expected: str) -> None:
    assert calls(one(f'[Dealer "N"]\n[Auction "N"]\n{section}\n')) == expected


def test_dashes_before_the_dealer_are_skipped() -> None:
    board = one('[Dealer "S"]\n[Auction "W"]\n- - - 1C\nPass Pass Pass\n')
    assert board.auction == Auction.from_text("1C Pass Pass Pass", Seat.SOUTH)
    assert board.contract == Contract.from_text("1CS")


def test_dealer_is_taken_from_the_auction_if_untold() -> None:
    assert one('[Auction "E"]\n1C AP\n').dealer is Seat.EAST


@pytest.mark.parametrize("section", ["", "*"])
def test_auction_without_calls_is_unknown(section: str) -> None:
    assert one(f'[Dealer "N"]\n[Auction "N"]\n{section}\n').auction is None


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("- 1H", "first call is not the dealer's"),
        ("1H ^I 1D", "irregular auction"),
        ("X", "no bid of the other side"),
        ("9Z", "not a call"),
    ],
)
def test_faulty_auction_is_dropped_and_the_contract_kept(section: str, message: str) -> None:
    text = f'[Dealer "N"]\n[Declarer "N"]\n[Contract "4H"]\n[Auction "N"]\n{section}\n'
    board = one(text)
    assert board.auction is None
    assert board.contract == Contract.from_text("4HN")
    assert any(message in found for found in messages(text))


def test_problems_say_where_the_illegal_call_stands() -> None:
    problem = parse_pbn('[Dealer "N"]\n[Auction "N"]\n1H Pass\n2H  1S Pass\n').problems[0]
    assert (problem.line, problem.column) == (4, 5)


def test_passes_left_out_before_the_opening_are_put_back() -> None:
    text = '[Dealer "N"]\n[Declarer "S"]\n[Contract "1NT"]\n[Auction "N"]\n1NT AP\n'
    assert calls(one(text)) == "Pass Pass 1NT Pass Pass Pass"
    assert messages(text) == ["passes before the opening missing: 2 added"]


def test_contract_tag_wins_over_the_auction_and_the_difference_is_reported() -> None:
    text = '[Dealer "N"]\n[Declarer "N"]\n[Contract "1NT"]\n[Auction "N"]\n1NT X AP\n'
    assert one(text).contract == Contract.from_text("1NTN")
    assert messages(text) == ["the auction ends in 1NTXN, the tags say 1NTN"]


def test_notes_become_annotations_and_alerts() -> None:
    board = one(
        '[Dealer "N"]\n[Auction "N"]\n1NT =1= Pass 2D =2= Pass\n2H =3= Pass 2NT =4= Pass\n*\n'
        '[Note "1: 14-16"]\n[Note "2:Alert: transfer"]\n[Note "3:*forced"]\n'
    )
    assert board.auction is not None
    assert board.auction.annotations == (
        Annotation(False, "14-16"),
        None,
        Annotation(True, "transfer"),
        None,
        Annotation(True, "forced"),
        None,
        None,
        None,
    )


@pytest.mark.parametrize(
    "annotation",
    [
        Annotation(True),
        Annotation(True, "transfer"),
        Annotation(False, "Alert level red"),
        Annotation(False, "*"),
        Annotation(True, "* :"),
        Annotation(False, "No alert: at all"),
        Annotation(True, "No alert: at all"),
        Annotation(False, "Alerted too late"),
        Annotation(True, 'say "hi" \\'),
    ],
)
def test_alert_and_explanation_survive_writing_and_reading(annotation: Annotation) -> None:
    auction = Auction(Seat.NORTH, (Call.from_text("1C"),), (annotation,))
    board = Board(dealer=Seat.NORTH, auction=auction)
    assert parse_pbn(format_pbn([board]))[0].auction == auction


def test_cards_are_read_in_columns_and_ordered_by_the_winner() -> None:
    board = one(f'{HEAD}[Play "W"]\n{PLAY}*\n')
    assert cards(board) == "SK H3 S4 S3 C2 C6 CK C5 S7 S2 H6 S5"


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("sk h3 s4 s3", "SK H3 S4 S3"),
        ("SK =1= H3 ! S4 $14 S3 {c}", "SK H3 S4 S3"),
        ("SK H3 - S3", "SK H3"),
        ("SK H3 + -", "SK H3"),
        ("SK H3 S4 S3\nC5 C2 - CK", "SK H3 S4 S3 C2"),
        ("SK H3 S4 S3\nC5 - C6 CK", "SK H3 S4 S3"),
        ("SK H3 S4 S3\n-- -- -- --", "SK H3 S4 S3"),
        ("S10 *", "ST"),
    ],
)
def test_plays_in_all_their_forms(section: str, expected: str) -> None:
    assert cards(one(f'{HEAD}[Play "W"]\n{section}\n')) == expected
    assert messages(f'{HEAD}[Play "W"]\n{section}\n') == []


@pytest.mark.parametrize(
    ("section", "kept", "message"),
    [
        ("SK H3 S4 H2", "SK H3 S4", "South does not follow suit"),
        ("SA H3 S4 S3", "", "West does not hold it"),
        ("SK ZZ S4 S3", "SK", "not a card"),
        ("SK ^R D7 S4 S3", "SK", "irregular card"),
    ],
)
def test_play_is_kept_up_to_a_faulty_card(section: str, kept: str, message: str) -> None:
    text = f'{HEAD}[Play "W"]\n{section}\n'
    assert cards(one(text)) == kept
    assert any(message in found for found in messages(text))


def test_cards_in_rotated_columns_are_placed_by_their_holder() -> None:
    text = f'{HEAD}[Play "W"]\nSK H3 S4 S3\nC2 C6 CK C5\n'
    assert cards(one(text)) == "SK H3 S4 S3 C2 C6 CK C5"
    assert messages(text) == ["columns do not fit the hands: cards placed by holder"]


def test_star_and_result_make_a_claim() -> None:
    claimed = one(f'{HEAD}[Result "9"]\n[Play "W"]\n{PLAY}*\n').play
    assert claimed is not None
    assert claimed.claimed_by_declarer == 9
    going_on = one(f'{HEAD}[Result "9"]\n[Play "W"]\n{PLAY}+\n').play
    assert going_on is not None
    assert going_on.claimed_by_declarer is None
    impossible = one(f'{HEAD}[Result "2"]\n[Play "W"]\n{PLAY}*\n').play
    assert impossible is not None
    assert impossible.claimed_by_declarer is None


def test_end_position_is_played_without_contract() -> None:
    board = one('[Deal "N:AK... QJ... T9... 87..."]\n[Contract "NT"]\n[Play "N"]\nSA SJ S9 S7\n')
    assert board.contract is None
    assert board.play == Play(
        Deal.from_pbn("N:AK... QJ... T9... 87..."),
        Strain.NOTRUMP,
        Seat.NORTH,
        tuple(Card.from_text(card) for card in ("SA", "SJ", "S9", "S7")),
    )
    assert parse_pbn(format_pbn([board]))[0].play == board.play


@pytest.mark.parametrize(
    ("result", "tricks"),
    [("9", 9), ("NS 11", 11), ("^9", 9), ("EW 7 NS 6", 6), ("EW 4", 9), ("NS 9 EW 4", 9)],
)
def test_results_are_declarers_tricks(result: str, tricks: int) -> None:
    assert one(f'[Declarer "S"]\n[Contract "5H"]\n[Result "{result}"]\n').tricks_declarer == tricks


@pytest.mark.parametrize("value", ["", "?"])
def test_open_values_are_unknown(value: str) -> None:
    names = "Event Site Date Board West Dealer Vulnerable Deal Scoring Declarer Contract Result"
    text = "".join(f'[{name} "{value}"]\n' for name in names.split())
    assert parse_pbn(text).boards == (Board(),)
    assert messages(text) == []


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        ("Board", "x"),
        ("Board", "0"),
        ("Board", "9" * 5000),
        ("Board", "²"),
        ("Dealer", "Black"),
        ("Vulnerable", "Maybe"),
        ("Deal", "N:AK"),
        ("Deal", "N:AA... - - -"),
        ("Deal", "N:AKQJT98765432.2.. - - -"),
        ("Contract", "8H"),
        ("Result", "C-2"),
        ("Result", "NS 9 NS 4"),
        ("Result", "99"),
        ("DoubleDummyTricks", "z"),
        ("Ability", "N:7"),
        ("OptimumResultTable", "Declarer"),
    ],
)
def test_bad_values_are_unknown_and_reported_at_their_tag(tag: str, value: str) -> None:
    file = parse_pbn(f'[Event "e"]\n[{tag} "{value}"]\n')
    assert [(p.line, p.column) for p in file.problems] == [(2, 1)]
    board = file[0]
    assert board.event == "e"
    assert (board.number, board.dealer, board.deal, board.contract) == (None,) * 4


def test_tables_are_read_from_each_of_three_tags() -> None:
    table = TrickTable.from_function(lambda seat, strain: 2 * seat + strain)
    rows = "\n".join(f"{s} {d} {table.tricks(s, d)}" for s in Seat for d in Strain)
    digits = "".join(
        f"{table.tricks(seat, strain):x}"
        for seat in (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
        for strain in reversed(Strain)
    )
    ability = " ".join(
        f"{s}:" + "".join(f"{table.tricks(s, d):X}" for d in reversed(Strain)) for s in Seat
    )
    full = f'[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\n{rows}\n'
    for text in (full, f'[DoubleDummyTricks "{digits}"]', f'[Ability "{ability}"]'):
        board = one(text)
        assert board.table == table
        assert board.tags == {}


def test_other_tables_keep_their_rows() -> None:
    text = '[Board "1"]\n[ScoreTable "Rank;Score_NS"] {all}\n1 420\n2 -50\n'
    board = one(text)
    assert board.tags == {"ScoreTable": "Rank;Score_NS\n1 420\n2 -50", "Commentary": "all"}
    assert parse_pbn(format_pbn([board]))[0] == board


def test_number_sign_inherits_from_the_nearest_game_that_has_the_tag() -> None:
    file = parse_pbn('[Event "a"]\n\n[Site "x"]\n\n[Event "#"]\n[Site "#"]\n[Room "#"]\n')
    assert (file[2].event, file[2].site, file[2].room) == ("a", "x", None)


def test_double_number_sign_holds_for_all_later_games() -> None:
    file = parse_pbn('[Event "##a"]\n\n[Board "2"]\n\n[Event "b"]\n\n[Board "4"]\n')
    assert [board.event for board in file] == ["a", "a", "b", "a"]


@pytest.mark.parametrize("name", ["#", "##x", " #", "  ##", "#1 team", "a#b"])
def test_real_number_signs_survive_writing_and_reading(name: str) -> None:
    board = Board(number=1, event=name)
    assert parse_pbn(format_pbn([board, board])).boards == (board, board)


def test_a_result_without_deal_belongs_to_the_board_before() -> None:
    text = f'[Event "e"]\n[Board "3"]\n{HEAD}\n[West "w"]\n[Declarer "E"]\n[Contract "3N"]\n'
    second = parse_pbn(text)[1]
    assert (second.number, second.dealer, second.event) == (3, Seat.NORTH, "e")
    assert second.deal == Deal.from_pbn(DEAL)
    assert second.contract == Contract.from_text("3NTE")
    assert second.players == (None, None, None, "w")


@pytest.mark.parametrize("game", ['[West "w"]', '[Board "4"]\n[Contract "Pass"]', '[Contract ""]'])
def test_a_game_without_results_or_with_its_own_board_inherits_nothing(game: str) -> None:
    assert parse_pbn(f'[Board "3"]\n{HEAD}\n{game}\n')[1].deal is None


def test_strict_reading_inherits_by_number_signs_only() -> None:
    file = parse_pbn(f'[Board "3"]\n{HEAD}\n[Contract "Pass"]\n', strict=True)
    assert file[1].deal is None


def test_strict_reading_raises_the_first_error() -> None:
    with pytest.raises(FormatError, match=r"f\.pbn:2:1: bad Dealer: found 'Black'"):
        parse_pbn('[Wrong "x"]\n[Dealer "Black"]\n[Board "x"]\n', strict=True, path="f.pbn")


def test_stray_text_and_comments_between_games_are_passed_over() -> None:
    text = f'% x\n\n{{c}}\n\n[Deal "{DEAL}"]\n\nGenerated 1 hand\nTime 0.1\n\n; end\n'
    assert one(text).deal == Deal.from_pbn(DEAL)


def test_latin_1_and_utf_8_with_a_mark_are_decoded() -> None:
    assert parse_pbn('[North "é"]'.encode("latin-1"))[0].player(Seat.NORTH) == "é"
    assert parse_pbn('\ufeff[North "ł"]'.encode())[0].player(Seat.NORTH) == "ł"


def test_export_is_as_the_standard_prints_it() -> None:
    auction = Auction.from_text("1H X 4H AP", Seat.NORTH)
    noted = Auction(auction.dealer, auction.calls, (Annotation(True, "5+"), *(None,) * 5))
    deal = Deal.from_pbn(DEAL)
    lead = Play(deal, Strain.HEARTS, Seat.EAST).with_card(Card.from_text("SA"))
    board = Board(
        number=1,
        dealer=Seat.NORTH,
        vulnerability=Vulnerability.NONE,
        deal=deal,
        auction=noted,
        contract=Contract.from_text("4HN"),
        play=lead,
        tags={"Annotator": 'A "B"'},
        site="Lódz\x85",
    )
    assert format_pbn([board]).decode("latin-1").split("\r\n") == [
        "% PBN 2.1",
        "% EXPORT",
        '[Event "?"]',
        '[Site "Lódz?"]',
        '[Date "?"]',
        '[Board "1"]',
        *(f'[{seat} "?"]' for seat in ("West", "North", "East", "South")),
        '[Dealer "N"]',
        '[Vulnerable "None"]',
        f'[Deal "{DEAL}"]',
        '[Scoring "?"]',
        '[Declarer "N"]',
        '[Contract "4H"]',
        '[Result "?"]',
        '[Annotator "A \\"B\\""]',
        '[Auction "N"]',
        "1H =1= X 4H Pass",
        "Pass Pass",
        '[Note "1:Alert: 5+"]',
        '[Play "E"]',
        "SA +  -  -",
        "",
    ]


def test_long_values_go_on_in_further_tags_of_at_most_255_characters() -> None:
    board = Board(event='"' * 300, tags={"Stage": "x" * 400, "Lin_nt": "one\n\n" + "y #" * 200})
    data = format_pbn([board])
    assert max(len(line) + 1 for line in data.split(b"\n")) <= 255
    assert parse_pbn(data)[0] == board
    assert parse_pbn(data, strict=True)[0] == board


def test_values_of_several_lines_are_tags_that_every_reader_accepts() -> None:
    """Chat was written as raw lines, which other readers took for broken tags."""
    tags = {"Lin_nt": 'ann: hi ;-)\nbob: {so} [North "x"]\n% bye'}
    board = replace(Board.numbered(1, DEAL), tags=tags)
    data = format_pbn([board])
    assert all(line.startswith((b"[", b"%")) for line in data.split(b"\r\n") if line)
    assert b'[Lin_nt__3 "% bye"]' in data
    assert parse_pbn(data, strict=True)[0] == board
    endplay_pbn = pytest.importorskip("endplay.parsers.pbn")
    assert endplay_pbn.loads(data.decode())[0].info["Lin_nt__2"].startswith("bob: {so}")


def test_long_notes_go_on_in_further_tags() -> None:
    note = Annotation(True, "5+ spades, " * 60 + "no more")
    auction = Auction("N", "1S AP", (note, None, Annotation(False, "short"), None))
    board = Board(dealer="N", auction=auction, contract="1SN")
    data = format_pbn([board])
    assert max(len(line) + 1 for line in data.split(b"\n")) <= 255
    assert parse_pbn(data, strict=True)[0] == board


def test_comments_are_kept_as_commentary() -> None:
    text = (
        f'[Board "1"] {{Lead a trump.}}\n[Vulnerable "None"]\n{HEAD}{{\n First the plan:\n\n'
        + "draw trumps " * 40
        + '\n}\n[Auction "N"]\n1C Pass 5H X AP\n; well done\n'
    )
    board = one(text)
    assert board.tags["Commentary"].startswith("Lead a trump.\nFirst the plan:\n\ndraw trumps")
    assert board.tags["Commentary"].endswith("draw trumps\nwell done")
    data = format_pbn([board])
    assert max(len(line) + 1 for line in data.split(b"\n")) <= 255
    again = parse_pbn(data, strict=True)[0]
    assert again.tags["Commentary"].split() == board.tags["Commentary"].split()
    assert parse_pbn(format_pbn([again]))[0] == again
    endplay_pbn = pytest.importorskip("endplay.parsers.pbn")
    assert len(endplay_pbn.loads(data.decode())) == 1


def test_letters_outside_latin_1_make_the_file_utf_8() -> None:
    board = Board(number=1, site="Łódź")
    data = format_pbn([board])
    assert data.startswith(b"\xef\xbb\xbf% PBN")
    assert parse_pbn(data, strict=True)[0] == board


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-8"])
def test_a_byte_order_mark_says_how_to_read_the_file(encoding: str) -> None:
    text = f'\ufeff[Board "1"]\r\n[North "Łucja"]\r\n[Deal "{DEAL}"]\r\n'
    data = text.encode(encoding)
    for board_file in (parse_pbn(data), parse_boards(data)):
        assert board_file[0].player("N") == "Łucja"
        assert board_file[0].deal == Deal.from_pbn(DEAL)
        assert not board_file.problems
    assert PbnDocument.from_bytes(data).to_bytes() == data


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("1H Pass 1D AP", "not higher than 1H; the auction is kept up to it"),
        ("1H Pass 9Z Pass 4H", "not a call: the auction is kept up to it"),
        ('1H =1= Pass "', "not a call: the auction is kept up to it"),
        ("1H Pass * 2H", "not a call: the auction is kept up to it"),
    ],
)
def test_an_auction_is_kept_up_to_what_is_wrong(section: str, message: str) -> None:
    text = (
        f'[Dealer "N"]\n[Declarer "N"]\n[Contract "4H"]\n[Auction "N"]\n{section}\n[Note "1:x"]\n'
    )
    board = one(text)
    assert str(board.auction) == "1H Pass"
    assert board.contract == Contract.from_text("4HN")
    assert messages(text)[0].endswith(message)
    assert parse_pbn(format_pbn([board]))[0] == board


def test_games_without_empty_lines_between_them_are_parted() -> None:
    text = (
        '[Event "a"]\n[Board "1"]\n[Room "Open"]\n[Room "IMP"]\n[Deal "N:A... K... Q... J..."]\n'
        '[Event "a"]\n[Board "2"]\n[Deal "N:K... A... Q... J..."]\n'
        '[Deal "N:K... Q... A... J..."]\n'
    )
    file = parse_pbn(text)
    assert [board.number for board in file] == [1, 2, None]
    assert [str(problem) for problem in file.problems] == [
        "<text>:4:1: tag exists already: found 'Room'",
        "<text>:6:1: no empty line before this game",
        "<text>:9:1: no empty line before this game",
    ]
    document = PbnDocument.from_text(text)
    assert len(document) == 3
    assert document.to_text() == text
    with pytest.raises(FormatError):
        parse_pbn(text, strict=True)


def test_a_value_without_quotes_is_taken_and_reported() -> None:
    file = parse_pbn('[Event Random Deal #]\n[Board "1"]\n')
    assert file[0].event == "Random Deal #"
    assert [str(problem) for problem in file.problems] == [
        "<text>:1:1: no quotes around the value: found '[Event Random Deal #]'"
    ]


def test_dates_of_other_programs_are_put_in_the_form_of_pbn() -> None:
    file = parse_pbn('[Date "2024-07-12"]\n\n[Date "2-Aug-2023"]\n\n[Date "last week"]\n')
    assert [board.date for board in file] == ["2024.07.12", "2023.08.02", "last week"]


def test_the_result_follows_from_a_play_to_the_last_card() -> None:
    text = (
        '[Deal "N:A... K... Q... J..."]\n[Declarer "N"]\n[Contract "1S"]\n[Play "E"]\nSK SQ SJ SA\n'
    )
    assert one(text).tricks_declarer == 1


def test_a_contract_without_declarer_takes_it_from_the_opening_lead() -> None:
    text = f'[Deal "{DEAL}"]\n[Contract "5C"]\n[Play "W"]\nSK\n*\n'
    board = one(text)
    assert board.contract == Contract.from_text("5CS")
    assert messages(text) == ["no declarer: S by the opening lead"]
    assert parse_pbn(format_pbn([board]))[0] == board


def test_a_contract_without_declarer_and_play_is_kept_as_pbn_writes_it() -> None:
    board = one(f'[Deal "{DEAL}"]\n[Contract "3N"]\n[Play "W"]\n*\n')
    assert board.contract is None
    assert board.tags["Contract"] == "3NT"
    assert b'[Contract "3NT"]' in format_pbn([board])


def test_a_section_that_cannot_be_read_is_kept_as_text() -> None:
    text = f'{HEAD}[Auction "N"]\n1D AC 5H\nX AP\n[Play "W"]\nSK H3 S4 SA\n'
    board = one(text)
    assert str(board.auction) == "1D"
    assert board.play is not None
    assert len(board.play) == 3
    assert board.tags == {"AuctionText": "1D AC 5H X AP", "PlayText": "SK H3 S4 SA"}
    assert parse_pbn(format_pbn([board]))[0] == board


def test_a_note_reference_without_its_end_is_read_and_reported() -> None:
    text = '[Dealer "N"]\n[Auction "N"]\n4NT Pass 5C=1 Pass\n[Note "1:no ace"]\n'
    board = one(text)
    assert board.auction is not None
    assert board.auction.annotation(2) == Annotation(False, "no ace")
    assert messages(text) == ["note reference without its end"]
    with pytest.raises(FormatError):
        parse_pbn(text, strict=True)


def test_a_table_of_results_with_other_column_names_is_read() -> None:
    board = one('[Board "1"]\n[OptimumResultTable "Declarer Suit Tricks"]\nN\nS\n8\n')
    assert board.tags == {"OptimumResultTable": "Declarer;Denomination;Result\nN S 8"}
    assert parse_pbn(format_pbn([board]), strict=True)[0] == board


def test_a_starred_call_is_an_alert_and_is_reported() -> None:
    text = '[Dealer "N"]\n[Auction "N"]\n1C* Pass 1H*=1= Pass\n4H* AP\n[Note "1:4+"]\n'
    board = one(text)
    assert board.contract == Contract.from_text("4HS")
    assert str(board.auction) == "1C Pass 1H Pass 4H Pass Pass Pass"
    assert board.auction is not None
    assert board.auction.annotations[:5] == (
        Annotation(True),
        None,
        Annotation(True, "4+"),
        None,
        Annotation(True),
    )
    problems = parse_pbn(text).problems
    assert [str(p) for p in problems][:1] == [
        "<text>:3:1: a star behind a call, read as an alert: found '1C*'"
    ]
    assert len(problems) == 3
    with pytest.raises(FormatError):
        parse_pbn(text, strict=True)


@pytest.mark.parametrize("end", ["Pass*", "Pass *", "Pass\n*", "*"])
def test_a_star_behind_the_last_pass_still_ends_the_auction(end: str) -> None:
    board = one(f'[Dealer "N"]\n[Auction "N"]\n1C Pass Pass {end}\n')
    assert board.auction is not None
    assert board.auction.annotations == ()


def test_a_reference_to_note_0_is_an_alert_and_a_missing_note_is_reported() -> None:
    text = '[Dealer "N"]\n[Auction "N"]\n1C =0= Pass 1H =7= Pass\n'
    board = one(text)
    assert board.auction is not None
    assert board.auction.annotations == (Annotation(True), None, None, None)
    assert [str(problem) for problem in parse_pbn(text).problems] == [
        "<text>:3:13: no note for a reference: found '=7='"
    ]


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        (DEAL.replace("A9732", "A973"), "North has 12 cards (expected as many in each hand, up"),
        ("N:AK... Q... JT... 98...", "East has 1 card (expected as many in each hand, up to 13)"),
    ],
)
def test_a_hand_with_too_few_cards_is_kept_and_reported(deal: str, message: str) -> None:
    file = parse_pbn(f'[Board "1"]\n[Deal "{deal}"]\n')
    assert file[0].deal == Deal.from_pbn(deal)
    assert [p.message.startswith(message) for p in file.problems] == [True]
    assert file.problems[0].line == 2


def test_a_deal_without_its_seat_is_read_from_north_and_reported() -> None:
    file = parse_pbn(f'[Deal "{DEAL.removeprefix("N:")}"]\n')
    assert file[0].deal == Deal.from_pbn(DEAL)
    assert file.problems[0].message == "no seat before the hands: the first is read as North's"


def test_endings_and_unknown_hands_are_no_problem() -> None:
    assert not messages('[Deal "N:AK... QJ... T9... 87..."]\n')
    assert not messages('[Deal "N:AK2.AK2.AK2.AK32 - - -"]\n')


def test_no_boards_make_a_file_without_games() -> None:
    assert format_pbn([]) == b"% PBN 2.1\r\n% EXPORT\r\n"
    assert parse_pbn(b"").boards == ()


def test_real_matches_are_read_whole() -> None:
    file = parse_pbn(shared_data("realplay", "endplay_example2.pbn").read_bytes())
    assert file.problems == ()
    assert len(file) == 299
    assert all(board.deal is not None and board.table is not None for board in file)
    for board in file:
        if board.play is not None and board.play.is_over and board.contract is not None:
            won = board.play.tricks_won(board.contract.declarer.side)
            assert won == board.tricks_declarer


def test_world_championship_file_is_repaired() -> None:
    file = parse_pbn(shared_data("realplay", "endplay_example3.pbn").read_bytes())
    assert len(file) == 7632
    assert sum(board.deal is not None for board in file) == 7632
    assert sum(board.auction is not None for board in file) == 7459
    assert sum(board.play is not None for board in file) == 7485
    assert not [p for p in file.problems if "illegal" in p.message]
    assert {Side.NS, Side.EW} == {b.contract.declarer.side for b in file if b.contract}


def test_a_note_without_text_is_no_annotation() -> None:
    text = '[Dealer "N"]\n[Auction "N"]\n1NT =1= Pass 2C =2= AP\n[Note "1:"]\n[Note "2:Stayman"]\n'
    board = parse_pbn(text)[0]
    assert board.auction is not None
    assert board.auction.annotation(0) is None
    assert board.auction.annotation(2) == Annotation(text="Stayman")
    assert parse_pbn(format_pbn([board]))[0].auction == board.auction
