"""Strict checks against the PBN 2.1 standard.

Errors are departures from the import format. Warnings are names and values the standard does not
list, references that lead nowhere useful, and, in files that call themselves `% EXPORT`,
departures from the export format, which a reader need not mind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from setrograde.bridge import Contract, Deal, InvalidContract, InvalidInput, Seat, Vulnerability
from setrograde.formats._text import MARK
from setrograde.formats.problems import Problem

from . import fields, lexer
from .check_sections import AuctionCheck, PlayCheck, check_auction, check_play
from .check_tables import check_columns, check_rows
from .document import MANDATORY_TAGS, decode
from .rules import FORBIDS_INHERITANCE, KNOWN_TAGS, check_value, rubber_vulnerability
from .sections import cut_words

__all__ = ["verify_pbn"]

_LINE = re.compile(r"([^\r\n]*+)(\r\n|\n|\r|\Z)")
_BAD_CHARACTER = re.compile(r"[^\t\v -~\xa0-\xff]")
_EXPORT_TAG = re.compile(r'\[[A-Za-z0-9_]+ "(?:[^"\\\r\n]|\\[^\r\n])*+"\](?:\r\n|\n|\r|\Z)')
_NOTE = re.compile(r"\s*([0-9]{1,9})\s*:.*", re.DOTALL)
_LONE_END = re.compile(r"\r(?!\n)|(?<!\r)\n")
_LINE_LIMIT = 255


def verify_pbn(data: bytes | str, *, path: str = "<text>") -> list[Problem]:
    """Report every departure from the standard, in the order of the file.

    >>> print(verify_pbn('[Dealer "Black"]')[0])
    <text>:1:1: bad Dealer: found 'Black', expected N, E, S or W
    """
    text = data if isinstance(data, str) else decode(data)[0]
    found = _Verifier(text).run()
    positions = lexer.Positions(text)
    return [
        Problem(*positions.of(start), message, got, expected, path, severity)
        for start, message, got, expected, severity in sorted(set(found))
    ]


class _Verifier:
    """Checks a file block by block."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: list[tuple[int, str, str, str, str]] = []
        self._last: dict[str, str] = {}
        self._standing: set[str] = set()
        self._export_from = -1

    def run(self) -> list[tuple[int, str, str, str, str]]:
        """Everything found."""
        tokens = lexer.scan(self._text)
        self._check_lines()
        block: list[lexer.Token] = []
        for token in tokens:
            if token.kind in (lexer.BLANK, lexer.OUTSIDE):
                self._check_block(block)
                block = []
            else:
                block.append(token)
        self._check_block(block)
        if self._export_from >= 0:
            lone = _LONE_END.search(self._text, self._export_from)
            if lone:
                self._warn(lone.start(), "export format: line end is not CRLF")
        return self._found

    def _error(self, start: int, message: str, found: str = "", expected: str = "") -> None:
        self._found.append((start, message, found, expected, "error"))

    def _warn(self, start: int, message: str, found: str = "", expected: str = "") -> None:
        self._found.append((start, message, found, expected, "warning"))

    def _check_lines(self) -> None:
        has_mark = self._text.startswith(MARK)
        for match in _LINE.finditer(self._text, int(has_mark)):
            line = match[1]
            if match.end() - match.start() > _LINE_LIMIT:
                self._error(match.start() + _LINE_LIMIT, "line too long", "", "255 characters")
            bad = _BAD_CHARACTER.search(line)
            if bad and not line.startswith("%"):
                report = self._warn if has_mark and bad[0] > "\xff" else self._error
                report(match.start() + bad.start(), "bad character", bad[0], "ISO 8859/1")

    def _check_block(self, block: list[lexer.Token]) -> None:
        game = _Game(self._text, self._error, self._warn, self._last)
        for token in block:
            if token.kind == lexer.ESCAPE:
                words = self._text[token.start + 1 : token.end].split()
                if words == ["EXPORT"] and self._export_from < 0:
                    self._export_from = token.start
            elif token.kind == lexer.TAG:
                game.tag(token)
            elif token.kind == lexer.DATA:
                game.data(token)
            elif token.kind in (lexer.LINE_COMMENT, lexer.BRACE):
                game.comment(token)
            elif token.kind == lexer.BAD_TAG:
                game.bad_tag(token)
            elif token.kind == lexer.STRAY_BRACE:
                self._error(token.start, "comment without end", "{", "}")
        if game.tags:
            game.finish()
            if self._export_from >= 0:
                self._check_export(block)
            self._standing.update(n for n, t in game.tags.items() if t.value.startswith("##"))
            self._last.update(game.values)

    def _check_export(self, block: list[lexer.Token]) -> None:
        text = self._text
        tags = [token for token in block if token.kind == lexer.TAG]
        for token in tags:
            at_line_start = token.start == 0 or text[token.start - 1] in "\r\n"
            if not at_line_start or not _EXPORT_TAG.fullmatch(text, token.start, token.end):
                self._warn(token.start, "export format: tag not alone on its line", token.name)
        names = [token.name for token in tags]
        missing = [n for n in MANDATORY_TAGS if n not in names and n not in self._standing]
        if missing:
            self._warn(tags[0].start, "export format: tags missing", ", ".join(missing))
        places = {name: place for place, name in enumerate(MANDATORY_TAGS)}
        order = [(places[token.name], token) for token in tags if token.name in places]
        for (before, _), (after, token) in pairwise(order):
            if after < before:
                self._warn(token.start, "export format: tag out of order", token.name)


Reporter = Callable[[int, str, str, str], None]


class _Game:
    """Checks one block of tags and sections."""

    def __init__(self, text: str, error: Reporter, warn: Reporter, last: dict[str, str]) -> None:
        self._text = text
        self._error = error
        self._warn = warn
        self._last = last
        self.tags: dict[str, lexer.Token] = {}
        self.values: dict[str, str] = {}
        self._section = ""
        self._chunks: dict[str, list[lexer.Token]] = {}
        self._notes: dict[str, dict[int, lexer.Token]] = {"Auction": {}, "Play": {}}
        self._at_note = False

    def tag(self, token: lexer.Token) -> None:
        """Take a tag pair."""
        name = token.name
        if "\t" in token.value or "\v" in token.value:
            self._error(token.start, "bad character: tab in a string", token.value, "")
        if name == "Note":
            self._note(token)
            return
        self._section, self._at_note = name, False
        if name in self.tags:
            self._error(token.start, "tag exists already", name, "")
            self._section = ""
            return
        if not name[0].isupper():
            self._error(token.start, "bad tag name", name, "an upper case letter first")
        elif name not in KNOWN_TAGS:
            self._warn(token.start, "unusual tag name", name, "")
        self.tags[name] = token
        self._value(token)
        if name in ("Auction", "Play"):
            self._check_before(token)

    def _value(self, token: lexer.Token) -> None:
        name, value = token.name, lexer.unescape(token.value)
        if value == "#" or value.startswith("##"):
            if name in FORBIDS_INHERITANCE:
                self._error(token.start, f"bad inheritance of {name}", value, "a value")
            value = self._last.get(name, "") if value == "#" else value[2:]
        elif name.endswith("Table") and name != "Table":
            wrong = check_columns(value)
            if wrong:
                self._error(token.start, wrong, value, "like Rank;Call\\4L")
        if name not in FORBIDS_INHERITANCE or token.value[:1] != "#":
            complaint = check_value(name, value)
            if complaint:
                message, expected, severity = complaint
                report = self._error if severity == "error" else self._warn
                report(token.start, message, value, expected)
            elif name not in ("Auction", "Play") or value not in ("", "?"):
                self.values[name] = value

    def _check_before(self, token: lexer.Token) -> None:
        """The tags that must be filled before a section."""
        if token.value[:1] == "#":
            return
        needed = ["Dealer"] if token.name == "Auction" else ["Deal", "Contract"]
        if token.name == "Play" and not self._is_end_position():
            needed.append("Declarer")
        for name in needed:
            if self.values.get(name, "") in ("", "?"):
                self._error(token.start, f"no {name} before {token.name}", token.value, "")

    def _note(self, token: lexer.Token) -> None:
        notes = self._notes.get(self._section)
        self._at_note = True
        if notes is None:
            self._error(token.start, "note outside Auction and Play", token.value, "")
            return
        match = _NOTE.fullmatch(token.value)
        number = int(match[1]) if match else 0
        if not 1 <= number <= 32:
            self._error(token.start, "bad note number", token.value, "1 to 32 and a colon")
        elif number in notes:
            self._error(token.start, "note exists already", str(number), "")
        else:
            notes[number] = token

    def data(self, token: lexer.Token) -> None:
        """Take text that is neither tag nor comment."""
        section = self._section
        is_section = section in ("Auction", "Play") or section.endswith("Table")
        if self._at_note or not section or (section in KNOWN_TAGS and not is_section):
            found = self._text[token.start : token.end].strip()
            self._error(token.start, "text outside of a section", found, "a tag pair")
        self._chunks.setdefault(section, []).append(token)

    def comment(self, token: lexer.Token) -> None:
        """Take a comment: not among the elements of a supplemental section."""
        section = self._section
        if section in self._chunks and section not in ("", "Auction", "Play"):
            found = self._text[token.start : token.end].strip()
            self._error(token.start, "comment among section elements", found, "")

    def bad_tag(self, token: lexer.Token) -> None:
        """Take a bracket that begins no tag pair."""
        found = self._text[token.start : token.end].strip()
        quotes = found.count('"')
        what = "no tag value" if quotes == 0 else "missing quote" if quotes == 1 else "not a tag"
        self._error(token.start, what, found, 'like [Event "name"]')

    def finish(self) -> None:
        """Check what the tags and sections say together."""
        self._check_rubber()
        auction = self._check_auction()
        play = self._check_play()
        self._check_contract(auction)
        self._check_result(auction, play)
        for name, chunks in self._chunks.items():
            if name in self.tags and (name.endswith("Table") or name not in KNOWN_TAGS):
                check_rows(name, self.values.get(name, ""), self._text, chunks, self._error)

    def _seat(self, name: str) -> Seat | None:
        try:
            return fields.read_seat(self.values.get(name, ""))
        except InvalidInput:
            return None

    def _deal(self) -> Deal | None:
        try:
            return fields.read_deal(self.values.get("Deal", ""))
        except InvalidInput:
            return None

    def _is_end_position(self) -> bool:
        deal = self._deal()
        return deal is not None and max(len(hand) for hand in deal.hands) < 13

    def _check_rubber(self) -> None:
        history, stated = self.values.get("ScoreRubberHistory"), self.values.get("Vulnerable")
        implied = rubber_vulnerability(history) if history else None
        if implied is None or stated is None or stated in ("", "?"):
            return
        if Vulnerability.from_text(stated) != Vulnerability.from_text(implied):
            later = max(self.tags["Vulnerable"].start, self.tags["ScoreRubberHistory"].start)
            self._error(later, "Vulnerable and ScoreRubberHistory differ", stated, implied)

    def _check_notes(self, section: str, references: dict[int, int]) -> None:
        for number, start in references.items():
            if number not in self._notes[section]:
                self._error(start, "no note for reference", f"={number}=", f"Note {number}")
        for number, token in self._notes[section].items():
            if number not in references:
                self._warn(
                    token.start, "unused note", token.value, f"={number}= after a call or card"
                )

    def _check_auction(self) -> AuctionCheck | None:
        first, dealer = self._seat("Auction"), self._seat("Dealer")
        if "Auction" not in self.tags:
            return None
        words = cut_words(self._text, self._chunks.get("Auction", ()))
        if first is None or dealer is None:
            return None
        check = check_auction(words, first, dealer, self._error)
        self._check_notes("Auction", check.references)
        return check

    def _check_play(self) -> PlayCheck | None:
        first, deal = self._seat("Play"), self._deal()
        trump = fields.read_strain(self.values.get("Contract", ""))
        if "Play" not in self.tags or first is None or deal is None or trump is None:
            return None
        declarer = self._seat("Declarer")
        if declarer is not None and declarer.next != first:
            self._error(
                self.tags["Play"].start, "not the opening leader", str(first), str(declarer.next)
            )
        words = cut_words(self._text, self._chunks.get("Play", ()))
        check = check_play(words, first, deal, trump, self._error)
        self._check_notes("Play", check.references)
        return check

    def _check_contract(self, auction: AuctionCheck | None) -> None:
        value = self.values.get("Contract", "")
        bare = value.upper() in ("C", "D", "H", "S", "NT")
        if bare and not self._is_end_position():
            self._error(self.tags["Contract"].start, "bad Contract", value, "a level, like 4H")
        if auction is None:
            return
        declarer = self._seat("Declarer")
        if not auction.is_sound:
            if declarer is not None:
                message = "declarer not checked: the auction is faulty"
                self._warn(self.tags["Declarer"].start, message, str(declarer), "")
            return
        if auction.contract is None:
            return
        self._compare_contract(auction.contract, value, bare)
        if declarer is not None and not auction.contract.is_passed_out:
            swapped = self.values["Declarer"].startswith("^")
            bidder = auction.contract.declarer
            right = bidder.partner if swapped else bidder
            if declarer != right:
                found = self.values["Declarer"]
                self._error(self.tags["Declarer"].start, "bad Declarer", found, f"{bidder}")

    def _compare_contract(self, bid: Contract, value: str, bare: bool) -> None:
        if value in ("", "?") or bare:
            return
        start = self.tags["Contract"].start
        try:
            stated = Contract.from_text(value, Seat.NORTH)
        except InvalidContract:
            self._error(start, "bad Contract", value, "a level, like 4H")
            return
        if (stated.level, stated.strain) != (bid.level, bid.strain):
            self._error(start, "Contract differs from the auction", value, bid.bid)
        elif stated.doubling != bid.doubling:
            self._error(start, "bad risk: Contract differs from the auction", value, bid.bid)

    def _check_result(self, auction: AuctionCheck | None, play: PlayCheck | None) -> None:
        value = self.values.get("Result", "")
        if value in ("", "?"):
            return
        start = self.tags["Result"].start
        deal = self._deal()
        total = 13 if deal is None else max(len(hand) for hand in deal.hands)
        own, ns, ew = fields.split_result(value)
        declarer = self._seat("Declarer")
        if declarer is None and auction is not None and auction.contract is not None:
            bid = auction.contract
            declarer = None if bid.is_passed_out else bid.declarer
        if self.values.get("Contract", "").upper() == "PASS":
            declarer = None
        if ns is not None and ew is not None and ns + ew != total:
            self._error(start, "bad Result: sides do not add up", value, f"{total} tricks in all")
            return
        if own is not None and declarer is None:
            self._error(start, "no declarer for Result", value, "")
            return
        if declarer is not None:
            ns = fields.read_result(value, declarer, total)
            if ns is not None and declarer.side:
                ns = total - ns
        elif ns is None and ew is not None:
            ns = total - ew
        if ns is not None and play is not None:
            self._compare_result(value, ns, play, total)

    def _compare_result(self, value: str, ns: int, play: PlayCheck, total: int) -> None:
        """Compare with the tricks won; a caret says that they differ.

        What only the highest trumps contradict is a warning: a claim may have thrown them away.
        """
        if play.won is None or play.certain is None:
            return
        start = self.tags["Result"].start
        least, most = play.won[0], total - play.won[1]
        likely = play.certain[0] <= ns <= total - play.certain[1]
        if value.startswith("^"):
            if likely:
                report = self._error if least == most else self._warn
                report(start, "bad Result: the play does not contradict it", value, "no ^")
        elif not least <= ns <= most:
            self._error(start, "bad Result", value, f"NS {least} to {most} by the play")
        elif not likely:
            least, most = play.certain[0], total - play.certain[1]
            self._warn(start, "unusual Result", value, f"NS {least} to {most} by the trumps left")
