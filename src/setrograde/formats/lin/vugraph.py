"""What a vugraph file says once for all its boards: event, teams, players, results."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from setrograde.bridge import Contract, Deal, Doubling, Seat, Strain, Vulnerability

from .document import LinToken

__all__ = ["DealtBoard", "Match", "TableResult", "parse_result", "parse_room"]

_ROOM = re.compile(r"\s*([oc])\s*0*([1-9][0-9]{0,5})(?![0-9])", re.IGNORECASE | re.ASCII)
_RESULT = re.compile(
    r"([1-7])\s*(NT|[CDHSN])\s*(XX|X|R|D|\*\*|\*)?\s*([NESW])\s*(=|[+-][0-9]{1,2})",
    re.IGNORECASE | re.ASCII,
)
_DOUBLINGS = {
    "": Doubling.UNDOUBLED,
    **dict.fromkeys(("X", "D", "*"), Doubling.DOUBLED),
    **dict.fromkeys(("XX", "R", "**"), Doubling.REDOUBLED),
}
_SCORINGS = {"I": "IMP", "P": "MP", "M": "MP", "B": "BAM"}
_NO_NAMES = ["South", "West", "North", "East"]


def parse_room(value: str) -> tuple[str | None, int | None]:
    """Room and board number of a `qx` value.

    >>> parse_room("o12"), parse_room("c3,Board 3"), parse_room("intro")
    (('Open', 12), ('Closed', 3), (None, None))
    """
    match = _ROOM.match(value)
    if match is None:
        return None, None
    room = "Open" if match.group(1).lower() == "o" else "Closed"
    return room, int(match.group(2))


@dataclass(frozen=True, slots=True)
class TableResult:
    """A contract and its tricks, as the `rs` list gives them."""

    contract: Contract
    tricks_declarer: int | None


def parse_result(text: str) -> TableResult | None:
    """Read one entry of `rs`; an entry without a result gives `None`.

    >>> parse_result("4SxN-1")
    TableResult(contract=Contract.from_text('4SXN'), tricks_declarer=9)
    >>> parse_result("PASS").contract.is_passed_out, parse_result("--")
    (True, None)
    """
    text = text.strip()
    if text.upper() in ("PASS", "P", "AP", "PASSED"):
        return TableResult(Contract.PASSED_OUT, None)
    match = _RESULT.fullmatch(text)
    if match is None:
        return None
    level, strain, doubling, seat, difference = match.groups()
    contract = Contract(
        int(level),
        Strain.from_text(strain),
        Seat.from_text(seat),
        _DOUBLINGS[(doubling or "").upper()],
    )
    tricks = contract.tricks_needed + (0 if difference == "=" else int(difference))
    return TableResult(contract, tricks) if 0 <= tricks <= 13 else None


@dataclass(frozen=True, slots=True)
class DealtBoard:
    """Cards of a board that the other room plays too."""

    dealer: Seat | None
    vulnerability: Vulnerability | None
    deal: Deal | None


@dataclass(slots=True)
class Match:
    """Headers seen so far; they hold until others replace them."""

    names: list[str] = field(default_factory=list)
    event: str | None = None
    scoring: str | None = None
    tags: dict[str, str] = field(default_factory=dict)
    deals: dict[int | None, DealtBoard] = field(default_factory=dict)
    _places: dict[int | None, int] = field(default_factory=dict)
    _results: list[str] = field(default_factory=list)

    def take_headers(self, tokens: list[LinToken]) -> None:
        """Remember what the headers among `tokens` say."""
        for token in tokens:
            key = token.key
            if key == "pn":
                self.names = [name.strip() for name in token.value.split(",")]
            elif key == "vg":
                self._take_title(token.value)
            elif key == "rs":
                self._results = token.value.split(",")
            elif key == "bn":
                self._take_numbers(token.value)

    def _take_numbers(self, value: str) -> None:
        self._places = {}
        for place, word in enumerate(value.split(",")):
            if re.fullmatch(r"\s*[0-9]{1,6}\s*", word, re.ASCII):
                self._places.setdefault(int(word), place)

    def _take_title(self, value: str) -> None:
        """`title,segment,scoring,first board,last board,team,carry-over,team,carry-over`."""
        fields = [part.strip() for part in value.split(",")] + [""] * 9
        self.event = fields[0] or None
        self.scoring = _SCORINGS.get(fields[2].upper())
        names = {"Stage": fields[1], "HomeTeam": fields[5], "VisitTeam": fields[7]}
        self.tags = {tag: text for tag, text in names.items() if text}
        self._places, self._results, self.deals = {}, [], {}
        if all(re.fullmatch("[0-9]{1,6}", text) for text in fields[3:5]):
            first, last = int(fields[3]), int(fields[4])
            if first <= last < first + 1000:
                self._places = {first + place: place for place in range(last - first + 1)}

    def players(self, room: str | None) -> list[str]:
        """Names in the order South, West, North, East; fewer than four if unknown."""
        closed = self.names[4:8]
        if room == "Closed" and len(closed) == 4 and closed != _NO_NAMES:
            return closed
        return self.names[:4]

    def result(self, room: str | None, number: int | None) -> TableResult | None:
        """The result that `rs` gives for a board: it has two for each, the open room first."""
        if number not in self._places or room is None:
            return None
        place = 2 * self._places[number] + (room == "Closed")
        return parse_result(self._results[place]) if place < len(self._results) else None
