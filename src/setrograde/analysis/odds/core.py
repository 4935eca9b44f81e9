"""The native solver of odds, set up for a question (`cpp/setrograde/odds/odds.hpp`)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TypeVar

from setrograde import _core
from setrograde.bridge import InvalidInput
from setrograde.solve.endings import EndingTable, installed_endings

from .question import OddsQuestion

__all__ = ["OddsCore"]

T = TypeVar("T")

_LEAST_BYTES = 2 << 20
_MOST_SAMPLE_BYTES = 64 << 20


class OddsCore:
    """Settles lies for the hands that are known, at the position of a question.

    Endings are looked up in a database if one is installed. One that turns out to be damaged is
    left out from then on, with a warning. May be asked by several threads at once.

    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> question = OddsQuestion.of(Hand.from_text("AQ..."), Hand.from_text("32..."),
    ...                            Strain.NOTRUMP, Seat.SOUTH, hidden=Hand.from_text("KJT9..."))
    >>> result = OddsCore(question, limit_mb=64).settle(2)
    >>> result.yes, result.no
    (3, 3)
    """

    def __init__(self, question: OddsQuestion, *, limit_mb: int, threads: int = 1) -> None:
        if not 2 <= limit_mb <= 1 << 20:
            raise InvalidInput(f"not a memory limit: {limit_mb} MB (expected 2 to {1 << 20})")
        self._question = question
        self._threads = threads
        # Samples are solved on all threads at once, a few lies at a time: little is enough.
        for_samples = limit_mb << 17
        self._sample_bytes = max(_LEAST_BYTES, min(for_samples // threads, _MOST_SAMPLE_BYTES))
        self._settle_bytes = max(_LEAST_BYTES, (limit_mb << 20) - for_samples)
        if question.position.tricks_left:
            self._open(installed_endings())

    def _open(self, endings: EndingTable | None) -> None:
        self._settler = self._solver(endings, self._settle_bytes)
        self._sampler = self._solver(endings, self._sample_bytes)

    def _solver(self, endings: EndingTable | None, limit_bytes: int) -> _core.OddsSolver:
        position, lies = self._question.position, self._question.lies
        return _core.OddsSolver(
            position.north.bits,
            position.south.bits,
            lies.cards.bits,
            int(self._question.strain),
            int(position.leader),
            trick=[16 * card.suit + card.rank for card in position.trick],
            shapes=None if lies.shapes is None else sorted(lies.shapes),
            points=lies.points,
            east=lies.first.bits,
            west=lies.second.bits,
            limit_bytes=limit_bytes,
            endings=None if endings is None else endings._core,
        )

    def _ask(self, question: Callable[[], T]) -> T:
        """Ask the core; once more, without the database, if that is damaged."""
        try:
            return question()
        except _core.LevelFileError as error:
            warnings.warn(f"{error}; solving without it", stacklevel=3)
            self._open(None)
            return question()

    def settle(
        self,
        need: int,
        *,
        method: str = "patterns",
        progress: Callable[[_core.OddsProgress], bool] | None = None,
    ) -> _core.OddsResult:
        """In which lies the known hands take `need` tricks; `progress` may return true to stop."""
        threads = self._threads
        return self._ask(
            lambda: self._settler.settle(need, method=method, threads=threads, progress=progress)
        )

    def sample(self, count: int, seed: int, need: int | None = None) -> list[int]:
        """Tricks of the known hands in random lies; with `need` only `need`, or one less.

        >>> from setrograde.bridge import Hand, Seat, Strain
        >>> question = OddsQuestion.of(Hand.from_text("AQ..."), Hand.from_text("32..."),
        ...                            Strain.NOTRUMP, Seat.SOUTH, hidden=Hand.from_text("KJT9..."))
        >>> sorted(set(OddsCore(question, limit_mb=64).sample(20, 1, need=1)))
        [1]
        """
        return self._ask(lambda: self._sampler.sample(count, seed, need))
