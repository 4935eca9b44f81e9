"""The boards of RBN files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Contract,
    Deal,
    InvalidInput,
    Play,
    Seat,
    TrickTable,
    Vulnerability,
)

from .._report import Reporter
from .._text import text_of
from ..problems import BoardFile
from .notation import BadValue, parse_auction, parse_contract, parse_deal, parse_makes, parse_play
from .writer import SCORINGS

__all__ = ["parse_rbn"]

_DATE = re.compile(r"([0-9?]{4})([0-9?]{2})?([0-9?]{2})?", re.ASCII)
_LABEL = re.compile(r"([A-Za-z0-9])(?:[ \t]+(.*))?", re.ASCII)
_NUMBER = re.compile(r"0*[1-9][0-9]{0,5}", re.ASCII)
_RESULT = re.compile(r"(1[0-3]|[0-9])(?![0-9])(.*)", re.ASCII)
_HEADERS = frozenset("DTLESFK")
_NO_BOARD = _HEADERS | {"N"}
_KNOWN = _NO_BOARD | frozenset("BHACPRM")


def parse_rbn(data: bytes | str, *, path: str = "<text>", strict: bool = False) -> BoardFile:
    """Read the boards of an RBN file.

    Date, title, location, event, session, scoring and teams hold until they change. A record
    without `B` and `H` has the cards of the record before.

    >>> text = "E Cup\\nB 1\\nH N:A...:K...:Q...:J...\\nA NZ:1SA\\nC 1S:N\\nP SKQ\\nR 1-500\\n"
    >>> board = parse_rbn(text)[0]
    >>> board.event, board.contract, [str(card) for card in board.play.cards]
    ('Cup', Contract.from_text('1SN'), ['SK', 'SQ'])
    >>> print(parse_rbn("B 1\\nA NZ:1S1H\\n").problems[0])
    <text>:2:8: illegal call: '1H' by East as call 2: not higher than 1S
    """
    reporter = Reporter(path, strict)
    headers: dict[str, str] = {}
    boards: list[Board] = []
    comments: list[str] = []
    names: _Line | None = None  # of a record that is no board: they are the next board's
    for record in _records(text_of(data, "utf-8", "latin-1"), reporter):
        headers |= {label: line.text for label, line in record.lines.items() if label in _HEADERS}
        comments += record.comments
        if not record.is_board:
            names = record.lines.get("N", names)
        else:
            if names is not None:
                record.lines.setdefault("N", names)
                names = None
            last = boards[-1] if boards else None
            boards.append(_BoardReader(record, headers, comments, last, reporter).read())
            comments = []
    return BoardFile("rbn", tuple(boards), reporter.problems)


@dataclass(frozen=True, slots=True)
class _Line:
    """The text behind a label and where it stands."""

    text: str
    line: int
    column: int


@dataclass(slots=True)
class _Record:
    """The lines between two blank lines."""

    lines: dict[str, _Line] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    play_notes: dict[str, str] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)

    @property
    def is_board(self) -> bool:
        return not _NO_BOARD.issuperset(self.lines) or bool(self.others)


def _records(text: str, reporter: Reporter) -> Iterator[_Record]:
    record = _Record()
    comment: list[str] | None = None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, raw in enumerate([*lines, ""], 1):
        line = raw.strip()
        if comment is None and line.startswith("{"):
            comment, line = [], line[1:]
        if comment is not None:
            if line.endswith("}") or not line:
                if not line:
                    reporter.report(number, 1, "text without an end", expected="}")
                comment.append(line.removesuffix("}"))
                record.comments.append(" ".join(part for part in comment if part))
                comment = None
            else:
                comment.append(line)
        elif line and not line.startswith("%"):
            _take_line(record, raw, number, reporter)
        if not line and comment is None:
            yield record
            record = _Record()


def _take_line(record: _Record, raw: str, number: int, reporter: Reporter) -> None:
    start = len(raw) - len(raw.lstrip())
    match = _LABEL.fullmatch(raw.strip())
    if match is None:
        reporter.report(
            number, start + 1, "not a line of RBN", found=raw.strip(), expected="a letter, a blank"
        )
        return
    label, text = match.group(1).upper(), (match.group(2) or "").strip()
    column = start + (match.start(2) if match.group(2) else 1) + 1
    if label.isdigit():
        notes = record.play_notes if "P" in record.lines else record.notes
        notes[label] = text
    elif label not in _KNOWN:
        record.others.setdefault(label, []).append(text)
    elif label in record.lines:
        reporter.report(number, start + 1, "label twice in a record", found=raw.strip())
    else:
        record.lines[label] = _Line(text, number, column)


@dataclass(slots=True)
class _BoardReader:
    """Reads one record; what it cannot use it reports and leaves out."""

    record: _Record
    headers: dict[str, str]
    comments: list[str]
    last: Board | None
    reporter: Reporter
    tags: dict[str, str] = field(default_factory=dict)
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None

    def read(self) -> Board:
        lines = self.record.lines
        number, deal = self._number(), self._deal()
        if self.last is not None and not lines.keys() & {"B", "H"}:
            number, deal = self.last.number, self.last.deal
            self.dealer, self.vulnerability = self.last.dealer, self.last.vulnerability
        auction = self._auction()
        contract = self._contract(auction)
        play = self._play(deal, contract)
        play, tricks = self._result(contract, play)
        table = self._table()
        names, room = self._names()
        date = self._date()
        self._header_tags()
        return Board(
            number=number,
            dealer=self.dealer,
            vulnerability=self.vulnerability,
            deal=deal,
            auction=auction,
            contract=contract,
            play=play,
            tricks_declarer=tricks,
            players=names,
            event=self.headers.get("E") or None,
            site=self.headers.get("L") or None,
            date=date,
            room=room,
            scoring=SCORINGS.get(self.headers.get("F", ""), self.headers.get("F")) or None,
            table=table,
            tags=self.tags,
        )

    def _bad(self, line: _Line, error: BadValue) -> None:
        self.reporter.report(
            line.line,
            line.column + error.offset,
            str(error),
            found=error.found,
            expected=error.expected,
        )

    def _number(self) -> int | None:
        line = self.record.lines.get("B")
        if line is None or not line.text:
            return None
        if _NUMBER.fullmatch(line.text):
            return int(line.text)
        self._bad(line, BadValue(0, "not a board number", line.text, "1 or more"))
        return None

    def _deal(self) -> Deal | None:
        line = self.record.lines.get("H")
        if line is None or not line.text:
            return None
        try:
            deal = parse_deal(line.text)
        except BadValue as error:
            self._bad(line, error)
            return None
        sizes = {len(hand) for hand in deal or () if hand.bits}
        if deal is not None and (len(sizes) > 1 or max(sizes) > 13):
            found = ", ".join(str(len(hand)) for hand in deal)
            self._bad(line, BadValue(0, "hands of different length", found, "13 cards each"))
        return deal

    def _auction(self) -> Auction | None:
        line = self.record.lines.get("A")
        if line is None or not line.text:
            return None
        read = parse_auction(line.text)
        if read.error is not None:
            self._bad(line, read.error)
        if read.dealer is not None:
            self.dealer = read.dealer
        if read.vulnerability is not None:
            self.vulnerability = read.vulnerability
        if not read.calls:
            return None
        if self.dealer is None:
            self._bad(line, BadValue(0, "calls without a dealer", line.text, "N, E, S or W"))
            return None
        auction = Auction(self.dealer)
        for mark in read.calls:
            note = None
            if mark.note is not None and mark.note not in self.record.notes:
                self._bad(line, BadValue(mark.offset, "no such note", mark.note, "a line below"))
            text = self.record.notes.get(mark.note or "", "")
            if mark.is_alerted or text:
                note = Annotation(mark.is_alerted, text)
            try:
                auction = auction.with_call(mark.call, note)
            except InvalidInput as error:
                self._bad(line, BadValue(mark.offset, str(error)))
                break
        return auction

    def _contract(self, auction: Auction | None) -> Contract | None:
        bid = auction.contract if auction is not None else None
        line = self.record.lines.get("C")
        if line is None or not line.text:
            return bid
        try:
            contract = parse_contract(line.text)
        except BadValue as error:
            self._bad(line, error)
            return bid
        if bid is not None and bid != contract:
            self._bad(line, BadValue(0, "contract against the auction", str(contract), str(bid)))
            return bid
        return contract

    def _play(self, deal: Deal | None, contract: Contract | None) -> Play | None:
        line = self.record.lines.get("P")
        if line is None or not line.text:
            return None
        if deal is None or contract is None or contract.is_passed_out:
            lack = "a deal" if deal is None else "a contract"
            self._bad(line, BadValue(0, f"cards played without {lack}"))
            return None
        play, error = parse_play(line.text, deal, contract)
        if error is not None:
            self._bad(line, error)
        return play if play.cards else None

    def _result(
        self, contract: Contract | None, play: Play | None
    ) -> tuple[Play | None, int | None]:
        """The play, with a claim if the result says more than the cards, and declarer's tricks."""
        played = None
        if contract is not None and play is not None and play.is_over:
            played = play.tricks_won(contract.declarer.side)
        line = self.record.lines.get("R")
        if line is None or not line.text or line.text.upper() in ("P", "PASS"):
            return play, played
        match = _RESULT.fullmatch(line.text)
        if match is None:
            self._bad(line, BadValue(0, "not a result", line.text, "tricks, like 9 or 9-300"))
            return play, played
        tricks = int(match.group(1))
        if match.group(2):
            self.tags["Rbn_R"] = line.text
        if played is not None:
            if played != tricks:
                self._bad(line, BadValue(0, "result against the play", line.text, str(played)))
            return play, played
        if play is None:
            return None, tricks
        try:
            return play.claim(tricks), tricks
        except InvalidInput as error:
            self._bad(line, BadValue(0, str(error)))
            return play, None

    def _table(self) -> TrickTable | None:
        line = self.record.lines.get("M")
        if line is None or not line.text:
            return None
        if not line.text.startswith("::"):
            self.tags["Rbn_M"] = line.text
        try:
            return parse_makes(line.text)
        except BadValue as error:
            self._bad(line, error)
            return None

    def _names(
        self,
    ) -> tuple[tuple[str | None, str | None, str | None, str | None], str | None]:
        """Players by seat and the room; a table number becomes a tag."""
        line = self.record.lines.get("N")
        parts = [*(line.text if line is not None else "").split(":", 3), "", "", ""]
        pairs = [(*pair.split("+", 1), "")[:2] for pair in parts[:2]]
        (north, south), (west, east) = (
            (first.strip() or None, second.strip() or None) for first, second in pairs
        )
        place = parts[2].strip()
        room = {"O": "Open", "C": "Closed"}.get(place.upper())
        if place and room is None:
            self.tags["Table"] = place
        if parts[3].strip():
            self.tags["Rbn_N"] = line.text if line is not None else ""
        return (north, east, south, west), room

    def _date(self) -> str | None:
        text = self.headers.get("D", "")
        match = _DATE.match(text)
        if match is None or match.end() != len(text):
            if text:
                self.tags["Rbn_D"] = text  # a span, a time or a date "about"
            if match is None:
                return None
        return f"{match[1]}.{match[2] or '??'}.{match[3] or '??'}"

    def _header_tags(self) -> None:
        if title := self.headers.get("T"):
            self.tags["Rbn_T"] = title
        if stage := self.headers.get("S"):
            self.tags["Stage"] = stage
        if teams := self.headers.get("K"):
            home, visit, *carry = [*teams.split(":"), ""]
            self.tags |= {
                tag: name.strip()
                for tag, name in (("HomeTeam", home), ("VisitTeam", visit))
                if name.strip()
            }
            if any(carry):
                self.tags["Rbn_K"] = teams
        for label, values in self.record.others.items():
            self.tags[f"Rbn_{label}"] = "\n".join(values)
        for label, text in self.record.play_notes.items():
            self.tags[f"Rbn_P{label}"] = text
        if self.comments:
            self.tags["Rbn_Text"] = "\n".join(self.comments)
