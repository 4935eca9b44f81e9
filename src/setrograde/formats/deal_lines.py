"""Lists of deals, one on each line, as people and small programs write them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from setrograde.bridge import Board, Deal, InvalidInput

from ._report import Reporter
from ._signs import GAP, HAND, NAMED_DEAL, PLAIN_DEAL
from ._text import text_of
from .problems import BoardFile

__all__ = ["format_deals", "parse_deals", "read_deal_line"]

_LINE = re.compile(
    rf"\s*(?:(\d{{1,6}})[.)]?[ \t]++)?+[\"']?(?:({NAMED_DEAL})|({PLAIN_DEAL}))[\"']?\s*",
    re.IGNORECASE | re.ASCII,
)
_NAMED_HAND = re.compile(rf"([NESW])[ \t:=]++({HAND})", re.IGNORECASE | re.ASCII)
_GAPS = re.compile(GAP)
_FORMS = "four hands, like 'N:AK... QJ... T9... 87...' or without 'N:'"


def read_deal_line(text: str) -> tuple[int | None, Deal]:
    """The number before a deal, if there is one, and the deal.

    >>> read_deal_line("AK... QJ... T9... 87...")[1]
    Deal.from_pbn('N:AK... QJ... T9... 87...')
    >>> number, deal = read_deal_line("12. w AK... n QJ... e T9... s 87...")
    >>> number, deal["N"]
    (12, Hand.from_text('QJ...'))

    Without a seat the first hand is North's. Raises `InvalidInput` if there is no deal.
    """
    match = _LINE.fullmatch(text)
    if match is None:
        raise InvalidInput(f"not a deal: {text.strip()!r} (expected {_FORMS})")
    number, named, plain = match.groups()
    if named is not None:
        hands = {seat.upper(): hand for seat, hand in _NAMED_HAND.findall(named)}
        if len(hands) != 4:
            raise InvalidInput(f"not a deal: {text.strip()!r} (expected each seat once)")
        plain = "N:" + " ".join(hands[seat] for seat in "NESW")
    first, rest = ("N", plain) if plain[1:].lstrip()[:1] != ":" else (plain[0], plain[1:])
    deal = Deal.from_pbn(f"{first}:{' '.join(_GAPS.split(rest.strip(' :')))}")
    return (None if number is None else int(number)), deal


def parse_deals(data: bytes | str, *, path: str = "<text>", strict: bool = False) -> BoardFile:
    """Read a list of deals; boards are numbered from 1, unless the lines have numbers.

    Empty lines, and lines that begin with `#`, `%` or `;`, are passed over. Lenient reading
    (default) lists what it cannot read; strict reading raises `FormatError` at the first problem.

    >>> boards = parse_deals("AK... QJ... T9... 87...\\nE:A... K... Q... J...\\n")
    >>> [board.number for board in boards]
    [1, 2]
    >>> print(parse_deals("hello\\n").problems[0])
    <text>:1:1: not a deal: found 'hello', expected four hands, \
like 'N:AK... QJ... T9... 87...' or without 'N:'
    """
    reporter = Reporter(path, strict)
    boards: list[Board] = []
    for place, line in enumerate(text_of(data, "utf-8").split("\n"), 1):
        text = line.strip()
        if not text or text[0] in "#%;":
            continue
        column = len(line) - len(line.lstrip()) + 1
        try:
            number, deal = read_deal_line(text)
        except InvalidInput as error:
            reason = str(error).partition(": ")[2] if _LINE.fullmatch(text) else ""
            message = f"not a deal: {reason}" if reason else "not a deal"
            reporter.report(place, column, message, found=text, expected="" if reason else _FORMS)
            continue
        lengths = {len(hand) for hand in deal if hand}
        if len(lengths) > 1 or max(lengths, default=0) > 13:
            found = ", ".join(str(len(hand)) for hand in deal)
            reporter.report(
                place, column, "hands of different length", found=found, expected="13 cards each"
            )
            if max(lengths) > 13:
                continue
        boards.append(Board(number=number or len(boards) + 1, deal=deal))
    return BoardFile("deals", tuple(boards), reporter.problems)


def format_deals(boards: Iterable[Board]) -> str:
    """Write the deals of boards, one on each line; nothing else of a board is kept.

    >>> format_deals([Board.numbered(7, "N:A... K... Q... J...")])
    'N:A... K... Q... J...\\n'
    """
    deals = [board.deal for board in boards]
    return "".join([deal.to_pbn() + "\n" for deal in deals if deal is not None])
