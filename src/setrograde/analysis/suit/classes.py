"""Classes of cards that are strategically the same: top, finesse, critical and low cards.

After Sean Sutherland's paper on strategy trees over equivalence classes, section 5:

- similar(x, y, S): both cards and every card between them belong to S;
- T, top cards: similar to the ace in declarer's two hands; none if he lacks the ace;
- F, finesse cards: similar, in his two hands, to his highest card that is not a top card;
- C, critical cards: similar, in the defenders' hands, to their highest card, if that beats F;
- L, low cards: all others.

The paper's example has cards left of only some ranks. Here a rank that is no longer in play is
between no two cards, and the highest card in play stands for the ace.
"""

from __future__ import annotations

from dataclasses import dataclass

from setrograde.bridge import Rank, Seat
from setrograde.bridge.coerce import RankLike, SeatLike, as_rank, as_seat

from .holding import HoldingLike, InvalidHolding, SuitHolding, as_holding, parse_cards
from .ranks import ALL_RANKS, format_ranks, highest, iter_ranks, rank_bits

__all__ = ["CLASS_NAMES", "CardClasses", "card_classes", "similar"]

CLASS_NAMES = {"T": "top", "F": "finesse", "C": "critical", "L": "low"}
"""The letter of each class, and its name."""


def similar(x: RankLike, y: RankLike, cards: str, *, in_play: str | None = None) -> bool:
    """True if `x`, `y` and every card in play between them belong to `cards`.

    All cards of the suit are in play unless `in_play` names them.

    >>> similar("A", "Q", "AKQ"), similar("A", "J", "AKQ"), similar("A", "Q", "AQ")
    (True, False, False)
    """
    playing = ALL_RANKS if in_play is None else parse_cards(in_play)
    return _is_similar(as_rank(x), as_rank(y), parse_cards(cards), playing)


def _is_similar(x: Rank, y: Rank, cards: int, in_play: int) -> bool:
    low, high = min(x, y), max(x, y)
    reach = (2 << high) - (1 << low)
    ends = 1 << low | 1 << high
    return not (reach & in_play | ends) & ~cards


@dataclass(frozen=True, slots=True)
class CardClasses:
    """The four classes of one suit, with their parts by hand.

    >>> classes = card_classes("32", "AQ", outstanding="K654")
    >>> print(classes)
    T A, F Q, C K, L 65432
    >>> classes.text("T", "S"), classes.text("L", "N"), classes.text("L", "E")
    ('A', '32', '654')
    """

    holding: SuitHolding
    """Declarer's hands."""

    outstanding_bits: int
    """The defenders' cards, as bits."""

    west_bits: int | None
    """West's cards among them; `None` while they are not known."""

    top_bits: int
    """T, as bits."""

    finesse_bits: int
    """F, as bits."""

    critical_bits: int
    """C, as bits."""

    low_bits: int
    """L in this suit, as bits; cards of other suits count as low too."""

    def bits(self, name: str, seat: Seat | None = None) -> int:
        """Class `T`, `F`, `C` or `L`, or its part in one hand, as bits.

        While West's cards are not known, East's and West's parts are what either may hold.
        """
        whole = {
            "T": self.top_bits,
            "F": self.finesse_bits,
            "C": self.critical_bits,
            "L": self.low_bits,
        }.get(name)
        if whole is None:
            raise InvalidHolding(f"no such class: {name!r} (expected T, F, C or L)")
        return whole if seat is None else whole & self._hand(seat)

    def text(self, name: str, seat: SeatLike | None = None) -> str:
        """The cards of class `T`, `F`, `C` or `L`, or of its part in one hand, highest first.

        While West's cards are not known, East's and West's parts are what either may hold.
        """
        return format_ranks(self.bits(name, None if seat is None else as_seat(seat)))

    def class_of(self, rank: RankLike) -> str | None:
        """The class that a card belongs to; `None` if the card is not in play.

        >>> card_classes("AJ", "432").class_of("K")
        'C'
        """
        card = as_rank(rank)
        return next((name for name in CLASS_NAMES if self.bits(name) >> card & 1), None)

    @property
    def outstanding(self) -> str:
        """The defenders' cards."""
        return format_ranks(self.outstanding_bits)

    @property
    def gone(self) -> str:
        """The cards of the suit that are no longer in play."""
        return format_ranks(self.holding.outstanding_bits & ~self.outstanding_bits)

    @property
    def mirrored(self) -> CardClasses:
        """Both sides exchanged: North with South, East with West."""
        west = None if self.west_bits is None else self.outstanding_bits & ~self.west_bits
        return card_classes(
            self.holding.mirrored,
            outstanding=self.outstanding,
            west=None if west is None else format_ranks(west),
        )

    def _hand(self, seat: Seat) -> int:
        if seat is Seat.NORTH:
            return self.holding.north_bits
        if seat is Seat.SOUTH:
            return self.holding.south_bits
        if self.west_bits is None:
            return self.outstanding_bits
        return self.west_bits if seat is Seat.WEST else self.outstanding_bits & ~self.west_bits

    def __str__(self) -> str:
        return ", ".join([f"{name} {self.text(name)}" for name in CLASS_NAMES])

    def _repr_html_(self) -> str:
        from .display import classes_html

        return classes_html(self)


def card_classes(
    north: HoldingLike,
    south: str | None = None,
    *,
    outstanding: str | None = None,
    west: str | None = None,
) -> CardClasses:
    """Sort the cards of a suit into classes.

    `outstanding` are the defenders' cards; all other cards of the suit unless given. `west` are
    the cards among them that West holds, where that is known.

    >>> print(card_classes("KQT2", "654"))
    T -, F KQ, C A, L JT98765432
    """
    holding = as_holding(north, south)
    own = holding.own_bits
    others = holding.outstanding_bits if outstanding is None else parse_cards(outstanding)
    if others & own:
        raise InvalidHolding(f"card twice: {format_ranks(others & own)!r} held and outstanding")
    west_bits = None if west is None else parse_cards(west)
    if west_bits is not None and west_bits & ~others:
        raise InvalidHolding(f"not outstanding: {format_ranks(west_bits & ~others)!r} with West")
    in_play = own | others

    def run(of: Rank | None, cards: int) -> int:
        if of is None:
            return 0
        return rank_bits([x for x in iter_ranks(cards) if _is_similar(x, of, cards, in_play)])

    ace = highest(in_play)
    top = run(ace, own) if ace is not None and own >> ace & 1 else 0
    finesse_most = highest(own & ~top)
    finesse = run(finesse_most, own)
    critical_most = highest(others)
    if finesse_most is None or critical_most is None or critical_most < finesse_most:
        critical_most = None
    critical = run(critical_most, others)
    return CardClasses(
        holding=holding,
        outstanding_bits=others,
        west_bits=west_bits,
        top_bits=top,
        finesse_bits=finesse,
        critical_bits=critical,
        low_bits=in_play & ~(top | finesse | critical),
    )
