"""Opening leads: the value of each card for the leader, who sees his own hand and perhaps dummy.

Three hidden hands have about 8.5e16 layouts, too many for any exact method. So leads are judged in
a random sample: each layout is solved for every card, and the answer is an estimate with its
standard error. If few layouts are possible, as in endings, all are solved and the answer is exact.

After the lead everybody plays double dummy, declarer too. So a lead that wins only because declarer
must guess is worth more at the table than here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from math import comb
from random import Random

from setrograde.bridge import (
    Card,
    Contract,
    Deal,
    DealConstraint,
    Hand,
    InvalidConstraint,
    InvalidHand,
    Seat,
)
from setrograde.bridge.coerce import ContractLike, HandLike, as_hand
from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag, Stopped, check_stop
from setrograde.common.threads import map_with_contexts

from .asking import played_contract
from .batches import Batches, KeptSolvers
from .result import Average, StopReason, average_of, check_samples, share_of

__all__ = ["LeadOdds", "LeadValue", "lead_odds", "lead_stream"]

_FEW_LAYOUTS = 2_000
_MOST_TRIES = 50_000
"""Deals tried for each deal found, before the constraints are given up as too tight."""


@dataclass(frozen=True, slots=True)
class LeadValue:
    """One opening lead."""

    card: Card
    """The card that is led."""

    tricks: Average
    """The average number of tricks of the leader's side."""

    beats: Average
    """How often the contract fails after this lead."""


@dataclass(frozen=True, slots=True)
class LeadOdds:
    """Every lead, the one that beats the contract most often first."""

    leads: tuple[LeadValue, ...]
    """The best first; of equally good ones, the lead with more tricks."""

    contract: Contract
    """The contract to beat."""

    exact: bool
    """True if all layouts were solved; otherwise all figures are estimates."""

    layouts: int
    """The number of layouts that were solved."""

    acceptance: Fraction | None
    """The share of random deals that fitted the constraints; `None` if the answer is exact."""

    seed: int
    """The seed of the sample."""

    need: int = 0
    """The number of tricks that declarer needs."""

    stopped: StopReason | None = None
    """Why the work ended early, if it did; then fewer layouts are solved."""

    def __str__(self) -> str:
        from .text import format_leads

        return format_leads(self)

    def _repr_html_(self) -> str:
        from .plot import text_html

        return text_html(str(self))


def lead_odds(
    hand: HandLike,
    contract: ContractLike,
    *,
    dummy: HandLike | None = None,
    about: DealConstraint | str | None = None,
    hidden: HandLike | None = None,
    need: int | None = None,
    samples: int = 200,
    seed: int = 0,
    threads: int | None = None,
    limit_mb: int = 512,
    time_s: float | None = None,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> LeadOdds:
    """The value of every opening lead from `hand` against `contract`.

    `about` says what is known of the other hands, like `"N: hcp 15-17, balanced; S: spades 5+"`.
    Dummy's hand is known if `dummy` gives it. In endings `hidden` names the cards of the hands that
    are not known, and `need` is the number of tricks declarer still needs (default: all of them).

    `progress` hears how many deals are solved. After `time_s` seconds the answer comes from the
    deals solved by then. `stop` raises `Stopped`.

    >>> found = lead_odds("KJ.2..", "1NTS", dummy="AQ.A..", hidden="T98.543..")
    >>> found.exact, found.layouts
    (True, 20)
    >>> [(str(lead.card), float(lead.tricks)) for lead in found.leads]
    [('H2', 1.0), ('SK', 0.0), ('SJ', 0.0)]
    """
    stream = lead_stream(
        hand,
        contract,
        dummy=dummy,
        about=about,
        hidden=hidden,
        need=need,
        samples=samples,
        seed=seed,
        threads=threads,
        limit_mb=limit_mb,
        time_s=time_s,
        progress=progress,
        stop=stop,
    )
    for found in stream:
        if found.stopped == "request":
            raise Stopped("stopped before the end")
    return found


def lead_stream(
    hand: HandLike,
    contract: ContractLike,
    *,
    dummy: HandLike | None = None,
    about: DealConstraint | str | None = None,
    hidden: HandLike | None = None,
    need: int | None = None,
    samples: int = 200,
    seed: int = 0,
    threads: int | None = None,
    limit_mb: int = 512,
    time_s: float | None = None,
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> Iterator[LeadOdds]:
    """As `lead_odds`: the answer again and again, from more and more deals.

    `stop` ends it with what is known.

    >>> stream = lead_stream("KJ.2..", "1NTS", dummy="AQ.A..", hidden="T98.543..", threads=1)
    >>> [found.layouts for found in stream]
    [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]
    """
    hand, contract = as_hand(hand), played_contract(contract)
    setting = _Setting.of(
        hand,
        contract,
        None if dummy is None else as_hand(dummy),
        about,
        None if hidden is None else as_hand(hidden),
    )
    check_samples(samples, least=1)
    count = setting.count()
    exact = count <= _FEW_LAYOUTS
    deals = _Listed(setting, seed) if exact else _Drawn(setting, seed, stop)
    total = len(hand)
    items = deals.count if isinstance(deals, _Listed) else samples
    needed = min(contract.tricks_needed, total) if need is None else need
    solvers = KeptSolvers(limit_mb, threads=threads, tasks=items, strains=1)
    batches = Batches(items, each=1, threads=threads, time_s=time_s, progress=progress, stop=stop)
    play: list[dict[Card, int]] = []
    tries = 0
    for size in batches.sizes():

        def work(tell: CountProgress, size: int = size) -> list[dict[Card, int]]:
            return _tricks_by_lead(deals.take(size), contract, solvers, tell, stop)

        found = batches.run(work)
        if found is None:
            break
        play, tries = play + found, deals.tries
        yield _valued(hand, contract, play, tries, needed, seed, exact and len(play) == items, None)
    if batches.reason is None:
        return
    if not play:
        raise Stopped("stopped before the end")
    yield _valued(hand, contract, play, tries, needed, seed, False, batches.reason)


def _valued(
    hand: Hand,
    contract: Contract,
    play: Sequence[Mapping[Card, int]],
    tries: int,
    needed: int,
    seed: int,
    exact: bool,
    stopped: StopReason | None,
) -> LeadOdds:
    """Every lead with its averages over the deals that are solved."""
    total = len(hand)
    leads = [
        LeadValue(
            card,
            average_of([row[card] for row in play], exact=exact),
            share_of([total - row[card] < needed for row in play], exact=exact),
        )
        for card in hand
    ]
    leads.sort(key=lambda lead: (-float(lead.beats), -float(lead.tricks)))
    acceptance = Fraction(len(play), tries) if tries else None
    return LeadOdds(tuple(leads), contract, exact, len(play), acceptance, seed, needed, stopped)


def _tricks_by_lead(
    deals: Sequence[Deal],
    contract: Contract,
    solvers: KeptSolvers,
    progress: CountProgress,
    stop: StopFlag | None,
) -> list[dict[Card, int]]:
    """For every deal, the tricks of the leader's side by card; each thread keeps its solver."""
    solvers.start()

    def open_context() -> Callable[[Deal], dict[Card, int]]:
        solver = solvers.take()(contract.strain)

        def answer(deal: Deal) -> dict[Card, int]:
            values = solver.cards(deal, contract.strain, contract.leader, stop=stop)
            return {value.card: value.tricks for value in values}

        return answer

    return map_with_contexts(
        deals, open_context, threads=solvers.workers, progress=progress, stop=stop
    )


class _Listed:
    """All deals of a setting, in a random order: those solved by then are a fair sample."""

    def __init__(self, setting: _Setting, seed: int) -> None:
        deals = [deal for deal in setting.all_deals() if setting.constraint.allows(deal)]
        if not deals:
            raise _impossible(setting.constraint)
        self.count = len(deals)
        self.tries = 0
        self._left = iter(Random(seed).sample(deals, len(deals)))

    def take(self, size: int) -> list[Deal]:
        return list(islice(self._left, size))


class _Drawn:
    """Random deals of a setting, drawn when they are wanted."""

    def __init__(self, setting: _Setting, seed: int, stop: StopFlag | None) -> None:
        if setting.size == 13 and setting.constraint.is_impossible:
            raise _impossible(setting.constraint)
        self._setting = setting
        self._random = Random(seed)
        self._stop = stop
        self._found = 0
        self.tries = 0
        """The number of deals tried so far."""

    def take(self, size: int) -> list[Deal]:
        found: list[Deal] = []
        while len(found) < size:
            if self.tries >= _MOST_TRIES * (self._found + 1):
                raise _impossible(self._setting.constraint, self.tries)
            check_stop(self._stop)
            self.tries += 1
            deal = self._setting.one(self._random)
            if self._setting.constraint.allows(deal):
                found.append(deal)
                self._found += 1
        return found


def _impossible(constraint: DealConstraint, tries: int | None = None) -> InvalidConstraint:
    dealt = "" if tries is None else f", or too few of {tries:,} dealt"
    return InvalidConstraint(
        f"no deal found with '{constraint}'{dealt} (expected constraints that allow some)"
    )


_FOR_ENDINGS = "; for an ending, name the hidden cards too"


@dataclass(frozen=True, slots=True)
class _Setting:
    """What the leader sees, and what he knows of the other hands."""

    seen: Mapping[Seat, Hand]
    hidden: Hand
    size: int
    constraint: DealConstraint

    @classmethod
    def of(
        cls,
        hand: Hand,
        contract: Contract,
        dummy: Hand | None,
        about: DealConstraint | str | None,
        hidden: Hand | None,
    ) -> _Setting:
        seen = {contract.leader: hand}
        if dummy is not None:
            seen[contract.declarer.partner] = dummy
        n, e, s, w = (seen.get(seat, Hand()) for seat in Seat)
        known = Deal((n, e, s, w))
        rest = Hand.FULL - Hand(known.bits) if hidden is None else hidden
        size, others = 13 if hidden is None else len(hand), 4 - len(seen)
        for seat, cards in seen.items():
            if not 1 <= len(cards) == size <= 13:
                hint = "" if hidden is not None or len(hand) == 13 else _FOR_ENDINGS
                raise InvalidHand(
                    f"{seat.name.title()} has {len(cards)} cards: '{cards}' (expected"
                    f" {size if 1 <= size <= 13 else '1 to 13'}{hint})"
                )
        if (rest & Hand(known.bits)).bits or len(rest) != others * size:
            raise InvalidHand(
                f"{len(rest)} cards hidden: '{rest}' (expected {others * size} that are not seen)"
            )
        text = "" if about is None else about
        constraint = DealConstraint.from_text(text) if isinstance(text, str) else text
        for seat, cards in seen.items():
            if not constraint[seat].allows(cards):
                raise InvalidConstraint(
                    f"{seat.name.title()} has '{cards}', not {constraint[seat]}"
                )
        return cls(seen, rest, size, constraint)

    @property
    def seats(self) -> list[Seat]:
        return [seat for seat in Seat if seat not in self.seen]

    def count(self) -> int:
        """The number of layouts if there were no constraints."""
        total, left = 1, len(self.hidden)
        while left:
            total *= comb(left, self.size)
            left -= self.size
        return total

    def all_deals(self) -> Iterator[Deal]:
        def fill(seats: Sequence[Seat], left: Hand, hands: dict[Seat, Hand]) -> Iterator[Deal]:
            if not seats:
                yield _deal(hands)
                return
            for cards in combinations(left, self.size):
                hand = Hand.from_cards(cards)
                yield from fill(seats[1:], left - hand, hands | {seats[0]: hand})

        yield from fill(self.seats, self.hidden, dict(self.seen))

    def one(self, rng: Random) -> Deal:
        """A random deal in which cards that a constraint names are where they must be."""
        hands = dict(self.seen)
        fixed = {seat: self.constraint[seat].held & self.hidden for seat in self.seats}
        together = Hand()
        for cards in fixed.values():
            if (together & cards).bits:
                raise _impossible(self.constraint)
            together |= cards
        free = sorted(self.hidden - together, key=lambda _: rng.random())
        supply = iter(free)
        for seat in self.seats:
            room = self.size - len(fixed[seat])
            if room < 0:
                raise _impossible(self.constraint)
            hands[seat] = fixed[seat] | Hand.from_cards(islice(supply, room))
        return _deal(hands)


def _deal(hands: Mapping[Seat, Hand]) -> Deal:
    n, e, s, w = (hands[seat] for seat in Seat)
    return Deal((n, e, s, w))
