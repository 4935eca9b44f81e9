"""Laws of viewer links: both forms round-trip, no text raises."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from property.laws import check_reader
from property.strategies import boards
from setrograde.bridge import Board
from setrograde.formats.bbo import format_bbo, format_bbo_link, parse_bbo, parse_bbo_link


def _as_link(board: Board, *, has_room: bool) -> Board:
    """The board without what a link has no place for."""
    contract = board.auction.contract if board.auction is not None else None
    return Board(
        number=board.number,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        deal=board.deal,
        auction=board.auction,
        contract=contract,
        play=board.play if contract is not None and board.play and board.play.cards else None,
        tricks_declarer=board.tricks_declarer if contract is not None else None,
        players=board.players,
        room=board.room if has_room and board.number is not None else None,
    )


@given(boards(exclude="|,", dealt=True))
def test_lin_links_round_trip(board: Board) -> None:
    assert parse_bbo_link(format_bbo_link(board)) == _as_link(board, has_room=True)


@given(boards(exclude="|,()", dealt=True))
def test_hand_links_round_trip(board: Board) -> None:
    link = format_bbo_link(board, form="hands")
    assert parse_bbo_link(link) == _as_link(board, has_room=False)


@given(st.lists(boards(exclude="|,", dealt=True), max_size=3))
def test_lists_of_links_round_trip(items: list[Board]) -> None:
    read = parse_bbo(format_bbo(items), strict=True)
    assert list(read) == [_as_link(board, has_room=True) for board in items]


_PARTS = st.sampled_from(
    ["n=sA", "e=sK", "s=sQhd", "w=sJ", "d=n", "v=b", "b=3", "a=1Nppp", "p=SKSQ", "c=1", "a=(", "?"]
)


@given(
    st.binary()
    | st.text()
    | st.lists(_PARTS | st.text("&=?#%+12cCnN()", max_size=5), max_size=12).map("&".join)
    | st.text("|mbdpc1CSA% +&", max_size=20).map(lambda text: f"?lin=md|1|{text}")
)
def test_lenient_reading_never_raises(data: bytes | str) -> None:
    check_reader(parse_bbo, data)
