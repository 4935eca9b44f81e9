"""Contracts weighed against each other over the same layouts: points, IMPs, matchpoints.

What one contract earns on average follows from the distribution of its tricks alone. Whether it
beats another does not: that takes both in the same layout. So contracts are compared layout by layout: over
all of them where they are few, otherwise over a sample, and the answer says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
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
from setrograde.common.threads import map_with_contexts
from setrograde.solve import Solver

from .core import solver_shares
from .exact import Method, solve_odds
from .question import OddsQuestion
from .result import Average, Odds, TrickSample, average_of

__all__ = [
    "ContractComparison",
    "ContractValue",
    "Goal",
    "compare_contracts",
    "expected_score",
    "odds_table",
]

Goal = Literal["points", "imps", "matchpoints"]
Told = Callable[[int], None]

FEW_LAYOUTS = 2_000
"""So few are all solved, not sampled."""


def expected_score(odds: Odds, contract: Contract, vulnerability: Vulnerability) -> Average:
    """Points of declarer's side on average: exact if the distribution is, else from the sample.

    >>> from setrograde.bridge import Hand
    >>> question = OddsQuestion.of(Hand.from_text("AQ..."), Hand.from_text("32..."),
    ...                            Strain.NOTRUMP, Seat.SOUTH, hidden=Hand.from_text("KJT9..."))
    >>> expected_score(solve_odds(question), Contract.from_text("1NTS"), Vulnerability.NONE)
    Fraction(-275, 1)
    """
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
    strains: Iterable[Strain] = tuple(Strain),
    declarers: Iterable[Seat] | None = None,
    exact: bool | None = None,
    samples: int = 200,
    seed: int = 0,
    threads: int | None = None,
    limit_mb: int = 1024,
    method: Method = "patterns",
    progress: Told | None = None,
) -> dict[tuple[Seat, Strain], Odds]:
    """Odds of several strains and declarers with the same hands; the known hands' unless given.

    Few layouts are settled exactly, many are sampled, the same ones for every contract; `exact` says
    which instead. The strain and declarer of `question` do not matter. `progress` hears how many
    layouts, or contracts, are done.

    >>> from setrograde.bridge import Hand
    >>> question = OddsQuestion.of(Hand.from_text("AQ..."), Hand.from_text("32..."),
    ...                            Strain.NOTRUMP, Seat.SOUTH, hidden=Hand.from_text("KJT9..."))
    >>> table = odds_table(question, strains=[Strain.SPADES, Strain.HEARTS])
    >>> [float(found.average) for found in table.values()]
    [2.0, 1.5, 2.0, 1.5]
    """
    if question.played:
        raise InvalidInput("a table of contracts after the lead (expected no cards played)")
    seats = list(question.hidden_seats[0].next.side.seats if declarers is None else declarers)
    questions = {
        (seat, strain): replace(question, strain=strain, declarer=seat)
        for strain in strains
        for seat in seats
    }
    if exact is None:
        exact = question.layouts.count() <= FEW_LAYOUTS
    if exact:
        found = {}
        for done, (key, asked) in enumerate(questions.items(), 1):
            found[key] = solve_odds(asked, threads=threads, limit_mb=limit_mb, method=method)
            if progress:
                progress(done)
        return found
    layouts = question.layouts.sample(samples, seed=seed)
    rows = _tricks(list(questions.values()), layouts, threads, limit_mb, progress)
    count = question.layouts.count()
    return {
        key: Odds(asked, None, count, {}, TrickSample(tuple(row), seed))
        for (key, asked), row in zip(questions.items(), rows, strict=True)
    }


def _tricks(
    questions: Sequence[OddsQuestion],
    layouts: Sequence[Hand],
    threads: int | None,
    limit_mb: int,
    progress: Told | None,
) -> list[list[int]]:
    """Declarer's tricks for each question in each layout, through a solver kept by each thread."""
    # Leaders of one strain side by side: they share what was proved. Another strain starts afresh.
    order = sorted(range(len(questions)), key=lambda index: questions[index].strain)
    tasks = [(questions[index], layout) for index in order for layout in layouts]
    solver_mb, workers = solver_shares(limit_mb, threads, len(tasks))

    def open_context() -> Callable[[tuple[OddsQuestion, Hand]], int]:
        solver = Solver(limit_mb=solver_mb)

        def answer(task: tuple[OddsQuestion, Hand]) -> int:
            question, layout = task
            play = question.play_of(layout)
            solution = solver.solve(play.deal, play.strain, play.leader, played=play.cards)
            side = question.declarer.side
            return play.tricks_won(side) + solution.tricks(side)

        return answer

    flat = map_with_contexts(tasks, open_context, threads=workers, progress=progress)
    rows: list[list[int]] = [[] for _ in questions]
    for place, index in enumerate(order):
        rows[index] = flat[place * len(layouts) : (place + 1) * len(layouts)]
    return rows


@dataclass(frozen=True, slots=True)
class ContractValue:
    """One contract among others; all figures for the side whose hands are seen."""

    contract: Contract
    """Which."""

    makes: Average
    """How often declarer fulfils it."""

    points: Average
    """Its score on average."""

    imps: tuple[Average, ...]
    """IMPs a board against each contract of the list, itself included."""

    matchpoints: tuple[Average, ...]
    """Share of the matchpoints against each contract of the list: 1 if it always beats it."""

    def average(self, goal: Goal) -> float:
        """What the contract is worth at that form of scoring, against all others alike.

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
    """Contracts over the same layouts, in the order given."""

    values: tuple[ContractValue, ...]
    """One for each."""

    exact: bool
    """True if all layouts were solved; otherwise the figures are estimates."""

    layouts: int
    """Layouts solved."""

    seed: int
    """What the sample follows from."""

    def best(self, goal: Goal = "imps") -> ContractValue:
        """The contract worth most; against all the others alike, if it is a comparison."""
        return max(self.values, key=lambda value: value.average(goal))


def compare_contracts(
    question: OddsQuestion,
    contracts: Iterable[Contract],
    *,
    vulnerability: Vulnerability = Vulnerability.NONE,
    samples: int = 400,
    seed: int = 0,
    threads: int | None = None,
    limit_mb: int = 1024,
    progress: Told | None = None,
) -> ContractComparison:
    """Which contract is best, judged in the same layouts.

    All layouts are solved if they are few; otherwise a sample, and averages carry standard errors.
    The strain and declarer of `question` do not matter. A board passed out is a contract too.

    >>> from setrograde.bridge import Hand
    >>> question = OddsQuestion.of(
    ...     Hand.from_text("AQ..."), Hand.from_text("32..."), Strain.NOTRUMP, Seat.SOUTH,
    ...     hidden=Hand.from_text("KJT9..."))
    >>> contracts = [Contract.from_text("1NTS"), Contract.PASSED_OUT]
    >>> found = compare_contracts(question, contracts)
    >>> found.exact, str(found.best().contract), found.values[0].points
    (True, 'Pass', Fraction(-275, 1))
    """
    listed = tuple(contracts)
    if not listed:
        raise InvalidInput("no contracts to compare (expected like '4SS 3NTN')")
    if question.played:
        raise InvalidInput("contracts compared after the lead (expected no cards played)")
    exact = question.layouts.count() <= max(FEW_LAYOUTS, samples)
    layouts = list(question.layouts) if exact else question.layouts.sample(samples, seed=seed)
    asked = {
        (bid.strain, bid.declarer): replace(question, strain=bid.strain, declarer=bid.declarer)
        for bid in listed
        if not bid.is_passed_out
    }
    rows = _tricks(list(asked.values()), layouts, threads, limit_mb, progress)
    tricks = dict(zip(asked, rows, strict=True)) | {None: [0] * len(layouts)}
    side = question.hidden_seats[0].side.opponents
    sign = 1 if side is Side.NS else -1
    taken = [tricks[None if c.is_passed_out else (c.strain, c.declarer)] for c in listed]
    scores = [
        [sign * score_board(contract, n, vulnerability) for n in row]
        for contract, row in zip(listed, taken, strict=True)
    ]
    values = tuple(
        ContractValue(
            contract,
            average_of([int(n >= contract.tricks_needed) for n in row], exact=exact),
            average_of(own, exact=exact),
            tuple([average_of(_imps(own, other), exact=exact) for other in scores]),
            tuple([average_of(_matchpoints(own, other), exact=exact) for other in scores]),
        )
        for contract, row, own in zip(listed, taken, scores, strict=True)
    )
    return ContractComparison(values, exact, len(layouts), seed)


def _imps(own: Sequence[int], other: Sequence[int]) -> list[int]:
    return [imps(a - b) for a, b in zip(own, other, strict=True)]


def _matchpoints(own: Sequence[int], other: Sequence[int]) -> list[Fraction]:
    return [Fraction((a > b) + (a >= b), 2) for a, b in zip(own, other, strict=True)]
