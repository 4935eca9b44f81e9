"""Laws of LIN: bytes are kept, boards round-trip, reading never raises."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from property.laws import check_reader
from property.strategies import boards
from setrograde.bridge import Board
from setrograde.formats.lin import LinDocument, format_lin, parse_lin

_KEYS = ["md", "mb", "an", "pc", "mc", "sv", "ah", "pn", "qx", "vg", "rs", "bn", "st", "pg", "nt"]
_VALUES = [
    "3SAKQHAKQDAKQCAKQJ,SJT98HJT98DJT98CT,S765H765D7654C987,",
    "1SA,SK,SQ,SJ",
    "1N",
    "p",
    "ppp",
    "d",
    "SA",
    "HJH5H2HA",
    "o1",
    "c1",
    "Board 3",
    "a,b,c,d",
    "a,b,I,1,2,c,0,d,0",
    "1NS=,PASS",
]
_TOKENS = st.tuples(
    st.sampled_from(_KEYS), st.sampled_from(_VALUES) | st.text(max_size=6), st.sampled_from("|\n")
).map(lambda parts: f"{parts[0]}|{parts[1]}{parts[2]}")
lin_like = st.lists(_TOKENS | st.text("|\n%mb 1C", max_size=3), max_size=30).map("".join)


def _as_lin(board: Board) -> Board:
    """The board without what LIN has no place for."""
    auction = board.auction
    contract = auction.contract if auction is not None else None
    play = board.play if contract is not None and board.play and board.play.cards else None
    return Board(
        number=board.number,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        deal=board.deal,
        auction=auction,
        contract=contract,
        play=play,
        tricks_declarer=board.tricks_declarer if contract is not None else None,
        players=board.players,
        room=board.room if board.number is not None else None,
    )


@given(st.lists(boards(exclude="|,"), max_size=3))
def test_boards_round_trip(items: list[Board]) -> None:
    # The rooms of one board share a deal in LIN; give each board its own number.
    numbered = [
        replace(board, number=None if board.number is None else 10 * board.number + place)
        for place, board in enumerate(items)
    ]
    expected = [_as_lin(board) for board in numbered]
    read = parse_lin(format_lin(numbered), strict=True)
    assert list(read) == expected
    assert format_lin(read) == format_lin(numbered)


@given(st.binary() | lin_like.map(str.encode) | st.binary().map(lambda tail: b"md|1|mb|" + tail))
def test_documents_give_back_the_same_bytes(data: bytes) -> None:
    assert LinDocument.from_data(data).to_bytes() == data


@given(lin_like, st.data())
def test_changing_one_value_keeps_the_others(text: str, data: st.DataObject) -> None:
    document = LinDocument.from_data(text)
    if not document.tokens:
        return
    index = data.draw(st.integers(0, len(document) - 1))
    changed = document.with_value(index, "new")
    assert changed.with_value(index, document.tokens[index].value) == document
    assert changed.tail == document.tail


@given(st.binary() | st.text() | lin_like)
def test_lenient_reading_never_raises(data: bytes | str) -> None:
    check_reader(parse_lin, data)


@given(lin_like)
def test_what_was_read_leniently_can_be_written(text: str) -> None:
    read = parse_lin(text)
    again = parse_lin(format_lin(read))
    assert [board.deal for board in again] == [board.deal for board in read]
    assert [board.number for board in again] == [board.number for board in read]
