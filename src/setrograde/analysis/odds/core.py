"""The native solver of odds, set up for a question (`cpp/setrograde/odds/`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar, get_args

from setrograde import _core
from setrograde.bridge.patterns import Lengths
from setrograde.common.memory import check_limit_mb, limit_bytes, share_mb
from setrograde.common.stop import StopFlag
from setrograde.common.threads import thread_count
from setrograde.errors import InvalidInput
from setrograde.solve.endings import EndingTable, ask_with_endings, endings_for

from .layouts import Layouts
from .question import OddsQuestion

__all__ = ["Method", "OddsCore", "core_cases", "solver_shares"]

T = TypeVar("T")

Method = Literal["classes", "patterns"]
"""How layouts are settled: by patterns, or by tie classes, which are slower but independent."""

_LEAST_MB = 2
"""The memory that a search needs."""

_SEARCHES = {"patterns": 1, "classes": 3}
"""The number of searches that each thread keeps."""

_GOOD_SOLVER_MB = 16
"""With less, a solver of full deals forgets too much: fewer threads are faster then."""

_MOST_SAMPLE_BYTES = 64 << 20


class OddsCore:
    """Settles layouts for the hands that are known, at the position of a question.

    The core looks up endings in a database if one is installed. A database that turns out to be
    damaged is left out from then on, with a warning. Several threads may ask at once.

    >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> result = OddsCore(question, limit_mb=64).settle(2)
    >>> result.yes, result.no
    (3, 3)
    """

    def __init__(
        self,
        question: OddsQuestion,
        *,
        limit_mb: int,
        threads: int = 1,
        method: Method = "patterns",
    ) -> None:
        if method not in get_args(Method):
            raise InvalidInput(f"not a method: {method!r} (expected 'patterns' or 'classes')")
        self._question = question
        self._method = method
        least_mb = _LEAST_MB * _SEARCHES[method]
        all_bytes = limit_bytes(limit_mb, least=least_mb)
        self.sample_threads = min(threads, limit_mb // _LEAST_MB)
        """The number of threads that may draw samples before anything is settled."""
        # Samples are solved on all threads at once, a few layouts at a time: little is enough.
        for_samples = max(all_bytes >> 3, _LEAST_MB << 20)
        share = min((all_bytes >> 3) // threads, _MOST_SAMPLE_BYTES)
        self.sample_bytes = max(share, _LEAST_MB << 20)
        """The memory for each of them."""
        self.can_sample_beside = limit_mb >= least_mb + _LEAST_MB
        """True if there is memory to draw samples while layouts are settled."""
        self._settle_bytes = all_bytes - (for_samples if self.can_sample_beside else 0)
        _, self._threads = share_mb(self._settle_bytes >> 20, threads, least=least_mb)
        if question.position.tricks_left:
            self._open(endings_for(question.position.tricks_left))

    def _open(self, endings: EndingTable | None) -> None:
        self._settler = self._solver(endings, self._settle_bytes)
        self._sampler = self._solver(endings, self.sample_bytes)

    def _solver(self, endings: EndingTable | None, size: int) -> _core.OddsSolver:
        position, layouts = self._question.position, self._question.layouts
        return _core.OddsSolver(
            position.north.bits,
            position.south.bits,
            layouts.cards.bits,
            int(self._question.strain),
            int(position.leader),
            trick=[16 * card.suit + card.rank for card in position.trick],
            shapes=None if layouts.shapes is None else sorted(layouts.shapes),
            points=layouts.points,
            east=layouts.first.bits,
            west=layouts.second.bits,
            cases=core_cases(layouts),
            limit_bytes=size,
            endings=None if endings is None else endings._core,
        )

    def _ask(self, question: Callable[[], T]) -> T:
        """Ask the core; once more, without the database, if that is damaged."""
        return ask_with_endings(question, lambda: self._open(None), stacklevel=3)

    def settle(
        self,
        need: int,
        *,
        progress: Callable[[_core.OddsProgress], bool] | None = None,
        stop: StopFlag | None = None,
    ) -> _core.OddsResult:
        """Settle in which layouts the known hands take `need` tricks.

        `progress` may return true to stop the work, and so does `stop`; the result then holds what
        was settled until that moment.
        """
        return self._ask(
            lambda: self._settler.settle(
                need, method=self._method, threads=self._threads, progress=progress, stop=stop
            )
        )

    def sample(
        self,
        count: int,
        seed: int,
        need: int | None = None,
        *,
        progress: Callable[[int], bool] | None = None,
        stop: StopFlag | None = None,
    ) -> list[int]:
        """Tricks of the known hands in random layouts; with `need` only `need`, or one less.

        `progress` hears how many layouts are done and may return true to stop. That, or `stop`,
        raises `Stopped`.

        >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
        >>> sorted(set(OddsCore(question, limit_mb=64).sample(20, 1, need=1)))
        [1]
        """
        return self._ask(
            lambda: self._sampler.sample(count, seed, need, progress=progress, stop=stop)
        )


def core_cases(layouts: Layouts) -> list[tuple[list[Lengths], int, int, int]] | None:
    """The cases of layouts as the core takes them."""
    if layouts.cases is None:
        return None
    return [
        (sorted(case.shapes), case.points, case.first.bits, case.second.bits)
        for case in layouts.cases
    ]


def solver_shares(limit_mb: int, threads: int | None, tasks: int) -> tuple[int, int]:
    """The memory for the solver of each thread, and the number of threads it is enough for.

    >>> solver_shares(256, 4, tasks=100), solver_shares(40, 4, tasks=100), solver_shares(8, 4, 1)
    ((64, 4), (20, 2), (8, 1))
    """
    check_limit_mb(limit_mb, least=_LEAST_MB)
    parts = max(1, min(thread_count(threads), tasks))
    return share_mb(limit_mb, parts, least=min(_GOOD_SOLVER_MB, limit_mb))
