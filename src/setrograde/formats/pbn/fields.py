"""The values of single tags: seats, deals, contracts, results, tables.

Every reader here returns `None` for what the file leaves open (`""`, `"?"`) and raises
`InvalidInput` for what it cannot be.
"""

from __future__ import annotations

import re

from setrograde.bridge import (
    Contract,
    Deal,
    InvalidInput,
    Seat,
    Side,
    Strain,
    TrickTable,
    Vulnerability,
)
from setrograde.formats.trick_digits import parse_trick_digits

__all__ = [
    "is_open",
    "read_ability",
    "read_bid",
    "read_board_number",
    "read_contract",
    "read_deal",
    "read_double_dummy_tricks",
    "read_result",
    "read_result_table",
    "read_seat",
    "read_strain",
    "read_vulnerability",
    "split_result",
    "uneven_hand",
]

_NUMBER = re.compile(r"[0-9]{1,9}")
_RESULT = re.compile(
    r"\^?\s*(?:(NS|EW)\s*)?([0-9]{1,2})(?:\s+(NS|EW)\s*([0-9]{1,2}))?\s*", re.IGNORECASE
)
_WILD_RISK = re.compile(r"([1-7](?:[CDHS]|NT?))([DR])", re.IGNORECASE)
_ABILITY = re.compile(r"([NESW]+):([0-9A-Da-d]{5})", re.IGNORECASE)


def is_open(value: str) -> bool:
    """True if a tag's value says nothing.

    >>> is_open("?"), is_open(""), is_open("IMP")
    (True, True, False)
    """
    return value in ("", "?", "-", "??") or not value.strip()


def read_seat(value: str) -> Seat | None:
    """Read a seat; a caret, which says that declarer and dummy are swapped, is dropped.

    >>> read_seat("^S"), read_seat("?")
    (Seat.SOUTH, None)
    """
    text = value.strip().removeprefix("^")
    return None if is_open(text) else Seat.from_text(text)


def read_board_number(value: str) -> int | None:
    """Read a board number of 1 or more.

    >>> read_board_number("12")
    12
    """
    if is_open(value):
        return None
    text = value.strip()
    if not _NUMBER.fullmatch(text) or int(text) == 0:
        raise InvalidInput(f"not a board number: {value!r} (expected 1 or more)")
    return int(text)


def read_vulnerability(value: str) -> Vulnerability | None:
    """Read a vulnerability; here `-` means that nobody is vulnerable.

    >>> read_vulnerability("Both"), read_vulnerability("-")
    (Vulnerability.BOTH, Vulnerability.NONE)
    """
    return None if value in ("", "?") else Vulnerability.from_text(value)


def read_deal(value: str) -> Deal | None:
    """Read a deal; a deal without any card is unknown.

    >>> read_deal("N:- - - -")
    """
    if is_open(value):
        return None
    deal = Deal.from_pbn(value)
    for seat in Seat:
        if len(deal[seat]) > 13:
            raise InvalidInput(f"{seat.name.title()} holds {len(deal[seat])} cards: {value!r}")
    return deal if deal.bits else None


def uneven_hand(deal: Deal) -> tuple[Seat, int] | None:
    """A hand that is too long or shorter than the longest, with its length; unknown hands are not.

    >>> uneven_hand(Deal.from_pbn("N:AK... Q... T9... -"))
    (Seat.EAST, 1)
    >>> uneven_hand(Deal.from_pbn("N:AK... QJ... T9... -")) is None
    True
    """
    if deal.is_full:
        return None
    sizes = {seat: len(deal[seat]) for seat in Seat if deal[seat].bits}
    most = max(sizes.values(), default=0)
    found = [seat for seat, size in sizes.items() if size > 13]
    found += [seat for seat, size in sizes.items() if size != most]
    return (found[0], sizes[found[0]]) if found else None


def read_strain(value: str) -> Strain | None:
    """Read the strain of a Contract tag; for an ending the tag holds nothing else.

    >>> read_strain("NT"), read_strain("4HX"), read_strain("Pass")
    (Strain.NOTRUMP, Strain.HEARTS, None)
    """
    text = value.strip().upper().lstrip("1234567").rstrip("X*")
    return Strain.from_text(text) if text in ("C", "D", "H", "S", "N", "NT") else None


def read_contract(value: str, declarer: Seat | None) -> Contract | None:
    """Read a contract; without a declarer, and for an ending (a strain alone), it is `None`.

    >>> read_contract("4HX", Seat.WEST), read_contract("H", Seat.WEST)
    (Contract.from_text('4HXW'), None)

    `R` for redoubled and `D` for doubled are not PBN but found in files.

    >>> read_contract("3NR", Seat.WEST)
    Contract.from_text('3NTXXW')
    """
    if is_open(value) or value.strip().upper() in ("C", "D", "H", "S", "N", "NT"):
        return None
    wild = _WILD_RISK.fullmatch(value.strip())
    if wild:
        value = wild[1] + ("XX" if wild[2] in "Rr" else "X")
    if declarer is None and value.strip()[:1] in "1234567":
        Contract.from_text(value, Seat.NORTH)
        return None
    return Contract.from_text(value, declarer)


def read_bid(value: str) -> str | None:
    """The level, strain and doubling that a Contract tag names, as PBN writes them.

    >>> read_bid("3N"), read_bid("4hx"), read_bid("H"), read_bid("?")
    ('3NT', '4HX', None, None)
    """
    if value.strip()[:1] not in tuple("1234567"):
        return None
    try:
        contract = read_contract(value, Seat.NORTH)
    except InvalidInput:
        return None
    return None if contract is None else contract.bid


def split_result(value: str) -> tuple[int | None, int | None, int | None]:
    """The tricks of declarer, North-South and East-West that a Result tag names.

    >>> split_result("9"), split_result("EW 4 NS 9"), split_result("^NS 11")
    ((9, None, None), (None, 9, 4), (None, 11, None))
    """
    match = _RESULT.fullmatch(value.strip())
    sides = match and [side and side.upper() for side in (match[1], match[3])]
    if match is None or sides is None or (match[3] and (not match[1] or sides[0] == sides[1])):
        raise InvalidInput(f"not a result: {value!r} (expected like '9', 'NS 9' or 'NS 9 EW 4')")
    tricks: dict[str | None, int] = {sides[0]: int(match[2])}
    if match[4]:
        tricks[sides[1]] = int(match[4])
    if max(tricks.values()) > 13:
        raise InvalidInput(f"not a result: {value!r} (expected 0 to 13 tricks)")
    return tricks.get(None), tricks.get("NS"), tricks.get("EW")


def read_result(value: str, declarer: Seat | None, total: int) -> int | None:
    """Read the number of declarer's tricks, if the deal has `total` tricks.

    >>> read_result("NS 9", Seat.EAST, 13), read_result("^10", Seat.EAST, 13)
    (4, 10)
    """
    if is_open(value):
        return None
    own, ns, ew = split_result(value)
    if own is not None or declarer is None:
        return own
    mine, theirs = (ns, ew) if declarer.side is Side.NS else (ew, ns)
    if mine is None and theirs is not None and theirs <= total:
        return total - theirs
    return mine


def read_result_table(columns: str, data: str) -> TrickTable | None:
    r"""Read an OptimumResultTable; it is `None` unless all 20 results are there.

    >>> read_result_table("Declarer;Denomination\\2R;Result\\2R", "N NT 7")
    """
    if columns.split() == ["Declarer", "Suit", "Tricks"]:  # as some robots name them
        columns = "Declarer;Denomination;Result"
    names = [column.split("\\")[0].strip(" +-") for column in columns.split(";")]
    try:
        at = [names.index(name) for name in ("Declarer", "Denomination", "Result")]
    except ValueError:
        raise InvalidInput(
            f"columns missing in {columns!r} (expected Declarer;Denomination;Result)"
        ) from None
    words = data.split()
    width = len(names)
    results: dict[tuple[Seat, Strain], int] = {}
    for base in range(0, len(words) - width + 1, width):
        declarer, strain, result = (words[base + place] for place in at)
        if _NUMBER.fullmatch(result):
            results[Seat.from_text(declarer), Strain.from_text(strain)] = int(result)
    if len(results) < 20:
        return None
    return TrickTable.from_function(lambda seat, strain: results[seat, strain])


def read_double_dummy_tricks(value: str) -> TrickTable | None:
    """Read a DoubleDummyTricks tag; empty or filled with stars, it is unknown.

    >>> read_double_dummy_tricks("0" * 19 + "d").tricks(Seat.WEST, Strain.CLUBS)
    13
    """
    if is_open(value) or set(value) <= {"*"}:
        return None
    return parse_trick_digits(value.strip())


def read_ability(value: str) -> TrickTable | None:
    """Read Deep Finesse's form: `N:76538 E:...`, five digits for each seat; `NS:` serves two seats.

    >>> read_ability("NS:76538 EW:57685").tricks(Seat.SOUTH, Strain.CLUBS)
    8
    """
    if is_open(value):
        return None
    rows = {
        Seat.from_text(letter): digits
        for letters, digits in _ABILITY.findall(value)
        for letter in letters
    }
    if len(rows) != 4:
        raise InvalidInput(f"not a table: {value!r} (expected like 'N:76538 E:57685 ...')")
    return parse_trick_digits("".join([rows[seat] for seat in Seat]), tuple(Seat))
