"""Calls and contracts."""

from __future__ import annotations

import pytest

from setrograde.bridge import Call, Contract, Doubling, InvalidCall, InvalidContract, Seat, Strain


def test_bids_rise_from_one_club_to_seven_notrump() -> None:
    bids = [Call.bid(level, strain) for level in range(1, 8) for strain in Strain]
    assert bids == sorted(bids)
    assert (str(bids[0]), str(bids[-1]), len(bids)) == ("1C", "7NT", 35)
    assert list(Call.ALL) == [Call.PASS, Call.DOUBLE, Call.REDOUBLE, *bids]


def test_every_call_reads_back_what_it_writes() -> None:
    for call in Call.ALL:
        assert Call.from_text(str(call)) is call
        assert Call.from_text(str(call).lower()) is call
        assert Call.from_text(call.pretty) is call
        assert eval(repr(call)) == call


@pytest.mark.parametrize(
    ("text", "expected"),
    [("p", "Pass"), ("PASS", "Pass"), ("d", "X"), ("Dbl", "X"), ("double", "X"), ("*", "X"),
     ("r", "XX"), ("rdbl", "XX"), ("**", "XX"), ("1n", "1NT"), ("7N", "7NT"), ("2♥", "2H")],
)  # fmt: skip
def test_usual_spellings_of_calls_are_read(text: str, expected: str) -> None:
    assert str(Call.from_text(text)) == expected


@pytest.mark.parametrize("text", ["", "-", "0C", "8C", "1", "C", "1X", "XXX", "1 C", "1NTX", "N1"])
def test_bad_calls_are_quoted(text: str) -> None:
    with pytest.raises(InvalidCall) as caught:
        Call.from_text(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("level", [0, 8, -1])
def test_bad_levels_are_quoted(level: int) -> None:
    with pytest.raises(InvalidCall, match=str(level)):
        Call.bid(level, Strain.CLUBS)


@pytest.mark.parametrize("index", [-1, 38])
def test_bad_call_numbers_are_quoted(index: int) -> None:
    with pytest.raises(InvalidCall, match=str(index)):
        Call(index)


def test_only_bids_have_level_and_strain() -> None:
    for call in Call.ALL[:3]:
        assert (call.is_bid, call.level, call.strain) == (False, None, None)
    bid = Call.from_text("4S")
    assert (bid.is_bid, bid.level, bid.strain) == (True, 4, Strain.SPADES)


def test_every_contract_reads_back_what_it_writes() -> None:
    for level in range(1, 8):
        for strain in Strain:
            for seat in Seat:
                for doubling in Doubling:
                    contract = Contract(level, strain, seat, doubling)
                    assert Contract.from_text(str(contract)) == contract
                    assert Contract.from_text(contract.bid, seat) == contract
                    assert eval(repr(contract)) == contract
                    assert contract.tricks_needed == 6 + level
                    assert contract.leader is seat.next


@pytest.mark.parametrize(
    ("text", "expected"),
    [("4sxw", "4SXW"), ("3n by n", "3NTN"), (" 3 NT XX N ", "3NTXXN"), ("4♠* W", "4SXW"),
     ("1C**E", "1CXXE"), ("pass", "Pass"), ("AP", "Pass"), ("Passed Out", "Pass")],
)  # fmt: skip
def test_usual_spellings_of_contracts_are_read(text: str, expected: str) -> None:
    assert str(Contract.from_text(text)) == expected


@pytest.mark.parametrize("text", ["", "8SN", "0SN", "4N S X", "4SXXXN", "4ZN", "N4S", "4SQ"])
def test_bad_contracts_are_quoted(text: str) -> None:
    with pytest.raises(InvalidContract) as caught:
        Contract.from_text(text)
    assert repr(text) in str(caught.value)


def test_a_contract_needs_a_declarer() -> None:
    with pytest.raises(InvalidContract, match="no declarer in '4S'"):
        Contract.from_text("4S")
    assert Contract.from_text("4SN", Seat.EAST).declarer is Seat.NORTH


def test_bad_contract_levels_are_quoted() -> None:
    with pytest.raises(InvalidContract, match="8"):
        Contract(8, Strain.CLUBS, Seat.NORTH)


def test_a_board_passed_out_is_one_value_whatever_else_is_given() -> None:
    passed = Contract(0, Strain.SPADES, Seat.WEST, Doubling.DOUBLED)
    assert passed == Contract.PASSED_OUT
    assert hash(passed) == hash(Contract.PASSED_OUT)
    assert eval(repr(passed)) == passed


def test_contracts_are_shown_with_symbols() -> None:
    assert Contract.from_text("4SXW").pretty == "4♠X by West"
    assert Contract.PASSED_OUT.pretty == "passed out"
    assert eval(repr(Contract.PASSED_OUT)) == Contract.PASSED_OUT
