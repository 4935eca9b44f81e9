"""A set of deals compared card by card: what each lead is worth over all of it, exactly.

>>> compared = compare_cards("SAQ=N SK=EW S54=S S763=EW H2=N HA=E H3=S H4=EW", "NT", "S")
>>> compared.deals, compared.always_best
(10, ())
>>> for entry in compared.cards:
...     print(entry.card, entry.deals, dict(entry.histogram), entry.best_in)
S5 10 {1: 3, 2: 7} 7
S4 10 {1: 3, 2: 7} 7
H3 10 {1: 4, 2: 6} 6
>>> print(compared)
Card by card, each over the deals in which South has it:
      deals   best in  loses    N-S tricks
  ♠5     10    70.00%   0.30    1: 3  2: 7
  ♠4     10    70.00%   0.30    1: 3  2: 7
  ♥3     10    60.00%   0.40    1: 4  2: 6
No card is best in every deal of the set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from setrograde import _core
from setrograde.bridge import Card, Seat, Side
from setrograde.bridge.coerce import SeatLike, StrainLike, as_seat, as_strain
from setrograde.common.progress import ShareProgress
from setrograde.common.stop import StopFlag
from setrograde.common.threads import thread_count

from .deal_sets import DealSetLike, as_deal_set
from .display import html_text
from .mining.grounds import SetGround

__all__ = ["CardComparison", "ComparedCard", "compare_cards"]


@dataclass(frozen=True, slots=True)
class ComparedCard:
    """One card over those deals of a set in which the leader has it."""

    card: Card
    """The card that is led."""

    deals: int
    """Deals in which the leader has the card; only these count for it."""

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
    """All cards that the leader may have, compared with one another."""

    deals: int
    """Deals of the whole set."""

    cards: tuple[ComparedCard, ...]
    """The cards, those that lose least on average first."""

    leader: Seat
    """The player who leads."""

    @property
    def always_best(self) -> tuple[Card, ...]:
        """Cards that the leader has in every deal of the set, and that lose in none."""
        return tuple(entry.card for entry in self.cards if entry.best_in == self.deals)

    def __str__(self) -> str:
        """A row for each card, and whether one is best in the whole set."""
        width = max(len("deals"), len(f"{self.deals:,}"))
        lines = [
            f"Card by card, each over the deals in which {self.leader.name.title()} has it:",
            f"    {'deals':>{width + 2}}   best in  loses    N-S tricks",
        ]
        for entry in self.cards:
            tricks = "  ".join([f"{tricks}: {n:,}" for tricks, n in entry.histogram.items()])
            lines.append(
                f"  {entry.card.pretty}  {entry.deals:{width},}"
                f"  {entry.best_in / entry.deals:8.2%}  {entry.mean_cost:5.2f}    {tricks}"
            )
        best = [card.pretty for card in self.always_best]
        if best:
            verb = "is" if len(best) == 1 else "are each"
            lines.append(f"{' '.join(best)} {verb} best in every deal of the set.")
        else:
            lines.append("No card is best in every deal of the set.")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return html_text(str(self))


def compare_cards(
    deals: DealSetLike,
    strain: StrainLike,
    leader: SeatLike,
    *,
    threads: int | None = None,
    progress: ShareProgress | None = None,
    stop: StopFlag | None = None,
) -> CardComparison:
    """Compare all cards that `leader` may have, each led in every deal of the set.

    Every deal is counted, none is sampled; no database is needed. After the lead all players see
    all hands and play perfectly. Once `stop` is set, the call raises `Stopped`.

    >>> compared = compare_cards("SA=N SKQ=x SJ=S HA=N HKQ=x HJ=S", "NT", "N")
    >>> [str(card) for card in compared.always_best]
    ['SA', 'HA']
    """
    deals, strain, leader = as_deal_set(deals), as_strain(strain), as_seat(leader)
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
        stop,
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
    return CardComparison(whole, tuple(compared), leader)


def _histogram(counts: list[int], *, reverse: bool = False) -> Mapping[int, int]:
    """Numbers that are not zero, by place; from the end if the tricks are the other side's."""
    ordered = counts[::-1] if reverse else counts
    return MappingProxyType({place: number for place, number in enumerate(ordered) if number})
