"""What the solver answers: the value of a position, and the value of each card.

>>> from setrograde.solve import solve_cards, solve_deal
>>> print(solve_deal("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", leader="S"))
North-South take 2 of 3 tricks, East-West take 1.
Every deal of this form has the same result: N:AQ.x.. Kx.A.. xx.x.. xx.x..
>>> print(solve_cards("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", leader="S"))
card  tricks  cost
H3         2     0
S5         1     1
S4         1     1
"""

from __future__ import annotations

from dataclasses import dataclass

from setrograde.bridge import Card, Deal, DealPattern, Hand, HandPattern, Seat, Side, Suit
from setrograde.bridge.coerce import DealLike, SideLike, as_deal, as_side

__all__ = ["CardValue", "CardValues", "Solution"]


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of one position, and the cards it rests on."""

    tricks_ns: int
    """Tricks North-South take from here on, the trick in progress included."""

    tricks_ew: int
    """Tricks East-West take from here on, the trick in progress included."""

    mattered: Hand
    """The cards whose place mattered, of those still in the hands.

    Every position has the same value if each hand has the same lengths and these cards are where
    they are here. Ranks count among the cards still in play."""

    nodes: int
    """Positions searched; the same on every machine."""

    position: Deal
    """The cards still in the hands."""

    def tricks(self, side: SideLike) -> int:
        """Tricks that `side` takes from here on."""
        return self.tricks_ns if as_side(side) is Side.NS else self.tricks_ew

    def covers(self, deal: DealLike) -> bool:
        """True if the solution holds for `deal` as well: `deal` is in the set that was proved.

        Cards are compared by their order among those in play, so they need not be the same.

        >>> from setrograde.solve import solve_deal
        >>> solution = solve_deal("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", leader="S")
        >>> solution.covers("N:AQ.5.. K2.K.. 93.4.. 87.3..")
        True
        >>> solution.covers("N:AK.2.. Q3.A.. 54.3.. 76.4..")
        False
        """
        deal = as_deal(deal)
        for suit in Suit:
            ours = _owners(self.position, suit)
            others = _owners(deal, suit)
            if sorted(seat for seat, _ in ours) != sorted(seat for seat, _ in others):
                return False
            for (seat, card), (other, _) in zip(ours, others, strict=True):
                if card in self.mattered and seat != other:
                    return False
        return True

    @property
    def pattern(self) -> DealPattern:
        """The set of deals the solution holds for: cards that mattered, and `x` for the rest.

        An `x` is lower than every card named in its suit; `covers` asks about a given deal.

        >>> from setrograde.solve import solve_deal
        >>> print(solve_deal("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", leader="S").pattern)
        N:AQ.x.. Kx.A.. xx.x.. xx.x..
        """
        hands = []
        for hand in self.position.hands:
            named = hand & self.mattered
            suits = []
            for suit in reversed(Suit):
                unnamed = hand.length(suit) - named.length(suit)
                suits.append(named.holding(suit) + "x" * unnamed)
            hands.append(HandPattern.from_text(".".join(suits)))
        n, e, s, w = hands
        return DealPattern((n, e, s, w))

    def __str__(self) -> str:
        return f"{self._result()}\nEvery deal of this form has the same result: {self.pattern}"

    def _result(self) -> str:
        ns, ew = self.tricks_ns, self.tricks_ew
        return f"North-South take {ns} of {_tricks(ns + ew)}, East-West take {ew}."

    def _repr_html_(self) -> str:
        from setrograde.bridge.display import deal_html

        return (
            f"<div>{deal_html(self.position)}<p>{self._result()}<br>"
            f"Every deal of this form has the same result: <code>{self.pattern}</code></p></div>"
        )


@dataclass(frozen=True, slots=True)
class CardValue:
    """What one card is worth to the side that plays it.

    >>> CardValue(Card.from_text("SA"), tricks=3, cost=0)
    CardValue(card=Card.from_text('SA'), tricks=3, cost=0)
    >>> print(CardValue(Card.from_text("SA"), tricks=3, cost=1))
    SA: 3 tricks, costs 1 trick
    """

    card: Card
    """The card played."""

    tricks: int
    """Tricks the side on turn takes from here on, this trick included."""

    cost: int
    """Tricks the card loses compared with the best card."""

    def __str__(self) -> str:
        cost = f", costs {_tricks(self.cost)}" if self.cost else ""
        return f"{self.card}: {_tricks(self.tricks)}{cost}"


class CardValues(tuple[CardValue, ...]):
    """The values of all legal cards, best first: a tuple that prints as a table.

    >>> values = CardValues([CardValue(Card.from_text("SA"), tricks=10, cost=0)])
    >>> print(values)
    card  tricks  cost
    SA        10     0
    >>> values[0].card, len(values)
    (Card.from_text('SA'), 1)
    """

    __slots__ = ()

    def __str__(self) -> str:
        rows = [f"{value.card!s:<4}  {value.tricks:>6}  {value.cost:>4}" for value in self]
        return "\n".join(["card  tricks  cost", *rows])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{value.card.pretty}</td><td>{value.tricks}</td><td>{value.cost}</td></tr>"
            for value in self
        )
        heads = "".join(f"<th>{head}</th>" for head in ("card", "tricks", "cost"))
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _tricks(number: int) -> str:
    return "1 trick" if number == 1 else f"{number} tricks"


def _owners(deal: Deal, suit: Suit) -> list[tuple[Seat, Card]]:
    """The cards of a suit in play, highest first, with the seats that hold them."""
    held = [(seat, card) for seat in Seat for card in deal[seat] if card.suit is suit]
    return sorted(held, key=lambda pair: -pair[1].rank)
