"""Counts and draws against all deals, one by one."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from oracle.dealing import Hands, all_deals, unevenness
from setrograde.analysis.deal import (
    HCP,
    DealSampler,
    DealStream,
    HandCondition,
    Measure,
    MeasureBound,
    deal,
)
from setrograde.bridge import (
    Deal,
    Hand,
    HandConstraint,
    InvalidConstraint,
    InvalidDeal,
    InvalidInput,
    Seat,
    Suit,
)


def rows_of(sampler: DealSampler, count: int, seed: int) -> list[Hands]:
    return [(n, e, s, w) for n, e, s, w in sampler.draw(count, seed).tolist()]


def random_problem(
    number: int,
) -> tuple[dict[Seat, Hand], dict[Seat, HandConstraint], dict[Seat, Hand]]:
    """Two, three or four hands with few unseen cards, and conditions that one deal meets."""
    rng = random.Random(number)
    whole = Deal.random(seed=number)
    hidden = rng.sample(list(Seat), 2 + number % 3)
    unseen = {seat: {2: 4, 3: 3, 4: 2}[len(hidden)] for seat in hidden}
    if number % 7 == 0:
        unseen[hidden[0]] += 1
    known, constraints, denied = dict(zip(Seat, whole, strict=True)), {}, {}
    for seat, size in unseen.items():
        known[seat] = Hand.from_cards(rng.sample(list(whole[seat]), 13 - size))
        terms = [random_term(rng, whole[seat]) for _ in range(rng.randint(0, 3))]
        if rng.random() < 0.4:
            other = Deal.random(seed=number + 1)[seat]
            parts = [random_term(rng, whole[seat]), random_term(rng, other)]
            terms.append(HandConstraint.any_of(parts))
        constraints[seat] = HandConstraint.all_of(terms)
        if rng.random() < 0.3:
            strange = Hand.FULL - whole[seat]
            denied[seat] = Hand.from_cards(rng.sample(list(strange), 6))
    return known, constraints, denied


def random_term(rng: random.Random, hand: Hand) -> HandConstraint:
    suit = rng.choice(list(Suit))
    name = suit.name.lower()
    length = hand.length(suit)
    texts = [
        f"hcp {max(0, hand.hcp - rng.randint(0, 2))}-{min(37, hand.hcp + rng.randint(0, 2))}",
        f"hcp {hand.hcp}+",
        f"controls {hand.controls}",
        f"{name} {max(0, length - 1)}-{min(13, length + 1)}",
        f"{name} {length}+",
        f"shape {'-'.join(map(str, hand.shape))}",
        f"{(hand & Hand(0x1FFF << 16 * suit)).bits.bit_count()} {name} or hcp {hand.hcp}",
        "balanced or unbalanced, " + f"{name} {length}-",
        f"has {next(iter(hand))}",
        f"not {next(iter(Hand.FULL - hand))}",
        f"{min(3, (hand.bits >> (16 * suit + 10) & 7).bit_count())} of top 3 {name}",
    ]
    return HandConstraint.from_text(rng.choice(texts))


@pytest.mark.parametrize("number", range(60))
def test_counts_and_draws_agree_with_all_deals(number: int) -> None:
    known, constraints, denied = random_problem(number)
    possible = all_deals(known, constraints, denied)
    sampler = DealSampler(known, constraints, denied)
    assert possible
    assert sampler.exact_counts
    assert sampler.count() == len(possible)
    assert sampler.probability == Fraction(len(possible), len(all_deals(known)))
    assert abs(unevenness(rows_of(sampler, 20 * len(possible), number), possible)) < 5


SMALL = [number for number in range(60) if number % 7][:50]  # the others have more unseen cards


@pytest.mark.parametrize("number", SMALL)
def test_weighted_deals_agree_with_all_deals_by_weight(number: int) -> None:
    known, constraints, denied = random_problem(number)
    asked: dict[str, list[Hand | HandConstraint]] = {
        seat.name.lower(): [known[seat], constraints.get(seat, HandConstraint())] for seat in Seat
    }
    for seat, cards in denied.items():
        asked[seat.name.lower()].append(HandConstraint(denied=cards - known[seat]))
    possible = all_deals(known, constraints, denied)
    watched = next(iter(constraints))

    def weight(each: Deal) -> float:
        return (each[watched].bits % 5 + each[watched].hcp % 3) / 4

    weights = [weight(Deal(tuple(map(Hand, hands)))) for hands in possible]
    assert any(weights)
    found = deal(
        north=asked["north"],
        east=asked["east"],
        south=asked["south"],
        west=asked["west"],
        weight=weight,
        count=20 * len(possible),
        seed=number,
    )
    assert found.weights is not None
    # Deals kept as often as their weights say have the weighted distribution.
    rng = random.Random(number)
    kept = [
        (each[Seat.NORTH].bits, each[Seat.EAST].bits, each[Seat.SOUTH].bits, each[Seat.WEST].bits)
        for each, heavy in zip(found, found.weights, strict=True)
        if rng.random() * max(weights) < heavy
    ]
    assert abs(unevenness(kept, possible, weights)) < 5
    mean = sum(weights) / len(weights)
    squares = sum(each * each for each in weights) / len(weights)
    assert found.effective / len(found) == pytest.approx(mean * mean / squares, rel=0.4)


def test_a_seed_gives_the_same_deals_and_a_longer_list_begins_with_a_shorter() -> None:
    sampler = DealSampler(constraints={"N": "hcp 15-17, balanced"})
    many = sampler.draw(300, 7)
    assert np.array_equal(many[:20], sampler.draw(20, 7))
    assert not np.array_equal(many[:20], sampler.draw(20, 8))
    stream = DealStream(sampler, 7)
    assert np.array_equal(many, np.concatenate([stream.next(100), stream.next(200)]))


def test_rows_are_whole_deals_that_fit() -> None:
    constraint = HandConstraint.from_text("hcp 25+, balanced")
    sampler = DealSampler({"E": "AK..."}, {"N": constraint}, {"S": "...AKQJT98765432"})
    for each in sampler.draw_deals(200, 1):
        assert each.is_full
        assert constraint.allows(each["N"])
        assert each["E"].spades.startswith("AK")
        assert not each["S"].clubs


def test_two_hands_can_be_counted_together() -> None:
    known, _, _ = random_problem(2)
    possible = [
        hands
        for hands in all_deals(known)
        if Hand(hands[0] | hands[2]).hcp >= 18 and Hand(hands[1] | hands[3]).length("S") <= 7
    ]
    sampler = DealSampler(known, together={"NS": "hcp 18+", "EW": "spades 7-"})
    assert sampler.count() == len(possible) > 0
    assert abs(unevenness(rows_of(sampler, 20 * len(possible), 1), possible)) < 5


def test_any_number_by_suits_is_a_measure() -> None:
    losers = Measure.from_holdings("losers", lambda suit, ranks: losers_of(ranks))
    known, _, _ = random_problem(4)
    possible = [hands for hands in all_deals(known) if Hand(hands[1]).losers <= 7]
    condition = HandCondition((MeasureBound(losers, 0, 7),))
    assert DealSampler(known, {"E": condition}).count() == len(possible) > 0


def losers_of(ranks: str) -> int:
    return sum(rank not in ranks for rank in "AKQ"[: len(ranks)])


def test_conditions_too_many_to_count_are_checked_instead() -> None:
    known, constraints, denied = random_problem(5)
    possible = all_deals(known, constraints, denied)
    sampler = DealSampler(known, constraints, denied, most_steps=40)
    assert not sampler.exact_counts
    with pytest.raises(InvalidConstraint, match="too many cases"):
        sampler.count()
    assert abs(unevenness(rows_of(sampler, 20 * len(possible), 5), possible)) < 5
    found = sampler.estimate_probability(4000)
    truth = len(possible) / len(all_deals(known))
    assert abs(found.value - truth) < 5 * found.stderr


def test_known_hands_are_checked_against_their_constraints() -> None:
    whole = Hand("AKQJT98765432...")
    assert DealSampler({"N": whole}, {"N": "hcp 10"}).probability == 1
    assert not DealSampler({"N": whole}, {"N": "hcp 11"}).is_possible
    assert not DealSampler({"N": whole}, denied={"N": Hand("A...")}).is_possible
    assert not DealSampler({"N": whole}, {"S": "has SA"}).is_possible


def test_hands_without_conditions_have_the_number_of_all_deals() -> None:
    assert DealSampler().count() == 53644737765488792839237440000
    assert DealSampler(constraints={"N": "any", "W": "any"}).probability == 1


def test_published_numbers_of_hands() -> None:
    hands = 635_013_559_600
    for text, number in (
        ("hcp 0", 2_310_789_600),
        ("hcp 37", 4),
        ("hcp 10", 59_723_754_816),
        ("shape 4-3-3-3", 66_905_856_160),
        ("shape 13-0-0-0", 4),
    ):
        assert DealSampler(constraints={"S": text}).probability == Fraction(number, hands)


def test_bad_input_is_one_clear_line() -> None:
    with pytest.raises(InvalidDeal, match="card twice"):
        DealSampler({"N": "A...", "S": "A..."})
    with pytest.raises(InvalidDeal, match="North holds 14 cards"):
        DealSampler({"N": "AKQJT98765432.A.."})
    sampler = DealSampler(constraints={"N": "hcp 21+", "S": "hcp 20+"})
    with pytest.raises(InvalidConstraint, match="no deal fits"):
        sampler.draw(1, 1)
    with pytest.raises(InvalidInput, match="not a seed"):
        DealSampler().draw(1, -1)
    with pytest.raises(InvalidInput, match="not a number of deals"):
        DealSampler().draw(-1, 1)
    with pytest.raises(InvalidConstraint, match="several hands"):
        DealSampler(together={"NS": "balanced"})


def test_measures_refuse_numbers_that_do_not_fit() -> None:
    with pytest.raises(InvalidConstraint, match="expected"):
        Measure("small", np.zeros((4, 13), dtype=np.int16))
    aces = np.arange(1 << 13, dtype=np.int16) >> 12
    assert Measure.from_cards("aces", Hand("A.A.A.A")) == Measure("a", np.stack([aces] * 4))
    assert HCP.of("AKQJ...") == 10
