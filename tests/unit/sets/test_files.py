"""Files of board sets: round trips, one form, damage."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setrograde import _core
from setrograde.sets import (
    BoardSpace,
    DamagedFile,
    InvalidSet,
    format_sets,
    load_sets,
    parse_sets,
    save_sets,
)

ALPHABETS = ["ab", "xyz", "-", "0123"]


def example() -> bytes:
    space = BoardSpace(ALPHABETS)
    return format_sets({"some": space.at(1, "xz") - space.at(3, "2"), "none": space.nothing})


def repacked(header: dict[str, object], rest: bytes) -> bytes:
    text = json.dumps(header).encode()
    body = text + rest
    return struct.pack("<8sIIQ", b"SGBOARDS", 1, len(text), _core.checksum(body)) + body


def parts(data: bytes) -> tuple[dict[str, object], bytes]:
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[24 : 24 + length]), data[24 + length :]


@given(st.lists(st.sets(st.text("abc", min_size=5, max_size=5)), min_size=1, max_size=4))
def test_sets_survive_a_file(many: list[set[str]]) -> None:
    space = BoardSpace(["abc"] * 5)
    sets = {str(number): space.of(boards) for number, boards in enumerate(many)}
    found = parse_sets(format_sets(sets, about={"n": 1})).sets
    assert {name: set(boards) for name, boards in found.items()} == {
        str(number): boards for number, boards in enumerate(many)
    }
    assert parse_sets(format_sets(sets), space=space).sets == sets


def test_equal_sets_give_equal_bytes_however_they_came_about() -> None:
    one, other = BoardSpace([".xo"] * 8), BoardSpace([".xo"] * 8)
    boards = one.everything.sample(300, seed=1)
    direct = one.of(boards)
    other.of(other.everything.sample(1000, seed=2))
    pieces = other.nothing
    for board in reversed(boards):
        pieces = other.of([board]) | pieces
    assert format_sets({"a": direct}) == format_sets({"a": pieces})


def test_every_damaged_byte_and_every_cut_is_noticed() -> None:
    data = example()
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= 0x55
        with pytest.raises(DamagedFile):
            parse_sets(bytes(damaged))
        with pytest.raises(DamagedFile):
            parse_sets(data[:at])
    with pytest.raises(DamagedFile):
        parse_sets(data + b"\0")


@pytest.mark.parametrize(
    "change",
    [
        {"roots": [9999, 0]},
        {"roots": [2**32, 0]},
        {"roots": [-1, 0]},
        {"roots": [0]},
        {"nodes": [1, 1, 1]},
        {"nodes": [2**30, 1, 1, 1]},
        {"nodes": "many"},
        {"sets": ["same", "same"]},
        {"sets": [1, 2]},
        {"about": None},
        {"alphabets": []},
    ],
)
def test_a_header_that_lies_is_refused_in_spite_of_its_checksum(change: dict[str, object]) -> None:
    header, rest = parts(example())
    with pytest.raises(DamagedFile):
        parse_sets(repacked(header | change, rest))


def test_bytes_of_edges_that_lie_are_refused_in_spite_of_their_checksum() -> None:
    import zstandard

    header, rest = parts(example())
    planes = zstandard.ZstdDecompressor().decompress(rest)
    random = Random(4)
    refused = 0
    for _ in range(200):
        changed = bytearray(planes)
        changed[random.randrange(len(changed))] = random.randrange(256)
        try:
            parse_sets(repacked(header, zstandard.ZstdCompressor().compress(bytes(changed))))
        except DamagedFile:
            refused += 1
    assert refused > 100  # the others are sets as good as the first


def test_a_version_to_come_is_refused_by_name() -> None:
    data = bytearray(example())
    data[8] = 2
    with pytest.raises(DamagedFile, match="version 2"):
        parse_sets(bytes(data))


def test_a_file_is_read_into_a_space_with_the_same_alphabets_only(tmp_path: Path) -> None:
    path = tmp_path / "a.sets"
    path.write_bytes(example())
    assert load_sets(path).sets["some"].count == 12
    with pytest.raises(InvalidSet, match="not boards of this space"):
        load_sets(path, space=BoardSpace(["ab"] * 4))


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "hurt.sets"
    path.write_bytes(example()[:-1])
    with pytest.raises(DamagedFile, match=r"hurt\.sets"):
        load_sets(path)


def test_saving_leaves_no_other_files_behind(tmp_path: Path) -> None:
    space = BoardSpace(["ab"])
    size = save_sets(tmp_path / "a.sets", {"a": space.everything})
    assert [each.stat().st_size for each in tmp_path.iterdir()] == [size]
