"""Classes of cards that are strategically the same: top, finesse, critical and low cards.

After Sean Sutherland's paper on strategy trees over equivalence classes, section 5:

- similar(x, y, S): both cards and every card between them belong to S;
- T, top cards: similar to the ace in declarer's two hands; none if he lacks the ace;
- F, finesse cards: similar, in his two hands, to his highest card that is not a top card;
- C, critical cards: similar, in the defenders' hands, to their highest card, if that beats F;
- L, low cards: all others.

The paper's example has cards left of only some ranks. Ranks that are no longer in play lie between
no two cards here, and the highest card in play stands for the ace.
"""

from __future__ import annotations

from dataclasses import dataclass

from setrograde.bridge import Rank, Seat

from .holding import (
    ALL_RANKS,
    InvalidHolding,
    SuitHolding,
    format_ranks,
    iter_ranks,
    rank_bits,
)

__all__ = ["CardClasses", "card_classes", "similar"]


def similar(x: Rank, y: Rank, cards: int, *, in_play: int = ALL_RANKS) -> bool:
    """True if `x`, `y` and every card in play between them belong to `cards`.

    >>> akq = rank_bits([Rank.ACE, Rank.KING, Rank.QUEEN])
    >>> similar(Rank.ACE, Rank.QUEEN, akq), similar(Rank.ACE, Rank.JACK, akq)
    (True, False)
    >>> similar(Rank.ACE, Rank.QUEEN, rank_bits([Rank.ACE, Rank.QUEEN]))
    False
    """
    low, high = min(x, y), max(x, y)
    reach = (2 << high) - (1 << low)
    ends = 1 << low | 1 << high
    return not (reach & in_play | ends) & ~cards


@dataclass(frozen=True, slots=True)
class CardClasses:
    """The four classes of one suit, with their parts by hand.

    >>> classes = card_classes(SuitHolding.from_text("32", "AQ"), outstanding="K654")
    >>> print(classes)
    T A, F Q, C K, L 65432
    >>> classes.text("T", Seat.SOUTH), classes.text("L", Seat.NORTH), classes.text("L", Seat.EAST)
    ('A', '32', '654')
    """

    holding: SuitHolding
    """Declarer's hands."""

    outstanding: int
    """What the defenders hold, as bits."""

    west: int | None
    """West's cards among them; `None` while they are not known."""

    top: int
    """T, as bits."""

    finesse: int
    """F, as bits."""

    critical: int
    """C, as bits."""

    low: int
    """L in this suit, as bits; cards of other suits count as low too."""

    def bits(self, name: str, seat: Seat | None = None) -> int:
        """Class `T`, `F`, `C` or `L`, or its part in one hand.

        While West's cards are not known, East's and West's parts are what either may hold.
        """
        whole = {"T": self.top, "F": self.finesse, "C": self.critical, "L": self.low}.get(name)
        if whole is None:
            raise InvalidHolding(f"no such class: {name!r} (expected T, F, C or L)")
        return whole if seat is None else whole & self._hand(seat)

    def text(self, name: str, seat: Seat | None = None) -> str:
        """As `bits`, in letters, highest first."""
        return format_ranks(self.bits(name, seat))

    def class_of(self, rank: Rank) -> str | None:
        """Which class a card belongs to; `None` if it is not in play.

        >>> card_classes(SuitHolding.from_text("AJ", "432")).class_of(Rank.KING)
        'C'
        """
        for name in "TFCL":
            if self.bits(name) >> rank & 1:
                return name
        return None

    @property
    def mirrored(self) -> CardClasses:
        """Both sides exchanged: North with South, East with West."""
        west = None if self.west is None else self.outstanding & ~self.west
        return card_classes(
            self.holding.mirrored,
            outstanding=format_ranks(self.outstanding),
            west=None if west is None else format_ranks(west),
        )

    def _hand(self, seat: Seat) -> int:
        if seat is Seat.NORTH:
            return self.holding.north
        if seat is Seat.SOUTH:
            return self.holding.south
        if self.west is None:
            return self.outstanding
        return self.west if seat is Seat.WEST else self.outstanding & ~self.west

    def __str__(self) -> str:
        return ", ".join([f"{name} {self.text(name)}" for name in "TFCL"])

    def _repr_html_(self) -> str:
        from .display import classes_html

        return classes_html(self)


def card_classes(
    holding: SuitHolding, *, outstanding: str | None = None, west: str | None = None
) -> CardClasses:
    """The classes of a holding.

    `outstanding` are the defenders' cards, all others of the suit unless given; `west` are those of
    them that West holds, where that is known.

    >>> print(card_classes(SuitHolding.from_text("KQT2", "654")))
    T -, F KQ, C A, L JT98765432
    """
    own = holding.north | holding.south
    others = holding.outstanding if outstanding is None else _ranks(outstanding)
    if others & own:
        raise InvalidHolding(f"card twice: {format_ranks(others & own)!r} held and outstanding")
    west_bits = None if west is None else _ranks(west)
    if west_bits is not None and west_bits & ~others:
        raise InvalidHolding(f"not outstanding: {format_ranks(west_bits & ~others)!r} with West")
    in_play = own | others

    def run(of: Rank | None, cards: int) -> int:
        if of is None:
            return 0
        return rank_bits([x for x in iter_ranks(cards) if similar(x, of, cards, in_play=in_play)])

    ace = _highest(in_play)
    top = run(ace, own) if ace is not None and own >> ace & 1 else 0
    finesse_most = _highest(own & ~top)
    finesse = run(finesse_most, own)
    critical_most = _highest(others)
    if finesse_most is None or critical_most is None or critical_most < finesse_most:
        critical_most = None
    critical = run(critical_most, others)
    return CardClasses(
        holding, others, west_bits, top, finesse, critical, in_play & ~(top | finesse | critical)
    )


def _highest(bits: int) -> Rank | None:
    return next(iter_ranks(bits), None)


def _ranks(text: str) -> int:
    if text.strip() in ("", "-"):
        return 0
    return SuitHolding.from_text(text, "-").north
