"""Opening leads."""

from __future__ import annotations

from itertools import combinations

import pytest

from setrograde.analysis.odds.leads import lead_odds
from setrograde.analysis.odds.result import Mean
from setrograde.bridge import Card, Contract, Deal, Hand, InvalidInput
from setrograde.solve import solve_cards

LEADER = Hand.from_text("KJ83.94.QT62.875")
GAME = Contract.from_text("3NTS")


def test_with_few_layouts_every_lead_is_exact() -> None:
    hand, dummy = Hand.from_text("KJ.2.."), Hand.from_text("AQ.A..")
    hidden = Hand.from_text("T98.543..")
    contract = Contract.from_text("1NTS")
    found = lead_odds(hand, contract, dummy=dummy, hidden=hidden, need=2)
    assert found.exact
    assert found.layouts == 20
    totals = dict.fromkeys(hand, 0)
    beaten = dict.fromkeys(hand, 0)
    for held in combinations(hidden, 3):
        south = Hand.from_cards(held)
        deal = Deal((dummy, hidden - south, south, hand))
        for value in solve_cards(deal, contract.strain, contract.leader):
            totals[value.card] += value.tricks
            beaten[value.card] += 3 - value.tricks < 2
    for lead in found.leads:
        assert float(lead.tricks) == totals[lead.card] / 20
        assert float(lead.beats) == beaten[lead.card] / 20


def test_three_hidden_hands_are_listed_too() -> None:
    found = lead_odds(
        Hand.from_text("A2..."), Contract.from_text("1NTS"), hidden=Hand.from_text("KQJT98...")
    )
    assert found.exact
    assert found.layouts == 90
    assert found.leads[0].card == Card.from_text("SA")


def test_a_sample_has_standard_errors_and_repeats() -> None:
    found = lead_odds(LEADER, GAME, samples=5, seed=2)
    assert not found.exact
    assert found.layouts == 5
    assert found.acceptance == 1
    assert len(found.leads) == 13
    assert all(isinstance(lead.tricks, Mean) for lead in found.leads)
    assert found == lead_odds(LEADER, GAME, samples=5, seed=2, threads=1)


def test_a_small_sample_never_claims_to_be_certain() -> None:
    found = lead_odds("AKQJT98.A.AKQ.A2", "3NTS", samples=6)
    best = found.leads[0].beats
    assert isinstance(best, Mean)
    assert best.value == 1
    assert best.standard_error is not None and best.standard_error > 0.1


def test_constraints_limit_the_sample() -> None:
    found = lead_odds(LEADER, GAME, samples=4, about="S: hcp 15-17, balanced; N: hcp 8+, has SA")
    assert found.acceptance is not None
    assert 0 < found.acceptance < 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"about": "S: hcp 30+"}, "no deal found with 'S: hcp 30+'"),
        ({"about": "S: has SA; N: has SA"}, "no deal found"),
        ({"about": "W: hcp 20+"}, "West has 'KJ83.94.QT62.875', not hcp 20+"),
        ({"dummy": Hand.from_text("AQ...")}, "North has 2 cards: 'AQ...' (expected 13)"),
        ({"dummy": LEADER}, "card twice"),
        ({"hidden": Hand.from_text("AQ...")}, "2 cards hidden: 'AQ...' (expected 39"),
    ],
)
def test_what_cannot_be_is_refused(
    options: dict[str, object], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("setrograde.analysis.odds.leads._MOST_TRIES", 200)
    with pytest.raises(InvalidInput) as caught:
        lead_odds(LEADER, GAME, samples=2, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_no_lead_against_a_passed_out_board() -> None:
    with pytest.raises(InvalidInput, match="passed out"):
        lead_odds(LEADER, Contract.PASSED_OUT)
