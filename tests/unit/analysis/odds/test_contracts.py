"""Contracts compared over the same layouts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from setrograde.analysis.odds.contracts import compare_contracts, expected_score, odds_table
from setrograde.analysis.odds.exact import solve_odds
from setrograde.analysis.odds.question import OddsQuestion
from setrograde.analysis.odds.result import Mean
from setrograde.bridge import (
    Card,
    Contract,
    Hand,
    InvalidInput,
    Seat,
    Strain,
    Vulnerability,
    imps,
    score_board,
)
from setrograde.solve import solve_deal

FULL = Hand.from_text("AKQ2.T98.A76.K54"), Hand.from_text("876.765.KQJ.QJT9")


def ending() -> OddsQuestion:
    return OddsQuestion.of(
        Hand.from_text("AQT.A.."),
        Hand.from_text("432.2.."),
        Strain.NOTRUMP,
        Seat.SOUTH,
        hidden=Hand.from_text("KJ98.KQJT.."),
    )


def full() -> OddsQuestion:
    return OddsQuestion.of(*FULL, Strain.NOTRUMP, Seat.SOUTH)


def contracts(text: str) -> list[Contract]:
    return [Contract.from_text(word) for word in text.split()]


def test_table_of_an_ending_is_exact_and_agrees_with_single_questions() -> None:
    table = odds_table(ending(), declarers=list(Seat))
    assert len(table) == 20
    for (seat, strain), found in table.items():
        assert found.exact
        assert found.layouts == 70
        assert (found.question.declarer, found.question.strain) == (seat, strain)
    alone = solve_odds(ending())
    assert table[Seat.SOUTH, Strain.NOTRUMP].distribution == alone.distribution


def test_table_of_a_full_deal_is_a_labelled_estimate() -> None:
    table = odds_table(full(), strains=[Strain.NOTRUMP], samples=6, seed=4)
    for found in table.values():
        assert not found.exact
        assert found.layouts == 10_400_600
        assert found.sample is not None
        assert len(found.sample.tricks) == 6
        assert found.sample.seed == 4


def test_every_contract_is_judged_in_the_same_layouts() -> None:
    asked = contracts("1NTS 1SS 1SN")
    found = compare_contracts(ending(), asked)
    assert found.exact
    layouts = list(ending().layouts)
    assert found.layouts == len(layouts) == 70
    rows = []
    for contract in asked:
        row = []
        for layout in layouts:
            deal = ending().play_of(layout).deal
            tricks = solve_deal(deal, contract.strain, contract.leader).tricks_ns
            row.append(score_board(contract, tricks, Vulnerability.NONE))
        rows.append(row)
    for value, own in zip(found.values, rows, strict=True):
        assert value.points == Fraction(sum(own), 70)
        for other, theirs in enumerate(rows):
            pairs = list(zip(own, theirs, strict=True))
            assert value.imps[other] == Fraction(sum(imps(a - b) for a, b in pairs), 70)
            won = sum(2 if a > b else 1 if a == b else 0 for a, b in pairs)
            assert value.matchpoints[other] == Fraction(won, 140)


def test_gains_of_one_are_losses_of_the_other() -> None:
    first, second = compare_contracts(ending(), contracts("1NTS 1SN")).values
    assert first.imps[1] == -second.imps[0]
    assert first.matchpoints[1] + second.matchpoints[0] == 1


def test_a_sample_says_that_it_is_one_and_repeats() -> None:
    found = compare_contracts(full(), contracts("1NTS 2NTS"), samples=8, seed=5)
    assert not found.exact
    assert found.layouts == 8
    assert all(isinstance(value.points, Mean) for value in found.values)
    assert found == compare_contracts(full(), contracts("1NTS 2NTS"), samples=8, seed=5)


def test_vulnerability_matters() -> None:
    plain, vulnerable = (
        compare_contracts(ending(), contracts("1NTS"), vulnerability=each).values[0].points
        for each in (Vulnerability.EW, Vulnerability.NS)
    )
    assert float(vulnerable) < float(plain) < 0


def test_defenders_contracts_count_for_the_hands_seen() -> None:
    found = compare_contracts(ending(), contracts("1NTW Pass"))
    assert float(found.values[0].points) > 0
    assert found.best("points").contract == Contract.from_text("1NTW")


def test_expected_score_follows_from_the_distribution() -> None:
    odds = solve_odds(ending())
    contract = Contract.from_text("1NTS")
    compared = compare_contracts(ending(), [contract]).values[0].points
    assert expected_score(odds, contract, Vulnerability.NONE) == compared


def test_expected_score_of_another_contract_is_refused() -> None:
    with pytest.raises(InvalidInput, match="another contract: '1SS'"):
        expected_score(solve_odds(ending()), Contract.from_text("1SS"), Vulnerability.NONE)


def test_expected_score_without_a_distribution_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no distribution"):
        expected_score(solve_odds(ending(), need=2), Contract.from_text("1NTS"), Vulnerability.NONE)


def test_contracts_after_the_lead_are_refused() -> None:
    played = OddsQuestion.of(
        Hand.from_text("AQ..."),
        Hand.from_text("32..."),
        Strain.NOTRUMP,
        Seat.SOUTH,
        hidden=Hand.from_text("KJT9..."),
        played=[Card.from_text("SJ")],
    )
    with pytest.raises(InvalidInput, match="after the lead"):
        compare_contracts(played, contracts("1NTS"))
    with pytest.raises(InvalidInput, match="after the lead"):
        odds_table(played)
    with pytest.raises(InvalidInput, match="no contracts"):
        compare_contracts(ending(), [])
