"""Dealer scripts at work: deals that fit, text, statistics, levels, limits, impossible scripts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dealer_scripts import SCRIPTS
from oracle.dealer import evaluate
from setrograde.analysis.deal import run_script, why_rare_script
from setrograde.analysis.deal.script import (
    AverageResult,
    FrequencyResult,
    FrequencyTableResult,
    ScriptResult,
)
from setrograde.analysis.deal.script.evaluation import Evaluator
from setrograde.bridge import Deal, Hand, InvalidConstraint, InvalidInput, Seat
from setrograde.formats import parse_pbn
from setrograde.formats.dealer import parse_dealer
from setrograde.formats.dealer.syntax import Random, Tricks
from setrograde.solve import solve_table


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script_runs_and_its_deals_fit(path: Path) -> None:
    result = run_script(path, seed=3)
    script = parse_dealer(path.read_text("utf-8"))
    assert result.note is None
    assert result.produced == script.produce
    assert json.loads(json.dumps(result.as_dict()))["produced"] == result.produced
    if script.condition is None:
        return
    if any(isinstance(x, Tricks | Random) for x in Evaluator(script).leaves(script.condition)):
        return
    for deal in result.deals[:200]:
        assert deal.is_full
        assert evaluate(script.condition, deal, script)


def test_a_seed_gives_the_same_deals_and_another_gives_others() -> None:
    text = "produce 30 hcp(north) > hcp(south) + 3 action printoneline"
    first, again, other = (run_script(text, seed=seed) for seed in (5, 5, 6))
    assert first.text == again.text != other.text
    assert np.array_equal(first.rows, again.rows)
    assert run_script(f"seed 5 {text}").text == first.text


def test_the_first_deals_do_not_depend_on_how_many_are_asked_for() -> None:
    text = "hcp(north) > hcp(south) + 3 action printoneline"
    few, many = run_script(text, count=5, seed=2), run_script(text, count=50, seed=2)
    assert np.array_equal(few.rows, many.rows[:5])
    assert few.generated < many.generated


@pytest.mark.parametrize(
    "text",
    [
        "loser(north) < 6 && top3(south, hearts) == 2 && (shape(north, 5xxx) ? hcp(north) > 9 : 1)",
        "fit = spades(north) + spades(south) >= 9 fit && hcp(north) + hcp(south) >= 28",
        "cccc(north) >= 2000 && controls(north) % 2 == 1",
        "hcp(north) + spades(north) + hearts(north) >= 27 && quality(north, spades) > 500",
    ],
)
def test_counted_conditions_reject_no_deal(text: str) -> None:
    result = run_script(text, count=50, seed=1)
    assert (result.generated, result.tested, result.acceptance) == (50, (), 1.0)
    assert result.exact_counts and 0 < result.probability < 0.2


def test_what_cannot_be_counted_is_tested_and_reported() -> None:
    result = run_script("hcp(north) >= 12 && hcp(north) > hcp(east)", count=50, seed=1)
    assert result.counted == ("hcp(north) >= 12",)
    assert result.tested == ("hcp(north) > hcp(east)",)
    assert result.acceptance is not None and 0.7 < result.acceptance < 1
    assert "of them passed" in result.summary


@pytest.mark.parametrize(
    "condition",
    [
        "hcp(north) >= 11 && losers(north) <= 8 && hcp(north) + hcp(south) >= 18",
        "(spades(north) >= 5 || hearts(north) >= 5) && !(hcp(north) < 8) && controls(north) != 3",
        "cccc(north) > 1000 && shape(north, any 4333 + any 4432 + 5xxx) && hcp(north) > hcp(west)",
    ],
)
def test_counting_and_shuffling_give_the_same_distribution(condition: str) -> None:
    text = f"""
    condition {condition}
    action frequency (hcp(north), 6, 16), frequency (spades(north), 1, 6),
           frequency (hcp(south), 3, 16), frequency (losers(east), 4, 11)
    """
    counted = run_script(text, count=8000, seed=11)
    shuffled = run_script(text, count=8000, seed=12, counting=False)
    assert shuffled.produced == counted.produced == 8000
    assert counted.generated < shuffled.generated
    for one, other in zip(counted.statistics, shuffled.statistics, strict=True):
        assert isinstance(one, FrequencyResult) and isinstance(other, FrequencyResult)
        pairs = [(a, b) for a, b in zip(one.counts, other.counts, strict=True) if a + b >= 10]
        square = sum((a - b) ** 2 / (a + b) for a, b in pairs)
        free = len(pairs) - 1
        assert square < free + 4 * (2 * free) ** 0.5  # four standard deviations of chi-square


def test_the_exact_share_is_that_of_shuffled_deals() -> None:
    condition = "hcp(north) + hcp(south) >= 26 && spades(north) >= 4"
    exact = float(run_script(condition, count=1, seed=1).probability)
    shuffled = run_script(condition, count=100_000, generate=40_000, seed=1, counting=False)
    seen = shuffled.produced / shuffled.generated
    assert abs(seen - exact) < 4 * (exact / 40_000) ** 0.5


def test_printall_has_four_columns_of_twenty() -> None:
    result = run_script("produce 2 predeal north SAKQJ, H2, D2, CAKQJT98", seed=1)
    lines = result.text.split("\n")
    assert lines[0] == "   1." and lines[6] == "   2."
    assert lines[1].startswith("A K Q J             ")
    assert lines[4].startswith("A K Q J T 9 8       ")
    assert lines[5] == ""


def test_pbn_is_read_again() -> None:
    result = run_script("produce 3 dealer west vulnerable ew action printpbn", seed=1)
    boards = parse_pbn(result.text)
    assert [board.deal for board in boards] == result.deals
    assert [str(board.dealer) for board in boards] == ["W"] * 3
    assert [board.deal for board in result.boards()] == result.deals


def test_texts_and_values_are_printed_in_order() -> None:
    text = 'produce 2 action printes "s ", spades(north), \\n, printoneline(hcp(north))'
    result = run_script(text, seed=4)
    lines = result.text.splitlines()
    for deal, first, second in zip(result.deals, lines[::2], lines[1::2], strict=True):
        assert first == f"s {deal['N'].length('S')}"
        assert second.startswith(f"n {deal['N']} e ") and second.endswith(f" {deal['N'].hcp}")


def test_pages_have_the_hands_of_one_player() -> None:
    result = run_script("produce 5 action print(south)", seed=1)
    assert result.text.startswith("\n\nSouth hands:\n") and result.text.endswith("\f")
    assert result.text.count("   5.") == 1


def test_statistics_are_those_of_the_deals() -> None:
    text = """produce 300 hcp(north) >= 10 action average "a" hcp(north),
    frequency "f" (hcp(north), 12, 14), frequency "t" (hcp(north), 12, 13, spades(north), 2, 3)"""
    result = run_script(text, seed=1)
    points = [deal["N"].hcp for deal in result.deals]
    average, frequency, table = result.statistics
    assert isinstance(average, AverageResult) and average.mean == sum(points) / 300
    assert average.stderr == pytest.approx(np.std(points, ddof=1) / 300**0.5)
    assert isinstance(frequency, FrequencyResult)
    assert frequency.counts[1:4] == tuple(points.count(value) for value in (12, 13, 14))
    assert sum(frequency.counts) == 300
    assert isinstance(table, FrequencyTableResult)
    both = [(deal["N"].hcp, deal["N"].length("S")) for deal in result.deals]
    assert table.counts[1][2] == both.count((12, 3))
    assert f"a: {average.mean:g}\n" in result.text


def test_tricks_are_double_dummy() -> None:
    text = 'produce 2 action printes tricks(north, spades), " ", tricks(east, notrump), \\n'
    result = run_script(text, seed=9)
    for deal, line in zip(result.deals, result.text.splitlines(), strict=True):
        table = solve_table(deal)
        assert line == f"{table.tricks('N', 'S')} {table.tricks('E', 'NT')}"


def test_tricks_behind_a_condition_are_solved_only_where_it_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from setrograde.analysis.deal.script import batch

    solved: list[int] = []

    def counting_solver(plays: list[object], **_: object) -> tuple[int, ...]:
        solved.append(len(plays))
        return (7,) * len(plays)

    monkeypatch.setattr(batch, "solve_many", counting_solver)
    text = """condition hcp(north) > hcp(south) + 8 && tricks(north, spades) > 5
    action average tricks(north, spades)"""
    result = run_script(text, count=10, seed=1)
    assert result.generated > sum(solved) >= 10  # and none of them twice for the average


def test_predealt_cards_and_lengths_are_kept() -> None:
    text = "produce 40 predeal north SAKxx, HQ spades(east)==3 south C2"
    for counting in (True, False):
        for deal in run_script(text, seed=1, counting=counting).deals:
            assert deal["N"].spades[:2] == "AK" and len(deal["N"].spades) == 4
            assert "Q" in deal["N"].hearts and "2" in deal["S"].clubs
            assert deal["E"].length("S") == 3


def test_levels_come_equally_often() -> None:
    result = run_script("level (hcp(north), 20, 24) spades(north) >= 5", count=52, seed=1)
    assert [each.value for each in result.classes] == [20, 21, 22, 23, 24]
    assert sorted(each.deals for each in result.classes) == [10, 10, 10, 11, 11]
    counts = [sum(deal["N"].hcp == each.value for deal in result.deals) for each in result.classes]
    assert counts == [each.deals for each in result.classes]
    assert result.generated == 52


def test_levels_that_cannot_be_counted_come_equally_often_too() -> None:
    text = "level hcp(north) > hcp(east) + 15 condition hcp(north) > hcp(south)"
    result = run_script(text, count=20, seed=1)
    assert [(each.value, each.deals) for each in result.classes] == [(0, 10), (1, 10)]
    assert not any(each.is_counted for each in result.classes)
    assert sum(deal["N"].hcp > deal["E"].hcp + 15 for deal in result.deals) == 10


def test_limit_of_deals_is_kept_and_noted() -> None:
    result = run_script("hcp(north) > hcp(south) + 50", generate=5000, seed=1)
    assert (result.produced, result.generated) == (0, 5000)
    assert result.note is not None and result.note.startswith("only 0 of 40 deals found in 5000")
    assert result.statistics == () and result.text == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hcp(north) >= 38", "no deal fits 'hcp(north) >= 38'"),
        ("hcp(north) >= 21 && spades(north) > 3 && hcp(south) >= 20", "'hcp(south) >= 20'"),
        ("predeal north SA hascard(south, AS)", "with the cards dealt before"),
        ("spades(north) == 5 && spades(north) == 6", "no deal fits"),
        ("predeal spades(north)==8 predeal spades(south)==8", "no deal fits"),
        ("1 == 2", "no deal fits '1 == 2'"),
        ("level (hcp(north), 38, 39)", "no deal fits any class of level at line 1"),
    ],
)
def test_impossible_scripts_have_one_clear_line(text: str, words: str) -> None:
    with pytest.raises(InvalidConstraint) as caught:
        run_script(text, seed=1)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_division_by_zero_names_its_place() -> None:
    with pytest.raises(InvalidInput, match="division by zero at line 1, column 15"):
        run_script("hcp(east) > 3 / (spades(north) * spades(south) * 0)", seed=1)
    guarded = "voids = spades(north) condition voids != 0 && hcp(east) / voids > hcp(west) / voids"
    assert run_script(guarded, count=5, seed=1).produced == 5


def test_score_of_impossible_tricks_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="not a number of tricks"):
        run_script("score(vul, x3N, hcp(north) + hcp(east)) > hcp(south)", seed=1)


@pytest.mark.parametrize("options", [{"count": -1}, {"seed": -1}, {"generate": -5}])
def test_bad_options_are_errors(options: dict[str, int]) -> None:
    with pytest.raises(InvalidInput):
        run_script("1", **options)  # type: ignore[arg-type]


def test_random_numbers_are_even_and_drawn_at_every_use() -> None:
    text = "x = rnd(4) action frequency (x, 0, 3), average x == x"
    frequency, average = run_script(text, count=4000, seed=1).statistics
    assert isinstance(frequency, FrequencyResult) and isinstance(average, AverageResult)
    assert frequency.counts[0] == frequency.counts[-1] == 0
    assert all(900 < count < 1100 for count in frequency.counts[1:-1])
    assert average.mean is not None and 0.2 < average.mean < 0.3


def test_progress_hears_of_every_deal() -> None:
    heard: list[int] = []
    run_script("hcp(north) > hcp(south)", count=3000, seed=1, progress=heard.append)
    assert heard[-1] == 3000 and heard == sorted(heard)


def test_why_rare_names_the_costliest_condition() -> None:
    report = why_rare_script("hcp(north) >= 20 && spades(south) > 3 && hcp(east) > hcp(west)")
    assert report.worst is not None and report.worst.text == "hcp(north) >= 20"
    tested = next(cost for cost in report.costs if "west" in cost.text)
    assert not tested.is_exact and tested.factor is not None and 1.5 < tested.factor < 3
    impossible = why_rare_script("hcp(north) >= 21 && spades(north) > 3 && hcp(south) >= 20")
    assert impossible.conflict == ("hcp(north) >= 21", "hcp(south) >= 20")


def test_nothing_asked_for_is_nothing_done() -> None:
    result: ScriptResult = run_script("produce 0 hcp(north) >= 20", seed=1)
    assert (result.produced, result.generated, result.acceptance) == (0, 0, None)


def test_hands_known_whole_stay_as_they_are() -> None:
    hand = Hand("AQ542.KJ87.32.AK")
    result = run_script("predeal south SAQ542, HKJ87, D32, CAK hcp(west) > 11", count=3, seed=1)
    assert all(isinstance(deal, Deal) and deal[Seat.SOUTH] == hand for deal in result.deals)
