"""What cards played tell: restricted choice, costs, leads and signals."""

from __future__ import annotations

import math
from random import Random

import pytest

from setrograde.bridge import Board, Card, Contract, Hand, Seat, Side, Strain
from setrograde.robot.inference import Inference
from setrograde.robot.knowledge import Knowledge
from setrograde.robot.leads import lead_probabilities
from setrograde.robot.pool import Pool
from setrograde.robot.signals import Signals, signal_weight
from setrograde.robot.values import DoubleDummy
from support import random_deal, random_position


def inference(**options: object) -> Inference:
    return Inference(DoubleDummy(Strain.NOTRUMP, Side.NS), first_card=0, **options)  # type: ignore[arg-type]


def test_restricted_choice() -> None:
    """East's queen is twice as likely from the queen alone as from queen and jack."""
    known = Knowledge(
        seat="S",
        contract="1NTS",
        hand="AT...",
        dummy="K9...",
        deck=Hand("AKQJT98.2.."),
        played="S8 SK SQ",
    )
    alone = _layout(east="Q.2..", west="J8...")
    both = _layout(east="QJ...", west="8.2..")
    logs = inference(trust=1.0).log_likelihood(known, known.turns[2], [alone, both])
    assert math.exp(logs[0] - logs[1]) == pytest.approx(2)


def _layout(*, east: str, west: str) -> tuple[int, int, int, int]:
    return Hand("K9...").bits, Hand(east).bits, Hand("AT...").bits, Hand(west).bits


def test_a_card_that_is_not_held_is_impossible() -> None:
    known = Knowledge(
        seat="S",
        contract="1NTS",
        hand="AT...",
        dummy="K9...",
        deck=Hand("AKQJT98.2.."),
        played="S8 SK SQ",
    )
    layout = _layout(east="J.2..", west="Q8...")
    assert inference().log_likelihood(known, known.turns[2], [layout])[0] == -math.inf


def test_own_cards_tell_nothing() -> None:
    known = Knowledge(
        seat="S",
        contract="1NTS",
        hand="AT...",
        dummy="K9...",
        deck=Hand("AKQJT98.2.."),
        played="S8 SK SQ",
    )
    layout = _layout(east="QJ...", west="8.2..")
    assert inference().log_likelihood(known, known.turns[1], [layout])[0] == 0


def test_leads_are_probabilities() -> None:
    rng = Random(1)
    for _ in range(40):
        hand = random_deal(rng)["N"]
        for strain in (Strain.NOTRUMP, Strain.SPADES):
            chances = lead_probabilities(hand, strain)
            assert sum(chances.values()) == pytest.approx(1)
            assert set(chances) == set(hand)


def test_a_pool_kept_and_a_pool_drawn_late_weigh_alike() -> None:
    """The weight of a layout does not depend on when it was drawn."""
    rng = Random(2)
    for _ in range(6):
        play = random_position(rng, 5, on_table=1)
        contract = Contract(1, play.strain, play.leader.next_by(3))
        board = Board(deal=play.deal, contract=contract, play=play)
        seat = play.turn if play.turn != contract.declarer.partner else contract.declarer
        ask = DoubleDummy(play.strain, contract.declarer.side)
        kept = Pool(1, Inference(ask, first_card=0))
        start = max(1, len(play.cards) - 8)
        kept.fill(Knowledge.of_board(board, seat, cards=start), 60)
        now = Knowledge.of_board(board, seat)
        kept.update(now)
        again = Inference(ask, first_card=0)
        for layout, log in zip(kept.layouts, kept.logs.tolist(), strict=True):
            total = sum(float(again.log_likelihood(now, t, [layout])[0]) for t in now.turns)
            assert total == pytest.approx(log)


@pytest.mark.parametrize(("state", "expected"), [("off", 1.0), ("on", 1.5), ("inverted", 0.5)])
def test_count_signals_are_read_by_agreement(state: str, expected: float) -> None:
    """Declarer leads spades; West's nine from four cards says an even number, if that is agreed."""
    deck = Hand("AKQJT98652.A432.A2.")
    known = Knowledge(
        seat="E",
        contract="1NTS",
        hand="QJ.43..",
        dummy="T8..A2.",
        deck=deck,
        played="H2 DA H3 HA SA S9",
    )
    turn = known.turns[-1]
    assert (turn.seat, turn.card) == (Seat.WEST, Card("S9"))
    held = Hand("9652...").bits
    assert signal_weight(Signals(count=state), known, turn, held) == expected
