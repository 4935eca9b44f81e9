"""Hands, calls and cards as LIN and the BBO viewer write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from setrograde.bridge import Call, Card, Hand, InvalidHand, Suit

__all__ = [
    "ScannedCall",
    "ScannedCard",
    "format_call",
    "format_hand",
    "heading_number",
    "parse_hand",
    "scan_calls",
    "scan_cards",
]

_CALL = re.compile(
    r"([1-7](?:NT|[CDHSN])|PASS|P|REDBL|RDBL|XX|R|DBL|X|D)([!?*]*)", re.IGNORECASE | re.ASCII
)
_CARD = re.compile(r"([SHDC](?:10|[2-9TJQKA]))[!?]*", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"[0-9]+", re.ASCII)
_BETWEEN = re.compile(r"[\s,;.]*")
_REDOUBLES = ("XX", "R", "RDBL", "REDBL")


@dataclass(frozen=True, slots=True)
class ScannedCall:
    """A call, its place in the text and whether it was alerted."""

    call: Call
    offset: int
    is_alerted: bool


@dataclass(frozen=True, slots=True)
class ScannedCard:
    """A card and its place in the text."""

    card: Card
    offset: int


def scan_calls(text: str) -> tuple[list[ScannedCall], int | None]:
    """Read calls one after another, and tell where reading stopped (`None`: at the end).

    >>> calls, stop = scan_calls("1C!d2nppp")
    >>> [str(scanned.call) for scanned in calls], stop
    (['1C', 'X', '2NT', 'Pass', 'Pass', 'Pass'], None)
    >>> scan_calls("1C9H")[1]
    2
    """
    calls: list[ScannedCall] = []
    position = _skip(text, 0)
    while position < len(text):
        match = _CALL.match(text, position)
        if match is None:
            return calls, position
        word, marks = match.group(1).upper(), match.group(2)
        call = Call.REDOUBLE if word in _REDOUBLES else Call.from_text(word)
        calls.append(ScannedCall(call, position, "!" in marks or "*" in marks))
        position = _skip(text, match.end())
    return calls, None


def scan_cards(text: str) -> tuple[list[ScannedCard], int | None]:
    """Read cards one after another, and tell where reading stopped (`None`: at the end).

    >>> cards, stop = scan_cards("SAs10 D2")
    >>> [str(scanned.card) for scanned in cards], stop
    (['SA', 'ST', 'D2'], None)
    """
    cards: list[ScannedCard] = []
    position = _skip(text, 0)
    while position < len(text):
        match = _CARD.match(text, position)
        if match is None:
            return cards, position
        cards.append(ScannedCard(Card.from_text(match.group(1)), position))
        position = _skip(text, match.end())
    return cards, None


def _skip(text: str, position: int) -> int:
    match = _BETWEEN.match(text, position)
    assert match is not None
    return match.end()


def parse_hand(text: str) -> Hand:
    """Read a suit letter, its ranks in any order, the next suit letter and so on, or a PBN hand.

    >>> parse_hand("SAK2HD3c10")
    Hand.from_text('AK2..3.T')
    >>> parse_hand("AK2")
    Traceback (most recent call last):
    ...
    setrograde.bridge.errors.InvalidHand: no suit before 'A' in 'AK2' (expected like 'SAK2HQ3DCT98')
    """
    if text.count(".") == 3 and not re.search("[SHDC]", text, re.IGNORECASE):
        return Hand.from_text(text)
    suit: Suit | None = None
    cards: list[Card] = []
    for letter in text.upper().replace("10", "T"):
        if letter in "SHDC":
            suit = Suit.from_text(letter)
        elif letter.isspace() or letter in "-.":
            continue
        elif letter not in "23456789TJQKA":
            raise InvalidHand(f"not a card: {letter!r} in {text!r} (expected like 'SAK2HQ3DCT98')")
        elif suit is None:
            raise InvalidHand(
                f"no suit before {letter!r} in {text!r} (expected like 'SAK2HQ3DCT98')"
            )
        else:
            cards.append(Card.from_text(suit.letter + letter))
    return Hand.from_cards(cards)


def format_hand(hand: Hand, *, is_ascending: bool = True) -> str:
    """Write a hand, spades first; ranks rise, as BBO writes them in `md`, or fall.

    >>> hand = Hand.from_text("AK2..3.T")
    >>> format_hand(hand), format_hand(hand, is_ascending=False)
    ('S2KAHD3CT', 'SAK2HD3CT')
    """
    step = -1 if is_ascending else 1
    return "".join([suit.letter + hand.holding(suit)[::step] for suit in reversed(Suit)])


def format_call(call: Call) -> str:
    """Write a call as BBO does.

    >>> [format_call(Call.from_text(text)) for text in ("Pass", "X", "XX", "3NT", "1H")]
    ['p', 'd', 'r', '3N', '1H']
    """
    if call.is_bid:
        return str(call)[:2]
    return "pdr"[call.index]


def heading_number(text: str) -> int | None:
    """The board number in a heading, if it holds just one number.

    >>> heading_number("Board 12"), heading_number("Round 2, deal 5"), heading_number("Final")
    (12, None, None)
    """
    numbers = _NUMBER.findall(text)
    if len(numbers) != 1 or len(numbers[0]) > 6:
        return None
    return int(numbers[0]) or None
