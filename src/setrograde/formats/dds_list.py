"""DDS list files: deals with double-dummy answers, as the DDS project's test program reads them.

One record is a `PBN` line and what is known about it: the value of every card (`FUT`), the 20
results (`TABLE`), par (`PAR`, `PAR2`), a line of play (`PLAY`) and its value after every card
(`TRACE`). DDS counts suits S, H, D, C, NT from 0, ranks from 2 to 14 and vulnerability none, both,
NS, EW; here they become the package's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from setrograde.bridge import (
    Board,
    Card,
    Deal,
    InvalidInput,
    Play,
    Rank,
    Seat,
    Strain,
    Suit,
    TrickTable,
    Vulnerability,
)

from ._report import Reporter
from ._text import text_of
from .problems import BoardFile, Problem

__all__ = ["DdsFuture", "DdsRecord", "format_dds_list", "parse_dds_list", "parse_dds_records"]

_STRAINS = (Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS, Strain.NOTRUMP)
_SUITS = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
_VULNERABILITIES = (Vulnerability.NONE, Vulnerability.BOTH, Vulnerability.NS, Vulnerability.EW)


@dataclass(frozen=True, slots=True)
class DdsFuture:
    """The number of tricks that the lead of one card is worth.

    >>> DdsFuture(Card.from_text("CT"), (Card.from_text("C9"),), 5).cards
    (Card.from_text('CT'), Card.from_text('C9'))
    """

    card: Card
    """The highest of its run of touching cards."""

    equals: tuple[Card, ...]
    """Lower cards of the same hand worth as much, high to low."""

    tricks: int
    """Tricks the leader's side takes after it."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The card and its equals."""
        return (self.card, *self.equals)


@dataclass(frozen=True, slots=True)
class DdsRecord:
    """One deal of a DDS list, with everything the file says about it.

    >>> text = 'PBN 0 0 4 0 "N:A... K... Q... J..."'
    >>> record = parse_dds_records(text)[0]
    >>> record.strain, record.leader, record.futures
    (Strain.NOTRUMP, Seat.NORTH, ())
    """

    deal: Deal
    """The cards."""

    dealer: Seat
    """The dealer."""

    vulnerability: Vulnerability
    """Which sides are vulnerable."""

    strain: Strain
    """Trumps for `futures`, `play` and `trace`."""

    leader: Seat
    """The player who leads for `futures`, `play` and `trace`."""

    futures: tuple[DdsFuture, ...] = ()
    """The value of every card of the leader, best first; empty if not given."""

    table: TrickTable | None = None
    """The 20 results, if given."""

    par: tuple[str, ...] = ()
    """The strings of the `PAR` line: scores and contracts as each side sees them."""

    par2: tuple[str, ...] = ()
    """The strings of the `PAR2` line: the score for North-South, then the contracts."""

    play: tuple[Card, ...] = ()
    """Cards played, from the leader on."""

    trace: tuple[int, ...] = ()
    """Declarer's tricks with best play: before the first card, then after each card played.

    A whole play has 49 values, not 53: nothing is left to decide in the last trick.
    """

    def to_board(self, number: int | None = None) -> Board:
        """The record as a board, without its card values, its par and its trace.

        >>> text = 'PBN 2 1 4 0 "N:A... K... Q... J..."'
        >>> parse_dds_records(text)[0].to_board().vulnerability
        Vulnerability.BOTH
        """
        play = Play(self.deal, self.strain, self.leader, self.play) if self.play else None
        tags = {"OptimumScore": self.par[0]} if self.par else {}
        return Board(
            number=number,
            dealer=self.dealer,
            vulnerability=self.vulnerability,
            deal=self.deal,
            play=play,
            table=self.table,
            tags=tags,
        )


def parse_dds_records(
    data: bytes | str, *, path: str = "<text>", strict: bool = True
) -> tuple[DdsRecord, ...]:
    """Read every record of a DDS list.

    Reading is strict (default), because test data must be right. With `strict=False` the lines that
    cannot be read are left out.

    >>> records = parse_dds_records('NUMBER 1\\nPBN 0 0 0 0 "N:A... K... Q... J..."\\n')
    >>> records[0].strain
    Strain.SPADES
    """
    reader = _Reader(path, strict)
    reader.read(text_of(data, "latin-1"))
    return tuple(reader.records)


def parse_dds_list(data: bytes | str, *, path: str = "<text>", strict: bool = False) -> BoardFile:
    """Read a DDS list as boards numbered from 1, each with its deal, table and play.

    >>> boards = parse_dds_list('PBN 3 3 0 0 "N:A... K... Q... J..."\\nPLAY 1 "SA"\\n')
    >>> boards[0].dealer, boards[0].vulnerability, len(boards[0].play)
    (Seat.WEST, Vulnerability.EW, 1)
    """
    reader = _Reader(path, strict)
    reader.read(text_of(data, "latin-1"))
    boards = tuple(record.to_board(n) for n, record in enumerate(reader.records, 1))
    return BoardFile("dds", boards, reader.problems)


def format_dds_list(records: Iterable[DdsRecord | Board]) -> str:
    """Write a DDS list; a board must have a deal, a dealer and a vulnerability.

    A record must name a strain and a leader. A board that has neither a play nor a contract gets
    spades and its dealer.

    >>> text = 'NUMBER 1\\nPBN 1 2 4 0 "E:K... Q... J... A..."\\nPLAY 1 "SA"\\n'
    >>> format_dds_list(parse_dds_records(text)) == text
    True
    """
    chosen = [_as_record(item) for item in records]
    lines = [f"NUMBER {len(chosen)}"]
    for record in chosen:
        lines += _record_lines(record)
    return "\n".join(lines) + "\n"


_WORD = re.compile(r'"[^"]*"|\S+')
_INTEGER = re.compile(r"-?[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a line and where it stands."""

    text: str
    column: int

    @property
    def is_quoted(self) -> bool:
        return len(self.text) >= 2 and self.text[0] == self.text[-1] == '"'

    @property
    def inside(self) -> str:
        return self.text.strip('"')


class _LineError(Exception):
    """A line that cannot be used; never leaves this module."""

    def __init__(self, column: int, message: str, found: str = "", expected: str = "") -> None:
        super().__init__(message)
        self.column, self.message, self.found, self.expected = column, message, found, expected


class _Reader:
    """Builds records line by line."""

    def __init__(self, path: str, strict: bool) -> None:
        self.records: list[DdsRecord] = []
        self._reporter = Reporter(path, strict)
        self._declared: int | None = None
        self._deals = 0
        self._lost_deal = False  # the lines after an unreadable deal belong to no record

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self._reporter.problems

    def read(self, text: str) -> None:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for number, line in enumerate(lines, 1):
            words = [_Word(m.group(), m.start() + 1) for m in _WORD.finditer(line)]
            if not words:
                continue
            try:
                self._line(words)
            except _LineError as error:
                self._report(number, error)
        if self._declared is not None and self._declared != self._deals:
            found, expected = str(self._deals), f"{self._declared} as NUMBER says"
            self._report(1, _LineError(1, "wrong number of deals", found, expected))

    def _report(self, line: int, error: _LineError) -> None:
        self._reporter.report(
            line, error.column, error.message, found=error.found, expected=error.expected
        )

    def _line(self, words: list[_Word]) -> None:
        key = words[0].text.upper()
        if key == "NUMBER":
            self._declared = _integers(words[1:], 0, 10**6, count=1)[0]
        elif key == "PBN":
            self._deals += 1
            self._lost_deal = True
            self.records.append(_parse_deal_line(words))
            self._lost_deal = False
        elif (read := _FIELDS.get(key)) is None:
            raise _LineError(
                words[0].column, "unknown line", words[0].text, "NUMBER, PBN or " + _FIELD_NAMES
            )
        elif not self._deals:
            raise _LineError(words[0].column, f"{key} before the first PBN line")
        elif not self._lost_deal:
            self.records[-1] = read(self.records[-1], words)


def _integers(words: list[_Word], low: int, high: int, *, count: int) -> list[int]:
    """Exactly `count` numbers in a range."""
    if len(words) != count:
        column = words[-1].column if words else 1
        raise _LineError(column, "wrong number of values", str(len(words)), str(count))
    values = []
    for word in words:
        if not _INTEGER.fullmatch(word.text) or not low <= int(word.text) <= high:
            raise _LineError(word.column, "not a value", word.text, f"{low} to {high}")
        values.append(int(word.text))
    return values


def _count(words: list[_Word], high: int) -> int:
    """The number after the key, which says how long the line is."""
    return _integers(words[1:2], 0, high, count=1)[0]


def _parse_deal_line(words: list[_Word]) -> DdsRecord:
    if len(words) != 6:
        raise _LineError(
            words[0].column, "not a PBN line", f"{len(words)} words", "four numbers and a deal"
        )
    dealer, vulnerability = _integers(words[1:3], 0, 3, count=2)
    (trump,) = _integers(words[3:4], 0, 4, count=1)
    (first,) = _integers(words[4:5], 0, 3, count=1)
    try:
        deal = Deal.from_pbn(words[5].inside)
    except InvalidInput as error:
        raise _LineError(words[5].column, str(error)) from None
    return DdsRecord(
        deal, Seat(dealer), _VULNERABILITIES[vulnerability], _STRAINS[trump], Seat(first)
    )


def _parse_futures(record: DdsRecord, words: list[_Word]) -> DdsRecord:
    count = _count(words, 13)
    if len(words) != 2 + 4 * count:
        raise _LineError(
            words[0].column, "wrong number of values", str(len(words) - 2), str(4 * count)
        )
    suits, ranks, masks, scores = (
        words[2 + part * count : 2 + (part + 1) * count] for part in range(4)
    )
    futures = []
    for word, suit, rank, mask, tricks in zip(
        ranks,
        _integers(suits, 0, 3, count=count),
        _integers(ranks, 2, 14, count=count),
        _integers(masks, 0, 0x7FFC, count=count),
        _integers(scores, 0, 13, count=count),
        strict=True,
    ):
        card = Card(_SUITS[suit], Rank(rank - 2))
        equals = tuple(
            Card(card.suit, Rank(other - 2)) for other in range(14, 1, -1) if mask >> other & 1
        )
        for held in (card, *equals):
            if held not in record.deal[record.leader]:
                name = record.leader.name.title()
                raise _LineError(word.column, "not a card of the leader", str(held), f"{name}'s")
        futures.append(DdsFuture(card, equals, tricks))
    return replace(record, futures=tuple(futures))


def _parse_table(record: DdsRecord, words: list[_Word]) -> DdsRecord:
    tricks = _integers(words[1:], 0, 13, count=20)
    table = TrickTable.from_function(
        lambda seat, strain: tricks[4 * _STRAINS.index(strain) + int(seat)]
    )
    return replace(record, table=table)


def _strings(words: list[_Word]) -> tuple[str, ...]:
    for word in words[1:]:
        if not word.is_quoted:
            raise _LineError(word.column, "not a string", word.text, 'text in "quotes"')
    return tuple(word.inside for word in words[1:])


def _parse_par(record: DdsRecord, words: list[_Word]) -> DdsRecord:
    return replace(record, par=_strings(words))


def _parse_par2(record: DdsRecord, words: list[_Word]) -> DdsRecord:
    return replace(record, par2=_strings(words))


def _parse_play(record: DdsRecord, words: list[_Word]) -> DdsRecord:
    count = _count(words, 52)
    text = words[2].inside if len(words) == 3 else ""
    if len(words) > 3 or len(text) != 2 * count:
        raise _LineError(words[-1].column, "not a play", text, f"{count} cards of two letters")
    try:
        cards = tuple(Card.from_text(text[i : i + 2]) for i in range(0, 2 * count, 2))
        Play(record.deal, record.strain, record.leader, cards)
    except InvalidInput as error:
        raise _LineError(words[2].column, str(error)) from None
    return replace(record, play=cards)


def _parse_trace(record: DdsRecord, words: list[_Word]) -> DdsRecord:
    count = _count(words, 53)
    return replace(record, trace=tuple(_integers(words[2:], 0, 13, count=count)))


_FIELDS: dict[str, Callable[[DdsRecord, list[_Word]], DdsRecord]] = {
    "FUT": _parse_futures,
    "TABLE": _parse_table,
    "PAR": _parse_par,
    "PAR2": _parse_par2,
    "PLAY": _parse_play,
    "TRACE": _parse_trace,
}
_FIELD_NAMES = ", ".join(_FIELDS)


def _as_record(item: DdsRecord | Board) -> DdsRecord:
    if isinstance(item, DdsRecord):
        return item
    if item.deal is None or item.dealer is None or item.vulnerability is None:
        name = "a board" if item.number is None else f"board {item.number}"
        raise InvalidInput(f"{name} lacks a deal, dealer or vulnerability (a DDS list needs all)")
    strain, leader = Strain.SPADES, item.dealer
    cards: tuple[Card, ...] = ()
    if item.play is not None:
        strain, leader, cards = item.play.strain, item.play.leader, item.play.cards
    elif item.contract is not None and not item.contract.is_passed_out:
        strain, leader = item.contract.strain, item.contract.leader
    return DdsRecord(
        item.deal, item.dealer, item.vulnerability, strain, leader, table=item.table, play=cards
    )


def _record_lines(record: DdsRecord) -> list[str]:
    numbers = (
        int(record.dealer),
        _VULNERABILITIES.index(record.vulnerability),
        _STRAINS.index(record.strain),
        int(record.leader),
    )
    lines = [f'PBN {_join(numbers)} "{record.deal.to_pbn(record.dealer)}"']
    if record.futures:
        lines.append(_futures_line(record.futures))
    if record.table is not None:
        tricks = [record.table.tricks(seat, strain) for strain in _STRAINS for seat in Seat]
        lines.append(f"TABLE {_join(tricks)}")
    for key, strings in (("PAR", record.par), ("PAR2", record.par2)):
        if strings:
            lines.append(" ".join([key, *(f'"{text}"' for text in strings)]))
    if record.play:
        lines.append(f'PLAY {len(record.play)} "{"".join(map(str, record.play))}"')
    if record.trace:
        lines.append(f"TRACE {len(record.trace)} {_join(record.trace)}")
    return lines


def _futures_line(futures: tuple[DdsFuture, ...]) -> str:
    values = [len(futures)]
    values += [_SUITS.index(future.card.suit) for future in futures]
    values += [future.card.rank + 2 for future in futures]
    values += [sum(1 << (card.rank + 2) for card in future.equals) for future in futures]
    values += [future.tricks for future in futures]
    return f"FUT {_join(values)}"


def _join(values: Iterable[int]) -> str:
    return " ".join(map(str, values))
