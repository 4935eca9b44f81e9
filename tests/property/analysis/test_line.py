"""Laws of lines: the line attains its chance, and never more than double dummy."""

from __future__ import annotations

import time

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from setrograde.analysis.line import best_line
from setrograde.analysis.line.policy import Follower
from setrograde.bridge import Card, Hand
from setrograde.solve.strategy import Goal, StrategySearch

DECK = [card for card in Card.ALL if card.rank >= 7]


@st.composite
def endings(draw: st.DrawFn) -> tuple[Hand, Hand, Hand, str, str, int]:
    """Endings of two to four tricks with high cards only, so that guesses are frequent."""
    tricks = draw(st.integers(2, 4))
    cards = draw(st.permutations(DECK))[: 4 * tricks]
    north, south = Hand.from_cards(cards[:tricks]), Hand.from_cards(cards[tricks : 2 * tricks])
    hidden = Hand.from_cards(cards[2 * tricks :])
    strain, leader = draw(st.sampled_from(["NT", "S"])), draw(st.sampled_from("NESW"))
    return north, south, hidden, strain, leader, draw(st.integers(1, tricks))


@settings(max_examples=40, deadline=None)
@given(endings())
def test_line_attains_its_chance_against_every_defence(
    ending: tuple[Hand, Hand, Hand, str, str, int],
) -> None:
    north, south, hidden, strain, leader, need = ending
    found = best_line(north, south, strain, hidden=hidden, leader=leader, need=need, limit_mb=16)
    assert found.exact
    assert found.probability is not None and found.probability <= found.double_dummy
    worlds = found.question.worlds(4096, seed=0)
    follower = Follower(
        StrategySearch(limit_mb=16), Goal.make(need), worlds, True, True, time.monotonic() + 60
    )
    places = np.arange(len(worlds.cards))
    won = follower.attained(found.question.state, places, None)
    assert worlds.share(won) == found.probability
