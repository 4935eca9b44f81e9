"""A little fuzzing in every run, more if asked for; see `tests/fuzz/fuzz_pbn.py`."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.fuzz_pbn import SEEDS, run, seeds
from fuzz.mutate import fuzz_loop, mutate


@given(st.sampled_from(SEEDS), st.randoms(use_true_random=False))
def test_mutated_files_never_break_the_readers(data: bytes, rng: Random) -> None:
    run(mutate(data, SEEDS, rng))


def test_a_few_seconds_of_fuzzing_find_nothing() -> None:
    report = fuzz_loop(run, seeds(), seconds=3, seed=1)
    assert report.failures == [], str(report)


@pytest.mark.slow
@pytest.mark.skipif(
    "SETROGRADE_FUZZ_SECONDS" not in os.environ, reason="set SETROGRADE_FUZZ_SECONDS to run"
)
def test_long_fuzzing_finds_nothing() -> None:
    report = fuzz_loop(run, seeds(), float(os.environ["SETROGRADE_FUZZ_SECONDS"]), seed=2)
    assert report.failures == [], str(report)
