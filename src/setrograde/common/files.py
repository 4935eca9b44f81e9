"""Files written whole or not at all: under a temporary name, then renamed."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["AnyPath", "atomic_write", "replacing"]

AnyPath = str | os.PathLike[str]


@contextmanager
def replacing(path: AnyPath) -> Iterator[BinaryIO]:
    """Open a stream to a temporary file beside `path`, which replaces `path` if all goes well.

    Readers never see half of a file, and after an error the old file is still there. An existing
    file keeps its permissions, and a new one gets those of the user's mask. Devices and pipes are
    written to directly.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with replacing(Path(folder, "a.txt")) as stream:
    ...         length = stream.write(b"done")
    ...     Path(folder, "a.txt").read_bytes(), os.listdir(folder)
    (b'done', ['a.txt'])
    """
    target = Path(os.path.realpath(path))
    mode = _mode(target)
    if mode is not None and not stat.S_ISREG(mode):
        with target.open("wb") as stream:
            yield stream
        return
    with _named(target):
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _default_mode() if mode is None else stat.S_IMODE(mode))
        with _named(target):
            os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def atomic_write(path: AnyPath, data: bytes) -> None:
    """Write a whole file, as `replacing` does.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     atomic_write(Path(folder, "a.txt"), b"done")
    ...     Path(folder, "a.txt").read_bytes()
    b'done'
    """
    with replacing(path) as stream:
        stream.write(data)


@contextmanager
def _named(target: Path) -> Iterator[None]:
    """Errors name the file that was asked for, not the temporary one."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(target), None
        raise


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _default_mode() -> int:
    """Permissions of a new file. The user's mask can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return 0o666 & ~mask
