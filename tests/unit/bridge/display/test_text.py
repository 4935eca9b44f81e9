"""Text diagrams."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from property.strategies import auctions, boards, deals, plays, tables
from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Call,
    Card,
    Contract,
    Deal,
    Hand,
    Play,
    Seat,
    Side,
    Strain,
    Suit,
    Trick,
    TrickTable,
    Vulnerability,
)
from setrograde.bridge.display import (
    format_auction,
    format_board,
    format_deal,
    format_hand,
    format_play,
    format_table,
)

DEAL = Deal.from_pbn("N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86")


def read_diagram(text: str) -> dict[Seat, Hand]:
    """Find the hands again in an ASCII diagram without a caption."""
    lines = text.splitlines()
    split = lines[5].index("+")

    def hand(rows: list[str]) -> Hand:
        assert [row[0] for row in rows] == ["S", "H", "D", "C"]
        return Hand.from_text(".".join([row[2:].strip().replace("-", "") for row in rows]))

    return {
        Seat.NORTH: hand([line.strip() for line in lines[1:5]]),
        Seat.WEST: hand([line[:split].strip() for line in lines[6:10]]),
        Seat.EAST: hand([line[split + 11 :].strip() for line in lines[6:10]]),
        Seat.SOUTH: hand([line.strip() for line in lines[11:15]]),
    }


@given(deals(None))
def test_every_card_stands_at_its_place_in_the_diagram(deal: Deal) -> None:
    found = read_diagram(format_deal(deal, ascii=True))
    assert all(found[seat] == deal[seat] for seat in Seat)


@given(boards())
def test_any_board_can_be_shown_and_ascii_is_ascii(board: Board) -> None:
    text = format_board(board, ascii=True)
    assert text.isascii()
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert format_board(board)
    if board.deal is not None:
        for seat in Seat:
            for suit in Suit:
                assert board.deal[seat].holding(suit) in text


@given(boards())
def test_no_line_ends_in_blanks(board: Board) -> None:
    assert all(line == line.rstrip() for line in format_board(board).splitlines())


def test_unknown_hand_is_said_to_be_unknown() -> None:
    assert format_deal(Deal.from_pbn("N:AK... QJ... - -")).count("not known") == 2


def test_empty_deal_is_shown_as_voids() -> None:
    empty = Deal((Hand(), Hand(), Hand(), Hand()))
    assert format_deal(empty).count("—") == 16


def test_players_dealer_and_vulnerability_stand_in_the_diagram() -> None:
    text = format_deal(
        DEAL,
        dealer=Seat.WEST,
        vulnerability=Vulnerability.BOTH,
        players=("Ann", "Bob", "Cecil", "Doris"),
    )
    for words in ("Dealer West", "All vulnerable", "North: Ann", "East: Bob", "West: Doris"):
        assert words in text


def test_cards_on_the_table_lie_inside_the_compass() -> None:
    trick = Trick(Seat.WEST, (Card.from_text("S5"), Card.from_text("SA")))
    middle = format_deal(DEAL, trick=trick).splitlines()[5:10]
    assert "♠A" in middle[1]
    assert "♠5" in middle[2]
    assert "E" in middle[2]
    assert "S" in middle[3]


def test_wide_letters_keep_columns_straight() -> None:
    text = format_deal(DEAL, players=(None, None, None, "名人"))
    box = [line for line in text.splitlines() if "│" in line or "┌" in line]
    # Two ideographs fill four places of a terminal, so that line has two letters fewer.
    assert box[0].index("┌") == box[1].index("│") - 2


def test_control_characters_of_a_file_never_reach_the_terminal() -> None:
    board = replace(Board.numbered(1, DEAL), players=("\x1b[2J", None, None, None), event="a\nb")
    text = format_board(board)
    assert "\x1b" not in text
    assert "a b" in text


def test_players_of_a_board_without_cards_are_named() -> None:
    board = replace(Board.numbered(1), players=("Ann", None, None, None))
    assert "North: Ann" in format_board(board)


def test_hand_on_one_line() -> None:
    assert format_hand(Hand.from_text("AT.K..432"), ascii=True) == "S AT  H K  D -  C 432"


def test_auction_starts_in_the_column_of_the_dealer() -> None:
    for seat, column in ((Seat.WEST, 0), (Seat.NORTH, 10), (Seat.EAST, 20), (Seat.SOUTH, 30)):
        head, row = format_auction(Auction.from_text("1NT AP", dealer=seat)).splitlines()[:2]
        assert row.index("1NT") == column == head.index(seat.name.title())


def test_auction_in_progress_asks_for_the_next_call() -> None:
    assert format_auction(Auction.from_text("1C 1H", dealer=Seat.WEST)).split()[-1] == "?"


def test_passes_at_the_end_are_folded_unless_something_was_said() -> None:
    auction = Auction.from_text("1S AP", dealer=Seat.WEST)
    assert "All pass" in format_auction(auction)
    annotated = replace(auction, annotations=(None, None, Annotation(text="thought"), None))
    text = format_auction(annotated)
    assert "All pass" not in text
    assert "[1] Pass: thought" in text


def test_board_passed_out_lists_four_passes() -> None:
    text = format_auction(Auction.from_text("AP", dealer=Seat.SOUTH))
    assert text.count("Pass") == 4
    board = replace(Board.numbered(1), auction=Auction.from_text("AP", dealer=Seat.NORTH))
    assert format_board(board).endswith("Passed out")


def test_alerts_are_marked_and_explanations_numbered() -> None:
    auction = Auction(Seat.WEST).with_call(Call.from_text("1C"), Annotation(True, "16+ points"))
    auction = auction.with_call(Call.DOUBLE, Annotation(False, "majors"))
    auction = auction.with_call(Call.REDOUBLE, Annotation(True))
    text = format_auction(auction)
    assert "1♣! [1]" in text
    assert "X [2]" in text
    assert "XX!" in text
    assert "[1] 1♣: 16+ points" in text
    assert "[2] X: majors" in text


def test_long_explanations_are_wrapped() -> None:
    words = "at least five hearts and four spades with eleven or more points " * 5
    auction = Auction(Seat.WEST).with_call(Call.from_text("2D"), Annotation(True, words))
    lines = format_auction(auction).splitlines()
    assert all(len(line) <= 78 for line in lines)
    assert " ".join(" ".join(lines[2:]).split()) == "[1] 2♦: " + words.strip()


@given(auctions())
def test_every_call_of_an_auction_is_shown_in_its_column(auction: Auction) -> None:
    lines = format_auction(replace(auction, annotations=()), ascii=True).splitlines()
    shown = " ".join(lines[1:]).replace("All pass", "Pass Pass Pass").replace("?", "").split()
    assert shown == [str(call) for call in auction.calls]


@given(plays())
def test_trick_table_shows_every_card_once_and_counts_tricks(play: Play) -> None:
    lines = format_play(play, ascii=True).splitlines()
    rows = [line for line in lines[1:] if line[:2].strip().isdigit()]
    shown = [word.strip(">*") for row in rows for word in row[2:].split()[:-2]]
    assert sorted(shown) == sorted(map(str, play.cards))
    if rows:
        ns, ew = map(int, rows[-1].split()[-2:])
        assert (ns, ew) == (play.tricks_won(Side.NS), play.tricks_won(Side.EW))


def test_leader_and_winner_of_a_trick_are_marked() -> None:
    cards = tuple(Card.from_text(text) for text in ("S3", "SA", "SJ", "S6"))
    text = format_play(Play(DEAL, Strain.NOTRUMP, Seat.WEST, cards))
    assert ">♠3 " in text
    assert " ♠A*" in text


def test_claim_is_told() -> None:
    play = Play(DEAL, Strain.NOTRUMP, Seat.WEST).claim(9)
    assert "declarer takes 9 tricks" in format_play(play)


@given(tables())
def test_table_has_a_number_for_every_contract(table: TrickTable) -> None:
    lines = format_table(table, ascii=True).splitlines()
    assert lines[0].split() == ["NT", "S", "H", "D", "C"]
    for seat, line in zip(Seat, lines[1:], strict=True):
        assert [int(word) for word in line.split()[1:]] == list(reversed(table.rows[seat]))


@pytest.mark.parametrize(
    ("contract", "tricks", "words"),
    [
        ("4SN", 10, "4♠ by North, made exactly (10 tricks), N-S +420"),
        ("4SN", 11, "4♠ by North, made with 1 overtrick (11 tricks), N-S +450"),
        ("1NTE", 9, "1NT by East, made with 2 overtricks (9 tricks), E-W +150"),
        ("3DXW", 1, "3♦X by West, down 8 (1 trick), N-S +2000"),
        ("Pass", None, "Passed out"),
    ],
)
def test_result_is_told_in_words(contract: str, tricks: int | None, words: str) -> None:
    board = replace(Board.numbered(1), contract=Contract.from_text(contract))
    board = replace(board, tricks_declarer=tricks)
    assert format_board(board).splitlines()[-1] == words


def test_result_follows_from_a_play_to_the_end() -> None:
    deal = Deal.from_pbn("N:A... K... Q... J...")
    cards = tuple(Card.from_text(text) for text in ("SK", "SQ", "SJ", "SA"))
    board = Board.numbered(1, deal)
    board = replace(board, contract=Contract.from_text("1NTN"))
    board = replace(board, play=Play(deal, Strain.NOTRUMP, Seat.EAST, cards))
    assert "1NT by North, lead ♠K, down 6 (1 trick)" in format_board(board)
