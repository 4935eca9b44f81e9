"""A robot that plays cards: declarer, dummy, both defenders and the opening lead.

>>> player = Player(seconds=2, seed=1, goal="make", method="monte_carlo")
>>> player.play("AK32.A2.A32.A432", dummy="QJ4.K43.K54.K765", contract="3NTS", seat="S",
...             played="HQ H3 H5")
Card.from_text('HA')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from setrograde.bridge import Auction, Card, Hand, Seat, Vulnerability
from setrograde.bridge.coerce import (
    AuctionLike,
    CardsLike,
    ContractLike,
    HandLike,
    SeatLike,
    VulnerabilityLike,
    as_auction,
    as_contract,
)
from setrograde.bridge.constraints import HandConstraint
from setrograde.common.stop import StopFlag
from setrograde.errors import InvalidInput
from setrograde.robot.inference import Inference, equal_classes
from setrograde.robot.knowledge import Knowledge
from setrograde.robot.pool import Pool, World
from setrograde.robot.signals import Signals
from setrograde.robot.values import DoubleDummy
from setrograde.solve import Solver
from setrograde.solve.strategy import LayoutClasses, StrategySearch

from .decision import Candidate, Decision
from .goals import GOALS, Goal
from .halving import halve
from .monte_carlo import Averages, CardTable, Clock, average, averages, broaden, is_clear
from .strategy import Searcher, find_classes
from .ties import chances_to_err
from .words import explain

__all__ = ["METHODS", "Player"]

METHODS = ("strategy", "monte_carlo")
"""How cards are chosen."""

_WORLDS = {13: 32, 12: 40, 11: 60, 10: 80, 9: 100}
"""Worlds by tricks left, if the user does not say: where they cost more, there are fewer."""

_MOST_WORLDS = 120

_DEFENCE_WORLDS = {13: 32, 12: 32, 11: 40, 10: 48}
_MOST_DEFENCE_WORLDS = 56
"""The same for a defender, who weighs each world by every card that declarer and partner chose."""

_CLASSES_FROM = 9
"""Tricks left from which all layouts are looked at in classes, if they are few enough."""

_MOST_CLASSES = 320

_DEPTH = 3
_DEPTH_DEFENCE = 1
"""Own cards chosen blind, as declarer and as defender. A defender gains nothing by more: partner
and declarer do not play with all cards in view, as the search has it.
"""

_WORK = 60_000
"""Work of one strategy search, about a thirtieth of a second."""

_TIED = 0.02
"""Cards whose scores differ by less are taken for equal."""

_TIES_FROM = 10
_TIE_WORLDS = 12
"""Tricks left from which ties are looked into, and in how many worlds."""

_BLEND = 1.0
_BLEND_DEFENCE = 1.0
"""What a card's double-dummy value counts beside the value of the best strategy after it: real
opponents do not see all cards, and cards that are equal against perfect ones differ against them.
"""


@dataclass
class _Table:
    """What the player keeps during a board."""

    known: Knowledge
    pool: Pool
    ask: DoubleDummy
    searcher: Searcher


@dataclass
class _Sample:
    """The worlds of one decision, as cards of the first hidden hand."""

    worlds: NDArray[np.uint64]
    weights: NDArray[np.float64]
    classes: LayoutClasses | None = None


class Player:
    """Chooses cards by simulation; only what the seat may see is used.

    The same seed gives the same card on every machine as long as the work, not the clock, ends the
    search; `seconds` is a limit for one decision. One `Player` may be asked about any board at any
    time. It keeps its worlds from move to move if the questions follow a board card by card.
    """

    def __init__(
        self,
        seconds: float = 2.0,
        seed: int = 1,
        goal: str = "imps",
        method: str = "strategy",
        worlds: int | None = None,
        *,
        infer: bool = True,
        signals: Signals | str = "off",
        depth: int = _DEPTH,
        depth_defence: int = _DEPTH_DEFENCE,
        work: int = _WORK,
        blend: float = _BLEND,
        blend_defence: float = _BLEND_DEFENCE,
        limit_mb: int = 256,
        stop: StopFlag | None = None,
    ) -> None:
        if seconds <= 0:
            raise InvalidInput(f"not a time: {seconds} s (expected more than 0)")
        if goal not in GOALS:
            raise InvalidInput(f"not a goal: {goal!r} (expected {', '.join(GOALS)})")
        if method not in METHODS:
            raise InvalidInput(f"not a method: {method!r} (expected {', '.join(METHODS)})")
        if worlds is not None and not 1 <= worlds <= 100_000:
            raise InvalidInput(f"not a number of worlds: {worlds} (expected 1 to 100000)")
        self.seconds = seconds
        self.seed = seed
        self.goal = goal
        self.method = method
        self.worlds = worlds
        self.infer = infer
        self.signals = Signals.from_text(signals) if isinstance(signals, str) else signals
        self.depth = depth if method == "strategy" else 1
        self.depth_defence = depth_defence if method == "strategy" else 1
        self.work = work
        self.blend = blend
        self.blend_defence = blend_defence
        self.stop = stop
        self._solver = Solver(limit_mb=max(2, limit_mb // 2))
        self._search = StrategySearch(limit_mb=max(4, limit_mb // 2))
        self._tables: dict[Seat, _Table] = {}

    def play(
        self,
        hand: HandLike,
        *,
        contract: ContractLike,
        seat: SeatLike,
        dummy: HandLike | None = None,
        played: CardsLike = (),
        auction: AuctionLike | None = None,
        dealer: SeatLike | None = None,
        vul: VulnerabilityLike = Vulnerability.NONE,
        meanings: Mapping[Seat, HandConstraint] | Mapping[str, str] | None = None,
    ) -> Card:
        """The card to play. `hand` and `dummy` are whole hands, as they were before the play.

        Declarer's hand is given for dummy's cards too. `meanings` says what the auction tells of
        the hands, by seat, like `{"W": "hcp 12+, spades 5+"}`.
        """
        return self.decide(
            hand,
            contract=contract,
            seat=seat,
            dummy=dummy,
            played=played,
            auction=auction,
            dealer=dealer,
            vul=vul,
            meanings=meanings,
        ).choice

    def lead(
        self,
        hand: HandLike,
        *,
        contract: ContractLike,
        auction: AuctionLike | None = None,
        dealer: SeatLike | None = None,
        vul: VulnerabilityLike = Vulnerability.NONE,
        meanings: Mapping[Seat, HandConstraint] | Mapping[str, str] | None = None,
    ) -> Card:
        """The opening lead from `hand` against `contract`.

        >>> Player(worlds=8).lead("KQJT9.32.432.432", contract="3NTS")
        Card.from_text('SK')
        """
        return self.decide(
            hand,
            contract=contract,
            seat=as_contract(contract).leader,
            auction=auction,
            dealer=dealer,
            vul=vul,
            meanings=meanings,
        ).choice

    def decide(
        self,
        hand: HandLike | Knowledge,
        *,
        contract: ContractLike | None = None,
        seat: SeatLike | None = None,
        dummy: HandLike | None = None,
        played: CardsLike = (),
        auction: AuctionLike | None = None,
        dealer: SeatLike | None = None,
        vul: VulnerabilityLike = Vulnerability.NONE,
        meanings: Mapping[Seat, HandConstraint] | Mapping[str, str] | None = None,
    ) -> Decision:
        """The card to play with everything that led to it; `hand` may be a `Knowledge` instead."""
        if isinstance(hand, Knowledge):
            return self._decide(hand)
        if contract is None or seat is None:
            raise InvalidInput("no contract or no seat (expected like contract='3NTS', seat='S')")
        calls = None
        if auction is not None:
            if not isinstance(auction, Auction) and dealer is None:
                raise InvalidInput(f"no dealer for the calls {auction!r} (expected dealer=)")
            calls = auction if isinstance(auction, Auction) else as_auction(auction, dealer)  # type: ignore[arg-type]
        known = Knowledge(
            seat=seat,
            contract=contract,
            hand=hand,
            dummy=dummy,
            played=played,
            vulnerability=vul,
            auction=calls,
            meanings={} if meanings is None else meanings,
        )
        return self._decide(known)

    # Inside

    def _decide(self, known: Knowledge) -> Decision:
        clock = Clock(self.seconds)
        cards = known.legal_cards()
        if known.turn not in (known.seat, known.dummy_seat) or (
            known.turn == known.dummy_seat and not known.is_declarer
        ):
            turn, seat = known.turn.name.title(), known.seat.name.title()
            raise InvalidInput(f"it is {turn}'s turn, not {seat}'s")
        own = known.left(known.turn).bits
        on_table = sum([card.bit for card in known.trick])  # a card between two makes them differ
        rest = (known.deck.bits & ~known.gone.bits & ~own) | on_table
        groups = equal_classes(sum([card.bit for card in cards]), rest)
        if len(groups) == 1:
            return self._forced(known, cards, clock)
        table = self._table(known)
        if not known.played:
            return self._lead(known, table, groups, clock)
        sample = self._sample(known, table, clock)
        return self._choose(known, table, sample, clock)

    def _forced(self, known: Knowledge, cards: tuple[Card, ...], clock: Clock) -> Decision:
        why = "the only card" if len(cards) == 1 else "all cards are equal"
        choice = cards[-1]
        return Decision(
            choice,
            known.turn,
            (Candidate(choice, 0.0, 0.0, why),),
            samples=0,
            seed=self.seed,
            goal=self.goal,
            method="forced",
            is_exact=True,
            reasons=(f"{choice}: {why}.",),
            seconds=clock.spent,
        )

    def _table(self, known: Knowledge) -> _Table:
        """What was kept of this board, brought up to date; or a fresh start."""
        table = self._tables.get(known.seat)
        if table is None or not _follows(table.known, known):
            ask = DoubleDummy(known.strain, known.declarer.side, self._solver, self.stop)
            # Declarer learns little from what the defenders' cards cost, and it takes time.
            first = 52 if known.is_declarer else 8
            inference = (
                Inference(ask, signals=self.signals, first_card=first) if self.infer else None
            )
            searcher = Searcher(self._goal(known), self._search, self.stop)
            table = _Table(known, Pool(self.seed, inference, self.stop), ask, searcher)
            self._tables[known.seat] = table
        table.pool.update(known)
        table.known = known
        return table

    def _worlds(self, known: Knowledge, table: _Table, clock: Clock) -> list[World]:
        left = known.total_tricks - len(known.played) // 4
        if known.is_declarer or not known.played:
            usual = _WORLDS.get(left, _MOST_WORLDS)
        else:
            usual = _DEFENCE_WORLDS.get(left, _MOST_DEFENCE_WORLDS)
        count = self.worlds or usual
        drawing = 0.4 * self.seconds  # the rest of the time is for solving
        table.pool.fill(known, count, is_up=lambda: clock.spent > drawing)
        return table.pool.sample(known, count)

    def _goal(self, known: Knowledge) -> Goal:
        return Goal(
            self.goal,
            known.contract,
            known.is_vulnerable,
            known.total_tricks,
            known.won_before,
        )

    def _sample(self, known: Knowledge, table: _Table, clock: Clock) -> _Sample:
        """Classes of all layouts where they are few enough, else worlds drawn at random."""
        first = known.hidden_seats[0]
        left = known.total_tricks - len(known.played) // 4
        told = any(seat in known.meanings for seat in known.hidden_seats)
        if self.depth > 1 and known.is_declarer and left <= _CLASSES_FROM and not told:
            classes = find_classes(known, _MOST_CLASSES, seed=self.seed)
            if classes is not None:
                weights = classes.weights / classes.weights.sum()
                return _Sample(classes.worlds, weights, classes)
        worlds = self._worlds(known, table, clock)
        return _Sample(
            np.array([world.hands[first] for world in worlds], np.uint64),
            np.array([world.weight for world in worlds]),
        )

    def _choose(self, known: Knowledge, table: _Table, sample: _Sample, clock: Clock) -> Decision:
        """Double dummy in growing portions of the worlds, then strategies for all of them."""
        searcher = table.searcher
        worth = searcher.goal.own_table(is_declarer=known.is_declarer)
        most_depth = self.depth if known.is_declarer else self.depth_defence
        if most_depth > 1:
            most = searcher.most_worlds(known)
            sample = _Sample(sample.worlds[:most], sample.weights[:most], sample.classes)
        solved = broaden(
            len(sample.worlds),
            lambda start, end: searcher.tricks(known, sample.worlds[start:end]),
            sample.weights,
            clock=Clock(0.5 * (self.seconds - clock.spent)) if most_depth > 1 else clock,
            done=lambda so_far: is_clear(so_far, worth),
        )
        found = average(solved, worth)
        work, depth = len(solved.weights) * len(solved.cards), 1
        score = found.values
        each = worth[solved.tricks]
        if most_depth > 1 and not is_clear(solved, worth):
            count = len(solved.weights)
            answer = searcher.choose(
                known,
                sample.worlds[:count],
                solved.weights,
                depth=most_depth,
                work=self.work,
                seconds=self.seconds - clock.spent,
                classes=sample.classes if count == len(sample.worlds) else None,
            )
            work, depth = work + answer.work, answer.depth
            order = [answer.cards.index(card) for card in solved.cards]
            each = answer.worth[order].T
            blind = averages(each, solved.weights, worth, solved.tricks)
            found = Averages(answer.values[order], blind.stderrs, found.tricks, found.worlds)
            rank = np.array([-float(place) for place in order])  # the search's order breaks ties
            blend = self.blend if known.is_declarer else self.blend_defence
            score = found.values + blend * answer.dd_values[order] + 1e-7 * rank
            score = score + self._tie_break(known, table, sample, solved, score, worth, clock)
        return self._record(known, solved, found, score, each, sample, clock, work, depth)

    def _tie_break(
        self,
        known: Knowledge,
        table: _Table,
        sample: _Sample,
        solved: CardTable,
        score: NDArray[np.float64],
        worth: NDArray[np.float64],
        clock: Clock,
    ) -> NDArray[np.float64]:
        """A bonus below any real difference for equal cards that let an opponent go wrong."""
        bonus = np.zeros(len(score))
        tied = np.flatnonzero(score > score.max() - _TIED)
        left = known.total_tricks - len(known.played) // 4
        if len(tied) < 2 or left > _TIES_FROM or clock.spent > 0.7 * self.seconds:
            return bonus
        rows = np.argsort(-solved.weights, kind="stable")[:_TIE_WORLDS]
        first, second = known.hidden_seats
        worlds = []
        for world in sample.worlds[rows].tolist():
            hands = [0, 0, 0, 0]
            for seat in known.seen:
                hands[seat] = known.left(seat).bits
            hands[first], hands[second] = world, known.unseen.bits & ~world
            n, e, s, w = hands
            worlds.append((n, e, s, w))
        cards = [solved.cards[i] for i in tied]
        found = chances_to_err(known, cards, worlds, solved.weights[rows], table.ask, worth)
        if found is not None:
            span = max(1.0, float(worth.max() - worth.min()))
            bonus[tied] = _TIED * (found - found.min()) / span
        return bonus

    def _record(
        self,
        known: Knowledge,
        solved: CardTable,
        found: Averages,
        score: NDArray[np.float64],
        each: NDArray[np.float64],
        sample: _Sample,
        clock: Clock,
        work: int,
        depth: int,
    ) -> Decision:
        order = sorted(
            range(len(solved.cards)),
            key=lambda i: (
                -round(float(score[i]), 9),
                -round(float(found.tricks[i]), 9),
                solved.cards[i].rank,
                solved.cards[i].suit,
            ),
        )
        candidates = tuple(
            [
                Candidate(
                    solved.cards[i],
                    float(found.values[i]),
                    float(found.stderrs[i]),
                    f"{found.tricks[i]:.2f} tricks double dummy",
                    float(found.tricks[i]),
                )
                for i in order
            ]
        )
        one, two = order[:2]
        reasons, layouts = explain(
            known,
            sample.worlds[: found.worlds],
            solved.weights,
            (solved.cards[one], solved.cards[two]),
            (each[:, one], each[:, two]),
        )
        return Decision(
            candidates[0].action,
            known.turn,
            candidates,
            samples=found.worlds,
            seed=self.seed,
            goal=self.goal,
            method="strategy" if depth > 1 else "monte_carlo",
            is_exact=False,
            reasons=reasons,
            layouts=layouts,
            seconds=clock.spent,
            work=work,
        )

    def _lead(
        self, known: Knowledge, table: _Table, groups: list[list[int]], clock: Clock
    ) -> Decision:
        """The opening lead: no dummy, three hidden hands, one card of each group of equals."""
        goal = self._goal(known)
        before = table.ask.asked
        worlds = self._worlds(known, table, clock)
        leader, total = known.turn, known.total_tricks

        def value(candidate: int, number: int) -> float:
            hands = list(worlds[number].hands)
            card = groups[candidate][0]
            hands[leader] &= ~(1 << card)
            n, e, s, w = hands
            tricks = table.ask.value((n, e, s, w), leader, (card,))
            return -goal.worth(tricks)

        tried = halve(
            len(groups),
            len(worlds),
            value,
            is_up=lambda: clock.is_up,
            weights=[world.weight for world in worlds],
        )
        most = max([len(values) for values in tried])
        step = float(np.abs(np.diff(goal.table)).max())
        candidates = []
        for group, values in zip(groups, tried, strict=True):
            count = len(values)
            error = float(values.std(ddof=1) / np.sqrt(count)) if count > 1 else step
            error = float(np.hypot(error, step / (count + 2)))
            card = _card(_lead_of(group, known.hand))
            why = f"tried in {count} layouts" if count == most else f"behind after {count} layouts"
            candidates.append(Candidate(card, float(values.mean()), error, why))
        in_play = [len(values) == most for values in tried]
        order = sorted(
            range(len(groups)),
            key=lambda i: (not in_play[i], -round(candidates[i].value, 9), -len(groups[i])),
        )
        ranked = tuple([candidates[i] for i in order])
        assert total
        return Decision(
            ranked[0].action,
            leader,
            ranked,
            samples=most,
            seed=self.seed,
            goal=self.goal,
            method="halving",
            seconds=clock.spent,
            work=table.ask.asked - before,
        )


def _follows(before: Knowledge, now: Knowledge) -> bool:
    """True if `now` is the same board, later on."""
    return (
        (before.seat, before.contract, before.hand, before.deck, before.won_before)
        == (now.seat, now.contract, now.hand, now.deck, now.won_before)
        and before.vulnerability == now.vulnerability
        and before.meanings == now.meanings
        and before.dummy == now.dummy  # worlds from before dummy came down are of no more use
        and now.played[: len(before.played)] == before.played
    )


def _card(place: int) -> Card:
    return Card.ALL[13 * (place >> 4) + (place & 15)]


def _lead_of(group: list[int], hand: Hand) -> int:
    """Of equal cards, the one that is led: the top of honours, fourth best of small ones."""
    if len(group) == 1 or group[0] & 15 >= 8:
        return group[0]
    suit = [card for card in hand if int(card.suit) == group[0] >> 4]
    places = [16 * card.suit + card.rank for card in suit]
    fourth = places[3] if len(places) > 3 else places[-1]
    return fourth if fourth in group else group[-1]
