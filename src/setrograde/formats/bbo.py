"""Links to the hand viewer of Bridge Base Online.

Two forms: `?lin=` with a whole LIN record, and `?n=...&e=...&s=...&w=...&d=n&v=-&b=1&a=...&p=...`.
Only the query of a link matters, whatever its host and path. Links are found in text, in HTML and
in the tags of BBO's forums. Both forms end in the LIN reader, so calls, cards and claims obey one
set of rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import quote, unquote_to_bytes

from setrograde.bridge import Annotation, Auction, Board, InvalidInput, Seat, Vulnerability

from ._report import Reporter
from ._text import text_of
from .lin import LinDocument, LinToken, format_lin, read_lin_document
from .lin.notation import format_call, format_hand, parse_hand
from .problems import BoardFile

__all__ = ["VIEWER_ADDRESS", "format_bbo", "format_bbo_link", "parse_bbo", "parse_bbo_link"]

VIEWER_ADDRESS = "https://www.bridgebase.com/tools/handviewer.html"

_VULNERABILITIES = {
    Vulnerability.NONE: "-",
    Vulnerability.NS: "n",
    Vulnerability.EW: "e",
    Vulnerability.BOTH: "b",
}
_LIN_ORDER = "swne"
_SEAT_NAMES = ("south", "west", "north", "east")
_LINK = re.compile(r"\[hv=|[a-z]{3,8}://|(?<![\w:/])//|(?<![\w./])www\.", re.IGNORECASE)
_CLOSERS = {'"': '"', "'": "'", "(": ")", "<": ">", "[": "]"}
_EXPLANATION = re.compile(r"\(([^)]*)\)?")


def parse_bbo_link(url: str) -> Board:
    """Read the board a link shows; raises `FormatError` if it shows none.

    >>> url = "https://example.org/?n=sAhdc&e=sKhdc&s=sQhdc&w=sJhdc&d=n&v=b&b=4&a=1S!(big)ppp"
    >>> board = parse_bbo_link(url)
    >>> board.number, board.contract, board.auction.annotation(0)
    (4, Contract.from_text('1SN'), Annotation(alerted=True, text='big'))
    >>> parse_bbo_link("https://example.org/?n=s1")
    Traceback (most recent call last):
    ...
    setrograde.formats.problems.FormatError: <link>:1:24: \
not a card: '1' in 's1' (expected like 'SAK2HQ3DCT98')
    """
    boards = parse_bbo(url, path="<link>", strict=True)
    if len(boards) != 1:
        raise InvalidInput(f"{len(boards)} links (expected one): {url!r}")
    return boards[0]


def parse_bbo(data: bytes | str, *, path: str = "<text>", strict: bool = False) -> BoardFile:
    """Read a list of links, one on each line.

    >>> len(parse_bbo("https://example.org/?lin=md%7C3%7C\\n?b=2&n=sA&e=sK&s=sQ&w=sJ\\n"))
    2
    """
    reporter = Reporter(path, strict)
    text = text_of(data, "utf-8")
    boards = []
    is_shortcut = text.lstrip().lower().startswith("[internetshortcut]")
    for number, line in enumerate(text.split("\n"), 1):
        for link in _links(line):
            if is_shortcut and "?" not in link:
                continue
            board = _read_link(link, number, reporter)
            if board is not None:
                boards.append(board)
    return BoardFile("bbo", tuple(boards), reporter.problems)


def _links(line: str) -> Iterator[str]:
    """The links of a line, each with blanks before it, so that its columns stay those of the line.

    A line without the beginning of a link is taken as one, if it is not empty.
    """
    starts = [match.start() for match in _LINK.finditer(line)] or [0]
    for start, stop in zip(starts, [*starts[1:], len(line)], strict=True):
        closer = _CLOSERS.get(line[start - 1 : start] if start else "", "")
        if line[start : start + 4].lower() == "[hv=":
            closer = "]"
        end = line.find(closer, start + 1, stop) if closer else -1
        text = line[start : end if end >= 0 else stop]
        if text.strip():
            yield " " * start + text


def format_bbo(boards: Iterable[Board], *, form: Literal["lin", "hands"] = "lin") -> str:
    """Write a list of links, one on each line.

    >>> format_bbo([Board(number=1)], form="hands")
    'https://www.bridgebase.com/tools/handviewer.html?b=1\\n'
    """
    return "".join([format_bbo_link(board, form=form) + "\n" for board in boards])


def format_bbo_link(board: Board, *, form: Literal["lin", "hands"] = "lin") -> str:
    """Make a link that shows `board`.

    The form `hands` is shorter, and people can read it; the form `lin` also keeps commentary. What
    LIN has no place for is left out of both.

    >>> from setrograde.bridge import Deal
    >>> board = Board.numbered(1, Deal.from_pbn("N:A... K... Q... J..."))
    >>> format_bbo_link(board, form="hands").partition("?")[2]
    'n=sAhdc&e=sKhdc&s=sQhdc&w=sJhdc&d=n&v=-&b=1'
    """
    if form == "lin":
        return f"{VIEWER_ADDRESS}?lin={quote(format_lin([board]).strip(), safe='')}"
    if form == "hands":
        query = "&".join([f"{key}={value}" for key, value in _parameters(board)])
        return f"{VIEWER_ADDRESS}?{query}"
    raise InvalidInput(f"not a form of link: {form!r} (expected 'lin' or 'hands')")


def _parameters(board: Board) -> Iterator[tuple[str, str]]:
    if board.deal is not None:
        for seat in Seat:
            if hand := board.deal[seat]:
                yield seat.letter.lower(), _viewer_hand(format_hand(hand, is_ascending=False))
    if board.dealer is not None:
        yield "d", board.dealer.letter.lower()
    if board.vulnerability is not None:
        yield "v", _VULNERABILITIES[board.vulnerability]
    if board.number is not None:
        yield "b", str(board.number)
    for seat in Seat:
        if name := " ".join((board.player(seat) or "").split()):
            yield f"{seat.letter.lower()}n", quote(name, safe="")
    if board.auction is not None and board.auction.calls:
        yield "a", _viewer_auction(board.auction)
        if board.play is not None and board.play.cards:
            yield "p", "".join(map(str, board.play.cards))
        if (claimed := _claimed(board)) is not None:
            yield "c", str(claimed)


def _viewer_hand(text: str) -> str:
    """Suits in small letters, as the viewer's own examples have them."""
    return re.sub("[SHDC]", lambda match: match.group().lower(), text)


def _viewer_auction(auction: Auction) -> str:
    parts = []
    for turn, call in enumerate(auction.calls):
        note = auction.annotation(turn) or Annotation()
        parts.append(format_call(call) + ("!" if note.alerted else ""))
        if text := " ".join(note.text.replace("(", "[").replace(")", "]").split()):
            parts.append(f"({quote(text, safe='')})")
    return "".join(parts)


def _claimed(board: Board) -> int | None:
    """The result, if neither the cards nor the auction tell it."""
    contract = board.auction.contract if board.auction is not None else None
    is_played_out = board.play is not None and board.play.is_over
    if contract is None or contract.is_passed_out or is_played_out:
        return None
    return board.tricks_declarer


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A decoded value and where it stands in its line, from 1."""

    value: str
    column: int


def _split_query(line: str) -> dict[str, _Parameter]:
    """The parameters of a link; of two with one name the first counts."""
    start = line.find("?") + 1
    if line.lstrip()[:4].lower() == "[hv=":  # as in the forums of BBO: [hv=n=...&s=...]400|300[/hv]
        start = line.index("=") + 1
    query = line[start:].partition("#")[0]
    # A plus is a blank in forms, but a plus in "5+ hearts": it is one wherever blanks are %20.
    is_form = "%20" not in query and " " not in query.strip()
    parameters: dict[str, _Parameter] = {}
    for match in re.finditer("[^&]+", query):
        part = match.group()
        escaped = part.startswith("amp;")  # an ampersand as HTML writes it
        name, equals, value = part.removeprefix("amp;").partition("=")
        key = name.strip().lower()
        if equals and key not in parameters:
            text = _unquote(value.replace("+", " ") if is_form else value)
            if key == "lin" and "|" not in text and "%7c" in text.lower():
                text = _unquote(text)
            column = start + match.start() + 4 * escaped + len(name) + 2
            parameters[key] = _Parameter(text, column)
    return parameters


def _unquote(text: str) -> str:
    data = unquote_to_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _read_link(line: str, number: int, reporter: Reporter) -> Board | None:
    parameters = _split_query(line)
    if "lin" in parameters:
        tokens = _lin_tokens(parameters["lin"], number)
    elif parameters.keys() & {"n", "e", "s", "w", "a", "b"}:
        tokens = list(_hand_tokens(parameters, number, reporter))
    else:
        message = "no board in the link"
        if parameters.keys() & {"myhand", "linurl", "id"} or "tinyurl.com" in line.lower():
            message = "no board in the link: it names one that is on a server"
        reporter.report(number, 1, message, found=line.strip(), expected="?lin= or ?n=&e=&s=&w=")
        return None
    boards = read_lin_document(
        LinDocument(tuple(tokens)), path=reporter.path, strict=reporter.strict
    )
    for problem in boards.problems:
        reporter.report(
            problem.line,
            problem.column,
            problem.message,
            found=problem.found,
            expected=problem.expected,
        )
    if len(boards) != 1:
        reporter.report(
            number, 1, f"{len(boards)} boards in the link", found=line.strip(), expected="one"
        )
        return None
    return boards[0]


def _lin_tokens(parameter: _Parameter, line: int) -> list[LinToken]:
    document = LinDocument.from_data(parameter.value)
    return [
        replace(token, line=line, column=parameter.column + token.column - 1)
        for token in document.tokens
    ]


def _hand_tokens(
    parameters: dict[str, _Parameter], line: int, reporter: Reporter
) -> Iterator[LinToken]:
    """The same board as LIN tokens that stand where the parameters do."""

    def token(key: str, value: str, name: str) -> LinToken:
        place = parameters[name].column if name in parameters else len(key) + 2
        clean = value.replace("|", "/")
        return LinToken(key, clean, line=line, column=max(1, place - len(key) - 1))

    names = [parameters.get(f"{seat}n") for seat in _LIN_ORDER]
    if any(names):
        texts = [name.value.replace(",", ";") if name else "" for name in names]
        yield token("pn", ",".join(texts), "nn")
    first = next((seat for seat in _LIN_ORDER if seat in parameters), "d")
    yield token("md", _deal_text(parameters, line, reporter), first)
    if "b" in parameters:
        number = parameters["b"]
        if not re.fullmatch("0*[1-9][0-9]{0,5}", number.value.strip()):
            reporter.report(
                line, number.column, "not a board number", found=number.value, expected="1 or more"
            )
        else:
            yield token("ah", f"Board {int(number.value)}", "b")
    if "v" in parameters:
        yield token("sv", parameters["v"].value, "v")
    if "a" in parameters:
        yield from _call_tokens(parameters["a"], line)
    for name, key in (("p", "pc"), ("c", "mc")):
        if name in parameters and parameters[name].value.strip():
            yield token(key, parameters[name].value, name)


def _deal_text(parameters: dict[str, _Parameter], line: int, reporter: Reporter) -> str:
    """An `md` value; hands that cannot be read are reported and left empty."""
    hands = []
    for seat in _LIN_ORDER:
        text = ""
        if (parameter := parameters.get(seat)) is not None:
            try:
                text = format_hand(parse_hand(parameter.value))
            except InvalidInput as error:
                reporter.report(line, parameter.column, str(error))
        hands.append(text)
    digit = "0"
    if (dealer := parameters.get("d")) is not None:
        word = dealer.value.strip().lower()
        place = _LIN_ORDER.find(word[:1] or "?")
        if place < 0 or word not in (word[:1], *_SEAT_NAMES):
            reporter.report(
                line, dealer.column, "not a dealer", found=dealer.value, expected="n, e, s or w"
            )
        else:
            digit = str(place + 1)
    return digit + ",".join(hands)


def _call_tokens(parameter: _Parameter, line: int) -> Iterator[LinToken]:
    """Calls, with explanations in parentheses behind them."""
    position = 0
    text = parameter.value.replace("|", "/")
    for match in _EXPLANATION.finditer(text):
        if match.start() > position:
            column = parameter.column + position - 3
            yield LinToken("mb", text[position : match.start()], line=line, column=column)
        column = parameter.column + match.start() - 2
        yield LinToken("an", match.group(1), line=line, column=column)
        position = match.end()
    if position < len(text):
        yield LinToken("mb", text[position:], line=line, column=parameter.column + position - 3)
