"""The front of `setrograde.analysis.odds`: text for values, answers that print themselves."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

import setrograde.analysis.odds as front
from setrograde.analysis.odds import (
    Odds,
    OddsQuestion,
    Settled,
    TrickSample,
    compare_contracts,
    expected_score,
    lead_odds,
    odds,
    odds_table,
    solve_odds,
)
from setrograde.bridge import Card, Contract, Hand, InvalidInput, Seat, Strain, Vulnerability

FULL = "AKQ2.T98.A76.K54", "876.765.KQJ.QJT9"


def ending(**options: Any) -> Odds:
    return odds("AQ...", "32...", "NT", "S", hidden="KJT9...", **options)


def test_text_and_values_give_the_same_answer() -> None:
    by_text = ending(need=2, west="has SK", played="SJ")
    by_value = odds(
        Hand.from_text("AQ..."),
        Hand.from_text("32..."),
        Strain.NOTRUMP,
        Seat.SOUTH,
        need=2,
        hidden=Hand.from_text("KJT9..."),
        west="has SK",
        played=[Card.from_text("SJ")],
    )
    assert by_text.question == by_value.question
    assert by_text.probability == by_value.probability


@pytest.mark.parametrize(
    "options",
    [
        {"contract": "3NTS"},
        {"contract": "3NT", "declarer": "S"},
        {"contract": Contract.from_text("3NTS"), "strain": "NT"},
        {"contract": "3NTS", "need": 9},
        {"strain": "NT", "declarer": "south", "need": 9},
    ],
)
def test_a_contract_says_strain_declarer_and_need(options: dict[str, Any]) -> None:
    found = odds(*FULL, west="6+ hearts, hcp 5-10", **options)
    assert (found.question.strain, found.question.declarer, found.need) == (
        Strain.NOTRUMP,
        Seat.SOUTH,
        9,
    )
    assert found.probability == Fraction(18, 119)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "no contract (expected strain and declarer, or a contract)"),
        ({"strain": "NT"}, "no contract"),
        ({"contract": "3NT"}, "no declarer in '3NT'"),
        ({"contract": "Pass"}, "the board is passed out"),
        ({"contract": "3NTS", "strain": "S"}, "strain S beside the contract 3NTS"),
        ({"contract": "3NTS", "declarer": "N"}, "declarer N beside the contract 3NTS"),
        ({"contract": "3NTS", "need": 10}, "need 10 beside the contract 3NTS"),
        ({"contract": "9NTS"}, "not a contract: '9NTS'"),
        ({"strain": "X", "declarer": "S"}, "not a strain: 'X'"),
        ({"strain": "NT", "declarer": 7}, "not a seat: 7"),
        ({"contract": "3NTS", "west": "tall"}, "not a term: 'tall'"),
        ({"contract": "3NTS", "played": "S1"}, "not a card: 'S1'"),
        ({"contract": "3NTS", "method": "guess"}, "not a method: 'guess'"),
    ],
)
def test_contradictions_and_nonsense_are_refused_in_one_line(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        odds(*FULL, **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_questions_take_text_too() -> None:
    question = OddsQuestion.of_seats({"N": "AQ...", "S": "32..."}, "NT", "S", hidden="KJT9...")
    assert list(odds_table(question, strains=["NT"], declarers="NS")) == [
        (Seat.NORTH, Strain.NOTRUMP),
        (Seat.SOUTH, Strain.NOTRUMP),
    ]
    found = compare_contracts(question, ["1NTS", Contract.PASSED_OUT], vulnerability="all")
    assert found == compare_contracts(question, "1NTS, Pass", vulnerability=Vulnerability.BOTH)
    score = expected_score(solve_odds(question), "1NTS", "all")
    assert score == found.values[0].points


@pytest.mark.parametrize(
    "ask",
    [
        lambda: compare_contracts(ending().question, "1NTS", samples=0),
        lambda: odds_table(ending().question, exact=False, samples=0),
        lambda: lead_odds("KJ.2..", "1NTS", dummy="AQ.A..", hidden="T98.543..", samples=0),
        lambda: front.odds_stream(ending().question, samples=-1),
    ],
)
def test_too_few_samples_are_refused(ask: Any) -> None:
    with pytest.raises(InvalidInput, match="not a number of samples"):
        ask()


# --- how answers print ---


def test_an_exact_chance_prints_itself() -> None:
    assert str(ending(need=2)).splitlines() == [
        "If everyone sees all cards (double dummy): notrump by South, 6 layouts of the unseen"
        " cards",
        "",
        "2 or more tricks: 50.00 %, exact (3 of 6 layouts)",
    ]
    assert repr(ending(need=2)) == "<Odds: 2+ tricks in NT by S, 6 layouts, exact>"


def test_a_distribution_prints_its_average_and_bars() -> None:
    text = str(ending())
    assert "Tricks, exact; 1.5000 on average" in text
    assert " 2   50.00 %  ████" in text
    assert repr(ending()) == "<Odds: tricks in NT by S, 6 layouts, exact>"


def test_an_estimate_prints_its_interval_beside_what_is_proved() -> None:
    settled = {2: Settled(2, makes=1, fails=1, open=4)}
    found = Odds(ending().question, 2, 6, settled, TrickSample((2, 1, 2, 1), seed=1))
    assert "2 or more tricks: proved 16.67 to 83.33 %" in str(found)
    assert "estimated about 50.0 % (95 %: 16.7 to 83.3 %; 4 layouts sampled)" in str(found)
    assert repr(found) == "<Odds: 2+ tricks in NT by S, 6 layouts, not exact>"


def test_notebooks_show_a_picture_or_the_text() -> None:
    assert ending()._repr_html_().count("<rect") == 2
    assert "6 layouts" in ending()._repr_html_()
    assert "50.00 %, exact" in ending(need=2)._repr_html_()
    open_yet = Odds(ending().question, None, 6, {})
    assert open_yet._repr_html_().startswith("<pre>")


def test_tables_comparisons_and_leads_print_themselves() -> None:
    question = ending().question
    for found, words in (
        (odds_table(question), "NT by S     1.500"),
        (compare_contracts(question, "1NTS Pass"), "best at IMPs: Pass"),
        (lead_odds("KJ.2..", "1NTS", dummy="AQ.A..", hidden="T98.543.."), "♥2    100.0 %"),
    ):
        assert words in str(found)
        html: str = found._repr_html_()  # type: ignore[attr-defined]
        assert html.startswith("<pre>")
        assert words in html


def test_every_public_name_is_there_and_documented() -> None:
    assert sorted(front.__all__) == list(front.__all__)
    for name in front.__all__:
        assert hasattr(front, name)


def test_importing_odds_loads_nothing_slow() -> None:
    code = """
import sys
import setrograde.analysis.odds
slow = ("matplotlib", "rich", "pyarrow", "endplay", "zstandard", "setrograde.db")
print([name for name in slow if name in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
