"""Laws of worlds and of plain Monte Carlo, on random positions."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setrograde.bridge import Board, Contract, Deal, Hand, Play, Seat
from setrograde.robot import Knowledge, Player
from setrograde.robot.inference import Inference
from setrograde.robot.play.goals import Goal
from setrograde.robot.play.ties import chances_to_err
from setrograde.robot.pool import Pool
from setrograde.robot.values import DoubleDummy
from setrograde.robot.worlds import draw_layouts
from setrograde.solve import Solver
from support import random_position

SEEDS = st.integers(0, 10**6)


def known_position(seed: int, most: int = 9) -> tuple[Board, Knowledge]:
    """A board, and what the player on turn knows of it."""
    rng = Random(seed)
    while True:
        play = random_position(rng, rng.randint(2, most))
        if play.cards:
            contract = Contract(1, play.strain, play.leader.next_by(3))
            board = Board(deal=play.deal, contract=contract, play=play)
            return board, Knowledge.of_board(board)


@given(SEEDS)
@settings(max_examples=60)
def test_every_layout_allows_the_play(seed: int) -> None:
    """A layout drawn together with the cards played is a deal in which the play was legal."""
    board, known = known_position(seed)
    assert board.play is not None
    shown = [known.cards_of(seat).bits for seat in Seat]
    for row in draw_layouts(known, 5, seed=seed).tolist():
        deal = Deal([Hand(left | own) for left, own in zip(row, shown, strict=True)])
        Play(deal, board.play.strain, board.play.leader, known.played)
        assert deal.bits == known.deck.bits
        for seat, hand in known.seen.items():
            assert deal[seat] == hand


@given(SEEDS)
@settings(max_examples=25)
def test_the_true_layout_is_always_possible(seed: int) -> None:
    board, known = known_position(seed, 6)
    assert board.deal is not None
    n, e, s, w = (hand.bits for hand in board.deal.hands)
    inference = Inference(DoubleDummy(known.strain, known.declarer.side), first_card=0)
    for turn in known.turns:
        log = inference.log_likelihood(known, turn, [(n, e, s, w)])[0]
        assert np.isfinite(log)


@given(SEEDS)
@settings(max_examples=25)
def test_plain_monte_carlo_is_the_mean_of_double_dummy_values(seed: int) -> None:
    """Card for card what solving each world by itself gives."""
    _, known = known_position(seed, 6)
    player = Player(worlds=6, seed=seed, goal="tricks", method="monte_carlo", infer=False)
    made = player.decide(known)
    if made.method == "forced":
        return
    pool = Pool(seed, None)
    pool.fill(known, 6)
    worlds = pool.sample(known, 6)
    solver, side = Solver(limit_mb=16), known.seat.side
    won, total = known.tricks_won(side), known.total_tricks
    sums: dict[object, float] = {}
    for world in worlds:
        hands = list(world.hands)
        for step, card in enumerate(known.trick):
            hands[known.leader.next_by(step)] |= card.bit
        deal = Deal([Hand(bits) for bits in hands])
        for value in solver.cards(deal, known.strain, known.leader, played=known.trick):
            sums[value.card] = sums.get(value.card, 0) + world.weight * (won + value.tricks)
    sign = 0 if known.is_declarer else total
    for candidate in made.candidates:
        assert candidate.value == pytest.approx(sums[candidate.action] - sign)
        assert candidate.value <= made.candidates[0].value + 1e-9


@given(SEEDS)
@settings(max_examples=25)
def test_mistakes_of_opponents_never_cost_us(seed: int) -> None:
    _, known = known_position(seed, 5)
    worlds = [tuple(row) for row in draw_layouts(known, 3, seed=seed).tolist()]
    ask = DoubleDummy(known.strain, known.declarer.side)
    worth = Goal("tricks", known.contract, total=known.total_tricks).own_table(
        is_declarer=known.is_declarer
    )
    cards = known.legal_cards()
    found = chances_to_err(known, cards, worlds, np.ones(3), ask, worth)  # type: ignore[arg-type]
    if len(known.trick) == 3:
        assert found is None
        return
    assert found is not None
    trick = [16 * card.suit + card.rank for card in known.trick]
    won = known.tricks_won(known.declarer.side)
    for card, value in zip(cards, found.tolist(), strict=True):
        perfect = []
        for hands in worlds:
            tricks = won + ask.cards(hands, known.leader, trick)[16 * card.suit + card.rank]
            own = tricks if known.is_declarer else known.total_tricks - tricks
            perfect.append(float(worth[own]))
        assert value >= np.mean(perfect) - 1e-9
