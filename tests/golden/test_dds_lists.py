"""Tables, card values and traces of the DDS test lists reproduced."""

from __future__ import annotations

from functools import cache

import pytest

from setrograde.bridge import Card, Play
from setrograde.formats.dds_list import DdsRecord, parse_dds_records
from setrograde.solve.double_dummy import Solver, solve_cards, solve_tables, trace_play
from support import shared_data

LISTS = [
    ("dds_list10.txt", 10),
    pytest.param("dds_list100.txt", 100, marks=pytest.mark.slow),
]


@cache
def records(name: str) -> tuple[DdsRecord, ...]:
    return parse_dds_records(shared_data("dd", name).read_bytes(), path=name)


def touching_runs(record: DdsRecord) -> set[tuple[Card, ...]]:
    """The leader's cards of a full deal, touching ones together, high to low."""
    runs: list[list[Card]] = []
    for card in record.deal[record.leader]:
        last = runs[-1][-1] if runs else None
        if last is not None and last.suit == card.suit and last.rank == card.rank + 1:
            runs[-1].append(card)
        else:
            runs.append([card])
    return {tuple(run) for run in runs}


@pytest.mark.parametrize(("name", "count"), LISTS)
def test_every_table_of_the_list_is_reproduced(name: str, count: int) -> None:
    tables = solve_tables([record.deal for record in records(name)])
    assert len(tables) == count
    for record, table in zip(records(name), tables, strict=True):
        assert table == record.table, record.deal


@pytest.mark.parametrize(("name", "count"), LISTS)
def test_every_card_on_lead_is_worth_what_the_list_says(name: str, count: int) -> None:
    compared = 0
    for record in records(name):
        listed = {card: future.tricks for future in record.futures for card in future.cards}
        values = solve_cards(record.deal, record.strain, record.leader)
        assert {value.card: value.tricks for value in values} == listed, record.deal
        assert {future.cards for future in record.futures} == touching_runs(record), record.deal
        compared += len(values)
    assert compared == 13 * count


@pytest.mark.parametrize(("name", "count"), LISTS)
def test_every_trace_of_the_list_is_reproduced(name: str, count: int) -> None:
    compared = 0
    for record in records(name):
        play = Play(record.deal, record.strain, record.leader, record.play)
        trace = trace_play(play)
        # The list stops a full trace at the last trick, where nothing is left to decide.
        expected_length = 49 if len(record.play) == 52 else len(record.play) + 1
        assert len(record.trace) == expected_length, record.deal
        assert trace[:expected_length] == record.trace, record.deal
        assert set(trace[expected_length:]) <= {record.trace[-1]}, record.deal
        compared += 1
    assert compared == count


def test_one_solver_kept_for_a_whole_list_gives_the_same_answers() -> None:
    solver = Solver(limit_mb=16)
    for record in records("dds_list10.txt"):
        listed = {card: future.tricks for future in record.futures for card in future.cards}
        values = solver.cards(record.deal, record.strain, record.leader)
        assert {value.card: value.tricks for value in values} == listed, record.deal
        assert solver.table(record.deal) == record.table, record.deal
        play = Play(record.deal, record.strain, record.leader, record.play)
        assert solver.trace(play)[: len(record.trace)] == record.trace, record.deal
