"""Scores of contracts and comparisons of results."""

from __future__ import annotations

from itertools import pairwise

import pytest

from setrograde.bridge import Contract, InvalidInput, Vulnerability
from setrograde.bridge.scoring import (
    Matchpoints,
    butler,
    butler_datum,
    cross_imps,
    format_result,
    imps,
    matchpoints,
    score_board,
    score_contract,
    victory_points,
)


@pytest.mark.parametrize(
    ("contract", "tricks", "not_vulnerable", "vulnerable"),
    [
        ("1CN", 7, 70, 70),
        ("1NTN", 7, 90, 90),
        ("2SN", 9, 140, 140),
        ("3NTN", 9, 400, 600),
        ("4HN", 11, 450, 650),
        ("5CN", 11, 400, 600),
        ("6SN", 12, 980, 1430),
        ("6NTN", 13, 1020, 1470),
        ("7CN", 13, 1440, 2140),
        ("7NTN", 13, 1520, 2220),
        ("1CXN", 7, 140, 140),
        ("1NTXN", 7, 180, 180),
        ("2SXN", 8, 470, 670),
        ("1CXXN", 7, 230, 230),
        ("1NTXXN", 8, 760, 1160),
        ("7NTXXN", 13, 2280, 2980),
        ("4SN", 9, -50, -100),
        ("4SN", 6, -200, -400),
        ("4SXN", 9, -100, -200),
        ("4SXN", 8, -300, -500),
        ("4SXN", 7, -500, -800),
        ("4SXN", 6, -800, -1100),
        ("4SXXN", 6, -1600, -2200),
        ("7NTXXN", 0, -7000, -7600),
    ],
)
def test_contracts_score_by_law_77(
    contract: str, tricks: int, not_vulnerable: int, vulnerable: int
) -> None:
    parsed = Contract.from_text(contract)
    assert score_contract(parsed, tricks, is_vulnerable=False) == not_vulnerable
    assert score_contract(parsed, tricks, is_vulnerable=True) == vulnerable


def test_a_board_passed_out_scores_nothing() -> None:
    assert score_contract(Contract.PASSED_OUT, 0, is_vulnerable=True) == 0
    assert score_board(Contract.PASSED_OUT, 0, Vulnerability.BOTH) == 0
    assert format_result(Contract.PASSED_OUT, 0) == "Pass"


@pytest.mark.parametrize("tricks", [-1, 14, 100])
def test_impossible_tricks_are_quoted(tricks: int) -> None:
    contract = Contract.from_text("3NTN")
    with pytest.raises(InvalidInput, match=f"{tricks} .*0 to 13"):
        score_contract(contract, tricks, is_vulnerable=False)
    with pytest.raises(InvalidInput, match=str(tricks)):
        format_result(contract, tricks)


def test_score_of_a_board_is_for_north_south() -> None:
    assert score_board(Contract.from_text("4SN"), 10, Vulnerability.EW) == 420
    assert score_board(Contract.from_text("4SE"), 10, Vulnerability.EW) == -620
    assert score_board(Contract.from_text("4SW"), 9, Vulnerability.EW) == 100


@pytest.mark.parametrize(
    ("contract", "tricks", "text"),
    [
        ("4SXW", 9, "4SX W -1"),
        ("3NTN", 9, "3NT N ="),
        ("1CXXS", 13, "1CXX S +6"),
        ("7NTE", 0, "7NT E -13"),
    ],
)
def test_results_are_written_as_players_write_them(contract: str, tricks: int, text: str) -> None:
    assert format_result(Contract.from_text(contract), tricks) == text


# Law 78B: the smallest difference for each number of IMPs.
IMP_TABLE = {
    1: 20, 2: 50, 3: 90, 4: 130, 5: 170, 6: 220, 7: 270, 8: 320, 9: 370, 10: 430, 11: 500,
    12: 600, 13: 750, 14: 900, 15: 1100, 16: 1300, 17: 1500, 18: 1750, 19: 2000, 20: 2250,
    21: 2500, 22: 3000, 23: 3500, 24: 4000,
}  # fmt: skip


def test_imps_change_exactly_at_the_steps_of_the_law() -> None:
    for won, points in IMP_TABLE.items():
        assert imps(points) == won
        assert imps(points - 10) == won - 1
        assert imps(-points) == -won
    assert imps(0) == 0
    assert imps(15_200) == 24


def test_matchpoints_give_two_for_a_win_and_one_for_a_tie() -> None:
    assert matchpoints([420, 420, -50]) == (Matchpoints(3, 1), Matchpoints(3, 1), Matchpoints(0, 4))


def test_matchpoints_without_comparison_have_no_percentage() -> None:
    (only,) = matchpoints([420])
    assert only.top == 0
    assert only.percent_ns is None
    assert only.percent_ew is None
    assert matchpoints([]) == ()


def test_percentages_are_shares_of_the_top() -> None:
    first, *_, last = matchpoints([100, 90, 80, 70, 60])
    assert (first.percent_ns, first.percent_ew) == (100, 0)
    assert (last.percent_ns, last.percent_ew) == (0, 100)


def test_butler_datum_is_rounded_to_the_nearest_ten_away_from_zero() -> None:
    assert butler_datum([100, 110]) == 110
    assert butler_datum([-100, -110]) == -110
    assert butler_datum([100, 100, 110]) == 100
    assert butler_datum([10, -10]) == 0


def test_butler_leaves_out_the_trimmed_results_of_both_ends_only_from_the_datum() -> None:
    scores = [2000, 400, 400, 430, -2000]
    assert butler_datum(scores, trimmed=1) == 410
    assert butler(scores, trimmed=1) == (17, 0, 0, 1, -20)


@pytest.mark.parametrize(("scores", "trimmed"), [([], 0), ([400, 50], 1), ([400], -1)])
def test_a_datum_of_nothing_is_an_error(scores: list[int], trimmed: int) -> None:
    with pytest.raises(InvalidInput, match=f"{len(scores)} results with {trimmed} trimmed"):
        butler_datum(scores, trimmed=trimmed)


def test_cross_imps_add_up_all_comparisons() -> None:
    assert cross_imps([420, 170, 420]) == (6, -12, 6)
    assert cross_imps([420]) == (0,)


def test_victory_points_follow_the_continuous_scale_for_16_boards() -> None:
    formula = [10.00, 10.31, 10.61, 10.91, 11.20, 11.48, 11.76, 12.03, 12.29, 12.55, 12.80]
    assert [victory_points(margin, 16)[0] for margin in range(11)] == formula
    assert victory_points(59, 16) == (19.93, 0.07)
    assert victory_points(60, 16) == victory_points(500, 16) == (20.0, 0.0)


@pytest.mark.parametrize("boards", [1, 2, 7, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64, 96])
def test_no_imp_is_worth_more_than_the_one_before(boards: int) -> None:
    margins = range(int(15 * boards**0.5) + 3)
    hundredths = [round(100 * victory_points(margin, boards)[0]) for margin in margins]
    gains = [after - before for before, after in pairwise(hundredths)]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] == 0
    assert hundredths[-1] == 2000


def test_the_correction_moves_no_value_of_a_usual_match_by_more_than_two_hundredths() -> None:
    ratio = 5**0.5 - 2
    for boards in range(1, 49):
        blitz = 15 * boards**0.5
        for margin in range(int(blitz) + 1):
            exact = 10 + 10 * (1 - ratio ** (margin / blitz)) / (1 - ratio)
            assert abs(victory_points(margin, boards)[0] - exact) < 0.0251


def test_both_sides_share_twenty_victory_points() -> None:
    for margin in range(-70, 71):
        ours, theirs = victory_points(margin, 20)
        assert victory_points(-margin, 20) == (theirs, ours)
        assert round(ours + theirs, 2) == 20


def test_bad_matches_are_quoted() -> None:
    with pytest.raises(InvalidInput, match="boards: 0 "):
        victory_points(3, 0)
    with pytest.raises(InvalidInput, match="'acme'"):
        victory_points(3, 16, scale="acme")  # type: ignore[arg-type]
