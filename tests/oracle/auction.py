"""The laws of the auction, re-derived from the whole list of calls each time."""

from __future__ import annotations

from collections.abc import Sequence

from setrograde.bridge import Call, Contract, Doubling, Seat

PASS, DOUBLE, REDOUBLE = Call.from_text("Pass"), Call.from_text("X"), Call.from_text("XX")


def is_over(calls: Sequence[Call]) -> bool:
    """Three passes after a bid, or four passes at the start."""
    if len(calls) < 4:
        return False
    return all(call == PASS for call in calls[-3:])


def may_call(calls: Sequence[Call], call: Call) -> bool:
    """Laws 18 and 19."""
    if is_over(calls):
        return False
    if call == PASS:
        return True
    if call.is_bid:
        return all((call.level, call.strain) > (b.level, b.strain) for b in calls if b.is_bid)
    last = [(turn, made) for turn, made in enumerate(calls) if made != PASS][-1:]
    if not last:
        return False
    turn, made = last[0]
    by_opponents = (len(calls) - turn) % 2 == 1
    if call == DOUBLE:
        return made.is_bid and by_opponents
    return made == DOUBLE and by_opponents


def contract_of(calls: Sequence[Call], dealer: Seat) -> Contract | None:
    """Law 22 and the definition of declarer; `None` if the auction is not over."""
    if not is_over(calls):
        return None
    bids = [(turn, call) for turn, call in enumerate(calls) if call.is_bid]
    if not bids:
        return Contract.PASSED_OUT
    last_turn, last = bids[-1]
    assert last.level is not None
    assert last.strain is not None
    named = [turn for turn, bid in bids if bid.strain == last.strain and turn % 2 == last_turn % 2]
    after = calls[last_turn:]
    doubling = Doubling.UNDOUBLED
    if REDOUBLE in after:
        doubling = Doubling.REDOUBLED
    elif DOUBLE in after:
        doubling = Doubling.DOUBLED
    return Contract(last.level, last.strain, Seat((dealer + named[0]) % 4), doubling)
