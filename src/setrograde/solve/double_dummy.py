"""Double-dummy answers: what each side takes when all see all four hands and play perfectly.

The search is native partition search (`cpp/setrograde/search/search.cpp`): its table holds sets of
positions, and every answer tells which cards it rests on. Deals, strains, seats and cards may be
values of `setrograde.bridge` or text.

>>> solve_deal("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", leader="S").tricks_ns
2

South throws East in with a heart; East must lead a spade into North's ace and queen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntFlag
from typing import Literal, TypeAlias, TypeVar

from setrograde import _core
from setrograde.bridge import Card, Deal, Hand, InvalidDeal, Play, Seat, Side, Strain, TrickTable
from setrograde.bridge.coerce import (
    CardsLike,
    DealLike,
    SeatLike,
    StrainLike,
    as_cards,
    as_deal,
    as_seat,
    as_strain,
)
from setrograde.common.memory import limit_bytes
from setrograde.common.progress import CountProgress
from setrograde.common.stop import StopFlag, check_stop
from setrograde.common.threads import thread_count
from setrograde.errors import InvalidInput

from .endings import (
    LEAST_GAINING_TRICKS,
    EndingTable,
    ask_with_endings,
    endings_for,
    installed_endings,
)
from .solution import CardValue, CardValues, Solution
from .trace import PlayTrace

__all__ = [
    "CardValue",
    "CardValues",
    "PlayTrace",
    "Solution",
    "Solver",
    "Technique",
    "best_line",
    "checked_deals",
    "solve_cards",
    "solve_deal",
    "solve_many",
    "solve_table",
    "solve_tables",
    "table_of_strains",
    "trace_play",
]

Endings: TypeAlias = EndingTable | Literal["installed"] | None
"""The database of endings to use in the search: this one, the largest one installed, or none."""

T = TypeVar("T")


class Technique(IntFlag):
    """Techniques of the search; each can be switched off to see what it is worth.

    >>> Technique.ALL & ~Technique.PATTERNS == Technique(254)
    True
    """

    PATTERNS = 1
    """The table holds sets of positions; without it, single positions."""

    QUICK_TRICKS = 2
    """Tricks the side on lead can cash at once."""

    SLOW_TRICKS = 4
    """Tricks the side not on lead is sure to take later."""

    EQUALS = 8
    """Of touching cards in one hand only one is tried."""

    IRRELEVANT = 16
    """Low cards that turned out not to matter are not tried one by one."""

    HISTORY = 32
    """Cards that settled a similar position before are tried first."""

    ORDER = 64
    """Cards are tried in the order of what they promise to do in the trick."""

    FIRST_GUESS = 128
    """The first question is about the number of tricks to expect from the cards."""

    ALL = 255


def _checked(deal: DealLike, strain: StrainLike, leader: SeatLike, played: CardsLike) -> Play:
    """The play from a deal that can be solved: hands of equal length, and not empty."""
    deal = as_deal(deal)
    lengths = {len(hand) for hand in deal.hands}
    if lengths == {0}:
        raise InvalidDeal(f"no cards: {deal.to_pbn()!r} (expected at least one card each)")
    if len(lengths) != 1:
        held = ", ".join(f"{seat.name.title()} {len(deal[seat])}" for seat in Seat)
        raise InvalidDeal(f"hands differ in length: {held} in {deal.to_pbn()!r}")
    return Play(deal, as_strain(strain), as_seat(leader), as_cards(played))


_CoreHands: TypeAlias = tuple[int, int, int, int]


def _core_hands(deal: Deal) -> _CoreHands:
    n, e, s, w = (hand.bits for hand in deal.hands)
    return n, e, s, w


def _core_position(play: Play) -> tuple[_CoreHands, int, int, list[int]]:
    """A position as the core takes it: hands, strain, leader of the trick, its cards."""
    trick = play.current_trick
    places = [16 * card.suit + card.rank for card in trick.cards]
    return _core_hands(play.remaining), int(play.strain), int(trick.leader), places


_Call: TypeAlias = tuple[StopFlag | None, int]
"""What may stop a call: its own flag, and a `cancel` after the number of cancels counted here."""


class Solver:
    """A context for double-dummy questions, worth keeping for related ones.

    What was proved about one deal serves others of the same strain: other leaders, other cards
    played, other layouts of the same cards. The table stays within `limit_mb`; a full table is
    thinned. Several solvers share nothing. One solver may be used from several threads; it answers
    one question at a time. Every method that searches takes `stop`, a flag that any thread may set;
    it then raises `Stopped`. Ctrl-C stops a search as well.

    The solver looks up endings in a database: the largest one installed (default), the one given
    as `endings`, or none. If none is installed, the first question that gains by it installs the
    endings with 12 cards (`setrograde.solve.endings.endings_for`). A database that turns out to be
    damaged is left out from then on, with a warning.

    >>> solver = Solver(limit_mb=64)
    >>> solver.solve("N:AK... QJ... T9... 87...", "NT", leader="W").tricks_ns
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
            raise InvalidInput(f"not a set of techniques: {int(techniques)} (expected 0 to 255)")
        self.endings = installed_endings() if endings == "installed" else _chosen(endings, 0)
        """The database in use."""
        self._may_install = endings == "installed" and self.endings is None
        self._core = _core.Solver(
            limit_bytes(limit_mb, least=2), int(techniques), _core_endings(self.endings)
        )

    def _call(self, stop: StopFlag | None) -> _Call:
        """To be asked first of all: a `cancel` from now on stops the call."""
        return stop, self._core.cancels

    def _ask(self, call: _Call, tricks: int, question: Callable[[], T]) -> T:
        """Ask the core about `tricks`; if the database is damaged, once more without it."""

        def drop() -> None:
            self.endings = None
            self._core.use_endings(None, *call)

        if self._may_install and tricks >= LEAST_GAINING_TRICKS:
            self.endings = endings_for(tricks, stop=call[0])
            self._may_install = False
            if self.endings is not None:
                self._core.use_endings(self.endings._core, *call)

        def checked() -> T:
            if self.endings is not None:
                self.endings._core.check_size()
            return question()

        return ask_with_endings(checked, drop, stacklevel=4)

    def solve(
        self,
        deal: DealLike,
        strain: StrainLike,
        leader: SeatLike,
        *,
        played: CardsLike = (),
        stop: StopFlag | None = None,
    ) -> Solution:
        """The value of a deal, or of the position after some cards were played from it.

        >>> print(Solver().solve("N:A2... K3... Q4... J5...", "NT", "W", played="SJ SA"))
        North-South take 1 of 2 tricks, East-West take 1.
        Every deal of this form has the same result: N:x... Kx... xx... x...
        """
        call = self._call(stop)
        return self._solve(_checked(deal, strain, leader, played), call)

    def _solve(self, play: Play, call: _Call, guess: int | None = None) -> Solution:
        remaining = play.remaining
        tricks_left = max(len(hand) for hand in remaining.hands)
        if tricks_left == 0:
            return Solution(0, 0, Hand(), 0, remaining)
        position = _core_position(play)
        tricks_ns, mattered, nodes = self._ask(
            call, tricks_left, lambda: self._core.solve(*position, guess, *call)
        )
        return Solution(tricks_ns, tricks_left - tricks_ns, Hand(mattered), nodes, remaining)

    def cards(
        self,
        deal: DealLike,
        strain: StrainLike,
        leader: SeatLike,
        *,
        played: CardsLike = (),
        stop: StopFlag | None = None,
    ) -> CardValues:
        """The value of every legal card for the side on turn, best first.

        >>> print(Solver().cards("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", leader="S"))
        card  tricks  cost
        H3         2     0
        S5         1     1
        S4         1     1
        """
        call = self._call(stop)
        return self._cards(_checked(deal, strain, leader, played), call)

    def _cards(self, play: Play, call: _Call) -> CardValues:
        if play.is_over:
            return CardValues()
        total = max(len(hand) for hand in play.remaining.hands)
        side = play.turn.side
        position = _core_position(play)
        found = self._ask(call, total, lambda: self._core.solve_cards(*position, *call))
        values = [
            (Card.ALL[13 * (place >> 4) + (place & 15)], ns if side is Side.NS else total - ns)
            for place, ns in found
        ]
        best = max(tricks for _, tricks in values)
        values.sort(key=lambda value: -value[1])
        return CardValues(CardValue(card, tricks, best - tricks) for card, tricks in values)

    def table(self, deal: DealLike, *, stop: StopFlag | None = None) -> TrickTable:
        """The 20 results of a deal: tricks by declarer and strain.

        >>> Solver().table("N:AK... QJ... T9... 87...").tricks(Seat.SOUTH, Strain.SPADES)
        2
        """
        call = self._call(stop)
        (deal,) = checked_deals([deal], stop)
        return table_of_strains([self._by_leader(deal, strain, call) for strain in Strain], deal)

    def tricks_by_leader(
        self, deal: DealLike, strain: StrainLike, *, stop: StopFlag | None = None
    ) -> list[int]:
        """North-South's tricks in one strain by opening leader: North, East, South, West.

        >>> Solver().tricks_by_leader("N:AK... QJ... T9... 87...", "NT")
        [2, 2, 2, 2]
        """
        call = self._call(stop)
        return self._by_leader(checked_deals([deal], stop)[0], as_strain(strain), call)

    def _by_leader(self, deal: Deal, strain: Strain, call: _Call) -> list[int]:
        hands = _core_hands(deal)

        def ask() -> list[int]:
            self._core.reset(*call)
            return self._core.solve_leaders(hands, int(strain), *call)

        return self._ask(call, len(deal[Seat.NORTH]), ask)

    def trace(self, play: Play, *, stop: StopFlag | None = None) -> PlayTrace:
        """Declarer's tricks before the first card and after each card of `play`.

        Declarer is the player before the opening leader. Each number supposes perfect play from
        there on: a fall shows a mistake of declarer's side, a rise one of the defence.

        >>> Solver().trace(Play("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", "W", "H4 H2"))
        (1, 2, 2)
        """
        call = self._call(stop)
        _checked(play.deal, play.strain, play.leader, ())
        side = play.leader.next.side
        values: list[int] = []
        guess = None
        total = len(play.deal) // 4
        for count in range(len(play.cards) + 1):
            position = Play(play.deal, play.strain, play.leader, play.cards[:count])
            won_ns = position.tricks_won(Side.NS)
            solution = self._solve(position, call, None if guess is None else guess - won_ns)
            guess = won_ns + solution.tricks_ns
            values.append(guess if side is Side.NS else total - guess)
        return PlayTrace(play, values)

    def best_line(
        self,
        deal: DealLike,
        strain: StrainLike,
        leader: SeatLike,
        *,
        played: CardsLike = (),
        stop: StopFlag | None = None,
    ) -> Play:
        """One line of perfect play to the end; each time the lowest of equally good cards.

        >>> line = Solver().best_line("N:AK... QJ... T9... 87...", "NT", leader="W")
        >>> " ".join(str(card) for card in line.cards)
        'S7 SK SJ S9 SA SQ ST S8'
        """
        call = self._call(stop)
        play = _checked(deal, strain, leader, played)
        while not play.is_over:
            best = [value.card for value in self._cards(play, call) if value.cost == 0]
            play = play.with_card(min(best, key=lambda card: (card.rank, card.suit)))
        return play

    def cancel(self) -> None:
        """Stop all calls that other threads have made so far; they raise `Stopped`.

        Calls that still wait for their turn are stopped too; calls made later are not.
        """
        self._core.cancel()

    def reset(self, *, stop: StopFlag | None = None) -> None:
        """Forget what was learned."""
        self._core.reset(*self._call(stop))

    def statistics(self, *, stop: StopFlag | None = None) -> dict[str, int]:
        """Counters since the solver was made: nodes, table look-ups and hits, pattern sizes ..."""
        return self._core.statistics(*self._call(stop))


def _chosen(endings: Endings, tricks: int, stop: StopFlag | None = None) -> EndingTable | None:
    """The database to use in positions with `tricks` left."""
    if endings is None or isinstance(endings, EndingTable):
        return endings
    if endings == "installed":
        return endings_for(tricks, stop=stop)
    raise InvalidInput(
        f"not a database of endings: {endings!r} (expected an EndingTable, 'installed' or None)"
    )


def _core_endings(endings: EndingTable | None) -> _core.ThresholdLevel | None:
    return None if endings is None else endings._core


def _with_endings(
    endings: Endings,
    tricks: int,
    stop: StopFlag | None,
    work: Callable[[_core.ThresholdLevel | None], T],
) -> T:
    """Do the work on `tricks` with a database; if it is damaged, once more without it."""
    core = _core_endings(_chosen(endings, tricks, stop))

    def drop() -> None:
        nonlocal core
        core = None

    def checked() -> T:
        if core is not None:
            core.check_size()
        return work(core)

    return ask_with_endings(checked, drop, stacklevel=3)


def _until_stopped(items: Iterable[T], stop: StopFlag | None) -> Iterator[T]:
    for item in items:
        check_stop(stop)
        yield item


def checked_deals(deals: Iterable[DealLike], stop: StopFlag | None) -> list[Deal]:
    """Deals that can be solved; an error names the first one that cannot."""
    if isinstance(deals, str | Deal):
        raise InvalidInput(f"not a list of deals: {deals!r} (solve_table takes a single deal)")
    return [
        _checked(deal, Strain.NOTRUMP, Seat.NORTH, ()).deal for deal in _until_stopped(deals, stop)
    ]


def table_of_strains(by_leader: Sequence[Sequence[int]], deal: Deal) -> TrickTable:
    """Declarers' tricks from North-South's tricks by strain and leader."""
    total = len(deal[Seat.NORTH])

    def tricks(declarer: Seat, strain: Strain) -> int:
        ns = by_leader[strain][declarer.next]
        return ns if declarer.side is Side.NS else total - ns

    return TrickTable.from_function(tricks)


def solve_deal(
    deal: DealLike,
    strain: StrainLike,
    leader: SeatLike,
    *,
    played: CardsLike = (),
    limit_mb: int = 256,
    endings: Endings = "installed",
    stop: StopFlag | None = None,
) -> Solution:
    """Solve one deal, or the position after some cards, double dummy.

    >>> solve_deal("N:A... K... Q... J...", "NT", leader="N").tricks_ns
    1
    >>> deal = Deal.from_pbn("N:AQ... K3... 54... 76...")
    >>> solve_deal(deal, Strain.NOTRUMP, leader=Seat.WEST, played="S6 SQ").tricks_ns
    1

    Raises `InvalidDeal` if hands differ in length, `InvalidPlay` for a card that may not be
    played, and `Stopped` once the flag `stop` is set. Safe to call from several threads.
    """
    solver = Solver(limit_mb=limit_mb, endings=endings)
    return solver.solve(deal, strain, leader, played=played, stop=stop)


def solve_cards(
    deal: DealLike,
    strain: StrainLike,
    leader: SeatLike,
    *,
    played: CardsLike = (),
    limit_mb: int = 256,
    endings: Endings = "installed",
    stop: StopFlag | None = None,
) -> CardValues:
    """The value of every legal card, best first; also in the middle of a trick.

    >>> print(solve_cards("N:A2... K3... Q4... J5...", "NT", leader="N"))
    card  tricks  cost
    SA         1     0
    S2         1     0
    >>> print(solve_cards("N:A2... K3... Q4... J5...", "NT", leader="W", played="SJ")[0])
    SA: 1 trick

    Raises `Stopped` once the flag `stop` is set.
    """
    solver = Solver(limit_mb=limit_mb, endings=endings)
    return solver.cards(deal, strain, leader, played=played, stop=stop)


def solve_table(
    deal: DealLike,
    *,
    threads: int | None = None,
    limit_mb: int = 256,
    endings: Endings = "installed",
    stop: StopFlag | None = None,
) -> TrickTable:
    """The 20 results of a deal, strains side by side on all cores (default) or `threads` of them.

    >>> print(solve_table("N:AK... QJ... T9... 87..."))
       NT  S  H  D  C
    N   2  2  2  2  2
    E   0  0  0  0  0
    S   2  2  2  2  2
    W   0  0  0  0  0

    Raises `Stopped` once the flag `stop` is set.
    """
    (table,) = solve_tables([deal], threads=threads, limit_mb=limit_mb, endings=endings, stop=stop)
    return table


def solve_tables(
    deals: Iterable[DealLike],
    *,
    threads: int | None = None,
    limit_mb: int = 256,
    progress: CountProgress | None = None,
    endings: Endings = "installed",
    stop: StopFlag | None = None,
) -> tuple[TrickTable, ...]:
    """The tables of any number of deals, on all cores (default) or `threads` of them.

    `progress` is called now and then with the number of finished strains, five for each deal. The
    flag `stop` ends everything with `Stopped`, Ctrl-C with `KeyboardInterrupt`.

    >>> tables = solve_tables(["N:AK... QJ... T9... 87...", "N:A... K... Q... J..."])
    >>> [table.tricks(Seat.NORTH, Strain.SPADES) for table in tables]
    [2, 1]
    """
    checked = checked_deals(deals, stop)
    hands = [_core_hands(deal) for deal in checked]
    work = thread_count(threads), limit_bytes(limit_mb, least=2), progress
    tricks = max((len(deal[Seat.NORTH]) for deal in checked), default=0)
    results = _with_endings(
        endings, tricks, stop, lambda core: _core.solve_tables(hands, *work, core, stop)
    )
    return tuple(
        table_of_strains(result, deal) for deal, result in zip(checked, results, strict=True)
    )


def solve_many(
    plays: Iterable[Play],
    *,
    threads: int | None = None,
    limit_mb: int = 256,
    progress: CountProgress | None = None,
    endings: Endings = "installed",
    stop: StopFlag | None = None,
) -> tuple[int, ...]:
    """North-South's tricks from each position on, on all cores (default) or `threads` of them.

    `progress` is called now and then with the number of finished positions. The flag `stop` ends
    everything with `Stopped`, Ctrl-C with `KeyboardInterrupt`.

    >>> solve_many([Play("N:AK... QJ... T9... 87...", "NT", seat) for seat in Seat])
    (2, 2, 2, 2)
    """
    answers: list[int] = []
    asked, questions, most_tricks = [], [], 0
    for index, play in enumerate(_until_stopped(plays, stop)):
        _checked(play.deal, play.strain, play.leader, ())
        answers.append(0)
        if not play.is_over:
            asked.append(index)
            questions.append(_core_position(play))
            most_tricks = max(most_tricks, *(len(hand) for hand in play.remaining))
    work = thread_count(threads), limit_bytes(limit_mb, least=2), progress
    results = _with_endings(
        endings, most_tricks, stop, lambda core: _core.solve_many(questions, *work, core, stop)
    )
    for index, tricks in zip(asked, results, strict=True):
        answers[index] = tricks
    return tuple(answers)


def trace_play(
    play: Play,
    *,
    limit_mb: int = 256,
    endings: Endings = "installed",
    stop: StopFlag | None = None,
) -> PlayTrace:
    """Declarer's tricks with perfect play before the first card and after each card of `play`.

    The answer is a tuple of numbers; printed, it has each card with its cost. What would have been
    better, and what it cost in points, is in `setrograde.analysis.review.review_cards`.

    >>> trace = trace_play(Play("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", "W", "H4 H2"))
    >>> trace == (1, 2, 2), trace.costs
    (True, (1, 0))
    >>> print(trace)
    Declarer (South) takes 1 of 3 tricks with perfect play.
    trick  player  card  declarer  cost
        1  West    H4           2     1
           North   H2           2     0

    Raises `Stopped` once the flag `stop` is set.
    """
    return Solver(limit_mb=limit_mb, endings=endings).trace(play, stop=stop)


def best_line(
    deal: DealLike,
    strain: StrainLike,
    leader: SeatLike,
    *,
    played: CardsLike = (),
    limit_mb: int = 256,
    endings: Endings = "installed",
    stop: StopFlag | None = None,
) -> Play:
    """One line of perfect play by both sides, after the cards played so far.

    >>> line = best_line("N:A... K... Q... J...", "NT", leader="N")
    >>> [str(card) for card in line.cards]
    ['SA', 'SK', 'SQ', 'SJ']

    Raises `Stopped` once the flag `stop` is set.
    """
    solver = Solver(limit_mb=limit_mb, endings=endings)
    return solver.best_line(deal, strain, leader, played=played, stop=stop)
