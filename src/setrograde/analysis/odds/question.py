"""The question: two partners' hands, and what is known of the other two.

A constraint speaks of a hand as it was dealt, so cards that were played count. The play adds what
follows from it: who held the cards played, and voids shown by a discard. Nothing else is read into
it: no defender's card makes one layout likelier than another.

>>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...", west="has SK")
>>> question.layouts.count(), question.hidden_seats
(3, (Seat.EAST, Seat.WEST))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from setrograde.bridge import (
    Card,
    Deal,
    DealConstraint,
    Hand,
    HandConstraint,
    InvalidConstraint,
    InvalidDeal,
    InvalidHand,
    InvalidPlay,
    Play,
    Range,
    Seat,
    Side,
    Strain,
    Suit,
    trick_winner,
)
from setrograde.bridge.coerce import (
    CardsLike,
    ContractLike,
    HandLike,
    SeatLike,
    StrainLike,
    as_cards,
    as_hand,
    as_seat,
)
from setrograde.bridge.patterns import Lengths
from setrograde.common.words import count_of

from .asking import asked_contract
from .cases import HiddenHand, layout_cases, needs_cases
from .layouts import Layouts

__all__ = ["Known", "OddsQuestion"]

Known = HandConstraint | str | None
"""What is known of a hidden hand: a constraint or its text; `None` for nothing."""


@dataclass(frozen=True, slots=True)
class OddsQuestion:
    """Who plays which strain, and what is known of the four hands; checked when it is made.

    >>> OddsQuestion.of("AQ...", "Q2...", "NT", "S", hidden="KJT9...")
    Traceback (most recent call last):
    ...
    setrograde.bridge.errors.InvalidDeal: card twice: 'SQ' is with North and South
    """

    known: Deal
    """The hands of two partners before the first card of `played`; the other hands are empty."""

    strain: Strain
    """Trumps or notrump."""

    declarer: Seat
    """The player of the contract, also a hidden hand; the player after him leads."""

    hidden: Hand
    """The cards of the other two hands together."""

    constraint: DealConstraint = field(default_factory=DealConstraint)
    """What is known of the hidden hands."""

    played: tuple[Card, ...] = ()
    """Cards played so far, in order, from the opening lead on."""

    position: _Position = field(init=False, repr=False, compare=False)
    """Where the play stands, as the core sees it."""

    def __post_init__(self) -> None:
        _check_hands(self)
        object.__setattr__(self, "position", _position(self))
        if not self.layouts.count():
            raise InvalidConstraint(
                f"no layout fits '{self.constraint}'"
                f"{_played_words(self.played)} (expected constraints that leave at least one)"
            )

    @classmethod
    def of(
        cls,
        north: HandLike,
        south: HandLike,
        strain: StrainLike | None = None,
        declarer: SeatLike | None = None,
        *,
        contract: ContractLike | None = None,
        west: Known = None,
        east: Known = None,
        hidden: HandLike | None = None,
        played: CardsLike = (),
    ) -> OddsQuestion:
        """A question with the hands of North and South.

        Strain and declarer may be given as a `contract`. Hands of 13 cards leave the other 26
        unseen; of shorter hands, `hidden` names the unseen cards.

        >>> question = OddsQuestion.of("AKQ2.T98.A76.K54", "876.765.KQJ.QJT9", contract="3NTS")
        >>> question.layouts.count(), question.leader
        (10400600, Seat.WEST)
        """
        return cls.of_seats(
            {Seat.NORTH: north, Seat.SOUTH: south},
            strain,
            declarer,
            contract=contract,
            about={Seat.WEST: west, Seat.EAST: east},
            hidden=hidden,
            played=played,
        )

    @classmethod
    def of_seats(
        cls,
        hands: Mapping[Seat, HandLike] | Mapping[str, HandLike],
        strain: StrainLike | None = None,
        declarer: SeatLike | None = None,
        *,
        contract: ContractLike | None = None,
        about: Mapping[Seat, Known] | Mapping[str, Known] | None = None,
        hidden: HandLike | None = None,
        played: CardsLike = (),
    ) -> OddsQuestion:
        """A question with any two partners' hands; `about` says what is known of the others.

        >>> question = OddsQuestion.of_seats({"E": "AQ...", "W": "32..."}, "NT", "W",
        ...                                  about={"N": "has SK"}, hidden="KJT9...")
        >>> question.hidden_seats, question.layouts.count()
        ((Seat.NORTH, Seat.SOUTH), 3)
        """
        seen = {as_seat(seat): as_hand(hand) for seat, hand in hands.items()}
        n, e, s, w = (seen.get(seat, Hand()) for seat in Seat)
        known = Deal((n, e, s, w))
        constraints = {as_seat(seat): _constraint(found) for seat, found in (about or {}).items()}
        rest = Hand.FULL - Hand(known.bits) if hidden is None else as_hand(hidden)
        constraint = DealConstraint.from_seats(constraints)
        asked = asked_contract(strain, declarer, contract)
        return cls(known, *asked, rest, constraint, as_cards(played))

    @property
    def layouts(self) -> Layouts:
        """The possible layouts; their first hand is that of the first of `hidden_seats`."""
        return self.position.layouts

    @property
    def hidden_seats(self) -> tuple[Seat, Seat]:
        """The seats whose hands are not known."""
        return _side_known(self).opponents.seats

    @property
    def tricks(self) -> int:
        """The number of tricks of the whole deal, including those already won."""
        return len(self.known[_side_known(self).seats[0]])

    @property
    def leader(self) -> Seat:
        """Who makes the opening lead."""
        return self.declarer.next

    @property
    def is_declared_by_known(self) -> bool:
        """True if the hands that are seen are those of declarer's side."""
        return self.declarer.side is _side_known(self)

    def play_of(self, layout: HandLike) -> Play:
        """The position with `layout` as the cards still in the first hidden hand.

        >>> question = OddsQuestion.of("AQ...", "32...", "NT", "S", hidden="KJT9...", played="S9")
        >>> question.play_of("KJ...").turn
        Seat.NORTH
        """
        first = as_hand(layout)
        hands = dict(zip(self.hidden_seats, (first, self.layouts.cards - first), strict=True))
        for seat, cards in self.position.gone.items():
            if seat in hands:
                hands[seat] |= cards
        n, e, s, w = (hands.get(seat, self.known[seat]) for seat in Seat)
        return Play(Deal((n, e, s, w)), self.strain, self.leader, self.played)

    def tricks_declarer(self, tricks_known: int) -> int:
        """Declarer's tricks of the whole deal if the known hands take `tricks_known` more."""
        total_known = self.position.won_known + tricks_known
        return total_known if self.is_declared_by_known else self.tricks - total_known

    def known_need(self, need: int) -> int:
        """The tricks that decide for the known hands, from here on, whether declarer has `need`.

        If they are declarer's side, they must take them. If a hidden hand declares, he has `need`
        where the known hands do *not* take them.
        """
        if self.is_declared_by_known:
            return need - self.position.won_known
        return self.tricks - need + 1 - self.position.won_known


@dataclass(frozen=True, slots=True)
class _Position:
    """Where the play stands, turned so that the known hands are North and South."""

    north: Hand
    south: Hand
    layouts: Layouts
    leader: Seat
    trick: tuple[Card, ...]
    won_known: int
    """Tricks the known side has won."""
    tricks_left: int
    """Tricks still to come, the one in progress included."""
    gone: dict[Seat, Hand]
    """Cards played by each seat (as the question has seats)."""


def _constraint(known: Known) -> HandConstraint:
    if isinstance(known, str):
        return HandConstraint.from_text(known)
    return HandConstraint() if known is None else known


def _side_known(question: OddsQuestion) -> Side:
    return Side.NS if question.known[Seat.NORTH].bits else Side.EW


def _check_hands(question: OddsQuestion) -> None:
    side = _side_known(question)
    first, second = side.seats
    sizes = [len(question.known[seat]) for seat in side.seats]
    if any(question.known[seat].bits for seat in side.opponents.seats):
        raise InvalidDeal(
            f"not two partners' hands: '{question.known}' (expected N and S, or E, W)"
        )
    if sizes[0] != sizes[1]:
        raise InvalidHand(
            f"{_name(first)} has {_cards(sizes[0])} and {_name(second)} has {_cards(sizes[1])}"
            f" in '{question.known}' (expected equally many)"
        )
    if not 1 <= sizes[0] <= 13:
        raise InvalidHand(f"{_name(first)} has {_cards(sizes[0])} (expected 1 to 13)")
    both = question.hidden & Hand(question.known.bits)
    if both.bits:
        raise InvalidHand(f"cards both seen and hidden: '{both}' (expected other hidden cards)")
    if len(question.hidden) != 2 * sizes[0]:
        raise InvalidHand(
            f"{_cards(len(question.hidden))} hidden beside hands of {sizes[0]}"
            f" (expected {2 * sizes[0]}, all of them named, unless the hands have 13)"
        )
    for seat in side.seats:
        if question.constraint[seat] != HandConstraint():
            raise InvalidConstraint(
                f"a constraint on {_name(seat)}, whose hand is known: "
                f"'{question.constraint[seat]}' (expected none)"
            )


def _name(seat: Seat) -> str:
    return seat.name.title()


def _cards(count: int) -> str:
    return count_of(count, "card")


def _played_words(played: tuple[Card, ...]) -> str:
    return f" after {' '.join([str(card) for card in played])}" if played else ""


@dataclass(slots=True)
class _Track:
    """What the cards played so far tell, card by card."""

    question: OddsQuestion
    turn: Seat
    gone: dict[Seat, Hand]
    voids: dict[Seat, set[Suit]]
    trick: list[Card]
    won: dict[Side, int]

    def play(self, number: int, card: Card) -> None:
        why = self._illegal(card)
        if why:
            raise InvalidPlay(
                f"illegal card: {str(card)!r} by {_name(self.turn)} as card {number + 1}: {why}"
            )
        if self.trick and card.suit is not self.trick[0].suit:
            self.voids[self.turn].add(self.trick[0].suit)
        self.gone[self.turn] |= Hand.from_cards([card])
        self.trick.append(card)
        self.turn = self.turn.next
        if len(self.trick) == 4:
            self.turn = trick_winner(self.trick, self.turn, self.question.strain)
            self.won[self.turn.side] += 1
            self.trick = []

    def _illegal(self, card: Card) -> str:
        question, turn = self.question, self.turn
        if len(self.gone[turn]) == question.tricks:
            return "no cards are left"
        if turn in question.hidden_seats:
            partner = turn.partner
            if card not in question.hidden:
                return "is not among the hidden cards"
            if card in self.gone[turn] | self.gone[partner]:
                return "was played before"
            if card.suit in self.voids[turn]:
                return f"showed out of {card.suit.name.lower()}"
            return ""
        hand = question.known[turn] - self.gone[turn]
        if card not in hand:
            return "does not hold it"
        if self.trick and card.suit is not self.trick[0].suit and hand.length(self.trick[0].suit):
            return f"must follow {self.trick[0].suit.name}"
        return ""


def _position(question: OddsQuestion) -> _Position:
    track = _Track(
        question,
        question.leader,
        {seat: Hand() for seat in Seat},
        {seat: set() for seat in Seat},
        [],
        dict.fromkeys(Side, 0),
    )
    for number, card in enumerate(question.played):
        track.play(number, card)
    side = _side_known(question)
    # With East and West known everyone moves one seat on: West becomes North, East South.
    steps = 0 if side is Side.NS else 1
    hands = [question.known[seat] - track.gone[seat] for seat in side.seats]
    north, south = hands if steps == 0 else reversed(hands)
    leader = track.turn.next_by(steps - len(track.trick))
    return _Position(
        north,
        south,
        _layouts(question, track),
        leader,
        tuple(track.trick),
        track.won[side],
        question.tricks - sum(track.won.values()),
        track.gone,
    )


def _layouts(question: OddsQuestion, track: _Track) -> Layouts:
    """The layouts of the cards not played, limited by everything known.

    The second hand holds what the first does not, so a limit on one is a limit on the other.
    """
    first, second = question.hidden_seats
    left = question.hidden - track.gone[first] - track.gone[second]
    parts = [_about(question, track, seat, left) for seat in (first, second)]
    mine, theirs = parts
    low = max(mine.points[0], left.hcp - theirs.points[1], 0)
    high = min(mine.points[1], left.hcp - theirs.points[0])
    both = mine.has & theirs.has
    if both.bits or low > high:
        what = f"both would hold '{both}'" if both.bits else "their points do not add up"
        raise InvalidConstraint(
            f"no layout fits '{question.constraint}'{_played_words(question.played)}: {what}"
        )
    size = question.tricks - len(track.gone[first])
    if any(needs_cases(part.constraint) for part in parts):
        return _layouts_by_cases(left, size, mine, theirs)
    limits = mine.limits_lengths or theirs.limits_lengths
    free = Layouts(left, size, points=(low, max(low, high)), first=mine.has, second=theirs.has)
    if not limits:
        return free
    shapes = []
    for lengths in free.allowed_lengths():
        c, d, h, s = (left.length(suit) - lengths[suit] for suit in Suit)
        if mine.allows(lengths) and theirs.allows((c, d, h, s)):
            shapes.append(lengths)
    return Layouts(left, size, frozenset(shapes), free.points, mine.has, theirs.has)


def _layouts_by_cases(left: Hand, size: int, mine: _About, theirs: _About) -> Layouts:
    """The same where alternatives or numbers of certain cards are known."""
    free = Layouts(left, size, first=mine.has, second=theirs.has)
    cases = layout_cases(
        left,
        HiddenHand(mine.constraint, mine.gone, mine.has),
        HiddenHand(theirs.constraint, theirs.gone, theirs.has),
        free.allowed_lengths(),
    )
    shapes = frozenset(lengths for case in cases for lengths in case.shapes)
    return Layouts(left, size, shapes, first=mine.has, second=theirs.has, cases=cases)


@dataclass(frozen=True, slots=True)
class _About:
    """What is known of one hidden hand, as limits on its cards still unseen."""

    constraint: HandConstraint
    gone: Hand
    has: Hand
    points: tuple[int, int]

    @property
    def limits_lengths(self) -> bool:
        lengths = self.constraint.lengths
        return bool(self.constraint.shapes) or any(not limit.is_any for limit in lengths)

    def allows(self, lengths: Lengths) -> bool:
        """True if these lengths, with the cards played, make a hand that is allowed."""
        c, d, h, s = map(int.__add__, lengths, self.gone.lengths)
        dealt = (c, d, h, s)
        return all(map(Range.__contains__, self.constraint.lengths, dealt)) and all(
            dealt in shape.lengths for shape in self.constraint.shapes
        )


def _cannot_hold(known: Deal, cards: Hand) -> str:
    """The cards that a hidden hand cannot hold, and why not."""
    holders = {known.holder(card) for card in cards}
    (seat,) = holders if len(holders) == 1 else (None,)
    pronoun = "it" if len(cards) == 1 else "them"
    why = f"{_name(seat)} has {pronoun}" if seat is not None else "not among the hidden cards"
    return f"{_listed(cards)}: {why}"


def _listed(cards: Hand) -> str:
    return ", ".join([str(card) for card in cards])


def _names_shape(constraint: HandConstraint) -> bool:
    parts = [part for clause in constraint.clauses for part in clause]
    return bool(constraint.shapes) or any(map(_names_shape, parts))


def _about(question: OddsQuestion, track: _Track, seat: Seat, left: Hand) -> _About:
    constraint = question.constraint[seat]
    gone, name = track.gone[seat], _name(seat)
    if question.tricks != 13 and _names_shape(constraint):
        raise InvalidConstraint(
            f"a shape for a hand of {question.tricks} cards: '{constraint}'"
            " (expected lengths, like 'spades 2+')"
        )
    lost = constraint.held - left - gone
    if lost.bits:
        raise InvalidConstraint(f"{name} cannot hold {_cannot_hold(question.known, lost)}")
    denied = constraint.denied & (constraint.held | gone)
    if denied.bits:
        raise InvalidConstraint(f"{name} both holds and does not hold {_listed(denied)}")
    partner = question.constraint[seat.partner]
    void = Hand.from_cards([card for card in left if card.suit in track.voids[seat.partner]])
    has = ((constraint.held | partner.denied) & left) | void
    if len(has) > question.tricks - len(gone):
        raise InvalidConstraint(
            f"{name} would hold {_cards(len(has))}: '{has}' (expected at most"
            f" {question.tricks - len(gone)})"
        )
    low = constraint.hcp.low - gone.hcp
    high = (40 if constraint.hcp.high is None else constraint.hcp.high) - gone.hcp
    return _About(constraint, gone, has, (low, high))
