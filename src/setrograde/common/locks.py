"""Locks between programs: one of them works in a folder, the others are told."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from setrograde.errors import InvalidInput

__all__ = ["InUse", "locked_folder"]

_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
"""Errors of file systems that cannot lock."""


class InUse(InvalidInput):
    """Another program works in the folder.

    >>> issubclass(InUse, InvalidInput)
    True
    """


@contextmanager
def locked_folder(folder: Path, busy: str) -> Iterator[None]:
    """Make a folder and keep it from other programs; raises `InUse(busy)` if one works there.

    The lock is a file `lock`, gone at the end. After a program was killed it stays, but holds
    nobody up.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as home:
    ...     folder = Path(home, "work")
    ...     with locked_folder(folder, "two at work"):
    ...         with locked_folder(folder, "two at work"):
    ...             pass
    Traceback (most recent call last):
    ...
    setrograde.common.locks.InUse: two at work
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "lock"
    lock = _take(path, busy)
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()
        lock.close()


def _take(path: Path, busy: str) -> IO[str]:
    while True:
        lock = open(path, "a", encoding="ascii")  # noqa: SIM115 (held until the end of the work)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_same(lock, path):
                return lock
        except BlockingIOError:
            lock.close()
            raise InUse(busy) from None
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return lock
            lock.close()
            raise
        lock.close()  # of a program that has just finished, and has removed it


def _is_same(lock: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(lock.fileno()), path.stat())
    except FileNotFoundError:
        return False
