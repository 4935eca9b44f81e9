"""Pairs of hands to ask odds about: part-scores, games and slams, notrump and suits by halves.

Each pair is a function of the seed and its number alone. The question is the number of tricks
whose chance is nearest to 50 % in a sample, which is the hardest to settle; finding it takes a
while, so the questions are kept in a file. `python -m bench.corpora.hand_pairs` writes it anew.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from setrograde.analysis.odds.question import OddsQuestion
from setrograde.bridge import Card, Hand, Seat, Strain, Suit
from setrograde.solve import solve_many

__all__ = ["HAND_PAIRS", "PairQuestion", "hand_pair", "hand_pairs", "read_hand_pairs"]

HAND_PAIRS = Path(__file__).with_name("hand_pairs.txt")
"""One question a line: kind, North, South, strain, declarer, tricks."""

COUNT = 40
KINDS = {"part-score": (18, 23), "game": (24, 28), "slam": (30, 34)}
"""High card points of both hands together."""

_SAMPLES = 200
_REMARK = "# python -m bench.corpora.hand_pairs: kind, North, South, strain, declarer, tricks"


@dataclass(frozen=True, slots=True)
class PairQuestion:
    """Two hands, who plays what, and the tricks asked for."""

    kind: str
    question: OddsQuestion
    need: int

    def __str__(self) -> str:
        asked = self.question
        north, south = asked.known[Seat.NORTH], asked.known[Seat.SOUTH]
        return f"{self.kind} {north} {south} {asked.strain} {asked.declarer} {self.need}"


def hand_pairs(count: int = COUNT, *, seed: int = 1) -> Iterator[PairQuestion]:
    """The first `count` questions of a seed; all kinds in turn."""
    for index in range(count):
        yield hand_pair(index, seed=seed)


def hand_pair(index: int, *, seed: int = 1) -> PairQuestion:
    """Question number `index`."""
    rng = random.Random(f"{seed}/pairs/{index}")
    kind = list(KINDS)[index // 2 % len(KINDS)]
    is_notrump = index % 2 == 0
    while True:
        hands = _two_hands(rng)
        strain = _strain(*hands, kind, is_notrump)
        if strain is not None:
            break
    declarer = (Seat.NORTH, Seat.SOUTH)[int(2 * rng.random())]
    question = OddsQuestion.of(*hands, strain, declarer)
    return PairQuestion(kind, question, _even_need(question, index))


def _two_hands(rng: random.Random) -> tuple[Hand, Hand]:
    cards = sorted(Card.ALL, key=lambda _: rng.random())
    return Hand.from_cards(cards[:13]), Hand.from_cards(cards[13:26])


def _strain(north: Hand, south: Hand, kind: str, is_notrump: bool) -> Strain | None:
    """What the pair would play, or `None` if it is not of that kind."""
    low, high = KINDS[kind]
    if not low <= north.hcp + south.hcp <= high:
        return None
    lengths = (north | south).lengths
    longest = max(Suit, key=lambda suit: (lengths[suit], suit))
    if is_notrump:
        both_balanced = north.is_balanced and south.is_balanced
        return Strain.NOTRUMP if both_balanced and lengths[longest] <= 8 else None
    return longest.strain if lengths[longest] >= 8 else None


def _even_need(question: OddsQuestion, seed: int) -> int:
    """The number of tricks nearest to 50 % in a sample."""
    layouts = question.layouts.sample(_SAMPLES, seed=seed)
    tricks = solve_many([question.play_of(layout) for layout in layouts], limit_mb=64)
    return min(range(1, 14), key=lambda n: abs(sum(t >= n for t in tricks) - _SAMPLES / 2))


def read_hand_pairs(count: int = COUNT) -> list[PairQuestion]:
    """The first `count` questions of the file."""
    found = []
    lines = [line for line in HAND_PAIRS.read_text("utf-8").splitlines() if line[:1] != "#"]
    for line in lines[:count]:
        kind, north, south, strain, declarer, need = line.split()
        question = OddsQuestion.of(
            Hand.from_text(north),
            Hand.from_text(south),
            Strain.from_text(strain),
            Seat.from_text(declarer),
        )
        found.append(PairQuestion(kind, question, int(need)))
    return found


def main() -> int:
    """Write the file."""
    lines = [_REMARK]
    for pair in hand_pairs():
        lines.append(str(pair))
        print(lines[-1], flush=True)
    HAND_PAIRS.write_text("\n".join(lines) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
