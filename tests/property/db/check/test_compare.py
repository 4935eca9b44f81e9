"""Laws of what draws prove about the rest."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setrograde.db.check.report import error_bound

confidences = st.floats(0.5, 0.999)


def chance_of_at_most(wrong: int, draws: int, share: Fraction) -> Fraction:
    """Exactly, term by term."""
    return sum(
        (comb(draws, k) * share**k * (1 - share) ** (draws - k) for k in range(wrong + 1)),
        start=Fraction(0),
    )


@st.composite
def outcomes(draw: st.DrawFn, most: int) -> tuple[int, int]:
    draws = draw(st.integers(1, most))
    return draws, draw(st.integers(0, draws - 1))


@given(outcomes(60), confidences)
def test_at_the_bound_so_few_errors_have_the_probability_left_over(
    outcome: tuple[int, int], confidence: float
) -> None:
    draws, wrong = outcome
    bound = Fraction(error_bound(draws, wrong, confidence=confidence))
    chance = chance_of_at_most(wrong, draws, bound)
    assert float(chance) == pytest.approx(1 - confidence, rel=1e-6)


@given(outcomes(5000), confidences)
def test_the_bound_is_above_the_share_seen(outcome: tuple[int, int], confidence: float) -> None:
    draws, wrong = outcome
    assert wrong / draws < error_bound(draws, wrong, confidence=confidence) <= 1


@given(outcomes(5000), confidences)
def test_more_draws_lower_the_bound_and_more_errors_raise_it(
    outcome: tuple[int, int], confidence: float
) -> None:
    draws, wrong = outcome
    bound = error_bound(draws, wrong, confidence=confidence)
    assert error_bound(draws + 1, wrong, confidence=confidence) < bound
    assert error_bound(draws, wrong + 1, confidence=confidence) > bound


@given(st.integers(1, 10**9), confidences)
def test_without_errors_the_bound_is_the_closed_form(draws: int, confidence: float) -> None:
    bound = error_bound(draws, confidence=confidence)
    assert (1 - bound) ** draws == pytest.approx(1 - confidence, rel=1e-6)
