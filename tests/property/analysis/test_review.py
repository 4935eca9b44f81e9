"""Laws of reviews: costs are never negative, and they add up from par to the score."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from property.strategies import auctions, seats, tables, vulnerabilities
from setrograde.analysis.par import par
from setrograde.analysis.review import reachable_result, review_board, review_calls, review_cards
from setrograde.bridge import (
    Auction,
    Board,
    Call,
    Contract,
    Play,
    Seat,
    Side,
    Strain,
    TrickTable,
    Vulnerability,
)
from setrograde.bridge.scoring import score_board
from setrograde.solve import Solver
from support import random_deal, random_position


@given(table=tables(), dealer=seats, vulnerability=vulnerabilities)
def test_first_call_stands_before_par(
    table: TrickTable, dealer: Seat, vulnerability: Vulnerability
) -> None:
    start = reachable_result(Auction(dealer), table, vulnerability)
    assert start.score_ns == par(table, dealer, vulnerability).score_ns


@given(auction=auctions(), table=tables(), vulnerability=vulnerabilities)
def test_no_call_gains_and_costs_lead_from_par_to_the_contract(
    auction: Auction, table: TrickTable, vulnerability: Vulnerability
) -> None:
    while not auction.is_over:
        auction = auction.with_call(Call.PASS)
    reviews = review_calls(auction, table, vulnerability)
    assert all(review.cost_points >= 0 for review in reviews)
    lost = {s: sum(r.cost_points for r in reviews if r.seat.side is s) for s in Side}
    contract = auction.contract
    assert contract is not None
    tricks = 0 if contract.is_passed_out else table.tricks(contract.declarer, contract.strain)
    score = score_board(contract, tricks, vulnerability)
    start = par(table, auction.dealer, vulnerability).score_ns
    assert score == start - lost[Side.NS] + lost[Side.EW]


@given(seed=st.integers(0, 2**32 - 1), tricks=st.integers(1, 6))
@settings(max_examples=60)
def test_costs_of_all_cards_are_the_difference_to_the_tricks_taken(seed: int, tricks: int) -> None:
    rng = Random(seed)
    start = random_position(rng, tricks, on_table=0)
    play = Play(start.remaining, start.strain, start.turn)
    while not play.is_over:
        play = play.with_card(rng.choice(play.legal_cards()))
    solver = Solver(limit_mb=16, endings=None)
    cards = review_cards(play, solver, None, None)
    side = play.leader.next.side
    ours = sum(card.cost_tricks for card in cards if card.seat.side is side)
    theirs = sum(card.cost_tricks for card in cards if card.seat.side is not side)
    value = solver.solve(play.deal, play.strain, play.leader).tricks(side)
    assert play.tricks_won(side) == value - ours + theirs
    for card in cards:
        assert card.is_mistake == (card.card not in card.better and bool(card.better))


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=6)
def test_losses_of_a_whole_board_lead_from_par_to_the_score(seed: int) -> None:
    rng = Random(seed)
    deal = random_deal(rng)
    auction = Auction(Seat.NORTH).with_call(Call.bid(rng.randint(1, 4), rng.choice(list(Strain))))
    for _ in range(3):
        auction = auction.with_call(Call.PASS)
    contract = auction.contract
    assert isinstance(contract, Contract)
    play = Play(deal, contract.strain, contract.leader)
    for _ in range(rng.choice([8, 30, 52])):
        play = play.with_card(rng.choice(play.legal_cards()))
    won = play.tricks_won(contract.declarer.side)
    lost = play.tricks_won(contract.leader.side)
    if not play.is_over:
        play = play.claim(rng.randint(won, 13 - lost))
    board = Board(1, Seat.NORTH, Vulnerability.EW, deal, auction, contract, play)
    review = review_board(board, solver=Solver(limit_mb=64, endings=None))
    assert review.par is not None
    ns, ew = review.losses(Side.NS), review.losses(Side.EW)
    assert review.score_ns == review.par.score_ns - ns.points + ew.points
