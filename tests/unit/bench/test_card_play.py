"""The benchmarks of card play: positions, vectors, cards, and whole games."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType

import pytest

from setrograde import _core
from setrograde.bridge import Hand, Seat, Side, Suit
from setrograde.cli.bench import bench_folder
from setrograde.common.stop import StopFlag, Stopped
from setrograde.errors import InvalidInput
from setrograde.solve import Solver

Load = Callable[[str], ModuleType]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Imports a module of the bench folder."""
    monkeypatch.syspath_prepend(str(bench_folder().parent))
    yield lambda name: importlib.import_module(f"bench.{name}")
    for name in [name for name in sys.modules if name == "bench" or name.startswith("bench.")]:
        monkeypatch.delitem(sys.modules, name)


# --- positions ---


def test_deals_are_for_notrump_and_the_same_every_time(load: Load) -> None:
    corpus = load("corpora.notrump_play")
    deals = list(islice(corpus.notrump_deals(seed=3), 3))
    assert deals == list(islice(corpus.notrump_deals(seed=3), 3))
    for deal in deals:
        north, south = deal[Seat.NORTH], deal[Seat.SOUTH]
        assert 23 <= north.hcp + south.hcp <= 27
        assert all(min(north.length(suit), south.length(suit)) >= 2 for suit in Suit)


def test_positions_have_the_tricks_left_and_declarer_on_turn(load: Load) -> None:
    corpus = load("corpora.notrump_play")
    (play,) = corpus.positions(1, tricks=7, solver=Solver())
    assert len(play.remaining[Seat.NORTH]) <= 7 and len(play.cards) >= 24
    assert play.turn.side is Side.NS


def test_layouts_differ_and_fit_what_was_shown(load: Load) -> None:
    corpus = load("corpora.notrump_play")
    (play,) = corpus.positions(1, tricks=7, seed=2, solver=Solver())
    east, west = play.remaining[Seat.EAST], play.remaining[Seat.WEST]
    layouts = corpus.draw_layouts(play, 30, seed=1)
    assert len(set(layouts)) == len(layouts) <= 30
    for layout in layouts:
        assert len(Hand(layout)) == len(east)
        assert not layout & ~(east | west).bits
    shown = [
        (trick.leader.next_by(step), trick.cards[0].suit)
        for trick in play.tricks()
        for step, card in enumerate(trick.cards)
        if card.suit is not trick.cards[0].suit
    ]
    for seat, suit in shown:
        if seat is Seat.EAST:
            assert all(Hand(layout).length(suit) == 0 for layout in layouts)


# --- vectors and cards ---


def test_vectors_agree_with_the_peer(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("endplay")
    bench = load("outcome_vectors")
    monkeypatch.setattr(bench, "TRICKS", (9, 7))
    result = bench.run(count=1, peer_worlds=8)
    assert result["mismatches"] == 0
    assert result["by_tricks"]["9"]["ours"] > 0 and result["ratio"] > 0
    assert "| 7 |" in bench.table(result)
    assert bench.run(count=1, peer_worlds=8)["signature"] == result["signature"]


def test_cards_and_endings_are_measured(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("endplay")
    bench = load("strategy_search")
    monkeypatch.setattr(bench, "CARD_TRICKS", (7,))
    monkeypatch.setattr(bench, "ENDING_TRICKS", (4,))
    result = bench.run(count=1)
    assert result["cards"]["7"]["limited"] == 0
    assert result["endings"]["4"]["exact_within_limit"] == 1
    assert "ms, median" in bench.table(result)


def test_a_search_over_the_limit_has_no_answer(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("endplay")
    bench = load("strategy_search")
    monkeypatch.setattr(bench, "LIMIT_S", 0.1)

    def endless(*, stop: StopFlag) -> None:
        while not stop.is_set:
            sum(range(10_000))
        raise Stopped

    assert bench._within_limit(endless) is None


# --- games ---


@pytest.fixture
def quick(load: Load, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    pytest.importorskip("endplay")
    bench = load("card_play")
    plain = bench.Declarer(worlds=4, depth=1, has_labels=False, keeps_plan=False, class_limit=0)
    planned = bench.Declarer(worlds=4, depth=2, class_limit=16)
    monkeypatch.setattr(bench, "DECLARERS", {"monte_carlo": plain, "strategy": planned})
    return bench


@pytest.mark.parametrize("defence", ["perfect", "erring", "monte_carlo"])
def test_games_are_played_and_a_second_run_goes_on(
    quick: ModuleType, defence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "games.jsonl"
    first = quick.run(count=1, layouts=1, defence=defence, log=log)
    assert first["games"] == 1 and first["deals"] == 1
    again = quick.run(count=1, layouts=1, defence=defence, log=log)
    assert again["signature"] == first["signature"]
    assert len(log.read_text().splitlines()) == 1
    assert capsys.readouterr().err == "1 deals, 1 games\n"
    assert "strategy" in quick.table(first)


def test_errors_are_clustered_by_deal(quick: ModuleType) -> None:
    def game(deal: int, layout: int, ours: bool, theirs: bool) -> object:
        made = {"strategy": ours, "monte_carlo": theirs}
        none = dict.fromkeys(made, 0)
        return quick.Game(deal, layout, made, none, none, none)

    games = [game(0, 0, True, False), game(0, 1, True, False), game(1, 0, True, True)]
    games.append(game(1, 1, False, False))
    pair = quick._compare(games, "strategy", "monte_carlo")
    assert pair == {
        "points": 50.0,
        "standard_error": 35.36,  # the root of 1 + 1, over 4
        "only_this_made": 2,
        "only_other_made": 0,
    }


def test_unknown_defence_is_quoted(quick: ModuleType) -> None:
    with pytest.raises(InvalidInput, match="'asleep'"):
        quick.run(count=1, defence="asleep")


# --- the core behind it ---


def deal_of(seed: int) -> list[int]:
    cards = list(range(52))
    random.Random(seed).shuffle(cards)
    hands = [0] * 4
    for index, card in enumerate(cards):
        hands[index % 4] |= 1 << (16 * (card // 13) + card % 13)
    return hands


STYLE = {
    "worlds": 2,
    "depth": 1,
    "has_labels": False,
    "keeps_plan": False,
    "class_limit": 0,
    "double_dummy_share": 0.0,
    "work_limit": 1000,
}


def test_nonsense_is_refused() -> None:
    trials = _core.ContractTrials(16 << 20)
    hands = deal_of(1)
    any_hands = (0, 40, 0, 13)
    with pytest.raises(ValueError, match="13 cards"):
        trials.play([0, *hands[1:]], 4, 9, 0, 0.0, 1, any_hands, 1, **STYLE)
    with pytest.raises(ValueError, match="the pack"):
        trials.play([hands[1], *hands[1:]], 4, 9, 0, 0.0, 1, any_hands, 1, **STYLE)
    with pytest.raises(ValueError, match="out of range"):
        trials.play(hands, 5, 9, 0, 0.0, 1, any_hands, 1, **STYLE)
    with pytest.raises(ValueError, match="out of range"):
        trials.play(hands, 4, 9, 0, 0.0, 1, any_hands, 1, **(STYLE | {"depth": 0}))


def test_games_can_be_stopped() -> None:
    trials, stop = _core.ContractTrials(16 << 20), StopFlag()
    stop.set()
    with pytest.raises(Stopped):
        trials.play(deal_of(1), 4, 9, 0, 0.0, 1, (0, 40, 0, 13), 1, **STYLE, stop=stop)
    trials.reset()
