"""Contracts weighed against each other over the same layouts: points, IMPs, matchpoints.

What one contract earns on average follows from the distribution of its tricks alone. Whether it
beats another contract does not: both must be played in the same layout. So contracts are compared
layout by layout, over all layouts if they are few, otherwise over a sample. The answer says which.
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
from setrograde.common.stop import StopFlag, Stopped
from setrograde.common.threads import map_with_contexts
from setrograde.solve import Solver

from .core import solver_shares
from .exact import Method, solve_odds
from .question import OddsQuestion
from .result import Average, Odds, TrickSample, average_of, check_samples

__all__ = [
    "ContractComparison",
    "ContractValue",
    "Goal",
    "OddsTable",
    "compare_contracts",
    "expected_score",
    "odds_table",
]

Goal = Literal["points", "imps", "matchpoints"]

FEW_LAYOUTS = 2_000
"""Up to this number all layouts are solved; beyond it they are sampled."""


class OddsTable(dict[tuple[Seat, Strain], Odds]):
    """Odds by declarer and strain; prints as a table.

    >>> print(OddsTable())
    no contracts
    """

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
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> OddsTable:
    """The odds of several strains and declarers with the same hands.

    Declarers are the two known hands (default), or any seats. If there are few layouts, all are
    settled; if there are many, some are sampled, the same ones for every contract. `exact` chooses
    one or the other. The strain and declarer of `question` do not matter.

    `progress` hears how many layouts are done, or how many contracts if the answer is exact.
    `stop` raises `Stopped`.

    >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> table = odds_table(question, strains=["S", "H"])
    >>> [float(found.average) for found in table.values()]
    [2.0, 1.5, 2.0, 1.5]
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
    if exact:
        found = OddsTable()
        for done, (key, asked) in enumerate(questions.items(), 1):
            found[key] = solve_odds(
                asked, threads=threads, limit_mb=limit_mb, method=method, stop=stop
            )
            if found[key].stopped:
                raise Stopped("stopped before the end")
            if progress:
                progress(done)
        return found
    check_samples(samples, least=1)
    layouts = question.layouts.sample(samples, seed=seed, stop=stop)
    rows = _tricks(list(questions.values()), layouts, threads, limit_mb, progress, stop)
    count = question.layouts.count()
    return OddsTable(
        (key, Odds(asked, None, count, {}, TrickSample(tuple(row), seed)))
        for (key, asked), row in zip(questions.items(), rows, strict=True)
    )


def _tricks(
    questions: Sequence[OddsQuestion],
    layouts: Sequence[Hand],
    threads: int | None,
    limit_mb: int,
    progress: CountProgress | None,
    stop: StopFlag | None,
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
            solution = solver.solve(
                play.deal, play.strain, play.leader, played=play.cards, stop=stop
            )
            side = question.declarer.side
            return play.tricks_won(side) + solution.tricks(side)

        return answer

    flat = map_with_contexts(tasks, open_context, threads=workers, progress=progress, stop=stop)
    rows: list[list[int]] = [[] for _ in questions]
    for place, index in enumerate(order):
        rows[index] = flat[place * len(layouts) : (place + 1) * len(layouts)]
    return rows


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
    vulnerability: VulnerabilityLike = Vulnerability.NONE,
    samples: int = 400,
    seed: int = 0,
    threads: int | None = None,
    limit_mb: int = 1024,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> ContractComparison:
    """Compare contracts over the same layouts: points, IMPs and matchpoints.

    Contracts are values or text, also one text with spaces or commas between them; a board passed
    out is a contract too. If there are few layouts, all are solved; if there are many, a sample is,
    and averages carry standard errors. The strain and declarer of `question` do not matter.

    `progress` hears how many layouts are solved, for all contracts together. `stop` raises
    `Stopped`.

    >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...")
    >>> found = compare_contracts(question, "1NTS Pass")
    >>> found.exact, str(found.best().contract), found.values[0].points
    (True, 'Pass', Fraction(-275, 1))
    """
    words = contracts.replace(",", " ").split() if isinstance(contracts, str) else contracts
    listed = tuple(as_contract(contract) for contract in words)
    vulnerability = as_vulnerability(vulnerability)
    check_samples(samples, least=1)
    if not listed:
        raise InvalidInput("no contracts to compare (expected like '4SS 3NTN')")
    if question.played:
        raise InvalidInput("contracts compared after the lead (expected no cards played)")
    exact = question.layouts.count() <= max(FEW_LAYOUTS, samples)
    layouts = (
        list(question.layouts) if exact else question.layouts.sample(samples, seed=seed, stop=stop)
    )
    asked = {
        (bid.strain, bid.declarer): replace(question, strain=bid.strain, declarer=bid.declarer)
        for bid in listed
        if not bid.is_passed_out
    }
    rows = _tricks(list(asked.values()), layouts, threads, limit_mb, progress, stop)
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
