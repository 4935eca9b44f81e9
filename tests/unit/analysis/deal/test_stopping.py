"""Counting and drawing stop soon after their flag is set."""

from __future__ import annotations

from setrograde.analysis.deal import DealSampler, deal
from stopped_work import assert_stops

FOUR = {
    "N": "hcp 12+, shape 5-4-3-1",
    "E": "hcp 8+, hearts 3+, controls 2+",
    "S": "hcp 6-9, spades 3+",
    "W": "hcp 9-, controls 1+",
}


def test_counting_stops() -> None:
    assert_stops(lambda stop: DealSampler(constraints=FOUR, most_steps=1 << 40, stop=stop))


def test_drawing_stops() -> None:
    assert_stops(
        lambda stop: DealSampler(constraints={"N": "hcp 12+"}).draw(50_000_000, 1, stop=stop)
    )


def test_a_predicate_that_nothing_passes_stops() -> None:
    assert_stops(lambda stop: deal(where=lambda _: False, seed=1, stop=stop))
