"""Exact odds: declarer's double-dummy tricks over every lie of the unseen cards.

Not a sample: all of them, settled in sets (`cpp/setrograde/odds.hpp`). How good is a contract?
As good as the share of lies in which it makes with perfect play by everybody.

>>> from setrograde.bridge import Hand, Seat, Strain
>>> north, south = Hand.from_text("AQ..."), Hand.from_text("32...")
>>> found = odds(north, south, Strain.NOTRUMP, Seat.SOUTH, need=2,
...              hidden=Hand.from_text("KJT9..."))
>>> found.probability, found.lies
(Fraction(1, 2), 6)
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from setrograde import _core
from setrograde.bridge import Card, Hand, InvalidInput, Seat, Strain

from .odds_question import Known, OddsQuestion
from .odds_result import Estimate, Odds, Settled, StopReason, TrickSample, check_need
from .odds_sets import RawSet, SettledSets
from .odds_threads import thread_count

__all__ = ["Method", "odds", "odds_stream", "solve_odds"]

Method = Literal["classes", "patterns"]
"""How lies are settled: by tie classes, or by plain patterns, which is slower and independent."""

_SAMPLE_S = 1.2
"""How long the first estimate may take."""

_FEW_LIES = 5_000
"""So few are settled about as soon as a sample would be."""


class _Progress(Protocol):
    """How far the core is."""

    yes: int
    no: int
    open: int
    solves: int


class _Result(Protocol):
    """What the core found; `yes` if the known hands reach what they need."""

    yes: int
    no: int
    open: int
    sets: list[RawSet]
    solves: int
    nodes: int


class _Engine(Protocol):
    """The core's solver for one question."""

    def settle(
        self,
        need: int,
        *,
        method: str,
        threads: int,
        progress: Callable[[_Progress], bool] | None,
    ) -> _Result:
        """Settle all lies for one number of tricks, unless `progress` returns true."""

    def sample(self, count: int, seed: int) -> list[int]:
        """Tricks of the known hands in random lies."""


def odds(
    north: Hand,
    south: Hand,
    strain: Strain,
    declarer: Seat,
    *,
    need: int | None = None,
    west: Known = None,
    east: Known = None,
    hidden: Hand | None = None,
    played: Iterable[Card] = (),
    threads: int | None = None,
    limit_mb: int = 1024,
    method: Method = "classes",
) -> Odds:
    """Settle all lies of the unseen cards: the whole distribution, or just `need` tricks.

    With hands of 13 cards the other 26 are unseen, in 10,400,600 lies; in endings `hidden` names
    them. `west` and `east` say what is known of the hidden hands, in the words of
    `setrograde.bridge.constraints`. `played` are cards from the opening lead on; tricks already
    won count. One number of tricks is several times faster than the distribution.

    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> hands = Hand.from_text("AQ..."), Hand.from_text("32...")
    >>> hidden = Hand.from_text("KJT9...")
    >>> odds(*hands, Strain.NOTRUMP, Seat.SOUTH, hidden=hidden, west="has SK").distribution
    {2: 3}
    >>> lead = [Card.from_text("SJ")]
    >>> odds(*hands, Strain.NOTRUMP, Seat.SOUTH, hidden=hidden, played=lead).distribution
    {1: 2, 2: 1}
    """
    question = OddsQuestion.of(
        north, south, strain, declarer, west=west, east=east, hidden=hidden, played=played
    )
    return solve_odds(question, need=need, threads=threads, limit_mb=limit_mb, method=method)


def solve_odds(
    question: OddsQuestion,
    *,
    need: int | None = None,
    threads: int | None = None,
    limit_mb: int = 1024,
    method: Method = "classes",
) -> Odds:
    """As `odds`, for a question; also with the hands of East and West known.

    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> question = OddsQuestion.of_seats(
    ...     {Seat.EAST: Hand.from_text("AQ..."), Seat.WEST: Hand.from_text("32...")},
    ...     Strain.NOTRUMP, Seat.WEST, hidden=Hand.from_text("KJT9..."))
    >>> solve_odds(question, need=2).probability
    Fraction(1, 2)
    """
    *_, last = odds_stream(
        question, need=need, samples=0, threads=threads, limit_mb=limit_mb, method=method
    )
    return last


def odds_stream(
    question: OddsQuestion,
    *,
    need: int | None = None,
    time_s: float | None = None,
    within: float | None = None,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    limit_mb: int = 1024,
    method: Method = "classes",
) -> Iterator[Odds]:
    """What is known, again and again as it grows: an estimate at once, bounds, the exact figure.

    Each `Odds` tells what is proved and what is estimated. The last one is exact unless the work
    was stopped: after `time_s` seconds, or once the chance (or, for a distribution, each of them)
    is known to within `within`, be it by proof or by a 95 % interval. `samples` lies are drawn
    for the estimate; as many as fit in a second unless given, none if 0. Closing the iterator
    stops the work.

    >>> from setrograde.bridge import Hand, Seat, Strain
    >>> question = OddsQuestion.of(Hand.from_text("AQ..."), Hand.from_text("32..."),
    ...                            Strain.NOTRUMP, Seat.SOUTH, hidden=Hand.from_text("KJT9..."))
    >>> *_, last = odds_stream(question, need=2, samples=10)
    >>> last.probability, last.sample is not None
    (Fraction(1, 2), True)
    """
    check_need(question, need)
    if within is not None and not 0 <= within < 1:
        raise InvalidInput(f"not a precision: {within} (expected 0 to 1, like 0.005)")
    if time_s is not None and not time_s > 0:
        raise InvalidInput(f"not a time: {time_s} s (expected more than 0)")
    run = _Run(
        _engine(question, limit_mb),
        Odds(question, need, question.lies.count(), {}),
        thread_count(threads),
        method,
        samples,
        seed,
        time_s,
        within,
    )
    return run.stream()


def _engine(question: OddsQuestion, limit_mb: int) -> _Engine | None:
    """The core, at the position of the question; `None` if no card is left."""
    if not 2 <= limit_mb <= 1 << 20:
        raise InvalidInput(f"not a memory limit: {limit_mb} MB (expected 2 to {1 << 20})")
    position, lies = question.position, question.lies
    if not position.tricks_left:
        return None
    return _core.OddsSolver(
        position.north.bits,
        position.south.bits,
        lies.cards.bits,
        int(question.strain),
        int(position.leader),
        trick=[16 * card.suit + card.rank for card in position.trick],
        shapes=None if lies.shapes is None else sorted(lies.shapes),
        points=lies.points,
        east=lies.first.bits,
        west=lies.second.bits,
        limit_bytes=limit_mb << 20,
    )


@dataclass(slots=True)
class _Run:
    """One question being worked on: by a thread of its own, so that Ctrl-C is heard at once."""

    engine: _Engine | None
    state: Odds
    threads: int
    method: Method
    samples: int | None
    seed: int
    time_s: float | None
    within: float | None
    started: float = field(default_factory=time.monotonic)
    is_closed: bool = False
    updates: queue.SimpleQueue[Odds | BaseException | None] = field(
        default_factory=queue.SimpleQueue
    )

    def stream(self) -> Iterator[Odds]:
        worker = threading.Thread(target=self._work, daemon=True)
        worker.start()
        try:
            while (update := self.updates.get()) is not None:
                if isinstance(update, BaseException):
                    raise update
                yield update
        finally:
            self.is_closed = True
            worker.join()

    def _work(self) -> None:
        try:
            self._estimate()
            for need in self._needs():
                if self._stop_reason():
                    break
                self._settle(need)
            reason = None if self.state.exact else self._stop_reason()
            self._publish(stopped=reason)
            self.updates.put(None)
        except BaseException as error:
            self.updates.put(error)

    def _publish(self, **changes: object) -> None:
        seconds = time.monotonic() - self.started
        self.state = replace(self.state, seconds=seconds, **changes)  # type: ignore[arg-type]
        self.updates.put(self.state)

    def _stop_reason(self) -> StopReason | None:
        if self.is_closed:
            return "interrupted"
        if self.time_s is not None and time.monotonic() - self.started >= self.time_s:
            return "time"
        if self.within is not None and _is_within(self.state, self.within):
            return "within"
        return None

    # --- the estimate ---

    def _estimate(self) -> None:
        """Draw lies in batches, small ones first, until there are enough or time is up."""
        if self.engine is None or self.samples == 0:
            return
        if self.samples is None and self.state.lies <= _FEW_LIES:
            return
        most = 2_000 if self.samples is None else self.samples
        drawn: list[int] = []
        batch = 16
        while len(drawn) < most and not self._stop_reason():
            before = time.monotonic()
            count = min(batch, most - len(drawn))
            tricks = self.engine.sample(count, self.seed + len(drawn))
            drawn += [self.state.question.tricks_declarer(n) for n in tricks]
            self._publish(sample=TrickSample(tuple(drawn), self.seed))
            took = time.monotonic() - before
            batch = min(4 * batch, max(8, int(batch * 0.2 / max(took, 1e-6))))
            if self.samples is None and time.monotonic() - self.started > _SAMPLE_S:
                break

    # --- the proof ---

    def _needs(self) -> Iterator[int]:
        """Numbers of tricks to settle: outward from the middle, as long as anything is open."""
        state = self.state
        if state.need is not None:
            if state.counts_at_least(state.need)[0] != state.counts_at_least(state.need)[1]:
                yield state.need
            return
        middle = self._middle()
        for need in range(middle, state.question.tricks + 1):
            if self.state.counts_at_least(need)[1] == 0:
                break
            yield need
        for need in range(middle - 1, 0, -1):
            if self.state.counts_at_least(need)[0] == state.lies:
                break
            yield need

    def _middle(self) -> int:
        sample = self.state.sample
        if sample is not None:
            return max(1, sorted(sample.tricks)[len(sample.tricks) // 2])
        return (self.state.question.tricks + 1) // 2 or 1

    def _settle(self, need: int) -> None:
        question = self.state.question
        known_need = question.known_need(need)
        flips = not question.is_declared_by_known
        if self.engine is None or not 0 < known_need <= question.position.tricks_left:
            reached = known_need <= 0
            self._record(_settled(need, self.state.lies if reached else 0, 0, flips, self.state))
            return

        def progress(now: _Progress) -> bool:
            self._record(_settled(need, now.yes, now.open, flips, self.state, solves=now.solves))
            return self._stop_reason() is not None

        result = self.engine.settle(
            known_need, method=self.method, threads=self.threads, progress=progress
        )
        found = _settled(need, result.yes, result.open, flips, self.state, solves=result.solves)
        sets = None if result.open else SettledSets(result.sets, flips=flips)
        self._record(replace(found, sets=sets, nodes=result.nodes))

    def _record(self, found: Settled) -> None:
        self._publish(settled={**self.state.settled, found.need: found})


def _settled(
    need: int, reached: int, left: int, flips: bool, state: Odds, *, solves: int = 0
) -> Settled:
    """Counts for declarer, from counts for the known hands."""
    missed = state.lies - reached - left
    makes, fails = (missed, reached) if flips else (reached, missed)
    return Settled(need, makes, fails, left, solves=solves)


def _is_within(state: Odds, within: float) -> bool:
    """True if every chance asked for is known so closely, proved or by its interval."""
    needs = range(1, state.question.tricks + 1) if state.need is None else [state.need]
    return all(_half_width(state, need) <= within for need in needs)


def _half_width(state: Odds, need: int) -> float:
    low, high = state.bounds_at_least(need)
    estimate: Estimate | None = state.estimate_at_least(need)
    half = float(high - low) / 2
    return half if estimate is None else min(half, estimate.half_width)
