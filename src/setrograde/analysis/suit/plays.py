"""Plays: what declarer tries to do in one trick, and what players call it.

A play is a hand that leads and the card that is meant to win, or at least to drive out a higher
one. The card is led itself ("run the queen"), or the hand opposite plays it ("lead low to the
queen"). The classes of Sutherland's paper, formed anew for the cards that are left, give the name:
the finesse cards F touch the card played, the critical cards C are the defenders' higher cards, and
the top cards T are declarer's cards that beat some of C after the next defender has played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from setrograde.bridge import Seat

from .game import SuitGame, SuitState
from .lines import SuitLine
from .ranks import highest, highest_cards, iter_ranks

__all__ = [
    "CASH",
    "DUCK",
    "FORCE",
    "Play",
    "Trick",
    "iter_plays",
    "name_of_card",
    "names_of_cards",
    "trick_of",
]

CASH, FORCE, DUCK = "cash", "force", "duck"
"""Kinds of plays that are not finesses."""

_NAMES = {8: "ten", 9: "jack", 10: "queen", 11: "king", 12: "ace"}
_SPOTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
_EIGHT = 6
_HANDS = (Seat.NORTH, Seat.SOUTH)
_DEFENDERS = (Seat.WEST, Seat.EAST)


def name_of_card(rank: int) -> str:
    """A rank as players say it.

    >>> name_of_card(10), name_of_card(0)
    ('queen', 'two')
    """
    return _NAMES.get(rank) or _SPOTS[rank]


def names_of_cards(bits: int) -> str:
    """Cards as players say them.

    >>> names_of_cards(0b1110_0000_0000), names_of_cards(0b10)
    ('king, queen and jack', 'three')
    """
    names = [name_of_card(rank) for rank in iter_ranks(bits)]
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


@dataclass(frozen=True, slots=True)
class Play:
    """A hand that leads, and the card of declarer's that counts in the trick."""

    hand: int
    """The hand that leads: 0 North, 1 South."""

    card: int
    """The rank of the card that counts."""

    is_led: bool
    """True if that card is led, and the hand opposite plays low unless a defender covers."""

    @property
    def leader(self) -> Seat:
        """The hand that leads."""
        return _HANDS[self.hand]

    @property
    def onside(self) -> Seat:
        """The defender who plays second."""
        return _DEFENDERS[1 - self.hand]


@dataclass(frozen=True)
class Trick:
    """A play in a state of the game, with its classes of cards and its name.

    >>> from setrograde.analysis.suit.layouts import layouts_of
    >>> game = SuitGame(layouts_of("AQT9", "5432"))
    >>> tricks = [Trick(game, game.start, play) for play in iter_plays(game, game.start)]
    >>> [(trick.kind, name_of_card(trick.play.card)) for trick in tricks if trick.is_finesse]
    [('simple', 'queen'), ('double', 'ten')]
    """

    game: SuitGame
    """The rules and the layouts."""

    state: SuitState
    """What declarer knows before the trick."""

    play: Play
    """What he does."""

    @cached_property
    def left(self) -> tuple[tuple[int, int], ...]:
        """The runs of the defenders that have cards left, and their numbers of cards."""
        west, east = self.state.played
        counts = [run.bit_count() - west[i] - east[i] for i, run in enumerate(self.game.table.runs)]
        return tuple(row for row in zip(self.game.table.runs, counts, strict=True) if row[1])

    @cached_property
    def critical_bits(self) -> int:
        """C: the cards of the runs that beat the card played; some of a run may be gone."""
        return sum(run for run, _ in self.left if run > 1 << self.play.card)

    @cached_property
    def critical_count(self) -> int:
        """The number of critical cards left."""
        return sum(count for run, count in self.left if run > 1 << self.play.card)

    @cached_property
    def caught_bits(self) -> int:
        """The critical cards that the hand opposite can beat if the next defender plays them."""
        best = highest(self.state.own[1 - self.play.hand])
        return 0 if best is None else sum(run for run, _ in self._above if run < 1 << best)

    @cached_property
    def caught_count(self) -> int:
        """The number of critical cards that can be caught."""
        return sum(count for run, count in self._above if run & self.caught_bits)

    @cached_property
    def target_bits(self) -> int:
        """The cards that the finesse is against: those to be caught, or else all critical cards."""
        return self.caught_bits or self.critical_bits

    @cached_property
    def finesse_bits(self) -> int:
        """F: declarer's cards that touch the card played."""
        own = self.state.own[0] | self.state.own[1]
        return sum(1 << rank for rank in iter_ranks(own) if self._touches(rank))

    @cached_property
    def top_bits(self) -> int:
        """T: declarer's cards that are higher than the finesse cards."""
        own = self.state.own[0] | self.state.own[1]
        return own & ~self.finesse_bits & ~((1 << self.play.card) - 1)

    @cached_property
    def classes(self) -> dict[str, int]:
        """T, F, C and L as bits; of a run that has lost cards, the highest cards are shown.

        Where a top card is cashed, F begins with declarer's next lower card, as in the paper.
        """
        if not self.critical_count:
            own = self.state.own[0] | self.state.own[1]
            lower = highest(own & ~(self.top_bits | self.finesse_bits))
            if lower is not None:
                play = Play(self.play.hand, lower, self.play.is_led)
                return Trick(self.game, self.state, play).classes
        out = sum(highest_cards(run, count) for run, count in self.left)
        critical = out & self.critical_bits
        low = (self.state.own[0] | self.state.own[1] | out) & ~(
            self.top_bits | self.finesse_bits | critical
        )
        return {"T": self.top_bits, "F": self.finesse_bits, "C": critical, "L": low}

    @cached_property
    def kind(self) -> str:
        """`cash`, `force` or `duck`, or the kind of finesse: `simple`, `double`, `deep`,
        `indirect`, `high card`, `backward` or `unsupported`."""
        play = self.play
        if not self.critical_count:
            return CASH
        is_spot = play.card < _EIGHT and self.critical_count > 1
        if is_spot or not any(run < 1 << play.card for run, _ in self.left):
            return DUCK
        if play.is_led:
            if not self.caught_bits:
                return FORCE
            if self.finesse_bits.bit_count() > 1:
                return "high card"
            beside = highest(self.state.own[play.hand])
            assert beside is not None
            is_caught_both_ways = self.caught_count == 1 and self.target_bits < 1 << beside
            return "backward" if is_caught_both_ways else "unsupported"
        if not self.caught_bits:
            return "indirect" if self.state.own[1 - play.hand].bit_count() > 1 else FORCE
        if self.caught_count == 1:
            return "simple"
        return "deep" if self._is_deep else "double"

    @property
    def is_finesse(self) -> bool:
        """True if the trick is a finesse."""
        return self.kind not in (CASH, FORCE, DUCK)

    def may_work(self, layouts: int) -> bool:
        """True if in one of these layouts the second player has a card to be caught."""
        return any(self._has_target(layout) for layout in self._iter(layouts))

    def is_marked(self, layouts: int) -> bool:
        """True if in each of these layouts the second player has every card to be caught."""
        return all(self._has_target(layout, every=True) for layout in self._iter(layouts))

    def _has_target(self, counts: tuple[int, ...], *, every: bool = False) -> bool:
        onside = 1 - self.play.hand
        offside = self.play.hand
        for i, run in enumerate(self.game.table.runs):
            if run & self.target_bits:
                held = [counts[i], run.bit_count() - counts[i]]
                if every and held[offside] > self.state.played[offside][i]:
                    return False
                if not every and held[onside] > self.state.played[onside][i]:
                    return True
        return every

    def _iter(self, layouts: int) -> Iterator[tuple[int, ...]]:
        for i, layout in enumerate(self.game.table.layouts):
            if layouts >> i & 1:
                yield layout.counts

    @property
    def _is_deep(self) -> bool:
        """True if a third card is missing, and the hand has a card to finesse with in between."""
        opposite = self.state.own[1 - self.play.hand]
        best = highest(opposite)
        between = self.top_bits & opposite & ~(0 if best is None else 1 << best)
        return self.caught_count > 2 or (self.critical_count > 2 and bool(between))

    @property
    def _above(self) -> list[tuple[int, int]]:
        return [row for row in self.left if row[0] > 1 << self.play.card]

    def _touches(self, rank: int) -> bool:
        low, high = min(rank, self.play.card), max(rank, self.play.card)
        return not any(1 << low < run < 1 << high for run, _ in self.left)


def trick_of(game: SuitGame, line: SuitLine) -> Trick:
    """The trick that a line begins with, if the next defender plays low."""
    lowest = max((run for run in line.follow if run is not None), default=None)
    follow = line.follow[lowest].card
    is_led = follow is None or line.card > follow
    card = line.card if is_led or follow is None else follow
    return Trick(game, line.state, Play(line.hand, card, is_led))


def iter_plays(game: SuitGame, state: SuitState) -> Iterator[Play]:
    """Every play of a state: each lead with each card opposite, told by the card that counts."""
    found = dict[Play, None]()
    for hand, led in game.leads(state):
        for follow in game.followers(state, hand):
            is_led = follow is None or led > follow
            found[Play(hand, led if is_led or follow is None else follow, is_led)] = None
    yield from sorted(found, key=lambda play: (play.hand, play.is_led, -play.card))
