"""`setrograde suit --quiz`: practice. It deals a holding, asks for a first play and judges it."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from setrograde.analysis.suit import (
    SuitHolding,
    SuitSolution,
    describe_line,
    find_line,
    solve_suit,
)
from setrograde.analysis.suit.ranks import rank_bits
from setrograde.analysis.suit.starts import Start, find_starts
from setrograde.cli.common import print_json
from setrograde.common.words import count_of

__all__ = ["Question", "deal_question", "run_quiz"]

_LETTERS = "abcdefgh"
_MOST_LINES = 100  # more take long to judge, and nobody could follow them
_WIDTH = 100


class Question:
    """A holding, the tricks wanted, and ways to begin to choose from.

    >>> question = deal_question(random.Random(1))
    >>> 2 <= len(question.starts) <= 8, question.best in question.starts
    (True, True)
    """

    def __init__(self, solution: SuitSolution, need: int, starts: Sequence[Start]) -> None:
        self.solution = solution
        self.need = need
        self.starts = starts

    @property
    def best(self) -> Start:
        """The best of the ways to begin."""
        return max(self.starts, key=lambda start: start.value)


def deal_question(rng: random.Random) -> Question:
    """Deal a holding in which the first play matters."""
    while True:
        cards = rng.sample(range(13), rng.randint(6, 9))
        cut = rng.randint(max(2, len(cards) - 6), len(cards) // 2 + 1)
        solution = solve_suit(SuitHolding(rank_bits(cards[:cut]), rank_bits(cards[cut:])))
        if not solution.is_complete or len(solution.outcomes) > _MOST_LINES:
            continue
        for need in range(solution.holding.tricks_most, 0, -1):
            if not Fraction(1, 5) <= solution.probability(need) <= Fraction(19, 20):
                continue
            starts = find_starts(solution, need)[: len(_LETTERS)]
            values = {start.value for start in starts}
            if len(values) > 1 and max(values) - min(values) >= Fraction(1, 20):
                return Question(solution, need, sorted(starts, key=lambda start: start.text))


def run_quiz(*, seed: int | None, is_json: bool) -> int:
    """Ask until the answers end; with JSON, print one question with its answers."""
    rng = random.Random(seed)
    if is_json:
        print_json(_json(deal_question(rng)))
        return 0
    right = asked = 0
    while True:
        question = deal_question(rng)
        _ask(question)
        answer = _answer(len(question.starts))
        if answer is None:
            break
        asked += 1
        right += _judge(question, question.starts[answer])
    print(f"{right} of {asked} right")
    return 0


def _ask(question: Question) -> None:
    holding = question.solution.holding
    print(f"North {holding.north}")
    print(f"South {holding.south}")
    print(f"You need {count_of(question.need, 'trick')}. How do you begin?")
    for letter, start in zip(_LETTERS, question.starts, strict=False):
        print(f"  {letter}  {start.text}")


def _answer(count: int) -> int | None:
    """The number of the play chosen; `None` at the end of the input or for q."""
    while True:
        print("Letter, or q to stop: ", end="", flush=True)
        line = sys.stdin.readline()
        text = line.strip().lower()
        if not line or text == "q":
            print()
            return None
        if len(text) == 1 and text in _LETTERS[:count]:
            return _LETTERS.index(text)
        print(f"not a choice: {text[:20]!r} (expected {_LETTERS[0]} to {_LETTERS[count - 1]})")


def _judge(question: Question, start: Start) -> bool:
    value, best = start.value, question.best.value
    if value == best:
        print(f"Right: {float(100 * value):.1f} %.")
    else:
        better = f"{question.best.text}: {float(100 * best):.1f} %"
        print(f"That is {float(100 * value):.1f} %. Better: {better}.")
    solution = question.solution
    line = find_line(solution, solution.best(need=question.need))
    print(describe_line(solution, line, width=_WIDTH))
    print()
    return value == best


def _json(question: Question) -> dict[str, Any]:
    holding = question.solution.holding
    return {
        "north": holding.north,
        "south": holding.south,
        "need": question.need,
        "plays": [{"play": start.text, "value": float(start.value)} for start in question.starts],
        "best": question.best.text,
    }
