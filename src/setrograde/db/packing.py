"""Levels packed for sending and keeping: the level file itself, compressed with Zstandard.

A packed level is a plain `.zst` file, so any Zstandard program unpacks it too. It takes less than
half the space and must be unpacked before it is asked; unpacking restores the file byte for byte
and checks it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from setrograde.common.files import AnyPath, replacing
from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag, check_stop
from setrograde.locations import level_path

from .database import DiagramLevel
from .methods.diagram_build import DatabaseError

__all__ = ["install_level", "pack_level", "unpack_level"]

_CHUNK = 1 << 16
_LEVEL = 9
_JOB = 1 << 20


def pack_level(
    source: AnyPath,
    target: AnyPath,
    *,
    threads: int = 1,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> int:
    """Compress a level file and return the packed size in bytes.

    The file is checked first. `progress` hears how many bytes are read. Once `stop` is set, the
    call raises `Stopped` and leaves nothing behind.

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
    import zstandard

    DiagramLevel(source).check(stop=stop)
    size = os.stat(source).st_size
    # Small jobs: the library ends those under way, whatever happens, before it lets go.
    workers = {"threads": threads, "job_size": _JOB} if threads > 1 else {}
    parameters = zstandard.ZstdCompressionParameters.from_level(
        _LEVEL, source_size=size, write_checksum=True, **workers
    )
    compressor = zstandard.ZstdCompressor(compression_params=parameters)
    with open(source, "rb") as plain, replacing(target) as packed:
        # Not as a context, which would compress all that was read before an error gets out.
        writer = compressor.stream_writer(packed, size=size, closefd=False)
        _copy(plain.read, writer.write, progress, stop)
        writer.flush(zstandard.FLUSH_FRAME)
        check_stop(stop)
    return os.stat(target).st_size


def unpack_level(
    source: AnyPath,
    target: AnyPath,
    *,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> DiagramLevel:
    """Restore a level file and open it; a damaged one is refused and leaves nothing behind.

    `progress` hears how many bytes are written. Once `stop` is set, the call raises `Stopped`.
    """
    import zstandard

    part = Path(target).with_name(Path(target).name + ".part")
    part.unlink(missing_ok=True)  # a pipe of that name would wait for a reader
    try:
        with open(source, "rb") as packed, open(part, "wb") as plain:
            with zstandard.ZstdDecompressor().stream_reader(packed, closefd=False) as reader:
                try:
                    _copy(reader.read, plain.write, progress, stop)
                except zstandard.ZstdError as error:
                    raise DatabaseError(
                        f"{os.fspath(source)}: not a packed level: {error}"
                    ) from None
            plain.flush()
            os.fsync(plain.fileno())
        DiagramLevel(part).check(stop=stop)  # before it gets its name
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    return DiagramLevel(target)


def install_level(
    source: AnyPath,
    directory: AnyPath | None = None,
    *,
    replace: bool = False,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> DiagramLevel:
    """Unpack a level into a data directory, under the name of its number of cards.

    A level that is there already is kept, with a `DatabaseError`, unless `replace` is true.
    """
    folder = level_path(1, directory).parent
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f"{Path(source).name}.unpacked"
    try:
        tricks = unpack_level(source, fresh, progress=progress, stop=stop).tricks
        target = level_path(tricks, directory)
        if target.exists() and not replace:
            raise DatabaseError(f"{os.fspath(target)!r} is there already (expected --force)")
        os.replace(fresh, target)
    finally:
        fresh.unlink(missing_ok=True)
    return DiagramLevel(target)


def _copy(
    read: Callable[[int], bytes],
    write: Callable[[bytes], int],
    progress: CountProgress | None,
    stop: StopFlag | None,
) -> None:
    done = 0
    while chunk := read(_CHUNK):
        check_stop(stop)
        write(chunk)
        done += len(chunk)
        if progress is not None:
            progress(done)
