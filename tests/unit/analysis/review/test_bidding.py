"""What is still to be reached in an auction, and what each call costs."""

from __future__ import annotations

from setrograde.analysis.par import par
from setrograde.analysis.review import reachable_result, review_calls
from setrograde.bridge import Auction, Call, Contract, Seat, Side, Strain, TrickTable, Vulnerability

NINE = TrickTable.from_function(lambda seat, strain: 9 if seat.side is Side.NS else 4)


def costs(text: str, table: TrickTable = NINE, dealer: Seat = Seat.NORTH) -> list[int]:
    auction = Auction.from_text(text, dealer=dealer)
    return [call.cost_points for call in review_calls(auction, table, Vulnerability.NONE)]


def test_start_of_the_auction_is_worth_par() -> None:
    start = reachable_result(Auction(Seat.NORTH), NINE, Vulnerability.NONE)
    assert start.score_ns == par(NINE, Seat.NORTH, Vulnerability.NONE).score_ns == 400


def test_auction_to_par_costs_nothing() -> None:
    assert costs("1NT Pass 3NT AP") == [0] * 6


def test_pass_below_game_is_where_the_side_goes_wrong() -> None:
    assert costs("1NT Pass 2NT AP") == [0, 0, 0, 0, 250, 0]


def test_bid_too_high_costs_what_the_doubled_contract_loses() -> None:
    # 4NT goes down one. Perfect opponents would double: -100 instead of +400. West's pass, their
    # last chance to double, gives 50 back; East's cost nothing, because West could still double.
    assert costs("4NT AP") == [500, 0, 0, 50]


def test_double_of_a_makeable_contract_costs() -> None:
    first, _, third, *_ = costs("3NT Pass Pass X AP")
    assert (first, third) == (0, 0)
    assert costs("3NT Pass Pass X AP")[3] > 0


def test_naming_a_strain_from_the_wrong_side_costs() -> None:
    # Only North makes 3NT; once South has named notrump, it is gone.
    table = TrickTable.from_function(
        lambda seat, strain: (
            (9 if seat is Seat.NORTH else 8)
            if seat.side is Side.NS and strain is Strain.NOTRUMP
            else 7
            if seat.side is Side.NS
            else 4
        )
    )
    right = costs("1C Pass 1D Pass 1NT Pass 3NT AP", table)
    wrong = costs("1C Pass 1NT Pass 3NT AP", table)
    assert right == [0] * 10
    assert wrong[2] == 400 - 120


def test_final_value_is_the_score_of_the_contract() -> None:
    auction = Auction.from_text("1NT Pass 2NT AP", dealer=Seat.NORTH)
    last = review_calls(auction, NINE, Vulnerability.BOTH)[-1]
    assert last.after.contract == Contract.from_text("2NTN")
    assert last.after.score_ns == 150


def test_passed_out_board_costs_the_side_that_could_have_opened() -> None:
    # South's pass is the last chance of North-South.
    assert costs("Pass Pass Pass Pass") == [0, 0, 400, 0]


def test_review_of_a_call_says_what_was_to_be_reached() -> None:
    auction = Auction.from_text("1NT AP", dealer=Seat.NORTH)
    wrong = [call for call in review_calls(auction, NINE, Vulnerability.NONE) if call.is_mistake]
    assert [call.call for call in wrong] == [Call.PASS]
    assert str(wrong[0]) == (
        "South: Pass, cost 250 points: 3NT by North (N-S +400) was still to be reached"
    )
    assert wrong[0].known is None
