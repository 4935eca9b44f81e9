"""Whole levels in figures."""

from __future__ import annotations

import json
from collections import Counter
from math import comb, factorial

import pytest

from setrograde.cli.main import main
from setrograde.common.stop import StopFlag, Stopped
from setrograde.db import SetLevel, StateLevel, count_states, iter_endings
from setrograde.db.histogram import level_histogram, set_sizes
from setrograde.errors import InvalidInput

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("tricks", [1, 2])
def test_unique_endings_are_those_of_enumeration(tricks: int) -> None:
    level = StateLevel(tricks)
    counted = Counter((ending.has_trumps, level.value(ending)) for ending in iter_endings(tricks))
    found = level_histogram(4 * tricks).endings
    for strain, has_trumps in (("notrump", False), ("trumps", True)):
        assert found[strain] == tuple(counted[has_trumps, n] for n in range(tricks + 1))


@pytest.mark.parametrize("tricks", [1, 2, 3])
def test_totals_are_those_of_counting(tricks: int) -> None:
    found = level_histogram(4 * tricks, threads=1)
    assert sum(map(sum, found.endings.values())) == count_states(tricks).total
    cards = 4 * tricks
    deals = comb(52, cards) * factorial(cards) // factorial(tricks) ** 4
    assert sum(found.deals["notrump"]) == deals
    with_trumps = comb(52, cards) - comb(39, cards)
    assert sum(found.deals["trumps"]) == 4 * with_trumps * deals // comb(52, cards)


def test_deals_of_four_cards_are_those_played_out() -> None:
    """The leader's partner or the leader wins, or else the others do; one suit after another."""
    found = level_histogram(4)
    # Notrump: the highest card of the leader's suit wins. By symmetry each of the k players who
    # follow suit wins as often, and the leader's side has the leader and perhaps his partner.
    wins = 0
    for following in range(8):  # East, South, West
        many = 1 + following.bit_count()
        ways = 4 * comb(13, many) * factorial(many) * factorial(39) // factorial(39 - (4 - many))
        wins += ways * (1 + (following >> 1 & 1)) // many
    assert found.deals["notrump"][1] == wins


def test_set_sizes_are_those_of_the_sets() -> None:
    level = SetLevel(2)
    sizes = sorted(len(entry.states) for entry in level)
    found = set_sizes(8, level=level)
    assert (found.sets, found.smallest, found.largest) == (len(sizes), sizes[0], sizes[-1])
    assert found.median == (sizes[len(sizes) // 2 - 1] + sizes[len(sizes) // 2]) / 2
    assert sum(found.by_size.values()) == found.sets
    assert found.by_size[16] == sum(16 <= size < 32 for size in sizes)
    assert found == set_sizes(8)


@pytest.mark.parametrize("cards", [0, 3, 24, -4])
def test_numbers_of_cards_out_of_range_are_named(cards: int) -> None:
    with pytest.raises(InvalidInput, match=f"not a number of cards: {cards} "):
        level_histogram(cards)
    with pytest.raises(InvalidInput, match=f"not a number of cards: {cards} "):
        set_sizes(cards)


def test_a_stop_ends_the_count() -> None:
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        level_histogram(12, stop=flag)
    with pytest.raises(Stopped):
        set_sizes(8, stop=flag)


def test_the_command_prints_tables_and_json(capsys: Capture) -> None:
    assert main(["db", "histogram", "--cards", "4"]) == 0
    assert capsys.readouterr().out == f"{level_histogram(4)}\n"
    assert main(["db", "histogram", "--cards", "4", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["strains"][0]["endings"] == [26, 47]
    assert main(["db", "histogram", "--cards", "8", "--sets"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "8 cards: 5,352 sets of 1 to 540 endings, median 9, mean 18.4"
    assert main(["db", "histogram", "--cards", "16", "--sets"]) == 2
    assert "not a number of cards: 16" in capsys.readouterr().err
