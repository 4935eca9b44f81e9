"""Goals: what a number of tricks is worth to our side, as steps that never go down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from setrograde.bridge import imps, score_contract
from setrograde.bridge.coerce import ContractLike, VulnerabilityLike, as_contract, as_vulnerability
from setrograde.errors import InvalidInput

__all__ = ["Goal"]

_TRICKS = 13


@dataclass(frozen=True, slots=True)
class Goal:
    """What tricks are worth: `floor` for none, and steps at the numbers of tricks that add to it.

    Tricks are those of our side in the whole deal; `PlayState.won` of them are already in.

    >>> Goal.make(9)
    Goal(steps=((9, 1.0),), floor=0.0)
    >>> Goal.points("3NTS", "none").worth(8), Goal.points("3NTS", "none").worth(10)
    (-50.0, 430.0)
    """

    steps: tuple[tuple[int, float], ...]
    """Numbers of tricks, fewest first, and what reaching each adds. Never negative."""

    floor: float = 0.0
    """What is scored without any of the steps."""

    def __post_init__(self) -> None:
        needs = [need for need, _ in self.steps]
        if not needs or needs != sorted(set(needs)):
            raise InvalidInput(f"not steps: {needs} (expected numbers of tricks, fewest first)")
        for need, worth in self.steps:
            if not worth >= 0:
                raise InvalidInput(
                    f"{need} tricks add {worth} (expected at least 0: more tricks are never worse)"
                )

    @classmethod
    def make(cls, need: int) -> Goal:
        """Take at least `need` tricks: worth 1 or 0."""
        return cls(((need, 1.0),))

    @classmethod
    def tricks(cls, most: int = _TRICKS) -> Goal:
        """As many tricks as possible, each worth 1.

        >>> Goal.tricks().worth(7)
        7.0
        """
        return cls(tuple((need, 1.0) for need in range(1, most + 1)))

    @classmethod
    def points(
        cls, contract: ContractLike, vulnerability: VulnerabilityLike, *, defending: bool = False
    ) -> Goal:
        """Points of a contract for declarer's side, or for the defenders.

        >>> Goal.points("4SXW", "none", defending=True).worth(4)
        100.0
        """
        score = _scores(contract, vulnerability, defending=defending)
        return cls.of(lambda tricks: float(score(tricks)))

    @classmethod
    def imps(
        cls,
        contract: ContractLike,
        vulnerability: VulnerabilityLike,
        against: Mapping[int, float],
        *,
        defending: bool = False,
    ) -> Goal:
        """Expected IMPs against other tables: points of our side there, with their probability.

        >>> Goal.imps("3NTS", "none", {400: 0.5, -50: 0.5}).worth(9)
        5.0
        """
        score = _scores(contract, vulnerability, defending=defending)
        total = _total(against)

        def worth(tricks: int) -> float:
            ours = score(tricks)
            return sum(p * imps(ours - theirs) for theirs, p in against.items()) / total

        return cls.of(worth)

    @classmethod
    def matchpoints(
        cls,
        contract: ContractLike,
        vulnerability: VulnerabilityLike,
        against: Mapping[int, float],
        *,
        defending: bool = False,
    ) -> Goal:
        """The expected share of other tables beaten, those equalled counting half.

        >>> Goal.matchpoints("3NTS", "none", {400: 0.5, 430: 0.25, -50: 0.25}).worth(9)
        0.5
        """
        score = _scores(contract, vulnerability, defending=defending)
        total = _total(against)

        def worth(tricks: int) -> float:
            ours = score(tricks)
            points = (p * ((ours > theirs) + (ours >= theirs)) / 2 for theirs, p in against.items())
            return sum(points) / total

        return cls.of(worth)

    @classmethod
    def of(cls, worth: Callable[[int], float], most: int = _TRICKS) -> Goal:
        """The goal in which `tricks` are worth `worth(tricks)`, for none to `most`.

        >>> Goal.of(lambda tricks: float(tricks >= 9)) == Goal.make(9)
        True
        """
        values = [worth(tricks) for tricks in range(most + 1)]
        rises = ((n, values[n] - values[n - 1]) for n in range(1, most + 1))
        steps = tuple((need, rise) for need, rise in rises if rise != 0)
        return cls(steps or ((1, 0.0),), values[0])

    def worth(self, tricks: int) -> float:
        """What a number of tricks scores."""
        return self.floor + sum(step for need, step in self.steps if need <= tricks)


def _scores(
    contract: ContractLike, vulnerability: VulnerabilityLike, *, defending: bool
) -> Callable[[int], int]:
    contract = as_contract(contract)
    if contract.is_passed_out:
        raise InvalidInput("a board passed out has no play (expected a contract like '3NTS')")
    is_vulnerable = as_vulnerability(vulnerability).covers(contract.declarer.side)

    def score(tricks: int) -> int:
        if not defending:
            return score_contract(contract, tricks, is_vulnerable=is_vulnerable)
        return -score_contract(contract, _TRICKS - tricks, is_vulnerable=is_vulnerable)

    return score


def _total(against: Mapping[int, float]) -> float:
    total = sum(against.values())
    if not total > 0 or any(p < 0 for p in against.values()):
        raise InvalidInput(f"not probabilities: {dict(against)} (expected some above zero)")
    return total
