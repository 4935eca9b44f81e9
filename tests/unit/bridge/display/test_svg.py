"""SVG pictures."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

from hypothesis import given

from property.strategies import boards
from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Call,
    Card,
    Deal,
    Seat,
    Suit,
    Trick,
    Vulnerability,
)
from setrograde.bridge.display import board_svg, boards_svg, deal_svg

DEAL = Deal.from_pbn("N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86")
SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


@given(boards())
def test_any_board_gives_valid_xml_with_all_its_cards(board: Board) -> None:
    shown = words(board_svg(board))
    if board.deal is not None:
        for hand in board.deal:
            for suit in Suit:
                ranks = " ".join(hand.holding(suit)).replace("T", "10")
                assert not ranks or ranks in shown


def test_picture_has_a_size_and_a_namespace() -> None:
    root = ElementTree.fromstring(deal_svg(DEAL))
    assert root.tag == f"{SVG}svg"
    assert int(root.attrib["width"]) > 250
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"


def test_hands_stand_around_the_compass() -> None:
    root = ElementTree.fromstring(deal_svg(DEAL))
    places = {}

    def walk(node: ElementTree.Element, x: float, y: float) -> None:
        transform = node.attrib.get("transform", "")
        if transform:
            dx, dy = map(float, transform.removeprefix("translate(").removesuffix(")").split())
            x, y = x + dx, y + dy
        if node.tag == f"{SVG}text":
            places["".join(node.itertext())] = (x, y)
        for child in node:
            walk(child, x, y)

    walk(root, 0, 0)
    north, east, south, west = (places[name] for name in ("North", "East", "South", "West"))
    assert west[0] < north[0] == south[0] < east[0]
    assert north[1] < west[1] == east[1] < south[1]


def test_vulnerable_sides_have_red_edges() -> None:
    red = 'fill="#c8102e" stroke'
    assert deal_svg(DEAL, vulnerability=Vulnerability.NONE).count(red) == 0
    assert deal_svg(DEAL, vulnerability=Vulnerability.EW).count(red) == 2
    assert deal_svg(DEAL, vulnerability=Vulnerability.BOTH).count(red) == 4


def test_dealer_is_ringed() -> None:
    assert "<circle" not in deal_svg(DEAL)
    assert deal_svg(DEAL, dealer=Seat.EAST).count("<circle") == 1


def test_cards_on_the_table_are_drawn() -> None:
    assert "♦10" in words(deal_svg(DEAL, trick=Trick(Seat.EAST, (Card.from_text("DT"),))))


def test_markup_and_control_characters_in_names_do_no_harm() -> None:
    board = replace(Board.numbered(1, DEAL), players=("<&>", "\x00\x1b", "\ud800", '"'))
    shown = words(board_svg(board))
    assert "North: <&>" in shown
    assert "South: ?" in shown


def test_long_explanations_do_not_widen_the_picture() -> None:
    auction = Auction(Seat.WEST).with_call(Call.from_text("2D"), Annotation(True, "words " * 80))
    root = ElementTree.fromstring(board_svg(replace(Board.numbered(1, DEAL), auction=auction)))
    assert int(root.attrib["width"]) < 600
    assert "".join(root.itertext()).count("words") == 80


def test_several_boards_stand_below_each_other() -> None:
    one = ElementTree.fromstring(board_svg(Board.numbered(1, DEAL)))
    two = ElementTree.fromstring(boards_svg([Board.numbered(1, DEAL), Board.numbered(2, DEAL)]))
    assert int(two.attrib["height"]) == 2 * int(one.attrib["height"])
