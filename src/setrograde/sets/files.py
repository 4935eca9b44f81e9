"""Files of board sets, as `docs/formats/board_sets.md` has them."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from setrograde import _core
from setrograde.common.files import AnyPath, atomic_write
from setrograde.common.stop import StopFlag

from .board_set import BoardSet
from .errors import DamagedFile, InvalidSet
from .space import BoardSpace

__all__ = [
    "VERSION",
    "SetFile",
    "format_sets",
    "load_sets",
    "parse_sets",
    "save_sets",
]

VERSION = 1
"""The version of the format that is written, and the only one read."""

_LEVEL, _LEVEL_OF_LARGE = 19, 9
_LARGE = 64 << 20  # bytes of branches; level 19 takes half a minute to compress them
_PIECE = 1 << 16  # bytes compressed between two looks at the stop flag
_NODES = 1 << 17  # nodes coded between two looks at the stop flag
_MAGIC = b"SGBOARDS"
_HEAD = struct.Struct(
    "<8sIIQ"
)  # magic, version, length of the header, checksum of all that follows


@dataclass(frozen=True, slots=True)
class SetFile:
    """What a file holds: sets by name, and notes of its writer about them.

    >>> space = BoardSpace([".x"] * 2)
    >>> parse_sets(format_sets({"left": space.at(0, "x")}, about={"game": "none"})).about
    {'game': 'none'}
    """

    space: BoardSpace
    """The space of the sets."""

    sets: dict[str, BoardSet]
    """By name, in the order of the file."""

    about: dict[str, Any]
    """Notes of the writer: a JSON object."""


def format_sets(
    sets: Mapping[str, BoardSet],
    *,
    about: Mapping[str, Any] | None = None,
    level: int | None = None,
    stop: StopFlag | None = None,
) -> bytes:
    """Sets of one space as bytes; equal sets in equal order give equal bytes.

    `level` is the compression level of zstandard, 1 to 22; by default 19, and 9 for sets with more
    than 64 MB of branches. `stop` ends the work with `Stopped`.

    >>> space = BoardSpace([".xo"] * 9)
    >>> one, other = space.with_count("x", most=3), ~space.with_count("x", least=4)
    >>> format_sets({"few": one}) == format_sets({"few": other})
    True
    """
    if not sets:
        raise InvalidSet("no sets to write (expected one or more)")
    space = next(iter(sets.values())).space
    for boards in sets.values():
        if boards.space is not space:
            raise InvalidSet("sets of different spaces (expected all from one BoardSpace)")
    with space.stopping(stop):
        return _format(space, sets, about, level)


def _format(
    space: BoardSpace,
    sets: Mapping[str, BoardSet],
    about: Mapping[str, Any] | None,
    level: int | None,
) -> bytes:
    automaton = _core.Automaton.of([boards.core for boards in sets.values()], space.stop)
    symbols = [len(letters) for letters in space.alphabets]
    branches = [len(automaton.layer(place)) for place in range(space.places)]
    header = {
        "about": dict(about or {}),
        "alphabets": list(space.alphabets),
        "nodes": [count // size for count, size in zip(branches, symbols, strict=True)],
        "roots": automaton.roots,
        "sets": list(sets),
    }
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    size = 4 * sum(branches)
    if level is None:
        level = _LEVEL if size <= _LARGE else _LEVEL_OF_LARGE
    # A layer at a time: sets of millions of states are the largest thing in memory already.
    packer = zstandard.ZstdCompressor(level=level).compressobj(size=size)
    parts = [text]
    for place, count in enumerate(symbols):
        planes = _encode(automaton.layer(place), count, space)
        for start in range(0, len(planes), _PIECE):
            space.check_stop()
            parts.append(packer.compress(planes[start : start + _PIECE].data))
    body = b"".join([*parts, packer.flush()])
    return _HEAD.pack(_MAGIC, VERSION, len(text), _core.checksum(body)) + body


def parse_sets(
    data: bytes,
    *,
    space: BoardSpace | None = None,
    limit_mb: int = 1024,
    stop: StopFlag | None = None,
) -> SetFile:
    """Read what `format_sets` wrote, into `space` or a new one.

    Raises `DamagedFile` for any other bytes. `limit_mb` is the memory limit of a new space. `stop`
    ends the work with `Stopped`.

    >>> space = BoardSpace([".xo"] * 4)
    >>> found = parse_sets(format_sets({"corner": space.at(0, "x")}), space=space)
    >>> found.sets["corner"] == space.at(0, "x")
    True
    """
    header, packed = _split(data)
    alphabets, roots, nodes, names = _check_header(header)
    if space is None:
        space = BoardSpace(alphabets, limit_mb=limit_mb)
    elif space.alphabets != alphabets:
        raise InvalidSet(f"not boards of this space: {list(alphabets)!r} (expected {space!r})")
    sizes = [count * len(letters) for count, letters in zip(nodes, alphabets, strict=True)]
    with space.stopping(stop):
        planted = _plant(space, packed, sizes, roots)
    sets = {name: space.wrap(core) for name, core in zip(names, planted, strict=True)}
    return SetFile(space, sets, header["about"])


def _plant(
    space: BoardSpace, packed: bytes, sizes: list[int], roots: list[int]
) -> list[_core.ForestSet]:
    """The sets, whose layers have branches of these numbers, in the store of the space."""
    alphabets = space.alphabets
    planes = _unpack(packed, 4 * sum(sizes), space)
    layers, at = [], 0
    for size, letters in zip(sizes, alphabets, strict=True):
        layers.append(_decode(planes[at : at + 4 * size], len(letters), space))
        at += 4 * size
    try:
        automaton = _core.Automaton([len(a) for a in alphabets], layers, roots, space.stop)
    except ValueError as error:
        raise DamagedFile(f"damaged file of board sets: {error}") from None
    return space.run(lambda: automaton.plant(space.forest, space.stop))


def save_sets(
    path: AnyPath,
    sets: Mapping[str, BoardSet],
    *,
    about: Mapping[str, Any] | None = None,
    level: int | None = None,
    stop: StopFlag | None = None,
) -> int:
    """Write a file of sets, whole or not at all; returns its size in bytes.

    `about`, `level` and `stop` are as in `format_sets`.

    >>> from tempfile import TemporaryDirectory
    >>> space = BoardSpace([".xo"] * 4)
    >>> with TemporaryDirectory() as folder:
    ...     size = save_sets(Path(folder, "a.sets"), {"corner": space.at(0, "x")})
    ...     load_sets(Path(folder, "a.sets")).sets["corner"].count
    27
    """
    data = format_sets(sets, about=about, level=level, stop=stop)
    atomic_write(path, data)
    return len(data)


def load_sets(
    path: AnyPath,
    *,
    space: BoardSpace | None = None,
    limit_mb: int = 1024,
    stop: StopFlag | None = None,
) -> SetFile:
    """Read a file of sets as `parse_sets` does; if it is damaged, the error names it."""
    data = Path(path).read_bytes()
    try:
        return parse_sets(data, space=space, limit_mb=limit_mb, stop=stop)
    except DamagedFile as error:
        raise DamagedFile(f"{os.fspath(path)}: {error}") from None


# --- header ---


def _split(data: bytes) -> tuple[dict[str, Any], bytes]:
    if len(data) < _HEAD.size:
        raise DamagedFile(
            f"not a file of board sets: {len(data)} bytes (expected {_HEAD.size} or more)"
        )
    magic, version, length, checksum = _HEAD.unpack_from(data)
    if magic != _MAGIC:
        raise DamagedFile(f"not a file of board sets: begins {magic!r} (expected {_MAGIC!r})")
    if version != VERSION:
        raise DamagedFile(f"board sets of version {version} (expected {VERSION})")
    body = data[_HEAD.size :]
    if _core.checksum(body) != checksum:
        raise DamagedFile("damaged file of board sets: the checksum does not fit")
    try:
        header = json.loads(body[:length])
    except (ValueError, RecursionError):
        raise DamagedFile("damaged file of board sets: the header is no JSON") from None
    if not isinstance(header, dict):
        raise DamagedFile("damaged file of board sets: the header is no object")
    return header, body[length:]


def _check_header(
    header: dict[str, Any],
) -> tuple[tuple[str, ...], list[int], list[int], list[str]]:
    """Alphabets, roots, nodes by place, names."""
    alphabets: Any = header.get("alphabets")
    names: Any = header.get("sets")
    roots: Any = header.get("roots")
    nodes: Any = header.get("nodes")
    are_fine = (
        _is_list(alphabets, str)
        and _is_list(names, str)
        and _is_list(roots, int)
        and _is_list(nodes, int)
        and isinstance(header.get("about"), dict)
        and len(nodes) == len(alphabets) > 0
        and len(roots) == len(names) == len(set(names)) > 0
        and all(0 <= number < 1 << 31 for number in nodes)
        and all(0 <= number < 1 << 32 for number in roots)
    )
    if not are_fine:
        raise DamagedFile("damaged file of board sets: the header does not make sense")
    return tuple(alphabets), roots, nodes, names


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(type(item) is kind for item in value)


def _unpack(packed: bytes, size: int, space: BoardSpace) -> NDArray[np.uint8]:
    try:
        if zstandard.frame_content_size(packed) != size:
            raise DamagedFile("damaged file of board sets: not as many nodes as announced")
        planes = np.empty(size, np.uint8)
        at = 0
        with zstandard.ZstdDecompressor().stream_reader(packed) as reader:
            while at < size:
                space.check_stop()
                read = reader.readinto(planes[at : at + 16 * _PIECE])
                if not read:
                    raise DamagedFile("damaged file of board sets: it ends too early")
                at += read
        return planes
    except zstandard.ZstdError as error:
        raise DamagedFile(f"damaged file of board sets: {error}") from None


# --- branches of a layer ---
#
# Nodes are numbered in the order in which branches first lead to them, so a good part of all
# branches lead to "the next new one". The others are told by how far back they lie. A layer is
# coded in pieces, so that a stop is heard between them.


def _encode(branches: NDArray[np.uint32], symbols: int, space: BoardSpace) -> NDArray[np.uint8]:
    rows = branches.reshape(-1, symbols)
    planes = np.empty((4, symbols, len(rows)), np.uint8)
    met = np.uint32(0)  # the greatest number of a node so far
    for start in range(0, len(rows), _NODES):
        space.check_stop()
        piece = rows[start : start + _NODES].reshape(-1)
        node = piece >> 1  # below 2^30: see MAX_NODES_OF_LAYER
        met_before = np.empty_like(node)
        met_before[0] = met
        np.maximum.accumulate(node[:-1], out=met_before[1:])
        np.maximum(met_before, met, out=met_before)
        met = max(met_before[-1], node[-1])
        code = np.where(node == 0, np.uint32(1), 2 + met_before - node)
        code[node > met_before] = 0
        words = (code << 1 | (piece & 1)).astype("<u4")
        columns = words.view(np.uint8).reshape(-1, symbols, 4)
        planes[:, :, start : start + _NODES] = columns.transpose(2, 1, 0)
    return planes.reshape(-1)


def _decode(planes: NDArray[np.uint8], symbols: int, space: BoardSpace) -> NDArray[np.uint32]:
    columns = planes.reshape(4, symbols, -1)
    nodes = columns.shape[2]
    branches = np.empty((nodes, symbols), np.uint32)
    met = 0  # the number of nodes that earlier pieces lead to
    for start in range(0, nodes, _NODES):
        space.check_stop()
        piece = np.ascontiguousarray(columns[:, :, start : start + _NODES].transpose(2, 1, 0))
        words = piece.view("<u4").reshape(-1).astype(np.int64)
        code = words >> 1
        so_far = met + np.cumsum(code == 0)
        node = np.where(code == 0, so_far, np.where(code == 1, 0, so_far - (code - 2)))
        if node.min() < 0 or node.max() >= 1 << 31:
            raise DamagedFile("damaged file of board sets: a branch that leads nowhere")
        met = int(so_far[-1])
        branches[start : start + _NODES] = (node << 1 | (words & 1)).reshape(-1, symbols)
    return branches.reshape(-1)
