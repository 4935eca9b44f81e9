"""Verification of levels: sound ones pass, spoilt ones are caught, and reports say what follows."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from setrograde import _core
from setrograde.bridge import Deal, InvalidInput, Play, Seat, Strain
from setrograde.common.stop import StopFlag
from setrograde.db.check.compare import (
    Hands,
    InvalidTable,
    Level,
    Numbers,
    verify_every_shape,
    verify_random_deals,
    verify_random_shapes,
    verify_share_of_shapes,
    verify_weighted_shapes,
)
from setrograde.db.check.report import Sample, Verification, error_bound
from setrograde.db.endings.shapes import Shape, iter_shapes, rank_shape
from setrograde.db.endings.states import Ending
from setrograde.db.methods.state_tables import ShapeSolver, StateLevel

Check = Callable[..., Verification]


@cache
def level(tricks: int) -> StateLevel:
    return StateLevel(tricks)


class Spoilt:
    """A level with every `one_in`th value wrong by a trick."""

    def __init__(self, truth: StateLevel | ShapeSolver, one_in: int) -> None:
        self.truth = truth
        self.tricks = truth.tricks
        self.one_in = one_in

    def values_of_shape(self, rank: int) -> bytes:
        table = bytearray(self.truth.values_of_shape(rank))
        for index in range(-rank % self.one_in, len(table), self.one_in):
            table[index] = abs(table[index] - 1)
        return bytes(table)

    def values(self, hands: Hands, strains: Numbers, leaders: Numbers) -> Numbers:
        assert isinstance(self.truth, StateLevel)
        values = self.truth.values(hands, strains, leaders)
        wrong = np.bitwise_xor.reduce(hands, axis=1) % np.uint64(1009) % self.one_in == 0
        return np.where(wrong, np.abs(values.astype(np.int8) - 1), values).astype(np.uint8)


class OneWrong(Spoilt):
    """A level with a single wrong value."""

    def __init__(self, truth: StateLevel, rank: int, index: int) -> None:
        super().__init__(truth, 1)
        self.place = rank, index

    def values_of_shape(self, rank: int) -> bytes:
        table = bytearray(self.truth.values_of_shape(rank))
        if rank == self.place[0]:
            table[self.place[1]] ^= 1
        return bytes(table)


class FromTables:
    """A level above three tricks whose values are those of the solver for shapes."""

    def __init__(self, tricks: int) -> None:
        self.tricks = tricks
        self.solver = ShapeSolver(tricks, level(3))

    def values_of_shape(self, rank: int) -> bytes:
        return self.solver.values_of_shape(rank)

    def values(self, hands: Hands, strains: Numbers, leaders: Numbers) -> Numbers:
        raise AssertionError("whole shapes need no single values")


CHECKS: dict[str, Check] = {
    "every shape": verify_every_shape,
    "share": partial(verify_share_of_shapes, share=0.05, seed=2),
    "weighted": partial(verify_weighted_shapes, count=20, seed=2),
    "deals": partial(verify_random_deals, count=1200, seed=2),
    "shapes": partial(verify_random_shapes, count=1200, seed=2),
}
DRAWING = [name for name in CHECKS if name != "every shape"]


# --- sound and spoilt levels ---


@pytest.mark.parametrize("tricks", [1, 2])
@pytest.mark.parametrize("name", CHECKS)
def test_a_sound_level_passes(name: str, tricks: int) -> None:
    report = CHECKS[name](level(tricks))
    assert report.is_ok
    assert report.is_complete
    assert (report.mismatches, report.wrong_draws, report.examples) == (0, 0, ())
    assert report.tricks == tricks
    assert report.states > 0
    assert report.seconds > 0


@pytest.mark.parametrize("name", ["every shape", "share", "weighted"])
def test_an_error_of_the_method_itself_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables made again by the same program would have the same error."""
    right = StateLevel.values_of_shape

    def wrong(self: StateLevel, rank: int) -> bytes:
        return right(self, rank)[:-1] + bytes([right(self, rank)[-1] ^ 1])

    monkeypatch.setattr(StateLevel, "values_of_shape", wrong)
    report = CHECKS[name](StateLevel(2))
    assert report.truth == "diagrams, built anew"
    assert not report.is_ok and report.mismatches == report.shapes


@pytest.mark.parametrize("one_in", [2, 50])
@pytest.mark.parametrize("name", CHECKS)
def test_a_spoilt_level_is_caught_by_every_check(name: str, one_in: int) -> None:
    report = CHECKS[name](Spoilt(level(2), one_in))
    assert not report.is_ok
    assert report.mismatches > 0
    assert 0.5 / one_in < report.mismatches / report.states < 2 / one_in
    assert 1 <= len(report.examples) <= 5
    for example in report.examples:
        ending = Ending.from_deal(example.deal, example.strain, example.leader)
        assert level(2).value(ending) == example.expected != example.found
        assert str(example) in str(report)
    if name in DRAWING:
        assert report.error_bound() >= report.wrong_draws / report.draws > 0


def test_every_layout_of_three_tricks_passes_and_one_wrong_value_among_them_is_found() -> None:
    shape = Shape(((0, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 2), (2, 1, 3, 1)), has_trumps=True)
    rank = rank_shape(shape)
    sound = verify_every_shape(level(3), reference=level(3))
    assert sound.is_ok
    assert (sound.shapes, sound.states) == (32_641, 33_920_712)
    spoilt = verify_every_shape(OneWrong(level(3), rank, 777), reference=level(3))
    assert spoilt.mismatches == 1
    (example,) = spoilt.examples
    assert Ending.from_deal(example.deal, example.strain, example.leader).shape == shape
    assert example.found == example.expected ^ 1


def test_every_layout_may_be_compared_with_tables_of_single_shapes() -> None:
    assert verify_every_shape(level(2), reference=ShapeSolver(2, level(0))).is_ok


@pytest.mark.parametrize(
    ("tricks", "check"),
    [
        (4, partial(verify_share_of_shapes, share=0.0001, seed=4)),
        (5, partial(verify_weighted_shapes, count=3, seed=4, most_layouts=100_000)),
    ],
)
def test_shapes_of_four_and_five_tricks_are_compared_with_tables_of_their_own(
    tricks: int, check: Check
) -> None:
    reference = ShapeSolver(tricks, level(3))
    sound: Level = FromTables(tricks)
    report = check(sound, reference=reference)
    assert report.is_ok
    assert report.shapes == {4: 31, 5: 3}[tricks]
    spoilt = check(Spoilt(ShapeSolver(tricks, level(3)), 1000), reference=reference)
    assert spoilt.mismatches > 0
    assert (spoilt.shapes, spoilt.states) == (report.shapes, report.states)


def test_a_table_of_the_wrong_length_is_an_error() -> None:
    class Short(Spoilt):
        def values_of_shape(self, rank: int) -> bytes:
            return self.truth.values_of_shape(rank)[1:]

    with pytest.raises(InvalidTable, match=r"shape 0 of 1 tricks has 23 values \(expected 24\)"):
        verify_every_shape(Short(level(1), 1))


# --- what is drawn ---


@pytest.mark.parametrize("name", DRAWING)
def test_draws_follow_from_the_seed(name: str) -> None:
    drawn: list[Any] = []

    class Recorder(Spoilt):
        def values_of_shape(self, rank: int) -> bytes:
            drawn.append(rank)
            return self.truth.values_of_shape(rank)

        def values(self, hands: Hands, strains: Numbers, leaders: Numbers) -> Numbers:
            drawn.extend(np.column_stack([hands, strains, leaders]).tolist())
            return level(2).values(hands, strains, leaders)

    runs = []
    for seed in (7, 7, 8):
        report = CHECKS[name](Recorder(level(2), 1), seed=seed)
        assert report.seed == seed
        runs.append(drawn.copy())
        drawn.clear()
    assert runs[0] == runs[1] != runs[2]


def record_positions(check: Check, count: int) -> list[Play]:
    seen: list[Play] = []

    def truth(plays: Sequence[Play]) -> list[int]:
        seen.extend(plays)
        return [0] * len(plays)

    report = check(level(2), count, seed=3, truth=truth, truth_name="nobody")
    assert report.truth == "nobody"
    assert report.states == report.draws == len(seen) == count
    return seen


def test_random_deals_are_uniform_in_cards_strains_and_leaders() -> None:
    count = 6000
    plays = record_positions(verify_random_deals, count)

    def check_even(counts: Sequence[int], share: float) -> None:
        spread = (count * share * (1 - share)) ** 0.5
        assert all(abs(many - count * share) < 5 * spread for many in counts), counts

    check_even([sum(play.strain is strain for play in plays) for strain in Strain], 1 / 5)
    check_even([sum(play.leader is seat for play in plays) for seat in Seat], 1 / 4)
    bits = np.array([[hand.bits for hand in play.deal] for play in plays], np.uint64)
    for seat in Seat:
        for place in [16 * suit + rank for suit in range(4) for rank in range(13)]:
            held = int((bits[:, seat] >> np.uint64(place) & np.uint64(1)).sum())
            check_even([held], 2 / 52)


def test_random_shapes_are_uniform_in_shapes() -> None:
    count = 10 * 2054
    plays = record_positions(verify_random_shapes, count)
    ranks = {shape: rank for rank, shape in enumerate(iter_shapes(2))}
    seen = [0] * len(ranks)
    for play in plays:
        ending = Ending.from_deal(play.deal, play.strain, play.leader)
        seen[ranks[ending.canonical().shape]] += 1
    # Chi-squared with 2053 degrees of freedom: mean 2053, standard deviation 64.
    chi_squared = sum((many - 10) ** 2 / 10 for many in seen)
    assert abs(chi_squared - 2053) < 5 * 64
    assert {play.leader for play in plays} == set(Seat)
    assert {play.strain for play in plays} == set(Strain)


def test_weighted_shapes_are_drawn_as_likely_as_they_have_layouts() -> None:
    report = verify_weighted_shapes(level(2), 3000, seed=1, most_layouts=None)
    layouts = _core.shape_layouts(2).astype(float)
    chance = layouts / layouts.sum()
    expected = float((1 - (1 - chance) ** 3000).sum())
    assert report.draws == 3000
    assert report.shapes == pytest.approx(expected, rel=0.05)


def test_large_shapes_may_be_left_out() -> None:
    report = verify_weighted_shapes(level(2), 500, most_layouts=24)
    layouts = _core.shape_layouts(2)
    assert report.states_in_all == layouts[layouts <= 24].sum() < 87_921
    assert report.states <= 24 * report.shapes
    assert "layouts of shapes with at most 24 layouts" in report.statement()
    share = verify_share_of_shapes(level(2), 0.1, most_layouts=24)
    assert share.shapes == -(-int((layouts <= 24).sum()) // 10)


def test_layouts_are_listed_in_the_order_of_shapes() -> None:
    for tricks in range(4):
        expected = [shape.layouts for shape in iter_shapes(tricks)]
        assert _core.shape_layouts(tricks).tolist() == expected


# --- what follows ---


@pytest.mark.parametrize(
    ("draws", "wrong", "confidence", "bound"),
    [
        (1, 0, 0.95, 0.95),
        (2, 0, 0.75, 0.5),  # 1 - 0.25 ** (1 / 2)
        (3, 0, 0.875, 0.5),
        (59, 0, 0.95, 0.0495076),  # 1 - 0.05 ** (1 / 59)
        (1_000_000, 0, 0.95, 2.9957278e-06),  # nearly ln 20 / n
        (1_000_000, 0, 0.99, 4.6051596e-06),
        (2, 1, 0.75, 0.8660254),  # 1 - p ** 2 = 0.25
        (3, 1, 0.5, 0.5),  # (1 - p) ** 3 + 3 p (1 - p) ** 2 = 0.5
        (4, 3, 0.9375, 0.98399),  # 1 - p ** 4 = 0.0625
        (10, 1, 0.95, 0.3941633),  # published tables of Clopper and Pearson
        (10, 10, 0.95, 1.0),
        (0, 0, 0.95, 1.0),
    ],
)
def test_bounds_are_those_worked_out_by_hand(
    draws: int, wrong: int, confidence: float, bound: float
) -> None:
    assert error_bound(draws, wrong, confidence=confidence) == pytest.approx(bound, rel=1e-5)


def test_bounds_of_many_errors_come_near_the_normal_ones() -> None:
    draws, wrong = 1_000_000, 300_000
    spread = (0.3 * 0.7 / draws) ** 0.5
    assert error_bound(draws, wrong) == pytest.approx(0.3 + 1.645 * spread, abs=1e-5)


@pytest.mark.parametrize(
    ("draws", "wrong", "confidence"), [(3, 4, 0.9), (3, -1, 0.9), (3, 0, 1.0), (3, 0, 0.4)]
)
def test_impossible_numbers_have_no_bound(draws: int, wrong: int, confidence: float) -> None:
    with pytest.raises(InvalidInput, match="not a"):
        error_bound(draws, wrong, confidence=confidence)


def test_a_level_compared_whole_is_known_for_certain() -> None:
    report = verify_every_shape(level(2))
    assert report.coverage == 1
    assert report.error_bound() == 0
    assert report.statement() == "Every layout was compared: 0 % are wrong, for certain."
    wrong = verify_every_shape(OneWrong(level(2), 2000, 5))
    assert wrong.error_bound(0.6) == wrong.error_bound(0.99) == 1 / 87_921


def test_a_share_of_shapes_covers_an_exact_share_of_layouts() -> None:
    report = verify_share_of_shapes(level(2), 0.05, seed=2)
    assert report.shapes == report.draws == 103  # 0.05 * 2054, rounded up
    assert report.coverage == Fraction(report.states, 87_921)
    assert report.error_bound() == pytest.approx(1 - 0.05 ** (1 / 103))
    assert "2.87 % of shapes hold a wrong value" in str(report)


def test_all_shapes_may_be_drawn() -> None:
    report = verify_share_of_shapes(level(2), 1)
    assert (report.shapes, report.coverage) == (2054, 1)


def test_shares_are_rounded_to_the_safe_side() -> None:
    report = verify_random_deals(level(1), 2000)
    assert 0.00149 < report.error_bound() < 0.001497
    assert "at most 0.15 % of deals" in report.statement()
    assert "With 99.9 % confidence at most 0.345 % of" in report.statement(0.999)
    nearly_all = replace(verify_every_shape(level(2)), states=87_920, is_complete=False)
    assert "(99.9 % of 87,921)" in str(nearly_all)
    assert "at most 0.00114 % are wrong" in nearly_all.statement()


@pytest.mark.parametrize("name", CHECKS)
def test_reports_go_to_json_and_say_everything(name: str) -> None:
    report = CHECKS[name](Spoilt(level(2), 50))
    data = json.loads(json.dumps(report.to_dict(0.99)))
    assert data["ok"] is False
    assert data["complete"] is True
    assert data["confidence"] == 0.99
    assert data["error_bound"] == report.error_bound(0.99)
    assert data["statement"] == report.statement(0.99)
    assert data["sample"] in set(Sample)
    assert (data["states"], data["mismatches"]) == (report.states, report.mismatches)
    for example in data["examples"]:
        deal = Deal.from_pbn(example["deal"])
        ending = Ending.from_deal(
            deal, Strain.from_text(example["strain"]), Seat.from_text(example["leader"])
        )
        assert level(2).value(ending) == example["expected"]
    assert report.statement(0.99) in report.summary(0.99)
    assert f"{report.states:,}" in report.summary()


# --- work under way ---


@pytest.mark.parametrize("name", CHECKS)
def test_progress_rises_to_the_work_to_be_done(name: str) -> None:
    told: list[tuple[int, int]] = []
    report = CHECKS[name](level(2), progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[0][0] == 0
    assert told[-1] == (report.states, report.states)
    assert {total for _, total in told} == {report.states}


@pytest.mark.parametrize("name", CHECKS)
def test_stopped_work_reports_what_was_done(name: str) -> None:
    stop = StopFlag()

    def watch(now: int, _: int) -> None:
        if now > enough:
            stop.set()

    # Positions come by the thousand; a thousand under way when work stops does not count.
    larger = {"count": 5000} if name in ("deals", "shapes") else {}
    enough = 1000 if larger else 0
    whole = CHECKS[name](level(2), **larger)
    report = CHECKS[name](level(2), **larger, progress=watch, stop=stop)
    assert not report.is_complete
    assert not report.is_ok
    assert report.mismatches == 0
    assert 0 < report.states < whole.states
    assert report.error_bound() > whole.error_bound()
    assert "Stopped early." in str(report)


@pytest.mark.parametrize("name", CHECKS)
def test_work_stopped_before_it_began_rules_nothing_out(name: str) -> None:
    stop = StopFlag()
    stop.set()
    report = CHECKS[name](level(2), stop=stop)
    assert (report.states, report.shapes, report.is_complete) == (0, 0, False)
    assert report.error_bound() == 1


def test_errors_in_progress_are_raised() -> None:
    def refuse(done: int, total: int) -> None:
        raise LookupError(f"enough: {done} of {total}")

    with pytest.raises(LookupError, match="enough: 0 of 1200"):
        CHECKS["deals"](level(2), progress=refuse)


# --- bad input ---


@pytest.mark.parametrize("share", [0, -0.1, 1.01, float("nan")])
def test_a_share_lies_between_nothing_and_all(share: float) -> None:
    with pytest.raises(InvalidInput, match="not a share"):
        verify_share_of_shapes(level(1), share)


@pytest.mark.parametrize(
    "check", [verify_weighted_shapes, verify_random_deals, verify_random_shapes]
)
def test_something_must_be_drawn(check: Check) -> None:
    with pytest.raises(InvalidInput, match="not a number of draws: 0"):
        check(level(1), 0)


def test_levels_too_high_for_tables_are_refused() -> None:
    high = Spoilt(level(1), 1)
    high.tricks = 6
    with pytest.raises(InvalidInput, match=r"every shape: 6 \(expected 0 to 3\)"):
        verify_every_shape(high)
    with pytest.raises(InvalidInput, match=r"whole shapes: 6 \(expected 0 to 5\)"):
        verify_weighted_shapes(high, 3)


def test_a_reference_of_another_level_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"a reference for 1 tricks \(expected 2\)"):
        verify_every_shape(level(2), reference=level(1))


def test_no_shape_small_enough_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="no shape has at most 0 layouts"):
        verify_weighted_shapes(level(2), 3, most_layouts=0)


# --- another program's truth ---


class Peer:
    """DDS by way of endplay: North-South's tricks of positions between tricks."""

    BATCH = 200

    def __init__(self) -> None:
        self.dds: Any = pytest.importorskip("endplay.dds")
        self.types: Any = pytest.importorskip("endplay.types")
        denom = self.types.Denom
        self.denoms = [*denom.suits(reverse=True), denom.nt]
        self.players = list(self.types.Player)

    def __call__(self, plays: Sequence[Play]) -> list[int]:
        answers: list[int] = []
        for start in range(0, len(plays), self.BATCH):
            answers += self._solve(plays[start : start + self.BATCH])
        return answers

    def _solve(self, plays: Sequence[Play]) -> list[int]:
        # Within a batch the peer takes positions with the same cards for one.
        if len({play.deal for play in plays}) < len(plays):
            return [self._solve([play])[0] for play in plays]
        boards = [
            self.types.Deal(
                play.deal.to_pbn(),
                first=self.players[play.leader],
                trump=self.denoms[play.strain],
            )
            for play in plays
        ]
        answers = []
        for play, solved in zip(plays, self.dds.solve_all_boards(boards), strict=True):
            best = max(tricks for _, tricks in solved)
            tricks = len(play.deal) // 4
            answers.append(best if play.leader in (Seat.NORTH, Seat.SOUTH) else tricks - best)
        return answers


def check_with_peer(counts: dict[int, int], seed: int) -> None:
    peer = Peer()
    for tricks, count in counts.items():
        for check in (verify_random_deals, verify_random_shapes):
            report = check(level(tricks), count, seed=seed + tricks, truth=peer, truth_name="DDS")
            assert report.is_ok, report
            assert report.states == count


def test_200_random_positions_have_the_values_of_the_peer() -> None:
    check_with_peer({1: 34, 2: 33, 3: 33}, seed=10)


@pytest.mark.slow
def test_3000_random_positions_have_the_values_of_the_peer() -> None:
    check_with_peer({1: 500, 2: 500, 3: 500}, seed=20)
