"""Par by definition: the value of the auction as a game between two sides, call by call."""

from __future__ import annotations

from functools import cache

from setrograde.bridge import Contract, Doubling, Seat, Side, Strain, TrickTable, Vulnerability
from setrograde.bridge.scoring import score_board

BIDS = [(level, strain) for level in range(1, 8) for strain in Strain]


def par_score_ns(table: TrickTable, dealer: Seat, vulnerability: Vulnerability) -> int:
    """Every seat in turn passes or makes any higher bid until three passes follow a bid.

    A contract is played by the partner who takes more tricks, doubled if it fails.
    """

    def final_score(bid: int, side: Side) -> int:
        level, strain = BIDS[bid]
        seat = max(side.seats, key=lambda s: table.tricks(s, strain))
        tricks = table.tricks(seat, strain)
        risk = Doubling.DOUBLED if tricks < level + 6 else Doubling.UNDOUBLED
        return score_board(Contract(level, strain, seat, risk), tricks, vulnerability)

    @cache
    def value(bid: int, bidder: Side | None, turn: Seat, passes: int) -> int:
        if bidder is None and passes == 4:
            return 0
        if bidder is not None and passes == 3:
            return final_score(bid, bidder)
        results = [value(bid, bidder, turn.next, passes + 1)]
        results += [value(higher, turn.side, turn.next, 0) for higher in range(bid + 1, 35)]
        return max(results) if turn.side is Side.NS else min(results)

    return value(-1, None, dealer, 0)
