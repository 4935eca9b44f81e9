"""Files written whole or not at all: under a temporary name, then renamed."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["AnyPath", "atomic_write", "is_regular", "remove_left_over", "replacing"]

AnyPath = str | os.PathLike[str]

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of writing, in which the system does not name the file."""

_LEFT_OVER_S = 3600
"""The age from which a temporary file is not that of a program still at work."""


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
    except BaseException as error:
        with suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.errno in _FULL and error.filename is None:
            error.filename = str(target)
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


def is_regular(path: AnyPath) -> bool:
    """True for a file that can be read to its end: no directory, pipe or device.

    >>> is_regular("/dev/null")
    False
    """
    return stat.S_ISREG(os.stat(path).st_mode)


def remove_left_over(folder: AnyPath, *patterns: str) -> None:
    """Remove temporary files and folders that a program killed more than an hour ago has left.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     old, fresh = Path(folder, ".a.1"), Path(folder, ".a.2")
    ...     _ = old.write_bytes(b""), fresh.write_bytes(b""), os.utime(old, (0, 0))
    ...     remove_left_over(folder, ".a.*")
    ...     os.listdir(folder)
    ['.a.2']
    """
    now = time.time()
    for pattern in patterns:
        for path in Path(folder).glob(pattern):
            with suppress(OSError):
                if now - path.lstat().st_mtime < _LEFT_OVER_S:
                    continue
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()


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
