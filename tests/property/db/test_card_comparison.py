"""Comparisons card by card against probes of every deal of the set."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from property.db.test_diagrams import iter_deals, random_set, seeds
from property.strategies import seats, strains
from setrograde.bridge import Card, Seat, Side, Strain
from setrograde.db.card_comparison import compare_cards
from setrograde.db.database import EndingDatabase
from setrograde.db.deal_sets import DealSet

MOST_DEALS = 300


@pytest.fixture(scope="module")
def database(endings: Path) -> EndingDatabase:
    return EndingDatabase.open(endings)


def check(database: EndingDatabase, deals: DealSet, strain: Strain, leader: Seat) -> None:
    """Compare with the sums of probes over all deals."""
    tricks: dict[Card, Counter[int]] = {}
    costs: dict[Card, Counter[int]] = {}
    whole = 0
    for deal in iter_deals(deals):
        whole += 1
        for value in database.probe(deal, strain, leader).cards:
            ns = value.tricks if leader.side is Side.NS else deals.tricks - value.tricks
            tricks.setdefault(value.card, Counter())[ns] += 1
            costs.setdefault(value.card, Counter())[value.cost] += 1
    compared = compare_cards(deals, strain, leader, threads=1)
    assert compared.deals == whole
    assert {entry.card: entry.histogram for entry in compared.cards} == tricks
    assert {entry.card: entry.costs for entry in compared.cards} == costs
    assert set(compared.always_best) == {card for card, cost in costs.items() if cost[0] == whole}
    losses = [entry.mean_cost for entry in compared.cards]
    assert losses == sorted(losses)
    for entry in compared.cards:
        assert entry.deals == tricks[entry.card].total()
        assert entry.best_in == costs[entry.card][0]
        assert entry.mean == pytest.approx(
            sum(ns * n for ns, n in tricks[entry.card].items()) / entry.deals
        )


@settings(max_examples=60)
@given(seeds, st.sampled_from([1, 2, 2, 3, 3]), strains, seats)
def test_a_comparison_is_the_sum_of_probes_over_all_deals(
    database: EndingDatabase, seed: int, tricks: int, strain: Strain, leader: Seat
) -> None:
    deals = random_set(seed, tricks)
    if sum(1 for _ in zip(range(MOST_DEALS + 1), iter_deals(deals), strict=False)) <= MOST_DEALS:
        check(database, deals, strain, leader)


@pytest.mark.parametrize(
    "text",
    [
        "SAK=x HAK=x DA=x CA=x SQ=N HQ=S",
        "SAQ=N SK=EW S54=S S763=EW H2=N HA=E H3=S H4=EW",
        "SA2=N SK=EW SQJ3=S HA=E HKQ=W H2=x DAK=x E.H>=1",
    ],
)
@pytest.mark.parametrize("strain", [Strain.SPADES, Strain.CLUBS, Strain.NOTRUMP])
@pytest.mark.parametrize("leader", Seat)
def test_comparisons_of_some_sets(
    database: EndingDatabase, text: str, strain: Strain, leader: Seat
) -> None:
    check(database, DealSet.from_text(text), strain, leader)
