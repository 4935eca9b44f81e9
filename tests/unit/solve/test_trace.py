"""Traces of plays: tuples that print each card with its cost."""

from __future__ import annotations

import copy
import pickle

import pytest

import setrograde as sg
from setrograde.bridge import Card, Play, Seat
from setrograde.solve import PlayTrace, Solver, trace_play

PLAY = Play("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", "W", "H4 H2 HA H3 SK S4 S6 SA")


def test_a_trace_is_still_a_tuple() -> None:
    trace = trace_play(PLAY)
    assert isinstance(trace, PlayTrace)
    assert trace == tuple(trace) == Solver().trace(PLAY)
    assert hash(trace) == hash(tuple(trace))
    first, *rest = trace
    assert first == trace[0] and len(rest) == len(PLAY.cards)
    assert repr(trace) == repr(tuple(trace))


def test_each_card_is_printed_with_its_cost() -> None:
    trace = trace_play(PLAY)
    assert trace.declarer is Seat.SOUTH
    assert trace.costs[0] == 1
    assert trace.cards()[4] == (Seat.EAST, Card("SK"), trace.costs[4])
    lines = str(trace).splitlines()
    assert lines[0] == "Declarer (South) takes 1 of 3 tricks with perfect play."
    assert lines[1] == "trick  player  card  declarer  cost"
    assert lines[2] == "    1  West    H4           2     1"
    assert lines[6].startswith("    2  East    SK ")
    assert len(lines) == 2 + len(PLAY.cards)


def test_a_play_without_cards_has_one_value() -> None:
    trace = sg.trace_play(Play(PLAY.deal, "NT", "W"))
    assert trace == (1,) and trace.costs == () and trace.cards() == ()
    assert str(trace) == "Declarer (South) takes 1 of 3 tricks with perfect play."


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))]
)
def test_traces_can_be_copied(again) -> None:
    trace = trace_play(PLAY)
    assert again(trace) == trace
    assert str(again(trace)) == str(trace)
