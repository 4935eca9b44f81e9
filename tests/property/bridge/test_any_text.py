"""Whatever text is given for a value, it is the value or an error that quotes it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setrograde.analysis.par import par
from setrograde.bridge import (
    Board,
    Call,
    Card,
    Contract,
    Deal,
    Hand,
    HandConstraint,
    InvalidInput,
    Rank,
    Seat,
    Side,
    Strain,
    Suit,
    TrickTable,
    Vulnerability,
)

NEAR = st.lists(
    st.sampled_from(
        [*"CDHSNEWKQJTA1234567890X*+-=/., :;♠♥♦♣", "NT", "10", "NS", "EW", " by ", "pass", "hcp "]
    ),
    max_size=8,
).map("".join)
TEXTS = st.one_of(NEAR, st.text(max_size=12))
TABLE = TrickTable.from_function(lambda seat, strain: (4 + 3 * seat + strain) % 14)
PAR = par(TABLE, "N", "none")


@pytest.mark.parametrize(
    "make",
    [
        Seat,
        Strain,
        Suit,
        Rank,
        Side,
        Vulnerability,
        Card,
        Call,
        Hand,
        Deal,
        Contract,
        HandConstraint.from_text,
        PAR.__contains__,
        Deal("N:AK... QJ... T9... 87...").__getitem__,
        Hand("AK...").__getitem__,
        lambda text: Board(contract=text).score,
    ],
)
@given(text=TEXTS)
def test_any_text_is_a_value_or_refused(make: Callable[[str], object], text: str) -> None:
    with suppress(InvalidInput):
        make(text)


@given(
    level=st.integers(1, 7),
    strain=st.sampled_from(list(Strain)),
    seat=st.sampled_from(list(Seat)),
    doubling=st.sampled_from(["", "X", "XX"]),
)
def test_a_contract_is_par_however_it_is_written(
    level: int, strain: Strain, seat: Seat, doubling: str
) -> None:
    contract = Contract(level, strain, seat, doubling)
    tricks = TABLE.tricks(seat, strain) - contract.tricks_needed
    assert Contract(contract.pretty) == contract
    answer = contract in PAR
    assert (str(contract) in PAR) == answer
    assert (contract.pretty in PAR) == answer
    assert (f"{seat} {contract.bid}" in PAR) == answer
    assert (f"{seat} {contract.bid}{tricks:+d}" in PAR) == answer
    others = [Contract(level, strain, other, doubling) in PAR for other in Seat]
    assert (contract.bid in PAR) == any(others)
    assert (f"{seat.side} {contract.bid}" in PAR) == (others[seat] or others[seat.partner])
