"""A chance is written in one way, wherever it is shown."""

from __future__ import annotations

from fractions import Fraction

import pytest

from setrograde.analysis.odds.chances import format_chance, format_chances, format_percent
from setrograde.analysis.odds.contracts import OddsTable
from setrograde.analysis.odds.plot import format_bars, odds_svg
from setrograde.analysis.odds.question import OddsQuestion
from setrograde.analysis.odds.result import Estimate, Odds, Settled, wilson_interval
from setrograde.analysis.odds.settled_sets import LayoutCount
from setrograde.analysis.odds.text import format_odds, format_table
from setrograde.analysis.odds.words import Case
from setrograde.bridge import Hand, Seat, Strain
from setrograde.cli.odds.live import format_update

ALL = 10_400_600


def full(*, need: int | None, settled: dict[int, int]) -> Odds:
    """All layouts of a full deal, settled: for each number of tricks, how many layouts make it."""
    question = OddsQuestion.of(
        Hand.from_text("AKQ2.T98.A76.K54"),
        Hand.from_text("876.765.KQJ.QJT9"),
        Strain.NOTRUMP,
        Seat.SOUTH,
    )
    counts = {n: Settled(n, makes, ALL - makes, 0) for n, makes in settled.items()}
    return Odds(question, need, ALL, counts)


def nearly_sure() -> Odds:
    """Nine tricks in all layouts but one, ten in one only."""
    makes = dict.fromkeys(range(1, 9), ALL) | {9: ALL - 1, 10: 1}
    return full(need=None, settled=makes | dict.fromkeys(range(11, 14), 0))


@pytest.mark.parametrize("share", [Fraction(ALL - 1, ALL), (ALL - 1) / ALL, 0.99996])
def test_what_is_not_certain_is_never_shown_as_certain(share: float | Fraction) -> None:
    assert format_chance(share) == "> 99.99 %"
    assert format_chance(share, places=0) == "> 99 %"
    assert format_chance(1 - share) == "< 0.01 %"


def test_what_is_certain_or_impossible_is_shown_so() -> None:
    assert format_chance(1) == format_chance(1.0) == format_chance(Fraction(1)) == "100.00 %"
    assert format_chance(0) == format_chance(Fraction(0)) == "0.00 %"
    assert format_chances(0, 1, places=1) == "0.0 to 100.0 %"


def test_other_chances_are_rounded_as_usual() -> None:
    assert format_percent(0.99994) == "99.99"
    assert format_percent(0.00006) == "0.01"


def test_every_place_that_shows_a_chance_agrees() -> None:
    """The same chance in the answer, in the cases, in the live view, in bars and pictures."""
    found = full(need=9, settled={9: ALL - 1})
    assert "9 or more tricks: > 99.99 %, exact" in format_odds(found)
    assert format_update(found) == "exact > 99.99 %"
    assert "> 99.99 %" in str(Case((), LayoutCount(ALL, ALL - 1), 1.0))
    whole = nearly_sure()
    assert "> 99.99 %" in format_bars(whole)
    assert "100.0" not in format_bars(whole)
    assert ">&gt; 99.9</text>" in odds_svg(whole)
    row = format_table(OddsTable({(Seat.SOUTH, Strain.NOTRUMP): whole})).splitlines()[-1]
    assert row.split("  ", 2)[2].split() == [
        *("9.000", "100.0", "100.0", ">", "99.9", "<", "0.1", "0.0", "0.0", "0.0"),
    ]


def test_bounds_and_estimates_are_not_rounded_to_certainty() -> None:
    open_yet = full(need=9, settled={})
    counts = {9: Settled(9, makes=1, fails=1, open=ALL - 2)}
    bounded = Odds(open_yet.question, 9, ALL, counts)
    assert "proved < 0.01 to > 99.99 %" in format_odds(bounded)
    assert format_update(bounded) == "proved < 0.1 to > 99.9 %"
    whole = Odds(open_yet.question, None, ALL, nearly_sure().settled | {9: counts[9]})
    assert "100 % of" not in format_update(whole)
    assert str(Estimate(0.9999, 0.99, 1.0, 10_000, 1)).startswith("about > 99.9 % (95 %: 99.0 to")


def test_interval_of_a_sample_without_exception_ends_at_certainty() -> None:
    """By its formula; rounding errors must not make it look like a little less."""
    for trials in range(1, 500):
        assert wilson_interval(trials, trials)[1] == 1.0
        assert wilson_interval(0, trials)[0] == 0.0
