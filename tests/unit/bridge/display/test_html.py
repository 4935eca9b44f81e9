"""HTML fragments."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

from hypothesis import given

from property.strategies import boards, plays
from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Call,
    Card,
    Deal,
    Hand,
    Play,
    Seat,
    Strain,
    Suit,
    Trick,
    TrickTable,
)
from setrograde.bridge.display import board_html, deal_html, play_html

DEAL = Deal.from_pbn("N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86")


class Reader(HTMLParser):
    """Checks that every element is closed in order; collects the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.tags: set[str] = set()
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def ranks(hand: Hand, suit: Suit) -> str:
    return " ".join(hand.holding(suit)).replace("T", "10") or "—"


@given(boards())
def test_any_board_gives_well_formed_html_with_all_its_cards(board: Board) -> None:
    page = Reader(board_html(board))
    assert not page.tags & {"script", "style", "link", "img"}
    if board.deal is not None:
        for hand in board.deal:
            for suit in Suit:
                assert not hand or f"{suit.symbol}\xa0{ranks(hand, suit)}" in page.text


@given(plays())
def test_any_play_gives_well_formed_html(play: Play) -> None:
    Reader(play_html(play))


def test_names_and_explanations_are_escaped() -> None:
    evil = "<script>alert('x')</script>"
    auction = Auction(Seat.NORTH).with_call(Call.from_text("1H"), Annotation(True, evil))
    board = replace(Board.numbered(1, DEAL), auction=auction, event=evil, players=(evil,) * 4)
    html = board_html(board)
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 6


def test_hearts_and_diamonds_are_red_and_blacks_take_the_theme_colour() -> None:
    html = deal_html(DEAL)
    assert html.count("color:#e03131") == 8
    assert "background:#" not in html
    assert "color:#000" not in html


def test_values_show_themselves_in_notebooks() -> None:
    play = Play(DEAL, Strain.NOTRUMP, Seat.WEST, (Card.from_text("S3"),))
    values = (
        DEAL,
        DEAL[Seat.NORTH],
        Auction.from_text("1NT AP", dealer=Seat.NORTH),
        play,
        TrickTable.from_function(lambda seat, strain: 7),
        Board.numbered(1, DEAL),
    )
    for value in values:
        assert Reader(value._repr_html_()).text


def test_cards_on_the_table_replace_the_letters_of_the_compass() -> None:
    text = Reader(deal_html(DEAL, trick=Trick(Seat.WEST, (Card.from_text("HT"),)))).text
    assert "♥10" in text


def test_position_after_the_cards_played_is_drawn() -> None:
    play = Play(DEAL, Strain.NOTRUMP, Seat.WEST, (Card.from_text("S3"),))
    text = Reader(play_html(play)).text
    assert "♠\xa05 4♥" in text.replace(" \xa0", "")


def test_unknown_hand_is_said_to_be_unknown() -> None:
    assert deal_html(Deal.from_pbn("N:AK... QJ... - -")).count("not known") == 2
