"""Bridge endings for Setrograde Analysis: sets with four owner bits a card.

The endings are those of `setrograde.db.endings.states`: the leader is player 0, a suit is a row of
owners from the highest card down, trumps are the last suit. A set says who *may* have each card
(the paper's four bits a card) and how many cards of the suit each player has. Values count tricks
of the leader's side. Section 3 of Stone, Sturtevant and Schaeffer (IJCAI 2025).

This is the version to read; `setrograde.db.methods.set_levels` does the same in the native core.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from setrograde.bridge import InvalidInput
from setrograde.papers.arrangements import Arrangements, is_possible, unite_masks
from setrograde.papers.partition_search import Player
from setrograde.papers.setrograde import Outcome, SetGame

from .shapes import LONGEST_SUIT, Shape, Split, iter_shapes, split_key
from .states import Ending, InvalidEnding

__all__ = ["ANYONE", "EndingSet", "EndingSets", "Suits", "Trick"]

ANYONE = 0b1111
"""The mask of a card that any player may have: an x."""

Suits = tuple[Arrangements, Arrangements, Arrangements, Arrangements]
"""What is known of each of the four suits."""


@dataclass(frozen=True, slots=True)
class EndingSet:
    """Endings with the same lengths in all hands, by who may have each card.

    In text a card is the number of its owner, `[02]` if there are several possible, or `x` if it
    may be anybody's; after the colon come the lengths of players 0 to 3. `NT` or `T` stands in
    front; with `T` the last suit is trumps.

    >>> states = EndingSet.from_text("NT 00xxxxxx:2222")
    >>> len(states), Ending(("", "", "", "00123123")) in states
    (90, True)
    >>> [str(part) for part in states.split()]
    ['NT 001xxxxx:2222', 'NT 002xxxxx:2222', 'NT 003xxxxx:2222']
    """

    suits: Suits
    """Four suits, trumps last if there are any."""

    has_trumps: bool = False
    """True if the last suit is trumps."""

    def __post_init__(self) -> None:
        if len(self.suits) != 4:
            raise InvalidEnding(f"not a set of endings: {self.suits} (expected four suits)")

    @classmethod
    def from_text(cls, text: str) -> EndingSet:
        """Read `NT` or `T` and the suits, in any order of side suits; empty ones may be left out.

        >>> EndingSet.from_text("NT 00xx:1111")
        Traceback (most recent call last):
        ...
        setrograde.db.endings.states.InvalidEnding: not a set of endings: 'NT 00xx:1111' \
(no way to share the cards out in '00xx:1111')
        """
        kind, *words = text.split() or [""]
        try:
            if kind.upper() not in ("T", "NT") or len(words) > 4:
                raise InvalidEnding("expected NT or T, then up to four suits like '0[02]xx:2110'")
            suits = [_parse_suit(word) for word in words]
        except InvalidInput as error:
            raise InvalidEnding(f"not a set of endings: {text!r} ({error})") from None
        states = _canonical([*[_VOID] * (4 - len(suits)), *suits], kind.upper() == "T")
        if len({sum(column) for column in zip(*[s.counts for s in states.suits], strict=True)}) > 1:
            raise InvalidEnding(
                f"not a set of endings: {text!r} (expected as many cards in each hand)"
            )
        return states

    @classmethod
    def from_shape(cls, shape: Shape) -> EndingSet:
        """All endings of a shape: every card is an x.

        >>> EndingSet.from_shape(Ending(("", "", "1", "023")).shape)
        EndingSet.from_text('NT x:0100 xxx:1011')
        """
        return cls.from_masks(shape, (ANYONE,) * (4 * shape.tricks))

    @classmethod
    def from_masks(cls, shape: Shape, masks: Sequence[int]) -> EndingSet:
        """The endings of a shape with those masks of owners, suit after suit."""
        suits, start = [], 0
        for split in shape.suits:
            end = start + sum(split)
            suits.append(Arrangements(tuple(masks[start:end]), split))
            start = end
        a, b, c, d = suits
        return cls((a, b, c, d), shape.has_trumps)

    @property
    def shape(self) -> Shape:
        """How many cards of each suit each player holds."""
        a, b, c, d = self.suits
        return _shape(a.counts, b.counts, c.counts, d.counts, self.has_trumps)

    @property
    def masks(self) -> tuple[int, ...]:
        """Who may have each card, suit after suit; bit p is player p.

        >>> EndingSet.from_text("NT [02]xxx:1111").masks
        (5, 15, 15, 15)
        """
        return tuple([mask for suit in self.suits for mask in suit.masks])

    def __len__(self) -> int:
        return prod([len(suit) for suit in self.suits])

    def __contains__(self, ending: Ending) -> bool:
        return ending.has_trumps == self.has_trumps and all(
            _split(owners) == suit.counts and [int(owner) for owner in owners] in suit
            for owners, suit in zip(ending.suits, self.suits, strict=True)
        )

    def overlaps(self, other: EndingSet) -> bool:
        """True if some ending is in both; the shapes must be the same."""
        return all(a.overlaps(b) for a, b in zip(self.suits, other.suits, strict=True))

    def minus(self, other: EndingSet) -> list[EndingSet]:
        """Disjoint sets: agree with `other` on the first suits, not on the next."""
        if not self.overlaps(other):
            return [self]
        parts, common = [], list(self.suits)
        for index, (ours, theirs) in enumerate(zip(self.suits, other.suits, strict=True)):
            for rest in ours.minus(theirs):
                parts.append(self._with(common, index, rest))
            common[index] = ours & theirs
        return parts

    def split(self) -> list[EndingSet]:
        """One set for each owner of the highest card that has several, in the first such suit."""
        for index, suit in enumerate(self.suits):
            if parts := suit.split():
                return [self._with(self.suits, index, part) for part in parts]
        return []

    def _with(self, suits: Sequence[Arrangements], index: int, suit: Arrangements) -> EndingSet:
        a, b, c, d = [suit if index == place else other for place, other in enumerate(suits)]
        return EndingSet((a, b, c, d), self.has_trumps)

    def __str__(self) -> str:
        words = [_format_suit(suit) for suit in self.suits if suit.masks]
        return " ".join(["T" if self.has_trumps else "NT", *words])

    def __repr__(self) -> str:
        return f"EndingSet.from_text({str(self)!r})"


_VOID = Arrangements((), (0, 0, 0, 0))


@lru_cache(maxsize=1 << 16)
def _shape(a: Split, b: Split, c: Split, d: Split, has_trumps: bool) -> Shape:
    return Shape((a, b, c, d), has_trumps)


@lru_cache(maxsize=1 << 16)
def _split(owners: str) -> Split:
    return (owners.count("0"), owners.count("1"), owners.count("2"), owners.count("3"))


def _counts(suit: Arrangements) -> Split:
    a, b, c, d = suit.counts
    return (a, b, c, d)


def _parse_suit(word: str) -> Arrangements:
    row, _, lengths = word.partition(":")
    if len(lengths) != 4 or not lengths.isascii() or not lengths.isdigit():
        raise InvalidEnding(f"no lengths in {word!r}; expected four digits like ':2110'")
    suit = Arrangements(tuple(_iter_masks(row.lower())), tuple([int(digit) for digit in lengths]))
    if len(suit.masks) > LONGEST_SUIT:
        raise InvalidEnding(f"{len(suit.masks)} cards in {word!r}; expected {LONGEST_SUIT} at most")
    if suit.is_empty:
        raise InvalidEnding(f"no way to share the cards out in {word!r}")
    return suit


def _iter_masks(row: str) -> Iterator[int]:
    place = 0
    while place < len(row):
        end = row.find("]", place) if row[place] == "[" else place
        owners = row[place + 1 : end] if row[place] == "[" else row[place]
        if end < 0 or not owners or set(owners) - set("0123x"):
            raise InvalidEnding(f"not a card: {row[place:]!r}; expected 0, 1, 2, 3, x or like [02]")
        yield ANYONE if "x" in owners else sum({1 << int(owner) for owner in owners})
        place = end + 1


def _format_suit(suit: Arrangements) -> str:
    cards = [_format_mask(mask) for mask in suit.masks]
    return f"{''.join(cards)}:{''.join([str(count) for count in suit.counts])}"


def _format_mask(mask: int) -> str:
    owners = "".join([str(player) for player in range(4) if mask >> player & 1])
    if mask == ANYONE:
        return "x"
    return owners if len(owners) == 1 else f"[{owners}]"


def _canonical(suits: Sequence[Arrangements], has_trumps: bool) -> EndingSet:
    has_trumps = has_trumps and bool(suits[3].masks)
    sides = 3 if has_trumps else 4
    ordered = sorted(suits[:sides], key=lambda suit: split_key(_counts(suit)))
    a, b, c, d = (*ordered, *suits[sides:])
    return EndingSet((a, b, c, d), has_trumps)


# Cards next to each other with the same mask are interchangeable within a trick: a run is its
# mask and how many of them are left. Runs stay in place when empty, so that a run's index tells
# which of two cards is higher.
Runs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Trick:
    """A set of endings and the trick so far: which run of which suit each player played from.

    >>> trick = EndingSets().start(EndingSet.from_text("NT 00xxxxxx:2222"))
    >>> trick.runs[3], len(EndingSets().plays(trick))
    (((1, 2), (14, 6)), 1)
    """

    has_trumps: bool
    """True if the last suit is trumps."""

    runs: tuple[Runs, ...]
    """For each suit, runs of cards in hands: owners' mask and number of cards, highest first."""

    lengths: tuple[Split, ...]
    """For each suit, how many cards each player has left."""

    played: tuple[tuple[int, int], ...] = ()
    """Suit and run of each card on the table, from the leader on."""


class EndingSets(SetGame[Ending, EndingSet, Trick]):
    """Bridge endings: a level is a number of tricks, a partition is a shape.

    >>> game = EndingSets()
    >>> [sum(1 for _ in game.universe(tricks)) for tricks in range(3)]
    [1, 52, 2054]
    """

    def universe(self, level: int) -> Iterator[EndingSet]:
        """One set for every shape, in the order of `iter_shapes`."""
        return map(EndingSet.from_shape, iter_shapes(level))

    def partition(self, states: EndingSet) -> Shape:
        """The shape."""
        return states.shape

    def single(self, state: Ending) -> EndingSet:
        """Every card with its owner; the suits in canonical order."""
        return self.widen(state.canonical(), (0, 0, 0, 0))

    def pick(self, states: EndingSet) -> Ending:
        """High cards to the leader first, then clockwise."""
        a, b, c, d = ["".join(map(str, suit.first())) for suit in states.suits]
        return Ending((a, b, c, d), states.has_trumps)

    def freedoms(self, state: Ending) -> tuple[int, ...]:
        """Each suit may have as many x's as it has cards."""
        return tuple([len(owners) for owners in state.suits])

    def widen(self, state: Ending, steps: Sequence[int]) -> EndingSet:
        """The lowest cards of each suit become x's.

        >>> EndingSets().widen(Ending(("", "", "", "00123123")), (0, 0, 0, 6))
        EndingSet.from_text('NT 00xxxxxx:2222')
        """
        suits = [_with_xs(owners, xs) for owners, xs in zip(state.suits, steps, strict=True)]
        a, b, c, d = suits
        return EndingSet((a, b, c, d), state.has_trumps)

    def unite(self, sets: Sequence[EndingSet]) -> list[EndingSet]:
        """Merge sets that differ in the owners of one card.

        >>> sets = [EndingSet.from_text(f"NT {top}xxxxxx:2222") for top in ("00", "02", "20", "22")]
        >>> EndingSets().unite(sets)
        [EndingSet.from_text('NT [02][02]xxxxxx:2222')]
        """
        rows = unite_masks([states.masks for states in sets])
        return [EndingSet.from_masks(sets[0].shape, row) for row in rows]

    def start(self, states: EndingSet) -> Trick:
        """Nothing on the table."""
        runs = [_to_runs(suit.tightened().masks) for suit in states.suits]
        return Trick(
            states.has_trumps, tuple(runs), tuple([_counts(suit) for suit in states.suits])
        )

    def player(self, line: Trick) -> Player | None:
        """The leader and partner want tricks; nobody plays to a complete trick."""
        if len(line.played) == 4 or not any(map(any, line.lengths)):
            return None
        return Player.MIN if len(line.played) % 2 else Player.MAX

    def plays(self, line: Trick) -> list[Trick]:
        """One play for each run that the player may have a card of, following suit."""
        player = len(line.played)
        return [
            Trick(
                line.has_trumps,
                (*line.runs[:suit], runs, *line.runs[suit + 1 :]),
                (*line.lengths[:suit], lengths, *line.lengths[suit + 1 :]),
                (*line.played, (suit, run)),
            )
            for suit in self._suits_to_play(line)
            for run, runs, lengths in _suit_plays(line.runs[suit], line.lengths[suit], player)
        ]

    def must_have(self, line: Trick, plays: Sequence[Trick]) -> bool:
        """True if in some suit the player's cards cannot all be in other runs."""
        chosen: dict[int, list[int]] = {}
        for play in plays:
            suit, run = play.played[-1]
            chosen.setdefault(suit, []).append(run)
        return any(
            _must_hold(line.runs[suit], line.lengths[suit], len(line.played), tuple(runs))
            for suit, runs in chosen.items()
        )

    def outcomes(self, line: Trick) -> list[Outcome[EndingSet]]:
        """Who may win the trick; two cards of one run leave it open."""
        if len(line.played) < 4:
            return [] if any(map(any, line.lengths)) else [Outcome(0)]
        tricks_left = sum([lengths[0] for lengths in line.lengths])
        outcomes = []
        for winner in _winners(line):
            states = _turned(line.has_trumps, line.runs, line.lengths, winner)
            won, sign = (tricks_left, -1) if winner % 2 else (1, 1)
            outcomes.append(Outcome(won, sign, states))
        return outcomes

    @staticmethod
    def _suits_to_play(line: Trick) -> list[int]:
        player = len(line.played)
        if line.played and line.lengths[line.played[0][0]][player]:
            return [line.played[0][0]]
        return [suit for suit, lengths in enumerate(line.lengths) if lengths[player]]


def _with_xs(owners: str, xs: int) -> Arrangements:
    known = [1 << int(owner) for owner in owners[: len(owners) - xs]]
    return Arrangements((*known, *[ANYONE] * xs), _split(owners))


def _to_runs(masks: tuple[int, ...]) -> Runs:
    runs: list[tuple[int, int]] = []
    for mask in masks:
        if runs and runs[-1][0] == mask:
            runs[-1] = (mask, runs[-1][1] + 1)
        else:
            runs.append((mask, 1))
    return tuple(runs)


def _to_masks(runs: Runs) -> tuple[int, ...]:
    return tuple([mask for mask, count in runs for _ in range(count)])


@lru_cache(maxsize=1 << 16)
def _suit_plays(runs: Runs, lengths: Split, player: int) -> tuple[tuple[int, Runs, Split], ...]:
    """Each run the player can have a card of, with the suit after that card."""
    a, b, c, d = [length - (p == player) for p, length in enumerate(lengths)]
    after = (a, b, c, d)
    plays = []
    for run, (mask, count) in enumerate(runs):
        if mask >> player & 1 and count:
            left = (*runs[:run], (mask, count - 1), *runs[run + 1 :])
            if is_possible(_to_masks(left), after):
                plays.append((run, left, after))
    return tuple(plays)


@lru_cache(maxsize=1 << 16)
def _must_hold(runs: Runs, lengths: Split, player: int, chosen: tuple[int, ...]) -> bool:
    """True if the player has a card of the chosen runs in every case."""
    without = [
        (mask & ~(1 << player) if run in chosen else mask, count)
        for run, (mask, count) in enumerate(runs)
    ]
    return not is_possible(_to_masks(tuple(without)), lengths)


def _winners(line: Trick) -> list[int]:
    """Players of the highest run among trumps, or else in the suit led."""
    ruffed = line.has_trumps and any(suit == 3 for suit, _ in line.played)
    winning_suit = 3 if ruffed else line.played[0][0]
    highest = min([run for suit, run in line.played if suit == winning_suit])
    return [who for who, card in enumerate(line.played) if card == (winning_suit, highest)]


@lru_cache(maxsize=1 << 16)
def _turned(
    has_trumps: bool, runs: tuple[Runs, ...], lengths: tuple[Split, ...], leader: int
) -> EndingSet:
    """The endings after a trick, seen by the next leader."""
    suits = []
    for suit_runs, counts in zip(runs, lengths, strict=True):
        masks = [_turned_mask(mask, leader) for mask in _to_masks(suit_runs)]
        suits.append(Arrangements(tuple(masks), (*counts[leader:], *counts[:leader])))
    return _canonical(suits, has_trumps)


def _turned_mask(mask: int, leader: int) -> int:
    return (mask >> leader | mask << (4 - leader)) & ANYONE
