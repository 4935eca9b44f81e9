"""Properties of endings by their definitions: every card of every player, one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from oracle.retrograde import value_of
from setrograde.db.endings.states import Ending, EndingCard

Cards = tuple[EndingCard, ...]


def value_after(ending: Ending, cards: Cards, low: int | None = None) -> int:
    """What the leader's side takes after some cards; player `low` follows with his lowest."""
    player = len(cards)
    if player == 4:
        winner, below = ending.after(cards)
        value = value_of(below)
        return 1 + value if winner in (0, 2) else ending.tricks - 1 - value
    choices = ending.legal_cards(cards)
    if player == low and choices[0].suit == cards[0].suit:
        choices = choices[-1:]
    values = [value_after(ending, (*cards, card), low) for card in choices]
    return max(values) if player in (0, 2) else min(values)


def lead_values(ending: Ending) -> dict[EndingCard, int]:
    """What each of the leader's cards is worth; of touching ones only the highest."""
    return {
        card: value_after(ending, (card,))
        for card in ending.legal_cards()
        if not (card.place and ending.suits[card.suit][card.place - 1] == "0")
    }


def led_by(ending: Ending, leader: int) -> Ending:
    """The same cards with another player on lead."""
    turn = str.maketrans("0123", "".join("0123"[(owner - leader) % 4] for owner in range(4)))
    a, b, c, d = (owners.translate(turn) for owners in ending.suits)
    return Ending((a, b, c, d), ending.has_trumps).canonical()


def lead_costs(ending: Ending) -> int:
    """By how much a side that leads does worse than one that does not, whoever leads."""
    own = max(value_of(led_by(ending, leader)) for leader in (0, 2))
    other = min(ending.tricks - value_of(led_by(ending, leader)) for leader in (1, 3))
    return max(other - own, 0)


def only_card(ending: Ending) -> int:
    """What the second best card loses."""
    values = sorted(lead_values(ending).values(), reverse=True)
    return values[0] - values[1] if len(values) > 1 else 0


def low_beats_high(ending: Ending) -> int:
    """The most by which a lower card is better than a higher one of its suit."""
    values = lead_values(ending)
    costs = [
        values[low] - values[high]
        for low in values
        for high in values
        if high.suit == low.suit and high.place < low.place
    ]
    return max(costs, default=0)


def only_low(ending: Ending) -> int:
    """What the second best card loses, if the best is not the highest of its suit in the hand."""
    values = lead_values(ending)
    best = max(values, key=lambda card: values[card])
    has_higher = any(card.suit == best.suit and card.place < best.place for card in values)
    return only_card(ending) if has_higher else 0


def unblock(ending: Ending) -> int:
    """What a defender loses who follows low to the highest card of a suit."""
    costs = [0]
    for suit, owners in enumerate(ending.suits):
        if not owners.startswith("0"):
            continue
        top = value_after(ending, (EndingCard(suit, 0),))
        if top == value_of(ending.canonical()):
            costs += [
                value_after(ending, (EndingCard(suit, 0),), low) - top
                for low in (1, 3)
                if str(low) in owners
            ]
    return max(costs)


PROPERTIES: Mapping[str, Callable[[Ending], int]] = {
    "lead-costs": lead_costs,
    "only-card": only_card,
    "low-beats-high": lambda ending: max(low_beats_high(ending), 0),
    "only-low": only_low,
    "unblock": unblock,
}
