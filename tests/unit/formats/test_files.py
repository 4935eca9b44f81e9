"""Recognising, reading and writing files of any format."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setrograde.bridge import Board, Deal, InvalidInput
from setrograde.formats.files import (
    FORMATS,
    detect_format,
    format_boards,
    format_of_name,
    parse_boards,
    read_boards,
    write_boards,
)
from setrograde.formats.problems import FormatError
from support import shared_data

DEAL = Deal.from_pbn("N:AKQ2.T98.A76.K54 JT9.AKQ.T98.A732 876.765.KQJ.QJT9 543.J432.5432.86")


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (b'[Event "Club"]\n[Board "1"]\n', "pbn"),
        (b"% PBN 2.1\r\n% EXPORT\r\n", "pbn"),
        (b'\xef\xbb\xbf[Event "byte order mark"]', "pbn"),
        (b'; a comment\n{"and another"}\n[Event ""]', "pbn"),
        (b'\r\r[Event "old Macintosh"]\r[Board "1"]\r', "pbn"),
        (b"pn|a,b,c,d|st||md|3SAKQ|", "lin"),
        (b"vg|Final|\r\nrs|1|", "lin"),
        (b"some words first\nqx|o1|md|1S|", "lin"),
        (b"D 20260801\nB 1\nH N:AKQ.T9.A:", "rbn"),
        (b'{"schema": 1, "boards": []}', "json"),
        (b'\n [ {"number": 1} ]', "json"),
        (b"https://www.bridgebase.com/tools/handviewer.html?lin=md%7C3S", "bbo"),
        (b"http://example.org/v?d=n&n=sAKQ", "bbo"),
        (b"NUMBER 10\nPBN 0 0 0 0", "dds"),
        (b'PBN 0 0 4 0 "N:A... K... Q... J..."', "dds"),
    ],
)
def test_format_is_recognised_by_content_whatever_the_name(data: bytes, format: str) -> None:
    assert detect_format(data) == format
    assert detect_format(data, "wrong.lin") == format
    assert detect_format(data.replace(b"\n", b"\r\n"), "wrong.json") == format


def test_name_decides_where_content_says_nothing() -> None:
    assert detect_format(b"; nothing here\n", "a.PBN") == "pbn"


@pytest.mark.parametrize(
    ("data", "path", "message"),
    [
        (b"", "a.pbn", "a.pbn:1:1: empty file"),
        (b" \r\n\t", None, "<text>:1:1: empty file"),
        (b"\xef\xbb\xbf", None, "<text>:1:1: empty file"),
        (b"Dear all,\nsee you", "a.txt", "a.txt:1:1: not a board file: found 'Dear all,'"),
        (b"Dear all,", None, "not a board file: found 'Dear all,'"),
        (bytes(range(256)), "a.pbn", "binary data"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a.pbn", "binary data"),
    ],
)
def test_hopeless_content_is_refused_in_clear_words(
    data: bytes, path: str | None, message: str
) -> None:
    with pytest.raises(FormatError) as raised:
        detect_format(data, path)
    assert message in str(raised.value)


@given(st.binary(max_size=300))
def test_any_bytes_are_recognised_or_refused(data: bytes) -> None:
    with suppress(FormatError):
        assert detect_format(data, "a.pbn") in FORMATS


def test_recognition_of_a_long_hopeless_line_is_fast() -> None:
    assert detect_format(b"[" * 1_000_000, "a.pbn") == "pbn"
    assert detect_format(b"[ " * 500_000, "a.pbn") == "pbn"
    assert detect_format(b"PBN 0 " * 100_000, "a.pbn") == "pbn"


@pytest.mark.parametrize("parts", [("pbn_conformance",), ("realplay",), ("dd",)])
def test_third_party_files_are_recognised(parts: tuple[str, ...]) -> None:
    expected = {".pbn": "pbn", ".lin": "lin", ".txt": "dds"}
    seen = 0
    for path in sorted(shared_data(*parts).iterdir()):
        if path.suffix in expected:
            assert detect_format(path.read_bytes()) == expected[path.suffix]
            seen += 1
    assert seen


def test_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="a directory"):
        read_boards(tmp_path)


def test_missing_file_is_an_operating_system_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_boards(tmp_path / "none.pbn")


def test_unknown_format_is_quoted() -> None:
    with pytest.raises(InvalidInput, match="not a format: 'word'"):
        parse_boards(b"x", format="word")
    with pytest.raises(InvalidInput, match=r"no format for 'a\.doc'"):
        format_of_name("a.doc")


@pytest.mark.parametrize("ending", [".pbn", ".lin", ".rbn", ".json", ".url", ".dds", ".txt"])
def test_deal_survives_every_format(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"hands{ending}"
    write_boards([Board.numbered(7, DEAL)], path)
    board_file = read_boards(path)
    assert board_file.format == format_of_name(path)
    assert [board.deal for board in board_file] == [DEAL]
    assert board_file.boards[0].dealer == Board.numbered(7).dealer
    assert board_file.boards[0].vulnerability == Board.numbered(7).vulnerability
    assert board_file.problems == ()


def test_text_and_bytes_read_alike() -> None:
    data = format_boards([Board.numbered(1, DEAL)], "dds")
    assert parse_boards(data) == parse_boards(data.decode())
