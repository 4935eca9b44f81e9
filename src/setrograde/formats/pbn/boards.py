"""The boards of PBN files."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar, cast

from setrograde.bridge import (
    Annotation,
    Auction,
    Board,
    Call,
    Contract,
    Deal,
    InvalidAuction,
    InvalidInput,
    Play,
    Seat,
    Strain,
    TrickTable,
    passes_to_end,
)
from setrograde.formats.problems import BoardFile, FormatError, Problem

from . import fields, lexer
from .dates import read_date
from .document import COMMENTARY, MANDATORY_TAGS, comment_text, decode
from .long_values import join_values
from .sections import (
    CALL_WORDS,
    CARD_CODES,
    UNKNOWN_CARD,
    CardRun,
    Word,
    cut_words,
    note_annotation,
    run_cards,
)

__all__ = ["parse_pbn"]

_FIELD_TAGS = frozenset((*MANDATORY_TAGS, "Room", "Auction", "Play"))
_OF_THE_BOARD = ("Board", "Dealer", "Vulnerable", "Deal", "Event", "Site", "Date", "Scoring")
_AT_THE_TABLE = ("Contract", "Result", "Auction", "Play")
_TABLE_TAGS = ("OptimumResultTable", "DoubleDummyTricks", "Ability")
_UNKNOWN_CARDS = frozenset(w for w, code in CARD_CODES.items() if code == UNKNOWN_CARD)
_FILL = (UNKNOWN_CARD,) * 3
_NONE_KNOWN = (None, None, None, None)

_BARE_TAG = re.compile(r"\[\s*([A-Za-z]\w*)[ \t]+([^\]\"]*)\]", re.ASCII)

T = TypeVar("T")


def parse_pbn(data: bytes | str, *, path: str = "<text>", strict: bool = False) -> BoardFile:
    r"""Read the boards of a PBN file.

    Lenient reading (default) accepts any bytes and returns the boards and the problems it finds.
    Strict reading raises `FormatError` at the first error against the standard.

    >>> file = parse_pbn('[Board "3"]\n[Dealer "S"]\n[Auction "S"]\n1N =1= AP\n[Note "1:14-16"]\n')
    >>> file[0].contract, file[0].auction.annotation(0)
    (Contract.from_text('1NTS'), Annotation(alerted=False, text='14-16'))
    """
    text = data if isinstance(data, str) else decode(data)[0]
    if strict:
        from .verify import verify_pbn

        for problem in verify_pbn(data, path=path):
            if problem.severity == "error":
                raise FormatError(problem)
    reader = _Reader(text, path, strict)
    boards = tuple(reader.read())
    problems = reader.problems()
    if strict:
        for problem in problems:
            if problem.severity == "error":
                raise FormatError(problem)
    return BoardFile("pbn", boards, tuple(problems))


class _Reader:
    """Reads one file; caches by text, because deals, auctions and contracts repeat."""

    def __init__(self, text: str, path: str, strict: bool) -> None:
        self._text = text
        self._path = path
        self._strict = strict
        self._found: list[tuple[int, str, str, str]] = []
        self._fields: dict[str, dict[str, Any]] = defaultdict(dict)
        self._deal_faults: dict[str, list[str]] = {}
        self._contracts: dict[tuple[str, str], tuple[Contract | None, str]] = {}
        self._auctions: dict[tuple[str, str, str], tuple[Auction | None, Contract | None]] = {}
        self._tokens: list[lexer.Token] = []
        self._tags: dict[str, str] = {}
        self._chunks: dict[str, list[lexer.Token]] = {}
        self._notes: dict[str, list[lexer.Token]] = {}
        self._comments: list[str] = []

    def problems(self) -> list[Problem]:
        """What was wrong, in the order of the file."""
        if not self._found:
            return []
        positions = lexer.Positions(self._text)
        return [
            Problem(*positions.of(start), message, found, path=self._path, severity=severity)
            for start, message, found, severity in sorted(self._found)
        ]

    def read(self) -> list[Board]:
        """All boards of the file."""
        text = self._text
        has_parts = "__" in text
        inherits = '"#' in text or '" #' in text or '"  ' in text
        last: dict[str, str] = {}
        standing: dict[str, str] = {}
        previous: dict[str, str] = {}
        boards = []
        end = -1
        for tokens in lexer.iter_games(text):
            self._collect(tokens)
            if tokens[0].start == end:
                self._report(end, "no empty line before this game", "")
            end = tokens[-1].end
            tags = self._tags
            if not self._strict and "Deal" not in tags and _continues(tags):
                for name in _OF_THE_BOARD:
                    if name in previous:
                        tags.setdefault(name, previous[name])
            if inherits:
                self._inherit(last, standing)
            if has_parts:
                self._join_notes()
                join_values(tags)
            if inherits:
                last.update(tags)
            previous = tags
            boards.append(self._board())
        return boards

    def _collect(self, tokens: list[lexer.Token]) -> None:
        """Sort the tokens of one game into tags, section data and notes."""
        self._tokens = tokens
        tags: dict[str, str] = {}
        chunks: dict[str, list[lexer.Token]] = {}
        notes: dict[str, list[lexer.Token]] = {}
        self._tags, self._chunks, self._notes = tags, chunks, notes
        self._comments = []
        section = ""
        for token in tokens:
            kind = token[0]
            if kind == lexer.TAG:
                name = token[3]
                if name == "Note":
                    notes.setdefault(section, []).append(token)
                elif name in tags:
                    section = ""
                    self._report(token[1], "tag exists already", name)
                else:
                    section = name
                    value = token[4]
                    tags[name] = lexer.unescape(value) if "\\" in value else value
            elif kind == lexer.DATA:
                if section in chunks:
                    chunks[section].append(token)
                else:
                    chunks[section] = [token]
            elif kind in (lexer.BRACE, lexer.LINE_COMMENT):
                self._comments.append(comment_text(self._text[token[1] : token[2]]))
            elif kind == lexer.BAD_TAG and (bare := _BARE_TAG.match(self._text, *token[1:3])):
                self._report(token[1], "no quotes around the value", bare[0].strip())
                section = bare[1]
                tags.setdefault(bare[1], bare[2].strip())
            elif kind in (lexer.BAD_TAG, lexer.STRAY_BRACE):
                what = "not a tag pair" if kind == lexer.BAD_TAG else "comment without end"
                self._report(token[1], what, self._text[token[1] : token[2]].strip())

    def _inherit(self, last: dict[str, str], standing: dict[str, str]) -> None:
        """Fill in the values that `#` and `##` stand for."""
        tags = self._tags
        for name, value in tags.items():
            if value == "#":
                tags[name] = last.get(name, "")
            elif value.startswith("##"):
                tags[name] = standing[name] = value[2:]
            elif value.startswith(" ") and value.lstrip(" ").startswith("#"):
                tags[name] = value[1:]  # the writer's way to say a real number sign
        for name, value in standing.items():
            tags.setdefault(name, value)

    def _join_notes(self) -> None:
        """Add to notes their further pieces, which stand in tags named like `Note__3_2`."""
        for notes in self._notes.values():
            for place, token in enumerate(notes):
                index, _, _ = token.value.partition(":")
                piece = 2
                while (more := self._tags.pop(f"Note__{index.strip()}_{piece}", None)) is not None:
                    token = notes[place] = token._replace(value=token.value + lexer.escape(more))
                    piece += 1

    def _report(self, start: int, message: str, found: str, severity: str = "error") -> None:
        self._found.append((start, message, found, severity))

    def _report_tag(self, name: str, message: str, severity: str = "error") -> None:
        """Report at a tag of this game, or at its start if the value was inherited."""
        start = self._tokens[0].start
        for token in self._tokens:
            if token.kind == lexer.TAG:
                start = token.start
                if token.name == name:
                    break
        self._report(start, message, self._tags.get(name, ""), severity)

    def _field(self, name: str, read: Callable[[str], T | None]) -> T | None:
        """The value of a tag by its reader; bad values are reported and count as unknown."""
        value = self._tags.get(name)
        if value is None:
            return None
        cache: dict[str, T | None] = self._fields[name]
        if value in cache:
            return cache[value]
        try:
            result = cache[value] = read(value)
        except InvalidInput as error:
            self._report_tag(name, _reason(error, value))
            return None
        return result

    def _board(self) -> Board:
        tags = self._tags
        get = tags.get
        deal = self._field("Deal", fields.read_deal)
        if deal is not None:
            self._check_deal(deal)
        dealer = self._field("Dealer", fields.read_seat)
        declarer = self._field("Declarer", fields.read_seat)
        auction, bid = self._auction(dealer) if "Auction" in tags else (None, None)
        if dealer is None and auction is not None:
            dealer = auction.dealer
        contract = self._contract(declarer) if "Contract" in tags else None
        if contract is None:
            contract = bid or self._contract_by_leader()
        elif auction is not None and bid is not None and bid != contract:
            auction = self._reconcile(auction, bid, contract)
        tricks = None
        if "Result" in tags:
            if declarer is None and contract is not None:
                declarer = contract.declarer
            tricks = self._result(contract, declarer, deal)
        play = self._play(deal, contract, tricks) if "Play" in tags else None
        if tricks is None and play is not None and play.is_over and contract is not None:
            tricks = play.tricks_won(contract.declarer.side)
        table, used = self._table()
        rest: dict[str, str] = {}
        if not tags.keys() <= _FIELD_TAGS:
            rest = {n: v for n, v in tags.items() if n not in _FIELD_TAGS and n != used}
        if self._chunks and rest:
            self._add_tables(rest)
            self._mend_results(rest)
        if self._comments and any(self._comments):
            rest[COMMENTARY] = "\n".join(filter(None, (rest.get(COMMENTARY), *self._comments)))
        if contract is None and not fields.is_open(get("Contract", "")):
            rest["Contract"] = fields.read_bid(tags["Contract"]) or tags["Contract"]
        players: tuple[str | None, ...] = _NONE_KNOWN
        if "North" in tags or "East" in tags or "South" in tags or "West" in tags:
            players = tuple([_known(get(seat)) for seat in ("North", "East", "South", "West")])
        return Board(
            self._field("Board", fields.read_board_number),
            dealer,
            self._field("Vulnerable", fields.read_vulnerability),
            deal,
            auction,
            contract,
            play,
            tricks,
            players,  # type: ignore[arg-type]
            _known(get("Event")),
            _known(get("Site")),
            self._date(),
            _known(get("Room")),
            _known(get("Scoring")),
            table,
            rest,
        )

    def _check_deal(self, deal: Deal) -> None:
        """Say what is wrong with the deal, which is kept as it is."""
        text = self._tags["Deal"]
        faults = self._deal_faults.get(text)
        if faults is None:
            faults = self._deal_faults[text] = _deal_faults(text, deal)
        for fault in faults:
            self._report_tag("Deal", fault)

    def _date(self) -> str | None:
        """The date in PBN's form, or as it stands if it cannot be read."""
        value = self._tags.get("Date", "")
        cache: dict[str, str | None] = self._fields["Date"]
        if value not in cache:
            cache[value] = read_date(value) if _known(value) else None
        return cache[value]

    def _add_tables(self, rest: dict[str, str]) -> None:
        """Append the data of supplemental sections to their tags' values, line by line."""
        for name, tokens in self._chunks.items():
            if name in rest:
                data = "".join([self._text[token.start : token.end] for token in tokens])
                lines = [line.strip() for line in data.splitlines()]
                rest[name] = "\n".join([rest[name], *(line for line in lines if line)])

    def _mend_results(self, rest: dict[str, str]) -> None:
        """Name the columns of a table of results as the standard does, if other words were used."""
        columns, *rows = rest.get("OptimumResultTable", "").split("\n")
        if columns.split() == ["Declarer", "Suit", "Tricks"]:
            words = " ".join(rows).split()
            rows = [" ".join(words[place : place + 3]) for place in range(0, len(words), 3)]
            rest["OptimumResultTable"] = "\n".join(["Declarer;Denomination;Result", *rows])

    def _contract(self, declarer: Seat | None) -> Contract | None:
        """What the Contract and Declarer tags say."""
        value = self._tags.get("Contract", "")
        key = (value, self._tags.get("Declarer", ""))
        if key not in self._contracts:
            try:
                self._contracts[key] = fields.read_contract(value, declarer), ""
            except InvalidInput as error:
                self._contracts[key] = None, _reason(error, value)
        contract, message = self._contracts[key]
        if message:
            self._report_tag("Contract", message)
        return contract

    def _contract_by_leader(self) -> Contract | None:
        """A contract without a declarer, if the cards played tell who led."""
        bid = fields.read_bid(self._tags.get("Contract", ""))
        leader = self._field("Play", fields.read_seat)
        if bid is None or leader is None or fields.is_open(self._first_play_word()):
            return None
        declarer = leader.next_by(3)
        self._report_tag("Contract", f"no declarer: {declarer} by the opening lead", "warning")
        return Contract.from_text(bid, declarer)

    def _first_play_word(self) -> str:
        words = cut_words(self._text, self._chunks.get("Play", ())[:1])
        return words[0].text if words and words[0].kind == "word" else ""

    def _reconcile(self, auction: Auction, bid: Contract, contract: Contract) -> Auction:
        """The auction, with the passes before the opening if the file left them out.

        Where auction and Contract tag differ otherwise, both are kept and the problem reported.
        """
        if self._is_swapped(contract, bid):
            return auction
        passes = (contract.declarer - bid.declarer) % 4
        same_bid = contract.level == bid.level and contract.strain == bid.strain
        if passes and same_bid and auction.calls[0].index:
            self._report_tag("Auction", f"passes before the opening missing: {passes} added")
            auction = auction._after_passes(passes)
            if bid.doubling is contract.doubling:
                return auction
            bid = Contract(bid.level, bid.strain, contract.declarer, bid.doubling)
        if bid != contract:
            self._report_tag("Contract", f"the auction ends in {bid}, the tags say {contract}")
        return auction

    def _is_swapped(self, contract: Contract, bid: Contract) -> bool:
        """True if the tags say that declarer and dummy changed places."""
        swapped = self._tags.get("Declarer", "").startswith("^")
        return swapped and contract.bid == bid.bid and contract.declarer == bid.declarer.partner

    def _result(
        self, contract: Contract | None, declarer: Seat | None, deal: Deal | None
    ) -> int | None:
        if contract is not None and contract.is_passed_out:
            return None
        value = self._tags["Result"]
        if len(value) <= 2 and value.isascii() and value.isdigit() and int(value) <= 13:
            return int(value)
        total = 13 if deal is None else max(len(hand) for hand in deal.hands)
        try:
            return fields.read_result(value, declarer, total)
        except InvalidInput as error:
            self._report_tag("Result", _reason(error, value))
            return None

    def _table(self) -> tuple[TrickTable | None, str]:
        """The double-dummy table, and the tag it came from."""
        tags = self._tags
        for name in _TABLE_TAGS:
            if name not in tags:
                continue
            if name == "DoubleDummyTricks":
                table = self._field(name, fields.read_double_dummy_tricks)
            elif name == "Ability":
                table = self._field(name, fields.read_ability)
            else:
                table = self._result_table(name)
            if table is not None:
                return table, name
        return None, ""

    def _result_table(self, name: str) -> TrickTable | None:
        tokens = self._chunks.get(name, ())
        data = "".join([self._text[token.start : token.end] for token in tokens])
        cache: dict[str, TrickTable | None] = self._fields[name]
        key = self._tags[name] + "\n" + data
        if key not in cache:
            try:
                cache[key] = fields.read_result_table(self._tags[name], data)
            except InvalidInput as error:
                self._report_tag(name, str(error))
                return None
        return cache[key]

    # Auction

    def _auction(self, dealer: Seat | None) -> tuple[Auction | None, Contract | None]:
        """The auction and its contract (if it is over)."""
        chunks = self._chunks.get("Auction", ())
        if len(chunks) == 1:
            data = self._text[chunks[0].start : chunks[0].end]
            key = (self._tags["Auction"], self._tags.get("Dealer", ""), data)
            if key in self._auctions:
                return self._auctions[key]
            auction = self._plain_calls(dealer, data.split())
            if auction is not None:
                result = self._auctions[key] = (auction, auction.contract)
                return result
        auction = self._calls(dealer, cut_words(self._text, chunks))
        return auction, auction.contract if auction is not None else None

    def _plain_calls(self, dealer: Seat | None, words: list[str]) -> Auction | None:
        """The auction, if it is of the most common form: calls from the dealer on, perhaps `AP`."""
        if dealer is None or self._field("Auction", fields.read_seat) is not dealer:
            return None
        all_pass = words[-1] == "AP"
        if all_pass:
            words.pop()
        try:
            calls = [CALL_WORDS[word] for word in words]
            if all_pass:
                calls += [Call.PASS] * passes_to_end(calls)
            return Auction(dealer, tuple(calls))
        except (KeyError, InvalidAuction):
            return None

    def _calls(self, dealer: Seat | None, words: list[Word]) -> Auction | None:
        first = self._field("Auction", fields.read_seat)
        first = dealer if first is None else first
        if first is None:
            self._report_tag("Auction", "no dealer and no seat for the first call")
            return None
        calls: list[Call] = []
        starts: list[int] = []
        notes: dict[int, str] = {}
        starred: set[int] = set()
        mark = ""
        end = -1
        for place, (kind, text, start) in enumerate(words):
            if kind == "mark" and text == "*" and start == end and _is_star(calls, words, place):
                starred.add(len(calls) - 1)
                self._report(starts[-1], "a star behind a call, read as an alert", f"{calls[-1]}*")
            elif kind == "word" and not mark:
                call = CALL_WORDS.get(text)
                if call is not None:
                    calls.append(call)
                    starts.append(start)
                    end = start + len(text)
                elif text.upper() == "AP":
                    passes = passes_to_end(calls)
                    calls += [Call.PASS] * passes
                    starts += [start] * passes
                elif text.strip("-") == "" and not calls:
                    first = first.next
                elif text in "*+":
                    mark = text
                else:
                    self._report(start, "not a call: the auction is kept up to it", text)
                    self._keep_section("Auction")
                    break
            elif kind == "mark":
                mark = text
            elif kind == "note" and calls:
                notes.setdefault(len(calls) - 1, text)
            elif kind == "irregular":
                self._report(start, "irregular auction not kept", "^" + text, "warning")
                self._keep_section("Auction")
                return None
            elif kind == "junk" and text[1:].isdigit() and calls and not mark:
                self._report(start, "note reference without its end", text)
                notes.setdefault(len(calls) - 1, text[1:])
            elif kind in ("junk", "word"):
                self._report(start, "not a call: the auction is kept up to it", text)
                self._keep_section("Auction")
                break
        if not calls and mark != "+":
            return None
        if dealer is not None and first != dealer:
            where = starts[0] if starts else self._tokens[0].start
            self._report(where, "the first call is not the dealer's", str(first))
            self._keep_section("Auction")
            return None
        annotations = self._annotations(notes, starred, starts)
        try:
            return Auction(first, tuple(calls), annotations)
        except InvalidAuction as error:
            turn = _illegal_turn(first, calls)
            self._report(starts[turn], f"{error}; the auction is kept up to it", "")
            self._keep_section("Auction")
            return Auction(first, tuple(calls[:turn]), annotations[:turn]) if turn else None

    def _keep_section(self, name: str) -> None:
        """Keep the words of a section that cannot be read as a tag like `AuctionText`."""
        chunks = self._chunks.get(name, ())
        text = " ".join([self._text[chunk.start : chunk.end] for chunk in chunks])
        self._tags.setdefault(f"{name}Text", " ".join(text.split()))

    def _annotations(
        self, notes: dict[int, str], starred: set[int], starts: list[int]
    ) -> tuple[Annotation | None, ...]:
        """Look up the notes of calls; `=0=` and a star behind a call are alerts without a text."""
        if not notes and not starred:
            return ()
        texts: dict[str, Annotation] = {}
        for token in self._notes.get("Auction", ()):
            index, _, text = lexer.unescape(token.value).partition(":")
            texts.setdefault(index.strip(), note_annotation(text))
        texts.setdefault("0", Annotation(alerted=True))
        found: list[Annotation | None] = [None] * len(starts)
        for turn, index in notes.items():
            found[turn] = texts.get(index)
            if found[turn] is None:
                self._report(starts[turn], "no note for a reference", f"={index}=", "warning")
        for turn in starred:
            found[turn] = replace(found[turn] or Annotation(), alerted=True)
        found = [None if note == Annotation() else note for note in found]  # a note without text
        return tuple(found) if any(note is not None for note in found) else ()

    # Play

    def _play(
        self, deal: Deal | None, contract: Contract | None, tricks: int | None
    ) -> Play | None:
        """The cards played, as far as they are known and legal."""
        first = self._field("Play", fields.read_seat)
        strain = contract.strain if contract else fields.read_strain(self._tags.get("Contract", ""))
        if deal is None or strain is None or (contract is not None and contract.is_passed_out):
            if self._chunks.get("Play"):
                self._report_tag("Play", "cards without a deal or contract not kept", "warning")
                self._keep_section("Play")
            return None
        leader = first
        if contract is not None and first is not contract.leader:
            leader = contract.leader
            if first is None:
                first = leader
            elif self._leads(leader, first, deal):
                self._report_tag("Play", f"the first column is not the leader's ({leader})")
            else:
                leader = first
        if first is None or leader is None:
            return None
        return self._cards(deal, strain, first, leader, tricks)

    def _leads(self, leader: Seat, first: Seat, deal: Deal) -> bool:
        """True if the first trick has a card of `leader`, counting columns from `first`."""
        words = [w.text for w in cut_words(self._text, self._chunks.get("Play", ())[:1])]
        place = (leader - first) % 4
        return len(words) > place and words[place][:1].upper() in tuple("SHDC")

    def _cards(
        self, deal: Deal, strain: Strain, first: Seat, leader: Seat, tricks: int | None
    ) -> Play | None:
        chunks = self._chunks.get("Play", ())
        data = self._text[chunks[0].start : chunks[0].end] if len(chunks) == 1 else "="
        words = data.split()
        codes = [*map(CARD_CODES.get, words), *_FILL]
        placed: list[Word] = []
        if not words or None in codes:
            placed = self._annotated_cards()
            words = [word.text for word in placed]
            codes = [*(CARD_CODES.get(word, UNKNOWN_CARD) for word in words), *_FILL]
        if not words:
            return None
        run = self._run(cast(list[int], codes), deal, strain, first, leader)
        if 0 <= run.stop < len(words) and words[run.stop] not in _UNKNOWN_CARDS:
            self._report_card((placed or self._annotated_cards())[run.stop], run.illegal, deal)
            self._keep_section("Play")
        claimed = None
        if tricks is not None and "*" in words:
            total = len(deal)
            won, lost = run.won if leader & 1 else (run.won[1], run.won[0])
            if len(run.cards) < total and won <= tricks <= total // 4 - lost:
                claimed = tricks
        return Play._of_legal_cards(deal, strain, leader, run.cards, claimed)

    def _run(
        self, codes: list[int], deal: Deal, strain: Strain, first: Seat, leader: Seat
    ) -> CardRun:
        """Follow the cards by their columns, or else by who holds them."""
        code_bytes = bytes(codes)
        run = run_cards(code_bytes, deal, first, leader, strain)
        if not run.illegal:
            return run
        by_holder = run_cards(code_bytes, deal, first, leader, strain, by_holder=True)
        if by_holder.illegal:
            return run
        self._report_tag("Play", "columns do not fit the hands: cards placed by holder")
        return by_holder._replace(stop=-1)

    def _annotated_cards(self) -> list[Word]:
        """The words of the Play section that stand for cards; a caret marks irregular ones."""
        placed = []
        irregular = False
        for word in cut_words(self._text, self._chunks.get("Play", ())):
            if word.kind == "irregular":
                irregular = True
            elif word.kind in ("word", "mark", "junk"):
                placed.append(word._replace(text="^" + word.text) if irregular else word)
                irregular = False
        return placed

    def _report_card(self, word: Word, illegal: str, deal: Deal) -> None:
        if word.text.startswith("^"):
            self._report(word.start, "play kept up to an irregular card", word.text, "warning")
        elif not illegal:
            self._report(word.start, "not a card", word.text)
        elif not all(hand.bits for hand in deal.hands):
            self._report(word.start, "play kept up to an unknown hand", word.text, "warning")
        else:
            self._report(word.start, f"illegal card: {illegal}", word.text)


def _deal_faults(text: str, deal: Deal) -> list[str]:
    """A hand with a wrong number of cards, and a missing seat."""
    faults = []
    uneven = fields.uneven_hand(deal)
    if uneven is not None:
        seat, size = uneven
        count = f"{size} card{'s'[: size != 1]}"
        faults.append(f"{seat.name.title()} has {count} (expected as many in each hand, up to 13)")
    if ":" not in text:
        faults.append("no seat before the hands: the first is read as North's")
    return faults


def _continues(tags: dict[str, str]) -> bool:
    """True if a game without a deal is one more result of the board before it."""
    if "Board" in tags or "Dealer" in tags or "Vulnerable" in tags:
        return False
    return any(not fields.is_open(tags.get(name, "")) for name in _AT_THE_TABLE)


def _is_star(calls: list[Call], words: list[Word], place: int) -> bool:
    """True if the star that touches a call marks it; behind a last pass it ends the auction."""
    return calls[-1] != Call.PASS or place + 1 < len(words)


def _known(value: str | None) -> str | None:
    return None if value is None or value in ("", "?") else value


def _reason(error: InvalidInput, value: str) -> str:
    """The error's words without the value, which the problem quotes itself."""
    return str(error).replace(f": {value!r}", "", 1)


def _illegal_turn(dealer: Seat, calls: list[Call]) -> int:
    """The number of the first illegal call."""
    low, high = 0, len(calls)
    while low + 1 < high:
        middle = (low + high) // 2
        try:
            Auction(dealer, tuple(calls[:middle]))
            low = middle
        except InvalidAuction:
            high = middle
    return low
