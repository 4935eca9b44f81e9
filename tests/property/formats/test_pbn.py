"""Laws of PBN: what is written is read back, and nothing breaks a reader."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from property.strategies import boards as some_boards
from property.strategies import names
from setrograde.bridge import Board
from setrograde.formats import FormatError
from setrograde.formats.pbn import PbnDocument, format_pbn, parse_pbn, verify_pbn

PBN_PIECES = st.sampled_from(
    (
        *('[Event "', '"]', "\n", "\r\n", "\r", "{", "}", ";", "%", '[Auction "N"]\n', "1H", "AP"),
        *('[Play "E"]\n', "SA", "-", "*", "+", "=1=", "$3", "!?", "^R", '[Note "1:', "#", "##"),
        *('[Deal "N:AK... QJ... T9... 87..."]', '[Contract "2S"]', '[Declarer "N"]', "[", "]"),
        *('[OptimumResultTable "Declarer;Result"]\n', "N NT 7 ", "<PBN>", "</PBN>", "\ufeff"),
        *("\\", "\x00", '[Dealer "N"]', '[Result "9"]', '[ScoreTable "+Rank"]\n', "% EXPORT\n"),
    )
)


def _as_read_back(board: Board) -> Board:
    """`?` is how PBN says unknown; an explanation without words says nothing."""

    def known(text: str | None) -> str | None:
        return None if text == "?" else text

    north, east, south, west = (known(name) for name in board.players)
    auction = board.auction
    if auction is not None and auction.annotations and not any(auction.annotations):
        auction = replace(auction, annotations=())
    return replace(
        board,
        players=(north, east, south, west),
        event=known(board.event),
        site=known(board.site),
        auction=auction,
    )


@given(st.lists(some_boards(), min_size=1, max_size=3))
def test_written_boards_are_read_back_the_same(boards: list[Board]) -> None:
    file = parse_pbn(format_pbn(boards))
    assert list(file) == [_as_read_back(board) for board in boards]
    assert file.problems == ()


@given(st.lists(some_boards(dealt=True), min_size=1, max_size=2))
def test_import_format_is_read_back_the_same(boards: list[Board]) -> None:
    data = format_pbn(boards, export=False)
    assert list(parse_pbn(data)) == [_as_read_back(board) for board in boards]


@given(st.lists(some_boards(), min_size=1, max_size=2))
def test_written_files_pass_the_verifier(boards: list[Board]) -> None:
    data = format_pbn(boards)
    problems = [problem for problem in verify_pbn(data) if "unusual" not in problem.message]
    assert problems == []
    assert list(parse_pbn(data, strict=True)) == list(parse_pbn(data))


@settings(max_examples=300)
@given(st.lists(PBN_PIECES | st.text(max_size=3), max_size=40).map("".join))
def test_any_text_is_read_and_kept(text: str) -> None:
    data = text.encode("utf-8")
    assert PbnDocument.from_bytes(data).to_bytes() == data
    assert PbnDocument.from_text(text).to_text() == text
    parse_pbn(data)
    parse_pbn(text)
    verify_pbn(text)
    with suppress(FormatError):
        parse_pbn(text, strict=True)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_and_kept(data: bytes) -> None:
    assert PbnDocument.from_bytes(data).to_bytes() == data
    parse_pbn(data)


@given(some_boards(), names())
def test_a_changed_tag_is_the_only_change(board: Board, name: str) -> None:
    data = format_pbn([board, board])
    document = PbnDocument.from_bytes(data)
    changed = document.replace_game(1, document.games[1].with_tag("Annotator", name))
    again = PbnDocument.from_bytes(changed.to_bytes())
    assert again.games[1].get("Annotator") == name
    assert again.games[0] == document.games[0]
    assert again.games[1].without_tag("Annotator") == document.games[1].without_tag("Annotator")
