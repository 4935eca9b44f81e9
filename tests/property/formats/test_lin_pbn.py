"""LIN to PBN and back: cards, calls, alerts, explanations, play and result survive."""

from __future__ import annotations

from hypothesis import given

from property.strategies import boards
from setrograde.bridge import Board
from setrograde.formats.lin import format_lin, parse_lin
from setrograde.formats.pbn import format_pbn, parse_pbn
from support import shared_data

KEPT = (
    "number",
    "dealer",
    "vulnerability",
    "deal",
    "auction",
    "contract",
    "play",
    "tricks_declarer",
    "players",
)


def check_there_and_back(lin: str) -> None:
    first = parse_lin(lin, strict=True)
    pbn = parse_pbn(format_pbn(first))
    assert not pbn.problems
    back = parse_lin(format_lin(pbn), strict=True)
    for board, through, again in zip(first, pbn, back, strict=True):
        for name in KEPT:
            assert getattr(through, name) == getattr(board, name), name
            assert getattr(again, name) == getattr(board, name), name


# LIN has no place for the first two letters; in PBN `?` and `#` alone mean "unknown" and
# "as before".
@given(boards(exclude="|,?#", dealt=True, with_table=False))
def test_a_board_survives_the_way_through_pbn(board: Board) -> None:
    check_there_and_back(format_lin([board]))


def test_a_real_file_survives_the_way_through_pbn() -> None:
    check_there_and_back(shared_data("realplay", "endplay_example1.lin").read_text())
