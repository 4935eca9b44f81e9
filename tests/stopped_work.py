"""Calls under way in threads of their own, stopped by a flag, with the time that takes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from setrograde.common.stop import StopFlag, Stopped

MOST_SECONDS = 0.25
_PATIENCE_SECONDS = 30.0


class Work:
    """A call in a thread of its own, with a flag that stops it."""

    def __init__(self, call: Callable[[StopFlag], object]) -> None:
        self.flag = StopFlag()
        self.outcome: object = None
        self._call = call
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.outcome = self._call(self.flag)
        except BaseException as error:
            self.outcome = error

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> float:
        """Set the flag; the seconds until the call is back."""
        start = time.monotonic()
        self.flag.set()
        self._thread.join(_PATIENCE_SECONDS)
        assert not self.is_running, "it goes on"
        return time.monotonic() - start


def assert_stops(call: Callable[[StopFlag], object], *, after_seconds: float = 0.1) -> None:
    """The call is under way after a while, and back soon after its flag is set."""
    work = Work(call)
    time.sleep(after_seconds)
    assert work.is_running, f"done before it was stopped: {work.outcome!r}"
    seconds = work.stop()
    assert isinstance(work.outcome, Stopped), work.outcome
    assert seconds < MOST_SECONDS
