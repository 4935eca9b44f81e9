"""The endgame database: stored levels, asked one position or one set of deals at a time.

>>> import tempfile
>>> from setrograde.db import build_database
>>> folder = tempfile.TemporaryDirectory()
>>> report = build_database(12, folder.name)
>>> database = EndingDatabase.open(folder.name)
>>> database.probe("N:AQ.2.. K3.A.. 54.3.. 76.4..", "NT", "S").tricks_ns
2
>>> value = database.query("SAQ=N SK=EW S76543=x H2=N HA=E H43=SW", "NT", "S")
>>> value.histogram
{1: 20, 2: 180}
>>> print(value)
200 deals: N-S take 1 to 2 tricks, 1.90 on average
N-S tricks  deals    share
         1     20   10.00%  ####
         2    180   90.00%  ########################################
>>> folder.cleanup()
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from setrograde import _core
from setrograde.bridge import Card, Deal, Hand, InvalidDeal, Play, Rank, Seat, Side, Strain, Suit
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
from setrograde.common.stop import StopFlag
from setrograde.common.words import count_of
from setrograde.errors import InvalidInput, MissingTable
from setrograde.locations import data_directory, level_path
from setrograde.solve.double_dummy import CardValue

from .deal_sets import DealSet, DealSetLike, as_deal_set
from .display import describe_set, format_histogram, html_text
from .methods.diagram_build import DatabaseError

__all__ = [
    "DecisiveCard",
    "DiagramLevel",
    "EndingDatabase",
    "Probe",
    "SetValue",
    "ShardedLevel",
    "build_command",
    "data_directory",
    "level_path",
    "missing_endings",
    "open_level",
]


OneFile: TypeAlias = _core.DiagramLevel
Shards: TypeAlias = _core.ShardedLevel


class DiagramLevel:
    """One stored level of diagrams; opening it reads only the header of the file.

    Any number of threads and processes may ask at the same time. Where a function takes a deal, a
    strain, a seat or a set of deals, it takes text too.
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

    @property
    def cards(self) -> int:
        """Cards of its endings, all hands together."""
        return 4 * self.tricks

    def __repr__(self) -> str:
        return f"{type(self).__name__}({os.fspath(self.path)!r})"

    def _open(self) -> list[OneFile]:
        """Set `_core`, which answers questions, and return the files that have nodes."""
        level = OneFile(os.fspath(self.path))
        self._core = level
        return [level]

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Around a question: the core's errors, and the end of a file cut short, are reported."""
        with _damage_reported():
            if len(self._files) == 1:  # of many, each looks when it is read for the first time
                self._files[0].check_size()
            yield

    def check(self, *, stop: StopFlag | None = None) -> None:
        """Compare all checksums of the files; a damaged file raises `DatabaseError`."""
        with _damage_reported():
            for file in self._files:
                file.check(stop)

    def value(self, deal: DealLike, strain: StrainLike, leader: SeatLike) -> int:
        """The tricks that the leader's side takes."""
        deal = as_deal(deal)
        hands = _hands(deal)
        if any(hand.bit_count() != self.tricks for hand in hands):
            raise InvalidDeal(
                f"not {self.tricks} cards in each hand: {deal.to_pbn()!r}"
                f" (expected {4 * self.tricks} cards)"
            )
        with self._asking():
            return self._core.value(hands, as_strain(strain), as_seat(leader))

    def values(
        self, hands: NDArray[np.uint64], strains: NDArray[np.uint8], leaders: NDArray[np.uint8]
    ) -> NDArray[np.uint8]:
        """Tricks of the leader's side for many positions between tricks.

        A row of `hands` has the `Hand.bits` of North, East, South and West; `strains` and `leaders`
        are numbers of `Strain` and `Seat`.
        """
        if not len(hands) == len(strains) == len(leaders):
            raise InvalidInput(
                f"{len(hands)} rows of hands, {len(strains)} strains and {len(leaders)} leaders"
                " (expected as many of each)"
            )
        out = np.empty(len(hands), np.uint8)
        with self._asking():
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
        """The values of all layouts of a shape, ordered as by `StateLevel.values_of_shape`."""
        with self._asking():
            return self._core.values_of_shape(rank)

    def set_of(self, deal: DealLike, strain: StrainLike, leader: SeatLike) -> DealSet:
        """The set of deals under which the database files this deal: all have the same value.

        In each deal of the set every hand has as many cards of each suit as in `deal`. Only the
        cards that the database asked about are tied to a player.
        """
        deal, strain, leader = as_deal(deal), as_strain(strain), as_seat(leader)
        self.value(deal, strain, leader)
        with self._asking():
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

    def count(
        self,
        deals: DealSetLike,
        strain: StrainLike,
        leader: SeatLike,
        *,
        stop: StopFlag | None = None,
    ) -> tuple[list[int], int]:
        """Count the deals of a set by tricks of the leader's side: 0, 1, 2 ...

        The second number is that of the shapes. Once `stop` is set, the call raises `Stopped`.
        """
        deals, strain, leader = as_deal_set(deals), as_strain(strain), as_seat(leader)
        least, most = deals.length_limits(leader)
        with self._asking():
            return self._core.query(deals.masks(leader), strain, least, most, stop)


class ShardedLevel(DiagramLevel):
    """A level in shards; `path` is the list of them (`setrograde.db.methods.sharded_build`).

    Some shards may be missing: `nodes` and `bytes` are those of the shards that are there, and a
    question about a shape of a missing shard raises `MissingTable`.
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
        """True if no shard is missing."""
        return self.shards_built == self.shards

    def ranks_built(self) -> NDArray[np.uint32]:
        """The numbers of the shapes whose shards are there."""
        ranks = [np.frombuffer(file.ranks(), np.uint32) for file in self._files]
        return np.concatenate(ranks) if ranks else np.empty(0, np.uint32)


def open_level(path: str | os.PathLike[str]) -> DiagramLevel:
    """Open a stored level, in one file or in shards.

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
    """The database's answer about one position."""

    tricks_ns: int
    """Tricks that North-South still take with best play."""
    tricks_ew: int
    """Tricks that East-West still take with best play."""
    cards: tuple[CardValue, ...]
    """Every legal card, best first."""
    deals: DealSet | None
    """The set of deals with the same value that holds the position; `None` during a trick."""

    def __str__(self) -> str:
        """What both sides take, the cards by value, and the set in words."""
        lines = [f"N-S take {_tricks(self.tricks_ns)}, E-W {self.tricks_ew}"]
        for value, group in groupby(self.cards, key=lambda entry: (entry.tricks, entry.cost)):
            cards = " ".join([entry.card.pretty for entry in group])
            cost = f", costs {value[1]}" if value[1] else ""
            lines.append(f"  {cards}: {_tricks(value[0])}{cost}")
        if self.deals is not None:
            lines.append(f"The same in all deals in which {describe_set(self.deals)}.")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return html_text(str(self))


@dataclass(frozen=True, slots=True)
class DecisiveCard:
    """How much it tells to know who holds one card."""

    card: Card
    """The card whose holder is not known."""
    mean_by_holder: Mapping[Seat, float]
    """Average tricks of North-South, by the player who holds the card."""
    deals_by_holder: Mapping[Seat, int]
    """Number of deals, by the player who holds the card."""
    share: float
    """Share of the variance of the tricks that knowing the holder explains, 0 to 1."""

    def __str__(self) -> str:
        means = [f"with {seat.name.title()} {m:.2f}" for seat, m in self.mean_by_holder.items()]
        return f"{self.card.pretty}  {self.share:.1%}: {', '.join(means)} tricks on average"


@dataclass(frozen=True, slots=True)
class SetValue:
    """What a set of deals is worth."""

    deals: int
    """The number of deals."""
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

    def __str__(self) -> str:
        """The tricks of North-South, and a bar for each number of them."""
        deals = f"{self.deals:,} deal{'' if self.deals == 1 else 's'}"
        return f"{deals}: {self.range_text}\n{format_histogram(self.histogram)}"

    @property
    def range_text(self) -> str:
        """The fewest, the most and the average tricks of North-South, in words."""
        if self.min == self.max:
            return f"N-S take {_tricks(self.min)} in each"
        return f"N-S take {self.min} to {self.max} tricks, {self.mean:.2f} on average"

    def _repr_html_(self) -> str:
        return html_text(str(self))


class EndingDatabase:
    """The levels of a data directory, asked about positions and sets of deals.

    Where a function takes a deal, a strain, a seat, cards or a set of deals, it takes text too.
    """

    def __init__(self, levels: Mapping[int, DiagramLevel]) -> None:
        self.levels = dict(sorted(levels.items()))

    @classmethod
    def open(
        cls,
        directory: str | os.PathLike[str] | None = None,
        *,
        tricks: Iterable[int] | None = None,
    ) -> EndingDatabase:
        """Open the levels of a data directory; raises `MissingTable` if there are none.

        With `tricks` only the levels with these numbers of tricks are opened, and each of them must
        be there.

        >>> EndingDatabase.open("/no/such/directory", tricks=[2])
        Traceback (most recent call last):
        ...
        setrograde.errors.MissingTable: no endings with 8 cards in '/no/such/directory/endings' \
(expected them from: setrograde db build --cards 8 --data /no/such/directory)
        """
        asked = range(1, 14) if tricks is None else tricks
        levels = {}
        for number in asked:
            path = level_path(number, directory)
            if path.exists():
                levels[number] = open_level(path)
                if levels[number].tricks != number:
                    raise DatabaseError(
                        f"{path}: holds endings of {levels[number].cards} cards"
                        f" (expected {4 * number}, as its name says)"
                    )
            elif tricks is not None:
                raise missing_endings(4 * number, directory)
        if tricks is None and not levels:
            raise missing_endings(None, directory)
        return cls(levels)

    def level(self, tricks: int) -> DiagramLevel:
        """The level with this number of tricks; raises `MissingTable` if it is not there."""
        if tricks not in self.levels:
            there = ", ".join([str(4 * tricks) for tricks in self.levels])
            raise MissingTable(
                f"no endings with {4 * tricks} cards in the database (it has {there} cards;"
                f" more by setrograde db build --cards {4 * tricks})"
            )
        return self.levels[tricks]

    def __repr__(self) -> str:
        return f"EndingDatabase({self.levels!r})"

    def __str__(self) -> str:
        return "\n".join(
            [
                f"{level.cards} cards: {level.states:,} endings, {level.bytes:,} bytes"
                for level in self.levels.values()
            ]
        )

    def probe(
        self, deal: DealLike, strain: StrainLike, leader: SeatLike, *, played: CardsLike = ()
    ) -> Probe:
        """Look up the value of a position and of every legal card in it.

        `deal` has the hands before the cards of `played`.
        """
        deal, strain, leader = as_deal(deal), as_strain(strain), as_seat(leader)
        play = Play(deal, strain, leader, as_cards(played))
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
        """Tricks of the side on turn after each legal card, the present trick included."""
        tricks = max(len(hand) for hand in play.remaining)
        below = self.level(tricks - 1)._core if tricks > 1 else None
        if isinstance(below, _core.ShardedLevel):
            raise DatabaseError(
                f"endings with {4 * tricks - 4} cards are stored in shards, in which single cards"
                " are not looked up (expected a position with as many cards as the endings have)"
            )
        trick = play.current_trick
        on_table = [16 * card.suit + card.rank for card in trick.cards]
        with _damage_reported():
            found = _core.card_values(
                _hands(play.remaining), play.strain, trick.leader, on_table, below
            )
        return {Card(Suit(place // 16), Rank(place % 16)): value for place, value in found}

    def query(
        self,
        deals: DealSetLike,
        strain: StrainLike,
        leader: SeatLike,
        *,
        stop: StopFlag | None = None,
    ) -> SetValue:
        """Count all deals of a set by tricks, `leader` on lead.

        Once `stop` is set, the call raises `Stopped`.
        """
        deals = as_deal_set(deals)
        value = self._query(deals, as_strain(strain), as_seat(leader), stop)
        if value is None:
            raise InvalidDeal(
                f"no deal is in the set {deals.to_text()!r} (expected one that gives every player"
                f" {deals.tricks} cards)"
            )
        return value

    def _query(
        self, deals: DealSet, strain: Strain, leader: Seat, stop: StopFlag | None
    ) -> SetValue | None:
        """As `query`; `None` for a set without deals."""
        counts, shapes = self.level(deals.tricks).count(deals, strain, leader, stop=stop)
        if leader.side is Side.EW:
            counts = counts[::-1]
        total = sum(counts)
        histogram = {tricks: number for tricks, number in enumerate(counts) if number}
        return SetValue(total, histogram, shapes) if total else None

    def decisive_cards(
        self,
        deals: DealSetLike,
        strain: StrainLike,
        leader: SeatLike,
        *,
        stop: StopFlag | None = None,
    ) -> list[DecisiveCard]:
        """The cards whose holder is not known, the one that explains most of the tricks first.

        Once `stop` is set, the call raises `Stopped`.
        """
        deals, strain, leader = as_deal_set(deals), as_strain(strain), as_seat(leader)
        whole = self.query(deals, strain, leader, stop=stop)
        found = []
        for card, seats in deals.holders.items():
            if len(seats) == 1:
                continue
            parts: dict[Seat, SetValue] = {}
            for seat in sorted(seats):
                part = self._query(deals.with_holder(card, [seat]), strain, leader, stop)
                if part is not None:
                    parts[seat] = part
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


def build_command(
    cards: int, directory: str | os.PathLike[str] | None = None, *, method: str | None = None
) -> str:
    """What to type to have a level built.

    >>> build_command(12, method="sets")
    'setrograde db build --cards 12 --method sets'
    """
    words = ["setrograde", "db", "build", "--cards", str(cards)]
    if method not in (None, "diagrams"):
        words += ["--method", str(method)]
    if directory is not None:
        words += ["--data", os.fspath(data_directory(directory))]
    return shlex.join(words)


def missing_endings(
    cards: int | None,
    directory: str | os.PathLike[str] | None = None,
    *,
    method: str | None = None,
) -> MissingTable:
    """The error that there are no such endings; it says how to build them.

    >>> print(missing_endings(None, "/srv/bridge"))
    no endings in '/srv/bridge/endings' (expected them from: setrograde db build --cards 12 \
--data /srv/bridge)
    """
    what = "endings" if cards is None else f"endings with {cards} cards"
    by = "" if method is None else f" by the method {method}"
    folder = os.fspath(level_path(1, directory).parent)
    command = build_command(cards or 12, directory, method=method)
    return MissingTable(f"no {what}{by} in {folder!r} (expected them from: {command})")


@contextmanager
def _damage_reported() -> Iterator[None]:
    """Raise the core's errors about files as `MissingTable` or `DatabaseError`."""
    try:
        yield
    except _core.MissingShard as error:
        raise MissingTable(str(error)) from None
    except _core.LevelFileError as error:
        raise DatabaseError(str(error)) from None


def _tricks(count: int) -> str:
    return count_of(count, "trick")


def _hands(deal: Deal) -> tuple[int, int, int, int]:
    north, east, south, west = deal.hands
    return (north.bits, east.bits, south.bits, west.bits)
