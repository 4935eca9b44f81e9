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
from setrograde.common.stop import StopFlag, check_stop
from setrograde.common.threads import map_with_contexts
from setrograde.solve import Solver

from .asking import played_contract
from .core import solver_shares
from .result import Average, average_of, check_samples

__all__ = ["LeadOdds", "LeadValue", "lead_odds"]

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
    progress: CountProgress | None = None,
    stop: StopFlag | None = None,
) -> LeadOdds:
    """The value of every opening lead from `hand` against `contract`.

    `about` says what is known of the other hands, like `"N: hcp 15-17, balanced; S: spades 5+"`.
    Dummy's hand is known if `dummy` gives it. In endings `hidden` names the cards of the hands that
    are not known, and `need` is the number of tricks declarer still needs (default: all of them).

    `progress` hears how many deals are solved. `stop` raises `Stopped`.

    >>> found = lead_odds("KJ.2..", "1NTS", dummy="AQ.A..", hidden="T98.543..")
    >>> found.exact, found.layouts
    (True, 20)
    >>> [(str(lead.card), float(lead.tricks)) for lead in found.leads]
    [('H2', 1.0), ('SK', 0.0), ('SJ', 0.0)]
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
    tries = 0
    if exact:
        deals = [deal for deal in setting.all_deals() if setting.constraint.allows(deal)]
        if not deals:
            raise _impossible(setting.constraint)
    else:
        deals, tries = setting.sample(samples, seed, stop)
    play = _tricks_by_lead(deals, contract, threads, limit_mb, progress, stop)
    total = len(hand)
    needed = min(contract.tricks_needed, total) if need is None else need
    leads = [
        LeadValue(
            card,
            average_of([row[card] for row in play], exact=exact),
            average_of([int(total - row[card] < needed) for row in play], exact=exact),
        )
        for card in hand
    ]
    leads.sort(key=lambda lead: (-float(lead.beats), -float(lead.tricks)))
    acceptance = None if exact else Fraction(len(deals), tries)
    return LeadOdds(tuple(leads), contract, exact, len(deals), acceptance, seed)


def _tricks_by_lead(
    deals: Sequence[Deal],
    contract: Contract,
    threads: int | None,
    limit_mb: int,
    progress: CountProgress | None,
    stop: StopFlag | None,
) -> list[dict[Card, int]]:
    """For every deal, the tricks of the leader's side by card; each thread keeps its solver."""
    solver_mb, workers = solver_shares(limit_mb, threads, len(deals))

    def open_context() -> Callable[[Deal], dict[Card, int]]:
        solver = Solver(limit_mb=solver_mb)

        def answer(deal: Deal) -> dict[Card, int]:
            values = solver.cards(deal, contract.strain, contract.leader, stop=stop)
            return {value.card: value.tricks for value in values}

        return answer

    return map_with_contexts(deals, open_context, threads=workers, progress=progress, stop=stop)


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

    def sample(self, count: int, seed: int, stop: StopFlag | None) -> tuple[list[Deal], int]:
        """Random deals that fit the constraints, and the number of deals tried to find them."""
        if self.size == 13 and self.constraint.is_impossible:
            raise _impossible(self.constraint)
        rng = Random(seed)
        found: list[Deal] = []
        tries = 0
        while len(found) < count:
            if tries >= _MOST_TRIES * (len(found) + 1):
                raise _impossible(self.constraint, tries)
            check_stop(stop)
            tries += 1
            deal = self._one(rng)
            if self.constraint.allows(deal):
                found.append(deal)
        return found, tries

    def _one(self, rng: Random) -> Deal:
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
