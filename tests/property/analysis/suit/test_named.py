"""Named lines on random suits: never better than the best line, worth what they claim."""

from __future__ import annotations

import random

import pytest

from setrograde.analysis.finesse import FinesseReport, report_finesses
from setrograde.analysis.suit import NamedLine, SuitHolding, line_outcome
from setrograde.analysis.suit.ranks import rank_bits

SEEDS = 30
QUICK = 10
"""Seeds of the quick tests."""

HOLDINGS = 10
"""For each seed: 300 holdings in all."""


def random_holding(rng: random.Random) -> SuitHolding:
    cards = rng.sample(range(13), rng.randint(5, 11))
    cut = rng.randint(1, len(cards) - 1)
    return SuitHolding(rank_bits(cards[:cut]), rank_bits(cards[cut:]))


@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=pytest.mark.slow if seed >= QUICK else ()) for seed in range(SEEDS)],
)
def test_finesse_and_suit_agree_or_say_why_not(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(HOLDINGS):
        report = report_finesses(random_holding(rng))
        for line in report.lines:
            check_line(report, line)
        check_text(report)


def check_line(report: FinesseReport, line: NamedLine) -> None:
    solution = report.solution
    assert line_outcome(solution, line.line) == line.outcome, (line.name, solution)
    assert line.average <= solution.best().average
    for need in range(1, solution.holding.tricks_most + 1):
        assert line.probability(need) <= solution.probability(need), (line.name, solution)


def check_text(report: FinesseReport) -> None:
    """Each goal that no named line reaches is told, with the difference and the layouts."""
    solution, text = report.solution, str(report)
    told = " ".join(text.split())
    goals = [None, *range(1, solution.holding.tricks_most + 1)]
    for need in goals:
        if need is None:
            best, named = solution.best().average, max(line.average for line in report.lines)
            words = f"On average the best line of all has {float(best):.3f} tricks"
        else:
            best = solution.probability(need)
            named = max(line.probability(need) for line in report.lines)
            plural = "" if need == 1 else "s"
            chance = f"{float(100 * best):.2f} %"
            words = f"For {need} trick{plural} the best line of all has a chance of {chance}"
        assert (words in told) is (named < best), (words, solution)
    for gap in report.gaps:
        assert " ".join(str(gap).split()) in told
        assert "(West — East): " in str(gap)
    names = [line.name for line in report.lines]
    assert len(set(names)) == len(names), names
