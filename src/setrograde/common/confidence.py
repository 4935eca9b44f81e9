"""What independent random draws say about the whole, with a stated confidence."""

from __future__ import annotations

import math

from setrograde.errors import InvalidInput

__all__ = ["error_bound"]


def error_bound(draws: int, wrong: int = 0, *, confidence: float = 0.95) -> float:
    """Upper bound on the share of wrong values, from the wrong answers among independent draws.

    If a larger share were wrong, so few wrong answers would turn up with a probability of at most
    `1 - confidence`. This is the upper end of the one-sided interval of Clopper and Pearson; with
    no wrong answer it is `1 - (1 - confidence) ** (1 / draws)`.

    >>> round(error_bound(1000), 6), round(error_bound(10, 1), 4), error_bound(0)
    (0.002991, 0.3942, 1.0)
    """
    if not 0.5 <= confidence < 1:
        raise InvalidInput(f"not a confidence: {confidence} (expected 0.5 to below 1)")
    if not 0 <= wrong <= draws:
        raise InvalidInput(f"not a number of errors: {wrong} (expected 0 to {draws})")
    if wrong == draws:
        return 1.0
    risk = 1 - confidence
    if wrong == 0:
        return -math.expm1(math.log(risk) / draws)
    low, high = wrong / draws, 1.0  # at `low`, so few have a probability of a half or more
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if _chance_of_at_most(wrong, draws, middle) > risk:
            low = middle
        else:
            high = middle
    return high


def _chance_of_at_most(wrong: int, draws: int, share: float) -> float:
    """The chance of at most `wrong` errors, of which a share above `wrong / draws` is expected."""
    term = math.exp(
        math.lgamma(draws + 1)
        - math.lgamma(wrong + 1)
        - math.lgamma(draws - wrong + 1)
        + wrong * math.log(share)
        + (draws - wrong) * math.log1p(-share)
    )
    total = 0.0
    for errors in range(wrong, -1, -1):
        total += term
        # Each term is smaller than the one before.
        term *= errors * (1 - share) / ((draws - errors + 1) * share)
        if term <= 1e-17 * total:
            break
    return total
