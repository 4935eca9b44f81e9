"""Odds compared with DDS, as endplay carries it, asked about the layouts one by one."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from dds_peer import DdsPeer
from odds_problems import random_question
from oracle.odds import all_layouts
from setrograde.analysis.odds.exact import solve_odds
from setrograde.analysis.odds.question import OddsQuestion
from setrograde.analysis.odds.result import wilson_interval
from setrograde.bridge import Play, Seat, Side, Strain, Suit
from support import random_deal

BATCH = 200  # what the peer takes at once


class Peer(DdsPeer):
    """North-South's tricks from positions in which their cards differ."""

    def tricks_ns(self, plays: Sequence[Play], *, is_whole: bool = False) -> list[int]:
        """Of whole deals one best card is asked for; in endings that mode may leave it unsolved."""
        modes = importlib.import_module("endplay.dds.solve").SolveMode
        mode = modes.OptimalOne if is_whole else modes.Default
        found = []
        for start in range(0, len(plays), BATCH):
            batch = plays[start : start + BATCH]
            solved = self.dds.solve_all_boards([self.position(play) for play in batch], mode)
            for play, board in zip(batch, solved, strict=True):
                best = max(tricks for _, tricks in board)
                left = max(len(hand) for hand in play.remaining)
                found.append(best if play.turn.side is Side.NS else left - best)
        return found


@pytest.fixture(scope="module")
def peer() -> Peer:
    return Peer()


def brute_force(peer: Peer, question: OddsQuestion) -> dict[int, int]:
    """Declarer's tricks over all layouts."""
    plays = all_layouts(question)
    side = question.declarer.side
    counts = Counter[int]()
    for play, ns in zip(plays, peer.tricks_ns(plays), strict=True):
        left = max(len(hand) for hand in play.remaining)
        counts[play.tricks_won(side) + (ns if side is Side.NS else left - ns)] += 1
    return dict(sorted(counts.items()))


def check_reduced_problem(peer: Peer, seed: int) -> None:
    """3 to 6 tricks to come: 6 to 12 unseen cards; constraints in every second problem."""
    rng = Random(f"odds/{seed}")
    question = random_question(rng, rng.randint(3, 6), with_constraints=seed % 2 == 1)
    found = solve_odds(question, limit_mb=256)
    spread = found.distribution
    assert spread is not None
    assert spread == brute_force(peer, question), question
    assert sum(spread.values()) == found.layouts == question.layouts.count()
    for need, settled in found.settled.items():
        assert settled.makes == sum(count for tricks, count in spread.items() if tricks >= need)
        if settled.sets is not None:
            assert sum(each.layouts for each in settled.sets) == found.layouts


@pytest.mark.parametrize("seed", range(40))
def test_reduced_problems_agree_with_every_layout_solved_by_the_peer(peer: Peer, seed: int) -> None:
    check_reduced_problem(peer, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40, 300))
def test_many_more_reduced_problems_agree(peer: Peer, seed: int) -> None:
    check_reduced_problem(peer, seed)


def strong_hands(rng: Random, *, is_notrump: bool) -> OddsQuestion:
    """Enough points that few cards matter, so that all layouts are settled in seconds."""
    while True:
        deal = random_deal(rng)
        north, south = deal[Seat.NORTH], deal[Seat.SOUTH]
        lengths = (north | south).lengths
        longest = max(Suit, key=lambda suit: lengths[suit])
        if north.hcp + south.hcp < 27 or lengths[longest] < (7 if is_notrump else 9):
            continue
        strain = Strain.NOTRUMP if is_notrump else longest.strain
        return OddsQuestion.of(north, south, strain, Seat.SOUTH)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_full_problems_agree_with_samples_of_the_peer(peer: Peer, seed: int) -> None:
    """Strong hands of a random deal, in their long suit or in notrump; 2,000 layouts by the peer.

    Over ten problems one or two may lie outside an interval of 95 %; so twice that is allowed,
    which none should leave.
    """
    question = strong_hands(Random(f"full/{seed}"), is_notrump=seed % 2 == 1)
    layouts = question.layouts.sample(2_000, seed=seed)
    tricks = peer.tricks_ns([question.play_of(layout) for layout in layouts], is_whole=True)
    need = max(1, sorted(tricks)[len(tricks) // 2])
    made = sum(n >= need for n in tricks)
    low, high = wilson_interval(made, len(tricks))
    middle, half = (low + high) / 2, (high - low) / 2
    found = solve_odds(question, need=need, limit_mb=1024)
    assert found.layouts == 10_400_600
    assert found.probability is not None
    assert abs(float(found.probability) - middle) <= 2 * half
