"""Laws of the endgame database: sets, and queries against plain enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from statistics import fmean, pvariance

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from property.strategies import seats, strains
from setrograde.bridge import Card, Deal, Hand, InvalidDeal, Seat, Side, Strain, Suit
from setrograde.db.database import EndingDatabase, SetValue
from setrograde.db.deal_sets import DealSet
from setrograde.db.endings.states import Ending
from setrograde.db.methods.state_tables import StateLevel
from support import random_deal, random_position

seeds = st.integers(0, 2**32 - 1)
MOST_DEALS = 2000


@pytest.fixture(scope="module")
def database(endings: Path) -> EndingDatabase:
    return EndingDatabase.open(endings)


@cache
def state_level(tricks: int) -> StateLevel:
    return StateLevel(tricks)


def iter_deals(deals: DealSet) -> Iterator[Deal]:
    """All deals of a set, by handing out its cards one by one."""
    cards = list(deals.holders)
    hands = [0, 0, 0, 0]

    def hand_out(place: int) -> Iterator[Deal]:
        if place == len(cards):
            n, e, s, w = (Hand(bits) for bits in hands)
            if all(
                least <= Hand(hands[seat]).length(suit) <= most
                for (seat, suit), (least, most) in deals.lengths.items()
            ):
                yield Deal((n, e, s, w))
            return
        for seat in deals.holders[cards[place]]:
            if hands[seat].bit_count() < deals.tricks:
                hands[seat] |= cards[place].bit
                yield from hand_out(place + 1)
                hands[seat] ^= cards[place].bit

    return hand_out(0)


def random_set(seed: int, tricks: int) -> DealSet:
    """A set around a random deal; small enough to be enumerated, and seldom without limits."""
    rng = Random(seed)
    suits = rng.sample(list(Suit), rng.choice([1, 2, 3, 4]))
    deal = random_deal(rng, tricks, suits=suits)
    freedom = rng.choice([0.2, 0.4, 0.6]) if tricks < 3 else rng.choice([0.1, 0.25])
    holders = {}
    for seat in Seat:
        for card in deal[seat]:
            others = [other for other in Seat if rng.random() < freedom]
            holders[card] = frozenset((seat, *others))
    lengths = {}
    for _ in range(rng.choice([0, 0, 1, 2])):
        seat, suit = rng.choice(list(Seat)), rng.choice(suits)
        length = deal[seat].length(suit)
        lengths[seat, suit] = (rng.randint(0, length), rng.randint(length, 13))
    return DealSet(holders, lengths)


def values_ns(deals: DealSet, strain: Strain, leader: Seat) -> list[tuple[Deal, int]]:
    """All deals of the set with North-South's tricks by state tables."""
    all_deals = list(iter_deals(deals))
    hands = np.array([[hand.bits for hand in deal] for deal in all_deals], np.uint64)
    count = len(all_deals)
    values = (
        state_level(deals.tricks)
        .values(hands, np.full(count, strain, np.uint8), np.full(count, leader, np.uint8))
        .tolist()
    )
    ns = [value if leader.side is Side.NS else deals.tricks - value for value in values]
    return list(zip(all_deals, ns, strict=True))


@settings(max_examples=50)
@given(seeds, st.sampled_from([1, 2, 2, 2]), strains, seats)
def test_a_query_is_the_sum_over_all_deals(
    database: EndingDatabase, seed: int, tricks: int, strain: Strain, leader: Seat
) -> None:
    deals = random_set(seed, tricks)
    all_deals = values_ns(deals, strain, leader)
    histogram = dict(sorted(Counter(won for _, won in all_deals).items()))
    shapes = {tuple(hand.lengths for hand in deal) for deal, _ in all_deals}
    found = database.query(deals, strain, leader)
    assert found == SetValue(len(all_deals), histogram, len(shapes))


@pytest.mark.parametrize(
    "text",
    [
        "SAK=x HAK=x DAK=x CAK=x",
        "SAK=-N HAK=-N DAK=-N CAK=x",
        "SA=N SK=x HA=N HK=x DAK=x CAK=x",
        "SAKQ=x HAKQ=x DA=E CA=x N.S>=1 N.H>=1",
        "SAK=x HAK=x DAK=x CAK=x N.S<=1",
    ],
)
@pytest.mark.parametrize("strain", [Strain.CLUBS, Strain.SPADES, Strain.NOTRUMP])
def test_suits_that_are_alike_count_in_all_their_orders(
    database: EndingDatabase, text: str, strain: Strain
) -> None:
    deals = DealSet.from_text(text)
    all_deals = values_ns(deals, strain, Seat.EAST)
    histogram = dict(sorted(Counter(won for _, won in all_deals).items()))
    shapes = {tuple(hand.lengths for hand in deal) for deal, _ in all_deals}
    found = database.query(deals, strain, Seat.EAST)
    assert found == SetValue(len(all_deals), histogram, len(shapes))


@settings(max_examples=30, suppress_health_check=[*HealthCheck])
@given(seeds, strains, seats)
def test_a_query_of_twelve_cards_is_the_sum_over_all_deals(
    database: EndingDatabase, seed: int, strain: Strain, leader: Seat
) -> None:
    deals = random_set(seed, 3)
    found = database.query(deals, strain, leader)
    assume(found.deals <= MOST_DEALS)
    all_deals = list(iter_deals(deals))
    level = database.level(3)  # its values are compared elsewhere, all of them
    values = [level.value(deal, strain, leader) for deal in all_deals]
    ns = [value if leader.side is Side.NS else 3 - value for value in values]
    assert found.deals == len(all_deals)
    assert found.histogram == Counter(ns)


@settings(max_examples=40)
@given(seeds, st.sampled_from([1, 2]), strains, seats)
def test_decisive_cards_are_averages_of_parts(
    database: EndingDatabase, seed: int, tricks: int, strain: Strain, leader: Seat
) -> None:
    deals = random_set(seed, tricks)
    tricks_ns = dict(values_ns(deals, strain, leader))
    mean = fmean(tricks_ns.values())
    shares = []
    for entry in database.decisive_cards(deals, strain, leader):
        between = 0.0
        for seat, mean_there in entry.mean_by_holder.items():
            part = [won for deal, won in tricks_ns.items() if entry.card in deal[seat]]
            assert entry.deals_by_holder[seat] == len(part)
            assert mean_there == pytest.approx(fmean(part))
            between += len(part) / len(tricks_ns) * (fmean(part) - mean) ** 2
        assert sum(entry.deals_by_holder.values()) == len(tricks_ns)
        assert -1e-9 <= entry.share <= 1 + 1e-9
        assert entry.share * pvariance(tricks_ns.values()) == pytest.approx(between, abs=1e-9)
        shares.append(entry.share)
    assert shares == sorted(shares, reverse=True)


def random_member(deals: DealSet, seed: int) -> Deal | None:
    """A deal of a set, by handing out the cards with the fewest holders first; or none."""
    rng = Random(seed)
    for _ in range(50):
        hands = dict.fromkeys(Seat, 0)
        for card in sorted(
            deals.holders, key=lambda card: (len(deals.holders[card]), rng.random())
        ):
            room = [
                seat
                for seat in deals.holders[card]
                if sum(1 for held in Hand(hands[seat]) if held.suit == card.suit)
                < deals.lengths[seat, card.suit][1]
            ]
            if not room:
                break
            hands[rng.choice(sorted(room))] |= card.bit
        n, e, s, w = (Hand(hands[seat]) for seat in Seat)
        if deals.contains(deal := Deal((n, e, s, w))):
            return deal
    return None


@given(seeds, st.sampled_from([1, 2, 3, 3]))
def test_all_deals_of_a_set_have_the_value_of_the_deal_it_was_found_by(
    database: EndingDatabase, seed: int, tricks: int
) -> None:
    play = random_position(Random(seed), tricks, on_table=0)
    deal, strain, leader = play.remaining, play.strain, play.turn
    level = database.level(tricks)
    value = level.value(deal, strain, leader)
    deals = level.set_of(deal, strain, leader)
    assert deals.contains(deal)
    for number in range(8):
        member = random_member(deals, seed + number)
        if member is not None:
            assert level.value(member, strain, leader) == value, (deal, member)
    counts, shapes = level.count(deals, strain, leader)
    assert shapes == 1
    assert sum(counts) == counts[value] > 0


@given(seeds, st.integers(1, 3), strains, seats)
def test_a_set_of_one_deal_has_the_value_of_the_deal(
    database: EndingDatabase, seed: int, tricks: int, strain: Strain, leader: Seat
) -> None:
    deal = random_deal(Random(seed), tricks)
    value = database.query(DealSet.of_deal(deal), strain, leader)
    probe = database.probe(deal, strain, leader)
    assert value == SetValue(1, {probe.tricks_ns: 1}, 1)


@given(seeds, st.integers(1, 2))
def test_values_are_those_of_state_tables_in_the_words_of_endings(
    database: EndingDatabase, seed: int, tricks: int
) -> None:
    play = random_position(Random(seed), tricks, on_table=0)
    ending = Ending.from_deal(play.remaining, play.strain, play.turn)
    value = database.level(ending.tricks).value(play.remaining, play.strain, play.turn)
    assert value == state_level(ending.tricks).value(ending)


@given(seeds, st.integers(1, 3))
def test_text_of_a_set_is_read_back(seed: int, tricks: int) -> None:
    deals = random_set(seed, tricks)
    again = DealSet.from_text(deals.to_text())
    assert again.holders == deals.holders
    whole = {key: limits for key, limits in deals.lengths.items() if limits != (0, 13)}
    assert again.lengths == whole


@given(seeds, st.sampled_from([1, 2]), strains, seats, seats)
def test_turned_sets_have_turned_answers(
    database: EndingDatabase, seed: int, tricks: int, strain: Strain, leader: Seat, turn: Seat
) -> None:
    deals = random_set(seed, tricks)
    turned = DealSet(
        {card: frozenset(s.next_by(turn) for s in who) for card, who in deals.holders.items()},
        {(seat.next_by(turn), suit): limits for (seat, suit), limits in deals.lengths.items()},
    )
    value = database.query(deals, strain, leader)
    other = database.query(turned, strain, leader.next_by(turn))
    histogram = value.histogram
    if turn % 2:
        histogram = {tricks - won: count for won, count in histogram.items()}
    assert other == SetValue(value.deals, histogram, value.shapes)


def test_enumeration_itself_finds_all_deals() -> None:
    assert sum(1 for _ in iter_deals(DealSet.from_text("SAKQJ=x HAKQJ=x"))) == 2520
    one = DealSet.from_text("SA=N SK=E SQ=S SJ=W")
    assert list(iter_deals(one)) == [Deal.from_pbn("N:A... K... Q... J...")]
    assert list(iter_deals(DealSet.from_text("SAKQJ=N"))) == []


@given(st.lists(st.sampled_from(Card.ALL), min_size=8, max_size=8, unique=True), seeds)
def test_sets_that_leave_no_deal_are_refused_and_no_others(
    database: EndingDatabase, cards: list[Card], seed: int
) -> None:
    rng = Random(seed)
    deals = DealSet({card: frozenset(rng.sample(list(Seat), 1)) for card in cards})
    if next(iter_deals(deals), None) is None:
        with pytest.raises(InvalidDeal, match="no deal is in the set"):
            database.query(deals, Strain.NOTRUMP, Seat.NORTH)
    else:
        assert database.query(deals, Strain.NOTRUMP, Seat.NORTH).deals == 1
