"""The benchmark of odds and its pairs of hands."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from setrograde.bridge import Seat, Strain

Load = Callable[[str], ModuleType]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Imports a module of the bench folder."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[3]))
    yield lambda name: importlib.import_module(f"bench.{name}")
    for name in [name for name in sys.modules if name == "bench" or name.startswith("bench.")]:
        monkeypatch.delitem(sys.modules, name)


def test_pairs_are_of_all_kinds_and_half_of_them_notrump(load: Load) -> None:
    pairs = load("corpora.hand_pairs").read_hand_pairs()
    assert len({str(pair) for pair in pairs}) == 40
    strains = [pair.question.strain is Strain.NOTRUMP for pair in pairs]
    assert sum(strains) == 20
    kinds = Counter(pair.kind for pair in pairs)
    assert kinds == {"part-score": 14, "game": 14, "slam": 12}
    assert all(pair.question.layouts.count() == 10_400_600 for pair in pairs)


def test_kept_pairs_are_those_of_the_seed(load: Load) -> None:
    pairs = load("corpora.hand_pairs")
    kept = pairs.read_hand_pairs(4)
    assert str(pairs.hand_pair(3)) == str(kept[3])


def test_one_pair_is_measured_in_every_respect(
    load: Load, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("endplay")
    odds = load("odds")
    monkeypatch.setattr(odds, "LAYOUTS_ALONE", 1)
    monkeypatch.setattr(odds, "LIMIT_MB", 256)
    monkeypatch.setattr(odds, "read_hand_pairs", lambda count: [easy_pair(load)])
    result = odds.run(1)
    (row,) = result["rows"]
    assert row["exact"]
    assert row["answer"] == 6_636_188
    assert row["wall_s"] > 0
    assert row["lies_per_set"] > 100
    assert row["speed_up"] > 1
    assert "| seconds | " in odds.table(result)
    assert "probability" in capsys.readouterr().err


def test_check_finds_no_difference_in_an_easy_pair(load: Load) -> None:
    check = load("odds_check")
    pair = easy_pair(load)
    assert check.compare_methods(pair)["equal"]
    row = check.compare_layouts(pair, 50)
    assert (row["wrong"], row["equal"]) == (0, True)


def easy_pair(load: Load) -> object:
    """A pair that is settled in a second or two."""
    from setrograde.analysis.odds.question import OddsQuestion
    from setrograde.bridge import Hand

    hands = Hand.from_text("AKQ2.T98.A76.K54"), Hand.from_text("876.765.KQJ.QJT9")
    question = OddsQuestion.of(*hands, Strain.NOTRUMP, Seat.SOUTH)
    return load("corpora.hand_pairs").PairQuestion("part-score", question, 8)
