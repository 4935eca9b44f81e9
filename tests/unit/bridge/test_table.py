"""Tables of double-dummy results."""

from __future__ import annotations

import pytest

from setrograde.bridge import InvalidInput, Seat, Strain, TrickTable

TABLE = TrickTable(((0, 1, 2, 3, 4), (5, 6, 7, 8, 9), (10, 11, 12, 13, 0), (1, 2, 3, 4, 5)))


def test_results_are_found_by_declarer_and_strain() -> None:
    assert TABLE.tricks(Seat.NORTH, Strain.CLUBS) == 0
    assert TABLE.tricks(Seat.EAST, Strain.NOTRUMP) == 9
    assert TABLE.tricks(Seat.SOUTH, Strain.SPADES) == 13
    assert TrickTable.from_function(TABLE.tricks) == TABLE


def test_a_table_is_shown_with_notrump_first() -> None:
    assert str(TABLE).splitlines() == [
        "   NT  S  H  D  C",
        "N   4  3  2  1  0",
        "E   9  8  7  6  5",
        "S   0 13 12 11 10",
        "W   5  4  3  2  1",
    ]


def test_a_table_is_a_dictionary_by_letters() -> None:
    found = TABLE.to_dict()
    assert list(found) == ["N", "E", "S", "W"]
    assert found["E"] == {"NT": 9, "S": 8, "H": 7, "D": 6, "C": 5}


@pytest.mark.parametrize("tricks", [-1, 14])
def test_impossible_tricks_are_quoted(tricks: int) -> None:
    with pytest.raises(InvalidInput, match=str(tricks)):
        TrickTable.from_function(lambda seat, strain: tricks)


def test_a_table_has_four_rows_of_five() -> None:
    with pytest.raises(InvalidInput, match="4 rows of 5"):
        TrickTable(TABLE.rows[:3])
    with pytest.raises(InvalidInput, match="4 rows of 5"):
        TrickTable(((1, 2), *TABLE.rows[1:]))  # type: ignore[arg-type]
