"""Reviews against the DDS lists and against what real files say of themselves."""

from __future__ import annotations

import pytest

from setrograde.analysis.review import Review, review_boards, review_cards
from setrograde.bridge import Play, Seat, Side, Strain
from setrograde.formats.dds_list import parse_dds_records
from setrograde.formats.files import read_boards
from setrograde.solve import Solver
from support import shared_data


@pytest.mark.parametrize(
    "name", ["dds_list10.txt", pytest.param("dds_list100.txt", marks=pytest.mark.slow)]
)
def test_value_after_every_card_is_that_of_the_list(name: str) -> None:
    solver = Solver(limit_mb=64, endings=None)
    for record in parse_dds_records(shared_data("dd", name).read_bytes(), path=name):
        play = Play(record.deal, record.strain, record.leader, record.play)
        cards = review_cards(play, solver, None, None)
        values = (cards[0].tricks_before, *[card.tricks_after for card in cards])
        assert values[: len(record.trace)] == record.trace, record.deal


@pytest.fixture(scope="module")
def championship() -> Review:
    """Two rounds of boards of a championship, every board at 30 tables."""
    path = shared_data("realplay", "endplay_example2.pbn")
    return review_boards([board for board in read_boards(path) if board.number in (11, 12, 13)])


def test_tables_and_par_are_those_of_the_file(championship: Review) -> None:
    compared = 0
    for review in championship.boards:
        tags = review.board.tags
        if "DoubleDummyTricks" not in tags:
            continue
        assert review.table is not None
        assert review.par is not None
        digits = [
            f"{review.table.tricks(seat, strain):x}"
            for seat in (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
            for strain in reversed(Strain)
        ]
        assert "".join(digits) == tags["DoubleDummyTricks"]
        assert f"NS {review.par.score_ns:+d}" == tags["OptimumScore"]
        compared += 1
    assert compared > 80


def test_losses_lead_from_par_to_the_score_of_the_file(championship: Review) -> None:
    compared = 0
    for review in championship.boards:
        if review.score_ns is None or not review.calls:
            continue
        assert review.par is not None
        ns, ew = review.losses(Side.NS), review.losses(Side.EW)
        assert review.score_ns == review.par.score_ns - ns.points + ew.points
        if "Score" in review.board.tags:
            assert review.board.tags["Score"] == f"NS {review.score_ns}"
            compared += 1
    assert compared > 70


def test_sixty_boards_of_a_world_championship_are_all_reviewed() -> None:
    boards = read_boards(shared_data("realplay", "endplay_example3.pbn")).boards[:60]
    review = review_boards(boards)
    for one in review.boards:
        assert one.cards
        assert one.rest is not None or len(one.cards) == 52
        assert one.tricks_declarer is not None
        assert one.tricks_double_dummy is not None
        assert one.contract is not None
        side = one.contract.declarer.side
        ours = sum(card.cost_tricks for card in one.cards if card.seat.side is side)
        theirs = sum(card.cost_tricks for card in one.cards if card.seat.side is not side)
        rest = 0
        if one.rest is not None:
            rest = one.rest.tricks_declarer - one.rest.tricks_double_dummy
        assert one.tricks_declarer == one.tricks_double_dummy - ours + theirs + rest
    assert sum(player.cards.count for player in review.players) == sum(
        len(one.cards) for one in review.boards
    )
