"""Deals as the dealer program prints them: side by side, on pages, on one line, as PBN."""

from __future__ import annotations

from collections.abc import Sequence

from setrograde.bridge import Board, Deal, Seat, Suit, Vulnerability
from setrograde.formats.pbn import format_pbn

__all__ = ["format_compact", "format_hands", "format_oneline", "format_pages", "format_pbn_deal"]

_WIDTH = 20
_ON_A_ROW = 4


def _side_by_side(columns: Sequence[Sequence[str]]) -> str:
    """Columns of lines, each 20 wide; blanks at the ends of lines are left out."""
    rows = zip(*columns, strict=True)
    return "".join(["".join([cell.ljust(_WIDTH) for cell in row]).rstrip() + "\n" for row in rows])


def _suits(deal: Deal, seat: Seat) -> list[str]:
    """A line for each suit, spades first, with a blank behind each card."""
    return ["".join([f"{r} " for r in deal[seat].holding(suit) or "-"]) for suit in reversed(Suit)]


def format_hands(deal: Deal, seats: Sequence[Seat]) -> str:
    """Hands next to each other, and an empty line.

    >>> print(format_hands(Deal("N:AK.Q.. ..JT9. ...432 876..."), [Seat.NORTH, Seat.EAST]), end="")
    A K                 -
    Q                   -
    -                   J T 9
    -                   -
    <BLANKLINE>
    """
    return _side_by_side([_suits(deal, seat) for seat in seats]) + "\n"


def format_pages(deals: Sequence[Deal], seat: Seat) -> str:
    """All hands of one player, four in a row, and a form feed at the end.

    >>> print(format_pages([Deal("N:AK.Q.. ..JT9. ...432 876...")], Seat.NORTH).strip())
    North hands:
    <BLANKLINE>
    <BLANKLINE>
    <BLANKLINE>
       1.
    A K
    Q
    -
    -
    """
    parts = [f"\n\n{seat.name.title()} hands:\n\n\n\n"]
    for start in range(0, len(deals), _ON_A_ROW):
        row = deals[start : start + _ON_A_ROW]
        columns = [[f"{n:4d}.", *_suits(deal, seat)] for n, deal in enumerate(row, start + 1)]
        parts.append(_side_by_side(columns) + "\n")
    return "".join([*parts, "\f"])


def format_compact(deal: Deal) -> str:
    """A line for each hand.

    >>> print(format_compact(Deal("N:AK... QJ... T9... 87...")), end="")
    n AK...
    e QJ...
    s T9...
    w 87...
    """
    return "".join([f"{seat.letter.lower()} {deal[seat]}\n" for seat in Seat])


def format_oneline(deal: Deal) -> str:
    """All hands on one line, which the caller ends.

    >>> format_oneline(Deal("N:AK... QJ... T9... 87..."))
    'n AK... e QJ... s T9... w 87... '
    """
    return "".join([f"{seat.letter.lower()} {deal[seat]} " for seat in Seat])


def format_pbn_deal(deal: Deal, number: int, dealer: Seat, vulnerability: Vulnerability) -> str:
    """A board of PBN, and an empty line.

    >>> deal = Deal("N:A... K... Q... J...")
    >>> print(format_pbn_deal(deal, 3, Seat.WEST, Vulnerability.EW), end="")
    [Board "3"]
    [Dealer "W"]
    [Vulnerable "EW"]
    [Deal "W:J... A... K... Q..."]
    <BLANKLINE>
    """
    board = Board(number=number, dealer=dealer, vulnerability=vulnerability, deal=deal)
    return format_pbn([board], export=False).decode("latin-1") + "\n"
