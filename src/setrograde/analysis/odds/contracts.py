"""Contracts weighed against each other over the same layouts: points, IMPs, matchpoints.

What one contract earns on average follows from the distribution of its tricks alone. Whether it
beats another contract does not: both must be played in the same layout. So contracts are compared
layout by layout, over all layouts if they are few, otherwise over a sample. The answer says which.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from random import Random
from typing import Literal

from setrograde.bridge import (
    Contract,
    Hand,
    InvalidInput,
    Seat,
    Side,
    Strain,
    Vulnerability,
    imps,
    score_board,
)
from setrograde.bridge.coerce import (
    ContractLike,
    SeatLike,
    StrainLike,
    VulnerabilityLike,
    as_contract,
    as_seat,
    as_strain,
    as_vulnerability,
)
from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag, Stopped, check_stop
from setrograde.common.threads import map_with_contexts

from .asking import contract_list
from .batches import Batches, KeptSolvers, check_time
from .exact import Method, odds_stream
from .question import OddsQuestion
from .result import Average, Odds, StopReason, TrickSample, average_of, check_samples, share_of

__all__ = [
    "ContractComparison",
    "ContractValue",
    "Goal",
    "OddsTable",
    "compare_contracts",
    "compare_stream",
    "expected_score",
    "odds_table",
    "table_stream",
]

Goal = Literal["points", "imps", "matchpoints"]

FEW_LAYOUTS = 2_000
"""Up to this number all layouts are solved; beyond it they are sampled."""


class OddsTable(dict[tuple[Seat, Strain], Odds]):
    """Odds by declarer and strain; prints as a table.

    >>> print(OddsTable())
    no contracts
    """

    stopped: StopReason | None = None
    """Why the work ended early, if it did; then contracts or layouts are missing."""

    def __str__(self) -> str:
        from .text import format_table

        return format_table(self)

    def _repr_html_(self) -> str:
        from .plot import text_html

        return text_html(str(self))


def expected_score(
    odds: Odds, contract: ContractLike, vulnerability: VulnerabilityLike = Vulnerability.NONE
) -> Average:
    """The average score of declarer's side: exact if the distribution is, else from the sample.

    >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> from setrograde.analysis.odds.exact import solve_odds
    >>> expected_score(solve_odds(question), "1NTS", "none")
    Fraction(-275, 1)
    """
    contract, vulnerability = as_contract(contract), as_vulnerability(vulnerability)
    _check_contract(odds.question, contract)
    sign = 1 if contract.declarer.side is Side.NS else -1
    spread = odds.distribution
    if spread is not None:
        total = sum(
            sign * score_board(contract, tricks, vulnerability) * count
            for tricks, count in spread.items()
        )
        return Fraction(total, odds.layouts)
    if odds.sample is None or odds.sample.need is not None:
        raise InvalidInput(f"no distribution to score {contract} by (expected an exact one)")
    scores = [sign * score_board(contract, n, vulnerability) for n in odds.sample.tricks]
    return average_of(scores, exact=False)


def _check_contract(question: OddsQuestion, contract: Contract) -> None:
    if contract.is_passed_out or (contract.strain, contract.declarer) != (
        question.strain,
        question.declarer,
    ):
        raise InvalidInput(
            f"another contract: {str(contract)!r}"
            f" (expected {question.strain} by {question.declarer.name.title()})"
        )


def odds_table(
    question: OddsQuestion,
    *,
    strains: Iterable[StrainLike] = tuple(Strain),
    declarers: Iterable[SeatLike] | None = None,
    exact: bool | None = None,
    samples: int = 200,
    seed: int = 0,
    threads: int | None = None,
    limit_mb: int = 1024,
    method: Method = "patterns",
    time_s: float | None = None,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> OddsTable:
    """The odds of several strains and declarers with the same hands.

    Declarers are the two known hands (default), or any seats. If there are few layouts, all are
    settled; if there are many, some are sampled, the same ones for every contract. `exact` chooses
    one or the other. The strain and declarer of `question` do not matter.

    `progress` hears how many layouts are solved, for all contracts together, or how many contracts
    are settled if the answer is exact. After `time_s` seconds the answer is what is known by then:
    a smaller sample, or those contracts that are settled. `stop` raises `Stopped`.

    >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> table = odds_table(question, strains=["S", "H"])
    >>> [float(found.average) for found in table.values()]
    [2.0, 1.5, 2.0, 1.5]
    """
    stream = table_stream(
        question,
        strains=strains,
        declarers=declarers,
        exact=exact,
        samples=samples,
        seed=seed,
        threads=threads,
        limit_mb=limit_mb,
        method=method,
        time_s=time_s,
        progress=progress,
        stop=stop,
    )
    found = OddsTable()
    for found in stream:
        _raise_if_stopped(found.stopped)
    return found


def _raise_if_stopped(reason: StopReason | None) -> None:
    if reason == "request":
        raise Stopped("stopped before the end")


def table_stream(
    question: OddsQuestion,
    *,
    strains: Iterable[StrainLike] = tuple(Strain),
    declarers: Iterable[SeatLike] | None = None,
    exact: bool | None = None,
    samples: int = 200,
    seed: int = 0,
    threads: int | None = None,
    limit_mb: int = 1024,
    method: Method = "patterns",
    time_s: float | None = None,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> Iterator[OddsTable]:
    """As `odds_table`: the table again and again as it grows. `stop` ends it with what is known.

    >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> [len(table) for table in table_stream(question, strains=["S"])]
    [1, 2]
    """
    if question.played:
        raise InvalidInput("a table of contracts after the lead (expected no cards played)")
    known = question.hidden_seats[0].next.side.seats
    seats = [as_seat(seat) for seat in (known if declarers is None else declarers)]
    questions = {
        (seat, strain): replace(question, strain=strain, declarer=seat)
        for strain in map(as_strain, strains)
        for seat in seats
    }
    if exact is None:
        exact = question.layouts.count() <= FEW_LAYOUTS
    check_time(time_s)
    if exact:
        yield from _settled_tables(questions, time_s, progress, stop, threads, limit_mb, method)
        return
    check_samples(samples, least=1)
    layouts = question.layouts.iter_sample(seed=seed, stop=stop)
    asked_all = list(questions.values())
    work = _Solves(asked_all, layouts, samples, threads, limit_mb, time_s, progress, stop)
    count = question.layouts.count()
    for rows in work.iter_rows():
        table = OddsTable(
            (key, Odds(asked, None, count, {}, TrickSample(tuple(row), seed)))
            for (key, asked), row in zip(questions.items(), rows, strict=True)
        )
        table.stopped = work.batches.reason
        yield table
    _raise_if_stopped(work.stopped_with_nothing)


def _settled_tables(
    questions: dict[tuple[Seat, Strain], OddsQuestion],
    time_s: float | None,
    progress: CountProgress | None,
    stop: StopFlag | None,
    threads: int | None,
    limit_mb: int,
    method: Method,
) -> Iterator[OddsTable]:
    """Tables with one more contract settled each time."""
    begun = time.monotonic()
    found = OddsTable()
    for key, asked in questions.items():
        left = None if time_s is None else max(1e-3, time_s - (time.monotonic() - begun))
        *_, last = odds_stream(
            asked,
            time_s=left,
            samples=0,
            threads=threads,
            limit_mb=limit_mb,
            method=method,
            stop=stop,
        )
        found = OddsTable(found if last.stopped else {**found, key: last})
        found.stopped = last.stopped
        if progress is not None and not last.stopped:
            progress(len(found))
        yield found
        if last.stopped:
            return


class _Solves:
    """Declarer's tricks for each question in each layout, batch by batch."""

    def __init__(
        self,
        questions: Sequence[OddsQuestion],
        layouts: Iterator[Hand],
        count: int,
        threads: int | None,
        limit_mb: int,
        time_s: float | None,
        progress: CountProgress | None,
        stop: StopFlag | None,
    ) -> None:
        # Leaders of one strain side by side: they share what was proved.
        self._order = sorted(range(len(questions)), key=lambda index: questions[index].strain)
        self._questions = questions
        self._layouts = layouts
        self._stop = stop
        self._solvers = KeptSolvers(
            limit_mb,
            threads=threads,
            tasks=max(1, len(questions) * count),
            strains=max(1, len({question.strain for question in questions})),
        )
        self.batches = Batches(
            count,
            each=len(questions),
            threads=threads,
            time_s=time_s,
            progress=progress,
            stop=stop,
        )
        self.stopped_with_nothing: StopReason | None = None
        """Why the work was stopped, if that was before there was any answer."""

    def iter_rows(self) -> Iterator[list[list[int]]]:
        """For each question the tricks in the layouts solved so far, again and again."""
        rows: list[list[int]] = [[] for _ in self._questions]
        done = 0
        for size in self.batches.sizes():
            found = self.batches.run(partial(self._batch, size))
            if found is None:
                break
            for place, index in enumerate(self._order):
                rows[index] = rows[index] + found[place * size : (place + 1) * size]
            done += size
            yield rows
        if self.batches.reason is not None:
            if done:
                yield rows
            else:
                self.stopped_with_nothing = self.batches.reason

    def _batch(self, size: int, tell: CountProgress) -> list[int]:
        layouts = list(islice(self._layouts, size))
        tasks = [(self._questions[index], layout) for index in self._order for layout in layouts]
        self._solvers.start()
        return map_with_contexts(
            tasks, self._open, threads=self._solvers.workers, progress=tell, stop=self._stop
        )

    def _open(self) -> Callable[[tuple[OddsQuestion, Hand]], int]:
        solver_of = self._solvers.take()

        def answer(task: tuple[OddsQuestion, Hand]) -> int:
            question, layout = task
            play = question.play_of(layout)
            solution = solver_of(play.strain).solve(
                play.deal, play.strain, play.leader, played=play.cards, stop=self._stop
            )
            side = question.declarer.side
            return play.tricks_won(side) + solution.tricks(side)

        return answer


@dataclass(frozen=True, slots=True)
class ContractValue:
    """One contract among others. All figures are for the side whose hands are seen."""

    contract: Contract
    """The contract."""

    makes: Average
    """How often declarer makes it."""

    points: Average
    """Its average score."""

    imps: tuple[Average, ...]
    """IMPs per board against each contract of the list, itself included."""

    matchpoints: tuple[Average, ...]
    """Its share of the matchpoints against each contract of the list: 1 if it always wins."""

    def average(self, goal: Goal) -> float:
        """The value of the contract at a form of scoring, on average against all others.

        >>> value = ContractValue(Contract.from_text("1NTS"), Fraction(1), Fraction(90),
        ...                       (Fraction(0), Fraction(2)), (Fraction(1, 2), Fraction(1)))
        >>> value.average("imps"), value.average("matchpoints")
        (2.0, 1.0)
        """
        if goal == "points":
            return float(self.points)
        values = self.imps if goal == "imps" else self.matchpoints
        own = 0.0 if goal == "imps" else 0.5
        others = len(values) - 1
        return (sum(map(float, values)) - own) / others if others else own


@dataclass(frozen=True, slots=True)
class ContractComparison:
    """Contracts compared over the same layouts, in the order given."""

    values: tuple[ContractValue, ...]
    """One value for each contract."""

    exact: bool
    """True if all layouts were solved; otherwise all figures are estimates."""

    layouts: int
    """The number of layouts that were solved."""

    seed: int
    """The seed of the sample."""

    tricks: int = 13
    """The number of tricks of the deal: fewer in an ending."""

    stopped: StopReason | None = None
    """Why the work ended early, if it did; then fewer layouts are solved."""

    def __str__(self) -> str:
        from .text import format_comparison

        return format_comparison(self)

    def _repr_html_(self) -> str:
        from .plot import text_html

        return text_html(str(self))

    def best(self, goal: Goal = "imps") -> ContractValue:
        """The contract with the greatest value at a form of scoring."""
        return max(self.values, key=lambda value: value.average(goal))


def compare_contracts(
    question: OddsQuestion,
    contracts: Iterable[ContractLike] | str,
    *,
    declarer: SeatLike | None = None,
    vulnerability: VulnerabilityLike = Vulnerability.NONE,
    samples: int = 400,
    seed: int = 0,
    threads: int | None = None,
    limit_mb: int = 1024,
    time_s: float | None = None,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> ContractComparison:
    """Compare contracts over the same layouts: points, IMPs and matchpoints.

    Contracts are values or text, also one text with spaces or commas between them; a board passed
    out is a contract too. `declarer` plays those that do not say who does. If there are few
    layouts, all are solved; if there are many, a sample is, and averages carry standard errors.
    The strain and declarer of `question` do not matter. In an ending, declarer is scored as if the
    tricks before it were lost.

    `progress` hears how many layouts are solved, for all contracts together. After `time_s`
    seconds the answer comes from the layouts solved by then. `stop` raises `Stopped`.

    >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> found = compare_contracts(question, "1NTS Pass")
    >>> found.exact, str(found.best().contract), found.values[0].points
    (True, 'Pass', Fraction(-275, 1))
    """
    stream = compare_stream(
        question,
        contracts,
        declarer=declarer,
        vulnerability=vulnerability,
        samples=samples,
        seed=seed,
        threads=threads,
        limit_mb=limit_mb,
        time_s=time_s,
        progress=progress,
        stop=stop,
    )
    for found in stream:
        _raise_if_stopped(found.stopped)
    return found


def compare_stream(
    question: OddsQuestion,
    contracts: Iterable[ContractLike] | str,
    *,
    declarer: SeatLike | None = None,
    vulnerability: VulnerabilityLike = Vulnerability.NONE,
    samples: int = 400,
    seed: int = 0,
    threads: int | None = None,
    limit_mb: int = 1024,
    time_s: float | None = None,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> Iterator[ContractComparison]:
    """As `compare_contracts`: the answer again and again, from more and more layouts.

    `stop` ends it with what is known.

    >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> [found.layouts for found in compare_stream(question, "1NTS Pass", threads=1)]
    [2, 3, 4, 5, 6]
    """
    listed = contract_list(contracts, declarer)
    vulnerability = as_vulnerability(vulnerability)
    check_samples(samples, least=1)
    if question.played:
        raise InvalidInput("contracts compared after the lead (expected no cards played)")
    exact = question.layouts.count() <= max(FEW_LAYOUTS, samples)
    if exact:  # in random order, so that those solved by then are a fair sample
        listed_layouts = []
        for layout in question.layouts:
            check_stop(stop)
            listed_layouts.append(layout)
        Random(seed).shuffle(listed_layouts)
        layouts, count = iter(listed_layouts), len(listed_layouts)
    else:
        layouts, count = question.layouts.iter_sample(seed=seed, stop=stop), samples
    asked = {
        (bid.strain, bid.declarer): replace(question, strain=bid.strain, declarer=bid.declarer)
        for bid in listed
        if not bid.is_passed_out
    }
    work = _Solves(list(asked.values()), layouts, count, threads, limit_mb, time_s, progress, stop)
    side = question.hidden_seats[0].side.opponents
    for rows in work.iter_rows():
        done = len(rows[0]) if rows else count
        is_whole = exact and done == count
        values = _values(
            listed, dict(zip(asked, rows, strict=True)), done, side, vulnerability, is_whole
        )
        yield ContractComparison(values, is_whole, done, seed, question.tricks, work.batches.reason)
    _raise_if_stopped(work.stopped_with_nothing)


def _values(
    listed: Sequence[Contract],
    rows: Mapping[tuple[Strain, Seat], Sequence[int]],
    layouts: int,
    side: Side,
    vulnerability: Vulnerability,
    exact: bool,
) -> tuple[ContractValue, ...]:
    """The value of each contract, from the tricks in the same layouts."""
    passed_out = [0] * layouts
    sign = 1 if side is Side.NS else -1
    taken = [passed_out if c.is_passed_out else rows[c.strain, c.declarer] for c in listed]
    scores = [
        [sign * score_board(contract, n, vulnerability) for n in row]
        for contract, row in zip(listed, taken, strict=True)
    ]
    return tuple(
        ContractValue(
            contract,
            share_of([n >= contract.tricks_needed for n in row], exact=exact),
            average_of(own, exact=exact),
            tuple([average_of(_imps(own, other), exact=exact) for other in scores]),
            tuple([average_of(_matchpoints(own, other), exact=exact) for other in scores]),
        )
        for contract, row, own in zip(listed, taken, scores, strict=True)
    )


def _imps(own: Sequence[int], other: Sequence[int]) -> list[int]:
    return [imps(a - b) for a, b in zip(own, other, strict=True)]


def _matchpoints(own: Sequence[int], other: Sequence[int]) -> list[Fraction]:
    return [Fraction((a > b) + (a >= b), 2) for a, b in zip(own, other, strict=True)]
