"""What the standard says of Auction and Play sections."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from setrograde.bridge import Card, Contract, Deal, Doubling, Seat, Strain

from .sections import CALL_WORDS, Word

__all__ = ["AuctionCheck", "PlayCheck", "Report", "check_auction", "check_play"]

Report = Callable[[int, str, str, str], None]
"""Takes where, what is wrong, what was found, what would be right."""

_SUFFIXES = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_CALL = re.compile(r"Pass|XX?|[1-7](?:[CDHS]|NT)", re.IGNORECASE)
_CARD = re.compile(r"[SHDC][AKQJT98765432]", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,9}")
_SUIT = 0x1FFF
_CALL_EXPECTED = "Pass, X, XX, AP or a bid like 1NT"


class _Cell(NamedTuple):
    """A call or card with the carets before it."""

    text: str
    start: int
    carets: tuple[str, ...]


@dataclass
class _Annotations:
    """Checks what may follow a call or card, and remembers the notes referred to."""

    report: Report
    in_play: bool
    references: dict[int, int] = field(default_factory=dict)
    _has_cell: bool = False
    _has_note: bool = False
    _has_suffix: bool = False
    _nags: set[int] = field(default_factory=set)

    def cells(self, words: Sequence[Word]) -> Iterator[_Cell]:
        """The calls or cards and marks among `words`; annotations are checked on the way."""
        carets: list[str] = []
        for kind, text, start in words:
            if kind == "irregular":
                self._caret(carets, text.upper(), start)
            elif kind == "word" or kind == "mark":
                self._has_cell, self._has_note, self._has_suffix = True, False, False
                self._nags = set()
                yield _Cell(text, start, tuple(carets))
                carets = []
            elif kind == "junk":
                self.report(start, "bad character", text, "a card" if self.in_play else "a call")
            elif not self._has_cell:
                self.report(start, "annotation before the first call or card", text, "")
            elif kind == "suffix":
                self._suffix(text, start)
            elif kind == "nag":
                self._nag(text, start)
            else:
                self._note(text, start)

    def _caret(self, carets: list[str], text: str, start: int) -> None:
        allowed = ("R", "L") if self.in_play else ("I", "S")
        if text not in allowed:
            expected = " or ".join(f"^{letter}" for letter in allowed)
            self.report(start, "bad irregularity", f"^{text}", expected)
        elif self.in_play and carets:
            self.report(start, "two irregularities of one card", f"^{text}", "one")
        elif text == "S":
            self._has_cell = True
        carets.append(text)

    def _suffix(self, text: str, start: int) -> None:
        if self._has_suffix:
            self.report(start, "double suffix", text, "one of ! ? !! ?? !? ?!")
        elif self._nags & set(range(1, 7)):
            self.report(start, "double NAG", text, "a suffix or its NAG, not both")
        self._has_suffix = True
        self._nags.add(_SUFFIXES[text])

    def _nag(self, text: str, start: int) -> None:
        number = int(text) if _NUMBER.fullmatch(text) else 256
        mine = (*range(7, 13), 14) if self.in_play else (*range(1, 7), 13)
        others = (*range(1, 7), 13) if self.in_play else (*range(7, 13), 14)
        if number > 255:
            self.report(start, "bad NAG", f"${text}", "a number from 0 to 255")
        elif number in others:
            where = "cards" if self.in_play else "calls"
            self.report(start, f"bad NAG for {where}", f"${text}", "")
        elif number in mine and number not in (13, 14):
            grade = number - 6 if self.in_play else number
            if self._nags & set(range(1, 7)):
                self.report(start, "double NAG", f"${text}", "one of them")
            self._nags.add(grade)
        elif number in self._nags:
            self.report(start, "double NAG", f"${text}", "each once")
        else:
            self._nags.add(number + 1000)

    def _note(self, text: str, start: int) -> None:
        number = int(text) if _NUMBER.fullmatch(text) else 0
        if not 1 <= number <= 32:
            self.report(start, "bad note reference", f"={text}=", "a number from 1 to 32")
            return
        if self._has_note:
            self.report(start, "double note reference", f"={text}=", "one")
        self._has_note = True
        self.references.setdefault(number, start)


class AuctionCheck(NamedTuple):
    """What the check of an Auction section found out."""

    contract: Contract | None
    """If the auction is over and sound."""

    is_sound: bool
    references: dict[int, int]
    """Notes referred to, and where."""


@dataclass
class _Auction:
    """Follows an auction call by call, irregularities and all."""

    seat: Seat
    dealer: Seat
    report: Report
    is_sound: bool = True
    begun: bool = False
    plus: bool = False
    ended: bool = False
    passes: int = 0
    doubling: int = 0
    bids: list[tuple[Seat, int]] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return self.passes >= (3 if self.bids else 4)

    def step(self, cell: _Cell) -> None:
        """Take one word."""
        for caret in cell.carets:
            if caret == "S":
                self.begun = True
                self.seat = self.seat.next
        text = cell.text
        if text in ("*", "+"):
            self._mark(cell)
        elif self.plus or self.ended:
            if not self.ended or not self.plus:
                self._fault(cell, f"call after {'+' if self.plus else '*'}", "")
            self.ended = self.plus = True
        elif text == "-":
            if self.begun or self.seat == self.dealer:
                self._fault(cell, f"the dealer ({self.dealer}) must call first", "")
            self.seat = self.seat.next
        else:
            self._call(cell)

    def _mark(self, cell: _Cell) -> None:
        if self.plus or self.ended:
            self._fault(cell, f"double end of the auction: {cell.text}", "one + or *")
        self.plus = self.plus or cell.text == "+"
        self.ended = self.ended or cell.text == "*"

    def _call(self, cell: _Cell) -> None:
        if not self.begun and self.seat != self.dealer:
            self._fault(cell, f"the dealer ({self.dealer}) must call first", "")
        self.begun = True
        if self.is_over:
            self._fault(cell, "call after the end of the auction", "")
        elif cell.text.upper() == "AP":
            self.passes = 4
        elif not _CALL.fullmatch(cell.text):
            self._fault(cell, "bad call", _CALL_EXPECTED)
            self.passes = 0
        else:
            self._legal(cell, CALL_WORDS[_spelled(cell.text)].index)
        self.seat = self.seat.next

    def _legal(self, cell: _Cell, index: int) -> None:
        highest = self.bids[-1][1] if self.bids else 2
        partners = bool(self.bids) and self.bids[-1][0].side == self.seat.side
        if index == 0:
            self.passes += 1
            return
        if index == 1 and (not self.bids or partners or self.doubling):
            self._fault(cell, "bad double", "")
        elif index == 2 and (self.doubling != 1 or not partners):
            self._fault(cell, "bad redouble", "")
        elif index >= 3:
            insufficient = "I" in cell.carets
            if index <= highest and not insufficient:
                self._fault(cell, "insufficient bid", "^I before it")
            elif index > highest and insufficient:
                self._fault(cell, "sufficient bid marked ^I", "")
            self.bids.append((self.seat, index))
            self.doubling = 0
        if index < 3:
            self.doubling = index
        self.passes = 0

    def _fault(self, cell: _Cell, message: str, expected: str) -> None:
        self.is_sound = False
        self.report(cell.start, message, cell.text, expected)

    def contract(self) -> Contract | None:
        """The final contract if the auction is over."""
        if not self.is_over:
            return None
        if not self.bids:
            return Contract.PASSED_OUT
        last, index = self.bids[-1]
        strain = (index - 3) % 5
        first = next(
            seat for seat, bid in self.bids if (bid - 3) % 5 == strain and seat.side == last.side
        )
        return Contract((index - 3) // 5 + 1, Strain(strain), first, Doubling(self.doubling))


def _spelled(text: str) -> str:
    return "Pass" if text.upper() == "PASS" else text.upper()


def check_auction(words: Sequence[Word], first: Seat, dealer: Seat, report: Report) -> AuctionCheck:
    """Check an Auction section.

    >>> words = [Word("word", "1H", 0), Word("word", "1D", 3)]
    >>> check_auction(words, Seat.NORTH, Seat.NORTH, lambda *problem: print(problem)).is_sound
    (3, 'insufficient bid', '1D', '^I before it')
    False
    """
    notes = _Annotations(report, in_play=False)
    auction = _Auction(first, dealer, report)
    for cell in notes.cells(words):
        auction.step(cell)
    contract = auction.contract() if auction.is_sound else None
    return AuctionCheck(contract, auction.is_sound, notes.references)


class PlayCheck(NamedTuple):
    """What the check of a Play section found out."""

    won: tuple[int, int] | None
    """Tricks that North-South and East-West won; `None` if that is unknown."""

    certain: tuple[int, int] | None
    """The same, and tricks that the highest trumps must still win."""

    references: dict[int, int]
    """Notes referred to, and where."""


@dataclass
class _Play:
    """Follows the play trick by trick; unknown hands are `None`."""

    first: Seat
    leader: Seat | None
    trump: int
    held: list[int | None]
    report: Report
    is_sound: bool = True
    plus_passed: bool = False
    played: int = 0
    won: list[int] = field(default_factory=lambda: [0, 0])

    def trick(self, row: Sequence[_Cell]) -> None:
        """Take the four columns of a trick, or fewer."""
        leader = self._leader(row)
        self.leader = None
        if leader is None:
            for step, cell in enumerate(row):
                self._hold(cell, self.first.next_by(step))
            return
        lead = best = 0
        winner = leader
        known = 0
        for step in range(4):
            seat = leader.next_by(step)
            column = (seat - self.first) % 4
            if column >= len(row):
                continue
            cell = row[column]
            bit = self._card(cell, seat)
            if not bit:
                continue
            known += 1
            if step == 0:
                lead = best = bit
                if "R" in cell.carets:
                    self._fault(cell, "bad revoke: a lead is none")
            elif lead:
                self._follow(cell, seat, bit, lead)
                if _beats(bit, best, self.trump):
                    best, winner = bit, seat
        if known == 4:
            self.leader = winner
            self.won[winner.side] += 1

    def _leader(self, row: Sequence[_Cell]) -> Seat | None:
        """The player who leads: the last winner, unless somebody else led out of turn."""
        wrong = [n for n, cell in enumerate(row) if "L" in cell.carets]
        for column in wrong[1:]:
            self._fault(row[column], "second lead out of turn in a trick")
        if not wrong:
            return self.leader
        seat = self.first.next_by(wrong[0])
        if seat == self.leader:
            self._fault(row[wrong[0]], f"bad lead out of turn: {seat} is on lead")
        self.is_sound = False
        return seat

    def _card(self, cell: _Cell, seat: Seat) -> int:
        """The card's bit; 0 for none."""
        if cell.text == "+":
            if self.plus_passed:
                self._fault(cell, "second +")
            self.plus_passed = True
            return 0
        if self.plus_passed and cell.text.strip("-"):
            self._fault(cell, "card after +")
        return self._hold(cell, seat)

    def _hold(self, cell: _Cell, seat: Seat) -> int:
        """The card's bit if `seat` may hold it, else 0."""
        text = cell.text
        if text in ("-", "+"):
            return 0
        if not _CARD.fullmatch(text):
            suit = text[0].upper() in "SHDC"
            self._fault(cell, "bad rank" if suit else "bad suit", "a card like SA, or -")
            return 0
        bit = Card.from_text(text).bit
        hand = self.held[seat]
        if self.played & bit:
            self._fault(cell, "card played already")
        elif hand is not None and not hand & bit:
            self._fault(cell, f"bad card: {seat.name.title()} does not hold it")
        elif any(
            other is not None and other & bit for at, other in enumerate(self.held) if at != seat
        ):
            self._fault(cell, "bad card: another hand holds it")
        else:
            self.played |= bit
            if hand is not None:
                self.held[seat] = hand ^ bit
            return bit
        return 0

    def _follow(self, cell: _Cell, seat: Seat, bit: int, lead: int) -> None:
        suit = _suit_mask(lead)
        hand = self.held[seat]
        revoked = "R" in cell.carets
        if revoked:
            self.is_sound = False
        if bit & suit:
            if revoked:
                self._fault(cell, "bad revoke: the card follows suit")
        elif hand is not None and hand & suit:
            if not revoked:
                self._fault(cell, f"revoke by {seat.name.title()}", "^R before it")
        elif hand is not None and revoked:
            self._fault(cell, f"bad revoke: {seat.name.title()} is void")

    def _fault(self, cell: _Cell, message: str, expected: str = "") -> None:
        self.is_sound = False
        self.report(cell.start, message, cell.text, expected)

    def certain(self) -> tuple[int, int] | None:
        """Tricks won, and those that the highest trumps still out must win."""
        if not self.is_sound or self.plus_passed or None in self.held:
            return None
        ns, ew = self.won
        hands = [hand or 0 for hand in self.held]
        if self.trump < 4:
            trumps = [hand >> (16 * self.trump) & _SUIT for hand in hands]
            top = _top_run(trumps)
            ns += max(bin(trumps[seat] & top).count("1") for seat in (0, 2))
            ew += max(bin(trumps[seat] & top).count("1") for seat in (1, 3))
        return ns, ew


def _top_run(trumps: Sequence[int]) -> int:
    """The highest trumps still out, as far down as one side holds them without a gap."""
    sides = (trumps[0] | trumps[2], trumps[1] | trumps[3])
    out = sides[0] | sides[1]
    top, side = 0, None
    for place in range(12, -1, -1):
        bit = 1 << place
        if not out & bit:
            continue
        owner = 0 if sides[0] & bit else 1
        if side is not None and owner != side:
            break
        side = owner
        top |= bit
    return top


def _suit_mask(bit: int) -> int:
    return _SUIT << (bit.bit_length() - 1) // 16 * 16


def _beats(bit: int, best: int, trump: int) -> bool:
    if _suit_mask(bit) == _suit_mask(best):
        return bit > best
    return trump < 4 and bool(bit & _SUIT << 16 * trump)


def check_play(
    words: Sequence[Word], first: Seat, deal: Deal, trump: Strain, report: Report
) -> PlayCheck:
    """Check a Play section whose first column is that of the leader, `first`.

    >>> deal = Deal.from_pbn("N:A2... KQ... J3... T4...")
    >>> words = [Word("word", text, 0) for text in ("SA", "SK", "S3", "S4")]
    >>> check_play(words, Seat.NORTH, deal, Strain.NOTRUMP, print).certain
    (1, 0)
    """
    notes = _Annotations(report, in_play=True)
    held = [hand.bits or None for hand in deal.hands]
    play = _Play(first, first, int(trump), held, report)
    cells: list[_Cell] = []
    ended = False
    for cell in notes.cells(words):
        if cell.text == "*":
            if ended or any(earlier.text == "+" for earlier in cells):
                report(cell.start, "double end of the play", "*", "one + or *")
            ended = True
        elif ended:
            play._fault(cell, "card after *")
        else:
            cells.append(cell)
    if len(cells) > 52:
        play._fault(cells[52], "more than 13 tricks")
    for base in range(0, min(len(cells), 52), 4):
        play.trick(cells[base : base + 4])
    certain = play.certain()
    won = None if certain is None else (play.won[0], play.won[1])
    return PlayCheck(won, certain, notes.references)
