"""Exact odds: declarer's double-dummy tricks over every layout of the unseen cards.

Not a sample: all of them, settled in sets (`cpp/setrograde/odds/odds.hpp`). How good is a contract?
As good as the share of layouts in which it makes with perfect play by everybody.

>>> from setrograde.bridge import Hand, Seat, Strain
>>> north, south = Hand.from_text("AQ..."), Hand.from_text("32...")
>>> found = odds(north, south, Strain.NOTRUMP, Seat.SOUTH, need=2,
...              hidden=Hand.from_text("KJT9..."))
>>> found.probability, found.layouts
(Fraction(1, 2), 6)
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice

from setrograde import _core
from setrograde.bridge import Card, Hand, InvalidInput, Seat, Strain
from setrograde.common.threads import thread_count

from .core import Method, OddsCore
from .question import Known, OddsQuestion
from .result import Estimate, Odds, Settled, StopReason, TrickSample, check_need
from .settled_sets import SettledSets

__all__ = ["Method", "odds", "odds_stream", "solve_odds"]

_SAMPLE_S = 1.5
"""How long the first estimate may take."""

_CHUNK = 16
"""Layouts drawn at a time; each chunk follows from the seed and its number."""

_MOST_SAMPLES = 4_000
_SAMPLING_SHARE = 0.15
"""Of one thread's time during the proof, so that the estimate goes on narrowing."""

_FEW_LAYOUTS = 5_000
"""So few are settled about as soon as a sample would be."""


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
    method: Method = "patterns",
) -> Odds:
    """Settle all layouts of the unseen cards: the whole distribution, or just `need` tricks.

    With hands of 13 cards the other 26 are unseen, in 10,400,600 layouts; in endings `hidden` names
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
    method: Method = "patterns",
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
    method: Method = "patterns",
) -> Iterator[Odds]:
    """What is known, again and again as it grows: an estimate at once, bounds, the exact figure.

    Each `Odds` tells what is proved and what is estimated. The last one is exact unless the work
    was stopped: after `time_s` seconds, or once the chance (or, for a distribution, each of them)
    is known to within `within`, be it by proof or by a 95 % interval. `samples` layouts are drawn
    for the estimate, none if 0; unless given, as many as fit in the first 1.5 seconds, and more
    now and then during the proof. Closing the iterator stops the work.

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
    workers = thread_count(threads)
    run = _Run(
        OddsCore(question, limit_mb=limit_mb, threads=workers, method=method),
        Odds(question, need, question.layouts.count(), {}),
        samples,
        seed,
        time_s,
        within,
    )
    return run.stream()


@dataclass(slots=True)
class _Run:
    """One question being worked on: by a thread of its own, so that Ctrl-C is heard at once."""

    core: OddsCore
    state: Odds
    samples: int | None
    seed: int
    time_s: float | None
    within: float | None
    started: float = field(default_factory=time.monotonic)
    is_closed: bool = False
    reason: StopReason | None = None
    drawn: list[int] = field(default_factory=list)
    sampling_s: float = 0.0
    updates: queue.SimpleQueue[Odds | BaseException | None] = field(
        default_factory=queue.SimpleQueue
    )

    def stream(self) -> Iterator[Odds]:
        self.started = time.monotonic()
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
        """Why to stop; once there was a reason, it stays."""
        if self.reason is None:
            if self.is_closed:
                self.reason = "interrupted"
            elif self.time_s is not None and time.monotonic() - self.started >= self.time_s:
                self.reason = "time"
            elif self.within is not None and _is_within(self.state, self.within):
                self.reason = "within"
        return self.reason

    # --- the estimate ---

    def _estimate(self) -> None:
        """Draw layouts on all threads until there are enough or time is up."""
        if self.samples == 0 or not self.state.question.position.tricks_left:
            return
        if self.samples is None and self.state.layouts <= _FEW_LAYOUTS:
            return
        most = _MOST_SAMPLES // 2 if self.samples is None else self.samples
        sizes = [min(_CHUNK, most - start) for start in range(0, most, _CHUNK)]
        threads = self.core.sample_threads
        with ThreadPoolExecutor(threads) as pool:
            # Two chunks a thread under way, so that none waits for the others.
            chunks = enumerate(sizes)
            waiting = deque(
                pool.submit(self.core.sample, size, self._seed_of(number), self._asked)
                for number, size in islice(chunks, 2 * threads)
            )
            while waiting:
                self._add_to_sample(waiting.popleft().result())
                if not self._has_sampled_enough():
                    for number, size in islice(chunks, 1):
                        seed = self._seed_of(number)
                        waiting.append(pool.submit(self.core.sample, size, seed, self._asked))
                self._publish(sample=self._sample())

    def _has_sampled_enough(self) -> bool:
        is_late = time.monotonic() - self.started > _SAMPLE_S
        return (self.samples is None and is_late) or self._stop_reason() is not None

    def _seed_of(self, chunk: int) -> int:
        return self.seed * 1_000_003 + chunk

    @property
    def _asked(self) -> int | None:
        """What the known hands need, if only that is asked: a search of one question a layout."""
        need = self.state.need
        return None if need is None else self.state.question.known_need(need)

    def _sample(self) -> TrickSample:
        return TrickSample(tuple(self.drawn), self.seed, self.state.need)

    def _add_to_sample(self, tricks: list[int]) -> None:
        self.drawn += [self.state.question.tricks_declarer(n) for n in tricks]

    def _sample_on(self) -> None:
        """A chunk more, unless sampling has had its share of the time."""
        is_enough = len(self.drawn) >= _MOST_SAMPLES or not self.core.can_sample_beside
        if self.samples is not None or not self.drawn or is_enough:
            return
        now = time.monotonic()
        if self.sampling_s > _SAMPLING_SHARE * (now - self.started - _SAMPLE_S):
            return
        seed = self._seed_of(len(self.drawn) // _CHUNK)
        self._add_to_sample(self.core.sample(_CHUNK, seed, self._asked))
        self.sampling_s += time.monotonic() - now
        self.state = replace(self.state, sample=self._sample())

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
            if self.state.counts_at_least(need)[0] == state.layouts:
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
        if not 0 < known_need <= question.position.tricks_left:
            reached = known_need <= 0
            self._record(_settled(need, self.state.layouts if reached else 0, 0, flips, self.state))
            return

        def settled(found: _core.OddsProgress | _core.OddsResult) -> Settled:
            left = self.state.layouts - found.yes - found.no
            counts = _settled(need, found.yes, left, flips, self.state)
            return replace(counts, solves=found.solves, told_apart=found.told_apart)

        def progress(now: _core.OddsProgress) -> bool:
            self._sample_on()
            self._record(settled(now))
            return self._stop_reason() is not None

        result = self.core.settle(known_need, progress=progress)
        assert result.yes + result.no + result.open == self.state.layouts
        sets = None if result.open else SettledSets(result.sets, flips=flips)
        self._record(replace(settled(result), sets=sets, nodes=result.nodes))

    def _record(self, found: Settled) -> None:
        self._publish(settled={**self.state.settled, found.need: found})


def _settled(need: int, reached: int, left: int, flips: bool, state: Odds) -> Settled:
    """Counts for declarer, from counts for the known hands."""
    missed = state.layouts - reached - left
    makes, fails = (missed, reached) if flips else (reached, missed)
    return Settled(need, makes, fails, left)


def _is_within(state: Odds, within: float) -> bool:
    """True if every chance asked for is known so closely, proved or by its interval."""
    needs = range(1, state.question.tricks + 1) if state.need is None else [state.need]
    return all(_half_width(state, need) <= within for need in needs)


def _half_width(state: Odds, need: int) -> float:
    low, high = state.bounds_at_least(need)
    estimate: Estimate | None = state.estimate_at_least(need)
    half = float(high - low) / 2
    return half if estimate is None else min(half, estimate.half_width)
