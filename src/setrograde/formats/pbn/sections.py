"""The Auction and Play sections: words, annotations, calls and cards.

Plain sections, with nothing but calls or cards in them, are split at white space; the others
are cut into tokens first. Cards are followed and checked by the native core.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from setrograde import _core
from setrograde.bridge import Annotation, Call, Card, Deal, Seat

from .lexer import Token

__all__ = [
    "CALL_WORDS",
    "CARD_CODES",
    "UNKNOWN_CARD",
    "CardRun",
    "Word",
    "Words",
    "cut_words",
    "note_annotation",
    "note_text",
    "run_cards",
]

_WORD = re.compile(
    r"""
      (?P<word>[A-Za-z0-9\-]+)
    | =(?P<note>[^=\s]*)=
    | \$(?P<nag>[A-Za-z0-9]*)
    | (?P<suffix>[!?]{1,2})
    | \^(?P<irregular>[A-Za-z]?)
    | (?P<mark>[*+])
    | (?P<junk>"[^"\r\n]*"?|=[0-9]{1,2}(?![^\s])|\S)
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

UNKNOWN_CARD = 64
"""Stands for a card that is not told or not played."""

CARD_CODES: dict[str, int] = {
    spelling: 16 * card.suit + card.rank
    for card in Card.ALL
    for word in {str(card), str(card).replace("T", "10")}
    for spelling in (word, word.lower(), word[0] + word[1:].lower(), word[0].lower() + word[1:])
}
CARD_CODES |= dict.fromkeys(("-", "--", "+", "*"), UNKNOWN_CARD)
"""Cards as files spell them, as 16 times the suit plus the rank: numbers Python keeps ready."""

_CARDS = {16 * card.suit + card.rank: card for card in Card.ALL}

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


def run_cards(
    codes: bytes, deal: Deal, first: Seat, leader: Seat, trump: int, *, by_holder: bool = False
) -> CardRun:
    """Play the cards of a section, four a trick, column one being `first`.

    Some files rotate the columns in mid-play: `by_holder` gives each card to the seat that holds
    it, unless two of one hand are in a row.

    >>> deal = Deal.from_pbn("N:AK... QJ... T9... 87...")
    >>> codes = bytes(CARD_CODES[word] for word in ("S8", "SA", "SQ", "S9"))
    >>> run = run_cards(codes, deal, Seat.WEST, Seat.NORTH, 4)
    >>> [str(card) for card in run.cards], run.won
    (['SA', 'SQ', 'S9', 'S8'], (1, 0))
    """
    n, e, s, w = deal.hands
    played, won_ns, won_ew, stop, seat, why = _core.run_columns(
        (n.bits, e.bits, s.bits, w.bits), codes, first, leader, trump, by_holder
    )
    cards = tuple(map(_CARDS.__getitem__, played))
    illegal = f"{Seat(seat).name.title()} {_WHY[why]}" if why > 1 else ""
    return CardRun(cards, (won_ns, won_ew), stop, illegal)


_WHY = ("", "", "does not hold it", "does not follow suit")
