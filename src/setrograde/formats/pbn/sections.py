"""The Auction and Play sections: words, annotations, calls and cards.

Plain sections, with nothing but calls or cards in them, are split at white space; the others
are cut into tokens first. Cards are checked here, on machine words, while they are read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from setrograde.bridge import Annotation, Call, Card, Deal, Seat

from .lexer import Token

__all__ = [
    "CALL_WORDS",
    "CARD_BITS",
    "PLAIN",
    "CardRun",
    "Word",
    "Words",
    "by_holders",
    "cut_words",
    "note_annotation",
    "note_text",
    "passes_to_end",
    "run_cards",
]

PLAIN = re.compile(r"[A-Za-z0-9*+\-\s]*+")
"""A section without annotations."""

_WORD = re.compile(
    r"""
      (?P<word>[A-Za-z0-9\-]+)
    | =(?P<note>[^=\s]*)=
    | \$(?P<nag>[A-Za-z0-9]*)
    | (?P<suffix>[!?]{1,2})
    | \^(?P<irregular>[A-Za-z]?)
    | (?P<mark>[*+])
    | (?P<junk>"[^"\r\n]*"?|\S)
    """,
    re.VERBOSE,
)

CALL_WORDS: dict[str, Call] = {
    spelling: call
    for call in Call.ALL
    for word in {str(call), str(call).removesuffix("T")}
    for spelling in (word, word.upper(), word.lower())
}
"""Calls as files spell them; `1N` is common in the wild."""

for _words, _call in (
    (("P", "p", "PASS", "pass"), Call.PASS),
    (("D", "d", "Dbl", "DBL", "dbl", "Double"), Call.DOUBLE),
    (("R", "r", "Rdbl", "RDBL", "rdbl", "Redouble"), Call.REDOUBLE),
):
    CALL_WORDS |= dict.fromkeys(_words, _call)

CARD_BITS: dict[str, int] = {
    spelling: card.bit
    for card in Card.ALL
    for word in {str(card), str(card).replace("T", "10")}
    for spelling in (word, word.lower(), word[0] + word[1:].lower(), word[0].lower() + word[1:])
}
CARD_BITS |= dict.fromkeys(("-", "--", "+", "*"), 0)
"""Cards as files spell them, as the bits of `Hand`; marks for unknown cards are zero."""

_CARDS = {card.bit: card for card in Card.ALL}
_SUITS = {card.bit: 0x1FFF << (16 * card.suit) for card in Card.ALL}
_PATHS = tuple(
    tuple(
        (
            (turn - first) & 3,
            tuple(((turn - first + step) & 3, (turn + step) & 3) for step in (1, 2, 3)),
        )
        for turn in range(4)
    )
    for first in range(4)
)
"""By first column's seat and leader: the leader's column, then the other columns with seats."""

_ALERT = re.compile(r"(?:(No alert: )|(?:alert\b|\*)[.:!]?)\s*", re.IGNORECASE)


class Word(NamedTuple):
    """A token of a section: what kind, its text, and where it begins."""

    kind: str
    """`word`, `note`, `nag`, `suffix`, `irregular`, `mark` or `junk`."""

    text: str
    start: int


Words = list[Word]


def cut_words(text: str, chunks: Sequence[Token]) -> Words:
    """Cut the data of a section into words.

    >>> cut_words("1H!=2=", [Token(3, 0, 6)])
    [Word(kind='word', text='1H', start=0), Word(kind='suffix', text='!', start=2), \
Word(kind='note', text='2', start=3)]
    """
    words = []
    for chunk in chunks:
        for match in _WORD.finditer(text, chunk.start, chunk.end):
            kind = match.lastgroup
            assert kind is not None
            words.append(Word(kind, match[kind], match.start()))
    return words


def passes_to_end(calls: Sequence[Call]) -> int:
    """How many passes end the auction after `calls`: what `AP` stands for.

    >>> passes_to_end([]), passes_to_end([Call.from_text("1H"), Call.PASS])
    (4, 2)
    """
    passes = 0
    for call in reversed(calls):
        if call.index:
            break
        passes += 1
    return max(0, (4 if passes == len(calls) else 3) - passes)


def note_annotation(text: str) -> Annotation:
    """What a note says of a call; a leading `Alert` or `*` says that it was alerted.

    >>> note_annotation("Alert: transfer"), note_annotation(" 12-14")
    (Annotation(alerted=True, text='transfer'), Annotation(alerted=False, text='12-14'))
    """
    text = text.strip()
    match = _ALERT.match(text)
    if match is None:
        return Annotation(False, text)
    return Annotation(match[1] is None, text[match.end() :])


def note_text(annotation: Annotation) -> str:
    """The note that `note_annotation` reads back.

    >>> note_text(Annotation(True, "transfer")), note_text(Annotation(False, "Alert level red"))
    ('Alert: transfer', 'No alert: Alert level red')
    """
    text = annotation.text.strip()
    if annotation.alerted:
        return f"Alert: {text}" if text else "Alert"
    return f"No alert: {text}" if _ALERT.match(text) else text


class CardRun(NamedTuple):
    """How far the cards of a Play section could be followed."""

    cards: tuple[Card, ...]
    """Legal cards in the order played."""

    won: tuple[int, int]
    """Complete tricks of North-South and East-West."""

    stop: int
    """Which word ended it; -1 if all words were used."""

    illegal: str
    """Why that word is no legal card; empty if it is no card at all."""


def run_cards(bits: Sequence[int], deal: Deal, first: Seat, leader: Seat, trump: int) -> CardRun:
    """Play the cards of a section, four a trick, column one being `first`.

    >>> deal = Deal.from_pbn("N:AK... QJ... T9... 87...")
    >>> bits = [CARD_BITS[word] for word in ("S8", "SA", "SQ", "S9")]
    >>> run = run_cards(bits, deal, Seat.WEST, Seat.NORTH, 4)
    >>> [str(card) for card in run.cards], run.won
    (['SA', 'SQ', 'S9', 'S8'], (1, 0))
    """
    held = [hand.bits for hand in deal.hands]
    trumps = 0x1FFF << (16 * trump) if trump < 4 else 0
    played: list[int] = []
    append = played.append
    won = [0, 0]
    paths = _PATHS[first]
    turn: int = leader
    stop, illegal = -1, ""
    for base in range(0, len(bits) - 3, 4):
        column, others = paths[turn]
        best = bits[base + column]
        if not best & held[turn]:
            stop, illegal = base + column, _not_held(best, turn)
            break
        append(best)
        held[turn] ^= best
        suit = _SUITS[best]
        for column, seat in others:
            bit = bits[base + column]
            hand = held[seat]
            if not bit & hand:
                stop, illegal = base + column, _not_held(bit, seat)
                break
            if bit & suit:
                if bit > best and best & suit:
                    best, turn = bit, seat
            elif hand & suit:
                stop, illegal = base + column, f"{Seat(seat).name.title()} does not follow suit"
                break
            elif bit & trumps and (best & suit or bit > best):
                best, turn = bit, seat
            append(bit)
            held[seat] = hand ^ bit
        if stop >= 0:
            break
        won[turn & 1] += 1
    return CardRun(tuple([_CARDS[bit] for bit in played]), (won[0], won[1]), stop, illegal)


def _not_held(bit: int, seat: int) -> str:
    return f"{Seat(seat).name.title()} does not hold it" if bit else ""


def by_holders(bits: Sequence[int], deal: Deal) -> list[int]:
    """The cards of each trick under the seat that holds them, North first.

    Some files rotate the columns in mid-play. A trick with two cards of one hand stays as it is.

    >>> deal = Deal.from_pbn("N:AK... QJ... T9... 87...")
    >>> placed = by_holders([CARD_BITS[word] for word in ("S8", "SA", "-", "S9")], deal)
    >>> [str(_CARDS[bit]) if bit else "-" for bit in placed]
    ['SA', '-', 'S9', 'S8']
    """
    north, east, south, _ = (hand.bits for hand in deal.hands)
    placed: list[int] = []
    for base in range(0, len(bits) - 3, 4):
        row = bits[base : base + 4]
        seats = [0, 0, 0, 0]
        for bit in row:
            if bit:
                seats[0 if bit & north else 1 if bit & east else 2 if bit & south else 3] = bit
        placed += seats if seats.count(0) == row.count(0) else row
    return placed
