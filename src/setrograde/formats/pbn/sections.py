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
    "CARD_CODES",
    "UNKNOWN_CARD",
    "CardRun",
    "Word",
    "Words",
    "by_holders",
    "cut_words",
    "note_annotation",
    "note_text",
    "passes_to_end",
    "run_cards",
    "sound_length",
]

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
_BITS = [1 << code if code & 15 < 13 else 0 for code in range(UNKNOWN_CARD)] + [0]
_FROM = tuple(tuple((turn + step) & 3 for step in range(4)) for turn in range(4))

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


def run_cards(
    codes: list[int], deal: Deal, first: Seat, leader: Seat, trump: int, sound: int = 0
) -> CardRun:
    """Play the cards of a section, four a trick, column one being `first`.

    The first `sound` cards are known to lie under the seats that hold them (`sound_length`).

    >>> deal = Deal.from_pbn("N:AK... QJ... T9... 87...")
    >>> codes = [CARD_CODES[word] for word in ("S8", "SA", "SQ", "S9")]
    >>> run = run_cards(codes, deal, Seat.WEST, Seat.NORTH, 4)
    >>> [str(card) for card in run.cards], run.won
    (['SA', 'SQ', 'S9', 'S8'], (1, 0))
    """
    hands = [hand.bits for hand in deal.hands]
    gone = [0] * 16
    rounds = [0, 0, 0, 0]
    played: list[int] = []
    won = [0, 0]
    shift = -first & 3
    turn: int = leader
    for base in range(0, len(codes) - 3, 4):
        row = codes[base + shift : base + 4] + codes[base : base + shift]
        n, e, s, w = row
        suit = n >> 4
        if base < sound and e >> 4 == suit == s >> 4 == w >> 4:
            rounds[suit] += 1  # Everybody follows: the usual trick, worth its own path.
            played += row[turn:] + row[:turn]
            turn = row.index(max(row))
        else:
            stop, winner, illegal = _run_trick(row, hands, played, rounds, gone, turn, trump)
            if stop >= 0:
                stop = base + (stop + shift) % 4
                return CardRun(_cards_of(played), (won[0], won[1]), stop, illegal)
            turn = winner
        won[turn & 1] += 1
    return CardRun(_cards_of(played), (won[0], won[1]), -1, "")


def _run_trick(
    row: Sequence[int],
    hands: Sequence[int],
    played: list[int],
    rounds: Sequence[int],
    gone: list[int],
    turn: int,
    trump: int,
) -> tuple[int, int, str]:
    """Play one trick, given by seat; return who stopped it (or -1), the winner, and why.

    Of each suit a seat has played one card in each of the `rounds` to which all followed, and
    those counted in `gone`, by 4 times the seat plus the suit.
    """
    suit = best = -1
    winner = turn
    ruffed = False
    for seat in _FROM[turn]:
        code = row[seat]
        if not _BITS[code] & hands[seat] or code in played:
            return seat, winner, _not_held(code, seat)
        own = code >> 4
        if suit < 0:
            suit, best = own, code
        elif own == suit:
            if code > best and not ruffed:
                best, winner = code, seat
        else:
            length = (hands[seat] >> 16 * suit & 0x1FFF).bit_count()
            if length > rounds[suit] + gone[4 * seat + suit]:
                return seat, winner, f"{Seat(seat).name.title()} does not follow suit"
            if own == trump and (code > best or not ruffed):
                best, winner, ruffed = code, seat, True
        played.append(code)
        gone[4 * seat + own] += 1
    return -1, winner, ""


def _cards_of(codes: Sequence[int]) -> tuple[Card, ...]:
    return tuple([_CARDS[code] for code in codes])


def _not_held(code: int, seat: int) -> str:
    return "" if code == UNKNOWN_CARD else f"{Seat(seat).name.title()} does not hold it"


def sound_length(codes: list[int], deal: Deal, first: Seat) -> int:
    """How many codes, in whole tricks, are surely different cards under the seats that hold them.

    All tricks before the first unknown card, or none. Powers of two add up to a number with as
    many bits set only if they are all different.

    >>> deal = Deal.from_pbn("N:AK... QJ... T9... 87...")
    >>> sound_length([CARD_CODES[word] for word in ("S8", "SA", "SQ", "S9")], deal, Seat.WEST)
    4
    """
    count = codes.index(UNKNOWN_CARD) // 4 * 4 if UNKNOWN_CARD in codes else len(codes) // 4 * 4
    bits = [*map(_BITS.__getitem__, codes[:count])]
    for column in range(4):
        held = sum(bits[column::4])
        if held & ~deal.hands[(first + column) & 3].bits or held.bit_count() != count // 4:
            return 0
    return count


def by_holders(codes: Sequence[int], deal: Deal) -> list[int]:
    """The cards of each trick under the seat that holds them, North first.

    Some files rotate the columns in mid-play. A trick with two cards of one hand stays as it is.

    >>> deal = Deal.from_pbn("N:AK... QJ... T9... 87...")
    >>> placed = by_holders([CARD_CODES[word] for word in ("S8", "SA", "-", "S9")], deal)
    >>> [str(_CARDS.get(code, "-")) for code in placed]
    ['SA', '-', 'S9', 'S8']
    """
    north, east, south, _ = (hand.bits for hand in deal.hands)
    placed: list[int] = []
    for base in range(0, len(codes) - 3, 4):
        row = codes[base : base + 4]
        seats = [UNKNOWN_CARD] * 4
        for code in row:
            if code != UNKNOWN_CARD:
                bit = _BITS[code]
                seats[0 if bit & north else 1 if bit & east else 2 if bit & south else 3] = code
        complete = seats.count(UNKNOWN_CARD) == row.count(UNKNOWN_CARD)
        placed += seats if complete else row
    return placed
