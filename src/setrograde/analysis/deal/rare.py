"""Why are these deals so rare? What each condition costs, exactly where deals can be counted.

>>> print(why_rare(north="hcp 15-17, balanced", south="spades 5+, hcp 8+"))
0.4518 % of all deals fit, one in 221.
condition            alone  without it
N: hcp 15-17        10.1 %  12.73 times as many fit
S: spades 5+       17.63 %  5.898 times as many fit
N: balanced         47.6 %  2.179 times as many fit
S: hcp 8+          71.42 %  1.815 times as many fit
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from setrograde.common.stop import StopFlag, check_stop

from .asked import Asked, HandAsked, read_asked
from .dealing import Predicate
from .sampler import DealSampler, DealStream, EstimatedShare, deals_of

__all__ = ["ConditionCost", "RareReport", "Share", "why_rare"]

Share = Fraction | EstimatedShare
"""A share of deals: exact, or estimated with its standard error."""


@dataclass(frozen=True, slots=True)
class ConditionCost:
    """What one condition costs."""

    text: str
    """The condition, with its seat."""

    alone: Share | None
    """The share of all deals that meets it alone; `None` for a predicate."""

    factor: float | None
    """How many times more deals would fit without it; `None` if none fits even so."""

    is_exact: bool = True
    """True if `factor` comes from counts, false if from random deals."""

    def __str__(self) -> str:
        factor = "none fits" if self.factor is None else _times(self.factor)
        return f"{self.text}: alone {_percent(self.alone)}, without it {factor}"


@dataclass(frozen=True, slots=True)
class RareReport:
    """How rare deals are, and which condition is most to blame.

    >>> report = why_rare(north="hcp 20+", south="has SA")
    >>> print(report.worst)
    N: hcp 20+: alone 1.445 %, without it 160.9 times as many fit
    >>> report.costs[1].alone
    Fraction(1, 4)
    """

    probability: Share
    """The share of all deals that meets every condition."""

    costs: tuple[ConditionCost, ...]
    """What each condition costs, the costliest first."""

    conflict: tuple[str, ...] = ()
    """If no deal fits: conditions that exclude each other, none of which can be spared."""

    @property
    def worst(self) -> ConditionCost | None:
        """The condition that costs most; `None` if there are no conditions."""
        return self.costs[0] if self.costs else None

    def __str__(self) -> str:
        if self.conflict:
            head = (
                "No deal fits: "
                + " and ".join([f"'{text}'" for text in self.conflict])
                + " exclude each other."
            )
        elif not self.costs:
            return "Every deal fits: there are no conditions."
        else:
            head = f"{_percent(self.probability)} of all deals fit{_one_in(self.probability)}."
        width = max(len(cost.text) for cost in self.costs)
        lines = [f"{'condition':{width}}  {'alone':>12}  without it"]
        for cost in self.costs:
            factor = "none fits" if cost.factor is None else _times(cost.factor)
            note = "" if cost.is_exact else " (estimate)"
            lines.append(f"{cost.text:{width}}  {_percent(cost.alone):>12}  {factor}{note}")
        return "\n".join([head, *lines])


def why_rare(
    *,
    north: HandAsked = None,
    east: HandAsked = None,
    south: HandAsked = None,
    west: HandAsked = None,
    ns: HandAsked = None,
    ew: HandAsked = None,
    where: Predicate | None = None,
    samples: int = 2000,
    seed: int = 1,
    stop: StopFlag | None = None,
) -> RareReport:
    """Say which condition costs most deals.

    For each condition: the share of all deals that meets it alone, and how many times more deals
    would fit without it. Both are exact, except for what `where` says: that is tried on `samples`
    random deals that meet the other conditions.

    >>> print(why_rare(north="hcp 21+, balanced", south="hcp 20+"))
    No deal fits: 'N: hcp 21+' and 'S: hcp 20+' exclude each other.
    condition           alone  without it
    N: hcp 21+       0.8015 %  some fit
    S: hcp 20+        1.445 %  some fit
    N: balanced        47.6 %  none fits
    """
    hands = {"N": north, "E": east, "S": south, "W": west, "NS": ns, "EW": ew}
    asked = read_asked(hands)
    whole = asked.sampler(stop=stop)
    share = _share(whole, samples, seed)
    costs = [_cost(asked, place, share, samples, seed, stop) for place in range(len(asked.parts))]
    conflict: tuple[str, ...] = ()
    if not whole.is_possible:
        conflict = tuple([str(part) for part in asked.conflict(stop=stop)])
    elif where is not None:
        passed = _passed(whole, where, samples, seed, stop)
        factor = 1 / passed.value if passed.value else None
        costs.append(ConditionCost("where", None, factor, is_exact=False))
        share = EstimatedShare(_float(share) * passed.value, _float(share) * passed.stderr)
    costs.sort(key=lambda cost: -(float("inf") if cost.factor is None else cost.factor))
    if conflict:  # first those whose loss would leave some deals
        costs.sort(key=lambda cost: (cost.factor is None, cost.text not in conflict))
    return RareReport(share, tuple(costs), conflict)


def _cost(
    asked: Asked, place: int, share: Share, samples: int, seed: int, stop: StopFlag | None
) -> ConditionCost:
    part = asked.parts[place]
    alone = Asked((part,)).sampler(stop=stop).probability
    rest = _share(asked.without([part]).sampler(stop=stop), samples, seed)
    if not _float(rest):
        return ConditionCost(str(part), alone, None)
    if not _float(share):
        return ConditionCost(str(part), alone, float("inf"))
    is_exact = isinstance(rest, Fraction) and isinstance(share, Fraction)
    return ConditionCost(str(part), alone, _float(rest) / _float(share), is_exact)


def _share(sampler: DealSampler, samples: int, seed: int) -> Share:
    if sampler.exact_counts:
        return sampler.probability
    return sampler.estimate_probability(10 * samples, seed=seed)


def _passed(
    sampler: DealSampler, where: Predicate, samples: int, seed: int, stop: StopFlag | None
) -> EstimatedShare:
    passed = 0
    for each in deals_of(DealStream(sampler, seed).next(samples, stop=stop)):
        check_stop(stop)
        passed += bool(where(each))
    return EstimatedShare.of(passed, samples)


def _float(share: Share) -> float:
    return share.value if isinstance(share, EstimatedShare) else float(share)


def _percent(share: Share | None) -> str:
    if share is None:
        return "-"
    value = 100 * _float(share)
    if isinstance(share, EstimatedShare):
        return f"{value:.3g} ± {100 * share.stderr:.1g} %"
    return f"{value:.4g} %"


def _one_in(share: Share) -> str:
    value = _float(share)
    return f", one in {1 / value:,.0f}" if 0 < value < 0.1 else ""


def _times(factor: float) -> str:
    if factor == float("inf"):
        return "some fit"
    return f"{factor:,.4g} times as many fit"
