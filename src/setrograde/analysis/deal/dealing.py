"""Deals to order: conditions by seat, a predicate and weights on top.

>>> found = deal(north="hcp 15-17, balanced", south="spades 5+, hcp 8+", count=3, seed=1)
>>> print(found)
3 deals, seed 1; 1 in 221 deals fits the conditions
>>> all(15 <= each["N"].hcp <= 17 and each["S"].length("S") >= 5 for each in found)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from secrets import randbelow
from typing import overload

from setrograde.bridge import Board, Deal, InvalidInput
from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag, check_stop

from .asked import HandAsked, read_asked
from .sampler import DealStream, deals_of

__all__ = ["Deals", "deal", "iter_deals"]

Predicate = Callable[[Deal], bool]
Weight = Callable[[Deal], float]

MOST_TRIES = 10_000_000
_BATCH = 256


@dataclass(frozen=True, slots=True)
class Deals(Sequence[Deal]):
    """Random deals, and how they were found.

    >>> found = deal(north="hcp 37", count=2, seed=1)
    >>> print(found)
    2 deals, seed 1; 1 in 158,753,389,900 deals fits the conditions
    """

    deals: tuple[Deal, ...]
    """The deals; one may come twice."""

    seed: int
    """The seed that gives these deals again."""

    probability: Fraction
    """The exact share of all deals that meets the counted conditions."""

    acceptance: float = 1.0
    """The share of deals drawn that passed what cannot be counted, such as `where`.

    >>> found = deal(where=lambda deal: deal["N"].hcp > deal["S"].hcp, count=100, seed=1)
    >>> 0.3 < found.acceptance < 0.6
    True
    """

    weights: tuple[float, ...] | None = None
    """The weight of each deal, if a weight was asked for."""

    exact_counts: bool = True
    """False if some conditions were too much to count; they were checked as `where` is."""

    @property
    def effective(self) -> float:
        """The number of deals of equal weight that tell as much as these with their weights.

        >>> found = deal(weight=lambda deal: deal["N"].hcp == 10, count=100, seed=1)
        >>> found.effective == sum(deal["N"].hcp == 10 for deal in found)
        True
        """
        if self.weights is None:
            return float(len(self.deals))
        squares = sum(weight * weight for weight in self.weights)
        return sum(self.weights) ** 2 / squares if squares else 0.0

    def boards(self, *, start: int = 1) -> list[Board]:
        """The deals as numbered boards, with the dealer and vulnerability of their numbers.

        >>> [str(board.dealer) for board in deal(count=3, seed=1).boards(start=4)]
        ['W', 'N', 'E']
        """
        return [Board.numbered(number, deal) for number, deal in enumerate(self.deals, start)]

    @overload
    def __getitem__(self, place: int) -> Deal: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Deal, ...]: ...
    def __getitem__(self, place: int | slice) -> Deal | tuple[Deal, ...]:
        return self.deals[place]

    def __len__(self) -> int:
        return len(self.deals)

    def __iter__(self) -> Iterator[Deal]:
        return iter(self.deals)

    def __str__(self) -> str:
        words = [f"{len(self)} deal{'s'[: len(self) != 1]}, seed {self.seed}"]
        if self.probability != 1:
            one_in = 1 / self.probability
            shown = f"{round(one_in):,}" if one_in >= 10 else f"{float(one_in):.3g}"
            words.append(f"1 in {shown} deals fits the conditions")
        if self.acceptance < 1:
            words.append(f"{self.acceptance:.3g} of those drawn passed")
        if self.weights is not None:
            words.append(f"effective number {self.effective:.1f}")
        return "; ".join(words)

    def _repr_html_(self) -> str:
        from html import escape

        shown = "".join([deal._repr_html_() for deal in self.deals[:_SHOWN]])
        more = len(self) - _SHOWN
        rest = f"<p>... and {more} more</p>" if more > 0 else ""
        return f"<p>{escape(str(self))}</p>{shown}{rest}"


_SHOWN = 4


def deal(
    *,
    north: HandAsked = None,
    east: HandAsked = None,
    south: HandAsked = None,
    west: HandAsked = None,
    ns: HandAsked = None,
    ew: HandAsked = None,
    count: int = 1,
    seed: int | None = None,
    where: Predicate | None = None,
    weight: Weight | None = None,
    most_tries: int = MOST_TRIES,
    stop: StopFlag | None = None,
    progress: CountProgress | None = None,
) -> Deals:
    """Deal at random such that every hand is as asked.

    A hand is asked for by a constraint, by cards, or by a pattern with `x` for any other card; a
    list of these must all hold. `ns` and `ew` ask something of both hands together. All deals that
    fit are equally likely, and rare ones cost no more.

    >>> found = deal(north="hcp 15-17, balanced", west="AKxxxx.+.+.+", count=10, seed=1)
    >>> len(found), all(deal["N"].is_balanced for deal in found)
    (10, True)
    >>> slams = deal(ns="hcp 33+, spades 8+", count=10, seed=1)
    >>> min(deal["N"].hcp + deal["S"].hcp for deal in slams) >= 33
    True

    `where` is a function that says of a `Deal` whether it will do. It is called on deals that fit,
    those it refuses are drawn again, and `acceptance` tells how many passed. After `most_tries`
    deals in vain an `InvalidInput` says so. `weight` gives each deal a weight, and `effective`
    tells how much the weighted deals are worth. Without a seed, a new one is made and reported.
    """
    if count < 0:
        raise InvalidInput(f"not a number of deals: {count} (expected 0 or more)")
    seed = randbelow(1 << 32) if seed is None else seed
    hands = {"N": north, "E": east, "S": south, "W": west, "NS": ns, "EW": ew}
    sampler = read_asked(hands).check(stop=stop)
    stream = DealStream(sampler, seed)
    found: list[Deal] = []
    passed = 1.0
    if where is None:
        found = deals_of(stream.next(count, progress=progress, stop=stop))
    else:
        for each, tested in _passing(stream, where, most_tries, stop):
            found.append(each)
            passed = len(found) / tested
            if progress is not None:
                progress(len(found))
            if len(found) >= count:
                break
        found = found[:count]
    return Deals(
        tuple(found),
        seed,
        sampler.counted_probability,
        passed * stream.acceptance,
        None if weight is None else tuple([_checked(weight(each)) for each in found]),
        sampler.exact_counts,
    )


def iter_deals(
    *,
    north: HandAsked = None,
    east: HandAsked = None,
    south: HandAsked = None,
    west: HandAsked = None,
    ns: HandAsked = None,
    ew: HandAsked = None,
    seed: int | None = None,
    where: Predicate | None = None,
    most_tries: int = MOST_TRIES,
    stop: StopFlag | None = None,
) -> Iterator[Deal]:
    """Deal for ever, one deal after the other; the first are those of `deal` with the same seed.

    >>> from itertools import islice
    >>> some = list(islice(iter_deals(north="AKQx+.+.+.+", seed=1), 5))
    >>> some == list(deal(north="AKQx+.+.+.+", count=5, seed=1))
    True

    The conditions are counted at once; deals are drawn when they are asked for.
    """
    seed = randbelow(1 << 32) if seed is None else seed
    hands = {"N": north, "E": east, "S": south, "W": west, "NS": ns, "EW": ew}
    stream = DealStream(read_asked(hands).check(stop=stop), seed)
    passing = _passing(stream, where or (lambda _: True), most_tries, stop)
    return (each for each, _ in passing)


def _passing(
    stream: DealStream, where: Predicate, most_tries: int, stop: StopFlag | None
) -> Iterator[tuple[Deal, int]]:
    """Deals that pass, each with the number of deals tested so far."""
    tested = last = found = 0
    while True:
        for each in deals_of(stream.next(_BATCH, stop=stop)):
            check_stop(stop)
            tested += 1
            if where(each):
                found, last = found + 1, tested
                yield each, tested
            elif tested - last >= most_tries:
                raise InvalidInput(
                    f"no deal passed in {most_tries} tries, after {found} that did"
                    " (expected a condition that more deals meet; why_rare tells which costs most)"
                )


def _checked(weight: float) -> float:
    if not 0 <= weight < float("inf"):
        raise InvalidInput(f"not a weight: {weight!r} (expected 0 or more)")
    return float(weight)
