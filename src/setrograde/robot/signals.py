"""Signals that defenders agree on: attitude, count and suit preference, each off, on or inverted.

A signal is read from a small card played where the rank costs nothing. When partner leads, the
card shows attitude; when declarer leads, it shows count; in a discard, it shows attitude of the
suit thrown. Where suit preference is agreed, it is read from the cards of a suit whose count and
attitude are known already: those that follow to the second round of it.

>>> Signals(count="on").is_on, Signals().is_on
(True, False)
"""

from __future__ import annotations

from dataclasses import dataclass

from setrograde.bridge import Card, Hand, Rank, Suit
from setrograde.errors import InvalidInput

from .knowledge import Knowledge, Turn

__all__ = ["Signals", "signal_weight"]

_STATES = ("off", "on", "inverted")
_TRUST = 0.75
"""The chance that a defender who can signal does so honestly."""


@dataclass(frozen=True, slots=True)
class Signals:
    """The agreements of one partnership; each is `off`, `on` (standard) or `inverted`.

    >>> Signals(attitude="upside down")
    Traceback (most recent call last):
    ...
    setrograde.errors.InvalidInput: not an agreement: 'upside down' (expected off, on or inverted)
    """

    attitude: str = "off"
    """On: a high card encourages. Inverted: a low one does."""

    count: str = "off"
    """On: high-low shows an even number of cards. Inverted: an odd number."""

    preference: str = "off"
    """On: a high card asks for the higher of the other side suits. Inverted: for the lower."""

    def __post_init__(self) -> None:
        for state in (self.attitude, self.count, self.preference):
            if state not in _STATES:
                raise InvalidInput(f"not an agreement: {state!r} (expected off, on or inverted)")

    @property
    def is_on(self) -> bool:
        """True if anything is agreed."""
        return (self.attitude, self.count, self.preference) != ("off", "off", "off")

    @classmethod
    def from_text(cls, text: str) -> Signals:
        """Read terms like `count on, attitude inverted`; `off` for none.

        >>> Signals.from_text("count on, attitude inverted")
        Signals(attitude='inverted', count='on', preference='off')
        """
        if text.strip().lower() in ("", "off", "none"):
            return cls()
        states = {}
        for term in text.lower().replace(";", ",").split(","):
            words = term.split()
            if len(words) != 2 or words[0] not in ("attitude", "count", "preference"):
                raise InvalidInput(
                    f"not an agreement: {term.strip()!r} (expected like 'count on' or"
                    " 'attitude inverted')"
                )
            states[words[0]] = words[1]
        return cls(**states)


def signal_weight(signals: Signals, known: Knowledge, turn: Turn, held: int) -> float:
    """The chance of the signal in a layout where the player holds `held`, against no signal.

    1 where the card cannot be a signal: an honour, a forced card, a trump, a card that wins.
    """
    if not turn.table or turn.card.rank >= Rank.JACK or turn.card.suit == known.strain.suit:
        return 1.0
    suit = turn.card.suit
    cards = _small(held, suit)
    if len(cards) < 2:
        return 1.0
    is_high = cards.index(turn.card) * 2 < len(cards) - 1
    is_low = cards.index(turn.card) * 2 > len(cards) - 1
    if not is_high and not is_low:
        return 1.0
    wants_high = _meaning(signals, known, turn, held)
    if wants_high is None:
        return 1.0
    return 2 * (_TRUST if wants_high == is_high else 1 - _TRUST)


def _small(held: int, suit: Suit) -> list[Card]:
    """The cards of a suit below the jack, high to low."""
    return [card for card in Hand(held) if card.suit == suit and card.rank < Rank.JACK]


def _meaning(signals: Signals, known: Knowledge, turn: Turn, held: int) -> bool | None:
    """True if this hand would signal with a high card; `None` if it would not signal."""
    suit = turn.card.suit
    follows = suit == turn.table[0].suit
    partner_led = turn.leader == turn.seat.partner
    hand = Hand(held)
    before = [t for t in known.turns[: turn.number] if t.seat == turn.seat and t.card.suit == suit]
    if before and signals.preference != "off":
        others = [s for s in Suit if s not in (suit, known.strain.suit)]
        low, high = others[0], others[-1]
        return _read(signals.preference, _strength(hand, high) > _strength(hand, low))
    if before:
        return None
    if (not follows or partner_led) and signals.attitude != "off":
        return _read(signals.attitude, _strength(hand, suit) >= 2)
    if follows and not partner_led and signals.count != "off":
        return _read(signals.count, hand.length(suit) % 2 == 0)
    return None


def _strength(hand: Hand, suit: Suit) -> int:
    return sum([card.rank.hcp for card in hand if card.suit == suit])


def _read(state: str, is_true: bool) -> bool:
    return is_true if state == "on" else not is_true
