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
from setrograde.common.files import atomic_write

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
_LARGE = 64 << 20  # bytes of edges; level 19 takes half a minute for so many
_MAGIC = b"SGBOARDS"
_HEAD = struct.Struct(
    "<8sIIQ"
)  # magic, version, length of the header, checksum of all that follows


@dataclass(frozen=True, slots=True)
class SetFile:
    """What a file holds: sets by name, and what its writer said about them.

    >>> space = BoardSpace([".x"] * 2)
    >>> parse_sets(format_sets({"left": space.at(0, "x")}, about={"game": "none"})).about
    {'game': 'none'}
    """

    space: BoardSpace
    """Where the sets live."""

    sets: dict[str, BoardSet]
    """By name, in the order of the file."""

    about: dict[str, Any]
    """Whatever the writer gave; JSON values."""


def format_sets(
    sets: Mapping[str, BoardSet],
    *,
    about: Mapping[str, Any] | None = None,
    level: int | None = None,
) -> bytes:
    """Sets of one space as bytes; equal sets in equal order give equal bytes.

    `level` is how hard zstandard tries, 1 to 22; by default 19, and 9 beyond 64 MB of edges.

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
    automaton = _core.Automaton.of([boards.core for boards in sets.values()])
    symbols = [len(letters) for letters in space.alphabets]
    edges = [len(automaton.layer(place)) for place in range(space.places)]
    header = {
        "about": dict(about or {}),
        "alphabets": list(space.alphabets),
        "nodes": [count // size for count, size in zip(edges, symbols, strict=True)],
        "roots": automaton.roots,
        "sets": list(sets),
    }
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    size = 4 * sum(edges)
    if level is None:
        level = _LEVEL if size <= _LARGE else _LEVEL_OF_LARGE
    # A layer at a time: sets of millions of states are the largest thing in memory already.
    packer = zstandard.ZstdCompressor(level=level).compressobj(size=size)
    parts = [packer.compress(_encode(automaton.layer(p), n)) for p, n in enumerate(symbols)]
    body = b"".join([text, *parts, packer.flush()])
    return _HEAD.pack(_MAGIC, VERSION, len(text), _core.checksum(body)) + body


def parse_sets(data: bytes, *, space: BoardSpace | None = None, limit_mb: int = 1024) -> SetFile:
    """Read what `format_sets` wrote, into `space` or a new one; `DamagedFile` for anything else.

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
    planes = _unpack(packed, 4 * sum(sizes))
    layers, at = [], 0
    for size, letters in zip(sizes, alphabets, strict=True):
        layers.append(_decode(planes[at : at + 4 * size], len(letters)))
        at += 4 * size
    try:
        automaton = _core.Automaton([len(a) for a in alphabets], layers, roots)
    except ValueError as error:
        raise DamagedFile(f"damaged file of board sets: {error}") from None
    forest = space.forest
    planted = space.run(lambda: automaton.plant(forest))
    sets = {name: space.wrap(core) for name, core in zip(names, planted, strict=True)}
    return SetFile(space, sets, header["about"])


def save_sets(
    path: str | os.PathLike[str],
    sets: Mapping[str, BoardSet],
    *,
    about: Mapping[str, Any] | None = None,
    level: int | None = None,
) -> int:
    """Write a file whole or not at all; returns its size in bytes.

    >>> from tempfile import TemporaryDirectory
    >>> space = BoardSpace([".xo"] * 4)
    >>> with TemporaryDirectory() as folder:
    ...     size = save_sets(Path(folder, "a.sets"), {"corner": space.at(0, "x")})
    ...     load_sets(Path(folder, "a.sets")).sets["corner"].count
    27
    """
    data = format_sets(sets, about=about, level=level)
    atomic_write(path, data)
    return len(data)


def load_sets(
    path: str | os.PathLike[str], *, space: BoardSpace | None = None, limit_mb: int = 1024
) -> SetFile:
    """Read a file of sets; the name of a damaged one is in the error."""
    data = Path(path).read_bytes()
    try:
        return parse_sets(data, space=space, limit_mb=limit_mb)
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


def _unpack(packed: bytes, size: int) -> bytes:
    try:
        if zstandard.frame_content_size(packed) != size:
            raise DamagedFile("damaged file of board sets: not as many nodes as announced")
        return zstandard.ZstdDecompressor().decompress(packed, max_output_size=max(size, 1))
    except zstandard.ZstdError as error:
        raise DamagedFile(f"damaged file of board sets: {error}") from None


# --- edges of a layer ---
#
# Nodes are numbered in the order in which edges first lead to them, so a good part of all edges
# lead to "the next new one". The others are told by how far back they lie.


def _encode(edges: NDArray[np.uint32], symbols: int) -> bytes:
    node = edges >> 1  # below 2^30: see MAX_NODES_OF_LAYER
    met_before = np.zeros_like(node)
    np.maximum.accumulate(node[:-1], out=met_before[1:])
    code = np.where(node == 0, np.uint32(1), 2 + met_before - node)
    code[node > met_before] = 0
    words = (code << 1 | (edges & 1)).astype("<u4")
    columns = words.reshape(-1, symbols).T.reshape(-1)
    return columns.view(np.uint8).reshape(-1, 4).T.tobytes()


def _decode(planes: bytes, symbols: int) -> NDArray[np.uint32]:
    columns = np.frombuffer(planes, np.uint8).reshape(4, -1).T.copy().view("<u4").reshape(-1)
    words = columns.reshape(symbols, -1).T.reshape(-1).astype(np.int64)
    code = words >> 1
    met = np.cumsum(code == 0)
    node = np.where(code == 0, met, np.where(code == 1, 0, met - (code - 2)))
    if len(node) and (node.min() < 0 or node.max() >= 1 << 31):
        raise DamagedFile("damaged file of board sets: an edge that leads nowhere")
    return np.ascontiguousarray(node << 1 | (words & 1), np.uint32)
