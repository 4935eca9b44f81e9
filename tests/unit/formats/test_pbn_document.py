"""PBN as a document: nothing lost, single tags changed."""

from __future__ import annotations

import pytest

from setrograde.bridge import InvalidInput
from setrograde.formats.pbn import ItemKind, PbnDocument
from support import SHARED_DATA, shared_data

TWO_GAMES = (
    b"% PBN 2.1\r\n% EXPORT\r\n"
    b'[Event "one"] ; a comment\r\n[Board "1"]\r\n{ two\r\n\r\nlines }\r\n[Result "9"]\r\n'
    b'[Auction "N"]\r\n1H Pass\r\n% hidden\r\n4H AP\r\n[Note "1: x"]\r\n'
    b"\r\n \t\r\n"
    b'[Board "2"]\r\n[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\r\nN NT 7\r\n'
)


def corpus() -> list[str]:
    return sorted(str(p.relative_to(SHARED_DATA)) for p in SHARED_DATA.glob("*/*.pbn"))


def games(data: bytes) -> list[dict[str, str]]:
    return [game.tags for game in PbnDocument.from_bytes(data)]


@pytest.mark.parametrize("name", corpus())
def test_every_known_file_comes_back_byte_for_byte(name: str) -> None:
    data = shared_data(*name.split("/")).read_bytes()
    assert PbnDocument.from_bytes(data).to_bytes() == data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xef\xbb\xbf",
        b'\xef\xbb\xbf[Event "\xc3\xa9"]\n',
        b'\xef\xbb\xbf[Event "\xe9"]\n',
        b'[Event "a"]\r[Site "b"]\r\r[Event "c"]\n\r',
        b'[Event "a"',
        b'{ never closed\n\n[Board "1"]\n',
        b"junk \x00\x1a\xff",
        b'<html><PBN>\n[Board "1"]\n</PBN></html>',
        b'\t[ Board\t"1"\n ]\t[Room"Open" ]  ',
        TWO_GAMES,
    ],
)
def test_any_bytes_come_back_unchanged(data: bytes) -> None:
    assert PbnDocument.from_bytes(data).to_bytes() == data


def test_blank_lines_inside_a_comment_do_not_end_a_game() -> None:
    assert games(TWO_GAMES)[0] == {"Event": "one", "Board": "1", "Result": "9", "Auction": "N"}


def test_braces_do_not_nest() -> None:
    data = b'[A ""]\n{ {} { open\n\n{ {{ }[B ""]\n\n[C ""]\n'
    assert games(data) == [{"A": "", "B": ""}, {"C": ""}]


def test_percent_sign_escapes_only_in_the_first_column_and_outside_comments() -> None:
    data = b'[A ""]\n{\n%\n}\n[B ""]\n % [C ""]\n%[D ""]\n'
    assert games(data) == [{"A": "", "B": "", "C": ""}]


def test_unclosed_comment_costs_one_line_only() -> None:
    assert games(b'[A ""] { oops\n[B ""]\n\n[C ""]\n') == [{"A": "", "B": ""}, {"C": ""}]


def test_brace_in_table_data_does_not_swallow_the_next_game() -> None:
    data = b'[ActionTable "Rank"]\n1 {\n\n[A ""]\n2 }\n'
    assert [list(tags) for tags in games(data)] == [["ActionTable"], ["A"]]


def test_text_outside_embedding_delimiters_is_no_game() -> None:
    data = b'<p>[Event "no"]</p>\n<PBN>\n[Event "yes"]\n</PBN>\n[Event "no"]\n<PBN>[Event "two"]'
    assert games(data) == [{"Event": "yes"}, {"Event": "two"}]


def test_blocks_without_tags_are_no_games() -> None:
    data = b'% only an escape\n\n{ only a comment }\n\n[Board "1"]\n\nstatistics: 42 hands\n'
    document = PbnDocument.from_bytes(data)
    assert [game.tags for game in document] == [{"Board": "1"}]
    assert document.prefix.startswith("% only")
    assert document.to_bytes() == data


def test_quotes_and_backslashes_in_values_are_unescaped_and_escaped() -> None:
    game = PbnDocument.from_bytes(rb'[East "\\\"\\ \a"]').games[0]
    assert game.get("East") == '\\"\\ \\a'
    for value in ("\\", '"', '\\"', "a\\", "\\\\", "\\\\x", "Result\\2R", '""'):
        again = PbnDocument.from_text(game.with_tag("East", value).text)
        assert again.games[0].get("East") == value


def test_changing_a_tag_changes_only_its_value() -> None:
    document = PbnDocument.from_bytes(TWO_GAMES)
    changed = document.replace_game(0, document.games[0].with_tag("Event", 'a "b"'))
    assert changed.to_bytes() == TWO_GAMES.replace(b'"one"', rb'"a \"b\""')


def test_first_of_repeated_tags_counts() -> None:
    assert games(b'[Room "Open"]\n[Room "IMP"]\n') == [{"Room": "Open"}]


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("Site", b'[Board "1"]'),
        ("Vulnerable", b'[Result "9"]'),
        ("Room", b'[Auction "N"]'),
        ("ScoreTable", b"\r\n \t\r\n"),
    ],
)
def test_a_new_tag_goes_where_export_format_has_it(name: str, before: bytes) -> None:
    document = PbnDocument.from_bytes(TWO_GAMES)
    changed = document.replace_game(0, document.games[0].with_tag(name, "x"))
    assert changed.to_bytes() == TWO_GAMES.replace(before, f'[{name} "x"]\r\n'.encode() + before, 1)


def test_a_section_is_replaced_and_its_neighbours_stay() -> None:
    document = PbnDocument.from_bytes(TWO_GAMES)
    game = document.games[1].with_section("OptimumResultTable", "Declarer;Result", ["N 8", "S 8"])
    expected = b'[Board "2"]\r\n[OptimumResultTable "Declarer;Result"]\r\nN 8\r\nS 8\r\n'
    assert document.replace_game(1, game).to_bytes().endswith(expected)
    assert game.section("OptimumResultTable") == ("N 8", "S 8")


def test_a_section_keeps_the_comments_behind_its_tag() -> None:
    game = PbnDocument.from_bytes(b'[ScoreTable "Rank"] {ten best}\n1\n2').games[0]
    assert game.with_section("ScoreTable", "Rank", ["3"]).text == (
        '[ScoreTable "Rank"] {ten best}\n3\n'
    )


def test_adding_to_a_file_without_final_newline_starts_a_new_line() -> None:
    game = PbnDocument.from_bytes(b'[Board "1"]').games[0]
    assert game.with_tag("Room", "Open").text == '[Board "1"]\n[Room "Open"]\n'


def test_section_lines_leave_out_comments_and_escapes() -> None:
    game = PbnDocument.from_bytes(TWO_GAMES).games[0]
    assert game.section("Auction") == ("1H Pass", "4H AP")
    assert game.section("Play") is None
    assert game.comments == ("a comment", "two\r\n\r\nlines")


def test_items_name_their_kinds() -> None:
    kinds = [
        item.kind for item in PbnDocument.from_bytes(b'{c}\n[A ""]\ndata\n%e\n\n').games[0].items
    ]
    assert kinds == [
        ItemKind.COMMENT,
        ItemKind.TAG,
        ItemKind.DATA,
        ItemKind.ESCAPE,
        ItemKind.BLANK,
    ]


def test_letters_outside_latin_1_become_question_marks() -> None:
    game = PbnDocument.from_bytes(b'[North ""]').games[0].with_tag("North", "Łódź é")
    data = PbnDocument("", (game,)).to_bytes()
    assert data == '[North "?ód? é"]'.encode("latin-1")


@pytest.mark.parametrize("name", ["", "A B", 'A"', "Ä"])
def test_bad_tag_names_are_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="not a tag name"):
        PbnDocument.from_bytes(b'[A ""]').games[0].with_tag(name, "x")


@pytest.mark.parametrize("line", ["", "  ", "a\nb"])
def test_bad_section_lines_are_refused(line: str) -> None:
    with pytest.raises(InvalidInput, match="not a line"):
        PbnDocument.from_bytes(b'[A ""]').games[0].with_section("B", "", [line])


@pytest.mark.parametrize(
    "piece", ["{", "[", '[A "', "%\n", ";", '"', "{\n\n", '[XTable ""]\n1 {\n', "\n", "\r", "[\n"]
)
def test_scanning_takes_time_in_proportion_to_length(piece: str) -> None:
    text = piece * (400_000 // len(piece))
    assert PbnDocument.from_text(text).to_text() == text


def test_a_section_goes_before_blanks_at_the_end_of_the_file() -> None:
    game = PbnDocument.from_bytes(b'[Deal "N:- - - -"]\n ').games[0]
    changed = game.with_section("ActionTable", "Rank", ["1"])
    assert changed.text == '[Deal "N:- - - -"]\n[ActionTable "Rank"]\n1\n '


def test_mixed_line_ends_do_not_merge_two_games() -> None:
    document = PbnDocument.from_bytes(b'[Deal "x"]\r[Event "a"]\n\n[Event "b"]')
    changed = document.replace_game(0, document.games[0].with_section("ActionTable", "Rank", ["1"]))
    again = PbnDocument.from_bytes(changed.to_bytes())
    assert [game.get("Event") for game in again] == ["a", "b"]
