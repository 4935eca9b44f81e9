"""Laws of the vocabulary, against plain re-derivation."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle.auction import contract_of, is_over, may_call
from oracle.play import replay
from property.strategies import (
    auctions,
    boards,
    cards,
    contracts,
    deals,
    hands,
    plays,
    seats,
    tables,
    vulnerabilities,
)
from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Call,
    Card,
    Contract,
    Deal,
    Doubling,
    Hand,
    InvalidAuction,
    InvalidInput,
    InvalidPlay,
    Play,
    Rank,
    Seat,
    Side,
    Strain,
    Suit,
    Trick,
    TrickTable,
    Vulnerability,
)
from setrograde.bridge.scoring import cross_imps, imps, matchpoints, score_board

# What `eval(repr(...))` may need.
KINDS = [
    *(Annotation, Auction, Board, Call, Card, Contract, Deal, Doubling, Hand, Play),
    *(Rank, Seat, Side, Strain, Suit, Trick, TrickTable, Vulnerability),
]
NAMES = {kind.__name__: kind for kind in KINDS}


@given(auctions(annotated=False))
def test_legal_calls_are_those_of_the_laws(auction: Auction) -> None:
    expected = tuple(call for call in Call.ALL if may_call(auction.calls, call))
    assert auction.legal_calls() == expected
    assert auction.is_over == is_over(auction.calls)
    assert auction.contract == contract_of(auction.calls, auction.dealer)


@given(seats, st.lists(st.sampled_from(Call.ALL[:8]), max_size=9))
def test_an_auction_is_refused_just_where_a_call_is_illegal(
    dealer: Seat, calls: list[Call]
) -> None:
    legal = all(may_call(calls[:turn], call) for turn, call in enumerate(calls))
    try:
        auction = Auction(dealer, tuple(calls))
    except InvalidAuction:
        assert not legal
    else:
        assert legal
        assert Auction.from_text(str(auction), dealer) == auction


@given(plays(claims=False))
def test_turn_legal_cards_and_winners_are_those_of_the_laws(play: Play) -> None:
    turn, legal, winners = replay(play.deal, play.strain, play.leader, play.cards)
    assert set(play.legal_cards()) == set(legal)
    assert play.turn is turn
    for side in Side:
        assert play.tricks_won(side) == sum(seat.side is side for seat in winners)
    assert play.is_over == (not legal)
    assert len(play.remaining) + len(play) == len(play.deal)


@given(plays(claims=False), cards)
def test_a_card_is_refused_just_where_it_is_illegal(play: Play, card: Card) -> None:
    _, legal, _ = replay(play.deal, play.strain, play.leader, play.cards)
    assert play.is_legal(card) == (card in legal)
    if card in legal:
        assert play.with_card(card).cards == (*play.cards, card)
    else:
        with pytest.raises(InvalidPlay, match=f"'{card}'"):
            play.with_card(card)


@given(plays(claims=False), st.integers(0, 999))
def test_tricks_hold_every_card_in_order(play: Play, seed: int) -> None:
    tricks = play.tricks()
    assert tuple(card for trick in tricks for card in trick.cards) == play.cards
    if tricks:
        trick = Random(seed).choice(tricks)
        for seat in Seat:
            card = trick.card_of(seat)
            assert card is None or play.deal.holder(card) is seat


@given(hands(), hands())
def test_hands_agree_with_python_sets(left: Hand, right: Hand) -> None:
    assert set(left | right) == set(left) | set(right)
    assert set(left & right) == set(left) & set(right)
    assert set(left - right) == set(left) - set(right)
    assert len(left) == len(set(left))
    assert list(left) == sorted(left, reverse=True)
    assert all((card in left) == (card in set(left)) for card in Card.ALL)


@given(hands())
def test_measures_of_a_hand_add_up_over_its_cards(hand: Hand) -> None:
    assert hand.hcp == sum(card.rank.hcp for card in hand)
    assert hand.controls == sum({"A": 2, "K": 1}.get(card.rank.letter, 0) for card in hand)
    assert hand.lengths == tuple(sum(card.suit is suit for card in hand) for suit in Suit)
    assert hand.shape == tuple(sorted(hand.lengths, reverse=True))
    assert Hand.from_text(str(hand)) == Hand.from_cards(hand) == hand


@given(deals(None), seats, st.integers(-8, 8))
def test_deals_survive_text_and_rotation(deal: Deal, first: Seat, steps: int) -> None:
    assert Deal.from_pbn(deal.to_pbn(first)) == deal
    assert deal.rotate(steps).rotate(-steps) == deal
    assert deal.rotate(steps).to_pbn(first.next_by(steps))[1:] == deal.to_pbn(first)[1:]


@given(
    st.one_of(
        cards, hands(), deals(None), auctions(), contracts(), plays(), tables(), vulnerabilities,
        boards(),
    )
)  # fmt: skip
def test_every_value_can_be_pasted_back(value: object) -> None:
    assert eval(repr(value), dict(NAMES)) == value


@given(contracts(), st.integers(0, 13), st.integers(0, 3))
def test_turning_the_table_turns_the_score(contract: Contract, tricks: int, number: int) -> None:
    swapped = Vulnerability((number & 1) << 1 | number >> 1)
    turned = Contract(contract.level, contract.strain, contract.declarer.next, contract.doubling)
    score = score_board(contract, tricks, Vulnerability(number))
    assert score_board(turned, tricks, swapped) == -score


@given(contracts(passed_out=False), st.integers(0, 12), vulnerabilities)
def test_one_more_trick_is_never_worth_less(
    contract: Contract, tricks: int, vulnerability: Vulnerability
) -> None:
    sign = 1 if contract.declarer.side is Side.NS else -1
    fewer = sign * score_board(contract, tricks, vulnerability)
    assert sign * score_board(contract, tricks + 1, vulnerability) > fewer


@given(st.lists(st.integers(-760, 760).map(lambda tens: 10 * tens), max_size=12))
def test_comparisons_agree_with_counting_pair_by_pair(scores: list[int]) -> None:
    for place, (mine, points, total) in enumerate(
        zip(scores, matchpoints(scores), cross_imps(scores), strict=True)
    ):
        others = scores[:place] + scores[place + 1 :]
        assert points.ns == sum(2 * (mine > other) + (mine == other) for other in others)
        assert points.ew == sum(2 * (mine < other) + (mine == other) for other in others)
        assert total == sum(imps(mine - other) for other in others)


@given(st.text(max_size=12) | st.text("NESW:.AKQJT98765432-10x ♠♥♦♣XPass", max_size=40))
def test_any_text_is_read_or_invalid_input(text: str) -> None:
    readers = [
        Card.from_text,
        Call.from_text,
        Contract.from_text,
        Deal.from_pbn,
        Hand.from_text,
        Rank.from_text,
        Seat.from_text,
        Strain.from_text,
        Suit.from_text,
        Vulnerability.from_text,
        lambda words: Auction.from_text(words, Seat.NORTH),
    ]
    for read in readers:
        try:
            read(text)
        except InvalidInput:
            continue
