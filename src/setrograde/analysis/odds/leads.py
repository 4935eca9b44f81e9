"""Opening leads: what each card is worth to the leader, who sees 13 cards, or 26 with dummy.

Three hidden hands have about 8.5e16 layouts, too many for any exact method: leads are judged in a
random sample, each layout solved for every card, and the answer is an estimate with its standard
error. Where few layouts are possible, as in endings, all are solved and the answer is exact.

The defence plays on double dummy after the lead, and so does declarer: a lead that wins because
declarer must guess is undervalued.
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
    InvalidContract,
    InvalidHand,
    Seat,
)
from setrograde.common.threads import map_with_contexts
from setrograde.solve import Solver

from .core import solver_shares
from .result import Average, average_of

__all__ = ["LeadOdds", "LeadValue", "lead_odds"]

_PACK = Hand.from_cards(Card.ALL)
_FEW_LAYOUTS = 2_000
_MOST_TRIES = 50_000
"""Deals dealt in vain, on average, before the constraints are given up as too tight."""


@dataclass(frozen=True, slots=True)
class LeadValue:
    """One lead."""

    card: Card
    """The card led."""

    tricks: Average
    """Tricks of the leader's side on average."""

    beats: Average
    """How often the contract fails after it."""


@dataclass(frozen=True, slots=True)
class LeadOdds:
    """Every lead, the one that beats the contract most often first."""

    leads: tuple[LeadValue, ...]
    """Best first; equals by tricks."""

    contract: Contract
    """What is to be beaten."""

    exact: bool
    """True if all layouts were solved; otherwise the figures are estimates."""

    layouts: int
    """Layouts solved."""

    acceptance: Fraction | None
    """Deals kept of those dealt, where constraints had to be tried out; `None` if exact."""

    seed: int
    """What the sample follows from."""


def lead_odds(
    hand: Hand,
    contract: Contract,
    *,
    dummy: Hand | None = None,
    about: DealConstraint | str | None = None,
    hidden: Hand | None = None,
    need: int | None = None,
    samples: int = 200,
    seed: int = 0,
    threads: int | None = None,
    limit_mb: int = 512,
    progress: Callable[[int], None] | None = None,
) -> LeadOdds:
    """What each opening lead from `hand` is worth against `contract`.

    `about` says what is known of the other hands, like `"N: hcp 15-17, balanced; S: spades 5+"`.
    With `dummy` two hands are hidden, otherwise three. In endings `hidden` names their cards, and
    `need` says how many tricks declarer still needs: all of them unless given.

    >>> found = lead_odds(Hand.from_text("KJ.2.."), Contract.from_text("1NTS"),
    ...                   dummy=Hand.from_text("AQ.A.."), hidden=Hand.from_text("T98.543.."))
    >>> found.exact, found.layouts
    (True, 20)
    >>> [(str(lead.card), float(lead.tricks)) for lead in found.leads]
    [('H2', 1.0), ('SK', 0.0), ('SJ', 0.0)]
    """
    setting = _Setting.of(hand, contract, dummy, about, hidden)
    count = setting.count()
    exact = count <= _FEW_LAYOUTS
    tries = 0
    if exact:
        deals = [deal for deal in setting.all_deals() if setting.constraint.allows(deal)]
        if not deals:
            raise _impossible(setting.constraint)
    else:
        deals, tries = setting.sample(samples, seed)
    play = _tricks_by_lead(deals, contract, threads, limit_mb, progress)
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
    progress: Callable[[int], None] | None,
) -> list[dict[Card, int]]:
    """The leader's side's tricks by card, for every deal; solvers are kept from deal to deal."""
    solver_mb, workers = solver_shares(limit_mb, threads, len(deals))

    def open_context() -> Callable[[Deal], dict[Card, int]]:
        solver = Solver(limit_mb=solver_mb)

        def answer(deal: Deal) -> dict[Card, int]:
            values = solver.cards(deal, contract.strain, contract.leader)
            return {value.card: value.tricks for value in values}

        return answer

    return map_with_contexts(deals, open_context, threads=workers, progress=progress)


def _impossible(constraint: DealConstraint, tries: int | None = None) -> InvalidConstraint:
    dealt = "" if tries is None else f", or too few of {tries:,} dealt"
    return InvalidConstraint(
        f"no deal found with '{constraint}'{dealt} (expected constraints that allow some)"
    )


@dataclass(frozen=True, slots=True)
class _Setting:
    """What the leader sees, and what he knows of the rest."""

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
        if contract.is_passed_out:
            raise InvalidContract("no lead against a board passed out (expected like '4SS')")
        seen = {contract.leader: hand}
        if dummy is not None:
            seen[contract.declarer.partner] = dummy
        n, e, s, w = (seen.get(seat, Hand()) for seat in Seat)
        known = Deal((n, e, s, w))
        rest = _PACK - Hand(known.bits) if hidden is None else hidden
        size, others = len(hand), 4 - len(seen)
        for seat, cards in seen.items():
            if not 1 <= len(cards) == size <= 13:
                raise InvalidHand(
                    f"{seat.name.title()} has {len(cards)} cards: '{cards}' (expected"
                    f" {size if 1 <= size <= 13 else '1 to 13'})"
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
        """Layouts before constraints."""
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

    def sample(self, count: int, seed: int) -> tuple[list[Deal], int]:
        """Random deals that are allowed, and how many were dealt to find them."""
        if self.size == 13 and self.constraint.is_impossible:
            raise _impossible(self.constraint)
        rng = Random(seed)
        found: list[Deal] = []
        tries = 0
        while len(found) < count:
            if tries >= _MOST_TRIES * (len(found) + 1):
                raise _impossible(self.constraint, tries)
            tries += 1
            deal = self._one(rng)
            if self.constraint.allows(deal):
                found.append(deal)
        return found, tries

    def _one(self, rng: Random) -> Deal:
        """Cards that must be somewhere first, the others as they fall."""
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
