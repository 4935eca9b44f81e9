"""Stop long work from any thread.

Long calls take `stop=`, a `StopFlag`. Once any thread sets the flag, they raise `Stopped` within a
quarter of a second, also while they wait for another thread to finish with the same object. Calls
that answer by degrees, such as the odds, return what they know instead; their docstrings say so.
An object whose work was stopped can be used again. Ctrl-C stops calls of the main thread alike.

>>> flag = StopFlag()
>>> flag.set()
>>> flag.is_set
True
"""

from __future__ import annotations

from setrograde._core import StopFlag
from setrograde.errors import Stopped

__all__ = ["StopFlag", "Stopped", "check_stop"]


def check_stop(stop: StopFlag | None) -> None:
    """Raise `Stopped` if there is a flag and it is set; for loops in Python.

    >>> flag = StopFlag()
    >>> check_stop(flag)
    >>> flag.set()
    >>> check_stop(flag)
    Traceback (most recent call last):
    ...
    setrograde.errors.Stopped: stopped before the end
    """
    if stop is not None and stop.is_set:
        raise Stopped("stopped before the end")
