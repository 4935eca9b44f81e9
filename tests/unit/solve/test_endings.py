"""The database of endings inside the search."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import pytest

from setrograde import _core
from setrograde.bridge import Deal, Hand, Play, Seat, Strain
from setrograde.db.database import DiagramLevel, level_path
from setrograde.db.methods.diagram_build import build_diagrams
from setrograde.db.methods.thresholds import build_thresholds
from setrograde.formats.dds_list import parse_dds_records
from setrograde.solve import Solver, solve_many, solve_tables
from setrograde.solve.endings import EndingTable, UnusableEndings, installed_endings
from support import random_deal, shared_data


@pytest.fixture(scope="module")
def three(endings: Path, tmp_path_factory: pytest.TempPathFactory) -> EndingTable:
    path = tmp_path_factory.mktemp("thresholds") / "three"
    return build_thresholds(DiagramLevel(level_path(3, endings)), path)


def random_play(tricks: int, rng: random.Random) -> Play:
    hands = [list(hand) for hand in random_deal(rng)]
    deal = Deal(tuple(Hand.from_cards(rng.sample(hand, tricks)) for hand in hands))
    return Play(deal, Strain(rng.randrange(5)), Seat(rng.randrange(4)))


def test_answers_are_the_same_with_and_without_a_database(three: EndingTable) -> None:
    rng = random.Random(5)
    plays = [random_play(rng.randint(1, 8), rng) for _ in range(150)]
    assert solve_many(plays, endings=three) == solve_many(plays, endings=None)
    deals = [random_deal(rng) for _ in range(2)]
    assert solve_tables(deals, endings=three) == solve_tables(deals, endings=None)


def test_a_solution_with_a_database_still_tells_a_true_set(three: EndingTable) -> None:
    rng = random.Random(6)
    solver, plain = Solver(endings=three), Solver(endings=None)
    for _ in range(40):
        play = random_play(rng.randint(4, 7), rng)
        solution = solver.solve(play.deal, play.strain, play.leader)
        for _ in range(5):
            member = redeal(play.deal, solution.mattered, rng)
            assert solution.covers(member)
            found = plain.solve(member, play.strain, play.leader)
            assert found.tricks_ns == solution.tricks_ns


def redeal(deal: Deal, fixed: Hand, rng: random.Random) -> Deal:
    """Another deal with the same lengths and the fixed cards where they are."""
    hands = [[card for card in hand if card in fixed] for hand in deal]
    for suit in range(4):
        free = [(seat, card) for seat in Seat for card in deal[seat] if card.suit == suit]
        free = [(seat, card) for seat, card in free if card not in fixed]
        owners = [seat for seat, _ in free]
        rng.shuffle(owners)
        for owner, (_, card) in zip(owners, free, strict=True):
            hands[owner].append(card)
    return Deal(tuple(Hand.from_cards(cards) for cards in hands))


def test_memory_stays_within_the_limit_with_a_database(three: EndingTable) -> None:
    solver = Solver(limit_mb=2, endings=three)
    solver.table(random_deal(random.Random(7)))
    assert solver.statistics()["table_bytes"] <= 2 << 20
    assert solver.statistics()["probes"] > 0


def test_installed_endings_are_found_and_the_largest_is_taken(
    endings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SETROGRADE_HOME", str(tmp_path))
    assert installed_endings() is None and Solver().endings is None
    other = tmp_path / "other"
    for tricks in (2, 3):
        path = level_path(tricks, other, method="thresholds")
        path.parent.mkdir(parents=True, exist_ok=True)
        build_thresholds(DiagramLevel(level_path(tricks, endings)), path)
    monkeypatch.setenv("SETROGRADE_HOME", str(other))
    found = Solver().endings
    assert found is not None and found.cards == 12
    assert Solver(endings=None).endings is None


@pytest.mark.parametrize("harm", ["foreign", "cut", "header", "diagrams"])
def test_a_database_that_cannot_be_used_is_named_once_and_left_out(
    harm: str, three: EndingTable, endings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = bytearray(three.path.read_bytes())
    if harm == "foreign":
        data = bytearray(b"something else" * 1000)
    elif harm == "cut":
        del data[-1000:]
    elif harm == "header":
        data[20] ^= 1
    else:
        data = bytearray(level_path(3, endings).read_bytes())
    path = level_path(3, tmp_path, method="thresholds")
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    with pytest.raises(UnusableEndings, match="12-cards"):
        EndingTable(path)
    monkeypatch.setenv("SETROGRADE_HOME", str(tmp_path))
    with pytest.warns(UserWarning, match="12-cards.thresholds.*solving without it"):
        assert Solver().endings is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Solver().endings is None


def test_damage_found_in_the_middle_of_a_search_is_got_over(
    three: EndingTable, tmp_path: Path
) -> None:
    data = bytearray(three.path.read_bytes())
    for place in range(4096, len(data) - 2000, 40_000):  # in every block
        data[place] ^= 64
    path = tmp_path / "damaged"
    path.write_bytes(data)
    deal = random_deal(random.Random(8))
    expected = Solver(endings=None).table(deal)
    solver = Solver(endings=EndingTable(path))
    with pytest.warns(UserWarning, match="damaged .*; solving without it"):
        assert solver.table(deal) == expected
    assert solver.endings is None
    with pytest.warns(UserWarning, match="solving without it"):
        assert solve_tables([deal], endings=EndingTable(path)) == (expected,)
    with pytest.raises(UnusableEndings, match="damaged"):
        EndingTable(path).check()


def test_every_answer_holds_for_members_of_its_set(three: EndingTable, endings: Path) -> None:
    values = _core.DiagramLevel(str(level_path(3, endings)))
    rng = random.Random(9)
    answers = 0
    for seed in range(6):
        hands = tuple(hand.bits for hand in random_deal(rng))
        found, members, wrong = _core.check_endings(
            hands, seed % 5, seed % 4, three._core, values, 10, seed
        )
        assert members == 10 * found and wrong == 0
        answers += found
    assert answers > 1000


@pytest.mark.slow
def test_16_card_endings_in_200_deals(tmp_path: Path) -> None:
    values, search = tmp_path / "values", tmp_path / "search"
    build_diagrams(4, values)
    endings = build_thresholds(DiagramLevel(values), search)
    core = _core.DiagramLevel(str(values))
    rng = random.Random(10)
    deals = [random_deal(rng) for _ in range(200)]
    answers = wrong = 0
    for number, deal in enumerate(deals):
        hands = tuple(hand.bits for hand in deal)
        found = _core.check_endings(hands, number % 5, number % 4, endings._core, core, 20, number)
        answers, wrong = answers + found[0], wrong + found[2]
    assert answers > 100_000 and wrong == 0
    assert solve_tables(deals[:60], endings=endings) == solve_tables(deals[:60], endings=None)
    plays = [random_play(rng.randint(2, 12), rng) for _ in range(4_740)]
    assert solve_many(plays, endings=endings) == solve_many(plays, endings=None)


@pytest.mark.slow
def test_the_tables_of_known_deals_come_out_with_16_card_endings(tmp_path: Path) -> None:
    data = shared_data("dd", "dds_list100.txt").read_bytes()
    values, search = tmp_path / "values", tmp_path / "search"
    build_diagrams(4, values)
    endings = build_thresholds(DiagramLevel(values), search)
    records = [record for record in parse_dds_records(data) if record.table is not None]
    assert records
    tables = solve_tables([record.deal for record in records], endings=endings)
    assert list(tables) == [record.table for record in records]
