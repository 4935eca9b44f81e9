"""DDS, through the Python package `endplay`, answering in our terms.

Deals are converted before the clock starts. DDS solves tables on one thread. For a single value it
is asked for one best card only, whereas `endplay` by itself asks for the value of every card.
"""

from __future__ import annotations

import endplay._dds
from endplay.dds import calc_dd_table, solve_board
from endplay.dds.solve import SolvedBoard, SolveMode
from endplay.types import Deal as PeerDeal
from endplay.types import Denom, Player

from setrograde.bridge import Card, Deal, Rank, Seat, Strain, Suit, TrickTable

__all__ = [
    "peer_card_values",
    "peer_deal",
    "peer_reaches",
    "peer_table",
    "peer_value",
    "solve_board",
    "solve_board_one",
]

_DENOMS = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)
_PLAYERS = (Player.north, Player.east, Player.south, Player.west)
_SUITS = {_DENOMS[suit]: suit for suit in Suit}

endplay._dds.SetMaxThreads(1)


def peer_deal(deal: Deal, strain: Strain = Strain.NOTRUMP, leader: Seat = Seat.WEST) -> PeerDeal:
    """A deal as endplay has it."""
    return PeerDeal(deal.to_pbn(), first=_PLAYERS[leader], trump=_DENOMS[strain])


def peer_table(deal: PeerDeal) -> TrickTable:
    """The 20 results, on one thread."""
    table = calc_dd_table(deal)
    return TrickTable.from_function(lambda seat, strain: table[_DENOMS[strain], _PLAYERS[seat]])


def solve_board_one(deal: PeerDeal) -> SolvedBoard:
    """DDS's `SolveBoard` with target -1 and one solution: one best card and its value."""
    return solve_board(deal, SolveMode.OptimalOne)


def peer_reaches(deal: PeerDeal, target: int) -> bool:
    """DDS's `SolveBoard` with a target: does the side on turn take `target` tricks or more?"""
    return any(tricks >= target for _, tricks in solve_board(deal, SolveMode.TargetOne, target))


def peer_value(solved: SolvedBoard) -> int:
    """The leading side's tricks."""
    return max(tricks for _, tricks in solved)


def peer_card_values(solved: SolvedBoard) -> dict[Card, int]:
    """The leading side's tricks by card."""
    values = {}
    for card, tricks in solved:
        rank = Rank(card.rank.value.bit_length() - 3)  # the two is bit 2
        values[Card(_SUITS[card.suit], rank)] = tricks
    return values
