"""Mined endings: counted as by enumeration, found as counted, confirmed by the solver."""

from __future__ import annotations

from collections import Counter
from itertools import islice, permutations
from math import comb, prod
from pathlib import Path
from random import Random

import numpy as np
import pytest

from oracle.mining import PROPERTIES, lead_values
from setrograde import _core
from setrograde.bridge import Deal, InvalidInput, Seat, Strain, Suit
from setrograde.db.database import level_path
from setrograde.db.deal_sets import DealSet
from setrograde.db.endings.counting import count_states
from setrograde.db.endings.shapes import unrank_shape
from setrograde.db.endings.states import Ending, iter_endings
from setrograde.db.mining.grounds import shape_rows
from setrograde.db.mining.mine import Mine, Property, mine
from setrograde.db.mining.mined_ending import MinedEnding
from setrograde.solve.double_dummy import Solver

ENDING = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")


def by_enumeration(tricks: int, endings: Path) -> dict[Property, dict[int, int]]:
    """Endings by tricks at stake, every one looked at by the native plain check."""
    level = _core.DiagramLevel(str(level_path(tricks, endings)))
    below = _core.DiagramLevel(str(level_path(tricks - 1, endings))) if tricks > 1 else None
    rows = shape_rows(_core.list_shapes(tricks))
    counts = _core.count_plainly(rows, level, below, 2, None)
    assert {sum(row) for row in counts} == {count_states(tricks).total}
    return {
        kind: {cost: number for cost, number in enumerate(row) if cost and number}
        for kind, row in zip(Property, counts, strict=True)
    }


def test_counts_up_to_8_cards_are_those_of_enumeration(endings: Path) -> None:
    for tricks in (1, 2):
        expected = by_enumeration(tricks, endings)
        for kind in Property:
            count = mine(kind, 4 * tricks).count()
            assert count.endings == expected[kind]
            assert count.of_endings == count_states(tricks).total


@pytest.mark.slow
def test_counts_of_12_cards_are_those_of_enumeration(endings: Path) -> None:
    expected = by_enumeration(3, endings)
    for kind in Property:
        assert mine(kind, 12).count().endings == expected[kind]


@pytest.mark.slow
def test_counts_of_8_cards_are_those_of_the_definitions() -> None:
    costs = {name: Counter[int]() for name in PROPERTIES}
    for ending in iter_endings(2):
        for name, at_stake in PROPERTIES.items():
            costs[name][at_stake(ending)] += 1
    for kind in Property:
        del costs[kind][0]
        assert mine(kind, 8).count().endings == costs[kind]


@pytest.mark.parametrize(("tricks", "most"), [(2, 400), (3, 60)])
def test_random_shapes_are_counted_as_by_the_definitions(tricks: int, most: int) -> None:
    rng = Random(tricks)
    rows = shape_rows(_core.list_shapes(tricks))
    chosen: list[int] = []
    while len(chosen) < 15:
        number = rng.randrange(len(rows))
        if unrank_shape(tricks, number).states <= most:
            chosen.append(number)
    part = np.ascontiguousarray(rows[chosen])
    for place, kind in enumerate(Property):
        core = _core.Mine(part, [place, 1, -1, 2, 13], None, 1, None)
        layouts, found = (np.zeros((len(part), 8), np.uint64) for _ in range(2))
        core.count(0, layouts, found, 1, None)
        for row, number in zip(found, chosen, strict=True):
            shape = unrank_shape(tricks, number)
            plain = Counter(
                PROPERTIES[kind](Ending.from_rank(shape, rank)) for rank in range(shape.states)
            )
            assert row.tolist() == [plain[cost] for cost in range(8)]


@pytest.mark.parametrize("kind", Property)
def test_listed_endings_are_all_different_and_as_many_as_counted(kind: Property) -> None:
    found = mine(kind, 8, least_cost=2 if kind is Property.ONLY_CARD else 1)
    listed = list(found)
    assert Counter(ending.cost for ending in listed) == found.count().endings
    seen = {
        Ending.from_deal(ending.deal, ending.strain, ending.leader).canonical() for ending in listed
    }
    assert len(seen) == len(listed)
    for ending in listed:
        plain = Ending.from_deal(ending.deal, ending.strain, ending.leader)
        assert PROPERTIES[kind](plain) == ending.cost


@pytest.mark.parametrize("kind", Property)
def test_random_endings_of_12_cards_have_the_property_by_definition(kind: Property) -> None:
    for ending in mine(kind, 12).sample(6, seed=5):
        plain = Ending.from_deal(ending.deal, ending.strain, ending.leader)
        assert PROPERTIES[kind](plain) == ending.cost >= 1


def test_a_sample_is_the_same_for_the_same_seed_and_has_nothing_twice() -> None:
    found = mine("lead-costs", 8)
    first = [ending.deal for ending in found.sample(30, seed=1)]
    assert first == [ending.deal for ending in found.sample(30, seed=1)]
    assert first != [ending.deal for ending in found.sample(30, seed=2)]
    everything = found.sample(1000, seed=3)
    assert len(everything) == 100
    assert {(e.deal, e.strain) for e in everything} == {(e.deal, e.strain) for e in found}


def test_each_ending_is_as_likely_in_a_sample() -> None:
    found = mine("lead-costs", 8)
    times = Counter(
        (ending.deal, ending.strain) for seed in range(300) for ending in found.sample(5, seed=seed)
    )
    # 1500 draws over 100 endings: 15 each; the standard deviation is below 4.
    assert len(times) == 100
    assert min(times.values()) >= 2
    assert max(times.values()) <= 32


def test_endings_alike_but_for_the_order_of_suits_are_drawn_once() -> None:
    found = mine("only-card", 8, least_cost=2, trumps=False)
    drawn = found.sample(10_000, seed=0)
    assert len(drawn) == found.count().total
    assert all(
        Ending.from_deal(ending.deal, ending.strain, ending.leader).is_canonical for ending in drawn
    )


def test_deals_are_all_ways_to_deal_the_endings_from_a_pack() -> None:
    found = mine("only-card", 8, least_cost=2, trumps=False)
    deals = 0
    for ending in found:
        suits = Ending.from_deal(ending.deal, ending.strain, ending.leader).suits
        ranks = prod(comb(13, len(owners)) for owners in suits)
        deals += ranks * len(set(permutations(suits)))
    count = found.count()
    assert count.deals == {2: deals}
    assert count.of_deals == prod(comb(52 - 2 * player, 2) for player in range(4))


def test_trump_deals_count_for_each_trump_suit() -> None:
    every = prod(comb(52 - player, 1) for player in range(4))
    without = prod(comb(39 - player, 1) for player in range(4))
    assert mine("only-card", 4, trumps=True).count().of_deals == 4 * (every - without)


def test_filters_divide_the_endings() -> None:
    whole = mine("only-card", 8).count().total
    assert whole == sum(
        mine("only-card", 8, trumps=trumps).count().total for trumps in (True, False)
    )
    assert whole == sum(mine("only-card", 8, tricks=tricks).count().total for tricks in range(3))
    assert whole == sum(
        mine("only-card", 8, lengths=lengths).count().total for lengths in ([2], [1, 1])
    )
    assert mine("only-card", 8, least_cost=2).count().endings == {2: 1186}
    assert (
        mine("only-card", 12, least_choices=3).count().total < mine("only-card", 12).count().total
    )


@pytest.mark.parametrize("kind", [Property.ONLY_CARD, Property.LOW_BEATS_HIGH])
def test_filters_of_choices_and_tricks_mean_what_they_say(kind: Property) -> None:
    filtered = mine(kind, 12, least_choices=3, most_holding=1, tricks=2)
    for ending in filtered.sample(10, seed=2):
        held = ending.deal[ending.leader]
        assert len(held) == 3
        assert sum(value.cost == 0 for value in ending.cards) == 1
        assert ending.tricks == 2


@pytest.mark.parametrize("kind", Property)
def test_tricks_divide_the_endings_of_every_property(kind: Property) -> None:
    cards = 12 if kind is Property.UNBLOCK else 8  # 8 cards have none of those
    whole = mine(kind, cards).count().total
    assert whole == sum(mine(kind, cards, tricks=tricks).count().total for tricks in range(4))


def test_the_sharpest_has_most_at_stake_and_fewest_cards_that_hold() -> None:
    found = mine("low-beats-high", 12)
    (sharpest,) = found.sharpest(1)
    assert sharpest.cost == max(found.count().endings) == 2
    plain = Ending.from_deal(sharpest.deal, sharpest.strain, sharpest.leader)
    values = list(lead_values(plain).values())
    assert values.count(max(values)) == 1


def test_nothing_found_is_no_error() -> None:
    found = mine("unblock", 8)
    assert found.count().total == 0
    assert found.sharpest() == found.sample(3, seed=0) == list(found) == []


@pytest.mark.parametrize("kind", Property)
@pytest.mark.parametrize("strain", [Strain.NOTRUMP, Strain.HEARTS])
def test_a_set_is_mined_like_each_of_its_deals(kind: Property, strain: Strain) -> None:
    deals = DealSet.from_text("SAQ=N SK=EW S7654=x S3=S H2=N HA=E H43=SW")
    found = mine(kind, deals, strain=strain, leader=Seat.SOUTH)
    solver = Solver(limit_mb=8, endings=None)
    expected = {}
    for deal in all_deals(deals):
        ending = MinedEnding.of_deal(kind, deal, strain, Seat.SOUTH, solver=solver)
        if ending is not None:
            expected[deal] = ending.cost
    assert {ending.deal: ending.cost for ending in found} == expected
    assert found.count().endings == Counter(expected.values())
    assert found.count().of_endings == len(all_deals(deals))


def all_deals(deals: DealSet) -> list[Deal]:
    """Every deal of a set."""
    parts = [deals]
    for card, seats in deals.holders.items():
        if len(seats) > 1:
            parts = [part.with_holder(card, [seat]) for part in parts for seat in seats]
    found = []
    for part in parts:
        cards = {
            seat: [card for card, seats in part.holders.items() if seat in seats] for seat in Seat
        }
        if {len(held) for held in cards.values()} == {deals.tricks}:
            text = " ".join(
                ".".join(
                    "".join(c.rank.letter for c in sorted(cards[seat], reverse=True) if c.suit == s)
                    for s in reversed(Suit)
                )
                for seat in Seat
            )
            found.append(Deal.from_pbn(f"N:{text}"))
    return found


def test_an_estimate_is_near_the_count() -> None:
    estimate = mine("low-beats-high", 12).estimate(2000, seed=3)
    exact = mine("low-beats-high", 12).count().total
    assert abs(estimate.endings - exact) < 4 * estimate.stderr
    assert estimate.stderr < exact / 10


def test_the_number_of_threads_changes_nothing() -> None:
    one, three = (mine("only-low", 12, threads=threads) for threads in (1, 3))
    assert one.count() == three.count()
    assert list(islice(one, 20)) == list(islice(three, 20))


def test_a_mined_ending_says_what_there_is_to_see() -> None:
    ending = MinedEnding.of_deal(Property.ONLY_CARD, ENDING, Strain.NOTRUMP, Seat.SOUTH)
    assert ending is not None
    assert ending.reason == "only ♥3 takes 2 of 3 tricks, every other card loses 1"
    assert ending.line.is_over
    assert MinedEnding.of_deal(Property.UNBLOCK, ENDING, Strain.NOTRUMP, Seat.SOUTH) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("only-trick", 8), "not a property: 'only-trick'"),
        (("only-card", 10), "not a number of cards: 10"),
        (("only-card", 24), "not a number of cards: 24"),
    ],
)
def test_bad_questions_are_quoted(arguments: tuple[str, int], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        mine(*arguments)


def test_filters_that_make_no_sense_are_refused() -> None:
    deals = DealSet.of_deal(ENDING)
    with pytest.raises(InvalidInput, match="without strain or leader"):
        mine("only-card", deals)
    with pytest.raises(InvalidInput, match="beside a set"):
        mine("only-card", deals, strain=Strain.NOTRUMP, leader=Seat.SOUTH, trumps=True)
    with pytest.raises(InvalidInput, match="without a set"):
        mine("only-card", 8, leader=Seat.SOUTH)
    with pytest.raises(InvalidInput, match=r"not the lengths of a hand: \(2, 1\)"):
        mine("only-card", 8, lengths=(2, 1))
    with pytest.raises(InvalidInput, match="not a number of tricks at stake: 0"):
        mine("only-card", 8, least_cost=0)


def test_an_error_told_by_progress_stops_the_work() -> None:
    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mine("lead-costs", 16, progress=stop).count()


@pytest.fixture(scope="module")
def mines_of_16_cards() -> dict[Property, Mine]:
    return {kind: mine(kind, 16) for kind in Property}


@pytest.mark.slow
def test_200_random_endings_of_16_cards_are_confirmed_by_the_plain_solver(
    mines_of_16_cards: dict[Property, Mine],
) -> None:
    solver = Solver(limit_mb=16, endings=None)
    for kind, found in mines_of_16_cards.items():
        assert found.count().of_endings == count_states(4).total
        sample = found.sample(40, seed=16)
        assert len(sample) == 40
        for ending in sample:
            again = MinedEnding.of_deal(
                kind, ending.deal, ending.strain, ending.leader, solver=solver
            )
            assert again is not None
            assert again.cost == ending.cost >= 1
