"""Double-dummy answers: what each side takes when all four hands are seen and played perfectly.

The search is native partition search (`cpp/setrograde/search/search.cpp`): its table holds sets of
positions, and every answer tells which cards it rests on.

>>> from setrograde.bridge import Deal, Seat, Strain
>>> deal = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")
>>> solve_deal(deal, Strain.NOTRUMP, leader=Seat.SOUTH).tricks_ns
2

South throws East in with a heart; East must lead a spade into North's ace and queen.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntFlag
from functools import partial
from typing import Literal, TypeVar

from setrograde import _core
from setrograde.bridge import (
    Card,
    Deal,
    DealPattern,
    Hand,
    HandPattern,
    InvalidDeal,
    Play,
    Seat,
    Side,
    Strain,
    Suit,
    TrickTable,
)
from setrograde.common.memory import limit_bytes
from setrograde.common.threads import thread_count

from .endings import EndingTable, installed_endings

__all__ = [
    "CardValue",
    "Solution",
    "Solver",
    "Technique",
    "best_line",
    "solve_cards",
    "solve_deal",
    "solve_many",
    "solve_table",
    "solve_tables",
    "trace_play",
]

Progress = Callable[[int], None]

Endings = EndingTable | Literal["installed"] | None
"""A database of endings to use in the search, the largest one installed, or none."""

T = TypeVar("T")


class Technique(IntFlag):
    """What the search uses; each can be switched off to see what it is worth.

    >>> Technique.ALL & ~Technique.PATTERNS == Technique(254)
    True
    """

    PATTERNS = 1
    """Sets of positions in the table; without it the table is a plain one."""

    QUICK_TRICKS = 2
    """Tricks the side on lead can cash at once."""

    SLOW_TRICKS = 4
    """Tricks the other side is sure to take later."""

    EQUALS = 8
    """Only one of touching cards is tried."""

    IRRELEVANT = 16
    """Low cards that turned out not to matter are not tried one by one."""

    HISTORY = 32
    """Cards that cut off before are tried first."""

    ORDER = 64
    """Moves ordered by what they do in the trick."""

    FIRST_GUESS = 128
    """The first question asked is near the expected answer."""

    ALL = 255


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of one position, and what it rests on."""

    tricks_ns: int
    """Tricks North-South take from here on, the trick in progress included."""

    tricks_ew: int
    """Tricks East-West take."""

    mattered: Hand
    """Cards whose place mattered, of those still in hands.

    Every position with the same lengths in every hand, and with these cards where they are, has
    the same value. Ranks count among the cards still in play."""

    nodes: int
    """Positions searched; the same on every machine."""

    position: Deal
    """The cards in hands."""

    def tricks(self, side: Side) -> int:
        """Tricks `side` takes."""
        return self.tricks_ns if side is Side.NS else self.tricks_ew

    def covers(self, deal: Deal) -> bool:
        """True if the solution holds for `deal` as well: it lies in the set that was proved.

        Cards are compared by their place among those in play, so they need not be the same.

        >>> deal = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")
        >>> solution = solve_deal(deal, Strain.NOTRUMP, leader=Seat.SOUTH)
        >>> solution.covers(Deal.from_pbn("N:AQ.5.. K2.K.. 93.4.. 87.3.."))
        True
        >>> solution.covers(Deal.from_pbn("N:AK.2.. Q3.A.. 54.3.. 76.4.."))
        False
        """
        for suit in Suit:
            ours = _owners(self.position, suit)
            others = _owners(deal, suit)
            if sorted(seat for seat, _ in ours) != sorted(seat for seat, _ in others):
                return False
            for (seat, card), (other, _) in zip(ours, others, strict=True):
                if card in self.mattered and seat != other:
                    return False
        return True

    @property
    def pattern(self) -> DealPattern:
        """The set of deals the solution holds for: cards that mattered, and `x` for the rest.

        An `x` is lower than every card named in its suit; `covers` asks about a given deal.

        >>> deal = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")
        >>> print(solve_deal(deal, Strain.NOTRUMP, leader=Seat.SOUTH).pattern)
        N:AQ.x.. Kx.A.. xx.x.. xx.x..
        """
        hands = []
        for hand in self.position.hands:
            named = hand & self.mattered
            suits = []
            for suit in reversed(Suit):
                unnamed = hand.length(suit) - named.length(suit)
                suits.append(named.holding(suit) + "x" * unnamed)
            hands.append(HandPattern.from_text(".".join(suits)))
        n, e, s, w = hands
        return DealPattern((n, e, s, w))


def _owners(deal: Deal, suit: Suit) -> list[tuple[Seat, Card]]:
    """The cards of a suit in play, highest first, with who holds them."""
    held = [(seat, card) for seat in Seat for card in deal[seat] if card.suit is suit]
    return sorted(held, key=lambda pair: -pair[1].rank)


@dataclass(frozen=True, slots=True)
class CardValue:
    """What one card is worth to the side that plays it.

    >>> CardValue(Card.from_text("SA"), tricks=3, cost=0)
    CardValue(card=Card.from_text('SA'), tricks=3, cost=0)
    """

    card: Card
    """The card played."""

    tricks: int
    """Tricks the side on turn takes from here on, this trick included."""

    cost: int
    """Tricks fewer than with the best card."""


def _checked(deal: Deal, strain: Strain, leader: Seat, played: Iterable[Card]) -> Play:
    lengths = {len(hand) for hand in deal.hands}
    if lengths == {0}:
        raise InvalidDeal(f"no cards: {deal.to_pbn()!r} (expected at least one card each)")
    if len(lengths) != 1:
        held = ", ".join(f"{seat.name.title()} {len(deal[seat])}" for seat in Seat)
        raise InvalidDeal(f"hands differ in length: {held} in {deal.to_pbn()!r}")
    return Play(deal, strain, leader, tuple(played))


def _core_position(play: Play) -> tuple[tuple[int, int, int, int], int, int, list[int]]:
    """A position as the core takes it: hands, strain, leader of the trick, its cards."""
    n, e, s, w = (hand.bits for hand in play.remaining.hands)
    trick = play.current_trick
    places = [16 * card.suit + card.rank for card in trick.cards]
    return (n, e, s, w), int(play.strain), int(trick.leader), places


class Solver:
    """A context for double-dummy questions, worth keeping for related ones.

    What was proved about one deal serves others of the same strain: other leaders, other cards
    played, other lies of the same hands. The table stays within `limit_mb`; a full one is
    thinned. Several solvers share nothing; one solver used from several threads answers one
    question at a time. Ctrl-C stops a search within a tenth of a second.

    Endings are looked up in a database if one is installed, or given; `endings` says which.
    One that turns out to be damaged is left out from then on, with a warning.

    >>> solver = Solver(limit_mb=64)
    >>> deal = Deal.from_pbn("N:AK... QJ... T9... 87...")
    >>> solver.solve(deal, Strain.NOTRUMP, leader=Seat.WEST).tricks_ns
    2
    >>> solver.statistics()["nodes"] >= 0
    True
    """

    def __init__(
        self,
        *,
        limit_mb: int = 256,
        techniques: Technique = Technique.ALL,
        endings: Endings = "installed",
    ) -> None:
        if not 0 <= int(techniques) <= int(Technique.ALL):
            raise ValueError(f"not a set of techniques: {int(techniques)} (expected 0 to 255)")
        self._limits = limit_bytes(limit_mb, least=2), int(techniques)
        self.endings = _chosen(endings)
        """The database in use."""
        self._core = _core.Solver(*self._limits, _core_endings(self.endings))

    def _ask(self, question: Callable[[_core.Solver], T]) -> T:
        """Ask the core; once more, without the database, if that is damaged."""
        try:
            return question(self._core)
        except _core.LevelFileError as error:
            warnings.warn(f"{error}; solving without it", stacklevel=4)
            self.endings = None
            self._core = _core.Solver(*self._limits)
            return question(self._core)

    def solve(
        self, deal: Deal, strain: Strain, leader: Seat, *, played: Iterable[Card] = ()
    ) -> Solution:
        """The value of a deal, or of the position after some cards were played from it."""
        return self._solve(_checked(deal, strain, leader, played))

    def _solve(self, play: Play, guess: int | None = None) -> Solution:
        remaining = play.remaining
        before = self._core.statistics()["nodes"]
        tricks_left = max(len(hand) for hand in remaining.hands)
        if tricks_left == 0:
            return Solution(0, 0, Hand(), 0, remaining)
        tricks_ns, mattered = self._ask(lambda core: core.solve(*_core_position(play), guess))
        nodes = self._core.statistics()["nodes"] - before
        return Solution(tricks_ns, tricks_left - tricks_ns, Hand(mattered), nodes, remaining)

    def cards(
        self, deal: Deal, strain: Strain, leader: Seat, *, played: Iterable[Card] = ()
    ) -> tuple[CardValue, ...]:
        """The value of every legal card for the side on turn, best first.

        >>> deal = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")
        >>> for value in Solver().cards(deal, Strain.NOTRUMP, Seat.SOUTH):
        ...     print(value.card, value.tricks, value.cost)
        H3 2 0
        S5 1 1
        S4 1 1
        """
        play = _checked(deal, strain, leader, played)
        if play.is_over:
            return ()
        total = max(len(hand) for hand in play.remaining.hands)
        side = play.turn.side
        values = [
            (Card.ALL[13 * (place >> 4) + (place & 15)], ns if side is Side.NS else total - ns)
            for place, ns in self._ask(lambda core: core.solve_cards(*_core_position(play)))
        ]
        best = max(tricks for _, tricks in values)
        values.sort(key=lambda value: -value[1])
        return tuple(CardValue(card, tricks, best - tricks) for card, tricks in values)

    def table(self, deal: Deal) -> TrickTable:
        """The 20 results of a deal.

        >>> deal = Deal.from_pbn("N:AK... QJ... T9... 87...")
        >>> Solver().table(deal).tricks(Seat.SOUTH, Strain.SPADES)
        2
        """
        _checked(deal, Strain.NOTRUMP, Seat.NORTH, ())
        n, e, s, w = (hand.bits for hand in deal.hands)
        total = len(deal[Seat.NORTH])

        def leaders(strain: Strain, core: _core.Solver) -> list[int]:
            core.reset()
            return core.solve_leaders((n, e, s, w), int(strain))

        by_leader = [self._ask(partial(leaders, strain)) for strain in Strain]
        return _table(by_leader, total)

    def trace(self, play: Play) -> tuple[int, ...]:
        """Declarer's tricks before the first card and after each card of `play`.

        Declarer is the player before the opening leader, and both sides play perfectly from
        there on; a drop shows declarer's mistake, a rise the defence's.

        >>> deal = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")
        >>> cards = tuple(Card.from_text(text) for text in ("H4", "H2"))
        >>> Solver().trace(Play(deal, Strain.NOTRUMP, Seat.WEST, cards))
        (1, 2, 2)
        """
        _checked(play.deal, play.strain, play.leader, ())
        side = play.leader.next.side
        values: list[int] = []
        guess = None
        total = len(play.deal) // 4
        for count in range(len(play.cards) + 1):
            position = Play(play.deal, play.strain, play.leader, play.cards[:count])
            won_ns = position.tricks_won(Side.NS)
            solution = self._solve(position, None if guess is None else guess - won_ns)
            guess = won_ns + solution.tricks_ns
            values.append(guess if side is Side.NS else total - guess)
        return tuple(values)

    def best_line(
        self, deal: Deal, strain: Strain, leader: Seat, *, played: Iterable[Card] = ()
    ) -> Play:
        """One line of perfect play to the end; the lowest of equally good cards each time.

        >>> line = Solver().best_line(Deal.from_pbn("N:AK... QJ... T9... 87..."), Strain.NOTRUMP,
        ...                           Seat.WEST)
        >>> " ".join(str(card) for card in line.cards)
        'S7 SK SJ S9 SA SQ ST S8'
        """
        play = _checked(deal, strain, leader, played)
        while not play.is_over:
            values = self.cards(play.deal, strain, leader, played=play.cards)
            best = [value.card for value in values if value.cost == 0]
            play = play.with_card(min(best, key=lambda card: (card.rank, card.suit)))
        return play

    def cancel(self) -> None:
        """Stop the search under way in another thread; it raises `RuntimeError` there."""
        self._core.cancel()

    def reset(self) -> None:
        """Forget what was learned."""
        self._core.reset()

    def statistics(self) -> dict[str, int]:
        """Counters since the solver was made: nodes, table look-ups and hits, pattern sizes ..."""
        return self._core.statistics()


def _chosen(endings: Endings) -> EndingTable | None:
    return installed_endings() if endings == "installed" else endings


def _core_endings(endings: EndingTable | None) -> _core.ThresholdLevel | None:
    return None if endings is None else endings._core


def _with_endings(endings: Endings, work: Callable[[_core.ThresholdLevel | None], T]) -> T:
    """Do the work with a database; once more without it, if it is damaged."""
    try:
        return work(_core_endings(_chosen(endings)))
    except _core.LevelFileError as error:
        warnings.warn(f"{error}; solving without it", stacklevel=3)
        return work(None)


def _table(by_leader: Sequence[Sequence[int]], total: int) -> TrickTable:
    """Declarers' tricks from North-South's tricks by strain and leader."""

    def tricks(declarer: Seat, strain: Strain) -> int:
        ns = by_leader[strain][declarer.next]
        return ns if declarer.side is Side.NS else total - ns

    return TrickTable.from_function(tricks)


def solve_deal(
    deal: Deal,
    strain: Strain,
    leader: Seat,
    *,
    played: Iterable[Card] = (),
    limit_mb: int = 256,
    endings: Endings = "installed",
) -> Solution:
    """Solve one deal, or the position after some cards, double dummy.

    >>> deal = Deal.from_pbn("N:A... K... Q... J...")
    >>> solve_deal(deal, Strain.NOTRUMP, leader=Seat.NORTH).tricks_ns
    1

    Raises `InvalidDeal` if hands differ in length, `InvalidPlay` for a card that may not be
    played. Safe to call from several threads.
    """
    return Solver(limit_mb=limit_mb, endings=endings).solve(deal, strain, leader, played=played)


def solve_cards(
    deal: Deal,
    strain: Strain,
    leader: Seat,
    *,
    played: Iterable[Card] = (),
    limit_mb: int = 256,
    endings: Endings = "installed",
) -> tuple[CardValue, ...]:
    """The value of every legal card, best first; also in the middle of a trick.

    >>> deal = Deal.from_pbn("N:A2... K3... Q4... J5...")
    >>> [str(value.card) for value in solve_cards(deal, Strain.NOTRUMP, Seat.NORTH)]
    ['SA', 'S2']
    """
    return Solver(limit_mb=limit_mb, endings=endings).cards(deal, strain, leader, played=played)


def solve_table(
    deal: Deal,
    *,
    threads: int | None = None,
    limit_mb: int = 256,
    endings: Endings = "installed",
) -> TrickTable:
    """The 20 results of a deal, strains side by side on all cores.

    >>> deal = Deal.from_pbn("N:AK... QJ... T9... 87...")
    >>> solve_table(deal).tricks(Seat.EAST, Strain.NOTRUMP)
    0
    """
    return solve_tables([deal], threads=threads, limit_mb=limit_mb, endings=endings)[0]


def solve_tables(
    deals: Iterable[Deal],
    *,
    threads: int | None = None,
    limit_mb: int = 256,
    progress: Progress | None = None,
    endings: Endings = "installed",
) -> tuple[TrickTable, ...]:
    """The tables of many deals on all cores (or `threads`), any number of them.

    `progress` is called now and then with the number of strains done, five a deal. Ctrl-C stops
    everything at once.

    >>> deals = [Deal.from_pbn("N:AK... QJ... T9... 87..."), Deal.from_pbn("N:A... K... Q... J...")]
    >>> [table.tricks(Seat.NORTH, Strain.SPADES) for table in solve_tables(deals)]
    [2, 1]
    """
    deals = tuple(deals)
    for deal in deals:
        _checked(deal, Strain.NOTRUMP, Seat.NORTH, ())
    hands = [tuple(hand.bits for hand in deal.hands) for deal in deals]
    work = thread_count(threads), limit_bytes(limit_mb, least=2), progress
    results = _with_endings(endings, lambda core: _core.solve_tables(hands, *work, core))
    return tuple(
        _table(result, len(deal[Seat.NORTH])) for deal, result in zip(deals, results, strict=True)
    )


def solve_many(
    plays: Iterable[Play],
    *,
    threads: int | None = None,
    limit_mb: int = 256,
    progress: Progress | None = None,
    endings: Endings = "installed",
) -> tuple[int, ...]:
    """North-South's tricks from each position on, on all cores (or `threads`).

    >>> deal = Deal.from_pbn("N:AK... QJ... T9... 87...")
    >>> solve_many([Play(deal, Strain.NOTRUMP, seat) for seat in Seat])
    (2, 2, 2, 2)
    """
    plays = tuple(plays)
    answers = [0] * len(plays)
    asked = []
    for index, play in enumerate(plays):
        _checked(play.deal, play.strain, play.leader, ())
        if not play.is_over:
            asked.append(index)
    questions = [_core_position(plays[index]) for index in asked]
    work = thread_count(threads), limit_bytes(limit_mb, least=2), progress
    results = _with_endings(endings, lambda core: _core.solve_many(questions, *work, core))
    for index, tricks in zip(asked, results, strict=True):
        answers[index] = tricks
    return tuple(answers)


def trace_play(play: Play, *, limit_mb: int = 256) -> tuple[int, ...]:
    """Declarer's tricks with perfect play before the first card and after each one.

    >>> deal = Deal.from_pbn("N:AQ... K3... 54... 76...")
    >>> cards = tuple(Card.from_text(text) for text in ("S6", "SA"))
    >>> trace_play(Play(deal, Strain.NOTRUMP, Seat.WEST, cards))
    (1, 1, 1)
    """
    return Solver(limit_mb=limit_mb).trace(play)


def best_line(
    deal: Deal,
    strain: Strain,
    leader: Seat,
    *,
    played: Iterable[Card] = (),
    limit_mb: int = 256,
) -> Play:
    """One line of perfect play by both sides, after the cards played so far.

    >>> line = best_line(Deal.from_pbn("N:A... K... Q... J..."), Strain.NOTRUMP, Seat.NORTH)
    >>> [str(card) for card in line.cards]
    ['SA', 'SK', 'SQ', 'SJ']
    """
    return Solver(limit_mb=limit_mb).best_line(deal, strain, leader, played=played)
