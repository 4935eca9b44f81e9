"""Mutated PBN files, with Hypothesis to shrink what it finds; see also `tests/fuzz/fuzz_pbn.py`."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from fuzz.fuzz_pbn import SEEDS, run
from fuzz.mutate import mutate


@given(st.sampled_from(SEEDS), st.randoms(use_true_random=False))
def test_mutated_files_never_break_the_readers(data: bytes, rng: Random) -> None:
    run(mutate(data, SEEDS, rng))
