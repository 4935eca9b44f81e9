"""Odds by definition: every layout listed and solved for itself, with the interface of the core."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

from oracle.play import winner
from setrograde.analysis.odds.question import OddsQuestion
from setrograde.bridge import Card, Deal, Hand, InvalidPlay, Play, Seat, Strain
from setrograde.common.stop import StopFlag, check_stop
from setrograde.solve import Solver


def all_layouts(question: OddsQuestion) -> list[Play]:
    """Every position that is possible: all ways to deal the hidden cards, less what is ruled out.

    A layout is possible if both hidden hands, as dealt, are allowed by their constraints and the
    cards played were legal.
    """
    first, second = question.hidden_seats
    gone = {seat: Hand() for seat in Seat}
    turn, trick = question.leader, list[Card]()
    for card in question.played:
        gone[turn] |= Hand.from_cards([card])
        trick.append(card)
        turn = turn.next
        if len(trick) == 4:
            turn, trick = winner(trick, turn, question.strain), []
    left = question.hidden - gone[first] - gone[second]
    found = []
    for held in combinations(left, question.tricks - len(gone[first])):
        hands = list(question.known.hands)
        hands[first] = Hand.from_cards(held) | gone[first]
        hands[second] = question.hidden - hands[first]
        n, e, s, w = hands
        deal = Deal((n, e, s, w))
        if not question.constraint.allows(deal):
            continue
        try:
            play = Play(deal, question.strain, question.leader, question.played)
        except InvalidPlay:
            continue
        found.append(play)
    return found


@dataclass(frozen=True)
class ListedSet:
    makes: bool
    layouts: int
    bounds: list[tuple[int, int, int]]


@dataclass(frozen=True)
class ListedResult:
    yes: int
    no: int
    open: int
    sets: list[ListedSet]
    solves: int
    nodes: int = 0
    told_apart: int = 0


class ListedLayouts:
    """What `_core.OddsSolver` promises, with one set for each layout."""

    def __init__(
        self,
        north: int,
        south: int,
        hidden: int,
        strain: int,
        leader: int,
        *,
        trick: Sequence[int] = (),
        shapes: Sequence[tuple[int, int, int, int]] | None = None,
        points: tuple[int, int] = (0, 40),
        east: int = 0,
        west: int = 0,
        cases: Sequence[tuple[Sequence[tuple[int, int, int, int]], int, int, int]] | None = None,
        limit_bytes: int = 1 << 30,
        endings: object = None,
    ) -> None:
        self.cards = list(Hand(hidden))
        table = [Card.ALL[13 * (place >> 4) + (place & 15)] for place in trick]
        owners = [Seat(leader).next_by(step) for step in range(len(table))]
        sizes = len(Hand(north)) + owners.count(Seat.NORTH)
        size_east = sizes - owners.count(Seat.EAST)
        self.tricks = {}
        solver = Solver(limit_mb=64)
        for held in combinations(self.cards, size_east):
            layout = Hand.from_cards(held)
            if layout.bits & east != east or layout.bits & west:
                continue
            if not points[0] <= layout.hcp <= points[1]:
                continue
            if shapes is not None and layout.lengths not in shapes:
                continue
            if cases is not None and not any(
                layout.lengths in lengths
                and allowed >> layout.hcp & 1
                and layout.bits & mine == mine
                and not layout.bits & theirs
                for lengths, allowed, mine, theirs in cases
            ):
                continue
            hands = [Hand(north), layout, Hand(south), Hand(hidden) - layout]
            for seat, card in zip(owners, table, strict=True):
                hands[seat] |= Hand.from_cards([card])
            n, e, s, w = hands
            deal = Deal((n, e, s, w))
            solution = solver.solve(deal, Strain(strain), Seat(leader), played=table)
            self.tricks[layout] = solution.tricks_ns

    @property
    def layouts(self) -> int:
        return len(self.tricks)

    def settle(
        self,
        need: int,
        *,
        method: str = "classes",
        threads: int = 1,
        progress: Callable[[Any], bool] | None = None,
        stop: StopFlag | None = None,
    ) -> ListedResult:
        sets = []
        for layout, tricks in self.tricks.items():
            bounds = [(card.bit, int(card in layout), int(card in layout)) for card in self.cards]
            sets.append(ListedSet(tricks >= need, 1, bounds))
            yes = sum(found.makes for found in sets)
            left = self.layouts - len(sets)
            so_far = ListedResult(yes, len(sets) - yes, left, sets, len(sets))
            if (progress is not None and progress(so_far)) or (stop is not None and stop.is_set):
                return so_far
        return so_far

    def sample(
        self,
        count: int,
        seed: int,
        need: int | None = None,
        *,
        progress: Callable[[int], bool] | None = None,
        stop: StopFlag | None = None,
    ) -> list[int]:
        check_stop(stop)
        drawn = Random(seed).choices(list(self.tricks.values()), k=count)
        return drawn if need is None else [need - (tricks < need) for tricks in drawn]
