"""A comparison card by card as JSON, for `db query --by-card`."""

from __future__ import annotations

from typing import Any

from setrograde.db.card_comparison import CardComparison

__all__ = ["comparison_to_dict"]


def comparison_to_dict(compared: CardComparison) -> dict[str, Any]:
    """The cards by the names of the JSON keys.

    >>> from setrograde.db.card_comparison import compare_cards
    >>> comparison_to_dict(compare_cards("SA=N SKQJ=x", "NT", "N"))["always_best"]
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
