"""`limit_mb` bounds a whole call, whatever its number of threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from setrograde import _core
from setrograde.analysis.odds import batches
from setrograde.analysis.odds.contracts import compare_contracts, odds_table
from setrograde.analysis.odds.core import OddsCore
from setrograde.analysis.odds.exact import odds_stream
from setrograde.analysis.odds.leads import lead_odds
from setrograde.analysis.odds.question import OddsQuestion
from setrograde.bridge import Contract, Hand, InvalidInput, Seat, Strain
from setrograde.solve import Solver


def ending() -> OddsQuestion:
    return OddsQuestion.of(
        Hand.from_text("AQT.A.."),
        Hand.from_text("432.2.."),
        Strain.NOTRUMP,
        Seat.SOUTH,
        hidden=Hand.from_text("KJ98.KQJT.."),
    )


class Ledger:
    """The memory that each solver was given; each may live until the call ends."""

    def __init__(self) -> None:
        self.given_mb: list[int] = []

    def open(self, *, limit_mb: int, **options: Any) -> Solver:
        self.given_mb.append(limit_mb)
        return Solver(limit_mb=limit_mb, **options)


@pytest.fixture
def ledger(monkeypatch: pytest.MonkeyPatch) -> Ledger:
    kept = Ledger()
    monkeypatch.setattr(batches, "Solver", kept.open)
    return kept


def compare(limit_mb: int, threads: int) -> object:
    asked = [Contract.from_text(word) for word in ["1NTS", "1SS", "1HN", "1CW", "Pass"]]
    return compare_contracts(ending(), asked, limit_mb=limit_mb, threads=threads)


def table(limit_mb: int, threads: int) -> object:
    return odds_table(ending(), exact=False, samples=10, limit_mb=limit_mb, threads=threads)


def lead(limit_mb: int, threads: int) -> object:
    return lead_odds(
        Hand.from_text("KJ.2.."),
        Contract.from_text("1NTS"),
        dummy=Hand.from_text("AQ.A.."),
        hidden=Hand.from_text("T98.543.."),
        limit_mb=limit_mb,
        threads=threads,
    )


@pytest.mark.parametrize("ask", [compare, table, lead])
@pytest.mark.parametrize(("limit_mb", "threads"), [(128, 4), (64, 1), (40, 4), (8, 3)])
def test_solvers_of_all_threads_share_the_limit(
    ask: Callable[[int, int], object], limit_mb: int, threads: int, ledger: Ledger
) -> None:
    ask(limit_mb, threads)
    assert 0 < sum(ledger.given_mb) <= limit_mb
    strains = 4
    assert len(ledger.given_mb) <= threads * strains


@pytest.mark.parametrize("ask", [compare, table, lead])
def test_answers_do_not_depend_on_the_limit(ask: Callable[[int, int], object]) -> None:
    assert ask(8, 3) == ask(512, 2)


@pytest.mark.parametrize("ask", [compare, table, lead])
@pytest.mark.parametrize("limit_mb", [0, 1, 1 << 21])
def test_what_is_no_limit_is_refused(ask: Callable[[int, int], object], limit_mb: int) -> None:
    with pytest.raises(InvalidInput, match=f"not a memory limit: {limit_mb} MB"):
        ask(limit_mb, 1)


LEAST_BYTES = 2 << 20
"""What a search takes, however little it is given."""


@pytest.mark.parametrize("method", ["patterns", "classes"])
@pytest.mark.parametrize(
    ("limit_mb", "threads"), [(2, 1), (3, 8), (4, 2), (9, 4), (16, 64), (100, 8), (1024, 2)]
)
def test_settling_and_sampling_share_the_limit(
    method: str, limit_mb: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The searches that settle, each on its thread, and the one that samples beside them."""
    settled: list[tuple[int, int]] = []

    class Recorder(_core.OddsSolver):
        def __init__(self, *args: Any, limit_bytes: int, **options: Any) -> None:
            super().__init__(*args, limit_bytes=limit_bytes, **options)
            self.limit_bytes = limit_bytes

        def settle(self, need: int, *, threads: int = 1, **options: Any) -> _core.OddsResult:
            settled.append((self.limit_bytes, threads))
            return super().settle(need, threads=threads, **options)

    monkeypatch.setattr(_core, "OddsSolver", Recorder)
    if method == "classes" and limit_mb < 6:
        with pytest.raises(InvalidInput, match="not a memory limit"):
            OddsCore(ending(), limit_mb=limit_mb, threads=threads, method="classes")
        return
    core = OddsCore(ending(), limit_mb=limit_mb, threads=threads, method=method)  # type: ignore[arg-type]
    assert core.settle(3).open == 0
    (settle_bytes, settle_threads) = settled[0]
    assert 1 <= settle_threads <= threads
    assert settle_bytes // settle_threads >= LEAST_BYTES * (3 if method == "classes" else 1)
    beside = core.sample_bytes if core.can_sample_beside else 0
    assert settle_bytes + beside <= limit_mb << 20
    assert 1 <= core.sample_threads <= threads
    assert core.sample_bytes >= LEAST_BYTES
    assert core.sample_threads * core.sample_bytes <= limit_mb << 20


def test_a_small_limit_still_gives_estimate_and_answer() -> None:
    *_, last = odds_stream(ending(), need=3, samples=20, limit_mb=2, threads=4)
    assert last.exact
    assert last.sample is not None
    assert len(last.sample.tricks) == 20
