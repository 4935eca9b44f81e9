"""The words about odds: conditions that decide, with exact weights."""

from __future__ import annotations

import pytest

from setrograde.analysis.odds.exact import odds
from setrograde.analysis.odds.result import Odds
from setrograde.analysis.odds.words import explain_odds
from setrograde.bridge import Hand, InvalidInput, Seat, Strain


def finesse(**options: object) -> Odds:
    """Ace and queen opposite low cards, an ace beside them; rags in hearts."""
    return odds(
        Hand.from_text("AQ2..."),
        Hand.from_text("43.A.."),
        Strain.NOTRUMP,
        Seat.SOUTH,
        hidden=Hand.from_text("KJT.KQJ.."),
        **options,  # type: ignore[arg-type]
    )


def test_a_finesse_is_explained_by_the_king() -> None:
    hands = Hand.from_text("AQ..."), Hand.from_text("32...")
    hidden = Hand.from_text("KJT9...")
    found = odds(*hands, Strain.NOTRUMP, Seat.SOUTH, need=2, hidden=hidden)
    why = explain_odds(found)
    assert [factor.condition for factor in why.factors] == ["♠K with East"]
    assert (why.factors[0].with_it.makes, why.factors[0].without_it.makes) == (0, 3)
    assert not why.sure


def test_cases_exclude_each_other_and_are_all_layouts() -> None:
    for need in (2, 3):
        found = finesse(need=need)
        why = explain_odds(found)
        assert sum(case.count.layouts for case in why.cases) == found.layouts
        assert sum(case.count.makes for case in why.cases) == found.counts_at_least(need)[0]
        assert sum(case.share_of_layouts for case in why.cases) == pytest.approx(1)


def test_factors_are_counted_over_all_layouts() -> None:
    found = finesse(need=3)
    for factor in explain_odds(found).factors:
        assert factor.with_it.layouts + factor.without_it.layouts == found.layouts
        makes = factor.with_it.makes + factor.without_it.makes
        assert makes == found.counts_at_least(3)[0]


def test_sure_conditions_are_sure() -> None:
    found = odds(
        Hand.from_text("AQT.AK..2"),
        Hand.from_text("432.32..3"),
        Strain.NOTRUMP,
        Seat.SOUTH,
        need=4,
        hidden=Hand.from_text("KJ98.QJT9..AKQJ"),
    )
    why = explain_odds(found)
    assert why.sure
    for case in why.sure:
        assert case.count.makes in (0, case.count.layouts)
        assert case.count.layouts > 0
    assert "whenever" in str(why)


def test_points_known_are_respected_in_every_count() -> None:
    found = odds(
        Hand.from_text("AQT.AK..2"),
        Hand.from_text("432.32..3"),
        Strain.NOTRUMP,
        Seat.SOUTH,
        need=4,
        hidden=Hand.from_text("KJ98.QJT9..AKQJ"),
        west="hcp 8-11",
    )
    why = explain_odds(found)
    assert sum(case.count.layouts for case in why.cases) == found.layouts < 924
    assert sum(case.count.makes for case in why.cases) == found.counts_at_least(4)[0]


def test_a_sure_contract_needs_no_reasons() -> None:
    found = finesse(need=1)
    assert str(explain_odds(found)) == ""


def test_seats_have_their_own_names() -> None:
    """With East and West known, North and South are the hidden hands."""
    from setrograde.analysis.odds.exact import solve_odds
    from setrograde.analysis.odds.question import OddsQuestion

    question = OddsQuestion.of_seats(
        {Seat.EAST: Hand.from_text("AQ..."), Seat.WEST: Hand.from_text("32...")},
        Strain.NOTRUMP,
        Seat.WEST,
        hidden=Hand.from_text("KJT9..."),
    )
    why = explain_odds(solve_odds(question, need=2))
    assert str(why.cases[0]) == "50.00 % of layouts: 100.00 % if ♠K with North"


def test_what_is_not_settled_is_not_explained() -> None:
    found = finesse(need=3)
    with pytest.raises(InvalidInput, match="nothing to explain: 2 tricks"):
        explain_odds(Odds(found.question, 3, found.layouts, {}), need=2)
