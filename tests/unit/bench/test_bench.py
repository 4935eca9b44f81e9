"""`setrograde bench`, and the folder of benchmarks behind it."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import setrograde
from setrograde.bridge import Deal, Seat, Strain, Suit
from setrograde.cli.bench import BENCHMARKS, bench_folder
from setrograde.cli.main import main
from setrograde.solve import Technique, solve_deal

Load = Callable[[str], ModuleType]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Load:
    """Imports a module of the bench folder, which is not part of the package."""
    monkeypatch.syspath_prepend(str(bench_folder().parent))
    return lambda name: importlib.import_module(f"bench.{name}")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation elsewhere, without benchmarks."""
    package = tmp_path / "src" / "setrograde" / "__init__.py"
    monkeypatch.setattr(setrograde, "__file__", str(package))
    return tmp_path


def write_bench(checkout: Path, program: str) -> None:
    (checkout / "bench").mkdir()
    (checkout / "bench" / "__main__.py").write_text(program)


def measure(capsys: Capture, *words: str) -> dict[str, Any]:
    assert main(["bench", *words, "--json"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


# --- the command ---


def test_command_knows_the_benchmarks_of_the_folder(load: Load) -> None:
    assert load("__main__").BENCHMARKS is BENCHMARKS
    assert all((bench_folder() / f"{name}.py").is_file() for name in BENCHMARKS)


def test_both_solvers_agree_and_the_contract_holds(capsys: Capture) -> None:
    pytest.importorskip("endplay")
    result = measure(capsys, "double_dummy", "--count", "1")
    assert {"ours", "peer", "ratio", "signature"} <= result.keys()
    assert result["mismatches"] == 0
    assert result["ratio"] == pytest.approx(result["peer"] / result["ours"], abs=0.01)
    assert re.fullmatch(r"\d+ [0-9a-f]{8}", result["signature"])


@pytest.mark.parametrize("name", ["partition_vs_alphabeta", "threads"])
def test_signature_is_the_same_in_every_run(name: str, capsys: Capture) -> None:
    one, again, more = (measure(capsys, name, "--count", count) for count in "112")
    assert one["signature"] == again["signature"] != more["signature"]
    assert one["mismatches"] == 0


def test_figures_are_printed_one_a_line(checkout: Path, capsys: Capture) -> None:
    write_bench(checkout, 'print(\'{"ours": 1.5, "peer": null, "all": {"x": 1}, "ratio": 2}\')')
    assert main(["bench", "threads"]) == 0
    assert capsys.readouterr().out == "ours   1.5\nratio  2\n"


def test_name_and_count_are_passed_on(checkout: Path, capsys: Capture) -> None:
    write_bench(checkout, "import json, sys; print(json.dumps({'words': sys.argv[1:]}))")
    assert measure(capsys, "ablation", "--count", "3") == {"words": ["ablation", "--count=3"]}


def test_package_without_a_checkout_says_so(checkout: Path, capsys: Capture) -> None:
    assert main(["bench", "threads"]) == 2
    error = capsys.readouterr().err
    assert "they are in the repository, not in the installed package" in error
    assert error.count("\n") == 1


def test_failed_benchmark_is_told_in_one_line(checkout: Path, capsys: Capture) -> None:
    write_bench(checkout, "import sys; print('long story', file=sys.stderr); sys.exit('no peer')")
    assert main(["bench", "threads"]) == 2
    error = capsys.readouterr().err
    assert error == "setrograde: threads could not be measured: no peer\n"


def test_silent_failure_names_the_status(checkout: Path, capsys: Capture) -> None:
    write_bench(checkout, "import sys; sys.exit(7)")
    assert main(["bench", "threads"]) == 2
    assert "ended with status 7" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        (["chess"], "'chess'"),
        (["threads", "--count", "0"], "'0'"),
        (["threads", "--count", "many"], "'many'"),
        (["threads", "--count", "9" * 5000], "from 1 to 999999999"),
    ],
)
def test_bad_arguments_are_quoted(words: list[str], quoted: str, capsys: Capture) -> None:
    assert main(["bench", *words]) == 2
    assert quoted in capsys.readouterr().err


# --- the page ---


def test_block_is_replaced_and_the_rest_stays(load: Load) -> None:
    with_block = load("report").with_block
    page = (
        "a\n<!-- bench:x -->\nold\n<!-- /bench:x -->\nb\n<!-- bench:y -->\nc\n<!-- /bench:y -->\n"
    )
    new = with_block(page, "x", "new")
    assert new == page.replace("old", "new")
    assert with_block(new, "x", "new") == new


@pytest.mark.parametrize("page", ["", "<!-- bench:x -->", "<!-- /bench:x --><!-- bench:x -->"])
def test_page_without_a_block_is_an_error(page: str, load: Load) -> None:
    with pytest.raises(ValueError, match="no block for 'x'"):
        load("report").with_block(page, "x", "new")


def test_page_has_a_block_for_every_study_of_the_solver(load: Load) -> None:
    report = load("report")
    for name in BENCHMARKS:
        if name != "read_pbn":
            page = report.PAGES.get(name, report.DOCS).read_text("utf-8")
            assert "new" in report.with_block(page, name, "new")


def test_docs_option_writes_table_command_and_machine(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    report, threads = load("report"), load("threads")
    page = tmp_path / "page.md"
    page.write_text("<!-- bench:threads -->\n<!-- /bench:threads -->\n")
    monkeypatch.setattr(report, "DOCS", page)
    words = ["--count", "1", "--docs"]
    report.main("threads", threads.run, threads.table, count=threads.COUNT, argv=words)
    text = page.read_text()
    assert "| two threads | " in text
    assert "`python -m bench.threads --count 1`" in text
    assert json.loads(capsys.readouterr().out)["machine"]["processor"] in text


# --- the corpora ---


def test_deals_of_a_seed_do_not_depend_on_their_number(load: Load) -> None:
    random_deals = load("corpora.random_deals").random_deals
    hard_deals = load("corpora.hard").hard_deals
    assert list(random_deals(3)) == list(random_deals(5))[:3]
    assert list(hard_deals(12)) == list(hard_deals(30))[:12]
    assert next(random_deals(1)) != next(random_deals(1, seed=2))


def test_first_random_deal_is_the_same_everywhere(load: Load) -> None:
    deal = next(load("corpora.random_deals").random_deals(1))
    assert deal.to_pbn() == FIRST_RANDOM_DEAL


def test_freak_deals_are_full_and_nearly_all_different(load: Load) -> None:
    deals = list(load("corpora.hard").hard_deals(500))
    assert all(deal.is_full for deal in deals)
    assert len(set(deals)) > 490


@pytest.mark.parametrize(
    ("index", "shape"),
    [(0, (5, 4, 4, 0)), (1, (4, 4, 4, 1)), (2, (6, 5, 2, 0)), (3, (7, 6, 0, 0))],
)
def test_symmetric_freaks_have_one_shape_and_no_touching_cards(
    index: int, shape: tuple[int, int, int, int], load: Load
) -> None:
    for seed in range(20):
        deal = load("corpora.hard").hard_deal(index, seed=seed)
        assert all(hand.shape == shape for hand in deal)
        assert not any(has_touching_cards(deal, seat, suit) for seat in Seat for suit in Suit)


def has_touching_cards(deal: Deal, seat: Seat, suit: Suit) -> bool:
    ranks = deal[seat].bits >> 16 * suit & 0x1FFF
    return bool(ranks & ranks << 1)


def test_every_hand_and_suit_has_a_void_in_the_family_of_voids(load: Load) -> None:
    for index in range(7, 200, 10):
        deal = load("corpora.hard").hard_deal(index)
        assert all(0 in hand.lengths for hand in deal)
        assert all(any(hand.length(suit) == 0 for hand in deal) for suit in Suit)


def test_hardest_deals_are_21_of_the_corpus(load: Load) -> None:
    hard = load("corpora.hard")
    deals = hard.hardest_deals()
    assert len(set(deals)) == 21
    assert set(deals) <= set(hard.hard_deals(2000))


def test_deals_are_read_as_they_were_written(load: Load, tmp_path: Path) -> None:
    hard = load("corpora.hard")
    deals = tuple(hard.hard_deals(3))
    hard.write_deals(tmp_path / "deals.txt", deals, remark="three")
    assert hard.read_deals(tmp_path / "deals.txt") == deals


# --- the studies ---


@given(
    a=st.floats(0.1, 10),
    b=st.floats(0.2, 1.5),
    xs=st.lists(st.integers(1, 10**7), min_size=2, max_size=20, unique=True),
)
def test_power_law_is_found_again(a: float, b: float, xs: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(bench_folder().parent))
        fit_power = importlib.import_module("bench.partition_vs_alphabeta").fit_power
    assert fit_power([(x, a * x**b) for x in xs]) == pytest.approx((a, b), rel=1e-3)


@pytest.mark.parametrize("pairs", [[], [(3, 5)], [(3, 5), (3, 7)]])
def test_power_law_needs_two_different_places(pairs: list[tuple[int, int]], load: Load) -> None:
    assert load("partition_vs_alphabeta").fit_power(pairs) is None


def test_both_searches_are_measured_on_the_same_positions(load: Load) -> None:
    study = load("partition_vs_alphabeta")
    result = study.run(count=1)
    assert result["mismatches"] == 0
    for comparison in result["comparisons"].values():
        assert [cards for cards, _, _ in comparison["points"]] == list(range(12, 49, 4))
    assert result["peer"] > result["ours"]


def test_picture_is_the_same_for_the_same_figures(load: Load, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    study = load("partition_vs_alphabeta")
    result = study.run(count=1)
    pictures = []
    for name in ("a.svg", "b.svg"):
        assert study.plot(result, tmp_path / name)
        pictures.append((tmp_path / name).read_text())
    assert pictures[0] == pictures[1]
    assert "paper: y = 1.57 x^0.76" in pictures[0]


def test_picture_is_left_out_without_matplotlib(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert not load("partition_vs_alphabeta").plot({}, tmp_path / "a.svg")
    assert not (tmp_path / "a.svg").exists()


def test_techniques_are_measured_one_by_one(load: Load) -> None:
    ablation = load("ablation")
    result = ablation.run(count=1, limit_s=0.5)
    assert set(result["without"]) == {technique.name for technique in Technique}
    assert result["mismatches"] == 0
    assert result["without"]["PATTERNS"]["spades"]["nodes_ratio"] > 1
    assert "| `PATTERNS` | " in ablation.table(result)


def test_search_over_its_time_is_stopped_and_counted(load: Load) -> None:
    deal = load("corpora.hard").hard_deal(3)
    measured = load("limited").solve_limited(
        deal, Strain.SPADES, Seat.NORTH, techniques=Technique.QUICK_TRICKS, limit_s=0.05
    )
    assert measured.tricks_ns is None
    assert measured.nodes > 0


def test_search_within_its_time_gives_the_value(load: Load) -> None:
    deal = next(load("corpora.random_deals").random_endings(1, tricks=6))
    measured = load("limited").solve_limited(
        deal, Strain.SPADES, Seat.NORTH, techniques=Technique.ALL, limit_s=60
    )
    assert measured.tricks_ns == solve_deal(deal, Strain.SPADES, Seat.NORTH).tricks_ns


def test_watched_table_is_the_table_of_the_peer(load: Load) -> None:
    pytest.importorskip("endplay")
    hard_deals, peers = load("hard_deals"), load("peers")
    deal = next(load("corpora.random_deals").random_deals(1))
    table, counters = hard_deals.solve_watched(deal)
    assert table == peers.peer_table(peers.peer_deal(deal))
    assert 0 < counters["table_bytes"] <= hard_deals.LIMIT_MB << 20


FIRST_RANDOM_DEAL = "N:763.AQJ862..A862 AQ8.9.K63.KJT543 KJT4.T7.QT9742.7 952.K543.AJ85.Q9"
