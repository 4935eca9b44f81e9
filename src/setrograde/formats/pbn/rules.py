"""What the standard says of single tag values."""

from __future__ import annotations

import re
from collections.abc import Callable

from setrograde.bridge import Deal, InvalidInput

from .fields import uneven_hand

__all__ = ["FORBIDS_INHERITANCE", "KNOWN_TAGS", "Complaint", "check_value", "rubber_vulnerability"]

Complaint = tuple[str, str, str]
"""Message, what would be right, severity."""

FORBIDS_INHERITANCE = frozenset(
    ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play", "Note")
)
"""Tags that may not have the value `#`."""

_SEATS = ("West", "North", "East", "South")
KNOWN_TAGS = frozenset(
    (
        *("Event", "Site", "Date", "Board", *_SEATS, "Dealer", "Vulnerable", "Deal", "Scoring"),
        *("Declarer", "Contract", "Result", "Auction", "Play", "Note"),
        *("Competition", "DealId", "Description", "FrenchMP", "Generator", "Hidden", "Room"),
        *("Termination", "Score", "ScoreIMP", "ScoreMP", "ScorePercentage", "ScoreRubber"),
        *("ScoreRubberHistory", "OptimumScore", "BidSystemEW", "BidSystemNS", "PairEW", "PairNS"),
        *(f"{seat}{what}" for seat in _SEATS for what in ("NA", "Type")),
        *("EventDate", "EventSponsor", "HomeTeam", "Round", "Section", "Stage", "Table"),
        *("VisitTeam", "Time", "UTCDate", "UTCTime", "TimeControl", "TimeCall", "TimeCard"),
        *("Annotator", "AnnotatorNA", "Application", "Mode", "ActionTable", "AuctionTimeTable"),
        *("InstantScoreTable", "OptimumPlayTable", "OptimumResultTable", "PlayTimeTable"),
        *("ScoreTable", "TotalScoreTable"),
    )
)
"""The tag names of PBN 2.1."""

_SIGNED, _DECIMAL, _RUBBER = r"[+-]?\d+", r"[+-]?\d+(?:\.\d*)?", r"\d+\s*/\s*\d+"
_PERCENT = r"(?:100(?:\.0*)?|\d{1,2}(?:\.\d*)?)"
_DATE = r"[0-9?]{4}\.[0-9?]{2}\.[0-9?]{2}"
_TIME = r"[0-9?]{2}:[0-9?]{2}:[0-9?]{2}"


def _scores(number: str, *, alone: bool = True) -> str:
    """The forms of a score: alone, or of one or both sides."""
    sides = rf"(?:NS\s+{number}(?:\s+EW\s+{number})?|EW\s+{number}(?:\s+NS\s+{number})?)"
    return rf"(?:{number}|{sides})\s*" if alone else rf"{sides}\s*"


_TRICKS = r"(?:1[0-3]|[0-9])"
_PATTERNS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("Date", "EventDate", "UTCDate"), (_DATE, "a date like 1995.06.10")),
    **dict.fromkeys(("Time", "UTCTime"), (_TIME, "a time like 23:59:59")),
    "Board": (r"0*[1-9]\d*", "a number of 1 or more"),
    "Round": (r"\w+(?:\.\w+)*", "letters, digits and '_', parted by dots"),
    **dict.fromkeys(("Dealer", "Auction", "Play"), ("[NESWnesw]", "N, E, S or W")),
    "Declarer": (r"\^?[NESWnesw]", "N, E, S or W, perhaps after ^"),
    "Vulnerable": (r"(?i:None|Love|-|NS|EW|All|Both)", "None, NS, EW or All"),
    "Contract": (r"(?i:Pass|[1-7]?(?:[CDHS]|NT)(?:XX|X)?)", "Pass or a contract like 4HX"),
    "Result": (rf"\^?{_scores(_TRICKS)}", "tricks like 9, NS 9 or NS 9 EW 4"),
    "FrenchMP": ("Yes|No", "Yes or No"),
    "Room": ("Open|Closed", "Open or Closed"),
    "Hidden": (r"(?!.*(.).*\1)[NESW]{1,4}", "different seats out of NESW"),
    "Score": (_scores(_SIGNED), "points like -300, NS 420 or NS 420 EW -420"),
    "OptimumScore": (_scores(_SIGNED, alone=False), "points of a side like NS 420"),
    **dict.fromkeys(("ScoreIMP", "ScoreMP"), (_scores(_DECIMAL), "a score like 2.5 or NS 2.5")),
    "ScorePercentage": (_scores(_PERCENT), "a percentage from 0 to 100, like 52.5 or NS 52.5"),
    "ScoreRubber": (_scores(_RUBBER), "points above and below the line, like 300/40"),
    "TimeControl": (r"\d+/\d+", "games and minutes like 4/30"),
    **dict.fromkeys(("TimeCall", "TimeCard"), (r"\d+", "a number of seconds")),
}
_COMPILED = {name: (re.compile(p, re.ASCII), right) for name, (p, right) in _PATTERNS.items()}

_PLAYER_TYPES = frozenset(("human", "program"))
_USUAL: dict[str, frozenset[str]] = {
    "Competition": frozenset(("cavendish", "chicago", "individuals", "pairs", "rubber", "teams")),
    "Mode": frozenset(("em", "emb", "ibs", "okb", "table", "tc")),
    **{f"{seat}Type": _PLAYER_TYPES for seat in _SEATS},
}
_SCORING = frozenset(
    (
        *("mp", "matchpoints", "imp", "cavendish", "chicago", "rubber", "bam", "instant"),
        *("butler", "butler-2", "experts", "cross", "cross1", "cross2", "mean", "median", "mp1"),
        *("mp2", "oldmp", "mitchell2", "mitchell3", "mitchell4", "ascherman", "bastille", "emp"),
        *("imp_1948", "imp_1961"),
    )
)
_HAND = re.compile(r"-|[AKQJT98765432]*(?:\.[AKQJT98765432]*){3}", re.IGNORECASE)
_HISTORY = re.compile(
    r"NS\s+(\d+(?:\s+\d+)?)\s*/\s*(\d+(?:\s+\d+){0,2})"
    r"\s+EW\s+(\d+(?:\s+\d+)?)\s*/\s*(\d+(?:\s+\d+){0,2})\s*",
    re.ASCII,
)


def check_value(name: str, value: str) -> Complaint | None:
    """What is wrong with a tag's value, or `None`; values that say nothing are fine.

    >>> check_value("Dealer", "Black")
    ('bad Dealer', 'N, E, S or W', 'error')
    >>> check_value("Dealer", "?")
    """
    if value in ("", "?"):
        return None
    if name in _COMPILED:
        pattern, right = _COMPILED[name]
        return None if pattern.fullmatch(value) else (f"bad {name}", right, "error")
    if name in _USUAL:
        usual = value.lower() in _USUAL[name]
        return None if usual else (f"unusual {name}", "", "warning")
    check = _CHECKS.get(name)
    return check(value) if check else None


def _check_scoring(value: str) -> Complaint | None:
    fields = [field.strip().lower() for field in value.split(";")]
    if "" in fields:
        return "bad Scoring", "fields parted by semicolons, none of them empty", "error"
    return None if _SCORING.issuperset(fields) else ("unusual Scoring", "", "warning")


def _check_deal(value: str) -> Complaint | None:
    first, colon, rest = value.partition(":")
    hands = rest.split(" ")
    if not colon or first not in tuple("NESWnesw") or len(hands) != 4:
        return "bad Deal", "a seat, a colon and four hands with one space between", "error"
    for hand in hands:
        if not _HAND.fullmatch(hand):
            return f"bad Deal: {hand!r} is no hand", "four suits of AKQJT98765432 or -", "error"
    try:
        deal = Deal.from_pbn(value)
    except InvalidInput as error:
        twice = str(error).rpartition("card twice")[2]
        return f"bad Deal: card twice{twice}", "", "error"
    if not deal.bits:
        return "bad Deal: no cards", "at least one hand", "error"
    uneven = uneven_hand(deal)
    if uneven is None:
        return None
    seat, size = uneven
    message = f"bad Deal: {seat.name.title()} has {size} cards"
    return message, "as many in each hand, up to 13", "error"


def rubber_vulnerability(value: str) -> str | None:
    """The vulnerability that a ScoreRubberHistory implies; `None` if it is malformed.

    >>> rubber_vulnerability("NS 0 0 / 100 0 EW 0 0 / 0 0")
    'NS'
    """
    match = _HISTORY.fullmatch(value)
    if match is None:
        return None
    below_ns, below_ew = match[2].split(), match[4].split()
    if len(below_ns) != len(below_ew) or len(match[1].split()) != len(match[3].split()):
        return None
    ns, ew = (any(len(s.lstrip("0")) > 2 for s in b) for b in (below_ns, below_ew))
    return ("All" if ew else "NS") if ns else ("EW" if ew else "None")


def _check_history(value: str) -> Complaint | None:
    if rubber_vulnerability(value) is not None:
        return None
    return "bad ScoreRubberHistory", "like 'NS 0 0 / 100 0 EW 0 0 / 0 0'", "error"


_CHECKS: dict[str, Callable[[str], Complaint | None]] = {
    "Deal": _check_deal,
    "Scoring": _check_scoring,
    "ScoreRubberHistory": _check_history,
}
