"""The boards of LIN files: single boards, many boards, and vugraph files of two rooms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Contract,
    Deal,
    Hand,
    InvalidInput,
    Play,
    Seat,
    Vulnerability,
    board_dealer,
)

from .._report import Reporter, place_in
from ..problems import BoardFile
from .document import LinDocument, LinToken
from .notation import ScannedCall, ScannedCard, heading_number, parse_hand, scan_calls, scan_cards
from .vugraph import DealtBoard, Match, parse_room
from .writer import COMMENTARY_AT, LIN_SEATS, kept_tag

__all__ = ["parse_lin", "read_lin_document"]

_VULNERABILITIES = {
    "o": Vulnerability.NONE,
    "0": Vulnerability.NONE,
    "-": Vulnerability.NONE,
    "n": Vulnerability.NS,
    "e": Vulnerability.EW,
    "b": Vulnerability.BOTH,
    "none": Vulnerability.NONE,
    "ns": Vulnerability.NS,
    "ew": Vulnerability.EW,
    "both": Vulnerability.BOTH,
    "all": Vulnerability.BOTH,
}

_LINE_END = re.compile(r"[ \t]*(?:\r\n|\n|\r)\s*")


def parse_lin(data: bytes | str, *, path: str = "<text>", strict: bool = False) -> BoardFile:
    """Read the boards of a LIN file.

    Bytes are read as UTF-8, or as Latin-1 if they are not UTF-8. Lenient reading (default) keeps
    what it can and lists the rest as problems; strict reading raises `FormatError` at the first.

    >>> text = "pn|S,W,N,E|md|1SAHDC,SKHDC,SQHDC,SJHDC|sv|0|mb|1S|mb|p|mb|p|mb|p|pc|SK|mc|1|"
    >>> board = parse_lin(text)[0]
    >>> board.contract, board.tricks_declarer, board.player(Seat.NORTH)
    (Contract.from_text('1SS'), 1, 'N')
    >>> print(parse_lin("md|1|mb|8C|").problems[0])
    <text>:1:9: not a call: found '8C', expected p, d, r or a bid like 1N
    """
    return read_lin_document(LinDocument.from_data(data), path=path, strict=strict)


def read_lin_document(
    document: LinDocument, *, path: str = "<text>", strict: bool = False
) -> BoardFile:
    """Read the boards of a document already cut into tokens.

    >>> len(read_lin_document(LinDocument.from_data("md|1|mb|p|md|2|mb|p|")))
    2
    """
    reporter = Reporter(path, strict)
    _check_tokens(document, reporter)
    match = Match()
    boards = []
    for group in _board_groups(document):
        match.take_headers(group)
        if _has_board(group, match):
            boards.append(_BoardReader(group, match, reporter).read())
    return BoardFile("lin", tuple(boards), reporter.problems)


def _check_tokens(document: LinDocument, reporter: Reporter) -> None:
    for token in document:
        if token.stray:
            reporter.report(
                token.line, token.column, "text between values", found=token.stray, expected="key|"
            )
        if not token.is_closed:
            reporter.report(
                token.line,
                token.value_column,
                "no bar after the value",
                found=token.value,
                expected="|",
            )
        elif not token.has_key:
            reporter.report(
                token.line, token.column, "not a key", found=token.raw_key, expected="two letters"
            )
    tail = LinToken("", before=document.tail).stray
    if tail:
        text = document.to_text()
        line, column = place_in(text, len(text) - len(document.tail.lstrip()))
        reporter.report(line, column, "text after the last value", found=tail, expected="key|")


def _board_groups(document: LinDocument) -> Iterator[list[LinToken]]:
    """Tokens that belong together: a board with the headers before it."""
    group: list[LinToken] = []
    seen: set[str] = set()
    for token in document:
        key = token.key
        if key in ("qx", "md", "pn", "st") and _starts_board(key, seen):
            yield group
            group, seen = [], set()
        group.append(token)
        seen.add(key)
    if group:
        yield group


def _starts_board(key: str, seen: set[str]) -> bool:
    """True if `key` cannot belong to the board whose keys were `seen`."""
    has_action = not seen.isdisjoint(("mb", "pc", "mc"))
    has_board = "md" in seen or has_action
    match key:
        case "qx":
            return has_board or "qx" in seen
        case "md":
            return "md" in seen
        case "pn":
            return has_board and ("pn" in seen or has_action)
        case _:
            return "md" in seen and has_action


def _has_board(group: list[LinToken], match: Match) -> bool:
    """True if the group says more than headers do."""
    keys = {token.key for token in group}
    if not keys.isdisjoint(("md", "mb", "pc", "mc", "ah")):
        return True
    return any(token.key == "qx" and parse_room(token.value)[1] in match.deals for token in group)


@dataclass(slots=True)
class _BoardReader:
    """Reads the tokens of one board; what it cannot use it reports and leaves out."""

    tokens: list[LinToken]
    match: Match
    reporter: Reporter
    number: int | None = None
    room: str | None = None
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None
    deal: Deal | None = None
    calls: list[tuple[ScannedCall, LinToken]] = field(default_factory=list)
    texts: dict[int, list[str]] = field(default_factory=dict)
    cards: list[tuple[ScannedCard, LinToken]] = field(default_factory=list)
    claim: LinToken | None = None
    kept: dict[str, list[str]] = field(default_factory=dict)
    said_at: list[int] = field(default_factory=list)

    def read(self) -> Board:
        for token in self.tokens:
            self._take(token)
        self._share_deal()
        auction = self._auction()
        result = self.match.result(self.room, self.number)
        contract = auction.contract if auction is not None else None
        if contract is None and result is not None:
            contract = result.contract
        play = self._play(contract)
        play, tricks = self._result(contract, play)
        if tricks is None and result is not None and result.contract == contract:
            tricks = result.tricks_declarer
        tags = {kept_tag(key): "\n".join(values) for key, values in self.kept.items()}
        if self.said_at:
            # Commentary before the first call goes to that call: other readers need one before it.
            first = 1 if self.calls else 0
            tags[COMMENTARY_AT] = " ".join([str(max(first, place)) for place in self.said_at])
        return Board(
            number=self.number,
            dealer=self.dealer,
            vulnerability=self.vulnerability,
            deal=self.deal,
            auction=auction,
            contract=contract,
            play=play,
            tricks_declarer=tricks,
            players=self._players(),
            event=self.match.event,
            room=self.room,
            scoring=self.match.scoring,
            tags=self.match.tags | tags,
        )

    def _problem(
        self, token: LinToken, message: str, *, offset: int = 0, found: str = "", expected: str = ""
    ) -> None:
        line, column = place_in(token.value, offset, token.line, token.value_column)
        self.reporter.report(line, column, message, found=found, expected=expected)

    def _take(self, token: LinToken) -> None:
        match token.key:
            case "md":
                self._take_deal(token)
            case "sv":
                self._take_vulnerability(token)
            case "mb":
                self._take_calls(token)
            case "an":
                self._take_explanation(token)
            case "pc":
                self._take_cards(token)
            case "mc":
                self.claim = token
            case "ah":
                self._take_heading(token)
            case "qx":
                self._take_label(token)
            case "pn":
                count = len(token.value.split(","))
                if count not in (1, 4, 8):
                    self._problem(
                        token,
                        "wrong number of names",
                        found=token.value,
                        expected="four names, or eight for two rooms",
                    )
            case "pg" | "vg" | "rs" | "bn":
                pass
            case "st" | "rh" if not token.value:
                pass
            case key if token.has_key:
                if key == "nt":
                    self.said_at.append(len(self.calls) + len(self.cards))
                self.kept.setdefault(key, []).append(_LINE_END.sub(" ", token.value))

    def _take_heading(self, token: LinToken) -> None:
        """`ah|Board 12|`; any other heading is kept, too."""
        number = heading_number(token.value)
        self.number = self.number if number is None else number
        if token.value != f"Board {self.number}":
            self.kept.setdefault("ah", []).append(token.value)

    def _take_label(self, token: LinToken) -> None:
        room, number = parse_room(token.value)
        if number is None:
            self.kept.setdefault("qx", []).append(token.value)
        else:
            self.room, self.number = room, number

    def _take_vulnerability(self, token: LinToken) -> None:
        text = token.value.strip().lower()
        self.vulnerability = _VULNERABILITIES.get(text)
        if self.vulnerability is None and text not in ("", "?"):
            self._problem(token, "not a vulnerability", found=token.value, expected="o, n, e or b")

    def _take_deal(self, token: LinToken) -> None:
        """A dealer digit and hands from South clockwise; a fourth hand follows from three."""
        text = token.value
        start = len(text) - len(text.lstrip())
        digit = text[start : start + 1]
        if digit and digit in "1234":
            self.dealer = LIN_SEATS[int(digit) - 1]
        if digit and digit in "01234":
            start += 1
        hands: dict[Seat, Hand] = {}
        for index, part in enumerate(text[start:].split(",")):
            if index > 3:
                if part.strip():
                    self._problem(token, "more than four hands", offset=start, found=part)
                break
            try:
                hands[LIN_SEATS[index]] = parse_hand(part)
            except InvalidInput as error:
                self._problem(token, str(error), offset=start)
            start += len(part) + 1
        self._make_deal(token, hands)

    def _make_deal(self, token: LinToken, hands: dict[Seat, Hand]) -> None:
        n, e, s, w = (hands.get(seat, Hand()) for seat in Seat)
        sizes = {len(hand) for hand in (n, e, s, w) if hand.bits}
        if not sizes:
            return
        try:
            self.deal = Deal((n, e, s, w)).complete()
        except InvalidInput as error:
            self._problem(token, str(error), found=token.value)
            return
        if len(sizes) > 1 or max(sizes) > 13:
            found = ", ".join(str(len(hand)) for hand in self.deal)
            self._problem(token, "hands of different length", found=found, expected="13 cards each")

    def _share_deal(self) -> None:
        """The other room of a vugraph board plays the same cards."""
        if self.room is None:
            return
        dealt = self.match.deals.get(self.number)
        if self.deal is not None:
            self.match.deals[self.number] = DealtBoard(self.dealer, self.vulnerability, self.deal)
        if self.deal is not None or dealt is None:
            return
        self.deal = dealt.deal
        self.dealer = dealt.dealer if self.dealer is None else self.dealer
        if self.vulnerability is None:
            self.vulnerability = dealt.vulnerability

    def _take_calls(self, token: LinToken) -> None:
        calls, stop = scan_calls(token.value)
        self.calls += [(scanned, token) for scanned in calls]
        if stop is not None:
            self._problem(
                token,
                "not a call",
                offset=stop,
                found=token.value[stop:],
                expected="p, d, r or a bid like 1N",
            )

    def _take_explanation(self, token: LinToken) -> None:
        if not self.calls:
            self._problem(token, "explanation before any call", found=token.value)
        elif text := token.value.strip():
            self.texts.setdefault(len(self.calls) - 1, []).append(text)

    def _take_cards(self, token: LinToken) -> None:
        cards, stop = scan_cards(token.value)
        self.cards += [(scanned, token) for scanned in cards]
        if stop is not None:
            self._problem(
                token,
                "not a card",
                offset=stop,
                found=token.value[stop:],
                expected="a suit and a rank, like SA",
            )

    def _auction(self) -> Auction | None:
        if not self.calls:
            return None
        if self.dealer is None and self.number is not None:
            self.dealer = board_dealer(self.number)
        if self.dealer is None:
            self._problem(self.calls[0][1], "calls without a dealer", expected="md|1 to md|4")
            return None
        auction = Auction(self.dealer)
        for turn, (scanned, token) in enumerate(self.calls):
            text = " ".join(self.texts.get(turn, ()))
            note = Annotation(scanned.is_alerted, text) if scanned.is_alerted or text else None
            try:
                auction = auction.with_call(scanned.call, note)
            except InvalidInput as error:
                self._problem(token, str(error), offset=scanned.offset)
                break
        return auction

    def _play(self, contract: Contract | None) -> Play | None:
        if not self.cards:
            return None
        if contract is None or contract.is_passed_out or self.deal is None:
            scanned, token = self.cards[0]
            lack = "a deal" if self.deal is None else "a contract"
            self._problem(token, f"cards played without {lack}", offset=scanned.offset)
            return None
        play = Play(self.deal, contract.strain, contract.leader)
        try:
            return replace(play, cards=tuple(scanned.card for scanned, _ in self.cards))
        except InvalidInput:
            pass  # find the first card that is wrong and keep those before it
        for scanned, token in self.cards:
            try:
                play = play.with_card(scanned.card)
            except InvalidInput as error:
                self._problem(token, str(error), offset=scanned.offset)
                break
        return play if play.cards else None

    def _result(
        self, contract: Contract | None, play: Play | None
    ) -> tuple[Play | None, int | None]:
        """The play, with a claim if there was one, and declarer's tricks."""
        if contract is None or contract.is_passed_out:
            return play, None
        played = play.tricks_won(contract.declarer.side) if play and play.is_over else None
        if self.claim is None:
            return play, played
        text = self.claim.value.strip()
        if not re.fullmatch("[0-9]|1[0-3]", text):
            self._problem(self.claim, "not a number of tricks", found=text, expected="0 to 13")
            return play, played
        tricks = int(text)
        if played is not None and played != tricks:
            self._problem(self.claim, "claim against the play", found=text, expected=str(played))
        if play is None or played is not None:
            return play, tricks if played is None else played
        try:
            return play.claim(tricks), tricks
        except InvalidInput as error:
            self._problem(self.claim, str(error))
            return play, None

    def _players(self) -> tuple[str | None, str | None, str | None, str | None]:
        names = dict(zip(LIN_SEATS, self.match.players(self.room), strict=False))
        n, e, s, w = (names.get(seat) or None for seat in Seat)
        return (n, e, s, w)
