"""Distributions as bars."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from setrograde.analysis.odds.exact import odds
from setrograde.analysis.odds.plot import format_bars, odds_svg
from setrograde.analysis.odds.result import Odds, TrickSample
from setrograde.bridge import Hand, Seat, Strain


def example() -> Odds:
    return odds(
        Hand.from_text("AQT.AK..2"),
        Hand.from_text("432.32..3"),
        Strain.NOTRUMP,
        Seat.SOUTH,
        hidden=Hand.from_text("KJ98.QJT9..AKQJ"),
    )


def test_bars_are_as_long_as_chances_are_large() -> None:
    lines = format_bars(example(), width=40, ascii=True).splitlines()
    assert [line.split()[0] for line in lines] == ["2", "3", "4"]
    assert [line.count("#") for line in lines] == [2, 40, 8]
    assert lines[1].split()[1] == "79.98"


def test_picture_is_well_formed_and_says_that_it_is_exact() -> None:
    picture = odds_svg(example(), title="4 < 5")
    ElementTree.fromstring(picture)
    assert "exact" in picture
    assert "4 &lt; 5" in picture


def test_picture_of_a_sample_says_that_it_is_an_estimate() -> None:
    found = example()
    sampled = Odds(found.question, None, found.layouts, {}, TrickSample((3, 3, 4), seed=1))
    assert "estimated" in odds_svg(sampled)
    assert odds_svg(sampled).count("<rect") == 2


def test_nothing_known_is_an_empty_plot() -> None:
    found = example()
    empty = Odds(found.question, None, found.layouts, {})
    assert format_bars(empty) == ""
    ElementTree.fromstring(odds_svg(empty))


def test_picture_says_that_everyone_sees_all_cards() -> None:
    assert "If everyone sees all cards (double dummy)" in odds_svg(example())
