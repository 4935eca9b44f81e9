"""The words of the dealer language, and what they stand for."""

from __future__ import annotations

import re

from setrograde.bridge import Seat, Strain, Suit, Vulnerability

__all__ = [
    "ACTIONS",
    "CARD",
    "CONTRACT",
    "COUNTS",
    "FUNCTIONS",
    "HOLDING",
    "RESERVED",
    "SEATS",
    "SHAPE",
    "STATEMENTS",
    "STRAINS",
    "SUITS",
    "VULNERABILITIES",
]

SEATS = {seat.name.lower(): seat for seat in Seat}
"""Players by their words."""

SUITS = {
    word: suit for suit in Suit for word in (suit.name.lower(), suit.name.lower().removesuffix("s"))
}
"""Suits by their words, in the singular and the plural."""

STRAINS = {
    **{word: suit.strain for word, suit in SUITS.items()},
    **dict.fromkeys(("notrump", "notrumps"), Strain.NOTRUMP),
}
"""Strains by their words."""

COUNTS = {
    **{word: word for word in ("tens", "top2", "top3", "top4", "top5", "c13", "cccc", "quality")},
    **{f"pt{number}": f"pt{number}" for number in range(10)},
    **{
        word: name
        for name in ("jacks", "queens", "kings", "aces", "losers", "controls")
        for word in (name, name.removesuffix("s"))
    },
    **dict.fromkeys(("hcp", "hcps"), "hcp"),
}
"""Counts of a hand by their words: the name in the syntax tree."""

VULNERABILITIES = {
    "none": Vulnerability.NONE,
    "ns": Vulnerability.NS,
    "ew": Vulnerability.EW,
    "all": Vulnerability.BOTH,
}
"""Vulnerabilities by their words."""

FUNCTIONS = frozenset(
    {*SUITS, *COUNTS, "shape", "hascard", "trick", "tricks", "score", "imp", "imps", "rnd"}
)
"""Words that begin a function."""

ACTIONS = (
    *("printall", "print", "printew", "printpbn", "printcompact", "printoneline", "printes"),
    *("average", "frequency", "evalcontract"),
)
"""Words that begin an action."""

STATEMENTS = (
    *("generate", "produce", "vulnerable", "dealer", "predeal", "pointcount", "altcount"),
    *("condition", "action"),
)
"""Words that begin a statement; `seed` and `level` do too unless they are names."""

RESERVED = frozenset(
    {*FUNCTIONS - {"rnd"}, *SEATS, *STRAINS, *VULNERABILITIES, *STATEMENTS, *ACTIONS}
    | {"and", "or", "not", "any"}
) - {"evalcontract"}
"""Words that cannot be names."""

SHAPE = re.compile(r"[0-9xX]{4}", re.ASCII)
CARD = re.compile(r"([AKQJT2-9])([SHDC])|([SHDC])([AKQJT2-9])", re.IGNORECASE | re.ASCII)
HOLDING = re.compile(r"([SHDC])([AKQJT2-9X]+)", re.IGNORECASE | re.ASCII)
CONTRACT = re.compile(r"x([1-7])([CDHS]|NT?)(x{0,2})", re.IGNORECASE | re.ASCII)
