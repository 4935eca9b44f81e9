"""Laws of RBN: boards round-trip, no input raises."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from property.laws import check_reader
from property.strategies import boards, tables
from setrograde.bridge import Auction, Board, TrickTable
from setrograde.formats.rbn import format_rbn, parse_rbn
from setrograde.formats.rbn.notation import format_makes, parse_makes

_KEPT_TAGS = ("Stage", "HomeTeam", "VisitTeam")


def _as_rbn(board: Board) -> Board:
    """The board without what RBN has no place for."""
    return replace(
        board,
        play=board.play if board.play is not None and board.play.cards else None,
        auction=_ten_notes(board.auction),
        tags={tag: text for tag, text in board.tags.items() if tag in _KEPT_TAGS},
    )


def _ten_notes(auction: Auction | None) -> Auction | None:
    if auction is None or not auction.annotations:
        return auction
    texts: list[str] = []
    notes = []
    for note in auction.annotations:
        if note is not None and note.text and note.text not in texts:
            texts.append(note.text)
            if len(texts) > 10:
                note = replace(note, text="") if note.alerted else None
        notes.append(note)
    return replace(auction, annotations=tuple(notes))


@given(st.lists(boards(exclude=":+}"), max_size=3))
def test_boards_round_trip(items: list[Board]) -> None:
    text = format_rbn(items)
    read = parse_rbn(text, strict=True)
    assert list(read) == [_as_rbn(board) for board in items]
    assert format_rbn(read) == text


@given(tables())
def test_makes_round_trip(table: TrickTable) -> None:
    assert parse_makes(format_makes(table)) == table


@given(st.lists(st.integers(0, 13), min_size=5, max_size=5), st.booleans(), st.booleans())
def test_makes_of_balanced_tables_round_trip(
    tricks: list[int], is_fair: bool, is_even: bool
) -> None:
    table = TrickTable.from_function(
        lambda seat, strain: (
            tricks[strain]
            if seat % 2 == 0 or not is_fair
            else max(0, 13 - tricks[strain] - (seat == 1 and not is_even))
        )
    )
    assert parse_makes(format_makes(table)) == table


_LINES = st.sampled_from(
    [
        "",
        "B 3",
        "H N:A...:K...:Q...:J...",
        "A NZ:1S^1A",
        "A NZ:PPPP",
        "1 note",
        "C 1S:N",
        "C P",
        "P SKQ",
        "R 1",
        "M ::77777=:!!",
        "N a+b:c+d:O",
        "D 2026",
        "K a:b:1:2",
        "{text}",
        "{open",
        "X other",
    ]
)


@given(
    st.binary()
    | st.text()
    | st.lists(
        _LINES
        | st.tuples(st.sampled_from("BHACPRMNDK"), st.text("NZ:1SAKX^*!P 0?", max_size=8)).map(
            " ".join
        ),
        max_size=15,
    ).map("\n".join)
)
def test_lenient_reading_never_raises(data: bytes | str) -> None:
    read = check_reader(parse_rbn, data)
    again = parse_rbn(format_rbn(read))
    assert [board.deal for board in again] == [board.deal for board in read]
