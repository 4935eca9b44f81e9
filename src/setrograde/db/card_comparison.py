"""A set of deals compared card by card: what each lead is worth over all of it, exactly.

>>> deals = DealSet.from_text("SAQ=N SK=EW S54=S S763=EW H2=N HA=E H3=S H4=EW")
>>> compared = compare_cards(deals, Strain.NOTRUMP, Seat.SOUTH)
>>> compared.deals, compared.always_best
(10, ())
>>> for entry in compared.cards:
...     print(entry.card, entry.deals, dict(entry.histogram), entry.best_in)
S5 10 {1: 3, 2: 7} 7
S4 10 {1: 3, 2: 7} 7
H3 10 {1: 4, 2: 6} 6
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from setrograde import _core
from setrograde.bridge import Card, Seat, Side, Strain
from setrograde.common.threads import thread_count

from .deal_sets import DealSet
from .mining.grounds import SetGround

__all__ = ["CardComparison", "ComparedCard", "compare_cards"]


@dataclass(frozen=True, slots=True)
class ComparedCard:
    """One card over those deals of a set in which the leader has it."""

    card: Card

    deals: int
    """In which the leader has the card; only these count for it."""

    histogram: Mapping[int, int]
    """Deals by tricks of North-South if it is led."""

    costs: Mapping[int, int]
    """Deals by what it loses against the leader's best card there."""

    @property
    def best_in(self) -> int:
        """Deals in which no card is better."""
        return self.costs.get(0, 0)

    @property
    def mean(self) -> float:
        """Average tricks of North-South."""
        return sum(tricks * deals for tricks, deals in self.histogram.items()) / self.deals

    @property
    def mean_cost(self) -> float:
        """Average loss against the best card of each deal."""
        return sum(cost * deals for cost, deals in self.costs.items()) / self.deals


@dataclass(frozen=True, slots=True)
class CardComparison:
    """All cards that the leader may have."""

    deals: int
    """Of the whole set."""

    cards: tuple[ComparedCard, ...]
    """Those that lose least on average first."""

    @property
    def always_best(self) -> tuple[Card, ...]:
        """Cards that the leader has in every deal of the set, and that lose in none."""
        return tuple(entry.card for entry in self.cards if entry.best_in == self.deals)


def compare_cards(
    deals: DealSet,
    strain: Strain,
    leader: Seat,
    *,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> CardComparison:
    """What every card that `leader` may have is worth over the whole set, if he leads it.

    Every deal is counted, none is sampled; no database is needed. After the lead everybody plays
    perfectly, all hands seen.

    >>> deals = DealSet.from_text("SA=N SKQ=x SJ=S HA=N HKQ=x HJ=S")
    >>> compared = compare_cards(deals, Strain.NOTRUMP, Seat.NORTH)
    >>> [str(card) for card in compared.always_best]
    ['SA', 'HA']
    """
    ground = SetGround(deals, strain, leader)
    cards = [
        (card, place, unread)
        for place, suit in enumerate(ground.suits)
        for unread, card in enumerate(reversed(deals.cards_of(suit)), 1)
        if leader in deals.holders[card]
    ]
    whole, counts = _core.compare_leads(
        ground.rows,
        ground.masks,
        [(place, unread) for _, place, unread in cards],
        thread_count(threads),
        progress,
    )
    compared = [
        ComparedCard(
            card,
            sum(tricks[:-1]),
            _histogram(tricks[: deals.tricks + 1], reverse=leader.side is Side.EW),
            _histogram(costs[:-1]),
        )
        for (card, _, _), (tricks, costs) in zip(cards, counts, strict=True)
        if sum(tricks[:-1])
    ]
    compared.sort(
        key=lambda entry: (entry.mean_cost, -entry.deals, -entry.card.suit, -entry.card.rank)
    )
    return CardComparison(whole, tuple(compared))


def _histogram(counts: list[int], *, reverse: bool = False) -> Mapping[int, int]:
    """Numbers that are not zero, by place; from the end if the tricks are the other side's."""
    ordered = counts[::-1] if reverse else counts
    return MappingProxyType({place: number for place, number in enumerate(ordered) if number})
