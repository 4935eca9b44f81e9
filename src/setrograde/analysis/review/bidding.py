"""What is still to be had in an auction: the best result that can be reached after each call.

The auction is a game between two sides who see all four hands. From any point of a real auction
both sides go on perfectly: they pass, double, redouble or bid whatever earns most. The result is
the value of that point, in points for North-South. At the first call it is par.

Every call can only keep or lower the value for the side that makes it, so its cost is the
difference, and the costs of all calls lead from par to the double-dummy score of the final
contract. Two things are fixed as in `par`: a strain that a side has not named yet is played by
the partner who takes more tricks in it, and only sides matter, not seats. A strain that was named
is played by the partner who named it first, so a call can also cost by wrong-siding a contract.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from setrograde.bridge import (
    Auction,
    Call,
    Contract,
    Doubling,
    Seat,
    Side,
    Strain,
    TrickTable,
    Vulnerability,
)
from setrograde.bridge.scoring import score_board

__all__ = ["CallReview", "Reachable", "reachable_result", "review_calls"]


@dataclass(frozen=True, slots=True)
class Reachable:
    """The result of an auction that goes on perfectly from some point.

    >>> Reachable(400, Contract.from_text("3NTN")).points(Side.EW)
    -400
    """

    score_ns: int
    """Points of North-South, with the double-dummy number of tricks."""

    contract: Contract
    """The final contract: one of those that earn this score."""

    def points(self, side: Side) -> int:
        """The score for `side`."""
        return self.score_ns if side is Side.NS else -self.score_ns


@dataclass(frozen=True, slots=True)
class CallReview:
    """One call, and what it left to be reached.

    >>> before = Reachable(420, Contract.from_text("4SS"))
    >>> after = Reachable(170, Contract.from_text("2SS"))
    >>> review = CallReview(8, Seat.SOUTH, Call.PASS, before, after)
    >>> review.cost_points, str(review)
    (250, 'South: Pass, cost 250 points: 4♠ by South (N-S +420) was still to be reached')
    """

    turn: int
    """Number of the call, from 0."""

    seat: Seat
    """Who called."""

    call: Call
    """The call."""

    before: Reachable
    """The best that could be reached before the call, against perfect opponents."""

    after: Reachable
    """The best that can be reached after it."""

    known: None = None
    """Reserved: what the caller could know. The review is double dummy, so it is `None`."""

    @property
    def cost_points(self) -> int:
        """Points that the call lost for its side, 0 or more."""
        return self.before.points(self.seat.side) - self.after.points(self.seat.side)

    @property
    def is_mistake(self) -> bool:
        """True if the call lost points."""
        return self.cost_points > 0

    def __str__(self) -> str:
        start = f"{self.seat.name.title()}: {self.call.pretty}"
        if not self.is_mistake:
            return start
        return f"{start}, cost {self.cost_points} points: {_still(self.before)}"


def _still(best: Reachable) -> str:
    """What could still be reached.

    >>> _still(Reachable(0, Contract.PASSED_OUT))
    'a pass-out (0) was still to be reached'
    """
    if best.contract.is_passed_out:
        return "a pass-out (0) was still to be reached"
    return f"{best.contract.pretty} ({points_text(best.score_ns)}) was still to be reached"


def points_text(score_ns: int) -> str:
    """A score as players say it, for the side that has it.

    >>> points_text(420), points_text(-50), points_text(0)
    ('N-S +420', 'E-W +50', '0')
    """
    if score_ns == 0:
        return "0"
    return f"N-S +{score_ns}" if score_ns > 0 else f"E-W +{-score_ns}"


def review_calls(
    auction: Auction, table: TrickTable, vulnerability: Vulnerability
) -> tuple[CallReview, ...]:
    """What each call of an auction cost, double dummy.

    >>> table = TrickTable.from_function(lambda seat, strain: 9 if seat.side == 0 else 4)
    >>> auction = Auction.from_text("1NT Pass Pass Pass", dealer=Seat.NORTH)
    >>> [call.cost_points for call in review_calls(auction, table, Vulnerability.NONE)]
    [0, 0, 250, 0]
    """
    reviews = []
    games = _Games(table, vulnerability)
    before = games.value(Auction(auction.dealer))
    for turn, (seat, call) in enumerate(auction):
        after = games.value(Auction(auction.dealer, auction.calls[: turn + 1]))
        reviews.append(CallReview(turn, seat, call, before, after))
        before = after
    return tuple(reviews)


def reachable_result(
    auction: Auction, table: TrickTable, vulnerability: Vulnerability
) -> Reachable:
    """The result if both sides go on perfectly from here, seeing all hands.

    >>> table = TrickTable.from_function(lambda seat, strain: 9 if seat.side == 0 else 4)
    >>> start = Auction(Seat.EAST)
    >>> reachable_result(start, table, Vulnerability.NONE)
    Reachable(score_ns=400, contract=Contract.from_text('3NTN'))
    >>> reachable_result(start.with_call(Call.from_text("7NT")), table, Vulnerability.NONE).score_ns
    2300
    """
    return _Games(table, vulnerability).value(auction)


_Named: TypeAlias = Mapping[tuple[Side, Strain], Seat]
_Best: TypeAlias = Mapping[Side, Reachable | None]


class _Games:
    """The values of auctions on one deal.

    What a bid leads to depends on the auction before it only by who named which strain first, so
    the values of all 35 bids are worked out once for each such state and kept.
    """

    def __init__(self, table: TrickTable, vulnerability: Vulnerability) -> None:
        self._table = table
        self._vulnerability = vulnerability
        self._bidding: dict[frozenset[tuple[tuple[Side, Strain], Seat]], _Bidding] = {}

    def value(self, auction: Auction) -> Reachable:
        """What both sides reach from here."""
        named = _first_to_name(auction)
        key = frozenset(named.items())
        if key not in self._bidding:
            self._bidding[key] = _Bidding(named, self._table, self._vulnerability)
        return self._bidding[key].value(auction)


class _Bidding:
    """What every bid leads to, given who named which strain first.

    A state is the highest bid with its side, the doubling and the number of passes since the
    last other call; the side to call follows from these.
    """

    def __init__(self, named: _Named, table: TrickTable, vulnerability: Vulnerability) -> None:
        self._vulnerability = vulnerability
        self._declarer: dict[tuple[Side, Strain], tuple[Seat, int]] = {}
        for side in Side:
            for strain in Strain:
                tricks = {seat: table.tricks(seat, strain) for seat in side.seats}
                seat = named.get((side, strain), max(tricks, key=lambda seat: tricks[seat]))
                self._declarer[side, strain] = seat, tricks[seat]
        best: _Best = dict.fromkeys(Side)
        self._above = [best]
        for index in range(34, -1, -1):
            made = {side: self._after(index, side, best)[Doubling.UNDOUBLED, 0] for side in Side}
            # On equal scores the lower contract: nobody bids on for nothing.
            best = {side: _better(side, made[side], best[side]) for side in Side}
            self._above.append(best)
        self._above.reverse()

    def value(self, auction: Auction) -> Reachable:
        so_far = auction.contract_so_far
        calls = auction.calls
        passes = 0
        while passes < len(calls) and calls[-1 - passes] == Call.PASS:
            passes += 1
        if so_far.is_passed_out:
            return self._unopened(passes, auction.turn.side)
        index = 5 * (so_far.level - 1) + so_far.strain
        states = self._after(index, so_far.declarer.side, self._above[index + 1])
        return states[so_far.doubling, passes]

    def _unopened(self, passes: int, turn: Side) -> Reachable:
        """Nobody has bid; `passes` calls are made."""
        if passes == 4:
            return Reachable(0, Contract.PASSED_OUT)
        passed = self._unopened(passes + 1, turn.opponents)
        return _better(turn, passed, self._above[0][turn])

    def _after(self, index: int, side: Side, best: _Best) -> dict[tuple[Doubling, int], Reachable]:
        """`side` has bid `index`: values by doubling and passes since.

        `best` holds what each side gets by bidding higher.
        """
        states: dict[tuple[Doubling, int], Reachable] = {}
        for doubling in reversed(Doubling):
            states[doubling, 3] = self._final(index, side, doubling)
            for passes in (2, 1, 0):
                # After a bid or a redouble the opponents call, after a double the side itself.
                is_ours = bool((passes + (doubling is Doubling.DOUBLED)) & 1)
                turn = side if is_ours else side.opponents
                answer = states[doubling, passes + 1]
                if doubling is Doubling.UNDOUBLED and not is_ours:
                    answer = _better(turn, answer, states[Doubling.DOUBLED, 0])
                elif doubling is Doubling.DOUBLED and is_ours:
                    answer = _better(turn, answer, states[Doubling.REDOUBLED, 0])
                states[doubling, passes] = _better(turn, answer, best[turn])
        return states

    def _final(self, index: int, side: Side, doubling: Doubling) -> Reachable:
        strain = Strain(index % 5)
        declarer, tricks = self._declarer[side, strain]
        contract = Contract(index // 5 + 1, strain, declarer, doubling)
        return Reachable(score_board(contract, tricks, self._vulnerability), contract)


def _first_to_name(auction: Auction) -> dict[tuple[Side, Strain], Seat]:
    """Who would declare each strain that a side has named."""
    named: dict[tuple[Side, Strain], Seat] = {}
    for seat, call in auction:
        if call.strain is not None:
            named.setdefault((seat.side, call.strain), seat)
    return named


def _better(side: Side, first: Reachable, second: Reachable | None) -> Reachable:
    """The result that `side` likes more, the first if they are equal."""
    if second is None or second.points(side) <= first.points(side):
        return first
    return second
