"""The endgame database: stored levels, asked one position or one set of deals at a time.

>>> database = EndingDatabase.open()                                      # doctest: +SKIP
>>> deal = Deal.from_pbn("N:AQ.2.. K3.A.. 54.3.. 76.4..")
>>> database.probe(deal, Strain.NOTRUMP, Seat.SOUTH).tricks_ns            # doctest: +SKIP
2
>>> deals = DealSet.from_text("SAQ=N SK=EW S76543=x H2=N HA=E H43=SW")    # doctest: +SKIP
>>> database.query(deals, Strain.NOTRUMP, Seat.SOUTH).histogram           # doctest: +SKIP
{1: 20, 2: 180}
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from setrograde import _core
from setrograde.bridge import Card, Deal, Hand, InvalidDeal, Play, Rank, Seat, Side, Strain, Suit
from setrograde.locations import data_directory, level_path
from setrograde.solve.double_dummy import CardValue

from .deal_sets import DealSet
from .methods.diagram_build import DatabaseError

__all__ = [
    "DecisiveCard",
    "DiagramLevel",
    "EndingDatabase",
    "Probe",
    "SetValue",
    "ShardedLevel",
    "data_directory",
    "level_path",
    "open_level",
]


OneFile: TypeAlias = _core.DiagramLevel
Shards: TypeAlias = _core.ShardedLevel


class DiagramLevel:
    """One stored level of diagrams; opening it reads the header alone.

    Any number of threads and processes may ask at the same time.
    """

    _core: OneFile | Shards

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        with _damage_reported():
            self._files = self._open()
        try:
            self.creator = self._core.creator
        except UnicodeDecodeError:
            raise DatabaseError(f"{self.path}: damaged (name of its creator)") from None
        self.tricks = self._core.tricks
        self.shapes = self._core.shapes
        self.states = self._core.states
        self.nodes = sum(file.nodes for file in self._files)
        self.bytes = sum(file.file_bytes for file in self._files)

    def _open(self) -> list[OneFile]:
        """Open what `_core` asks; the files with nodes."""
        level = OneFile(os.fspath(self.path))
        self._core = level
        return [level]

    def check(self) -> None:
        """Compare all checksums of the files; a damaged one raises `DatabaseError`."""
        with _damage_reported():
            for file in self._files:
                file.check()

    def value(self, deal: Deal, strain: Strain, leader: Seat) -> int:
        """Tricks of the leader's side."""
        hands = _hands(deal)
        if any(hand.bit_count() != self.tricks for hand in hands):
            raise InvalidDeal(
                f"not {self.tricks} cards in each hand: {deal.to_pbn()!r}"
                f" (expected {4 * self.tricks} cards)"
            )
        with _damage_reported():
            return self._core.value(hands, strain, leader)

    def values(
        self, hands: NDArray[np.uint64], strains: NDArray[np.uint8], leaders: NDArray[np.uint8]
    ) -> NDArray[np.uint8]:
        """Tricks of the leader's side for many positions between tricks.

        A row of `hands` has the `Hand.bits` of North, East, South and West.
        """
        out = np.empty(len(hands), np.uint8)
        with _damage_reported():
            bad = self._core.values(
                np.ascontiguousarray(hands, np.uint64),
                np.ascontiguousarray(strains, np.uint8),
                np.ascontiguousarray(leaders, np.uint8),
                out,
            )
        if bad < len(out):
            raise InvalidDeal(
                f"row {bad} is not a position with {self.tricks} cards in each of four hands:"
                f" {[hex(int(bits)) for bits in hands[bad]]}, strain {strains[bad]},"
                f" leader {leaders[bad]}"
            )
        return out

    def values_of_shape(self, rank: int) -> bytes:
        """Values of all layouts of a shape, in the order of `StateLevel.values_of_shape`."""
        with _damage_reported():
            return self._core.values_of_shape(rank)

    def set_of(self, deal: Deal, strain: Strain, leader: Seat) -> DealSet:
        """The set the database files the deal under: all its deals have the same value.

        The hands are as long in every suit as in `deal`; only the cards the database asked about
        are tied to a player.
        """
        self.value(deal, strain, leader)
        with _damage_reported():
            path = self._core.path(_hands(deal), strain, leader)
        all_cards = Hand(deal.bits)
        holders = {card: frozenset(Seat) for card in all_cards}
        for suit, unread, _, same in path:
            cards = sorted(card for card in all_cards if card.suit == suit)
            holders[cards[unread - 1]] = frozenset(
                leader.next_by(player) for player in range(4) if same >> player & 1
            )
        lengths = {
            (seat, suit): (deal[seat].length(suit),) * 2
            for suit in Suit
            if all_cards.length(suit)
            for seat in Seat
        }
        return DealSet(holders, lengths)

    def count(self, deals: DealSet, strain: Strain, leader: Seat) -> tuple[list[int], int]:
        """How many deals of the set give the leader's side 0, 1, 2 ... tricks; and the shapes."""
        least, most = deals.length_limits(leader)
        with _damage_reported():
            return self._core.query(deals.masks(leader), strain, least, most)


class ShardedLevel(DiagramLevel):
    """A level in shards; `path` is their list (`setrograde.db.methods.sharded_build`).

    Some shards may be missing: `nodes` and `bytes` are of those that are there, and to ask about a
    shape of another one is a `DatabaseError`.
    """

    _core: Shards

    def _open(self) -> list[OneFile]:
        self._core = Shards(os.fspath(self.path))
        self.shards = self._core.shards
        numbers = [number for number in range(self.shards) if self._core.is_built(number)]
        files = [self._core.shard(number) for number in numbers]
        self.shards_built = len(files)
        self.shapes_built = sum(file.shapes for file in files)
        return files

    @property
    def is_complete(self) -> bool:
        """No shard is missing."""
        return self.shards_built == self.shards

    def ranks_built(self) -> NDArray[np.uint32]:
        """The numbers of the shapes that can be asked about."""
        ranks = [np.frombuffer(file.ranks(), np.uint32) for file in self._files]
        return np.concatenate(ranks) if ranks else np.empty(0, np.uint32)


def open_level(path: str | os.PathLike[str]) -> DiagramLevel:
    """A stored level, in one file or in shards.

    >>> open_level("/no/such/file")
    Traceback (most recent call last):
    ...
    setrograde.db.methods.diagram_build.DatabaseError: /no/such/file: No such file or directory
    """
    with _damage_reported():
        is_sharded = _core.is_sharded(os.fspath(path))
    return ShardedLevel(path) if is_sharded else DiagramLevel(path)


@dataclass(frozen=True, slots=True)
class Probe:
    """What the database says of one position."""

    tricks_ns: int
    tricks_ew: int
    cards: tuple[CardValue, ...]
    """Every legal card, best first."""
    deals: DealSet | None
    """The set the position was found in; `None` in the middle of a trick."""


@dataclass(frozen=True, slots=True)
class DecisiveCard:
    """What it is worth to know who has one card."""

    card: Card
    mean_by_holder: Mapping[Seat, float]
    """Average tricks of North-South if that player has it."""
    deals_by_holder: Mapping[Seat, int]
    share: float
    """Share of the variance of the tricks that knowing the holder explains, 0 to 1."""


@dataclass(frozen=True, slots=True)
class SetValue:
    """What a set of deals is worth."""

    deals: int
    """How many there are."""
    histogram: Mapping[int, int]
    """Deals by tricks of North-South."""
    shapes: int
    """Ways in which hands and suits share the cards out."""

    @property
    def min(self) -> int:
        """The fewest tricks North-South take in any deal."""
        return min(self.histogram)

    @property
    def max(self) -> int:
        """The most tricks North-South take in any deal."""
        return max(self.histogram)

    @property
    def mean(self) -> float:
        """Average tricks of North-South, all deals alike."""
        return sum(tricks * deals for tricks, deals in self.histogram.items()) / self.deals

    @property
    def variance(self) -> float:
        """Average square of the distance from the mean."""
        square = sum(tricks * tricks * deals for tricks, deals in self.histogram.items())
        return square / self.deals - self.mean**2


class EndingDatabase:
    """All levels that are there, from one trick up."""

    def __init__(self, levels: Mapping[int, DiagramLevel]) -> None:
        self.levels = dict(sorted(levels.items()))

    @classmethod
    def open(cls, directory: str | os.PathLike[str] | None = None) -> EndingDatabase:
        """Open what lies in a data directory; none there is an error."""
        folder = level_path(1, directory).parent
        levels = {}
        for tricks in range(1, 14):
            path = level_path(tricks, directory)
            if path.exists():
                levels[tricks] = open_level(path)
                if levels[tricks].tricks != tricks:
                    raise DatabaseError(f"{path}: has {levels[tricks].tricks} tricks")
        if not levels:
            raise DatabaseError(
                f"no endgame database in {os.fspath(folder)!r}"
                " (expected one: setrograde db build --cards 12)"
            )
        return cls(levels)

    def level(self, tricks: int) -> DiagramLevel:
        """The level with so many tricks, or an error that says what there is."""
        if tricks not in self.levels:
            there = ", ".join([str(4 * tricks) for tricks in self.levels])
            raise DatabaseError(
                f"no endings with {4 * tricks} cards in the database (it has {there} cards;"
                f" more by setrograde db build --cards {4 * tricks})"
            )
        return self.levels[tricks]

    def probe(
        self, deal: Deal, strain: Strain, leader: Seat, *, played: Sequence[Card] = ()
    ) -> Probe:
        """The value of a position and of every legal card in it."""
        play = Play(deal, strain, leader, tuple(played))
        left = play.remaining
        if play.is_over:
            return Probe(0, 0, (), None)
        values = self._card_values(play)
        side = play.turn.side
        best = max(values.values())
        tricks = max(len(hand) for hand in left)
        cards = [CardValue(card, value, best - value) for card, value in values.items()]
        cards.sort(key=lambda value: (value.cost, -value.card.suit, -value.card.rank))
        deals = None
        if not play.current_trick.cards:
            level = self.level(tricks)
            best = level.value(left, strain, play.turn)
            deals = level.set_of(left, strain, play.turn)
        ns = best if side is Side.NS else tricks - best
        return Probe(ns, tricks - ns, tuple(cards), deals)

    def _card_values(self, play: Play) -> dict[Card, int]:
        """Tricks of the side on turn after each legal card, the trick at hand included."""
        tricks = max(len(hand) for hand in play.remaining)
        below = self.level(tricks - 1)._core if tricks > 1 else None
        if isinstance(below, _core.ShardedLevel):
            raise DatabaseError(
                f"endings with {4 * tricks - 4} cards lie in shards, which single cards are not"
                " looked up in (expected a position with as many cards as the endings have)"
            )
        trick = play.current_trick
        on_table = [16 * card.suit + card.rank for card in trick.cards]
        with _damage_reported():
            found = _core.card_values(
                _hands(play.remaining), play.strain, trick.leader, on_table, below
            )
        return {Card(Suit(place // 16), Rank(place % 16)): value for place, value in found}

    def query(self, deals: DealSet, strain: Strain, leader: Seat) -> SetValue:
        """What all deals of a set are worth, `leader` on lead."""
        counts, shapes = self.level(deals.tricks).count(deals, strain, leader)
        if leader.side is Side.EW:
            counts = counts[::-1]
        total = sum(counts)
        if not total:
            raise InvalidDeal(
                f"no deal is in the set {deals.to_text()!r} (expected one that gives every player"
                f" {deals.tricks} cards)"
            )
        return SetValue(total, {tricks: n for tricks, n in enumerate(counts) if n}, shapes)

    def decisive_cards(self, deals: DealSet, strain: Strain, leader: Seat) -> list[DecisiveCard]:
        """The cards whose holder is not known, the one that tells most first."""
        level = self.level(deals.tricks)
        whole = self.query(deals, strain, leader)
        found = []
        for card, seats in deals.holders.items():
            if len(seats) == 1:
                continue
            parts: dict[Seat, SetValue] = {}
            for seat in sorted(seats):
                counts, shapes = level.count(deals.with_holder(card, [seat]), strain, leader)
                if leader.side is Side.EW:
                    counts = counts[::-1]
                if total := sum(counts):
                    histogram = {tricks: n for tricks, n in enumerate(counts) if n}
                    parts[seat] = SetValue(total, histogram, shapes)
            between = sum(part.deals * (part.mean - whole.mean) ** 2 for part in parts.values())
            found.append(
                DecisiveCard(
                    card,
                    {seat: part.mean for seat, part in parts.items()},
                    {seat: part.deals for seat, part in parts.items()},
                    between / whole.deals / whole.variance if whole.variance > 1e-12 else 0.0,
                )
            )
        found.sort(key=lambda entry: (-entry.share, -entry.card.suit, -entry.card.rank))
        return found


@contextmanager
def _damage_reported() -> Iterator[None]:
    """Turn errors of the core about damaged files into `DatabaseError`."""
    try:
        yield
    except _core.LevelFileError as error:
        raise DatabaseError(str(error)) from None


def _hands(deal: Deal) -> tuple[int, int, int, int]:
    north, east, south, west = deal.hands
    return (north.bits, east.bits, south.bits, west.bits)
