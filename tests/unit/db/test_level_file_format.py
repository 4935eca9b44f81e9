"""Level files, read in plain Python by docs/formats/endings.md and by nothing else.

The reader below shares no code with the package. It must agree with the core on values, and on
which files are damaged.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

import pytest

from setrograde.bridge import Deal, Seat, Strain, Suit
from setrograde.db import Ending, count_states, iter_endings, unrank_shape
from setrograde.db.database import DiagramLevel
from setrograde.db.methods.diagram_build import DatabaseError, build_diagrams
from setrograde.db.methods.state_tables import StateLevel
from setrograde.solve import solve_deal
from support import random_deal

Levels = dict[int, Path]
Split = tuple[int, int, int, int]

HEADER, BLOCK = 4096, 65536
NOTRUMP = 4


# --- the reader ---


class Refused(Exception):
    """What a reader must not trust."""


def xxh64(data: bytes) -> int:
    """XXH64 with seed 0, by its specification."""
    ones = (1 << 64) - 1
    p1, p2, p3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
    p4, p5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5

    def turn(x: int, bits: int) -> int:
        x &= ones
        return (x << bits | x >> (64 - bits)) & ones

    def mixed(lane: int, word: int) -> int:
        return turn(lane + word * p2, 31) * p1 & ones

    stripes = len(data) // 32 * 32
    total = p5
    if stripes:
        lanes = [(p1 + p2) & ones, p2, 0, -p1 & ones]
        for words in struct.iter_unpack("<4Q", data[:stripes]):
            lanes = [mixed(lane, word) for lane, word in zip(lanes, words, strict=True)]
        total = sum(turn(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18), strict=True))
        for lane in lanes:
            total = ((total ^ mixed(0, lane)) * p1 + p4) & ones
    total = (total + len(data)) & ones
    rest = data[stripes:]
    while len(rest) >= 8:
        total = turn(total ^ mixed(0, int.from_bytes(rest[:8], "little")), 27) * p1 + p4
        rest = rest[8:]
    if len(rest) >= 4:
        total = turn((total ^ int.from_bytes(rest[:4], "little") * p1), 23) * p2 + p3
        rest = rest[4:]
    for byte in rest:
        total = turn(total ^ byte * p5, 11) * p1
    total &= ones
    total = (total ^ total >> 33) * p2 & ones
    total = (total ^ total >> 29) * p3 & ones
    return total ^ total >> 32


def split_order(split: Split) -> tuple[int, Split]:
    return sum(split), split


def shapes_in_order(tricks: int) -> Iterator[tuple[tuple[Split, ...], bool]]:
    """All canonical shapes, listed by their definition."""

    def fitting(least: Split, box: Split) -> Iterator[tuple[Split, Split]]:
        w, x, y, z = box
        fits = product(range(w + 1), range(x + 1), range(y + 1), range(z + 1))
        for a, b, c, d in sorted(fits, key=split_order):
            if split_order((a, b, c, d)) >= split_order(least):
                yield (a, b, c, d), (w - a, x - b, y - c, z - d)

    nothing = (0, 0, 0, 0)
    for trumps in (False, True):
        for first, after_first in fitting(nothing, (tricks,) * 4):
            for second, after_second in fitting(first, after_first):
                for third, last in fitting(second, after_second):
                    ordered = last != nothing if trumps else split_order(last) >= split_order(third)
                    if ordered and max(map(sum, (first, second, third, last))) <= 13:
                        yield (first, second, third, last), trumps


@dataclass
class Position:
    """Owners of the cards of clubs, diamonds, hearts and spades, highest first, by seat 0 to 3."""

    suits: Sequence[Sequence[int]]
    strain: int
    leader: int


class Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        if len(data) < HEADER:
            raise Refused("too short")
        magic, version, self.tricks, method, sections, shapes, self.states, body_end, sums = (
            struct.unpack_from("<8s4I4Q", data)
        )
        if magic != b"SETROEND" or version != 1:
            raise Refused("another file")
        if xxh64(data[:312]) != struct.unpack_from("<Q", data, 312)[0]:
            raise Refused("header")
        if self.tricks > 13 or sections > 8 or method != 1:
            raise Refused("method")
        blocks = -(-(body_end - HEADER) // BLOCK)
        if not HEADER <= body_end <= len(data) or body_end + 8 * blocks != len(data):
            raise Refused("length")
        if xxh64(data[body_end:]) != sums:
            raise Refused("checksum of the checksums")
        for block, expected in enumerate(struct.unpack_from(f"<{blocks}Q", data, body_end)):
            begin = HEADER + BLOCK * block
            if xxh64(data[begin : min(begin + BLOCK, body_end)]) != expected:
                raise Refused(f"block {block}")
        self.creator = data[56:120].rstrip(b"\0").decode()
        self.sections: dict[int, tuple[int, int, int]] = {}
        end = HEADER
        for entry in range(sections):
            kind, size, count, offset = struct.unpack_from("<IIQQ", data, 120 + 24 * entry)
            if not size or offset < end or (offset - HEADER) % BLOCK:
                raise Refused("section")
            end = offset + size * count
            self.sections[kind] = size, count, offset
        if end != body_end:
            raise Refused("body")
        _, count, offset = self._section(1, 4)
        self.roots = struct.unpack_from(f"<{count}I", data, offset)
        _, self.nodes, self.nodes_at = self._section(2, 16)
        self.numbers = {shape: n for n, shape in enumerate(shapes_in_order(self.tricks))}
        if not count == shapes == len(self.numbers):
            raise Refused("shapes")

    def _section(self, kind: int, size: int) -> tuple[int, int, int]:
        if kind not in self.sections or self.sections[kind][0] != size:
            raise Refused(f"section {kind}")
        return self.sections[kind]

    def value(self, position: Position) -> int:
        """Tricks of the leader's side."""
        suits = [tuple((seat - position.leader) % 4 for seat in suit) for suit in position.suits]
        trumps = [] if position.strain == NOTRUMP else [suits.pop(position.strain)]
        if trumps == [()]:
            suits.append(trumps.pop())
        suits = sorted(suits, key=lambda suit: split_order(self.split(suit))) + trumps
        shape = tuple(self.split(suit) for suit in suits), bool(trumps)
        edge = self.roots[self.numbers[shape]]
        for _ in range(4 * self.tricks):
            if not edge & 63:
                break
            suit, unread = divmod(edge & 63, 16)
            if not 1 <= unread <= len(suits[suit]) or edge >> 6 >= self.nodes:
                raise Refused("edge")
            edge = self.edges(edge >> 6)[suits[suit][-unread]]
        value: int = edge >> 6
        if edge & 63 or value > self.tricks:
            raise Refused("walk")
        return value

    def edges(self, node: int) -> tuple[int, ...]:
        return struct.unpack_from("<4I", self.data, self.nodes_at + 16 * node)

    @staticmethod
    def split(suit: Sequence[int]) -> Split:
        return suit.count(0), suit.count(1), suit.count(2), suit.count(3)


def position_of(deal: Deal, strain: Strain, leader: Seat) -> Position:
    by_suit: list[list[tuple[int, int]]] = [[], [], [], []]
    for seat in Seat:
        for card in deal[seat]:
            by_suit[card.suit].append((card.rank, seat))
    suits = [[seat for _, seat in sorted(suit, reverse=True)] for suit in by_suit]
    return Position(suits, strain, leader)


# --- files to read ---


@pytest.fixture(scope="module")
def levels(tmp_path_factory: pytest.TempPathFactory) -> Levels:
    folder = tmp_path_factory.mktemp("levels")
    paths = {tricks: folder / f"{tricks}.diagrams" for tricks in (1, 2, 3)}
    for tricks, path in paths.items():
        build_diagrams(tricks, path, threads=1)
    return paths


@pytest.fixture(scope="module")
def readers(levels: Levels) -> dict[int, Reader]:
    return {tricks: Reader(path.read_bytes()) for tricks, path in levels.items()}


Readers = dict[int, Reader]


# --- values ---


@pytest.mark.parametrize(
    ("data", "total"),
    [
        (b"", 0xEF46DB3751D8E999),
        (b"a", 0xD24EC4F1A98C6E5B),
        (b"abc", 0x44BC2CF5AD770999),
    ],
)
def test_checksum_is_the_published_one(data: bytes, total: int) -> None:
    assert xxh64(data) == total


def test_header_says_what_the_level_holds(levels: Levels, readers: Readers) -> None:
    for tricks, reader in readers.items():
        level = DiagramLevel(levels[tricks])
        assert reader.tricks == level.tricks == tricks
        assert reader.states == level.states == count_states(tricks).total
        assert len(reader.roots) == level.shapes
        assert reader.nodes == level.nodes
        assert reader.creator == level.creator


def test_shapes_are_numbered_as_the_page_says(readers: Readers) -> None:
    for tricks, reader in readers.items():
        for number in Random(tricks).sample(range(len(reader.roots)), 50):
            shape = unrank_shape(tricks, number)
            assert reader.numbers[shape.suits, shape.has_trumps] == number


def test_every_ending_of_one_trick_has_the_value_of_plain_play(
    levels: Levels, readers: Readers
) -> None:
    core, plain = DiagramLevel(levels[1]), StateLevel(1)
    count = 0
    for ending in iter_endings(1):
        for leader in Seat:
            deal = ending.to_deal(leader)
            value = readers[1].value(position_of(deal, ending.strain, leader))
            assert value == core.value(deal, ending.strain, leader) == plain.value(ending)
            count += 1
    assert count == 4 * 209


@pytest.mark.parametrize("tricks", [2, 3])
def test_endings_of_random_shapes_have_the_value_of_a_search(
    tricks: int, levels: Levels, readers: Readers
) -> None:
    core = DiagramLevel(levels[tricks])
    rng = Random(tricks)
    for _ in range(1500):
        shape = unrank_shape(tricks, rng.randrange(core.shapes))
        ending = Ending.from_rank(shape, rng.randrange(shape.states))
        deal, strain = ending.to_deal(), ending.strain
        value = readers[tricks].value(position_of(deal, strain, Seat.NORTH))
        assert value == core.value(deal, strain, Seat.NORTH), ending
        assert value == solve_deal(deal, strain, leader=Seat.NORTH).tricks_ns, ending


@pytest.mark.parametrize("tricks", [1, 2, 3])
def test_real_cards_in_any_strain_have_the_value_of_the_core(
    tricks: int, levels: Levels, readers: Readers
) -> None:
    core = DiagramLevel(levels[tricks])
    rng = Random(tricks)
    for _ in range(1000):
        suits = rng.sample(list(Suit), rng.randint(1, 4))
        deal = random_deal(rng, tricks, suits=suits)
        strain, leader = rng.choice(list(Strain)), rng.choice(list(Seat))
        value = readers[tricks].value(position_of(deal, strain, leader))
        assert value == core.value(deal, strain, leader), (deal, strain, leader)


def test_every_edge_leads_to_a_later_card(readers: Readers) -> None:
    """Walked from all roots, so that every node is met with every card it is asked about."""
    for reader in readers.values():
        todo = list(set(reader.roots))
        seen = set(todo)
        while todo:
            edge = todo.pop()
            suit, unread = divmod(edge & 63, 16)
            if not edge & 63:
                assert edge >> 6 <= reader.tricks
                continue
            assert edge >> 6 < reader.nodes and 1 <= unread <= 13
            for child in reader.edges(edge >> 6):
                next_suit, next_unread = divmod(child & 63, 16)
                assert not child & 63 or (next_suit, -next_unread) > (suit, -unread)
                if child not in seen:
                    seen.add(child)
                    todo.append(child)
        assert {edge >> 6 for edge in seen if edge & 63} == set(range(reader.nodes))


# --- damage ---


def refused_by_core(path: Path) -> bool:
    try:
        DiagramLevel(path).check()
    except DatabaseError:
        return True
    return False


def refused_by_reader(path: Path) -> bool:
    try:
        Reader(path.read_bytes())
    except Refused:
        return True
    return False


BODY_END = 40
FLIPPED = {
    "magic": 0,
    "version": 8,
    "tricks": 12,
    "method": 16,
    "sections": 20,
    "shapes": 24,
    "states": 32,
    "body_end": BODY_END,
    "sums_checksum": 48,
    "creator": 60,
    "entry of a section": 128,
    "checksum of the header": 312,
    "root": HEADER + 4,
    "zeros between sections": HEADER + BLOCK - 1,
    "node": HEADER + BLOCK + 3,
    "checksum of another block": -16,
    "checksum of the last block": -1,
}


@pytest.mark.parametrize("place", FLIPPED.values(), ids=FLIPPED)
def test_one_wrong_bit_is_refused(place: int, levels: Levels, tmp_path: Path) -> None:
    data = bytearray(levels[2].read_bytes())
    data[place] ^= 16
    path = tmp_path / "damaged.diagrams"
    path.write_bytes(data)
    assert refused_by_reader(path) and refused_by_core(path)


@pytest.mark.parametrize("missing", [1, 8, 100, 70000])
def test_a_file_cut_short_is_refused(missing: int, levels: Levels, tmp_path: Path) -> None:
    path = tmp_path / "short.diagrams"
    path.write_bytes(levels[2].read_bytes()[:-missing])
    assert refused_by_reader(path) and refused_by_core(path)


def test_bytes_behind_the_end_are_refused(levels: Levels, tmp_path: Path) -> None:
    path = tmp_path / "long.diagrams"
    path.write_bytes(levels[2].read_bytes() + bytes(8))
    assert refused_by_reader(path) and refused_by_core(path)


def with_new_sums(data: bytearray) -> bytes:
    """The file with all checksums made anew, as one who means to deceive would."""
    (body_end,) = struct.unpack_from("<Q", data, BODY_END)
    for block, begin in enumerate(range(HEADER, body_end, BLOCK)):
        total = xxh64(bytes(data[begin : min(begin + BLOCK, body_end)]))
        struct.pack_into("<Q", data, body_end + 8 * block, total)
    struct.pack_into("<Q", data, 48, xxh64(bytes(data[body_end:])))
    struct.pack_into("<Q", data, 312, xxh64(bytes(data[:312])))
    return bytes(data)


def test_checksums_made_by_the_page_are_those_of_the_writer(levels: Levels) -> None:
    for path in levels.values():
        data = path.read_bytes()
        assert with_new_sums(bytearray(data)) == data


@pytest.mark.parametrize(
    "edge", [308 << 6 | 50, 0xFFFFFFFF, 3 << 6, 15 << 6], ids=["node", "all bits", "3", "15"]
)
def test_an_edge_that_leads_nowhere_is_never_answered(
    edge: int, levels: Levels, tmp_path: Path
) -> None:
    data = bytearray(levels[2].read_bytes())
    for root in range(2054):
        struct.pack_into("<I", data, HEADER + 4 * root, edge)
    path = tmp_path / "nowhere.diagrams"
    path.write_bytes(with_new_sums(data))
    deal = Deal.from_pbn("N:AQ... K4... 3.2.. 5.A..")
    with pytest.raises(Refused):
        Reader(path.read_bytes()).value(position_of(deal, Strain.NOTRUMP, Seat.SOUTH))
    with pytest.raises(DatabaseError):
        DiagramLevel(path).value(deal, Strain.NOTRUMP, Seat.SOUTH)
