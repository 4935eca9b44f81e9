"""How a comparison card by card is told, by `db query --by-card`."""

from __future__ import annotations

from typing import Any

from setrograde.bridge import Seat
from setrograde.db.card_comparison import CardComparison

__all__ = ["comparison_to_dict", "format_comparison"]


def comparison_to_dict(compared: CardComparison) -> dict[str, Any]:
    """The cards by the names of the JSON keys.

    >>> from setrograde.bridge import Strain
    >>> from setrograde.db.card_comparison import compare_cards
    >>> from setrograde.db.deal_sets import DealSet
    >>> deals = DealSet.from_text("SA=N SKQJ=x")
    >>> comparison_to_dict(compare_cards(deals, Strain.NOTRUMP, Seat.NORTH))["always_best"]
    ['SA']
    """
    return {
        "cards": [
            {
                "card": str(entry.card),
                "deals": entry.deals,
                "histogram": {str(tricks): n for tricks, n in entry.histogram.items()},
                "mean": entry.mean,
                "costs": {str(cost): n for cost, n in entry.costs.items()},
                "mean_cost": entry.mean_cost,
                "best_in": entry.best_in,
            }
            for entry in compared.cards
        ],
        "always_best": [str(card) for card in compared.always_best],
    }


def format_comparison(compared: CardComparison, leader: Seat) -> str:
    """A row for each card, and whether one is best in the whole set.

    >>> from setrograde.bridge import Strain
    >>> from setrograde.db.card_comparison import compare_cards
    >>> from setrograde.db.deal_sets import DealSet
    >>> deals = DealSet.from_text("SAQ=N SK=EW S54=S S763=EW H2=N HA=E H3=S H4=EW")
    >>> compared = compare_cards(deals, Strain.NOTRUMP, Seat.SOUTH)
    >>> print(format_comparison(compared, Seat.SOUTH))
    Card by card, each over the deals in which South has it:
          deals   best in  loses    N-S tricks
      ♠5     10    70.00%   0.30    1: 3  2: 7
      ♠4     10    70.00%   0.30    1: 3  2: 7
      ♥3     10    60.00%   0.40    1: 4  2: 6
    No card is best in every deal of the set.
    """
    width = max(len("deals"), len(f"{compared.deals:,}"))
    lines = [
        f"Card by card, each over the deals in which {leader.name.title()} has it:",
        f"    {'deals':>{width + 2}}   best in  loses    N-S tricks",
    ]
    for entry in compared.cards:
        tricks = "  ".join([f"{tricks}: {n:,}" for tricks, n in entry.histogram.items()])
        lines.append(
            f"  {entry.card.pretty}  {entry.deals:{width},}  {entry.best_in / entry.deals:8.2%}"
            f"  {entry.mean_cost:5.2f}    {tricks}"
        )
    best = [card.pretty for card in compared.always_best]
    if best:
        verb = "is" if len(best) == 1 else "are each"
        lines.append(f"{' '.join(best)} {verb} best in every deal of the set.")
    else:
        lines.append("No card is best in every deal of the set.")
    return "\n".join(lines)
