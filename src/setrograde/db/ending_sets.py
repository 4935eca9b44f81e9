"""Bridge endings for Setrograde Analysis: sets with four owner bits a card.

Ranks are relative, so a suit is a row of cards from the highest down, and an ending says who has
each. A set says who *may* have each (the paper's four bits a card) and how many cards of the suit
each player has. The player on lead is called North; turn the table to make it so. Values count
tricks of the leader's side. Section 3 of Stone, Sturtevant and Schaeffer (IJCAI 2025).

To keep one copy of endings that differ in the names of suits only, the trump suit comes first and
side suits are put in order by their lengths. An ending at trumps without a trump is a notrump one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from math import prod

from setrograde.bridge import Card, Deal, Hand, InvalidInput, Play, Rank, Seat, Strain, Suit
from setrograde.solve.partition_search import Player

from .arrangements import Arrangements, is_possible, unite_masks
from .setrograde import Outcome, SetGame

__all__ = ["EndingSet", "EndingSets", "EndingState", "InvalidEnding", "Trick"]

_ANYONE = 0b1111
_PLAYERS = "NESW"


class InvalidEnding(InvalidInput):
    """Text or cards that make no ending or no set of endings.

    >>> EndingSet.from_text("NT NNxx:1111")
    Traceback (most recent call last):
    ...
    setrograde.db.ending_sets.InvalidEnding: not a set of endings: 'NT NNxx:1111' (no way to \
share the cards out in 'NNxx:1111')
    """


@dataclass(frozen=True, slots=True)
class EndingState:
    """One ending, North on lead: who has each card of each suit, highest first.

    >>> state = EndingState.from_play(Play(
    ...     Deal.from_pbn("N:A.2.. K.3.. 4.Q.. .K5.."), Strain.SPADES, Seat.EAST))
    >>> state
    EndingState.from_text('T WNE SESNW')
    >>> print(state.to_play().deal)
    N:K.J.. Q.K.. .AQ.. A.T..
    """

    has_trump: bool
    """True if the first suit is trumps."""

    suits: tuple[str, ...]
    """Four suits, each a letter of `NESW` for every card; trumps first."""

    def __post_init__(self) -> None:
        cards = "".join(self.suits)
        if (
            len(self.suits) != 4
            or max(map(len, self.suits)) > 13
            or any(4 * cards.count(player) != len(cards) for player in _PLAYERS)
        ):
            raise InvalidEnding(
                f"not an ending: {self.suits} (expected four suits of 13 cards at most, as many"
                " cards in all for each of N, E, S and W)"
            )

    @classmethod
    def from_text(cls, text: str) -> EndingState:
        """Read `NT` or `T` and the suits; empty suits may be left out."""
        kind, *suits = text.upper().split() or [""]
        if kind not in ("T", "NT") or len(suits) > 4:
            raise InvalidEnding(
                f"not an ending: {text!r} (expected NT or T, then up to four suits, like 'NT NESW')"
            )
        return cls(kind == "T", (*suits, *[""] * (4 - len(suits)))).canonical()

    @classmethod
    def from_play(cls, play: Play) -> EndingState:
        """The ending that is left, between two tricks."""
        trick, deal = play.current_trick, play.remaining
        if trick.cards or len({len(hand) for hand in deal}) > 1:
            raise InvalidEnding(
                f"not an ending: {deal.to_pbn()!r} (expected hands of the same length)"
            )
        trump = play.strain.suit
        suits = sorted(Suit, key=lambda suit: (suit is not trump, -suit))
        rows = [_owner_row(deal, suit, trick.leader) for suit in suits]
        return cls(trump is not None, tuple(rows)).canonical()

    def canonical(self) -> EndingState:
        """The same ending with its suits in order."""
        has_trump = self.has_trump and bool(self.suits[0])
        side = sorted(self.suits[has_trump:], key=_row_lengths, reverse=True)
        return EndingState(has_trump, (*self.suits[:has_trump], *side))

    def to_play(self) -> Play:
        """An example: North leads, suits are spades, hearts, diamonds, clubs from the ace down."""
        cards: dict[str, list[Card]] = {player: [] for player in _PLAYERS}
        for suit, row in zip(reversed(Suit), self.suits, strict=True):
            for rank, player in zip(reversed(Rank), row, strict=False):
                cards[player].append(Card(suit, rank))
        n, e, s, w = (Hand.from_cards(cards[player]) for player in _PLAYERS)
        strain = Strain.SPADES if self.has_trump else Strain.NOTRUMP
        return Play(Deal((n, e, s, w)), strain, Seat.NORTH)

    def __str__(self) -> str:
        return " ".join(["T" if self.has_trump else "NT", *filter(None, self.suits)])

    def __repr__(self) -> str:
        return f"EndingState.from_text({str(self)!r})"


def _owner_row(deal: Deal, suit: Suit, leader: Seat) -> str:
    holders = [deal.holder(Card(suit, rank)) for rank in reversed(Rank)]
    return "".join([_PLAYERS[(seat - leader) % 4] for seat in holders if seat is not None])


def _row_lengths(row: str) -> tuple[int, ...]:
    return tuple([row.count(player) for player in _PLAYERS])


@dataclass(frozen=True, slots=True)
class EndingSet:
    """Endings with the same lengths in all hands, by who may have each card.

    In text a card is the letter of its owner, `[NS]` if there are several possible, or `x` if it
    may be anybody's; after the colon come the lengths of North, East, South and West.

    >>> states = EndingSet.from_text("NT NNxxxxxx:2222")
    >>> len(states), EndingState.from_text("NT NNESWESW") in states
    (90, True)
    >>> [str(part) for part in states.split()]
    ['NT NNExxxxx:2222', 'NT NNSxxxxx:2222', 'NT NNWxxxxx:2222']
    """

    has_trump: bool
    """True if the first suit is trumps."""

    suits: tuple[Arrangements, ...]
    """Four suits; owners are numbered 0 for the leader and on clockwise."""

    def __post_init__(self) -> None:
        if len(self.suits) != 4:
            raise InvalidEnding(f"not a set of endings: {self.suits} (expected four suits)")

    @classmethod
    def from_text(cls, text: str) -> EndingSet:
        """Read `NT` or `T` and the suits; empty suits may be left out."""
        kind, *words = text.split() or [""]
        try:
            if kind.upper() not in ("T", "NT") or len(words) > 4:
                raise InvalidEnding("expected NT or T, then up to four suits like 'N[NS]xx:2110'")
            suits = [_parse_suit(word) for word in words]
        except InvalidInput as error:
            raise InvalidEnding(f"not a set of endings: {text!r} ({error})") from None
        suits += [_VOID] * (4 - len(suits))
        states = _canonical(kind.upper() == "T", tuple(suits))
        if len({sum(column) for column in zip(*states.shape[1], strict=True)}) > 1:
            raise InvalidEnding(
                f"not a set of endings: {text!r} (expected as many cards in each hand)"
            )
        return states

    @property
    def shape(self) -> tuple[bool, tuple[tuple[int, ...], ...]]:
        """Trumps or not, and for each suit the four lengths."""
        return (self.has_trump, tuple([suit.counts for suit in self.suits]))

    @property
    def masks(self) -> tuple[int, ...]:
        """Who may have each card, suit after suit; bit 0 is North, bit 3 West.

        >>> EndingSet.from_text("NT [NS]xxx:1111").masks
        (5, 15, 15, 15)
        """
        return tuple([mask for suit in self.suits for mask in suit.masks])

    def __len__(self) -> int:
        return prod([len(suit) for suit in self.suits])

    def __contains__(self, state: EndingState) -> bool:
        return state.has_trump == self.has_trump and all(
            _row_lengths(row) == suit.counts and [_PLAYERS.index(player) for player in row] in suit
            for row, suit in zip(state.suits, self.suits, strict=True)
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
        return EndingSet(self.has_trump, (*suits[:index], suit, *suits[index + 1 :]))

    def __str__(self) -> str:
        words = [_format_suit(suit) for suit in self.suits if suit.masks]
        return " ".join(["T" if self.has_trump else "NT", *words])

    def __repr__(self) -> str:
        return f"EndingSet.from_text({str(self)!r})"


_VOID = Arrangements((), (0, 0, 0, 0))


def _parse_suit(word: str) -> Arrangements:
    row, _, lengths = word.partition(":")
    if len(lengths) != 4 or not lengths.isascii() or not lengths.isdigit():
        raise InvalidEnding(f"no lengths in {word!r}; expected four digits like ':2110'")
    suit = Arrangements(tuple(_iter_masks(row.upper())), tuple([int(digit) for digit in lengths]))
    if len(suit.masks) > 13:
        raise InvalidEnding(f"{len(suit.masks)} cards in {word!r}; expected 13 at most")
    if suit.is_empty:
        raise InvalidEnding(f"no way to share the cards out in {word!r}")
    return suit


def _iter_masks(row: str) -> Iterator[int]:
    place = 0
    while place < len(row):
        end = row.find("]", place) if row[place] == "[" else place
        owners = row[place + 1 : end] if row[place] == "[" else row[place]
        if end < 0 or not owners or set(owners) - set(_PLAYERS + "X"):
            raise InvalidEnding(f"not a card: {row[place:]!r}; expected N, E, S, W, x or like [NS]")
        yield _ANYONE if "X" in owners else sum({1 << _PLAYERS.index(owner) for owner in owners})
        place = end + 1


def _format_suit(suit: Arrangements) -> str:
    cards = [_format_mask(mask) for mask in suit.masks]
    return f"{''.join(cards)}:{''.join([str(count) for count in suit.counts])}"


def _format_mask(mask: int) -> str:
    owners = "".join([player for bit, player in enumerate(_PLAYERS) if mask >> bit & 1])
    if mask == _ANYONE:
        return "x"
    return owners if len(owners) == 1 else f"[{owners}]"


def _canonical(has_trump: bool, suits: tuple[Arrangements, ...]) -> EndingSet:
    has_trump = has_trump and bool(suits[0].masks)
    side = sorted(suits[has_trump:], key=lambda suit: suit.counts, reverse=True)
    return EndingSet(has_trump, (*suits[:has_trump], *side))


# Cards next to each other with the same mask are interchangeable within a trick: a run is its
# mask and how many of them are left. Runs stay in place when empty, so that a run's index tells
# which of two cards is higher.
Runs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Trick:
    """A set of endings and the trick so far: which run of which suit each player played from.

    >>> trick = EndingSets().start(EndingSet.from_text("NT NNxxxxxx:2222"))
    >>> trick.runs[0], len(EndingSets().plays(trick))
    (((1, 2), (14, 6)), 1)
    """

    has_trump: bool
    """True if the first suit is trumps."""

    runs: tuple[Runs, ...]
    """For each suit, runs of cards in hands: owners' mask and number of cards, highest first."""

    lengths: tuple[tuple[int, ...], ...]
    """For each suit, how many cards each player has left."""

    played: tuple[tuple[int, int], ...] = ()
    """Suit and run of each card on the table, from the leader on."""


class EndingSets(SetGame[EndingState, EndingSet, Trick]):
    """Bridge endings: a level is a number of tricks, a partition is a shape.

    >>> game = EndingSets()
    >>> [sum(1 for _ in game.universe(tricks)) for tricks in range(3)]
    [1, 52, 2054]
    """

    def universe(self, level: int) -> Iterator[EndingSet]:
        """One set for every shape, notrump first."""
        hands = [hand for hand in product(range(level + 1), repeat=4) if sum(hand) == level]
        for has_trump in (False, True):
            for deal in product(hands, repeat=4):
                lengths = tuple(zip(*deal, strict=True))
                if _is_canonical(has_trump, lengths):
                    yield EndingSet(has_trump, tuple([_any_cards(counts) for counts in lengths]))

    def partition(self, states: EndingSet) -> tuple[bool, tuple[tuple[int, ...], ...]]:
        """The shape."""
        return states.shape

    def single(self, state: EndingState) -> EndingSet:
        """Every card with its owner."""
        return self.widen(state, (0, 0, 0, 0))

    def pick(self, states: EndingSet) -> EndingState:
        """High cards to the leader first, then clockwise."""
        rows = ["".join([_PLAYERS[owner] for owner in suit.first()]) for suit in states.suits]
        return EndingState(states.has_trump, tuple(rows))

    def freedoms(self, state: EndingState) -> tuple[int, ...]:
        """Each suit may have as many x's as it has cards."""
        return tuple([len(row) for row in state.suits])

    def widen(self, state: EndingState, steps: Sequence[int]) -> EndingSet:
        """The lowest cards of each suit become x's.

        >>> EndingSets().widen(EndingState.from_text("NT NNESWESW"), (6, 0, 0, 0))
        EndingSet.from_text('NT NNxxxxxx:2222')
        """
        suits = [_with_xs(row, xs) for row, xs in zip(state.suits, steps, strict=True)]
        return EndingSet(state.has_trump, tuple(suits))

    def unite(self, sets: Sequence[EndingSet]) -> list[EndingSet]:
        """Merge sets that differ in the owners of one card.

        >>> sets = [EndingSet.from_text(f"NT {top}xxxxxx:2222") for top in ("NN", "NS", "SN", "SS")]
        >>> EndingSets().unite(sets)
        [EndingSet.from_text('NT [NS][NS]xxxxxx:2222')]
        """
        rows = unite_masks([states.masks for states in sets])
        return [_from_masks(sets[0], row) for row in rows]

    def start(self, states: EndingSet) -> Trick:
        """Nothing on the table."""
        runs = [_to_runs(suit.tightened().masks) for suit in states.suits]
        return Trick(states.has_trump, tuple(runs), tuple([suit.counts for suit in states.suits]))

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
                line.has_trump,
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
            states = _turned(line.has_trump, line.runs, line.lengths, winner)
            won, sign = (tricks_left, -1) if winner % 2 else (1, 1)
            outcomes.append(Outcome(won, sign, states))
        return outcomes

    @staticmethod
    def _suits_to_play(line: Trick) -> list[int]:
        player = len(line.played)
        if line.played and line.lengths[line.played[0][0]][player]:
            return [line.played[0][0]]
        return [suit for suit, lengths in enumerate(line.lengths) if lengths[player]]


def _is_canonical(has_trump: bool, lengths: tuple[tuple[int, ...], ...]) -> bool:
    side = lengths[has_trump:]
    return (
        all(sum(counts) <= 13 for counts in lengths)
        and all(a >= b for a, b in pairwise(side))
        and (not has_trump or any(lengths[0]))
    )


def _any_cards(counts: tuple[int, ...]) -> Arrangements:
    return Arrangements((_ANYONE,) * sum(counts), counts)


def _with_xs(row: str, xs: int) -> Arrangements:
    known = [1 << _PLAYERS.index(player) for player in row[: len(row) - xs]]
    return Arrangements((*known, *[_ANYONE] * xs), _row_lengths(row))


def _from_masks(shaped: EndingSet, masks: tuple[int, ...]) -> EndingSet:
    suits, start = [], 0
    for suit in shaped.suits:
        end = start + len(suit.masks)
        suits.append(Arrangements(masks[start:end], suit.counts))
        start = end
    return EndingSet(shaped.has_trump, tuple(suits))


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
def _suit_plays(
    runs: Runs, lengths: tuple[int, ...], player: int
) -> tuple[tuple[int, Runs, tuple[int, ...]], ...]:
    """Each run the player can have a card of, with the suit after that card."""
    after = (*lengths[:player], lengths[player] - 1, *lengths[player + 1 :])
    plays = []
    for run, (mask, count) in enumerate(runs):
        if mask >> player & 1 and count:
            left = (*runs[:run], (mask, count - 1), *runs[run + 1 :])
            if is_possible(_to_masks(left), after):
                plays.append((run, left, after))
    return tuple(plays)


@lru_cache(maxsize=1 << 16)
def _must_hold(runs: Runs, lengths: tuple[int, ...], player: int, chosen: tuple[int, ...]) -> bool:
    """True if the player has a card of the chosen runs in every case."""
    without = [
        (mask & ~(1 << player) if run in chosen else mask, count)
        for run, (mask, count) in enumerate(runs)
    ]
    return not is_possible(_to_masks(tuple(without)), lengths)


def _winners(line: Trick) -> list[int]:
    """Players of the highest run among trumps, or else in the suit led."""
    ruffed = line.has_trump and any(suit == 0 for suit, _ in line.played)
    winning_suit = 0 if ruffed else line.played[0][0]
    highest = min([run for suit, run in line.played if suit == winning_suit])
    return [who for who, card in enumerate(line.played) if card == (winning_suit, highest)]


@lru_cache(maxsize=1 << 16)
def _turned(
    has_trump: bool, runs: tuple[Runs, ...], lengths: tuple[tuple[int, ...], ...], leader: int
) -> EndingSet:
    """The endings after a trick, seen by the next leader."""
    suits = []
    for suit_runs, counts in zip(runs, lengths, strict=True):
        masks = [_turned_mask(mask, leader) for mask in _to_masks(suit_runs)]
        suits.append(Arrangements(tuple(masks), (*counts[leader:], *counts[:leader])))
    return _canonical(has_trump, tuple(suits))


def _turned_mask(mask: int, leader: int) -> int:
    return (mask >> leader | mask << (4 - leader)) & _ANYONE
