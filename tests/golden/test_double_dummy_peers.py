"""Card values and tables compared with DDS, as endplay carries it, on random positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from dds_peer import DdsPeer
from setrograde.bridge import Card, Deal, Play, Seat, Strain, TrickTable
from setrograde.solve.double_dummy import Solver, solve_many, solve_tables
from support import random_deal, random_position

BATCH = 200  # what the peer takes at once
TABLE_BATCH = 20


class Peer(DdsPeer):
    """Card values and tables from it."""

    def card_values(self, plays: Sequence[Play]) -> list[dict[Card, int]]:
        """What the side on turn takes with each legal card, for each position.

        Within a batch the peer takes positions with the same cards in hands for one position,
        whatever lies on the table; so each such position but the first is asked about alone.
        """
        firsts = {play.remaining: play for play in reversed(plays)}
        batch = list(firsts.values())
        answers = dict(zip(firsts, self._answers(batch), strict=True))
        return [
            answers[play.remaining] if firsts[play.remaining] is play else self._answers([play])[0]
            for play in plays
        ]

    def _answers(self, plays: Sequence[Play]) -> list[dict[Card, int]]:
        solved = self.dds.solve_all_boards([self.position(play) for play in plays])
        assert len(solved) == len(plays)
        return [{Card.from_text(str(card)): tricks for card, tricks in board} for board in solved]

    def tables(self, deals: Sequence[Deal]) -> list[TrickTable]:
        solved = self.dds.calc_all_tables([self.types.Deal(deal.to_pbn()) for deal in deals])

        def table(data: Any) -> TrickTable:
            return TrickTable.from_function(
                lambda seat, strain: data[self.denoms[str(strain)], self.players[seat]]
            )

        return [table(data) for data in solved]


@pytest.fixture(scope="module")
def peer() -> Peer:
    return Peer()


def check_positions(peer: Peer, seed: int, counts: dict[int, int]) -> None:
    """Compare `counts[tricks]` positions of each size, card by card.

    Our solver is kept for all positions of a batch, so that sets proved for one deal answer
    about others; positions are ordered by strain, which a change of strain would forget.
    """
    rng = Random(seed)
    seen = Counter[str]()
    for tricks, count in counts.items():
        plays = [random_position(rng, tricks) for _ in range(count)]
        plays.sort(key=lambda play: play.strain)
        for start in range(0, count, BATCH):
            batch = plays[start : start + BATCH]
            solver = Solver(limit_mb=64)
            fresh = solve_many(batch)
            expected = peer.card_values(batch)
            for play, theirs, tricks_ns in zip(batch, expected, fresh, strict=True):
                values = solver.cards(play.deal, play.strain, play.leader, played=play.cards)
                assert {value.card: value.tricks for value in values} == theirs, play
                best = max(theirs.values())
                assert tricks_ns == (best if play.turn in (0, 2) else tricks - best), play
                trick = play.current_trick
                seen.update([str(play.strain), f"{trick.leader} leads", f"{len(trick.cards)} out"])
    assert {str(strain) for strain in Strain} < set(seen), "a strain was left out"
    assert {f"{seat} leads" for seat in Seat} < set(seen), "a leader was left out"
    assert {f"{out} out" for out in range(4)} < set(seen), "a part of the trick was left out"


def check_tables(peer: Peer, seed: int, count: int) -> None:
    rng = Random(seed)
    deals = [random_deal(rng) for _ in range(count)]
    for start in range(0, count, TABLE_BATCH):
        batch = deals[start : start + TABLE_BATCH]
        for deal, ours, theirs in zip(batch, solve_tables(batch), peer.tables(batch), strict=True):
            assert ours == theirs, deal


def test_every_card_of_500_positions_is_worth_what_the_peer_says(peer: Peer) -> None:
    counts = dict.fromkeys(range(1, 11), 44) | {11: 25, 12: 20, 13: 15}
    assert sum(counts.values()) == 500
    check_positions(peer, 2024, counts)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_every_card_of_20000_positions_is_worth_what_the_peer_says(peer: Peer, seed: int) -> None:
    counts = dict.fromkeys(range(1, 12), 400) | {12: 350, 13: 250}
    assert sum(counts.values()) == 5_000
    check_positions(peer, seed, counts)


def test_positions_that_differ_only_on_the_table_are_told_apart(peer: Peer) -> None:
    deals = [Deal.from_pbn(f"N:{led}2... K3... Q4... J5...") for led in "A6"]
    plays = [
        Play(deal, Strain.NOTRUMP, Seat.NORTH, (Card.from_text(f"S{led}"),))
        for deal, led in zip(deals, "A6", strict=True)
    ]
    theirs = peer.card_values(plays)
    king, three = Card.from_text("SK"), Card.from_text("S3")
    assert theirs == [{king: 0, three: 1}, {king: 1, three: 1}]
    solver = Solver()
    for play, values in zip(plays, theirs, strict=True):
        ours = solver.cards(play.deal, play.strain, play.leader, played=play.cards)
        assert {value.card: value.tricks for value in ours} == values


def test_tables_of_20_random_deals_are_the_peers(peer: Peer) -> None:
    check_tables(peer, 7, 20)


@pytest.mark.slow
def test_tables_of_200_random_deals_are_the_peers(peer: Peer) -> None:
    check_tables(peer, 8, 200)
