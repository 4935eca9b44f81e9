"""Levels packed for sending and keeping: the level file itself, compressed with Zstandard.

A packed level is a plain `.zst` file, so any Zstandard program unpacks it too. It takes less than
half the room and cannot be asked; unpacking restores the file byte for byte and checks it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import zstandard

from .database import DiagramLevel
from .methods.diagram_build import DatabaseError

__all__ = ["pack_level", "unpack_level"]

_CHUNK = 1 << 20
_LEVEL = 9

Progress = Callable[[int], None]


def pack_level(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> int:
    """Compress a level file; the packed size in bytes.

    The file is checked first. `progress` is called with the bytes read so far.

    >>> import tempfile
    >>> from setrograde.db.methods.diagram_build import build_diagrams
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     level, packed, back = (Path(folder) / name for name in ("level", "packed", "back"))
    ...     size = build_diagrams(2, level).bytes
    ...     packed_size = pack_level(level, packed)
    ...     unpack_level(packed, back).tricks, back.read_bytes() == level.read_bytes()
    (2, True)
    >>> packed_size < size / 5
    True
    """
    DiagramLevel(source).check()
    compressor = zstandard.ZstdCompressor(level=_LEVEL, threads=threads, write_checksum=True)
    size = os.stat(source).st_size
    part = Path(target).with_name(Path(target).name + ".part")
    try:
        with open(source, "rb") as plain, open(part, "wb") as packed:
            with compressor.stream_writer(packed, size=size, closefd=False) as writer:
                _copy(plain.read, writer.write, progress)
            packed.flush()
            os.fsync(packed.fileno())
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    return os.stat(target).st_size


def unpack_level(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    progress: Progress | None = None,
) -> DiagramLevel:
    """Restore a level file and open it; a damaged one is refused and leaves nothing behind."""
    part = Path(target).with_name(Path(target).name + ".part")
    try:
        with open(source, "rb") as packed, open(part, "wb") as plain:
            with zstandard.ZstdDecompressor().stream_reader(packed, closefd=False) as reader:
                try:
                    _copy(reader.read, plain.write, progress)
                except zstandard.ZstdError as error:
                    raise DatabaseError(
                        f"{os.fspath(source)}: not a packed level: {error}"
                    ) from None
            plain.flush()
            os.fsync(plain.fileno())
        DiagramLevel(part).check()
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    return DiagramLevel(target)


def _copy(
    read: Callable[[int], bytes], write: Callable[[bytes], int], progress: Progress | None
) -> None:
    done = 0
    while chunk := read(_CHUNK):
        write(chunk)
        done += len(chunk)
        if progress is not None:
            progress(done)
