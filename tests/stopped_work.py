"""Calls under way in threads of their own, stopped by a flag, with the time that takes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from setrograde.common.stop import StopFlag, Stopped

MOST_SECONDS = 0.25
"""A call must be back within this time of the setting of its flag."""

_PATIENCE_SECONDS = 30.0
_OWN_STATISTICS = Path("/proc/thread-self/schedstat")


def _seconds_without_core() -> float:
    """Time this thread was ready to run while other work had the cores; 0 where none can tell."""
    try:
        return int(_OWN_STATISTICS.read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


class Work:
    """A call in a thread of its own, with a flag that stops it: its own one, unless given."""

    def __init__(self, call: Callable[[StopFlag], object], *, flag: StopFlag | None = None) -> None:
        self.flag = StopFlag() if flag is None else flag
        self.outcome: object = None
        self._call = call
        self._ended_s = self._starved_s = 0.0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.outcome = self._call(self.flag)
        except BaseException as error:
            self.outcome = error
        self._ended_s = time.monotonic()
        self._starved_s = _seconds_without_core()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    @property
    def is_stopped(self) -> bool:
        """True if the call ended by saying that it was stopped."""
        return not self.is_running and isinstance(self.outcome, Stopped)

    def stop(self, action: Callable[[], None] | None = None) -> float:
        """Set the flag, or do what else should stop the call; the seconds until it is back.

        On a busy machine, the time for which the call's thread was given no core does not count.
        """
        assert self.is_running, f"done before it was stopped: {self.outcome!r}"
        starved_s = self._starved_so_far()
        start = time.monotonic()
        (action or self.flag.set)()
        return self.seconds_to_end(start, starved_s)

    def seconds_to_end(self, start: float | None = None, starved_s: float | None = None) -> float:
        """Wait for the end of the call; the seconds it took, from now on unless said."""
        start = time.monotonic() if start is None else start
        starved_s = self._starved_so_far() if starved_s is None else starved_s
        self._thread.join(_PATIENCE_SECONDS)
        assert not self.is_running, "it goes on"
        return self._ended_s - start - max(0.0, self._starved_s - starved_s)

    def _starved_so_far(self) -> float:
        try:
            path = Path(f"/proc/self/task/{self._thread.native_id}/schedstat")
            return int(path.read_text().split()[1]) / 1e9
        except OSError:
            return self._starved_s


def stopped_outcome(call: Callable[[StopFlag], object], *, after_seconds: float = 0.1) -> object:
    """What a call that is stopped after a while returns or raises; it must be back in time."""
    work = Work(call)
    time.sleep(after_seconds)
    assert work.stop() < MOST_SECONDS
    return work.outcome


def assert_stops(call: Callable[[StopFlag], object], *, after_seconds: float = 0.1) -> None:
    """The call is under way after a while, and raises `Stopped` soon after its flag is set."""
    outcome = stopped_outcome(call, after_seconds=after_seconds)
    assert isinstance(outcome, Stopped), outcome
