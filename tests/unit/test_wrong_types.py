"""Values of a wrong type are quoted back, as wrong text is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import setrograde as sg

wrong: Any = sg  # a type checker would refuse these calls
ODDS = {"north": "AQ...", "south": "32...", "hidden": "KJT9...", "strain": "NT", "declarer": "S"}


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda: wrong.odds(**ODDS, need=2, time_s="1"), "not a time: '1' (expected a number of"),
        (lambda: wrong.Board.numbered("3"), "not a board number: '3' (expected 1 or more)"),
        (lambda: wrong.solve_game("nim", [3, 4]), "not a size: [3, 4] (expected text, like '4x5'"),
    ],
)
def test_a_wrong_type_is_quoted(call: Callable[[], object], line: str) -> None:
    with pytest.raises(sg.InvalidInput) as found:
        call()
    assert str(found.value).startswith(line)
