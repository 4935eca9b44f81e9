"""Where databases lie on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

__all__ = ["data_directory", "level_path", "may_build"]


def data_directory(directory: str | os.PathLike[str] | None = None) -> Path:
    """As given, else the environment's `SETROGRADE_HOME`, else the user's data directory.

    >>> data_directory("/srv/bridge").as_posix()
    '/srv/bridge'
    """
    if directory is not None:
        return Path(directory)
    if home := os.environ.get("SETROGRADE_HOME"):
        return Path(home)
    return Path(platformdirs.user_data_dir("setrograde", appauthor=False))


def may_build() -> bool:
    """True unless the environment's `SETROGRADE_NO_BUILD` says that solvers install nothing.

    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, SETROGRADE_NO_BUILD="1"):
    ...     may_build()
    False
    """
    return os.environ.get("SETROGRADE_NO_BUILD", "") in ("", "0")


def level_path(
    tricks: int, directory: str | os.PathLike[str] | None = None, *, method: str = "diagrams"
) -> Path:
    """The file of one level of endings.

    >>> level_path(4, "/srv/bridge").as_posix()
    '/srv/bridge/endings/16-cards.diagrams'
    """
    return data_directory(directory) / "endings" / f"{4 * tricks:02}-cards.{method}"
