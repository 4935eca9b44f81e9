"""Exact odds: declarer's double-dummy tricks over every layout of the unseen cards.

How good is a contract? As good as the share of layouts in which it makes if everybody plays
perfectly. That is not taken from a sample: all layouts are settled, set by set
(`cpp/setrograde/odds/settle.hpp`).

>>> found = odds("AQ...", "32...", "NT", declarer="S", need=2, hidden="KJT9...")
>>> found.probability, found.layouts
(Fraction(1, 2), 6)
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace

from setrograde import _core
from setrograde.bridge.coerce import (
    CardsLike,
    ContractLike,
    HandLike,
    SeatLike,
    StrainLike,
    as_contract,
)
from setrograde.common.stop import StopFlag
from setrograde.common.threads import thread_count
from setrograde.errors import InvalidInput, Stopped

from .asking import asked_need
from .batches import check_time
from .core import Method, OddsCore
from .guesses import Guess, find_guesses, two_way_cards
from .question import Known, OddsQuestion
from .result import Estimate, Odds, Settled, StopReason, TrickSample, check_need, check_samples
from .settled_sets import SettledSets

__all__ = ["Method", "OddsProgress", "odds", "odds_stream", "solve_odds"]

OddsProgress = Callable[[Odds], None]
"""Hears what is known so far. An exception it raises stops the work."""

_SAMPLE_S = 1.5
"""The time that the first estimate may take."""

_CHUNK = 16
"""The number of layouts drawn at a time; a chunk follows from the seed and its number."""

_LARGE_CHUNK = 128
"""The same while nothing is settled beside: one solver answers a chunk, and it learns."""

_MOST_SAMPLES = 4_000
_SAMPLING_SHARE = 0.15
"""The share of one thread's time for samples while layouts are settled."""

_GROWTH = 1.05
"""A growing sample is shown again when it is larger by this factor."""

_TRIAL_S = 0.5
"""The time after which the rate of the proof is judged."""

_CLEARLY = 1.25
"""The factor by which a sample must be sooner before the proof is given up."""

_FEW_LAYOUTS = 5_000
"""Up to this number, layouts are settled about as soon as a sample would be solved."""


def odds(
    north: HandLike,
    south: HandLike,
    strain: StrainLike | None = None,
    declarer: SeatLike | None = None,
    *,
    need: int | None = None,
    contract: ContractLike | None = None,
    west: Known = None,
    east: Known = None,
    hidden: HandLike | None = None,
    played: CardsLike = (),
    threads: int | None = None,
    limit_mb: int = 1024,
    method: Method = "patterns",
    time_s: float | None = None,
    within: float | None = None,
    seed: int = 0,
    progress: OddsProgress | None = None,
    stop: StopFlag | None = None,
) -> Odds:
    """The exact odds of a contract: all layouts of the unseen cards, settled.

    Give strain and declarer, and `need` for the chance of that many tricks; or give a `contract`,
    which says all three. Without `need` and `contract` the answer is the whole distribution of
    tricks, which takes several times as long.

    With hands of 13 cards the other 26 are unseen, in 10,400,600 layouts; in endings `hidden` names
    them. `west` and `east` say what is known of the hidden hands, in the words of
    `setrograde.bridge.constraints`. `played` are the cards from the opening lead on; tricks that
    are already won count.

    >>> found = odds("AKQ2.T98.A76.K54", "876.765.KQJ.QJT9", contract="3NTS",
    ...              west="hcp 5-10, 6+ hearts")
    >>> found.probability, found.layouts
    (Fraction(18, 119), 210392)
    >>> odds("AQ...", "32...", "NT", "S", hidden="KJT9...", west="has SK").distribution
    {2: 3}
    >>> odds("AQ...", "32...", "NT", "S", hidden="KJT9...", played="SJ").distribution
    {1: 2, 2: 1}

    All threads together use at most `limit_mb`. `progress` hears an `Odds` whenever more is known.
    The work ends early after `time_s` seconds; once the chance is known to within `within`, by
    proof or by the 95 % interval of a sample; or when `stop` is set. The answer then tells what is
    proved and what is estimated by that moment, and its `stopped` says why it ended: `"time"`,
    `"within"` or `"request"`. With `time_s` or `within`, random layouts are drawn for an estimate;
    they follow from `seed`.

    >>> north, south = "AKQ2.T98.A76.K54", "876.765.KQJ.QJT9"
    >>> found = odds(north, south, contract="3NTS", within=0.2)
    >>> found.exact or found.stopped == "within"
    True
    """
    question = OddsQuestion.of(
        north,
        south,
        strain,
        declarer,
        contract=contract,
        west=west,
        east=east,
        hidden=hidden,
        played=played,
    )
    full_contract = None if contract is None else as_contract(contract, question.declarer)
    return solve_odds(
        question,
        need=asked_need(need, full_contract, question.tricks),
        threads=threads,
        limit_mb=limit_mb,
        method=method,
        time_s=time_s,
        within=within,
        seed=seed,
        progress=progress,
        stop=stop,
    )


def solve_odds(
    question: OddsQuestion,
    *,
    need: int | None = None,
    threads: int | None = None,
    limit_mb: int = 1024,
    method: Method = "patterns",
    time_s: float | None = None,
    within: float | None = None,
    seed: int = 0,
    progress: OddsProgress | None = None,
    stop: StopFlag | None = None,
) -> Odds:
    """As `odds`, for a question; also one in which the hands of East and West are known.

    >>> question = OddsQuestion.of_seats({"E": "AQ...", "W": "32..."}, "NT", "W", hidden="KJT9...")
    >>> solve_odds(question, need=2).probability
    Fraction(1, 2)
    """
    has_limit = time_s is not None or within is not None
    stream = odds_stream(
        question,
        need=need,
        time_s=time_s,
        within=within,
        samples=None if has_limit else 0,
        seed=seed,
        threads=threads,
        limit_mb=limit_mb,
        method=method,
        stop=stop,
    )
    for last in stream:
        if progress is not None:
            progress(last)
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
    stop: StopFlag | None = None,
) -> Iterator[Odds]:
    """What is known, again and again as it grows: an estimate, then bounds, then the exact answer.

    Each `Odds` tells what is proved and what is estimated. The last one is exact unless the work
    was stopped: after `time_s` seconds; once the chance (of a distribution, each chance) is known
    to within `within`, by proof or by its 95 % interval; or by `stop`. Its `stopped` says which.
    With `within`, the rates at which layouts are settled and sampled are compared, and the work
    goes on with the one that will be close enough first.

    The estimate comes from `samples` random layouts, which follow from `seed`; none are drawn if
    `samples` is 0. By default they are as many as can be solved in 1.5 seconds, and more now and
    then while layouts are settled. Closing the iterator stops the work.

    >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> *_, last = odds_stream(question, need=2, samples=10)
    >>> last.probability, last.sample is not None
    (Fraction(1, 2), True)
    """
    check_need(question, need)
    if within is not None and not 0 <= within < 1:
        raise InvalidInput(f"not a precision: {within} (expected 0 to 1, like 0.005)")
    check_time(time_s)
    if samples is not None:
        check_samples(samples)
    core = OddsCore(question, limit_mb=limit_mb, threads=thread_count(threads), method=method)
    state = Odds(question, need, question.layouts.count(), {})
    return _Run(core, state, samples, seed, time_s, within, stop).stream()


@dataclass(slots=True)
class _Run:
    """The work on one question, in a thread of its own so that Ctrl-C is heard at once."""

    core: OddsCore
    state: Odds
    samples: int | None
    seed: int
    time_s: float | None
    within: float | None
    stop: StopFlag | None
    started: float = field(default_factory=time.monotonic)
    is_closed: bool = False
    reason: StopReason | None = None
    drawn: list[int] = field(default_factory=list)
    chunks: int = 0
    sample_rate: float = 0.0
    is_sampling_sooner: bool = False
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
                if self._stop_reason() or self.is_sampling_sooner:
                    break
                self._settle(need)
            if self.is_sampling_sooner:
                self._sample_until(lambda: self._stop_reason() is not None, chunk=_LARGE_CHUNK)
            reason = None if self.state.exact else self._stop_reason()
            self._publish(stopped=reason, guesses=self._guesses(reason))
            self.updates.put(None)
        except BaseException as error:
            self.updates.put(error)

    def _publish(self, **changes: object) -> None:
        seconds = time.monotonic() - self.started
        self.state = replace(self.state, seconds=seconds, **changes)  # type: ignore[arg-type]
        self.updates.put(self.state)

    def _stop_reason(self) -> StopReason | None:
        """The reason to stop, if there is one; once there was, it stays."""
        if self.reason is None:
            if self.is_closed:
                self.reason = "interrupted"
            elif self.stop is not None and self.stop.is_set:
                self.reason = "request"
            elif self.time_s is not None and time.monotonic() - self.started >= self.time_s:
                self.reason = "time"
            elif self.within is not None and _is_within(self.state, self.within):
                self.reason = "within"
        return self.reason

    def _guesses(self, reason: StopReason | None) -> tuple[Guess, ...]:
        """Two-way finesses that are counted as right; tried only if there is time."""
        state = self.state
        share = state.probability if state.exact else None
        if share == 0 or not state.question.position.tricks_left:
            return ()
        if reason in (None, "within") and not self.is_closed:
            with suppress(Stopped):
                return find_guesses(state.question, state.need, stop=self.stop)
        return tuple([Guess(card) for card in two_way_cards(state.question)])

    # --- the estimate ---

    def _estimate(self) -> None:
        """Draw layouts on all threads until there are enough or the time is up."""
        if self.samples == 0 or not self.state.question.position.tricks_left:
            return
        if self.samples is None and self.state.layouts <= _FEW_LAYOUTS:
            return
        most = _MOST_SAMPLES // 2 if self.samples is None else self.samples
        self._sample_until(self._has_sampled_enough, most)
        self.sample_rate = len(self.drawn) / (time.monotonic() - self.started)

    def _sample_until(
        self, is_enough: Callable[[], bool], most: int | None = None, *, chunk: int = _CHUNK
    ) -> None:
        """Draw layouts on all threads until there are enough, at most `most` in all."""
        threads = self.core.sample_threads
        shown = 0
        with ThreadPoolExecutor(threads) as pool:
            # Two chunks a thread under way, so that none waits for the others.
            waiting: deque[Future[list[int] | None]] = deque()
            for _ in range(2 * threads):
                self._submit(pool, waiting, chunk, most)
            while waiting:
                drawn = waiting.popleft().result()
                if drawn is None:
                    pool.shutdown(wait=False, cancel_futures=True)
                    break
                self._add_to_sample(drawn)
                if len(self.drawn) >= _GROWTH * shown or not waiting:
                    shown = len(self.drawn)
                    self._publish(sample=self._sample())
                if not is_enough():
                    self._submit(pool, waiting, chunk, most)
        if len(self.drawn) > shown:
            self._publish(sample=self._sample())

    def _submit(
        self,
        pool: ThreadPoolExecutor,
        waiting: deque[Future[list[int] | None]],
        chunk: int,
        most: int | None,
    ) -> None:
        """Have one more chunk of layouts drawn, if there may be one."""
        size = chunk if most is None else min(chunk, most - self.chunks * chunk)
        if size > 0:
            waiting.append(pool.submit(self._draw, self.chunks, size))
            self.chunks += 1

    def _draw(self, chunk: int, size: int) -> list[int] | None:
        """The tricks of a chunk of layouts; `None` if the work was stopped meanwhile."""

        def is_closed(done: int) -> bool:
            return self.is_closed

        seed = self.seed * 1_000_003 + chunk
        try:
            return self.core.sample(size, seed, self._asked, progress=is_closed, stop=self.stop)
        except Stopped:
            self._note_stop()
            return None

    def _note_stop(self) -> None:
        """Remember that the core was stopped, even if the flag is cleared again."""
        if self._stop_reason() is None:
            self.reason = "request"

    def _has_sampled_enough(self) -> bool:
        is_late = time.monotonic() - self.started > _SAMPLE_S
        return (self.samples is None and is_late) or self._stop_reason() is not None

    @property
    def _asked(self) -> int | None:
        """What the known hands need, if only one number of tricks is asked about."""
        need = self.state.need
        return None if need is None else self.state.question.known_need(need)

    def _sample(self) -> TrickSample:
        return TrickSample(tuple(self.drawn), self.seed, self.state.need)

    def _add_to_sample(self, tricks: list[int]) -> None:
        self.drawn += [self.state.question.tricks_declarer(n) for n in tricks]

    def _sample_on(self) -> None:
        """Draw one more chunk, unless sampling has had its share of the time."""
        is_enough = len(self.drawn) >= _MOST_SAMPLES or not self.core.can_sample_beside
        if self.samples is not None or not self.drawn or is_enough:
            return
        now = time.monotonic()
        if self.sampling_s > _SAMPLING_SHARE * (now - self.started - _SAMPLE_S):
            return
        drawn = self._draw(self.chunks, _CHUNK)
        if drawn is None:
            return
        self.chunks += 1
        self._add_to_sample(drawn)
        self.sampling_s += time.monotonic() - now
        self.state = replace(self.state, sample=self._sample())

    # --- the proof ---

    def _needs(self) -> Iterator[int]:
        """Numbers of tricks to settle, outward from the middle as long as anything is open."""
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

        begun, open_before = time.monotonic(), self.state.open_share

        def progress(now: _core.OddsProgress) -> bool:
            self._sample_on()
            self._record(settled(now))
            if self._stop_reason() is not None:
                return True
            taken = time.monotonic() - begun
            self.is_sampling_sooner = self._is_sampling_sooner(taken, open_before)
            return self.is_sampling_sooner

        result = self.core.settle(known_need, progress=progress, stop=self.stop)
        if result.open and not self.is_sampling_sooner:
            self._note_stop()
        assert result.yes + result.no + result.open == self.state.layouts
        sets = None if result.open else SettledSets(result.sets, flips=flips)
        self._record(replace(settled(result), sets=sets, nodes=result.nodes))

    def _is_sampling_sooner(self, taken: float, open_before: float) -> bool:
        """True if a sample alone will be within the precision asked for before the proof is.

        The proof is taken to go on as it did in the `taken` seconds since `open_before` of the
        work was left.
        """
        if self.within is None or self.samples is not None or not self.drawn or taken < _TRIAL_S:
            return False
        missing = max(0, _samples_needed(self.state, self.within) - len(self.drawn))
        by_sample = missing / self.sample_rate
        done = open_before - self.state.open_share
        left = max(0.0, self.state.open_share - 2 * self.within)
        return left * taken > _CLEARLY * by_sample * done

    def _record(self, found: Settled) -> None:
        self._publish(settled={**self.state.settled, found.need: found})


def _settled(need: int, reached: int, left: int, flips: bool, state: Odds) -> Settled:
    """Counts for declarer, from counts for the known hands."""
    missed = state.layouts - reached - left
    makes, fails = (missed, reached) if flips else (reached, missed)
    return Settled(need, makes, fails, left)


def _is_within(state: Odds, within: float) -> bool:
    """True if every chance asked for is known this closely, by proof or by its interval."""
    needs = range(1, state.question.tricks + 1) if state.need is None else [state.need]
    return all(_half_width(state, need) <= within for need in needs)


def _samples_needed(state: Odds, within: float) -> int:
    """The size of a sample whose 95 % intervals are about as close as `within`."""
    needs = range(1, state.question.tricks + 1) if state.need is None else [state.need]
    found = [state.estimate_at_least(need) for need in needs]
    # A share of 0 or 1 in a small sample may be another: one more layout is imagined on each side.
    shares = [(each.share * each.samples + 1) / (each.samples + 2) for each in found if each]
    spread = max([share * (1 - share) for share in shares], default=0.25)
    return round(spread * (1.96 / within) ** 2) if within else sys.maxsize


def _half_width(state: Odds, need: int) -> float:
    low, high = state.bounds_at_least(need)
    estimate: Estimate | None = state.estimate_at_least(need)
    half = float(high - low) / 2
    return half if estimate is None else min(half, estimate.half_width)
