"""Hands, calls, cards, contracts and makes as RBN writes them.

Each reader of a value raises `BadValue` with the offset of the first letter it cannot use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from setrograde.bridge import (
    Call,
    Card,
    Contract,
    Deal,
    Doubling,
    Hand,
    InvalidInput,
    Play,
    Seat,
    Strain,
    Suit,
    TrickTable,
    Vulnerability,
    passes_to_end,
)
from setrograde.formats.trick_digits import format_trick_digits, parse_trick_digits

__all__ = [
    "VULNERABILITIES",
    "AuctionText",
    "BadValue",
    "CallMark",
    "format_contract",
    "format_deal",
    "format_makes",
    "format_play",
    "parse_auction",
    "parse_contract",
    "parse_deal",
    "parse_makes",
    "parse_play",
]

VULNERABILITIES = {
    "Z": Vulnerability.NONE,
    "N": Vulnerability.NS,
    "E": Vulnerability.EW,
    "B": Vulnerability.BOTH,
}
_DOUBLINGS = {
    "": Doubling.UNDOUBLED,
    "X": Doubling.DOUBLED,
    "XX": Doubling.REDOUBLED,
    "R": Doubling.REDOUBLED,
}
_CONTRACT = re.compile(r"([1-7])(NT|[NSHDC])(XX|X|R|):?\s*([NESW])")
_CALL = re.compile(r"([1-7](?:NT|[NSHDC])|P|XX|X|D|R)([*!?]*(?:\^[0-9])?[*!?]*)")
_CARD = re.compile(r"([SHDC]?)(10|[2-9TJQKA])[!?*]*(?:\^[0-9])?[!?*]*")


class BadValue(InvalidInput):
    """Part of a value that means nothing; `offset` says where it begins."""

    def __init__(self, offset: int, message: str, found: str = "", expected: str = "") -> None:
        super().__init__(message)
        self.offset, self.found, self.expected = offset, found, expected


@dataclass(frozen=True, slots=True)
class CallMark:
    """A call with its alert, the number of its note, and its place."""

    call: Call
    offset: int
    is_alerted: bool = False
    note: str | None = None


@dataclass(frozen=True, slots=True)
class AuctionText:
    """What an `A` line says, as far as it could be read."""

    dealer: Seat | None
    vulnerability: Vulnerability | None
    calls: tuple[CallMark, ...]
    error: BadValue | None = None


def parse_auction(text: str) -> AuctionText:
    """Read dealer, vulnerability, a colon and calls; `A` is all pass, `^1` a note, `*` an alert.

    >>> auction = parse_auction("WZ:1S*2H^1:A")
    >>> auction.dealer, [str(mark.call) for mark in auction.calls], auction.calls[1].note
    (Seat.WEST, ['1S', '2H', 'Pass', 'Pass', 'Pass'], '1')
    """
    upper = text.upper()
    if len(upper) != len(text) or not re.match(r"[NESW?][ZNEB?](:|$)", upper):
        error = BadValue(0, "not an auction", text, "dealer, vulnerability and calls, like WZ:1SP")
        return AuctionText(None, None, (), error)
    dealer = None if upper[0] == "?" else Seat.from_text(upper[0])
    vulnerability = VULNERABILITIES.get(upper[1])
    calls: list[CallMark] = []
    position = 3
    while position < len(upper):
        letter = upper[position]
        if letter in ": ":
            position += 1
            continue
        if letter == "A" and not upper[position + 1 :].strip():
            calls += [CallMark(Call.PASS, position)] * passes_to_end([mark.call for mark in calls])
            break
        match = _CALL.match(upper, position)
        if match is None:
            error = BadValue(position, "not a call", text[position:], "P, X, R, A or a bid like 1N")
            return AuctionText(dealer, vulnerability, tuple(calls), error)
        word, marks = match.groups()
        note = marks[marks.index("^") + 1] if "^" in marks else None
        calls.append(CallMark(Call.from_text(word), position, "*" in marks, note))
        position = match.end()
    return AuctionText(dealer, vulnerability, tuple(calls))


def parse_deal(text: str) -> Deal | None:
    """Read a seat and hands clockwise from it; the fourth may be left out.

    >>> parse_deal("W:A...:K...:Q...:J...")
    Deal.from_pbn('N:K... Q... J... A...')
    """
    first, *parts = text.split(":")
    try:
        seat = Seat.from_text(first.strip())
    except InvalidInput:
        raise BadValue(0, "not a deal", text, "a seat and hands, like W:AK.Q..:") from None
    hands = [Hand()] * 4
    offset = len(first) + 1
    for step, part in enumerate(parts):
        if step > 3 and part.strip():
            raise BadValue(offset, "more than four hands", part, "four at most")
        if part.strip():
            try:
                hands[seat.next_by(step)] = Hand.from_text(part)
            except InvalidInput as error:
                raise BadValue(offset, str(error)) from None
        offset += len(part) + 1
    if not any(hands):
        return None
    try:
        return Deal((hands[0], hands[1], hands[2], hands[3])).complete()
    except InvalidInput as error:
        raise BadValue(0, str(error)) from None


def format_deal(deal: Deal, first: Seat) -> str:
    """Write three hands and a colon if the fourth follows from them, or else four hands.

    >>> format_deal(Deal.from_pbn("N:A... K... Q... J..."), Seat.WEST)
    'W:J...:A...:K...:Q...'
    """
    order = [deal[first.next_by(step)] for step in range(4)]
    hands = [str(hand) if hand.bits else "" for hand in order]
    if deal.is_full:
        hands[3] = ""
    return f"{first}:{':'.join(hands)}"


def parse_contract(text: str) -> Contract:
    """Read `5HX:N`; `P` is a board passed out.

    >>> parse_contract("3NR:W"), parse_contract("P").is_passed_out
    (Contract.from_text('3NTXXW'), True)
    """
    upper = text.upper().strip()
    if upper in ("P", "PASS"):
        return Contract.PASSED_OUT
    match = _CONTRACT.fullmatch(upper)
    if match is None:
        raise BadValue(0, "not a contract", text, "like 5HX:N")
    level, strain, doubling, seat = match.groups()
    return Contract(
        int(level), Strain.from_text(strain), Seat.from_text(seat), _DOUBLINGS[doubling]
    )


def format_contract(contract: Contract) -> str:
    """Write a contract as `parse_contract` reads it.

    >>> format_contract(Contract.from_text("3NTXW"))
    '3NX:W'
    """
    if contract.is_passed_out:
        return "P"
    strain = str(contract.strain)[0]
    return f"{contract.level}{strain}{contract.doubling}:{contract.declarer}"


def parse_play(text: str, deal: Deal, contract: Contract) -> tuple[Play, BadValue | None]:
    """Read tricks with colons between; a rank alone follows the suit led.

    Returns the legal cards before the first error, and that error.

    >>> deal = Deal.from_pbn("N:A.2.. .K4.. Q.3.. J..5.")
    >>> play, error = parse_play("SAH4SQJ:H2K", deal, Contract.from_text("1NTW"))
    >>> [str(card) for card in play.cards], error
    (['SA', 'H4', 'SQ', 'SJ', 'H2', 'HK'], None)
    """
    play = Play(deal, contract.strain, contract.leader)
    upper = text.upper()
    cards: list[Card] = []
    offsets: list[int] = []
    error: BadValue | None = None
    position = 0
    while position < len(upper) and error is None and len(cards) < 53:
        match = _CARD.match(upper, position)
        if upper[position] == ":":
            if len(cards) % 4:
                error = BadValue(position, "trick of fewer than four cards", text[:position])
            position += 1
        elif upper[position] == " ":
            position += 1
        elif match is None or (not match.group(1) and not len(cards) % 4):
            error = BadValue(position, "not a card", text[position:], "a suit and a rank, like SA")
        else:
            suit = match.group(1) or cards[len(cards) - len(cards) % 4].suit.letter
            cards.append(Card.from_text(suit + match.group(2)))
            offsets.append(position)
            position = match.end()
    try:
        return Play(deal, play.strain, play.leader, tuple(cards)), error
    except InvalidInput:
        pass  # find the first card that is wrong and keep those before it
    for card, offset in zip(cards, offsets, strict=True):
        try:
            play = play.with_card(card)
        except InvalidInput as bad:
            return play, BadValue(offset, str(bad))
    return play, error


def format_play(play: Play) -> str:
    """Write a play as `parse_play` reads it.

    >>> deal = Deal.from_pbn("N:A.2.. .K4.. Q.3.. J..5.")
    >>> format_play(parse_play("SA", deal, Contract.from_text("1NTW"))[0])
    'SA'
    """
    tricks = []
    for trick in play.tricks():
        lead: Suit = trick.cards[0].suit
        rest = [card.rank.letter if card.suit == lead else str(card) for card in trick.cards[1:]]
        tricks.append(str(trick.cards[0]) + "".join(rest))
    return ":".join(tricks)


_REST = str.maketrans("0123456789ABCD", "DCBA9876543210")
_MAKES_NS = re.compile(r"([0-9A-D]{5})(?:[=-]|\+([0-9A-D]{5}))")
_MAKES_EW = re.compile(r"(!|[0-9A-D]{5})(=|!|\+?[0-9A-D]{5})")


def parse_makes(text: str) -> TrickTable:
    """Read the double-dummy tricks of an `M` line: `::north+south:west+east`.

    Each seat has five hexadecimal digits, for notrump, spades, hearts, diamonds and clubs. A `=`
    means the same as partner; a `!` for West means what North leaves of 13 tricks, and a `!` for
    East what South leaves.

    >>> table = parse_makes("::77777=:!!")
    >>> table.tricks(Seat.SOUTH, Strain.NOTRUMP), table.tricks(Seat.EAST, Strain.CLUBS)
    (7, 6)
    """
    parts = text.upper().strip().split(":")
    if len(parts) not in (2, 4):
        raise BadValue(0, "not a list of makes", text, "like ::77777=:!!")
    ours, theirs = _MAKES_NS.fullmatch(parts[-2]), _MAKES_EW.fullmatch(parts[-1])
    if ours is None or theirs is None:
        raise BadValue(0, "not a list of makes", text, "like ::77777=:!!")
    north = ours.group(1)
    south = ours.group(2) or north
    west = _rest(north) if theirs.group(1) == "!" else theirs.group(1)
    east = {"=": west, "!": _rest(south)}.get(theirs.group(2), theirs.group(2).lstrip("+"))
    return parse_trick_digits(north + east + south + west, tuple(Seat))


def _rest(digits: str) -> str:
    """The digits of the tricks that are left of 13."""
    return digits.translate(_REST)


def format_makes(table: TrickTable) -> str:
    """Write double-dummy tricks as `parse_makes` reads them, in the shortest form.

    >>> format_makes(parse_makes("::98765+98764:!33333"))
    '::98765+98764:!33333'
    """
    digits = format_trick_digits(table, tuple(Seat)).upper()
    north, east, south, west = (digits[start : start + 5] for start in range(0, 20, 5))
    ours = north + ("=" if north == south else f"+{south}")
    theirs = "!" if west == _rest(north) else west
    if east == _rest(south):
        theirs += "!"
    elif east == west:
        theirs += "="
    else:
        theirs += east if theirs == "!" else f"+{east}"
    return f"::{ours}:{theirs}"
