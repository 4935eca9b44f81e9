"""Stop long work from any thread.

Long calls take `stop=`, a `StopFlag`. Once the flag is set, by whichever thread, they raise
`Stopped` within a fraction of a second, also while they wait for another thread's turn to end.
Calls that answer by degrees, such as the odds, return what they know instead, and say so in their
docstring. What was stopped can be used again. Ctrl-C does the same to calls of the main thread.

>>> flag = StopFlag()
>>> flag.set()
>>> flag.is_set
True
"""

from __future__ import annotations

from setrograde._core import StopFlag
from setrograde.errors import Stopped

__all__ = ["StopFlag", "Stopped"]
